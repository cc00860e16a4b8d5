"""Engines asked at each decision of logs, or their reports, and how often they agree with players and model.

One process for each log and seat plays the game through; its answers are kept in a folder under a hash of
what it was told and of its command, so a run that was stopped goes on where it was.
"""

from __future__ import annotations

import hashlib
import heapq
import os
import shlex
import shutil
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import orjson

from paifu.api.cache import cache_folder
from paifu.api.only import EVERY_GAME, Only
from paifu.api.pipeline import SILENT, Once, Paths, Run, Watch, listed, replaying
from paifu.api.rules import Rules, Settings, rulesets_for_replay
from paifu.coach.judgement.opinions import Agreement, Opinion, opinions
from paifu.parsers.errors import WriteError
from paifu.parsers.mjai.answers import NonsenseError
from paifu.parsers.mjai.asking import AskedEngine, MjaiEvent, ask, told, verdict_of
from paifu.parsers.mjai.process import EngineError, EngineProcess, ending_well, kill_all
from paifu.parsers.output_files import make_folder, write_file
from paifu.parsers.read import Inputs
from paifu.parsers.spreading import default_jobs
from paifu.replay.errors import ArgumentError
from paifu.replay.foreign_text import name_key
from paifu.replay.language import _
from paifu.replay.model.batch import Batch
from paifu.replay.rules.choices import Scheme
from paifu.replay.rulesets.presets import Given, ruleset_of
from paifu.replay.table.replayed import Replay
from paifu.replay.views.verdicts import Verdict, verdicts_of

_VERSION = 2
"""Version of the answers kept: raised when what engines are told, or what is kept, changes."""
_MAX_KEPT = 8 << 20
"""Bytes of a file of answers that are read."""
SHOWN = 10
_SEAT = "{seat}"
"""In a command, the seat that the engine is asked for."""
TIMEOUT = 60.0
"""Seconds that an engine has for an answer; for its first, ten times as long."""


@dataclass(frozen=True, slots=True)
class Inquiry:
    """What to ask of whom."""

    command: str = ""
    """Empty to read the verdicts that reports state."""
    players: frozenset[str] = frozenset()
    """Case-folded names, none for everybody."""
    folder: str = ""
    """Where answers are kept; empty for the user's cache folder."""
    jobs: int = 1
    most: int | None = SHOWN
    """Decisions to keep, those where engine and model differ most; None for all."""


@dataclass(slots=True)
class Differences:
    """What was found; parts of an input add up."""

    agreement: Agreement = field(default_factory=Agreement)
    worst: list[Opinion] = field(default_factory=list)
    """Decisions in which engine and model differ: those that cost most by the model come first."""
    every: list[Opinion] = field(default_factory=list)
    """All decisions, where all were wanted."""
    asked: int = 0
    """Logs and seats that the engine played through now."""
    kept: int = 0
    """Those whose answers were there already."""
    failures: list[str] = field(default_factory=list)

    def merge(self, other: Differences, most: int | None) -> None:
        """Add another part."""
        self.agreement.merge(other.agreement)
        self.worst = _worst([*self.worst, *other.worst], most)
        self.every += other.every
        self.asked += other.asked
        self.kept += other.kept
        self.failures += other.failures


def _worst(found: Iterable[Opinion], most: int | None) -> list[Opinion]:
    """Return the decisions in which engine and model differ most."""
    differing = [one for one in found if not one.agrees[1] and one.loss is not None]
    number = most or len(differing)
    return heapq.nlargest(number, differing, key=lambda one: one.loss or 0)


