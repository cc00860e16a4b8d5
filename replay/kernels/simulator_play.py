"""A simulated hand from the deal to its end: who does what when.

A player tries a move whose legality is in question on a second table first: only one that leaves no finding
is made.
"""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from paifu.replay.kernels import rules as rare
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels import transitions
from paifu.replay.kernels.arrays import I64, I64_2D, U8
from paifu.replay.kernels.claims import DrawClaims, HandClaims, WinClaims
from paifu.replay.kernels.decision_layout import ANKAN, DISCARD, KAKAN, RIICHI
from paifu.replay.kernels.draws import (
    CHOMBO,
    EXHAUSTIVE,
    KYUUSHU,
    SANCHAHOU,
    SUUCHA,
    SUUFON,
    SUUKAIKAN,
    fouled,
    is_foul,
    may_abort,
)
from paifu.replay.kernels.jit import entry, kernel
from paifu.replay.kernels.notes import Notes
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.shapes import NOT_HELD, ShapeTables
from paifu.replay.kernels.simulator_choices import (
    CHOSEN_KIND,
    CHOSEN_MASK,
    CHOSEN_SHANTEN,
    SURE,
    T_ABORTS,
    T_FOULS,
    T_FURITEN_RIICHI,
    T_KANS,
    T_MODEL,
    T_PASSES,
    T_RIICHI,
    T_WILD,
    chance,
    choose_call,
    choose_discard,
    choose_wildly,
    shanten_less,
)
from paifu.replay.kernels.simulator_judgement import (
    Judge,
    begin_watching,
    choose_turn,
    think_of_calls,
    watch,
    wished_call,
)
from paifu.replay.kernels.simulator_moves import (
    Record,
    Supply,
    claim,
    deal,
    end_without_winner,
    held_id,
    let_pass,
    make_call,
    make_discard,
    make_draw,
    make_kita,
    make_own_kan,
    make_riichi,
    settle_wins,
    spread,
)
from paifu.replay.kernels.table_state import NOBODY, TableState, kind_of
from paifu.replay.kernels.wins import Scoring, wins_with_kan

WON = 1
"""``events.HandEnd.WIN``."""


@kernel
def copy_rows(source: npt.NDArray[Any], target: npt.NDArray[Any]) -> None:
    """Copy an array of rows: numba would allocate for a slice."""
    for row in range(source.shape[0]):
        for i in range(source.shape[1]):
            target[row, i] = source[row, i]


@kernel
def copy_table(table: TableState, other: TableState) -> None:
    """Copy what calls and kans ask of ``table`` into ``other``, where they can be tried."""
    copy_rows(table.counts, other.counts)
    copy_rows(table.held, other.held)
    copy_rows(table.melded, other.melded)
    copy_rows(table.meld_kinds, other.meld_kinds)
    copy_rows(table.meld_types, other.meld_types)
    copy_rows(table.keys, other.keys)
    copy_rows(table.seats, other.seats)
    for i in range(state.H_SIZE):
        other.hand[i] = table.hand[i]
    for kind in range(34):
        other.river[kind] = table.river[kind]


@kernel
def discarded_id(record: Record, supply: Supply, seat: int, kind: int) -> int:
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
    table: TableState, trial: TableState, supply: Supply, record: Record, traits: I64_2D, tiles: U8,
    rules: KernelRules, shapes: ShapeTables, notes: Notes, tries: Notes, judge: Judge | None,
) -> bool:  # fmt: skip
    """Let one of the others call the discard: a pon or kan goes before a chi."""
    source = table.hand[state.H_OFFER_SEAT]
    if table.hand[state.H_LIVE] == 0:
        return False
    for go in range(2):
        for turn in range(1, rules.players if go == 0 else 2):
            seat = (source + turn) % rules.players
            if table.seats[state.S_RIICHI, seat]:
                continue
            if judge is not None and traits[seat, T_MODEL]:
                event, first, second = wished_call(table, seat, judge)
            else:
                event, first, second = choose_call(table, record, seat, traits[seat], rules, shapes)
            if event == 0 or (event == state.CHI) != (go == 1):
                continue
            own = held_id(record, seat, first, 0)
            own |= held_id(record, seat, second, 1 if event != state.CHI else 0) << 8
            own |= (held_id(record, seat, first, 2) if event == state.DAIMINKAN else NOBODY) << 16
            copy_table(table, trial)
            tries.counts[0] = 0
            spread(supply, own, tiles)
            offered = table.hand[state.H_OFFER_TILE]
            transitions.call(trial, event, seat, offered, source, tiles, rules, tries)
            if tries.counts[0] == 0:
                return make_call(table, supply, record, event, seat, own, tiles, rules, notes)
    return False


