"""One hand of tenhou.net/6 JSON: deal, moves, result.

A hand is a list of 17: round, scores, dora, ura dora, then for each seat the deal, the tiles taken and the
tiles given up, last the result. Score changes leave out the sticks that players put down in this hand.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from paifu.parsers.drafting import DEALT, HIDDEN_DEAL, DraftedGame, ListedYaku
from paifu.parsers.errors import ParseError
from paifu.parsers.json_values import Within, as_list, as_points, as_text, as_whole, wrong_value
from paifu.parsers.tenhou6.moves import read_codes, read_moves
from paifu.parsers.tenhou6.names import (
    NO_VALUE,
    TENPAI_OF_WORD,
    WIN_WORDS,
    StatedValue,
    parse_value,
    parse_yaku,
)
from paifu.parsers.tenhou6.order import ArrangedHand, LastTurn, arrange
from paifu.parsers.words import DRAW_WORDS
from paifu.replay.model.batch import MAX_COUNT, MAX_INDICATORS, MAX_POINTS
from paifu.replay.model.builder import DraftRow
from paifu.replay.model.events import NO_SEAT, EventKind, HandEnd, pack
from paifu.replay.model.tiles import NO_TILE

FIRST_DEAL = 4
"""Where the first seat's deal is; each seat has three lists."""
RESULT = 16

_SIZE = 17
_ROUND, _SCORES, _DORA, _URA = range(4)
_LAST_SEAT = FIRST_DEAL + 9
_MAX_WINNERS = 3
_CHANGES = "the list of score changes"
_COUNTED = frozenset(range(EventKind.DRAW, EventKind.KITA + 1))
"""Events that a connection's ``step`` counts: draws, discards, calls."""


@dataclass(slots=True)
class DraftHand:
    """What a hand adds to a draft: its row, its words, the rows of its result."""

    row: DraftRow
    dora: bytes
    ura: bytes
    words: list[int] = field(default_factory=list)
    wins: list[DraftRow] = field(default_factory=list)
    draw: DraftRow = field(default_factory=dict)
    is_known: bool = True
    """The deal could be read, and so the moves can be."""
    after: list[int] = field(default_factory=list)
    """Events that come after the result."""

    def connect(self, entries: list[tuple[int, int]]) -> None:
        """Put in who left and came back: steps, and words of these events.

        A step counts moves: the event comes after that many of them, or after the result when there are
        no more.
        """
        moves = [at for at, word in enumerate(self.words) if word & 31 in _COUNTED]
        in_order = sorted(entries, key=lambda entry: entry[0])
        self.after = [word for step, word in in_order if step >= len(moves)]
        for step, word in reversed(in_order):
            if step < len(moves):
                self.words.insert(moves[step - 1] + 1 if step else 0, word)


def read_points(value: Any, players: int, what: str, at: int | str = "") -> list[int]:
    """Check a list of points by seat; the absent one of a 3-player game may be left out."""
    cells = as_list(value, what, at)
    cells = as_points(cells, what, at)
    if players == 3 and len(cells) == 3:
        cells = [*cells, 0]
    if len(cells) != 4:
        raise wrong_value(f"{what} does not state {players} players' points", at, "V105")
    return cells


