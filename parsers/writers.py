"""All formats that games can be written in: one table, for whatever writes games."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from paifu.parsers.majiang.writer import majiang_of_games
from paifu.parsers.majsoul.writer import majsoul_of_games
from paifu.parsers.mjai.writer import mjai_of_games, mortal_of_games
from paifu.parsers.mjlog.writer import mjlog_of_games
from paifu.parsers.paifu_log.writer import paifu_events_of_games, paifu_of_games
from paifu.parsers.sources.detect import Format
from paifu.parsers.tenhou6.writer import tenhou6_of_games
from paifu.replay.model.batch import Batch


class Writer(NamedTuple):
    """What writes games in a format."""

    games: Callable[[Batch], Iterator[bytes]]
    """Yields each game of a batch as a log of its own; raises WriteError for one that it cannot state."""
    format: Format
    """What its logs are read as."""
    suffix: str


WRITERS: Mapping[str, Writer] = MappingProxyType(
    {
        "mjlog": Writer(mjlog_of_games, Format.MJLOG, ".mjlog"),
        "tenhou6": Writer(tenhou6_of_games, Format.TENHOU6, ".json"),
        "mjai": Writer(mjai_of_games, Format.MJAI, ".mjson"),
        "mjai-mortal": Writer(mortal_of_games, Format.MJAI, ".mjson"),
        "majiang": Writer(majiang_of_games, Format.MAJIANG, ".json"),
        "majsoul-json": Writer(majsoul_of_games, Format.MAJSOUL, ".json"),
        "paifu": Writer(paifu_of_games, Format.PAIFU, ".jsonl"),
        "paifu-events": Writer(paifu_events_of_games, Format.PAIFU, ".jsonl"),
    }
)
"""Name of a format, as commands take it -> what writes it."""
OWN_FORMATS = frozenset({"paifu", "paifu-events"})
"""Of these, the ones that can state any ruleset."""
