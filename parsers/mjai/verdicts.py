"""What an engine said of a game: the review in a report of mjai-reviewer, as rows of verdicts.

A report rates the decisions of one player. It does not number the events of the game, so each decision is
found again: whose tile came last, which tile, in which go-around, with how many tiles left. Mortal's reports
rate single actions; akochan's rate moves of one or two actions, such as a riichi and its discard. Reports
call every kan an ``ankan`` of four equal tiles, so which kan it is follows from the event before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from paifu.parsers.errors import ParseError
from paifu.parsers.json_values import MAX_TEXT, Within, as_list, as_object, as_whole, shown, wrong_value
from paifu.parsers.mjai import names as mjai
from paifu.parsers.mjai.games import MjaiGame
from paifu.parsers.packed_events import MOST_WORDS, kind_of_code, pon_of, seat_of, tile_of
from paifu.replay.model.batch import MAX_COUNT, MAX_OPTIONS, MAX_POINTS, MAX_SHANTEN
from paifu.replay.model.builder import DraftRow
from paifu.replay.model.events import CODE_OF_TILE, EventKind
from paifu.replay.model.tiles import KIND_OF_TILE, NO_TILE

_PASS = 0
_CALLS = (EventKind.CHI, EventKind.PON)
_TURNS = (EventKind.DRAW, *_CALLS)
"""Events that begin a turn of the player, which a report counts."""
_LIVE_DRAWS = 70
"""Tiles that four players can draw, those after a kan included."""
_UNFITTING = "it fits no move of the game"


class _Choice(NamedTuple):
    """An option as the model states it: tiles, not codes."""

    kind: int
    tile: int = NO_TILE
    own: tuple[int, ...] = ()

    def is_like(self, other: _Choice) -> bool:
        """Return whether both mean the same: of a chi a report does not state which five is red."""
        if self.kind == other.kind == EventKind.CHI:
            return _kinds(self.own) == _kinds(other.own)
        is_tile = self.tile == other.tile
        if self.kind == EventKind.RIICHI:
            is_tile |= NO_TILE in (self.tile, other.tile)
        return self.kind == other.kind and is_tile


def _kinds(tiles: tuple[int, ...]) -> list[int]:
    return sorted(int(KIND_OF_TILE[tile]) for tile in tiles)


def read_review(report: dict[str, Any], game: MjaiGame) -> None:
    """Add the verdicts of a report to the game that is in it; what cannot be read is noted there.

    A report without a review adds nothing.
    """
    review = report.get("review")
    if not isinstance(review, dict) or not review.get("kyokus") or not game.draft.hands:
        return
    errors: list[ParseError] = []
    rows: list[DraftRow] = []
    try:
        with Within("player_id"):
            player = as_whole(report.get("player_id"), 0, game.players - 1, "it")
        kyokus = as_list(review["kyokus"], "kyokus")
    except ParseError as error:
        errors.append(error)
        kyokus = []
    else:
        names = [name for name in (report.get("engine"), review.get("model_tag")) if isinstance(name, str)]
        reader = _Reviewed(game, (player - game.turn) % game.players, " ".join(names)[:MAX_TEXT])
        for number, kyoku in enumerate(kyokus):
            rows += reader.hand(kyoku, f"kyokus[{number}]", errors)
    if errors:
        first = errors[0]
        first.reason += f" (and {len(errors) - 1} more such places)" if len(errors) > 1 else ""
        first.place = f"review {first.place}".strip()
        first.hint = first.hint or "these verdicts were skipped; the game was read"
        game.faults.append(first)
    game.draft.verdicts = rows


class _Reviewed:
    """The player whose decisions a report rates."""

    def __init__(self, game: MjaiGame, seat: int, engine: str) -> None:
        self.game = game
        self.draft = game.draft
        self.seat = seat
        self.engine = engine
        self._next_hand = 0
        self._next_alike = [-1] * len(self.draft.hands)
        """Hand -> the next one of the same round and honba."""
        self._hand_after: dict[tuple[int, int], int] = {}
        """Round and honba -> their first hand that may be meant."""
        for number, row in reversed(list(enumerate(self.draft.hands))):
            self._next_alike[number] = self._hand_after.get((row["round"], row["honba"]), -1)
            self._hand_after[row["round"], row["honba"]] = number

    def hand(self, kyoku: Any, place: str, errors: list[ParseError]) -> Iterator[DraftRow]:
        """Yield the rows of one hand's decisions."""
        try:
            kyoku = as_object(kyoku, code="V102")
            hand = self._find_hand(kyoku)
            if hand is None:
                return
            entries = as_list(kyoku.get("entries", []), "entries")
        except ParseError as error:
            error.place = f"{place} {error.place}".strip()
            errors.append(error)
            return
        draft = self.draft
        begin = int(draft.hands[hand]["event_begin"])
        end = int(draft.hands[hand + 1]["event_begin"]) if hand + 1 < len(draft.hands) else len(draft.words)
        end = min(end, begin + MOST_WORDS)
        at = begin - 1
        for number, entry in enumerate(entries):
            try:
                at, rows = self._decision(entry, hand, (begin, at + 1, end))
            except ParseError as error:
                error.place = f"{place}.entries[{number}] {error.place}".strip()
                errors.append(error)
                continue
            yield from rows

    def _find_hand(self, kyoku: dict[str, Any]) -> int | None:
        """Find the hand that is meant; None for one that a cut game does not have."""
        round_ = as_whole(kyoku.get("kyoku"), 0, 15, "kyoku")
        honba = as_whole(kyoku.get("honba"), 0, MAX_COUNT, "honba")
        hand = self._hand_after.get((round_, honba), -1)
        while 0 <= hand < self._next_hand:
            hand = self._next_alike[hand]
        self._hand_after[round_, honba] = hand
        if hand >= 0:
            self._next_hand = hand + 1
            return hand
        if self.game.is_broken:
            return None
        raise ParseError("the game has no such hand", code="V103")

    def _decision(self, entry: Any, hand: int, among: tuple[int, int, int]) -> tuple[int, list[DraftRow]]:
        """Read one decision; return the place of the event before it, and a row an option."""
        entry = as_object(entry, code="V102")
        at = self._find_event(entry, *among)
        details = as_list(entry.get("details"), "details")
        if not 1 <= len(details) <= MAX_OPTIONS:
            raise wrong_value(
                f"details lists {len(details)} options; expected 1 to {MAX_OPTIONS}", code="V105"
            )
        begin = among[0]
        choices = []
        rows: list[DraftRow] = []
        shanten = _optional_whole(entry, "shanten", -1, MAX_SHANTEN)
        furiten = entry.get("at_furiten")
        for number, detail in enumerate(details):
            with Within(f"details[{number}]"):
                choice, value, probability = self._option(detail, begin, at)
            choices.append(choice)
            row: DraftRow = {
                "event": at, "hand": hand, "seat": self.seat, "engine": self.engine, "kind": choice.kind,
                "tile": choice.tile, "own": bytes(choice.own), "value": value, "probability": probability,
            }  # fmt: skip
            row |= {} if shanten is None else {"shanten": shanten}
            row |= {"is_furiten": int(furiten)} if isinstance(furiten, bool) else {}
            rows.append(row)
        chosen = self._place_of(entry.get("expected"), choices, begin, at)
        played = entry.get("actual_index")
        if not isinstance(played, int) or isinstance(played, bool) or not 0 <= played < len(choices):
            played = self._place_of(entry.get("actual"), choices, begin, at)
        for name, place in (("is_chosen", chosen), ("is_played", played)):
            if place is not None:
                rows[place][name] = True
        return at, rows

    # --- the event before a decision ------------------------------------------------------------------

    def _find_event(self, entry: dict[str, Any], begin: int, first: int, end: int) -> int:
        """Find the event after which the player decides, from ``first`` on."""
        words, seat = self.draft.words, self.seat
        turn = _optional_whole(entry, "junme", 0, 99)
        left = _optional_whole(entry, "tiles_left", 0, 99) if self.game.players == 4 else None
        actor = self.game.seat(entry, "last_actor")
        tile = self.game.tile(entry, "tile") if entry.get("tile") is not None else NO_TILE
        turns = draws = 0
        for at in range(begin, end):
            word = words[at]
            kind = word & 31
            draws += kind == EventKind.DRAW
            turns += kind in _TURNS and seat_of(word) == seat
            if at < first or (turn is not None and turns != turn):
                continue
            if left is not None and left != _LIVE_DRAWS - draws:
                continue
            if self._is_asked(entry, word, actor, tile):
                return at
        raise ParseError(_UNFITTING, code="V103")

    def _is_asked(self, entry: dict[str, Any], word: int, actor: int, tile: int) -> bool:
        """Return whether an event is the one that a decision's entry describes."""
        kind, seat = word & 31, seat_of(word)
        if seat != actor:
            return False
        if entry.get("at_self_riichi"):
            return kind == EventKind.RIICHI and seat == self.seat
        if entry.get("at_self_chi_pon"):
            return kind in _CALLS and seat == self.seat
        is_tile = tile in (NO_TILE, tile_of(word))
        if entry.get("at_opponent_kakan"):
            return kind == EventKind.KAKAN and is_tile
        if seat == self.seat:
            return kind == EventKind.DRAW and is_tile
        return (kind == EventKind.DISCARD and is_tile) or kind in (EventKind.KITA, EventKind.ANKAN)

    # --- options --------------------------------------------------------------------------------------

    def _option(self, detail: Any, begin: int, at: int) -> tuple[_Choice, float, float]:
        """Read an option: what it is, its value and its probability."""
        detail = as_object(detail, code="V102")
        choice = self._choice(detail.get("action", detail.get("moves")), begin, at)
        inner = detail.get("review")
        value = inner.get("pt_exp_total") if isinstance(inner, dict) else detail.get("q_value")
        return choice, _number(value, "value", MAX_POINTS), _number(detail.get("prob"), "prob", 1)

    def _place_of(self, moves: Any, choices: list[_Choice], begin: int, at: int) -> int | None:
        """Find which of the options some moves are; None if they are not among them."""
        if not moves:
            return None
        wanted = self._choice(moves, begin, at)
        return next((place for place, choice in enumerate(choices) if choice.is_like(wanted)), None)

    def _choice(self, moves: Any, begin: int, at: int) -> _Choice:
        """Read one action, or a list of an action and the discard after it."""
        actions = moves if isinstance(moves, list) else [moves]
        if not 1 <= len(actions) <= 3 or not all(isinstance(action, dict) for action in actions):
            raise wrong_value(f"it is {shown(moves)}; expected an action", code="V102")
        action = actions[0]
        word = action.get("type")
        if not isinstance(word, str) or word not in mjai.DECISIONS:
            raise wrong_value(f"it is the action {shown(word)}, which is not a decision", code="V102")
        kind = mjai.DECISIONS[word]
        if kind is None:
            return _Choice(_PASS)
        if kind == EventKind.DISCARD:
            return _Choice(kind, self._tile(action))
        if kind == EventKind.RIICHI:
            is_stated = len(actions) > 1 and actions[1].get("type") == "dahai"
            return _Choice(kind, self._tile(actions[1])) if is_stated else _Choice(kind)
        if kind == EventKind.CHI:
            own = self.game.tiles(action.get("consumed"), "consumed", 2, may_hide=False)
            if len(own) != 2:
                raise wrong_value("a chi has two consumed tiles", code="V105")
            return _Choice(kind, self._tile(action), tuple(code - CODE_OF_TILE for code in sorted(own)))
        if kind in (EventKind.ANKAN, EventKind.KAKAN):
            return self._kan(action, begin, at)
        return _Choice(kind)

    def _kan(self, action: dict[str, Any], begin: int, at: int) -> _Choice:
        """Return which kan is meant: of another's discard, of a tile added to a pon, or a closed one."""
        words = self.draft.words
        if seat_of(words[at]) != self.seat:
            return _Choice(EventKind.DAIMINKAN)
        if action["type"] == "kakan":
            code = self.game.tile(action)
        else:
            codes = self.game.tiles(action.get("consumed"), "consumed", 4, may_hide=False)
            if not codes:
                raise wrong_value("a kan consumes tiles", code="V105")
            code = codes[0]
        is_added = bool(pon_of(words[begin : at + 1], 0, self.seat, code))
        return _Choice(EventKind.KAKAN if is_added else EventKind.ANKAN, kind_of_code(code))

    def _tile(self, action: dict[str, Any]) -> int:
        return self.game.tile(action) - CODE_OF_TILE


def _number(value: Any, name: str, most: float) -> float:
    """Read a number; NaN where none is stated."""
    if value is None:
        return float("nan")
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not abs(value) <= most:
        raise wrong_value(f"{name} is {shown(value)}; expected a number up to {most}", code="V105")
    if name == "prob" and value < 0:
        raise wrong_value(f"prob is {shown(value)}; expected 0 to 1", code="V105")
    return float(value)


def _optional_whole(entry: dict[str, Any], name: str, least: int, most: int) -> int | None:
    return None if entry.get(name) is None else as_whole(entry[name], least, most, name)
