"""What commands print on stderr, next to their data: progress, faults, notices."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

import click

from paifu.api.only import EVERY_GAME, LeftOut, Only
from paifu.api.pipeline import Watch
from paifu.replay.comparison.copies import Copies
from paifu.replay.findings.finding import Finding
from paifu.replay.foreign_text import escaped
from paifu.replay.language import _


class Advance(Protocol):
    """Moves a progress bar."""

    def __call__(self, games: int, words: str = "") -> None:
        """Count more games; until it is called again, show ``words`` in place of the title."""


ONLY, TALK = "paifu.only", "paifu.talk"
"""What a command's context keeps: the choice of games, and what was said of them."""


def _nothing(games: int, words: str = "") -> None:
    """Show no progress."""


@contextmanager
def progress(title: str) -> Iterator[Advance]:
    """Show a count of games while stderr is a terminal; yields a function that adds to it.

    It may also be given words for what is done until it is called again.
    """
    if not sys.stderr.isatty():
        yield _nothing
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (
        SpinnerColumn(),
        TextColumn(_("{task.description} {task.completed:,.0f} games")),
        TimeElapsedColumn(),
    )
    # rich would redirect stdout to stderr as well; data may go there only if both end on one terminal.
    with Progress(
        *columns, console=Console(stderr=True), transient=True, redirect_stdout=sys.stdout.isatty()
    ) as bar:
        task = bar.add_task(title, total=None)

        def advance(games: int, words: str = "") -> None:
            bar.update(task, advance=games, description=words or title)

        yield advance


class Talk(Watch):
    """Reports on stderr how a run is going."""

    def __init__(self, advance: Advance, *, faults: bool, only: Only = EVERY_GAME) -> None:
        self._advance = advance
        self._tells_faults = faults
        self._only = only
        self._left_out = LeftOut()
        self._copies = Copies()

    def advance(self, games: int) -> None:
        """Move the progress bar."""
        self._advance(games)

    def fault(self, finding: Finding) -> None:
        """Print what could not be read, unless it is part of the data."""
        if self._tells_faults:
            tell(finding)

    def left_out(self, games: LeftOut) -> None:
        """Count games that were not asked for."""
        self._left_out += games

    def counted_once(self, copies: Copies) -> None:
        """Keep what was there twice."""
        self._copies = copies

    @property
    def document(self) -> dict[str, object]:
        """What JSON says of the games that count; nothing if all do."""
        copies = {"copies": self._copies.document()} if self._copies.found else {}
        return self._only.document(self._left_out) | copies

    def tell_copies(self) -> None:
        """Print which games are there twice now, and not at the end."""
        for text in self._copies.lines():
            click.echo(text, err=True)
        self._copies = Copies()

    def lines(self) -> list[str]:
        """Say which games were left out, and why."""
        return [*self._left_out.lines(self._only), *self._copies.lines()]

    def playing_out(self, number: int, most: int) -> None:
        """Say on the progress bar which decision is played out."""
        text = _("playing out decision {number:,} of {most:,},")
        self._advance(0, text.format(number=number, most=most))

    def notice(self, text: str) -> None:
        """Print a notice."""
        click.echo(text, err=True)


@contextmanager
def talking(title: str, *, faults: bool = True) -> Iterator[Talk]:
    """Yield a watch that reports on stderr: progress, notices, and a line for each unreadable input.

    At the end it says how many games were left out because the command's options do not ask for them.
    """
    meta = click.get_current_context().meta
    talk = None
    try:
        with progress(title) as advance:
            talk = meta[TALK] = Talk(advance, faults=faults, only=meta.get(ONLY, EVERY_GAME))
            yield talk
    finally:
        for text in talk.lines() if talk is not None else ():
            click.echo(text, err=True)


def check_names(players: Iterable[str], names: Collection[str]) -> None:
    """Refuse a player whom no log names, and say whose names are spelt alike.

    Raises :class:`~paifu.reports.wording.NobodyError`, with the names that are like it.
    """
    from paifu.reports.wording import check_players, spelt_alike

    asked = list(filter(None, players))
    check_players(asked, names)
    for text in spelt_alike(asked, names):
        click.echo(text, err=True)


def with_choice(document: dict[str, Any]) -> dict[str, Any]:
    """Add to a JSON document which games of the input it is about, if not about all of them."""
    talk = click.get_current_context().meta.get(TALK)
    return document | talk.document if talk else document


def tell(finding: Finding) -> None:
    """Print one finding as a line."""
    from paifu.reports.findings.output import line

    click.echo(escaped(line(finding)), err=True)
