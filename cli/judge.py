"""``paifu judge``: what decisions cost, worst first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from paifu.cli import options
from paifu.cli.command import Command

if TYPE_CHECKING:
    from paifu.reports.judgement.losses import Judged

SCHEMA = "paifu.judge/1"
_KINDS = ("pushing", "folding", "efficiency", "riichi", "calls", "kans")


@click.command(cls=Command, short_help="List the decisions that cost points, worst first.")
@options.paths
@click.option("--player", "players", multiple=True, metavar="NAME", help="Only this player; repeatable.")
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice(_KINDS),
    default=("pushing", "folding"),
    show_default=True,
    help="Kind of decisions to list; repeatable.",
)
@click.option(
    "--min-loss",
    type=click.IntRange(0, options.MAX_POINTS),
    default=300,
    show_default=True,
    metavar="POINTS",
    help="Only decisions that cost at least this much.",
)
@click.option(
    "--model",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False),
    help="Judge by a model of 'paifu fit' instead of the one that comes with paifu.",
)
@click.option(
    "-n",
    "--limit",
    type=click.IntRange(0, options.MAX_ROWS),
    default=10,
    show_default=True,
    metavar="N",
    help="Decisions and players to show in the table; 0 for all.",
)
@options.rules
@options.jobs
@options.output_format()
def judge(
    paths: tuple[str, ...],
    players: tuple[str, ...],
    kinds: tuple[str, ...],
    min_loss: int,
    model: str | None,
    limit: int,
    rules_name: str | None,
    settings: tuple[str, ...],
    jobs: int | None,
    fmt: str,
) -> int:
    """List the decisions that cost points, worst first, whatever came of them.

    A loss is what the best option was worth more than the one chosen, in points to the end of the hand, by a
    model fitted to real games, which knows only what the player could see. It is listed if it exceeds twice
    its standard error. Losses in pushing and folding are mistakes; those of other kinds are notes, because
    in them the model does not tell strong players from weak. The exit status is 1 if something could not be
    read.

    \b
    Example:
      paifu judge sample_logs/games --limit 3
      paifu judge logs --player Botan --min-loss 500
      paifu judge logs --kind efficiency --format csv > losses.csv
    """
    from paifu.api.judging import Wanted, judging
    from paifu.api.rulesets import rulesets_for_replay
    from paifu.cli.talk import talking

    wanted = Wanted.of(players, kinds, min_loss, model or "")
    rules = rulesets_for_replay(rules_name, settings)
    with talking("judging") as talk:
        run = judging(paths, wanted, rules=rules, jobs=jobs, watch=talk)
        found = _report(run, fmt, limit)
    if players and not found:
        click.echo("none of these players appears in the logs, or no decision could be judged", err=True)
    return 1 if run.faults else 0


def _report(results: Iterable[Judged], fmt: str, limit: int) -> int:
    """Print the losses; return how many players were judged."""
    from paifu.cli.output import write_rows
    from paifu.replay.foreign_text import printable

    every = list(results)  # makes the engine ready, before anything imports its kernels
    from paifu.reports.judgement.losses import COLUMNS, Loss, PlayerLosses, loss_lines, player_lines
    from paifu.reports.words import plural

    losses: list[Loss] = []
    players: dict[str, PlayerLosses] = {}
    games = without = 0
    for result in every:
        losses += result.losses
        games, without = games + result.games, without + result.without_model
        for name, own in result.players.items():
            players[name] = players.get(name, PlayerLosses()) + own
    losses.sort(key=lambda one: -one.loss)
    if fmt != "table":
        summary: dict[str, Any] = {"games": games, "games_without_model": without}
        summary["players"] = [own.summary(name) for name, own in sorted(players.items())]
        rows = [one.row if fmt in ("json", "jsonl") else _flat(one.row) for one in losses]
        write_rows(rows, COLUMNS, fmt, {"schema": SCHEMA, "summary": summary}, "losses")
        return len(players)
    for one in losses[: limit or None]:
        click.echo(printable(f"{one.row['player']} ({one.row['source']})"))
        click.echo("\n".join(map(printable, loss_lines(one))))
        click.echo()
    if limit and len(losses) > limit:
        click.echo(f"{len(losses) - limit:,} more; --limit 0 shows all")
    if players:
        click.echo("\n".join(map(printable, player_lines(players, limit))))
    without_model = f"; no model for {plural(without, 'game')}" if without else ""
    click.echo(f"{plural(games, 'game')} judged, {plural(len(losses), 'costly decision')}{without_model}")
    return len(players)


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row for a table: the options as JSON text."""
    import orjson

    return row | {"options": orjson.dumps(row["options"]).decode()}
