"""What the policy reads of a decision: the table as a seat sees it, and options as the engine describes them.

Nothing hidden enters. Suits are alike: the same decision in other suits has the same inputs, in other places.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from paifu.coach.kernels.decision_layout import NO_DANGER, NO_THREAT, SHOWS_RIICHI, WITH_MELD
from paifu.coach.kernels.decision_layout import RIICHI as DECLARE
from paifu.coach.kernels.option_rows import OPTION
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import (
    F32,
    F32_2D,
    F32_3D,
    I32,
    I32_2D,
    I64,
    I64_2D,
    U8,
    U8_2D,
    U8_3D,
    U8_4D,
)
from paifu.replay.kernels.claims import UNKNOWN, EventClaims, HandClaims
from paifu.replay.kernels.notes import Notes
from paifu.replay.kernels.records import Record
from paifu.replay.kernels.records import cells as room_for
from paifu.replay.kernels.replay import set_up, step
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.running import entry, kernel
from paifu.replay.kernels.scoring import dora_of
from paifu.replay.kernels.shapes import ShapeTables
from paifu.replay.kernels.table_state import NOBODY, NORTH, TableState, kind_of

RIVER, FROM_HAND, LAST, FIRST, DECLARED, SAFE, MELDED, CALLED, PLANES = range(9)
"""Planes of a seat, a number for each kind: tiles discarded, those of them from the hand, the turn (from 1)
of the last and of the first, whether one declared riichi, whether the seat cannot win it, tiles in melds or
set aside, and discards that others called.
Tiles that lie nobody knows where count in the player's river, without a turn."""
(
    LEFT, ROUND, HONBA, STICKS, TO_COME, SCORES, RIICHI, TURNS, MELDS, DEALER, SOURCE, DRAWN, OFFERED, KNOWN,
    INDICATORS, MARKS,
) = 0, 1, 2, 3, 4, 5, 9, 13, 17, 21, 22, 23, 24, 25, 26, 31  # fmt: skip
"""Marks of a decision. TO_COME are the hands scheduled after this one. SCORES, RIICHI (turn of the
declaration), TURNS (discards; -1 where nobody sits) and MELDS (without closed kans) are by seat, the player
first. SOURCE is whose discard is on offer, OFFERED the tile, DRAWN the tile just drawn. Without KNOWN, only
the hand itself counts."""
CHANNELS, SCALARS, FEATURES, DANGERS = 78, 60, 74, 105
"""Numbers of a kind, of the whole table, and of an option; how many sorts of danger there are."""
OF_OTHER, OF_RUNS, OF_KIND = 16, 56, 61
"""Where the channels of the first opponent begin, each of whom has EACH; those of runs; those of the kind."""
EACH = 13
RUNS = -2, -1, -1, 1, 1, 2, -2, 0, 0, 2
"""By channel of runs, how far away its two tiles are."""


class Rivers(Record):
    """What a table does not keep of its rivers, as it lies there after each move."""

    to_come: int
    """Hands scheduled after this one; set before it begins."""
    riichi: I64 = room_for(4)
    """Turn of each seat's declaration, 0 for none."""
    planes: U8_3D = room_for(PLANES, 4, 34)
    """By absolute seat; MELDED is the table's."""


class PolicyNumbers(NamedTuple):
    """What the network reads of some decisions, options of a decision after each other."""

    kinds: F32_3D
    """(n, 34, CHANNELS)."""
    table: F32_2D
    """(n, SCALARS)."""
    options: F32_2D
    """(rows, FEATURES)."""
    dangers: I64_2D
    """(rows, 3) below DANGERS: how dangerous the tile is, and what the opponent shows."""
    kind: I64
    """(rows,) what the option is about: the tile discarded, or on offer, or of the kan."""


@kernel
def begin_rivers(rivers: Rivers) -> None:
    """Begin a hand."""
    rivers.riichi[:] = 0
    rivers.planes[:] = 0


