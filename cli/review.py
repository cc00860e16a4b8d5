"""``paifu review``: what players might have done better, on what they could see."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from paifu.cli import options

if TYPE_CHECKING:
    from paifu.parsers.dataset.shards import Item
    from paifu.replay.findings.finding import Selection
    from paifu.replay.model.batch import Faults
    from paifu.replay.review.words import ReviewCase
    from paifu.replay.rules.ruleset import Ruleset
    from paifu.reports.findings.review import Judged, ReviewTally
    from paifu.reports.terminal.review_lines import PlayerReview

SCHEMA = "paifu.review/1"
_MOST_PLAYERS = 8
"""That the table shows when nobody is asked for by name."""


@click.command(short_help="Point at mistakes: furiten, missed wins, deal-ins, riichi.")
@options.paths
@click.option("--player", "players", multiple=True, metavar="NAME", help="Only this player; repeatable.")
@click.option("--code", "codes", multiple=True, metavar="CODES", help="Only codes that begin so: F,W101.")
@click.option(
    "--min-cost", type=click.IntRange(min=0), default=0, metavar="POINTS", help="Only what cost so much."
)
@click.option("--mistakes", is_flag=True, help="Only mistakes, no notes.")
@click.option(
    "-n",
    "--limit",
    type=click.IntRange(min=0),
    default=3,
    show_default=True,
    metavar="N",
    help="In the table: so many mistakes and so many notes of each player; 0 for all.",
)
@options.rules
@options.jobs
@options.output_format()
def review(
    paths: tuple[str, ...],
    players: tuple[str, ...],
    codes: tuple[str, ...],
    min_cost: int,
    mistakes: bool,
    limit: int,
    rules_name: str | None,
    settings: tuple[str, ...],
    jobs: int | None,
    fmt: str,
) -> int:
    """Point at players' mistakes and missed chances: furiten, missed wins, deal-ins, riichi.

    A choice is judged by what the player could see; what only the log knows is shown apart, as hindsight.
    Findings stand by player, the costliest first, with the hand as it stood. Percentages tell how often such
    a tile deals in to such a threat. 'paifu explain CODE' tells what a code means, 'paifu show LOG --review'
    shows findings where they happen. Exit status 1 tells that something could not be read.

    \b
    Example:
      paifu review sample_logs/games --mistakes
      paifu review logs --player Name --code F,W --min-cost 3900
      paifu review houou.db --format json > review.json
    """
    from paifu.cli.engine import prepare
    from paifu.cli.rules import replaying_rules
    from paifu.parsers.read import default_jobs, iter_items, iter_units, run
    from paifu.replay.findings.finding import Selection, UnknownCodeError

    try:
        selection = Selection.parse(codes, ())
    except UnknownCodeError as error:
        raise click.UsageError(str(error)) from error
    wanted = _Wanted(frozenset(name.casefold() for name in players), selection, min_cost, mistakes)
    rules = replaying_rules(rules_name, settings)
    units = prepare(iter_units(iter_items(paths)), review=True)
    work = partial(_review_unit, rules, wanted, fmt == "table", limit)
    return _report(run(units, work, jobs=jobs or default_jobs()), wanted, fmt, limit)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Which findings are asked for."""

    players: frozenset[str]
    """Names, case folded; none stands for all."""
    selection: Selection
    min_cost: int
    mistakes: bool

    def wants(self, case: ReviewCase) -> bool:
        """Tell whether a case is asked for, as far as that shows before it is put in words."""
        from paifu.replay.findings.finding import code_of

        name = str(case.batch.games.names[case.game, case.seat]).casefold()
        return (
            case.cost >= self.min_cost
            and (not self.players or name in self.players)
            and self.selection.wants(code_of(case.code))
        )


@dataclass(frozen=True, slots=True)
class _Reviewed:
    """What a worker made of one unit."""

    found: list[Judged]
    """All findings, unless ``players`` holds those to be shown."""
    players: dict[str, PlayerReview]
    tally: ReviewTally
    faults: Faults


def _review_unit(
    rules: tuple[Ruleset, ...], wanted: _Wanted, is_table: bool, limit: int, unit: list[Item]
) -> _Reviewed:
    """Read and review a unit; the work of one process."""
    from paifu.parsers.read import read_unit
    from paifu.replay.review.words import review_cases
    from paifu.replay.table.engine import replay
    from paifu.reports.findings.review import ReviewTally, judged
    from paifu.reports.terminal.review_lines import by_player

    batch = read_unit(unit)
    facts = replay(batch, *rules, review=True, players=False)
    every = ((judged(case), case) for case in review_cases(batch, facts, *rules) if wanted.wants(case))
    pairs = [(one, case) for one, case in every if one.is_mistake or not wanted.mistakes]
    found = [one for one, _ in pairs]
    tally = ReviewTally.of(batch, wanted.players, found)
    if is_table:
        return _Reviewed([], by_player(pairs, limit), tally, batch.faults)
    return _Reviewed(found, {}, tally, batch.faults)


def _report(results: Iterable[_Reviewed], wanted: _Wanted, fmt: str, limit: int) -> int:
    """Print what was found; return the exit status."""
    from paifu.cli.output import csv_text, write_rows
    from paifu.cli.talk import progress, tell_faults
    from paifu.reports.findings.review import COLUMNS, ReviewTally, row
    from paifu.reports.terminal.review_lines import PlayerReview, review_lines

    tally, faults = ReviewTally(), 0
    players: dict[str, PlayerReview] = {}
    kept = []
    write = _STREAMS.get(fmt)
    if fmt == "csv":
        click.echo(csv_text([COLUMNS]), nl=False)
    with progress("reviewing") as advance:
        for result in results:
            tell_faults(result.faults)
            faults += len(result.faults)
            tally += result.tally
            for name, own in result.players.items():
                players[name] = players.get(name, PlayerReview()).merged(own, limit)
            for one in result.found:
                if write is None:
                    kept.append(row(one))
                else:
                    write(one)
            advance(result.tally.games)
    if fmt == "table":
        most_players = _MOST_PLAYERS if limit and not wanted.players else 0
        lines = review_lines(players, most_players=most_players, with_source=tally.games > 1)
        click.echo("\n".join(chain(lines, tally.lines())))
    elif write is None:
        rows = kept if fmt == "json" else [_flat(row) for row in kept]
        write_rows(rows, COLUMNS, fmt, {"schema": SCHEMA, "summary": tally.summary()}, "findings")
    if wanted.players and not tally.player_hands:
        click.echo("none of these players is in the logs", err=True)
    return 1 if faults else 0


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row for a table: the evidence as JSON text."""
    import orjson

    return row | {"evidence": orjson.dumps(row["evidence"]).decode()}


def _write_json(one: Judged) -> None:
    import orjson

    from paifu.reports.findings.review import row

    click.echo(orjson.dumps(row(one)))


def _write_csv(one: Judged) -> None:
    from paifu.cli.output import csv_text
    from paifu.reports.findings.review import row

    click.echo(csv_text([_flat(row(one)).values()]), nl=False)


_STREAMS: dict[str, Callable[[Judged], None]] = {"jsonl": _write_json, "csv": _write_csv}
"""Formats that are written finding by finding; of the others a document is made at the end."""
