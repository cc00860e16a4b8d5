"""``paifu score``: what one hand is worth, or what it waits for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from paifu.cli.command import Command
from paifu.cli.options import MAX_COUNT, names, rules
from paifu.cli.refusal import Refusal
from paifu.replay.language import _

F = TypeVar("F", bound=Callable[..., Any])

_WIDTH = 80
WINDS = ("east", "south", "west", "north")


_MAY_CHANGE = ("rules", "fmt")
"""Options that say nothing of a hand: of several the last counts, so that an alias can be overruled."""


_FLAGS = {
    "riichi": "Riichi.",
    "double-riichi": "Riichi in the first turn.",
    "open-riichi": "Riichi with the hand shown.",
    "ippatsu": "Within one turn of riichi.",
    "rinshan": "On a supplement tile (tsumo); in other games, that of a gong.",
    "chankan": "Robbing a kan.",
    "haitei": "On the wall's last tile (tsumo).",
    "houtei": "On the last discard.",
    "tenhou": "The dealer's first draw (tsumo).",
    "chiihou": "Another player's first draw (tsumo).",
    "renhou": "Ron before your first draw.",
    "kanburi": "Ron on the discard after a kan; in other games, after any replacement draw.",
    "tsubame": "Ron on the riichi declaration.",
    "pochi": "On the white pochi, in riichi (tsumo).",
    "fed-kan": "Rinshan on an open kan (--set rinshan_fed); in other games, --liable fed it.",
    "payer-riichi": "The discarder is in riichi, or had no choice.",
    "twofold": "On the replacement of a gong that another replacement made.",
    "gong-on-gong": "Other games: on the replacement of the turn's second gong.",
    "bonus-replacement": "Other games: on the tile drawn for a bonus tile.",
    "dealers-first-discard": "Other games: on East's very first discard.",
    "declare-bonus": "Other games: seven bonus tiles declared as a win.",
}


def _situation_options(command: F) -> F:
    """One flag for each way to win."""
    for name, text in reversed(_FLAGS.items()):
        command = click.option(f"--{name}", is_flag=True, help=text)(command)
    return command


def _game_options(command: F) -> F:
    """What only games other than riichi ask for."""
    for option in reversed(
        (
            click.option(
                "--dealer-wins", type=click.IntRange(0, 99), default=0, help="The dealer's wins in a row."
            ),
            click.option(
                "--discards",
                metavar="LIST",
                default="",
                help="Discards since the winner's own last one: 'south:2z west:1z'.",
            ),
            click.option(
                "--loser", multiple=True, metavar="WIND=HAND", help="A loser's 13 tiles, where losers score."
            ),
            click.option("--card", metavar="FILE", help="American: a card as a TOML file."),
            click.option(
                "--bet", type=click.Choice([*WINDS, "draw"]), help="American: what a fifth player bet on."
            ),
        )
    ):
        command = option(command)
    return command


class _OnceCommand(Command):
    """A command whose options say something of one hand: each says it once, so that none is lost."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the command line; what is given twice must not leave out what came first."""
        given = list(args)
        rest = super().parse_args(ctx, args)
        for param, count in Counter(self.make_parser(ctx).parse_args(given)[2]).items():
            if count > 1 and isinstance(param, click.Option) and _says_once(param):
                option = "/".join((*param.opts, *param.secondary_opts))
                text = _("{option} was given {count} times; give it once")
                raise Refusal(text.format(option=option, count=count))
        return rest


def _says_once(option: click.Option) -> bool:
    """Return whether an option, given twice, would contradict itself."""
    is_plain_flag = option.is_flag and not option.secondary_opts
    return option.expose_value and not (option.multiple or is_plain_flag or option.name in _MAY_CHANGE)


@click.command(cls=_OnceCommand, short_help="Score a hand: yaku, fu, points, payments.")
@click.argument("hand", required=False, default="")
@click.option("-w", "--win", metavar="TILE", help="Winning tile.  [default: the last concealed tile]")
@click.option(
    "--tsumo/--ron", "tsumo", default=None, help="Win by self-draw or on a discard.  [default: ron]"
)
@click.option("--seat-wind", type=click.Choice(WINDS), default="south", show_default=True)
@click.option("--own-wind", type=click.Choice(WINDS), help="Your wind, where winds stay with their seats.")
@click.option("--round-wind", type=click.Choice(WINDS), default="east", show_default=True)
@click.option("--payer", type=click.Choice(WINDS), help="Seat wind of the discarder.")
@click.option("--liable", type=click.Choice(WINDS), help="Seat wind of the liable player (pao).")
@click.option("--wareme", type=click.Choice(WINDS), help="Seat wind of the player at the wall break.")
@_situation_options
@_game_options
@click.option("--nagashi", is_flag=True, help="Nagashi mangan at a draw; HAND may be left out.")
@click.option("--han", type=click.IntRange(1, 99), help="Han in place of HAND, dora included.")
@click.option("--fu", type=click.IntRange(20, 140), help="Fu, with --han.")
@click.option("--yakuman", type=click.IntRange(1, 8), help="Yakuman, in place of --han.")
@click.option("--dora", metavar="TILES", default="", help="Dora indicators, such as 3m7z.")
@click.option("--ura", metavar="TILES", default="", help="Ura dora indicators.")
@click.option(
    "--honba",
    type=click.IntRange(0, MAX_COUNT),
    default=0,
    help="Honba; in other games, times the dealer kept the deal.",
)
@click.option("--sticks", type=click.IntRange(0, MAX_COUNT), default=0, help="Riichi sticks on the table.")
@rules(default="tenhou", name="rules")
@names
@click.option("-f", "--format", "fmt", type=click.Choice(["table", "json"]), default="table")
def score(hand: str, fmt: str, **options: Any) -> None:
    """Score HAND, or show what it waits for if it has 13 tiles.

    Without HAND, --han and --fu are priced.

    Tiles are digits followed by a suit (m, p, s; z for honours; 0 is a red five). Melds are in
    brackets, so quote the hand: (123m) chi, (555z) pon, (1111p) open kan, [1111p] closed
    kan, (4z) a north and (1f) a flower set aside. Other games add (2g) a season set aside,
    and (22z11j) an exposure with jokers.

    \b
    Examples:
      paifu score '234m55p345678s(555z)' --win 3s --dora 4m
      paifu score '22334455667788p' --tsumo --riichi --seat-wind east
      paifu score '1112345678999m'
      paifu score --han 3 --fu 40 --seat-wind east --tsumo --honba 1
      paifu score '(1f)123m456p678s66m78p9p' --rules hk-old-style --tsumo
    """
    from paifu.api.score import answer
    from paifu.cli.output import write_json
    from paifu.reports.scores.report import drawn, score_report

    given = _given(options)
    try:
        found = answer(hand, **given)
    except ValueError as error:
        raise Refusal(str(error)) from error
    report = score_report(found.hand, found.result, found.rules, found.facts, options["settings"])
    if fmt == "json":
        write_json(report, indent=True)
    else:
        _print(drawn(report))


def _given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that somebody gave, here or in the settings: a ruleset refuses those it lacks."""
    context = click.get_current_context()
    return {
        name: value
        for name, value in options.items()
        if context.get_parameter_source(name) in (ParameterSource.COMMANDLINE, ParameterSource.DEFAULT_MAP)
    }


def _print(drawn: Iterable[Any]) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    console.width = min(console.width, _WIDTH)
    for part in drawn:
        console.print(part)
