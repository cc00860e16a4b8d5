"""The review: what players did with what they could see, taken down while the engine replays a hand.

The replay calls :func:`remember` before and :func:`keep` after each move, and where these or
:func:`is_of_interest` say so, :func:`before` and :func:`after`, which look closely; :func:`end` where a hand
ends. Nothing is replayed here, and nothing of the table changes: all follows from its state and from the
events to come, which show whether a win on offer was taken.
"""

from __future__ import annotations

from paifu.replay.kernels import codes
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import I64, I64_2D, U8
from paifu.replay.kernels.draws import SANCHAHOU
from paifu.replay.kernels.jit import kernel
from paifu.replay.kernels.notes import Notes
from paifu.replay.kernels.review_danger import count_danger, count_push, deal_in, note_seen, shows_much
from paifu.replay.kernels.review_discards import follow_folding, tenpai_discard
from paifu.replay.kernels.review_findings import found, gain
from paifu.replay.kernels.review_furiten import missed, passed, tell_furiten
from paifu.replay.kernels.review_layout import (
    M_DRAW,
    M_KUIKAE,
    M_RIVER,
    M_TSUMO,
    M_WAITS,
    OPEN_THREAT,
    RIICHI_THREAT,
    V_AWAY,
    V_DAMA,
    V_PASSED,
    V_PERMANENT,
    V_TEMPORARY,
    V_THREAT,
    ReviewState,
)
from paifu.replay.kernels.rows import FOUND
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.shapes import ShapeTables
from paifu.replay.kernels.table_state import TableState, kind_of
from paifu.replay.kernels.wins import Scoring


@kernel
def takers(events_kind: U8, events_seat: U8, event: int, stop: int, hand_end: int) -> int:
    """Return who wins on the tile that ``event`` offers, as bits; all where three rons abort the hand."""
    mask = 0
    for later in range(event + 1, stop):
        kind = events_kind[later]
        if kind < state.WIN:
            break
        if kind == state.WIN:
            mask |= 1 << min(4, events_seat[later])
        elif kind == state.HAND_DRAW:
            return 15 if hand_end == SANCHAHOU else mask
    return mask


@kernel
def begin(hand: int, review: ReviewState) -> None:
    """Start a hand."""
    seats = review.seats
    seats[:] = 0
    review.discarded[:] = -1
    for seat in range(4):
        seats[V_TEMPORARY, seat] = seats[V_PERMANENT, seat] = -1
        seats[V_AWAY, seat] = review.away[hand] >> seat & 1


@kernel
def remember(
    seats: I64_2D, hand: I64, memory: I64, discarded: I64_2D, kind: int, seat: int, tile: int, event: int
) -> bool:
    """Remember what a mover holds before a move; return whether its draw completes the hand.

    ``hand``, ``seats`` are those of the table, ``memory`` and ``discarded`` those of the review.
    """
    memory[M_WAITS], memory[M_RIVER] = seats[state.S_WAITS, seat], seats[state.S_RIVER, seat]
    memory[M_KUIKAE] = hand[state.H_KUIKAE]
    memory[M_TSUMO] = 0
    if kind == state.DISCARD and discarded[seat, kind_of(tile)] < 0:
        discarded[seat, kind_of(tile)] = event
    drawn = seats[state.S_DRAWN, seat]
    return hand[state.H_TURN] == seat and drawn != state.NOBODY and memory[M_WAITS] >> kind_of(drawn) & 1 != 0


@kernel
def before(
    table: TableState, seat: int, rules: KernelRules, scoring: Scoring, review: ReviewState, notes: Notes
) -> None:
    """Look at a move by which a completed hand is not won."""
    drawn = table.seats[state.S_DRAWN, seat]
    review.memory[M_TSUMO] = max(0, gain(table, seat, seat, drawn, rules, scoring, review))
    if review.memory[M_TSUMO] > 0:
        row = missed(table, codes.TSUMO_PASSED, seat, seat, drawn, rules, scoring, review, notes)
        review.rows[row, FOUND.event] = review.memory[M_DRAW]


@kernel
def is_of_interest(
    seats: I64_2D, own: I64_2D, kind: int, seat: int, tile: int, winners: int, players: int
) -> bool:
    """Return whether a move needs a close look; by far most do not. ``own``: the review's ``seats``."""
    if kind != state.DISCARD or winners:
        return True
    if seats[state.S_WAITS, seat] and (seats[state.S_RIICHI, seat] == 0 or seats[state.S_DECLARING, seat]):
        return True
    for other in range(players):
        if other != seat and (own[V_THREAT, other] or seats[state.S_WAITS, other] >> kind_of(tile) & 1):
            return True
    return False


