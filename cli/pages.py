"""A page as the output of a command, in place of its text: ``--html``, and its file with ``-o``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

from paifu.cli.option_types import NewFile
from paifu.replay.language import _

F = TypeVar("F", bound=Callable[..., Any])


def page(what: str) -> Callable[[F], F]:
    """Add the options ``as_page``, of which ``what`` is the help, and ``target``, its file."""

    def decorate(function: F) -> F:
        target = click.option(
            "-o",
            "--output",
            "target",
            type=NewFile(),
            metavar="FILE",
            help="With --html: file to write, - for standard output.",
        )
        return click.option("--html", "as_page", is_flag=True, help=what)(target(function))

    return decorate


def check_target(target: str | None, example: str, *, as_page: bool) -> None:
    """Raise click.UsageError for a file without a page, and for a page that would end on a terminal."""
    if target is not None and not as_page:
        raise click.UsageError(_("-o is for pages: add --html, or redirect the text with > or |"))
    if as_page and target is None and sys.stdout.isatty():
        text = _("a page cannot be printed on a terminal; name a file: -o {example}")
        raise click.UsageError(text.format(example=example))


def write_page(text: str, target: str | None, what: str) -> None:
    """Write a page, to standard output for None and ``-``; ``what`` says what a file holds."""
    from paifu.parsers.output_files import write_file

    if target in (None, "-"):
        click.echo(text, nl=False)
        return
    write_file(str(target), text.encode("utf-8", "replace"))
    click.echo(f"{target}: {what}", err=True)
