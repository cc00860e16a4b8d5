"""Nothing in the current folder is run: logs may come with files that Python and libraries look for."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from builders import game

pytestmark = pytest.mark.every(20)

PROGRAM = """\
import sys
from paifu.cli.__main__ import main
if __name__ == "__main__":
    sys.exit(main())
"""
"""What pip installs as the command ``paifu``."""


class Place:
    """A folder with a module of every name that anybody may import; one that is run leaves a mark."""

    def __init__(self, root: Path) -> None:
        self.folder, self.marks = root / "here", root / "marks"
        self.folder.mkdir()
        self.program = root / "bin" / "program.py"
        self.program.parent.mkdir()
        self.program.write_text(PROGRAM)
        self._environment = dict(os.environ)
        self._environment.pop("PYTHONSAFEPATH", None)
        self.fill({*sys.stdlib_module_names, *packages_distributions(), "sitecustomize", "usercustomize"})
        (self.folder / "paifu").mkdir()
        (self.folder / "paifu" / "__init__.py").write_text(self._module)

    @property
    def _module(self) -> str:
        return (
            f"open({os.fspath(self.marks)!r}, 'a').write(__name__ + ' ')\nraise ImportError('not this one')\n"
        )

    def fill(self, names: set[str]) -> None:
        for name in filter(str.isidentifier, names):
            (self.folder / f"{name}.py").write_text(self._module)

    def python(self, *arguments: str | Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *map(os.fspath, arguments)], cwd=self.folder, env=self._environment, input=stdin,
            capture_output=True, text=True, timeout=100,
        )  # fmt: skip

    def marked(self) -> list[str]:
        """Take away the marks."""
        if not self.marks.exists():
            return []
        names = self.marks.read_text().split()
        self.marks.unlink()
        return sorted(set(names))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return Place(tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Small games that make two units, so that there is something for workers to do."""
    folder = tmp_path_factory.mktemp("logs")
    for number in range(520):
        (folder / f"{number:04}").write_bytes(game(number, hands=1))
    return folder


def test_a_module_here_leaves_a_mark(place: Place) -> None:
    assert place.python("-c", "import multiprocessing").returncode == 1
    # One of them: from 3.13 on, Python itself imports linecache before it runs a command.
    assert place.marked()


@pytest.mark.parametrize(
    "command",
    [
        "verify LOGS -j2", "stats LOGS --all -j2", "report LOGS -o OUT/report.html -j2",
        "plot placement LOGS -o OUT/figure.svg -j2", "convert LOGS --to mjai -o OUT/mjai -j2",
        "fair LOGS -j2",
    ],
)  # fmt: skip
def test_no_module_here_is_run(place: Place, logs: Path, tmp_path: Path, command: str) -> None:
    words = [word.replace("LOGS", str(logs)).replace("OUT", str(tmp_path)) for word in command.split()]
    done = place.python(place.program, *words, stdin='{"type":"hello"}\n')
    assert place.marked() == []
    assert done.returncode in (0, 1), done.stderr
    assert "Traceback" not in done.stderr


def test_no_module_here_is_run_by_imports_and_queries(place: Place, logs: Path, tmp_path: Path) -> None:
    done = place.python(place.program, "import", logs, "-o", tmp_path / "dataset", "-j2")
    assert (done.returncode, place.marked()) == (0, []), done.stderr
    done = place.python(place.program, "sql", tmp_path / "dataset", "select 1", "-j2")
    assert (done.returncode, place.marked()) == (0, []), done.stderr


def test_python_itself_can_be_told_to_look_elsewhere(place: Place) -> None:
    done = place.python("-P", "-m", "paifu", "rules", "list")
    assert (done.returncode, place.marked()) == (0, []), done.stderr


def test_a_module_that_runs_imports_no_other_from_here(tmp_path: Path) -> None:
    """By then Python has looked here for a few of its own."""
    for name in ("json", "numpy", "numba", "click", "difflib"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('not this one')")
    command = [sys.executable, "-m", "paifu", "rules", "lst"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert "list" in done.stderr
    assert done.returncode == 2


# --- settings ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "is_named"),
    [
        (b"\xff\xfe\0", False), (b"text.usetex: True\n", False), (b"ytick.major.pad: 22\n", False),
        (b"ytick.major.pad: 22\n", True),
    ],
)  # fmt: skip
def test_settings_of_matplotlib_change_no_figure(tmp_path: Path, text: bytes, is_named: bool) -> None:
    (tmp_path / "logs").mkdir()
    for number in range(9):
        (tmp_path / "logs" / str(number)).write_bytes(game(number, hands=1))
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    for name in ("without", "with"):
        command = [sys.executable, program, "plot", "placement", "logs", "-o", f"{name}.svg"]
        environment = dict(os.environ)
        if is_named:
            environment["MATPLOTLIBRC"] = os.fspath(tmp_path / "settings")
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        (tmp_path / ("settings" if is_named else "matplotlibrc")).write_bytes(text)
    assert (tmp_path / "with.svg").read_bytes() == (tmp_path / "without.svg").read_bytes()
