"""``paifu danger``: how often each class of tile deals in, counted from the logs at hand."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from paifu.cli import options

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from paifu.parsers.dataset.shards import Item
    from paifu.replay.model.batch import Faults
    from paifu.replay.rules.ruleset import Ruleset


@click.command(short_help="Count how often each class of tile deals in.")
@options.paths
@click.option("--turns", "by_turn", is_flag=True, help="Count turns 1-6, 7-12 and later ones apart.")
@options.rules
@options.jobs
@options.output_format()
def danger(
    paths: tuple[str, ...],
    by_turn: bool,
    rules_name: str | None,
    settings: tuple[str, ...],
    jobs: int | None,
    fmt: str,
) -> int:
    """Count how often discards deal in to a threat, by class of tile and what the threat is.

    Every discard while another player is in riichi (or has an open hand to be feared) counts once for each
    such player, under its class as the discarder sees it. low and high are a 95% interval.

    \b
    Example:
      paifu danger sample_logs/games
      paifu danger dataset --turns --format csv > danger.csv
    """
    from paifu.cli.engine import prepare
    from paifu.cli.output import write_rows
    from paifu.cli.rules import replaying_rules
    from paifu.cli.talk import progress, tell_faults
    from paifu.parsers.read import default_jobs, iter_items, iter_units, run

    rules = replaying_rules(rules_name, settings)
    units = prepare(iter_units(iter_items(paths)), review=True)
    counts: npt.NDArray[np.int64] | None = None
    games = faults = 0
    with progress("counting") as advance:
        for more, found, unread in run(units, partial(_count_unit, rules), jobs=jobs or default_jobs()):
            tell_faults(unread)
            faults += len(unread)
            games += more
            counts = found if counts is None else counts + found
            advance(more)
    from paifu.reports.statistics.danger import COLUMNS, rows

    table = [] if counts is None else list(rows(counts, by_turn=by_turn))
    columns = COLUMNS if by_turn or fmt != "table" else [name for name in COLUMNS if name != "turns"]
    write_rows(table, columns, fmt, {"schema": "paifu.danger/1", "summary": {"games": games}})
    return 1 if faults else 0


def _count_unit(rules: tuple[Ruleset, ...], unit: list[Item]) -> tuple[int, npt.NDArray[np.int64], Faults]:
    """Read and replay a unit; the work of one process."""
    from paifu.parsers.read import read_unit
    from paifu.replay.table.engine import replay

    batch = read_unit(unit)
    reviewed = replay(batch, *rules, review=True, players=False).review
    assert reviewed is not None  # noqa: S101  it was asked for
    return len(batch), reviewed.danger, batch.faults