def compare(
    paths: Paths,
    *,
    engine: str = "",
    players: str | Iterable[str] = (),
    cache: str | Path = "",
    rules: Rules | None = None,
    settings: Settings = (),
    only: Only = EVERY_GAME,
    jobs: int | None = 1,
) -> Differences:
    """Compare an engine's choices with the players' and with the model's.

    ``engine`` is a command that speaks mjai, split as a shell does and run without one; empty to read the
    verdicts that reports such as mjai-reviewer's state. It is asked for the ``players`` named, or for all.
    ``cache`` is the folder for its answers, ``jobs`` how many engines run at a time; the rest is as in
    :func:`paifu.review`. Raises ArgumentError, PathNotFound, RuleError.

    >>> found = compare("sample_logs/platforms/report.json.gz")
    >>> found.agreement.total[0] > 0, found.failures
    (True, [])
    """
    named: list[str] = [str(name) for name in listed(players)]
    inquiry = inquiry_of(engine, named, jobs, most=None, cache=cache, is_report=not engine)
    whole = Differences()
    with ending_well():
        for part in comparing(paths, inquiry, rules=rulesets_for_replay(rules, settings), only=only):
            whole.merge(part, None)
    return whole


def inquiry_of(
    engine: str, players: Iterable[str], jobs: int | None,
    *, most: int | None, cache: str | Path = "", is_report: bool = False,
) -> Inquiry:  # fmt: skip
    """Return what to ask. Raises ArgumentError for an engine that cannot be."""
    if not is_report:
        _check(engine)
    names = frozenset(map(name_key, players))
    return Inquiry(engine, names, os.fspath(cache), jobs or default_jobs(), most)


def _check(command: str) -> None:
    """Raise ArgumentError for an engine that cannot be started."""
    words = _split(command)
    if shutil.which(words[0]) is None:
        text = _("there is no program {words!r}; an engine is a command that speaks mjai")
        raise ArgumentError(text.format(words=words[0]))


