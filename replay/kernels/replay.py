"""The loop over hands and events: every log is replayed here, once, whatever is asked of it.

Observers look at the table around each transition: see "Add an observer" in ``docs/architecture.md``.
"""

from __future__ import annotations

from typing import NamedTuple

from paifu.replay.kernels import codes, review_hooks, transitions
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import I64, I64_2D, I64_3D, U8
from paifu.replay.kernels.claims import UNKNOWN, DrawClaims, EventClaims, HandClaims, Reveals, WinClaims
from paifu.replay.kernels.draws import UNSTATED, check_abort_due, hand_draw
from paifu.replay.kernels.fouls import check_fouls_stated, state_foul
from paifu.replay.kernels.hand_result import Result
from paifu.replay.kernels.legal import CHOMBO, EXHAUSTIVE, NAGASHI
from paifu.replay.kernels.notes import Notes, note, note_why
from paifu.replay.kernels.player_facts import begin_facts, observe
from paifu.replay.kernels.reasons import OTHER_COPY, UNPAID
from paifu.replay.kernels.review_layout import ReviewDesk
from paifu.replay.kernels.rows import PLAYER
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.running import entry, kernel
from paifu.replay.kernels.shapes import ShapeTables
from paifu.replay.kernels.table_state import TableState
from paifu.replay.kernels.wall_checks import (
    Walls,
    check_wall_deal,
    check_wall_tile,
    check_wall_ura,
    look_under,
)
from paifu.replay.kernels.wins import Scoring, win

MOST_EYES = 12


class Settled(NamedTuple):
    """What the engine makes of the ends of hands, where a log may not state it."""

    wins: U8
    """(wins,) 1 where a win is worth what ``ScoredWins`` says for certain: all dora are known."""
    draws: I64_2D
    """(draws, 5) the change of each seat, and 1 where it is certain."""


# What was checked: counters.
(
    C_HANDS, C_EVENTS, C_WINS, C_DRAWS, C_WALLS, C_WALL_TILES, C_STOPPED,
    U_DISCARDS, U_CALLS, U_KANS, U_RIICHI, U_WINS, U_TENPAI, C_SIZE,
) = range(14)  # fmt: skip
"""From ``U_DISCARDS`` on: what was not checked, because tiles are hidden."""


