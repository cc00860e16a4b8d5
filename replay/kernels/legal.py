"""What is legal: the moves of a seat, and why another move is not one.

Each question is answered from the state before the move, as bits of reasons against it; 0 is a legal move.
The engine makes findings of the reasons; decisions, simulated players and tables that ask their players
choose among what has none.

Seats, tiles and kinds as in :mod:`~paifu.replay.kernels.table_state`.
"""

from __future__ import annotations

from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import U8
from paifu.replay.kernels.claims import LEAST_KNOWN
from paifu.replay.kernels.readings import is_triplet_in_every_reading
from paifu.replay.kernels.rules import FOUL_BITS, KernelRules
from paifu.replay.kernels.running import kernel
from paifu.replay.kernels.shapes import POWERS, ShapeTables
from paifu.replay.kernels.table_state import NOBODY, TableState, kind_of, rest_of_run

(
    NOT_NOW, NOT_HELD, NO_MELD, SWAP, LOCKED, MISMARKED, NOT_TENPAI, NOT_CLOSED, TOO_FEW_POINTS, SHORT_WALL,
    OTHER_GROUPS, TOO_MANY_KANS, NOTHING_LEFT, FOUL, DEAD, REFUSED,
) = (1 << bit for bit in range(16))  # fmt: skip
"""Reasons against a move. NOT_NOW: another seat's turn, or no moment for such a move. NOT_HELD: the hand
lacks a tile. NO_MELD: the tiles make none, or one that this seat may not call. SWAP: kuikae. LOCKED: riichi
allows only the discard of the tile drawn, and no kan that changes the hand. MISMARKED: marked as the tile
just drawn, and is not, or the other way round. NOT_TENPAI, NOT_CLOSED, TOO_FEW_POINTS, SHORT_WALL: against a
riichi. OTHER_GROUPS: a kan in riichi of tiles that another group could need. NOTHING_LEFT: no discard would
be allowed after the call. FOUL does not stop a move: it makes the riichi a foul. DEAD: the hand is dead.
REFUSED: an open riichi waits for the tile, and the rules have it taken back."""
# What a seat may call, as bits; of chi, from A_CHI on, by how far the called kind is above the lowest.
A_PON, A_KAN, A_CHI = 1, 2, 4
# Values of ``events.HandEnd``.
EXHAUSTIVE, NAGASHI, KYUUSHU, SUUFON, SUUCHA, SANCHAHOU, SUUKAIKAN, CHOMBO = 2, 3, 4, 5, 6, 7, 8, 10
NINE = 9
"""Terminals and honours that a hand needs to abort."""
AT_A_DRAW, AT_OWN_WIN = 1, 2
"""When a foul may come out: bits of ``rules.FoulFound`` where it is not at once."""
OF_RIICHI = 1 << state.NOTEN_RIICHI | 1 << state.SPOILING_KAN
"""Kinds of fouls that do not come out at once, as bits."""


# --- fouls --------------------------------------------------------------------------------------------


@kernel
def consequence(kind: int, rules: KernelRules) -> int:
    """Return what a foul of a kind costs: a ``rules.Consequence``."""
    return rules.fouls >> FOUL_BITS * kind & 7


@kernel
def due(table: TableState, seat: int, moment: int, rules: KernelRules) -> int:
    """Return the kinds (bits) of a seat's fouls that come out at a moment, cost something and are not stated.

    ``moment`` is AT_A_DRAW, AT_OWN_WIN or 0, when only those come out that do at once.
    """
    return due_from(table, seat, moment, state.NOTHING + 1, rules)


@kernel
def due_from(table: TableState, seat: int, moment: int, least: int, rules: KernelRules) -> int:
    """Return those of them whose consequence is ``least`` or worse."""
    committed, found = table.foul[seat] & ~table.stated[seat], 0
    for kind in (state.NOTEN_RIICHI, state.SPOILING_KAN, state.SWAPPED, state.DEAD_ACTS):
        when = 0
        if kind == state.NOTEN_RIICHI:
            when = rules.noten_riichi_found
        elif kind == state.SPOILING_KAN:
            when = rules.riichi_kan_found
        if committed >> kind & 1 and (when == 0 or when & moment) and consequence(kind, rules) >= least:
            found |= 1 << kind
    return found


@kernel
def costs_chombo(table: TableState, seat: int, moment: int, rules: KernelRules) -> int:
    """Return the kinds (bits) of a seat's fouls that come out at a moment and end the hand."""
    return due_from(table, seat, moment, state.FULL, rules)


