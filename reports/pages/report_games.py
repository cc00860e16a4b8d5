"""The player's games one by one: what the page filters and adds up, and a page of each to step through.

From whom the player met in them follows what is said of the player beside another one: a table, and what came
of meeting each other.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from paifu.replay.arrays import F64, Mask
from paifu.replay.foreign_text import display_name
from paifu.replay.language import _, ngettext, pgettext
from paifu.replay.table.replayed import Replay
from paifu.reports.figures.parts import RUNNING
from paifu.reports.inference.chances import FALSE_SHARE
from paifu.reports.inference.intervals import Nature, interval, of_rows
from paifu.reports.inference.sums import GameSums
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.metrics.counters import HANDS, Counters, seat_sums
from paifu.reports.metrics.records import NO_POINTS, Records, SeatedGame
from paifu.reports.pages.page import packed, player_name, points
from paifu.reports.pages.report_hands import RecordedGame, Recorder
from paifu.reports.pages.report_sections import (
    BUDGET,
    BUDGET_TOTAL,
    COMPARED,
    difference_said,
    interval_said,
    value_said,
)
from paifu.reports.statistics.course_games import CourseGame, course_game
from paifu.reports.statistics.side_by_side import SideBySide, StatisticDifference, side_by_side
from paifu.reports.statistics.values import ENOUGH_HANDS, GroupStatistics, statistics

if TYPE_CHECKING:
    from paifu.reports.pages.stepper import Data

FILTERED = (
    "rank", "win_rate", "deal_in_rate", "riichi_rate", "call_rate", "win_value", "deal_in_value",
    *BUDGET, BUDGET_TOTAL,
)  # fmt: skip
"""Statistics that the page computes again for the games that a filter leaves."""


MOST_WHOLE = 12
"""Maximum number of games that a page holds whole."""
WHOLE_WEIGHT = 45_000
"""Bytes of a page for whole games: some three or four games with East and South."""


@dataclass(frozen=True, slots=True)
class Met:
    """Another player in a game of the player."""

    name: str
    """As in the statistics: after aliases."""
    rank: int
    """0 if the final result is unknown."""
    final: int | None
    rons: tuple[int, int]
    """How often the player won from the other by ron, and the points of these hands, without honba and
    sticks."""
    deal_ins: tuple[int, int]
    """The same the other way round."""


@dataclass(frozen=True, slots=True)
class GameRow:
    """One game of the player."""

    played: CourseGame
    key: str
    """What tells the game from others, as :func:`~paifu.reports.pages.report_hands.game_keys_of`."""
    others: tuple[str, ...]
    """Names of the other players, in turn after the player."""
    met: tuple[Met, ...]
    """The same players, and what came of meeting them."""
    sums: tuple[tuple[int, int], ...]
    """Numerator and denominator of each of ``FILTERED``."""
    page: bytes = b""
    """The page of the game, deflated; empty if none was asked for."""
    address: str = ""
    """The name of its page, where that is not made of its place in the list."""

    def page_name(self, number: int) -> str:
        """Return the name of the page of the game, which is at a place of a list, from 0."""
        return self.address or f"game-{number + 1:04}.html"

    def html(self) -> str:
        """Return the page of the game."""
        return zlib.decompress(self.page).decode()


def running_sums(rows: Sequence[GameRow]) -> F64:
    """Return (games, statistics, 2) numerators and denominators of what is drawn over the games."""
    columns = [FILTERED.index(name) for name in RUNNING]
    found: F64 = np.array([row.sums for row in rows], float).reshape(-1, len(FILTERED), 2)[:, columns]
    return found


def game_rows(
    made: Records,
    recorder: Recorder,
    seats: Mask,
    aliases: Mapping[str, str],
    keys: Sequence[str],
    *,
    pages: bool,
) -> Iterator[GameRow]:
    """Yield a row for each seat, as (games, 4), that is the player's; ``keys`` are those of games."""
    sums = seat_sums(made, [CATALOGUE[name] for name in FILTERED])
    games = made.games
    rons = _rons(made)
    for game, seat in np.argwhere(seats).tolist():
        players = int(games.players[game])
        around = [(seat + turn) % players for turn in range(1, players)]
        yield GameRow(
            played=course_game(games, game, seat),
            key=keys[game],
            others=tuple(display_name(str(games.names[game, other])) for other in around),
            met=tuple(_met(made, aliases, game, other, seat, rons) for other in around),
            sums=tuple((n, d) for n, d in sums[game, seat].astype(int).tolist()),
            page=_page(recorder, game, seat) if pages else b"",
        )


