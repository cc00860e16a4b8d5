"""``paifu report``: a page about one player, or all of them."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import click

from paifu.cli import options
from paifu.cli.command import Command
from paifu.cli.config import own_name
from paifu.cli.option_types import NewFile
from paifu.cli.refusal import Refusal
from paifu.replay.language import _

if TYPE_CHECKING:
    from paifu.api.report import GatheredInput
    from paifu.reports.pages.report import Report
    from paifu.reports.statistics.reference import Population, Reference, Stratum


def _period(_context: click.Context, _option: click.Parameter, value: str) -> str:
    """Check what periods are asked for."""
    is_number = value.isdecimal() and 1 <= int(value) <= options.MAX_ROWS
    if value and not is_number and value not in ("month", "year"):
        text = _("--by {value}: give month, year, or a number of games")
        raise click.UsageError(text.format(value=value))
    return value


@click.command(cls=Command, short_help="Make a page: statistics, figures, the hands that mattered.")
@options.paths
@click.option(
    "--player",
    callback=own_name,
    metavar="NAME",
    default="",
    help="Report on this player.  [default: all players]",
)
@click.option(
    "-o",
    "--output",
    type=NewFile(),
    default="report.html",
    show_default=True,
    metavar="FILE",
    help="File to write.",
)
@options.aliases
@click.option(
    "--reference",
    type=click.Path(exists=True),
    metavar="PATH",
    help="Compare the player with those in these logs, or in a file of 'paifu reference'.  [default: games "
    "that ship, of the same room]",
)
@click.option(
    "--by",
    callback=_period,
    metavar="PERIOD",
    default="",
    help="With --player: also show small charts by month, by year, or by every N games.",
)
@click.option(
    "--games",
    type=click.Path(file_okay=False),
    metavar="DIR",
    help="With --player: also write a page for each game into this folder, and link to it.",
)
@click.option(
    "--anki",
    type=NewFile(),
    metavar="FILE",
    help="With --player: also write the positions of the trainer as a text file that Anki imports.",
)
@options.deep
@options.replays
@options.names
def report(
    paths: tuple[str, ...],
    player: str,
    output: str,
    aliases: str | None,
    reference: str | None,
    by: str,
    games: str | None,
    anki: str | None,
    deep: bool,
    how: options.ReplayOptions,
) -> int:
    """Replay, verify and review logs, count what players do, and make one page of it all.

    The page is a single file that works offline. It holds statistics with their definitions, figures, and
    the hands that mattered, which you can step through. With --player it opens with where the player's
    points go, compared with games of the same room; without it, it lists all players. --deep plays the
    positions of the trainer out, on hidden hands as the player could expect them, and their answers say what
    came of each option (see 'paifu review'). The exit status is 1 if something could not be read or
    verification found errors.

    \b
    Example:
      paifu report sample_logs/games --player Botan -o botan.html
      paifu report houou.db -o league.html
    """
    from paifu.api.play_outs import PlayOuts
    from paifu.api.report import gather_all
    from paifu.cli.aliases import read_aliases
    from paifu.cli.talk import check_names, talking
    from paifu.parsers.output_files import write_file
    from paifu.reports.metrics.counters import Spellings
    from paifu.reports.pages.report import dataset_reference, game_pages, wanted
    from paifu.reports.pages.report import report as make
    from paifu.reports.pages.report_games import Links
    from paifu.reports.pages.trainer import POSITIONS
    from paifu.reports.pages.trainer import anki as anki_cards

    _check(player, reference=reference, games=games, anki=anki, by=by, deep=deep)
    named = read_aliases(aliases)
    spelt = Spellings(named, filter(None, [player]))
    asked = replace(wanted(player, spelt), pages=bool(games))
    counted = _counted(reference)
    with talking(_("reporting")) as talk:
        done = gather_all(paths, asked, watch=talk, deep=PlayOuts(watch=talk) if deep else None, **how)
        if not done.gathered.tally.games:
            raise Refusal(_("no game could be read: there is nothing to report"))
        check_names([player], {named.get(name, name) for name in done.names})
        population = None
        if counted:
            population = _most_like(counted, done.gathered.strata)
        elif reference:
            others = replace(asked, hands=0, pages=False, luck=False)
            compared = gather_all(
                [reference], others, rules=how["rules"], jobs=how["jobs"], watch=talk
            ).gathered
            if not compared.tally.games:
                text = _("--reference: no game could be read from {path}")
                raise Refusal(text.format(path=reference))
            population = dataset_reference(compared, player, reference)
    page = make(
        done.gathered,
        player,
        reference=population,
        links=Links(_address(games, output) if games else ""),
        left_out=talk.lines(),
        by=by,
    )
    if games:
        for name, text in game_pages(done.gathered):
            write_file(Path(games) / name, text.encode("utf-8", "replace"), through_links=False)
    write_file(output, page.html.encode("utf-8", "replace"))
    if anki:
        positions = done.gathered.lists.get(POSITIONS, ())
        write_file(anki, anki_cards(positions, player).encode("utf-8", "replace"))
    return _tell(page, done, output)


def _check(
    player: str,
    *,
    reference: str | None,
    games: str | None,
    anki: str | None,
    by: str,
    deep: bool,
) -> None:
    """Refuse options of a player's page without a player."""
    if reference and not player:
        raise click.UsageError(_("--reference needs --player: it is what a player is compared with"))
    if games and not player:
        raise click.UsageError(_("--games needs --player: it lists the player's games"))
    if by and not player:
        raise click.UsageError(_("--by needs --player: it shows the player's games by period"))
    if anki and not player:
        raise click.UsageError(_("--anki needs --player: the positions are the player's decisions"))
    if deep and not player:
        raise click.UsageError(_("--deep needs --player: it plays the positions of the trainer out"))


def _counted(reference: str | None) -> Reference | None:
    """Read what ``paifu reference`` wrote; None where logs are named, or nothing."""
    from paifu.reports.statistics.reference import is_reference, read_reference

    if not reference or not is_reference(Path(reference)):
        return None
    return read_reference(Path(reference), reference)


def _most_like(counted: Reference, played: Counter[Stratum]) -> Population:
    """Return the games of a reference that are most like a player's."""
    found = counted.of(played)
    if found is None:
        text = _("--reference: {path} has no games like those of the player, by number of players and length")
        raise Refusal(text.format(path=counted.name))
    return found


def _address(folder: str, page: str) -> str:
    """Return the address of a folder from a page."""
    return quote(Path(os.path.relpath(folder, Path(page).parent)).as_posix())


def _tell(page: Report, done: GatheredInput, output: str) -> int:
    """Print the headline figures and where the page is; return the exit status."""
    from paifu.replay.foreign_text import escaped
    from paifu.replay.language.lines import cells, ljust, rjust

    tally = done.gathered.tally
    for text in (*tally.lines(), tally.verdict()):
        click.echo(text, err=True)
    width = max(cells(title) for title, _value in page.headline)
    for title, value in page.headline:
        click.echo(f"{ljust(title, width)}  {rjust(value, 10)}")
    click.echo(_("page: {file}").format(file=escaped(output)))
    return 1 if done.faults or tally.errors else 0
