"""One transition per kind of event: the engine that every command replays hands with.

A transition first asks :mod:`~paifu.replay.kernels.legal`, with the state *before* the event, what is against
it, notes a finding for each breach, and then applies the event. It returns False when the state cannot follow
the log any more (a tile that is not there, a move of a seat that is not to move): the rest of the hand is
then not checked.
"""

from __future__ import annotations

from paifu.replay.kernels import codes, legal
from paifu.replay.kernels import reasons as why
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import U8
from paifu.replay.kernels.notes import Notes, note, note_why
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.running import kernel
from paifu.replay.kernels.shapes import ShapeTables
from paifu.replay.kernels.table_state import (
    TableState,
    dora_allowed,
    dora_due,
    drop,
    hide,
    kind_of,
    move,
    never_drawn,
    next_indicator,
    see,
    take,
    uncover,
    update_waits,
)


@kernel
def draw(table: TableState, seat: int, tile: int, rules: KernelRules, notes: Notes) -> bool:
    """``seat`` draws."""
    supplement = table.phase == state.WAIT_SUPPLEMENT
    # The supplement tile of a kan or a north is there, even where an indicator took the last of the wall.
    is_now = supplement or (table.phase == state.WAIT_DRAW and table.live > 0)
    if table.turn != seat or not is_now:
        note(notes, codes.OUT_OF_TURN, seat, tile, table.turn, seat)
        return False
    # The tile leaves the wall and is in the hand, unless there cannot be such a tile.
    is_aside = table.offer == state.KITA or table.after_flower != 0
    leave_wall(table, seat, tile, supplement, is_aside, rules, notes)
    if tile == state.NOBODY:
        hide(table, seat)
    elif not see(table, tile, rules, notes) or table.counts[seat, kind_of(tile)] == 4:
        return False
    else:
        take(table, seat, tile)
    table.drawn[seat] = tile
    table.supplement[seat] = 0
    if supplement:
        table.supplement[seat] = 2 if is_aside else 1
    # With the draw ends what the last discard left open.
    if rules.temporary_furiten != state.UNTIL_DISCARD:
        table.temporary_furiten[seat] = 0
    if table.live and not (supplement and rules.dead_wall_shrinks):
        table.live -= 1
    table.offer = table.after_flower = 0
    table.phase = state.WAIT_ACT
    table.refused = legal.refused_kinds(table, seat, rules)
    return True


@kernel
def leave_wall(
    table: TableState,
    seat: int,
    tile: int,
    supplement: bool,
    is_aside: bool,
    rules: KernelRules,
    notes: Notes,
) -> None:
    """Take a tile off the wall, ``is_aside`` as the supplement tile of a north or a flower."""
    # A supplement tile ends ippatsu and the first go-around, if the rules do not spare it. A tile of the
    # live wall must find open what indicators earlier kans turn.
    if supplement:
        check_turned(table, dora_due(table, rules, False), seat, tile, notes)
        goes_on = not rules.kita_interrupts if is_aside else not rules.closed_kan_interrupts
        if not (goes_on and (is_aside or table.offer == state.ANKAN)):
            table.first = 0
        table.supplements += 1
        for other in range(4) if not (is_aside and goes_on) else range(0):
            table.ippatsu[other] = 0
    else:
        if rules.kan_dora_timing >= state.AFTER_DISCARD:
            check_turned(table, min(state.MAX_TURNED, 1 + table.kans * rules.kan_dora), seat, tile, notes)
        table.late_kan = 0
        table.draws += 1


@kernel
def flower(table: TableState, seat: int, tile: int, rules: KernelRules, notes: Notes) -> bool:
    """``seat`` draws a flower and sets it aside: its supplement tile follows.

    Before the first draw of all it is one of the deal, the dealer's fourteenth tile included, and has been
    replaced: the hand that was dealt holds the supplement tile.
    """
    reasons = legal.against_flower(table, seat, tile, rules)
    if reasons:
        reason = why.OTHER_TILE
        if rules.flowers_dora == 0:
            reason = why.NOT_PLAYED
        elif reasons == legal.NOT_NOW:
            reason = why.NOT_NOW
        note_why(notes, codes.ILLEGAL_KITA, reason, seat, tile, 0, 0)
        return False
    bit = 1 << tile - state.FLOWER
    if table.flowers & bit:
        note(notes, codes.TOO_MANY_COPIES, state.NOBODY, tile, 1, 2)
        return False
    # A flower of the deal has been replaced; one that is drawn is followed by its supplement tile.
    supplement, is_dealt = table.phase == state.WAIT_SUPPLEMENT, table.draws == 0
    if is_dealt:
        table.supplements += 1
    else:
        is_aside = table.offer == state.KITA or table.after_flower != 0
        leave_wall(table, seat, tile, supplement, is_aside, rules, notes)
        table.after_flower = 1
        table.offer = table.twofold = table.late_kan = 0
        table.feeder = state.NOBODY
        table.phase = state.WAIT_SUPPLEMENT
    table.flowers |= bit
    table.kita[seat] += 1
    if table.live and not ((supplement or is_dealt) and rules.dead_wall_shrinks):
        table.live -= 1
    return True