@kernel
def fouled(table: TableState, moment: int, rules: KernelRules) -> int:
    """Return the first seat from the dealer whose foul in riichi ends the hand at a moment, or NOBODY."""
    if table.fouls:
        for turn in range(rules.players):
            seat = (table.dealer + turn) % rules.players
            if costs_chombo(table, seat, moment, rules) & OF_RIICHI:
                return int(seat)
    return NOBODY


# --- discards and riichi ------------------------------------------------------------------------------


@kernel
def sticks_of(table: TableState, seat: int, rules: KernelRules) -> int:
    """Return how many sticks a seat has paid for its riichi in this hand."""
    if table.riichi[seat] != 2:
        return 0
    return rules.open_riichi_sticks if table.open_riichi[seat] else 1


@kernel
def open_waits(table: TableState, seat: int, rules: KernelRules) -> int:
    """Return the kinds (bits) on which open riichi of others win a discard of ``seat``, if it may choose."""
    kinds = 0
    for other in range(rules.players if table.riichi[seat] != 2 else 0):
        is_open = other != seat and table.open_riichi[other] and table.riichi[other] == 2
        if is_open and not furiten(table, other):
            kinds |= table.waits[other]
    return kinds


@kernel
def refused_kinds(table: TableState, seat: int, rules: KernelRules) -> int:
    """Return the kinds (bits) whose discard by ``seat`` would be taken back, unless nothing else is left."""
    if rules.open_riichi_deal_in != state.TAKEN_BACK or table.hidden[seat]:
        return 0
    kinds = open_waits(table, seat, rules)
    return kinds if discardable(table.counts[seat], table.kuikae | kinds) else 0


@kernel
def discardable(counts: U8, forbidden: int) -> int:
    """Return the kinds of a hand, without ``forbidden`` ones (bits), as bits."""
    kinds = 0
    for kind in range(34):
        kinds |= int(counts[kind] != 0) << kind
    return kinds & ~forbidden


@kernel
def against_discard(
    table: TableState, seat: int, tile: int, flags: int, rules: KernelRules, shapes: ShapeTables
) -> int:
    """Return the reasons against a discard that is marked by ``flags``."""
    if table.turn != seat or table.phase < state.WAIT_ACT or table.phase > state.WAIT_DECLARED:
        return NOT_NOW
    # Is it marked as what it is? Of a tile held twice, either may be the one just drawn.
    drawn, in_riichi = table.drawn[seat], table.riichi[seat] == 2
    is_held = tile < 37 and table.held[seat, tile] != 0
    reasons = 0 if is_held else NOT_HELD
    is_single = is_held and table.held[seat, tile] == 1 and table.hidden[seat] == 0
    must_be_drawn = drawn == tile and (in_riichi or is_single)
    is_marked = flags & state.TSUMOGIRI != 0
    if (is_marked and drawn != tile) or (must_be_drawn and not is_marked):
        reasons |= MISMARKED
    # Riichi, kuikae, and what an open riichi has taken back.
    if in_riichi and drawn != tile:
        reasons |= LOCKED
    if is_held and table.kuikae >> kind_of(tile) & 1:
        reasons |= SWAP
    if is_held and table.refused >> kind_of(tile) & 1:
        reasons |= REFUSED
    # The discard of a declaration must leave the hand tenpai.
    is_known = is_held and table.hidden[seat] == 0
    if is_known and table.phase == state.WAIT_DECLARED and not keeps_tenpai(table, seat, tile, rules, shapes):
        reasons |= FOUL if consequence(state.NOTEN_RIICHI, rules) else NOT_TENPAI
    return reasons


@kernel
def keeps_tenpai(table: TableState, seat: int, tile: int, rules: KernelRules, shapes: ShapeTables) -> bool:
    """Return whether a hand counts as tenpai without one of its tiles."""
    before = table.waits[seat]
    state.drop(table, seat, tile)
    state.update_waits(table, seat, rules, shapes)
    keeps = state.is_tenpai(table, seat, rules, shapes)
    state.take(table, seat, tile)
    table.waits[seat] = before
    return keeps


@kernel
def discards(table: TableState, seat: int, rules: KernelRules, shapes: ShapeTables) -> int:
    """Return the tiles (bits) that a seat may discard now; after a declaration, that make it right."""
    tiles = 0
    for tile in range(37):
        flags = state.TSUMOGIRI if tile == table.drawn[seat] else 0
        if against_discard(table, seat, tile, flags, rules, shapes) & ~FOUL == 0:
            tiles |= 1 << tile
    return tiles


