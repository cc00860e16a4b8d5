"""One pipeline for every command: a piece of work over inputs, in one process or in many.

::

    paths -> items -> units -> work(unit) -> Done(result, games, faults) -> results, in input order

A :class:`Run` is that pipeline with its work. Iterate over it for the results; it adds up games and faults
and notifies a :class:`Watch`. Work that replays is a function of a
:class:`~paifu.replay.table.replayed.Replay`, made into a run by :func:`replaying`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Generic, TypedDict, TypeVar

from paifu.api.once import OnceUnit, with_composed_names, without_course
from paifu.api.only import EVERY_GAME, NOTHING, LeftOut, Only
from paifu.parsers.read import Inputs, iter_items, iter_units
from paifu.parsers.spreading import default_jobs, run
from paifu.replay.comparison.copies import Copies, GameKey
from paifu.replay.findings.finding import Finding

if TYPE_CHECKING:
    import numpy.typing as npt

    from paifu.api.cache import Kept
    from paifu.parsers.dataset.entries import InputItem
    from paifu.replay.model.batch import Batch, Faults
    from paifu.replay.rulesets.presets import Given
    from paifu.replay.table.replayed import Replay

R = TypeVar("R")
Paths = str | Path | Iterable[str | Path]
Unit = list["InputItem"]
"""The items a worker processes at a time: documents, faults, shards of a dataset."""
FIRST = 32
"""Items of the first unit, which tells soon whether workers are worth their start."""


@dataclass(frozen=True, slots=True)
class Done(Generic[R]):
    """The outcome of one unit."""

    result: R
    games: int
    faults: tuple[Finding, ...] = ()
    """What could not be read."""
    left_out: LeftOut = NOTHING
    """Games that were not wanted."""
    keys: tuple[GameKey, ...] = ()
    """What tells copies of games, where they are looked for."""
    names: frozenset[str] = frozenset()
    """Names of players, where somebody is looked for."""


class Watch:
    """Receives news of a run; this one ignores it."""

    def advance(self, games: int) -> None:
        """Called when ``games`` more games are done."""

    def fault(self, finding: Finding) -> None:
        """Called for each input that could not be read."""

    def left_out(self, games: LeftOut) -> None:
        """Called when games were read that were not wanted."""

    def counted_once(self, copies: Copies) -> None:
        """Called with the games that were there before: whatever counts them, counts them once."""

    def playing_out(self, number: int, most: int) -> None:
        """Called when the ``number``-th of ``most`` decisions of a unit is about to be played out.

        Not called from other processes.
        """

    def notice(self, text: str) -> None:
        """Called when something will take unusually long, with the reason."""


SILENT = Watch()


class Once(Enum):
    """What counts once if it is there twice."""

    HANDS = "hands"
    GAMES = "games"
    """Games that are there wholly; what only a part of a game is there for again counts."""


class Run(Generic[R]):
    """A piece of work over inputs. Iterate over it, once, for the results in the order of the input.

    ``jobs`` is the number of worker processes, None for as many as pay. Raises
    :class:`~paifu.parsers.errors.PathNotFound` at once for a path that names nothing. ``look`` sees each unit
    before a worker does. ``stdin`` is what ``-`` stands for, if not standard input. Where results are
    ``kept``, a unit is worked on in the first run only; if games are new, the results may come in another
    order.
    """

    def __init__(
        self,
        paths: Paths,
        work: Callable[[Unit], Done[R]],
        *,
        jobs: int | None = 1,
        look: Callable[[Unit], None] | None = None,
        watch: Watch = SILENT,
        once: Once | None = None,
        stdin: BinaryIO | None = None,
        kept: bool = False,
    ) -> None:
        self._items = iter_items(listed(paths), stdin=stdin)
        self._trial = work
        self._work = work if once is None else partial(_work_once, work)
        self._kept: Kept[Done[R]] | None = None
        if kept:
            from paifu.api.cache import Kept  # most commands need none of it

            self._kept = Kept.of(self._work, once)
            self._work = self._kept or self._work
        self._once = once
        self._under_way: deque[OnceUnit] = deque()
        self._jobs = jobs
        self._look = look
        self._watch = watch
        self.games = 0
        """Games done so far."""
        self.faults: list[Finding] = []
        """What could not be read so far."""
        self.copies = Copies()
        """Games that were there before, where the work looks for them."""
        self.names: set[str] = set()
        """Names of players so far, where the work looks for somebody."""

    def __iter__(self) -> Iterator[R]:
        for done in self._dones():
            if self._once is not None:
                known = self.copies.known(done.keys)
                self.copies.add(done.keys)
                done = self._counted_once(done, known)
            self.games += done.games
            self.faults += done.faults
            self.names |= done.names
            for finding in done.faults:
                self._watch.fault(finding)
            self._watch.left_out(done.left_out)
            self._watch.advance(done.games)
            yield done.result
        if self._once is not None:
            self._watch.counted_once(self.copies if self._once == Once.HANDS else self.copies.between_games())

    def _dones(self) -> Iterator[Done[R]]:
        if self._kept is None:
            first = islice(iter_units(self._items, unit_items=FIRST), 1) if self._jobs is None else ()
            yield from self._done(chain(first, iter_units(self._items)), self._jobs)
            return
        dones: Iterable[Done[R]] = ()
        for units, is_new in self._kept.groups(self._items):
            jobs = (self._jobs or default_jobs()) if is_new else 1  # it takes long, or nothing would be kept
            self._under_way.clear()
            dones = self._done(units, jobs)
            if not is_new:
                copies, dones = Copies(), list(dones)
                copies.add(key for done in dones for key in done.keys)
                if not copies.found:  # else which of them counts depends on the units
                    break
        yield from dones
        self._kept.tidy()

    def _done(self, units: Iterable[Unit], jobs: int | None) -> Iterator[Done[R]]:
        return run(self._seen(units), self._work, jobs=jobs, trial=self._trial)

    def _seen(self, units: Iterable[Unit]) -> Iterator[Unit]:
        for unit in units:
            if self._look is not None:
                self._look(unit)
            if self._once is not None:
                unit = OnceUnit(unit, whole=self._once == Once.GAMES)
                self._under_way.append(unit)
            yield unit

    def _counted_once(self, done: Done[R], known: list[frozenset[int]]) -> Done[R]:
        """Return the outcome of a unit without what units before had, worked on once more if need be."""
        unit = self._under_way.popleft()
        if not any(known):
            return done
        unit.known = known
        return self._work(unit)


def _work_once(work: Callable[[Unit], Done[R]], unit: Unit) -> Done[R]:
    """Work on a unit of which hands count once."""
    done = work(unit)
    return replace(done, keys=unit.keys) if isinstance(unit, OnceUnit) else done


def unread(faults: Faults) -> tuple[Finding, ...]:
    """Return what could not be read, as findings."""
    if not len(faults):
        return ()
    from paifu.replay.findings import spoken  # most logs have neither faults nor findings

    return tuple(spoken.faults(faults))


def listed(paths: Paths) -> list[str | Path]:
    """Return paths as a list; a single one may be given as it is."""
    return [paths] if isinstance(paths, (str, Path)) else list(paths)


class Replaying(TypedDict, total=False):
    """What is replayed and how, as :func:`replaying` takes it and runs that replay hand it on."""

    rules: tuple[Given, ...]
    only: Only
    jobs: int | None
    watch: Watch


def replaying(
    paths: Paths,
    make: Callable[[Replay, Inputs], R],
    *,
    rules: tuple[Given, ...] = (),
    review: bool = False,
    player_hands: bool = True,
    watched: frozenset[str] | None = None,
    adapt: Callable[[Batch], Batch] | None = None,
    only: Only = EVERY_GAME,
    once: Once | None = None,
    named: bool = False,
    jobs: int | None = 1,
    watch: Watch = SILENT,
    stdin: BinaryIO | None = None,
    kept: bool = False,
) -> Run[R]:
    """Return a run that replays everything and gives ``make(replay, inputs)`` of each unit.

    ``make`` and what it returns must be picklable when there is more than one job. ``watched`` are players
    whose discards under threat the review counts apart. ``adapt`` changes the games before they are replayed.
    Games beside ``only`` are read and left out, and so is what was there before, as ``once`` says. With
    ``named``, the run keeps the names of all players; for ``kept``, see :class:`Run`.
    """
    work = partial(_replay_unit, make, rules, review, player_hands, watched, adapt, only, named)
    return Run(paths, work, jobs=jobs, watch=watch, once=once, stdin=stdin, kept=kept)


def _replay_unit(
    make: Callable[[Replay, Inputs], R],
    rules: tuple[Given, ...],
    review: bool,
    player_hands: bool,
    watched: frozenset[str] | None,
    adapt: Callable[[Batch], Batch] | None,
    only: Only,
    named: bool,
    unit: Unit,
) -> Done[R]:
    """Read and replay a unit; the work of one process."""
    from paifu.replay.table.engine import replay

    batch, inputs, left_out = only.read(unit)
    batch = with_composed_names(batch)
    if adapt is not None:
        batch = adapt(batch)
    replayed = replay(batch, *rules, review=review, player_hands=player_hands, watched=watched)
    replayed = replace(replayed, findings=without_course(replayed.findings, inputs.shortened))
    names = names_in(batch.games.names) if named else frozenset[str]()
    return Done(make(replayed, inputs), len(batch), unread(batch.faults), left_out, names=names)


def names_in(names: npt.NDArray[Any]) -> frozenset[str]:
    """Return the names at (games, 4) seats, those of empty seats left out."""
    return frozenset(filter(None, map(str, names.ravel())))


def reading(
    paths: Paths,
    *,
    only: Only = EVERY_GAME,
    once: Once | None = None,
    jobs: int | None = 1,
    watch: Watch = SILENT,
) -> Run[Batch]:
    """Return a run that reads everything and gives a batch of each unit."""
    return Run(paths, partial(_read, only), jobs=jobs, watch=watch, once=once)


def _read(only: Only, unit: Unit) -> Done[Batch]:
    batch, _, left_out = only.read(unit)
    return Done(batch, len(batch), unread(batch.faults), left_out)