@kernel
def discard(
    table: TableState, seat: int, tile: int, flags: int, rules: KernelRules, shapes: ShapeTables, notes: Notes
) -> bool:
    """``seat`` discards; its waits are worked out again and the others may win the tile."""
    if not uncover(table, seat, tile, 1, rules, notes):
        return False
    reasons, drawn = legal.against_discard(table, seat, tile, flags, rules, shapes), table.drawn[seat]
    # Breaches: some end the replay, the others are noted, and the tile leaves the hand all the same.
    if reasons & legal.NOT_NOW:
        note(notes, codes.OUT_OF_TURN, seat, tile, table.turn, seat)
        return False
    if reasons & legal.MISMARKED:
        note(notes, codes.TSUMOGIRI_FLAG, seat, tile, drawn, tile)
    if reasons & legal.LOCKED:
        note_why(notes, codes.ILLEGAL_RIICHI, why.IN_RIICHI, seat, tile, drawn, tile)
    if reasons & legal.NOT_HELD:
        note(notes, codes.TILE_NOT_HELD, seat, tile, 1, 0)
        return False
    kind = kind_of(tile)
    if reasons & legal.SWAP:
        if legal.consequence(state.SWAPPED, rules) == 0:
            note(notes, codes.KUIKAE, seat, tile, 0, kind)
        commit_foul(table, seat, state.SWAPPED)
    if reasons & legal.REFUSED:
        note_why(notes, codes.KUIKAE, why.WAITED_FOR, seat, tile, 0, kind)
    # Before the tile goes: was there another choice than to feed an open riichi, and was a win passed up?
    table.forced = 0
    if rules.open_riichi_deal_in > state.YAKUMAN:
        waited = legal.open_waits(table, seat, rules)
        table.forced = legal.discardable(table.counts[seat], table.kuikae | waited) == 0
    if table.riichi[seat] == 2:
        if legal.completes(table, seat, rules):
            table.permanent_furiten[seat] = 1
        table.ippatsu[seat] = 0
    # The tile lies in the river.
    drop(table, seat, tile)
    table.kuikae = table.refused = 0
    table.feeder = state.NOBODY
    check_turned(table, dora_due(table, rules, True), seat, tile, notes)
    table.after_kan = table.supplement[seat] > 0
    track_first_winds(table, seat, kind)
    table.river_kinds[seat] |= 1 << kind
    if table.discards[seat] < state.EARLY:
        table.early_kinds[seat] |= 1 << kind
    table.river[kind] += 1
    table.nagashi[seat] &= state.YAOCHUU >> kind
    if rules.temporary_furiten != state.UNTIL_OWN_DRAW:
        table.temporary_furiten[seat] = 0
    # The hand is another one now; a declared riichi shows whether it is tenpai.
    update_waits(table, seat, rules, shapes)
    table.declaring[seat] = table.phase == state.WAIT_DECLARED
    if table.declaring[seat]:
        if reasons & legal.NOT_TENPAI:
            note_why(notes, codes.ILLEGAL_RIICHI, why.NOT_TENPAI, seat, tile, 1, 0)
        if reasons & (legal.NOT_TENPAI | legal.FOUL):
            commit_foul(table, seat, state.NOTEN_RIICHI)
        table.riichi[seat] = 1
        table.declared_kinds[seat] = 1 << kind
        table.double_riichi[seat] = table.first and table.discards[seat] == 0
        table.unpaid = seat
    # The others may take it.
    table.discards[seat] += 1
    table.drawn[seat] = state.NOBODY
    offer(table, state.DISCARD, seat, tile, rules)
    table.turn = (seat + 1) % rules.players
    table.phase = state.WAIT_DRAW
    return True


@kernel
def commit_foul(table: TableState, seat: int, kind: int) -> None:
    """Take down a foul that an event shows."""
    table.foul[seat] |= 1 << kind
    table.fouls += 1