@kernel
def against_stake(table: TableState, seat: int, rules: KernelRules) -> int:
    """Return what of points and wall speaks against a riichi. Points that no log states are enough."""
    reasons = 0
    if LEAST_KNOWN <= table.scores[seat] < rules.riichi_points:
        reasons |= TOO_FEW_POINTS
    if table.live < rules.riichi_wall:
        reasons |= SHORT_WALL
    return reasons


@kernel
def against_riichi(table: TableState, seat: int, rules: KernelRules) -> int:
    """Return the reasons against declaring riichi; whether it leaves tenpai is the matter of the discard."""
    if table.turn != seat or table.phase not in (state.WAIT_ACT, state.WAIT_DISCARD):
        return NOT_NOW
    reasons = against_stake(table, seat, rules)
    if table.riichi[seat] or table.open_melds[seat] or table.phase == state.WAIT_DISCARD:
        reasons |= NOT_CLOSED
    return reasons | DEAD if table.dead[seat] else reasons


@kernel
def riichi_discards(table: TableState, seat: int, rules: KernelRules, shapes: ShapeTables) -> int:
    """Return the tiles (bits) with which a seat may declare riichi now."""
    if against_riichi(table, seat, rules):
        return 0
    table.phase = state.WAIT_DECLARED
    tiles = discards(table, seat, rules, shapes)
    table.phase = state.WAIT_ACT
    return tiles


# --- calls --------------------------------------------------------------------------------------------


@kernel
def swap_calls(kind: int, low: int, is_chi: bool, kuikae: int) -> int:
    """Return the kinds that may not be discarded after a chi or pon of ``kind``, as bits.

    ``low`` is the lowest kind of the run of a chi, ``kuikae`` the number of a ``rules.Kuikae``.
    """
    if kuikae == 0:
        return 0
    # The tile called, and the other end of a run that was already there without it.
    forbidden = 0 if kuikae == state.OTHER_END else 1 << kind
    if kuikae >= 2 and is_chi and kind != low + 1:
        end = kind + 3 if kind == low else kind - 3
        if end >= 0 and end // 9 == kind // 9:
            forbidden |= 1 << end
    return forbidden


@kernel
def against_calling(table: TableState, seat: int) -> int:
    """Return the reasons against any call of the discard on offer, or 0."""
    is_now = table.phase == state.WAIT_DRAW and table.offer == state.DISCARD and table.offer_seat != seat
    if not is_now or table.live <= 0:
        return NOT_NOW
    reasons = LOCKED if table.riichi[seat] else 0
    return reasons | DEAD if table.dead[seat] else reasons


@kernel
def against_kans(table: TableState, rules: KernelRules) -> int:
    """Return the reasons against any kan: a fourth, or fifth where it ends the hand; too short a wall."""
    reasons = TOO_MANY_KANS if table.kans == 4 + (rules.abort_fifth_kan != 0) else 0
    return reasons if has_room_for_indicators(table, rules) else reasons | NOT_NOW


@kernel
def has_room_for_indicators(table: TableState, rules: KernelRules) -> bool:
    """Return whether the live wall has the tiles that one more kan's indicator takes, and those face down."""
    if rules.kan_dora == 0:
        return True
    turned = min(state.MAX_TURNED, 2 + table.kans)
    return table.live >= state.never_drawn(turned, rules) - state.never_drawn(table.turned, rules)


@kernel
def against_meld(
    table: TableState, seat: int, first: int, second: int, low: int, is_chi: bool, rules: KernelRules
) -> int:
    """Return NOTHING_LEFT where no discard is allowed once two own kinds are called away."""
    counts, kind = table.counts[seat], int(kind_of(table.offer_tile))
    counts[first] -= 1
    counts[second] -= 1
    left = discardable(counts, swap_calls(kind, low, is_chi, rules.kuikae))
    counts[first] += 1
    counts[second] += 1
    return 0 if left else NOTHING_LEFT


@kernel
def lacks(table: TableState, seat: int, own: U8, number: int) -> int:
    """Return the first of ``number`` tiles that a hand lacks, or NOBODY."""
    for i in range(number):
        copies = 0
        for j in range(i + 1):
            copies += own[j] == own[i]
        if own[i] >= 37 or table.held[seat, own[i]] < copies:
            return i
    return NOBODY


