"""A simulated hand from the deal to its end: who does what when.

A player makes only moves that :mod:`~paifu.replay.kernels.legal` has nothing against.
"""

from __future__ import annotations

from paifu.coach.kernels.decision_layout import ANKAN, DISCARD, KAKAN, RIICHI
from paifu.coach.kernels.policy_inputs import note_move
from paifu.coach.kernels.simulator_choices import (
    SURE,
    T_ABORTS,
    T_FOULS,
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
    Supply,
    claim,
    deal,
    end_without_winner,
    held_id,
    let_pass,
    make_call,
    make_draw,
    make_foul,
    make_kita,
    make_own_kan,
    make_riichi,
    settle_wins,
    state_due,
)
from paifu.replay.kernels import legal
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import I64, I64_2D, U8
from paifu.replay.kernels.claims import DrawClaims, HandClaims, WinClaims
from paifu.replay.kernels.fouls import is_false_win
from paifu.replay.kernels.legal import (
    CHOMBO,
    EXHAUSTIVE,
    KYUUSHU,
    SANCHAHOU,
    SUUCHA,
    SUUFON,
    SUUKAIKAN,
    fouled,
    may_abort,
    wins_with_kan,
)
from paifu.replay.kernels.notes import Notes
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.running import entry, kernel
from paifu.replay.kernels.shapes import NOT_HELD, ShapeTables
from paifu.replay.kernels.table_state import NOBODY, TableState, kind_of
from paifu.replay.kernels.wins import Scoring

FOULS = 18
"""Kinds of fouls, see ``FOUL_KINDS``."""
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
def call_if_wanted(
    table: TableState, supply: Supply, record: Course, traits: I64_2D, tiles: U8, rules: KernelRules,
    shapes: ShapeTables, notes: Notes, judge: Judge | None,
) -> bool:  # fmt: skip
    """Let one of the others call the discard: a pon or kan goes before a chi."""
    source = table.offer_seat
    for go in range(2):
        for turn in range(1, rules.players if go == 0 else 2):
            seat = (source + turn) % rules.players
            if judge is not None and traits[seat, T_STRONG]:
                event, first, second = wished_call(table, seat, judge)
            else:
                event, first, second = choose_call(table, record, seat, traits[seat], rules, shapes)
            if event == 0 or (event == state.CHI) != (go == 1):
                continue
            own = held_id(record, seat, first, 0)
            own |= held_id(record, seat, second, 1 if event != state.CHI else 0) << 8
            own |= (held_id(record, seat, first, 2) if event == state.DAIMINKAN else NOBODY) << 16
            return make_call(table, supply, record, event, seat, own, tiles, rules, notes)
    return False


@kernel
def claims_of_others(
    table: TableState, supply: Supply, record: Course, traits: I64_2D, claims: WinClaims, rules: KernelRules,
    scoring: Scoring, notes: Notes, tries: Notes, facts: I64_2D,
) -> int:  # fmt: skip
    """Let the others win the tile on offer; returns how many do, in rows 0 on."""
    source, tile, number = table.offer_seat, table.offer_tile, 0
    for step in range(1, rules.players):
        turn = rules.players - step if rules.head_bump and rules.head_bump_farthest else step
        seat = (source + turn) % rules.players
        if not legal.may_ron(table, seat, kind_of(tile)):
            continue
        if not chance(record, traits[seat, T_PASSES]) and claim(
            table, claims, number, seat, source, tile, supply, rules, scoring, tries, facts
        ):  # fmt: skip
            number += 1
    if number == 3 and rules.abort_sanchahou:
        return number
    if rules.head_bump:
        number = min(number, 1)
    settle_wins(table, claims, number, rules, scoring, notes, facts)
    return number


@kernel
def kan_if_wanted(
    table: TableState, supply: Supply, record: Course, seat: int, traits: I64, tiles: U8, rules: KernelRules,
    shapes: ShapeTables, scoring: Scoring, notes: Notes, judge: Judge | None,
) -> bool:  # fmt: skip
    """Let the seat to move lay a closed kan or add to a pon, unless that sets its hand back."""
    counts, keys = table.counts[seat], table.keys[seat]
    melds, forms = table.meld_count[seat], rules.forms
    if table.kans == 4 or table.live == 0:
        return False
    for kind in range(34):
        event = legal.kan_of(table, seat, kind)
        if event == 0:
            continue
        least = NOT_HELD
        for other in range(34):
            if counts[other]:
                least = min(least, shanten_less(keys, other, 1, melds, forms, shapes))
        used, more = (4, 1) if event == state.ANKAN else (1, 0)
        if shanten_less(keys, kind, used, melds + more, forms, shapes) > least:
            continue
        if judge is not None and traits[T_STRONG]:
            option, wished = choose_turn(table, seat, KAKAN, rules, shapes, scoring, judge)
            if wished != kind or option != (ANKAN if event == state.ANKAN else KAKAN):
                continue
        elif not chance(record, traits[T_KANS]):
            continue
        reasons = legal.against_kan(table, event, seat, kind, rules, shapes)
        if reasons == 0 or (reasons == legal.FOUL and traits[T_FOULS]):
            tile = held_id(record, seat, kind, used - 1)
            return make_own_kan(table, supply, record, event, tile, tiles, rules, shapes, notes)
    return False


