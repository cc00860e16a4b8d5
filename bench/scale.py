"""Big inputs: what they take in memory and time, and that nothing of them is lost.

    python bench/scale.py [--part PART] [--scale 1.0] [--jobs 2] [--folder DIR]

    files    100,000 small logs in 100 folders: verify, stats, import, and the import again
    paths    the same logs, each named on the command line
    archive  one tar of 2 GB that holds some 210,000 gzipped games: verify
    stream   one game 1,000,000 times on standard input: verify, stats, import
    deep     900 folders within each other
    whole    1,000,000 whole games: verify, import, and what the dataset answers (only if it is asked for)

Everything is made of the sample logs in a temporary folder of DIR (it needs 3 GB there) and taken away again.
SCALE makes all of it smaller. Prints for each command the games it counted, seconds, games a second, and the
peak memory of the biggest of its processes; ends with status 1 if that is above 600 MiB or a game is missing.
"""

from __future__ import annotations

import argparse
import gzip
import io
import os
import re
import resource
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

SAMPLES = Path(__file__).resolve().parents[1] / "sample_logs"
SMALL = SAMPLES / "scenarios" / "menzen-tsumo.mjlog"
MOST_MEMORY = 600
MEASURE = """
import resource, subprocess, sys
status = subprocess.call(sys.argv[2:])
with open(sys.argv[1], "w") as file:
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=file)
sys.exit(status)
"""
"""Stands between, for a process begins with the peak of the one that started it."""


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
        self, title: str, arguments: Iterable[str | Path], games: int | None, stdin: Iterable[bytes] = ()
    ) -> None:
        """Run a command that must count so many games, None for one that counts none; print what it took."""
        command = [sys.executable, "-m", "paifu.cli", *map(str, arguments)]
        if arguments and next(iter(arguments)) != "sql":
            command += ["--jobs", str(self.jobs)]
        peak, out, err = (self.folder / name for name in ("peak", "out", "err"))
        begun = perf_counter()
        with out.open("wb") as out_file, err.open("wb") as err_file:
            process = subprocess.Popen(
                [sys.executable, "-c", MEASURE, str(peak), *command],
                stdin=subprocess.PIPE,
                stdout=out_file,
                stderr=err_file,
            )
            assert process.stdin is not None  # noqa: S101  it is piped
            for chunk in stdin:
                process.stdin.write(chunk)
            process.stdin.close()
            status = process.wait()
        seconds = perf_counter() - begun
        memory = int(peak.read_text()) // (1024 if sys.platform != "darwin" else 1 << 20)
        talk = err.read_text("utf-8", "replace")
        counted = sum(int(number.replace(",", "")) for number in re.findall(r"([\d,]+) games?[ ,]", talk)[:1])
        print(
            f"{title:<34} {counted:>9,} games {seconds:>7.1f} s {counted / seconds:>8,.0f} games/s "
            f"{memory:>5} MiB  status {status}",
            flush=True,
        )
        if (games is not None and counted != games) or status not in (0, 1):
            self.wrong.append(f"{title}: {counted:,} games of {games:,}, status {status}: {talk[-300:]}")
        if memory > MOST_MEMORY:
            self.wrong.append(f"{title}: {memory} MiB")


def numbered(number: int) -> bytes:
    """Give the small log another lobby, so that no two are the same."""
    return re.sub(rb'lobby="\d*"', b'lobby="%d"' % number, SMALL.read_bytes(), count=1)


def small_logs(run: Run, number: int) -> list[str]:
    """Make small logs, in folders of a thousand; returns their paths below the working folder."""
    paths = []
    text = SMALL.read_bytes()
    for index in range(number):
        path = run.folder / "l" / f"{index // 1000:03}" / f"{index:06}"
        if index % 1000 == 0:
            path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(re.sub(rb'lobby="\d*"', b'lobby="%d"' % index, text, count=1))
        paths.append(f"l/{index // 1000:03}/{index:06}")
    return paths


def files(run: Run) -> None:
    """Read 100,000 small files."""
    number = run.many(100_000)
    small_logs(run, number)
    logs, dataset = run.folder / "l", run.folder / "dataset"
    run.measure("files: verify", ["verify", logs], number)
    run.measure("files: stats", ["stats", logs, "--by", "player"], number)
    run.measure("files: import", ["import", logs, "-o", dataset], number)
    run.measure("files: import again", ["import", logs, "-o", dataset], 0)
    run.measure("files: stats of the dataset", ["stats", dataset], number)


