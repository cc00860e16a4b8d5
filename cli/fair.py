"""``paifu fair``: tests of the shuffle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from paifu.cli import options
from paifu.cli.command import Command
from paifu.cli.refusal import Refusal
from paifu.replay.language import _

if TYPE_CHECKING:
    from paifu.api.fair import Fairness
    from paifu.reports.fairness.sums import ShuffleResult

SCHEMA = "paifu.fair/1"


@click.command(cls=Command, short_help="Test whether the shuffle is fair.")
@options.paths
@options.players("Test this player's hands, draws and seats only; repeat for other names of the same player.")
@click.option(
    "--test",
    "tests",
    multiple=True,
    metavar="NAME,...",
    help="Run only these tests. Choose them before you look at the data; repeatable.",
)
@click.option(
    "--repeat",
    multiple=True,
    metavar="PATH",
    help="Other games, in which an odd result of riichi-draws must come again; repeatable.",
)
@options.replays
@options.output_format()
def fair(
    paths: tuple[str, ...],
    players: tuple[str, ...],
    tests: tuple[str, ...],
    repeat: tuple[str, ...],
    how: options.ReplayOptions,
    fmt: str,
) -> int:
    """Test whether deals, draws, dora, ura, seats and walls are those of a fair shuffle.

    Each test compares counts with what a fair shuffle makes of them, computed exactly. 'p' is the chance of a
    result at least as odd from a fair shuffle, and 'corrected' the same corrected for the number of tests
    (Holm). 'smallest bias' is the least bias that the test would have found with a chance of 80%. A log that
    states its walls, or the seed of them, is tested down to the dead wall; of others, what hands and draws
    show. Copies of a hand count once.

    'riichi-draws' has a verdict of its own: draws of a known wall are the wall's, and others are found to be
    biased only if z is beyond 5 and the games of --repeat agree.

    Exits with 1 if a test finds a bias.

    \b
    Example:
      paifu fair logs
      paifu fair logs --player Botan
      paifu fair logs --test draws,ura-hits --format csv > draws.csv
    """
    from paifu.api.fair import judging
    from paifu.cli.output import column_heads, write_rows
    from paifu.cli.talk import check_names, talking
    from paifu.replay.foreign_text import display_name
    from paifu.reports.fairness.nulls import ALPHA

    with talking(_("testing")) as talk:
        found = judging(paths, players, tests=tests, repeat=repeat, watch=talk, **how)
    check_names(players, found.names)
    if players and found.games and not found.hands:
        text = _("no hand of {name!r} with known tiles is in these logs")
        raise Refusal(text.format(name=display_name(players[0])))
    rows = [_shown(result) if fmt == "table" else result.row() for result in found.results]
    columns = list(rows[0]) if rows else ["test"]
    summary = {
        name: getattr(found, name)
        for name in ("games", "hands", "walls", "copies", "contradicted", "left_out")
    }
    document = {"schema": SCHEMA, "alpha": ALPHA, "summary": summary}
    write_rows(rows, columns, fmt, document, heads=column_heads())
    _tell(found, ALPHA)
    return 1 if found.found or found.faults else 0


def _shown(result: ShuffleResult) -> dict[str, Any]:
    """Return a row of the table for people."""
    return {
        "players": "" if result.players is None else result.players,
        "test": result.test,
        "n": result.n,
        "p": _chance(result.p),
        "corrected": _chance(result.adjusted),
        "": _("BIAS") if result.found else "",
        "smallest bias": "" if result.smallest is None else f"{100 * result.smallest:.3g} %",
        "of the chance that": result.note or _(result.bias),
    }


def _chance(chance: float | None) -> str:
    return "" if chance is None else f"{chance:.3f}" if chance >= 0.001 else f"{chance:.1e}"


def _tell(found: Fairness, alpha: float) -> None:
    """Print what was tested, and the verdict, which keeps to ``alpha``."""
    from paifu.reports.wording import plural

    texts = [
        _("{games}, {hands}, {walls}").format(
            games=plural(found.games, "game"),
            hands=plural(found.hands, "hand"),
            walls=plural(found.walls, "whole wall"),
        )
    ]
    if found.copies:
        texts.append(_("{hands} skipped: copies of others").format(hands=plural(found.copies, "hand")))
    if found.left_out:
        texts.append(
            _("{hands} skipped: hidden or impossible tiles").format(hands=plural(found.left_out, "hand"))
        )
    if found.contradicted:
        text = _("{walls} not used: another deal than the hand's; 'paifu verify' shows where")
        texts.append(text.format(walls=plural(found.contradicted, "wall")))
    tests = sum(result.p is not None for result in found.results)
    if found.found:
        names = ", ".join(dict.fromkeys(result.test for result in found.found))
        text = _("bias found by {count} of {tests}: {names}")
        texts.append(text.format(count=len(found.found), tests=plural(tests, "test"), names=names))
    elif tests:
        text = _("no bias found by {tests} (chance of a false alarm: {alpha:g})")
        texts.append(text.format(tests=plural(tests, "test"), alpha=alpha))
    else:
        texts.append(_("nothing tested: too few hands with known tiles"))
    for text in texts:
        click.echo(text, err=True)
