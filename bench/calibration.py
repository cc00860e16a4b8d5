"""Calibration with each game kept away once: ``python bench/calibration.py [PATH...] [--players 3]``.

Where there are few games, one in five is too few to check with. Here the games are cut in five parts, five
models are fitted to four of them each, and each part is judged by the model that has not seen it.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from paifu.api.fitting import Sample, gathering
from paifu.replay.kernels import decision_model as kernels
from paifu.reports.judgement.fitting import ChosenOptions, explained, fit, numbered, tenths

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "logs"
PARTS = 5


def main() -> None:
    """Print predicted and actual means by tenths, of points, wins and deal-ins."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, default=[CORPUS / "mjlog", CORPUS / "tenhou6"])
    parser.add_argument("--players", type=int, choices=(3, 4), default=3)
    options = parser.parse_args()
    sample = Sample()
    for gathered in gathering([str(path) for path in options.paths], options.players):
        sample.add(gathered)
    choices = ChosenOptions.joined(list(numbered(sample.parts)))
    part = np.random.default_rng(1).integers(0, PARTS, int(choices.table.game.max()) + 1)[choices.table.game]
    answers = np.zeros((len(choices), kernels.V_SIZE))
    for number in range(PARTS):
        is_held = part == number
        model = fit(ChosenOptions(choices.table, choices.where, is_held), {})
        answers[is_held] = model.judge(choices.taken(is_held).table)
    table = choices.table
    hand = table.hand.astype(np.int64) * 4 + table.seat
    print(f"{len(sample.seen):,} games, {len(choices):,} decisions")
    for name, predicted, actual in (
        ("points", answers[:, kernels.V_TOTAL], table.points),
        ("won (%)", 100 * answers[:, kernels.V_CHANCE], 100 * table.won),
        ("dealt in (%)", 100 * answers[:, kernels.V_DEAL_IN], 100 * (table.dealt_in == 1)),
    ):
        print(f"{name}: explained {100 * explained(predicted, actual.astype(np.float64)):.1f}%")
        for one in tenths(predicted, actual.astype(np.float64), hand):
            apart = (one.predicted - one.actual) / one.error if one.error else 0.0
            print(f"{one.predicted:>12.2f}{one.actual:>12.2f}{one.error:>10.2f}{apart:>8.1f}")


if __name__ == "__main__":
    main()