@kernel
def against_call(
    table: TableState, event: int, seat: int, tile: int, source: int, own: U8, rules: KernelRules
) -> int:
    """Return the reasons against a call of the discard of ``source`` with the first tiles of ``own``."""
    number, kind = 3 if event == state.DAIMINKAN else 2, kind_of(tile)
    reasons = against_calling(table, seat)
    if table.offer_seat != source or table.offer_tile != tile:
        reasons = NOT_NOW
    if reasons & ~DEAD:
        return reasons
    # The tiles must make the meld: equal ones, or a run by the player on the left.
    low, high = kind, kind
    fits = True
    for i in range(number):
        other = kind_of(own[i]) if own[i] < 37 else NOBODY
        fits = fits and (other == kind) != (event == state.CHI) and other // 9 == kind // 9
        low, high = min(low, other), max(high, other)
    if event == state.CHI:
        fits = fits and high - low == 2 and kind_of(own[0]) != kind_of(own[1]) and kind < 27
        fits = fits and rules.chi != 0 and seat == (source + 1) % rules.players
    if not fits:
        return NO_MELD
    if lacks(table, seat, own, number) != NOBODY:
        return NOT_HELD
    if event == state.DAIMINKAN:
        return reasons | against_kans(table, rules)
    first, second = int(kind_of(own[0])), int(kind_of(own[1]))
    return reasons | against_meld(table, seat, first, second, int(low), event == state.CHI, rules)


