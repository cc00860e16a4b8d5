"""What the model answers where the literature agrees: ``python bench/undisputed.py [--all]``.

The positions lie in ``tests/positions.toml``. Disagreements are printed with the options that the model rates
highest; with ``--all`` every position is.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from positions import answer, judged, positions

SHOWN = 5


def main() -> None:
    """Print how often the model agrees, by what the positions are about."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    agreed, every = Counter[str](), Counter[str]()
    for position in positions():
        found = answer(position)
        is_right = found in position.best
        every[position.about] += 1
        agreed[position.about] += is_right
        if options.all or not is_right:
            print(f"{'agrees' if is_right else 'DISAGREES'}: {position.name} ({position.hand})")
            print(f"  {found}; right: {' or '.join(position.best)}. {position.why}")
            one, words = judged(position)
            total = np.where(np.isfinite(one.row_error), one.answers[:, 0], -np.inf)
            for row in np.argsort(-total)[:SHOWN].tolist():
                parts = " ".join(f"{value:8.0f}" for value in one.answers[row, :5])
                print(f"    {words[row]:<12}{parts}")
    for about, number in every.items():
        print(f"{about:<12}{agreed[about]:>4} of {number}")
    print(f"{'all':<12}{agreed.total():>4} of {every.total()}")


if __name__ == "__main__":
    main()
