"""Gathering what reports and figures are made of: one pass over the input, in worker processes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paifu.parsers.dataset.shards import Item
    from paifu.replay.model.batch import Faults
    from paifu.replay.rules.ruleset import Ruleset
    from paifu.reports.pages.report_data import Gathered, Wanted


@dataclass(slots=True)
class Pass:
    """What the input gave, and how much of it could not be read."""

    gathered: Gathered
    faults: int


def gather_all(
    paths: Iterable[str], wanted: Wanted, rules: tuple[Ruleset, ...], jobs: int | None, title: str
) -> Pass:
    """Replay everything once and add up what is wanted; tell faults and progress on stderr."""
    from paifu.cli.engine import prepare
    from paifu.cli.talk import progress, tell_faults
    from paifu.parsers.read import default_jobs, iter_items, iter_units, run
    from paifu.reports.pages.report_data import total

    units = prepare(iter_units(iter_items(paths)), review=wanted.review)
    results = run(units, partial(_gather_unit, rules, wanted), jobs=jobs or default_jobs())
    faults = 0

    def follow() -> Iterator[Gathered]:
        nonlocal faults
        with progress(title) as advance:
            for part, unread in results:
                tell_faults(unread)
                faults += len(unread)
                advance(part.tally.games)
                yield part

    gathered = total(follow(), wanted)
    return Pass(gathered, faults)


def _gather_unit(rules: tuple[Ruleset, ...], wanted: Wanted, unit: list[Item]) -> tuple[Gathered, Faults]:
    """Read, replay and count a unit; the work of one process."""
    from paifu.parsers.read import count_inputs, read_unit
    from paifu.replay.table.engine import replay
    from paifu.reports.pages.report_data import gather

    batch = read_unit(unit)
    facts = replay(batch, *rules, review=wanted.review)
    return gather(batch, facts, rules, wanted, count_inputs(unit)), batch.faults
