"""The loop over hands and events: every log is replayed here, once, whatever is asked of it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from paifu.replay.kernels import review as rv
from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.kernels import table as t
from paifu.replay.kernels import wins as w
from paifu.replay.kernels.finding_values import OTHER_COPY
from paifu.replay.kernels.jit import kernel
from paifu.replay.kernels.review_layout import M_DRAW, V_AWAY, Review
from paifu.replay.kernels.shapes import ShapeTables, shanten
from paifu.replay.kernels.table import Log, Table, note
from paifu.replay.kernels.wins import DrawClaims, Scoring, WinClaims
from paifu.replay.rules.ruleset import KernelRules

I64 = npt.NDArray[np.int64]
I32 = npt.NDArray[np.int32]
I16 = npt.NDArray[np.int16]
U8 = npt.NDArray[np.uint8]


class Hands(NamedTuple):
    """Columns of the batch's ``hands``."""

    round: U8
    honba: I16
    sticks: I16
    dealer: U8
    scores: I32
    dealt: U8
    dealt_id: U8
    dora: U8
    dora_id: U8
    dice: U8
    event_begin: I32
    event_end: I32


class Events(NamedTuple):
    """Columns of the batch's ``events``."""

    kind: U8
    seat: U8
    source: U8
    tile: U8
    tile_id: U8
    own: U8
    own_id: U8
    flags: U8


class Walls(NamedTuple):
    """Walls of the hands, where they are known."""

    ids: U8
    """(rows, 136) physical ids; a 3-player wall fills the first 108."""
    dice: U8
    """(rows, 2)."""
    row: I32
    """(hands,) row of each hand, -1 where the wall is not known."""
    deal: I16
    """(dealer, seat, 13) index in the wall of each dealt tile."""
    live: I16
    """Index of each live draw."""
    supplements: I16
    indicators: I16
    ura: I16


# Columns of ``player_hands``.
(
    P_HAND, P_SEAT, P_SHANTEN, P_TENPAI_TURN, P_TENPAI, P_RIICHI, P_RIICHI_TURN, P_RIICHI_ORDER,
    P_RIICHI_WAITS, P_RIICHI_LIVE, P_RIICHI_FURITEN, P_FURITEN, P_CALLS, P_ANKAN, P_KAKAN, P_DAIMINKAN,
    P_KITA, P_DISCARDS,
    P_WAITS, P_RESULT, P_CHANGE,
    P_TENPAI_LIVE, P_NOW, P_PATH, P_DRAWS, P_USEFUL, P_LOSING, P_RIICHI_YAKU, P_RIICHI_DORA, P_SIZE,
) = range(30)  # fmt: skip
RESULT_NONE, RESULT_TSUMO, RESULT_RON, RESULT_DEAL_IN, RESULT_TSUMO_PAID, RESULT_ASIDE, RESULT_DRAW = range(7)
RESULT_ABORT = 7
PATH_TURNS, PATH_BITS = 18, 3
"""P_PATH: shanten after each of so many own discards, so many bits each."""

# What was checked: counters.
(
    C_HANDS, C_EVENTS, C_WINS, C_DRAWS, C_WALLS, C_WALL_TILES, C_STOPPED, C_SIZE,
) = range(8)  # fmt: skip


