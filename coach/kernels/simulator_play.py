"""A simulated hand from the deal to its end: who does what when.

A player makes only moves that :mod:`~paifu.replay.kernels.legal` has nothing against.
"""

from __future__ import annotations

from paifu.coach.kernels.decision_layout import ANKAN, DISCARD, KAKAN, RIICHI
from paifu.coach.kernels.policy_inputs import note_move
from paifu.coach.kernels.simulator_choices import (
    SURE,
    T_ABORTS,
    T_FURITEN_RIICHI,
    T_KANS,
    T_PASSES,
    T_RIICHI,
    T_STRONG,
    T_WILD,
    chance,
    choose_call,
    choose_discard,
    choose_wildly,
    note_shantens,
    shanten_less,
)
from paifu.coach.kernels.simulator_judgement import (
    Judge,
    begin_watching,
    choose_turn,
    discard_seen,
    think_of_calls,
    watch,
    wished_call,
)
from paifu.coach.kernels.simulator_moves import (
    Course,
    PlayState,
    Supply,
    claim,
    deal,
    end_without_winner,
    held_id,
    let_pass,
    make_call,
    make_draw,
    make_kita,
    make_own_kan,
    make_riichi,
    settle_wins,
    state_due,
)
from paifu.replay.kernels import legal
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import I64
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.running import entry, kernel
from paifu.replay.kernels.table_state import NOBODY, TableState, kind_of

WON = 1
"""``events.HandEnd.WIN``."""


@kernel
def discarded_id(record: Course, supply: Supply, seat: int, kind: int) -> int:
    """Return which id of a kind is discarded: the plain one just drawn, another plain one, a red five."""
    drawn = record.drawn[seat]
    if drawn != NOBODY and supply.tile_of[drawn] == kind:
        return int(drawn)
    best = NOBODY
    for tile in range(4 * kind, 4 * kind + 4):
        if record.holder[tile] == seat and (best == NOBODY or supply.tile_of[tile] < 34):
            best = tile
    return best


@kernel
def call_if_wanted(play: PlayState, judge: Judge | None) -> bool:
    """Let one of the others call the discard: a pon or kan goes before a chi."""
    table, record, traits, rules = play.table, play.record, play.traits, play.rules
    source = table.offer_seat
    for go in range(2):
        for turn in range(1, rules.players if go == 0 else 2):
            seat = (source + turn) % rules.players
            if judge is not None and traits[seat, T_STRONG]:
                event, first, second = wished_call(judge, seat)
            else:
                event, first, second = choose_call(table, record, seat, traits[seat], rules, play.shapes)
            if event == 0 or (event == state.CHI) != (go == 1):
                continue
            own = held_id(record, seat, first, 0)
            own |= held_id(record, seat, second, 1 if event != state.CHI else 0) << 8
            own |= (held_id(record, seat, first, 2) if event == state.DAIMINKAN else NOBODY) << 16
            return make_call(play, event, seat, own)
    return False


@kernel
def claims_of_others(play: PlayState) -> int:
    """Let the others win the tile on offer; returns how many do, in rows 0 on."""
    table, rules = play.table, play.rules
    source, tile, number = table.offer_seat, table.offer_tile, 0
    for step in range(1, rules.players):
        turn = rules.players - step if rules.head_bump and rules.head_bump_farthest else step
        seat = (source + turn) % rules.players
        if not legal.may_ron(table, seat, kind_of(tile)):
            continue
        if not chance(play.record, play.traits[seat, T_PASSES]) and claim(play, number, seat, source, tile):
            number += 1
    if number == 3 and rules.abort_sanchahou:
        return number
    if rules.head_bump:
        number = min(number, 1)
    settle_wins(play, number)
    return number


@kernel
def kan_if_wanted(play: PlayState, seat: int, mine: I64, judge: Judge | None) -> bool:
    """Let the seat to move lay a closed kan or add to a pon, unless that sets its hand back."""
    table, record, rules, shapes = play.table, play.record, play.rules, play.shapes
    counts, keys = table.counts[seat], table.keys[seat]
    melds, forms = table.meld_count[seat], rules.forms
    if table.kans == 4 or table.live == 0:
        return False
    for kind in range(34):
        event = legal.kan_of(table, seat, kind)
        if event == 0:
            continue
        # Not if it sets the hand back.
        least = note_shantens(table, seat, legal.discardable(counts, 0), forms, shapes, record.shantens)
        used, more = (4, 1) if event == state.ANKAN else (1, 0)
        if shanten_less(keys, kind, used, melds + more, forms, shapes) > least:
            continue
        # As the player pleases, or the policy.
        if judge is not None and mine[T_STRONG]:
            option, wished = choose_turn(judge, seat, KAKAN)
            if wished != kind or option != (ANKAN if event == state.ANKAN else KAKAN):
                continue
        elif not chance(record, mine[T_KANS]):
            continue
        if legal.against_kan(table, event, seat, kind, rules, shapes) == 0:
            tile = held_id(record, seat, kind, used - 1)
            return make_own_kan(play, event, tile)
    return False


