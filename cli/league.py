"""``paifu league``: the standings of a season."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from paifu.cli import completion, options
from paifu.cli.command import Command

if TYPE_CHECKING:
    from paifu.api.league import League
    from paifu.parsers.workers import Jobs
    from paifu.reports.league.season import Season
    from paifu.reports.league.standings import Otherwise

SCHEMA = "paifu.league/1"
_TABLES = ("standings", "teams", "rounds", "games", "cross", "honours", "penalties")


@click.command(cls=Command, short_help="Make the standings of a league from its logs.")
@options.paths
@click.option(
    "--season",
    "season_file",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="TOML: teams, rounds, penalties, and what of a game counts.",
)
@click.option(
    "--table",
    "name",
    type=click.Choice(_TABLES),
    default="standings",
    show_default=True,
    help="Which table to print.",
)
@click.option(
    "--under",
    shell_complete=completion.presets,
    metavar="NAME|FILE",
    help="Say instead what the season would be under these rules, and which of them matter.",
)
@click.option("--html", "as_page", is_flag=True, help="Make a page of all tables instead.")
@click.option(
    "-o", "--output", "target", type=click.Path(dir_okay=False), metavar="FILE", help="With --html, its file."
)
@options.rules
@click.option(
    "--aliases", type=click.Path(dir_okay=False), metavar="FILE", help="TOML: name = [other names]."
)
@options.workers
@options.output_format()
@options.names
def league(
    paths: tuple[str, ...],
    season_file: str | None,
    name: str,
    under: str | None,
    as_page: bool,
    target: str | None,
    rules_name: str | None,
    settings: tuple[str, ...],
    aliases: str | None,
    jobs: Jobs,
    fmt: str,
) -> int:
    """Make the standings of a league: results of games with uma and oka, penalties, chips, teams.

    Each game is settled again under the league's rules, and a win counts what they give for it. Results that
    a log states otherwise, and logs with errors, are named. Points are in thousands.

    The exit status is 1 if a log could not be read or states a result that does not follow from the rules.

    \b
    Example:
      paifu league sample_logs/games
      paifu league logs --season season.toml --table cross --format csv
      paifu league logs --season season.toml --html -o league.html
      paifu league logs --rules tenhou --under mleague
    """
    from paifu.api.league import league as make
    from paifu.api.league import league_under
    from paifu.cli.talk import talking

    if target is not None and not as_page:
        raise click.UsageError("-o is for the page: add --html, or redirect the text with >")
    if as_page and target is None and sys.stdout.isatty():
        raise click.UsageError("a page cannot be printed on a terminal; name a file: -o league.html")
    season, rules = _season(season_file, rules_name, aliases)
    if under is not None and rules is None:
        raise click.UsageError("--under compares with the league's rules: name them with --rules NAME|FILE")
    with talking("adding up") as talk:
        made = make(paths, season=season, rules=rules, settings=settings, jobs=jobs, watch=talk)
        if not made.standings.games:
            raise click.UsageError("no game has a result: there are no standings")
        others = (
            league_under(paths, under, season=season, rules=rules, settings=settings, jobs=jobs)
            if under is not None and rules is not None
            else []
        )
    if as_page:
        _write_page(made, others, under, target)
    elif under is not None:
        _write_otherwise(others, fmt)
    else:
        _write_table(made, name, fmt)
    _tell(made)
    return int(bool(made.faults or made.standings.wrong))


def _season(
    season_file: str | None, rules_name: str | None, aliases: str | None
) -> tuple[Season, str | None]:
    """Return the season, and the rules of the command line or of its file."""
    from paifu.api.league import season_of
    from paifu.cli.aliases import read_aliases
    from paifu.reports.league.season import Season

    season = Season() if season_file is None else season_of(season_file)
    season = replace(season, aliases={**read_aliases(aliases), **season.aliases})
    rules = rules_name or season.rules or None
    if season_file is not None and rules_name is None and season.rules.endswith(".toml"):
        rules = str(Path(season_file).parent / season.rules)
    return season, rules


def _write_table(made: League, name: str, fmt: str) -> None:
    from paifu.cli.output import write_rows
    from paifu.reports.league.tables import TABLES, notes

    rows = TABLES[name](made.standings)
    if not rows:
        click.echo(f"this season has no {name}; a season's file can name some", err=True)
    if fmt == "table":
        rows = [{key: _cell(value) for key, value in row.items()} for row in rows]
    document = {"schema": SCHEMA, "title": made.standings.season.title, "notes": notes(made.standings)}
    if rows or fmt != "table":
        write_rows(rows, list(rows[0]) if rows else [], fmt, document)


def _write_otherwise(others: list[Otherwise], fmt: str) -> None:
    from paifu.cli.output import write_rows
    from paifu.reports.league.tables import otherwise_rows

    rows = otherwise_rows(others)
    if fmt == "table":
        rows = [{key: _cell(value) for key, value in row.items()} for row in rows]
    write_rows(rows, list(rows[0]), fmt, {"schema": SCHEMA})


def _cell(value: Any) -> Any:
    return "" if value is None else ("no", "yes")[value] if isinstance(value, bool) else value


def _tell(made: League) -> None:
    """Say what the standings leave out, and what is wrong with logs."""
    from paifu.reports.league.tables import notes
    from paifu.reports.words import plural

    for line in notes(made.standings):
        click.echo(line, err=True)
    if made.unfinished:
        click.echo(f"{plural(made.unfinished, 'game')} without a result left out", err=True)


def _write_page(made: League, others: list[Otherwise], under: str | None, target: str | None) -> None:
    from paifu.parsers.output_files import write_file
    from paifu.reports.pages.league import league_page

    page = league_page(made.standings, made.unfinished, others, under or "")
    if target in (None, "-"):
        click.echo(page, nl=False)
    else:
        write_file(str(target), page.encode("utf-8", "replace"))
        click.echo(f"page: {target}", err=True)
