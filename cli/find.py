"""``paifu find``: players' hands by what happened in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from paifu.cli import options, pages
from paifu.cli.command import Command
from paifu.cli.refusal import Refusal
from paifu.replay.language import N_, _

if TYPE_CHECKING:
    from paifu.api.find import FoundHands, Hit
    from paifu.api.only import Only

SCHEMA = "paifu.find/1"
_SHOWN = {
    "place": N_("hand"), "player": N_("player"), "result": N_("result"), "change": N_("change"),
    "points": N_("points"), "source": N_("source"),
}  # fmt: skip
"""Columns of the table, and their heads."""
_MOST_HANDS = 20
"""On one page: a browser has to read it all."""


@click.command(cls=Command, short_help="Find hands by what happened in them.")
@options.paths
@click.option(
    "--where", required=True, metavar="CONDITION", help="What to find, in SQL over the columns of a hand."
)
@options.limit(10, "Hands to list in the table; 0 for all.")
@pages.page("Make a page to step through the hands instead.")
@options.games
@options.jobs
@options.output_format()
def find(
    paths: tuple[str, ...],
    where: str,
    limit: int,
    as_page: bool,
    target: str | None,
    only: Only,
    jobs: int | None,
    fmt: str,
) -> int:
    """Find players' hands by what happened in them: how many there are, what came of them, and where.

    CONDITION is in SQL over all columns of the table player_hands, those of the win, if it was won, and those
    of hand and game; the data dictionary describes them. Logs are imported into a temporary dataset first,
    so use a dataset if you ask often.

    \b
    Example:
      paifu find logs --where "riichi_turn <= 8 AND wait = 'kanchan' AND NOT won"
      paifu find logs --where "'sanshoku doujun' IN yaku AND points >= 7700"
      paifu find sample_logs/games --where "points >= 12000" --html -o wins.html
    """
    from paifu.api.find import finding
    from paifu.cli.talk import talking

    pages.check_target(target, "hands.html", as_page=as_page)
    with (
        talking(_("reading")) as talk,
        finding(paths, where, only=only, jobs=jobs, watch=talk) as found,
    ):
        if as_page:
            hits = list(found.games(_MOST_HANDS))
            if not hits:
                raise Refusal(_("there is no such hand"))
            _write_page(hits, target)
        else:
            _write_rows(found, fmt, limit)
        if fmt == "table":
            _sum_up(found)
    return int(found.faults > 0)


def _write_rows(found: FoundHands, fmt: str, limit: int) -> None:
    from paifu.cli.output import write_rows
    from paifu.cli.plain_values import cell, short_cell
    from paifu.cli.sql import rows_of

    result = found.rows(limit or None if fmt == "table" else None)
    rows = rows_of(result)
    if fmt != "table":
        share, low, high = found.share
        summary = {
            "hits": found.hits, "hands": found.hands, "share": share, "low": low, "high": high,
            "change": found.change, "results": found.results(),
        }  # fmt: skip
        if fmt == "csv":
            rows = ({name: cell(value) for name, value in row.items()} for row in rows)
        write_rows(
            rows, result.schema.names, fmt, {"schema": SCHEMA, "where": found.where, "summary": summary}
        )
    elif shown := [{name: short_cell(row[name]) for name in _SHOWN} for row in rows]:
        write_rows(shown, list(_SHOWN), fmt, {}, heads=_SHOWN, words=("result",))


def _sum_up(found: FoundHands) -> None:
    """Say how many hands were found, and what came of them."""
    share, low, high = found.share
    text = _("{hits:,} of {hands:,} hands of players: {share:.2%}, 95% interval {low:.2%} to {high:.2%}")
    click.echo(text.format(hits=found.hits, hands=found.hands, share=share, low=low, high=high))
    if found.hits:
        ends = ", ".join(
            f"{_(result)} {number / found.hits:.0%}" for result, number in found.results().items()
        )
        text = _("they ended with: {ends}; {change:+,.0f} points on average")
        click.echo(text.format(ends=ends, change=found.change))


def _write_page(hits: list[Hit], target: str | None) -> None:
    from paifu.reports.pages.stepper import game_data, show_page
    from paifu.reports.wording import plural

    page = show_page([game_data(hit.game, hands={hit.hand}) for hit in hits])
    pages.write_page(page, target, plural(len(hits), "hand"))
