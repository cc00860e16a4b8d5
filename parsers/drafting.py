"""A game while a reader drafts it: what the readers of all formats share.

A reader takes what its format has one after the other and puts it into a draft. What it cannot read costs the
hand, and the game only where the beginning of a hand cannot be read. A format adds what it has names for:
fields, tiles, kinds of events, yaku.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple
from typing import Any, ClassVar, NamedTuple

import orjson

from paifu.parsers.errors import MAX_UNKNOWN, SKIPPED, ParseError
from paifu.parsers.json_values import MAX_TEXT, Within, shown, wrong_value
from paifu.parsers.packed_events import added_kan, must_be_drawn
from paifu.parsers.tenhou import set_rules
from paifu.parsers.words import named_winds
from paifu.replay.model.batch import MAX_YAKU
from paifu.replay.model.builder import BatchBuilder, DraftRow, GameDraft
from paifu.replay.model.events import NO_SEAT, EventFlag, EventKind, HandEnd, pack
from paifu.replay.model.tiles import NO_TILE
from paifu.replay.rulesets.log_rules import RuleChoice

DEALT, SHOWN = 13, 14
"""Tiles of a deal, and at most of a hand that is shown."""
STICK = 1000
HAND_ENDS = "the hand was read up to there, without a result, and the next one was read"
HIDDEN_DEAL = bytes([NO_TILE] * DEALT)


class ListedYaku(NamedTuple):
    """A yaku of a win: its id, None if it is not known, or what stands for a wind; its han; its word."""

    number: int | None
    han: int
    word: Any


_STATED: dict[tuple[str, bytes, int, int], tuple[bytes, bytes]] = {}
"""Format, a list of yaku in JSON, the winner's wind and the round's -> the yaku and their han, as met."""
_MAX_STATED = 20_000


class KeptFaults(list[ParseError]):
    """What could not be read of one game, in the order in which it came up."""

    def __init__(self) -> None:
        self._unknown: set[str] = set()

    def note(self, error: ParseError) -> None:
        """Keep a fault after which the game is read on."""
        error.hint = error.hint or SKIPPED
        self.append(error)

    def note_hand(self, error: ParseError, draft: GameDraft, begun: int) -> None:
        """Keep a fault in a hand, which is left without a result; the next one is read.

        ``begun`` hands were there before. A fault in the beginning of a hand is raised again: what follows
        hangs in the air.
        """
        if len(draft.hands) == begun:
            raise error
        number = len(draft.hands) - 1
        for rows in (draft.wins, draft.hand_draws):
            while rows and rows[-1]["hand"] == number:
                draft.words[rows.pop()["event"]] = 0
        draft.hands[-1]["end"] = HandEnd.UNFINISHED
        error.hint = error.hint or HAND_ENDS
        self.append(error)

    def note_unknown(self, what: str, word: Any, place: str = "") -> None:
        """Keep one fault for each word that is not known, ``MAX_UNKNOWN`` at most."""
        text = str(word)[:MAX_TEXT]
        if text not in self._unknown and len(self._unknown) < MAX_UNKNOWN:
            self._unknown.add(text)
            self.note(ParseError(f"unknown {what} {shown(text)}", place=place, code="V102"))


class DraftedGame:
    """One game: what a log says goes in, a draft comes out."""

    format: ClassVar[str]
    """The format, as the model names it."""
    players = 4
    is_over = True
    """The log says that the game was played to its end, or cannot say so."""
    by_tiles: ClassVar[Sequence[bytes]] = ()
    """Words for yaku of which the hand's tiles tell the form."""

    def __init__(self, location: str, **known: Any) -> None:
        self.draft = GameDraft({"source": location, "format": self.format, "first_dealer": 0} | known)
        self.words = self.draft.words
        self.faults = KeptFaults()
        """What could not be read, or was not known; the game was read on."""
        self.begin = 0
        """Where the words of the hand begin."""

    # --- from a log to a batch ------------------------------------------------------------------------

    def read(self) -> None:
        """Take the whole log. Raises ParseError where it cannot be read on."""
        raise NotImplementedError

    def rules(self) -> RuleChoice:
        """Choose the rules, once all has been read."""
        raise NotImplementedError

    def add_to(self, builder: BatchBuilder) -> None:
        """Read the game into a builder, and its faults."""
        fault: ParseError | None = None
        try:
            self.read()
        except ParseError as error:
            error.hint = error.hint or "hands before this place were kept"
            fault = error
        if self.draft.hands:
            builder.add(self.finish(is_whole=fault is None))
        elif fault is None:
            fault = ParseError("the log holds no hand", hint="nothing to do, or get it again")
        for one in [*self.faults, *([fault] if fault else ())]:
            builder.add_fault(*astuple(one.fault(self.draft.game["source"])))

    def finish(self, *, is_whole: bool) -> GameDraft:
        """Return the draft, which has a hand, once all has been read."""
        is_open = self.draft.hands[-1]["end"] == HandEnd.UNFINISHED
        self.draft.game |= {"players": self.players, "is_cut": is_open or not is_whole or not self.is_over}
        set_rules(self.draft, self.rules())
        return self.draft

    def rules_or(self, choose: Callable[[], RuleChoice], preset: str, place: str = "") -> RuleChoice:
        """Choose rules by what a log states of them; where that is nonsense, those of a preset."""
        try:
            return choose()
        except (ValueError, TypeError, ArithmeticError, LookupError) as error:
            reason = f"the rules cannot be read: {error}"[:200]
            hint = "those of ranked rooms were taken"
            self.faults.note(ParseError(reason, place=place, code="V105", hint=hint))
            return RuleChoice(preset)

    def read_fields(self, value: dict[str, Any], fields: Mapping[str, Callable[[Any, Any], None]]) -> None:
        """Read what stands around the hands by its names; a faulty field stays unknown and is told."""
        for key, read in fields.items():
            if value.get(key) is not None:
                try:
                    with Within(key):
                        read(self, value[key])
                except ParseError as error:
                    self.faults.note(error)

    # --- faults ---------------------------------------------------------------------------------------

    def place(self) -> str:
        """Where in the log is read, for what is not known."""
        return f"hand {len(self.draft.hands)}" if self.draft.hands else ""

    def note_unknown(self, what: str, word: Any) -> None:
        """Keep one fault for each word that is not known; the game is read on."""
        self.faults.note_unknown(what, word, self.place())

    def each_hand(self, hands: Iterable[Any], take: Callable[[int, Any], None]) -> None:
        """Take hand after hand, with its number; a fault costs its hand."""
        for number, hand in enumerate(hands):
            begun = len(self.draft.hands)
            try:
                take(number, hand)
            except ParseError as error:
                self.faults.note_hand(error, self.draft, begun)

    # --- events ---------------------------------------------------------------------------------------

    @property
    def hand(self) -> DraftRow:
        """The row of the hand that is read."""
        return self.draft.hands[-1]

    def begin_hand(self, row: DraftRow) -> None:
        """Begin a hand with its deal."""
        self.begin = len(self.words)
        self.draft.begin_hand(self.begin, row)

    def put(
        self,
        kind: EventKind,
        seat: int = NO_SEAT,
        tile: int = NO_TILE,
        source: int = NO_SEAT,
        own: Sequence[int] = (),
        flags: int = 0,
    ) -> None:
        """Put an event: :func:`~paifu.replay.model.events.pack` has what its parts are."""
        self.words.append(pack(kind, seat, tile, source, tuple(own), flags))

    def discard(self, seat: int, code: int, *, is_drawn: bool, is_riichi: bool = False) -> None:
        """Put a discard, with the riichi that it declares."""
        if is_riichi:
            self.put(EventKind.RIICHI, seat)
        self.put(EventKind.DISCARD, seat, code, flags=EventFlag.TSUMOGIRI if is_drawn else 0)

    def must_be_drawn(self, seat: int, code: int) -> bool:
        """Return whether a discard can only be the tile just drawn, for a log that does not say."""
        return must_be_drawn(self.words, self.begin, self.hand["dealt"], seat, code)

    def add_to_pon(self, seat: int, code: int, consumed: Sequence[int] = ()) -> None:
        """Put a kan of a pon and the tile added; raises ParseError if that pon is missing."""
        word = added_kan(self.words, self.begin, seat, code, consumed)
        if not word:
            raise wrong_value("there is no pon that the tile could be added to", code="V102")
        self.words.append(word)

    def pay(self, seat: int, scores: list[int] | None = None) -> None:
        """Put the payment of a riichi, with the scores after it where they are stated."""
        self.words.append(0)
        self.draft.riichi_paid(len(self.words) - 1, seat, scores)

    def win(self, row: DraftRow) -> None:
        """Put a win."""
        self.words.append(0)
        self.draft.win(len(self.words) - 1, row)

    def end_without_win(self, row: DraftRow) -> None:
        """Put the end of a hand that nobody wins."""
        self.words.append(0)
        self.draft.hand_draw(len(self.words) - 1, row)

    # --- what a win says ------------------------------------------------------------------------------

    def state_yaku(
        self, row: DraftRow, listed: Iterable[ListedYaku], name: str = "", stated: list[Any] | None = None
    ) -> None:
        """Put the yaku into a win, unless one is not known: then the list is not whole.

        ``name`` is the log's for the list, of which only as much is taken as a win can have if it has none.
        ``stated`` is the list itself if it is JSON: most are looked up, and never read.
        """
        winds = (row["seat"] - self.hand["dealer"]) % self.players, self.hand["round"] // 4 % 4
        key = self.format, _json_of(stated), *winds
        if found := _STATED.get(key):
            row["yaku"], row["han"] = found
            return
        yaku: list[tuple[int, int]] = []
        are_known = True
        for number, han, word in listed:
            if number is None:
                self.note_unknown("yaku", word)
                are_known = False
            else:
                yaku.append((number, han))
        if name and len(yaku) > MAX_YAKU:
            raise wrong_value(f"{name} lists {len(yaku)} yaku; at most {MAX_YAKU} are possible", code="V105")
        if are_known:
            yaku = named_winds(yaku, *winds)[:MAX_YAKU]
            row["yaku"] = bytes([number for number, _ in yaku])
            row["han"] = bytes([han for _, han in yaku])
            if key[1] and len(_STATED) < _MAX_STATED and not any(word in key[1] for word in self.by_tiles):
                _STATED[key] = row["yaku"], row["han"]


def _json_of(value: list[Any] | None) -> bytes:
    """Spell a list; empty for none, and for one that is too deep."""
    try:
        return orjson.dumps(value) if value else b""
    except TypeError:
        return b""


def hands_shown(hands: Iterable[bytes]) -> bytes:
    """Put the closed tiles that each seat shows into the cells of a row."""
    return b"".join(tiles.ljust(SHOWN, b"\xff") for tiles in hands)
