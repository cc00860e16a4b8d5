"""Codes of findings, and other numbers that stand for names: each stands for one name only."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from enum import IntEnum
from pathlib import Path

from each_row import each_row

import paifu.parsers
import paifu.replay
import paifu.reports
from paifu.replay.findings.spoken import KINDS
from paifu.replay.kernels import codes

ROOT = Path(__file__).parents[2]
NAMED = {name: number for name, number in vars(codes).items() if name.isupper()}
NOTING = [
    # mjlog_text notes nothing: its numbers are places in rows.
    *(path for path in sorted((ROOT / "replay" / "kernels").glob("*.py")) if path.stem != "mjlog_text"),
    *(ROOT / "replay" / name for name in ("table/progress.py", "table/stated.py", "review/results.py")),
]


def test_each_kind_of_finding_has_the_name_that_its_code_has() -> None:
    assert {kind.name.upper().replace("-", "_"): kind.number for kind in KINDS.values()} == NAMED


def test_a_code_is_written_with_the_letter_of_its_family() -> None:
    assert [KINDS[code].name for code in ("V101", "V604", "F101", "W104", "D108", "R103")] == [
        "unreadable", "dice", "riichi-in-furiten", "no-yaku", "folded-and-dealt-in", "better-riichi",
    ]  # fmt: skip


@each_row("path", NOTING, ids=lambda path: path.stem)
def test_what_notes_findings_names_their_codes(path: Path) -> None:
    numbers = [
        node.value for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Constant)
    ]
    assert path.stem == "codes" or not {n for n in numbers if type(n) is int} & set(NAMED.values())


def test_names_are_numbered_one_by_one() -> None:
    for package in (paifu.parsers, paifu.replay, paifu.reports):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    looked_at = 0
    for names in IntEnum.__subclasses__():
        if not names.__module__.startswith("paifu."):
            continue
        numbers = [int(number) for number in names.__members__.values()]
        assert sorted(numbers) == list(range(min(numbers), min(numbers) + len(numbers))), names
        looked_at += 1
    assert looked_at > 30
