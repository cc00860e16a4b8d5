"""Play costly decisions out: ``python bench/play_out.py LOGS... [--per-class 1000] [--walls 24]``.

A decision that the review calls costly is followed to its moment. Both the option that was chosen and
the one that the model rates highest are played on from there: the hidden hands are the true ones, the rest of
the wall is shuffled, the same shuffles for both, and the same simulated players sit at all seats. What
the second comes out better by, on average, is what the decision cost.

The table has a row for each class and size of ``coach/judgement/verdicts.py``, in whole and by whether strong
players rarely make the move: decisions, games, predicted loss, found loss with two standard errors (by game),
and the slope of found on predicted. The classes' own figures come from here. Games that anything was fitted
on do not belong among LOGS.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from held_out import game_hash, is_held_out, seats_in

from paifu.api.play_outs import walls_of
from paifu.coach.decisions import Options
from paifu.coach.judgement.classes import codes_of, measures
from paifu.coach.judgement.judged import Judgement, judgements
from paifu.coach.judgement.losses import kinds_of
from paifu.coach.judgement.policy import shares
from paifu.coach.judgement.verdicts import CLASSES, RARE
from paifu.coach.simulate.games import PLAYERS
from paifu.coach.simulate.playing_out import PlayOut
from paifu.parsers.read import read_batches
from paifu.replay.arrays import F64, I64
from paifu.replay.facts.tables import code_of
from paifu.replay.model.batch import Batch
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import rulesets_of


@dataclass(frozen=True)
class Decision:
    """A costly decision, and what came of playing it out."""

    source: str
    """The game's."""
    code: str
    group: str
    """A class, or a size of it."""
    predicted: float
    found: float


def costly_of(
    one: Judgement, batch: Batch, rulesets: Sequence[Ruleset]
) -> Iterator[tuple[int, int, str, str]]:
    """Yield costly decisions: row, row of the best option, code, and each group that it belongs to."""
    number, found = codes_of(one, kinds_of(one)), measures(one)  # as if all moves were rare
    rows = [part for whole in CLASSES if whole.bounds for part in (whole, *whole.sizes)]
    of_class = [one.is_costly(0) & (number == part.code) & part.meets(found) for part in rows]
    is_any = np.logical_or.reduce(of_class)
    chosen = shares(batch, rulesets, one, np.flatnonzero(is_any))
    for row in np.flatnonzero(is_any).tolist():
        code, best = code_of(int(number[row])), int(one.best[row])
        share = float(chosen[one.chosen[row]])  # not a number is not rare
        for part, is_of in zip(rows, of_class, strict=True):
            if is_of[row]:
                yield row, best, code, f"{code} {part.name}"
                yield row, best, code, f"{code} {'rare' if share < RARE else 'usual'}: {part.name}"


class OptionPlayer:
    """Plays options of a batch's decisions out."""

    def __init__(self, batch: Batch, player: str, walls: int) -> None:
        self.batch, self.rules = batch, rulesets_of(batch)
        self._player, self._walls = PLAYERS[player], walls
        self._tables: dict[Ruleset, PlayOut] = {}

    def source(self, game: int) -> str:
        """Return the id of a game, or else where it was read."""
        return str(self.batch.games.id[game] or self.batch.games.source[game])

    def points(self, table: Options, rows: Sequence[int]) -> I64 | None:
        """Return (rows, walls, 4) points after some options of one decision, the same in each run.

        None where it cannot be followed.
        """
        game, hand, event, seat = (
            int(column[rows[0]]) for column in (table.game, table.hand, table.event, table.seat)
        )
        rules = self.rules[game]
        if rules not in self._tables:
            self._tables[rules] = PlayOut(self.batch, rules, self._player)
        choices = [(int(table.option[row]), int(table.tile[row])) for row in rows]
        text = f"{self.source(game)} {event - self.batch.hands.event_begin[hand]} {hand}"
        return self._tables[rules].points(hand, event, seat, choices, walls_of(text, self._walls))


def played_out(
    batch: Batch, player: str, walls: int, per_class: int, taken: dict[str, int], *, held_out: bool = False
) -> Iterator[Decision]:
    """Play out the decisions of a batch, ``per_class`` of a group at most; ``taken`` counts them."""
    playing = OptionPlayer(batch, player, walls)
    wanted = [not held_out or is_held_out(game_hash(batch, game)) for game in range(len(batch))]
    for one in judgements(batch, only=seats_in(batch, np.array(wanted, bool))):
        done: dict[int, float | None] = {}
        for row, best, code, group in costly_of(one, batch, playing.rules):
            if taken[group] >= per_class:
                continue
            made = int(one.chosen[row])
            if row not in done:
                points, seat = playing.points(one.table, (made, best)), int(one.table.seat[made])
                done[row] = None if points is None else float((points[1] - points[0])[:, seat].mean())
            found = done[row]
            taken["not followed" if found is None else group] += 1
            if found is not None:
                source = playing.source(int(one.table.game[made]))
                yield Decision(source, code, group, float(one.loss[row]), found)


def error_by_game(residuals: F64, game: I64) -> float:
    """Return the standard error of a mean, from residuals, with games (or the like) as what was drawn."""
    return float(np.sqrt((np.bincount(game, residuals) ** 2).sum()) / len(residuals))


def summary(decisions: list[Decision]) -> dict[str, float]:
    """Return what a group of decisions shows; errors are those of means over games."""
    predicted = np.array([one.predicted for one in decisions])
    found = np.array([one.found for one in decisions])
    _, game = np.unique([one.source for one in decisions], return_inverse=True)
    off = predicted - predicted.mean()
    spread = float((off**2).mean())
    slope = float((off * found).mean() / spread) if spread else math.nan
    rest = found - found.mean() - slope * off
    slope_error = error_by_game(off * rest, game) / spread if spread else math.nan
    return {
        "n": len(decisions), "games": int(game.max()) + 1, "predicted": float(predicted.mean()),
        "found": float(found.mean()), "± 2 se": 2 * error_by_game(found - found.mean(), game),
        "slope": slope, "± 2 se of slope": 2 * slope_error,
    }  # fmt: skip


def files_of(paths: Iterable[Path]) -> list[Path]:
    """Return all files, in an order that has nothing to do with their names."""
    files = (
        file for path in paths for file in (path.rglob("*") if path.is_dir() else [path]) if file.is_file()
    )
    return sorted(files, key=lambda file: (hashlib.sha256(file.name.encode()).hexdigest(), file))


def main() -> None:
    """Play out, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--per-class", type=int, default=1000, help="decisions of a row at most")
    parser.add_argument("--walls", type=int, default=24, help="shuffles of each decision")
    parser.add_argument("--player", choices=PLAYERS, default="strong", help="who plays on")
    parser.add_argument("--held-out", action="store_true", help="only games that every fit leaves out")
    options = parser.parse_args()
    groups: dict[str, list[Decision]] = defaultdict(list)
    taken: dict[str, int] = defaultdict(int)
    files = files_of(options.paths)
    for begin in range(0, len(files), 20):
        for batch in read_batches(files[begin : begin + 20]):
            for one in played_out(
                batch, options.player, options.walls, options.per_class, taken, held_out=options.held_out
            ):
                groups[one.group].append(one)
        print(f"{begin + 20} of {len(files)} files", file=sys.stderr)
    print(f"{len(files)} files; {taken['not followed']} decisions could not be followed")
    for name in sorted(groups):
        row = summary(groups[name])
        cells = (f"{key} {value:.{2 if 'slope' in key else 0}f}" for key, value in row.items())
        print(f"{name}: {', '.join(cells)}")


if __name__ == "__main__":
    main()
