"""One pipeline for every command: a piece of work over inputs, in one process or in many.

::

    paths -> items -> units -> work(unit) -> Done(result, games, faults) -> results, in input order

A :class:`Run` is that pipeline with its work. Iterate over it for the results; it adds up games and faults
and notifies a :class:`Watch`. Work that replays is a function of a
:class:`~paifu.replay.table.facts.Replay`, made into a run by :func:`replaying`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from paifu.parsers.read import (
    Inputs,
    estimate_events,
    iter_items,
    iter_units,
    read_inputs,
    read_unit,
)
from paifu.parsers.workers import Cluster, Jobs, run
from paifu.replay.findings.finding import Finding, faults
from paifu.replay.foreign_text import escaped
from paifu.replay.kernels import jit

if TYPE_CHECKING:
    from paifu.parsers.dataset.shards import InputItem
    from paifu.replay.model.batch import Batch
    from paifu.replay.rules.presets import Given
    from paifu.replay.table.facts import Replay

R = TypeVar("R")
Paths = str | Path | Iterable[str | Path]
Unit = list["InputItem"]
"""The items a worker processes at a time: documents, faults, shards of a dataset."""
_SMALL_UNIT = 1.0
"""Seconds that a unit may take while kernels are interpreted; a single game may take longer."""


@dataclass(frozen=True, slots=True)
class Done(Generic[R]):
    """The outcome of one unit."""

    result: R
    games: int
    faults: tuple[Finding, ...] = ()
    """What could not be read."""


class Watch:
    """Receives news of a run; this one ignores it."""

    def advance(self, games: int) -> None:
        """Called when ``games`` more games are done."""

    def fault(self, finding: Finding) -> None:
        """Called for each input that could not be read."""

    def notice(self, text: str) -> None:
        """Called when something will take unusually long, with the reason."""


SILENT = Watch()


class Run(Generic[R]):
    """A piece of work over inputs. Iterate over it, once, for the results in the order of the input.

    ``jobs`` is the number of worker processes, None for one a processor, or a cluster. Raises
    :class:`~paifu.parsers.errors.PathNotFound` at once for a path that names nothing.
    """

    def __init__(
        self,
        paths: Paths,
        work: Callable[[Unit], Done[R]],
        *,
        jobs: Jobs = 1,
        prepare: Callable[[Iterator[Unit], Watch], Iterable[Unit]] | None = None,
        watch: Watch = SILENT,
    ) -> None:
        self._units: Iterable[Unit] = iter_units(iter_items(listed(paths)))
        self._work = work
        self._jobs = jobs
        self._prepare = prepare
        self._watch = watch
        self.games = 0
        """Games done so far."""
        self.faults: list[Finding] = []
        """What could not be read so far."""

    def __iter__(self) -> Iterator[R]:
        units: Iterable[Unit] = iter(self._units)
        work = self._work
        if self._prepare is not None:
            if isinstance(self._jobs, Cluster):
                work = partial(_work_prepared, self._prepare, work)
            else:
                units = self._prepare(iter(units), self._watch)
        for done in run(units, work, jobs=self._jobs):
            self.games += done.games
            self.faults += done.faults
            for finding in done.faults:
                self._watch.fault(finding)
            self._watch.advance(done.games)
            yield done.result

    def begun(self) -> Iterator[R]:
        """Do the first piece of work now; return an iterator over the results of all.

        That makes the engine ready, before its caller imports anything that needs kernels.
        """
        results = iter(self)
        return chain(list(islice(results, 1)), results)


def prepared(prepare: Callable[[Iterator[Unit], Watch], Iterable[Unit]], unit: Unit) -> Unit:
    """Return a unit for which a worker of a cluster has made itself ready; it may be the first to come."""
    return list(chain.from_iterable(prepare(iter([unit]), SILENT)))


def _work_prepared(
    prepare: Callable[[Iterator[Unit], Watch], Iterable[Unit]], work: Callable[[Unit], Done[R]], unit: Unit
) -> Done[R]:
    return work(prepared(prepare, unit))


def listed(paths: Paths) -> list[str | Path]:
    """Return paths as a list; a single one may be given as it is."""
    return [paths] if isinstance(paths, (str, Path)) else list(paths)


def replaying(
    paths: Paths,
    make: Callable[[Replay, Inputs], R],
    *,
    rules: tuple[Given, ...] = (),
    review: bool = False,
    player_hands: bool = True,
    decisions: bool = False,
    watched: frozenset[str] | None = None,
    jobs: Jobs = 1,
    watch: Watch = SILENT,
) -> Run[R]:
    """Return a run that replays everything and gives ``make(replay, inputs)`` of each unit.

    ``make`` and what it returns must be picklable when there is more than one job. ``decisions`` says that it
    looks at these, too, so that all it needs is compiled beforehand. ``watched`` are players whose discards
    under threat the review counts apart.
    """
    work = partial(_replay_unit, make, rules, review, player_hands, watched)
    prepare = partial(made_ready, review=review, decisions=decisions)
    return Run(paths, work, jobs=jobs, prepare=prepare, watch=watch)


def _replay_unit(
    make: Callable[[Replay, Inputs], R],
    rules: tuple[Given, ...],
    review: bool,
    player_hands: bool,
    watched: frozenset[str] | None,
    unit: Unit,
) -> Done[R]:
    """Read and replay a unit; the work of one process."""
    from paifu.replay.table.engine import replay

    batch, inputs = read_inputs(unit)
    replayed = replay(batch, *rules, review=review, player_hands=player_hands, watched=watched)
    return Done(make(replayed, inputs), len(batch), tuple(faults(batch.faults)))


def reading(paths: Paths, *, jobs: Jobs = 1, watch: Watch = SILENT) -> Run[Batch]:
    """Return a run that reads everything and gives a batch of each unit."""
    return Run(paths, _read, jobs=jobs, watch=watch)


def _read(unit: Unit) -> Done[Batch]:
    batch = read_unit(unit)
    return Done(batch, len(batch), tuple(faults(batch.faults)))


def made_ready(
    units: Iterator[Unit], watch: Watch, *, review: bool, decisions: bool = False
) -> Iterator[Unit]:
    """Make the engine ready for what the units hold, before anything replays it; return all of them.

    A small input runs interpreted, immediately, as a single unit: starting a worker would take longer. A
    larger one begins interpreted, in small units, while other processes compile the engine. Where nothing can
    be kept it is compiled here, and workers share it.
    """
    part = jit.DECISIONS if decisions else jit.REVIEW if review else jit.ENGINE
    ahead: list[Unit] = []
    events = 0
    for unit in units:
        ahead.append(unit)
        events += estimate_events(unit)
        if not jit.is_small(events, part):
            break
    every = chain(ahead, units)
    if not jit.is_small(events, part) and jit.may_wait(part):
        watch.notice("compiling the engine (first use only); until that is done, games take longer")
        return _while_compiling(every, part)
    if jit.choose(events, part):
        for text in compiling(part):
            watch.notice(text)
        if not jit.is_loaded(part):
            from paifu.api.compiling import load

            load(part)
    elif jit.is_small(events, part):
        return iter([list(chain.from_iterable(ahead))])
    return every


def made_ready_unless(
    is_known: Callable[[Unit], bool],
    units: Iterator[Unit],
    watch: Watch,
    *,
    review: bool,
    decisions: bool = False,
) -> Iterator[Unit]:
    """As :func:`made_ready`, but only from the first unit on whose results are not known already."""
    for unit in units:
        if not is_known(unit):
            yield from made_ready(chain([unit], units), watch, review=review, decisions=decisions)
            return
        yield unit


def _while_compiling(units: Iterator[Unit], part: str) -> Iterator[Unit]:
    """Yield units, small ones while other processes compile a part of the engine."""
    from paifu.api.compiling import Compilers

    with Compilers(part):
        jit.wait_for(part)
        for unit in units:
            while unit and jit.is_interpreted():
                seconds = jit.interpreted_seconds(estimate_events(unit), part)
                number = max(1, int(len(unit) * _SMALL_UNIT / max(seconds, _SMALL_UNIT)))
                yield unit[:number]
                unit = unit[number:]
            if unit:
                yield unit


def compiling(part: str) -> list[str]:
    """Return the notices to print before the first use of a part of the engine; none if it is compiled."""
    if jit.is_warm(part):
        return []
    problem = jit.cache_problem()
    notice = "compiling the engine ({}): this takes about half a minute"
    if not problem:
        return [notice.format("first use only")]
    return [
        f"the cache of compiled kernels is not used: {escaped(problem)}",
        notice.format("for this run only"),
    ]
