"""The shape of the house: who may import whom, and what the package holds when it is built."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FLOORS = ("api", "cli", "coach", "front", "parsers", "replay", "reports")
"""A folder x is installed as ``paifu.x``, and ``front`` as ``paifu``."""
FORBIDDEN_IN_REPLAY = {"pandas", "click", "pyarrow", "matplotlib", "rich", "lxml"}
MODULES = [path for package in FLOORS for path in sorted((ROOT / package).rglob("*.py"))]


def _package(path: Path) -> str:
    return path.relative_to(ROOT).parts[0]


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def _statements(path: Path) -> list[ast.Import | ast.ImportFrom]:
    """What a file imports, wherever in it: only statements hold statements."""
    found: list[ast.Import | ast.ImportFrom] = []
    ahead: list[ast.AST] = [_tree(path)]
    while ahead:
        node = ahead.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            found.append(node)
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            inner = getattr(node, name, None)
            ahead += inner if isinstance(inner, list) else []
    return found


@cache
def _imports(path: Path) -> set[str]:
    """Dotted names of all modules that a file imports."""
    names: set[str] = set()
    for node in _statements(path):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        else:
            assert node.level == 0, f"{path}: relative import"
            names.add(node.module or "")
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


NAMES = {
    ".".join(["paifu", *path.relative_to(ROOT).with_suffix("").parts]).removesuffix(".__init__"): path
    for path in MODULES
}


OF_EXTRAS = {
    "babel": "replay/language/catalogues.py",
    "llvmlite": "replay/kernels/",
    "numba": "replay/kernels/",
}
"""Packages that no plain install brings -> the file, or folder, that says what to install without them."""
TYPES_ONLY = {"_typeshed", "typing_extensions"}


@pytest.mark.full
def test_everything_imported_comes_with_the_plain_install() -> None:
    """A command or an example of the README may need no extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    plain = {re.split(r"[<>=!~\[]", need)[0] for need in project["dependencies"]}
    used = {
        (name.partition(".")[0], path.relative_to(ROOT).as_posix())
        for path in MODULES
        for name in _imports(path)
    }
    others = {
        (name, path)
        for name, path in used
        if name not in sys.stdlib_module_names | TYPES_ONLY | plain | {"__future__", "paifu"}
        and not path.startswith(OF_EXTRAS.get(name, "nowhere"))
    }
    assert others <= {("markupsafe", path) for _, path in others}, "jinja2 brings that one along"
    assert {name for name, _ in used} >= {"pandas", "duckdb", "openskill", "click", "lxml", "matplotlib"}


def test_imports_go_down() -> None:
    """Floors and rooms as ``pyproject.toml`` orders them, within functions and for type checking, too."""
    lint = shutil.which("lint-imports", path=str(Path(sys.executable).parent))
    if lint is None:
        pytest.skip("import-linter, which comes with paifu[test], is not there")
    run = subprocess.run(
        [lint, "--no-cache"], cwd=ROOT, capture_output=True, text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT / ".types")},
    )  # fmt: skip
    assert run.returncode == 0, run.stdout
    (files,) = re.findall(r"Analyzed (\d+) files", run.stdout)
    assert int(files) == len(MODULES)
    assert "8 kept, 0 broken" in run.stdout


LOADED_WHEN_ASKED = {
    ("paifu.replay.kernels.running", f"paifu.replay.kernels.{name}") for name in ("compiling", "meaning")
}
"""Imports against the order: numba compiles only if it is told to, and only other sources are compared."""


def test_modules_form_no_knot() -> None:
    """Not even within a room: each can be read before those that import it."""
    ahead = {
        name: {
            used
            for used in _imports(path) & set(NAMES) - {name}
            if NAMES[used].name != "__init__.py" and (name, used) not in LOADED_WHEN_ASKED
        }
        for name, path in NAMES.items()
    }
    while free := [name for name, used in ahead.items() if not used & set(ahead)]:
        for name in free:
            del ahead[name]
    while unused := set(ahead) - set().union(*ahead.values()):  # above the knot, not in it
        for name in unused:
            del ahead[name]
    assert ahead == {}


