"""Scripts beside a clone in a folder called ``paifu``, which Python would take for an empty package."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
SCRIPT = "import paifu; print(paifu.ruleset('tenhou').name, paifu.__file__)"


def run(folder: Path, *arguments: str, paths: tuple[Path, ...] = ()) -> str:
    """Run Python in a folder beside a clone, without what links to the clone, as an editable install does."""
    (folder / "paifu").symlink_to(ROOT)
    packages = Path(np.__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-S", *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (*paths, packages)))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_script_imports_the_clone(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    name, file = run(tmp_path, "script.py").split()
    assert (name, Path(file).parent.name) == ("tenhou", "front")


def test_the_module_runs(tmp_path: Path) -> None:
    assert run(tmp_path, "-m", "paifu", "explain", "V304").startswith("V304")


def test_an_installed_paifu_comes_first(tmp_path: Path) -> None:
    other = tmp_path / "packages" / "paifu"
    other.mkdir(parents=True)
    (other / "__init__.py").write_text(
        "def ruleset(name):\n    ruleset.name = 'installed'\n    return ruleset\n"
    )
    (tmp_path / "script.py").write_text(SCRIPT)
    assert run(tmp_path, "script.py", paths=(other.parent,)) == f"installed {other / '__init__.py'}"