@kernel
def kita_if_wanted(
    table: TableState,
    record: Course,
    seat: int,
    traits: I64,
    rules: KernelRules,
    shapes: ShapeTables,
    notes: Notes,
) -> bool:
    """Let the seat to move set a north aside, which it nearly always does."""
    if legal.against_kita(table, seat, state.NORTH, rules):
        return False
    if not chance(record, SURE - traits[T_WILD] - 20):
        return False
    drawn = record.drawn[seat]
    tile = drawn if table.drawn[seat] == state.NORTH else held_id(record, seat, state.NORTH, 0)
    return make_kita(table, record, tile, rules, shapes, notes)


@kernel
def own_turn(
    table: TableState, supply: Supply, record: Course, traits: I64_2D, tiles: U8, claims: WinClaims,
    draws: DrawClaims, rules: KernelRules, shapes: ShapeTables, scoring: Scoring,
    notes: Notes, tries: Notes, facts: I64_2D, judge: Judge | None,
) -> int:  # fmt: skip
    """What a player does with a drawn tile before the discard: returns the HandEnd, 0 to go on."""
    seat = table.turn
    tile, mine = table.drawn[seat], traits[seat]
    waiting = legal.completes(table, seat, rules) and not chance(record, mine[T_PASSES])
    if waiting and claim(table, claims, 0, seat, seat, tile, supply, rules, scoring, tries, facts):
        settle_wins(table, claims, 1, rules, scoring, notes, facts)
        return WON
    if mine[T_FOULS] and rules.fouls and chance(record, mine[T_FOULS]):
        foul_in_turn(table, record, seat, rules, scoring, notes)
        if table.due_cost:
            return end_by_foul(table, record, draws, rules, shapes, scoring, notes)
    if may_abort(table, KYUUSHU, rules) and chance(record, mine[T_ABORTS]):
        return end_without_winner(table, record, KYUUSHU, draws, rules, shapes, scoring, notes)
    if not kita_if_wanted(table, record, seat, mine, rules, shapes, notes):
        kan_if_wanted(table, supply, record, seat, mine, tiles, rules, shapes, scoring, notes, judge)
    return 0