@kernel
def note_move(table: TableState, rivers: Rivers, sort: int, flags: int) -> None:
    """Take down what a move has changed, of which the flags of a discard matter."""
    planes, seat, kind = rivers.planes, table.offer_seat, int(kind_of(table.offer_tile))
    if state.CHI <= sort <= state.DAIMINKAN:
        planes[CALLED, seat, kind] += 1
    elif sort == state.DISCARD:
        turn, declares = table.discards[seat], table.declaring[seat]
        planes[RIVER, seat, kind] += 1
        planes[FROM_HAND, seat, kind] += flags & state.TSUMOGIRI == 0
        planes[LAST, seat, kind] = turn
        if planes[FIRST, seat, kind] == 0:
            planes[FIRST, seat, kind] = turn
        if declares:
            planes[DECLARED, seat, kind] = 1
            rivers.riichi[seat] = turn
        if declares or rivers.riichi[seat] == 0:
            for own in range(34):
                planes[SAFE, seat, own] = planes[RIVER, seat, own] > 0
        for other in range(4):
            planes[SAFE, other, kind] = 1


@kernel
def look(
    table: TableState, rivers: Rivers, seat: int, rules: KernelRules, planes: U8_3D, held: U8, marks: I32
) -> None:
    """Fill in what a seat sees that is to move, or that may call the discard on offer."""
    players, is_call = rules.players, table.offer == state.DISCARD
    # Each seat, the player first.
    for place in range(4):
        other = (seat + place) % players
        for plane in range(PLANES):
            for kind in range(34):
                planes[plane, place, kind] = rivers.planes[plane, other, kind] if place < players else 0
        marks[SCORES + place] = marks[RIICHI + place] = marks[MELDS + place] = 0
        marks[TURNS + place] = -1
        if place >= players:
            continue
        for kind in range(34):
            planes[MELDED, place, kind] = table.melded[other, kind]
        planes[MELDED, place, NORTH] += table.norths[other]
        marks[SCORES + place] = max(UNKNOWN, table.scores[other])
        marks[RIICHI + place] = rivers.riichi[other] if place else 0
        marks[TURNS + place] = table.discards[other]
        for i in range(table.meld_count[other]):
            marks[MELDS + place] += table.meld_types[other, i] != state.ANKAN
    if players == 3:
        for kind in range(1, 8):
            planes[RIVER, 0, kind] = 4
    # Concealed tiles, and what lies open.
    for tile in range(37):
        held[tile] = table.held[seat, tile]
    marks[LEFT], marks[ROUND], marks[TO_COME] = table.live, 4 * table.wind, rivers.to_come
    marks[HONBA], marks[STICKS] = table.honba, table.sticks
    marks[DEALER], marks[KNOWN] = (table.dealer - seat) % players, 1
    marks[SOURCE] = (table.offer_seat - seat) % players if is_call else 0
    marks[DRAWN] = NOBODY if is_call else table.drawn[seat]
    marks[OFFERED] = table.offer_tile if is_call else NOBODY
    for i in range(5):
        marks[INDICATORS + i] = table.indicators[i]


@entry
def look_at_tables(
    order: I64, hand: I32, event: I32, seat: U8, is_call: U8, to_come: I64, hands: HandClaims,
    events: EventClaims, rules: KernelRules, shapes: ShapeTables, table: TableState, rivers: Rivers,
    notes: Notes, planes: U8_4D, held: U8_2D, marks: I32_2D,
) -> None:  # fmt: skip
    """Fill in the table at decisions in ``order`` (rows of the other arrays), which is that of play.

    planes: (n, PLANES, 4, 34). held: (n, 37) own concealed tiles. marks: (n, MARKS).
    A call is decided after its event, the discard on offer; anything else before it.
    """
    now, at = -1, 0
    for number in range(len(order)):
        row = order[number]
        if hand[row] != now:
            now = int(hand[row])
            at = int(hands.event_begin[now])
            notes.counts[0] = 0
            set_up(table, hands, now, rules, shapes, notes)
            rivers.to_come = to_come[row]
            begin_rivers(rivers)
        while at < event[row] + is_call[row]:
            sort = int(events.kind[at])
            if sort < state.WIN or sort == state.BONUS:
                notes.counts[0] = 0
                step(table, events, at, rules, shapes, notes)
                note_move(table, rivers, sort, int(events.flags[at]))
            at += 1
        look(table, rivers, int(seat[row]), rules, planes[row], held[row], marks[row])


