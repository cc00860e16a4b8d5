"""Danger by the order of the river: ``python bench/river_danger.py PATH... [--format json]``.

The model knows what lies in a river, not when it was discarded. This takes discards of games that it was not
fitted to, with one opponent in riichi, that this opponent can win by what everybody sees, and compares for
classes of tiles, by what lies near them in the opponent's river and since when, how often the model says that
such a discard deals in with how often it did. A class is apart if they differ by more than two standard
errors, with hands as what was drawn.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from play_out import error_by_game

from paifu.parsers.read import read_batches
from paifu.replay.arrays import F64, I64, U8, Mask
from paifu.replay.facts.decisions import OpponentShows, OptionKind
from paifu.replay.judgement.judged import judgements
from paifu.replay.judgement.policy_inputs import DECLARED, FIRST, FROM_HAND, RIVER, Boards, boards
from paifu.replay.kernels import decision_model as kernels
from paifu.replay.model.tiles import KIND_OF_TILE
from paifu.replay.review.results import Danger
from paifu.replay.rulesets.presets import rulesets_of

EARLY, LATE = 4, 12
"""Turns: an early discard is one of the first four; late is from the third row of the river on."""
SUJI = (Danger.SUJI_19, Danger.SUJI_28, Danger.SUJI_37, Danger.SUJI_456, Danger.HALF_SUJI)
OPEN = (Danger.NO_SUJI_19, Danger.NO_SUJI_28, Danger.NO_SUJI_37, Danger.NO_SUJI_456)


@dataclass(frozen=True, slots=True)
class Discards:
    """Some discards against one opponent in riichi."""

    kind: I64
    """(n,) kind of the tile."""
    danger: I64
    """(n,) :class:`Danger` against the opponent."""
    river: U8
    """(n, PLANES, 34) the opponent's planes."""
    turn: I64
    """(n,) discards of the opponent."""

    def near(self, plane: Mask, *steps: int) -> Mask:
        """Tell which tiles have one of their suit in a plane (n, 34), some ``steps`` above or below."""
        found = np.zeros(len(self.kind), bool)
        for step in (*steps, *(-step for step in steps)):
            other = self.kind + step
            inside = (self.kind < 27) & (other >= 0) & (other // 9 == self.kind // 9)
            found |= inside & plane[np.arange(len(plane)), np.where(inside, other, 0)]
        return found

    @property
    def early(self) -> Mask:
        """(n, 34) what the opponent discarded early."""
        first = self.river[:, FIRST]
        return (first > 0) & (first <= EARLY)

    @property
    def declared(self) -> Mask:
        """(n, 34) the tile that declared riichi."""
        return np.asarray(self.river[:, DECLARED] > 0)

    @property
    def others(self) -> Mask:
        """(n, 34) what else lies in the river."""
        return np.asarray((self.river[:, RIVER] > 0) & ~self.declared)


def _is(*kinds: Danger) -> Callable[[Discards], Mask]:
    return lambda one: np.isin(one.danger, kinds)


CLASSES: dict[str, Callable[[Discards], Mask]] = {
    **{danger.name.lower().replace("_", " "): _is(danger) for danger in Danger if danger != Danger.GENBUTSU},
    "no suji, 1 beside an early discard": lambda one: _is(*OPEN)(one) & one.near(one.early, 1),
    "no suji, 2 beside an early discard": lambda one: (
        _is(*OPEN)(one) & one.near(one.early, 2) & ~one.near(one.early, 1)
    ),
    "no suji, 1 beside the tile that declared": lambda one: _is(*OPEN)(one) & one.near(one.declared, 1),
    "no suji, 2 beside the tile that declared": lambda one: _is(*OPEN)(one) & one.near(one.declared, 2),
    "no suji, nothing of the river within 2": lambda one: (
        _is(*OPEN)(one) & ~one.near(one.others | one.declared, 1, 2)
    ),
    "no suji, 1 beside a discard from the hand that is not early": lambda one: (
        _is(*OPEN)(one) & one.near((one.river[:, FROM_HAND] > 0) & ~one.early & ~one.declared, 1)
    ),
    "suji of the tile that declared alone": lambda one: (
        _is(*SUJI)(one) & one.near(one.declared, 3) & ~one.near(one.others, 3)
    ),
    "suji of early discards alone": lambda one: (
        _is(*SUJI)(one) & one.near(one.early, 3) & ~one.near((one.others | one.declared) & ~one.early, 3)
    ),
    "suji of a later discard": lambda one: _is(*SUJI)(one) & one.near(one.others & ~one.early, 3),
    "no suji, up to turn 6": lambda one: _is(*OPEN)(one) & (one.turn <= 6),
    "no suji, from turn 12 on": lambda one: _is(*OPEN)(one) & (one.turn >= LATE),
    "suji, from turn 12 on": lambda one: _is(*SUJI)(one) & (one.turn >= LATE),
}


def _discards(at: Boards, tile: I64, danger: U8, place: I64) -> Discards:
    rows = np.arange(len(tile))
    river = at.planes[rows, :, 1 + place]
    return Discards(
        KIND_OF_TILE[tile].astype(np.int64), danger[rows, place].astype(np.int64), river,
        river[:, RIVER].sum(axis=1).astype(np.int64),
    )  # fmt: skip


def chosen(paths: list[Path]) -> Iterator[tuple[Discards, F64, Mask, I64]]:
    """Yield discards, what the model says of dealing in, whether they did, and numbers of their hands."""
    for number, every in enumerate(read_batches(paths)):
        batch = every.only(every.games.players == 4)
        rulesets = rulesets_of(batch)
        for one in judgements(batch):
            table, made = one.table, one.chosen
            shows = table.shown[made] == OpponentShows.RIICHI
            place = shows.argmax(axis=1)
            risks = table.danger[made][np.arange(len(made)), place] != Danger.GENBUTSU
            keep = np.flatnonzero(
                (shows.sum(axis=1) == 1) & risks & (table.option[made] == OptionKind.DISCARD)
            )
            if not len(keep):
                continue
            made, place = made[keep], place[keep]
            at = boards(
                batch, rulesets, table.hand[made], table.event[made], table.seat[made],
                np.zeros(len(made), bool),
            )  # fmt: skip
            hand = (number << 32) + table.hand[made].astype(np.int64)
            yield (
                _discards(at, table.tile[made].astype(np.int64), table.danger[made], place),
                one.answers[made, kernels.V_DEAL_IN].astype(np.float64),
                table.dealt_in[made] == 1,
                hand,
            )


def main() -> None:
    """Print the classes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--format", choices=("table", "json"), default="table")
    options = parser.parse_args()
    rows: dict[str, list[tuple[npt.NDArray[Any], ...]]] = {name: [] for name in CLASSES}
    for discards, said, came, hand in chosen(options.paths):
        for name, holds in CLASSES.items():
            where = holds(discards)
            rows[name].append((said[where], came[where], hand[where]))
    table = []
    for name, parts in rows.items():
        said, came, hand = (np.concatenate(column) for column in zip(*parts, strict=True))
        if len(said) < 2:
            continue
        _, of = np.unique(hand, return_inverse=True)
        # where nothing came, what came has no spread: that of what the model says is the least
        least = float(np.sqrt((said * (1 - said)).sum())) / len(said)
        error = max(error_by_game(came - said, of), least)
        apart = float((came.mean() - said.mean()) / error) if error else 0.0
        table.append((name, len(said), 100 * said.mean(), 100 * came.mean(), 200 * error, apart))
    if options.format == "json":
        names = ("class", "n", "predicted", "actual", "two_errors", "apart")
        print(json.dumps([dict(zip(names, row, strict=True)) for row in table], indent=1))
        return
    print(f"{'class':<60}{'n':>8}{'says %':>9}{'came %':>9}{'±':>7}{'apart':>8}")
    for name, n, said, came, error, apart in table:
        print(f"{name:<60}{n:>8,}{said:>9.2f}{came:>9.2f}{error:>7.2f}{apart:>8.1f}")
    outside = sum(abs(row[-1]) > 2 for row in table)
    print(f"{outside} of {len(table)} classes are apart by more than two standard errors")


if __name__ == "__main__":
    main()
