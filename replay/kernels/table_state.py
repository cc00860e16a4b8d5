"""The state of a hand: where every tile lies, who is to move, who waits for what.

It is a :class:`TableState`, a handful of small arrays that are reset for each hand. What changes it are the
transitions of :mod:`~paifu.replay.kernels.transitions`; here are its parts and what can be read from them.

Tiles are 0-36, kinds 0-33, seats absolute.
"""

from __future__ import annotations

from typing import NamedTuple

from paifu.replay.kernels import codes
from paifu.replay.kernels.arrays import I64, I64_2D, U8, U8_2D
from paifu.replay.kernels.jit import kernel
from paifu.replay.kernels.notes import Notes, note
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.shapes import ShapeTables, drawable_kinds, waits

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
UNTIL_DRAW, UNTIL_DISCARD, UNTIL_OWN_DRAW = 0, 1, 2
"""``rules.TemporaryFuriten``."""
NOTEN_IN_HAND, NOTEN = 1, 2
"""``rules.OwnFourWait``."""
FORBIDDEN, SAME_SHAPE = 0, 2
"""``rules.RiichiKan``."""
FOULS_AT_ONCE, FOULS_AT_DRAW = 1, 2
"""``rules.RiichiFouls``."""
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
    H_SUPPLEMENTS, H_DRAWS, H_FEEDER, H_NEWEST, H_EAST,
    H_OFFENDER, H_TWOFOLD, H_DEALER_WINS, H_SIZE,
) = range(29)  # fmt: skip
"""OFFER: kind of event whose tile may be won or called (0: none). LATE_KAN: the newest kan's indicator is
not due before its supplement draw. FIRST: no call or kan yet. UNPAID: seat that owes a riichi stick, or
NOBODY. KUIKAE: mask of kinds not to be discarded now. WINDS: mask of winds discarded so far in the first
go-around, -1 once it cannot be four equal ones. AFTER_KAN: the tile on offer was discarded after a
supplement draw. FEEDER: seat that fed the open kan whose supplement tile is being played, or NOBODY.
NEWEST: physical id of the tile drawn, discarded, added or set aside last, NO_ID where the log has none.
EAST: seat whose wind is east. OFFENDER: seat whose foul ends the hand. TWOFOLD: the kan just
made has the supplement tile of another. DEALER_WINS: the dealer's wins in a row before this hand."""
# Scalars of a seat: rows of ``seats``.
(
    S_MELDS, S_OPEN, S_REDS, S_KITA, S_RIICHI, S_DOUBLE, S_IPPATSU, S_TEMPORARY, S_FURITEN, S_RIVER, S_WAITS,
    S_DISCARDS, S_DRAWN, S_SUPPLEMENT, S_MISSED, S_NAGASHI, S_DECLARING, S_FOUL, S_SIZE,
) = range(19)  # fmt: skip
"""REDS: red fives in melds. RIICHI: 0 no, 1 declared, 2 paid. TEMPORARY: temporary furiten. FURITEN: for the
rest of the hand. DRAWN: tile drawn in this turn, or NOBODY. SUPPLEMENT: that tile came from the dead wall, 1
for a kan, 2 for a kita. MISSED: was furiten before the tile on offer. NAGASHI: 1 while only terminals and
honours lie uncalled in the river. DECLARING: the tile on offer declared riichi. FOUL: riichi without tenpai,
or a kan that changed the waits."""


class TableState(NamedTuple):
    """State of one hand; see the constants above for the rows of ``hand`` and ``seats``."""

    counts: U8_2D
    """(4, 34) concealed tiles by kind."""
    held: U8_2D
    """(4, 37) concealed tiles by tile."""
    melded: U8_2D
    """(4, 34) tiles in melds by kind."""
    keys: I64_2D
    """(4, 4) suit keys of the concealed tiles."""
    meld_kinds: U8_2D
    """(4, 4) lowest kind of each meld."""
    meld_types: U8_2D
    """(4, 4) EventKind of each meld."""
    meld_sources: U8_2D
    """(4, 4) seat each meld was fed by, NOBODY for closed kans."""
    seats: I64_2D
    """(S_SIZE, 4)."""
    hand: I64
    """(H_SIZE,)."""
    scores: I64
    """(4,) points, riichi sticks of this hand paid."""
    liable: I64_2D
    """(4, 4) yakuman ids (bits) of the first index's hand that the second index is liable for."""
    indicators: U8
    """(5,) kinds of the dora indicators turned."""
    seen: U8
    """(37,) tiles of each sort that have come into play."""
    river: U8
    """(34,) discards that lie in the rivers, by kind."""
    places: U8
    """(136,) where each physical tile lies, for logs that name them."""
    rows: I64_2D
    """(MAX_READINGS, ROW_SIZE) scratch memory for readings."""


