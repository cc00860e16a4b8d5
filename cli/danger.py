"""``paifu danger``: how often each class of tile deals in, counted from your logs."""

from __future__ import annotations

import click

from paifu.cli import options
from paifu.cli.command import Command
from paifu.replay.language import _

_HIDDEN: dict[tuple[bool, bool], tuple[str, ...]] = {
    (False, False): ("turns",),
    (False, True): (),
    (True, False): ("deal_ins", "all_n"),
}
"""Columns that a table for people leaves out, with and without --player and --turns."""
_WORDS = ("threat", "turns", "hand", "class")


@click.command(cls=Command, short_help="Count how often each class of tile deals in.")
@options.paths
@options.players("This player's discards beside everybody's; repeatable: all together.")
@click.option("--turns", "by_turn", is_flag=True, help="Count turns 1-6, 7-12 and 13+ separately.")
@options.replays
@options.output_format()
def danger(
    paths: tuple[str, ...],
    players: tuple[str, ...],
    by_turn: bool,
    how: options.ReplayOptions,
    fmt: str,
) -> int:
    """Count how often discards deal in to a threat, by class of tile and kind of threat.

    Each discard made while another player is in riichi (or has a dangerous open hand) counts once for every
    such player, under its class as the discarder sees it. 'low' and 'high' bound a 95% interval.

    With --player, the discards of a player: how often ('share', in percent), how many dealt in, and what that
    cost for each discard, in total, by class of tile and by the hand left, beside the same of everybody in
    the logs ('all'). Formats other than the table also have each class for each hand.

    \b
    Example:
      paifu danger sample_logs/games
      paifu danger logs --player Botan
      paifu danger dataset --turns --format csv > danger.csv
    """
    if players and by_turn:
        raise click.UsageError(_("--turns is not counted by player: leave out one of --turns and --player"))
    from paifu.api.review import counting_danger, counting_pushes
    from paifu.cli.output import column_heads, write_rows
    from paifu.cli.talk import check_names, talking
    from paifu.reports.statistics.danger import COLUMNS, PLAYER_COLUMNS, player_rows, rows

    with talking(_("counting")) as talk:
        run = (
            counting_pushes(paths, players, watch=talk, **how)
            if players
            else counting_danger(paths, watch=talk, **how)
        )
        counts = None
        for part in run:
            counts = part if counts is None else counts + part
    if players:
        check_names(players, run.names)
        table = [] if counts is None else list(player_rows(counts, crossed=fmt != "table"))
        columns: tuple[str, ...] = PLAYER_COLUMNS
        if not table:
            click.echo(_("none of these players discards against a threat in the logs"), err=True)
    else:
        table = [] if counts is None else list(rows(counts, by_turn=by_turn))
        columns = COLUMNS
    if fmt == "table":
        columns = tuple(name for name in columns if name not in _HIDDEN[bool(players), by_turn])
    document = {"schema": "paifu.danger/1", "summary": {"games": run.games}}
    write_rows(table, columns, fmt, document, heads=column_heads(), words=_WORDS)
    return 1 if run.faults else 0
