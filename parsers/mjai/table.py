"""Players that speak mjai at paifu's table: events out, answers in, faults counted.

A player is one of our own in this process, or a bot in a process of its own. Each hears what its seat sees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Protocol

import orjson

from paifu.parsers.json_values import shown
from paifu.parsers.mjai import names as mjai
from paifu.parsers.mjai.player import MjaiEvent, MjaiPlayer, conceal, said
from paifu.parsers.mjai.process import BotError, BotProcess
from paifu.replay.course.settlement import HandStart
from paifu.replay.kernels.rows import SCORED
from paifu.replay.model.events import CODE_OF_TILE, EventFlag, EventKind, HandEnd
from paifu.replay.model.tiles import NORTH
from paifu.replay.simulate.games import PlayedGame, PlayedHand
from paifu.replay.simulate.seat import Answer, SeatMove

FAULTS = ("hung", "died", "flooded", "nonsense", "illegal")
"""What a bot may do wrong."""
_KINDS = {
    "dahai": EventKind.DISCARD,
    "reach": EventKind.RIICHI,
    "ankan": EventKind.ANKAN,
    "kakan": EventKind.KAKAN,
    "kita": EventKind.KITA,
    "nukidora": EventKind.KITA,
    **{word: kind for word, (kind, _) in mjai.CALLS.items()},
}
_REASONS = {kind: word for word, kind in reversed(list(mjai.DRAWS.items()))}
_MOST_TILES = 4
_PARTING = 2.0
"""Seconds that a bot has for its answer to the end of a game."""


class NonsenseError(ValueError):
    """An answer that means nothing."""


def heard(text: Any, seat: int) -> Answer:
    """Read what a bot in ``seat`` says it does. Raises NonsenseError."""
    if not isinstance(text, dict) or not isinstance(text.get("type"), str):
        raise NonsenseError(f"an answer is an object with a type, not {shown(text)}")
    word = text["type"]
    if word == "none":
        return Answer(HandEnd.UNFINISHED, ())
    if text.get("actor", seat) != seat:
        raise NonsenseError(f"it acts for seat {shown(text['actor'])}, and sits in {seat}")
    if word == "hora":
        return Answer(HandEnd.WIN, ())
    if word == "ryukyoku":
        return Answer(HandEnd.KYUUSHU, ())
    kind = _KINDS.get(word)
    if kind is None:
        raise NonsenseError(f"there is no answer {shown(word)}")
    if kind in (EventKind.RIICHI, EventKind.KITA):
        return Answer(HandEnd.UNFINISHED, (SeatMove(kind, seat, NORTH),))
    own = text.get("consumed", [])
    if not isinstance(own, list) or len(own) > _MOST_TILES:
        raise NonsenseError(f"consumed is {shown(own)}")
    tiles = tuple(_tile(name) for name in own)
    if kind == EventKind.ANKAN:
        if not tiles:
            raise NonsenseError("a closed kan consumes four tiles")
        return Answer(HandEnd.UNFINISHED, (SeatMove(kind, seat, tiles[0], own=tiles[1:]),))
    is_drawn = text.get("tsumogiri") is True
    move = SeatMove(
        kind, seat, _tile(text.get("pai")), own=tiles, flags=EventFlag.TSUMOGIRI if is_drawn else 0
    )
    return Answer(HandEnd.UNFINISHED, (move,))


def _tile(name: Any) -> int:
    code = mjai.CODES.get(name) if isinstance(name, str) else None
    if code is None or name == mjai.HIDDEN:
        raise NonsenseError(f"{shown(name)} is not a tile")
    return code - CODE_OF_TILE


class Speaker(Protocol):
    """Somebody who speaks mjai."""

    @property
    def unasked(self) -> tuple[int, str]:
        """How many answers nobody asked for, and what is wrong in words."""

    def hear(self, event: MjaiEvent) -> None:
        """Take an event, as its seat sees it."""

    def answer(self) -> Any:
        """Return the answer to the last event. Raises BotError."""

    def close(self) -> None:
        """Leave."""


class OwnSpeaker:
    """One of paifu's players."""

    unasked = (0, "")

    def __init__(self, player: MjaiPlayer) -> None:
        self._player = player
        self._waiting: list[MjaiEvent] = []

    def hear(self, event: MjaiEvent) -> None:
        """Keep an event until somebody asks."""
        self._waiting.append(event)

    def answer(self) -> Any:
        """Answer to all events since the last time."""
        waiting, self._waiting = self._waiting, []
        answer = self._player.react(waiting)
        if self._player.complaints:
            told = self._player.complaints[0]
            self._player.complaints.clear()
            raise NonsenseError(told)
        return answer

    def close(self) -> None:
        """Nothing is to be closed."""


