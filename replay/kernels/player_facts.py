"""What is taken down of each player's hand while it is replayed: the rows of ``player_hands``."""

from __future__ import annotations

from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import I64, I64_2D
from paifu.replay.kernels.rows import PATH_BITS, PATH_TURNS, PLAYER
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.running import kernel
from paifu.replay.kernels.shapes import ShapeTables, shanten
from paifu.replay.kernels.table_state import TableState
from paifu.replay.kernels.wins import Scoring, own_dora, worth


@kernel
def begin_facts(table: TableState, hand: int, rules: KernelRules, shapes: ShapeTables, facts: I64_2D) -> None:
    """Start a hand's rows of ``player_hands``, one a seat."""
    facts[:] = 0
    for seat in range(rules.players):
        keys = table.keys[seat]
        facts[seat, PLAYER.hand], facts[seat, PLAYER.seat] = hand, seat
        facts[seat, PLAYER.tenpai_turn] = -1
        facts[seat, PLAYER.start_shanten] = shanten(
            keys[0], keys[1], keys[2], keys[3], 0, rules.forms, shapes
        )
        facts[seat, PLAYER.shanten] = facts[seat, PLAYER.start_shanten]


@kernel
def observe(
    table: TableState, kind: int, seat: int, rules: KernelRules, shapes: ShapeTables, scoring: Scoring,
    facts: I64_2D,
) -> None:  # fmt: skip
    """Take down, after an event of ``seat``, what statistics and review ask of its hand (rows by seat)."""
    fact, mask = facts[seat], table.waits[seat]
    note_facts(table, kind, seat, rules, facts)
    # The discard that made the hand tenpai.
    if kind == state.DISCARD and fact[PLAYER.tenpai_turn] == fact[PLAYER.discards]:
        fact[PLAYER.tenpai_live] = state.live_copies(table, mask, seat)
    # In riichi a hand moves no more, once it is declared.
    declaring = kind == state.DISCARD and table.declaring[seat] != 0
    if kind <= state.KITA and (declaring or not table.riichi[seat]):
        is_waiting, melds = kind == state.DISCARD and mask != 0, table.meld_count[seat]
        note_shanten(table.keys[seat], kind, is_waiting, melds, rules.forms, shapes, fact)
        if declaring:
            note_riichi(table, seat, rules, scoring, fact)


@kernel
def note_facts(table: TableState, kind: int, seat: int, rules: KernelRules, facts: I64_2D) -> None:
    """Count an event of ``seat``."""
    fact = facts[seat]
    if kind == state.DISCARD:
        fact[PLAYER.discards] += 1
        mask = table.waits[seat]
        fact[PLAYER.waits] = mask
        # First tenpai, and furiten by its own river.
        if mask and fact[PLAYER.tenpai_turn] < 0:
            fact[PLAYER.tenpai_turn] = fact[PLAYER.discards]
        if mask & table.river_kinds[seat]:
            fact[PLAYER.furiten] |= 1
        # The riichi as it is declared, whatever becomes of the wait.
        if table.declaring[seat]:
            fact[PLAYER.riichi] = 1 + table.double_riichi[seat]
            fact[PLAYER.riichi_turn] = fact[PLAYER.discards]
            fact[PLAYER.riichi_order] = table.riichi_count + 1
            fact[PLAYER.riichi_waits] = mask
            fact[PLAYER.riichi_live] = state.live_copies(table, mask, seat)
            fact[PLAYER.riichi_furiten] = mask & table.river_kinds[seat] != 0
        # Furiten of those who let this tile pass, for the moment or for good.
        for other in range(rules.players):
            if table.permanent_furiten[other]:
                facts[other, PLAYER.furiten] |= 4
            elif table.temporary_furiten[other]:
                facts[other, PLAYER.furiten] |= 2
    elif kind == state.CHI or kind == state.PON:
        fact[PLAYER.calls] += 1
    elif kind == state.DAIMINKAN:
        fact[PLAYER.calls] += 1
        fact[PLAYER.daiminkan] += 1
    elif kind == state.ANKAN:
        fact[PLAYER.ankan] += 1
    elif kind == state.KAKAN:
        fact[PLAYER.kakan] += 1
    elif kind == state.KITA:
        fact[PLAYER.kita] += 1


@kernel
def note_shanten(
    keys: I64, kind: int, is_waiting: bool, melds: int, forms: int, shapes: ShapeTables, fact: I64
) -> None:
    """Take down how an event moved a hand toward tenpai or away from it; ``fact`` is its seat's row."""
    now = 0
    if not is_waiting:
        now = shanten(keys[0], keys[1], keys[2], keys[3], melds, forms, shapes)
    # Draws that help, and discards that take back.
    if kind == state.DRAW:
        fact[PLAYER.draws] += 1
        fact[PLAYER.useful_draws] += now < fact[PLAYER.shanten]
    elif kind == state.DISCARD:
        fact[PLAYER.losing_discards] += now > fact[PLAYER.shanten]
        turn = fact[PLAYER.discards]
        if turn <= PATH_TURNS:
            fact[PLAYER.path] |= now << PATH_BITS * (turn - 1)
    fact[PLAYER.shanten] = now


@kernel
def note_riichi(table: TableState, seat: int, rules: KernelRules, scoring: Scoring, fact: I64) -> None:
    """Take down what a hand that just declared riichi holds, whichever of its waits wins."""
    # Yaku whichever tile wins.
    mask = table.waits[seat]
    yaku = -1
    for wait in range(34):
        if mask >> wait & 1:
            worth(table, seat, (seat + 1) % rules.players, wait, table.indicators, rules, scoring)
            yaku &= scoring.work.out[layout.OUT_YAKU]
    fact[PLAYER.riichi_yaku] = yaku if mask else 0
    # Dora in hand before those below.
    fact[PLAYER.riichi_dora] = own_dora(table, seat, table.counts[seat], rules)
