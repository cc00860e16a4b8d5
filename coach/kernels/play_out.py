"""A hand of a log up to one decision, and from there with another choice, other luck and simulated players.

Hidden hands are those of the log, or others that are given. What is left to draw is shuffled. All moves are
the engine's own transitions; a finding in ``notes`` afterwards is a fault of this module, or of the log.
"""

from __future__ import annotations

from typing import NamedTuple

from paifu.coach.kernels import decision_layout
from paifu.coach.kernels.policy_inputs import Rivers, note_move
from paifu.coach.kernels.simulator_choices import T_CALLS, chance
from paifu.coach.kernels.simulator_judgement import (
    Judge,
    begin_watching,
    discard_seen,
    think_of_calls,
    watch,
)
from paifu.coach.kernels.simulator_moves import (
    NO_OWN,
    Course,
    PlayState,
    Supply,
    end_without_winner,
    held_id,
    let_pass,
    make_call,
    make_own_kan,
    make_riichi,
    write,
)
from paifu.coach.kernels.simulator_play import WON, abort_due, call_if_wanted, id_of, play_on
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import I64, I64_2D, U8, U8_3D
from paifu.replay.kernels.claims import EventClaims, HandClaims
from paifu.replay.kernels.replay import set_up, step
from paifu.replay.kernels.review_layout import ReviewMemory
from paifu.replay.kernels.rows import SCORED
from paifu.replay.kernels.running import entry, kernel
from paifu.replay.kernels.table_state import NOBODY, TableState, kind_of, rest_of_run, take, update_waits

OFFERED, REFUSED = -1, -2
"""What a choice leads to: others may claim a tile; it cannot be made."""


class Reached(NamedTuple):
    """How a hand stood when it came to a decision."""

    table: TableState
    record: Course
    memory: ReviewMemory
    rivers: Rivers
    used: U8
    """(136,) 1 for the ids that had come into play."""
    free: U8
    """(136,) scratch, as is the next."""
    rest: U8


@kernel
def new_id(supply: Supply, used: U8, tile: int) -> int:
    """Return an id of a tile that has not come into play; NOBODY if there is none."""
    for number in range(4 * int(kind_of(tile)), 4 * int(kind_of(tile)) + 4):
        if supply.tile_of[number] == tile and used[number] == 0:
            used[number] = 1
            return number
    return NOBODY


@kernel
def take_id(supply: Supply, record: Course, seat: int, tile: int) -> int:
    """Take a tile out of a hand by its id, the one just drawn last."""
    found = NOBODY
    for number in range(4 * int(kind_of(tile)), 4 * int(kind_of(tile)) + 4):
        is_held = record.holder[number] == seat and supply.tile_of[number] == tile
        if is_held and (found == NOBODY or found == record.drawn[seat]):
            found = number
    if found != NOBODY:
        record.holder[found] = NOBODY
    return found


@kernel
def note_event(play: PlayState, events: EventClaims, event: int, used: U8) -> None:
    """Write an event of the log down as if it had been played, tiles by ids of our own."""
    supply, record = play.supply, play.record
    kind, seat, tile = int(events.kind[event]), int(events.seat[event]), int(events.tile[event])
    source, taken, own = NOBODY, NOBODY, NO_OWN
    # Which ids the event moves.
    if kind == state.DRAW:
        taken = new_id(supply, used, tile)
        if taken != NOBODY:
            record.holder[taken] = seat
    elif kind == state.DORA:
        taken = new_id(supply, used, tile)
        seat = NOBODY
    elif kind == state.DISCARD and events.flags[event] & state.TSUMOGIRI and record.drawn[seat] != NOBODY:
        taken = int(record.drawn[seat])
        record.holder[taken] = NOBODY
    elif kind == state.DISCARD or kind == state.KITA:
        taken = take_id(supply, record, seat, tile)
    elif kind == state.KAKAN or state.CHI <= kind <= state.ANKAN:
        own = 0
        number = 3 if kind == state.DAIMINKAN or kind == state.ANKAN else 0 if kind == state.KAKAN else 2
        for i in range(number):
            own |= take_id(supply, record, seat, int(events.own[event, i])) << 8 * i
        if number == 2:
            own |= NOBODY << 16
        if kind >= state.ANKAN:
            taken = take_id(supply, record, seat, tile)
        else:
            source = play.table.offer_seat
            at = record.length - 1
            while record.words[at] & 31 != state.DISCARD:
                at -= 1
            taken = record.words[at] >> 11 & 255
    write(record, kind, seat, taken, source, own)
    if kind == state.DRAW:
        record.drawn[seat] = taken
    elif seat < 4 and kind != state.RIICHI and kind != state.RIICHI_PAID:
        record.drawn[seat] = NOBODY