@kernel
def claims_of_others(
    table: TableState, supply: Supply, record: Record, traits: I64_2D, claims: WinClaims, rules: KernelRules,
    scoring: Scoring, notes: Notes, tries: Notes, facts: I64_2D,
) -> int:  # fmt: skip
    """Let the others win the tile on offer; returns how many do, in rows 0 on."""
    hand, seats = table.hand, table.seats
    source, tile, number = hand[state.H_OFFER_SEAT], hand[state.H_OFFER_TILE], 0
    for turn in range(1, rules.players):
        seat = (source + turn) % rules.players
        if not seats[state.S_WAITS, seat] >> kind_of(tile) & 1 or seats[state.S_MISSED, seat]:
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
    table: TableState, trial: TableState, supply: Supply, record: Record, seat: int, traits: I64, tiles: U8,
    rules: KernelRules, shapes: ShapeTables, scoring: Scoring, notes: Notes, tries: Notes,
    judge: Judge | None,
) -> bool:  # fmt: skip
    """Let the seat to move lay a closed kan or add to a pon, unless that sets its hand back."""
    hand, counts, keys = table.hand, table.counts[seat], table.keys[seat]
    melds, forms = table.seats[state.S_MELDS, seat], rules.forms
    if hand[state.H_KANS] == 4 or hand[state.H_LIVE] == 0:
        return False
    for kind in range(34):
        number, event = counts[kind], state.ANKAN
        for i in range(melds):
            if table.meld_types[seat, i] == state.PON and table.meld_kinds[seat, i] == kind and number:
                event = state.KAKAN
        if not (number == 4 or event == state.KAKAN):
            continue
        least = NOT_HELD
        for other in range(34):
            if counts[other]:
                least = min(least, shanten_less(keys, other, 1, melds, forms, shapes))
        used, more = (4, 1) if event == state.ANKAN else (1, 0)
        if shanten_less(keys, kind, used, melds + more, forms, shapes) > least:
            continue
        if judge is not None and traits[T_MODEL]:
            option, wished = choose_turn(table, seat, KAKAN, rules, shapes, scoring, judge)
            if wished != kind or option != (ANKAN if event == state.ANKAN else KAKAN):
                continue
        elif not chance(record, traits[T_KANS]):
            continue
        tile = held_id(record, seat, kind, used - 1)
        copy_table(table, trial)
        tries.counts[0] = 0
        for i in range(3):
            tiles[i] = supply.tile_of[tile - tile % 4 + i]
        transitions.own_kan(trial, event, seat, int(supply.tile_of[tile]), tiles, rules, shapes, tries)
        if tries.counts[0] == 0:
            return make_own_kan(table, supply, record, event, tile, tiles, rules, shapes, notes)
    return False


@kernel
def kita_if_wanted(
    table: TableState,
    record: Record,
    seat: int,
    traits: I64,
    rules: KernelRules,
    shapes: ShapeTables,
    notes: Notes,
) -> bool:
    """Let the seat to move set a north aside, which it nearly always does."""
    is_riichi = table.seats[state.S_RIICHI, seat]
    if rules.kita == 0 or table.hand[state.H_LIVE] == 0 or table.counts[seat, state.NORTH] == 0:
        return False
    if is_riichi and table.seats[state.S_DRAWN, seat] != state.NORTH:
        return False
    if not chance(record, SURE - traits[T_WILD] - 20):
        return False
    drawn = record.drawn[seat]
    tile = drawn if table.seats[state.S_DRAWN, seat] == state.NORTH else held_id(record, seat, state.NORTH, 0)
    return make_kita(table, record, tile, rules, shapes, notes)


