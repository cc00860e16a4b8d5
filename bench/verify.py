"""Cost of ``paifu verify``, from gzip bytes to findings, beside its peers, in one run.

    python bench/verify.py [FOLDER] [--jobs 4] [--peer-games 400]

FOLDER holds gzipped mjlog files; of them the complete 4-player east-south games count. Every figure of
paifu is of whole processes: the cost of a game is what all games take longer than a tenth of them, divided
by how many more they are; the rest is the start. No game is there twice: paifu would read it again. gunzip,
lxml and the stages of paifu run in this process. Compare the ratios: machines and processors differ.
"""

from __future__ import annotations

import argparse
import gzip
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from lxml import etree
from parsing import CORPUS, complete_hanchan
from processes import COMMAND, Cost, measured
from stages import by_stage

from paifu.parsers.read import iter_units, read_unit
from paifu.parsers.sources.documents import Document

VERIFY = (*COMMAND, "verify", "--format", "jsonl")


def lay_out(documents: list[Document], folder: Path) -> None:
    """Write the logs, the first tenth of them into ``folder/tenth``, the others into ``folder/others``."""
    for number, document in enumerate(documents):
        path = folder / ("tenth" if number < len(documents) // 10 else "others") / f"{number:06d}.mjlog"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(document.data)


def milliseconds(work: Callable[[], object], games: int) -> float:
    """CPU milliseconds a game, the best of three."""
    times = []
    for _ in range(3):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return 1000 * min(times) / games


def per_game(small: Cost, big: Cost, games: int) -> tuple[float, float]:
    """CPU milliseconds a game beyond the start, and seconds of the start."""
    part = games // 10
    each = (big.cpu - small.cpu) / (games - part)
    return 1000 * each, small.cpu - part * each


def consume(items: Iterable[object]) -> None:
    """Work items off and keep none."""
    for _ in items:
        pass


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=CORPUS)
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--peer-games", type=int, default=400)
    options = parser.parse_args()
    documents = complete_hanchan(options.folder)
    if not documents:
        raise SystemExit(f"no complete 4-player hanchan, gzipped mjlog, under {options.folder}")
    games = len(documents)
    with tempfile.TemporaryDirectory() as scratch:
        logs = Path(scratch) / "logs"
        lay_out(documents, logs)
        print(f"{games} complete 4-player hanchan\n")

        little = measured(*VERIFY, logs / "tenth" / "000000.mjlog")
        small = measured(*VERIFY, "--jobs", "1", logs / "tenth")
        big = measured(*VERIFY, "--jobs", "1", logs)
        shared = measured(*VERIFY, "--jobs", str(options.jobs), logs)
        ours, start = per_game(small, big, games)

        stages = by_stage(documents)
        texts = [gzip.decompress(document.data) for document in documents]
        rows = {
            "gunzip": milliseconds(lambda: consume(map(gzip.decompress, [d.data for d in documents])), games),
            "lxml tree": milliseconds(lambda: consume(map(etree.fromstring, texts)), games),
            "our parse, gunzip included": milliseconds(
                lambda: consume(map(read_unit, iter_units(documents))), games
            ),
            "paifu verify": ours,
        }
        if validate := shutil.which("jansou-validate"):
            part = min(options.peer_games, games) // 2
            paths = sorted(logs.glob("*/*.mjlog"))
            half = measured(validate, "-q", "-j", "1", *paths[:part])
            whole = measured(validate, "-q", "-j", "1", *paths[: 2 * part])
            rows["jansou-validate"] = 1000 * (whole.cpu - half.cpu) / part
        print(f"{'':28}{'CPU ms a game':>15}{'x lxml tree':>13}{'x paifu verify':>16}")
        for name, cost in rows.items():
            print(f"{name:28}{cost:15.3f}{cost / rows['lxml tree']:13.2f}{cost / ours:16.2f}")
        print("\nof paifu verify, inside one process:")
        for name, cost in {**stages, "together": sum(stages.values())}.items():
            print(f"  {name:26}{cost:15.3f}{cost / rows['lxml tree']:13.2f}{cost / ours:16.2f}")
        print(f"\n{'start':28}{start:15.2f} s")
        print(f"{'one log':28}{little.wall:15.2f} s")
        print(f"{'--jobs 1, all games':28}{big.wall:15.1f} s")
        print(f"{f'--jobs {options.jobs}, all games':28}{shared.wall:15.1f} s", end="")
        print(f"   {big.wall / shared.wall:.2f} times as fast, {shared.cpu / big.cpu:.2f} times the CPU time")
        print(f"{'peak memory':28}{small.peak:15.0f} MiB of a tenth of the games, {big.peak:.0f} MiB of all,")
        print(f"{'':43} each of {options.jobs} workers {shared.peak:.0f} MiB at most")


if __name__ == "__main__":
    main()
