"""A whole table for players from elsewhere: each move is tried first, and made only if it breaks no rule.

One entry does everything, for it is called from Python for every move. What it shall do stands in ``ask``.
"""

from __future__ import annotations

from paifu.replay.kernels import codes, transitions
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import I64, I64_2D, U8
from paifu.replay.kernels.claims import DrawClaims, HandClaims, WinClaims
from paifu.replay.kernels.decision_options import may_call
from paifu.replay.kernels.draws import fouled, may_abort
from paifu.replay.kernels.notes import Notes
from paifu.replay.kernels.rows import NOTED
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.running import entry, kernel
from paifu.replay.kernels.shapes import ShapeTables
from paifu.replay.kernels.simulator_moves import (
    Course,
    Supply,
    claim,
    deal,
    end_without_winner,
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
from paifu.replay.kernels.simulator_play import copy_table
from paifu.replay.kernels.table_state import NOBODY, TableState, dora_due, kind_of
from paifu.replay.kernels.wins import Scoring, wins_with_kan

(
    DEAL, DRAW, DISCARD, RIICHI, CALL, KAN, KITA, PASS, CLAIM, SETTLE, END, MAY_END, KAN_WINS, ASKED, FOULED,
) = range(15)  # fmt: skip
"""What is asked for. CALL: then the kind of event, the seat, and the bytes of ids; KAN: the kind and an id;
DISCARD, KITA: an id; CLAIM: row and seat; SETTLE: how many win; END and MAY_END: the HandEnd.

KAN_WINS: whether the kan just laid wins. ASKED: seats (bits) that may win or call what is on offer. FOULED:
whose riichi is a foul that ends the hand at once."""
AK_SIZE = 6


@kernel
def is_clean(tries: Notes) -> bool:
    """Tell whether a move tried broke no rule; indicators are not turned on the second table."""
    for i in range(tries.counts[0]):
        if i >= len(tries.rows) or tries.rows[i, NOTED.code] != codes.KAN_DORA:
            return False
    return True


@kernel
def may_discard(
    table: TableState, trial: TableState, tile: int, flags: int, rules: KernelRules, shapes: ShapeTables,
    tries: Notes,
) -> bool:  # fmt: skip
    """Tell whether the seat to move may discard a tile (0-36)."""
    copy_table(table, trial)
    tries.counts[0] = 0
    trial.turned = dora_due(trial, rules, True)
    seat = int(trial.turn)
    return transitions.discard(trial, seat, tile, flags, rules, shapes, tries) and is_clean(tries)


@kernel
def may_declare(
    table: TableState, trial: TableState, rules: KernelRules, shapes: ShapeTables, tries: Notes
) -> bool:
    """Tell whether the seat to move may declare riichi: some discard must make it right."""
    seat = int(table.turn)
    phase = table.phase
    if phase != state.WAIT_ACT:
        return False
    for tile in range(37):
        if table.held[seat, tile] == 0:
            continue
        copy_table(table, trial)
        tries.counts[0] = 0
        trial.turned = dora_due(trial, rules, True)
        if not transitions.declare(trial, seat, rules, tries) or tries.counts[0]:
            return False
        drawn = table.drawn[seat]
        flags = state.TSUMOGIRI if drawn == tile and table.held[seat, tile] == 1 else 0
        if transitions.discard(trial, seat, tile, flags, rules, shapes, tries) and is_clean(tries):
            return True
    return False


@kernel
def may_make_call(
    table: TableState, trial: TableState, supply: Supply, event: int, seat: int, own: int, tiles: U8,
    rules: KernelRules, tries: Notes,
) -> bool:  # fmt: skip
    """Tell whether a seat may call what is on offer; after a chi or pon something must be left to discard."""
    copy_table(table, trial)
    tries.counts[0] = 0
    spread(supply, own, tiles)
    source, tile = int(table.offer_seat), int(table.offer_tile)
    if not transitions.call(trial, event, seat, tile, source, tiles, rules, tries) or tries.counts[0]:
        return False
    if event == state.DAIMINKAN:
        return True
    left = 0
    for kind in range(34):
        left += trial.counts[seat, kind] != 0 and not trial.kuikae >> kind & 1
    return left > 0


@kernel
def seats_asked(table: TableState, rules: KernelRules) -> int:
    """Return the seats (bits) that may win or call what is on offer."""
    found = 0
    kind, source, offer = kind_of(table.offer_tile), table.offer_seat, table.offer
    for turn in range(1, rules.players):
        seat = (source + turn) % rules.players
        wins = table.waits[seat] >> kind & 1 and not table.was_furiten[seat]
        if offer == state.ANKAN:
            wins = wins and rules.kokushi_ankan_ron and state.is_orphans(table, seat)
        calls = (
            offer == state.DISCARD
            and table.live > 0
            and table.riichi[seat] == 0
            and may_call(table, seat, int(kind), rules)
        )
        if wins or calls:
            found |= 1 << seat
    return found


@entry
def table_move(
    table: TableState, trial: TableState, hands: HandClaims, supply: Supply, record: Course, ask: I64,
    tiles: U8, claims: WinClaims, draws: DrawClaims, rules: KernelRules, shapes: ShapeTables,
    scoring: Scoring, notes: Notes, tries: Notes, facts: I64_2D,
) -> int:  # fmt: skip
    """Do what ``ask`` (AK_SIZE,) says; returns 0 for a move that breaks a rule, which is then not made."""
    what, first, second, third = int(ask[0]), int(ask[1]), int(ask[2]), int(ask[3])
    seat, offered = int(table.turn), int(table.offer_tile)
    if what == DEAL:
        return deal(table, hands, supply, record, rules, shapes, notes)
    if what == DRAW:
        return make_draw(table, supply, record, rules, notes)
    if what == DISCARD:
        flags = state.TSUMOGIRI if record.drawn[seat] == first else 0
        if not may_discard(table, trial, int(supply.tile_of[first]), flags, rules, shapes, tries):
            return 0
        return make_discard(table, supply, record, first, rules, shapes, notes)
    if what == RIICHI:
        if not may_declare(table, trial, rules, shapes, tries):
            return 0
        return make_riichi(table, record, rules, notes)
    if what == CALL:
        if not may_make_call(table, trial, supply, first, second, third, tiles, rules, tries):
            return 0
        return make_call(table, supply, record, first, second, third, tiles, rules, notes)
    if what == KAN:
        copy_table(table, trial)
        tries.counts[0] = 0
        for i in range(3):
            tiles[i] = supply.tile_of[second - second % 4 + i + (i >= second % 4)]
        tile = int(supply.tile_of[second])
        if not transitions.own_kan(trial, first, seat, tile, tiles, rules, shapes, tries) or tries.counts[0]:
            return 0
        return make_own_kan(table, supply, record, first, second, tiles, rules, shapes, notes)
    if what == KITA:
        copy_table(table, trial)
        tries.counts[0] = 0
        if not transitions.kita(trial, seat, state.NORTH, rules, shapes, tries) or tries.counts[0]:
            return 0
        return make_kita(table, record, first, rules, shapes, notes)
    if what == PASS:
        let_pass(table, record, rules, notes)
    elif what == CLAIM:
        source, tile = int(table.offer_seat), offered
        if table.phase == state.WAIT_ACT:
            source, tile = second, int(table.drawn[second])
        elif table.phase == state.WAIT_SUPPLEMENT and second == seat:
            source = second
        return claim(table, claims, first, second, source, tile, supply, rules, scoring, tries, facts)
    elif what == SETTLE:
        settle_wins(table, claims, first, rules, scoring, notes, facts)
    elif what == END:
        if second != NOBODY:
            table.offender = second
        return end_without_winner(table, record, first, draws, rules, shapes, scoring, notes)
    elif what == MAY_END:
        return may_abort(table, first, rules)
    elif what == KAN_WINS:
        return wins_with_kan(table, seat, offered, rules)
    elif what == ASKED:
        return seats_asked(table, rules)
    elif what == FOULED:
        return fouled(table, rules) if rules.riichi_fouls == state.FOULS_AT_ONCE else NOBODY
    return 1