class _ProcessSpeaker:
    """A bot in a process."""

    _process: BotProcess

    @property
    def unasked(self) -> tuple[int, str]:
        """How many lines it wrote without being asked, and what that means, with the first of them."""
        odd = self._process.first_odd
        first, count = _first_words(odd), max(self._process.dropped, bool(odd))
        return count, f"it wrote lines without being asked, the first: {first}"

    def close(self) -> None:
        """End the process."""
        self._process.close()


class LineSpeaker(_ProcessSpeaker):
    """A bot in a process: a line for each event, each of which it answers."""

    def __init__(self, process: BotProcess) -> None:
        self._process = process
        self._owed = 0

    def hear(self, event: MjaiEvent) -> None:
        """Send an event; an answer to an earlier one is read first."""
        before = self._settle()
        if before is not None and not before.startswith(b"{"):
            self._process.first_odd = self._process.first_odd or before
        self._process.send(orjson.dumps(event, option=orjson.OPT_APPEND_NEWLINE))
        self._owed = 1

    def _settle(self) -> bytes | None:
        if not self._owed:
            return None
        self._owed = 0
        return self._process.receive()

    def answer(self) -> Any:
        """Return the answer to the last event."""
        return _parsed(self._settle())

    def part(self) -> None:
        """Wait a little for the last answer, which counts for nothing: the bot may have things to store."""
        if self._owed:
            with suppress(BotError):
                self._process.receive(at_most=_PARTING)


class ListSpeaker(_ProcessSpeaker):
    """A bot in a process: a list of all events since its last turn, when it is asked."""

    def __init__(self, process: BotProcess) -> None:
        self._process = process
        self._waiting: list[MjaiEvent] = []

    def hear(self, event: MjaiEvent) -> None:
        """Keep an event until the bot is asked."""
        self._waiting.append(event)

    def answer(self) -> Any:
        """Send the list and return the answer."""
        waiting, self._waiting = self._waiting, []
        self._process.send(orjson.dumps(waiting, option=orjson.OPT_APPEND_NEWLINE))
        return _parsed(self._process.receive())


def _first_words(line: bytes) -> str:
    return shown(line[:80].decode("utf-8", "replace").strip())


def _parsed(line: bytes | None) -> Any:
    if line is None:
        return None
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise NonsenseError(f"its answer is not JSON: {_first_words(line)}") from error