@kernel
def set_up(table: Table, hands: Hands, hand: int, rules: KernelRules, shapes: ShapeTables, log: Log) -> bool:
    """Deal: reset the table to the beginning of a hand. False when the deal cannot be (V103)."""
    table.counts[:] = 0
    table.held[:] = 0
    table.melded[:] = 0
    table.keys[:] = 0
    table.seats[:] = 0
    table.hand[:] = 0
    table.liable[:] = 0
    table.seen[:] = 0
    table.river[:] = 0
    table.indicators[:] = t.NOBODY
    table.places[:] = t.UNSEEN
    state, seats = table.hand, table.seats
    dealer = int(hands.dealer[hand])
    state[t.H_TURN] = state[t.H_DEALER] = dealer
    state[t.H_WIND] = min(3, hands.round[hand] // 4)  # what a log claims to be behind North 4 is North 5
    state[t.H_HONBA], state[t.H_STICKS] = hands.honba[hand], hands.sticks[hand]
    state[t.H_LIVE] = (136 if rules.players == 4 else 108) - 14 - 13 * rules.players
    state[t.H_FIRST] = state[t.H_TURNED] = 1
    state[t.H_UNPAID] = state[t.H_FEEDER] = t.NOBODY
    state[t.H_NEWEST] = t.NO_ID
    for seat in range(4):
        table.scores[seat] = hands.scores[hand, seat]
    if not t.see(table, int(hands.dora[hand]), rules, log):
        return False
    table.indicators[0] = t.kind_of(int(hands.dora[hand]))
    t.move(table, int(hands.dora_id[hand]), t.UNSEEN, t.INDICATOR)
    for seat in range(rules.players):
        for i in range(13):
            tile = int(hands.dealt[hand, seat, i])
            if not t.see(table, tile, rules, log):
                return False
            t.take(table, seat, tile)
            tile_id = int(hands.dealt_id[hand, seat, i])
            if not t.move(table, tile_id, t.UNSEEN, t.IN_HAND + seat):
                note(log, 103, seat, tile, OTHER_COPY, tile_id)
        seats[t.S_DRAWN, seat] = t.NOBODY
        seats[t.S_NAGASHI, seat] = 1
        t.update_waits(table, seat, rules, shapes)
    return True


@kernel
def step(table: Table, events: Events, event: int, rules: KernelRules, shapes: ShapeTables, log: Log) -> bool:
    """Apply one event that neither ends the hand nor only tells who sits there."""
    kind, seat, tile = int(events.kind[event]), int(events.seat[event]), int(events.tile[event])
    hand = table.hand
    if hand[t.H_PHASE] == t.OVER or hand[t.H_WINNERS]:
        note(log, 211, seat, tile, 0, kind)
        return True
    if hand[t.H_UNPAID] != t.NOBODY and kind != t.RIICHI_PAID:
        note(log, 208, hand[t.H_UNPAID], t.NOBODY, 1, 0)
        t.pay_riichi(table, hand[t.H_UNPAID], rules, log)
    if kind == t.DRAW:
        w.check_abort_due(table, rules, log)
        return t.draw(table, seat, tile, rules, log)
    if kind == t.DISCARD:
        return t.discard(table, seat, tile, events.flags[event], rules, shapes, log)
    if t.CHI <= kind <= t.DAIMINKAN:
        return t.call(table, kind, seat, tile, int(events.source[event]), events.own[event], rules, log)
    if kind == t.ANKAN or kind == t.KAKAN:
        return t.own_kan(table, kind, seat, tile, events.own[event], rules, shapes, log)
    if kind == t.KITA:
        return t.kita(table, seat, tile, rules, shapes, log)
    if kind == t.RIICHI:
        return t.declare(table, seat, rules, log)
    if kind == t.RIICHI_PAID:
        return t.pay_riichi(table, seat, rules, log)
    return t.turn_dora(table, tile, rules, log)


@kernel
def check_wall_deal(hands: Hands, hand: int, walls: Walls, rules: KernelRules, log: Log) -> None:
    """Compare deal, first indicator and dice with the wall."""
    wall = walls.ids[walls.row[hand]]
    dealer = hands.dealer[hand]
    for seat in range(rules.players):
        for i in range(13):
            wanted, found = int(wall[walls.deal[dealer, seat, i]]), False
            for j in range(13):
                found = found or hands.dealt_id[hand, seat, j] == wanted
            if not found:
                note(log, 601, seat, wanted // 4, wanted, t.NOBODY)
                break
    expected, actual = int(wall[walls.indicators[0]]), int(hands.dora_id[hand])
    if actual != expected:
        note(log, 603, t.NOBODY, int(hands.dora[hand]), expected, actual)
    for i in range(2):
        eyes, stated = int(walls.dice[walls.row[hand], i]), int(hands.dice[hand, i])
        if stated != 255 and stated != eyes:
            note(log, 604, t.NOBODY, t.NOBODY, eyes, stated)


@kernel
def check_wall_tile(table: Table, events: Events, event: int, wall: U8, walls: Walls, log: Log) -> int:
    """Compare a drawn tile or a new indicator with the wall; returns how many tiles were compared."""
    kind, tile = int(events.kind[event]), int(events.tile_id[event])
    hand = table.hand
    if kind == t.DORA:
        index = walls.indicators[min(hand[t.H_TURNED], 4)]
    elif kind == t.DRAW and hand[t.H_PHASE] == t.WAIT_SUPPLEMENT:
        index = walls.supplements[min(hand[t.H_SUPPLEMENTS], len(walls.supplements) - 1)]
    elif kind == t.DRAW:
        index = walls.live[min(hand[t.H_DRAWS], len(walls.live) - 1)]
    else:
        return 0
    expected = int(wall[index])
    if expected != tile:
        seat = int(events.seat[event])
        note(log, 603 if kind == t.DORA else 602, seat, int(events.tile[event]), expected, tile)
    return 1


@kernel
def check_wall_ura(claims: WinClaims, row: int, walls: Walls, log: Log) -> None:
    """Compare the ura indicators shown with a win with the wall."""
    wall_row = walls.row[log.counts[1]]
    for i in range(claims.ura_id.shape[1]):
        stated = int(claims.ura_id[row, i])
        if wall_row >= 0 and stated != t.NO_ID and stated != walls.ids[wall_row, walls.ura[i]]:
            expected = int(walls.ids[wall_row, walls.ura[i]])
            note(log, 603, int(claims.seat[row]), int(claims.ura[row, i]), expected, stated)


@kernel
def note_shanten(
    keys: I64, kind: int, is_waiting: bool, melds: int, identical: int, shapes: ShapeTables, fact: I64
) -> None:
    """Take down how an event moved a hand toward tenpai or away from it; ``fact`` is its seat's row."""
    now = 0
    if not is_waiting:
        now = shanten(keys[0], keys[1], keys[2], keys[3], melds, identical, shapes)
    if kind == t.DRAW:
        fact[P_DRAWS] += 1
        fact[P_USEFUL] += now < fact[P_NOW]
    elif kind == t.DISCARD:
        fact[P_LOSING] += now > fact[P_NOW]
        turn = fact[P_DISCARDS]
        if turn <= PATH_TURNS:
            fact[P_PATH] |= now << PATH_BITS * (turn - 1)
    fact[P_NOW] = now


@kernel
def note_riichi(table: Table, seat: int, rules: KernelRules, scoring: Scoring, fact: I64) -> None:
    """Take down what a hand that just declared riichi holds, whichever of its waits wins."""
    mask = table.seats[t.S_WAITS, seat]
    yaku = -1
    for wait in range(34):
        if mask >> wait & 1:
            w.worth(table, seat, (seat + 1) % rules.players, wait, table.indicators, rules, scoring)
            yaku &= scoring.out[layout.OUT_YAKU]
    fact[P_RIICHI_YAKU] = yaku if mask else 0
    turned = table.hand[t.H_TURNED] if rules.kan_dora else 1
    if rules.dora:
        fact[P_RIICHI_DORA] = w.count_dora(table, seat, table.counts[seat], table.indicators, turned, rules)
    for red in range(34, 37):
        fact[P_RIICHI_DORA] += table.held[seat, red]
    fact[P_RIICHI_DORA] += table.seats[t.S_REDS, seat] + table.seats[t.S_KITA, seat]


@kernel
def note_facts(table: Table, kind: int, seat: int, rules: KernelRules, facts: I64) -> None:
    """Take down, after an event of ``seat``, what statistics and review ask of its hand (rows by seat)."""
    seats, fact = table.seats, facts[seat]
    if kind == t.DISCARD:
        fact[P_DISCARDS] += 1
        mask = seats[t.S_WAITS, seat]
        fact[P_WAITS] = mask
        if mask and fact[P_TENPAI_TURN] < 0:
            fact[P_TENPAI_TURN] = fact[P_DISCARDS]
        if mask & seats[t.S_RIVER, seat]:
            fact[P_FURITEN] |= 1
        if seats[t.S_DECLARING, seat]:
            fact[P_RIICHI] = 1 + seats[t.S_DOUBLE, seat]
            fact[P_RIICHI_TURN] = fact[P_DISCARDS]
            fact[P_RIICHI_ORDER] = table.hand[t.H_RIICHI] + 1
            fact[P_RIICHI_WAITS] = mask
            fact[P_RIICHI_LIVE] = t.live_copies(table, mask, seat)
            fact[P_RIICHI_FURITEN] = mask & seats[t.S_RIVER, seat] != 0
        for other in range(rules.players):
            if seats[t.S_FURITEN, other]:
                facts[other, P_FURITEN] |= 4
            elif seats[t.S_TEMPORARY, other]:
                facts[other, P_FURITEN] |= 2
    elif kind == t.CHI or kind == t.PON:
        fact[P_CALLS] += 1
    elif kind == t.DAIMINKAN:
        fact[P_CALLS] += 1
        fact[P_DAIMINKAN] += 1
    elif kind == t.ANKAN:
        fact[P_ANKAN] += 1
    elif kind == t.KAKAN:
        fact[P_KAKAN] += 1
    elif kind == t.KITA:
        fact[P_KITA] += 1


@kernel
def begin_facts(table: Table, hand: int, rules: KernelRules, shapes: ShapeTables, facts: I64) -> None:
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
def end_with_wins(
    table: Table,
    claims: WinClaims,
    first: int,
    last: int,
    begun: int,
    walls: Walls,
    rules: KernelRules,
    scoring: Scoring,
    log: Log,
    scored: I64,
    facts: I64,
) -> int:
    """Check the win of row ``begun`` (of ``first`` to ``last``) and take down who won, paid, stood aside."""
    seat, source = int(claims.seat[begun]), int(claims.source[begun])
    known = w.win(table, claims, begun, first, last, rules, scoring, log, scored[begun])
    check_wall_ura(claims, begun, walls, log)
    for other in range(rules.players):
        if other == seat:
            result = RESULT_TSUMO if source == seat else RESULT_RON
        elif source == seat:
            result = RESULT_TSUMO_PAID
        else:
            result = RESULT_DEAL_IN if other == source else RESULT_ASIDE
        before = facts[other, P_RESULT]
        if before in (RESULT_NONE, RESULT_ASIDE):
            facts[other, P_RESULT] = result
        if claims.deltas[begun, other] != w.UNKNOWN:
            facts[other, P_CHANGE] += claims.deltas[begun, other]
    table.hand[t.H_WINNERS] += 1
    if begun + 1 == last:
        table.hand[t.H_PHASE] = t.OVER
    return known


@kernel
def end_with_draw(
    table: Table,
    claims: DrawClaims,
    row: int,
    rules: KernelRules,
    shapes: ShapeTables,
    scoring: Scoring,
    log: Log,
    facts: I64,
) -> int:
    """Check the end of a hand without a winner; returns the tenpai seats (bits)."""
    tenpai = w.hand_draw(table, claims, row, rules, shapes, scoring, log)
    exhaustive = claims.kind[row] == w.EXHAUSTIVE or claims.kind[row] == w.NAGASHI
    for seat in range(rules.players):
        facts[seat, P_RESULT] = RESULT_DRAW if exhaustive else RESULT_ABORT
        facts[seat, P_TENPAI] = tenpai >> seat & 1
        if claims.deltas[row, seat] != w.UNKNOWN:
            facts[seat, P_CHANGE] += claims.deltas[row, seat]
    table.hand[t.H_PHASE] = t.OVER
    return tenpai


@kernel
def replay_hands(
    chosen: I64,
    hands: Hands,
    events: Events,
    order: I64,
    wins: WinClaims,
    win_begin: I64,
    draws: DrawClaims,
    draw_begin: I64,
    walls: Walls,
    rules: KernelRules,
    shapes: ShapeTables,
    scoring: Scoring,
    table: Table,
    log: Log,
    scored: I64,
    facts: I64,
    tenpai: I64,
    counters: I64,
    takes_notes: bool,
    review: Review | None,
) -> None:
    """Replay the hands in ``chosen``, and review them where ``review`` is given.

    order: (events,) rows of the events in their order, or empty where they stand in it. win_begin,
    draw_begin: (hands + 1,) where each hand's rows of wins and draws begin. scored: (wins,
    W_SIZE). facts: (hands, 4, P_SIZE), or of one hand, of no use,
    where nobody ``takes_notes``. tenpai: (hands,) tenpai seats of an exhaustive draw, as bits.
    counters: (C_SIZE,) what was checked.
    """
    for number in range(len(chosen)):
        hand = chosen[number]
        log.counts[1], log.counts[2] = hand, -1
        counters[C_HANDS] += 1
        rows = facts[hand if takes_notes else 0]
        wall_row = walls.row[hand]
        if wall_row >= 0:
            check_wall_deal(hands, hand, walls, rules, log)
            counters[C_WALLS] += 1
        following = set_up(table, hands, hand, rules, shapes, log)
        if takes_notes:
            begin_facts(table, hand, rules, shapes, rows)
        if review is not None:
            rv.begin(hand, int(hands.round[hand]), rules, review)
        win_row, draw_row = win_begin[hand], draw_begin[hand]
        for at in range(hands.event_begin[hand], hands.event_end[hand]):
            event = order[at] if len(order) else at
            log.counts[2] = event
            kind, seat, tile = int(events.kind[event]), int(events.seat[event]), int(events.tile[event])
            if kind >= t.LEAVE:
                if review is not None and seat < 4:
                    review.seats[V_AWAY, seat] = kind == t.LEAVE
                continue
            if not following:
                break
            counters[C_EVENTS] += 1
            over = table.hand[t.H_PHASE] == t.OVER
            if (over and kind == t.WIN) or (kind == t.HAND_DRAW and (over or table.hand[t.H_WINNERS])):
                note(log, 211, int(events.seat[event]), t.NOBODY, 0, kind)
            if kind == t.WIN:
                if review is not None:
                    rv.end(table, kind, seat, int(events.source[event]), tile, 0, review, log)
                counters[C_WINS] += end_with_wins(
                    table,
                    wins,
                    win_begin[hand],
                    win_begin[hand + 1],
                    win_row,
                    walls,
                    rules,
                    scoring,
                    log,
                    scored,
                    rows,
                )
                win_row += 1
            elif kind == t.HAND_DRAW:
                tenpai[hand] = end_with_draw(table, draws, draw_row, rules, shapes, scoring, log, rows)
                if review is not None:
                    rv.end(table, kind, t.NOBODY, t.NOBODY, t.NOBODY, tenpai[hand], review, log)
                counters[C_DRAWS] += 1
                draw_row += 1
            else:
                if wall_row >= 0:
                    counters[C_WALL_TILES] += check_wall_tile(
                        table, events, event, walls.ids[wall_row], walls, log
                    )
                if review is not None and kind == t.DRAW:
                    review.memory[M_DRAW] = event
                is_move = t.DISCARD <= kind <= t.KITA and seat < rules.players and tile < 37
                # What comes after the end is a finding, but is not carried out.
                is_move = is_move and not over and table.hand[t.H_WINNERS] == 0
                if (
                    review is not None
                    and is_move
                    and rv.remember(
                        table.seats, table.hand, review.memory, review.discarded, kind, seat, tile, event
                    )
                ):
                    rv.before(table, seat, rules, scoring, review, log)
                following = step(table, events, event, rules, shapes, log)
                if following:
                    t.follow(
                        table, kind, seat, tile, int(events.source[event]), int(events.tile_id[event]),
                        events.own_id[event], log,
                    )  # fmt: skip
                if takes_notes and following and seat < 4:
                    note_facts(table, kind, seat, rules, rows)
                    if kind == t.DISCARD and rows[seat, P_TENPAI_TURN] == rows[seat, P_DISCARDS]:
                        waits = table.seats[t.S_WAITS, seat]
                        rows[seat, P_TENPAI_LIVE] = t.live_copies(table, waits, seat)
                    declaring = kind == t.DISCARD and table.seats[t.S_DECLARING, seat] != 0
                    if kind <= t.KITA and (declaring or not table.seats[t.S_RIICHI, seat]):
                        is_waiting = kind == t.DISCARD and table.seats[t.S_WAITS, seat] != 0
                        note_shanten(
                            table.keys[seat], kind, is_waiting, table.seats[t.S_MELDS, seat],
                            rules.chiitoitsu_identical_pairs, shapes, rows[seat],
                        )  # fmt: skip
                        if declaring:
                            note_riichi(table, seat, rules, scoring, rows[seat])
                if review is not None and following and (is_move or kind == t.DORA):
                    winners = rv.takers(
                        events.kind, events.seat, event, hands.event_end[hand], int(review.end[hand])
                    )
                    if rv.is_of_interest(table.seats, review.seats, kind, seat, tile, winners, rules.players):
                        rv.after(table, kind, seat, tile, winners, rules, shapes, scoring, review, log)
                    rv.keep(table.seats, review.seats, kind, seat, tile, event, rules.players)
        counters[C_STOPPED] += not following
