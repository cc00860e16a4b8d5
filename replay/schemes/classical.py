"""Points and doubles: sets earn points for every player, patterns double them, and all settle with all.

The winner is paid by everybody, self-drawn or not. The losers then pay each other for their own hands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from paifu.replay.language import _, pgettext
from paifu.replay.model.tile_notation import format_kinds, kind_name
from paifu.replay.model.tiles import BONUS_KINDS
from paifu.replay.rules.choices import DiscardWin
from paifu.replay.rules.hand_facts import DRAGON_KINDS
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.schemes.case import Case
from paifu.replay.schemes.hand import SEATS, Facts, HeldTiles, Replacement
from paifu.replay.schemes.pattern import FoundPattern, PatternLimit, by_limit, find
from paifu.replay.schemes.payments import paid, settled_among_losers, summed, win_shares
from paifu.replay.schemes.readings import GONG, PUNG, filled
from paifu.replay.schemes.scheme import CompleteHand, OwnScore, PointRow, Won
from paifu.replay.schemes.shapes import Shapes
from paifu.replay.schemes.table_scheme import Paid, TableScheme, Value, plain_roles
from paifu.replay.schemes.tables import patterns_of
from paifu.replay.scoring.readings import Form, Group, Reading, Wait, melded

BONUS_POINTS = 4
WINNING, SELF_DRAWN, PAIR, ONLY_TILE, ON_GONG, FOUR_ALIKE = 20, 2, 2, 2, 10, 10


def set_points(group: Group) -> int:
    """Points of a set: 2 for an open pung of simples; concealed, and of terminals or honours, twice as many.

    >>> set_points(Group((0,) * 4)), set_points(Group((4,) * 3, concealed=False))
    (32, 2)
    """
    if not group.is_triplet:
        return 0
    points = 8 if group.is_kan else 2
    return points << group.concealed << group.is_outer


class ClassicalScheme(TableScheme):
    """The scheme ``classical``."""

    unit = "doubles"

    def value(self, case: Case, found: list[FoundPattern]) -> Value:
        """Return points times two for every double, or the limit."""
        rules = case.rules
        points = (*own_points(case.hand, case.sets), *_winning_points(case))
        total = sum(row.points for row in points)
        limits, halves, plain = by_limit(found)
        doubles = sum(finding.value for finding in plain)
        amount, worth = scored(total, doubles, rules)
        refused = _refused(case, found)
        value = partial(Value, case=case, points=points)
        if limits:
            below = tuple((f, _("a limit hand counts alone")) for f in (*plain, *halves))
            amount, worth = rules.limits.limit, _("limit")
            return value(amount=amount, worth=worth, counted=tuple(limits), dropped=below, refused=refused)
        if halves and rules.limits.limit // 2 >= amount:
            below = tuple((f, _("half the limit is worth more")) for f in plain)
            amount, worth = rules.limits.limit // 2, _("half the limit")
            return value(amount=amount, worth=worth, counted=tuple(halves), dropped=below, refused=refused)
        if not refused and amount < rules.hand.minimum:
            text = _("the hand is complete but is worth {amount}; a win needs {least} under {rules}")
            refused = text.format(amount=amount, least=rules.hand.minimum, rules=rules.name)
        below = tuple((f, _("the score is more than half the limit")) for f in halves)
        return value(amount=amount, worth=worth, counted=tuple(plain), dropped=below, refused=refused)

    def pay(self, best: Value) -> Paid:
        """Every other player pays the winner alike; losers settle among themselves."""
        case = best.case
        facts, rules = case.facts, case.rules
        roles = plain_roles(facts, facts.discarder)
        shares = win_shares(rules, best.amount, facts.seat_wind, facts.discarder)
        scores = {row.seat: row.score for row in losers_scores(facts, rules)}
        every = {seat: scores.get(seat, 0) for seat in SEATS if seat != facts.seat_wind}
        for seat, score in every.items():
            if score:
                scored_words = _("scores {score}").format(score=score)
                roles[seat] = _(", ").join((roles[seat], scored_words)) if seat in roles else scored_words
        return Paid(summed(paid(shares, facts.seat_wind), settled_among_losers(rules, every)), roles)

    def score(self, win: CompleteHand, rules: Ruleset) -> Won:
        """Score a win and the losers' hands."""
        won = super().score(win, rules)
        return replace(won, losers=losers_scores(win.facts, rules)) if rules.classical.losers_settle else won


