"""``paifu luck``: what chance brought each player."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from paifu.cli import options
from paifu.cli.command import Command
from paifu.replay.language import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from paifu.reports.luck import LuckByPlayer, PlayerLuck

SCHEMA = "paifu.luck/1"
_PLAYER, _HAND = "player", "hand"


@click.command(cls=Command, short_help="Say how much of the results was luck.")
@options.paths
@options.players("Show this player only; repeatable.")
@click.option(
    "--by",
    type=click.Choice([_PLAYER, _HAND]),
    default=_PLAYER,
    show_default=True,
    help="A row for each of these.",
)
@click.option(
    "--utility",
    default="",
    metavar="NAME",
    help="Give results in this, too: rules (uma and oka), points, tenhou-1dan to tenhou-10dan.",
)
@options.replays
@options.output_format()
def luck(
    paths: tuple[str, ...],
    players: tuple[str, ...],
    by: str,
    utility: str,
    how: options.ReplayOptions,
    fmt: str,
) -> int:
    """Say how much of the results was luck: chance nodes against their mean.

    Chance nodes are the deal with the first indicator, every draw of every player, kan dora and ura. What
    came is compared with the mean of all that might have come. What players chose is not in it. Results are
    means of a game, with 95% intervals; without luck, they are less uncertain.

    \b
    Examples:
      paifu luck logs
      paifu luck logs --player Botan --utility tenhou-7dan
      paifu luck logs --by hand --format csv > luck.csv
    """
    from paifu.api.luck import add_players, measuring, shown_players
    from paifu.cli.output import write_rows
    from paifu.cli.talk import check_names, talking
    from paifu.replay.foreign_text import name_key
    from paifu.reports.luck import HAND_COLUMNS, player_columns, player_rows

    found: LuckByPlayer = {}
    counted = {"games": 0, "left_out": 0}
    with talking("measuring") as talk:
        run = measuring(paths, utility, by_hand=by == _HAND, watch=talk, **how)
        wanted = set(map(name_key, players))

        def hands() -> Iterator[dict[str, Any]]:
            for part in run:
                counted["games"] += part.games
                counted["left_out"] += part.left_out
                add_players(found, part.players)
                yield from (row for row in part.hands if not wanted or name_key(row["player"]) in wanted)

        document: dict[str, Any] = {"schema": SCHEMA, "by": by, "utility": utility or None}
        if by == _HAND:
            write_rows(hands(), HAND_COLUMNS, fmt, document, "hands")
        else:
            for _row in hands():
                pass
    check_names(players, run.names)
    shown = shown_players(found, players)
    if by == _PLAYER:
        if fmt == "table" and shown:
            _print(shown, utility)
        elif fmt != "table":
            rows = player_rows(shown, utility=bool(utility))
            write_rows(rows, player_columns(utility=bool(utility)), fmt, document | counted, "players")
    _tell(counted["games"], counted["left_out"])
    return 1 if run.faults else 0


def _print(shown: LuckByPlayer, utility: str) -> None:
    from paifu.cli.printed_tables import print_table
    from paifu.replay.foreign_text import display_name
    from paifu.reports.luck import MEANS, UTILITY_MEANS
    from paifu.reports.terminal.tables import TerminalColumn

    heads = [_("result"), _("luck"), _("without luck")]
    columns = [TerminalColumn(_("player")), TerminalColumn(_("games"), is_number=True)]
    columns += [TerminalColumn(head, is_number=True) for head in heads]
    if utility:
        columns += [TerminalColumn(f"{head} ({utility})", is_number=True) for head in heads]
    ordered = sorted(shown.items(), key=lambda item: (-item[1].games, item[0]))
    print_table(
        columns,
        (
            [
                display_name(name),
                f"{one.games:,}",
                *(_interval(one, mean, 0) for mean in MEANS),
                *(_interval(one, mean, 1) for mean in (UTILITY_MEANS if utility else ())),
            ]
            for name, one in ordered
        ),
    )


def _interval(one: PlayerLuck, name: str, digits: int) -> str:
    mean, half = one.mean(name)
    if mean is None:
        return ""
    return f"{mean:+,.{digits}f}" + ("" if half is None else f" ± {half:,.{digits}f}")


def _tell(games: int, left_out: int) -> None:
    from paifu.reports.wording import plural

    if games:
        text = _("{games}; points a game; luck: chance nodes against their mean, choices are not in it")
        click.echo(text.format(games=plural(games, "game")), err=True)
    if left_out:
        text = _(
            "{games} left out: luck is measured in whole games of riichi with four players and known tiles"
        )
        click.echo(text.format(games=plural(left_out, "game")), err=True)