@kernel
def set_up(
    table: TableState, hands: HandClaims, hand: int, rules: KernelRules, shapes: ShapeTables, notes: Notes
) -> bool:
    """Deal: reset the table to the beginning of a hand. False when the deal cannot be (V103)."""
    table.whole[:] = 0
    table.indicators[:] = state.NOBODY
    # Seats and winds.
    dealer = int(hands.dealer[hand])
    table.turn = table.dealer = dealer
    passed = 0 if rules.seat_winds_rotate else hands.round[hand] % 4
    table.east = (dealer - passed) % rules.players
    table.wind = min(3, hands.round[hand] // 4)  # what a log claims to be after North 4 is North 5
    table.honba, table.sticks = hands.honba[hand], hands.sticks[hand]
    table.dealer_wins = hands.dealer_wins[hand]
    # How many tiles there are to draw.
    tiles = (108 if rules.players == 3 else 136) + state.FLOWERS * rules.flowers_dora
    table.live = tiles - rules.dead_wall - 13 * rules.players
    table.first = table.turned = 1
    table.unpaid = table.feeder = table.marked = state.NOBODY
    # Wareme: the dice name the seat that pays and gets double.
    eyes = int(hands.dice[hand, 0]) + int(hands.dice[hand, 1]) + 2  # they are stated less one each
    if rules.wareme and eyes <= MOST_EYES:
        table.marked = (dealer + eyes - 1) % rules.players
        if rules.wareme_doublets and hands.dice[hand, 0] == hands.dice[hand, 1]:
            table.marked += state.WAREME_TWICE
    table.newest = state.NO_ID
    for seat in range(4):
        table.scores[seat] = hands.scores[hand, seat]
    # Every tile that is known is seen; hidden ones are counted.
    dora = int(hands.dora[hand])
    if dora < 37:
        if not state.see(table, dora, rules, notes):
            return False
        table.indicators[0] = state.kind_of(dora)
    state.move(table, int(hands.dora_id[hand]), state.UNSEEN, state.INDICATOR)
    for seat in range(rules.players):
        for i in range(13):
            tile = int(hands.dealt[hand, seat, i])
            if tile == state.NOBODY:
                state.hide(table, seat)
                continue
            if not state.see(table, tile, rules, notes):
                return False
            state.take(table, seat, tile)
            tile_id = int(hands.dealt_id[hand, seat, i])
            if not state.move(table, tile_id, state.UNSEEN, state.IN_HAND + seat):
                note_why(notes, codes.TOO_MANY_COPIES, OTHER_COPY, seat, tile, 0, tile_id)
        table.drawn[seat] = state.NOBODY
        table.nagashi[seat] = 1
        state.update_waits(table, seat, rules, shapes)
    return True


@kernel
def step(
    table: TableState, events: EventClaims, event: int, rules: KernelRules, shapes: ShapeTables, notes: Notes
) -> bool:
    """Apply one event that neither ends the hand nor only says who sits there."""
    kind, seat, tile = int(events.kind[event]), int(events.seat[event]), int(events.tile[event])
    # What the hand before the event leaves due: nothing after its end, and sticks paid.
    if table.phase == state.OVER or table.winners:
        come_after_end(table, seat, tile, kind, notes)
        return True
    if table.due_cost:
        must_end_by_foul(table, notes)
    if table.unpaid != state.NOBODY and kind != state.RIICHI_PAID:
        note_why(notes, codes.RIICHI_STICK, UNPAID, table.unpaid, state.NOBODY, 1, 0)
        transitions.pay_riichi(table, table.unpaid, rules, notes)
    if kind == state.DRAW:
        check_abort_due(table, rules, notes)
        return transitions.draw(table, seat, tile, rules, notes)
    if kind == state.BONUS:
        check_abort_due(table, rules, notes)
        return transitions.flower(table, seat, tile, rules, notes)
    if kind == state.DISCARD:
        return transitions.discard(table, seat, tile, events.flags[event], rules, shapes, notes)
    if state.CHI <= kind <= state.DAIMINKAN:
        return transitions.call(
            table, kind, seat, tile, int(events.source[event]), events.own[event], rules, notes
        )
    if kind == state.ANKAN or kind == state.KAKAN:
        return transitions.own_kan(table, kind, seat, tile, events.own[event], rules, shapes, notes)
    if kind == state.KITA:
        return transitions.kita(table, seat, tile, rules, shapes, notes)
    if kind == state.RIICHI:
        return transitions.declare(table, seat, int(events.flags[event]), rules, notes)
    if kind == state.RIICHI_PAID:
        return transitions.pay_riichi(table, seat, rules, notes)
    return transitions.turn_dora(table, tile, rules, notes)


@kernel
def look_back(
    table: TableState, hand: int, event: int, reveals: Reveals, rules: KernelRules, shapes: ShapeTables,
    notes: Notes,
) -> None:  # fmt: skip
    """Know the hidden tiles of a seat from the event on before which all that it held is shown later."""
    for seat in range(rules.players):
        if table.hidden[seat] and reveals.event[hand, seat] == event:
            for tile in range(37):
                state.uncover(table, seat, tile, int(reveals.tiles[hand, seat, tile]), rules, notes)
            if event == -1:
                state.update_waits(table, seat, rules, shapes)


@kernel
def count_unchecked(table: TableState, kind: int, seat: int, tile: int, counters: I64) -> None:
    """Count an event before it is carried out if tiles of its seat that matter for it are hidden."""
    if seat >= 4 or table.hidden[seat] == 0:
        return
    if kind == state.DISCARD:
        counters[U_DISCARDS] += tile < 37 and table.held[seat, tile] == 0
        counters[U_RIICHI] += table.phase == state.WAIT_DECLARED
    elif state.CHI <= kind <= state.DAIMINKAN:
        counters[U_CALLS] += 1
    elif kind == state.ANKAN or kind == state.KAKAN:
        counters[U_KANS] += 1
    elif kind == state.WIN:
        counters[U_WINS] += 1


@kernel
def come_after_end(table: TableState, seat: int, tile: int, kind: int, notes: Notes) -> None:
    """Note the first of the events that come after the end of a hand."""
    if table.after_end_noted == 0:
        note(notes, codes.AFTER_END, seat, tile, 0, kind)
    table.after_end_noted = 1


@kernel
def must_end_by_foul(table: TableState, notes: Notes) -> None:
    """Note that the hand goes on after a foul that was to end it."""
    note(notes, codes.ILLEGAL_DRAW, table.due_seat, state.NOBODY, CHOMBO, 0)
    table.due_cost = 0


@kernel
def end_with_wins(
    table: TableState,
    claims: WinClaims,
    first: int,
    last: int,
    begun: int,
    wall_row: int,
    walls: Walls,
    rules: KernelRules,
    scoring: Scoring,
    notes: Notes,
    scored: I64_2D,
    settled: Settled,
    facts: I64_2D,
) -> int:
    """Check the win of row ``begun`` (of ``first`` to ``last``) and take down who won, paid, stood aside."""
    seat, source = int(claims.seat[begun]), int(claims.source[begun])
    if table.due_cost and not rules.win_beats_foul:
        must_end_by_foul(table, notes)
    known = win(table, claims, begun, first, last, rules, scoring, notes, scored[begun])
    settled.wins[begun] = known and scoring.work.is_certain != 0
    known = known and table.hidden[seat] == 0
    if table.fouls:
        check_fouls_stated(table, False, rules, notes)
    check_wall_ura(claims, begun, wall_row, walls, notes)
    # How the hand ended for each seat; of several wins the first that concerns it.
    for other in range(rules.players):
        if other == seat:
            result = Result.TSUMO if source == seat else Result.RON
        elif source == seat:
            result = Result.TSUMO_PAID
        else:
            result = Result.DEALT_IN if other == source else Result.ASIDE
        before = facts[other, PLAYER.result]
        if before == Result.UNFINISHED or before == Result.ASIDE:
            facts[other, PLAYER.result] = result
        if claims.deltas[begun, other] != UNKNOWN:
            facts[other, PLAYER.change] += claims.deltas[begun, other]
    table.winners += 1
    if begun + 1 == last:
        table.phase = state.OVER
    return known


@kernel
def end_with_draw(
    table: TableState,
    claims: DrawClaims,
    row: int,
    rules: KernelRules,
    shapes: ShapeTables,
    scoring: Scoring,
    notes: Notes,
    settled: Settled,
    facts: I64_2D,
) -> int:
    """Check the end of a hand without a winner; returns the tenpai seats (bits)."""
    tenpai = hand_draw(table, claims, row, rules, shapes, scoring, notes)
    exhaustive = claims.kind[row] == EXHAUSTIVE or claims.kind[row] == NAGASHI
    foul = claims.kind[row] == CHOMBO
    # How the hand ended for each seat.
    for seat in range(rules.players):
        facts[seat, PLAYER.result] = Result.DRAW if exhaustive else Result.ABORTED
        if foul and seat == table.offender:
            facts[seat, PLAYER.result] = Result.FOUL
        facts[seat, PLAYER.tenpai] = tenpai >> seat & 1
        if claims.deltas[row, seat] != UNKNOWN:
            facts[seat, PLAYER.change] += claims.deltas[row, seat]
    # Who may choose to be noten, and does not say so, may be either.
    is_certain = scoring.work.is_certain != 0
    for seat in range(4):
        settled.draws[row, seat] = scoring.work.changes[seat]
        chosen = rules.noten_by_choice and exhaustive and seat < rules.players
        is_certain = is_certain and not (chosen and claims.tenpai[row, seat] == UNSTATED)
    settled.draws[row, 4] = is_certain
    table.phase = state.OVER
    return tenpai


@entry
def replay_hands(
    chosen: I64,
    hands: HandClaims,
    events: EventClaims,
    order: I64,
    wins: WinClaims,
    win_begin: I64,
    draws: DrawClaims,
    draw_begin: I64,
    walls: Walls,
    rules: KernelRules,
    shapes: ShapeTables,
    scoring: Scoring,
    table: TableState,
    notes: Notes,
    scored: I64_2D,
    settled: Settled,
    reveals: Reveals,
    facts: I64_3D,
    tenpai: I64,
    counters: I64,
    takes_notes: bool,
    desk: ReviewDesk | None,
) -> None:
    """Replay the hands in ``chosen``, and review them where there is a ``desk`` for that.

    order: (events,) rows of the events in their order, or empty where they are in it. win_begin,
    draw_begin: (hands + 1,) where each hand's rows of wins and draws begin. scored: (wins,
    cells of ``ScoredWins``). settled: what ends are worth for certain. reveals: what is shown later of hidden
    hands. facts: (hands, 4, cells of
    ``PlayerHands``), or of one hand, of no use, where nobody ``takes_notes``. tenpai: (hands,) tenpai seats
    of an exhaustive draw, as bits.
    counters: (C_SIZE,) what was checked.
    """
    for number in range(len(chosen)):
        hand = chosen[number]
        notes.counts[1], notes.counts[2] = hand, -1
        counters[C_HANDS] += 1
        rows = facts[hand if takes_notes else 0]
        # The wall, if it is known and fits what was dealt; the deal; observers.
        wall_row = int(walls.row[hand])
        if wall_row >= 0:
            counters[C_WALLS] += 1
            if not check_wall_deal(hands, hand, walls, rules, notes):
                wall_row = -1
        following = set_up(table, hands, hand, rules, shapes, notes)
        if table.partial:
            look_back(table, hand, -1, reveals, rules, shapes, notes)
        if wall_row >= 0:
            look_under(table, walls.ids[wall_row], walls)
        if takes_notes:
            begin_facts(table, hand, rules, shapes, rows)
        if desk is not None:
            review_hooks.begin(hand, desk.review)
        win_row, draw_row = win_begin[hand], draw_begin[hand]
        for at in range(hands.event_begin[hand], hands.event_end[hand]):
            event = order[at] if len(order) else at
            notes.counts[2] = event
            kind, seat, tile = int(events.kind[event]), int(events.seat[event]), int(events.tile[event])
            # Who is away, and fouls that are stated, change no tile.
            if kind >= state.LEAVE and kind != state.BONUS:
                if desk is not None and seat < 4 and kind <= state.RETURN:
                    desk.review.memory.away[seat] = kind == state.LEAVE
                if kind == state.FOUL and following:
                    state_foul(table, seat, tile, int(events.flags[event]) >> 2, rules, scoring, notes)
                continue
            if not following:
                break
            counters[C_EVENTS] += 1
            if table.partial:
                look_back(table, hand, event, reveals, rules, shapes, notes)
                count_unchecked(table, kind, seat, tile, counters)
            over = table.phase == state.OVER
            if (over and kind == state.WIN) or (kind == state.HAND_DRAW and (over or table.winners)):
                come_after_end(table, seat, state.NOBODY, kind, notes)
            if kind == state.WIN:
                if desk is not None:
                    review_hooks.end(desk, kind, seat, int(events.source[event]), tile, 0)
                counters[C_WINS] += end_with_wins(
                    table,
                    wins,
                    win_begin[hand],
                    win_begin[hand + 1],
                    win_row,
                    wall_row,
                    walls,
                    rules,
                    scoring,
                    notes,
                    scored,
                    settled,
                    rows,
                )
                win_row += 1
            elif kind == state.HAND_DRAW:
                table.offender = seat
                tenpai[hand] = end_with_draw(
                    table, draws, draw_row, rules, shapes, scoring, notes, settled, rows
                )
                if desk is not None:
                    review_hooks.end(desk, kind, state.NOBODY, state.NOBODY, state.NOBODY, tenpai[hand])
                if scoring.work.unready:
                    tenpai[hand] = -1
                for other in range(rules.players if draws.kind[draw_row] == EXHAUSTIVE else 0):
                    counters[U_TENPAI] += table.hidden[other] != 0
                counters[C_DRAWS] += 1
                draw_row += 1
            else:
                if wall_row >= 0:
                    counters[C_WALL_TILES] += check_wall_tile(
                        table, events, event, walls.ids[wall_row], walls, rules, notes
                    )
                if desk is not None and kind == state.DRAW:
                    desk.review.memory.draw = event
                is_move = state.DISCARD <= kind <= state.KITA and seat < rules.players and tile < 37
                # What comes after the end is a finding, but is not carried out.
                is_move = is_move and not over and table.winners == 0
                if desk is not None and is_move:
                    review_hooks.before_move(desk, kind, seat, tile)
                following = step(table, events, event, rules, shapes, notes)
                if following:
                    transitions.follow(
                        table, kind, seat, tile, int(events.source[event]), int(events.tile_id[event]),
                        events.own_id[event], notes,
                    )  # fmt: skip
                if takes_notes and following and seat < 4:
                    observe(table, kind, seat, rules, shapes, scoring, rows)
                if desk is not None and following and (is_move or kind == state.DORA):
                    review_hooks.after_move(desk, events, event, int(hands.event_end[hand]))
        if following and table.fouls and table.phase != state.OVER and table.winners == 0:
            check_fouls_stated(table, False, rules, notes)  # the hand has no end
        counters[C_STOPPED] += not following
