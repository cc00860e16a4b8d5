"""All formats that games can be written in: one table, for whatever writes games."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from paifu.parsers.errors import WriteError
from paifu.parsers.majiang.writer import MajiangGameWriter
from paifu.parsers.majsoul.writer import MajsoulGameWriter
from paifu.parsers.mjai.writer import mjai_of_games, mortal_of_games
from paifu.parsers.mjlog.writer import mjlog_of_games
from paifu.parsers.paifu_log.writer import paifu_events_of_games, paifu_of_games
from paifu.parsers.sources.detect import Format
from paifu.parsers.targets import OWN_FORMATS, TARGETS
from paifu.parsers.tenhou6.writer import Tenhou6GameWriter
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventFlag, EventKind, HandEnd
from paifu.replay.rules.choices import Scheme
from paifu.replay.rulesets.presets import ruleset_of


class Writer(NamedTuple):
    """What writes games in a format."""

    games: Callable[[Batch], Iterator[bytes]]
    """Yields each game of a batch as a log of its own; raises WriteError for one that it cannot state."""
    format: Format
    """What its logs are read as."""
    suffix: str


GameWriter = Callable[[Batch], Iterator[bytes]]


def refuse_others(target: str, batch: Batch, game: int) -> None:
    """Raise WriteError for a game that ``target`` has no words for, such as one of two, or with a foul."""
    if target in OWN_FORMATS:
        return
    draws = batch.hand_draws
    problem = ""
    if ruleset_of(batch, game).game.scheme != Scheme.HAN_FU:
        problem = "holds riichi only"
    elif batch.games.players[game] == _TWO:
        problem = "holds games of three or four players only"
    elif (draws.kind[draws.game == game] == HandEnd.CHOMBO).any() or _states_foul(batch, game):
        problem = "has no word for a foul"
    elif _shows_hand(batch, game):
        problem = "has no word for a riichi with the hand shown"
    elif ruleset_of(batch, game).flowers:
        problem = "has no word for a flower"
    if problem:
        source = batch.games.source[game]
        raise WriteError(f"{source} cannot be written as {target}: the format {problem}; use --to paifu")


def _states_foul(batch: Batch, game: int) -> bool:
    """Whether a game states a foul in a hand, or points that a referee took off."""
    events = slice(int(batch.games.event_begin[game]), int(batch.games.event_end[game]))
    return bool((batch.events.kind[events] == EventKind.FOUL).any() or batch.games.penalties[game].any())


def _shows_hand(batch: Batch, game: int) -> bool:
    """Whether a riichi of a game was declared with the hand shown."""
    events = slice(int(batch.games.event_begin[game]), int(batch.games.event_end[game]))
    kind, flags = batch.events.kind[events], batch.events.flags[events]
    return bool(((kind == EventKind.RIICHI) & (flags == EventFlag.OPEN)).any())


def _of_riichi(target: str, games: GameWriter) -> GameWriter:
    """A writer that refuses what its format has no words for."""

    def written(batch: Batch) -> Iterator[bytes]:
        for game in range(len(batch)):
            refuse_others(target, batch, game)
            yield from games(batch.take(game) if len(batch) > 1 else batch)

    return written


_TWO = 2
_FORMATS: dict[str, tuple[GameWriter, Format, str]] = {
    "mjlog": (mjlog_of_games, Format.MJLOG, ".mjlog"),
    "tenhou6": (Tenhou6GameWriter.lines, Format.TENHOU6, ".json"),
    "mjai": (mjai_of_games, Format.MJAI, ".mjson"),
    "mjai-mortal": (mortal_of_games, Format.MJAI, ".mjson"),
    "majiang": (MajiangGameWriter.lines, Format.MAJIANG, ".json"),
    "majsoul-json": (MajsoulGameWriter.lines, Format.MAJSOUL, ".json"),
    "paifu": (paifu_of_games, Format.PAIFU, ".jsonl"),
    "paifu-events": (paifu_events_of_games, Format.PAIFU, ".jsonl"),
}


def _writer(name: str) -> Writer:
    games, fmt, suffix = _FORMATS[name]
    return Writer(games if name in OWN_FORMATS else _of_riichi(name, games), fmt, suffix)


WRITERS: Mapping[str, Writer] = {name: _writer(name) for name in TARGETS}
"""Name of a format, as commands take it -> what writes it."""
