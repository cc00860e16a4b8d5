"""``paifu review``: what players might have done better, on what they could see."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

import click

from paifu.cli import options

if TYPE_CHECKING:
    from paifu.parsers.shards import Item
    from paifu.replay.batch import Faults
    from paifu.replay.findings import Selection
    from paifu.replay.rules import Ruleset
    from paifu.reports.review import Judged, ReviewTally

SCHEMA = "paifu.review/1"


@click.command(short_help="Point at mistakes: furiten, missed wins, deal-ins, riichi.")
@options.paths
@click.option("--player", "players", multiple=True, metavar="NAME", help="Only this player; repeatable.")
@click.option("--code", "codes", multiple=True, metavar="CODES", help="Only codes that begin so: F,W101.")
@click.option(
    "--min-cost", type=click.IntRange(min=0), default=0, metavar="POINTS", help="Only what cost so much."
)
@click.option("--mistakes", is_flag=True, help="Only mistakes, no notes.")
@options.rules
@options.jobs
@options.output_format()
def review(
    paths: tuple[str, ...],
    players: tuple[str, ...],
    codes: tuple[str, ...],
    min_cost: int,
    mistakes: bool,
    rules_name: str | None,
    settings: tuple[str, ...],
    jobs: int | None,
    fmt: str,
) -> int:
    """Point at players' mistakes and missed chances: furiten, missed wins, deal-ins, riichi.

    A choice is judged by what the player could see; what only the log knows is shown apart, as hindsight.
    Findings stand by player, the costliest first, with the hand as it stood; 'paifu explain CODE' tells
    what a code means. Exit status 1 tells that something could not be read.

    \b
    Example:
      paifu review sample_logs --mistakes
      paifu review logs --player Name --code F,W --min-cost 3900
      paifu review houou.db --format json > review.json
    """
    from paifu.cli.engine import prepare
    from paifu.cli.rules import replaying_rules
    from paifu.parsers.read import default_jobs, iter_items, iter_units, run
    from paifu.replay.findings import Selection, UnknownCodeError

    try:
        selection = Selection.parse(codes, ())
    except UnknownCodeError as error:
        raise click.UsageError(str(error)) from error
    wanted = _Wanted(frozenset(name.casefold() for name in players), selection, min_cost, mistakes)
    rules = replaying_rules(rules_name, settings)
    units = prepare(iter_units(iter_items(paths)), review=True)
    work = partial(_review_unit, rules, wanted, fmt == "table")
    return _report(run(units, work, jobs=jobs or default_jobs()), wanted, fmt)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Which findings are asked for."""

    players: frozenset[str]
    """Names, case folded; none stands for all."""
    selection: Selection
    min_cost: int
    mistakes: bool


@dataclass(frozen=True, slots=True)
class _Reviewed:
    """What a worker made of one unit."""

    found: list[Judged]
    tally: ReviewTally
    faults: Faults


def _review_unit(
    rules: tuple[Ruleset, ...], wanted: _Wanted, with_hands: bool, unit: list[Item]
) -> _Reviewed:
    """Read and review a unit; the work of one process."""
    from paifu.parsers.read import read_unit
    from paifu.replay.engine import replay
    from paifu.replay.findings import code_of
    from paifu.replay.review_words import review_cases
    from paifu.reports.evidence import evidence
    from paifu.reports.review import ReviewTally, judged

    batch = read_unit(unit)
    facts = replay(batch, *rules, review=True)
    found = []
    for case in review_cases(batch, facts, *rules):
        name = str(batch.games.names[case.game, case.seat])
        if wanted.players and name.casefold() not in wanted.players:
            continue
        if case.cost < wanted.min_cost or not wanted.selection.wants(code_of(case.code)):
            continue
        one = judged(case, islice(evidence(case), 1) if with_hands else ())
        if one.finding.severity == "mistake" or not wanted.mistakes:
            found.append(one)
    return _Reviewed(found, ReviewTally.of(batch, wanted.players, found), batch.faults)


def _report(results: Iterable[_Reviewed], wanted: _Wanted, fmt: str) -> int:
    """Print what was found; return the exit status."""
    import orjson

    from paifu.cli.output import write_rows
    from paifu.cli.talk import progress, tell_faults
    from paifu.reports.review import COLUMNS, ReviewTally, by_player, player_lines, row

    tally, found, faults = ReviewTally(), [], 0
    with progress("reviewing") as advance:
        for result in results:
            tell_faults(result.faults)
            faults += len(result.faults)
            tally += result.tally
            found += result.found
            advance(result.tally.games)
    if fmt == "table":
        for name, own in by_player(found):
            for text in (*player_lines(name, own), ""):
                click.echo(text)
        for text in tally.lines():
            click.echo(text)
    else:
        rows = [row(one) for one in found]
        if fmt in ("csv", "parquet"):
            rows = [one | {"evidence": orjson.dumps(one["evidence"]).decode()} for one in rows]
        write_rows(rows, COLUMNS, fmt, {"schema": SCHEMA, "summary": tally.summary()}, "findings")
    if wanted.players and not tally.player_hands:
        click.echo("none of these players is in the logs", err=True)
    return 1 if faults else 0
