"""``paifu plot``: one figure as a file, for use in your own documents."""

from __future__ import annotations

from pathlib import Path

import click

from paifu.cli import completion, options
from paifu.cli.command import Command
from paifu.cli.config import own_name
from paifu.cli.option_types import NewFile
from paifu.cli.refusal import Refusal
from paifu.replay.language import _


@click.command(cls=Command, short_help="Draw one figure into an SVG, PNG or PDF file.")
@click.argument("figure", required=False, metavar="FIGURE", shell_complete=completion.figures)
@click.argument("paths", nargs=-1, metavar="PATH...")
@click.option(
    "--player", callback=own_name, metavar="NAME", default="", help="Show this player next to everybody."
)
@click.option("-o", "--output", type=NewFile(), metavar="FILE", help="An .svg, .png or .pdf file.")
@click.option("--no-title", is_flag=True, help="Leave out the title.")
@options.aliases
@options.replays
def plot(
    figure: str | None,
    paths: tuple[str, ...],
    player: str,
    output: str | None,
    no_title: bool,
    aliases: str | None,
    how: options.ReplayOptions,
) -> int:
    """Draw one of the report's figures into a file. The same input always gives the same file.

    Names that the installed fonts cannot render are left out.

    \b
    Example:
      paifu plot placement sample_logs/games --player Botan -o placement.svg
      paifu plot danger houou.db -o danger.pdf --no-title
    """
    from paifu.api.report import gather_all
    from paifu.cli.aliases import read_aliases
    from paifu.cli.talk import check_names, talking
    from paifu.parsers.output_files import write_file
    from paifu.replay.foreign_text import escaped
    from paifu.reports.figures.catalogue import FIGURES
    from paifu.reports.figures.files import FORMATS, drawn, notice
    from paifu.reports.metrics.counters import Spellings
    from paifu.reports.pages.report_data import Wanted
    from paifu.reports.pages.report_games import running_sums

    if figure is not None and figure not in FIGURES:
        raise Refusal(_unknown(figure))
    if figure is None or not paths or output is None:
        raise click.UsageError(
            _("name a figure, logs, and with -o a file; figures are {figures}").format(
                figures=", ".join(FIGURES)
            )
        )
    kind = FIGURES[figure]
    fmt = Path(output).suffix.lower().removeprefix(".")
    if fmt not in FORMATS:
        raise click.UsageError(
            _("{file}: a figure becomes a file that ends in {endings}").format(
                file=output, endings=f".{', .'.join(FORMATS)}"
            )
        )
    if "player" in kind.needs and not player:
        raise click.UsageError(
            _("the figure {figure} shows one player: name one with --player").format(figure=figure)
        )
    named = read_aliases(aliases)
    spelt = Spellings(named, filter(None, [player]))
    wanted = Wanted((), kind.metrics, player, spelt, review="review" in kind.needs)
    with talking(_("counting")) as talk:
        done = gather_all(paths, wanted, watch=talk, **how)
    found = done.gathered
    if not found.tally.games:
        raise Refusal(_("no game could be read: there is nothing to draw"))
    check_names([player], {named.get(name, name) for name in done.names})
    data = found.others, found.course, found.pushes, running_sums(found.games)
    write_file(output, drawn(*data, figure, player, fmt, with_title=not no_title))
    click.echo(_("wrote {file}").format(file=escaped(output)), err=True)
    if words := notice():
        click.echo(words, err=True)
    return 1 if done.faults else 0


def _unknown(name: str) -> str:
    from difflib import get_close_matches

    from paifu.reports.figures.catalogue import FIGURES
    from paifu.reports.wording import alternatives

    near = get_close_matches(name, FIGURES, 2)
    text = (
        _("there is no figure {name!r}; did you mean {near}?")
        if near
        else _("there is no figure {name!r}; figures are {figures}")
    )
    return text.format(name=name, near=alternatives(near), figures=", ".join(FIGURES))