class Tenhou6Hands(DraftedGame):
    """A game while its hands are read."""

    format = "tenhou6"
    is_at_once = False
    """Kan dora are turned with every kan."""

    def place(self) -> str:
        """The result of the hand, whose words alone may not be known."""
        return f"log[{len(self.draft.hands) - 1}][{RESULT}]"

    def note(self, error: ParseError) -> None:
        """Keep the fault of a part of a hand that is left out."""
        error.place = f"log[{len(self.draft.hands) - 1}]{error.place}"
        self.faults.note(error)

    def read_hand(self, value: Any, connections: list[tuple[int, int]]) -> None:
        """Read a hand; result, moves and deal that cannot be read are left out.

        ``connections`` are steps in it, and words of those who left or came back then. Raises ParseError,
        placed inside the hand, for anything that later hands depend on.
        """
        cells = as_list(value, "a hand")
        if len(cells) not in (_SIZE, _SIZE - 1):
            raise wrong_value(f"a hand lists {len(cells)} things; expected {_SIZE}", code="V102")
        hand = DraftHand(self._deal(cells), _indicators(cells, _DORA), _indicators(cells, _URA))
        hand.row["dora"] = hand.dora[0] if hand.dora else NO_TILE
        self.begin_hand(hand.row)
        self._tiles_dealt(hand, cells)
        played = ArrangedHand([], 0, None)
        if hand.is_known:
            try:
                moves = [
                    read_moves(seat, self.players, cells, FIRST_DEAL + 3 * seat + 1)
                    for seat in range(self.players)
                ]
                played = arrange(moves, hand.row["dealer"], hand.dora[1:], at_once=self.is_at_once)
            except ParseError as error:
                self.note(error)
                hand.is_known = False
        end = self._end(hand, cells, played.last)
        hand.words = played.words
        if played.last is not None:
            _settle_last_move(hand, played.last, end)
        if hand.ura:
            for row in hand.wins:
                if played.riichi >> row["seat"] & 1:
                    row["ura"] = hand.ura
        if connections:
            hand.connect(connections)
        self.words += hand.words
        for row in hand.wins:
            self.win(row)
        if hand.draw:
            self.end_without_win(hand.draw)
        self.words += hand.after

    def _end(self, hand: DraftHand, cells: list[Any], last: LastTurn | None) -> HandEnd:
        """Read the result; one that cannot be read is left out, and one of a hand without its moves."""
        try:
            with Within(f"[{RESULT}]"):
                result = as_list(cells[RESULT], "the result") if len(cells) == _SIZE else []
                end = self._result(hand, result, last)
        except ParseError as error:
            self.note(error)
            end = HandEnd.UNFINISHED
        if end == HandEnd.UNFINISHED or not hand.is_known:
            hand.wins, hand.draw = [], {}
            return HandEnd.UNFINISHED
        return end

    def _deal(self, cells: list[Any]) -> DraftRow:
        """Read what is known before the deal."""
        start = as_list(cells[_ROUND], "the round", _ROUND)
        if len(start) != 3:
            raise wrong_value("it is not round, honba and sticks", _ROUND, "V105")
        number = as_whole(start[0], 0, 63, "the round", _ROUND)
        return {
            "round": number,
            "honba": as_whole(start[1], 0, MAX_COUNT, "honba", _ROUND),
            "sticks": as_whole(start[2], 0, MAX_COUNT, "the number of sticks", _ROUND),
            "dealer": as_whole(number % 4, 0, self.players - 1, "the dealer's seat", _ROUND),
            "scores": read_points(cells[_SCORES], self.players, "the list of scores", _SCORES),
        }

    def _tiles_dealt(self, hand: DraftHand, cells: list[Any]) -> None:
        row = hand.row
        try:
            row["dealt"] = b"".join([_dealt(cells, FIRST_DEAL + 3 * seat) for seat in range(self.players)])
            if self.players == 3 and any(cells[_LAST_SEAT:RESULT]):
                raise wrong_value("seat 3 has tiles in a 3-player game", _LAST_SEAT, "V104")
        except ParseError as error:
            self.note(error)
            row["dealt"] = HIDDEN_DEAL * self.players
            hand.is_known = False

    def _result(self, hand: DraftHand, cells: list[Any], last: LastTurn | None) -> HandEnd:
        """Read how the hand ended, after its last move; an empty list says that it did not."""
        if not cells:
            return HandEnd.UNFINISHED
        word = as_text(cells[0], "the result's name", 0)
        if word in WIN_WORDS:
            self._wins(hand, cells, last)
            return HandEnd.WIN
        end = DRAW_WORDS.get(word, HandEnd.UNKNOWN_DRAW)
        if end == HandEnd.UNKNOWN_DRAW:
            self.note_unknown("end of a hand", word)
        if end != HandEnd.UNFINISHED:
            hand.draw = self._draw(end, word, cells)
        return end

    def _draw(self, end: HandEnd, word: str, cells: list[Any]) -> DraftRow:
        """Read the end of a hand without a winner: the score changes, if there are any.

        They show who was tenpai where noten players paid.
        """
        row: DraftRow = {"kind": end}
        if len(cells) > 1 and cells[1] is not None:
            row["deltas"] = read_points(cells[1], self.players, _CHANGES, 1)
        everybody = TENPAI_OF_WORD.get(word)
        if everybody is not None:
            row["tenpai"] = bytes([everybody] * self.players).ljust(4, b"\0")
        elif end == HandEnd.EXHAUSTIVE and any(row.get("deltas", ())):
            row["tenpai"] = bytes(delta > 0 for delta in row["deltas"])
        return row

    def _wins(self, hand: DraftHand, cells: list[Any], last: LastTurn | None) -> None:
        """Read the winners: for each the score changes, and what was won with.

        A short result lacks the details, or the changes, too: the winner follows from the last move, then.
        """
        if len(cells) <= 2:
            cells = [*cells, *[None] * (2 - len(cells)), []]
        if len(cells) % 2 == 0 or len(cells) // 2 > _MAX_WINNERS:
            raise wrong_value("a win lists score changes and details, in turn, of each winner", code="V102")
        for at in range(1, len(cells), 2):
            deltas = cells[at]
            if deltas is not None:
                deltas = read_points(deltas, self.players, _CHANGES, at)
            row = self._win(hand, as_list(cells[at + 1], "a win", at + 1), at + 1, _winner(last, deltas))
            if deltas is not None:
                row["deltas"] = deltas
            hand.wins.append(row)

    def _win(
        self, hand: DraftHand, cells: list[Any], at: int, usual: tuple[int | None, int | None]
    ) -> DraftRow:
        """Read ``[who, from whom, liable, value, yaku, ...]``; nobody is liable if it is one of the two.

        What is left out at the end is unknown, except for ``usual``: who wins, and from whom.
        """
        who: list[int | None] = [as_whole(cell, 0, self.players - 1, "a seat", at) for cell in cells[:2]]
        seat, source = who + list(usual[len(who) :])
        if seat is None or source is None:
            raise wrong_value("it does not say who wins, and the last move does not show it", at, "V102")
        row: DraftRow = {"seat": seat, "source": source, "dora": hand.dora}
        liable = cells[2] if len(cells) > 2 else None
        if liable is not None:
            liable = as_whole(liable, -1, self.players - 1, "a seat", at)
            row["liable"] = NO_SEAT if liable in (-1, seat, source) else liable
        row["fu"], row["points"], row["limit"] = self._value(cells[3:4], at)
        with Within(f"[{at}]"):
            stated = cells[4:]
            self.state_yaku(row, (_listed(as_text(cell, "a yaku")) for cell in stated), "it", stated)
        return row

    def _value(self, cells: list[Any], at: int) -> StatedValue:
        """Read the hand's value, if it is stated in a known form."""
        if not cells:
            return NO_VALUE
        text = as_text(cells[0], "the value", at)
        value = parse_value(text, self.players)
        if value is None or value.points > MAX_POINTS:
            self.note_unknown("value of a hand", text)
            return NO_VALUE
        return value


