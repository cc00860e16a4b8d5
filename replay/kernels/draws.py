"""Ends without a winner: whether a hand may end so, and what an exhaustive draw pays."""

from __future__ import annotations

from paifu.replay.kernels import codes, legal
from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import I64
from paifu.replay.kernels.claims import UNKNOWN, DrawClaims
from paifu.replay.kernels.fouls import (
    check_fouls_at_once,
    check_fouls_stated,
    chombo_changes,
    may_end_by_foul,
)
from paifu.replay.kernels.legal import may_abort
from paifu.replay.kernels.notes import Notes, note, note_why
from paifu.replay.kernels.reasons import OTHER_TILES, UNPAID
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.running import kernel
from paifu.replay.kernels.scoring import bit_count, share
from paifu.replay.kernels.shapes import ShapeTables
from paifu.replay.kernels.shown import shows_hand
from paifu.replay.kernels.table_state import TableState, is_tenpai
from paifu.replay.kernels.wins import Scoring, waits_with_yaku

UNKNOWN_DRAW = 9
"""``events.HandEnd.UNKNOWN_DRAW``."""
UNSTATED = 255
"""In ``tenpai``: the log does not say."""


@kernel
def check_abort_due(table: TableState, rules: KernelRules, notes: Notes) -> None:
    """Note once a hand that goes on although it had to end in a draw."""
    if table.fouls:
        check_fouls_at_once(table, rules, notes)
    # Four winds, riichi or kans end a hand at once.
    if (table.winds > 0 or table.riichi_count == 4 or table.kans == 4) and table.abort_noted == 0:
        for kind in (legal.SUUFON, legal.SUUCHA, legal.SUUKAIKAN):
            if may_abort(table, kind, rules):
                note(notes, codes.ILLEGAL_DRAW, state.NOBODY, state.NOBODY, kind, 0)
                table.abort_noted = 1


@kernel
def shows_seat(table: TableState, kind: int, seat: int) -> bool:
    """Return whether a hand that is aborted so lays this seat's tiles open."""
    if kind == legal.SANCHAHOU:
        return seat != table.offer_seat
    return kind == legal.SUUCHA or (kind == legal.KYUUSHU and seat == table.turn)


@kernel
def check_shown_at_draw(
    table: TableState, claims: DrawClaims, row: int, rules: KernelRules, notes: Notes
) -> None:
    """Compare the tiles shown at a draw with the hands; of an aborted one also whose are shown (V406)."""
    kind = int(claims.kind[row])
    # Logs that show no hand at all say nothing of who had to.
    any_shown = False
    for seat in range(rules.players):
        any_shown = any_shown or claims.shown[row, seat, 0] < 37
    for seat in range(rules.players):
        tiles, ids = claims.shown[row, seat], claims.shown_id[row, seat]
        shown = tiles[0] < 37
        if not shows_hand(table, seat, tiles, ids, state.NOBODY, state.NO_ID):
            note_why(notes, codes.TENPAI, OTHER_TILES, seat, state.NOBODY, 1, 0)
        elif table.hidden[seat] or not any_shown or not legal.NAGASHI < kind < legal.CHOMBO:
            continue
        elif shown != shows_seat(table, kind, seat):
            note(notes, codes.TENPAI, seat, state.NOBODY, 1 - shown, int(shown))


@kernel
def counts_as_tenpai(
    table: TableState, seat: int, rules: KernelRules, shapes: ShapeTables, scoring: Scoring
) -> bool:
    """Return whether a hand is tenpai at a draw; an open one may need a wait on which it has a yaku."""
    if not is_tenpai(table, seat, rules, shapes):
        return False
    is_free = rules.draw_tenpai == 0 or table.open_melds[seat] == 0
    return is_free or waits_with_yaku(table, seat, rules, scoring) > 0


