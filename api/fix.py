"""Repair: records in which what is proved to be wrong is mended, each change listed, never a guess.

A mended game is written in the format that it was read from, read back and compared: only what was mended
may be different, and nothing may be lost. A format whose writer cannot do so is refused.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from paifu.api.game_files import GameFiles, Put, file_name
from paifu.api.only import EVERY_GAME, Only
from paifu.api.pipeline import SILENT, Done, Paths, Run, Unit, Watch, listed, unread
from paifu.api.rules import Rules, Settings, rulesets_for_replay
from paifu.parsers.errors import WriteError
from paifu.parsers.read import read_unit
from paifu.parsers.sources.documents import Document
from paifu.parsers.writers import WRITERS
from paifu.replay.comparison.comparing import compare_games
from paifu.replay.language import _
from paifu.replay.mending.search import LeftFinding, Mend, MendedGame, mend
from paifu.replay.model.batch import Batch
from paifu.replay.rulesets.presets import Given
from paifu.replay.table.engine import replay

_WRITERS_OF = {
    "mjlog": ("mjlog",),
    "tenhou6": ("tenhou6",),
    "mjai": ("mjai", "mjai-mortal"),
    "majiang": ("majiang",),
    "majsoul": ("majsoul-json",),
    "paifu": ("paifu",),
}
"""Format that a game was read from -> what may write it."""


@dataclass(frozen=True, slots=True)
class FixedGame:
    """One game, and what was mended in it."""

    source: str
    name: str
    """A name for its file, without the suffix."""
    mends: tuple[Mend, ...]
    left: tuple[LeftFinding, ...]
    """Findings that no change is proved for."""
    text: bytes = b""
    """The mended record; empty if nothing is mended or it cannot be written."""
    suffix: str = ""
    error: str = ""
    """Why it cannot be written."""


@dataclass(slots=True)
class Repair:
    """What was mended. It is true if no finding is left, and all was read and written."""

    games: int = 0
    mended: int = 0
    unchanged: int = 0
    """Games in which nothing is mended; they are not written."""
    written: int = 0
    there: int = 0
    """Files that were there already, with this content."""
    unreadable: int = 0
    changes: list[FixedChange] = field(default_factory=list)
    left: list[LeftFinding] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    """Mended games that could not be written."""

    def __bool__(self) -> bool:
        return not (self.left or self.errors or self.unreadable)


@dataclass(frozen=True, slots=True)
class FixedChange:
    """One fact that was put right."""

    source: str
    file: str
    """The file that has it; empty if it was not written."""
    mend: Mend


def fix(
    paths: Paths,
    folder: str | Path | None,
    *,
    rules: Rules | None = None,
    settings: Settings = (),
    only: Only = EVERY_GAME,
    jobs: int | None = 1,
    watch: Watch = SILENT,
) -> Repair:
    """Write every game of ``paths`` in which something is mended into ``folder``, a file each.

    Without a folder nothing is written. ``rules`` and ``settings`` are those of :func:`paifu.verify`; if
    any are given, other rules are not considered as a reason of what is found. Raises PathNotFound,
    OutputError, RuleError.

    >>> done = fix("sample_logs/broken/V306.mjlog", None)
    >>> [(one.mend.fact.fact, one.mend.fact.a, one.mend.fact.b) for one in done.changes], bool(done)
    ([('wins.fu', '20', '30')], True)
    """
    files = None if folder is None else GameFiles(folder, listed(paths))
    total = Repair()
    run = fixing(paths, rules=rulesets_for_replay(rules, settings), only=only, jobs=jobs, watch=watch)
    for part in run:
        for game in part:
            _add(total, game, files)
    total.unreadable = len(run.faults)
    return total


def fixing(
    paths: Paths,
    *,
    rules: tuple[Given, ...] = (),
    only: Only = EVERY_GAME,
    jobs: int | None = 1,
    watch: Watch = SILENT,
) -> Run[list[FixedGame]]:
    """Return a run that mends: iterate over it for the games of each unit of input. Raises PathNotFound."""
    return Run(paths, partial(_fix_unit, rules, only), jobs=jobs, watch=watch)


def _add(total: Repair, game: FixedGame, files: GameFiles | None) -> None:
    total.games += 1
    total.left += game.left
    error, file = game.error, ""
    if game.text and files is not None:
        put, path = files.put(game.name, game.suffix, game.text, game.source)
        file = str(path)
        total.written += put is Put.WRITTEN
        total.there += put is Put.THERE
        if put is Put.KEPT:
            told = _("{log}: {file} exists and may be one of the logs to mend; name another folder")
            error, file = told.format(log=game.source, file=path), ""
    if error:
        total.errors.append(error)
    total.mended += bool(game.mends)
    total.unchanged += not game.mends
    total.changes += [FixedChange(game.source, file, one) for one in game.mends]


def _fix_unit(rules: tuple[Given, ...], only: Only, unit: Unit) -> Done[list[FixedGame]]:
    batch, _inputs, left_out = only.read(unit)
    suspects = set(replay(batch, *rules, player_hands=False).findings.game.tolist())
    damaged = {str(source) for source in batch.faults.source}
    games = [_fixed(batch.take(game), game in suspects, damaged, rules) for game in range(len(batch))]
    return Done(games, len(batch), unread(batch.faults), left_out)


def _fixed(game: Batch, is_suspect: bool, damaged: set[str], rules: tuple[Given, ...]) -> FixedGame:
    source = str(game.games.source[0])
    name = file_name(source, str(game.games.id[0]))
    if not is_suspect:
        return FixedGame(source, name, (), ())
    mended = mend(game, *rules)
    left = tuple(mended.left)
    if not mended.mends:
        return FixedGame(source, name, (), left)
    if game.games.is_cut[0] or source in damaged:
        told = _("{log}: not all of it could be read, so what is mended is not written")
        return FixedGame(source, name, tuple(mended.mends), left, error=told.format(log=source))
    try:
        text, suffix = _written(mended, name, rules)
    except WriteError as error:
        return FixedGame(source, name, tuple(mended.mends), left, error=str(error))
    return FixedGame(source, name, tuple(mended.mends), left, text, suffix)


def _written(mended: MendedGame, name: str, rules: tuple[Given, ...]) -> tuple[bytes, str]:
    """Write a game so that exactly what it states comes back; raises WriteError."""
    game = mended.batch
    source, fmt = game.games.source[0], str(game.games.format[0])
    targets = _WRITERS_OF.get(fmt, ())
    if not targets:
        told = _("{log}: paifu has no writer for {format} that is proved; --dry-run lists what is to mend")
        raise WriteError(told.format(log=source, format=fmt))
    differing: set[str] = set()
    for target in targets:
        writer = WRITERS[target]
        text = b"".join(writer.games(game))
        result = read_unit([Document(f"{name}{writer.suffix}", text, writer.format)])
        if len(result) == 1 and not len(result.faults):
            differing = {one.fact for one in compare_games(game, result).differences}
            if not differing and _found(game, rules) == _found(result, rules):
                return text, writer.suffix
    told = _("{log}: written as {format}, it would not say all that it says now: {facts}")
    facts = ", ".join(sorted(differing)) or _("it cannot be read back")
    raise WriteError(told.format(log=source, format=targets[0], facts=facts))


def _found(game: Batch, rules: tuple[Given, ...]) -> Counter[tuple[int, int, int]]:
    table = replay(game, *rules, player_hands=False).findings
    return Counter(zip(table.code.tolist(), table.hand.tolist(), table.seat.tolist(), strict=True))
