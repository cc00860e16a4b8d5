"""The state of a hand: where every tile lies, who is to move, who waits for what.

It is a :class:`TableState`, a record that is cleared for each hand. What changes it are the
transitions of :mod:`~paifu.replay.kernels.transitions`; here are its parts and what can be read from them.

Tiles are 0-36, kinds 0-33, seats absolute.
"""

from __future__ import annotations

from paifu.replay.kernels import codes
from paifu.replay.kernels.arrays import I64, I64_2D, U8, U8_2D
from paifu.replay.kernels.notes import Notes, note
from paifu.replay.kernels.records import Record, cells
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.running import kernel
from paifu.replay.kernels.scoring_layout import MAX_READINGS, ROW_SIZE
from paifu.replay.kernels.shapes import POWERS, ShapeTables, drawable_kinds, waits

# What the table waits for.
WAIT_DRAW, WAIT_ACT, WAIT_DISCARD, WAIT_DECLARED, WAIT_SUPPLEMENT, OVER = range(6)
"""A live draw (or a call); anything of who drew; a discard after a call; the discard that declares riichi; a
supplement draw; nothing any more."""
# Event kinds, as in ``events.EventKind``.
DRAW, DISCARD, CHI, PON, DAIMINKAN, ANKAN, KAKAN, KITA = 1, 2, 3, 4, 5, 6, 7, 8
RIICHI, RIICHI_PAID, DORA, WIN, HAND_DRAW, LEAVE, RETURN, BONUS, FOUL = 9, 10, 11, 12, 13, 14, 15, 16, 17
TSUMOGIRI, OPEN = 1, 4
AT_ONCE, BEFORE_DISCARD, AFTER_DISCARD, ALL_AFTER_DISCARD = 0, 1, 2, 3
"""``rules.KanDoraTiming``."""
UNTIL_DRAW, UNTIL_DISCARD, UNTIL_OWN_DRAW = 0, 1, 2
"""``rules.TemporaryFuriten``."""
NOTEN_IN_HAND, NOTEN, NOTEN_SEEN = 1, 2, 3
"""``rules.OwnFourWait``."""
OTHER_END = 3
"""``rules.Kuikae``."""
POCHI_ID, WHITE = 124, 31
"""The first white dragon is the marked one."""
POCHI_WITH_IPPATSU = 2
"""``rules.Pochi``."""
YAKUMAN, IF_AVOIDABLE, TAKEN_BACK = 1, 2, 3
"""``rules.OpenRiichiDealIn``."""
RINSHAN_REFUSED = 2
"""``rules.RinshanFed``."""
FULL_DEAD_WALL = 14
"""Has room for all indicators that kans turn; a shorter one takes further tiles of the wall for them."""
SUPPLEMENTS, SUPPLEMENTS_OF_THREE = 4, 8
WAREME_TWICE = 4
"""Added to the seat of wareme where it counts twice."""
FORBIDDEN, SAME_SHAPE = 0, 2
"""``rules.RiichiKan``."""
FALSE_WIN, NOTEN_RIICHI, SPOILING_KAN, SWAPPED, DEAD_ACTS = 0, 2, 3, 7, 15
"""Ids of the kinds of fouls that the events show, see ``FOUL_KINDS``."""
NOTHING, DEPOSIT, DEAD_HAND, SMALL, FULL = 1, 3, 4, 5, 6
"""``rules.Consequence``, FULL its chombo."""
NOBODY = NO_ID = 255
MAX_TURNED = 5
"""Indicators there are, however many kans a log claims."""
NORTH = 30
EARLY = 4
"""How many discards of a river are its first ones."""
FLOWER, FLOWERS = 37, 4
"""The first flower as a tile, and how many there are; none is ever in a hand."""
YAOCHUU = 0b1111111_100000001_100000001_100000001
UNSEEN, IN_HAND, CALLED, MELDED, INDICATOR, GONE = 0, 1, 5, 9, 16, 32
"""Where a physical tile lies: nowhere yet; in a hand; in a meld, as the tile called or as an own one (these
plus the seat); an indicator (plus its number); in a river or set aside."""