@kernel
def calls(table: TableState, seat: int, rules: KernelRules) -> int:
    """Return what a seat may make of the discard on offer: A_PON, A_KAN, A_CHI and the two bits above it."""
    if against_calling(table, seat):
        return 0
    counts, kind = table.counts[seat], int(kind_of(table.offer_tile))
    found = 0
    if counts[kind] >= 2 and not against_meld(table, seat, kind, kind, kind, False, rules):
        found |= A_PON
    if counts[kind] >= 3 and not against_kans(table, rules):
        found |= A_KAN
    # Runs: of the player before, by their lowest tile.
    if rules.chi == 0 or kind >= 27 or seat != (table.offer_seat + 1) % rules.players:
        return found
    for low in range(max(kind - 2, kind // 9 * 9), kind + 1):
        first, second = rest_of_run(low, kind)
        if low % 9 > 6 or not (counts[first] and counts[second]):
            continue
        if not against_meld(table, seat, first, second, low, True, rules):
            found |= A_CHI << kind - low
    return found


# --- own kans, norths and flowers ---------------------------------------------------------------------


@kernel
def kan_of(table: TableState, seat: int, kind: int) -> int:
    """Return the event of a kan that a seat holds the tiles for: ANKAN, KAKAN or 0."""
    count = table.counts[seat, kind]
    for i in range(table.meld_count[seat] if count else 0):
        if table.meld_types[seat, i] == state.PON and table.meld_kinds[seat, i] == kind:
            return state.KAKAN
    return state.ANKAN if count == 4 else 0


@kernel
def against_kan(
    table: TableState, event: int, seat: int, kind: int, rules: KernelRules, shapes: ShapeTables
) -> int:
    """Return the reasons against an own kan of a kind."""
    if table.turn != seat or table.phase != state.WAIT_ACT or table.live <= 0:
        return NOT_NOW
    if kind >= 34 or kan_of(table, seat, kind) != event:
        return NOT_HELD
    reasons = against_kans(table, rules)
    if table.riichi[seat]:
        reasons |= against_kan_in_riichi(table, event, seat, kind, rules, shapes)
    return reasons | DEAD if table.dead[seat] else reasons


@kernel
def against_kan_in_riichi(
    table: TableState, event: int, seat: int, kind: int, rules: KernelRules, shapes: ShapeTables
) -> int:
    """Return what riichi has against an own kan: it must be closed, of the tile drawn, and change nothing."""
    if event == state.KAKAN:
        return LOCKED
    if table.hidden[seat]:  # what it changes is not known
        is_foul = consequence(state.SPOILING_KAN, rules) != 0
        return 0 if rules.riichi_kan != state.FORBIDDEN else FOUL if is_foul else LOCKED
    # Lay it down to see what it changes; everything is put back below.
    counts, before = table.counts[seat], table.waits[seat]
    laid, reasons = 4 * POWERS[kind % 9], 0
    counts[kind] = 0
    table.keys[seat, kind // 9] -= laid
    table.melded[seat, kind] += 4
    table.meld_count[seat] += 1
    after = state.update_waits(table, seat, rules, shapes)
    # The waits must stay; some rules ask that no reading used the tiles otherwise.
    if consequence(state.SPOILING_KAN, rules) and (after != before or rules.riichi_kan == state.FORBIDDEN):
        reasons = FOUL
    elif rules.riichi_kan == state.FORBIDDEN or kind_of(table.drawn[seat]) != kind or after != before:
        reasons = LOCKED
    elif rules.riichi_kan == state.SAME_SHAPE and not is_triplet_in_every_reading(
        counts, after, kind, rules.forms, table.rows
    ):
        reasons = OTHER_GROUPS
    table.waits[seat] = before
    table.meld_count[seat] -= 1
    table.melded[seat, kind] -= 4
    table.keys[seat, kind // 9] += laid
    counts[kind] = 4
    return reasons


@kernel
def own_kans(table: TableState, seat: int, rules: KernelRules, shapes: ShapeTables) -> int:
    """Return the kinds (bits) of which a seat may lay a kan of its own now; :func:`kan_of` says which."""
    kinds = 0
    for kind in range(34):
        event = kan_of(table, seat, kind)
        if event and against_kan(table, event, seat, kind, rules, shapes) == 0:
            kinds |= 1 << kind
    return kinds


@kernel
def against_kita(table: TableState, seat: int, tile: int, rules: KernelRules) -> int:
    """Return the reasons against setting a tile aside."""
    is_now = table.turn == seat and table.phase == state.WAIT_ACT and table.live > 0
    if not is_now or rules.kita == 0 or tile != state.NORTH:
        return NOT_NOW
    is_other = table.drawn[seat] != state.NORTH and table.drawn[seat] != NOBODY
    reasons = LOCKED if table.riichi[seat] and is_other else 0
    return reasons if table.held[seat, tile] else reasons | NOT_HELD


@kernel
def against_flower(table: TableState, seat: int, tile: int, rules: KernelRules) -> int:
    """Return the reasons against setting a tile aside as a flower: drawn or, before the first draw, dealt."""
    if rules.flowers_dora == 0 or not state.FLOWER <= tile < state.FLOWER + state.FLOWERS:
        return NOT_HELD
    is_now = table.phase == state.WAIT_SUPPLEMENT or (table.phase == state.WAIT_DRAW and table.live > 0)
    return 0 if is_now and (table.turn == seat or table.draws == 0) else NOT_NOW


# --- wins ---------------------------------------------------------------------------------------------


@kernel
def furiten(table: TableState, seat: int) -> bool:
    """Return whether a seat may not win by ron, by its own discards or by what it let pass."""
    return (
        table.waits[seat] & table.river_kinds[seat] != 0
        or table.temporary_furiten[seat] != 0
        or table.permanent_furiten[seat] != 0
    )


@kernel
def may_ron(table: TableState, seat: int, kind: int) -> bool:
    """Return whether a seat waits for a kind, was not furiten before the tile on offer, and is not dead."""
    return table.waits[seat] >> kind & 1 != 0 and table.was_furiten[seat] == 0 and table.dead[seat] == 0


@kernel
def is_open_to(table: TableState, seat: int, rules: KernelRules) -> bool:
    """Return whether a seat may win what is on offer: of a closed kan, only thirteen orphans, if anybody."""
    return table.offer != state.ANKAN or (rules.kokushi_ankan_ron != 0 and is_orphans(table, seat))


@kernel
def is_orphans(table: TableState, seat: int) -> bool:
    """Return whether a tenpai hand is one of thirteen orphans: nothing else holds so many kinds of them.

    One of which tiles are hidden may be.
    """
    if table.hidden[seat]:
        return True
    kinds = 0
    for kind in range(34):
        if state.YAOCHUU >> kind & 1 and table.counts[seat, kind]:
            kinds += 1
    return kinds >= 12


@kernel
def draws_pochi(table: TableState, seat: int, rules: KernelRules) -> bool:
    """Return whether a seat in riichi has just drawn the white pochi, which completes its hand."""
    if rules.pochi == 0 or table.newest != state.POCHI_ID or table.drawn[seat] != state.WHITE:
        return False
    if table.phase != state.WAIT_ACT or table.riichi[seat] != 2 or table.waits[seat] == 0:
        return False
    return rules.pochi != state.POCHI_WITH_IPPATSU or table.ippatsu[seat] != 0


@kernel
def completes(table: TableState, seat: int, rules: KernelRules) -> bool:
    """Return whether the tile that a seat has drawn completes its hand."""
    drawn = table.drawn[seat]
    if drawn == NOBODY:
        return False
    return table.waits[seat] >> kind_of(drawn) & 1 != 0 or draws_pochi(table, seat, rules)


@kernel
def wins_with_kan(table: TableState, seat: int, tile: int, rules: KernelRules) -> bool:
    """Return whether a seat wins with the fourth kan that it just laid, its pair unfinished."""
    if rules.suukantsu_needs_pair or table.turn != seat or table.offer_tile != tile:
        return False
    kans = 0
    for i in range(table.meld_count[seat]):
        kans += table.meld_types[seat, i] >= state.DAIMINKAN
    return kans == 4


@kernel
def is_offered(
    table: TableState, seat: int, source: int, tile: int, tile_id: int, rules: KernelRules
) -> bool:
    """Return whether a seat may claim to win on a tile at all: its own draw, or what lies before it."""
    if tile_id != state.NO_ID and tile_id != table.newest and table.newest != state.NO_ID:
        return False
    if source == seat and table.phase == state.WAIT_SUPPLEMENT:
        return wins_with_kan(table, seat, tile, rules)
    if not is_open_to(table, seat, rules):
        return False
    if source == seat:
        return table.phase == state.WAIT_ACT and table.turn == seat and table.drawn[seat] == tile
    return (
        table.offer != 0
        and table.offer_seat == source
        and table.offer_tile == tile
        and table.counts[seat, kind_of(tile)] < 4
    )


# --- ends without a winner ----------------------------------------------------------------------------


@kernel
def holds_all_dealt(table: TableState, seat: int) -> bool:
    """Return whether a seat has laid down nothing so far."""
    return table.meld_count[seat] == 0 and table.norths[seat] == 0


@kernel
def may_abort(table: TableState, kind: int, rules: KernelRules) -> bool:
    """Return whether the hand may end in a draw of this kind now."""
    players = rules.players
    if table.due_cost:
        return False
    # At the end of the wall; a foul that comes out there goes before.
    if kind in (EXHAUSTIVE, NAGASHI):
        if fouled(table, AT_A_DRAW, rules) != NOBODY:
            return False
        return table.live == 0 and table.phase == state.WAIT_DRAW
    # Nine kinds, or nine tiles, in an untouched first draw.
    if kind == KYUUSHU:
        seat, kinds = table.turn, 0
        for number in range(34):
            if state.YAOCHUU >> number & 1 and table.counts[seat, number]:
                kinds += table.counts[seat, number] if rules.kyuushu_counts else 1
        untouched = table.first != 0 and table.discards[seat] == 0 and holds_all_dealt(table, seat)
        untouched = untouched and table.dead[seat] == 0
        kinds = kinds if table.hidden[seat] == 0 else NINE
        return rules.abort_kyuushu != 0 and table.phase == state.WAIT_ACT and untouched and kinds >= NINE
    # All three others wait for the tile on offer.
    if kind == SANCHAHOU:
        callers = 0
        for seat in range(players):
            waits = table.hidden[seat] != 0 or may_ron(table, seat, kind_of(table.offer_tile))
            callers += seat != table.offer_seat and waits
        return rules.abort_sanchahou != 0 and table.offer != 0 and callers == 3
    # The other kinds wait until the last discard was not won, the fourth kan's if the rules say so.
    if kind == SUUKAIKAN and table.kans == 5:
        return rules.abort_fifth_kan != 0
    at_once = kind == SUUKAIKAN and rules.suukaikan_at_once
    if table.phase != (state.WAIT_SUPPLEMENT if at_once else state.WAIT_DRAW):
        return False
    if kind == SUUFON:
        all_four = players == 4
        for seat in range(players):
            all_four = all_four and table.discards[seat] == 1
        return rules.abort_suufon != 0 and all_four and table.winds > 0
    if kind == SUUCHA:
        return rules.abort_suucha != 0 and players == 4 and table.riichi_count == 4
    if kind == SUUKAIKAN:
        owners = 0
        for seat in range(players):
            has = 0
            for i in range(table.meld_count[seat]):
                has |= table.meld_types[seat, i] >= state.DAIMINKAN
            owners += has
        return rules.abort_suukaikan != 0 and table.kans == 4 and owners > 1
    return True
