"""The pass over replayed hands that writes down decisions: the engine's transitions, and no checks kept.

A decision is written when the log shows what was chosen: a discard or a kan, after which the table moves on;
a call, or that nobody called. Where a win, or a call that comes first, took a tile, what others would have
done with it is not known, and there is no decision.
"""

from __future__ import annotations

from paifu.coach.kernels import decision_layout
from paifu.coach.kernels.decision_layout import DecisionState
from paifu.coach.kernels.decision_options import call_options, turn_options
from paifu.coach.kernels.option_rows import OPTION
from paifu.replay.kernels import legal, review_hooks
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import I64, U8
from paifu.replay.kernels.claims import EventClaims, HandClaims
from paifu.replay.kernels.notes import Notes
from paifu.replay.kernels.replay import set_up, step
from paifu.replay.kernels.review_layout import RIICHI_THREAT
from paifu.replay.kernels.running import entry, kernel
from paifu.replay.kernels.table_state import kind_of


@kernel
def end_decision(desk: DecisionState, hand: int, event: int, option: int, tile: int, to: int) -> None:
    """Mark what was chosen, ``option`` with ``tile``, and keep the decision if there was a choice."""
    mind = desk.mind
    first, last = mind.first, mind.rows
    found = 0
    for number in range(first, last):
        row = desk.cells[number]
        is_chosen = row[OPTION.option] == option and row[OPTION.tile] == tile
        row[OPTION.chosen], row[OPTION.to] = is_chosen, to
        found += is_chosen
    # Without a choice, or where none of the options is what happened, nothing is kept.
    if found != 1 or last - first < 2:
        mind.rows = first
        return
    for number in range(first, last):
        ids = desk.ids[number]
        ids[decision_layout.D_HAND], ids[decision_layout.D_EVENT], ids[decision_layout.D_DECISION] = (
            hand,
            event,
            mind.decisions,
        )
    mind.decisions += 1


@kernel
def follow_calls(
    desk: DecisionState, events: EventClaims, event: int, stop: int, hand: int, asked: int
) -> None:
    """Write what others decided about calling the discard ``event``, which nobody wins."""
    table, rules = desk.table, desk.rules
    # What the others did: the next event that is a move.
    following = event + 1
    while following < stop and (
        events.kind[following] >= state.LEAVE
        or events.kind[following] == state.RIICHI_PAID
        or events.kind[following] == state.DORA
    ):
        following += 1
    if following >= stop or events.kind[following] >= state.WIN:
        return
    sort, caller = int(events.kind[following]), int(events.seat[following])
    is_call = state.CHI <= sort <= state.DAIMINKAN
    source, kind = table.offer_seat, int(kind_of(table.offer_tile))
    # Each that might have called, from the next seat on.
    for place in range(1, rules.players):
        seat = (source + place) % rules.players
        if asked >> seat & 1 == 0 or table.hidden[seat] or legal.calls(table, seat, rules) == 0:
            continue
        if is_call and seat != caller and (sort != state.CHI or table.counts[seat, kind] < 2):
            continue  # what it wanted is not known
        call_options(desk, seat)
        if is_call and seat == caller:
            low = kind
            if sort == state.CHI:
                low = min(low, int(kind_of(events.own[following, 0])), int(kind_of(events.own[following, 1])))
            end_decision(desk, hand, event, sort - state.CHI + decision_layout.CHI, low, 0)
        else:
            end_decision(desk, hand, event, decision_layout.PASS, table.offer_tile, 0)


@entry
def options_at(desk: DecisionState, seat: int) -> int:
    """Write the options of a seat that is to discard on a table set up by hand; return how many.

    Those in riichi threaten it.
    """
    for other in range(desk.rules.players):
        desk.review.memory.threat[other] = RIICHI_THREAT if desk.table.riichi[other] else 0
    review_hooks.threaten(desk.table, state.CHI, desk.rules, desk.review)
    turn_options(desk, seat)
    return int(desk.mind.rows)


@entry
def decide_hands(
    chosen: I64, asked: U8, hands: HandClaims, events: EventClaims, notes: Notes, desk: DecisionState
) -> None:
    """Write the decisions of the hands in ``chosen``, from ``mind.next_hand`` on, while there is room.

    Those of seats whose tiles are known and that are ``asked`` of, as bits by hand.
    """
    table, rules, shapes, review = desk.table, desk.rules, desk.shapes, desk.review
    while desk.mind.next_hand < len(chosen):
        if desk.mind.rows + decision_layout.HAND_ROWS > len(desk.cells):
            return
        hand = chosen[desk.mind.next_hand]
        desk.mind.next_hand += 1
        notes.counts[0] = 0
        following = set_up(table, hands, hand, rules, shapes, notes)
        review_hooks.begin(hand, review)
        stop = hands.event_end[hand]
        for event in range(hands.event_begin[hand], stop):
            kind, seat, tile = int(events.kind[event]), int(events.seat[event]), int(events.tile[event])
            if not following or kind == state.WIN or kind == state.HAND_DRAW:
                break
            if kind >= state.LEAVE and kind != state.BONUS:
                continue
            notes.counts[0] = 0
            # Who wins the discard, by place after its player; a win of three that aborts the hand is none.
            to = 0
            is_discard = kind == state.DISCARD and seat < rules.players and tile < 37
            if is_discard:
                winners = review_hooks.takers(events.kind, events.seat, event, stop, int(review.end[hand]))
                if winners == 15:
                    winners = 0
                for place in range(1, rules.players):
                    to |= (winners >> (seat + place) % rules.players & 1) << place - 1
            # A discard or a kan of somebody who may choose: describe it before the table moves on.
            if (
                (is_discard or kind == state.ANKAN or kind == state.KAKAN)
                and seat < rules.players
                and tile < 37
                and asked[hand] >> seat & 1
                and table.turn == seat
                and table.phase >= state.WAIT_ACT
                and table.phase <= state.WAIT_DECLARED
                and table.riichi[seat] == 0
                and table.hidden[seat] == 0
            ):
                declared = table.phase == state.WAIT_DECLARED
                option = decision_layout.RIICHI if declared else decision_layout.DISCARD
                if not is_discard:
                    option = decision_layout.ANKAN if kind == state.ANKAN else decision_layout.KAKAN
                if declared:  # what was decided before the declaration
                    table.phase = state.WAIT_ACT
                turn_options(desk, seat)
                if declared:
                    table.phase = state.WAIT_DECLARED
                end_decision(desk, hand, event, option, tile if is_discard else int(kind_of(tile)), to)
            # Move on, remember what the move shows, and ask the others about a discard that nobody wins.
            following = step(table, events, event, rules, shapes, notes)
            if following and seat < rules.players:
                review_hooks.threaten(table, kind, rules, review)
                if is_discard and to == 0:
                    follow_calls(desk, events, event, stop, hand, int(asked[hand]))
                review_hooks.keep(table, review.memory, kind, seat, tile, event, rules.players)