def test_all_that_the_engine_imports_is_in_the_key_of_stored_records() -> None:
    """Records that an import keeps are read again until a source changes that they depend on."""
    from paifu.reports.metrics.records import RECORDS_FOLLOW

    reached, ahead = set[str](), ["paifu.replay.table.engine"]
    while ahead:
        name = ahead.pop()
        if name in NAMES and name not in reached:
            reached.add(name)
            ahead += sorted(_imports(NAMES[name]))
    texts = (
        "replay/language",
        "replay/arrays.py",
        "replay/docstrings.py",
        "replay/errors.py",
        "replay/foreign_text.py",
        "replay/plugins.py",
    )
    places = {NAMES[name].relative_to(ROOT).as_posix() for name in reached}
    assert len(places) > 50
    assert sorted(place for place in places if not place.startswith((*texts, *RECORDS_FOLLOW))) == []


def test_modules_have_a_docstring_and_no_bare_names() -> None:
    """``import replay.tiles`` would make a second, unequal copy of every class."""
    for path in MODULES:
        assert ast.get_docstring(_tree(path)), path
        assert not {name for name in _imports(path) if name.split(".")[0] in FLOORS}, path


SAID_TWICE = {"kernels/arrays.py": "types of arrays with the number of dimensions, named as those without"}
"""Modules whose names are those of others on purpose, and why."""


def _types(path: Path) -> list[str]:
    """Classes, private ones too, and public aliases of types that a module defines."""
    names = []
    for node in _tree(path).body:
        if isinstance(node, ast.ClassDef):
            names.append(node.name)
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript | ast.BinOp):
            names += [target.id for target in node.targets if isinstance(target, ast.Name)]
    return [name for name in names if re.match(r"_?[A-Z][A-Za-z0-9]*[a-z]|[FIU]\d+", name)]


def test_a_type_has_a_name_of_its_own() -> None:
    homes: dict[str, list[str]] = {}
    for path in MODULES:
        place = path.relative_to(ROOT).as_posix()
        for name in _types(path) if not place.endswith(tuple(SAID_TWICE)) else ():
            homes.setdefault(name, []).append(place)
    assert len(homes) > 500
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


def _module_names(path: Path) -> set[tuple[str, str]]:
    """Modules that a file imports as such, each with the name that they have there."""
    names = set()
    for node in _statements(path):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("paifu."):
            folder = ROOT.joinpath(*node.module.split(".")[1:])
            names |= {
                (f"{node.module}.{alias.name}", alias.asname or alias.name)
                for alias in node.names
                if (folder / f"{alias.name}.py").is_file()
            }
    return names


@pytest.mark.full
def test_a_module_has_one_name_and_a_name_is_that_of_one_module() -> None:
    programs = [
        path for folder in ("tests", "bench", "docs") for path in sorted((ROOT / folder).rglob("*.py"))
    ]
    found = sorted(set().union(*map(_module_names, [*MODULES, *programs])))
    assert len(found) > 20
    assert len({module for module, _ in found}) == len(found), "a module under two names"
    assert len({name for _, name in found}) == len(found), "a name of two modules"


def test_the_engine_knows_no_frames_files_or_terminals() -> None:
    for path in (ROOT / "replay").rglob("*.py"):
        assert not {name.split(".")[0] for name in _imports(path)} & FORBIDDEN_IN_REPLAY, path


def test_kernels_import_only_what_the_key_of_their_cache_covers() -> None:
    """What else they took over, such as the place of a rule, would stay in compiled code when it changes."""
    declared = {"rows.py": "paifu.replay.facts", "option_rows.py": "paifu.coach.decisions"}
    for path in ROOT.glob("*/kernels/*.py"):
        floors = ("paifu.replay.kernels", *(["paifu.coach.kernels"] if "coach" in path.parts else []))
        allowed = (*floors, declared.get(path.name, floors[0]))
        ours = {name for name in _imports(path) if name.startswith("paifu.")}
        assert {name for name in ours if not name.startswith(allowed)} == set(), path


def test_nothing_is_timed_by_a_clock_that_may_be_set() -> None:
    """How long something took, or whether it is over, must not depend on the time of day."""
    wall = re.compile(r"\b(?:time\.(?:time|time_ns|localtime|ctime)|date(?:time)?\.(?:now|today|utcnow))\(")
    found = {path.relative_to(ROOT).as_posix() for path in MODULES if wall.search(path.read_text("utf-8"))}
    assert found == {"api/watch.py", "cli/open_page.py"}, "which compare the times of files"