class TableState(Record):
    """State of one hand. Seats are absolute; NOBODY stands for none, NO_ID for a tile without an id."""

    phase: int
    """What the table waits for, see above."""
    turn: int
    """Seat that is to move."""
    dealer: int
    east: int
    """Seat whose wind is east."""
    wind: int
    """Of the round, 0-3."""
    honba: int
    sticks: int
    """Riichi sticks on the table."""
    dealer_wins: int
    """The dealer's wins in a row before this hand."""
    live: int
    """Tiles left to draw."""
    draws: int
    supplements: int
    kans: int
    turned: int
    """Indicators that lie open and count, and those that were due and are missing."""
    missing: int
    """Of these, the last ones that the log has not turned, though they were due."""
    surplus: int
    """Indicators that lie open beyond those, too early or one too many."""
    newest_turned: int
    """Number of the indicator that was turned last."""
    late_kan: int
    """The newest kan's indicator is not due before its supplement draw."""
    first: int
    """No call or kan yet."""
    winds: int
    """Mask of winds discarded so far in the first go-around, -1 once it cannot be four equal ones."""
    riichi_count: int
    """Riichi that were paid."""
    offer: int
    """Kind of event whose tile may be won or called, 0 for none."""
    offer_seat: int
    offer_tile: int
    unpaid: int
    """Seat that owes a riichi stick."""
    kuikae: int
    """Mask of kinds not to be discarded now."""
    refused: int
    """Mask of kinds that an open riichi waits for, which would be taken back if they were discarded now."""
    forced: int
    """The tile on offer could only be one that an open riichi waits for."""
    after_kan: int
    """The tile on offer was discarded after a supplement draw."""
    flowers: int
    """Mask of flowers set aside."""
    after_flower: int
    """The supplement tile that is due follows a flower."""
    twofold: int
    """The kan just made has the supplement tile of another."""
    feeder: int
    """Seat that fed the open kan whose supplement tile is being played."""
    marked: int
    """Seat at the wall's break, where wareme is played and the dice are known; see WAREME_TWICE."""
    off_wall: int
    """The live draw before differed from the wall."""
    abort_noted: int
    """A finding says that the hand had to end in a draw before now."""
    after_end_noted: int
    """A finding says that something comes after the end."""
    newest: int
    """Physical id of the tile drawn, discarded, added or set aside last."""
    winners: int
    offender: int
    """Seat whose foul ends the hand."""
    fouls: int
    """Fouls that were committed, or stated, in this hand."""
    due_cost: int
    """Consequence of the foul that was stated last, where it ends the hand; 0 for none."""
    due_seat: int
    """Whose foul that was."""
    partial: int
    """Seats (bits) of which the log does not state all tiles, or did not at some time."""
    meld_count: I64 = cells(4)
    open_melds: I64 = cells(4)
    meld_reds: I64 = cells(4)
    """Red fives in melds."""
    kita: I64 = cells(4)
    """Norths and flowers set aside, a dora each."""
    norths: I64 = cells(4)
    """The norths among them."""
    riichi: I64 = cells(4)
    """0 no, 1 declared, 2 paid."""
    double_riichi: I64 = cells(4)
    open_riichi: I64 = cells(4)
    """1 where it is declared with the hand shown."""
    ippatsu: I64 = cells(4)
    declaring: I64 = cells(4)
    """The tile on offer declared riichi."""
    temporary_furiten: I64 = cells(4)
    permanent_furiten: I64 = cells(4)
    """For the rest of the hand."""
    was_furiten: I64 = cells(4)
    """Before the tile on offer."""
    river_kinds: I64 = cells(4)
    """Mask of kinds discarded."""
    early_kinds: I64 = cells(4)
    """Mask of kinds among the first EARLY discards."""
    declared_kinds: I64 = cells(4)
    """Mask of the kind that declared riichi."""
    waits: I64 = cells(4)
    """Mask of kinds waited for."""
    discards: I64 = cells(4)
    drawn: I64 = cells(4)
    """Tile drawn in this turn."""
    supplement: I64 = cells(4)
    """That tile came from the dead wall, 1 for a kan, 2 for a kita or a flower."""
    nagashi: I64 = cells(4)
    """1 while only terminals and honours lie uncalled in the river."""
    foul: I64 = cells(4)
    """Kinds of fouls (bits) that the events show."""
    stated: I64 = cells(4)
    """Kinds of fouls (bits) that were stated."""
    dead: I64 = cells(4)
    """The hand is dead."""
    deposits: I64 = cells(4)
    """Sticks put down for fouls."""
    scores: I64 = cells(4)
    """Points, riichi sticks of this hand paid."""
    keys: I64_2D = cells(4, 4)
    """Suit keys of the concealed tiles."""
    liable: I64_2D = cells(4, 4)
    """Yakuman ids (bits) of the first index's hand that the second index is liable for."""
    rows: I64_2D = cells(MAX_READINGS, ROW_SIZE)
    """Scratch memory for readings."""
    hidden: I64 = cells(4)
    """Concealed tiles that are not known; the hand's waits are not known either then, and are empty."""
    counts: U8_2D = cells(4, 34)
    """Concealed tiles by kind."""
    held: U8_2D = cells(4, 37)
    """Concealed tiles by tile."""
    melded: U8_2D = cells(4, 34)
    """Tiles in melds by kind."""
    meld_kinds: U8_2D = cells(4, 4)
    """Lowest kind of each meld."""
    meld_types: U8_2D = cells(4, 4)
    """EventKind of each meld."""
    meld_sources: U8_2D = cells(4, 4)
    """Seat each meld was fed by, NOBODY for closed kans."""
    indicators: U8 = cells(5)
    """Kinds of the dora indicators turned, NOBODY where a log does not show one."""
    under: U8 = cells(5)
    """Tiles below them, plus one, where the wall is known; else 0."""
    seen: U8 = cells(37)
    """Tiles of each sort that have come into play."""
    river: U8 = cells(34)
    """Discards that lie in the rivers, by kind."""
    places: U8 = cells(136)
    """Where each physical tile lies, for logs that name them."""


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
    table.keys[seat, kind // 9] += POWERS[kind % 9]


@kernel
def drop(table: TableState, seat: int, tile: int) -> bool:
    """Take a tile out of a hand; False, and nothing done, when it is not there."""
    if tile >= 37 or table.held[seat, tile] == 0:
        return False
    kind = int(kind_of(tile))
    table.counts[seat, kind] -= 1
    table.held[seat, tile] -= 1
    table.keys[seat, kind // 9] -= POWERS[kind % 9]
    return True


@kernel
def note_counts(table: TableState, seat: int, counts: U8) -> None:
    """Write how many tiles of each kind a hand has."""
    for kind in range(34):
        counts[kind] = table.counts[seat, kind]


@kernel
def hide(table: TableState, seat: int) -> None:
    """Put a tile into a hand that is not known."""
    table.hidden[seat] += 1
    table.partial |= 1 << seat


@kernel
def uncover(table: TableState, seat: int, tile: int, number: int, rules: KernelRules, notes: Notes) -> bool:
    """Take hidden tiles of a hand for this one, as many as it lacks; False if the set holds fewer."""
    while tile < 37 and table.hidden[seat] and table.held[seat, tile] < number:
        if not see(table, tile, rules, notes):
            return False
        table.hidden[seat] -= 1
        take(table, seat, tile)
    return True


@kernel
def copies(tile: int, rules: KernelRules) -> int:
    """Return how many tiles of a sort there are."""
    # Red fives are tiles of their own, and as many fewer are plain.
    limit = 4
    if tile == 34 or tile == 4:
        limit = rules.red_man
    elif tile == 35 or tile == 13:
        limit = rules.red_pin
    elif tile == 36 or tile == 22:
        limit = rules.red_sou
    if tile in (4, 13, 22):
        limit = 4 - limit
    # Three play without the 2 to 8 of characters.
    if tile >= 37 or (rules.players == 3 and 1 <= kind_of(tile) <= 7):
        limit = 0
    return limit


@kernel
def see(table: TableState, tile: int, rules: KernelRules, notes: Notes) -> bool:
    """Count a tile that comes into play; False when it is hidden, or the set has no more of it (V103)."""
    if tile >= 37:
        return False
    limit = copies(tile, rules)
    if table.seen[tile] >= limit:
        note(notes, codes.TOO_MANY_COPIES, NOBODY, tile, limit, limit + 1)
        return False
    table.seen[tile] += 1
    return True


@kernel
def update_waits(table: TableState, seat: int, rules: KernelRules, shapes: ShapeTables) -> int:
    """Work out the waits of a hand of 3n + 1 tiles and return them as a mask of kinds; none if not known."""
    if table.hidden[seat]:
        table.waits[seat] = 0
        return 0
    keys = table.keys[seat]
    mask = waits(
        keys[0], keys[1], keys[2], keys[3], table.meld_count[seat], rules.forms, shapes.kinds, shapes
    )  # fmt: skip
    if mask:  # hardly any hand is tenpai, so it is quicker to look afterwards
        mask &= drawable_kinds(table.counts[seat], table.melded[seat], shapes)
    table.waits[seat] = mask
    return mask


@kernel
def is_tenpai(table: TableState, seat: int, rules: KernelRules, shapes: ShapeTables) -> bool:
    """Return whether a hand of 3n + 1 tiles counts as tenpai, given waits on kinds that it holds whole.

    What of those the rules say: see ``rules.OwnFourWait``.
    """
    if rules.own_four_wait == NOTEN_SEEN:
        return has_unseen_wait(table, seat)
    if table.waits[seat]:
        return True
    if rules.own_four_wait == NOTEN:
        return False
    # Of a kind that the hand has whole: four closed ones do not count where the rules say so.
    drawable = shapes.kinds
    if rules.own_four_wait == NOTEN_IN_HAND:
        for kind in range(34):
            if table.counts[seat, kind] == 4:
                drawable &= ~(1 << kind)
    keys = table.keys[seat]
    return waits(
        keys[0], keys[1], keys[2], keys[3], table.meld_count[seat], rules.forms,
        drawable, shapes,
    ) != 0  # fmt: skip


@kernel
def has_unseen_wait(table: TableState, seat: int) -> bool:
    """Return whether a seat waits for a kind of which it does not see all four: own, in melds, in rivers."""
    for kind in range(34):
        if not table.waits[seat] >> kind & 1:
            continue
        seen = table.river[kind] + table.counts[seat, kind]
        for other in range(4):
            seen += table.melded[other, kind]
        if seen < 4:
            return True
    return False


@kernel
def seen_by(table: TableState, seat: int, kind: int) -> int:
    """Count the tiles of a kind that a seat sees: its own, and those that lie open on the table."""
    seen = 0
    # Indicators, norths set aside and melds; then rivers and its own hand.
    for i in range(table.turned):
        seen += table.indicators[i] == kind
    for other in range(4):
        seen += table.norths[other] if kind == NORTH else 0
        seen += table.melded[other, kind]
    return int(seen + table.river[kind] + table.counts[seat, kind])


@kernel
def note_seen(table: TableState, seat: int, seen: U8) -> None:
    """Write how many tiles of each kind a seat sees."""
    for kind in range(34):
        seen[kind] = seen_by(table, seat, kind)


@kernel
def live_copies(table: TableState, mask: int, seat: int) -> int:
    """Count the tiles of the kinds in ``mask`` that a seat does not see."""
    live = 0
    for kind in range(34):
        if mask >> kind & 1:
            live += 4 - seen_by(table, seat, kind)
    return live


@kernel
def never_drawn(turned: int, rules: KernelRules) -> int:
    """Return how many tiles at the end of the wall stay with this many indicators, supplements not counted.

    The wall makes up for supplement tiles, which leaves room for indicators, unless the dead wall shrinks.
    """
    supplements = SUPPLEMENTS_OF_THREE if rules.players == 3 else SUPPLEMENTS
    needed = supplements + 2 * turned
    if not rules.dead_wall_shrinks:
        needed = min(FULL_DEAD_WALL, needed)
    return max(rules.dead_wall, needed)


@kernel
def dora_due(table: TableState, rules: KernelRules, discarding: bool) -> int:
    """Return how many indicators must lie open at a supplement draw, or at a discard."""
    timing = rules.kan_dora_timing
    if rules.kan_dora == 0:
        return 1
    if timing == ALL_AFTER_DISCARD:
        return table.turned
    # That of the newest kan may wait for the discard.
    late = 0 if timing == AT_ONCE or (timing == BEFORE_DISCARD and discarding) else table.late_kan
    return min(MAX_TURNED, 1 + table.kans - late)


@kernel
def dora_allowed(table: TableState, rules: KernelRules) -> int:
    """Return how many indicators may lie open now: that of the newest kan may have to wait."""
    late = table.late_kan
    if table.phase == WAIT_DRAW or (rules.kan_dora_timing < AFTER_DISCARD and table.phase == WAIT_ACT):
        late = 0
    return 1 + (table.kans - late) * rules.kan_dora


@kernel
def next_indicator(table: TableState, rules: KernelRules) -> int:
    """Return the number of the indicator that is turned next: one that is missing, or a new one."""
    if table.turned < dora_allowed(table, rules):
        return table.turned
    return table.turned - table.missing if table.missing else table.turned + table.surplus


@kernel
def move(table: TableState, tile_id: int, place: int, target: int) -> bool:
    """Take a physical tile from ``place`` to ``target``; False when it did not lie there."""
    if tile_id == NO_ID:
        return True
    # A tile of a hidden hand has been nowhere yet.
    fits = table.places[tile_id] == place or (table.partial != 0 and table.places[tile_id] == UNSEEN)
    table.places[tile_id] = target
    return fits
