"""A player over the games: how much of the results was luck, and what changed and when."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import Any

import numpy as np
from markupsafe import Markup

from paifu.coach.luck.ledger import luck_ledger
from paifu.coach.places.utilities import RULES
from paifu.replay.arrays import F64, Mask
from paifu.replay.language import _
from paifu.replay.model.batch import Batch
from paifu.replay.rulesets.presets import Given
from paifu.replay.table.replayed import Replay
from paifu.reports import units
from paifu.reports.figures import style as look
from paifu.reports.figures.chart import DASHED, Band, Chart, Curve, Rule
from paifu.reports.figures.inline import inline
from paifu.reports.figures.parts import CASES
from paifu.reports.inference.changing import LEAST_CASES, LEAST_GAMES
from paifu.reports.luck import MEANS, UTILITY_MEANS, PlayerLuck, game_values, seated_games
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.metrics.metric import Metric
from paifu.reports.metrics.records import SeatedGame
from paifu.reports.pages.report_hands import (
    LUCKIEST,
    MOST_LUCK,
    UNLUCKIEST,
    Recorder,
    ShownHand,
    game_keys_of,
    where,
)
from paifu.reports.pages.report_sections import CARDS, interval_said, value_said
from paifu.reports.statistics.periods import (
    CHANGING,
    GameSeries,
    PlayerChanges,
    StatisticChange,
    period_differences,
    player_changes,
)
from paifu.reports.statistics.text import label
from paifu.reports.statistics.values import Estimate, GroupStatistics, statistics
from paifu.reports.units import typeset
from paifu.reports.wording import plural

_MOST_POINTS = 600
"""Maximum number of games that a line is drawn through."""


@dataclass(frozen=True, slots=True, eq=False)
class LuckInGame:
    """Luck of the player in one game."""

    key: SeatedGame
    """As :meth:`~paifu.reports.pages.report_games.GameRow.order` of its row."""
    hands: int
    values: F64
    """What :class:`~paifu.reports.luck.PlayerLuck` sums up."""


@dataclass(frozen=True, slots=True)
class LuckOfPlayer:
    """Luck of the player in some games; parts add up."""

    games: tuple[LuckInGame, ...] = ()
    left_out: int = 0
    """Games of the player of which luck is not measured."""
    lists: Mapping[str, tuple[ShownHand, ...]] = field(default_factory=dict)
    """The hands with the most luck, and with the least."""


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredGame:
    """Luck of all seats in one game."""

    values: F64
    """(4, values): what :class:`~paifu.reports.luck.PlayerLuck` sums up."""
    hands: F64
    """(hands, 4): in points."""


def measured_games(batch: Batch, *rules: Given) -> list[MeasuredGame | None]:
    """Return the luck in each game of a batch; None where it is not measured."""
    ledger = luck_ledger(batch, *rules, worth=RULES)
    values, luck = game_values(ledger), ledger.luck
    ends = np.cumsum(np.bincount(ledger.game, minlength=len(ledger.games)))
    found: list[MeasuredGame | None] = [None] * len(batch)
    for place, (game, begin, end) in enumerate(
        zip(ledger.games.tolist(), np.append(0, ends)[:-1], ends, strict=True)
    ):
        found[game] = MeasuredGame(values[place].copy(), luck[begin:end].copy())
    return found


def luck_of_player(
    replayed: Replay, recorder: Recorder, seats: Mask, known: Sequence[MeasuredGame | None] | None = None
) -> LuckOfPlayer:
    """Return the luck in the games in which some seats, as (games, 4), are the player's.

    ``known`` is the luck in each game of the batch, where it has been measured already.
    """
    batch, own = replayed.batch, np.logical_or.reduce(seats, axis=1)
    rows = np.flatnonzero(own)
    if not len(rows):
        return LuckOfPlayer()
    measured = measured_games(batch.only(own), *replayed.rules) if known is None else compress(known, own)
    found = [
        (int(row), int(seats[row].argmax()), game)
        for row, game in zip(rows, measured, strict=True)
        if game is not None
    ]
    keys = seated_games(batch, [row for row, _, _ in found], [seat for _, seat, _ in found])
    return LuckOfPlayer(
        tuple(
            LuckInGame(key, len(game.hands), game.values[seat])
            for key, (_row, seat, game) in zip(keys, found, strict=True)
        ),
        len(rows) - len(found),
        {
            name: tuple(_hands(replayed, recorder, found, sign))
            for name, sign in ((LUCKIEST, 1), (UNLUCKIEST, -1))
        },
    )


def _hands(
    replayed: Replay, recorder: Recorder, games: Sequence[tuple[int, int, MeasuredGame]], sign: int
) -> Iterator[ShownHand]:
    """Yield the hands with the most luck, good (1) or bad (-1), as far as there is any.

    ``games`` are rows, the player's seats and the luck.
    """
    batch = replayed.batch
    started, ids, sources = batch.games.started, batch.games.id, batch.games.source
    hands = [
        (-luck, f"{started[row]} {ids[row] or sources[row]}", number, row, seat)
        for row, seat, game in games
        for number, luck in enumerate((game.hands[:, seat].round().astype(int) * sign).tolist())
        if luck > 0
    ]
    keys = game_keys_of(batch)
    for luck, _key, number, game, seat in sorted(hands)[:MOST_LUCK]:
        hand = int(batch.games.hand_begin[game]) + number
        yield ShownHand(
            points=-luck * sign,
            rank=(-luck, 0),
            player=str(batch.games.names[game, seat]),
            other="",
            **where(batch, keys, hand),
            seat=seat,
            event=0,
            turn=0,
            words=(),
            recorded=recorder.hand(hand),
        )


def luck_said(games: Sequence[LuckInGame], left_out: int) -> dict[str, Any] | None:
    """Return what the page says of luck, from games in the order of play; None without a measured game."""
    if not games:
        return None
    total = PlayerLuck()
    for game in games:
        total.add(PlayerLuck.of_game(game.values, game.hands))
    number = len(games)
    return {
        "games": plural(number, "game")
        if not left_out
        else _("{number:,} of {games}").format(number=number, games=plural(number + left_out, "game")),
        "points": [_interval(total, name, 0) for name in MEANS],
        "worth": [_interval(total, name, 1) for name in UTILITY_MEANS]
        if total.mean(UTILITY_MEANS[0])[0] is not None
        else [],
        "left_out": left_out,
        "figure": _figure(games, total) if number > 1 else None,
    }


def _interval(total: PlayerLuck, name: str, digits: int) -> str:
    """Write a mean with half of its interval: ``−312 ± 180``."""
    mean, half = total.mean(name)
    if mean is None:
        return ""
    text = typeset(units.number(mean, digits, signed=True))
    if half is None:
        return text
    return f"{text}\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}{units.number(half, digits)}"


def _figure(games: Sequence[LuckInGame], total: PlayerLuck) -> dict[str, Any]:
    title = _("Result over the games")
    text = _(
        "Running sums in the order of play: the result, and the result without luck with its 95 % interval."
    )
    label = _("{figure}. {text}").format(figure=title, text=text)
    with look.on_page():
        chart = _chart(games, total)
    svg = Markup(inline(chart, "luck", label))  # noqa: S704  it escapes its texts
    return {"title": title, "text": text, "svg": svg}


def _chart(games: Sequence[LuckInGame], total: PlayerLuck) -> Chart:
    sums = np.vstack([np.zeros((1, 3)), np.cumsum([game.values[: len(MEANS)] for game in games], axis=0)])
    number = np.arange(len(sums))
    step = max(1, len(sums) // _MOST_POINTS)
    shown = np.unique(np.append(number[::step], number[-1]))
    half = (total.mean("without_luck")[1] or 0.0) * math.sqrt(len(games)) * np.sqrt(number)
    result, without = sums[:, 0], sums[:, 2]
    chart, [panel] = Chart.of(height=look.HEIGHT)
    panel.add(
        Rule(0, width=0.8),
        Band(shown, (without - half)[shown], (without + half)[shown], look.OWN),
        Curve(shown, result[shown], look.BAD, dashes=DASHED, label=_("result")),
        Curve(shown, without[shown], look.OWN, label=_("without luck")),
    )
    panel.x.bound(0, len(games))
    panel.x.label, panel.y.label = _("games, in the order of play"), _("thousands of points")
    panel.x.most, panel.x.whole = 6, True
    panel.y.says = lambda value: typeset(f"{value / 1000:g}")
    chart.head([CASES["game"](len(games)).format(count=len(games))])
    return chart


def luck_definition() -> dict[str, str]:
    """Return the definition of luck, as the page lists those of statistics."""
    return {
        "id": "luck",
        "title": _("luck"),
        "text": _(
            "What chance brought, against the mean of what it might have brought: the deal with the first "
            "indicator, every draw of every player, kan dora and ura. Choices are not in it, neither the "
            "player's nor those of the others. Its mean is zero for everybody, so results without it are "
            "fair, and less uncertain. It is measured in whole games of riichi with four players and known "
            "tiles. Results are points a game above the start; those with uma and oka are in thousands."
        ),
        "formula": _("result without luck = result - luck"),
    }


# --- what changed, and when: sentences, and small charts of the main statistics by period ----------------
#
# The words of the charts are HTML around pictures without text, so they have the size of the page at any
# width.

FOLLOWED = tuple(dict.fromkeys((*CHANGING, *CARDS)))
"""Statistics that are kept by game."""
MOST_PERIODS = 120
"""Maximum number of periods in a chart, the last ones."""
_AT_FIRST = 3
_WIDTH, _HEIGHT = 240.0, 80.0
"""Of the pictures, which the page stretches."""
_STATISTIC = "\0"


def changes_said(series: GameSeries) -> dict[str, Any]:
    """Return what the page says of changes."""
    found = player_changes(series)
    rows = [_change(one) for one in found.changes]
    return {
        "rows": rows[:_AT_FIRST], "more": rows[_AT_FIRST:], "none": "" if rows else _none(found),
        "tested": len(found.changes) + len(found.unchanged), "sizes": list(map(_begun, found.sizes())),
    }  # fmt: skip


def _change(one: StatisticChange) -> dict[str, str]:
    """Return the sentence before and after the name of the statistic."""
    before, _statistic, after = _percent(one.words(_STATISTIC)).partition(_STATISTIC)
    return {"metric": one.metric, "before": _begun(before), "after": after}


def _begun(sentence: str) -> str:
    """Begin a sentence with a capital letter."""
    return sentence[:1].upper() + sentence[1:]


def _percent(text: str) -> str:
    """Write percent as print has it; days and names keep their hyphens."""
    return text.replace("%", _(" %"))


def _none(found: PlayerChanges) -> str:
    """Say that nothing changed, or what it takes to look."""
    if found.unchanged:
        count = len(found.unchanged)
        return _("No change is seen in {games}, of {count} statistics looked at.").format(
            games=plural(found.games, "game"), count=count
        )
    return _(
        "Nothing can be said yet: it takes {least} games and {cases} cases to look for a change."
    ).format(least=LEAST_GAMES, cases=LEAST_CASES)


def change_definition() -> dict[str, str]:
    """Return the definition of a change, as the page lists those of statistics."""
    return {
        "id": "change",
        "title": _("change"),
        "text": _(
            "A time before and after which a statistic differs by more than chance explains. Sums of what "
            "each game is above the mean of all games go far if something changed; how far they go by chance "
            "is known from the same games in random orders. All statistics are looked at together: of "
            "players in whom nothing changed, at most one in twenty is told of any change. The days in "
            "brackets are the 95 % interval of the day."
        ),
        "formula": _("sum over games of (case - mean of all games), at its farthest from 0"),
    }


def small_multiples(series: GameSeries, by: str, metrics: tuple[str, ...]) -> dict[str, Any] | None:
    """Return a chart of each statistic by period, and a table; None with fewer than two periods."""
    found = statistics(series.periods(by, metrics))
    groups = found.groups[-MOST_PERIODS:]
    shown = [CATALOGUE[name] for name in metrics if any(group.stats[name].d for group in groups)]
    if len(groups) < 2 or not shown:
        return None
    differing = period_differences(replace(found, groups=groups), [metric.name for metric in shown])
    return {
        "charts": [_small_chart(metric, groups) for metric in shown],
        "metrics": [metric.name for metric in shown],
        "rows": [
            {
                "period": label(group),
                "games": f"{group.games:,}",
                "cells": [_cell(metric, group.stats[metric.name]) for metric in shown],
            }
            for group in groups
        ],
        "differing": list(map(_percent, differing.lines())),
        "hidden": len(found.groups) - len(groups),
    }


def _cell(metric: Metric, estimate: Estimate) -> dict[str, str]:
    return {"value": value_said(metric, estimate), "interval": interval_said(metric, estimate)}


def _small_chart(metric: Metric, groups: Sequence[GroupStatistics]) -> dict[str, Any]:
    """Return where the points and intervals of a statistic are, and what stands around them."""
    own = [group.stats[metric.name] for group in groups]
    known = [one.value for one in own if one.value is not None]
    # Intervals of periods with few cases would flatten the rest: the picture cuts them off.
    margin = 0.75 * (max(known) - min(known)) or abs(known[0]) / 10 or 1.0
    bottom, top = min(known) - margin, max(known) + margin
    if min(known) >= 0:
        bottom = max(bottom, 0)
    if metric.unit == "%":
        top = min(top, 1)
    step = _WIDTH / len(groups)

    def height(value: float) -> float:
        return round(_HEIGHT * (1 - (min(top, max(bottom, value)) - bottom) / (top - bottom)), 1)

    points = [
        {
            "x": round((at + 0.5) * step, 1),
            "y": height(one.value),
            "low": None if one.low is None else height(one.low),
            "high": None if one.high is None else height(one.high),
            "title": f"{label(group)}: {' '.join(filter(None, _said(metric, one)))}",
        }
        for at, (group, one) in enumerate(zip(groups, own, strict=True))
        if one.value is not None
    ]
    return {
        "metric": metric.name,
        "width": _WIDTH, "height": _HEIGHT, "points": points,
        "top": value_said(metric, Estimate(0, 1000, top)),
        "bottom": value_said(metric, Estimate(0, 1000, bottom)),
        "first": label(groups[0]), "last": label(groups[-1]),
        "said": "; ".join(str(point["title"]) for point in points[-12:]),
    }  # fmt: skip


def _said(metric: Metric, estimate: Estimate) -> Iterator[str]:
    cell = _cell(metric, estimate)
    yield cell["value"]
    if cell["interval"]:
        yield _("(95 %: {interval})").format(interval=cell["interval"])
