"""``paifu arena``: games between mjai bots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from paifu.cli import completion, options
from paifu.cli.command import Command
from paifu.cli.simulate import writable
from paifu.parsers.targets import TARGETS
from paifu.replay.language import _

if TYPE_CHECKING:
    from paifu.api.arena import Arena, ArenaPart
    from paifu.reports.statistics.matches import BotStanding


@click.command(cls=Command)
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT BOT [BOT]")
@click.option(
    "--games", "count", type=click.IntRange(1, options.MAX_GAMES), default=4, show_default=True,
    help="Games to play, rounded up so that each wall is played once from each seat.",
)  # fmt: skip
@click.option(
    "--rules", "name", metavar="NAME", shell_complete=completion.presets,
    help="A preset, or the path of a .toml file.  [default: tenhou, or tenhou-sanma for three bots]",
)  # fmt: skip
@click.option("--set", "settings", multiple=True, metavar="RULE=VALUE", help="Change a rule; repeatable.")
@click.option(
    "--seed", type=click.IntRange(0, options.MAX_SEED >> 32), default=0, show_default=True,
    help="Random seed of the walls.",
)  # fmt: skip
@click.option(
    "--timeout", type=options.Number(0.01, options.MAX_SECONDS), default=10, show_default=True,
    metavar="SECONDS",
    help="Seconds that a bot has for an answer; for its first, ten times as long.",
)  # fmt: skip
@click.option(
    "--lists", is_flag=True,
    help="Send a bot a list of all events since its last turn, as mjai.app does, not each event alone.",
)  # fmt: skip
@click.option(
    "-o", "--output", "folder", metavar="DIR", type=click.Path(file_okay=False),
    help="Folder for the logs; created if missing.",
)  # fmt: skip
@click.option(
    "--log-format", "log_format", type=click.Choice(TARGETS), metavar="FORMAT",
    help="Format of the logs, as in `paifu simulate`.  [default: mjlog, or paifu for what it cannot state]",
)  # fmt: skip
@click.option(
    "-f", "--format", "fmt", type=click.Choice(options.FORMATS), default="table", show_default=True,
    help="Output format.",
)  # fmt: skip
@options.jobs
def arena(
    bots: tuple[str, ...], count: int, name: str | None, settings: tuple[str, ...], seed: int, timeout: float,
    lists: bool, folder: str | None, log_format: str | None, fmt: str, jobs: int | None,
) -> int:  # fmt: skip
    """Let mjai bots play against each other and rank them.

    A BOT is a command that speaks mjai on stdin and stdout; in it, {seat} becomes its seat. It is run without
    a shell, once for each game. paifu:KIND is a simulated player of that kind in this process, which is
    faster. Each wall is played once from each seat. If a bot hangs, dies or makes an
    illegal move, paifu plays its turns: it passes, and discards what it drew. The bot is named, and the exit
    status is 1.

    \b
    Example:
      paifu arena paifu:model paifu:caller paifu:caller --games 400
      paifu arena 'paifu bot --player model' paifu:wild paifu:wild -o games
    """
    from pathlib import Path

    from paifu.api.arena import arena as play
    from paifu.api.rulesets import riichi_ruleset
    from paifu.cli.talk import progress
    from paifu.parsers.output_files import make_folder, write_file
    from paifu.parsers.writers import WRITERS
    from paifu.replay.foreign_text import escaped

    if len(bots) not in (3, 4):
        raise click.UsageError(_("three or four bots play, not {count}").format(count=len(bots)))
    rules = riichi_ruleset(name or ("tenhou" if len(bots) == 4 else "tenhou-sanma"), settings)
    log_format = writable(log_format, rules, has_fouls=False) if folder else ""
    if folder:
        make_folder(Path(folder))
    written = 0
    with progress(_("playing")) as advance:

        def part_done(part: ArenaPart) -> None:
            nonlocal written
            for log in part.logs:
                written += 1
                path = Path(folder or "") / f"arena-{seed}-{written:06d}{WRITERS[log_format].suffix}"
                write_file(path, log, through_links=False)
            advance(len(part.placed) // len(bots))

        result = play(
            bots, count, rules=rules, seed=seed, timeout=timeout, lists=lists, log_format=log_format,
            jobs=jobs, on_part=part_done,
        )  # fmt: skip
    _print(result, fmt, len(bots))
    for row in result.standings:
        for line in _complaints(row):
            click.echo(escaped(line), err=True)
    return int(any(row.faults for row in result.standings) or result.findings > 0)


def _print(result: Arena, fmt: str, players: int) -> None:
    from paifu.cli.output import print_table, write_rows
    from paifu.reports.terminal.tables import TerminalColumn
    from paifu.reports.wording import plural

    if fmt != "table":
        rows = [_row(row) for row in result.standings]
        document = {
            "schema": 1, "games": result.games, "hands": result.hands, "findings": result.findings,
            "share_of_games": result.share_of_games,
        }  # fmt: skip
        write_rows(rows, list(rows[0]), fmt, document)
        return
    heads = [
        _("bot"),
        _("games"),
        _("average rank"),
        *(_("{place}.").format(place=place) for place in range(1, players + 1)),
        _("points"),
        *([_("without luck")] if any(row.without_luck for row in result.standings) else []),
        _("faults"),
    ]
    columns = [TerminalColumn(head, is_number=number > 0) for number, head in enumerate(heads)]
    print_table(columns, (_cells(row, len(heads)) for row in result.standings))
    told = _("{games} of {hands}; logs verified: {findings}").format(
        games=plural(result.games, "game"),
        hands=plural(result.hands, "hand"),
        findings=plural(result.findings, "finding"),
    )
    click.echo(told, err=True)
    if result.share_of_games is not None:
        told = _("points without luck (chance nodes against their mean): {share} of the games say as much")
        click.echo(told.format(share=f"{result.share_of_games:.0%}"), err=True)


def _row(row: BotStanding) -> dict[str, Any]:
    from paifu.parsers.mjai.table import FAULTS

    places = {f"place_{place}": count for place, count in enumerate(row.places, 1)}
    faults = {kind: row.faults.get(kind, 0) for kind in FAULTS}
    less = row.without_luck
    return {
        "bot": row.name, "games": row.games, "rank": row.rank, "low": row.low, "high": row.high, **places,
        "points": row.points, "points_low": row.points_low, "points_high": row.points_high,
        "without_luck": less.mean if less else None, "without_luck_low": less.low if less else None,
        "without_luck_high": less.high if less else None, "score": row.score, **faults,
        "notes": "; ".join(row.notes.values()),
    }  # fmt: skip


def _cells(row: BotStanding, columns: int) -> list[str]:
    from paifu.replay.foreign_text import escaped

    less = row.without_luck
    cells = [
        escaped(row.name),
        f"{row.games:,}",
        f"{row.rank:.2f}{_half(row.rank, row.low, 2)}",
        *(f"{100 * count / row.games:.1f}%" for count in row.places),
        f"{row.points:+.1f}{_half(row.points, row.points_low, 1)}",
        f"{less.mean:+.1f}{_half(less.mean, less.low, 1)}" if less else "",
    ]
    return [*cells[: columns - 1], f"{sum(row.faults.values()):,}"]


def _half(mean: float, low: float | None, digits: int) -> str:
    return "" if low is None else f" ± {mean - low:.{digits}f}"


def _complaints(row: BotStanding) -> list[str]:
    """Say what a bot did wrong: how often, and what the first was."""
    return [f"{row.name}: {count:,} {kind}: {row.notes[kind]}" for kind, count in sorted(row.faults.items())]
