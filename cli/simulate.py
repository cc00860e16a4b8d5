"""``paifu simulate``: simulated games, written as logs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from paifu.cli import options
from paifu.cli.command import Command
from paifu.cli.refusal import Refusal
from paifu.parsers.targets import OWN_FORMATS, TARGETS
from paifu.replay.language import _

if TYPE_CHECKING:
    from paifu.replay.rules.ruleset import Ruleset


@click.command(cls=Command)
@click.option("--games", "count", type=click.IntRange(1, options.MAX_GAMES), default=1, show_default=True)
@options.rules(default="tenhou")
@click.option(
    "--seed", type=click.IntRange(0, options.MAX_SEED), default=0, show_default=True,
    help="Random seed; the same seed gives the same games.",
)  # fmt: skip
@click.option(
    "--players", "kinds", default="balanced", show_default=True, metavar="KIND[:RATE],...",
    help="Kind of player in each seat, repeated to fill the table: tile-efficient, balanced, caller, "
    "defender, strong, wild; balanced:20 makes 20% of the discards at random.",
)  # fmt: skip
@click.option(
    "-o", "--output", "folder", required=True, metavar="DIR", type=click.Path(file_okay=False),
    help="Folder for the logs; created if missing.",
)  # fmt: skip
@click.option(
    "-f", "--format", "fmt", type=click.Choice(TARGETS), metavar="FORMAT",
    help="mjlog or tenhou6; mjai, or Mortal's dialect of it (mjai-mortal); majiang; majsoul-json; paifu's "
    "own log, a game a line (paifu) or an event a line (paifu-events).  [default: mjlog, or paifu for what "
    "Tenhou's formats cannot state]",
)  # fmt: skip
@options.jobs
def simulate(
    count: int, rules_name: str, settings: tuple[str, ...], seed: int, kinds: str, folder: str,
    fmt: str | None, jobs: int | None,
) -> int:  # fmt: skip
    """Play games with simple players and write each game as a log.

    Any ruleset but american-2013 is played, riichi by two to four players. The players aim for what the
    game values. The wall of each game follows from a seed, for riichi as Tenhou's do; mjlog and paifu logs
    state it. A paifu log also names the ruleset. The other formats cannot: read their logs with the same
    --rules.

    \b
    Example:
      paifu simulate --games 4 -o out/games
      paifu simulate --rules mleague --players caller -f paifu -o out/mleague
      paifu simulate --rules hk-old-style --games 4 -o out/hk
    """
    from functools import partial
    from pathlib import Path

    from paifu.api.rules import played_ruleset
    from paifu.cli.talk import progress
    from paifu.parsers.output_files import make_folder, write_file
    from paifu.parsers.spreading import run
    from paifu.replay.foreign_text import escaped
    from paifu.reports.wording import plural

    rules = played_ruleset(rules_name, settings)
    from paifu.api.simulated import numbers_of, play_and_write
    from paifu.coach.simulate.games import check_known, player_named
    from paifu.parsers.writers import WRITERS

    try:
        players = [player_named(kind) for kind in kinds.split(",")]
        check_known(rules, players)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    fmt = writable(fmt, rules)
    work = partial(play_and_write, rules=rules, players=players, fmt=fmt)
    target = Path(folder)
    make_folder(target)
    units: Any = numbers_of(seed, count)
    done = hands = 0
    with progress(_("simulating")) as advance:
        for logs in run(units, work, jobs=jobs):
            for log, length in logs:
                done += 1
                hands += length
                path = target / f"{rules.name}-{seed}-{done:06d}{WRITERS[fmt].suffix}"
                write_file(path, log, through_links=False)
            advance(len(logs))
    told = _("{folder}: {games} of {hands} under {rules}")
    click.echo(
        told.format(
            folder=escaped(folder), games=plural(done, "game"), hands=plural(hands, "hand"), rules=rules.name
        ),
        err=True,
    )
    return 0


def writable(fmt: str | None, rules: Ruleset) -> str:
    """Return the format that was chosen, or else one that can state the games."""
    from paifu.api.simulated import go_type

    if fmt in OWN_FORMATS:
        return fmt
    try:
        go_type(rules)
    except ValueError as error:
        problem = str(error)
    else:
        if not rules.riichi.open_riichi_han:
            return fmt or "mjlog"
        problem = _("Tenhou's log format cannot state a riichi with the hand shown")
    if fmt:
        text = _("games under {rules} cannot be written: {problem}; try --format paifu")
        raise Refusal(text.format(rules=rules.name, problem=problem))
    return "paifu"
