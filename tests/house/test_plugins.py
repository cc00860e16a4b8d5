"""Packages that add a format, a statistic and a yaku: the one of docs/guide/plugins.md, and broken ones."""

from __future__ import annotations

import gzip
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from paifu.replay.plugins import are_offered

pytestmark = pytest.mark.every(20)

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "guide" / "plugins.md").read_text("utf-8")
PROJECT, MODULE, YAKU = re.findall(r"```(?:toml|text)\n(.*?)```", GUIDE, re.DOTALL)
LOG = ROOT / "sample_logs" / "formats" / "hanchan.mjlog.gz"


def run(site: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "paifu", *words], capture_output=True, text=True, check=False, cwd=site,
        env=os.environ | {"PYTHONPATH": str(site), "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip


def put(site: Path, name: str, module: str, entries: dict[str, str]) -> None:
    """Lay down an installed package: a module and its dist-info."""
    (site / f"{name}.py").write_text(module, "utf-8")
    info = site / f"{name}-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n", "utf-8")
    text = "".join(f"[paifu.{group}]\n{name} = {name}:{attribute}\n" for group, attribute in entries.items())
    (info / "entry_points.txt").write_text(text, "utf-8")


@pytest.mark.parametrize(
    ("folder", "entries", "is_offered"),
    [
        ("club-1.dist-info", "[paifu.yaku]\nclub = club:yaku\n", True),
        (
            "club-1.egg-info",
            "[console_scripts]\nclub = club:main\n\n[paifu.readers]\nclub = club:reader\n",
            True,
        ),
        ("EGG-INFO", "[paifu.metrics]\nclub = club:family\n", True),
        ("paifu-1.dist-info", "[console_scripts]\npaifu = paifu.cli.__main__:main\n", False),
        ("club-1.dist-info", "", False),
        ("club", "[paifu.yaku]\nclub = club:yaku\n", False),
    ],
)
def test_packages_are_listed_only_where_one_offers_something(
    folder: str, entries: str, is_offered: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = tmp_path / folder
    info.mkdir()
    (info / "entry_points.txt").write_text(entries, "utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "nowhere"), str(tmp_path)])
    assert are_offered.__wrapped__() is is_offered
    monkeypatch.setattr(sys, "path", [str(info / "entry_points.txt")])
    assert are_offered.__wrapped__(), "packages in an archive are for Python to list"


def check_demo(site: Path) -> None:
    (site / "game.demo").write_bytes(b"#demo\n" + gzip.decompress(LOG.read_bytes()))
    verified = run(site, "verify", "game.demo")
    assert (verified.returncode, "14 hands" in verified.stderr) == (0, True), verified
    counted = run(site, "stats", "game.demo", "--metrics", "demo", "--format", "csv")
    assert "demo_wins" in counted.stdout
    hand = ("score", "(222z)(333z)(444z)46m55p5m", "--seat-wind", "east")
    assert "demo winds" not in run(site, *hand, "--set", "kuitan=true").stdout
    assert "demo winds" in run(site, *hand, "--set", "local.demo_winds_han=2").stdout
    assert verified.stderr.count("plug-in") == 0


def test_what_the_guide_shows_adds_a_format_a_statistic_and_a_yaku(tmp_path: Path) -> None:
    put(tmp_path, "paifu_demo", MODULE, {"readers": "reader", "metrics": "family"})
    put(tmp_path, "paifu_demo_yaku", YAKU, {"yaku": "yaku"})
    check_demo(tmp_path)


def test_the_package_of_the_guide_is_installed_by_pip(tmp_path: Path) -> None:
    source, site = tmp_path / "source", tmp_path / "site"
    source.mkdir()
    (source / "pyproject.toml").write_text(PROJECT, "utf-8")
    (source / "paifu_demo.py").write_text(MODULE, "utf-8")
    (source / "paifu_demo_yaku.py").write_text(YAKU, "utf-8")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    command = [*pip, "--no-deps", "--no-index", "--no-build-isolation", "--target", str(site), str(source)]
    subprocess.run(command, check=True, capture_output=True)
    check_demo(site)


@pytest.mark.parametrize(
    ("group", "module", "said"),
    [
        (
            "yaku",
            "import nothing_here",
            "is left out: ModuleNotFoundError: No module named 'nothing_here'",
        ),
        ("yaku", "thing = 1", "(paifu.yaku) is left out: TypeError: bad:thing is of type int, not LocalYaku"),
        ("metrics", "raise SystemExit(3)", "(paifu.metrics) is left out: SystemExit: 3"),
        (
            "metrics",
            "from paifu.reports.metrics.metric import Family\nthing = Family('wins', 'W')",
            "'wins' is taken",
        ),
        (
            "readers",
            "thing = print",
            "is left out: TypeError: bad:thing is of type builtin_function_or_method",
        ),
    ],
)
def test_a_broken_plug_in_is_one_line_and_the_run_goes_on(
    tmp_path: Path, group: str, module: str, said: str
) -> None:
    put(tmp_path, "bad", module, {group: "thing"})
    (tmp_path / "note.txt").write_text("no log")
    done = run(tmp_path, "stats", str(LOG), "note.txt", "--metrics", "win_rate")
    lines = [line for line in done.stderr.splitlines() if "plug-in" in line]
    assert len(lines) == 1
    assert lines[0].startswith("paifu: the plug-in bad (paifu.")
    assert said in lines[0]
    assert "Traceback" not in done.stderr
    assert "win rate" in done.stdout


def test_a_reader_that_fails_is_a_fault_of_the_file(tmp_path: Path) -> None:
    module = (
        "from paifu.parsers.sources.detect import PluginReader\n"
        "def read(document, text, builder): raise KeyError('place')\n"
        "thing = PluginReader('bad', lambda head: head.startswith(b'bad'), read)\n"
    )
    put(tmp_path, "bad", module, {"readers": "thing"})
    (tmp_path / "game.bad").write_text("bad game")
    done = run(tmp_path, "verify", "game.bad", str(LOG))
    assert "the plug-in for bad failed: KeyError: 'place'" in done.stdout + done.stderr
    assert "14 hands" in done.stderr
    assert "Traceback" not in done.stderr


KILLING = """
import os, signal
from paifu.parsers.mjlog.reader import read_mjlog
from paifu.parsers.sources.detect import PluginReader

def read(document, text, builder):
    if not os.path.exists("calm"):
        os.kill(os.getpid(), signal.SIGKILL)
    read_mjlog(document, text.removeprefix(b"#kill").strip(), builder)

reader = PluginReader("killing", lambda head: head.startswith(b"#kill"), read)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the system has no such signal")
def test_a_reader_that_kills_its_process_costs_its_file_until_it_is_tried_again(tmp_path: Path) -> None:
    put(tmp_path, "killing", KILLING, {"readers": "reader"})
    (tmp_path / "logs").mkdir()
    first_log, second, third = (
        (LOG.parent / name).read_bytes() for name in ("tonpuu.mjlog", "kokushi.mjlog", "overtime.mjlog.gz")
    )
    for name, text in {"a": first_log, "b": b"#kill" + b" " * (9 << 20) + second, "c": third}.items():
        (tmp_path / "logs" / name).write_bytes(text)
    died = "logs/b: V101 a worker process died over it, perhaps for want of memory"
    verified = run(tmp_path, "verify", "logs", "--jobs", "2")
    assert (verified.returncode, verified.stdout.count(died)) == (1, 1), verified
    assert "checked 3 files: 2 games" in verified.stderr
    first = run(tmp_path, "import", "logs", "-o", "ds", "--jobs", "2")
    assert (first.returncode, first.stderr.count(died)) == (1, 1), first
    assert "2 games from 3 inputs added" in first.stderr
    (tmp_path / "calm").touch()
    again = run(tmp_path, "import", "logs", "-o", "ds", "--jobs", "2")
    assert "1 game from 1 input added, 2 inputs there already" in again.stderr, again
    assert "checked 4 files: 3 games" in run(tmp_path, "verify", "ds").stderr
