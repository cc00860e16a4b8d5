"""``paifu danger``: how often each class of tile deals in, counted from your logs."""

from __future__ import annotations

import click

from paifu.cli import options
from paifu.cli.command import Command


@click.command(cls=Command, short_help="Count how often each class of tile deals in.")
@options.paths
@click.option("--turns", "by_turn", is_flag=True, help="Count turns 1-6, 7-12 and 13+ separately.")
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
    """Count how often discards deal in to a threat, by class of tile and kind of threat.

    Each discard made while another player is in riichi (or has a dangerous open hand) counts once for every
    such player, under its class as the discarder sees it. 'low' and 'high' bound a 95% interval.

    \b
    Example:
      paifu danger sample_logs/games
      paifu danger dataset --turns --format csv > danger.csv
    """
    from paifu.api.reviewing import counting_danger
    from paifu.api.rulesets import rulesets_for_replay
    from paifu.cli.output import write_rows
    from paifu.cli.talk import talking
    from paifu.reports.statistics.danger import COLUMNS, rows

    rules = rulesets_for_replay(rules_name, settings)
    with talking("counting") as talk:
        run = counting_danger(paths, rules=rules, jobs=jobs, watch=talk)
        counts = None
        for part in run:
            counts = part if counts is None else counts + part
    table = [] if counts is None else list(rows(counts, by_turn=by_turn))
    columns = COLUMNS if by_turn or fmt != "table" else [name for name in COLUMNS if name != "turns"]
    write_rows(table, columns, fmt, {"schema": "paifu.danger/1", "summary": {"games": run.games}})
    return 1 if run.faults else 0
