"""What the report of one player takes among the games of others, and how much of that is reading.

    python bench/own_games.py LOGS [--games 2000] [--every 5]

LOGS is a folder of mjlog games. They are copied under other names into a temporary folder, until there are
GAMES of them; one player sits in each EVERYth. Then the same files are, in this process and after each other,

    read        into batches
    replayed    with the review, which counts what is said of everybody
    own         gathered for the page of that player: decisions are judged in the player's games only
    all         gathered with the decisions of all games judged, which the page needs where nothing ships to
                compare the player with

Prints seconds of the processor, games a second, and ratios; ends with status 1 if what is gathered of the
player differs between the last two.
"""

from __future__ import annotations

import argparse
import gzip
import re
import sys
import tempfile
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path
from time import process_time

from paifu.api.pipeline import reading, replaying
from paifu.api.report import gather_all, gather_for_page
from paifu.parsers.read import Inputs
from paifu.replay.table.replayed import Replay
from paifu.reports.pages.report import wanted

PLAYER = "The player"
_GZIP = b"\x1f\x8b"


def copies(logs: Path, folder: Path, number: int, every: int) -> None:
    """Write games under other names; the player takes a seat in each ``every``th."""
    texts = [path.read_bytes() for path in sorted(logs.rglob("*.mjlog"))]
    texts = [gzip.decompress(text) if text[:2] == _GZIP else text for text in texts]
    texts = [text for text in texts if b"<UN " in text]
    if not texts:
        sys.exit(f"{logs}: there are no games as XML")
    for index, text in enumerate(islice(cycle(texts), number)):
        head, mark, rest = text.partition(b"<UN ")
        names, end, tail = rest.partition(b"/>")

        def renamed(found: re.Match[bytes], index: int = index) -> bytes:
            if found[1] == b"0" and index % every == 0:
                return b'n0="%s"' % PLAYER.encode()
            return b'n%s="%s%d"' % (found[1], found[2], index // len(texts))

        names = re.sub(rb'n(\d)="([^"]+)"', renamed, names)
        (folder / f"{index:06}.mjlog").write_bytes(head + mark + names + end + tail)


def nothing(_replayed: Replay, _inputs: Inputs) -> None:
    """Keep nothing of a replay."""


def timed(title: str, work: Callable[[], object], games: int, base: float) -> tuple[float, object]:
    """Do some work and print what it took."""
    begun = process_time()
    made = work()
    seconds = process_time() - begun
    ratio = f"{seconds / base:>6.1f} x reading" if base else ""
    print(f"{title:<10}{seconds:>7.2f} s{games / seconds:>8,.0f} games/s{ratio}", flush=True)
    return seconds, made


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("logs", type=Path)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--every", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copies(options.logs, folder, options.games, options.every)
        asked, number = wanted(PLAYER), options.games
        few = [next(folder.iterdir())]
        gather_all(few, asked)
        base, _ = timed("read", lambda: sum(1 for _ in reading(folder)), number, 0)
        timed("replayed", lambda: list(replaying(folder, nothing, review=True)), number, base)
        _, own = timed("own", lambda: gather_for_page(folder, asked, has_reference=True), number, base)
        _, every = timed("all", lambda: gather_all(folder, asked), number, base)
    return int(own.gathered.mistakes != every.gathered.mistakes)  # type: ignore[attr-defined]


if __name__ == "__main__":
    sys.exit(main())
