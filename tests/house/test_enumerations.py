"""Numbers that stand for names: tables and kernels hold them, so that two names must never share one."""

from __future__ import annotations

import importlib
import pkgutil
from enum import IntEnum

import paifu.parsers
import paifu.replay
import paifu.reports


def test_names_are_numbered_one_by_one() -> None:
    for package in (paifu.parsers, paifu.replay, paifu.reports):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    looked_at = 0
    for names in IntEnum.__subclasses__():
        if not names.__module__.startswith("paifu."):
            continue
        numbers = [int(number) for number in names.__members__.values()]
        assert sorted(numbers) == list(range(min(numbers), min(numbers) + len(numbers))), names
        looked_at += 1
    assert looked_at > 30
