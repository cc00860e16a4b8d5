"""A whole table for players from elsewhere: it makes only moves that are legal.

One entry does everything, for it is called from Python for every move. What it shall do is in ``ask``.
"""

from __future__ import annotations

from paifu.replay.kernels import legal
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import I64, I64_2D, U8
from paifu.replay.kernels.claims import DrawClaims, HandClaims, WinClaims
from paifu.replay.kernels.notes import Notes
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
    state_due,
)
from paifu.replay.kernels.table_state import NOBODY, TableState, kind_of
from paifu.replay.kernels.wins import Scoring

(
    DEAL, DRAW, DISCARD, RIICHI, CALL, KAN, KITA, PASS, CLAIM, SETTLE, END, MAY_END, KAN_WINS, ASKED, FOULED,
) = range(15)  # fmt: skip
"""What is asked for. CALL: then the kind of event, the seat, and the bytes of ids; KAN: the kind and an id;
DISCARD, KITA: an id; CLAIM: row and seat; SETTLE: how many win; END and MAY_END: the HandEnd.

KAN_WINS: whether the kan just laid wins. ASKED: seats (bits) that may win or call what is on offer. FOULED:
whose foul ends the hand now that nobody has won; fouls that come out are stated."""
AK_SIZE = 6


@kernel
def seats_asked(table: TableState, rules: KernelRules) -> int:
    """Return the seats (bits) that may win or call what is on offer."""
    found, kind = 0, int(kind_of(table.offer_tile))
    for turn in range(1, rules.players):
        seat = (table.offer_seat + turn) % rules.players
        wins = legal.may_ron(table, seat, kind) and legal.is_open_to(table, seat, rules)
        if wins or legal.calls(table, seat, rules):
            found |= 1 << seat
    return found


@entry
def table_move(
    table: TableState, hands: HandClaims, supply: Supply, record: Course, ask: I64, tiles: U8,
    claims: WinClaims, draws: DrawClaims, rules: KernelRules, shapes: ShapeTables, scoring: Scoring,
    notes: Notes, tries: Notes, facts: I64_2D,
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
        tile = int(supply.tile_of[first])
        if legal.against_discard(table, seat, tile, flags, rules, shapes) & ~legal.FOUL:
            return 0
        return make_discard(table, supply, record, first, rules, shapes, notes)
    if what == RIICHI:
        if legal.riichi_discards(table, seat, rules, shapes) == 0:
            return 0
        return make_riichi(table, record, False, rules, notes)
    if what == CALL:
        spread(supply, third, tiles)
        if legal.against_call(table, first, second, offered, int(table.offer_seat), tiles, rules):
            return 0
        return make_call(table, supply, record, first, second, third, tiles, rules, notes)
    if what == KAN:
        if legal.against_kan(table, first, seat, second // 4, rules, shapes) & ~legal.FOUL:
            return 0
        return make_own_kan(table, supply, record, first, second, tiles, rules, shapes, notes)
    if what == KITA:
        if legal.against_kita(table, seat, state.NORTH, rules):
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
        return legal.may_abort(table, first, rules)
    elif what == KAN_WINS:
        return legal.wins_with_kan(table, seat, offered, rules)
    elif what == ASKED:
        return seats_asked(table, rules)
    elif what == FOULED:
        state_due(table, record, 0, rules, scoring, notes)
        return table.due_seat if table.due_cost else legal.fouled(table, 0, rules)
    return 1
