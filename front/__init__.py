"""Read, replay, verify, review, score and count mahjong games.

>>> import paifu
>>> for game in paifu.read("sample_logs/formats/hanchan.mjlog.gz"):
...     print(game.names)
('葵', 'Botan', 'チドリ', 'dahlia 3')
>>> bool(paifu.verify("sample_logs/formats"))
True

Everything is imported when it is first used, so that ``import paifu`` costs nothing. All errors that are
about what you gave are :class:`PaifuError`; :mod:`paifu.replay.errors` shows their tree.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from paifu.api.changes import changes as changes
    from paifu.api.compare import compare_records as compare_records
    from paifu.api.datasets import open_dataset as open_dataset
    from paifu.api.discard import discard as discard
    from paifu.api.discard import discard_at as discard_at
    from paifu.api.engines import compare as compare
    from paifu.api.fair import fair as fair
    from paifu.api.fix import fix as fix
    from paifu.api.locate import locate as locate
    from paifu.api.luck import game_luck as game_luck
    from paifu.api.luck import luck as luck
    from paifu.api.only import DateError as DateError
    from paifu.api.only import Only as Only
    from paifu.api.only import UnknownRoomError as UnknownRoomError
    from paifu.api.places import places as places
    from paifu.api.positions import position as position
    from paifu.api.positions import position_at as position_at
    from paifu.api.ratings import ratings as ratings
    from paifu.api.read import UnreadableError as UnreadableError
    from paifu.api.read import read as read
    from paifu.api.replay import findings as findings
    from paifu.api.replay import replay_games as replay_games
    from paifu.api.review import review as review
    from paifu.api.rules import ruleset as ruleset
    from paifu.api.score import score as score
    from paifu.api.score import score_many as score_many
    from paifu.api.score import waits as waits
    from paifu.api.sql import QueryError as QueryError
    from paifu.api.sql import query as query
    from paifu.api.stats import stats as stats
    from paifu.api.verify import verify as verify
    from paifu.coach.model_files import ModelError as ModelError
    from paifu.parsers.dataset.shards import DatasetError as DatasetError
    from paifu.parsers.errors import ParseError as ParseError
    from paifu.parsers.errors import PathNotFound as PathNotFound
    from paifu.parsers.errors import WorkerDiedError as WorkerDiedError
    from paifu.parsers.errors import WriteError as WriteError
    from paifu.parsers.library import NotInLibraryError as NotInLibraryError
    from paifu.parsers.mjai.process import EngineError as EngineError
    from paifu.parsers.output_files import OutputError as OutputError
    from paifu.replay.bounds import BoundsError as BoundsError
    from paifu.replay.errors import ArgumentError as ArgumentError
    from paifu.replay.errors import PaifuError as PaifuError
    from paifu.replay.findings.finding import UnknownCodeError as UnknownCodeError
    from paifu.replay.positions.moves import Move as Move
    from paifu.replay.positions.moves import MoveKind as MoveKind
    from paifu.replay.positions.moves import Reason as Reason
    from paifu.replay.positions.position import Position as Position
    from paifu.replay.rules.ruleset import Ruleset as Ruleset
    from paifu.replay.rulesets.presets import RuleError as RuleError
    from paifu.replay.schemes.cards import CardError as CardError
    from paifu.replay.scoring.errors import HandError as HandError
    from paifu.replay.shapes.shanten import shanten_many as shanten_many
    from paifu.replay.shapes.shanten import waits_many as waits_many
    from paifu.reports.figures.files import NothingToDrawError as NothingToDrawError
    from paifu.reports.league.season import SeasonError as SeasonError
    from paifu.reports.league.sheets import SheetError as SheetError
    from paifu.reports.metrics.catalogue import UnknownMetricError as UnknownMetricError
    from paifu.reports.wording import NobodyError as NobodyError

_HOMES = {
    "BoundsError": "paifu.replay.bounds",
    "CardError": "paifu.replay.schemes.cards",
    "DatasetError": "paifu.parsers.dataset.shards",
    "DateError": "paifu.api.only",
    "EngineError": "paifu.parsers.mjai.process",
    "HandError": "paifu.replay.scoring.errors",
    "ModelError": "paifu.coach.model_files",
    "NobodyError": "paifu.reports.wording",
    "NotInLibraryError": "paifu.parsers.library",
    "NothingToDrawError": "paifu.reports.figures.files",
    "OutputError": "paifu.parsers.output_files",
    "ParseError": "paifu.parsers.errors",
    "PathNotFound": "paifu.parsers.errors",
    "QueryError": "paifu.api.sql",
    "RuleError": "paifu.replay.rulesets.presets",
    "SeasonError": "paifu.reports.league.season",
    "SheetError": "paifu.reports.league.sheets",
    "UnknownCodeError": "paifu.replay.findings.finding",
    "UnknownMetricError": "paifu.reports.metrics.catalogue",
    "UnknownRoomError": "paifu.api.only",
    "UnreadableError": "paifu.api.read",
    "WorkerDiedError": "paifu.parsers.errors",
    "WriteError": "paifu.parsers.errors",
    "ArgumentError": "paifu.replay.errors",
    "Move": "paifu.replay.positions.moves",
    "MoveKind": "paifu.replay.positions.moves",
    "Only": "paifu.api.only",
    "PaifuError": "paifu.replay.errors",
    "Position": "paifu.replay.positions.position",
    "Reason": "paifu.replay.positions.moves",
    "Ruleset": "paifu.replay.rules.ruleset",
    "changes": "paifu.api.changes",
    "compare": "paifu.api.engines",
    "compare_records": "paifu.api.compare",
    "discard": "paifu.api.discard",
    "discard_at": "paifu.api.discard",
    "fair": "paifu.api.fair",
    "findings": "paifu.api.replay",
    "fix": "paifu.api.fix",
    "game_luck": "paifu.api.luck",
    "locate": "paifu.api.locate",
    "luck": "paifu.api.luck",
    "open_dataset": "paifu.api.datasets",
    "places": "paifu.api.places",
    "position": "paifu.api.positions",
    "position_at": "paifu.api.positions",
    "query": "paifu.api.sql",
    "ratings": "paifu.api.ratings",
    "read": "paifu.api.read",
    "replay_games": "paifu.api.replay",
    "review": "paifu.api.review",
    "ruleset": "paifu.api.rules",
    "score": "paifu.api.score",
    "score_many": "paifu.api.score",
    "shanten_many": "paifu.replay.shapes.shanten",
    "stats": "paifu.api.stats",
    "verify": "paifu.api.verify",
    "waits": "paifu.api.score",
    "waits_many": "paifu.replay.shapes.shanten",
}
"""Name -> the module that holds it."""

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("paifu")
    if name not in _HOMES:
        raise AttributeError(f"module 'paifu' has no attribute {name!r}")
    found = globals()[name] = getattr(importlib.import_module(_HOMES[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
