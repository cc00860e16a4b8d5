"""``paifu site``: a folder of pages about all players and games."""

from __future__ import annotations

import click

from paifu.cli import options
from paifu.cli.command import Command
from paifu.replay.language import _


@click.command(cls=Command, short_help="Make a folder of pages: everybody, each player, each game.")
@options.paths
@click.option(
    "-o", "--output", required=True, type=click.Path(file_okay=False), metavar="DIR", help="Folder to write."
)
@options.aliases
@options.replays
@options.names
def site(
    paths: tuple[str, ...],
    output: str,
    aliases: str | None,
    how: options.ReplayOptions,
) -> int:
    """Make a folder of pages that link to each other: an index, everybody, each player, each game.

    The index lists all players and games and finds names. Players with 10 or more games have a page. Any web
    server can serve the folder as it is, and any browser opens it from a disk. A second run writes again only
    the pages whose games have changed; if no log has, it ends at once. The exit status is 1 if something
    could not be read or verification found errors.

    \b
    Example:
      paifu site sample_logs/games -o site
    """
    from paifu.api.site import INDEX, write_site
    from paifu.cli.aliases import read_aliases
    from paifu.cli.talk import talking
    from paifu.replay.foreign_text import escaped
    from paifu.reports.wording import plural

    with talking(_("reporting")) as talk:
        done = write_site(paths, output, aliases=read_aliases(aliases), watch=talk, **how)
    if done.is_as_it_was:
        click.echo(_("no log has changed since the last run, so none was read"), err=True)
    text = _("{games}, {players} with a page; pages written {written:,}, as they were {kept:,}")
    games, players = plural(done.games, "game"), plural(done.players, "player")
    click.echo(text.format(games=games, players=players, written=len(done.written), kept=done.kept))
    if done.errors:
        click.echo(
            _("errors found by the verification: {count:,}; see paifu verify").format(count=done.errors),
            err=True,
        )
    click.echo(_("page: {file}").format(file=escaped(f"{output}/{INDEX}")))
    return 1 if done.faults or done.errors else 0
