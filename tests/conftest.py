"""Shared test set-up: a deterministic hypothesis profile and the folder of real logs."""

from __future__ import annotations

import os
import signal
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

os.environ["PAIFU_CONFIG"] = ""  # nobody's own settings, in subprocesses neither
os.environ["PAIFU_CACHE_DIR"] = ""  # each run works, and leaves nothing
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # as in a shell's background; subprocesses inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)
SHARED = Path(__file__).parents[1].parent / "shared"
OF_DOCUMENTATION = ("test_doc_examples.py", "test_docs.py", "test_site.py")
"""Files of tests that belong to every part of the long run."""

settings.register_profile(
    "full", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=100
)
settings.register_profile("short", settings.get_profile("full"), max_examples=15)
settings.load_profile("full")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add an option to run only some of the tests, from all over the suite."""
    parser.addoption(
        "--sample", type=int, default=1, metavar="N", help="run every Nth test of each file only"
    )
    parser.addoption(
        "--part",
        type=_part,
        default=(1, 1),
        metavar="K/N",
        help="run the tests of the documentation, and the Kth of N parts of the others only",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Draw fewer examples in the short run; the full run takes tests with examples again."""
    settings.load_profile("full" if config.getoption("-m") else "short")


def _part(text: str) -> tuple[int, int]:
    number, parts = map(int, text.split("/"))
    if not 0 < number <= parts:
        raise ValueError(text)
    return number, parts


def _sample(items: list[pytest.Item], step: int) -> list[pytest.Item]:
    """Every ``step``-th test of each file, the first of them among them; always the same."""
    places = Counter[Path]()
    kept = []
    for item in items:
        if places[item.path] % step == 0:
            kept.append(item)
        places[item.path] += 1
    return kept


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the short run, or what ``-m`` asks for; tests that take minutes only by name."""
    asked = config.getoption("-m")
    _mark_full(items, has_more_examples="full" in asked)
    left_out = [name for name in (("slow",) if asked else ("full", "slow")) if name not in asked]
    taken = [item for item in items if not any(name in item.keywords for name in left_out)]
    kept = _sample(taken, config.getoption("--sample"))
    number, parts = config.getoption("--part")
    others = [item for item in kept if item.path.name not in OF_DOCUMENTATION]
    left_to_others = set(others) - set(others[number - 1 :: parts])
    kept = [item for item in kept if item not in left_to_others]
    config.hook.pytest_deselected(items=list(set(items) - set(kept)))
    items[:] = kept
    if SHARED.is_dir():
        return
    skip = pytest.mark.skip(reason=f"the corpus of real logs is not at {SHARED}")
    for item in items:
        if "corpus" in item.keywords:
            item.add_marker(skip)


def _mark_full(items: list[pytest.Item], *, has_more_examples: bool) -> None:
    """Mark what the short run leaves out: tests on real logs, long tests, most cases of tests with many.

    Of a test or a file marked ``every(N)`` it takes every Nth case or test, from the first on. Tests with
    drawn examples are in both: the full run draws more of them.
    """
    counts = Counter[tuple[Path, str]]()
    for item in items:
        mark = item.get_closest_marker("every")
        test = item.name.partition("[")[0] if mark in item.own_markers else ""
        left_out = mark and counts[item.path, test] % mark.args[0]
        draws = has_more_examples and hasattr(getattr(item, "obj", None), "hypothesis")
        if "corpus" in item.keywords or left_out or draws:
            item.add_marker("full")
        counts[item.path, test] += 1


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder that holds ``logs`` and ``testsets``; use with the marker ``corpus``."""
    return SHARED
