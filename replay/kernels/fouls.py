"""Fouls that logs state: whether the events show them, what they do to the table, and how they end a hand.

Kinds and costs are numbers of ``FOUL_KINDS`` and ``rules.Consequence``.
"""

from __future__ import annotations

from paifu.replay.kernels import codes, legal
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.notes import Notes, note, note_why
from paifu.replay.kernels.reasons import NOT_IN_RULES
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.running import kernel
from paifu.replay.kernels.table_state import NOBODY, TableState, kind_of
from paifu.replay.kernels.wins import Scoring, worth

_SHOWN = 1 << state.NOTEN_RIICHI | 1 << state.SPOILING_KAN | 1 << state.SWAPPED | 1 << state.DEAD_ACTS
"""Kinds that events show, besides false wins."""
_KINDS = 18


@kernel
def is_false_win(table: TableState, seat: int, rules: KernelRules, scoring: Scoring) -> bool:
    """Return whether a seat may claim to win now, and its hand does not, or is not known."""
    source, tile = table.offer_seat, table.offer_tile
    # What is claimed: the tile just drawn, or the one on offer.
    if table.turn == seat and table.phase == state.WAIT_ACT:
        source, tile = seat, table.drawn[seat]
    elif table.offer == 0 or source == seat:
        return False
    if table.hidden[seat]:
        return True
    # A tile that does not complete the hand, or that furiten forbids.
    is_wait = table.waits[seat] >> kind_of(tile) & 1 != 0
    if source == seat:
        is_wait = legal.completes(table, seat, rules)
    if not is_wait or (source != seat and not legal.may_ron(table, seat, kind_of(tile))):
        return True
    # Fouls that come out at a win make it false.
    if legal.due(table, seat, legal.AT_OWN_WIN, rules) or table.dead[seat]:
        return True
    base, _, _, _, _ = worth(table, seat, source, tile, table.indicators, rules, scoring)
    return base <= 0


@kernel
def is_shown(table: TableState, seat: int, kind: int, rules: KernelRules, scoring: Scoring) -> bool:
    """Return whether the events show a foul of a kind, as far as they could."""
    if kind == state.FALSE_WIN:
        return is_false_win(table, seat, rules, scoring)
    if table.partial >> seat & 1 and legal.OF_RIICHI >> kind & 1:
        return True
    return _SHOWN >> kind & 1 == 0 or table.foul[seat] >> kind & 1 != 0


@kernel
def state_foul(
    table: TableState, seat: int, kind: int, ruled: int, rules: KernelRules, scoring: Scoring, notes: Notes
) -> None:
    """A foul of a seat is stated; ``ruled`` is its cost where the table ruled on it, else 0."""
    if table.phase == state.OVER or table.winners:
        return
    cost = ruled if ruled else legal.consequence(kind, rules)
    # A foul that the rules do not know, or that no event shows.
    if cost == 0:
        note_why(notes, codes.FOUL_WITHOUT_CAUSE, NOT_IN_RULES, seat, NOBODY, -1, kind)
    elif not is_shown(table, seat, kind, rules, scoring):
        note(notes, codes.FOUL_WITHOUT_CAUSE, seat, NOBODY, -1, kind)
    # What it costs at once; what ends the hand comes with the next event.
    table.stated[seat] |= 1 << kind
    table.fouls += 1
    if cost == state.DEAD_HAND:
        table.dead[seat] = 1
        table.nagashi[seat] = 0
    elif cost == state.DEPOSIT:
        table.deposits[seat] += rules.deposit_sticks
        table.sticks += rules.deposit_sticks
        table.scores[seat] -= rules.deposit_sticks * rules.riichi_stick
    elif cost == state.FULL or (cost == state.SMALL and rules.small_after):
        table.due_cost, table.due_seat = cost, seat


@kernel
def may_end_by_foul(table: TableState, rules: KernelRules, scoring: Scoring) -> bool:
    """Return whether the hand may end by a foul of ``offender`` now: one that was stated, or that shows."""
    seat = table.offender
    if seat >= rules.players:
        return False
    if table.due_cost:
        return table.due_seat == seat
    # At a draw, what riichi hid comes out, too.
    at_end = table.live == 0 and table.phase == state.WAIT_DRAW
    if legal.costs_chombo(table, seat, legal.AT_A_DRAW if at_end else 0, rules):
        return True
    # A hidden hand may have been noten in riichi.
    if table.partial >> seat & 1 and table.riichi[seat]:
        return True
    full = legal.consequence(state.FALSE_WIN, rules) == state.FULL
    return full and is_false_win(table, seat, rules, scoring)


@kernel
def chombo_changes(table: TableState, rules: KernelRules, scoring: Scoring) -> None:
    """Write what a foul costs that ends the hand; sticks return where the hand is played again."""
    changes, seat = scoring.work.changes, table.offender
    small = table.due_cost == state.SMALL
    # A full chombo pays everybody.
    for other in range(rules.players if seat < rules.players and not small else 0):
        if other != seat:
            paid = rules.chombo_to_dealer if other == table.dealer else rules.chombo_to_other
            paid = rules.chombo_dealer if seat == table.dealer else paid
            changes[seat] -= paid
            changes[other] += paid
    # The hand is played again, so all get their sticks back.
    for other in range(rules.players if small or rules.chombo_after else 0):
        sticks = table.deposits[other] + legal.sticks_of(table, other, rules)
        changes[other] += sticks * rules.riichi_stick


@kernel
def check_fouls_at_once(table: TableState, rules: KernelRules, notes: Notes) -> None:
    """Note fouls in riichi that come out at once and were not stated, though the hand goes on."""
    for turn in range(rules.players):
        seat = (table.dealer + turn) % rules.players
        found = legal.due(table, seat, 0, rules) & legal.OF_RIICHI
        if found and legal.costs_chombo(table, seat, 0, rules) & legal.OF_RIICHI:
            note(notes, codes.ILLEGAL_DRAW, seat, NOBODY, legal.CHOMBO, 0)
        elif found:
            note_unstated(table, seat, found, notes)
        table.stated[seat] |= found


@kernel
def check_fouls_stated(table: TableState, at_draw: bool, rules: KernelRules, notes: Notes) -> None:
    """Note fouls that came out by the end of the hand and were not stated.

    Findings of the draw and of the win say that a foul in riichi must end the hand, or makes the win false.
    """
    for seat in range(rules.players):
        found = legal.due(table, seat, legal.AT_A_DRAW if at_draw else 0, rules)
        # Findings about how the hand ended tell the rest.
        if at_draw:
            found &= ~(legal.costs_chombo(table, seat, legal.AT_A_DRAW, rules) & legal.OF_RIICHI)
        else:
            found &= ~legal.OF_RIICHI
        note_unstated(table, seat, found, notes)


@kernel
def note_unstated(table: TableState, seat: int, found: int, notes: Notes) -> None:
    """Note that fouls of these kinds (bits) were not stated."""
    for kind in range(_KINDS):
        if found >> kind & 1:
            note(notes, codes.FOUL_NOT_STATED, seat, NOBODY, kind, 0)
    table.stated[seat] |= found