@kernel
def act_dead(table: TableState, seat: int, tile: int, rules: KernelRules, notes: Notes) -> None:
    """Take down what a dead hand did: a finding, unless it is a foul."""
    if legal.consequence(state.DEAD_ACTS, rules) == 0:
        note(notes, codes.DEAD_HAND, seat, tile, 0, 0)
    commit_foul(table, seat, state.DEAD_ACTS)


@kernel
def offer(table: TableState, event: int, seat: int, tile: int, rules: KernelRules) -> None:
    """Put a tile before the others: who waits for it wins now or is furiten from here on.

    A closed kan offers its tile to thirteen orphans only, and only where the rules allow the robbery.
    """
    table.offer, table.offer_seat, table.offer_tile = event, seat, tile
    bit = 1 << kind_of(tile)
    harmless = event == state.KITA and not rules.kita_pass_furiten
    for other in range(rules.players):
        if other == seat:
            continue
        table.was_furiten[other] = legal.furiten(table, other)
        if harmless or not table.waits[other] & bit:
            continue
        if not legal.is_open_to(table, other, rules):
            continue
        table.temporary_furiten[other] = 1
        if table.riichi[other]:
            table.permanent_furiten[other] = 1


@kernel
def track_first_winds(table: TableState, seat: int, kind: int) -> None:
    """Follow whether all discards of the first go-around are the same wind."""
    if table.first == 0 or table.discards[seat] or not 27 <= kind <= state.NORTH:
        table.winds = -1
    elif table.winds == 0:
        table.winds = 1 << kind
    elif table.winds != 1 << kind:
        table.winds = -1


@kernel
def add_meld(table: TableState, event: int, seat: int, kind: int, source: int) -> None:
    """Lay down a meld."""
    number = table.meld_count[seat]
    table.meld_kinds[seat, number] = kind
    table.meld_types[seat, number] = event
    table.meld_sources[seat, number] = source
    table.meld_count[seat] += 1


@kernel
def call(
    table: TableState,
    event: int,
    seat: int,
    tile: int,
    source: int,
    own: U8,
    rules: KernelRules,
    notes: Notes,
) -> bool:
    """``seat`` calls the discard of ``source``: chi, pon or open kan."""
    number, kind = 3 if event == state.DAIMINKAN else 2, kind_of(tile)
    if table.hidden[seat] and not uncover_all(table, seat, own, number, rules, notes):
        return False
    # Breaches: without the tiles or the moment there is nothing to lay down.
    reasons = legal.against_call(table, event, seat, tile, source, own, rules)
    if reasons & legal.NOT_HELD:
        missing = int(own[legal.lacks(table, seat, own, number)])
        note_why(notes, codes.ILLEGAL_CALL, why.NOT_HELD, seat, missing, missing, state.NOBODY)
        return False
    if reasons & (legal.NOT_NOW | legal.LOCKED | legal.NO_MELD):
        offered = table.offer_tile if table.offer else state.NOBODY
        note(notes, codes.ILLEGAL_CALL, seat, tile, offered, tile)
        return False
    if reasons & legal.DEAD:
        act_dead(table, seat, tile, rules, notes)
    # The tiles go from hand and river into the meld.
    low = kind
    for i in range(number):
        drop(table, seat, own[i])
        low = min(low, kind_of(own[i]))
    for i in range(number):
        table.melded[seat, kind_of(own[i])] += 1
        table.meld_reds[seat] += own[i] >= 34
    table.melded[seat, kind] += 1
    table.river[kind] -= 1
    table.meld_reds[seat] += tile >= 34
    add_meld(table, event, seat, low, source)
    # A call ends nagashi of who was called from, ippatsu and the first go-around of all.
    table.open_melds[seat] = 1
    table.nagashi[source] = 0
    if rules.nagashi_uncalled:
        table.nagashi[seat] = 0
    if rules.temporary_furiten == state.UNTIL_DRAW:
        table.temporary_furiten[seat] = 0
    for other in range(4):
        table.ippatsu[other] = 0
    table.first = 0
    table.offer = 0
    table.turn = seat
    table.twofold = 0
    table.drawn[seat] = state.NOBODY
    table.supplement[seat] = 0
    # A kan draws a supplement tile; after chi and pon some discards may be forbidden.
    if event == state.DAIMINKAN:
        count_kan(table, seat, tile, reasons, rules.kan_dora_timing != state.AT_ONCE, notes)
        table.feeder = source
        table.phase = state.WAIT_SUPPLEMENT
    else:
        table.kuikae = legal.swap_calls(kind, low, event == state.CHI, rules.kuikae)
        table.refused = legal.refused_kinds(table, seat, rules)
        table.phase = state.WAIT_DISCARD
    note_liability(table, seat, source, rules)
    return True


