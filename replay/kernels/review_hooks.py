"""The review: what players did with what they could see, taken down while the engine replays a hand.

It is an observer: the replay calls :func:`begin` when a hand is dealt, :func:`before_move` and
:func:`after_move` around each move, and :func:`end` where the hand ends. Nothing is replayed here, and
nothing of the table changes: all follows from its state and from the events to come, which show whether a win
on offer was taken. Seats of which tiles are hidden are left out.
"""

from __future__ import annotations

from paifu.replay.kernels import codes
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import U8
from paifu.replay.kernels.claims import EventClaims
from paifu.replay.kernels.legal import SANCHAHOU, furiten
from paifu.replay.kernels.review_danger import count_danger, count_push, deal_in, shows_much
from paifu.replay.kernels.review_discards import follow_folding, tenpai_discard
from paifu.replay.kernels.review_findings import found, would_gain
from paifu.replay.kernels.review_furiten import missed, passed, tell_furiten
from paifu.replay.kernels.review_kans import kan_in_riichi
from paifu.replay.kernels.review_layout import (
    OPEN_THREAT,
    RIICHI_THREAT,
    ReviewDesk,
    ReviewMemory,
    ReviewState,
)
from paifu.replay.kernels.rows import FOUND
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.running import kernel
from paifu.replay.kernels.table_state import TableState, kind_of


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
    memory = review.memory
    memory.passed[:] = memory.threat[:] = memory.folded[:] = memory.best_shanten[:] = memory.dama[:] = 0
    memory.discarded[:] = -1
    for seat in range(4):
        memory.temporary_since[seat] = memory.permanent_since[seat] = -1
        memory.away[seat] = review.away[hand] >> seat & 1


@kernel
def before_move(desk: ReviewDesk, kind: int, seat: int, tile: int) -> None:
    """Remember what a mover holds; look closely at a move by which a completed hand is not won."""
    table, memory, drawn = desk.table, desk.review.memory, desk.table.drawn[seat]
    memory.waits, memory.river = table.waits[seat], table.river_kinds[seat]
    memory.kuikae = table.kuikae | table.refused
    memory.tsumo = 0
    if kind == state.DISCARD and memory.discarded[seat, kind_of(tile)] < 0:
        memory.discarded[seat, kind_of(tile)] = desk.notes.counts[2]
    # Only who has just drawn could win by it, and only a known hand is judged.
    if table.turn != seat or drawn == state.NOBODY or table.partial >> seat & 1:
        return
    # The draw completes nothing, but in riichi it may make a kan.
    if not memory.waits >> kind_of(drawn) & 1:
        if table.riichi[seat] == 2 and memory.waits:
            kan_in_riichi(desk, kind, seat, tile)
        return
    # It completes the hand, and the move is another one: a tsumo passed up, if it had a yaku.
    memory.tsumo = max(0, would_gain(desk, seat, seat, drawn))
    if memory.tsumo > 0:
        row = missed(desk, codes.TSUMO_PASSED, seat, seat, drawn)
        desk.review.rows[row, FOUND.event] = memory.draw


@kernel
def threaten(table: TableState, kind: int, rules: KernelRules, review: ReviewState) -> None:
    """Keep in mind whose open hands are to be feared, after a move."""
    if not (state.CHI <= kind <= state.KITA or kind == state.DORA):
        return
    for other in range(rules.players):
        if review.memory.threat[other] != RIICHI_THREAT:
            review.memory.threat[other] = OPEN_THREAT * shows_much(table, other, rules, review)


@kernel
def after_move(desk: ReviewDesk, events: EventClaims, event: int, stop: int) -> None:
    """Look at the table after a move, closely where that may matter, and keep in mind what it shows."""
    table, rules, review = desk.table, desk.rules, desk.review
    kind, seat, tile = int(events.kind[event]), int(events.seat[event]), int(events.tile[event])
    winners = takers(events.kind, events.seat, event, stop, int(review.end[desk.notes.counts[1]]))
    threaten(table, kind, rules, review)
    if is_of_interest(table, review.memory, kind, seat, tile, winners, rules.players):
        look_closely(desk, kind, seat, tile, winners)
    keep(table, review.memory, kind, seat, tile, event, rules.players)


