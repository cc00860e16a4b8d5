"""How soon commands answer, with an empty cache of compiled kernels and with a full one.

    python bench/first_use.py [FOLDER] [--games 1 25 400 4000] [--commands verify review report]

FOLDER holds mjlog files; they are repeated where there are fewer than asked for. Each figure is of a process
with its workers: seconds until it ends, seconds of processor time (without what compilers go on to do
afterwards), and MiB of its biggest process.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from pathlib import Path

from parsing import CORPUS
from processes import COMMAND, Cost, measured

ARGUMENTS = {
    "verify": ("verify",),
    "review": ("review", "--format", "jsonl"),
    "stats": ("stats",),
    "report": ("report",),
}
PARTS = {"verify": "engine"}


def folder_of(logs: list[Path], games: int, scratch: Path) -> Path:
    """Make a folder of so many logs."""
    folder = scratch / str(games)
    if not folder.exists():
        folder.mkdir()
        for number in range(games):
            shutil.copy(logs[number % len(logs)], folder / f"{number:06d}{logs[number % len(logs)].suffix}")
    return folder


def compiled(cache: Path, part: str, patience: float = 300) -> None:
    """Wait until compilers that a run left behind are done."""
    end = time.monotonic() + patience
    while time.monotonic() < end and any(cache.glob("*/*.lock")):
        if all(next(cache.glob(f"*/{name}-is-compiled"), None) for name in (part, "reading")):
            return
        time.sleep(0.5)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=CORPUS)
    parser.add_argument("--games", type=int, nargs="+", default=[1, 25, 400, 4000])
    parser.add_argument("--commands", nargs="+", default=["verify", "review", "report"], choices=ARGUMENTS)
    options = parser.parse_args()
    logs = sorted(path for path in options.folder.rglob("*") if path.is_file())
    print(f"{'':16}{'cold':>28}{'warm':>28}")
    print(f"{'command':8}{'games':>8}" + 2 * f"{'seconds':>10}{'CPU':>9}{'MiB':>9}")
    with tempfile.TemporaryDirectory() as scratch:
        for command in options.commands:
            part = PARTS.get(command, "review")
            for games in options.games:
                folder = folder_of(logs, games, Path(scratch))
                cache = Path(scratch) / f"cache-{command}-{games}"
                arguments = [*ARGUMENTS[command], str(folder)]
                if command == "report":
                    arguments += ["-o", str(Path(scratch) / "report.html")]
                costs: list[Cost] = []
                for _ in range(2):
                    costs.append(measured(*COMMAND, *arguments, PAIFU_CACHE_DIR=cache))
                    compiled(cache, part)
                line = "".join(f"{cost.wall:10.1f}{cost.cpu:9.1f}{cost.peak:9.0f}" for cost in costs)
                print(f"{command:8}{games:8}{line}", flush=True)


if __name__ == "__main__":
    main()
