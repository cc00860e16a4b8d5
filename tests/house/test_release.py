"""The program that makes releases, on repositories of a few files."""

from __future__ import annotations

import importlib
import platform
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from paifu.replay.kernels.running import LIBRARIES

pytestmark = pytest.mark.full

ROOT = Path(__file__).parents[2]


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


def wheel_with(library: bytes, folder: Path) -> Path:
    """A wheel of this Linux, which holds little but a library."""
    wheel = folder / f"sample-1.0-py3-none-linux_{platform.machine()}.whl"
    info = "sample-1.0.dist-info"
    files = {
        "sample/native.bin": library,
        f"{info}/METADATA": b"Metadata-Version: 2.1\nName: sample\nVersion: 1.0\n",
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: {wheel.stem[11:]}\n".encode(),
    }
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
        archive.writestr(f"{info}/RECORD", "".join(f"{name},,\n" for name in [*files, f"{info}/RECORD"]))
    return wheel


def test_the_wheel_is_named_for_any_linux(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("auditwheel", reason="auditwheel, which names wheels, is for those who make releases")
    monkeypatch.syspath_prepend(ROOT / "bench")
    release = importlib.import_module("release")
    wheel = wheel_with(LIBRARIES["replay"].file.read_bytes(), tmp_path)
    named = release.for_any_linux(wheel)
    assert [path.name for path in tmp_path.iterdir()] == [named.name]
    assert re.fullmatch(r"sample-1\.0-py3-none-(many|musl)linux\w+(\.manylinux\w+)*\.whl", named.name)
    assert release.for_any_linux(named) == named


def test_a_page_whose_example_fails_is_told(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "tests" / "doc_examples.py"), "--check"]
    good, bad = tmp_path / "good.md", tmp_path / "bad.md"
    good.write_text("```console\n$ paifu score --han 1 --fu 30\n...\n```\n", "utf-8")
    bad.write_text("```sh\npaifu score nothing\n```\n", "utf-8")
    done = subprocess.run([*command, str(good)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    done = subprocess.run([*command, str(good), str(bad)], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "line 1: paifu score nothing\nexits with 2, not 0" in done.stderr
    assert "paifu score nothing" in bad.read_text("utf-8")
