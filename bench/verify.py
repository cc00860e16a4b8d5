"""Cost of ``paifu verify``, from gzip bytes to findings, beside its peers, in one run.

    python bench/verify.py [FOLDER] [--copies 10] [--jobs 4] [--peer-games 400]

FOLDER holds gzipped mjlog files; of them the complete 4-player east-south games count. Every figure of
paifu is of whole processes: the cost of a game is what ``--copies`` times as many games take longer,
divided by how many more they are; the rest is the start. gunzip, lxml and the stages of paifu run in this
process. Compare the ratios: machines are noisy, and processors differ.
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


def lay_out(documents: list[Document], folder: Path, copies: int) -> None:
    """Write the logs into ``folder/0``, and link them into as many more folders as there are copies."""
    for copy in range(copies):
        (folder / str(copy)).mkdir(parents=True)
        for number, document in enumerate(documents):
            path = folder / str(copy) / f"{number:06d}.mjlog"
            if copy == 0:
                path.write_bytes(document.data)
            else:
                path.hardlink_to(folder / "0" / path.name)


def milliseconds(work: Callable[[], object], games: int) -> float:
    """CPU milliseconds a game, the best of three."""
    times = []
    for _ in range(3):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return 1000 * min(times) / games


def per_game(small: Cost, big: Cost, games: int, copies: int) -> tuple[float, float]:
    """CPU milliseconds a game beyond the start, and seconds of the start."""
    each = (big.cpu - small.cpu) / (games * (copies - 1))
    return 1000 * each, small.cpu - games * each


def consume(items: Iterable[object]) -> None:
    """Work items off and keep none."""
    for _ in items:
        pass


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=CORPUS)
    parser.add_argument("--copies", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--peer-games", type=int, default=400)
    options = parser.parse_args()
    documents = complete_hanchan(options.folder)
    if not documents:
        raise SystemExit(f"no complete 4-player hanchan, gzipped mjlog, under {options.folder}")
    games, copies = len(documents), options.copies
    with tempfile.TemporaryDirectory() as scratch:
        logs = Path(scratch) / "logs"
        lay_out(documents, logs, copies)
        once, many = logs / "0", logs
        print(f"{games} complete 4-player hanchan, and {copies} times as many\n")

        little = measured(*VERIFY, once / "000000.mjlog")
        small = measured(*VERIFY, "--jobs", "1", once)
        big = measured(*VERIFY, "--jobs", "1", many)
        shared = measured(*VERIFY, "--jobs", str(options.jobs), many)
        ours, start = per_game(small, big, games, copies)

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
            part = min(options.peer_games, games // 2)
            for name, last in (("half", part // 2), ("whole", part)):
                (logs / name).mkdir()
                for number in range(last):
                    (logs / name / f"{number:06d}.mjlog").hardlink_to(once / f"{number:06d}.mjlog")
            half, whole = (measured(validate, "-q", "-j", "1", logs / n / "*") for n in ("half", "whole"))
            rows["jansou-validate"] = 1000 * (whole.cpu - half.cpu) / (part - part // 2)
        print(f"{'':28}{'CPU ms a game':>15}{'x lxml tree':>13}{'x paifu verify':>16}")
        for name, cost in rows.items():
            print(f"{name:28}{cost:15.3f}{cost / rows['lxml tree']:13.2f}{cost / ours:16.2f}")
        print("\nof paifu verify, inside one process:")
        for name, cost in {**stages, "together": sum(stages.values())}.items():
            print(f"  {name:26}{cost:15.3f}{cost / rows['lxml tree']:13.2f}{cost / ours:16.2f}")
        print(f"\n{'start':28}{start:15.2f} s")
        print(f"{'one log':28}{little.wall:15.2f} s")
        print(f"{'--jobs 1, all copies':28}{big.wall:15.1f} s")
        print(f"{f'--jobs {options.jobs}, all copies':28}{shared.wall:15.1f} s", end="")
        print(f"   {big.wall / shared.wall:.2f} times as fast, {shared.cpu / big.cpu:.2f} times the CPU time")
        print(
            f"{'peak memory':28}{small.peak:15.0f} MiB, of {copies} times as many games {big.peak:.0f} MiB,"
        )
        print(f"{'':43} each of {options.jobs} workers {shared.peak:.0f} MiB at most")


if __name__ == "__main__":
    main()