@kernel
def kind_of(tile: int) -> int:
    """Return the kind of a tile 0-36."""
    return tile if tile < 34 else 9 * (tile - 34) + 4


@kernel
def rest_of_run(low: int, kind: int) -> tuple[int, int]:
    """Return the two kinds that make a run from ``low`` on with ``kind``."""
    return low + (low == kind), low + 2 - (low + 2 == kind)


@kernel
def take(table: TableState, seat: int, tile: int) -> None:
    """Put a tile into a hand."""
    kind = int(kind_of(tile))
    table.counts[seat, kind] += 1
    table.held[seat, tile] += 1
    table.keys[seat, kind // 9] += 5 ** (kind % 9)


@kernel
def drop(table: TableState, seat: int, tile: int) -> bool:
    """Take a tile out of a hand; False, and nothing done, when it is not there."""
    if tile >= 37 or table.held[seat, tile] == 0:
        return False
    kind = int(kind_of(tile))
    table.counts[seat, kind] -= 1
    table.held[seat, tile] -= 1
    table.keys[seat, kind // 9] -= 5 ** (kind % 9)
    return True


@kernel
def see(table: TableState, tile: int, rules: KernelRules, notes: Notes) -> bool:
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
        note(notes, codes.TOO_MANY_COPIES, NOBODY, tile, limit, limit + 1)
        return False
    table.seen[tile] += 1
    return True


@kernel
def update_waits(table: TableState, seat: int, rules: KernelRules, shapes: ShapeTables) -> int:
    """Work out the waits of a hand of 3n + 1 tiles and return them as a mask of kinds."""
    keys = table.keys[seat]
    mask = waits(
        keys[0], keys[1], keys[2], keys[3], table.seats[S_MELDS, seat], rules.forms,
        drawable_kinds(table.counts[seat], table.melded[seat], shapes), shapes,
    )  # fmt: skip
    table.seats[S_WAITS, seat] = mask
    return mask


@kernel
def is_tenpai(table: TableState, seat: int, rules: KernelRules, shapes: ShapeTables) -> bool:
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
        keys[0], keys[1], keys[2], keys[3], table.seats[S_MELDS, seat], rules.forms,
        drawable, shapes,
    ) != 0  # fmt: skip


@kernel
def furiten(table: TableState, seat: int) -> bool:
    """Tell whether a seat may not win by ron, by its own discards or by what it let pass."""
    seats = table.seats
    return (
        seats[S_WAITS, seat] & seats[S_RIVER, seat] != 0
        or seats[S_TEMPORARY, seat] != 0
        or seats[S_FURITEN, seat] != 0
    )


@kernel
def offer(table: TableState, event: int, seat: int, tile: int, rules: KernelRules) -> None:
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
def seen_by(table: TableState, seat: int, kind: int) -> int:
    """Count the tiles of a kind that a seat sees: its own, and those that lie open on the table."""
    seen = 0
    for i in range(table.hand[H_TURNED]):
        seen += table.indicators[i] == kind
    for other in range(4):
        seen += table.seats[S_KITA, other] if kind == NORTH else 0
        seen += table.melded[other, kind]
    return int(seen + table.river[kind] + table.counts[seat, kind])


@kernel
def live_copies(table: TableState, mask: int, seat: int) -> int:
    """Count the tiles of the kinds in ``mask`` that a seat does not see."""
    live = 0
    for kind in range(34):
        if mask >> kind & 1:
            live += 4 - seen_by(table, seat, kind)
    return live


@kernel
def is_orphans(table: TableState, seat: int) -> bool:
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
def move(table: TableState, tile_id: int, place: int, target: int) -> bool:
    """Take a physical tile from ``place`` to ``target``; False when it did not lie there."""
    if tile_id == NO_ID:
        return True
    fits = table.places[tile_id] == place
    table.places[tile_id] = target
    return fits
