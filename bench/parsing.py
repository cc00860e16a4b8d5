"""Cost of reading: gunzip, lxml's bare tree, and our whole parse to a Batch, side by side in one run.

    python bench/parsing.py [FOLDER] [--rounds 9]

FOLDER holds mjlog files; of them the complete 4-player east-south games count. The same games are also parsed
in the other formats that paifu writes. Times are CPU milliseconds a game; machines are noisy, so the tasks
take turns and the ratios are medians over rounds.
"""

from __future__ import annotations

import argparse
import gzip
import statistics
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from lxml import etree

from paifu.parsers.read import iter_items, iter_units, read_unit
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.parsers.writers import WRITERS

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT.parent / "shared" / "logs" / "mjlog"
PART = 200
"""Games that each task is given in its turn: about as many as a unit holds."""
HANCHAN_BIT, THREE_PLAYERS_BIT = 0x08, 0x10


def complete_hanchan(folder: Path) -> list[Document]:
    """Documents under ``folder`` that hold one complete 4-player east-south game each."""
    return [item for item in iter_items([folder]) if isinstance(item, Document) and _is_wanted(item)]


def _is_wanted(document: Document) -> bool:
    games = read_unit([document]).games
    if len(games) != 1 or games.is_cut[0] or document.data[:2] != b"\x1f\x8b":
        return False
    go_type = int(games.go_type[0])
    return bool(go_type & HANCHAN_BIT) and not go_type & THREE_PLAYERS_BIT


def _each(work: Callable[[Any], object], items: Iterable[Any]) -> None:
    """Work each item off, and keep nothing."""
    for item in items:
        work(item)


def rewritten(documents: list[Document], name: str, fmt: Format) -> list[Document]:
    """The same games in another format."""
    batches = (read_unit([document]) for document in documents)
    return [
        Document(document.location, b"".join(WRITERS[name].games(batch)), fmt)
        for document, batch in zip(documents, batches, strict=True)
    ]


_OTHERS = {name: writer.format for name, writer in WRITERS.items() if writer.format is not Format.MJLOG}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=CORPUS)
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    documents = complete_hanchan(options.folder)
    if not documents:
        raise SystemExit(f"no complete 4-player hanchan, gzipped mjlog, under {options.folder}")
    texts = [gzip.decompress(document.data) for document in documents]
    plain = [Document(d.location, text, d.format) for d, text in zip(documents, texts, strict=True)]
    tasks: dict[str, Callable[[slice], None]] = {
        "gunzip": lambda part: _each(gzip.decompress, [d.data for d in documents[part]]),
        "lxml tree": lambda part: _each(etree.fromstring, texts[part]),
        "our parse of plain XML": lambda part: _each(read_unit, iter_units(plain[part])),
        "our parse, gunzip included": lambda part: _each(read_unit, iter_units(documents[part])),
    }
    for name, fmt in _OTHERS.items():
        other = rewritten(documents, name, fmt)
        tasks[f"our parse of {name}"] = lambda part, other=other: _each(read_unit, iter_units(other[part]))  # type: ignore[misc]
    seconds: dict[str, list[float]] = {name: [0.0] * (options.rounds + 1) for name in tasks}
    for turn in range(options.rounds + 1):
        for begin in range(0, len(documents), PART):
            for name, task in tasks.items():
                start = time.process_time()
                task(slice(begin, begin + PART))
                seconds[name][turn] += time.process_time() - start
    size = sum(map(len, texts)) / len(texts) / 1000
    print(f"{len(documents)} complete 4-player hanchan, {size:.1f} kB of XML each, {options.rounds} rounds\n")
    print(f"{'':28}{'ms a game':>10}{'x lxml tree':>13}")
    for name, times in seconds.items():
        best = 1000 * min(times[1:]) / len(documents)  # the first round warms up
        ratio = statistics.median(a / b for a, b in zip(times[1:], seconds["lxml tree"][1:], strict=True))
        print(f"{name:28}{best:10.3f}{ratio:13.2f}")


if __name__ == "__main__":
    main()
