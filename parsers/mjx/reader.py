"""mjx: states of a simulator, one hand a line, into games.

A line is a state, which shows all hands, or an observation, which shows one player's. A hand belongs to the
game of the hand before it unless that game is over, its players are others, or its number does not follow.
Seat 0 deals first, as in the model, and tiles are physical. A draw names no tile: the drawer's own part of
the state lists what was drawn. An observation has the part of one player only; what others drew is hidden.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import astuple
from typing import Any

from paifu.parsers.drafting import DEALT, HIDDEN_DEAL, SHOWN, DraftedGame, hands_shown
from paifu.parsers.errors import ParseError
from paifu.parsers.json_games import json_games
from paifu.parsers.json_values import MAX_TEXT, Within, shown, wrong_value
from paifu.parsers.mjlog.melds import word_of_code
from paifu.parsers.mjlog.values import NO_MELDS, shown_melds, yaku_and_han
from paifu.parsers.mjx import state_values
from paifu.parsers.mjx.state_values import PLAYERS, StateFields, as_fields, follows
from paifu.parsers.packed_events import winning_tile
from paifu.parsers.sources.documents import Document
from paifu.parsers.tenhou import find_game_id, is_east_only, started_at
from paifu.replay.model.batch import MAX_COUNT, MAX_FU, MAX_HAN, MAX_INDICATORS, MAX_POINTS, MAX_YAKU
from paifu.replay.model.builder import BatchBuilder, DraftRow
from paifu.replay.model.events import NO_SEAT, EventKind, HandEnd
from paifu.replay.model.liability import liable_seat
from paifu.replay.model.tiles import IDS, NO_TILE
from paifu.replay.rulesets.log_rules import RuleChoice
from paifu.replay.rulesets.shown_rules import from_tiles
from paifu.replay.walls.mjx import wall_seed

_MOST_DRAWS = 136
_MOST_MELDS = 2**20
_PREFIX = "EVENT_TYPE_"
_NAMES = (
    "DISCARD", "TSUMOGIRI", "RIICHI", "CLOSED_KAN", "ADDED_KAN", "TSUMO", "ABORTIVE_DRAW_NINE_TERMINALS",
    "CHI", "PON", "OPEN_KAN", "RON", "", "DRAW", "RIICHI_SCORE_CHANGE", "NEW_DORA",
    "ABORTIVE_DRAW_FOUR_RIICHIS", "ABORTIVE_DRAW_THREE_RONS", "ABORTIVE_DRAW_FOUR_KANS",
    "ABORTIVE_DRAW_FOUR_WINDS", "EXHAUSTIVE_DRAW_NORMAL", "EXHAUSTIVE_DRAW_NAGASHI_MANGAN",
)  # fmt: skip
"""By number."""
_MELDS = frozenset({"CLOSED_KAN", "ADDED_KAN", "CHI", "PON", "OPEN_KAN"})
_DRAWS = {
    "ABORTIVE_DRAW_NINE_TERMINALS": HandEnd.KYUUSHU,
    "ABORTIVE_DRAW_FOUR_RIICHIS": HandEnd.SUUCHA,
    "ABORTIVE_DRAW_THREE_RONS": HandEnd.SANCHAHOU,
    "ABORTIVE_DRAW_FOUR_KANS": HandEnd.SUUKAIKAN,
    "ABORTIVE_DRAW_FOUR_WINDS": HandEnd.SUUFON,
    "EXHAUSTIVE_DRAW_NORMAL": HandEnd.EXHAUSTIVE,
    "EXHAUSTIVE_DRAW_NAGASHI_MANGAN": HandEnd.NAGASHI,
}
_NO_PART: StateFields = {}
MjxStates = deque[tuple[str, str, StateFields]]
"""Location, place in the document and fields of each hand of a game."""


def read_mjx(document: Document, text: bytes, builder: BatchBuilder) -> None:
    """Read all games of ``text`` (the plain bytes of ``document``) into ``builder``.

    What cannot be read becomes a fault of the builder. Hands before it are kept, their game is marked as cut,
    and the hands after it are a game of their own.
    """
    games = list(_games(document, text, builder))
    alone = document.whole and len(games) == 1
    for states in games:
        while states:
            location = document.location if alone else states[0][0]
            MjxGame(states, location).add_to(builder)
            alone = False


def _games(document: Document, text: bytes, builder: BatchBuilder) -> Iterator[MjxStates]:
    """Yield the states of game after game; one that is not an object ends a game."""
    states: MjxStates = deque()
    faults = builder.faults
    for location, value in json_games(document, text, builder):
        is_state = isinstance(value, dict)
        if not is_state:
            error = ParseError("a state of mjx is an object", code="V102", hint="it was left out")
            builder.add_fault(*astuple(error.fault(location)))
        fields = as_fields(value)
        if states and (builder.faults > faults or not follows(states[-1][2], fields)):
            yield states
            states = deque()
        faults = builder.faults
        if is_state:
            place = location.removeprefix(document.location).replace(":", "line ").replace("#", "item ")
            states.append((location, place, fields))
    if states:
        yield states


class MjxGame(DraftedGame):
    """One game: states go in, a draft comes out."""

    format = "mjx"
    is_over = False

    def __init__(self, states: MjxStates, location: str) -> None:
        name = location.rpartition("/")[2]
        super().__init__(location, id="" if "#" in name or ":" in name else find_game_id(name))
        self.states = states
        """Those that are yet to be read."""
        self._last = 0
        """Who showed a tile last."""
        self._drawn = NO_SEAT, NO_TILE
        """Who drew last, and what; nobody after a call."""
        self._wins: list[tuple[int, int]] = []
        """Winner and source of each win that an event states."""
        self._end: HandEnd | None = None
        """The draw that an event states."""

    def read(self) -> None:
        """Take hand after hand, up to one that cannot be read."""
        while self.states:
            _location, place, fields = self.states.popleft()
            try:
                self._take_hand(fields)
            except ParseError as error:
                error.place = f"{place} {error.place}".strip()
                error.hint = error.hint or "moves before this place were kept"
                raise

    def rules(self) -> RuleChoice:
        """Choose the rules: Tenhou's, of the day that an id of Tenhou names."""
        game = self.draft.game
        game["started"] = started_at(game["id"])
        is_east = is_east_only(game["id"], False)
        return from_tiles(PLAYERS, reds=None, is_east=is_east, date=game["started"])

    # --- a hand ---------------------------------------------------------------------------------------

    def _take_hand(self, state: StateFields) -> None:
        if "publicobservation" not in state:
            older = "privateinfos" in state or "terminal" in state
            what = "it is of a version of mjx before 2021" if older else "it has no publicObservation"
            raise ParseError(f"not a state of mjx: {what}", code="V102", hint="convert it with a newer mjx")
        seen = state_values.part(state, "publicobservation")
        if not self.draft.hands:
            self._read_players(seen)
        own = self._parts(state)
        self._deal(state, seen, own)
        history = [
            iter(state_values.tiles(own.get(seat, _NO_PART), "drawhistory", _MOST_DRAWS))
            for seat in range(PLAYERS)
        ]
        self._wins, self._end = [], None
        for at, event in enumerate(state_values.parts(seen, "events")):
            with Within(f"events[{at}] "):
                if self._wins and event.get("type") not in ("EVENT_TYPE_RON", 10):
                    raise wrong_value("it comes after the end of the hand", code="V102")
                self._event(event, history)
        with Within("roundTerminal "):
            self._terminal(seen, state_values.part(state, "roundterminal"))

    def _read_players(self, seen: StateFields) -> None:
        game = self.draft.game
        names = seen.get("playerids")
        if isinstance(names, list) and len(names) == PLAYERS and all(isinstance(n, str) for n in names):
            game["names"] = [name[:MAX_TEXT] for name in names]
        if isinstance(seen.get("gameid"), str) and seen["gameid"]:
            game["id"] = seen["gameid"][:MAX_TEXT]

    def _parts(self, state: StateFields) -> dict[int, StateFields]:
        """What each player sees alone; an observation has it of one."""
        lone = state_values.part(state, "privateobservation")
        listed = state_values.parts(state, "privateobservations") + ([lone] if lone else [])
        return {state_values.seat(one): one for one in listed}

    def _deal(self, state: StateFields, seen: StateFields, own: dict[int, StateFields]) -> None:
        score = state_values.part(seen, "initscore")
        dealt = []
        for seat in range(PLAYERS):
            tiles = state_values.tiles(
                state_values.part(own.get(seat, _NO_PART), "inithand"), "closedtiles", 52
            )
            if tiles and len(tiles) != DEALT:
                raise wrong_value(f"seat {seat} is dealt {len(tiles)} tiles, not {DEALT}", code="V104")
            dealt.append(tiles or HIDDEN_DEAL)
        indicators = state_values.tiles(seen, "doraindicators", MAX_INDICATORS)
        round_ = state_values.number(score, "round", 63)
        row: DraftRow = {
            "round": round_,
            "honba": state_values.number(score, "honba", MAX_COUNT),
            "sticks": state_values.number(score, "riichi", MAX_COUNT),
            "dealer": round_ % PLAYERS,
            "scores": state_values.points(score, "tens"),
            "dealt": b"".join(dealt),
            "dora": indicators[0] if indicators else NO_TILE,
            "seed": self._seed(state_values.part(state, "hiddenstate")),
        }
        self.begin_hand(row)

    def _seed(self, hidden: StateFields) -> str:
        wall = hidden.get("wall")
        if not wall:
            return ""
        tiles = state_values.tiles(hidden, "wall", IDS)
        if len(set(tiles)) != IDS:
            self.faults.note(
                ParseError("the wall does not hold each of the 136 tiles once", place="wall", code="V103")
            )
            return ""
        seed = str(hidden.get("gameseed") or "")
        return wall_seed(tiles, seed if seed.isascii() and seed.isdecimal() and len(seed) <= 20 else "")

    # --- events ---------------------------------------------------------------------------------------

    def _event(self, event: StateFields, history: list[Iterator[int]]) -> None:
        if self._end is not None:
            raise wrong_value("it comes after the end of the hand", code="V102")
        name = self._name(event.get("type"))
        seat = state_values.seat(event)
        if name == "DRAW":
            code = next(history[seat], NO_TILE)
            self.put(EventKind.DRAW, seat, code)
            self._drawn = seat, code
        elif name in ("DISCARD", "TSUMOGIRI"):
            self._discard(seat, state_values.tile(event), is_drawn=name == "TSUMOGIRI")
        elif name == "RIICHI":
            self.put(EventKind.RIICHI, seat)
        elif name == "RIICHI_SCORE_CHANGE":
            self.pay(seat)
        elif name == "NEW_DORA":
            self.put(EventKind.DORA, tile=state_values.tile(event))
        elif name in _MELDS:
            try:
                self.words.append(word_of_code(state_values.number(event, "open", _MOST_MELDS), seat))
            except ValueError as error:
                raise wrong_value(str(error), code="V105") from None
            self._last, self._drawn = seat, (NO_SEAT, NO_TILE)
        elif name in ("TSUMO", "RON"):
            self._wins.append((seat, seat if name == "TSUMO" else self._last))
        elif name in _DRAWS:
            self._end = _DRAWS[name]
        else:
            raise wrong_value(f"unknown type {shown(event.get('type'))}", code="V102")

    def _discard(self, seat: int, code: int, *, is_drawn: bool) -> None:
        """Put a discard: of a drawn tile that is known, the tiles show whether it was the one just drawn."""
        if self._drawn != (seat, NO_TILE) and is_drawn != (self._drawn == (seat, code)):
            is_it = "is not" if is_drawn else "is"
            reason = f"the type of a discard does not fit: tile {code} {is_it} the one just drawn"
            self.faults.note(ParseError(reason, place=self.place(), code="V102"))
        self.discard(seat, code, is_drawn=is_drawn and self._drawn == (seat, NO_TILE))
        self._last = seat

    def _name(self, kind: Any) -> str:
        """The word of a type, which is a number or a name, and left out for a discard."""
        if kind is None:
            return _NAMES[0]
        if isinstance(kind, int) and 0 <= kind < len(_NAMES):
            return _NAMES[kind]
        return kind.removeprefix(_PREFIX) if isinstance(kind, str) else ""

    # --- results --------------------------------------------------------------------------------------

    def _terminal(self, seen: StateFields, terminal: StateFields) -> None:
        wins = state_values.parts(terminal, "wins")
        final = state_values.part(terminal, "finalscore")
        scores = state_values.points(final, "tens") if final.get("tens") else None
        self.is_over = bool(terminal.get("isgameover"))
        if self.is_over and scores is not None:
            self.draft.game["final_scores"] = scores
        if wins or self._wins:
            self._add_wins(seen, wins, scores)
        elif self._end is not None:
            result = state_values.part(terminal, "nowinner")
            self._add_draw(self._end, result, None if self.is_over else scores)

    def _add_wins(self, seen: StateFields, wins: list[StateFields], scores: list[int] | None) -> None:
        if len(wins) > PLAYERS - 1 or len(self._wins) > PLAYERS - 1:
            raise wrong_value("more than three players win", code="V105")
        rows = [self._win_row(win, f"wins[{at}] ", seen) for at, win in enumerate(wins)]
        told = {row["seat"] for row in rows}
        if rows and self._wins and told != {seat for seat, _ in self._wins}:
            raise wrong_value("the wins are not those of the events", code="V102")
        if not rows:
            for seat, source in self._wins:
                tile = winning_tile(self.words, self.begin, seat, source)
                rows.append({"seat": seat, "source": source, "tile": tile})
        if scores is not None and all("deltas" in row for row in rows):
            for row in reversed(rows):
                scores = state_values.before(scores, row["deltas"])
                row["scores"] = scores
        for row in rows:
            self.win(row)

    def _win_row(self, win: StateFields, place: str, seen: StateFields) -> DraftRow:
        with Within(place):
            hand = state_values.part(win, "hand")
            opens = state_values.numbers(hand, "opens", PLAYERS, _MOST_MELDS)
            row: DraftRow = {
                "seat": state_values.seat(win),
                "source": state_values.seat(win, "fromwho"),
                "tile": state_values.tile(win, "wintile"),
                "tiles": state_values.tiles(hand, "closedtiles", SHOWN),
                "dora": state_values.tiles(seen, "doraindicators", MAX_INDICATORS),
                "ura": state_values.tiles(win, "uradoraindicators", MAX_INDICATORS),
            }
            if hand:
                row["melds"] = shown_melds(opens[::-1]) if opens else NO_MELDS
            if "ten" in win:
                row["points"] = state_values.number(win, "ten", MAX_POINTS)
            if "fu" in win:
                row["fu"] = state_values.number(win, "fu", MAX_FU)
            if win.get("tenchanges"):
                row["deltas"] = state_values.points(win, "tenchanges")
                row["liable"] = liable_seat(row["seat"], row["source"], row["deltas"])
            yaku = state_values.numbers(win, "yakus", MAX_YAKU, 99)
            han = state_values.numbers(win, "fans", MAX_YAKU, MAX_HAN)
            if len(yaku) != len(han):
                raise wrong_value(f"{len(yaku)} yaku have {len(han)} numbers of han", code="V105")
            pairs = [cell for pair in zip(yaku, han, strict=True) for cell in pair]
            yakuman = state_values.numbers(win, "yakumans", MAX_YAKU, 99)
            if pairs or yakuman:
                row["yaku"], row["han"] = yaku_and_han(pairs, yakuman)
        return row

    def _add_draw(self, end: HandEnd, result: StateFields, scores: list[int] | None) -> None:
        row: DraftRow = {"kind": end}
        hands = [b""] * PLAYERS
        tenpai = bytearray(PLAYERS)
        for player in state_values.parts(result, "tenpais"):
            seat = state_values.seat(player)
            hands[seat] = state_values.tiles(state_values.part(player, "hand"), "closedtiles", SHOWN)
            tenpai[seat] = 1
        if result:
            row["shown"] = hands_shown(hands)
            if end in (HandEnd.EXHAUSTIVE, HandEnd.NAGASHI):
                row["tenpai"] = bytes(tenpai)
        if result.get("tenchanges"):
            row["deltas"] = state_values.points(result, "tenchanges")
            if scores is not None:
                row["scores"] = state_values.before(scores, row["deltas"])
        self.end_without_win(row)
