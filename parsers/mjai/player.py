"""A simulated player that speaks mjai: events in, one answer out.

It follows a game as one seat of it sees it. Tiles of others are not looked at, even where a server shows
them. Every server of mjai asks in its own way, so both of the usual ways are understood: each event alone,
or all events since the last answer at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from paifu.parsers.errors import ParseError
from paifu.parsers.json_values import shown
from paifu.parsers.mjai import names as mjai
from paifu.parsers.mjai.games import DEALT, MjaiGame
from paifu.parsers.packed_events import flags_of, own_of, seat_of, source_of, tile_of
from paifu.replay.course.settlement import HandStart
from paifu.replay.model.events import CODE_OF_TILE, EventKind, HandEnd
from paifu.replay.model.tiles import NO_TILE
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import load_preset
from paifu.replay.simulate.games import Player
from paifu.replay.simulate.policy_seat import seat_player
from paifu.replay.simulate.seat import Answer, LostTrackError, SeatMove, SeatPlayer

MjaiEvent = dict[str, Any]

PRESETS = {4: "tenhou", 3: "tenhou-sanma"}
"""Rules by number of players, where none are given: a server of mjai does not state its own."""
_CALLS = {EventKind.CHI: "chi", EventKind.PON: "pon", EventKind.DAIMINKAN: "daiminkan"}
_SHOWN = frozenset({EventKind.DISCARD, EventKind.ANKAN, EventKind.KAKAN, EventKind.KITA})
_OWN = frozenset({EventKind.DRAW, EventKind.RIICHI, EventKind.CHI, EventKind.PON})
_SILENT = frozenset({"reach_accepted", "dora"})
"""Events after which nobody is asked; in a list of several they may follow the one that asks."""
PASS: MjaiEvent = {"type": "none"}


class MjaiPlayer:
    """One player, for one game after the other."""

    def __init__(
        self, player: Player, *, rules: Ruleset | None = None, seed: int = 0, seat: int | None = None
    ) -> None:
        """``rules`` are those of the server; by default Tenhou's, for as many players as there are.

        ``seat`` is the seat where ``start_game`` states no ``id``.
        """
        self.player, self.rules, self.seed = player, rules, seed
        self.default_seat = seat
        self.complaints: list[str] = []
        """What could not be understood, in words; what shows it empties the list."""
        self._seats: dict[int, SeatPlayer] = {}
        self._seat_player: SeatPlayer | None = None
        self._kita = "kita"
        self._begin_game({})

    def _begin_game(self, event: MjaiEvent) -> None:
        self._game = MjaiGame("<stdin>")
        self._id = event.get("id", self.default_seat)
        self._seat_player = None

    def react(self, events: Sequence[Any]) -> MjaiEvent:
        """Take events in their order; return the answer to the last one, ``none`` where there is none."""
        for event in events:
            try:
                self._take(event)
            except (ParseError, LostTrackError) as error:
                self._complain(event, str(error))
                if self._seat_player is not None:
                    self._seat_player.is_lost = True
        last = next((event for event in reversed(events) if not _is_silent(event)), None)
        if last is None or self._seat_player is None or not self._is_asked(last):
            return PASS
        return self._said(self._seat_player.choose())

    def _complain(self, event: Any, problem: str) -> None:
        kind = event.get("type") if isinstance(event, dict) else event
        self.complaints.append(f"{shown(kind)}: {problem}; passing, or discarding what was drawn")

    # --- following ------------------------------------------------------------------------------------

    def _take(self, event: Any) -> None:
        kind = event.get("type") if isinstance(event, dict) else None
        if kind == "start_game":
            self._begin_game(event)
        if kind in ("kita", "nukidora"):
            self._kita = kind
        game = self._game
        count = len(game.draft.words)
        game.event(event)
        del game.faults[:]
        if kind == "start_kyoku":
            self._begin_hand()
            return
        player = self._seat_player
        if player is None:
            return
        if kind in ("hora", "ryukyoku", "end_kyoku", "end_game"):
            player.is_lost = True
            return
        for word in game.draft.words[count:]:
            player.follow(_move_of(word))

    def _begin_hand(self) -> None:
        game = self._game
        row = game.draft.hands[-1]
        if type(self._id) is not int or not 0 <= self._id < game.players:
            raise LostTrackError(f"start_game names no seat (id is {shown(self._id)}); give one with --seat")
        seat = (self._id - game.turn) % game.players
        self._seat_player = player = self._player_of(game.players)
        start = HandStart(row["round"], row["honba"], row["sticks"], row["dealer"])
        dealt = [_tile(code) for code in row["dealt"][DEALT * seat : DEALT * seat + DEALT]]
        scores = tuple(row.get("scores") or player.rules.starts)[: game.players]
        player.begin(seat, start, scores, dealt, _tile(row["dora"]))

    def _player_of(self, players: int) -> SeatPlayer:
        if players not in self._seats:
            rules = self.rules or load_preset(PRESETS[players])
            if rules.table.players != players:
                raise LostTrackError(f"{players} play, and {rules.name} is for {rules.table.players}")
            try:
                self._seats[players] = seat_player(rules, self.player, self.seed)
            except ValueError as error:  # nobody knows how such a game is played
                raise LostTrackError(str(error)) from error
        return self._seats[players]

    # --- answering ------------------------------------------------------------------------------------

    def _is_asked(self, event: Any) -> bool:
        """Return whether an event, taken already, leaves something for this seat to decide."""
        player = self._seat_player
        words = self._game.draft.words
        if player is None or not isinstance(event, dict) or event.get("type") not in _ASKING:
            return False
        word = next((word for word in reversed(words) if word & 31 not in _QUIET), 0)
        is_own = seat_of(word) == player.seat
        return word & 31 in (_OWN if is_own else _SHOWN)

    def _said(self, answer: Answer) -> MjaiEvent:
        """Say an answer in mjai."""
        player, game = self._seat_player, self._game
        if player is None or player.is_lost:
            return self._default()
        last = next(word for word in reversed(game.draft.words) if word & 31 not in _QUIET)
        actor = self._file_seat(player.seat)
        if answer.end == HandEnd.WIN:
            target = self._file_seat(seat_of(last))
            return {"type": "hora", "actor": actor, "target": target, "pai": _name(_tile(tile_of(last)))}
        if answer.end == HandEnd.KYUUSHU:
            return {"type": "ryukyoku", "actor": actor, "reason": "kyushukyuhai"}
        if not answer.moves:
            return PASS
        return said(answer.moves[0], actor, self._file_seat(answer.moves[0].source), self._kita)

    def _default(self) -> MjaiEvent:
        """What to say without following the hand: the tile drawn is discarded, the rest passed."""
        words = self._game.draft.words
        if self._seat_player is None or not words or words[-1] & 31 != EventKind.DRAW:
            return PASS
        tile = tile_of(words[-1])
        if seat_of(words[-1]) != self._seat_player.seat or tile == NO_TILE:
            return PASS
        actor = self._file_seat(self._seat_player.seat)
        return {"type": "dahai", "actor": actor, "pai": _name(_tile(tile)), "tsumogiri": True}

    def _file_seat(self, seat: int) -> int:
        return (seat + self._game.turn) % self._game.players


_ASKING = frozenset({"tsumo", "dahai", "chi", "pon", "reach", "ankan", "kakan", "kita", "nukidora"})
_QUIET = frozenset({EventKind.DORA, EventKind.RIICHI_PAID})


def said(move: SeatMove, actor: int, target: int, kita: str = "kita") -> MjaiEvent:
    """Say a move in mjai; ``target`` is who discarded the tile that is called."""
    match move.kind:
        case EventKind.DISCARD:
            return {"type": "dahai", "actor": actor, "pai": _name(move.tile), "tsumogiri": bool(move.flags)}
        case EventKind.RIICHI:
            return {"type": "reach", "actor": actor}
        case EventKind.ANKAN:
            return {"type": "ankan", "actor": actor, "consumed": _names((move.tile, *move.own))}
        case EventKind.KAKAN:
            return {
                "type": "kakan", "actor": actor, "pai": _name(move.tile), "consumed": _names(move.own),
            }  # fmt: skip
        case EventKind.KITA:
            return {"type": kita, "actor": actor, "pai": _name(move.tile)}
        case _:
            return {
                "type": _CALLS[move.kind], "actor": actor, "target": target, "pai": _name(move.tile),
                "consumed": _names(move.own),
            }  # fmt: skip


def _is_silent(event: Any) -> bool:
    return isinstance(event, dict) and event.get("type") in _SILENT


def _move_of(word: int) -> SeatMove:
    own = tuple(_tile(code) for code in own_of(word))
    return SeatMove(
        EventKind(word & 31), seat_of(word), _tile(tile_of(word)), source_of(word), own, flags_of(word)
    )


def _tile(code: int) -> int:
    return NO_TILE if code == NO_TILE else code - CODE_OF_TILE


def _name(tile: int) -> str:
    return mjai.HIDDEN if tile == NO_TILE else mjai.NAMES[tile]


def _names(tiles: Sequence[int]) -> list[str]:
    return [_name(tile) for tile in tiles]


def conceal(event: MjaiEvent, seat: int) -> MjaiEvent:
    """Return an event as a seat sees it: tiles that others hold are hidden."""
    kind = event["type"]
    if kind == "start_kyoku":
        hands = [
            tiles if other == seat else [mjai.HIDDEN] * len(tiles)
            for other, tiles in enumerate(event["tehais"])
        ]
        return {**event, "tehais": hands}
    if kind == "start_game":
        return {**event, "id": seat}
    if kind == "tsumo" and event["actor"] != seat:
        return {**event, "pai": mjai.HIDDEN}
    return event


def lines_of(text: Any) -> Iterator[Any]:
    """Yield the events of a line: one, or a list of them."""
    if isinstance(text, list):
        yield from text
    else:
        yield text
