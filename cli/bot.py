"""``paifu bot``: a simulated player that speaks mjai on stdin and stdout."""

from __future__ import annotations

import sys

import click

from paifu.cli import completion, options
from paifu.cli.command import Command

_MAX_LINE = 1 << 20
"""Bytes of one line that are read; a whole game has a fifth of that."""


@click.command(cls=Command)
@click.option(
    "--player", required=True, metavar="KIND[:RATE]",
    help="Kind of player, as `paifu simulate --players` takes it: tile-efficient, balanced, caller, "
    "defender, model or wild; balanced:20 discards at random in 20% of its turns. Or policy: what strong "
    "players would most likely do, with four players.",
)  # fmt: skip
@click.option(
    "--rules", "name", metavar="NAME", shell_complete=completion.presets,
    help="The server's rules: a preset, or the path of a .toml file.  [default: tenhou, or tenhou-sanma when "
    "three play]",
)  # fmt: skip
@click.option(
    "--seat", type=click.IntRange(0, 3), metavar="SEAT",
    help="Where the bot sits, if start_game states no id.",
)  # fmt: skip
@click.option(
    "--seed", type=click.IntRange(0, options.MAX_SEED), default=0, show_default=True,
    help="Random seed of what the player leaves to chance.",
)  # fmt: skip
def bot(player: str, name: str | None, seat: int | None, seed: int) -> int:
    """Play mjai: read events on stdin, answer each line on stdout.

    A line holds an event or a list of events; the answer is one line, {"type":"none"} where there is nothing
    to do. The bot decides from what its seat sees. It plays one game after the other until stdin ends.

    \b
    Example:
      paifu bot --player model
      paifu bot --player balanced:5 --rules mleague
    """
    from paifu.api.playing import bot as bot_of
    from paifu.parsers.mjai.protocol import serve
    from paifu.replay.foreign_text import escaped

    speaker = bot_of(player, rules=name, seed=seed, seat=seat)
    for complaint in serve(speaker, sys.stdin.buffer, sys.stdout.buffer, max_line=_MAX_LINE):
        click.echo(f"paifu bot: {escaped(complaint)}", err=True)
    return 0
