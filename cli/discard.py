"""``paifu discard``: what each discard of a hand brings."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from paifu.cli import options, pages
from paifu.cli.command import Command
from paifu.cli.option_types import Scores
from paifu.cli.score import WINDS
from paifu.replay.language import N_, _

if TYPE_CHECKING:
    from paifu.reports.scores.discards import Discards

_LAST_TURN = 18
_OF_HAND = (
    "seat_wind", "round_wind", "dora", "turn", "rivers", "riichi", "honba", "sticks", "scores",
)  # fmt: skip
_OF_LOG = ("seat", "game")


@click.command(cls=Command, short_help="Say what to discard (nani kiru).")
@click.argument("hand", metavar="HAND|LOG")
@click.option(
    "--at",
    metavar="LABEL:TURN|LABEL@EVENT",
    help="A discard of LOG: hand and turn, such as E1.0:7, or hand and event.",
)
@click.option("--seat", type=click.IntRange(0, 3), help="The seat of LOG that discards.")
@click.option("--game", type=click.IntRange(1, options.MAX_ROWS), help="The Nth game of LOG.  [default: 1]")
@click.option("--seat-wind", type=click.Choice(WINDS), default="south", show_default=True)
@click.option("--round-wind", type=click.Choice(WINDS), default="east", show_default=True)
@click.option("--dora", metavar="TILES", default="", help="Dora indicators, such as 3m7z.")
@click.option(
    "--turn",
    type=click.IntRange(1, _LAST_TURN),
    default=6,
    show_default=True,
    help="Your draws so far, including the last tile.",
)
@click.option(
    "--river",
    "rivers",
    multiple=True,
    metavar="WIND=TILES",
    help="Discards of a player, your own for furiten; repeatable: west=9m1z.",
)
@click.option("--riichi", multiple=True, type=click.Choice(WINDS), help="Who else is in riichi; repeatable.")
@click.option("--honba", type=click.IntRange(0, options.MAX_COUNT), default=0)
@click.option(
    "--sticks", type=click.IntRange(0, options.MAX_COUNT), default=0, help="Riichi sticks on the table."
)
@click.option(
    "--scores",
    type=Scores(N_("{value!r} is not a list of points; write 25000,25000,25000,25000, east first")),
    metavar="LIST",
    help="Points of each player, East first: 25000,31000,...",
)
@options.rules("Preset or TOML file.  [default: tenhou, or the ruleset that LOG names]")
@options.output_format()
@pages.page("Make a page with the tiles instead.")
def discard(
    hand: str,
    at: str | None,
    seat: int | None,
    game: int | None,
    rules_name: str | None,
    settings: tuple[str, ...],
    fmt: str,
    as_page: bool,
    target: str | None,
    **given: Any,
) -> None:
    """Say what to discard from HAND, 14 tiles, and what each discard brings.

    The first line is the answer, with its reason: what strong players choose most often in such positions. If
    you state nothing about other players, what the hand brings alone counts, too.

    HAND is written as for 'paifu score': digits and a suit, melds in brackets. With --at, the argument is a
    log, and the hand is that of a seat before its discard; the figures depend only on what it saw.

    'tenpai' and 'win' are the chances of a tenpai and of a win by the end of the hand, 'points' is what to
    expect, with riichi where that pays, if you play on alone. 'players' is how many strong players in a
    hundred choose the discard. 'value' is what 'paifu review' compares decisions by, with its parts: points
    from winning, from dealing in with this tile or later, and from other ends.

    \b
    Examples:
      paifu discard 123456789m34677s --dora 3s --turn 4
      paifu discard '34678m678p22s5z(345p)' --riichi west --river west=9m1z4p
      paifu discard game.mjlog.gz --at E1.0:7 --seat 2 --html -o hand.html
    """
    from paifu.api.discard import discard as discard_hand
    from paifu.api.discard import discard_at
    from paifu.cli.talk import talking

    _check_options(hand, at, seat)
    pages.check_target(target, "hand.html", as_page=as_page)
    with talking(_("solving")) as talk:
        if at is None:
            wanted: dict[str, Any] = {
                **given,
                "rivers": _rivers(given["rivers"]),
                "scores": given["scores"] or (),
            }
            found = discard_hand(hand, rules=rules_name or "tenhou", settings=settings, **wanted)
        else:
            assert seat is not None  # noqa: S101  checked above
            found = discard_at(
                hand, at, seat, game=game or 1, rules=rules_name, settings=settings, watch=talk
            )
    if as_page:
        from paifu.reports.pages.discard import discard_page

        pages.write_page(discard_page(found), target, _("the hand and its discards"))
    else:
        _print(found, settings, fmt)


def _check_options(hand: str, at: str | None, seat: int | None) -> None:
    context = click.get_current_context()
    named = [
        option
        for option in context.command.params
        if option.name and context.get_parameter_source(option.name) == ParameterSource.COMMANDLINE
    ]
    for option in named:
        if at is None and option.name in _OF_LOG:
            text = _("{option} is for a log: say where with --at, such as --at E1.0:7")
            raise click.UsageError(text.format(option=option.opts[0]))
        if at is not None and option.name in _OF_HAND:
            text = _("{option} describes a HAND; a log says it all: leave it out")
            raise click.UsageError(text.format(option=option.opts[0]))
    if at is None and os.path.lexists(hand):
        text = _("{file} is a file: name a discard in it with --at and --seat: --at E1.0:7 --seat 0")
        raise click.UsageError(text.format(file=click.format_filename(hand)))
    if at is not None and seat is None:
        raise click.UsageError(_("whose discard? Add --seat 0 to --seat 3"))


def _rivers(texts: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in texts:
        wind, equals, tiles = text.partition("=")
        if wind not in WINDS or not equals:
            problem = _("{text!r}: write a wind and its discards, such as west=9m1z")
            raise click.BadParameter(problem.format(text=text), param_hint="--river")
        found[wind] = found.get(wind, "") + tiles
    return found


def _print(found: Discards, settings: tuple[str, ...], fmt: str) -> None:
    from paifu.cli.output import write_rows
    from paifu.cli.printed_tables import print_table
    from paifu.reports.scores import discards

    if fmt != "table":
        write_rows(
            discards.rows(found), discards.COLUMNS, fmt, discards.document(found, settings), "discards"
        )
        return
    click.echo("\n".join((found.reason, "", *discards.heading(found))))
    print_table(*discards.table(found))
    click.echo("\n".join(discards.footing(found)))
