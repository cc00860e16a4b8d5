"""The documentation says what the program does: generated pages are fresh, examples run, links lead."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import pkgutil
import re
import shlex
from functools import partial
from types import ModuleType

import pytest
from command import call
from doc_examples import PAGES, ROOT
from each_row import each_row

from paifu.cli.__main__ import COMMANDS
from paifu.replay.findings.review_kinds import REVIEW_KINDS
from paifu.replay.findings.spoken import KINDS

FLOORS = ("api", "cli", "coach", "parsers", "replay", "reports")
FOLDERS = (*FLOORS, "front", "tests", "bench", "docs", "sample_logs")
REFERENCE = ROOT / "docs" / "reference"


def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_docs", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.full
@pytest.mark.parametrize(
    "name",
    ["decisions.md", "findings.md", "model.md", "rulesets.md", "statistics.md", "systems.md", "tables.md"],
)
def test_generated_pages_are_fresh(name: str) -> None:
    written = (REFERENCE / name).read_text("utf-8")
    assert written == _generator().pages()[name], "run: python docs/generate.py"


@pytest.mark.parametrize("code", ["V306", "F102", "D101"])
def test_the_command_explains_all_that_is_known_of_a_code(code: str) -> None:
    kind = KINDS[code]
    explained = " ".join(call("explain", code).text.split())
    for text in (kind.meaning, kind.why, kind.silent, kind.basis, kind.advice, kind.example):
        assert text in explained


@each_row("code", REVIEW_KINDS)
def test_every_finding_of_the_review_says_why_and_when_it_is_silent(code: str) -> None:
    assert min(len(REVIEW_KINDS[code].why), len(REVIEW_KINDS[code].silent)) > 30


@each_row("name", sorted(COMMANDS))
def test_every_command_is_in_the_readme(name: str) -> None:
    assert f"paifu {name}" in (ROOT / "README.md").read_text("utf-8")


def test_links_between_pages_lead_somewhere() -> None:
    """... also from where the site includes a page."""
    for page in PAGES:
        included = partial(re.sub, r'--8<-- "(.+)"', lambda file: (ROOT / file[1]).read_text("utf-8"))
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", included(page.read_text("utf-8"))):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_files_that_a_page_names_exist() -> None:
    named = re.compile(rf"`((?:{'|'.join(FOLDERS)})/[^`\s]*)`")
    found = [(page, path) for page in PAGES for path in named.findall(page.read_text("utf-8"))]
    for page, path in found:
        assert list(ROOT.glob(path.partition("::")[0].rstrip("/"))), f"{page.name} names {path}"


def _modules() -> list[str]:
    names = ["paifu"]
    for package in FLOORS:
        path = importlib.import_module(f"paifu.{package}").__path__
        names += [module.name for module in pkgutil.walk_packages(path, f"paifu.{package}.")]
    return names


def _examples(name: str) -> list[doctest.DocTest]:
    module = importlib.import_module(name)
    return [test for test in doctest.DocTestFinder().find(module) if test.examples]


def test_there_are_doctests() -> None:
    assert sum(len(_examples(name)) for name in _modules()) >= 30


@pytest.mark.every(6)
@pytest.mark.parametrize("name", [name for name in _modules() if _examples(name)])
def test_examples_in_docstrings(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0
    assert result.failed == 0


def test_the_test_command_is_marked_for_the_check() -> None:
    """``.ci/run`` takes the README's test command from behind this mark."""
    text = (ROOT / "README.md").read_text("utf-8")
    block = text.partition("<!-- test command -->\n```sh\n")[2].partition("```")[0]
    assert "-m" in shlex.split(block)
    assert "pytest" in shlex.split(block)