@kernel
def uncover_all(
    table: TableState, seat: int, tiles: U8, number: int, rules: KernelRules, notes: Notes
) -> bool:
    """Know the first ``number`` of these as tiles of a hand, as :func:`uncover` does."""
    fits = True
    for i in range(number):
        same = 0
        for j in range(i + 1):
            same += tiles[j] == tiles[i]
        fits = fits and uncover(table, seat, int(tiles[i]), same, rules, notes)
    return fits


@kernel
def count_kan(table: TableState, seat: int, tile: int, reasons: int, late: bool, notes: Notes) -> None:
    """Count a kan; its indicator may be turned late."""
    if reasons & legal.TOO_MANY_KANS:
        note(notes, codes.FIFTH_KAN, seat, tile, 4, 5)
    table.kans += 1
    table.late_kan = late


@kernel
def note_liability(table: TableState, seat: int, source: int, rules: KernelRules) -> None:
    """Make ``source`` liable when the meld it just fed settles a yakuman."""
    dragons = winds = kans = honours = terminals = greens = 0
    number = table.meld_count[seat]
    # What lies open of each yakuman that can make somebody liable.
    for i in range(number):
        kind, sort = table.meld_kinds[seat, i], table.meld_types[seat, i]
        if sort == state.ANKAN and not rules.pao_closed_kans:
            continue
        dragons += kind >= 31
        winds += 27 <= kind <= state.NORTH
        kans += sort >= state.DAIMINKAN
        honours += kind >= 27
        terminals += kind < 27 and sort != state.CHI and kind % 9 in (0, 8)
        greens += kind in (19, 32) or (kind in (20, 21, 23, 25) and sort != state.CHI)
    # The seat that fed the meld which made it certain; for other melds nobody is liable.
    last, sort = table.meld_kinds[seat, number - 1], table.meld_types[seat, number - 1]
    mask = 0
    if rules.pao_daisangen and dragons == 3 and last >= 31:
        mask |= 1 << 39
    if rules.pao_daisuushii and winds == 4 and 27 <= last <= state.NORTH:
        mask |= 1 << 49
    if rules.pao_suukantsu and kans == 4 and sort == state.DAIMINKAN:
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
    table: TableState,
    event: int,
    seat: int,
    tile: int,
    own: U8,
    rules: KernelRules,
    shapes: ShapeTables,
    notes: Notes,
) -> bool:
    """``seat`` lays a closed kan, or adds a tile to a pon."""
    kind = kind_of(tile)
    # The tiles that it shows are known from here on.
    if table.hidden[seat]:
        parts = 0 if event == state.KAKAN else 3
        same = 1
        for i in range(parts):
            same += own[i] == tile
        if not uncover_all(table, seat, own, parts, rules, notes):
            return False
        if not uncover(table, seat, tile, same, rules, notes):
            return False
    reasons, before = legal.against_kan(table, event, seat, kind, rules, shapes), table.waits[seat]
    if reasons & legal.NOT_NOW:
        note_why(notes, codes.ILLEGAL_KAN, why.NOT_NOW, seat, tile, 0, table.phase)
        return False
    # A fourth tile beside a pon, or four tiles of the hand.
    if event == state.KAKAN:
        if reasons & legal.NOT_HELD or not drop(table, seat, tile):
            note_why(notes, codes.ILLEGAL_KAN, why.NOT_HELD, seat, tile, 0, 0)
            return False
        for i in range(table.meld_count[seat]):
            if table.meld_types[seat, i] == state.PON and table.meld_kinds[seat, i] == kind:
                table.meld_types[seat, i] = state.KAKAN
        table.meld_reds[seat] += tile >= 34
        table.melded[seat, kind] += 1
    else:
        for i in range(4):
            part = tile if i == 3 else own[i]
            if part >= 37 or kind_of(part) != kind or not drop(table, seat, part):
                note_why(notes, codes.ILLEGAL_KAN, why.NOT_HELD, seat, tile, 0, i)
                return False
            table.meld_reds[seat] += part >= 34
        table.melded[seat, kind] += 4
        add_meld(table, state.ANKAN, seat, kind, state.NOBODY)
    # What it changes of the hand, and whether riichi allowed that.
    if rules.nagashi_uncalled:
        table.nagashi[seat] = 0
    mask = update_waits(table, seat, rules, shapes)
    if reasons & legal.LOCKED:
        note(notes, codes.ILLEGAL_KAN, seat, tile, before, mask)
    if reasons & legal.OTHER_GROUPS:
        note_why(notes, codes.ILLEGAL_KAN, why.OTHER_GROUPS, seat, tile, 0, 0)
    if table.riichi[seat] and (mask != before or rules.riichi_kan == state.FORBIDDEN):
        commit_foul(table, seat, state.SPOILING_KAN)
    if reasons & legal.DEAD:
        act_dead(table, seat, tile, rules, notes)
    table.twofold = table.supplement[seat] == 1 and kind_of(table.drawn[seat]) == kind
    # An open kan's indicator may still be face down when another kan follows: it is turned now.
    late = event == state.KAKAN and rules.kan_dora_timing != state.AT_ONCE
    count_kan(table, seat, tile, reasons, late, notes)
    table.drawn[seat] = state.NOBODY
    if not rules.pao_rinshan_chain:
        table.feeder = state.NOBODY
    offer(table, event, seat, tile, rules)
    table.phase = state.WAIT_SUPPLEMENT
    return True


