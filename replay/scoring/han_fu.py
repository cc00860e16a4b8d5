"""What a number of han and fu is worth, without a hand: payments, and the table of points of a ruleset."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from typing import NamedTuple

from paifu.replay.kernels.scoring import base_points
from paifu.replay.kernels.scoring_layout import MAX_LIMIT_HAN
from paifu.replay.language import _
from paifu.replay.rules.choices import Limits
from paifu.replay.rules.hand_facts import RON, Situation
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.limits import Limit
from paifu.replay.scoring.tables import scoring_tables
from paifu.replay.scoring.winning_hand import WinningHand

MOST_HAN, MOST_YAKUMAN = 99, 8
_PINFU_FU, _LEAST_FU, _MOST_FU = 20, 30, 140
"""Fu of pinfu won by tsumo, of other hands at least, and of three kans of terminals at most."""
_WINNING_FU, _CLOSED_RON_FU, _TSUMO_FU, _VALUE_PAIR_FU, _SINGLE_WAIT_FU = 20, 10, 2, 2, 2
_LIMIT_HAN = 5
"""Han from which fu do not matter."""


@dataclass(frozen=True, slots=True)
class ScoredHanFu:
    """What a number of han and fu, or of yakuman, is worth."""

    han: int
    """0 where yakuman are counted."""
    fu: int | None
    yakuman: int
    limit: Limit
    base: int
    points: int
    """Points without honba and riichi sticks."""
    payments: tuple[int, ...]
    """Change of points by seat, 0 the dealer; honba, sticks and wareme included."""


@dataclass(frozen=True, slots=True)
class PointsRow:
    """A row of the table of points: what one value pays the dealer, or somebody else."""

    is_dealer: bool
    han: int
    fu: int | None
    """None where fu do not matter."""
    yakuman: int
    limit: Limit
    ron: int | None
    """None where such a hand cannot win by ron."""
    tsumo: int | None
    """What all pay together; None where such a hand cannot win by tsumo."""
    tsumo_shares: tuple[int, ...]
    """What the dealer pays, unless the dealer wins, and what each other does."""


def score_han_fu(
    hand: WinningHand, rules: Ruleset, *, han: int = 0, fu: int | None = None, yakuman: int = 0
) -> ScoredHanFu:
    """Price han and fu, or yakuman, that are won as ``hand`` is, of which only the circumstances count.

    Raises HandError, saying why, for what no hand has under the ruleset.
    """
    hand.check_payments(rules)
    if (han > 0) == (yakuman > 0):
        raise HandError(_("give the han of the hand (--han 3 --fu 40), or how many yakuman it is"))
    if han > MOST_HAN or yakuman > MOST_YAKUMAN or min(han, yakuman) < 0:
        text = _("a hand has 1 to {han} han, or 1 to {yakuman} yakuman")
        raise HandError(text.format(han=MOST_HAN, yakuman=MOST_YAKUMAN))
    if yakuman and fu is not None:
        raise HandError(_("fu do not matter for a yakuman; leave --fu out"))
    if han and fu is None and rules.scoring.limits == Limits.NONE:
        raise HandError(_("fu matter, for there are no limits; give them, such as --fu 30"))
    if han and fu is None and han < _LIMIT_HAN:
        raise HandError(_("fu matter below {han} han; give them, such as --fu 30").format(han=_LIMIT_HAN))
    if yakuman and not rules.scoring.yakuman_base:
        text = _("a yakuman has 13 han under the ruleset {rules} (rule yakuman_base); give --han and --fu")
        raise HandError(text.format(rules=rules.name))
    if fu is not None:
        problem = _problem_of_fu(rules, han, fu, tsumo=hand.tsumo)
        if problem:
            raise HandError(problem)
    base = _base(rules, han, fu, yakuman)
    points, payments = hand.payments(base, rules)
    return ScoredHanFu(han, fu, yakuman, Limit.reached(base, yakuman, rules), base, points, payments)


def _base(rules: Ruleset, han: int, fu: int | None, yakuman: int) -> int:
    if yakuman:
        return rules.scoring.yakuman_base * (yakuman if rules.yakuman.yakuman_stacking else 1)
    return base_points(han, fu or _LEAST_FU, scoring_tables(rules).params)


def _problem_of_fu(rules: Ruleset, han: int, fu: int, *, tsumo: bool) -> str:
    """Return why no hand of these han has these fu; empty where one has."""
    pairs, pairs_han, fixed = (
        rules.scoring.chiitoitsu_fu,
        rules.scoring.chiitoitsu_han,
        rules.scoring.fixed_fu,
    )
    if fu == fixed:
        return ""
    if fixed and fu != pairs:
        text = _("every hand has {fu} fu under the ruleset {rules}, seven pairs {pairs} (rule fixed_fu)")
        return text.format(fu=fixed, rules=rules.name, pairs=pairs)
    if fu == _PINFU_FU and not tsumo and rules.scoring.open_pinfu_fu == _PINFU_FU:
        return ""
    if fu in range(_LEAST_FU, _MOST_FU + 1, 10):
        return _problem_of_han(rules, han, fu, tsumo=tsumo)
    if fu == pairs:
        least = pairs_han + tsumo
        text = _("seven pairs, which alone have {fu} fu, have {han} han at least here")
        return text.format(fu=fu, han=least) if han < least else ""
    if fu != _PINFU_FU:
        text = _("fu are {pinfu}, {pairs} (seven pairs), or {least} to {most} in tens, not {fu}")
        return text.format(pinfu=_PINFU_FU, pairs=pairs, least=_LEAST_FU, most=_MOST_FU, fu=fu)
    if not rules.scoring.pinfu_tsumo:
        text = _("no hand has 20 fu under the ruleset {rules} (rule pinfu_tsumo)")
        return text.format(rules=rules.name)
    if not tsumo:
        return _("only pinfu won by tsumo has 20 fu; a ron has 30 at least")
    return "" if han > 1 else _("pinfu won by tsumo, which alone has 20 fu, has two han at least")


def _problem_of_han(rules: Ruleset, han: int, fu: int, *, tsumo: bool) -> str:
    """Return why no hand of so few han has these fu, 30 or more; empty where one has."""
    least = _least_han(tsumo, rules.scoring.double_wind_pair_fu)
    how = _("tsumo") if tsumo else _("ron")
    if fu not in least:
        most = max(least)
        text = _("no hand that wins by {how} has more than {most} fu under the ruleset {rules}")
        return text.format(how=how, most=most, rules=rules.name)
    if han < least[fu]:
        text = _("a hand of {fu} fu that wins by {how} has {han} han at least, dora apart")
        return text.format(fu=fu, how=how, han=least[fu])
    return ""


class _Group(NamedTuple):
    """A sequence, triplet or kan, as far as it counts for fu."""

    fu: int
    is_concealed: bool
    is_simple: bool = True
    is_same: bool = False
    """A triplet or a kan."""
    is_kan: bool = False


_GROUPS = (
    _Group(0, is_concealed=True),
    _Group(0, is_concealed=False),
    *(
        _Group(fu * (1 + is_end) * (1 + concealed), concealed, not is_end, is_same=True, is_kan=kan)
        for fu, kan in ((2, False), (8, True))
        for is_end in (False, True)
        for concealed in (False, True)
    ),
)


@cache
def _least_han(tsumo: bool, double_wind_fu: int) -> dict[int, int]:
    """Return for each number of fu, from 30 on, how many han a hand that has it has at least.

    All hands of four groups and a pair are tried, and all tiles on which they may win. High fu force yaku:
    three kans, three concealed triplets, four triplets, no simples; a hand won by tsumo without calls has
    one more. For one han any yaku will do that asks nothing of the tiles, such as that for the last one.
    """
    found: dict[int, int] = {}
    for groups in combinations_with_replacement(_GROUPS, 4):
        is_closed = all(group.is_concealed for group in groups)
        for won, wait_fu in _ways_to_win(groups):
            counted = [
                group._replace(fu=group.fu // 2, is_concealed=False)
                if number == won and group.is_same and not tsumo
                else group
                for number, group in enumerate(groups)
            ]
            concealed = sum(group.is_same and group.is_concealed for group in counted)
            kans, same = sum(group.is_kan for group in groups), sum(group.is_same for group in groups)
            if 4 in (concealed, kans):
                continue  # yakuman
            no_simples = all(group.is_same and not group.is_simple for group in groups)
            forced = 2 * (kans == 3) + 2 * (concealed == 3) + 2 * (same == 4) + (is_closed and tsumo)
            for pair_fu in (0, _VALUE_PAIR_FU, double_wind_fu):
                han = max(1, forced + 2 * (no_simples and pair_fu > 0))
                fu = _WINNING_FU + sum(group.fu for group in counted) + pair_fu + wait_fu
                fu += _TSUMO_FU if tsumo else _CLOSED_RON_FU if is_closed else 0
                rounded = max(_LEAST_FU, -(-fu // 10) * 10)
                found[rounded] = min(found.get(rounded, han), han)
    return found


def _ways_to_win(groups: tuple[_Group, ...]) -> Iterator[tuple[int | None, int]]:
    """Yield which group the winning tile completes, None for the pair, and the fu of the wait."""
    yield None, _SINGLE_WAIT_FU
    for number, group in enumerate(groups):
        if group.is_concealed and not group.is_kan:
            yield number, 0
            if not group.is_same:
                yield number, _SINGLE_WAIT_FU


def points_table(rules: Ruleset) -> Iterator[PointsRow]:
    """Yield the table of points of a ruleset: first of who does not deal, then of the dealer.

    Han and fu for which neither a ron nor a tsumo is possible are left out, and han that are worth what
    fewer are.
    """
    for dealer in (False, True):
        for han, fu, yakuman in _values(rules):
            yield from _row(rules, dealer, han, fu, yakuman)


def base_values(rules: Ruleset, most: int) -> dict[int, tuple[bool, bool]]:
    """Return the base points that hands have, up to ``most``, in order: whether by ron, and by tsumo.

    >>> from paifu.replay.rulesets.presets import load_preset
    >>> list(base_values(load_preset("tenhou"), 600).items())
    [(240, (True, True)), (320, (True, True)), (400, (True, True)), (480, (True, True)), (560, (True, True))]
    """
    found: dict[int, tuple[bool, bool]] = {}
    for han, fu, yakuman in _values(rules):
        base = _base(rules, han, fu, yakuman)
        can = [fu is None or not _problem_of_fu(rules, han, fu, tsumo=tsumo) for tsumo in (False, True)]
        if base <= most and any(can):
            known = found.get(base, (False, False))
            found[base] = known[0] or can[0], known[1] or can[1]
    return dict(sorted(found.items()))


def _values(rules: Ruleset) -> Iterator[tuple[int, int | None, int]]:
    """Yield han, fu and yakuman of all hands that differ in what they are worth."""
    counted = (rules.scoring.fixed_fu,) if rules.scoring.fixed_fu else (_PINFU_FU, *range(_LEAST_FU, 111, 10))
    rates = sorted({rules.scoring.chiitoitsu_fu, *counted})
    has_limits = rules.scoring.limits == Limits.USUAL
    counting = _LIMIT_HAN if has_limits else MAX_LIMIT_HAN + 1
    for fu in rates:
        for han in range(1, counting):
            yield han, fu, 0
    bases: set[int] = set()
    for han in range(counting, MAX_LIMIT_HAN + 1):
        base = _base(rules, han, None, 0)
        if base not in bases:
            bases.add(base)
            yield han, None, 0
    numbers = (1, 2) if rules.yakuman.yakuman_stacking else (1,)
    for yakuman in numbers if rules.scoring.yakuman_base else ():
        yield 0, None, yakuman


def _row(rules: Ruleset, dealer: bool, han: int, fu: int | None, yakuman: int) -> Iterator[PointsRow]:
    base, seat = _base(rules, han, fu, yakuman), 0 if dealer else 1
    can = [fu is None or not _problem_of_fu(rules, han, fu, tsumo=tsumo) for tsumo in (False, True)]
    if not any(can):
        return
    ron = _won(seat, RON).payments(base, rules)[0]
    tsumo, changes = _won(seat, Situation.TSUMO).payments(base, rules)
    others = range(1, rules.table.players)
    shares = [-changes[next(other for other in others if other != seat)]] if rules.table.players > 2 else []
    yield PointsRow(
        dealer,
        han,
        fu,
        yakuman,
        Limit.reached(base, yakuman, rules),
        ron if can[0] else None,
        tsumo if can[1] else None,
        (tuple(shares) if dealer else (-changes[0], *shares)) if can[1] else (),
    )


def _won(seat: int, how: Situation) -> WinningHand:
    return WinningHand(tiles=(), win=0, seat_wind=seat, situation=how)