@entry
def reach(
    play: PlayState,
    hands: HandClaims,
    events: EventClaims,
    hand: int,
    stop: int,
    reached: Reached,
    judge: Judge,
) -> bool:
    """Follow a hand of a log up to the event ``stop``, which is not played; False where that cannot be."""
    table, record, used, rules, notes = play.table, play.record, reached.used, play.rules, play.notes
    record.length = record.hidden = 0
    record.holder[:] = record.drawn[:] = NOBODY
    record.safe[:] = 0
    used[:] = 0
    notes.counts[0] = 0
    if rules.flowers_dora or not set_up(table, hands, hand, rules, play.shapes, notes) or table.partial:
        return False  # walls that are made here have no flowers
    new_id(play.supply, used, int(hands.dora[hand]))
    for seat in range(rules.players):
        for i in range(13):
            record.holder[new_id(play.supply, used, int(hands.dealt[hand, seat, i]))] = seat
    begin_watching(judge)
    for event in range(hands.event_begin[hand], stop):
        kind, seat, tile = int(events.kind[event]), int(events.seat[event]), int(events.tile[event])
        if kind >= state.LEAVE:
            continue
        if kind >= state.WIN:
            return False
        note_event(play, events, event, used)
        if not step(table, events, event, rules, play.shapes, notes) or table.partial:
            return False
        if kind == state.DISCARD:
            for other in range(4):
                if table.riichi[other]:
                    record.safe[other] |= 1 << kind_of(tile)
        note_move(table, judge.rivers, kind, int(events.flags[event]))
        if seat < rules.players:
            watch(judge, kind, seat, tile)
    return notes.counts[0] == 0


@kernel
def shuffle_rest(play: PlayState, used: U8, rest: U8) -> int:
    """Shuffle the tiles that have not come into play into wall, supplements, indicators and ura.

    rest: (136,) scratch. Returns how many there were.
    """
    table, supply, record = play.table, play.supply, play.record
    number = 0
    for tile in range(136):
        in_set = play.rules.players == 4 or not 1 <= kind_of(int(supply.tile_of[tile])) <= 7
        if used[tile] == 0 and in_set:
            rest[number] = tile
            number += 1
    for last in range(number - 1, 0, -1):
        chance(record, 0)
        other = record.random % (last + 1)
        rest[last], rest[other] = rest[other], rest[last]
    # Indicators and ura, the wall, supplements.
    at = 0
    for i in range(table.turned, 5):
        supply.indicators[i] = rest[at]
        at += 1
    for i in range(5):
        supply.ura[i] = rest[at]
        at += 1
    for i in range(table.live):
        # where the wall is drawn up to the indicators, those of kans are its last tiles
        supply.live[table.draws + i] = rest[at if at < number else table.live - 1 - i]
        at += 1
    end = at
    if end > number:
        at, end = number, 10 - int(table.turned)
    for i in range(table.supplements, 8):
        # four lie there; each one drawn is replaced from the end of the wall
        supply.supplements[i] = rest[at] if at < number else rest[end - 1 - (at - number)]
        at += 1
    return number


