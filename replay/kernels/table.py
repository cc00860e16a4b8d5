"""One table state and one transition per kind of event: the engine that every command replays hands with.

The state of a hand is a :class:`Table`, a handful of small arrays that are reset for each hand. A
transition first checks, against the state *before* the event, whether the event is legal, notes a finding
for each breach, and then applies it. It returns False when the state cannot follow the log any more (a
tile that is not there, a move of a seat that is not to move): the rest of the hand is then not checked.

Tiles are 0-36, kinds 0-33, seats absolute. Codes of findings are numbers: 202 is V202.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from paifu.replay.kernels.finding_values import (
    NOT_CLOSED,
    NOT_HELD,
    NOT_TENPAI,
    NOT_TO_MOVE,
    OTHER_COPY,
    OTHER_GROUPS,
    OTHER_SOURCE,
)
from paifu.replay.kernels.jit import kernel
from paifu.replay.kernels.readings import is_triplet_in_every_reading
from paifu.replay.kernels.shapes import ShapeTables, drawable_kinds, waits
from paifu.replay.rules.ruleset import KernelRules

I64 = npt.NDArray[np.int64]
U8 = npt.NDArray[np.uint8]

# What the table waits for.
WAIT_DRAW, WAIT_ACT, WAIT_DISCARD, WAIT_DECLARED, WAIT_SUPPLEMENT, OVER = range(6)
"""A live draw (or a call); anything of who drew; a discard after a call; the discard that declares riichi; a
supplement draw; nothing any more."""

# Event kinds, as in ``events.EventKind``.
DRAW, DISCARD, CHI, PON, DAIMINKAN, ANKAN, KAKAN, KITA = 1, 2, 3, 4, 5, 6, 7, 8
RIICHI, RIICHI_PAID, DORA, WIN, HAND_DRAW, LEAVE, RETURN = 9, 10, 11, 12, 13, 14, 15
TSUMOGIRI = 1
AT_ONCE, BEFORE_DISCARD, AFTER_DISCARD, ALL_AFTER_DISCARD = 0, 1, 2, 3
"""``rules.KanDoraTiming``."""
NOTEN_IN_HAND, NOTEN = 1, 2
"""``rules.OwnFourWait``."""
FORBIDDEN, SAME_SHAPE = 0, 2
"""``rules.RiichiKan``."""
NOBODY = NO_ID = 255
MAX_TURNED = 5
"""Indicators there are, however many kans a log claims."""
NORTH = 30
YAOCHUU = 0b1111111_100000001_100000001_100000001
UNSEEN, IN_HAND, CALLED, MELDED, INDICATOR, GONE = 0, 1, 5, 9, 16, 32
"""Where a physical tile lies: nowhere yet; in a hand; in a meld, as the tile called or as an own one (these
plus the seat); an indicator (plus its number); in a river or set aside."""

# Scalars of the hand.
(
    H_PHASE, H_TURN, H_DEALER, H_WIND, H_HONBA, H_STICKS, H_LIVE, H_KANS, H_TURNED, H_LATE_KAN, H_FIRST,
    H_OFFER, H_OFFER_SEAT, H_OFFER_TILE, H_UNPAID, H_KUIKAE, H_WINDS, H_RIICHI, H_AFTER_KAN, H_WINNERS,
    H_SUPPLEMENTS, H_DRAWS, H_FEEDER, H_NEWEST, H_SIZE,
) = range(25)  # fmt: skip
"""OFFER: kind of event whose tile may be won or called (0: none). LATE_KAN: the newest kan's indicator is
not due before its supplement draw. FIRST: no call or kan yet. UNPAID: seat that owes a riichi stick, or
NOBODY. KUIKAE: mask of kinds not to be discarded now. WINDS: mask of winds discarded so far in the first
go-around, -1 once it cannot be four equal ones. AFTER_KAN: the tile on offer was discarded after a
supplement draw. FEEDER: seat that fed the open kan whose supplement tile is being played, or NOBODY.
NEWEST: physical id of the tile drawn, discarded, added or set aside last, NO_ID where the log has none."""

# Scalars of a seat: rows of ``seats``.
(
    S_MELDS, S_OPEN, S_REDS, S_KITA, S_RIICHI, S_DOUBLE, S_IPPATSU, S_TEMPORARY, S_FURITEN, S_RIVER, S_WAITS,
    S_DISCARDS, S_DRAWN, S_SUPPLEMENT, S_MISSED, S_NAGASHI, S_DECLARING, S_SIZE,
) = range(18)  # fmt: skip
"""REDS: red fives in melds. RIICHI: 0 no, 1 declared, 2 paid. TEMPORARY: temporary furiten. FURITEN: for the
rest of the hand. DRAWN: tile drawn in this turn, or NOBODY. SUPPLEMENT: that tile came from the dead wall.
MISSED: was furiten before the tile on offer. NAGASHI: 1 while only terminals and honours lie uncalled in the
river. DECLARING: the tile on offer declared riichi."""

F_CODE, F_HAND, F_EVENT, F_SEAT, F_TILE, F_EXPECTED, F_ACTUAL, F_SIZE = range(8)


class Table(NamedTuple):
    """State of one hand; see the constants above for the rows of ``hand`` and ``seats``."""

    counts: U8
    """(4, 34) concealed tiles by kind."""
    held: U8
    """(4, 37) concealed tiles by tile."""
    melded: U8
    """(4, 34) tiles in melds by kind."""
    keys: I64
    """(4, 4) suit keys of the concealed tiles."""
    meld_kinds: U8
    """(4, 4) lowest kind of each meld."""
    meld_types: U8
    """(4, 4) EventKind of each meld."""
    meld_sources: U8
    """(4, 4) seat each meld was fed by, NOBODY for closed kans."""
    seats: I64
    """(S_SIZE, 4)."""
    hand: I64
    """(H_SIZE,)."""
    scores: I64
    """(4,) points, riichi sticks of this hand paid."""
    liable: I64
    """(4, 4) yakuman ids (bits) of the first index's hand that the second index is liable for."""
    indicators: U8
    """(5,) kinds of the dora indicators turned."""
    seen: U8
    """(37,) tiles of each sort that have come into play."""
    river: U8
    """(34,) discards that lie in the rivers, by kind."""
    places: U8
    """(136,) where each physical tile lies, for logs that name them."""
    rows: I64
    """(MAX_READINGS, ROW_SIZE) scratch memory for readings."""


