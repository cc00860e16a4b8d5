"""The lowest versions of what paifu needs, as ``.ci/run`` installs them."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "bench" / "lowest.py"


def printed(program: Path) -> tuple[int, list[str], str]:
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.splitlines(), done.stderr


def test_every_requirement_has_one() -> None:
    status, lines, complaint = printed(PROGRAM)
    assert (status, complaint) == (0, "")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    names = {re.split(r"[\[>=]", each)[0] for each in project["dependencies"]}
    assert names <= {line.partition("==")[0] for line in lines}
    assert len(lines) > 10
    assert all(re.fullmatch(r"[\w-]+==\d+(\.\d+)*", line) for line in lines)
    assert not any(line.startswith(("pytest", "mypy", "mkdocs")) for line in lines)


def test_a_requirement_without_one_is_named(tmp_path: Path) -> None:
    (tmp_path / "bench").mkdir()
    (tmp_path / "bench" / "lowest.py").write_text(PROGRAM.read_text("utf-8"), "utf-8")
    (tmp_path / "pyproject.toml").write_text('[project]\ndependencies = ["click>=8.1,<9", "rich"]\n', "utf-8")
    status, lines, complaint = printed(tmp_path / "bench" / "lowest.py")
    assert (status, lines) == (1, [])
    assert complaint == "pyproject.toml: 'rich' has no lowest version: write >=\n"
    (tmp_path / "pyproject.toml").write_text(
        '[project]\ndependencies = ["click>=8.1,<9"]\n'
        '[project.optional-dependencies]\nfetch = ["s3fs[boto3] >= 2.0.1"]\ntest = ["pytest"]\n',
        "utf-8",
    )
    assert printed(tmp_path / "bench" / "lowest.py") == (0, ["click==8.1", "s3fs==2.0.1"], "")
