"""What reports and figures are made of, gathered in one pass over the input."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from paifu.api.only import EVERY_GAME, Only
from paifu.api.pipeline import SILENT, Once, Paths, Watch, replaying
from paifu.parsers.read import Inputs
from paifu.replay.findings.finding import Finding
from paifu.replay.rulesets.presets import Given
from paifu.replay.table.replayed import Replay

if TYPE_CHECKING:
    from paifu.api.play_outs import PlayOuts
    from paifu.reports.pages.report_data import ReportData, Wanted


@dataclass(frozen=True, slots=True)
class GatheredInput:
    """What the input gave, and what of it could not be read."""

    gathered: ReportData
    faults: list[Finding]
    names: frozenset[str] = frozenset()
    """Names in the games, if a player was asked for."""


def gather_all(
    paths: Paths,
    wanted: Wanted,
    *,
    rules: tuple[Given, ...] = (),
    only: Only = EVERY_GAME,
    jobs: int | None = 1,
    watch: Watch = SILENT,
    deep: PlayOuts | None = None,
) -> GatheredInput:
    """Replay everything once and add up what is wanted; ``deep`` plays the positions of the trainer out."""
    make = partial(_gathered, wanted)
    run = replaying(
        paths, make, rules=rules, review=wanted.review, watched=wanted.names, only=only, jobs=jobs,
        once=Once.HANDS, named=bool(wanted.player), watch=watch, kept=True,
    )  # fmt: skip
    from paifu.reports.pages.report_data import total

    play = None if deep is None else partial(deep.positions, rules)
    gathered = total(run, wanted, play)
    return GatheredInput(gathered, run.faults, frozenset(run.names))


def _gathered(wanted: Wanted, replayed: Replay, inputs: Inputs) -> ReportData:
    from paifu.reports.pages.report_data import gather

    return gather(replayed, wanted, inputs.files)
