"""``python -OO`` leaves docstrings out; commands say the same without them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

GAME = Path(__file__).parents[2] / "sample_logs" / "formats" / "hanchan.mjlog.gz"


def said(folder: Path, *command: str, flags: tuple[str, ...]) -> tuple[int, str, str]:
    folder.mkdir(exist_ok=True)
    done = subprocess.run(
        [sys.executable, *flags, "-m", "paifu", *command],
        capture_output=True, text=True, check=False, cwd=folder, env=os.environ | {"COLUMNS": "100"},
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


@pytest.mark.full
@pytest.mark.parametrize(
    "command",
    [
        ("stats", str(GAME), "--by", "player"),
        ("rules", "show", "tenhou"),
        ("report", str(GAME), "--player", "Botan", "-o", "report.html"),
    ],
    ids=" ".join,
)
def test_a_command_says_the_same_without_docstrings(tmp_path: Path, command: tuple[str, ...]) -> None:
    status, output, complaint = said(tmp_path / "plain", *command, flags=())
    assert status == 0
    assert len(output) > 20
    assert said(tmp_path / "optimized", *command, flags=("-OO",)) == (status, output, complaint)
    for file in (tmp_path / "plain").iterdir():
        assert file.read_bytes() == (tmp_path / "optimized" / file.name).read_bytes()


def test_no_text_for_users_is_a_docstring_that_is_read_elsewhere() -> None:
    """``__doc__`` is None or a signature under ``-OO``; :mod:`paifu.replay.docstrings` has the text."""
    root = Path(__file__).parents[2]
    texts = {
        path.relative_to(root).as_posix(): path.read_text("utf-8")
        for folder in ("api", "cli", "coach", "front", "parsers", "replay", "reports")
        for path in (root / folder).rglob("*.py")
    }
    assert len(texts) > 300
    found = [name for name, text in texts.items() if "__doc__" in text or "getdoc(" in text]
    assert found == ["replay/docstrings.py"]