@kernel
def is_of_interest(
    table: TableState, memory: ReviewMemory, kind: int, seat: int, tile: int, winners: int, players: int
) -> bool:
    """Return whether a move needs a close look; by far most do not."""
    # Whatever is won, and tiles that may be robbed.
    if kind != state.DISCARD or winners:
        return kind == state.DISCARD or state.ANKAN <= kind <= state.KITA
    # A tenpai that may be furiten, silent, or in riichi now.
    if table.waits[seat] and (table.riichi[seat] == 0 or table.declaring[seat]):
        return True
    # A tile under threat, or one that somebody waits for.
    for other in range(players):
        if other != seat and (memory.threat[other] or table.waits[other] >> kind_of(tile) & 1):
            return True
    return False


@kernel
def keep(
    table: TableState, memory: ReviewMemory, kind: int, seat: int, tile: int, event: int, players: int
) -> None:
    """Keep in mind, after a move was looked at, what passed, who is furiten since when, and who threatens."""
    # A choice from the hand ends what has passed by; a riichi is a threat from here on.
    if kind == state.DISCARD:
        if table.riichi[seat] == 0 or table.declaring[seat]:
            memory.passed[seat] = 0
        if table.declaring[seat]:
            memory.threat[seat] = RIICHI_THREAT
        if table.waits[seat] == 0:
            memory.dama[seat] = 0
    elif not state.ANKAN <= kind <= state.KITA:
        return
    # Since when everybody is furiten, and which tile has passed them.
    for other in range(players):
        if table.temporary_furiten[other] == 0:
            memory.temporary_since[other] = -1
        elif memory.temporary_since[other] < 0:
            memory.temporary_since[other] = event
        if table.permanent_furiten[other] and memory.permanent_since[other] < 0:
            memory.permanent_since[other] = event
        if other != seat and kind != state.ANKAN:
            memory.passed[other] |= 1 << kind_of(tile)


@kernel
def look_closely(desk: ReviewDesk, kind: int, seat: int, tile: int, winners: int) -> None:
    """Look at the table after a move that puts a tile before the others; ``winners`` (bits) win it."""
    table, memory, players = desk.table, desk.review.memory, desk.rules.players
    # Who is to be feared, and who waits for the tile.
    threats = waiting = 0
    bit = 1 << kind_of(tile)
    for other in range(players):
        if other != seat:
            threats |= memory.threat[other]
            waiting |= table.waits[other] & bit
    is_known = table.partial >> seat & 1 == 0
    if threats or winners:
        state.note_seen(table, seat, memory.seen)
    # Three rons that abort the hand are not a deal-in.
    taken = 0 if winners == 15 else int(winners) & ((1 << players) - 1) & ~(1 << seat)
    if taken and is_known:
        deal_in(desk, seat, tile, taken)
    # What the discard risked and left, whether or not it dealt in.
    if kind == state.DISCARD and is_known:
        in_riichi = table.riichi[seat] != 0 and not table.declaring[seat]
        if threats:
            count_danger(desk, seat, tile, taken)
            count_push(desk, seat, tile, taken)
            if not in_riichi:
                follow_folding(desk, seat, kind_of(tile))
        if table.waits[seat] and not in_riichi:
            tenpai_discard(desk, seat, tile)
    # Who could have won it, and did not.
    if waiting:
        passed(desk, winners)


@kernel
def end(desk: ReviewDesk, kind: int, seat: int, source: int, tile: int, tenpai: int) -> None:
    """Look at the table where a hand ends: a win, or a draw of the ``tenpai`` seats (bits)."""
    table, review = desk.table, desk.review
    if kind == state.WIN:
        is_known = table.partial >> min(seat, 4) & 1 == 0
        if source == seat and seat < 4 and is_known and furiten(table, seat):
            row = found(desk, codes.FURITEN_TSUMO, seat, tile)
            tell_furiten(desk, seat, review.rows[row])
            if table.drawn[seat] != state.NOBODY:
                review.rows[row, FOUND.event] = review.memory.draw
        return
    for other in range(4):
        if table.partial >> other & 1:
            continue
        # Furiten by the very last discard does not count.
        late = other != table.offer_seat and not table.was_furiten[other]
        if tenpai >> other & 1 and furiten(table, other) and not late:
            row = found(desk, codes.FURITEN_AT_DRAW, other, state.NOBODY)
            tell_furiten(desk, other, review.rows[row])