@kernel
def choose(play: PlayState, seat: int, option: int, tile: int, judge: Judge) -> int:
    """Make a choice as a decision names it: returns OFFERED, REFUSED, 0 to go on, or the HandEnd."""
    table, record, traits, rules = play.table, play.record, play.traits, play.rules
    # A discard, with riichi or not.
    if option <= decision_layout.RIICHI:
        own = id_of(record, play.supply, seat, tile)
        if own == NOBODY:
            return REFUSED
        if option == decision_layout.RIICHI:
            make_riichi(play, False)
        discard_seen(play, own, judge)
        return OFFERED
    # A kan of own tiles.
    if option >= decision_layout.ANKAN:
        event = state.ANKAN if option == decision_layout.ANKAN else state.KAKAN
        own = held_id(record, seat, tile, 3 if option == decision_layout.ANKAN else 0)
        if own == NOBODY:
            return REFUSED
        make_own_kan(play, event, own)
        return OFFERED
    # A call or a pass; others may call after a pass.
    kind, called = int(kind_of(table.offer_tile)), traits[seat, T_CALLS]
    think_of_calls(judge, traits)
    judge.wishes[seat] = 0
    let_pass(play)
    has_called = option != decision_layout.PASS
    if option == decision_layout.PASS:
        end = abort_due(table, rules)
        if end:
            return end_without_winner(play, end)
        traits[seat, T_CALLS] = 0
        has_called = call_if_wanted(play, judge)
        traits[seat, T_CALLS] = called
    else:
        first, second = rest_of_run(tile, kind) if option == decision_layout.CHI else (kind, kind)
        own = held_id(record, seat, first, 0)
        other = held_id(record, seat, second, 1 if option != decision_layout.CHI else 0)
        third = held_id(record, seat, first, 2) if option == decision_layout.DAIMINKAN else NOBODY
        if own == NOBODY or other == NOBODY or (option == decision_layout.DAIMINKAN and third == NOBODY):
            return REFUSED
        own |= other << 8 | third << 16
        event = (
            state.CHI
            if option == decision_layout.CHI
            else state.PON
            if option == decision_layout.PON
            else state.DAIMINKAN
        )
        make_call(play, event, seat, own)
    if has_called:
        note_move(table, judge.rivers, state.CHI, 0)
        watch(judge, state.CHI, table.turn, NOBODY)
    return 0


@kernel
def give_hands(play: PlayState, used: U8, mine: int, hidden: U8_3D, row: int, passed: I64) -> None:
    """Put the hands of a row of ``hidden`` in the place of all hands but the seat ``mine``'s."""
    table, supply, record, rules = play.table, play.supply, play.record, play.rules
    # What the others hold comes out of play.
    for number in range(136):
        holder = int(record.holder[number])
        if holder != NOBODY and holder != mine:
            record.holder[number] = NOBODY
            used[number] = 0
            table.seen[supply.tile_of[number]] -= 1
    # Each gets as many other tiles, and waits and furiten that follow from them.
    for seat in range(rules.players):
        if seat == mine:
            continue
        size = 0
        for tile in range(37):
            size += table.held[seat, tile]
        table.counts[seat] = 0
        table.held[seat] = 0
        table.keys[seat] = 0
        record.drawn[seat] = NOBODY
        for i in range(size):
            tile = int(hidden[row, seat, i])
            take(table, seat, tile)
            table.seen[tile] += 1
            record.holder[new_id(supply, used, tile)] = seat
        missed = update_waits(table, seat, rules, play.shapes) & passed[seat] != 0
        table.temporary_furiten[seat] = missed
        table.permanent_furiten[seat] = missed and table.riichi[seat] != 0


@entry
def play_out(
    play: PlayState, reached: Reached, seat: int, option: int, tile: int, hidden: U8_3D, walls: I64,
    judge: Judge, points: I64_2D,
) -> int:  # fmt: skip
    """Play a hand on from what was ``reached``, once for each wall; returns how many came to an end.

    hidden: (walls, 4, 13) the hands of the other seats, none for those that were there.
    walls: (walls,) a number for each shuffle. points: (walls, 4) is filled with what each seat has at the
    end, before anything that happens between hands. ``seat`` begins with ``option`` and ``tile``.
    """
    table, record, free = play.table, play.record, reached.free
    for number in range(len(walls)):
        table.whole[:] = reached.table.whole
        record.whole[:] = reached.record.whole
        judge.desk.review.memory.whole[:] = reached.memory.whole
        judge.rivers.whole[:] = reached.rivers.whole
        record.random = walls[number]
        free[:] = reached.used
        if len(hidden):
            passed = judge.desk.review.memory.passed
            give_hands(play, free, seat, hidden, number, passed)
        shuffle_rest(play, free, reached.rest)
        winners = 0
        end = choose(play, seat, option, tile, judge)
        if end == REFUSED:
            return number
        if end <= 0:
            end, winners = play_on(play, judge, end == OFFERED)
        if play.notes.counts[0]:
            return number
        for other in range(4):
            points[number, other] = table.scores[other]
            if end == WON:
                for row in range(winners):
                    points[number, other] += play.facts[row, SCORED.changes + other]
            else:
                points[number, other] += play.scoring.work.changes[other]
    return len(walls)
