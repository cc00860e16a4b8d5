"""Test the chances of leagues on made-up seasons, of which it is known how good everybody is.

    python bench/league_chances.py [--leagues N] [--seed N]

For leagues of 8 and 16 players, 16 and 40 games each, and players who are equal, or 5 or 10 points a game
apart: what was said in the middle of the season, against what came of it. Prints, for each fifth of the
chance to be first, its mean and how often that came true; the share of totals within their interval of 95 %;
and the log loss of the winner's chance, beside that of saying the same of everybody.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from made_leagues import foretold


def main() -> None:
    """Print a line for each kind of league."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--leagues", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print("players each apart | said: share first, by fifths of the chance | inside | log loss, of all alike")
    for players in (8, 16):
        for each in (16, 40):
            for spread in (0, 5000, 10000):
                found = list(foretold(options.leagues, players, each, spread, options.seed, 1000))
                said = np.array([one.chance for one in found])
                first = np.array([one.was_first for one in found])
                fifths = [
                    f"{said[of].mean():.2f}: {first[of].mean():.2f} ({of.sum()})"
                    for low in (0, 0.2, 0.4, 0.6, 0.8)
                    if (of := (said >= low) & (said < low + 0.2 + (low == 0.8))).any()
                ]
                loss = -np.log(np.maximum(said[first], 0.5 / 1000)).mean()
                inside = np.mean([one.is_inside for one in found])
                print(
                    f"{players:7} {each:4} {spread / 1000:5.0f} | {', '.join(fifths)} | {inside:.1%} | "
                    f"{loss:.2f}, {np.log(players):.2f}"
                )


if __name__ == "__main__":
    main()
