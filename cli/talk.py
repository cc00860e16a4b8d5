"""What commands print on stderr, next to their data: progress, faults, notices."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from paifu.api.pipeline import Watch
from paifu.replay.findings.finding import Finding
from paifu.replay.foreign_text import escaped
from paifu.replay.language import _


@contextmanager
def progress(title: str) -> Iterator[Callable[[int], None]]:
    """Show a count of games while stderr is a terminal; yields a function that adds to it."""
    if not sys.stderr.isatty():
        yield lambda _games: None
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
        yield lambda games: bar.advance(task, games)


class Talk(Watch):
    """Reports on stderr how a run is going."""

    def __init__(self, advance: Callable[[int], None], *, faults: bool) -> None:
        self._advance = advance
        self._tells_faults = faults

    def advance(self, games: int) -> None:
        """Move the progress bar."""
        self._advance(games)

    def fault(self, finding: Finding) -> None:
        """Print what could not be read, unless it is part of the data."""
        if self._tells_faults:
            tell(finding)

    def notice(self, text: str) -> None:
        """Print a notice."""
        click.echo(text, err=True)


@contextmanager
def talking(title: str, *, faults: bool = True) -> Iterator[Talk]:
    """Yield a watch that reports on stderr: progress, notices, and a line for each unreadable input."""
    with progress(title) as advance:
        yield Talk(advance, faults=faults)


def tell(finding: Finding) -> None:
    """Print one finding as a line."""
    from paifu.reports.findings.output import line

    click.echo(escaped(line(finding)), err=True)