@kernel
def own_turn(
    table: TableState, trial: TableState, supply: Supply, record: Record, traits: I64_2D, tiles: U8,
    claims: WinClaims, draws: DrawClaims, rules: KernelRules, shapes: ShapeTables, scoring: Scoring,
    notes: Notes, tries: Notes, facts: I64_2D, judge: Judge | None,
) -> int:  # fmt: skip
    """What a player does with a drawn tile before the discard: returns the HandEnd, 0 to go on."""
    hand, seats = table.hand, table.seats
    seat = hand[state.H_TURN]
    tile, mine = seats[state.S_DRAWN, seat], traits[seat]
    waiting = seats[state.S_WAITS, seat] >> kind_of(tile) & 1 and not chance(record, mine[T_PASSES])
    if waiting and claim(table, claims, 0, seat, seat, tile, supply, rules, scoring, tries, facts):
        settle_wins(table, claims, 1, rules, scoring, notes, facts)
        return WON
    if mine[T_FOULS] and (rules.rare >> rare.CHOMBO & 3) and chance(record, mine[T_FOULS]):
        hand[state.H_OFFENDER] = seat
        if is_foul(table, rules, scoring):
            return end_without_winner(table, record, CHOMBO, draws, rules, shapes, scoring, notes)
    if may_abort(table, KYUUSHU, rules) and chance(record, mine[T_ABORTS]):
        return end_without_winner(table, record, KYUUSHU, draws, rules, shapes, scoring, notes)
    if not kita_if_wanted(table, record, seat, mine, rules, shapes, notes):
        kan_if_wanted(
            table, trial, supply, record, seat, mine, tiles, rules, shapes, scoring, notes, tries, judge
        )  # fmt: skip
    return 0


@kernel
def id_of(record: Record, supply: Supply, seat: int, tile: int) -> int:
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
def discard_as_wanted(
    table: TableState, supply: Supply, record: Record, traits: I64_2D, rules: KernelRules,
    shapes: ShapeTables, scoring: Scoring, notes: Notes, tries: Notes, judge: Judge | None,
) -> None:  # fmt: skip
    """Let the seat to move discard, declaring riichi where it pleases."""
    hand, seats = table.hand, table.seats
    seat = hand[state.H_TURN]
    mine, choice = traits[seat], record.choice
    if seats[state.S_RIICHI, seat]:
        make_discard(table, supply, record, record.drawn[seat], rules, shapes, notes)
        return
    choose_discard(table, record, seat, mine, rules, shapes)
    kind, option, wished = choice[CHOSEN_KIND], DISCARD, NOBODY
    if judge is not None and mine[T_MODEL]:
        option, wished = choose_turn(table, seat, RIICHI, rules, shapes, scoring, judge)
    if chance(record, mine[T_WILD]):
        kind, wished = choose_wildly(table, record, seat), NOBODY
    elif wished != NOBODY:
        if option == RIICHI:
            make_riichi(table, record, rules, notes)
    elif (
        hand[state.H_PHASE] == state.WAIT_ACT
        and choice[CHOSEN_SHANTEN] == 0
        and choice[CHOSEN_MASK]
        and seats[state.S_OPEN, seat] == 0
        and chance(record, mine[T_RIICHI])
    ):
        gone = choice[CHOSEN_MASK] & (seats[state.S_RIVER, seat] | 1 << kind)
        tries.counts[0] = 0
        if gone == 0 or chance(record, mine[T_FURITEN_RIICHI]):
            transitions.declare(table, seat, rules, tries)
            hand[state.H_PHASE] = state.WAIT_ACT
            if tries.counts[0] == 0:
                make_riichi(table, record, rules, notes)
    elif (
        mine[T_FOULS]
        and (rules.rare >> rare.RIICHI_FOULS & 3)
        and hand[state.H_PHASE] == state.WAIT_ACT
        and seats[state.S_OPEN, seat] == 0
        and chance(record, mine[T_FOULS])
    ):
        tries.counts[0] = 0
        transitions.declare(table, seat, rules, tries)
        hand[state.H_PHASE] = state.WAIT_ACT
        if tries.counts[0] == 0:
            make_riichi(table, record, rules, notes)
    tile = discarded_id(record, supply, seat, kind)
    if wished != NOBODY:
        tile = id_of(record, supply, seat, wished)
    make_discard(table, supply, record, tile, rules, shapes, notes)


