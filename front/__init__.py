"""Read, replay, verify, review, score and count mahjong games.

>>> import paifu
>>> for game in paifu.read("sample_logs/formats/hanchan.mjlog.gz"):
...     print(game.names)
('葵', 'Botan', 'チドリ', 'dahlia 3')
>>> bool(paifu.verify("sample_logs/formats"))
True

Everything is imported when it is first used, so that ``import paifu`` costs nothing. All errors that are
about what you gave are :class:`PaifuError`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from paifu.api.arena import arena as arena
    from paifu.api.counting import stats as stats
    from paifu.api.discarding import discard as discard
    from paifu.api.discarding import discard_at as discard_at
    from paifu.api.engines import compare as compare
    from paifu.api.fairness import fair as fair
    from paifu.api.only import Only as Only
    from paifu.api.playing import bot as bot
    from paifu.api.querying import query as query
    from paifu.api.reading import read as read
    from paifu.api.replaying import findings as findings
    from paifu.api.replaying import replay as replay
    from paifu.api.reviewing import review as review
    from paifu.api.rulesets import ruleset as ruleset
    from paifu.api.scoring import score as score
    from paifu.api.scoring import waits as waits
    from paifu.api.verification import verify as verify
    from paifu.parsers.workers import Cluster as Cluster
    from paifu.replay.errors import ArgumentError as ArgumentError
    from paifu.replay.errors import PaifuError as PaifuError
    from paifu.replay.rules.ruleset import Ruleset as Ruleset

_HOMES = {
    "ArgumentError": "paifu.replay.errors",
    "Cluster": "paifu.parsers.workers",
    "Only": "paifu.api.only",
    "PaifuError": "paifu.replay.errors",
    "Ruleset": "paifu.replay.rules.ruleset",
    "arena": "paifu.api.arena",
    "bot": "paifu.api.playing",
    "compare": "paifu.api.engines",
    "discard": "paifu.api.discarding",
    "discard_at": "paifu.api.discarding",
    "fair": "paifu.api.fairness",
    "findings": "paifu.api.replaying",
    "query": "paifu.api.querying",
    "read": "paifu.api.reading",
    "review": "paifu.api.reviewing",
    "ruleset": "paifu.api.rulesets",
    "score": "paifu.api.scoring",
    "stats": "paifu.api.counting",
    "verify": "paifu.api.verification",
    "waits": "paifu.api.scoring",
}
"""Name -> the module that holds it."""

__all__ = ["__version__", "replay", *_HOMES]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("paifu")
    if name == "replay":
        return importlib.import_module("paifu.replay")  # the package is callable, see there
    if name not in _HOMES:
        raise AttributeError(f"module 'paifu' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