@kernel
def mark_kind(kind: int, x: F32) -> None:
    """Mark which number a kind is, or whether it is a wind or a dragon, and how far outside."""
    if kind >= 27:
        x[9 + (kind >= 31)] = x[11] = 1.0
        return
    outer = abs(kind % 9 - 4)
    x[kind % 9] = 1.0
    x[12] = outer / 4
    x[13 if outer == 4 else 14 if outer == 3 else 15 if outer == 2 else 16] = 1.0


@kernel
def read_opponent(planes: U8_3D, marks: I32, place: int, kind: int, x: F32) -> None:
    """Fill the EACH numbers of a kind and an opponent."""
    turns, riichi = marks[TURNS + place], marks[RIICHI + place]
    river = planes[RIVER, place, kind]
    if river:
        first, last = planes[FIRST, place, kind], int(planes[LAST, place, kind])
        x[0], x[1] = river / 2, planes[FROM_HAND, place, kind] / 2
        x[2], x[3], x[4] = first <= 4, 4 < first <= 8, last > 8
        x[5], x[6] = last == turns, math.exp((last - turns) * (math.log(2.0) / 3))
        x[12] = 0 < riichi < last
    is_safe = planes[SAFE, place, kind] != 0
    x[7], x[8] = planes[DECLARED, place, kind], is_safe
    x[9] = planes[MELDED, place, kind] / 3
    x[10] = riichi > 0 and not is_safe
    x[11] = planes[CALLED, place, kind]


