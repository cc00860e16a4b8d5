"""What commands say beside their data, on stderr: progress, faults, notices."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from paifu.api.pipeline import Watch
from paifu.parsers.sources.paths import clean
from paifu.replay.findings.finding import Finding


@contextmanager
def progress(title: str) -> Iterator[Callable[[int], None]]:
    """Show how many games are done while stderr is a terminal; yields what to call with each number more."""
    if not sys.stderr.isatty():
        yield lambda _games: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description} {task.completed:,.0f} games"),
        TimeElapsedColumn(),
    )
    # Data must not take the way of talk, as rich would have it, unless both end on the same terminal.
    with Progress(
        *columns, console=Console(stderr=True), transient=True, redirect_stdout=sys.stdout.isatty()
    ) as bar:
        task = bar.add_task(title, total=None)
        yield lambda games: bar.advance(task, games)


class Talk(Watch):
    """Tells on stderr how a run is going."""

    def __init__(self, advance: Callable[[int], None], *, faults: bool) -> None:
        self._advance = advance
        self._tells_faults = faults

    def advance(self, games: int) -> None:
        """Move the progress bar."""
        self._advance(games)

    def fault(self, finding: Finding) -> None:
        """Print what could not be read, unless it is among the data."""
        if self._tells_faults:
            tell(finding)

    def notice(self, text: str) -> None:
        """Print a notice."""
        click.echo(text, err=True)


@contextmanager
def talking(title: str, *, faults: bool = True) -> Iterator[Talk]:
    """Yield who tells on stderr how a run is going: progress, notices and, as lines, what cannot be read."""
    with progress(title) as advance:
        yield Talk(advance, faults=faults)


def tell(finding: Finding) -> None:
    """Print one finding as a line."""
    from paifu.reports.findings.output import line

    click.echo(clean(line(finding)), err=True)