def _split(command: str) -> list[str]:
    """Split a command as a shell does. Raises ArgumentError where it cannot be split, or is empty."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        text = _("{command!r} cannot be split into words: {error}")
        raise ArgumentError(text.format(command=command, error=error)) from error
    if not words:
        raise ArgumentError(_("an engine's command is empty"))
    return words


def comparing(
    paths: Paths,
    inquiry: Inquiry,
    *,
    rules: tuple[Given, ...] = (),
    only: Only = EVERY_GAME,
    watch: Watch = SILENT,
) -> Run[Differences]:
    """Return a run that compares; iterate over it within :func:`ending_well`, which takes engines along."""
    return replaying(
        paths, partial(_compared, inquiry, rules), rules=rules, player_hands=False, only=only,
        once=Once.HANDS, named=bool(inquiry.players), jobs=1, watch=watch,
    )  # fmt: skip


def _compared(inquiry: Inquiry, rules: tuple[Given, ...], replayed: Replay, _inputs: Inputs) -> Differences:
    batch, found = replayed.batch, Differences()
    verdicts = list(_asked(batch, inquiry, found)) if inquiry.command else list(_reported(batch, inquiry))
    every, refused = [], dict[tuple[int, int], list[Opinion]]()
    for one in opinions(batch, verdicts, *rules):
        if one.is_allowed or not inquiry.command:
            every.append(one)
            found.agreement.add(one)
        else:
            refused.setdefault((one.game, one.seat), []).append(one)
    for (game, seat), some in refused.items():
        first = some[0]
        text = _(
            "{place}: answers that are not allowed: {count}; the first: {answer} at {hand}, event {event}"
        )
        where = {"place": _named(batch, game, seat), "hand": first.hand, "event": first.event}
        found.failures.append(text.format(**where, count=len(some), answer=first.chosen))
        _file_of(inquiry, seat, told(batch, game, seat)).unlink(missing_ok=True)
    found.worst = _worst(every, inquiry.most)
    found.every = every if inquiry.most is None else []
    return found


def _named(batch: Batch, game: int, seat: int) -> str:
    return _("{log}, seat {seat}").format(log=batch.games.source[game], seat=seat)


def _is_wanted(batch: Batch, game: int, seat: int, inquiry: Inquiry) -> bool:
    return not inquiry.players or name_key(str(batch.games.names[game, seat])) in inquiry.players


def _reported(batch: Batch, inquiry: Inquiry) -> Iterator[tuple[int, Verdict]]:
    """Yield the verdicts that reports state."""
    for hand in range(len(batch.hands)):
        for verdict in verdicts_of(batch, hand):
            if _is_wanted(batch, int(batch.hands.game[hand]), verdict.seat, inquiry):
                yield hand, verdict


def _asked(batch: Batch, inquiry: Inquiry, found: Differences) -> Iterator[tuple[int, Verdict]]:
    """Yield what the engine says of each seat of each game, several at a time."""
    seats = []
    for game in range(len(batch)):
        if ruleset_of(batch, game).game.scheme != Scheme.HAN_FU:
            continue
        for seat in range(int(batch.games.players[game])):
            seats += [(game, seat)] if _is_wanted(batch, game, seat, inquiry) else []
    pool = ThreadPoolExecutor(max_workers=inquiry.jobs)
    try:
        work = partial(_answers, batch, inquiry)
        for (game, seat), said in zip(seats, pool.map(work, seats), strict=True):
            found.kept += said.is_kept
            found.asked += said.is_asked
            if said.failure:
                found.failures.append(f"{_named(batch, game, seat)}: {said.failure}")
            for row, answer in said.answers:
                hand = int(batch.hands.event_begin.searchsorted(row, "right")) - 1
                try:
                    yield hand, verdict_of(batch, hand, row, seat, answer, inquiry.command)
                except NonsenseError:
                    continue  # what was kept has been changed by somebody
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        kill_all()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


@dataclass(frozen=True, slots=True)
class Said:
    """What an engine said of one seat of one game."""

    answers: list[tuple[int, MjaiEvent]] = field(default_factory=list)
    """(row, answer) of each decision."""
    is_asked: bool = False
    is_kept: bool = False
    failure: str = ""
    """What went wrong; some answers may be there all the same."""


def _answers(batch: Batch, inquiry: Inquiry, place: tuple[int, int]) -> Said:
    """Return what the engine says of one seat of one game."""
    game, seat = place
    try:
        events = told(batch, game, seat)
    except WriteError as error:
        return Said(failure=str(error))
    first = int(batch.games.event_begin[game])
    kept = _file_of(inquiry, seat, events)
    answers = _read_kept(kept)
    if answers is not None:
        return Said([(first + row, answer) for row, answer in answers], is_kept=True)
    try:
        words = [word.replace(_SEAT, str(seat)) for word in _split(inquiry.command)]
        engine = AskedEngine(EngineProcess(words, timeout=TIMEOUT))
        try:
            answers, wrong = ask(engine, events, seat)
        finally:
            engine.close()
    except EngineError as error:
        return Said(failure=str(error))
    if wrong:
        text = _("answers that mean nothing: {count} of {all}; the first: {why}")
        failure = text.format(count=len(wrong), all=len(answers) + len(wrong), why=wrong[0])
        return Said(answers, is_asked=True, failure=failure)
    make_folder(kept.parent)
    relative = [(row - first, answer) for row, answer in answers]
    content = orjson.dumps({"version": _VERSION, "engine": inquiry.command, "answers": relative})
    write_file(kept, content, through_links=False)
    return Said(answers, is_asked=True)


def _file_of(inquiry: Inquiry, seat: int, events: list[tuple[MjaiEvent, int]]) -> Path:
    """Return where the answers to some events are kept."""
    digest = hashlib.sha256(orjson.dumps([_VERSION, inquiry.command, seat, [event for event, _ in events]]))
    root = inquiry.folder or cache_folder("engine-answers")
    return Path(root) / f"{digest.hexdigest()[:40]}.json"


def _read_kept(path: Path) -> list[tuple[int, MjaiEvent]] | None:
    """Return kept answers; None where there are none, or none that can be read."""
    try:
        if path.stat().st_size > _MAX_KEPT:
            return None
        value = orjson.loads(path.read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return None
    if not isinstance(value, dict) or value.get("version") != _VERSION:
        return None
    answers = value.get("answers")
    if not isinstance(answers, list):
        return None
    found = []
    for pair in answers:
        is_pair = isinstance(pair, list) and len(pair) == 2 and type(pair[0]) is int
        if not is_pair or pair[0] < 0 or not isinstance(pair[1], dict):
            return None
        found.append((pair[0], pair[1]))
    return found