def paths(run: Run) -> None:
    """Name 100,000 files, as far as the system takes so long a command."""
    number = min(run.many(100_000), os.sysconf("SC_ARG_MAX") // 28)
    names = small_logs(run, number)
    os.chdir(run.folder)
    run.measure(f"paths: verify {number:,} names", ["verify", *names], number)


def archive(run: Run) -> None:
    """Read a tar of 2 GB."""
    target, size, number = run.folder / "games.tar", run.many(2_000_000_000), 0
    logs = [gzip.decompress(path.read_bytes()) for path in sorted((SAMPLES / "games").glob("hanchan-4p*"))]
    packed = [gzip.compress(log, 1) for log in logs]
    with tarfile.open(target, "w") as tar:
        while tar.offset < size:
            data = packed[number % len(packed)]
            info = tarfile.TarInfo(f"{number:07}.mjlog.gz")
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
            number += 1
    run.measure(f"archive of {target.stat().st_size / 1e9:.2f} GB: verify", ["verify", target], number)
    target.unlink()


def stream(run: Run) -> None:
    """Read one game again and again."""
    number, text = run.many(1_000_000), SMALL.read_bytes()

    def chunks(games: int) -> Iterator[bytes]:
        yield from (text * min(1000, games - first) for first in range(0, games, 1000))

    print(f"a game of {len(text):,} bytes")
    for part in (number // 10, number):
        run.measure(f"stream of {part:,}: verify", ["verify", "-"], part, chunks(part))
    run.measure(f"stream of {number:,}: stats", ["stats", "-"], number, chunks(number))
    different = run.many(100_000)
    run.measure(
        f"stream of {different:,} games: import",
        ["import", "-", "-o", run.folder / "streamed"],
        different,
        map(numbered, range(different)),
    )


def whole(run: Run) -> None:
    """Verify and import whole games, and ask the dataset."""
    number, dataset = run.many(1_000_000), run.folder / "whole"
    logs = [gzip.decompress(path.read_bytes()) for path in sorted((SAMPLES / "games").glob("hanchan-4p*"))]

    def games(number: int) -> Iterator[bytes]:
        for index in range(number):
            yield re.sub(rb'lobby="\d*"', b'lobby="%d"' % index, logs[index % len(logs)], count=1)

    for part in (number // 10, number):
        run.measure(f"{part:,} games: verify", ["verify", "-"], part, games(part))
    run.measure(f"{number:,} games: import", ["import", "-", "-o", dataset], number, games(number))
    size = sum(path.stat().st_size for path in dataset.rglob("*") if path.is_file())
    print(f"dataset of {size / 1e9:.2f} GB, {size / number / 1000:.1f} kB a game", flush=True)
    run.measure("stats", ["stats", dataset], number)
    run.measure("stats by player", ["stats", dataset, "--by", "player"], number)
    for query in (
        "SELECT riichi_turn, count(*), avg(won::INT) FROM player_hands WHERE riichi_turn > 0 GROUP BY 1",
        "SELECT count(*), avg(points) FROM wins WHERE list_contains(yaku, 'pinfu')",
    ):
        run.measure(f"sql: {query[:27]}", ["sql", dataset, query], None)
    condition = "riichi_turn <= 8 AND wait = 'kanchan' AND NOT won"
    run.measure("find", ["find", dataset, "--where", condition], None)


def deep(run: Run) -> None:
    """Look into folders within folders."""
    here = run.folder / "deep"
    number = 0
    for number in range(1, run.many(900) + 1):
        here = here / "d"
        try:
            here.mkdir(parents=True)
        except OSError:  # the path is as long as one may be
            number -= 1
            break
        if len(str(here)) < 4000:
            (here / "log").write_bytes(numbered(number))
    found = sum(1 for _ in (run.folder / "deep").rglob("log"))
    run.measure(f"deep: {number:,} folders: verify", ["verify", run.folder / "deep"], found)


PARTS: dict[str, Callable[[Run], None]] = {
    "files": files, "paths": paths, "deep": deep, "stream": stream, "archive": archive,
    "whole": whole,
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
        folder = Path(tempfile.mkdtemp(prefix="paifu-scale-", dir=options.folder)).resolve()
        here = Path.cwd()
        try:
            run = Run(folder, options.scale, options.jobs, wrong)
            PARTS[name](run)
        finally:
            os.chdir(here)
            shutil.rmtree(folder)
    for text in wrong:
        print(f"wrong: {text}")
    return 1 if wrong else 0


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.exit(main())