@kernel
def keep(seats: I64_2D, own: I64_2D, kind: int, seat: int, tile: int, event: int, players: int) -> None:
    """Keep in mind, after a move was looked at, what passed, who is furiten since when, and who threatens."""
    if kind == state.DISCARD:
        if seats[state.S_RIICHI, seat] == 0 or seats[state.S_DECLARING, seat]:
            own[V_PASSED, seat] = 0
        if seats[state.S_DECLARING, seat]:
            own[V_THREAT, seat] = RIICHI_THREAT
        if seats[state.S_WAITS, seat] == 0:
            own[V_DAMA, seat] = 0
    elif not state.ANKAN <= kind <= state.KITA:
        return
    for other in range(players):
        if seats[state.S_TEMPORARY, other] == 0:
            own[V_TEMPORARY, other] = -1
        elif own[V_TEMPORARY, other] < 0:
            own[V_TEMPORARY, other] = event
        if seats[state.S_FURITEN, other] and own[V_PERMANENT, other] < 0:
            own[V_PERMANENT, other] = event
        if other != seat and kind != state.ANKAN:
            own[V_PASSED, other] |= 1 << kind_of(tile)


@kernel
def after(
    table: TableState,
    kind: int,
    seat: int,
    tile: int,
    winners: int,
    rules: KernelRules,
    shapes: ShapeTables,
    scoring: Scoring,
    review: ReviewState,
    notes: Notes,
) -> None:
    """Look at the table after a move of which ``winners`` (bits) win the tile."""
    seats, own, players = table.seats, review.seats, rules.players
    if kind != state.DISCARD:
        for other in range(players):
            if own[V_THREAT, other] != RIICHI_THREAT:
                own[V_THREAT, other] = OPEN_THREAT * shows_much(table, other, rules, review)
        if not state.ANKAN <= kind <= state.KITA:
            return
    threats = waiting = 0
    bit = 1 << kind_of(tile)
    for other in range(players):
        if other != seat:
            threats |= own[V_THREAT, other]
            waiting |= seats[state.S_WAITS, other] & bit
    if threats or winners:
        note_seen(table, seat, review.seen)
    taken = 0 if winners == 15 else int(winners) & ((1 << players) - 1) & ~(1 << seat)
    if taken:
        deal_in(table, seat, tile, taken, rules, shapes, scoring, review, notes)
    if kind == state.DISCARD:
        in_riichi = seats[state.S_RIICHI, seat] != 0 and not seats[state.S_DECLARING, seat]
        if threats:
            count_danger(table, seat, tile, taken, players, review)
            count_push(table, seat, tile, taken, notes.counts[1], rules, shapes, review)
            if not in_riichi:
                follow_folding(table, seat, kind_of(tile), notes.counts[2], rules.forms, shapes, review)
        if seats[state.S_WAITS, seat] and not in_riichi:
            tenpai_discard(table, seat, tile, rules, shapes, scoring, review, notes)
    if waiting:
        passed(table, winners, rules, scoring, review, notes)


@kernel
def end(
    table: TableState,
    kind: int,
    seat: int,
    source: int,
    tile: int,
    tenpai: int,
    review: ReviewState,
    notes: Notes,
) -> None:
    """Look at the table where a hand ends: a win, or a draw of the ``tenpai`` seats (bits)."""
    if kind == state.WIN:
        if source == seat and seat < 4 and state.furiten(table, seat):
            row = found(review, table, notes, codes.FURITEN_TSUMO, seat, tile)
            tell_furiten(table, seat, review, review.rows[row])
            if table.seats[state.S_DRAWN, seat] != state.NOBODY:
                review.rows[row, FOUND.event] = review.memory[M_DRAW]
        return
    for other in range(4):
        late = other != table.hand[state.H_OFFER_SEAT] and not table.seats[state.S_MISSED, other]
        if tenpai >> other & 1 and state.furiten(table, other) and not late:
            row = found(review, table, notes, codes.FURITEN_AT_DRAW, other, state.NOBODY)
            tell_furiten(table, other, review, review.rows[row])
