"""Who pays what for a win, as the ruleset's few numbers have it; bets.

Seats are winds (0 East, the dealer); every tuple is by seat and adds up to zero. A win of ``value`` costs
each player ``pay_selfdraw`` values when it is self-drawn. On a discard all pay ``pay_discard_total`` values
together: a bystander what ``pay_bystander`` says, and the one who answers for the discard the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from paifu.replay.rules.choices import Bystander
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.schemes.hand import SEATS

_BETTOR = 4


def _factor(rules: Ruleset, one: int, other: int) -> int:
    return rules.shares.dealer_factor if 0 in (one, other) else 1


def _moved(shares: Iterable[tuple[int, int, int]]) -> tuple[int, ...]:
    """Changes from (payer, payee, points)."""
    changes = [0] * len(SEATS)
    for payer, payee, points in shares:
        changes[payer] -= points
        changes[payee] += points
    return tuple(changes)


def win_shares(rules: Ruleset, value: int, winner: int, answers: int | None) -> dict[int, int]:
    """Return what each other seat pays the winner; ``answers`` is who answers for a discard, if anybody."""
    others = [seat for seat in SEATS if seat != winner]
    if answers is None:
        due = dict.fromkeys(others, rules.shares.pay_selfdraw * value)
    else:
        bystander = {Bystander.NONE: 0, Bystander.VALUE: value, Bystander.PAR: min(value, rules.shares.par)}
        due = dict.fromkeys(others, bystander[rules.shares.pay_bystander])
        due[answers] = rules.shares.pay_discard_total * value - sum(
            due[seat] for seat in others if seat != answers
        )
    return {seat: share * _factor(rules, seat, winner) for seat, share in due.items()}


def paid(shares: Mapping[int, int], winner: int) -> tuple[int, ...]:
    """Return the changes when each seat pays its share to the winner."""
    return _moved((seat, winner, share) for seat, share in shares.items())


def settled_among_losers(rules: Ruleset, scores: Mapping[int, int]) -> tuple[int, ...]:
    """Return the changes when every two losers pay each other their scores, by seat."""
    if not rules.classical.losers_settle:
        return (0,) * len(SEATS)
    return _moved(
        (payer, payee, scores[payee] * _factor(rules, payer, payee))
        for payer in scores
        for payee in scores
        if payer != payee
    )


def summed(*changes: tuple[int, ...]) -> tuple[int, ...]:
    """Add changes seat by seat."""
    return tuple(map(sum, zip(*changes, strict=True)))


def with_bet(payments: tuple[int, ...], bet: int, winner: int, discarder: int | None) -> tuple[int, ...]:
    """Return the changes of four players and of a fifth who bet on a seat, or on no winner.

    A right bet is paid like the winner, by the other three. A wrong one pays the winner like a player who did
    not discard.
    """
    changes = [*payments, 0]
    if bet == winner:
        due = {seat: -payments[seat] for seat in SEATS if seat != winner}
    else:
        due = {winner: max(payments[seat] for seat in SEATS if seat not in (winner, discarder))}
    for seat, points in due.items():
        changes[seat] -= points
        changes[_BETTOR] += points
    return tuple(changes)
