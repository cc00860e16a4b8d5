"""How surely compound forgeries are noticed: ``python bench/forgeries.py [--games 12] [--places 5]``.

Every kind of ``tests/forgery_kinds.py`` is tried on games with walls, in six formats that state them, and on
games without, in six formats. Prints a line a kind: for each format, how many of the forged records have a
finding. A format that does not state what is forged has none. Ends with what was noticed of all.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from build_sample_logs import HANCHAN, built, play_game
from forged_records import WITH_WALLS, WITHOUT_WALLS, Noticed, Recorded, outcome, simulated, sound
from forgery_kinds import FORGERIES
from sample_walls import of_arena

from paifu.replay.model.batch import Batch

_NONCE = 20_260_101


def of_arenas(games: int) -> Batch:
    """Games whose walls follow from the two numbers of an arena's seed."""
    made = []
    for number in range(games):
        draft = play_game(0, HANCHAN, partial(of_arena, numbers=(_NONCE, number)))
        draft.game |= {"seed": f"mortal,{_NONCE},{number}", "source": f"arena {number}"}
        made.append(built(draft))
    return Batch.concatenate(made)


def base(recorded: Recorded, games: int) -> Batch:
    """Sound games for a format."""
    made = of_arenas(games) if recorded.rules == "arena" else simulated(recorded.rules, games)
    return sound(recorded, made)


def table(title: str, formats: dict[str, Recorded], games: int, places: int, part: str) -> None:
    """Try all kinds in some formats and print what was noticed."""
    begun = perf_counter()
    batches = {name: base(recorded, games) for name, recorded in formats.items()}
    print(f"{title}: " + ", ".join(f"{len(batch)} games for {name}" for name, batch in batches.items()))
    every: list[Noticed] = []
    for kind in FORGERIES:
        if part not in kind.name:
            continue
        row = [outcome(formats[name], batch, kind, places) for name, batch in batches.items()]
        every += row
        codes = sum((one.codes for one in row), start=type(row[0].codes)())
        told = " ".join(f"{one.noticed}/{one.tried}".rjust(6) for one in row)
        print(f"  {kind.name:<75} {told}  {' '.join(code for code, _ in codes.most_common(4))}", flush=True)
        for one in row:
            if one.missed:
                print(f"      missed in {one.format}: {', '.join(one.missed[:4])}")
    tried, noticed = sum(one.tried for one in every), sum(one.noticed for one in every)
    print(f"{title}: {noticed} of {tried} noticed, {perf_counter() - begun:.0f} s")


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=12)
    parser.add_argument("--places", type=int, default=5)
    parser.add_argument("--kinds", default="")
    parser.add_argument("--formats", default="")
    options = parser.parse_args()
    for title, formats in (("with walls", WITH_WALLS), ("without walls", WITHOUT_WALLS)):
        chosen = {name: one for name, one in formats.items() if options.formats in name}
        table(title, chosen, options.games, options.places, options.kinds)


if __name__ == "__main__":
    main()
