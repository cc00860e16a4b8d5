"""``paifu convert``: games of any format written in another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from paifu.cli import options
from paifu.cli.command import Command
from paifu.parsers.targets import EVERY_TARGET, TARGETS
from paifu.replay.language import _

if TYPE_CHECKING:
    from paifu.api.convert import Conversion, ConversionFault
    from paifu.api.only import Only

SCHEMA = "paifu.convert/1"
_PROVED = ("fact", "games", "kept", "derived", "chosen", "lost", "missing", "changed", "invented")
_MOST_ERRORS = 20


@click.command(cls=Command, short_help="Write games in another format, and list what is lost.")
@options.paths
@click.option(
    "--to",
    "target",
    required=True,
    type=click.Choice(TARGETS),
    metavar="FORMAT",
    help=f"{EVERY_TARGET}.",
)
@click.option(
    "-o", "--output", "folder", metavar="DIR", type=click.Path(file_okay=False),
    help="Folder for the logs, a file per game; created if missing.",
)  # fmt: skip
@click.option(
    "--prove", is_flag=True, help="Read each result back and compare it with its source and the engine."
)
@click.option("--join", is_flag=True, help="Join logs of single hands of one game, such as one hand a line.")
@click.option("--link", is_flag=True, help="Print an address of Tenhou's viewer for each game instead.")
@options.games
@options.jobs
@options.output_format()
def convert(
    paths: tuple[str, ...], target: str, folder: str | None, prove: bool, join: bool, link: bool,
    only: Only, jobs: int | None, fmt: str,
) -> int:  # fmt: skip
    """Write games in another format, a file per game, and list what that format cannot state.

    A fact is a column of the replay model, such as wins.fu. Without --prove, the table lists the facts that
    the games state and the format has no place for, with the number of games. With --prove, paifu reads
    every result back and compares it with its source, which the engine replays. The table then says in how
    many rows a fact was kept, derived by the engine, chosen because the format cannot do without it, or lost
    because the format has no place for it. It also counts errors: missing, changed or invented facts. The
    exit status is 1 if there are any, or if something could not be read or written.
    Files that hold their game already are left as they are, so you can repeat an interrupted conversion.

    \b
    Example:
      paifu convert sample_logs/games --to mjai -o out/mjai --prove
      paifu convert sample_logs/formats/kokushi.mjlog --to tenhou6 --link
    """
    if link:
        if target != "tenhou6" or folder:
            raise click.UsageError(_("--link prints addresses of tenhou6 logs: use --to tenhou6, without -o"))
        return _links(paths, only, jobs, join=join)
    if not folder:
        raise click.UsageError(_("name the folder for the logs: -o DIR"))
    from paifu.api.convert import convert as convert_games
    from paifu.cli.talk import talking

    with talking(_("converting")) as talk:
        done = convert_games(paths, folder, target, prove=prove, join=join, only=only, jobs=jobs, watch=talk)
        return _report(done, target, folder, fmt, is_proved=prove)


def _links(paths: tuple[str, ...], only: Only, jobs: int | None, *, join: bool) -> int:
    from paifu.api.convert import converting, link, results
    from paifu.cli.talk import talking

    status = 0
    with talking(_("converting")) as talk:
        run = converting(paths, "tenhou6", join=join, only=only, jobs=jobs, watch=talk)
        for game in results(run):
            if game.error:
                status = 1
                click.echo(game.error, err=True)
            else:
                click.echo(link(game.text))
        return 1 if run.faults else status


def _report(done: Conversion, target: str, folder: str, fmt: str, *, is_proved: bool) -> int:
    """Print what was lost and what was written; return the exit status."""
    from paifu.cli.output import column_heads, write_rows
    from paifu.replay.foreign_text import escaped
    from paifu.reports.wording import plural

    facts = sorted(done.unstated.keys() | done.facts.keys())
    rows: list[dict[str, Any]] = [{"fact": fact, "games": done.unstated[fact]} for fact in facts]
    if is_proved:
        from paifu.api.proof import ProvedFact

        rows = [row | done.facts.get(row["fact"], ProvedFact()).summary() for row in rows]
    summary = {
        "format": target, "games": done.games, "written": done.written, "there": done.there,
        "proved": done.proved if is_proved else None, "errors": len(done.errors),
        "unreadable": done.unreadable,
    }  # fmt: skip
    columns = _PROVED if is_proved else ("fact", "games")
    if rows or fmt != "table":
        document = {"schema": SCHEMA, "summary": summary}
        write_rows(rows, columns, fmt, document, "facts", heads=column_heads())
    for error in done.errors[:_MOST_ERRORS]:
        click.echo(escaped(error), err=True)
    if len(done.errors) > _MOST_ERRORS:
        click.echo(_("... and {count} more").format(count=len(done.errors) - _MOST_ERRORS), err=True)
    told = (
        _("{folder}: {games} written as {format}, {files} there already")
        if done.there
        else _("{folder}: {games} written as {format}")
    )
    click.echo(
        told.format(
            folder=escaped(folder),
            games=plural(done.written, "game"),
            format=target,
            files=plural(done.there, "file"),
        ),
        err=True,
    )
    wrong = done.faulty()
    if is_proved:
        for fault in done.faults[:_MOST_ERRORS]:
            click.echo(escaped(_fault(fault)), err=True)
        told = (
            _("{proved} of {games} proved; missing, changed or invented: {facts}")
            if wrong
            else _("{proved} of {games} proved")
        )
        click.echo(
            told.format(proved=plural(done.proved, "game"), games=done.games, facts=", ".join(wrong)),
            err=True,
        )
    return 1 if wrong or done.errors or done.unreadable else 0


def _fault(fault: ConversionFault) -> str:
    one = fault.difference
    event = _("event {number}").format(number=one.event) if one.event >= 0 else ""
    where = (fault.source, one.label, event)
    text = _("{fact}: source {a}, written {b}")
    said = text.format(fact=one.fact, a=one.a or _("nothing"), b=one.b or _("nothing"))
    return f"{' '.join(filter(None, where))}: {said}"
