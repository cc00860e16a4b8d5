"""``paifu open``: a log in the browser, to step through."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import click

from paifu.cli.command import Command
from paifu.cli.show import show
from paifu.replay.language import _

_OF_TEXT = {"tiles": "mpsz", "color": "auto", "luck": False, "as_page": True}
"""Options of ``paifu show`` that a page leaves no choice in."""


@click.command(
    cls=Command,
    name="open",
    short_help="Step through a log in the browser.",
    params=[one for one in show.params if one.name not in (*_OF_TEXT, "target", "lang")],
)
def open_page(**settings: Any) -> int:
    """Make a page of LOG, as 'paifu show --html' does, and open it in the browser.

    LOG may be the address of a viewer, whose log is in --library, or '-' for standard input. The page is a
    temporary file that needs nothing else. The environment variable BROWSER names the browser to use.

    \b
    Example:
      paifu open game.mjlog.gz --hand E1.0
      zcat game.mjlog.gz | paifu open - --review
    """
    page = Path(mkdtemp(prefix="paifu-")) / "game.html"
    assert show.callback is not None  # noqa: S101  it has a function
    status: int = show.callback(**settings, **_OF_TEXT, target=str(page))
    if page.exists() and not webbrowser.open(page.as_uri()):
        text = _("no browser can be started; open {page} yourself, or name a browser in BROWSER")
        raise click.ClickException(text.format(page=page))
    return status
