"""``paifu reference``: what players are compared with, counted from games."""

from __future__ import annotations

from pathlib import Path

import click

from paifu.cli import options
from paifu.cli.command import Command
from paifu.cli.option_types import NewFile
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
    type=NewFile(),
    help="File of the reference.",
)
@options.replays
def reference(paths: tuple[str, ...], file: str, how: options.ReplayOptions) -> int:
    """Count whole games by number of players, room and length, as a reference for pages and statistics.

    'paifu report --player NAME --reference FILE' compares a player with the games in the file most like the
    player's own. Kinds with fewer than 100 games are left out. Seats of programs, whose names begin with ⓝ,
    do not count. The file names nobody: it holds sums over all players, of whom none counts for many times
    as much as others, and how much those with 20 or more hands differ. The exit status is 1 if something
    could not be read.

    \b
    Example:
      paifu reference logs -o club.json
      paifu report logs --player Botan --reference club.json -o botan.html
    """
    from paifu.api.reference import LEAST_GAMES, LEAST_HANDS, count_reference
    from paifu.cli.talk import talking
    from paifu.parsers.output_files import write_file
    from paifu.replay.foreign_text import escaped
    from paifu.reports.statistics.reference import kind_said
    from paifu.reports.wording import plural

    with talking(_("counting")) as talk:
        counted = count_reference(paths, watch=talk, **how)
    for one in counted.strata:
        games, players = plural(one["games"], "game"), plural(one["players"], "player")
        text = _("{kind}: {games}, {players} with at least {hands}")
        click.echo(
            text.format(
                kind=kind_said(one["seats"], one["room"], one["length"]),
                games=games,
                players=players,
                hands=plural(LEAST_HANDS, "hand"),
            )
        )
    for one in counted.left_out:
        text = _("{kind}: {games}; left out, fewer than {least:,}")
        games = plural(one["games"], "game")
        click.echo(
            text.format(
                kind=kind_said(one["seats"], one["room"], one["length"]), games=games, least=LEAST_GAMES
            ),
            err=True,
        )
    if not counted.strata:
        text = _(
            "no kind of game has {least:,} games; 'paifu report --reference' takes logs as they are, too"
        )
        raise Refusal(text.format(least=LEAST_GAMES))
    content = counted.text.encode()
    write_file(Path(file), content)
    click.echo(_("{file}: {size:,} bytes").format(file=escaped(file), size=len(content)), err=True)
    return 1 if counted.faults else 0
