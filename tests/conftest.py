"""Shared test set-up: a deterministic hypothesis profile and the folder of real logs."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

SHARED = Path(__file__).parents[1].parent / "shared"

settings.register_profile(
    "paifu", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=100
)
settings.load_profile("paifu")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip corpus tests where the folder of real logs is not beside the checkout."""
    if SHARED.is_dir():
        return
    skip = pytest.mark.skip(reason=f"the corpus of real logs is not at {SHARED}")
    for item in items:
        if "corpus" in item.keywords:
            item.add_marker(skip)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave minutes-long tests to those who ask for them with ``-m slow``."""
    if "slow" in item.keywords and "slow" not in (item.config.getoption("-m") or ""):
        pytest.skip("slow: run with -m slow")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder that holds ``logs`` and ``testsets``; use with the marker ``corpus``."""
    return SHARED
