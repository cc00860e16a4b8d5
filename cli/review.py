"""``paifu review``: what players could have done better, given what they could see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from paifu.cli import options
from paifu.cli.command import Command
from paifu.replay.language import _

if TYPE_CHECKING:
    from paifu.api.pipeline import Run
    from paifu.api.review import ReviewedInput
    from paifu.reports.findings.review import Asked

SCHEMA = "paifu.review/1"
_MOST_PLAYERS = 8
"""Players the table shows when none is named."""


@click.command(cls=Command, short_help="List mistakes: pushing, folding, furiten, missed wins, riichi.")
@options.paths
@options.players("Only this player; repeatable.")
@click.option(
    "--code", "codes", multiple=True, metavar="CODES", help="Only codes with these prefixes: F,W101."
)
@click.option(
    "--min-loss",
    type=click.IntRange(0, options.MAX_POINTS),
    default=300,
    show_default=True,
    metavar="POINTS",
    help="Points that a decision must lose by the model to be listed.",
)
@click.option("--mistakes", is_flag=True, help="Leave out notes and unusual moves.")
@click.option(
    "--engine",
    metavar="COMMAND",
    help="Compare with what an mjai engine would do; COMMAND speaks mjai.",
)
@click.option(
    "--verdicts",
    is_flag=True,
    help="Compare with the engine whose reports the logs are, such as mjai-reviewer's.",
)
@options.deep
@options.limit(3, "Mistakes and notes to show per player in the table; 0 for all.")
@options.replays
@options.output_format()
def review(
    paths: tuple[str, ...],
    players: tuple[str, ...],
    codes: tuple[str, ...],
    min_loss: int,
    mistakes: bool,
    engine: str | None,
    verdicts: bool,
    deep: bool,
    limit: int,
    how: options.ReplayOptions,
    fmt: str,
) -> int:
    """List players' mistakes and missed chances: furiten, missed wins, riichi, pushing, folding.

    Choices are judged by what the player could see; what only the log knows is shown separately, as
    hindsight. Findings are grouped by player, the worst first, each with the hand at that moment.

    A model fitted to real games estimates what each option of a decision is worth. A decision is a mistake
    only if it is of a class that cost points when decisions like it were played out: pushes far from tenpai
    against riichi and good hands given up, where strong players rarely do so. So are deal-ins that follow
    from such a push, and wins passed up that would have bettered the final place. Furiten, missed wins and
    deal-ins are listed in any case, most of them as notes, which have no price. Wide tenpai kept silent count
    as a habit. --code P,E,R2,C,K also lists what the
    model estimates beyond that, as notes. 'paifu explain CODE' describes a code and its evidence; 'paifu show
    LOG --review' shows findings in context. The exit status is 1 if something could not be read.

    Unusual moves are a class of their own: strong players make them in fewer than 1% of such positions. That
    says nothing of what they cost. The rarest of each game come with what strong players do instead, and why.

    --deep plays out the decisions that it lists: the option chosen, the one rated highest, and up to two more
    that strong players choose, each on the same shuffles of the rest of the wall. The other hands are such as
    the player could expect, and from there everybody plays as strong players do. Hands given up (P102) and
    games of three are left out. The figures have their errors beside them, and do not decide what is a
    mistake. Results are kept in the cache folder.

    --engine asks an mjai engine at each decision of the players, --verdicts reads the reports of one. Then
    the output is how often the engine, the players and the model agree, and where engine and model differ
    most.

    \b
    Example:
      paifu review sample_logs/games --mistakes
      paifu review logs --player Botan --code E --min-loss 500
      paifu review game.mjlog.gz --player Botan --deep
      paifu review houou.db --format json > review.json
      paifu review sample_logs/platforms/report.json.gz --verdicts
    """
    if engine is not None or verdicts:
        if engine is not None and verdicts:
            raise click.UsageError(
                _("--engine asks an engine and --verdicts reads its reports; give one of them")
            )
        if deep:
            raise click.UsageError(_("--deep does not go with --engine and --verdicts"))
        from paifu.api.engines import inquiry_of
        from paifu.cli.engines import compare

        most = limit if fmt == "table" else None
        inquiry = inquiry_of(engine or "", players, how["jobs"], most=most, is_report=verdicts)
        return compare(paths, inquiry, players, how["rules"], how["only"], fmt)
    from paifu.api.play_outs import PlayOuts
    from paifu.api.review import reviewing
    from paifu.cli.talk import talking
    from paifu.reports.findings.review import Asked

    asked = Asked.of(players, codes, mistakes=mistakes, min_loss=min_loss)
    most = limit if fmt == "table" else None
    with talking(_("reviewing")) as talk:
        play = PlayOuts(watch=talk) if deep else None
        run = reviewing(paths, asked, most=most, watch=talk, deep=play, **how)
        _report(run, asked, players, fmt, limit)
    return 1 if run.faults else 0


def _report(results: Run[ReviewedInput], asked: Asked, named: Sequence[str], fmt: str, limit: int) -> None:
    """Print the findings, if the players ``named`` are in the logs."""
    from paifu.cli.output import write_rows
    from paifu.cli.talk import check_names
    from paifu.reports.findings.review import COLUMNS, ReviewTally, row
    from paifu.reports.terminal.review_lines import PlayerReview, match_lines, mistake_lines, review_lines

    tally, summary = ReviewTally(), dict[str, Any]()
    players: dict[str, PlayerReview] = {}

    def rows() -> Iterator[dict[str, Any]]:
        nonlocal tally
        for result in results:
            tally += result.tally
            for name, own in result.players.items():
                players[name] = players.get(name, PlayerReview()).merged(own, limit)
            for one in result.found:
                yield row(one) if fmt in ("json", "jsonl") else _flat(row(one))
        check_names(named, results.names)
        summary.update(tally.summary())

    if fmt != "table":
        write_rows(rows(), COLUMNS, fmt, {"schema": SCHEMA, "summary": summary}, "findings")
        return
    for _row in rows():
        pass
    most_players = _MOST_PLAYERS if limit and not asked.players else 0
    lines = review_lines(players, most_players=most_players, with_source=tally.games > 1)
    beside = match_lines(tally.matches, most_players)
    said = mistake_lines(tally.mistakes, most_players)
    click.echo("\n".join(chain(lines, tally.lines(), beside, said)))


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row for a table: the evidence as JSON text."""
    import orjson

    return row | {"evidence": orjson.dumps(row["evidence"]).decode()}
