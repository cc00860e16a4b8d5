"""The player's games one by one: what the page filters and adds up, and a page of each to step through."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from paifu.replay.arrays import F64, Mask
from paifu.replay.foreign_text import display_name
from paifu.replay.table.replayed import Replay
from paifu.reports.figures.parts import RUNNING
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.metrics.counters import seat_sums
from paifu.reports.metrics.records import NO_POINTS, Records
from paifu.reports.pages.page import packed
from paifu.reports.pages.recorded import RecordedGame, Recorder
from paifu.reports.pages.report_sections import BUDGET, BUDGET_TOTAL

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

    id: str
    source: str
    key: str
    """What tells the game from others, as :func:`~paifu.reports.pages.recorded.game_keys_of`."""
    started: str
    room: str
    seat: int
    rank: int
    """0 if the final result is unknown."""
    final: int | None
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

    def order(self) -> tuple[str, str, str, int]:
        """Sort key: the order of play, as far as the logs give dates."""
        return self.started, self.id, self.source, self.seat

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
    """Yield the games in which some seats, as (games, 4), are the player's; ``keys`` are those of games."""
    sums = seat_sums(made, [CATALOGUE[name] for name in FILTERED])
    games = made.games
    rons = _rons(made)
    for game in np.flatnonzero(seats.any(axis=1)).tolist():
        seat = int(seats[game].argmax())
        players = int(games.players[game])
        final = int(games.final[game, seat])
        around = [(seat + turn) % players for turn in range(1, players)]
        yield GameRow(
            id=str(games.id[game]),
            source=str(games.source[game]),
            key=keys[game],
            started=str(games.started[game]),
            room=str(games.room[game]),
            seat=seat,
            rank=int(games.rank[game, seat]),
            final=None if final == NO_POINTS else final,
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
    from paifu.reports.pages.show import show_page  # loads kernels, which the caller has made ready by now

    data = recorder.game(row).data
    return zlib.compress(show_page([data], seat, is_open=True).encode("utf-8", "replace"))


@dataclass(frozen=True, slots=True)
class WholeGame:
    """A game of the player with all hands, for the stepper."""

    order: tuple[str, str, str, int]
    """As :meth:`GameRow.order` of its row."""
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
                "day": row.started[:10],
                "room": row.room,
                "seat": row.seat + 1,
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
        rooms[row.room] = rooms.get(row.room, 0) + 1
        for name in row.others:
            played[name] = played.get(name, 0) + 1
    most = sorted(played, key=lambda name: (-played[name], name))
    return {"rooms": sorted(rooms), "others": [(name, played[name]) for name in most[:MOST_OTHERS]]}


MOST_OTHERS = 200
"""Maximum number of other players to choose from, those met most often."""