Rons = tuple[Any, Any]
"""Number and points of wins by ron, as (games, winner's seat, payer's seat)."""


def _rons(made: Records) -> Rons:
    wins, hands = made.wins, made.hands
    rows = np.flatnonzero(wins.payer >= 0)
    number, value = (np.zeros((len(made.games), 4, 4), np.int64) for _ in range(2))
    place = wins.game[rows], hands.seat[wins.row[rows]], hands.seat[wins.payer[rows]]
    np.add.at(number, place, 1)
    np.add.at(value, place, wins.value[rows])
    return number, value


def _met(made: Records, aliases: Mapping[str, str], game: int, other: int, seat: int, rons: Rons) -> Met:
    games, (number, value) = made.games, rons
    name, final = str(games.names[game, other]), int(games.final[game, other])
    return Met(
        name=aliases.get(name, name),
        rank=int(games.rank[game, other]),
        final=None if final == NO_POINTS else final,
        rons=(int(number[game, seat, other]), int(value[game, seat, other])),
        deal_ins=(int(number[game, other, seat]), int(value[game, other, seat])),
    )


def _page(recorder: Recorder, row: int, seat: int) -> bytes:
    from paifu.reports.pages.stepper import show_page  # loads kernels, which the caller has made ready by now

    data = recorder.game(row).data
    return zlib.compress(show_page([data], seat, is_open=True).encode("utf-8", "replace"))


@dataclass(frozen=True, slots=True)
class WholeGame:
    """A game of the player with all hands, for the stepper."""

    order: SeatedGame
    key: str
    """As in the hands to show."""
    recorded: RecordedGame


def latest_games(
    replayed: Replay, recorder: Recorder, seats: Mask, keys: Sequence[str]
) -> tuple[WholeGame, ...]:
    """Return the last games in which some seats, as (games, 4), are the player's."""
    games = replayed.batch.games
    rows = [
        ((str(games.started[row]), str(games.id[row]), str(games.source[row]), int(seats[row].argmax())), row)
        for row in np.flatnonzero(seats.any(axis=1)).tolist()
    ]
    return tuple(WholeGame(order, keys[row], recorder.game(row)) for order, row in sorted(rows)[-MOST_WHOLE:])


def latest(*parts: tuple[WholeGame, ...]) -> tuple[WholeGame, ...]:
    """Return the last games of several parts."""
    return tuple(sorted((game for part in parts for game in part), key=lambda one: one.order)[-MOST_WHOLE:])


def fitting(games: Sequence[WholeGame], weight: int = WHOLE_WEIGHT) -> list[tuple[WholeGame, Data]]:
    """Return the last games that a page has room for, each with its data for the stepper."""
    kept: list[tuple[WholeGame, Data]] = []
    for game in reversed(games):
        data = game.recorded.data
        weight -= len(packed(data))
        if weight < 0:
            break
        kept.insert(0, (game, data))
    return kept


def filter_data(rows: Sequence[GameRow]) -> dict[str, Any]:
    """Return what the page's script adds up: how to show each statistic, and the sums of each game."""
    return {
        "metrics": [
            {
                "nature": metric.nature.value,
                "scale": metric.scale * (100 if metric.unit == "%" else 1),
                "offset": metric.offset,
                "decimals": 2 if metric.unit == "%" else metric.decimals,
                "percent": int(metric.unit == "%"),
            }
            for metric in (CATALOGUE[name] for name in FILTERED)
        ],
        "games": [
            {
                "day": row.played.started[:10],
                "room": row.played.room,
                "seat": row.played.seat + 1,
                "others": list(row.others),
                "sums": [list(part) for part in row.sums],
            }
            for row in rows
        ],
    }


