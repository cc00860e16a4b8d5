"""Points summed by series: in each series the highest pattern counts, up to a limit; Zung Jung's way.

A pattern worth the listed limit or more stands alone. A win on a discard may be charged to somebody else than
its discarder (``immunity``): to the player who first discarded such a tile since the winner's last.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

from paifu.replay.language import _, pgettext
from paifu.replay.model.tile_notation import kind_name
from paifu.replay.model.tiles import WINDS
from paifu.replay.rules.choices import Immunity
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.schemes.case import Case
from paifu.replay.schemes.hand import Facts, HeldTiles
from paifu.replay.schemes.pattern import FoundPattern, PatternLimit
from paifu.replay.schemes.payments import paid, win_shares
from paifu.replay.schemes.scheme import CompleteHand
from paifu.replay.schemes.shapes import Shapes
from paifu.replay.schemes.table_scheme import Paid, TableScheme, Value, plain_roles
from paifu.replay.schemes.tables import said_name
from paifu.replay.scoring.errors import HandError

NOBODY = -1


class SeriesScheme(TableScheme):
    """The scheme ``series``."""

    unit = "points"

    def value(self, case: Case, found: list[FoundPattern]) -> Value:
        """Return the sum of the highest pattern of each series, within the limits."""
        rules = case.rules
        priced = [_priced(finding, rules) for finding in found]
        kept, dropped = _by_series(priced)
        half = max((f.value for f in kept if f.pattern.limit == PatternLimit.HALF), default=0)
        plain = [f for f in kept if f.pattern.limit != PatternLimit.HALF]
        total = sum(finding.value for finding in plain)
        highest = max(kept, key=lambda finding: finding.value, default=None)
        if highest is not None and highest.value >= rules.series.listed_limit:
            alone = [(f, _("a pattern of the limit counts alone")) for f in kept if f is not highest]
            worth = _("one pattern of the limit")
            return _value(case, highest.value, worth, (highest,), (*dropped, *alone))
        if half >= min(total, rules.series.sum_limit) and half:
            counted = [f for f in kept if f.pattern.limit == PatternLimit.HALF]
            below = [(f, _("the half limit is worth more")) for f in plain]
            return _value(case, half, _("half a limit"), tuple(counted), (*dropped, *below))
        lesser = [(f, _("the sum is worth more")) for f in kept if f.pattern.limit == PatternLimit.HALF]
        dropped = (*dropped, *lesser)
        if not plain:
            return _value(case, rules.series.chicken_value, _("no pattern: chicken hand"), (), dropped)
        worth = (
            _("{number} points") if total <= rules.series.sum_limit else _("{number} points, at most {limit}")
        )
        worth = worth.format(number=total, limit=rules.series.sum_limit)
        return _value(case, min(total, rules.series.sum_limit), worth, tuple(plain), dropped)

    def pay(self, best: Value) -> Paid:
        """The responsible player pays for the bystanders above par; nobody responsible: as self-drawn."""
        case = best.case
        facts, rules = case.facts, case.rules
        answers = self.responsible(case.hand, facts, rules)
        shares = win_shares(rules, best.amount, facts.seat_wind, None if answers == NOBODY else answers)
        other = answers if answers not in (NOBODY, facts.discarder) else None
        return Paid(paid(shares, facts.seat_wind), _roles(facts, answers), other)

    def responsible(self, hand: HeldTiles, facts: Facts, rules: Ruleset) -> int:
        """Return the seat that answers for a win, or NOBODY.

        Raises HandError if the discards of the window do not fit the win.
        """
        if facts.discarder is None:
            if facts.discards:
                text = _("discards decide who answers for a win on a discard; this win is self-drawn")
                raise HandError(text)
            return NOBODY
        if not facts.discards:
            return facts.discarder
        if facts.discards[-1] != (facts.discarder, hand.win):
            seat, kind = facts.discards[-1]
            text = _("the last of the discards is the tile won on, {discarder}'s {win}, not {other}'s {tile}")
            raise HandError(
                text.format(
                    discarder=pgettext("wind", WINDS[facts.discarder]),
                    win=kind_name(hand.win or 0),
                    other=pgettext("wind", WINDS[seat]),
                    tile=kind_name(kind),
                )
            )
        wanted = self._wanted(hand, facts, rules)
        first = next((seat for seat, kind in facts.discards if kind in wanted), facts.discarder)
        return NOBODY if first == facts.seat_wind else first

    def _wanted(self, hand: HeldTiles, facts: Facts, rules: Ruleset) -> frozenset[int]:
        """The kinds whose earlier discard answers for the win."""
        won = frozenset({hand.win or 0})
        if rules.series.immunity == Immunity.OFF:
            return frozenset()
        if rules.series.immunity == Immunity.SAME_TILE:
            return won
        kinds = Shapes(rules).waits_of(hand.before, [meld.kinds for meld in hand.melds])
        return won | {kind for kind in kinds if self._may_win(hand, kind, facts, rules)}

    def _may_win(self, hand: HeldTiles, kind: int, facts: Facts, rules: Ruleset) -> bool:
        """Whether the hand could have won on a discard of another kind."""
        other = HeldTiles(tiles=(*hand.before, kind), win=kind, melds=hand.melds)
        values = self.values(CompleteHand(other, replace(facts, discards=())), rules)
        return bool(values) and not values[0].refused


def _priced(finding: FoundPattern, rules: Ruleset) -> FoundPattern:
    """Give a pattern that is a limit, or half of one, its points."""
    limit = finding.pattern.limit
    if limit == PatternLimit.NONE:
        return finding
    value = rules.series.listed_limit if limit == PatternLimit.FULL else rules.series.listed_limit // 2
    return replace(finding, pattern=replace(finding.pattern, value=value))


_Dropped = tuple[tuple[FoundPattern, str], ...]


def _by_series(found: list[FoundPattern]) -> tuple[list[FoundPattern], _Dropped]:
    """Keep the highest pattern of each series."""
    kept: list[FoundPattern] = []
    dropped: list[tuple[FoundPattern, str]] = []
    for series, rows in groupby(found, key=lambda finding: finding.pattern.series):
        listed = list(rows)
        if not series:
            kept += listed
            continue
        best = max(listed, key=lambda finding: finding.value)
        kept.append(best)
        best_name = said_name(best.pattern.name, best.pattern.native)
        why = _("{pattern} is the highest of series {series}").format(pattern=best_name, series=series)
        dropped += [(f, why) for f in listed if f is not best]
    return kept, tuple(dropped)


def _value(
    case: Case, amount: int, worth: str, counted: tuple[FoundPattern, ...], dropped: _Dropped
) -> Value:
    least = case.rules.hand.minimum
    refused = ""
    if amount < least:
        if counted:
            text = _(
                "the hand is complete but has only {amount} points; a win needs {least} points under {rules}"
            )
        else:
            text = _(
                "the hand is complete but has no pattern (a chicken hand); a win needs {least} points under "
                "{rules}"
            )
        refused = text.format(amount=amount, least=least, rules=case.rules.name)
    return Value(case=case, amount=amount, worth=worth, counted=counted, dropped=dropped, refused=refused)


def _roles(facts: Facts, answers: int) -> dict[int, str]:
    roles, discarder = plain_roles(facts, facts.discarder), facts.discarder
    if discarder is not None and answers == NOBODY:
        roles[discarder] += ", after the winner's own discard of such a tile: all pay alike"
    elif discarder is not None and answers != discarder:
        roles[answers] = "answers: first to discard such a tile in this turn"
    return roles


SERIES = SeriesScheme()
