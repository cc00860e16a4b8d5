"""The shape of one flip: the rules around it, the new value, a probe, and both results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from paifu.replay.rules.ruleset import Ruleset


@dataclass(frozen=True)
class Flip:
    """``probe`` gives ``before`` under ``preset`` with ``given``, ``after`` when the rule is ``value``."""

    value: Any
    probe: Callable[[Ruleset], Any]
    before: Any
    after: Any
    preset: str = "tenhou"
    given: dict[str, Any] = field(default_factory=dict)
