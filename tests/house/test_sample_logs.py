"""The sample logs: made by a program of ours, sound, and as their table says."""

from __future__ import annotations

import gzip
import io
import json
import re
import sys
import zipfile
from pathlib import Path

import pytest
from each_row import each_row
from jansou.io.mjlog import parse_mjlog
from jansou.io.replay import replay_paifu
from jansou.validation.check import check_paifu

from paifu.parsers.read import read_batches
from paifu.parsers.tenhou6.writer import Tenhou6GameWriter
from paifu.replay.model.batch import Batch

ROOT = Path(__file__).parents[2] / "sample_logs"
sys.path.insert(0, str(ROOT.parent / "bench"))

from build_sample_logs import page, recipes
from sample_faults import FAULTS, broken

FOLDER = ROOT / "formats"
SECTIONS = {
    re.match(r"\w+", part)[0]: re.findall(r"^\| `([^`]+)`", part, re.MULTILINE)  # type: ignore[index]
    for part in (ROOT / "README.md").read_text("utf-8").split("\n## ")[1:]
}
"""Folder -> the files that the README lists for it."""
LISTED = SECTIONS["formats"]


def unpacked(name: str, data: bytes) -> dict[str, bytes]:
    """The texts in a file, by name: what compression does to them depends on the library's version."""
    if name.endswith(".zip"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return {member: archive.read(member) for member in archive.namelist()}
    return {name: gzip.decompress(data) if name.endswith(".gz") else data}


def texts(folder: Path, names: list[str]) -> dict[str, bytes]:
    found = {}
    for name in names:
        found |= unpacked(name, (folder / name).read_bytes())
    return found


def read(*names: str) -> Batch:
    return Batch.concatenate(read_batches([FOLDER / name for name in names]))


def test_the_tables_list_all_files() -> None:
    folders = {
        path.name: sorted(file.name for file in path.iterdir()) for path in ROOT.iterdir() if path.is_dir()
    }
    games = folders.pop("games")
    assert SECTIONS.pop("games") == []
    assert len(games) == 32
    assert {folder: sorted(names) for folder, names in SECTIONS.items()} == folders
    assert sum(path.stat().st_size for path in ROOT.rglob("*.*")) < 1_100_000


@pytest.mark.every(16)
@pytest.mark.parametrize("name", recipes())
def test_each_log_is_made_again_as_it_is(name: str) -> None:
    made = recipes()[name]()
    assert unpacked(name, made) == unpacked(name, (ROOT / name).read_bytes())


def test_each_broken_log_is_made_again_as_it_is() -> None:
    made = broken({name: (ROOT / name).read_bytes() for name in recipes()})
    assert sorted(made) == sorted(SECTIONS["broken"])
    for name, data in made.items():
        assert unpacked(name, data) == unpacked(name, (ROOT / "broken" / name).read_bytes())


def test_the_readme_is_made_again_as_it_is() -> None:
    assert page() == (ROOT / "README.md").read_text("utf-8")


def test_nothing_else_is_there() -> None:
    made = [*recipes(), *(f"broken/{fault.name}" for fault in FAULTS), "README.md"]
    assert sorted(made) == sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.*"))


@each_row("name", [name for name in texts(FOLDER, LISTED) if "mjlog" in name])
def test_another_engine_finds_every_move_legal_and_every_win_right(name: str) -> None:
    paifu = parse_mjlog(texts(FOLDER, LISTED)[name])
    verdicts = check_paifu(paifu)
    assert verdicts
    assert all(verdict.passed for verdict in verdicts), verdicts
    assert sum(1 for _ in replay_paifu(paifu)) > 50


@pytest.mark.full
def test_another_engine_accepts_games_and_scenarios() -> None:
    hands = moves = 0
    for path in sorted([*(ROOT / "games").iterdir(), *(ROOT / "scenarios").iterdir()]):
        (text,) = unpacked(path.name, path.read_bytes()).values()
        paifu = parse_mjlog(text)
        assert [verdict for verdict in check_paifu(paifu) if not verdict.passed] == [], path.name
        moves += sum(1 for _ in replay_paifu(paifu))
        hands += text.count(b"<INIT")
    assert hands > 500
    assert moves > 15_000


@pytest.mark.parametrize("name", ["hanchan", "sanma"])
def test_the_same_game_is_there_in_both_formats(name: str) -> None:
    both = json.loads((FOLDER / f"{name}.json").read_bytes())
    assert json.loads(b"".join(Tenhou6GameWriter.games(read(f"{name}.mjlog.gz")))) == both
