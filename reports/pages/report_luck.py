"""How much of a player's results was luck: sentences, a chart over the games, the hands with most of it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
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
from paifu.replay.views.labels import format_label
from paifu.reports import units
from paifu.reports.figures import style as look
from paifu.reports.figures.chart import DASHED, Band, Chart, Curve, Rule
from paifu.reports.figures.inline import inline
from paifu.reports.figures.parts import CASES
from paifu.reports.luck import MEANS, UTILITY_MEANS, PlayerLuck, game_values, seated_games
from paifu.reports.metrics.records import SeatedGame
from paifu.reports.pages.numbers import typeset
from paifu.reports.pages.report_hands import (
    LUCKIEST,
    MOST_LUCK,
    UNLUCKIEST,
    Recorder,
    ShownHand,
    game_keys_of,
)
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
            game=str(ids[game] or sources[game]),
            key=keys[game],
            started=str(started[game]),
            label=format_label(int(batch.hands.round[hand]), int(batch.hands.honba[hand])),
            index=number,
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
