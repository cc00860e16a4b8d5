"""One game of a paifu log, read part by part: header, hands, events, result.

A field that cannot be read, or is not known, is reported; in a hand or an event it ends what is read of the
game, for what follows could not be replayed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import astuple
from itertools import islice
from typing import Any

import orjson

from paifu.parsers.drafting import DEALT, SHOWN, KeptFaults
from paifu.parsers.errors import ParseError
from paifu.parsers.json_values import as_list, as_object, as_whole, shown, wrong_value
from paifu.parsers.paifu_log.game_values import GameValues
from paifu.parsers.paifu_log.notation import DRAWS, notation_of
from paifu.parsers.paifu_log.values import (
    FAULT,
    FORMAT,
    MAX_NAME,
    OWN,
    VERSION,
    StatedError,
    as_boolean,
    as_count,
    as_limit,
    as_moment,
    as_point,
    as_round,
    as_string,
    check_version,
    stated_fault,
    strings,
    unknown_names,
    word_of,
)
from paifu.parsers.paifu_log.verdicts import read_verdicts
from paifu.replay.model.batch import MAX_FU, MAX_INDICATORS, MAX_TIME
from paifu.replay.model.builder import BatchBuilder, DraftRow, GameDraft
from paifu.replay.model.events import (
    FLAG_SHIFT,
    SEAT_SHIFT,
    SOURCE_SHIFT,
    TILE_SHIFT,
    EventFlag,
    EventKind,
    HandEnd,
)
from paifu.replay.model.tiles import IDS, NO_TILE
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.fields import PLAYED_SCHEMES
from paifu.replay.rulesets.presets import dump_overrides, resolve
from paifu.replay.scoring.yaku import yaku_of

_MAX_NOTES = 20
"""Faults told of one game that do not end it."""
_MAX_GO_TYPE = (1 << 31) - 1
_PRELUDE = frozenset({EventKind.LEAVE, EventKind.RETURN})
_WITH_ROWS = frozenset({EventKind.WIN, EventKind.HAND_DRAW, EventKind.RIICHI_PAID})
"""Events that have a row of their own."""
_UNKNOWN_DEAL = bytes([NO_TILE])
_CALLS_FOR_DISCARD = frozenset({EventKind.CHI, EventKind.PON})
"""Calls after which a seat discards without having drawn."""
_KEPT = "what comes before this place was kept"


class _In:
    """Context that says where in a game it is read: for errors that are raised inside, and for notes."""

    def __init__(self, game: GameReader, step: str) -> None:
        self.path = game.path
        self.step = step

    def __enter__(self) -> None:
        self.path.append(self.step)

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self.path.pop()
        if isinstance(error, ParseError):
            error.place = self.step + error.place


class GameReader(GameValues):
    """One game while it is read, part by part."""

    def __init__(self, location: str) -> None:
        self.draft = GameDraft({"source": location, "format": FORMAT, "version": str(VERSION)})
        self.faults = KeptFaults()
        """What could not be read, or was not known, in the order met."""
        self.path: list[str] = []
        """Where in the game is read."""
        self.lines: list[int] = []
        """Of each word of the draft, where a line holds one event at most."""
        self.is_broken = False
        self.is_over = False
        self._is_cut: bool | None = None
        self._notes = 0
        super().__init__()

    # --- parts ----------------------------------------------------------------------------------------

    def whole(self, value: Any) -> None:
        """Read a game that is one object."""
        self._begin(value, _WHOLE)
        with _In(self, "events"):
            self.events(value.get("events", []))
        for number, hand in enumerate(as_list(value.get("hands"), "the list of hands", "hands")):
            with _In(self, f"hands[{number}]"):
                self.hand(hand, _HAND_AND_EVENTS)
                with _In(self, ".events"):
                    self.events(hand.get("events", []))
        if "result" in value:
            with _In(self, "result"):
                self.result(value["result"])
        for number, fault in enumerate(as_list(value.get("faults", []), "the list of faults", "faults")):
            with _In(self, f"faults[{number}]"):
                self.fault(fault)

    def opening(self, value: Any) -> None:
        """Read the line that begins a game."""
        self._begin(value, _OPENING)

    def part(self, value: Any) -> None:
        """Read any other line of a game; one of its names says what it is."""
        if isinstance(value, str):
            self.event(value)
            return
        if not isinstance(value, dict):
            raise wrong_value(f"a line is {shown(value)}; expected an object or an event's text")
        kind = next((name for name in _PARTS if name in value), None)
        if kind == "event":
            self.event(value)
        elif kind is not None:
            self._note_names(value, (kind,))
            with _In(self, kind):
                _PARTS[kind](self, value[kind])
        elif not value or not all(name.startswith(OWN) for name in value):
            names = ", ".join(value)[:MAX_NAME] or "nothing"
            hint = f"lines have one of {', '.join(_PARTS)}, or are an event's text"
            raise ParseError(f"this is not a line of a log: it has {names}", code="V102", hint=hint)

    def _begin(self, value: Any, names: tuple[str, ...]) -> None:
        cells = as_object(value, "a game")
        check_version(cells)
        self._note_names(cells, names)
        with _In(self, "game"):
            header = as_object(cells.get("game"), "the game's header")
            self._rules(header)
            row = self._fields(header, _HEADER, is_needed=False)
        row.pop("players", None)
        self.draft.game |= row.pop("origin", {})
        self.draft.game |= row

    def _note_names(self, value: dict[str, Any], known: Iterable[str]) -> None:
        """Tell of names that are not known, and go on."""
        for error in islice(unknown_names(value, known), _MAX_NOTES - self._notes):
            self._note(error)

    def _note(self, error: ParseError) -> None:
        if self._notes < _MAX_NOTES:
            self._notes += 1
            error.place = "".join(self.path) + error.place
            self.faults.note(error)

    def fail(self, error: ParseError, *, is_told: bool = False) -> None:
        """Stop reading the game here."""
        error.hint = error.hint or _KEPT
        self.is_broken = True
        if not is_told:
            self.faults.append(error)

    def _check_marks(self) -> None:
        """Tell of discards marked as tsumogiri of another tile than the one just drawn, and drop the mark.

        The replay compares tiles; here are compared the copies of a tile, and all of hands that it cannot
        replay. As everywhere in the model, what a seat drew counts until somebody draws or calls.
        """
        words, hands = self.draft.words, self.draft.hands
        begins = [hand["event_begin"] for hand in hands]
        draw = 0
        for at, word in enumerate(words):
            kind = word & 31
            if kind == EventKind.DRAW:
                draw = word
            elif kind == EventKind.DISCARD and word >> FLAG_SHIFT:
                if not (draw and self.notation.may_be_drawn(word, draw)):
                    hand = bisect_right(begins, at) - 1
                    if self._is_hidden(hands[hand]) or word >> TILE_SHIFT & 255 < IDS:
                        words[at] = word ^ EventFlag.TSUMOGIRI << FLAG_SHIFT
                        place = f"hands[{hand}].events[{at - begins[hand]}]"
                        self._tell_mark(word, draw, f"line {self.lines[at]}" if self.lines else place)
            elif kind in _CALLS_FOR_DISCARD:
                draw = 0

    def _is_hidden(self, hand: DraftRow) -> bool:
        return NO_TILE in hand.get("dealt", _UNKNOWN_DEAL)[: DEALT * self.players]

    def _tell_mark(self, word: int, draw: int, place: str) -> None:
        seat, text = word >> SEAT_SHIFT & 7, self.notation.text
        is_own = draw and draw >> SEAT_SHIFT & 7 == seat
        what = f"the tile drawn was {text(draw).rpartition(' ')[2]}" if is_own else "nothing was drawn before"
        hint = "the mark was left out and the rest of the game read"
        self._note(ParseError(f"{text(word)!r}: {what}", place=place, code="V105", hint=hint))

    def finish(self, builder: BatchBuilder) -> None:
        """Hand over the draft, if it holds a hand, and the faults."""
        draft = self.draft
        self._check_marks()
        if draft.hands:
            is_unfinished = draft.hands[-1]["end"] == HandEnd.UNFINISHED
            is_cut = is_unfinished if self._is_cut is None else self._is_cut
            draft.game["is_cut"] = self.is_broken or is_cut
            builder.add(draft)
        elif not self.is_broken:
            hint = "nothing to do, or write the hands down"
            self.faults.append(ParseError("the game holds no hand", code="V101", hint=hint))
        for fault in self.faults:
            builder.add_fault(*astuple(fault.fault(str(draft.game["source"]))))

    # --- around the hands -----------------------------------------------------------------------------

    def _fields(self, value: dict[str, Any], fields: _Fields, *, is_needed: bool = True) -> DraftRow:
        """Read the given fields; report and skip one that cannot be read, unless it is needed."""
        if not value.keys() <= fields.keys():
            self._note_names(value, fields)
        row: DraftRow = {}
        for name, cell in value.items():
            read = fields.get(name)
            if read is not None:
                try:
                    row[name] = read(self, cell)
                except ParseError as error:
                    error.place = f".{name}{error.place}"
                    if is_needed:
                        raise
                    self._note(error)
        return row

    def _rules(self, value: dict[str, Any]) -> None:
        """Choose the rules: without them neither players nor red fives are known."""
        if "ruleset" not in value:
            hint = 'name one, such as "ruleset": "tenhou"; see paifu rules list'
            raise ParseError("the header names no ruleset", code="V102", hint=hint)
        preset, overrides = value["ruleset"], value.get("overrides", {})
        if not isinstance(preset, str) or not isinstance(overrides, dict):
            reason = "the ruleset is named by a string, and its overrides are an object"
            raise ParseError(reason, code="V105", hint="see paifu rules list")
        try:
            text = _canonical(overrides)
            rules = resolve(preset[:MAX_NAME], text)
        except (ValueError, TypeError, ArithmeticError, LookupError, RecursionError) as error:
            reason = f"the rules cannot be read: {error}"[:400]
            raise ParseError(reason, place=".ruleset", code="V102", hint="see paifu rules list") from error
        if rules.game.scheme not in PLAYED_SCHEMES:
            reason = f"games under {rules.name} cannot be replayed"
            hint = f"score its hands: paifu score --rules {rules.name}"
            raise ParseError(reason, place=".ruleset", code="V102", hint=hint)
        self.draft.game |= {"ruleset": preset, "overrides": text, "players": rules.table.players}
        self.draft.red_ids = rules.red_ids
        self.players = rules.table.players
        self.notation = notation_of(rules)
        if rules.local.yaku:
            self.yaku_ids = {word_of(yaku): number for number, yaku in yaku_of(rules).items()}
        self.is_riichi = rules.game.scheme == Scheme.HAN_FU

    def result(self, value: Any) -> None:
        """Read how the game ended."""
        self._still_open()
        row = self._fields(as_object(value, "the result"), _RESULT, is_needed=False)
        self.is_over = True
        self._is_cut = row.pop("cut", None)
        if "penalties" in row:
            self.draft.game["penalties"] = row.pop("penalties")
        self.draft.game |= {f"final_{name}": cells for name, cells in row.items()}

    def fault(self, value: Any) -> None:
        """Take over what could not be read of the log that this one was made of."""
        cells = as_object(value, "a fault")
        self._note_names(cells, FAULT)
        fault, error = stated_fault(cells)
        if error is not None:
            self._note(error)
        self.faults.append(
            StatedError(fault["reason"], place=fault["place"], code=fault["code"], hint=fault["hint"])
        )

    def _still_open(self) -> None:
        if self.is_over:
            raise ParseError("it comes after the game's result", code="V102")

    def origin(self, value: Any) -> dict[str, str]:
        """Read of which format, in which version, the log was made."""
        cells = as_object(value, "it")
        self._note_names(cells, ("format", "version"))
        return strings(cells, ("format", "version"))

    # --- hands ----------------------------------------------------------------------------------------

    def hand(self, value: Any, fields: _Fields | None = None) -> None:
        """Begin a hand."""
        self._still_open()
        cells = as_object(value, "a hand")
        if "round" not in cells:
            raise ParseError("the hand has no round", code="V102", hint='write it as "round": "E1"')
        row = self._fields(cells, fields or _HAND)
        dealer = row.setdefault("dealer", row["round"] % 4)
        if dealer >= self.players:
            raise ParseError(f"seat {dealer} deals in a {self.players}-player game", code="V105")
        self.dealer = dealer
        self.draft.begin_hand(len(self.draft.words), row)

    def events(self, values: Any) -> None:
        """Read the events of a hand, or those before the first."""
        values = as_list(values, "the list of events")
        known = self.notation.words.get
        words = self.draft.words
        found = [known(value) if type(value) is str else None for value in values]
        done = 0
        for at in [at for at, word in enumerate(found) if word is None or not self.draft.hands]:
            words += found[done:at]  # type: ignore[arg-type]  # None does not stand between
            with _In(self, f"[{at}]"):
                self.event(values[at])
            done = at + 1
        words += found[done:]  # type: ignore[arg-type]

    def plain_event(self, value: Any) -> bool:
        """Read ``{"event": text}`` of a hand where the text says all; False for anything else."""
        if type(value) is not dict or len(value) != 1 or not self.draft.hands or self.is_over:
            return False
        text = value.get("event")
        word = self.notation.words.get(text) if type(text) is str else None
        if word is not None:
            self.draft.words.append(word)
        return word is not None

    def event(self, value: Any) -> None:
        """Read one event: its text, or an object that says more of it."""
        self._still_open()
        text: Any = value
        claims: dict[str, Any] = {}
        if isinstance(value, dict):
            claims = dict(value)
            text = claims.pop("event", None)
        if not isinstance(text, str):
            raise wrong_value(f"an event is {shown(text)}; expected its text, such as '0 draw 5m'")
        word = self.notation.word(text, self.dealer)
        kind = word & 31
        draft = self.draft
        if not draft.hands and kind not in _PRELUDE:
            raise ParseError(f"{text[:MAX_NAME]!r} comes before the first hand", code="V102")
        self.winner = seat = word >> SEAT_SHIFT & 7
        fields = _CLAIMS if self.is_riichi else _OTHER_CLAIMS
        row = self._fields(claims, fields.get(kind, _ANY_EVENT)) if claims else {}
        at = len(draft.words)
        if "time" in row:
            draft.times[at] = row.pop("time")
        for verdict in row.pop("verdicts", ()):
            if not draft.hands:
                raise ParseError("a verdict comes before the first hand", code="V102")
            draft.verdicts.append(verdict | {"event": at, "hand": len(draft.hands) - 1})
        draft.words.append(0 if kind in _WITH_ROWS else word)
        if kind == EventKind.RIICHI_PAID:
            draft.riichi_paid(at, seat, row.get("scores"))
        elif kind == EventKind.HAND_DRAW:
            sort = DRAWS.get(text, HandEnd.CHOMBO)
            draft.hand_draw(at, row | {"kind": sort} | ({"seat": seat} if sort == HandEnd.CHOMBO else {}))
        elif kind == EventKind.WIN:
            yaku = row.pop("yaku", ())
            row |= {"yaku": bytes(number for number, _ in yaku), "han": bytes(han for _, han in yaku)}
            row |= {"seat": seat, "source": word >> SOURCE_SHIFT & 7, "tile": word >> TILE_SHIFT & 255}
            draft.win(at, row)


def _canonical(overrides: dict[str, Any]) -> str:
    """Spell overrides as the replay model does; a value that nothing can be raises TypeError."""
    orjson.dumps(overrides)  # refuses what is nested too deep for the spelling
    return dump_overrides(overrides)


# --- the fields ----------------------------------------------------------------------------------------

_Fields = Mapping[str, Callable[[GameReader, Any], Any] | None]
"""Name of a field -> what reads it; None where it is read apart."""


def _plain(read: Callable[[Any], Any]) -> Callable[[GameReader, Any], Any]:
    return lambda _game, value: read(value)


_WHOLE = ("paifu", "game", "events", "hands", "result", "faults")
_OPENING = ("paifu", "game")
_HEADER: _Fields = {
    "ruleset": None,
    "overrides": None,
    "players": GameReader.same_players,
    "id": _plain(as_string),
    "title": _plain(as_string),
    "started": _plain(as_moment),
    "names": GameReader.texts,
    "dan": GameReader.dan,
    "rate": GameReader.numbers,
    "sex": GameReader.texts,
    "first_dealer": GameReader.dealing,
    "seed": _plain(as_string),
    "rule": _plain(as_string),
    "lobby": _plain(as_string),
    "go_type": _plain(lambda value: as_whole(value, 0, _MAX_GO_TYPE, "it")),
    "origin": GameReader.origin,
}
_RESULT: _Fields = {
    "scores": GameReader.points,
    "points": GameReader.final_points,
    "chips": GameReader.points,
    "penalties": GameReader.penalties,
    "cut": _plain(as_boolean),
}
_HAND: _Fields = {
    "round": _plain(as_round),
    "honba": _plain(as_count),
    "sticks": _plain(as_count),
    "dealer": GameReader.dealing,
    "dice": GameReader.dice,
    "scores": GameReader.points,
    "chips": GameReader.points,
    "dealt": GameReader.dealt,
    "dora": GameReader.tile,
    "seed": _plain(as_string),
}
_HAND_AND_EVENTS: _Fields = {**_HAND, "events": None}
_ANY_EVENT: _Fields = {
    "time": _plain(lambda value: as_whole(value, 0, MAX_TIME, "the time")),
    "verdicts": lambda game, value: read_verdicts(value, game.players, game._note_names),
}
"""What may be said of every event."""
_CHANGES: _Fields = {
    **_ANY_EVENT,
    "honba": _plain(as_count),
    "sticks": _plain(as_count),
    "scores": GameReader.points,
    "deltas": GameReader.points,
    "chips": GameReader.points,
}
_CLAIMS: Mapping[int, _Fields] = {
    EventKind.RIICHI_PAID: {**_ANY_EVENT, "scores": GameReader.points},
    EventKind.HAND_DRAW: {**_CHANGES, "tenpai": GameReader.tenpai, "shown": GameReader.shown},
    EventKind.WIN: {
        **_CHANGES,
        "tiles": lambda game, value: game.tiles(value, SHOWN),
        "melds": GameReader.melds,
        "yaku": GameReader.yaku,
        "fu": _plain(lambda value: as_whole(value, 0, MAX_FU, "it")),
        "limit": _plain(as_limit),
        "points": _plain(as_point),
        "liable": GameReader.liable,
        "dora": lambda game, value: game.tiles(value, MAX_INDICATORS),
        "ura": lambda game, value: game.tiles(value, MAX_INDICATORS),
    },
}
"""What may be said of an event beside its text."""
_OTHER_CLAIMS: Mapping[int, _Fields] = {
    EventKind.HAND_DRAW: _CLAIMS[EventKind.HAND_DRAW],
    EventKind.WIN: {
        **_CHANGES,
        "tiles": lambda game, value: game.tiles(value, SHOWN),
        "patterns": GameReader.patterns,
        "points": _plain(as_point),
        "own_scores": GameReader.points,
        "liable": GameReader.liable,
    },
}
"""Likewise in games other than riichi."""
_PARTS: Mapping[str, Callable[[GameReader, Any], None]] = {
    "event": GameReader.event,
    "hand": GameReader.hand,
    "result": GameReader.result,
    "fault": GameReader.fault,
}
"""What the lines of a game have, except for the first."""
