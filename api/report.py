"""What reports and figures are made of, gathered in one pass over the input."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Unpack

from paifu.api.pipeline import Once, Paths, Replaying, replaying
from paifu.parsers.read import Inputs
from paifu.replay.findings.finding import Finding
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
    deep: PlayOuts | None = None,
    **how: Unpack[Replaying],
) -> GatheredInput:
    """Replay everything once and add up what is wanted; ``deep`` plays the positions of the trainer out."""
    make = partial(_gathered, wanted)
    run = replaying(
        paths, make, review=wanted.review, watched=wanted.names, once=Once.HANDS, named=bool(wanted.player),
        kept=True, **how,
    )  # fmt: skip
    from paifu.reports.pages.report_data import total

    play = None if deep is None else partial(deep.positions, how.get("rules", ()))
    gathered = total(run, wanted, play)
    return GatheredInput(gathered, run.faults, frozenset(run.names))


def _gathered(wanted: Wanted, replayed: Replay, inputs: Inputs) -> ReportData:
    from paifu.reports.pages.report_data import gather

    return gather(replayed, wanted, inputs.files)
