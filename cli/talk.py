"""What commands say beside their data, on stderr: progress and faults."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from paifu.parsers.errors import InputFault
from paifu.parsers.sources.paths import clean
from paifu.replay.model.batch import Faults


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


def tell_faults(faults: Faults) -> None:
    """Print one line a fault: location, place, code, reason, next step."""
    rows = zip(faults.source, faults.place, faults.code, faults.reason, faults.hint, strict=True)
    for row in rows:
        click.echo(clean(str(InputFault(*row))), err=True)
