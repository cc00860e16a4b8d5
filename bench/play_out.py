"""Play costly decisions out: ``python bench/play_out.py LOGS... [--per-class 1000] [--walls 24]``.

A decision that the review calls costly is followed to its moment. Both the option that was chosen and
the one that the model rates highest are played on from there: the hidden hands are the true ones (with
``--hands believed``, such as the player could expect: their mean should be the same), the rest of the wall is
shuffled, the same shuffles for both, and the same simulated players sit at all seats. What
the second comes out better by, on average, is what the decision cost.

With ``--unusual`` the decisions are those of which strong players hardly ever make the move, and the option
played beside it is what they choose most.

The table has a row for each code and band of the predicted loss, and for each class and size of
``coach/judgement/verdicts.py``, in whole and by whether strong players rarely make the move: decisions,
games, predicted loss, found loss with two standard errors (by game), and the slope of found on predicted.
The classes' own figures come from here. ``--format json`` prints a row for each decision. Games that
anything was fitted on do not belong among LOGS.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from held_out import game_hash, is_held_out, seats_in

from paifu.api.play_outs import walls_of
from paifu.coach.belief.beliefs import believed
from paifu.coach.decisions import OptionKind, Options
from paifu.coach.judgement.classes import codes_of, measures
from paifu.coach.judgement.judged import Judgement, judgements, rows_of_most
from paifu.coach.judgement.losses import kinds_of
from paifu.coach.judgement.match import UNUSUAL
from paifu.coach.judgement.mistakes import MIN_LOSS
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

BANDS = (MIN_LOSS, 700, 1500, math.inf)
"""Bounds of the bands of the predicted loss, in points."""
CALLS, RARE_CALL = (OptionKind.CHI, OptionKind.PON, OptionKind.DAIMINKAN), 0.03


@dataclass(frozen=True)
class Decision:
    """A costly decision, and what came of playing it out."""

    source: str
    """The game's."""
    hand: int
    """In the game, from 0."""
    event: int
    """In the hand, from 0."""
    seat: int
    code: str
    group: str
    """A code with a band, or a class that holds."""
    predicted: float
    found: float
    error: float
    """Standard error over the walls."""


def band(loss: float) -> str:
    """Name the band of a loss.

    >>> band(700.0)
    '700 to 1500'
    """
    least, most = next(pair for pair in pairwise(BANDS) if pair[0] <= loss < pair[1])
    return f"from {least:.0f}" if math.isinf(most) else f"{least:.0f} to {most:.0f}"


def costly_of(
    one: Judgement, batch: Batch, rulesets: Sequence[Ruleset]
) -> Iterator[tuple[int, int, str, str]]:
    """Yield costly decisions: row, row of the best option, code, and each group that it belongs to."""
    number, found = codes_of(one, kinds_of(one)), measures(one)  # as if all moves were rare
    rows = [part for whole in CLASSES if whole.bounds for part in (whole, *whole.sizes)]
    of_class = [one.is_costly(0) & (number == part.code) & part.meets(found) for part in rows]
    is_any = np.logical_or.reduce(of_class)
    chosen = shares(batch, rulesets, one, np.flatnonzero(is_any))
    for row in np.flatnonzero(one.is_costly(MIN_LOSS) | is_any).tolist():
        code, best = code_of(int(number[row])), int(one.best[row])
        share = float(chosen[one.chosen[row]])  # not a number is not rare
        for part, is_of in zip(rows, of_class, strict=True):
            if is_of[row]:
                yield row, best, code, f"{code} {part.name}"
                yield row, best, code, f"{code} {'rare' if share < RARE else 'usual'}: {part.name}"
        if one.loss[row] >= MIN_LOSS:
            yield row, best, code, f"{code} {band(float(one.loss[row]))}"


def unusual_of(
    one: Judgement, batch: Batch, rulesets: Sequence[Ruleset]
) -> Iterator[tuple[int, int, str, str]]:
    """Yield moves that strong players hardly ever make, beside what they choose most, as ``costly_of``."""
    option = one.table.option
    numbers = np.flatnonzero(~one.is_last)
    chances = shares(batch, rulesets, one, numbers)
    firsts = rows_of_most(chances, one.first, one.end)
    for row in numbers[~np.isnan(chances[one.chosen[numbers]])].tolist():
        made, best = int(one.chosen[row]), int(firsts[row])
        share = chances[made]
        if share < UNUSUAL:
            yield row, best, "U101", "U101"
        if option[made] in CALLS and option[best] == OptionKind.PASS and share < RARE_CALL:
            yield row, best, "C101", f"C101 calls below {RARE_CALL:.0%}, where most pass"


class OptionPlayer:
    """Plays options of a batch's decisions out."""

    def __init__(self, batch: Batch, player: str, walls: int, hands: str = "true") -> None:
        self._hands = hands
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
        playing, walls = self._tables[rules], walls_of(text, self._walls)
        if self._hands == "true":
            return playing.points(hand, event, seat, choices, walls)
        sight = playing.sight(hand, event, seat, choices[0][0])
        deals = None if sight is None else believed(sight, len(walls), int(walls[0]), rules)
        return None if deals is None else playing.points(hand, event, seat, choices, walls, deals.tiles)