@kernel
def kita(
    table: TableState, seat: int, tile: int, rules: KernelRules, shapes: ShapeTables, notes: Notes
) -> bool:
    """``seat`` sets a north aside."""
    if not uncover(table, seat, tile, 1, rules, notes):
        return False
    reasons = legal.against_kita(table, seat, tile, rules)
    # Which of the reasons is told: the rules' first, then the tile's, then the hand's.
    if reasons:
        reason = why.NOT_NOW
        if rules.kita == 0:
            reason = why.NOT_PLAYED
        elif tile != state.NORTH:
            reason = why.OTHER_TILE
        elif reasons & legal.NOT_HELD:
            reason = why.NOT_HELD
        elif reasons == legal.LOCKED:
            reason = why.IN_RIICHI
        note_why(notes, codes.ILLEGAL_KITA, reason, seat, tile, 0, 0)
        return False
    drop(table, seat, tile)
    table.kita[seat] += 1
    table.norths[seat] += 1
    table.twofold = 0
    update_waits(table, seat, rules, shapes)
    table.drawn[seat] = state.NOBODY
    table.feeder = state.NOBODY
    table.late_kan = 0
    offer(table, state.KITA, seat, tile, rules)
    table.phase = state.WAIT_SUPPLEMENT
    return True


@kernel
def declare(table: TableState, seat: int, flags: int, rules: KernelRules, notes: Notes) -> bool:
    """``seat`` declares riichi, open or not by its flags; whether it is tenpai shows at the discard."""
    reasons = legal.against_riichi(table, seat, rules)
    if reasons & legal.NOT_NOW:
        note(notes, codes.OUT_OF_TURN, seat, state.NOBODY, table.turn, seat)
        return False
    # Each breach is noted, and the declaration stands: its discard follows.
    if reasons & legal.NOT_CLOSED:
        reason = why.SECOND_RIICHI if table.riichi[seat] else why.OPEN_HAND
        note_why(notes, codes.ILLEGAL_RIICHI, reason, seat, state.NOBODY, 0, 0)
    if reasons & legal.TOO_FEW_POINTS:
        has, takes = table.scores[seat], rules.riichi_points
        note_why(notes, codes.ILLEGAL_RIICHI, why.FEW_POINTS, seat, state.NOBODY, takes, has)
    if reasons & legal.SHORT_WALL:
        least = rules.riichi_wall
        note_why(notes, codes.ILLEGAL_RIICHI, why.SHORT_WALL, seat, state.NOBODY, least, table.live)
    if reasons & legal.DEAD:
        act_dead(table, seat, state.NOBODY, rules, notes)
    table.open_riichi[seat] = flags & state.OPEN != 0
    if table.open_riichi[seat] and rules.open_riichi_han == 0:
        note_why(notes, codes.ILLEGAL_RIICHI, why.NOT_PLAYED, seat, state.NOBODY, 0, 0)
    table.phase = state.WAIT_DECLARED
    return True


