"""Judge: what players' decisions cost, by the model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from paifu.api.pipeline import SILENT, Done, Paths, Run, Unit, Watch, made_ready
from paifu.parsers.read import read_unit
from paifu.replay.findings.finding import faults
from paifu.replay.rules.presets import Given

if TYPE_CHECKING:
    from paifu.reports.judgement.losses import Judged


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which losses are asked for."""

    players: frozenset[str]
    """Case-folded names; empty for all players."""
    kinds: tuple[str, ...]
    min_loss: int
    model: str = ""
    """Path of a model; empty for the one that comes with the package."""

    @classmethod
    def of(cls, players: Iterable[str], kinds: Iterable[str], min_loss: int, model: str = "") -> Wanted:
        """Read names."""
        return cls(frozenset(name.casefold() for name in players), tuple(kinds), min_loss, model)


def judging(
    paths: Paths,
    wanted: Wanted,
    *,
    rules: tuple[Given, ...] = (),
    jobs: int | None = 1,
    watch: Watch = SILENT,
) -> Run[Judged]:
    """Return a run that judges decisions: iterate over it for what each unit of input gave."""
    prepare = partial(made_ready, review=False, decisions=True)
    return Run(paths, partial(_judged, wanted, rules), jobs=jobs, prepare=prepare, watch=watch)


def _judged(wanted: Wanted, rules: tuple[Given, ...], unit: Unit) -> Done[Judged]:
    """Judge a unit; the work of one process."""
    from paifu.replay.judgement.model import load_model
    from paifu.reports.judgement.losses import losses

    batch = read_unit(unit)
    found = losses(
        batch,
        *rules,
        players=wanted.players,
        kinds=wanted.kinds,
        min_loss=wanted.min_loss,
        model=load_model(wanted.model) if wanted.model else None,
    )
    return Done(found, len(batch), tuple(faults(batch.faults)))
