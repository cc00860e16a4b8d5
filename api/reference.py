"""References: what players are compared with, counted from games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

from paifu.api.pipeline import Once, Paths, Replaying, replaying
from paifu.parsers.read import Inputs
from paifu.replay.findings.finding import Finding
from paifu.replay.model.batch import Batch
from paifu.replay.table.replayed import Replay
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.pages.report_sections import IN_FIGURES, IN_TABLES

if TYPE_CHECKING:
    from paifu.reports.statistics.populations import PopulationSums

LEAST_GAMES, LEAST_HANDS = 100, 20
"""Fewer games of a kind are left out; players with fewer hands do not say how much players differ."""
METRICS = tuple(dict.fromkeys(name for name in (*IN_TABLES, *IN_FIGURES) if CATALOGUE[name].is_rate))
"""The statistics of the page."""


@dataclass(frozen=True, slots=True)
class CountedReference:
    """A reference, and what it was counted from."""

    strata: list[dict[str, Any]]
    """Kinds of games, as they are stored: ``seats``, ``room``, ``length``, ``games``, ``players``, ..."""
    left_out: list[dict[str, Any]]
    """Kinds with too few games."""
    faults: list[Finding]
    programs: frozenset[str] = frozenset()
    """Names that counted as programs besides those with Tenhou's sign."""

    @property
    def text(self) -> str:
        """The file."""
        return self.file({})

    def file(self, about: Mapping[str, Any]) -> str:
        """Return the file, which says of itself what ``about`` says."""
        from paifu.reports.statistics.populations import text_of

        return text_of(self.strata, self.programs, about)


def count_reference(
    paths: Paths,
    *,
    programs: Iterable[str] = (),
    made: int = 0,
    adapt: Callable[[Batch], Batch] | None = None,
    **how: Unpack[Replaying],
) -> CountedReference:
    """Count the whole riichi games of logs or a dataset by number of players, room and length.

    Kinds with fewer than ``LEAST_GAMES`` games are left out. Players with at least ``LEAST_HANDS`` hands say
    how much players differ. Seats of programs do not count: of names with Tenhou's sign, and of ``programs``.
    ``made`` is the number of made-up players for what chance does (by default as many as suffice); ``adapt``
    changes the games before they are replayed. What is there twice counts once.
    """
    from paifu.reports.statistics.populations import MADE_PLAYERS, added, stored_stratum  # imports kernels

    names = frozenset(programs)
    run = replaying(paths, partial(_sums, names), review=True, adapt=adapt, once=Once.HANDS, **how)
    total = added(run, METRICS)
    is_enough = {
        kind: total.games[kind] >= LEAST_GAMES and bool(total.seats[kind].names)
        for kind in sorted(total.games)
    }
    spread = [name for name in METRICS if name in IN_TABLES]
    strata = [
        stored_stratum(total, kind, LEAST_HANDS, spread, programs=names, made=made or MADE_PLAYERS)
        for kind in is_enough
        if is_enough[kind]
    ]
    few = [
        {"seats": kind[0], "room": kind[1], "length": kind[2], "games": total.games[kind]}
        for kind in is_enough
        if not is_enough[kind]
    ]
    return CountedReference(strata, few, run.faults, names)


def _sums(
    programs: frozenset[str],
    replayed: Replay,
    inputs: Inputs,  # noqa: ARG001  what every run is asked with
) -> PopulationSums:
    from paifu.reports.statistics.populations import sums_of

    return sums_of(replayed, METRICS, programs)
