"""Luck as ``paifu luck`` shows it: sums by player, and a row for each hand and seat."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from paifu.coach.luck.hand_ends import SEATS
from paifu.coach.luck.ledger import LuckLedger
from paifu.coach.luck.measuring import DEAL, OTHERS, OWN, TURNED
from paifu.replay.arrays import F64
from paifu.replay.model.batch import Batch
from paifu.reports.inference.intervals import Nature, interval
from paifu.reports.inference.sums import GameSums
from paifu.reports.metrics.records import SeatedGame

PARTS = {"luck_deal": DEAL, "luck_draws": OWN, "luck_others": OTHERS, "luck_ura": TURNED}
"""Column -> part of the luck."""
HAND_COLUMNS: dict[str, type] = {
    "game": str, "hand": int, "seat": int, "player": str, "result": int, "luck": float,
    **dict.fromkeys(PARTS, float), "place_1": float, "place_2": float, "place_3": float, "place_4": float,
    "leverage": float,
}  # fmt: skip
"""Columns of the rows of hands, one for each seat."""
MEANS = ("result", "luck", "without_luck")
UTILITY_MEANS = ("utility_result", "utility_luck", "utility_without_luck")
PLAYER_COLUMNS: dict[str, type] = {
    "player": str, "games": int, "hands": int,
    **{f"{name}{end}": float for name in MEANS for end in ("", "_low", "_high")},
    **dict.fromkeys(PARTS, float),
    **{f"{name}{end}": float for name in UTILITY_MEANS for end in ("", "_low", "_high")},
}  # fmt: skip
"""Columns of the rows of players: means of a game, with 95% intervals."""
PLACES = tuple(f"luck_place_{place}" for place in range(1, SEATS + 1))
"""Luck in the chances of places."""
VALUES = (*MEANS, *UTILITY_MEANS, *PARTS, *PLACES)
"""What is summed up of each game and seat."""


@dataclass(slots=True)
class PlayerLuck:
    """Sums over games of one player, which add up."""

    games: int = 0
    hands: int = 0
    sums: F64 = field(default_factory=lambda: np.zeros(len(VALUES)))
    squares: F64 = field(default_factory=lambda: np.zeros(len(VALUES)))

    @classmethod
    def of_game(cls, values: F64, hands: int = 0) -> PlayerLuck:
        """Return the sums of one game, whose values are those of a seat in :func:`game_values`."""
        return cls(1, hands, values.copy(), values**2)

    def add(self, other: PlayerLuck) -> None:
        """Add the games of another part."""
        self.games += other.games
        self.hands += other.hands
        self.sums += other.sums
        self.squares += other.squares

    def mean(self, name: str) -> tuple[float | None, float | None]:
        """Return the mean of a game and half of its 95% interval; None for what is not known."""
        at = VALUES.index(name)
        n, nn = float(self.sums[at]), float(self.squares[at])
        if math.isnan(n):
            return None, None
        return n / self.games, _half(GameSums.of([n, self.games, nn, n, self.games]))


def _half(sums: GameSums) -> float | None:
    """Return half of the 95% interval of a mean of games; None with fewer than two, or no spread."""
    low, high = interval(sums, Nature.SIGNED)
    return None if np.isnan(low) else float(high - low) / 2


def total_of(values: Sequence[float]) -> tuple[float, float | None]:
    """Return the sum of values of games and half of its 95% interval; None with fewer than two.

    >>> total, half = total_of([10.0, -2.0, 4.0])
    >>> total, round(half, 1)
    (12.0, 46.5)
    """
    half = _half(GameSums.of_games(values, np.ones(len(values)))) if values else None
    return float(sum(values)), None if half is None else half * len(values)


LuckByPlayer = dict[str, PlayerLuck]


def game_values(ledger: LuckLedger) -> F64:
    """Return (games, 4, values) what ``PlayerLuck`` sums up, of each seat of each game."""
    of_hands = {"result": ledger.result, "luck": ledger.luck, "utility_luck": ledger.worth_luck}
    of_hands |= {name: ledger.parts[:, :, part] for name, part in PARTS.items()}
    of_hands |= {name: ledger.place_luck[:, :, place] for place, name in enumerate(PLACES)}
    found = {name: np.zeros((len(ledger.games), SEATS)) for name in VALUES}
    for name, values in of_hands.items():
        np.add.at(found[name], ledger.game, values)
    found["utility_result"] = ledger.worth
    for result, luck, without in (MEANS, UTILITY_MEANS):
        found[without] = found[result] - found[luck]
    return np.stack([found[name] for name in VALUES], axis=2)


def by_player(batch: Batch, ledger: LuckLedger) -> LuckByPlayer:
    """Return the sums of a batch by player."""
    hands = np.bincount(ledger.game, minlength=len(ledger.games))
    found: LuckByPlayer = {}
    for place, (game, values) in enumerate(zip(ledger.games.tolist(), game_values(ledger), strict=True)):
        for seat in range(int(batch.games.players[game])):
            one = PlayerLuck.of_game(values[seat], int(hands[place]))
            found.setdefault(str(batch.games.names[game, seat]), PlayerLuck()).add(one)
    return found


def seated_games(batch: Batch, games: Iterable[int], seats: Iterable[int]) -> list[SeatedGame]:
    """Return how games of players are known, as ``CourseGame.key``."""
    table = batch.games
    return [
        (str(table.started[game]), str(table.id[game]), str(table.source[game]), int(seat))
        for game, seat in zip(games, seats, strict=True)
    ]


def hand_rows(batch: Batch, ledger: LuckLedger) -> Iterator[dict[str, Any]]:
    """Yield a row for each hand and seat."""
    luck = ledger.luck
    for row, place in enumerate(ledger.game.tolist()):
        game = int(ledger.games[place])
        source, names = str(batch.games.source[game]), batch.games.names[game]
        for seat in range(int(batch.games.players[game])):
            yield {
                "game": source,
                "hand": int(ledger.number[row]),
                "seat": seat,
                "player": str(names[seat]),
                "result": round(float(ledger.result[row, seat])),
                "luck": round(float(luck[row, seat]), 2),
                **{name: round(float(ledger.parts[row, seat, part]), 2) for name, part in PARTS.items()},
                **{
                    f"place_{number}": _known(ledger.chances[row, seat, number - 1], 4)
                    for number in range(1, SEATS + 1)
                },
                "leverage": _known(ledger.leverage[row, seat], 4),
            }


def _known(value: float, digits: int) -> float | None:
    return None if math.isnan(value) else round(float(value), digits)


def player_rows(players: Mapping[str, PlayerLuck], *, utility: bool) -> list[dict[str, Any]]:
    """Return a row for each player, those with the most games first."""
    means = (*MEANS, *UTILITY_MEANS) if utility else MEANS
    rows = []
    for name, one in sorted(players.items(), key=lambda item: (-item[1].games, item[0])):
        row: dict[str, Any] = {"player": name, "games": one.games, "hands": one.hands}
        for column in means:
            mean, half = one.mean(column)
            row[column] = None if mean is None else round(mean, 2)
            row[f"{column}_low"] = None if mean is None or half is None else round(mean - half, 2)
            row[f"{column}_high"] = None if mean is None or half is None else round(mean + half, 2)
        for column in PARTS:
            row[column] = round(one.mean(column)[0] or 0.0, 2)
        rows.append(row)
    return rows


def player_columns(*, utility: bool) -> dict[str, type]:
    """Return the columns of the rows of players."""
    return {name: kind for name, kind in PLAYER_COLUMNS.items() if utility or not name.startswith("utility_")}
