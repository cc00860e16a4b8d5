"""Cost of ``paifu verify``, from gzip bytes to findings, beside its peers, in one run.

    python bench/verify.py [FOLDER] [--jobs 4] [--peer-games 400]

FOLDER holds gzipped mjlog files; of them the complete 4-player east-south games count. Every figure of
paifu is of whole processes: the cost of a game is what all games take longer than a tenth of them, divided
by how many more they are; the rest is the start. No game is there twice: paifu would read it again. gunzip,
lxml, the stages of paifu, and reading the same games in the other formats that paifu writes run in this
process. Compare the ratios: machines and processors differ.
"""

from __future__ import annotations

import argparse
import gzip
import shutil
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import patch

from lxml import etree
from processes import COMMAND, Cost, measured

from paifu.api import verify
from paifu.parsers import read
from paifu.parsers.read import iter_items, iter_units, read_unit
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.parsers.writers import WRITERS
from paifu.replay.findings.finding import Selection
from paifu.replay.model.builder import BatchBuilder
from paifu.replay.table import engine

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "logs" / "mjlog"
VERIFY = (*COMMAND, "verify", "--format", "jsonl")
HANCHAN_BIT, THREE_PLAYERS_BIT = 0x08, 0x10
STAGES: dict[str, list[tuple[Any, str]]] = {
    "gunzip": [(read, "open_document")],
    "read": [(read, "_read_document")],
    "build": [(BatchBuilder, "finish")],
    "wall": [(engine, "walls_of"), (engine, "check_walls")],
    "replay": [(engine, "replay_hands")],
    "progress": [(engine, "check_progress"), (engine, "check_stated"), (engine, "Ledger")],
    "output": [(verify, "_verified")],
}
"""Functions by stage. What one takes does not count for the stage that calls it."""
OTHER = "other"


def complete_hanchan(folder: Path) -> list[Document]:
    """Return the documents under ``folder`` that hold one complete 4-player east-south game each."""
    return [item for item in iter_items([folder]) if isinstance(item, Document) and _is_wanted(item)]


def _is_wanted(document: Document) -> bool:
    games = read_unit([document]).games
    if len(games) != 1 or games.is_cut[0] or document.data[:2] != b"\x1f\x8b":
        return False
    go_type = int(games.go_type[0])
    return bool(go_type & HANCHAN_BIT) and not go_type & THREE_PLAYERS_BIT


def lay_out(documents: list[Document], folder: Path) -> None:
    """Write the logs, the first tenth of them into ``folder/tenth``, the others into ``folder/others``."""
    for number, document in enumerate(documents):
        path = folder / ("tenth" if number < len(documents) // 10 else "others") / f"{number:06d}.mjlog"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(document.data)


def milliseconds(work: Callable[[Any], object], items: Iterable[Any], games: int) -> float:
    """Return CPU milliseconds a game of working all items off, the best of three."""
    items, times = list(items), []
    for _ in range(3):
        start = time.process_time()
        for item in items:
            work(item)
        times.append(time.process_time() - start)
    return 1000 * min(times) / games


class _Clock:
    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._inner: list[float] = []

    def timed(self, stage: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any, **kwargs: Any) -> Any:
            start = time.process_time()
            self._inner.append(0.0)
            try:
                return work(*args, **kwargs)
            finally:
                took = time.process_time() - start
                self.seconds[stage] += took - self._inner.pop()
                if self._inner:
                    self._inner[-1] += took

        return run


def by_stage(documents: Sequence[Document], rounds: int = 3) -> dict[str, float]:
    """Return CPU milliseconds a game by stage, of the best of some rounds."""
    units = list(iter_units(documents))
    best: Mapping[str, float] = {}
    for _ in range(rounds):
        clock = _Clock()
        with ExitStack() as stack:
            for stage, functions in STAGES.items():
                for owner, name in functions:
                    stack.enter_context(patch.object(owner, name, clock.timed(stage, getattr(owner, name))))
            work = clock.timed(OTHER, _verify)
            for unit in units:
                work(unit)
        if not best or sum(clock.seconds.values()) < sum(best.values()):
            best = clock.seconds
    return {stage: 1000 * best[stage] / len(documents) for stage in (*STAGES, OTHER)}


def _verify(unit: list[Any]) -> None:
    batch, inputs = read.read_inputs(unit)
    verify._verified(Selection(), False, engine.replay(batch, player_hands=False), inputs)


def by_format(documents: list[Document], games: int) -> dict[str, float]:
    """Return CPU milliseconds a game of reading the same games in each other format that paifu writes."""
    batches, found = [read_unit([document]) for document in documents], {}
    for name, writer in WRITERS.items():
        if writer.format is not Format.MJLOG:
            texts = (b"".join(writer.games(batch)) for batch in batches)
            others = [
                Document(document.location, text, writer.format)
                for document, text in zip(documents, texts, strict=True)
            ]
            found[f"our parse of {name}"] = milliseconds(read_unit, iter_units(others), games)
    return found


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
        peer: dict[str, float] = {}
        if validate := shutil.which("jansou-validate"):
            part = min(options.peer_games, games) // 2
            paths = sorted(logs.glob("*/*.mjlog"))
            half = measured(validate, "-q", "-j", "1", *paths[:part])
            whole = measured(validate, "-q", "-j", "1", *paths[: 2 * part])
            peer = {"jansou-validate": 1000 * (whole.cpu - half.cpu) / part}
    ours, start = _per_game(small, big, games)
    compressed = [document.data for document in documents]
    tree = milliseconds(etree.fromstring, map(gzip.decompress, compressed), games)
    rows = {
        "gunzip": milliseconds(gzip.decompress, compressed, games),
        "lxml tree": tree,
        "our parse, gunzip included": milliseconds(read_unit, iter_units(documents), games),
        **by_format(documents, games),
        "paifu verify": ours,
        **peer,
    }
    stages = by_stage(documents)
    print(f"{'':28}{'CPU ms a game':>15}{'x lxml tree':>13}{'x paifu verify':>16}")
    for name, cost in rows.items():
        print(f"{name:28}{cost:15.3f}{cost / tree:13.2f}{cost / ours:16.2f}")
    print("\nof paifu verify, inside one process:")
    for name, cost in {**stages, "together": sum(stages.values())}.items():
        print(f"  {name:26}{cost:15.3f}{cost / tree:13.2f}{cost / ours:16.2f}")
    print(f"\n{'start':28}{start:15.2f} s")
    print(f"{'one log':28}{little.wall:15.2f} s")
    print(f"{'--jobs 1, all games':28}{big.wall:15.1f} s")
    print(f"{f'--jobs {options.jobs}, all games':28}{shared.wall:15.1f} s", end="")
    print(f"   {big.wall / shared.wall:.2f} times as fast, {shared.cpu / big.cpu:.2f} times the CPU time")
    print(f"{'peak memory':28}{small.peak:15.0f} MiB of a tenth of the games, {big.peak:.0f} MiB of all,")
    print(f"{'':43} each of {options.jobs} workers {shared.peak:.0f} MiB at most")


def _per_game(small: Cost, big: Cost, games: int) -> tuple[float, float]:
    """Return CPU milliseconds a game beyond the start, and seconds of the start."""
    part = games // 10
    each = (big.cpu - small.cpu) / (games - part)
    return 1000 * each, small.cpu - part * each


if __name__ == "__main__":
    main()