@entry
def play_hand(
    table: TableState, trial: TableState, hands: HandClaims, supply: Supply, record: Record, traits: I64_2D,
    tiles: U8, claims: WinClaims, draws: DrawClaims, rules: KernelRules, shapes: ShapeTables,
    scoring: Scoring, notes: Notes, tries: Notes, facts: I64_2D, judge: Judge | None,
) -> tuple[int, int]:  # fmt: skip
    """Play a hand from the deal to its end; returns (HandEnd, number of winners).

    traits: (4, T_SIZE). claims: 3 rows; facts: 3 rows of ``ScoredWins``; both are filled for the winners.
    draws: 1 row. ``judge`` is None where nobody follows the model. A finding in ``notes`` afterwards is a
    fault of this module.
    """
    hand = table.hand
    deal(table, hands, supply, record, rules, shapes, notes)
    if judge is not None:
        begin_watching(judge)
    while notes.counts[0] == 0:
        phase = hand[state.H_PHASE]
        if phase == state.WAIT_DRAW and hand[state.H_LIVE] == 0:
            return end_without_winner(table, record, EXHAUSTIVE, draws, rules, shapes, scoring, notes), 0
        if phase == state.WAIT_SUPPLEMENT:
            seat, tile = hand[state.H_TURN], hand[state.H_OFFER_TILE]
            if wins_with_kan(table, seat, tile, rules) and claim(
                table, claims, 0, seat, seat, tile, supply, rules, scoring, tries, facts
            ):  # fmt: skip
                settle_wins(table, claims, 1, rules, scoring, notes, facts)
                return WON, 1
            if may_abort(table, SUUKAIKAN, rules):
                return end_without_winner(
                    table, record, SUUKAIKAN, draws, rules, shapes, scoring, notes
                ), 0  # fmt: skip
        if phase == state.WAIT_DRAW or phase == state.WAIT_SUPPLEMENT:
            turned = hand[state.H_TURNED]
            make_draw(table, supply, record, rules, notes)
            if judge is not None and hand[state.H_TURNED] != turned:
                watch(table, judge, state.DORA, NOBODY, NOBODY, rules)
            end = own_turn(
                table, trial, supply, record, traits, tiles, claims, draws, rules, shapes, scoring, notes,
                tries, facts, judge,
            )  # fmt: skip
            if end:
                return end, int(end == WON)
        if hand[state.H_PHASE] != state.WAIT_SUPPLEMENT:
            turned = hand[state.H_TURNED]
            discard_as_wanted(table, supply, record, traits, rules, shapes, scoring, notes, tries, judge)
            if judge is not None and hand[state.H_TURNED] != turned:
                watch(table, judge, state.DORA, NOBODY, NOBODY, rules)
        winners = claims_of_others(table, supply, record, traits, claims, rules, scoring, notes, tries, facts)
        if winners == 3 and rules.abort_sanchahou:
            return end_without_winner(table, record, SANCHAHOU, draws, rules, shapes, scoring, notes), 0
        if winners:
            return WON, winners
        if (rules.rare >> rare.RIICHI_FOULS & 3) == state.FOULS_AT_ONCE and fouled(table, rules) != NOBODY:
            hand[state.H_OFFENDER] = fouled(table, rules)
            return end_without_winner(table, record, CHOMBO, draws, rules, shapes, scoring, notes), 0
        if judge is not None:
            if hand[state.H_OFFER] == state.DISCARD:
                think_of_calls(table, traits, rules, shapes, scoring, judge)
            watch(
                table, judge, hand[state.H_OFFER], hand[state.H_OFFER_SEAT], hand[state.H_OFFER_TILE], rules
            )
        let_pass(table, record, rules, notes)
        if hand[state.H_PHASE] == state.WAIT_DRAW:
            for kind in (SUUFON, SUUCHA, SUUKAIKAN):
                if may_abort(table, kind, rules):
                    return end_without_winner(table, record, kind, draws, rules, shapes, scoring, notes), 0
            has_called = call_if_wanted(
                table, trial, supply, record, traits, tiles, rules, shapes, notes, tries, judge
            )
            if judge is not None and has_called:
                watch(table, judge, state.CHI, hand[state.H_TURN], NOBODY, rules)
    return 0, 0
