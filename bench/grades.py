"""Whether a loss by the model tells players apart: ``python bench/grades.py [PATH...]``.

Points lost per decision, counted where they exceed twice their error, by grade at Tenhou, with the standard
error over a player's games; the rank correlation of grade and loss over single games of players from 7 dan
on; and how well the loss in a player's odd games agrees with that in his even ones, beside his average rank.
A game that occurs twice counts once. Last hands are left out.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from paifu.parsers.read import read_batches
from paifu.replay.judgement.judged import SURE, judgements
from paifu.replay.model.batch import UNKNOWN_POINTS, Batch
from paifu.reports.judgement.losses import kinds_of
from paifu.reports.judgement.sums import KINDS

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "logs"
COLUMNS = {
    "under threat": ("pushing", "folding"), "without a threat": ("efficiency",), "riichi": ("riichi",),
    "calls": ("calls",),
}  # fmt: skip
FIRST_DAN = 10
"""The number of 1 dan in a batch."""
F64 = npt.NDArray[np.float64]


class Seat:
    """What one player did in one game: points lost and decisions, by column."""

    def __init__(self, name: str, dan: int, rank: int) -> None:
        self.name, self.dan, self.rank = name, dan, rank
        self.loss, self.number = np.zeros((2, len(COLUMNS)))


def seats_of(batch: Batch, seen: set[str], players: int) -> list[Seat]:
    """Return the seats of the games of a batch that are not in ``seen``."""
    games, found = batch.games, {}
    for game in range(len(batch)):
        final = games.final_scores[game, :players]
        if games.players[game] != players or (final == UNKNOWN_POINTS).any() or str(games.id[game]) in seen:
            continue
        seen.add(str(games.id[game]))
        for seat in range(players):
            rank = 1 + sum(
                (final[other], -other) > (final[seat], -seat) for other in range(players) if other != seat
            )
            found[game, seat] = Seat(str(games.names[game, seat]), int(games.dan[game, seat]), rank)
    column = np.array(
        [next((i for i, kinds in enumerate(COLUMNS.values()) if kind in kinds), -1) for kind in KINDS]
    )
    for one in judgements(batch):
        loss = np.where(one.loss > SURE * one.error, one.loss, 0)
        where = column[kinds_of(one)]
        keep = np.flatnonzero(np.isfinite(one.error) & ~one.is_last & (where >= 0))
        games_of, seats_of = one.table.game[one.chosen][keep], one.table.seat[one.chosen][keep]
        key = (games_of.astype(np.int64) * 4 + seats_of) * len(COLUMNS) + where[keep]
        for number in np.unique(key).tolist():
            player, place = divmod(number // len(COLUMNS), 4), number % len(COLUMNS)
            if player in found:
                found[player].loss[place] += loss[keep][key == number].sum()
                found[player].number[place] += (key == number).sum()
    return list(found.values())


def rank_correlation(one: F64, other: F64) -> float:
    """Return Spearman's correlation; equal values share their mean rank."""

    def ranks(values: F64) -> F64:
        _, where, number = np.unique(values, return_inverse=True, return_counts=True)
        last = np.cumsum(number)
        return np.asarray((last - (number - 1) / 2)[where], np.float64)

    return float(np.corrcoef(ranks(one), ranks(other))[0, 1])


def by_grade(seats: Iterable[Seat]) -> None:
    """Print the loss by grade, and the correlations."""
    groups: dict[str, list[Seat]] = {
        "up to 6 dan": [], "7 dan": [], "8 dan": [], "9 dan": [], "10 dan and tenhoui": [],
    }  # fmt: skip
    names = list(groups)
    for seat in seats:
        groups[names[min(4, max(0, seat.dan - FIRST_DAN - 5))]].append(seat)
    print(f"{'grade':<20}{'n':>7}" + "".join(f"{name:>20}" for name in COLUMNS))
    for name, some in groups.items():
        line = f"{name:<20}{len(some):>7,}"
        for place in range(len(COLUMNS)):
            rates = np.array([seat.loss[place] / seat.number[place] for seat in some if seat.number[place]])
            line += f"{rates.mean():>13.1f} ± {rates.std() / np.sqrt(max(1, len(rates))):<4.1f}"
        print(line)
    strong = [seat for name in names[1:] for seat in groups[name]]
    for place, name in enumerate(COLUMNS):
        some = [seat for seat in strong if seat.number[place]]
        rates = np.array([seat.loss[place] / seat.number[place] for seat in some])
        dan = np.array([min(seat.dan, FIRST_DAN + 9) for seat in some], np.float64)
        print(
            f"{name}: rank correlation {rank_correlation(dan, rates):+.3f}, n = {len(some):,}, "
            f"standard error {1 / np.sqrt(len(some)):.3f}"
        )


def odd_and_even(seats: Iterable[Seat], least: int) -> None:
    """Print how well odd games agree with even ones, for players with at least ``least`` games."""
    own: dict[str, list[Seat]] = defaultdict(list)
    for seat in seats:
        own[seat.name].append(seat)
    some = [games for name, games in own.items() if name and len(games) >= least]
    if len(some) < 3:
        return

    def half(games: list[Seat], start: int) -> tuple[float, float]:
        part = games[start::2]
        return sum(g.loss.sum() for g in part) / sum(g.number.sum() for g in part), float(
            np.mean([g.rank for g in part])
        )

    halves = np.array([[half(games, 0), half(games, 1)] for games in some])
    loss, rank = (float(np.corrcoef(halves[:, 0, i], halves[:, 1, i])[0, 1]) for i in range(2))
    print(
        f"at least {least} games: n = {len(some)}, correlation of loss {loss:.2f}, of average rank {rank:.2f}"
    )


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, default=[CORPUS])
    parser.add_argument("--players", type=int, choices=(3, 4), default=4)
    options = parser.parse_args()
    seen: set[str] = set()
    seats: list[Seat] = []
    for batch in read_batches(options.paths):
        seats += seats_of(batch, seen, options.players)
    decisions = int(sum(seat.number.sum() for seat in seats))
    print(f"{len(seen):,} games, {decisions:,} decisions judged")
    by_grade(seats)
    for least in (10, 20):
        odd_and_even(seats, least)


if __name__ == "__main__":
    main()
