"""``paifu fit``: the model that judges decisions, fitted to your games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from paifu.cli import options
from paifu.cli.command import Command
from paifu.replay.language import _

if TYPE_CHECKING:
    from paifu.api.only import Only
    from paifu.parsers.workers import Jobs


@click.command(cls=Command, short_help="Fit the model that judges decisions.")
@options.paths
@click.option(
    "-o",
    "--output",
    "file",
    required=True,
    metavar="FILE",
    type=options.NewFile(over="ZIP"),
    help="File of the model.",
)
@click.option(
    "--players",
    type=click.IntRange(3, 4),
    default=4,
    show_default=True,
    help="Fit to games with this many players.",
)
@options.games
@options.workers
def fit(paths: tuple[str, ...], file: str, players: int, only: Only, jobs: Jobs) -> int:
    """Fit the model that judges decisions to the games of a dataset, or of logs.

    A dataset made with 'paifu import --decisions' is read at once; anything else is replayed. One game in
    five is kept away, and the model is checked with those: predicted and actual points, wins and deal-ins by
    tenths, and how much it explains beside no model, rules of thumb and boosted trees without constraints.
    It takes minutes and needs LightGBM: pip install 'paifu[fit]'. The exit status is 1 if something could
    not be read.

    \b
    Example:
      paifu import logs -o dataset --decisions
      paifu fit dataset -o model.npz
    """
    from paifu.api.fitting import Sample, fit_model, gathering
    from paifu.cli.talk import talking
    from paifu.parsers.output_files import write_file
    from paifu.replay.foreign_text import escaped
    from paifu.reports.judgement.library import boosting

    boosting()  # rather now than after minutes
    sample = Sample()
    with talking(_("gathering")) as talk:
        run = gathering(paths, players, only=only, jobs=jobs, watch=talk)
        for part in run:
            sample.add(part)
    model, check = fit_model(sample, players, tell=lambda text: click.echo(text, err=True))
    content = model.saved()
    write_file(Path(file), content)
    click.echo("\n".join(check.lines()))
    click.echo(_("{file}: {size:,} bytes").format(file=escaped(file), size=len(content)), err=True)
    return 1 if run.faults else 0
