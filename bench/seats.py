"""The sums of each seat of a corpus, for experiments on what is concluded from statistics.

Games are counted once; after that, seats are dealt out, grouped and halved as arrays.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from paifu.parsers.read import read_batches
from paifu.replay.rules.choices import Scheme
from paifu.replay.table.engine import replay
from paifu.reports.inference.intervals import interval
from paifu.reports.inference.sums import GameSums
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.metrics.counters import seat_sums
from paifu.reports.metrics.metric import Metric
from paifu.reports.metrics.recording import records

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "logs"
FOLDERS = ("mjlog", "tenhou6", "mjai")
F64 = npt.NDArray[np.float64]
I64 = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


def metrics_of_riichi() -> list[Metric]:
    """Return the statistics that have intervals."""
    return [one for one in CATALOGUE.values() if one.is_rate and Scheme.HAN_FU in one.schemes]


@dataclass(frozen=True, slots=True)
class Seats:
    """Sums of every seat of some games of one kind."""

    metrics: list[Metric]
    sums: F64
    """(games, seats, metrics, 2): numerators and denominators."""
    names: npt.NDArray[np.object_]
    """(games, seats)."""

    @property
    def flat(self) -> F64:
        """(games * seats, metrics, 2)."""
        return self.sums.reshape(-1, *self.sums.shape[2:])

    @property
    def truth(self) -> F64:
        """Ratio of everybody, by statistic."""
        n, d = np.moveaxis(self.flat.sum(axis=0), -1, 0)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(d > 0, n / d, np.nan)

    def deal(self, random: np.random.Generator, size: int) -> I64:
        """Return made-up players as rows of ``size`` seats of :attr:`flat`, each at most once a game."""
        games, seats = self.sums.shape[:2]
        place = np.argsort(random.random((games, seats)), axis=1)
        most = games // size * size
        rows = []
        for turn in range(seats):
            game = random.permutation(games)[:most].reshape(-1, size)
            rows.append(game * seats + place[game, turn])
        return np.concatenate(rows)

    def players(self, rows: I64) -> GameSums:
        """Return the sums of players, as (players, metrics), from their seats."""
        n, d = np.moveaxis(self.flat[rows], -1, 0)
        return GameSums.of_games(np.swapaxes(n, 0, 1), np.swapaxes(d, 0, 1))

    def by_nature(self) -> Iterator[tuple[Metric, I64]]:
        """Yield the columns of each kind of statistic that is treated alike, with one of them."""
        natures = [metric.nature for metric in self.metrics]
        for nature in dict.fromkeys(natures):
            columns = np.array([column for column, one in enumerate(natures) if one is nature])
            yield self.metrics[columns[0]], columns

    def bounds(self, sums: GameSums) -> tuple[F64, F64]:
        """Return the intervals of sums as (players, metrics)."""
        low, high = np.full((2, *sums.n.shape), np.nan)
        for metric, columns in self.by_nature():
            low[:, columns], high[:, columns] = interval(sums.take(np.s_[:, columns]), metric.nature)
        return low, high


def read(paths: Sequence[Path], kind: tuple[int, str] = (4, "south")) -> Seats:
    """Count the seats of the whole games of one kind: number of players, and length."""
    metrics = metrics_of_riichi()
    seen: set[str] = set()
    sums, names = [], []
    for batch in read_batches(paths):
        made = records(replay(batch, review=True))
        games = made.games
        keep = []
        for row in range(len(batch)):
            name = str(games.id[row] or games.source[row])
            is_kind = (int(games.players[row]), str(games.length[row])) == kind
            if name in seen or not is_kind or not games.rank[row].any() or batch.games.is_cut[row]:
                continue
            seen.add(name)
            keep.append(row)
        sums.append(seat_sums(made, metrics)[keep, : kind[0]])
        names.append(games.names[keep, : kind[0]])
    return Seats(metrics, np.concatenate(sums), np.concatenate(names))


def options(text: str | None) -> argparse.ArgumentParser:
    """Return a parser for what all experiments take."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, default=[CORPUS / name for name in FOLDERS])
    parser.add_argument("--seed", type=int, default=1)
    return parser