@kernel
def read_kinds(planes: U8_3D, held: U8, marks: I32, x: F32_2D) -> None:
    """Fill the (34, CHANNELS) numbers of kinds."""
    players = 3 if marks[TURNS + 3] < 0 else 4
    own_wind = 27 + (-marks[DEALER]) % players
    threats = 0
    for place in range(1, 4):
        threats += marks[RIICHI + place] != 0
    for kind in range(34):
        row = x[kind]
        row[:] = 0
        # Copies in hand, and those that the player does not see.
        is_five = kind in (4, 13, 22)
        red = int(held[34 + kind // 9]) if is_five else 0
        own = int(held[kind]) + red
        unseen = 4 - own
        for place in range(4):
            unseen += int(planes[CALLED, place, kind])
            unseen -= int(planes[RIVER, place, kind]) + int(planes[MELDED, place, kind])
        for i in range(5):
            tile = marks[INDICATORS + i]
            if tile < 37:
                unseen -= kind_of(tile) == kind
                row[6] += dora_of(int(kind_of(tile)), players) == kind
        for copies in range(4):
            row[copies], row[7 + copies] = own > copies, unseen > copies
        # What the kind is worth, and whether it was just drawn or is on offer.
        row[4] = red
        row[5] = planes[MELDED, 0, kind] / 3
        row[11] = int(kind >= 31) + int(kind == 27 + marks[ROUND] // 4 % 4) + int(kind == own_wind)
        for i in range(2):
            tile = marks[OFFERED if i else DRAWN]
            row[12 + i] = 0 <= tile < 37 and kind_of(tile) == kind
        # Rivers, and whether all in riichi are safe.
        if marks[KNOWN]:
            row[14], row[15] = planes[FIRST, 0, kind] > 0, planes[FIRST, 0, kind] / 12
            for place in range(1, 4):
                read_opponent(planes, marks, place, kind, row[OF_OTHER + EACH * (place - 1) :])
        is_safe = threats > 0
        for place in range(1, 4):
            is_safe = is_safe and (marks[RIICHI + place] == 0 or planes[SAFE, place, kind] > 0)
        row[OF_RUNS - 1] = is_safe
        mark_kind(kind, row[OF_KIND:])
    # A tile with its neighbours in hand, so that the first layer sees runs of both sides at once.
    for kind in range(27):
        for number in range(5):
            first, second = kind % 9 + RUNS[2 * number], kind % 9 + RUNS[2 * number + 1]
            there = first >= 0 and second < 9
            suit = kind - kind % 9
            x[kind, OF_RUNS + number] = there and x[suit + first, 0] > 0 and x[suit + second, 0] > 0


@kernel
def mark(out: F32, at: int, size: int, value: int) -> int:
    """Mark one of ``size`` places from ``at`` on, the last for all above; return what follows them."""
    out[at + min(max(value, 0), size - 1)] = 1.0
    return at + size


@kernel
def read_table(marks: I32, least: int, out: F32) -> None:
    """Fill the (SCALARS,) numbers of the whole table; ``least`` is the least shanten of any option."""
    out[:] = 0
    known, turns, is_last = marks[KNOWN] != 0, marks[TURNS], marks[TO_COME] <= 0
    out[0], out[1] = marks[LEFT] / 70, turns / 18
    at = mark(out, 2, 6, turns // 3)
    at = mark(out, at, 3, marks[ROUND] // 4)
    at = mark(out, at, 4, marks[DEALER])
    out[at], out[at + 1] = min(marks[HONBA], 5) / 5, min(marks[STICKS], 5) / 5
    out[at + 2], out[at + 3] = min(marks[TO_COME], 7) / 7, is_last
    at += 4
    # Opponents: riichi, melds, points.
    ahead = number = 0
    own = float(marks[SCORES])
    for place in range(3):
        riichi, melds = marks[RIICHI + 1 + place], marks[MELDS + 1 + place]
        score = float(marks[SCORES + 1 + place])
        ahead += score > own
        number += riichi > 0
        if known:
            out[at + place] = riichi > 0
            if riichi > 0:
                out[at + 3 + place] = (marks[TURNS + 1 + place] - riichi + 1) / 10
            out[at + 8 + place], out[at + 11 + place] = melds / 3, melds >= 2
            gap = (own - score) / 10000
            out[at + 15 + place] = min(max(gap, -3.0), 3.0)
            if is_last:
                out[at + 18 + place] = min(max(gap / 0.8, -1.0), 1.0)
    out[at + 7] = marks[MELDS] / 3
    if known:
        out[at + 6], out[at + 14] = number, own / 25000
        mark(out, at + 21, 4, ahead)
        if is_last:
            mark(out, at + 25, 4, ahead)
    at = mark(out, at + 29, 4, marks[SOURCE])
    at = mark(out, at, 6, least)
    out[at], out[at + 1] = known, marks[DRAWN] < 37


class BestOptions(Record):
    """The best of the options of a decision, by what they are described with."""

    shanten: int
    accepted: int
    """Of those of least shanten; as is the next one."""
    second: int
    value: int
    dora: int
    yakuhai: int
    off_suit: int
    worst: int
    worst_any: int


@kernel
def risk(row: U8, only_riichi: bool) -> int:
    """Return the class of danger of an option: the worst of those in riichi, or the sum of all."""
    found = 0
    for place in range(3):
        danger = int(row[OPTION.danger + place])
        if danger == NO_DANGER:
            continue
        if not only_riichi:
            found += danger
        elif row[OPTION.shown + place] == SHOWS_RIICHI:
            found = max(found, danger)
    return found


@kernel
def find_best(cells: U8_2D, first: int, last: int, best: BestOptions) -> None:
    """Fill in the best of the options in some rows."""
    best.whole[:] = 0
    best.shanten = best.off_suit = best.worst = best.worst_any = 255
    for number in range(first, last):
        row = cells[number]
        best.shanten = min(best.shanten, int(row[OPTION.shanten]))
        best.value = max(best.value, int(row[OPTION.value]))
        best.dora = max(best.dora, int(row[OPTION.dora]))
        best.yakuhai = max(best.yakuhai, int(row[OPTION.yakuhai]))
        best.off_suit = min(best.off_suit, int(row[OPTION.off_suit]))
        best.worst, best.worst_any = min(best.worst, risk(row, True)), min(best.worst_any, risk(row, False))
    for number in range(first, last):
        row = cells[number]
        if row[OPTION.shanten] == best.shanten:
            best.accepted = max(best.accepted, int(row[OPTION.accepted]))
            best.second = max(best.second, int(row[OPTION.second]))


@kernel
def read_option(row: U8, best: BestOptions, number: int, drawn: int, out: F32) -> None:
    """Fill the (FEATURES,) numbers of one of ``number`` options: of itself, and beside the others."""
    out[:] = 0
    option, tile, shanten = int(row[OPTION.option]), int(row[OPTION.tile]), int(row[OPTION.shanten])
    accepted, value, riichi = int(row[OPTION.accepted]), int(row[OPTION.value]), int(row[OPTION.riichi])
    behind = shanten - best.shanten
    fewer = best.accepted - accepted
    # What it is, and how near to a win it leaves the hand.
    at = mark(out, mark(out, mark(out, 0, 8, option), 5, shanten), 3, behind)
    out[at], out[at + 1] = min(accepted, 40) / 20, math.sqrt(accepted) / 4
    if behind == 0:
        out[at + 2], out[at + 3] = min(fewer, 20) / 8, fewer <= 0
    out[at + 4] = min(2.0, accepted / max(1, best.accepted))
    out[at + 5] = row[OPTION.second] / 10
    if shanten == 1:
        out[at + 6] = (best.second - int(row[OPTION.second])) / 8
    at = mark(out, at + 7, 7, int(row[OPTION.tenpai]))
    out[at] = value / 16
    if shanten == 0:
        out[at + 1] = (best.value - value) / 16
        mark(out, at + 2, 5, accepted // 2)
    at += 7
    # What the hand holds then.
    dora, yakuhai, off_suit = int(row[OPTION.dora]), int(row[OPTION.yakuhai]), int(row[OPTION.off_suit])
    out[at], out[at + 1] = dora / 3, best.dora - dora
    out[at + 2], out[at + 3] = yakuhai / 2, best.yakuhai - yakuhai
    out[at + 4], out[at + 5] = min(row[OPTION.outside], 8) / 4, row[OPTION.outside] >= WITH_MELD
    out[at + 6], out[at + 7] = off_suit / 4, off_suit - best.off_suit
    at = mark(out, mark(out, at + 8, 3, int(row[OPTION.yaku])), 4, int(row[OPTION.calls]))
    # How dangerous it is, also beside the safest option.
    is_safe = row[OPTION.safe] == NO_THREAT
    out[at], out[at + 1] = 0.0 if is_safe else row[OPTION.safe] / 4, is_safe
    worst, worst_any, any_riichi = risk(row, True), risk(row, False), False
    for place in range(3):
        any_riichi = any_riichi or row[OPTION.shown + place] == SHOWS_RIICHI
        flush = row[OPTION.flush + place]
        out[at + 10 + place], out[at + 13 + place] = flush == 1, flush == 2
    out[at + 2], out[at + 3] = worst / 10, (worst - best.worst) / 10
    out[at + 4] = any_riichi and worst <= best.worst
    out[at + 5], out[at + 6] = worst_any / 20, (worst_any - best.worst_any) / 20
    out[at + 7], out[at + 8] = tile == drawn, tile >= 34 and option <= DECLARE
    out[at + 9] = row[OPTION.dora_tile]
    out[at + 16], out[at + 17], out[at + 18] = min(row[OPTION.left], 17) / 17, row[OPTION.dealer], riichi
    out[at + 19], out[at + 20] = row[OPTION.open_threats], shanten * riichi
    out[at + 21] = math.log(1.0 + number) / 2


@kernel
def read_options(
    cells: U8_2D, first: int, last: int, best: BestOptions, drawn: int, options: F32_2D, dangers: I64_2D,
    kind: I64,
) -> None:  # fmt: skip
    """Fill what is read of the options in some rows, into the first rows."""
    for at in range(last - first):
        row = cells[first + at]
        read_option(row, best, last - first, drawn, options[at])
        kind[at] = kind_of(min(int(row[OPTION.tile]), 36))
        for place in range(3):
            shown = min(int(row[OPTION.shown + place]), SHOWS_RIICHI)
            dangers[at, place] = min(int(row[OPTION.danger + place]), 20) * 5 + shown


@entry
def read_decisions(
    planes: U8_4D, held: U8_2D, marks: I32_2D, cells: U8_2D, first: I64, best: BestOptions,
    numbers: PolicyNumbers,
) -> None:  # fmt: skip
    """Fill what the network reads; rows ``cells`` of a decision go from ``first`` (n + 1,) to the next."""
    for at in range(len(first) - 1):
        begin, end = first[at], first[at + 1]
        find_best(cells, begin, end, best)
        read_kinds(planes[at], held[at], marks[at], numbers.kinds[at])
        read_table(marks[at], best.shanten, numbers.table[at])
        read_options(
            cells, begin, end, best, int(marks[at, DRAWN]), numbers.options[begin:],
            numbers.dangers[begin:], numbers.kind[begin:],
        )  # fmt: skip
