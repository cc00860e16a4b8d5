"""What an installation costs, and how soon it answers: everything about the build, in one run.

    python bench/install.py [--python PYTHON] [--verify]

Clones this repository, installs the clone into an empty environment as a user would, and prints: seconds of
the installation, MiB installed and the largest packages, the wheel and the library in it, seconds of
``paifu verify`` on one log, those of the first report with an empty home folder, and of the second.
``--verify`` adds what ``bench/verify.py`` prints. Compare the ratios: machines are noisy.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
REPORTS = 3
"""Turns, each with an empty home folder and a report with it and another one."""


def timed(*command: str | Path, home: Path | None = None) -> float:
    """Seconds that a command takes; it must succeed."""
    environment = os.environ | (
        {} if home is None else {"HOME": str(home), "XDG_CACHE_HOME": str(home / "cache")}
    )
    begun = time.monotonic()
    subprocess.run(list(map(str, command)), check=True, capture_output=True, env=environment)
    return time.monotonic() - begun


def mebibytes(path: Path) -> float:
    """Size of a file, or of all files below a folder."""
    files = [path] if path.is_file() else [each for each in path.rglob("*") if each.is_file()]
    return sum(each.stat().st_size for each in files) / 2**20


def main() -> None:
    """Print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--verify", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        clone, place = Path(scratch) / "clone", Path(scratch) / "venv"
        timed("git", "clone", "--quiet", ROOT, clone)
        timed(options.python, "-m", "venv", place)
        python, paifu = place / "bin" / "python", place / "bin" / "paifu"
        print(f"{'pip install of a clone':44}{timed(python, '-m', 'pip', 'install', clone):8.1f} s")
        timed(python, "-m", "pip", "wheel", "--no-deps", "-w", scratch, clone)
        (wheel,) = Path(scratch).glob("*.whl")
        print(f"{wheel.name:44}{mebibytes(wheel):8.1f} MiB")
        for name in (name for name in zipfile.ZipFile(wheel).namelist() if name.endswith("native.bin")):
            print(f"{name:44}{zipfile.ZipFile(wheel).getinfo(name).file_size / 2**20:8.1f} MiB")
        (packages,) = place.glob("lib/python*/site-packages")
        sizes = {each.name: mebibytes(each) for each in packages.iterdir()}
        tools = sum(size for name, size in sizes.items() if name.startswith(("pip", "setuptools")))
        print(f"{'installed, without pip and setuptools':44}{sum(sizes.values()) - tools:8.0f} MiB")
        for name, size in sorted(sizes.items(), key=lambda item: -item[1])[:12]:
            print(f"    {name:40}{size:8.1f} MiB")
        samples = clone / "sample_logs"
        log = samples / "games" / "hanchan-4p-01.mjlog.gz"
        verify = [timed(paifu, "verify", log, home=Path(scratch) / f"home-{turn}") for turn in range(5)]
        print(f"{'verify of one log: first, best of five':44}{verify[0]:8.2f} s {min(verify):8.2f} s")
        firsts, seconds = [], []
        for turn in range(REPORTS):
            home = Path(scratch) / f"reports-{turn}"
            home.mkdir()
            report = (paifu, "report", samples / "games", "-o", home / "report.html")
            firsts.append(timed(*report, home=home))
            seconds.append(timed(*report, home=home))
        print(f"{'first report with an empty home, best':44}{min(firsts):8.2f} s")
        print(f"{'second one, best':44}{min(seconds):8.2f} s   ratio {min(firsts) / min(seconds):.2f}")
    if options.verify:
        subprocess.run([sys.executable, str(ROOT / "bench" / "verify.py")], check=True)


if __name__ == "__main__":
    main()
