"""The program that makes releases, on repositories of a few files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def git(root: Path, *words: str) -> str:
    name = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    done = subprocess.run(["git", "-C", str(root), *name, *words], capture_output=True, text=True, check=True)
    return done.stdout


def checked(root: Path) -> tuple[int, str]:
    command = [sys.executable, str(ROOT / "bench" / "release.py"), "--check", "--root", str(root)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1.2.3"\n')
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 1.2.3 (2026-12-01)\n\n- More.\n\n## 1.2.2\n")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "All")
    return tmp_path


def test_what_agrees_is_ready(project: Path) -> None:
    assert checked(project) == (0, "")


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        (
            "CHANGELOG.md",
            "# Changelog\n\n## Unreleased\n\n- More.\n",
            "begins with 'Unreleased'; a release needs '1.2.3",
        ),
        (
            "CHANGELOG.md",
            "# C\n\n## 1.3.0 (2026-12-01)\n\n- M.\n",
            "begins with 1.3.0, pyproject.toml has 1.2.3",
        ),
        ("CHANGELOG.md", "# C\n\n## 1.2.3 (2026-12-01)\n", "lists nothing"),
        ("CHANGELOG.md", "", "a release needs"),
        ("other.txt", "x", "not everything is committed"),
    ],
)
def test_what_does_not_agree_is_said(project: Path, file: str, text: str, said: str) -> None:
    (project / file).write_text(text)
    status, told = checked(project)
    assert status == 1
    assert said in told


def test_a_version_is_tagged_once(project: Path) -> None:
    git(project, "tag", "v1.2.3")
    assert checked(project) == (1, "the tag v1.2.3 exists; raise the version in pyproject.toml\n")
