"""One pipeline for every command: a piece of work over inputs, in one process or in many.

::

    paths -> items -> units -> work(unit) -> Done(result, games, faults) -> results, in input order

A :class:`Run` is that pipeline with its work. Iterate over it for the results; it adds up games and faults
and notifies a :class:`Watch`. Work that replays is a function of a
:class:`~paifu.replay.table.facts.Replay`, made into a run by :func:`replaying`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from paifu.api.only import EVERY_GAME, NOTHING, LeftOut, Only
from paifu.parsers.read import Inputs, estimate_events, iter_items, iter_units
from paifu.parsers.workers import Cluster, Jobs, NothingYet, default_jobs, run
from paifu.replay.findings.finding import Finding, faults
from paifu.replay.foreign_text import escaped
from paifu.replay.kernels import jit
from paifu.replay.language import _

if TYPE_CHECKING:
    from paifu.parsers.dataset.shards import InputItem
    from paifu.replay.model.batch import Batch
    from paifu.replay.rules.presets import Given
    from paifu.replay.table.facts import Replay

R = TypeVar("R")
Paths = str | Path | Iterable[str | Path]
Unit = list["InputItem"]
"""The items a worker processes at a time: documents, faults, shards of a dataset."""
_SMALL_UNIT, _FIRST_UNIT = 1.0, 0.2
"""Seconds that a unit may take while kernels are interpreted; a single game may take longer."""
_POLL = 0.05
"""Seconds between two looks at the compilers."""


@dataclass(frozen=True, slots=True)
class Done(Generic[R]):
    """The outcome of one unit."""

    result: R
    games: int
    faults: tuple[Finding, ...] = ()
    """What could not be read."""
    left_out: LeftOut = NOTHING
    """Games that were not wanted."""


class Watch:
    """Receives news of a run; this one ignores it."""

    def advance(self, games: int) -> None:
        """Called when ``games`` more games are done."""

    def fault(self, finding: Finding) -> None:
        """Called for each input that could not be read."""

    def left_out(self, games: LeftOut) -> None:
        """Called when games were read that were not wanted."""

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
            self._watch.left_out(done.left_out)
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
    adapt: Callable[[Batch], Batch] | None = None,
    only: Only = EVERY_GAME,
    jobs: Jobs = 1,
    watch: Watch = SILENT,
) -> Run[R]:
    """Return a run that replays everything and gives ``make(replay, inputs)`` of each unit.

    ``make`` and what it returns must be picklable when there is more than one job. ``decisions`` says that it
    looks at these, too, so that all it needs is compiled beforehand. ``watched`` are players whose discards
    under threat the review counts apart. ``adapt`` changes the games before they are replayed. Games beside
    ``only`` are read and left out.
    """
    work = partial(_replay_unit, make, rules, review, player_hands, watched, adapt, only)
    prepare = partial(made_ready, review=review, decisions=decisions, jobs=jobs)
    return Run(paths, work, jobs=jobs, prepare=prepare, watch=watch)


def _replay_unit(
    make: Callable[[Replay, Inputs], R],
    rules: tuple[Given, ...],
    review: bool,
    player_hands: bool,
    watched: frozenset[str] | None,
    adapt: Callable[[Batch], Batch] | None,
    only: Only,
    unit: Unit,
) -> Done[R]:
    """Read and replay a unit; the work of one process."""
    from paifu.replay.table.engine import replay

    batch, inputs, left_out = only.read(unit)
    if adapt is not None:
        batch = adapt(batch)
    replayed = replay(batch, *rules, review=review, player_hands=player_hands, watched=watched)
    return Done(make(replayed, inputs), len(batch), tuple(faults(batch.faults)), left_out)


def reading(paths: Paths, *, only: Only = EVERY_GAME, jobs: Jobs = 1, watch: Watch = SILENT) -> Run[Batch]:
    """Return a run that reads everything and gives a batch of each unit."""
    return Run(paths, partial(_read, only), jobs=jobs, watch=watch)


def _read(only: Only, unit: Unit) -> Done[Batch]:
    batch, _, left_out = only.read(unit)
    return Done(batch, len(batch), tuple(faults(batch.faults)), left_out)


def made_ready(
    units: Iterator[Unit], watch: Watch, *, review: bool, decisions: bool = False, jobs: Jobs = 1
) -> Iterator[Unit]:
    """Make the engine ready for what the units hold, before anything replays it; return all of them.

    A small input runs interpreted, immediately, as a single unit: starting a worker would take longer. A
    larger one runs interpreted, in small units, while other processes compile the engine for the next run;
    or, if that takes less time, it waits for them after its first answers. Where nothing can be kept the
    engine is compiled here, and workers share it.
    """
    part = jit.DECISIONS if decisions else jit.REVIEW if review else jit.ENGINE
    ahead: list[Unit] = []
    events = 0

    def read_on(is_enough: Callable[[], bool]) -> None:
        nonlocal events
        while not is_enough() and (unit := next(units, None)) is not None:
            ahead.append(unit)
            events += estimate_events(unit)

    read_on(lambda: not jit.is_small(events, part))
    if not jit.is_small(events, part) and jit.may_wait(part):
        from paifu.api.compiling import seconds

        workers = 1 if isinstance(jobs, Cluster) else jobs or default_jobs()
        most = seconds(part, default_jobs()) * min(workers, default_jobs())
        read_on(lambda: jit.interpreted_seconds(events, part) > most)
        if jit.interpreted_seconds(events, part) > most:
            watch.notice(_("compiling the engine (first use only): this takes about half a minute"))
            return _after_compiling(chain(ahead, units), part)
        watch.notice(_("compiling the engine (first use only); until that is done, games take longer"))
        return _while_compiling(chain(ahead, units), part)
    if jit.choose(events, part):
        for text in compiling(part):
            watch.notice(text)
        if not jit.is_loaded(part):
            from paifu.api.compiling import load

            load(part)
    elif jit.is_small(events, part):
        return iter([list(chain.from_iterable(ahead))])
    return chain(ahead, units)


def made_ready_unless(
    is_known: Callable[[Unit], bool],
    units: Iterator[Unit],
    watch: Watch,
    *,
    review: bool,
    decisions: bool = False,
    jobs: Jobs = 1,
) -> Iterator[Unit]:
    """As :func:`made_ready`, but only from the first unit on whose results are not known already."""
    for unit in units:
        if not is_known(unit):
            every = chain([unit], units)
            yield from made_ready(every, watch, review=review, decisions=decisions, jobs=jobs)
            return
        yield unit


def _while_compiling(units: Iterator[Unit], part: str) -> Iterator[Unit]:
    """Yield units, small ones while other processes compile a part of the engine."""
    from paifu.api.compiling import Compilers

    with Compilers(part):
        jit.wait_for(part)
        yield from _small_while_interpreted(units, part, _SMALL_UNIT)


def _after_compiling(units: Iterator[Unit], part: str) -> Iterator[Unit]:
    """Yield one small unit, and all others when other processes have compiled a part of the engine."""
    from paifu.api.compiling import Compilers

    with Compilers(part, aside=False) as compilers:
        jit.wait_for(part)
        small = _small_while_interpreted(units, part, _FIRST_UNIT)
        yield from islice(small, 1)
        yield NothingYet()
        while jit.is_interpreted() and compilers.is_at_work():
            time.sleep(_POLL)
        yield from small


def _small_while_interpreted(units: Iterator[Unit], part: str, most: float) -> Iterator[Unit]:
    """Yield units, cut to such as take ``most`` seconds while kernels are interpreted."""
    for unit in units:
        while unit and jit.is_interpreted():
            seconds = jit.interpreted_seconds(estimate_events(unit), part)
            number = max(1, int(len(unit) * most / max(seconds, most)))
            yield unit[:number]
            unit = unit[number:]
        if unit:
            yield unit


def compiling(part: str) -> list[str]:
    """Return the notices to print before the first use of a part of the engine; none if it is compiled."""
    if jit.is_warm(part):
        return []
    problem = jit.cache_problem()
    if not problem:
        return [_("compiling the engine (first use only): this takes about half a minute")]
    return [
        _("the cache of compiled kernels is not used: {problem}").format(problem=escaped(problem)),
        _("compiling the engine (for this run only): this takes about half a minute"),
    ]