@kernel
def hand_draw(
    table: TableState,
    claims: DrawClaims,
    row: int,
    rules: KernelRules,
    shapes: ShapeTables,
    scoring: Scoring,
    notes: Notes,
) -> int:
    """Check a hand that ends without a winner; returns the tenpai seats (bits) of an exhaustive draw."""
    changes, kind = scoring.work.changes, int(claims.kind[row])
    by_foul = kind == legal.CHOMBO
    # Whether the hand could end so, and what it leaves undone.
    may_end = may_end_by_foul(table, rules, scoring) if by_foul else may_abort(table, kind, rules)
    if not may_end:
        note(notes, codes.ILLEGAL_DRAW, state.NOBODY, state.NOBODY, 0, kind)
    if kind not in (legal.SANCHAHOU, legal.CHOMBO) and table.unpaid != state.NOBODY:
        note_why(notes, codes.RIICHI_STICK, UNPAID, table.unpaid, state.NOBODY, 1, 0)
    if table.fouls and kind != legal.CHOMBO:
        check_fouls_stated(table, kind in (legal.EXHAUSTIVE, legal.NAGASHI), rules, notes)
    # Nothing is paid for a draw whose kind is not stated, or that is abortive.
    changes[:] = 0
    scoring.work.unready = 0
    scoring.work.is_certain = kind != UNKNOWN_DRAW
    tenpai = nagashi = 0
    code = codes.PAYMENT
    if kind in (legal.EXHAUSTIVE, legal.NAGASHI, legal.CHOMBO):
        if not by_foul:
            code = codes.NAGASHI if kind == legal.NAGASHI else codes.NOTEN_PAYMENT
        ready = unknown = 0
        stated = stated_ready = 0
        for seat in range(rules.players):
            # By the tiles, if they are known; else as the log says, or by riichi.
            is_ready = int(counts_as_tenpai(table, seat, rules, shapes, scoring))
            claimed = int(claims.tenpai[row, seat])
            if table.hidden[seat]:
                is_ready = int(table.riichi[seat] != 0 if claimed == UNSTATED else claimed)
                unknown |= int(claimed == UNSTATED and table.riichi[seat] == 0) << seat
            # Noten by choice, in a dead hand, or as the offender.
            if rules.noten_by_choice and claimed == 0 and table.riichi[seat] == 0:
                is_ready = 0
            if table.dead[seat]:
                unknown &= ~(1 << seat)
            if table.dead[seat] or (kind == legal.CHOMBO and seat == table.offender):
                is_ready = 0
            tenpai |= is_ready << seat
            ready += is_ready
            nagashi |= table.nagashi[seat] << seat
            # What differs is told once: payments are then compared with what is stated.
            if claimed != UNSTATED and claimed != is_ready:
                note(notes, codes.TENPAI, seat, state.NOBODY, is_ready, claimed)
                is_ready = claimed
            stated |= is_ready << seat
            stated_ready += is_ready
        # Nagashi where no river earns it, or none where one does.
        if kind != legal.CHOMBO and (nagashi != 0 and rules.nagashi != 0) != (kind == legal.NAGASHI):
            note(notes, codes.NAGASHI, state.NOBODY, state.NOBODY, nagashi, int(kind == legal.NAGASHI))
            scoring.work.is_certain = 0
        # Payments tell of hidden hands who was tenpai.
        scoring.work.unready = unknown
        if unknown and kind == legal.EXHAUSTIVE:
            more = ready_by_payments(claims, row, stated, unknown, changes, rules)
            if more < 0:
                scoring.work.is_certain = 0
            elif stated or more or unknown != (1 << rules.players) - 1:
                scoring.work.unready = 0
            tenpai |= max(0, more)
            stated |= max(0, more)
            ready, stated_ready = bit_count(tenpai), bit_count(stated)
        # What such an end pays.
        if kind == legal.CHOMBO:
            chombo_changes(table, rules, scoring)
        elif kind == legal.NAGASHI:
            nagashi_changes(table, nagashi, rules, scoring)
        else:
            noten_changes(changes, stated, stated_ready, rules)
            # Payments that agree with what is stated of the hands follow from it.
            if tenpai != stated and not pays(claims, row, changes):
                noten_changes(changes, tenpai, ready, rules)
    # Compared with the log, the first seat that differs.
    for seat in range(4 if nagashi or kind != legal.NAGASHI else 0):
        change = int(claims.deltas[row, seat])
        if change != UNKNOWN and change != changes[seat]:
            note(notes, code, seat, state.NOBODY, changes[seat], change)
            break
    check_shown_at_draw(table, claims, row, rules, notes)
    return tenpai


@kernel
def ready_by_payments(
    claims: DrawClaims, row: int, ready: int, unknown: int, changes: I64, rules: KernelRules
) -> int:
    """Return the least seats of ``unknown`` (bits) that are tenpai as well if a draw pays what it states.

    -1 where nothing is stated, or no such seats would be paid so.
    """
    for more in range(16):
        if more & ~unknown == 0:
            noten_changes(changes, ready | more, bit_count(ready | more), rules)
            if pays(claims, row, changes):
                return more
    return -1


@kernel
def pays(claims: DrawClaims, row: int, changes: I64) -> bool:
    """Return whether a draw states these changes."""
    is_same = True
    for seat in range(4):
        is_same = is_same and claims.deltas[row, seat] == changes[seat]
    return is_same


@kernel
def noten_changes(changes: I64, tenpai: int, ready: int, rules: KernelRules) -> None:
    """Write what the noten pay to the ``ready`` tenpai seats (bits of ``tenpai``)."""
    changes[:] = 0
    noten = rules.players - ready
    # All alike: nobody pays.
    if ready == 0 or noten == 0:
        return
    pay = rules.noten_pay_1 if ready == 1 else rules.noten_pay_2 if ready == 2 else rules.noten_pay_3
    for seat in range(rules.players):
        changes[seat] = noten * pay // ready if tenpai >> seat & 1 else -pay


@kernel
def nagashi_changes(table: TableState, nagashi: int, rules: KernelRules, scoring: Scoring) -> None:
    """Write what nagashi mangan brings the seats of ``nagashi`` (bits); the first takes honba and sticks."""
    changes, dealer = scoring.work.changes, table.dealer
    first, taken = True, False
    for turn in range(rules.players):
        seat = (dealer + turn) % rules.players
        if not nagashi >> seat & 1:
            continue
        # As a win it takes honba and sticks, but only the first of several.
        wins = rules.nagashi == 2 and first
        first = False
        if rules.nagashi == 2 and not taken and (not rules.sticks_need_riichi or table.riichi[seat] == 2):
            taken = True
            changes[seat] += rules.riichi_stick * table.sticks
        # A mangan by tsumo from everybody else.
        for other in range(rules.players):
            if other != seat:
                base = scoring.work.params[layout.PARAM_NAGASHI]
                paid = share(base, seat, seat, other, dealer, scoring.work.params)
                paid += rules.honba_each * table.honba if wins else 0
                changes[other] -= paid
                changes[seat] += paid