class Log(NamedTuple):
    """Findings as they come: rows of F_SIZE numbers, and how many there are."""

    rows: I64
    counts: I64
    """(3,) findings so far, hand and event they belong to."""


@kernel
def note(log: Log, code: int, seat: int, tile: int, expected: int, actual: int) -> None:
    """Note a finding at the present event; what does not fit any more is only counted."""
    number = log.counts[0]
    log.counts[0] += 1
    if number < log.rows.shape[0]:
        row = log.rows[number]
        row[F_CODE], row[F_HAND], row[F_EVENT] = code, log.counts[1], log.counts[2]
        row[F_SEAT], row[F_TILE], row[F_EXPECTED], row[F_ACTUAL] = seat, tile, expected, actual


@kernel
def kind_of(tile: int) -> int:
    """Return the kind of a tile 0-36."""
    return tile if tile < 34 else 9 * (tile - 34) + 4


@kernel
def take(table: Table, seat: int, tile: int) -> None:
    """Put a tile into a hand."""
    kind = int(kind_of(tile))
    table.counts[seat, kind] += 1
    table.held[seat, tile] += 1
    table.keys[seat, kind // 9] += 5 ** (kind % 9)


@kernel
def drop(table: Table, seat: int, tile: int) -> bool:
    """Take a tile out of a hand; False, and nothing done, when it is not there."""
    if tile >= 37 or table.held[seat, tile] == 0:
        return False
    kind = int(kind_of(tile))
    table.counts[seat, kind] -= 1
    table.held[seat, tile] -= 1
    table.keys[seat, kind // 9] -= 5 ** (kind % 9)
    return True


@kernel
def see(table: Table, tile: int, rules: KernelRules, log: Log) -> bool:
    """Count a tile that comes into play; False when the set has no more of it (V103)."""
    limit = 4
    if tile == 34 or tile == 4:
        limit = rules.red_man
    elif tile == 35 or tile == 13:
        limit = rules.red_pin
    elif tile == 36 or tile == 22:
        limit = rules.red_sou
    if tile in (4, 13, 22):
        limit = 4 - limit
    if tile >= 37 or (rules.players == 3 and 1 <= kind_of(tile) <= 7):
        limit = 0
    if tile >= 37 or table.seen[tile] >= limit:
        note(log, 103, NOBODY, tile, limit, limit + 1)
        return False
    table.seen[tile] += 1
    return True


@kernel
def update_waits(table: Table, seat: int, rules: KernelRules, shapes: ShapeTables) -> int:
    """Work out the waits of a hand of 3n + 1 tiles and return them as a mask of kinds."""
    keys = table.keys[seat]
    mask = waits(
        keys[0], keys[1], keys[2], keys[3], table.seats[S_MELDS, seat], rules.chiitoitsu_identical_pairs,
        drawable_kinds(table.counts[seat], table.melded[seat], shapes), shapes,
    )  # fmt: skip
    table.seats[S_WAITS, seat] = mask
    return mask


@kernel
def is_tenpai(table: Table, seat: int, rules: KernelRules, shapes: ShapeTables) -> bool:
    """Tell whether a hand of 3n + 1 tiles counts as tenpai, waits on tiles of which it holds all four apart.

    What of those the rules say: see ``rules.OwnFourWait``.
    """
    if table.seats[S_WAITS, seat]:
        return True
    if rules.own_four_wait == NOTEN:
        return False
    drawable = shapes.kinds
    if rules.own_four_wait == NOTEN_IN_HAND:
        for kind in range(34):
            if table.counts[seat, kind] == 4:
                drawable &= ~(1 << kind)
    keys = table.keys[seat]
    return waits(
        keys[0], keys[1], keys[2], keys[3], table.seats[S_MELDS, seat], rules.chiitoitsu_identical_pairs,
        drawable, shapes,
    ) != 0  # fmt: skip


@kernel
def furiten(table: Table, seat: int) -> bool:
    """Tell whether a seat may not win by ron, by its own discards or by what it let pass."""
    seats = table.seats
    return (
        seats[S_WAITS, seat] & seats[S_RIVER, seat] != 0
        or seats[S_TEMPORARY, seat] != 0
        or seats[S_FURITEN, seat] != 0
    )


@kernel
def offer(table: Table, event: int, seat: int, tile: int, rules: KernelRules) -> None:
    """Put a tile before the others: who waits for it wins now or is furiten from here on.

    A concealed kan offers its tile to thirteen orphans only, and only where the rules allow the robbery.
    """
    hand, seats = table.hand, table.seats
    hand[H_OFFER], hand[H_OFFER_SEAT], hand[H_OFFER_TILE] = event, seat, tile
    bit = 1 << kind_of(tile)
    for other in range(rules.players):
        if other == seat:
            continue
        seats[S_MISSED, other] = furiten(table, other)
        if not seats[S_WAITS, other] & bit:
            continue
        if event == ANKAN and not (rules.kokushi_ankan_ron and is_orphans(table, other)):
            continue
        seats[S_TEMPORARY, other] = 1
        if seats[S_RIICHI, other]:
            seats[S_FURITEN, other] = 1


@kernel
def seen_by(table: Table, seat: int, kind: int) -> int:
    """Count the tiles of a kind that a seat sees: its own, and those that lie open on the table."""
    seen = 0
    for i in range(table.hand[H_TURNED]):
        seen += table.indicators[i] == kind
    for other in range(4):
        seen += table.seats[S_KITA, other] if kind == NORTH else 0
        seen += table.melded[other, kind]
    return int(seen + table.river[kind] + table.counts[seat, kind])


@kernel
def live_copies(table: Table, mask: int, seat: int) -> int:
    """Count the tiles of the kinds in ``mask`` that a seat does not see."""
    live = 0
    for kind in range(34):
        if mask >> kind & 1:
            live += 4 - seen_by(table, seat, kind)
    return live


@kernel
def is_orphans(table: Table, seat: int) -> bool:
    """Tell whether a tenpai hand is one of thirteen orphans: nothing else holds so many kinds of them."""
    kinds = 0
    for kind in range(34):
        if YAOCHUU >> kind & 1 and table.counts[seat, kind]:
            kinds += 1
    return kinds >= 12


@kernel
def dora_due(hand: I64, rules: KernelRules, discarding: bool) -> int:
    """Return how many indicators must lie open at a supplement draw, or at a discard."""
    timing = rules.kan_dora_timing
    if rules.kan_dora == 0:
        return 1
    if timing == ALL_AFTER_DISCARD:
        return hand[H_TURNED]
    late = 0 if timing == AT_ONCE or (timing == BEFORE_DISCARD and discarding) else hand[H_LATE_KAN]
    return min(MAX_TURNED, 1 + hand[H_KANS] - late)


@kernel
def draw(table: Table, seat: int, tile: int, rules: KernelRules, log: Log) -> bool:
    """``seat`` draws."""
    hand, seats = table.hand, table.seats
    supplement = hand[H_PHASE] == WAIT_SUPPLEMENT
    if hand[H_TURN] != seat or not (supplement or hand[H_PHASE] == WAIT_DRAW) or hand[H_LIVE] <= 0:
        note(log, 201, seat, tile, hand[H_TURN], seat)
        return False
    if supplement:
        due = dora_due(hand, rules, False)
        if hand[H_TURNED] != due:
            note(log, 209, seat, tile, due, hand[H_TURNED])
            hand[H_TURNED] = due
        hand[H_FIRST] = 0
        hand[H_SUPPLEMENTS] += 1
        for other in range(4):
            seats[S_IPPATSU, other] = 0
    else:
        due = min(MAX_TURNED, 1 + hand[H_KANS] * rules.kan_dora)
        if rules.kan_dora_timing >= AFTER_DISCARD and hand[H_TURNED] != due:
            note(log, 209, seat, tile, due, hand[H_TURNED])
            hand[H_TURNED] = due
        hand[H_LATE_KAN] = 0
        hand[H_DRAWS] += 1
    if not see(table, tile, rules, log) or table.counts[seat, kind_of(tile)] == 4:
        return False
    take(table, seat, tile)
    seats[S_DRAWN, seat] = tile
    seats[S_SUPPLEMENT, seat] = supplement
    if rules.temporary_furiten == 0:
        seats[S_TEMPORARY, seat] = 0
    hand[H_LIVE] -= 1
    hand[H_OFFER] = 0
    hand[H_PHASE] = WAIT_ACT
    return True


@kernel
def discard(
    table: Table, seat: int, tile: int, flags: int, rules: KernelRules, shapes: ShapeTables, log: Log
) -> bool:
    """``seat`` discards; its waits are worked out anew and the others may win the tile."""
    hand, seats = table.hand, table.seats
    phase = hand[H_PHASE]
    if hand[H_TURN] != seat or phase < WAIT_ACT or phase > WAIT_DECLARED:
        note(log, 201, seat, tile, hand[H_TURN], seat)
        return False
    drawn = seats[S_DRAWN, seat]
    only_drawn = drawn == tile and table.held[seat, tile] == 1
    only_drawn = only_drawn or (drawn == tile and seats[S_RIICHI, seat] == 2)
    if (flags & TSUMOGIRI and drawn != tile) or (not flags & TSUMOGIRI and only_drawn):
        note(log, 203, seat, tile, drawn, tile)
    if seats[S_RIICHI, seat] == 2:
        if drawn != tile:
            note(log, 207, seat, tile, drawn, tile)
        if seats[S_WAITS, seat] >> kind_of(drawn) & 1:
            seats[S_FURITEN, seat] = 1
        seats[S_IPPATSU, seat] = 0
    if not drop(table, seat, tile):
        note(log, 202, seat, tile, 1, 0)
        return False
    kind = kind_of(tile)
    if hand[H_KUIKAE] >> kind & 1:
        note(log, 205, seat, tile, 0, kind)
    hand[H_KUIKAE] = 0
    hand[H_FEEDER] = NOBODY
    due = dora_due(hand, rules, True)
    if hand[H_TURNED] != due:
        note(log, 209, seat, tile, due, hand[H_TURNED])
        hand[H_TURNED] = due
    hand[H_AFTER_KAN] = drawn != NOBODY and seats[S_SUPPLEMENT, seat]
    track_first_winds(table, seat, kind)
    seats[S_RIVER, seat] |= 1 << kind
    table.river[kind] += 1
    seats[S_NAGASHI, seat] &= YAOCHUU >> kind
    seats[S_TEMPORARY, seat] = 0
    update_waits(table, seat, rules, shapes)
    seats[S_DECLARING, seat] = phase == WAIT_DECLARED
    if phase == WAIT_DECLARED:
        if not is_tenpai(table, seat, rules, shapes):
            note(log, 207, seat, tile, NOT_TENPAI, 0)
        seats[S_RIICHI, seat] = 1
        seats[S_DOUBLE, seat] = hand[H_FIRST] and seats[S_DISCARDS, seat] == 0
        hand[H_UNPAID] = seat
    seats[S_DISCARDS, seat] += 1
    seats[S_DRAWN, seat] = NOBODY
    offer(table, DISCARD, seat, tile, rules)
    hand[H_TURN] = (seat + 1) % rules.players
    hand[H_PHASE] = WAIT_DRAW
    return True


@kernel
def track_first_winds(table: Table, seat: int, kind: int) -> None:
    """Follow whether all discards of the first go-around are the same wind."""
    hand = table.hand
    if hand[H_FIRST] == 0 or table.seats[S_DISCARDS, seat] or not 27 <= kind <= NORTH:
        hand[H_WINDS] = -1
    elif hand[H_WINDS] == 0:
        hand[H_WINDS] = 1 << kind
    elif hand[H_WINDS] != 1 << kind:
        hand[H_WINDS] = -1


@kernel
def add_meld(table: Table, event: int, seat: int, kind: int, source: int) -> None:
    """Lay down a meld."""
    number = table.seats[S_MELDS, seat]
    table.meld_kinds[seat, number] = kind
    table.meld_types[seat, number] = event
    table.meld_sources[seat, number] = source
    table.seats[S_MELDS, seat] += 1


@kernel
def call(
    table: Table, event: int, seat: int, tile: int, source: int, own: U8, rules: KernelRules, log: Log
) -> bool:
    """``seat`` calls the discard of ``source``: chi, pon or open kan."""
    hand, seats = table.hand, table.seats
    number = 3 if event == DAIMINKAN else 2
    kind = kind_of(tile)
    low, high = kind, kind
    fits = True
    for i in range(number):
        other = kind_of(own[i]) if own[i] < 37 else NOBODY
        fits = fits and (other == kind) != (event == CHI) and other // 9 == kind // 9
        low, high = min(low, other), max(high, other)
    if event == CHI:
        first, second = kind_of(own[0]), kind_of(own[1])
        fits = fits and high - low == 2 and first != second and kind < 27
        fits = fits and rules.chi != 0 and seat == (source + 1) % rules.players
    legal = (
        hand[H_PHASE] == WAIT_DRAW
        and hand[H_OFFER] == DISCARD
        and hand[H_OFFER_SEAT] == source
        and hand[H_OFFER_TILE] == tile
        and seat != source
        and seats[S_RIICHI, seat] == 0
        and hand[H_LIVE] > 0
    )
    if not (legal and fits):
        note(log, 204, seat, tile, hand[H_OFFER_TILE] if hand[H_OFFER] else NOBODY, tile)
        return False
    for i in range(number):
        if not drop(table, seat, own[i]):
            note(log, 204, seat, int(own[i]), int(own[i]), NOBODY)
            return False
    for i in range(number):
        table.melded[seat, kind_of(own[i])] += 1
        seats[S_REDS, seat] += own[i] >= 34
    table.melded[seat, kind] += 1
    table.river[kind] -= 1
    seats[S_REDS, seat] += tile >= 34
    add_meld(table, event, seat, low, source)
    seats[S_OPEN, seat] = 1
    seats[S_NAGASHI, source] = 0
    if rules.temporary_furiten == 0:
        seats[S_TEMPORARY, seat] = 0
    for other in range(4):
        seats[S_IPPATSU, other] = 0
    hand[H_FIRST] = 0
    hand[H_OFFER] = 0
    hand[H_TURN] = seat
    seats[S_DRAWN, seat] = NOBODY
    if event == DAIMINKAN:
        count_kan(hand, seat, tile, rules.kan_dora_timing != AT_ONCE, rules, log)
        hand[H_FEEDER] = source
        hand[H_PHASE] = WAIT_SUPPLEMENT
    else:
        if rules.kuikae:
            hand[H_KUIKAE] = 1 << kind
        if rules.kuikae == 2 and event == CHI and kind != low + 1:
            end = kind + 3 if kind == low else kind - 3
            if end >= 0 and end // 9 == kind // 9:
                hand[H_KUIKAE] |= 1 << end
        hand[H_PHASE] = WAIT_DISCARD
    note_liability(table, seat, source, rules)
    return True


@kernel
def count_kan(hand: I64, seat: int, tile: int, late: bool, rules: KernelRules, log: Log) -> None:
    """Count a kan, of which there are four at most, or five where the fifth ends the hand."""
    if hand[H_KANS] == 4 + (rules.abort_fifth_kan != 0):
        note(log, 210, seat, tile, 4, 5)
    hand[H_KANS] += 1
    hand[H_LATE_KAN] = late


@kernel
def note_liability(table: Table, seat: int, source: int, rules: KernelRules) -> None:
    """Make ``source`` liable when the meld it just fed settles a yakuman."""
    dragons = winds = kans = honours = terminals = greens = 0
    number = table.seats[S_MELDS, seat]
    for i in range(number):
        kind, sort = table.meld_kinds[seat, i], table.meld_types[seat, i]
        dragons += kind >= 31
        winds += 27 <= kind <= NORTH
        kans += sort >= DAIMINKAN
        honours += kind >= 27
        terminals += kind < 27 and sort != CHI and kind % 9 in (0, 8)
        green = kind == 32 or (kind in (19, 20, 21, 23, 25) and sort != CHI) or (kind == 19 and sort == CHI)
        greens += green
    last, sort = table.meld_kinds[seat, number - 1], table.meld_types[seat, number - 1]
    mask = 0
    if rules.pao_daisangen and dragons == 3 and last >= 31:
        mask |= 1 << 39
    if rules.pao_daisuushii and winds == 4 and 27 <= last <= NORTH:
        mask |= 1 << 49
    if rules.pao_suukantsu and kans == 4 and sort == DAIMINKAN:
        mask |= 1 << 51
    if rules.pao_tsuuiisou and honours == 4:
        mask |= 1 << 42
    if rules.pao_chinroutou and terminals == 4:
        mask |= 1 << 44
    if rules.pao_ryuuiisou and greens == 4:
        mask |= 1 << 43
    table.liable[seat, source] |= mask


@kernel
def own_kan(
    table: Table, event: int, seat: int, tile: int, own: U8, rules: KernelRules, shapes: ShapeTables, log: Log
) -> bool:
    """``seat`` lays a closed kan, or adds a tile to a pon."""
    hand, seats = table.hand, table.seats
    kind = kind_of(tile)
    if hand[H_TURN] != seat or hand[H_PHASE] != WAIT_ACT or hand[H_LIVE] <= 0:
        note(log, 206, seat, tile, NOT_TO_MOVE, hand[H_PHASE])
        return False
    before = seats[S_WAITS, seat]
    if event == KAKAN:
        pon = -1
        for i in range(seats[S_MELDS, seat]):
            if table.meld_types[seat, i] == PON and table.meld_kinds[seat, i] == kind:
                pon = i
        if pon < 0 or not drop(table, seat, tile):
            note(log, 206, seat, tile, NOT_HELD, 0)
            return False
        table.meld_types[seat, pon] = KAKAN
        seats[S_REDS, seat] += tile >= 34
        table.melded[seat, kind] += 1
    else:
        for i in range(4):
            part = tile if i == 3 else own[i]
            if part >= 37 or kind_of(part) != kind or not drop(table, seat, part):
                note(log, 206, seat, tile, NOT_HELD, i)
                return False
            seats[S_REDS, seat] += part >= 34
        table.melded[seat, kind] += 4
        add_meld(table, ANKAN, seat, kind, NOBODY)
    mask = update_waits(table, seat, rules, shapes)
    if seats[S_RIICHI, seat]:
        drawn = kind_of(seats[S_DRAWN, seat])
        if event == KAKAN or rules.riichi_kan == FORBIDDEN or drawn != kind or mask != before:
            note(log, 206, seat, tile, before, mask)
        elif rules.riichi_kan == SAME_SHAPE and not is_triplet_in_every_reading(
            table.counts[seat], mask, kind, rules.chiitoitsu_identical_pairs, table.rows
        ):
            note(log, 206, seat, tile, OTHER_GROUPS, 0)
    # An open kan's indicator may still be face down when another kan follows: it is turned now.
    count_kan(hand, seat, tile, event == KAKAN and rules.kan_dora_timing != AT_ONCE, rules, log)
    seats[S_DRAWN, seat] = NOBODY
    hand[H_FEEDER] = NOBODY
    offer(table, event, seat, tile, rules)
    hand[H_PHASE] = WAIT_SUPPLEMENT
    return True


@kernel
def kita(table: Table, seat: int, tile: int, rules: KernelRules, shapes: ShapeTables, log: Log) -> bool:
    """``seat`` sets a north aside."""
    hand, seats = table.hand, table.seats
    legal = hand[H_TURN] == seat and hand[H_PHASE] == WAIT_ACT and hand[H_LIVE] > 0 and rules.kita
    if not legal or tile != NORTH or (seats[S_RIICHI, seat] and seats[S_DRAWN, seat] != NORTH):
        note(log, 213, seat, tile, NORTH, tile)
        return False
    if not drop(table, seat, tile):
        note(log, 213, seat, tile, 1, 0)
        return False
    seats[S_KITA, seat] += 1
    update_waits(table, seat, rules, shapes)
    seats[S_DRAWN, seat] = NOBODY
    hand[H_FEEDER] = NOBODY
    hand[H_LATE_KAN] = 0
    offer(table, KITA, seat, tile, rules)
    hand[H_PHASE] = WAIT_SUPPLEMENT
    return True


@kernel
def declare(table: Table, seat: int, rules: KernelRules, log: Log) -> bool:
    """``seat`` declares riichi; whether it is tenpai shows at the discard."""
    hand, seats = table.hand, table.seats
    phase = hand[H_PHASE]
    if hand[H_TURN] != seat or phase not in (WAIT_ACT, WAIT_DISCARD):
        note(log, 201, seat, NOBODY, hand[H_TURN], seat)
        return False
    if seats[S_RIICHI, seat] or seats[S_OPEN, seat]:
        note(log, 207, seat, NOBODY, NOT_CLOSED, seats[S_RIICHI, seat])
    if table.scores[seat] < rules.riichi_points:
        note(log, 207, seat, NOBODY, rules.riichi_points, table.scores[seat])
    if hand[H_LIVE] < rules.riichi_wall:
        note(log, 207, seat, NOBODY, rules.riichi_wall, hand[H_LIVE])
    hand[H_PHASE] = WAIT_DECLARED
    return True


@kernel
def pay_riichi(table: Table, seat: int, rules: KernelRules, log: Log) -> bool:
    """``seat`` pays its riichi stick."""
    hand, seats = table.hand, table.seats
    if hand[H_UNPAID] != seat:
        note(log, 208, seat, NOBODY, hand[H_UNPAID], seat)
        return True
    hand[H_UNPAID] = NOBODY
    hand[H_STICKS] += 1
    hand[H_RIICHI] += 1
    table.scores[seat] -= rules.riichi_stick
    seats[S_RIICHI, seat] = 2
    seats[S_IPPATSU, seat] = 1
    return True


@kernel
def turn_dora(table: Table, tile: int, rules: KernelRules, log: Log) -> bool:
    """Turn a kan's indicator."""
    hand = table.hand
    if not see(table, tile, rules, log):
        return False
    late = hand[H_LATE_KAN]
    if hand[H_PHASE] == WAIT_DRAW or (rules.kan_dora_timing < AFTER_DISCARD and hand[H_PHASE] == WAIT_ACT):
        late = 0
    if hand[H_TURNED] >= 1 + hand[H_KANS] - late or hand[H_TURNED] == MAX_TURNED:
        note(log, 209, NOBODY, tile, hand[H_KANS] + 1 - late, hand[H_TURNED] + 1)
        if hand[H_TURNED] == MAX_TURNED:
            return True
    table.indicators[hand[H_TURNED]] = kind_of(tile)
    hand[H_TURNED] += 1
    return True


@kernel
def move(table: Table, tile_id: int, place: int, target: int) -> bool:
    """Take a physical tile from ``place`` to ``target``; False when it did not lie there."""
    if tile_id == NO_ID:
        return True
    fits = table.places[tile_id] == place
    table.places[tile_id] = target
    return fits


@kernel
def follow(
    table: Table, event: int, seat: int, tile: int, source: int, tile_id: int, own: U8, log: Log
) -> None:
    """Follow the physical tiles of an event that has been applied, where the log names them.

    A copy that does not lie where the event takes it from is a breach like a tile that is not there at all.
    """
    if event == KAKAN and source != NOBODY:
        for i in range(table.seats[S_MELDS, seat]):
            own_pon = table.meld_types[seat, i] == KAKAN and table.meld_kinds[seat, i] == kind_of(tile)
            if own_pon and table.meld_sources[seat, i] != source:
                note(log, 206, seat, tile, OTHER_SOURCE, source)
    hand = table.hand
    code, fits = 103, True
    if event == DRAW:
        fits = move(table, tile_id, UNSEEN, IN_HAND + seat)
    elif event == DORA:
        fits = move(table, tile_id, UNSEEN, INDICATOR + hand[H_TURNED] - 1)
    elif event in (DISCARD, KITA):
        code = 202 if event == DISCARD else 213
        fits = move(table, tile_id, IN_HAND + seat, GONE)
    elif CHI <= event <= DAIMINKAN:
        code = 204
        fits = tile_id == hand[H_NEWEST] and move(table, tile_id, GONE, CALLED + seat)
        for i in range(3):
            fits = move(table, own[i], IN_HAND + seat, MELDED + seat) and fits
    elif event in (ANKAN, KAKAN):
        code = 206
        fits = move(table, tile_id, IN_HAND + seat, MELDED + seat)
        for i in range(3):
            place = IN_HAND if event == ANKAN else CALLED if i == 0 else MELDED
            target = CALLED if place == CALLED else MELDED
            fits = move(table, own[i], place + seat, target + seat) and fits
    if event <= KITA:
        hand[H_NEWEST] = tile_id
    if not fits:
        note(log, code, seat, tile, OTHER_COPY, tile_id)
