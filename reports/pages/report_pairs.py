"""The player beside another one of the same games: a table, and what came of meeting each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from paifu.replay.language import _, ngettext, pgettext
from paifu.reports.inference.discovery import FALSE_SHARE
from paifu.reports.inference.intervals import Nature, interval, of_rows
from paifu.reports.inference.sums import GameSums
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.metrics.counters import HANDS, Counters
from paifu.reports.pages import numbers
from paifu.reports.pages.report_games import GameRow, Met
from paifu.reports.pages.report_sections import COMPARED
from paifu.reports.statistics.side_by_side import SideBySide, StatisticDifference, side_by_side
from paifu.reports.statistics.values import ENOUGH_HANDS, GroupStatistics, statistics

MOST_PAIRS = 8
"""Maximum number of players to compare with, those met most often."""

PAIR_CELLS = ("other", "other_interval", "difference", "interval", "verdict")
"""What of a row changes with the other player."""


@dataclass(frozen=True, slots=True)
class _Meetings:
    """The games of the player with another one."""

    rows: tuple[tuple[GameRow, Met], ...]

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def players(self) -> int:
        """The fewest players that a table had."""
        return min((len(row.others) + 1 for row, _met in self.rows), default=4)

    def sums(self, of: Callable[[Met], tuple[int, int]]) -> tuple[int, int]:
        """Return the number and the points of some wins."""
        number, value = zip(*(of(met) for _row, met in self.rows), strict=True)
        return sum(number), sum(value)


def _meetings(games: Sequence[GameRow], name: str) -> _Meetings:
    return _Meetings(tuple((row, met) for row in games for met in row.met if met.name == name))


def opponents(counters: Counters, games: Sequence[GameRow], player: str, named: str = "") -> list[str]:
    """Return whom to compare the player with: first who is ``named``, then those met most often.

    They have at least ENOUGH_HANDS hands, in the logs that were read.
    """
    hands = {key[0]: int(size) for key, size in zip(counters.keys, counters.sizes[:, HANDS], strict=True)}
    met: dict[str, int] = {}
    for row in games:
        for name in {one.name for one in row.met} - {player}:
            met[name] = met.get(name, 0) + 1
    often = sorted(met, key=lambda name: (-met[name], name))
    known = [name for name in often if hands.get(name, 0) >= ENOUGH_HANDS and name != named]
    return ([named] if named else []) + known[: MOST_PAIRS - bool(named)]


def pairs(
    own: GroupStatistics, counters: Counters, games: Sequence[GameRow], others: Sequence[str]
) -> list[dict[str, Any]]:
    """Return what to show of the player beside each of the ``others``: a row for each of ``COMPARED``."""
    if not others:  # no players would be all of them
        return []
    found = statistics(counters, players=frozenset(others))
    groups = {group.key["player"]: group for group in found.groups}
    names = [name for name in COMPARED if name not in found.meaningless and own.stats[name].d]
    made = []
    for name in others:
        met = _meetings(games, name)
        both = side_by_side(own, groups[name], names, together=len(met), players=met.players)
        shown = numbers.player_name(name)
        made.append(
            {
                "name": shown,
                "shown": ngettext(
                    "{player} ({count:,} hand)", "{player} ({count:,} hands)", groups[name].hands
                ).format(player=shown, count=groups[name].hands),
                "said": [*_said(own, shown, met), *_summary(both)],
                "rows": [_row(row) for row in both.rows],
            }
        )
    return made


def _row(row: StatisticDifference) -> dict[str, Any]:
    metric = CATALOGUE[row.metric]
    return {
        "metric": row.metric,
        "unit": pgettext("unit", metric.unit) if " per " in metric.unit else "",
        "own": numbers.value(metric, row.own),
        "own_interval": numbers.interval(metric, row.own),
        "other": numbers.value(metric, row.other),
        "other_interval": numbers.interval(metric, row.other),
        "difference": numbers.difference(metric, row.value),
        "interval": ""
        if row.low is None
        else _("{low} to {high}").format(
            low=numbers.difference(metric, row.low), high=numbers.difference(metric, row.high)
        ),
        "verdict": ("good" if row.sign > 0 else "bad" if row.sign < 0 else "other") if row.is_sure else "",
    }


def _summary(both: SideBySide) -> Iterator[str]:
    marked = sum(row.is_sure for row in both.rows)
    if not both.tested:
        yield _("No statistic has enough cases of both for a comparison.")
    elif not marked:
        yield _(
            "No difference is greater than chance explains: {number} statistics have enough cases of both."
        ).format(number=both.tested)
    else:
        yield ngettext(
            "{count} of {number} differences is marked: chance does not explain it, although {number} were "
            "looked at (at most {percent} % of marked ones are expected to be false).",
            "{count} of {number} differences are marked: chance does not explain them, although {number} "
            "were looked at (at most {percent} % of marked ones are expected to be false).",
            marked,
        ).format(count=marked, number=both.tested, percent=f"{100 * FALSE_SHARE:.0f}")


# --- head to head --------------------------------------------------------------------------------------


def _said(own: GroupStatistics, name: str, met: _Meetings) -> Iterator[str]:
    player = numbers.player_name(own.key["player"])
    if not met.rows:
        yield _("{player} and {other} never sat at one table in these games.").format(
            player=player, other=name
        )
        return
    ended = [(row, one) for row, one in met.rows if row.rank and one.rank]
    yield ngettext("{count:,} game at one table.", "{count:,} games at one table.", len(met)).format(
        count=len(met)
    )
    if ended:
        ahead = sum(row.rank < one.rank for row, one in ended)
        low, high = of_rows(ahead, len(ended))
        values = {
            "player": player, "other": name, "ahead": ahead, "number": len(ended),
            "share": f"{100 * ahead / len(ended):.0f}",
            "low": f"{100 * low:.0f}", "high": f"{100 * high:.0f}",
        }  # fmt: skip
        yield (
            _(
                "{player} finished ahead of {other} in {ahead} of {number} games: {share} %, "
                "95 %: {low} to {high}; may be chance."
            )
            if low <= 0.5 <= high
            else _(
                "{player} finished ahead of {other} in {ahead} of {number} games: {share} %, "
                "95 %: {low} to {high}."
            )
        ).format(**values)
    scored = [row.final - one.final for row, one in ended if row.final is not None and one.final is not None]
    if len(scored) > 1:
        mean = sum(scored) / len(scored)
        least, most = interval(GameSums.of_games(scored, [1] * len(scored)), Nature.SIGNED)
        yield (
            _(
                "On average, {player} ended {points} points ahead of {other} "
                "(95 % of the difference: {low} to {high})."
            )
            if mean >= 0
            else _(
                "On average, {player} ended {points} points behind {other} "
                "(95 % of the difference: {low} to {high})."
            )
        ).format(
            player=player, other=name, points=numbers.points(abs(mean), signed=False),
            low=numbers.points(float(least)), high=numbers.points(float(most)),
        )  # fmt: skip
    won, gained = met.sums(lambda one: one.rons)
    lost, paid = met.sums(lambda one: one.deal_ins)
    yield _(
        "By ron, {player} won {won:,} times from {other} ({gained:,} points), and {other} won {lost:,} times "
        "from {player} ({paid:,} points)."
    ).format(player=player, other=name, won=won, gained=gained, lost=lost, paid=paid)