def error_by_game(residuals: F64, game: I64) -> float:
    """Return the standard error of a mean, from residuals, with games (or the like) as what was drawn."""
    return float(np.sqrt((np.bincount(game, residuals) ** 2).sum()) / len(residuals))


def played_out(
    batch: Batch,
    player: str,
    walls: int,
    per_class: int,
    taken: dict[str, int],
    only: str = "",
    hands: str = "true",
    *,
    unusual: bool = False,
    held_out: bool = False,
) -> Iterator[Decision]:
    """Play out the decisions of a batch in groups with ``only`` in their name; ``taken`` counts them."""
    playing = OptionPlayer(batch, player, walls, hands)
    wanted = [not held_out or is_held_out(game_hash(batch, game)) for game in range(len(batch))]
    for one in judgements(batch, only=seats_in(batch, np.array(wanted, bool))):
        done: dict[int, tuple[float, float] | None] = {}
        for row, best, code, group in (unusual_of if unusual else costly_of)(one, batch, playing.rules):
            if only not in group or taken[group] >= per_class:
                continue
            made, table = int(one.chosen[row]), one.table
            game, hand, event, seat = (
                int(column[made]) for column in (table.game, table.hand, table.event, table.seat)
            )
            if row not in done:
                points = playing.points(table, (made, best))
                done[row] = None
                if points is not None:
                    gain = points[1, :, seat] - points[0, :, seat]
                    done[row] = float(gain.mean()), float(gain.std(ddof=1) / math.sqrt(walls))
            if done[row] is None:
                taken["not followed"] += 1
                continue
            taken[group] += 1
            found, error = done[row] or (0.0, 0.0)
            yield Decision(
                playing.source(game), hand - int(batch.games.hand_begin[game]),
                event - int(batch.hands.event_begin[hand]), seat, code, group, float(one.loss[row]), found,
                error,
            )  # fmt: skip


def summary(decisions: list[Decision]) -> dict[str, Any]:
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
        "decisions": len(decisions), "games": int(game.max()) + 1, "predicted": float(predicted.mean()),
        "found": float(found.mean()), "two_errors": 2 * error_by_game(found - found.mean(), game),
        "slope": slope, "slope_two_errors": 2 * slope_error,
    }  # fmt: skip


def files_of(paths: Iterable[Path], part: int, parts: int) -> list[Path]:
    """Return the files of one part of the games, in an order that has nothing to do with their names."""
    files = (
        file for path in paths for file in (path.rglob("*") if path.is_dir() else [path]) if file.is_file()
    )
    keyed = sorted((hashlib.sha256(file.name.encode()).hexdigest(), file) for file in files)
    return [file for key, file in keyed if int(key[:8], 16) % parts == part]


def main() -> None:
    """Play out, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--per-class", type=int, default=1000, help="decisions of a row at most")
    parser.add_argument("--only", default="", help="only rows whose name has this in it")
    parser.add_argument("--walls", type=int, default=24, help="shuffles of each decision")
    parser.add_argument("--player", choices=PLAYERS, default="strong", help="who plays on")
    parser.add_argument("--hands", choices=("true", "believed"), default="true", help="hidden hands")
    parser.add_argument("--unusual", action="store_true", help="moves that strong players hardly make")
    parser.add_argument("--held-out", action="store_true", help="only games that every fit leaves out")
    parser.add_argument("--part", type=int, default=0, help="which part of the games")
    parser.add_argument("--parts", type=int, default=1, help="how many parts there are")
    parser.add_argument("--format", choices=("table", "json"), default="table")
    options = parser.parse_args()
    groups: dict[str, list[Decision]] = defaultdict(list)
    taken: dict[str, int] = defaultdict(int)
    files = files_of(options.paths, options.part, options.parts)
    for begin in range(0, len(files), 20):
        for batch in read_batches(files[begin : begin + 20]):
            for one in played_out(
                batch, options.player, options.walls, options.per_class, taken, options.only, options.hands,
                unusual=options.unusual, held_out=options.held_out,
            ):  # fmt: skip
                groups[one.group].append(one)
                if options.format == "json":
                    print(json.dumps(vars(one)))
        print(f"{begin + 20} of {len(files)} files", file=sys.stderr)
    if options.format == "json":
        return
    print(
        f"{len(files)} files; {options.player} plays on, {options.walls} walls; "
        f"{taken['not followed']} decisions could not be followed"
    )
    heads = ("n", "games", "predicted", "found", "± 2 se", "slope", "± 2 se")
    print(f"{'decisions':<24}" + "".join(f"{head:>10}" for head in heads))
    for name in sorted(groups):
        row = summary(groups[name])
        cells = (f"{value:10.{2 if 'slope' in key else 0}f}" for key, value in row.items())
        print(f"{name[:24]:<24}" + "".join(cells))


if __name__ == "__main__":
    main()
