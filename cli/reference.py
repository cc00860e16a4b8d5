"""``paifu reference``: what players are compared with, counted from games."""

from __future__ import annotations

from pathlib import Path

import click

from paifu.cli import options
from paifu.cli.command import Command
from paifu.cli.refusal import Refusal
from paifu.replay.language import _


@click.command(cls=Command, short_help="Count games that players are compared with.")
@options.paths
@click.option(
    "-o",
    "--output",
    "file",
    required=True,
    metavar="FILE",
    type=options.NewFile(),
    help="File of the reference.",
)
@click.option(
    "--min-games",
    type=click.IntRange(1, options.MAX_ROWS),
    default=100,
    show_default=True,
    metavar="N",
    help="Leave out kinds of games with fewer than N games.",
)
@click.option(
    "--min-hands",
    type=click.IntRange(1, options.MAX_ROWS),
    default=20,
    show_default=True,
    metavar="N",
    help="Learn how much players differ from those with at least N hands.",
)
@click.option(
    "--program",
    "programs",
    multiple=True,
    metavar="NAME",
    help="Do not count NAME, a program, beside those whose name begins with ⓝ. Can be given more than once.",
)
@options.replays
def reference(
    paths: tuple[str, ...],
    file: str,
    min_games: int,
    min_hands: int,
    programs: tuple[str, ...],
    how: options.ReplayOptions,
) -> int:
    """Count whole games by number of players, room and length, as a reference for pages and statistics.

    'paifu report --player NAME --reference FILE' compares a player with the games in the file most like the
    player's own. The file names nobody but programs, which do not count: it holds sums over all other
    players, of whom none counts for many times as much as others, and how much they differ. The exit status
    is 1 if something could not be read.

    \b
    Example:
      paifu reference logs -o club.json --min-games 2
      paifu report logs --player Botan --reference club.json -o botan.html
    """
    from paifu.api.reference import count_reference
    from paifu.cli.talk import talking
    from paifu.parsers.output_files import write_file
    from paifu.replay.foreign_text import escaped
    from paifu.reports.statistics.reference import kind_said
    from paifu.reports.wording import plural

    with talking(_("counting")) as talk:
        counted = count_reference(
            paths,
            least_games=min_games,
            least_hands=min_hands,
            programs=programs,
            watch=talk,
            **how,
        )
    for one in counted.strata:
        games, players = plural(one["games"], "game"), plural(one["players"], "player")
        text = _("{kind}: {games}, {players} with at least {hands}")
        click.echo(
            text.format(
                kind=kind_said(one["seats"], one["room"], one["length"]),
                games=games,
                players=players,
                hands=plural(min_hands, "hand"),
            )
        )
    for one in counted.left_out:
        text = _("{kind}: {games}; left out, fewer than {least:,}")
        games = plural(one["games"], "game")
        click.echo(
            text.format(
                kind=kind_said(one["seats"], one["room"], one["length"]), games=games, least=min_games
            ),
            err=True,
        )
    if not counted.strata:
        raise Refusal(_("no kind of game has {least:,} games (--min-games)").format(least=min_games))
    content = counted.text.encode()
    write_file(Path(file), content)
    click.echo(_("{file}: {size:,} bytes").format(file=escaped(file), size=len(content)), err=True)
    return 1 if counted.faults else 0