@kernel
def pay_riichi(table: TableState, seat: int, rules: KernelRules, notes: Notes) -> bool:
    """``seat`` pays its riichi stick."""
    if table.unpaid != seat:
        note_why(notes, codes.RIICHI_STICK, why.NOT_DUE, seat, state.NOBODY, 0, 1)
        return True
    table.unpaid = state.NOBODY
    table.riichi[seat] = 2
    table.riichi_count += 1
    sticks = legal.sticks_of(table, seat, rules)
    table.sticks += sticks
    table.scores[seat] -= sticks * rules.riichi_stick
    table.ippatsu[seat] = 1
    return True


@kernel
def check_turned(table: TableState, due: int, seat: int, tile: int, notes: Notes) -> None:
    """Note indicators that are due and do not lie open; they may still come.

    What was turned too early, and noted then, is what is due now.
    """
    early = max(0, min(table.surplus, due - table.turned))
    table.turned += early
    table.surplus -= early
    if table.turned < due:
        note(notes, codes.KAN_DORA, seat, tile, due, table.turned - table.missing)
        table.missing += due - table.turned
        table.turned = due


@kernel
def turn_dora(table: TableState, tile: int, rules: KernelRules, notes: Notes) -> bool:
    """Turn a kan's indicator."""
    if tile < 37 and not see(table, tile, rules, notes):
        return False
    # It lies open whether it was due or not; what was early is set against what comes due later.
    allowed, number = dora_allowed(table, rules), next_indicator(table, rules)
    is_due = table.turned < min(allowed, state.MAX_TURNED)
    # One that comes late was a finding where it was due.
    if not is_due and table.missing == 0:
        shown = table.turned + table.surplus + 1
        note(notes, codes.KAN_DORA, state.NOBODY, tile, min(allowed, state.MAX_TURNED), shown)
    if number >= state.MAX_TURNED:
        return True
    table.indicators[number] = kind_of(tile) if tile < 37 else state.NOBODY
    table.newest_turned = number
    if is_due:
        table.turned += 1
    elif table.missing:
        table.missing -= 1
    else:
        table.surplus += 1
    # Where the dead wall is filled up from the live one, that is shorter now.
    grown = never_drawn(number + 1, rules) - never_drawn(number, rules)
    table.live = max(0, table.live - grown)
    return True


@kernel
def follow(
    table: TableState, event: int, seat: int, tile: int, source: int, tile_id: int, own: U8, notes: Notes
) -> None:
    """Follow the physical tiles of an event that has been applied, where the log names them.

    A copy that does not lie where the event takes it from is a breach like a tile that is not there at all.
    """
    # A tile added to a pon: the pon must have come from whom the log says.
    if event == state.KAKAN and source != state.NOBODY:
        for i in range(table.meld_count[seat]):
            own_pon = table.meld_types[seat, i] == state.KAKAN and table.meld_kinds[seat, i] == kind_of(tile)
            if own_pon and table.meld_sources[seat, i] != source:
                note_why(notes, codes.ILLEGAL_KAN, why.OTHER_SOURCE, seat, tile, 0, source)
    # Every copy moves from where it must lie to where the event puts it.
    code, fits = codes.TOO_MANY_COPIES, True
    if event == state.DRAW:
        fits = move(table, tile_id, state.UNSEEN, state.IN_HAND + seat)
    elif event == state.DORA:
        fits = move(table, tile_id, state.UNSEEN, state.INDICATOR + table.newest_turned)
    elif event in (state.DISCARD, state.KITA):
        code = codes.TILE_NOT_HELD if event == state.DISCARD else codes.ILLEGAL_KITA
        fits = move(table, tile_id, state.IN_HAND + seat, state.GONE)
    elif state.CHI <= event <= state.DAIMINKAN:
        code = codes.ILLEGAL_CALL
        newest = table.newest
        is_newest = tile_id == newest or tile_id == state.NO_ID or newest == state.NO_ID
        fits = is_newest and move(table, tile_id, state.GONE, state.CALLED + seat)
        for i in range(3):
            fits = move(table, own[i], state.IN_HAND + seat, state.MELDED + seat) and fits
    elif event in (state.ANKAN, state.KAKAN):
        code = codes.ILLEGAL_KAN
        fits = move(table, tile_id, state.IN_HAND + seat, state.MELDED + seat)
        for i in range(3):
            place = state.IN_HAND if event == state.ANKAN else state.CALLED if i == 0 else state.MELDED
            target = state.CALLED if place == state.CALLED else state.MELDED
            fits = move(table, own[i], place + seat, target + seat) and fits
    if event <= state.KITA:
        table.newest = tile_id
    if not fits:
        note_why(notes, code, why.OTHER_COPY, seat, tile, 0, tile_id)