def scored(points: int, doubles: int, rules: Ruleset, *, capped: bool = True) -> tuple[int, str]:
    """Return a score and its making: points doubled so often, within the limit."""
    full = points << doubles
    text = str(full) if not doubles else f"{points} x {1 << doubles} = {full}"
    if capped and rules.limits.limit_hands and full > rules.limits.limit:
        return rules.limits.limit, _("{sum}, at most {limit}").format(sum=text, limit=rules.limits.limit)
    return full, text


def own_points(hand: HeldTiles, sets: tuple[Group, ...]) -> Iterator[PointRow]:
    """Yield what sets and bonus tiles earn, for a winner or a loser."""
    for group in sets:
        points = set_points(group)
        if points:
            text = _("concealed {set} {tile}") if group.concealed else _("open {set} {tile}")
            name = pgettext("set", GONG if group.is_kan else PUNG)
            yield PointRow(points, text.format(set=name, tile=kind_name(group.first)))
    for kind in hand.bonus:
        yield PointRow(BONUS_POINTS, _("bonus {tile}").format(tile=kind_name(kind)))


def _winning_points(case: Case) -> Iterator[PointRow]:
    """Yield what only the winner earns."""
    facts, rules = case.facts, case.rules
    yield PointRow(WINNING, pgettext("fu", "winning"))
    if facts.self_drawn:
        yield PointRow(SELF_DRAWN, _("self-pick"))
    pair = _pair_points(case)
    if pair:
        yield PointRow(pair, _("pair {tile}").format(tile=kind_name(case.reading.pairs[0].first)))
    if len(Shapes(rules).waits_of(case.hand.before, [meld.kinds for meld in case.hand.melds])) == 1:
        yield PointRow(ONLY_TILE, _("only possible tile"))
    if facts.replacement == Replacement.GONG:
        yield PointRow(ON_GONG, _("replacement tile"))
    if len(case.pungs) == 4:
        yield PointRow(FOUR_ALIKE, _("four pungs"))
    if len(case.chows) == 4 and not pair and not case.hand.bonus:
        yield PointRow(FOUR_ALIKE, _("four chows, worthless pair"))


def _pair_points(case: Case) -> int:
    """2 for a pair of dragons or of the player's or the round's wind; 4 for a wind that is both."""
    if case.form != Form.STANDARD:
        return 0
    pair, facts = case.reading.pairs[0].first, case.facts
    winds = [27 + facts.seat_wind, *([27 + facts.round_wind] if case.rules.table.round_wind else [])]
    return PAIR * (winds.count(pair) + (pair in DRAGON_KINDS))


def _refused(case: Case, found: list[FoundPattern]) -> str:
    """Why a discard may not complete this reading; empty when it may."""
    needs_pung = case.rules.classical.discard_win == DiscardWin.PUNG
    if not needs_pung or case.facts.self_drawn or case.reading.wait == Wait.SHANPON:
        return ""
    if any(finding.pattern.free for finding in found):
        return ""
    other = filled(case.reading)
    if other:
        text = _("a discard wins only by completing a pung under {rules}; {tile} completes a {set}")
    else:
        text = _("a discard wins only by completing a pung under {rules}; {tile} completes nothing like it")
    return text.format(rules=case.rules.name, tile=format_kinds([case.hand.win or 0]), set=other)


def losers_scores(facts: Facts, rules: Ruleset) -> tuple[OwnScore, ...]:
    """Return what each loser's hand counts, by seat."""
    return tuple(loser_score(facts.losers[seat], seat, facts, rules) for seat in sorted(facts.losers))


def loser_score(hand: HeldTiles, seat: int, facts: Facts, rules: Ruleset) -> OwnScore:
    """Return what a hand that has not won counts: three or four equal tiles in hand are a concealed pung."""
    held = Counter(kind for kind in hand.tiles if kind not in BONUS_KINDS)
    pungs = tuple(Group((kind,) * 3) for kind in sorted(held) if held[kind] >= 3)
    reading = Reading(Form.LOSER, sets=pungs, melds=melded(hand.melds))
    own = Facts(seat_wind=seat, round_wind=facts.round_wind)
    case = Case(hand, own, reading, rules)
    rows = {name: row for name, row in patterns_of(rules).items() if row.losers and row.value}
    found = find(rows, case)
    points = tuple(own_points(hand, case.sets))
    total = sum(row.points for row in points)
    score, _ = scored(
        total, sum(finding.value for finding in found), rules, capped=rules.classical.cap_losers
    )
    scheme = ClassicalScheme()
    plain = [replace(finding, pattern=replace(finding.pattern, limit=PatternLimit.NONE)) for finding in found]
    return OwnScore(seat, points, tuple(map(scheme.row, plain)), score)


CLASSICAL = ClassicalScheme()
