"""``paifu places``: chances of each place, and what each result of the next hand does to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from paifu.cli import options
from paifu.cli.command import Command
from paifu.cli.option_types import Scores
from paifu.cli.refusal import Refusal
from paifu.replay.language import N_, _

if TYPE_CHECKING:
    from paifu.coach.places.outlook import Outlook

_IN_THOUSANDS = 1000
"""Where all scores are below this, they are thousands."""


class SeatScores(Scores):
    """Points of each seat, in points or in thousands: ``35,29,19,17`` or ``35200,28800,19000,17000``."""

    def points(self, text: str) -> tuple[int, ...]:
        """Read a text."""
        numbers = [float(number) for number in text.split(",")]
        unit = 1000 if max(map(abs, numbers)) < _IN_THOUSANDS else 1
        return tuple(round(unit * number) for number in numbers)

    def problem(self, scores: tuple[int, ...]) -> str:
        """Say what is wrong with points."""
        if any(score % 100 for score in scores):
            return _("points are whole hundreds")
        return super().problem(scores)


@click.command(cls=Command, short_help="Say how likely each place is, and what a hand changes.")
@click.option(
    "--scores",
    type=SeatScores(N_("{value!r} is not a list of points; write 35,29,19,17 (in thousands), seat 0 first")),
    required=True,
    metavar="LIST",
    help="Points of each seat, the dealer of E1 first: 35,29,19,17.",
)
@click.option("--round", "round_", default="E1", show_default=True, metavar="LABEL", help="Hand to come: S4.")
@click.option("--honba", type=click.IntRange(0, options.MAX_COUNT), default=0)
@click.option(
    "--sticks", type=click.IntRange(0, options.MAX_COUNT), default=0, help="Riichi sticks on the table."
)
@click.option("--seat", type=click.IntRange(0, 3), help="List what every win and draw brings this seat.")
@click.option(
    "--utility",
    default="rules",
    show_default=True,
    help="What places are worth: rules (uma and oka), points, tenhou-1dan to tenhou-10dan.",
)
@options.rules(default="tenhou")
@options.output_format()
def places(
    scores: tuple[int, ...],
    round_: str,
    honba: int,
    sticks: int,
    seat: int | None,
    utility: str,
    rules_name: str,
    settings: tuple[str, ...],
    fmt: str,
) -> None:
    """Say how likely each place is, and what each seat needs in the next hand.

    The game is played on many times with ends of real hands, by the exact rules for honba, sticks, dealer
    and the end of the game. --seat lists what each win and each draw brings one seat.

    \b
    Examples:
      paifu places --scores 35,29,19,17 --round S4 --honba 1
      paifu places --scores 35,29,19,17 --round S4 --seat 1 --utility tenhou-7dan
      paifu places --scores 40,30,20,10 --round S2 --rules mleague
    """
    from paifu.api.places import places as places_of
    from paifu.reports.wording import no_seat

    found = places_of(
        scores,
        round_,
        honba=honba,
        sticks=sticks,
        rules=rules_name,
        settings=settings,
        utility=utility,
    )
    if seat is not None and seat >= found.rules.table.players:
        raise Refusal(no_seat(seat, found.rules.table.players))
    _print(found, seat, settings, fmt)


def _print(found: Outlook, seat: int | None, settings: tuple[str, ...], fmt: str) -> None:
    from paifu.cli.output import write_rows
    from paifu.cli.printed_tables import print_table
    from paifu.reports.scores import place_table

    if fmt != "table":
        rows = [row for row in place_table.result_rows(found) if seat is None or row["seat"] == seat]
        document = place_table.document(found, settings)
        write_rows(rows, place_table.RESULT_COLUMNS, fmt, document, "results")
        return
    click.echo(place_table.heading(found))
    print_table(*place_table.seat_table(found))
    if seat is None:
        click.echo(place_table.needs_heading())
        print_table(*place_table.need_table(found))
        return
    click.echo(place_table.results_heading(found, seat))
    print_table(*place_table.result_table(found, seat))
    print_table(*place_table.draw_table(found))
