"""Big inputs: what they take in memory and time, and that nothing of them is lost.

    python bench/scale.py [--part PART] [--scale 1.0] [--jobs 2] [--folder DIR]

    files    100,000 logs of a hand each in 100 folders: verify, stats, import, and the import again
    archive  a tar that holds them, each gzipped: verify
    stream   the same logs, one after the other on standard input: verify, stats, import
    whole    100,000 whole games: verify, import, and what the dataset answers (only if it is asked for)

Everything is made of simulated games, all of which differ, in a temporary folder of DIR (it needs 3 GB there)
and taken away again. SCALE makes all of it smaller. Prints for each command the games it counted, seconds,
games a second, and the peak memory of the biggest of its processes; ends with status 1 if that is above
600 MiB or a game is missing.
"""

from __future__ import annotations

import argparse
import gzip
import io
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from processes import COMMAND, measured

HANDS_A_GAME = 8
"""The least that simulated games of two rounds have."""
MOST_MEMORY = 600


@dataclass
class Run:
    """Where things lie, how big they are to be, and what went wrong so far."""

    folder: Path
    scale: float
    jobs: int
    wrong: list[str] = field(default_factory=list)

    def many(self, number: int) -> int:
        """Scale a number."""
        return max(10, int(number * self.scale))

    def measure(
        self, title: str, arguments: list[str | Path], games: int | None, stdin: Iterable[bytes] = ()
    ) -> None:
        """Run a command that must count so many games, None for one that counts none; print what it took."""
        jobs = [] if arguments[0] == "sql" else ["--jobs", str(self.jobs)]
        cost = measured(*COMMAND, *arguments, *jobs, stdin=stdin)
        said = re.search(r"([\d,]+) games?[ ,]", cost.talk)
        counted = int(said[1].replace(",", "")) if said else 0
        print(
            f"{title:<34} {counted:>9,} games {cost.wall:>7.1f} s {counted / cost.wall:>8,.0f} games/s "
            f"{cost.peak:>5.0f} MiB  status {cost.status}",
            flush=True,
        )
        if (games is not None and counted != games) or cost.status not in (0, 1):
            self.wrong.append(f"{title}: {counted:,} games of {games}, {cost.status}: {cost.talk[-300:]}")
        if cost.peak > MOST_MEMORY:
            self.wrong.append(f"{title}: {cost.peak:.0f} MiB")


def simulated(run: Run, number: int) -> list[Path]:
    """Play games; return their logs."""
    folder = run.folder / "simulated"
    command = [*COMMAND, "simulate", "--games", str(number), "-o", str(folder), "--jobs", str(run.jobs)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return sorted(folder.iterdir())


def hands(run: Run, number: int) -> Iterator[bytes]:
    """Yield logs of one hand each: those of simulated games, without the seed of the wall."""
    left = number
    for path in simulated(run, 1 + number // HANDS_A_GAME):
        head, *played = re.split(b"(?=<INIT )", path.read_bytes().removesuffix(b"</mjloggm>"))
        head = re.sub(b"<SHUFFLE .*?/>", b"", head)
        yield from (head + hand + b"</mjloggm>" for hand in played[:left])
        left -= len(played[:left])


def files(run: Run) -> None:
    """Read 100,000 small files, a thousand in a folder."""
    number = run.many(100_000)
    logs, dataset = run.folder / "l", run.folder / "dataset"
    for index, text in enumerate(hands(run, number)):
        path = logs / f"{index // 1000:03}" / f"{index:06}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
    run.measure("files: verify", ["verify", logs], number)
    run.measure("files: stats", ["stats", logs, "--by", "player"], number)
    run.measure("files: import", ["import", logs, "-o", dataset], number)
    run.measure("files: import again", ["import", logs, "-o", dataset], 0)
    run.measure("files: stats of the dataset", ["stats", dataset], number)


def archive(run: Run) -> None:
    """Read a tar."""
    target, number = run.folder / "games.tar", run.many(100_000)
    with tarfile.open(target, "w") as tar:
        for index, text in enumerate(hands(run, number)):
            data = gzip.compress(text, 1)
            info = tarfile.TarInfo(f"{index:07}.mjlog.gz")
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    run.measure(f"archive of {target.stat().st_size / 1e6:.0f} MB: verify", ["verify", target], number)


def stream(run: Run) -> None:
    """Read standard input."""
    number = run.many(100_000)
    logs = list(hands(run, number))
    for part in (number // 10, number):
        run.measure(f"stream of {part:,}: verify", ["verify", "-"], part, logs[:part])
    run.measure(f"stream of {number:,}: stats", ["stats", "-"], number, logs)
    run.measure(f"stream of {number:,}: import", ["import", "-", "-o", run.folder / "streamed"], number, logs)


def whole(run: Run) -> None:
    """Verify and import whole games, and ask the dataset."""
    number, dataset = run.many(100_000), run.folder / "whole"
    logs = simulated(run, number)
    for part in (number // 10, number):
        run.measure(
            f"{part:,} games: verify", ["verify", "-"], part, (log.read_bytes() for log in logs[:part])
        )
    run.measure(
        f"{number:,} games: import", ["import", "-", "-o", dataset], number, map(Path.read_bytes, logs)
    )
    size = sum(path.stat().st_size for path in dataset.rglob("*") if path.is_file())
    print(f"dataset of {size / 1e6:.0f} MB, {size / number / 1000:.1f} kB a game", flush=True)
    run.measure("stats", ["stats", dataset], number)
    run.measure("stats by player", ["stats", dataset, "--by", "player"], number)
    for query in (
        "SELECT riichi_turn, count(*), avg(won::INT) FROM player_hands WHERE riichi_turn > 0 GROUP BY 1",
        "SELECT count(*), avg(points) FROM wins WHERE list_contains(yaku, 'pinfu')",
    ):
        run.measure(f"sql: {query[:27]}", ["sql", dataset, query], None)
    condition = "riichi_turn <= 8 AND wait = 'kanchan' AND NOT won"
    run.measure("find", ["find", dataset, "--where", condition], None)


PARTS: dict[str, Callable[[Run], None]] = {
    "files": files, "stream": stream, "archive": archive, "whole": whole,
}  # fmt: skip


def main() -> int:
    """Run the parts that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--part", choices=PARTS, action="append")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    wrong: list[str] = []
    for name in options.part or [name for name in PARTS if name != "whole"]:
        with tempfile.TemporaryDirectory(prefix="paifu-scale-", dir=options.folder) as folder:
            PARTS[name](Run(Path(folder).resolve(), options.scale, options.jobs, wrong))
    for text in wrong:
        print(f"wrong: {text}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