@kernel
def kita_if_wanted(play: PlayState, seat: int, mine: I64) -> bool:
    """Let the seat to move set a north aside, which it nearly always does."""
    table, record = play.table, play.record
    if legal.against_kita(table, seat, state.NORTH, play.rules):
        return False
    if not chance(record, SURE - mine[T_WILD] - 20):
        return False
    drawn = record.drawn[seat]
    tile = drawn if table.drawn[seat] == state.NORTH else held_id(record, seat, state.NORTH, 0)
    return make_kita(play, tile)


@kernel
def own_turn(play: PlayState, judge: Judge | None) -> int:
    """What a player does with a drawn tile before the discard: returns the HandEnd, 0 to go on."""
    table, record, rules = play.table, play.record, play.rules
    seat = table.turn
    tile, mine = table.drawn[seat], play.traits[seat]
    # A win comes first; then nine terminals, norths, kans.
    waiting = legal.completes(table, seat, rules) and not chance(record, mine[T_PASSES])
    if waiting and claim(play, 0, seat, seat, tile):
        settle_wins(play, 1)
        return WON
    if legal.may_abort(table, legal.KYUUSHU, rules) and chance(record, mine[T_ABORTS]):
        return end_without_winner(play, legal.KYUUSHU)
    if not kita_if_wanted(play, seat, mine):
        kan_if_wanted(play, seat, mine, judge)
    return 0


@kernel
def id_of(record: Course, supply: Supply, seat: int, tile: int) -> int:
    """Return an id of a tile that a seat holds, the one just drawn first; NOBODY if there is none."""
    drawn = record.drawn[seat]
    if drawn != NOBODY and supply.tile_of[drawn] == tile:
        return int(drawn)
    first = 4 * int(kind_of(tile))
    for number in range(first, first + 4):
        if record.holder[number] == seat and supply.tile_of[number] == tile:
            return number
    return NOBODY


@kernel
def wants_riichi(play: PlayState, seat: int, mine: I64) -> bool:
    """Return whether a player declares riichi with the discard it chose."""
    record = play.record
    if record.chosen_shanten != 0 or not record.chosen_mask or not chance(record, mine[T_RIICHI]):
        return False
    gone = record.chosen_mask & (play.table.river_kinds[seat] | 1 << record.chosen_kind)
    return gone == 0 or chance(record, mine[T_FURITEN_RIICHI])


