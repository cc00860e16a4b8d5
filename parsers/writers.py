"""All formats that games can be written in: one table, for whatever writes games."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from paifu.parsers.errors import WriteError
from paifu.parsers.majiang.writer import MajiangGameWriter
from paifu.parsers.majsoul.writer import MajsoulGameWriter
from paifu.parsers.mjai.writer import MjaiGameWriter, MortalGameWriter
from paifu.parsers.mjlog.writer import MjlogGameWriter
from paifu.parsers.paifu_log.writer import PaifuEventsGameWriter, PaifuGameWriter
from paifu.parsers.sources.detect import Format
from paifu.parsers.targets import OWN_FORMATS, TARGETS
from paifu.parsers.tenhou6.writer import Tenhou6GameWriter
from paifu.parsers.written_game import WrittenGame
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


def refuse_others(target: str, batch: Batch, game: int) -> None:
    """Raise WriteError for a game that ``target`` has no words for, such as one of two, or with a foul."""
    if target in OWN_FORMATS:
        return
    draws = batch.hand_draws
    events = slice(int(batch.games.event_begin[game]), int(batch.games.event_end[game]))
    kind, flags = batch.events.kind[events], batch.events.flags[events]
    is_foul = (draws.kind[draws.game == game] == HandEnd.CHOMBO).any() or (kind == EventKind.FOUL).any()
    problem = ""
    if ruleset_of(batch, game).game.scheme != Scheme.HAN_FU:
        problem = "holds riichi only"
    elif batch.games.players[game] == 2:
        problem = "holds games of three or four players only"
    elif is_foul or batch.games.penalties[game].any():
        problem = "has no word for a foul"
    elif ((kind == EventKind.RIICHI) & (flags == EventFlag.OPEN)).any():
        problem = "has no word for a riichi with the hand shown"
    elif ruleset_of(batch, game).flowers:
        problem = "has no word for a flower"
    if problem:
        source = batch.games.source[game]
        raise WriteError(f"{source} cannot be written as {target}: the format {problem}; use --to paifu")


_FORMATS: dict[str, tuple[type[WrittenGame], Format, str]] = {
    "mjlog": (MjlogGameWriter, Format.MJLOG, ".mjlog"),
    "tenhou6": (Tenhou6GameWriter, Format.TENHOU6, ".json"),
    "mjai": (MjaiGameWriter, Format.MJAI, ".mjson"),
    "mjai-mortal": (MortalGameWriter, Format.MJAI, ".mjson"),
    "majiang": (MajiangGameWriter, Format.MAJIANG, ".json"),
    "majsoul-json": (MajsoulGameWriter, Format.MAJSOUL, ".json"),
    "paifu": (PaifuGameWriter, Format.PAIFU, ".jsonl"),
    "paifu-events": (PaifuEventsGameWriter, Format.PAIFU, ".jsonl"),
}


def _games(name: str) -> Callable[[Batch], Iterator[bytes]]:
    """What writes the games of a batch, and refuses those that the format has no words for."""

    def written(batch: Batch) -> Iterator[bytes]:
        for game in range(len(batch)):
            refuse_others(name, batch, game)
            yield from writer.games(batch.take(game) if len(batch) > 1 else batch)

    writer = _FORMATS[name][0]
    return writer.games if name in OWN_FORMATS else written


WRITERS: Mapping[str, Writer] = {name: Writer(_games(name), *_FORMATS[name][1:]) for name in TARGETS}
"""Name of a format, as commands take it -> what writes it."""