@lru_cache(maxsize=4096)
def _listed(text: str) -> ListedYaku:
    number, han = parse_yaku(text) or (None, 0)
    return ListedYaku(number, han, text)


def _winner(last: LastTurn | None, deltas: list[int] | None) -> tuple[int | None, int | None]:
    """Who wins, by the last move, and from whom: who keeps a drawn tile, or gains by another's discard."""
    if last is None:
        return None, None
    if last.is_kept:
        return last.seat, last.seat
    gain = [seat for seat, change in enumerate(deltas or ()) if change > 0]
    return gain[0] if len(gain) == 1 else None, last.seat


def _dealt(cells: list[Any], at: int) -> bytes:
    tiles = read_codes(cells[at], "the deal", at)
    if len(tiles) != DEALT:
        raise wrong_value(f"{len(tiles)} tiles are dealt, not {DEALT}", at, "V104")
    return tiles


def _indicators(cells: list[Any], at: int) -> bytes:
    codes = read_codes(cells[at], "the list of indicators", at)
    if len(codes) > MAX_INDICATORS:
        raise wrong_value(f"{len(codes)} indicators; at most {MAX_INDICATORS} are possible", at, "V105")
    return codes


def _settle_last_move(hand: DraftHand, last: LastTurn, end: HandEnd) -> None:
    """Give the wins their tile, and take back the payment of a riichi that did not pass."""
    is_ron = any(row["seat"] != row["source"] for row in hand.wins)
    if last.is_riichi and (is_ron or end in (HandEnd.SANCHAHOU, HandEnd.UNFINISHED)):
        hand.words.remove(pack(EventKind.RIICHI_PAID, last.seat))
    for row in hand.wins:
        is_tsumo = row["seat"] == row["source"]
        if row["source"] == last.seat and is_tsumo == last.is_kept:
            row["tile"] = last.tile
