"""What the schemes with a table of patterns share: every reading is valued, and the most valuable counts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

from paifu.replay.language import _, pgettext
from paifu.replay.model.tile_notation import format_kinds
from paifu.replay.rules.choices import SevenPairs
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.schemes.case import Case
from paifu.replay.schemes.check import WINNING_SIZE, check_win
from paifu.replay.schemes.hand import Facts, HeldTiles
from paifu.replay.schemes.pattern import FoundPattern, PatternLimit, find
from paifu.replay.schemes.readings import in_words, readings
from paifu.replay.schemes.scheme import CompleteHand, Other, PointRow, Row, Won
from paifu.replay.schemes.tables import patterns_of, winning_forms
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.readings import FORM_NAMES, Form, Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """What one reading is worth."""

    case: Case
    amount: int
    """What payments are counted in."""
    worth: str
    counted: tuple[FoundPattern, ...]
    dropped: tuple[tuple[FoundPattern, str], ...] = ()
    """Patterns that do not count, each with why."""
    points: tuple[PointRow, ...] = ()
    refused: str = ""
    """Why this reading may not win; empty when it may."""

    @property
    def order(self) -> tuple[bool, int, int]:
        """Greater is better: may win, is worth more, has fewer patterns."""
        return not self.refused, self.amount, -len(self.counted)


@dataclass(frozen=True, slots=True)
class Paid:
    """Payments, and the part each seat has in them."""

    payments: tuple[int, ...]
    roles: Mapping[int, str]
    answers: int | None = None
    """Who pays beside the discarder, or in their place."""


class TableScheme(ABC):
    """A scheme that scores readings by a table of patterns."""

    unit: str

    @abstractmethod
    def value(self, case: Case, found: list[FoundPattern]) -> Value:
        """Return what a reading with these patterns is worth."""

    @abstractmethod
    def pay(self, best: Value) -> Paid:
        """Return what each seat pays for the best reading."""

    def row(self, finding: FoundPattern, reason: str = "") -> Row:
        """A finding as the answer shows it; ``reason`` replaces the pattern's meaning."""
        pattern, value = finding.pattern, finding.value
        unit = self.unit.removesuffix("s") if value == 1 else self.unit
        return Row(
            id=pattern.id,
            name=pattern.name,
            native=pattern.native,
            value=value if pattern.limit == PatternLimit.NONE or self.unit == "points" else 0,
            times=finding.times,
            worth=pattern.limit.words or (f"{value} {unit}" if value else ""),
            reason=reason or _(pattern.meaning),
            tiles=finding.tiles,
        )

    def values(self, win: CompleteHand, rules: Ruleset) -> list[Value]:
        """Return the value of each reading, those that may win and the most valuable first."""
        patterns = patterns_of(rules)
        cases = [Case(win.hand, win.facts, reading, rules) for reading in self.readings(win, rules)]
        return sorted(
            (self.value(case, find(patterns, case)) for case in cases), key=lambda v: v.order, reverse=True
        )

    def readings(self, win: CompleteHand, rules: Ruleset) -> list[Reading]:
        """Return every reading of the hand in a form that wins."""
        return readings(
            win.hand,
            winning_forms(rules),
            self_drawn=win.facts.self_drawn,
            identical_pairs=rules.hand.seven_pairs == SevenPairs.IDENTICAL,
        )

    def score(self, win: CompleteHand, rules: Ruleset) -> Won:
        """Score a win. Raises HandError, saying why, for a hand that cannot be or may not win."""
        check_win(win, rules)
        self.check_size(win)
        values = self.values(win, rules)
        if not values:
            raise HandError(_not_complete(win.hand, rules))
        best = values[0]
        if best.refused:
            raise HandError(best.refused)
        paid = self.pay(best)
        return Won(
            value=best.amount,
            worth=best.worth,
            patterns=tuple(map(self.row, best.counted)),
            dropped=tuple(self.row(finding, why) for finding, why in best.dropped),
            points=best.points,
            payments=paid.payments,
            roles=paid.roles,
            answers=paid.answers,
            reading=in_words(best.case.reading),
            others=tuple(_other(value, best) for value in values[1:]),
        )

    def check_size(self, win: CompleteHand) -> None:
        """Raise HandError unless a winning hand has as many tiles."""
        hand = win.hand
        if hand.size != WINNING_SIZE:
            if hand.melds:
                text = _(
                    "{tiles} tiles and {melds} melds of three make {size}; a winning hand has 14 in all, a "
                    "gong counting as three"
                )
            else:
                text = _("{tiles} tiles; a winning hand has 14 in all, a gong counting as three")
            raise HandError(text.format(tiles=len(hand.tiles), melds=len(hand.melds), size=hand.size))


def _other(value: Value, best: Value) -> Other:
    why = value.refused or (_("worth less") if value.amount < best.amount else _("worth the same"))
    return Other(in_words(value.case.reading), 0 if value.refused else value.amount, why)


def form_names(forms: frozenset[Form]) -> str:
    """The forms that win in words, in a fixed order."""
    named = [_(name) for form, name in FORM_NAMES.items() if form in forms]
    if len(named) < 3:
        return _(" nor ").join(named)
    return _(" nor ").join((_(", ").join(named[:-1]), named[-1]))


def _not_complete(hand: HeldTiles, rules: Ruleset) -> str:
    forms = winning_forms(rules)
    if len(forms) > 1:
        text = _("{tiles} does not win: the tiles make neither {forms}")
    else:
        text = _("{tiles} does not win: the tiles make not {forms}")
    return text.format(tiles=format_kinds(sorted(hand.kinds)), forms=form_names(forms))


def plain_roles(facts: Facts, answers: int | None) -> dict[int, str]:
    """The winner, and who answers for the discard."""
    roles = {facts.seat_wind: pgettext("role", "wins")}
    if answers is not None:
        roles[answers] = pgettext("role", "is robbed") if facts.robbing else pgettext("role", "discards")
    return roles