LOADED = """
import sys
from pathlib import Path
from paifu.cli.__main__ import main
main(sys.argv[1:])
files = [module.__file__ for name, module in sys.modules.items() if name.startswith("paifu.")]
lines = sum(len(Path(file).read_text("utf-8").splitlines()) for file in files if file)
models = [name for name in sys.modules if name.startswith("paifu.coach")]
print(lines, *models, file=sys.stderr)
"""
HANCHAN = "sample_logs/formats/hanchan.mjlog.gz"


@pytest.mark.every(4)
@pytest.mark.parametrize(
    ("command", "most"),
    [
        (["verify", HANCHAN], 21_400),
        (["score", "234m345678p33s67s5s", "--riichi"], 18_900),
        (["stats", HANCHAN, "--by", "player"], 26_200),
        (["convert", HANCHAN, "--to", "tenhou6", "--link"], 28_700),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else None,
)
def test_facts_are_told_without_models(command: list[str], most: int) -> None:
    """What happened, whether it was right, and how often: that needs nothing of ``coach``."""
    run = subprocess.run([sys.executable, "-c", LOADED, *command], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    lines, *models = run.stderr.splitlines()[-1].split()
    assert models == []
    assert 10_000 < int(lines) <= most


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, check=True,
    )  # fmt: skip
    names = [
        *filter(None, listed.stdout.decode().split("\0")),
        "replay/kernels/native.bin",
        "coach/kernels/native.bin",
    ]  # or they would be made
    for name in names:
        if (ROOT / name).is_file() and not name.startswith(".types"):
            target = source / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes((ROOT / name).read_bytes())
    build = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        str(folder),
        str(source),
    ]
    subprocess.run(build, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


MADE_OF_OTHERS = (".po", ".same")
"""Texts that are compiled, and what a checkout knows of its libraries."""


@pytest.mark.full
def test_the_wheel_holds_every_module_and_data_file(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    data = [
        path
        for package in FLOORS
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix not in MADE_OF_OTHERS
    ]
    installed = (path.relative_to(ROOT / "front" if _package(path) == "front" else ROOT) for path in data)
    expected = {f"paifu/{path.as_posix()}" for path in installed}
    assert len(expected) > 40
    assert expected <= inside


@pytest.mark.full
def test_the_wheel_works_by_itself(wheel: Path, tmp_path: Path) -> None:
    """Run from the unpacked wheel, not from the checkout."""
    zipfile.ZipFile(wheel).extractall(tmp_path)
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "sys.meta_path[:] = [f for f in sys.meta_path if 'editable' not in repr(f).lower()]\n"
        "import paifu.replay.model.tiles as t, paifu.cli.__main__ as m\n"
        f"assert t.__file__.startswith({str(tmp_path)!r}), t.__file__\n"
        "sys.exit(m.main(['rules', 'list']))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert "tenhou-sanma" in run.stdout


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The commands of an environment that holds the wheel, and the dependencies of this one."""
    place = tmp_path_factory.mktemp("installed")
    venv.create(place, with_pip=False, symlinks=True)
    (python,) = (path for path in place.glob("*/*") if path.stem == "python")
    found = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    shared = [path for path in sys.path if path.endswith("site-packages")]
    (Path(found.stdout.strip()) / "shared.pth").write_text("\n".join(shared), "utf-8")
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps"]
    subprocess.run([*pip, "--ignore-installed", "--no-index", str(wheel)], check=True, capture_output=True)
    return python.parent


@pytest.mark.full
@pytest.mark.parametrize(
    "command",
    [
        ["python", "-c", "import paifu; paifu.score"],
        ["python", "-m", "paifu", "--version"],
        ["paifu", "--version"],
    ],
    ids=" ".join,
)
def test_the_installed_package_works_from_the_checkout(installed: Path, command: list[str]) -> None:
    """No folder of the checkout may pass for the package in the eyes of Python, which looks there first."""
    run = subprocess.run(
        [str(installed / command[0]), *command[1:]], cwd=ROOT, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    path = [str(installed / "python"), "-c", "import paifu.api; print(paifu.__file__, paifu.api.__file__)"]
    places = subprocess.run(path, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    assert all(Path(place).is_relative_to(installed.parent) for place in places), places
