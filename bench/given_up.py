"""Do players who give a hand up see more than expected hands do? ``python bench/given_up.py LOGS...``.

In decisions of P102 a player kept a tile that the model would have discarded. How often did others wait for
it, in the true hands and in hands as expected (``replay/belief/``)? The same is told of decisions in which
players did discard such a tile (``as_if_folded`` of ``play_out.py``): if expected hands are right there, but
too low where the tile was kept, those who kept it saw more. Errors are two standard errors, by game.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from fit_belief import Example, example_at
from held_out import game_hash
from play_out import as_if_folded, error_by_game, files_of, groups_of

from paifu.parsers.read import read_batches
from paifu.replay.arrays import F64, I64
from paifu.replay.belief.beliefs import believed
from paifu.replay.facts.decisions import OptionKind
from paifu.replay.judgement.judged import judgements
from paifu.replay.model.batch import Batch
from paifu.replay.model.tiles import KIND_OF_TILE
from paifu.replay.rulesets.presets import rulesets_of
from paifu.replay.simulate.games import PLAYERS
from paifu.replay.simulate.playing_out import PlayOut

BANDS = {"P102 300 to 700": "300 to 700", "P102 700 to 1500": "700 to 1500"}


def tiles_of(batch: Batch, part: float) -> Iterator[tuple[str, Example, int]]:
    """Yield row of the table, what there was, and the kind that the model would have discarded.

    Of decisions in which it was discarded, which are many, only ``part`` are taken.
    """
    rulesets, random = rulesets_of(batch), np.random.default_rng(1)
    playing = {rules: PlayOut(batch, rules, PLAYERS["model"]) for rules in set(rulesets)}
    for judged in judgements(batch):
        for one, acted in ((judged, "kept"), (as_if_folded(judged), "discarded")):
            for row, _, group in groups_of(one, batch, rulesets):
                made, best, table = int(one.chosen[row]), int(one.best[row]), one.table
                game = int(table.game[made])
                if group not in BANDS or table.option[made] != OptionKind.DISCARD:
                    continue
                if rulesets[game].table.players != 4 or (acted == "discarded" and random.random() > part):
                    continue
                hand, event = int(table.hand[made]), int(table.event[made])
                example = example_at(playing[rulesets[game]], game_hash(batch, game), hand, event)
                if example is not None:
                    yield f"{acted}, loss {BANDS[group]}", example, int(KIND_OF_TILE[table.tile[best]])


def waited(one: Example, found: I64, kind: int) -> F64:
    """Return how often somebody waits for a kind, and how often a riichi does; ``found`` as in ``Deals``."""
    waits = (found[:, :, 2] >> kind & 1) * (found[:, :, 0] == 0) * (one.sight.size > 0)
    return np.array([waits.max(axis=1).mean(), (waits * one.sight.riichi).max(axis=1).mean()])


def main() -> None:
    """Compare, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--deals", type=int, default=100, help="hidden hands of each")
    parser.add_argument("--part", type=float, default=0.3, help="of decisions where it was discarded")
    options = parser.parse_args()
    rows: dict[str, list[F64]] = defaultdict(list)
    games: dict[str, list[bytes]] = defaultdict(list)
    files = files_of(options.paths, 0, 1)
    for begin in range(0, len(files), 20):
        for batch in read_batches(files[begin : begin + 20]):
            for name, one, kind in tiles_of(batch, options.part):
                deals = believed(one.sight, options.deals, len(rows[name]) + 1, one.rules)
                if deals is not None:
                    rows[name].append(
                        np.concatenate([waited(one, one.found, kind), waited(one, deals.found, kind)])
                    )
                    games[name].append(one.game)
    print(f"{'the tile was':<28}{'n':>6}{'games':>7}{'waited for':>12}{'expected':>10}{'± 2 se':>8}", end="")
    print(f"{'by riichi':>11}{'expected':>10}{'± 2 se':>8}")
    for name, values in sorted(rows.items(), reverse=True):
        every, (_, game) = np.array(values), np.unique(np.array(games[name]), return_inverse=True)
        off = every[:, 2:] - every[:, :2]
        print(f"{name:<28}{len(every):6}{game.max() + 1:7}", end="")
        for way, width in ((0, 12), (1, 11)):
            error = 2 * error_by_game(off[:, way] - off[:, way].mean(), game)
            true, expected = 100 * every[:, way].mean(), 100 * every[:, way + 2].mean()
            print(f"{true:{width - 1}.1f}%{expected:9.1f}%{100 * error:8.1f}", end="")
        print()


if __name__ == "__main__":
    main()
