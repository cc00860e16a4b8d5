"""``paifu import``: logs into a Parquet dataset."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from paifu.cli import options
from paifu.cli.command import Command
from paifu.replay.language import _, ngettext

if TYPE_CHECKING:
    from paifu.api.only import Only
    from paifu.parsers.dataset_import import Imported

_COPIES_NAMED = 10
"""Copies that a line for people names; JSON names all."""


@click.command("import", cls=Command, short_help="Import logs into a Parquet dataset for the other commands.")
@options.paths
@click.option(
    "-o",
    "--output",
    "folder",
    required=True,
    metavar="DIR",
    type=click.Path(file_okay=False),
    help="Folder of the dataset; created if missing, extended otherwise.",
)
@click.option(
    "--decisions",
    is_flag=True,
    help="Also store every decision, and what discards lost, for 'paifu sql'.",
)
@click.option(
    "--luck",
    is_flag=True,
    help="Also store the luck of hands and the place chances after every event, for 'paifu sql'.",
)
@options.games
@options.jobs
@options.output_format()
def import_dataset(
    paths: tuple[str, ...],
    folder: str,
    decisions: bool,
    luck: bool,
    only: Only,
    jobs: int | None,
    fmt: str,
) -> int:
    """Import logs into a Parquet dataset, which other commands accept as a PATH.

    Logs that the dataset already holds are skipped, by content: an interrupted import resumes, and a
    repeated one adds only what is new. Datasets among the PATHs are united: a game that is there already is
    left out and named. Every hand is replayed, and the facts that statistics need are
    stored. With --decisions, so is a row for every discard, call and own kan, as the
    player saw it, with what came of it and what the model says. --luck takes about 0.1 s a game. The exit
    status is 1 if something could not be read; everything else is imported.

    \b
    Example:
      paifu import sample_logs/games -o dataset
      paifu import houou.db '2024/*.zip' -o dataset --jobs 8
      paifu import dataset another -o both
    """
    from paifu.api.import_dataset import importing
    from paifu.cli.talk import talking

    with talking(_("importing")) as talk:
        run = importing(
            paths, folder, with_decisions=decisions, with_luck=luck, only=only, jobs=jobs, watch=talk
        )
        return _report(run, folder, fmt)


def _report(results: Iterable[Imported], folder: str, fmt: str) -> int:
    """Print what was imported; return the exit status."""
    from paifu.cli.output import column_heads, write_rows
    from paifu.replay.foreign_text import escaped
    from paifu.replay.model.census import Census
    from paifu.reports.wording import plural

    census, documents, skipped = Census(), 0, 0
    copies: list[str] = []
    for result in results:
        copies += map(escaped, result.copies)
        census += result.census
        documents += result.documents
        skipped += result.skipped
    verdicts = census.total("verdicts")
    summary = {
        "dataset": escaped(folder), "inputs": documents, "skipped": skipped, "faults": census.faults,
        "copies": copies, "verdicts": verdicts,
    }  # fmt: skip
    columns = ("format", "ruleset", "players", *Census.MEASURES)
    if census.rows() or fmt != "table":
        document = {"schema": "paifu.import/1", "summary": summary}
        write_rows(census.rows(), columns, fmt, document, heads=column_heads())
    text = (
        _(
            "{folder}: {games} from {inputs} added, {skipped} there already, {faults}; "
            "{verdicts} judged by engines"
        )
        if verdicts
        else _("{folder}: {games} from {inputs} added, {skipped} there already, {faults}")
    )
    told = text.format(
        folder=escaped(folder),
        games=plural(census.total("games"), "game"),
        inputs=plural(documents, "input"),
        skipped=plural(skipped, "input"),
        faults=plural(census.faults, "fault"),
        verdicts=plural(verdicts, "decision"),
    )
    click.echo(told, err=True)
    if copies:
        text = ngettext(
            "{count:,} game is there already, and was left out as a copy: {names}",
            "{count:,} games are there already, and were left out as copies: {names}",
            len(copies),
        )
        names = ", ".join(copies[:_COPIES_NAMED]) + (", ..." if len(copies) > _COPIES_NAMED else "")
        click.echo(text.format(count=len(copies), names=names), err=True)
    return 1 if census.faults else 0