@kernel
def foul_in_turn(
    table: TableState, record: Course, seat: int, rules: KernelRules, scoring: Scoring, notes: Notes
) -> None:
    """Let the seat to move commit a foul that the rules know: a false win, or one that no event shows."""
    for kind in range(FOULS):
        kept = kind != state.FALSE_WIN and chance(record, SURE // 2)
        is_act = kind in (state.NOTEN_RIICHI, state.SPOILING_KAN, state.SWAPPED, state.DEAD_ACTS)
        if kept or is_act or legal.consequence(kind, rules) == 0:
            continue
        if kind != state.FALSE_WIN or is_false_win(table, seat, rules, scoring):
            make_foul(table, record, seat, kind, 0, rules, scoring, notes)
            return


@kernel
def end_by_foul(
    table: TableState, record: Course, draws: DrawClaims, rules: KernelRules, shapes: ShapeTables,
    scoring: Scoring, notes: Notes,
) -> int:  # fmt: skip
    """End the hand by the foul that was stated."""
    table.offender = table.due_seat
    return end_without_winner(table, record, CHOMBO, draws, rules, shapes, scoring, notes)


@kernel
def swap_as_foul(
    table: TableState, record: Course, supply: Supply, seat: int, traits: I64, rules: KernelRules
) -> int:
    """Return the id of a discard that kuikae forbids, where the player commits this foul; else NOBODY."""
    is_near = table.kuikae != 0 and traits[T_FOULS] != 0 and table.phase == state.WAIT_DISCARD
    if is_near and legal.consequence(state.SWAPPED, rules) and chance(record, SURE // 2):
        for kind in range(34):
            if table.kuikae >> kind & 1 and table.counts[seat, kind]:
                return discarded_id(record, supply, seat, kind)
    return NOBODY


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
def wants_riichi(table: TableState, record: Course, seat: int, traits: I64, rules: KernelRules) -> bool:
    """Return whether a player declares riichi with the discard it chose, tenpai or as a foul."""
    if record.chosen_shanten == 0 and record.chosen_mask and chance(record, traits[T_RIICHI]):
        gone = record.chosen_mask & (table.river_kinds[seat] | 1 << record.chosen_kind)
        return gone == 0 or chance(record, traits[T_FURITEN_RIICHI])
    punished = legal.consequence(state.NOTEN_RIICHI, rules) != 0
    return traits[T_FOULS] != 0 and punished and chance(record, traits[T_FOULS])


@kernel
def shows_hand(record: Course, rules: KernelRules) -> bool:
    """Return whether a riichi is declared with the hand shown: every fourth, where that is played."""
    return rules.open_riichi_han != 0 and chance(record, SURE // 4)


@kernel
def counts_as_tenpai(
    table: TableState, supply: Supply, record: Course, seat: int, kind: int, rules: KernelRules,
    shapes: ShapeTables,
) -> bool:  # fmt: skip
    """Return whether a hand with waits is tenpai without a tile, where that depends on what lies open."""
    if rules.own_four_wait != state.NOTEN_SEEN or legal.consequence(state.NOTEN_RIICHI, rules):
        return True
    tile = supply.tile_of[discarded_id(record, supply, seat, kind)]
    return legal.keeps_tenpai(table, seat, tile, rules, shapes)


@kernel
def discard_as_wanted(
    table: TableState, supply: Supply, record: Course, traits: I64_2D, rules: KernelRules,
    shapes: ShapeTables, scoring: Scoring, notes: Notes, judge: Judge | None,
) -> None:  # fmt: skip
    """Let the seat to move discard, declaring riichi where it pleases."""
    seat = table.turn
    mine = traits[seat]
    if table.riichi[seat]:
        discard_seen(table, supply, record, int(record.drawn[seat]), rules, shapes, notes, judge)
        return
    option, wished = DISCARD, NOBODY
    if judge is not None and mine[T_STRONG]:
        option, wished = choose_turn(table, seat, RIICHI, rules, shapes, scoring, judge)
    else:
        choose_discard(table, record, seat, mine, rules, shapes)
    against, kind = legal.against_riichi(table, seat, rules), record.chosen_kind
    if chance(record, mine[T_WILD]):
        kind, wished = choose_wildly(table, record, seat), NOBODY
    elif wished != NOBODY:
        if option == RIICHI:
            make_riichi(table, record, shows_hand(record, rules), rules, notes)
    elif (
        against & (legal.NOT_NOW | legal.NOT_CLOSED) == 0
        and wants_riichi(table, record, seat, mine, rules)
        and against == 0
        and counts_as_tenpai(table, supply, record, seat, kind, rules, shapes)
    ):
        make_riichi(table, record, shows_hand(record, rules), rules, notes)
    tile = discarded_id(record, supply, seat, kind)
    if wished != NOBODY:
        tile = id_of(record, supply, seat, wished)
    swapped = swap_as_foul(table, record, supply, seat, mine, rules)
    tile = tile if swapped == NOBODY else swapped
    discard_seen(table, supply, record, tile, rules, shapes, notes, judge)
    if swapped != NOBODY and legal.consequence(state.SWAPPED, rules) > state.NOTHING:
        make_foul(table, record, seat, state.SWAPPED, 0, rules, scoring, notes)


@kernel
def play_to_offer(
    table: TableState, supply: Supply, record: Course, traits: I64_2D, tiles: U8, claims: WinClaims,
    draws: DrawClaims, rules: KernelRules, shapes: ShapeTables, scoring: Scoring, notes: Notes, tries: Notes,
    facts: I64_2D, judge: Judge | None,
) -> int:  # fmt: skip
    """Draw, act and discard until a tile is on offer: returns the HandEnd, 0 to go on."""
    phase = table.phase
    if phase == state.WAIT_DRAW and table.live == 0:
        return end_without_winner(table, record, EXHAUSTIVE, draws, rules, shapes, scoring, notes)
    if phase == state.WAIT_SUPPLEMENT:
        seat, tile = table.turn, table.offer_tile
        if wins_with_kan(table, seat, tile, rules) and claim(
            table, claims, 0, seat, seat, tile, supply, rules, scoring, tries, facts
        ):  # fmt: skip
            settle_wins(table, claims, 1, rules, scoring, notes, facts)
            return WON
        if may_abort(table, SUUKAIKAN, rules):
            return end_without_winner(table, record, SUUKAIKAN, draws, rules, shapes, scoring, notes)
    if phase == state.WAIT_DRAW or phase == state.WAIT_SUPPLEMENT:
        turned = table.turned
        has_drawn = make_draw(table, supply, record, rules, notes)
        if judge is not None and table.turned != turned:
            watch(table, judge, state.DORA, NOBODY, NOBODY, rules)
        if not has_drawn and phase == state.WAIT_DRAW and table.live == 0:
            return end_without_winner(table, record, EXHAUSTIVE, draws, rules, shapes, scoring, notes)
        end = own_turn(
            table, supply, record, traits, tiles, claims, draws, rules, shapes, scoring, notes, tries,
            facts, judge,
        )  # fmt: skip
        if end:
            return end
    if table.phase != state.WAIT_SUPPLEMENT:
        turned = table.turned
        discard_as_wanted(table, supply, record, traits, rules, shapes, scoring, notes, judge)
        if judge is not None and table.turned != turned:
            watch(table, judge, state.DORA, NOBODY, NOBODY, rules)
    return 0


@kernel
def abort_due(table: TableState, rules: KernelRules) -> int:
    """Return the HandEnd of the draw that a discard brings about, 0 if it brings none."""
    for kind in (SUUFON, SUUCHA, SUUKAIKAN):
        if may_abort(table, kind, rules):
            return kind
    return 0


@kernel
def call_or_pass(
    table: TableState, supply: Supply, record: Course, traits: I64_2D, tiles: U8, draws: DrawClaims,
    rules: KernelRules, shapes: ShapeTables, scoring: Scoring, notes: Notes, judge: Judge | None,
) -> int:  # fmt: skip
    """Let the tile on offer be called that nobody wins: returns the HandEnd, 0 to go on."""
    if judge is not None:
        if table.offer == state.DISCARD:
            think_of_calls(table, traits, rules, shapes, scoring, judge)
        watch(table, judge, table.offer, table.offer_seat, table.offer_tile, rules)
    let_pass(table, record, rules, notes)
    if table.phase == state.WAIT_DRAW:
        end = abort_due(table, rules)
        if end:
            return end_without_winner(table, record, end, draws, rules, shapes, scoring, notes)
        has_called = call_if_wanted(table, supply, record, traits, tiles, rules, shapes, notes, judge)
        if judge is not None and has_called:
            note_move(table, judge.rivers, state.CHI, 0)
            watch(table, judge, state.CHI, table.turn, NOBODY, rules)
    return 0


@kernel
def play_on(
    table: TableState, supply: Supply, record: Course, traits: I64_2D, tiles: U8, claims: WinClaims,
    draws: DrawClaims, rules: KernelRules, shapes: ShapeTables, scoring: Scoring, notes: Notes, tries: Notes,
    facts: I64_2D, judge: Judge | None, offered: bool,
) -> tuple[int, int]:  # fmt: skip
    """Play a hand to its end, a new tile on offer or not; returns (HandEnd, number of winners)."""
    while notes.counts[0] == 0:
        if not offered:
            end = play_to_offer(
                table, supply, record, traits, tiles, claims, draws, rules, shapes, scoring, notes, tries,
                facts, judge,
            )  # fmt: skip
            if end:
                return end, int(end == WON)
        offered = False
        if table.due_cost and not rules.win_beats_foul:
            return end_by_foul(table, record, draws, rules, shapes, scoring, notes), 0
        winners = claims_of_others(table, supply, record, traits, claims, rules, scoring, notes, tries, facts)
        if winners == 3 and rules.abort_sanchahou:
            return end_without_winner(table, record, SANCHAHOU, draws, rules, shapes, scoring, notes), 0
        if winners:
            return WON, winners
        if fouled(table, 0, rules) != NOBODY:
            table.offender = fouled(table, 0, rules)
            return end_without_winner(table, record, CHOMBO, draws, rules, shapes, scoring, notes), 0
        state_due(table, record, 0, rules, scoring, notes)
        if table.due_cost:
            return end_by_foul(table, record, draws, rules, shapes, scoring, notes), 0
        end = call_or_pass(table, supply, record, traits, tiles, draws, rules, shapes, scoring, notes, judge)
        if end:
            return end, 0
    return 0, 0


@entry
def play_hand(
    table: TableState, hands: HandClaims, supply: Supply, record: Course, traits: I64_2D, tiles: U8,
    claims: WinClaims, draws: DrawClaims, rules: KernelRules, shapes: ShapeTables,
    scoring: Scoring, notes: Notes, tries: Notes, facts: I64_2D, judge: Judge | None,
) -> tuple[int, int]:  # fmt: skip
    """Play a hand from the deal to its end; returns (HandEnd, number of winners).

    traits: (4, T_SIZE). claims: 3 rows; facts: 3 rows of ``ScoredWins``; both are filled for the winners.
    draws: 1 row. ``judge`` is None where nobody chooses as strong players do. A finding in ``notes``
    afterwards is a fault of this module.
    """
    deal(table, hands, supply, record, rules, shapes, notes)
    if judge is not None:
        begin_watching(judge)
    return play_on(
        table, supply, record, traits, tiles, claims, draws, rules, shapes, scoring, notes, tries, facts,
        judge, False,
    )  # fmt: skip