class MjaiTable:
    """The players at one table, by seat, as :class:`~paifu.replay.simulate.driven.DrivenGames` asks them."""

    def __init__(self, openings: Sequence[Callable[[], Speaker]], names: Sequence[str]) -> None:
        """``openings`` return the players when a game begins."""
        self._openings, self.names = openings, list(names)
        self.players = len(names)
        self.faults = [Counter[str]() for _ in names]
        """By seat."""
        self.notes: list[dict[str, str]] = [{} for _ in names]
        """By seat, the first fault of each kind in words."""
        self._speakers: list[Speaker | None] = [None] * self.players

    # --- speaking -------------------------------------------------------------------------------------

    def _fault(self, seat: int, kind: str, told: str) -> None:
        self.faults[seat][kind] += 1
        self.notes[seat].setdefault(kind, told)

    def _gone(self, seat: int, error: BotError) -> None:
        """Do without a bot for the rest of the game."""
        self._fault(seat, error.kind, str(error))
        speaker, self._speakers[seat] = self._speakers[seat], None
        if speaker is not None:
            self._count_dropped(seat, speaker)
            speaker.close()

    def _say(self, event: MjaiEvent) -> None:
        for seat, speaker in enumerate(self._speakers):
            if speaker is None:
                continue
            try:
                speaker.hear(conceal(event, seat))
            except BotError as error:
                self._gone(seat, error)

    def begin_game(self) -> None:
        """Let a game begin."""
        for seat, opening in enumerate(self._openings):
            try:
                self._speakers[seat] = opening()
            except BotError as error:
                self._gone(seat, error)
        self._say({"type": "start_game", "names": self.names})

    def end_game(self, game: PlayedGame) -> None:
        """Let the game end, and the bots with it."""
        event: MjaiEvent = {"type": "end_game"}
        if game.result is not None:
            event["scores"] = list(game.result.scores)
        self._say(event)
        for seat, speaker in enumerate(self._speakers):
            if isinstance(speaker, LineSpeaker):
                speaker.part()
            if speaker is not None:
                self._count_dropped(seat, speaker)
        self.close()

    def _count_dropped(self, seat: int, speaker: Speaker) -> None:
        dropped, told = speaker.unasked
        if dropped:
            self.faults[seat]["nonsense"] += dropped
            self.notes[seat].setdefault("nonsense", told)

    def close(self) -> None:
        """End all bots."""
        for seat, speaker in enumerate(self._speakers):
            self._speakers[seat] = None
            if speaker is not None:
                speaker.close()

    # --- the table ------------------------------------------------------------------------------------

    def begin_hand(
        self, start: HandStart, scores: Sequence[int], dealt: Sequence[Sequence[int]], dora: int
    ) -> None:
        """Tell the deal."""
        wind, number = divmod(start.round, 4)
        self._say(
            {
                "type": "start_kyoku",
                "bakaze": mjai.WINDS[wind % 4],
                "dora_marker": mjai.NAMES[dora],
                "kyoku": number + 1,
                "honba": start.honba,
                "kyotaku": start.sticks,
                "oya": start.dealer,
                "scores": list(scores),
                "tehais": [[mjai.NAMES[tile] for tile in tiles] for tiles in dealt],
            }
        )

    def tell(self, move: SeatMove) -> None:
        """Tell a move."""
        match move.kind:
            case EventKind.DRAW:
                self._say({"type": "tsumo", "actor": move.seat, "pai": mjai.NAMES[move.tile]})
            case EventKind.DORA:
                self._say({"type": "dora", "dora_marker": mjai.NAMES[move.tile]})
            case EventKind.RIICHI_PAID:
                self._say({"type": "reach_accepted", "actor": move.seat})
            case EventKind.HAND_DRAW:
                pass
            case _:
                self._say(said(move, move.seat, move.source))

    def ask(self, seats: Sequence[int]) -> list[Answer | None]:
        """Ask seats what they do."""
        return [self._ask(seat) for seat in seats]

    def _ask(self, seat: int) -> Answer | None:
        speaker = self._speakers[seat]
        if speaker is None:
            return None
        try:
            return heard(speaker.answer(), seat)
        except NonsenseError as error:
            self._fault(seat, "nonsense", str(error))
        except BotError as error:
            self._gone(seat, error)
        return None

    def refuse(self, seat: int, answer: Answer) -> None:
        """Count a move that was not allowed."""
        if answer.end:
            what = "a win" if answer.end == HandEnd.WIN else "nine terminals"
        else:
            what = orjson.dumps(said(answer.moves[0], seat, -1)).decode() if answer.moves else "nothing to do"
        self._fault(seat, "illegal", f"it answered {what} where it may not")

    def end_hand(self, hand: PlayedHand) -> None:
        """Return how a hand ended."""
        if hand.end == HandEnd.WIN:
            for fact in hand.wins.tolist():
                changes = fact[SCORED.changes : SCORED.changes + self.players]
                self._say(
                    {
                        "type": "hora",
                        "actor": fact[SCORED.seat],
                        "target": fact[SCORED.source],
                        "deltas": changes,
                    }
                )
        else:
            event: MjaiEvent = {"type": "ryukyoku", "deltas": list(hand.deltas)}
            if hand.end in _REASONS:
                event["reason"] = _REASONS[hand.end]
            self._say(event)
        self._say({"type": "end_kyoku"})