@kernel
def shows_hand(record: Course, rules: KernelRules) -> bool:
    """Return whether a riichi is declared with the hand shown: every fourth, where that is played."""
    return rules.open_riichi_han != 0 and chance(record, SURE // 4)


@kernel
def counts_as_tenpai(play: PlayState, seat: int, kind: int) -> bool:
    """Return whether a hand with waits is tenpai without a tile, where that depends on what lies open."""
    supply, rules = play.supply, play.rules
    if rules.own_four_wait != state.NOTEN_SEEN or legal.consequence(state.NOTEN_RIICHI, rules):
        return True
    tile = supply.tile_of[discarded_id(play.record, supply, seat, kind)]
    return legal.keeps_tenpai(play.table, seat, tile, rules, play.shapes)


@kernel
def discard_as_wanted(play: PlayState, judge: Judge | None) -> None:
    """Let the seat to move discard, declaring riichi where it pleases."""
    table, supply, record, rules, shapes = play.table, play.supply, play.record, play.rules, play.shapes
    seat = table.turn
    mine = play.traits[seat]
    if table.riichi[seat]:
        discard_seen(play, int(record.drawn[seat]), judge)
        return
    # What the player wishes to discard.
    option, wished = DISCARD, NOBODY
    if judge is not None and mine[T_STRONG]:
        option, wished = choose_turn(judge, seat, RIICHI)
    else:
        choose_discard(table, record, seat, mine, rules, shapes)
    against, kind = legal.against_riichi(table, seat, rules), record.chosen_kind
    # Whether it declares riichi.
    if chance(record, mine[T_WILD]):
        kind, wished = choose_wildly(table, record, seat), NOBODY
    elif wished != NOBODY:
        if option == RIICHI:
            make_riichi(play, shows_hand(record, rules))
    elif (
        against & (legal.NOT_NOW | legal.NOT_CLOSED) == 0
        and wants_riichi(play, seat, mine)
        and against == 0
        and counts_as_tenpai(play, seat, kind)
    ):
        make_riichi(play, shows_hand(record, rules))
    # Which of its tiles.
    tile = discarded_id(record, supply, seat, kind)
    if wished != NOBODY:
        tile = id_of(record, supply, seat, wished)
    discard_seen(play, tile, judge)


@kernel
def play_to_offer(play: PlayState, judge: Judge | None) -> int:
    """Draw, act and discard until a tile is on offer: returns the HandEnd, 0 to go on."""
    table, rules = play.table, play.rules
    phase = table.phase
    if phase == state.WAIT_DRAW and table.live == 0:
        return end_without_winner(play, legal.EXHAUSTIVE)
    # Before the supplement, a kan may win by itself, or end the hand.
    if phase == state.WAIT_SUPPLEMENT:
        seat, tile = table.turn, table.offer_tile
        if legal.wins_with_kan(table, seat, tile, rules) and claim(play, 0, seat, seat, tile):
            settle_wins(play, 1)
            return WON
        if legal.may_abort(table, legal.SUUKAIKAN, rules):
            return end_without_winner(play, legal.SUUKAIKAN)
    # Draw and act.
    if phase == state.WAIT_DRAW or phase == state.WAIT_SUPPLEMENT:
        turned = table.turned
        has_drawn = make_draw(play)
        if judge is not None and table.turned != turned:
            watch(judge, state.DORA, NOBODY, NOBODY)
        if not has_drawn and phase == state.WAIT_DRAW and table.live == 0:
            return end_without_winner(play, legal.EXHAUSTIVE)
        end = own_turn(play, judge)
        if end:
            return end
    if table.phase != state.WAIT_SUPPLEMENT:
        turned = table.turned
        discard_as_wanted(play, judge)
        if judge is not None and table.turned != turned:
            watch(judge, state.DORA, NOBODY, NOBODY)
    return 0


@kernel
def abort_due(table: TableState, rules: KernelRules) -> int:
    """Return the HandEnd of the draw that a discard brings about, 0 if it brings none."""
    for kind in (legal.SUUFON, legal.SUUCHA, legal.SUUKAIKAN):
        if legal.may_abort(table, kind, rules):
            return kind
    return 0


@kernel
def call_or_pass(play: PlayState, judge: Judge | None) -> int:
    """Let the tile on offer be called that nobody wins: returns the HandEnd, 0 to go on."""
    table, rules = play.table, play.rules
    if judge is not None:
        if table.offer == state.DISCARD:
            think_of_calls(judge, play.traits)
        watch(judge, table.offer, table.offer_seat, table.offer_tile)
    let_pass(play)
    if table.phase == state.WAIT_DRAW:
        end = abort_due(table, rules)
        if end:
            return end_without_winner(play, end)
        has_called = call_if_wanted(play, judge)
        if judge is not None and has_called:
            note_move(table, judge.rivers, state.CHI, 0)
            watch(judge, state.CHI, table.turn, NOBODY)
    return 0


@kernel
def play_on(play: PlayState, judge: Judge | None, offered: bool) -> tuple[int, int]:
    """Play a hand to its end, a new tile on offer or not; returns (HandEnd, number of winners)."""
    table, rules = play.table, play.rules
    while play.notes.counts[0] == 0:
        if not offered:
            end = play_to_offer(play, judge)
            if end:
                return end, int(end == WON)
        offered = False
        # Wins come first, then fouls that end the hand, then calls.
        winners = claims_of_others(play)
        if winners == 3 and rules.abort_sanchahou:
            return end_without_winner(play, legal.SANCHAHOU), 0
        if winners:
            return WON, winners
        if legal.fouled(table, 0, rules) != NOBODY:
            table.offender = legal.fouled(table, 0, rules)
            return end_without_winner(play, legal.CHOMBO), 0
        state_due(play, 0)
        if table.due_cost:
            table.offender = table.due_seat
            return end_without_winner(play, legal.CHOMBO), 0
        end = call_or_pass(play, judge)
        if end:
            return end, 0
    return 0, 0


@entry
def play_hand(play: PlayState, judge: Judge | None) -> tuple[int, int]:
    """Play a hand from the deal to its end; returns (HandEnd, number of winners).

    traits: (4, T_SIZE). claims: 3 rows; facts: 3 rows of ``ScoredWins``; both are filled for the winners.
    draws: 1 row. ``judge`` is None where nobody chooses as strong players do. A finding in ``notes``
    afterwards is a fault of this module.
    """
    deal(play)
    if judge is not None:
        begin_watching(judge)
    return play_on(play, judge, False)
