"""What is taken down of each player's hand while it is replayed: the rows of ``player_hands``."""

from __future__ import annotations

from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import I64
from paifu.replay.kernels.jit import kernel
from paifu.replay.kernels.shapes import ShapeTables, shanten
from paifu.replay.kernels.table_state import TableState
from paifu.replay.kernels.wins import Scoring, count_dora, worth
from paifu.replay.rules.ruleset import KernelRules

# Columns of ``player_hands``.
(
    P_HAND, P_SEAT, P_SHANTEN, P_TENPAI_TURN, P_TENPAI, P_RIICHI, P_RIICHI_TURN, P_RIICHI_ORDER,
    P_RIICHI_WAITS, P_RIICHI_LIVE, P_RIICHI_FURITEN, P_FURITEN, P_CALLS, P_ANKAN, P_KAKAN, P_DAIMINKAN,
    P_KITA, P_DISCARDS,
    P_WAITS, P_RESULT, P_CHANGE,
    P_TENPAI_LIVE, P_NOW, P_PATH, P_DRAWS, P_USEFUL, P_LOSING, P_RIICHI_YAKU, P_RIICHI_DORA, P_SIZE,
) = range(30)  # fmt: skip
RESULT_NONE, RESULT_TSUMO, RESULT_RON, RESULT_DEAL_IN, RESULT_TSUMO_PAID, RESULT_ASIDE, RESULT_DRAW = range(7)
RESULT_ABORT, RESULT_FOUL = 7, 8
PATH_TURNS, PATH_BITS = 18, 3
"""P_PATH: shanten after each of so many own discards, so many bits each."""


@kernel
def begin_facts(table: TableState, hand: int, rules: KernelRules, shapes: ShapeTables, facts: I64) -> None:
    """Start a hand's rows of ``player_hands``, one a seat."""
    facts[:] = 0
    for seat in range(rules.players):
        keys = table.keys[seat]
        facts[seat, P_HAND], facts[seat, P_SEAT] = hand, seat
        facts[seat, P_TENPAI_TURN] = -1
        facts[seat, P_SHANTEN] = shanten(
            keys[0], keys[1], keys[2], keys[3], 0, rules.chiitoitsu_identical_pairs, shapes
        )
        facts[seat, P_NOW] = facts[seat, P_SHANTEN]


@kernel
def note_facts(table: TableState, kind: int, seat: int, rules: KernelRules, facts: I64) -> None:
    """Take down, after an event of ``seat``, what statistics and review ask of its hand (rows by seat)."""
    seats, fact = table.seats, facts[seat]
    if kind == state.DISCARD:
        fact[P_DISCARDS] += 1
        mask = seats[state.S_WAITS, seat]
        fact[P_WAITS] = mask
        if mask and fact[P_TENPAI_TURN] < 0:
            fact[P_TENPAI_TURN] = fact[P_DISCARDS]
        if mask & seats[state.S_RIVER, seat]:
            fact[P_FURITEN] |= 1
        if seats[state.S_DECLARING, seat]:
            fact[P_RIICHI] = 1 + seats[state.S_DOUBLE, seat]
            fact[P_RIICHI_TURN] = fact[P_DISCARDS]
            fact[P_RIICHI_ORDER] = table.hand[state.H_RIICHI] + 1
            fact[P_RIICHI_WAITS] = mask
            fact[P_RIICHI_LIVE] = state.live_copies(table, mask, seat)
            fact[P_RIICHI_FURITEN] = mask & seats[state.S_RIVER, seat] != 0
        for other in range(rules.players):
            if seats[state.S_FURITEN, other]:
                facts[other, P_FURITEN] |= 4
            elif seats[state.S_TEMPORARY, other]:
                facts[other, P_FURITEN] |= 2
    elif kind == state.CHI or kind == state.PON:
        fact[P_CALLS] += 1
    elif kind == state.DAIMINKAN:
        fact[P_CALLS] += 1
        fact[P_DAIMINKAN] += 1
    elif kind == state.ANKAN:
        fact[P_ANKAN] += 1
    elif kind == state.KAKAN:
        fact[P_KAKAN] += 1
    elif kind == state.KITA:
        fact[P_KITA] += 1


@kernel
def note_shanten(
    keys: I64, kind: int, is_waiting: bool, melds: int, identical: int, shapes: ShapeTables, fact: I64
) -> None:
    """Take down how an event moved a hand toward tenpai or away from it; ``fact`` is its seat's row."""
    now = 0
    if not is_waiting:
        now = shanten(keys[0], keys[1], keys[2], keys[3], melds, identical, shapes)
    if kind == state.DRAW:
        fact[P_DRAWS] += 1
        fact[P_USEFUL] += now < fact[P_NOW]
    elif kind == state.DISCARD:
        fact[P_LOSING] += now > fact[P_NOW]
        turn = fact[P_DISCARDS]
        if turn <= PATH_TURNS:
            fact[P_PATH] |= now << PATH_BITS * (turn - 1)
    fact[P_NOW] = now


@kernel
def note_riichi(table: TableState, seat: int, rules: KernelRules, scoring: Scoring, fact: I64) -> None:
    """Take down what a hand that just declared riichi holds, whichever of its waits wins."""
    mask = table.seats[state.S_WAITS, seat]
    yaku = -1
    for wait in range(34):
        if mask >> wait & 1:
            worth(table, seat, (seat + 1) % rules.players, wait, table.indicators, rules, scoring)
            yaku &= scoring.out[layout.OUT_YAKU]
    fact[P_RIICHI_YAKU] = yaku if mask else 0
    turned = table.hand[state.H_TURNED] if rules.kan_dora else 1
    if rules.dora:
        fact[P_RIICHI_DORA] = count_dora(table, seat, table.counts[seat], table.indicators, turned, rules)
    for red in range(34, 37):
        fact[P_RIICHI_DORA] += table.held[seat, red]
    fact[P_RIICHI_DORA] += table.seats[state.S_REDS, seat] + table.seats[state.S_KITA, seat]