def choices_in(rows: Iterable[GameRow]) -> dict[str, Any]:
    """Return what the filters can be set to."""
    played: dict[str, int] = {}
    rooms: dict[str, int] = {}
    for row in rows:
        rooms[row.played.room] = rooms.get(row.played.room, 0) + 1
        for name in row.others:
            played[name] = played.get(name, 0) + 1
    most = sorted(played, key=lambda name: (-played[name], name))
    return {"rooms": sorted(rooms), "others": [(name, played[name]) for name in most[:MOST_OTHERS]]}


MOST_OTHERS = 200
"""Maximum number of other players to choose from, those met most often."""


# --- beside others -------------------------------------------------------------------------------------

MOST_PAIRS = 8
"""Maximum number of players to compare with, those met most often."""

PAIR_CELLS = ("other", "other_interval", "difference", "interval", "verdict")
"""What of a row changes with the other player."""


def opponents(counters: Counters, games: Sequence[GameRow], player: str) -> list[str]:
    """Return whom to compare the player with: those met most often, with at least ENOUGH_HANDS hands."""
    hands = {key[0]: int(size) for key, size in zip(counters.keys, counters.sizes[:, HANDS], strict=True)}
    met: dict[str, int] = {}
    for row in games:
        for name in {one.name for one in row.met} - {player}:
            met[name] = met.get(name, 0) + 1
    often = sorted(met, key=lambda name: (-met[name], name))
    return [name for name in often if hands.get(name, 0) >= ENOUGH_HANDS][:MOST_PAIRS]


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
        met = [(row, one) for row in games for one in row.met if one.name == name]
        fewest = min((len(row.others) + 1 for row, _one in met), default=4)
        both = side_by_side(own, groups[name], names, together=len(met), players=fewest)
        shown = player_name(name)
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
        "own": value_said(metric, row.own),
        "own_interval": interval_said(metric, row.own),
        "other": value_said(metric, row.other),
        "other_interval": interval_said(metric, row.other),
        "difference": difference_said(metric, row.value),
        "interval": ""
        if row.low is None
        else _("{low} to {high}").format(
            low=difference_said(metric, row.low), high=difference_said(metric, row.high)
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


def _said(own: GroupStatistics, name: str, met: Sequence[tuple[GameRow, Met]]) -> Iterator[str]:
    """Yield what came of the games of a player with another one."""
    player = player_name(own.key["player"])
    if not met:
        yield _("{player} and {other} never sat at one table in these games.").format(
            player=player, other=name
        )
        return
    ended = [(row, one) for row, one in met if row.played.rank and one.rank]
    yield ngettext("{count:,} game at one table.", "{count:,} games at one table.", len(met)).format(
        count=len(met)
    )
    if ended:
        ahead = sum(row.played.rank < one.rank for row, one in ended)
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
    finals = [(row.played.final, one.final) for row, one in ended]
    scored = [own - other for own, other in finals if own is not None and other is not None]
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
            player=player, other=name, points=points(abs(mean), signed=False),
            low=points(float(least)), high=points(float(most)),
        )  # fmt: skip
    won, gained, lost, paid = np.sum([(*one.rons, *one.deal_ins) for _row, one in met], axis=0).tolist()
    yield _(
        "By ron, {player} won {won:,} times from {other} ({gained:,} points), and {other} won {lost:,} times "
        "from {player} ({paid:,} points)."
    ).format(player=player, other=name, won=won, gained=gained, lost=lost, paid=paid)


# --- addresses of other pages, as seen from a page about players ---------------------------------------


@dataclass(frozen=True, slots=True)
class Links:
    """Where other pages are; empty for those that are not there."""

    games: str = ""
    """The folder with the pages of the player's games."""
    home: str = ""
    """The page that lists all players and games."""
    players: Mapping[str, str] = field(default_factory=dict)
    """Player -> the page about that player."""

    def of(self, games: Sequence[GameRow]) -> Iterator[tuple[GameRow, str]]:
        """Yield the player's games that have pages, each with its address."""
        for number, row in enumerate(games if self.games else ()):
            yield row, f"{self.games}/{row.page_name(number)}"


NO_LINKS = Links()
