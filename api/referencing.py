"""References: what players are compared with, counted from games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from paifu.api.only import EVERY_GAME, Only
from paifu.api.pipeline import SILENT, Once, Paths, Watch, replaying
from paifu.parsers.read import Inputs
from paifu.parsers.workers import Jobs
from paifu.replay.findings.finding import Finding
from paifu.replay.rulesets.presets import Given
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

    @property
    def text(self) -> str:
        """The file."""
        from paifu.reports.statistics.populations import text_of

        return text_of(self.strata)


def count_reference(
    paths: Paths,
    *,
    least_games: int = LEAST_GAMES,
    least_hands: int = LEAST_HANDS,
    rules: tuple[Given, ...] = (),
    only: Only = EVERY_GAME,
    jobs: Jobs = 1,
    watch: Watch = SILENT,
) -> CountedReference:
    """Count the whole riichi games of logs or a dataset by number of players, room and length.

    Kinds with fewer than ``least_games`` games are left out. Players with at least ``least_hands`` hands say
    how much players differ. What is there twice counts once.
    """
    run = replaying(
        paths, _sums, rules=rules, review=True, only=only, once=Once.HANDS, jobs=jobs, watch=watch
    )
    from paifu.reports.statistics.populations import added, stored_stratum  # imports kernels

    total = added(run, METRICS)
    strata = [
        stored_stratum(total, kind, least_hands, [name for name in METRICS if name in IN_TABLES])
        for kind in sorted(total.games)
    ]
    return CountedReference(
        [one for one in strata if one["games"] >= least_games],
        [one for one in strata if one["games"] < least_games],
        run.faults,
    )


def _sums(replayed: Replay, inputs: Inputs) -> PopulationSums:  # noqa: ARG001  what every run is asked with
    from paifu.reports.statistics.populations import sums_of

    return sums_of(replayed, METRICS)
