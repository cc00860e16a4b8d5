"""``paifu league``: the standings of a season."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from paifu.cli import completion, options, pages
from paifu.cli.command import Command
from paifu.cli.refusal import Refusal
from paifu.replay.language import _, language

if TYPE_CHECKING:
    from paifu.api.league import League
    from paifu.api.only import Only
    from paifu.reports.league.season import Season
    from paifu.reports.league.standings import Otherwise

SCHEMA = "paifu.league/1"
_TABLES = ("standings", "stages", "teams", "rounds", "games", "cross", "ratings", "honours", "penalties")


def _listed(_context: click.Context, _option: click.Parameter, value: str | None) -> list[str]:
    """Read names with commas between them."""
    return [name.strip() for name in (value or "").split(",") if name.strip()]


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
    "--columns",
    "asked",
    callback=_listed,
    metavar="NAME,...",
    help="Columns of the table, in this order; all for every column.  [default: 8 of the standings]",
)
@click.option(
    "--under",
    shell_complete=completion.presets,
    metavar="NAME|FILE",
    help="Say instead what the season would be under these rules, and which of them matter.",
)
@pages.page("Make a page of all tables instead.")
@options.games
@options.replay_rules
@options.aliases
@options.jobs
@options.output_format()
@options.names
def league(
    paths: tuple[str, ...],
    season_file: str | None,
    name: str,
    asked: list[str],
    under: str | None,
    as_page: bool,
    target: str | None,
    only: Only,
    rules_name: str | None,
    settings: tuple[str, ...],
    aliases: str | None,
    jobs: int | None,
    fmt: str,
) -> int:
    """Make the standings of a league: results of games with uma and oka, penalties, chips, teams.

    Each game is settled again under the league's rules, and a win counts what they give for it. Results that
    a log states otherwise, and logs with errors, are named. Points are in thousands.

    A PATH that ends in .csv is a sheet of results, of games without logs: a line for each, with the columns
    date, player_1, score_1, ... player_4, score_4.

    The exit status is 1 if a log could not be read or states a result that does not follow from the rules.

    \b
    Example:
      paifu league sample_logs/games
      paifu league logs --season season.toml --table cross --format csv
      paifu league logs --season season.toml --html -o league.html
      paifu league logs --rules tenhou --under mleague
      paifu league logs tuesday.csv --rules mleague
    """
    from paifu.api.league import league as make
    from paifu.api.league import league_under
    from paifu.cli.talk import talking

    pages.check_target(target, "league.html", as_page=as_page)
    season, rules = _season(season_file, rules_name, aliases)
    if under is not None and rules is None:
        raise click.UsageError(
            _("--under compares with the league's rules: name them with --rules NAME|FILE")
        )
    with talking(_("adding up")) as talk:
        luck = as_page or (name == "standings" and under is None)
        made = make(
            paths, season=season, luck=luck, rules=rules, settings=settings, only=only, jobs=jobs, watch=talk
        )
        if not made.standings.games:
            raise Refusal(_("no game has a result: there are no standings"))
        others = (
            league_under(
                paths, under, season=season, rules=rules, settings=settings, only=only, jobs=jobs, watch=talk
            )
            if under is not None and rules is not None
            else []
        )
    if as_page:
        _write_page(made, others, under, target, talk.lines(), asked)
    elif under is not None:
        _write_otherwise(others, fmt)
    else:
        _write_table(made, name, asked, fmt)
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


def _write_table(made: League, name: str, asked: Sequence[str], fmt: str) -> None:
    from paifu.cli.output import write_rows
    from paifu.reports.league.tables import (
        ALL,
        IN_THOUSANDS,
        TABLES,
        columns_left_out,
        notes,
        rating_notes,
        said,
        shown_columns,
    )

    rows = TABLES[name](made.standings)
    if not rows:
        text = _("this season has no {table}; a season's file can name some")
        click.echo(text.format(table=_(name)), err=True)
    if fmt == "table":
        rows = [{key: _cell(value) for key, value in row.items()} for row in said(made.standings, rows)]
    words = ("honour",)
    more = list(rating_notes(made.standings)) if name == "ratings" else []
    told = [*more, *notes(made.standings)]
    document = {"schema": SCHEMA, "title": made.standings.season.title, "notes": told}
    if rows or fmt != "table":
        every = list(rows[0]) if rows else []
        columns = shown_columns(name, every, asked if asked or fmt == "table" else [ALL])
        rows = [{column: row[column] for column in columns} for row in rows]
        write_rows(rows, columns, fmt, document, heads=_heads(columns), words=words, numbers=IN_THOUSANDS)
        if words_left_out := columns_left_out(every, columns) if not asked else "":
            click.echo(words_left_out, err=True)
    for line in more:
        click.echo(line, err=True)


def _write_otherwise(others: list[Otherwise], fmt: str) -> None:
    from paifu.cli.output import write_rows
    from paifu.reports.league.tables import IN_THOUSANDS, otherwise_rows, said

    rows = otherwise_rows(others)
    if fmt == "table":
        rows = [{key: _cell(value) for key, value in row.items()} for row in said(others[0].standings, rows)]
        rows[0]["rule"] = _(rows[0]["rule"])
    columns = list(rows[0])
    write_rows(rows, columns, fmt, {"schema": SCHEMA}, heads=_heads(columns), numbers=IN_THOUSANDS)


def _heads(columns: Sequence[str]) -> dict[str, str]:
    """Say what a table calls its columns, where that is not by their names."""
    from paifu.reports.league.tables import head_said

    others = {"first": "leader"} if "illegal_moves" in columns else {}
    said = {column: head_said(others.get(column, column)) for column in columns}
    return said if language() != "en" else {}


def _cell(value: Any) -> Any:
    return "" if value is None else (_("no"), _("yes"))[value] if isinstance(value, bool) else value


def _tell(made: League) -> None:
    """Say what the standings leave out, and what is wrong with logs."""
    from paifu.reports.league.tables import notes
    from paifu.reports.wording import plural

    for line in notes(made.standings):
        click.echo(line, err=True)
    if made.unfinished:
        text = _("{games} without a result left out")
        click.echo(text.format(games=plural(made.unfinished, "game")), err=True)


def _write_page(
    made: League,
    others: list[Otherwise],
    under: str | None,
    target: str | None,
    left_out: list[str],
    asked: Sequence[str],
) -> None:
    from paifu.reports.pages.league import league_page
    from paifu.reports.wording import plural

    page = league_page(made.standings, made.unfinished, others, under or "", left_out, asked)
    pages.write_page(page, target, plural(len(made.standings.games), "game"))
