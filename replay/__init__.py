"""The replay model and the rules engine. Nothing here knows files, data frames or terminals.

The package is callable: ``paifu.replay(batch)`` is :func:`paifu.api.replaying.replay`. The library's front
door needs that name, and the engine's folder bears it.

>>> import paifu
>>> [paifu.replay(game).checked.hands for game in paifu.read("sample_logs/formats/hanchan.mjlog.gz")]
[14]
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _CallablePackage(ModuleType):
    def __call__(self, *args: Any, **options: Any) -> Any:
        """Replay a batch or a game."""
        from importlib import import_module

        return import_module("paifu.api.replaying").replay(*args, **options)


sys.modules[__name__].__class__ = _CallablePackage
