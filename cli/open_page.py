"""``paifu open``: a log in the browser, to step through."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
import time
import webbrowser
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from paifu.cli.command import Command
from paifu.cli.show import show
from paifu.replay.language import _

_OF_TEXT = {"luck": False, "at": None, "fmt": "text", "as_page": True}
"""Options of ``paifu show`` that a page leaves no choice in."""
_PREFIX = "paifu-open-"
_A_DAY = 24 * 3600


@click.command(
    cls=Command,
    name="open",
    short_help="Step through a log in the browser.",
    params=[one for one in show.params if one.name not in (*_OF_TEXT, "target", "lang")],
)
def open_page(**settings: Any) -> int:
    """Make a page of LOG, as 'paifu show --html' does, and open it in the browser.

    LOG may be the address of a viewer, whose log is in --library, or '-' for standard input. The page is a
    temporary file that needs nothing else; a later 'paifu open' removes it after a day. The environment
    variable BROWSER names the browser to use.

    \b
    Example:
      paifu open game.mjlog.gz --hand E1.0
      zcat game.mjlog.gz | paifu open - --review
    """
    _remove_old_pages()
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
    page = folder / "game.html"
    assert show.callback is not None  # noqa: S101  it has a function
    try:
        status: int = show.callback(**settings, **_OF_TEXT, target=str(page))
    finally:
        with suppress(OSError):  # the page is in it
            folder.rmdir()
    if page.exists() and not webbrowser.open(page.as_uri()):
        text = _("no browser can be started; open {page} yourself, or name a browser in BROWSER")
        raise click.ClickException(text.format(page=page))
    return status


def _remove_old_pages() -> None:
    """Remove the user's own pages of earlier days: a browser has long read them."""
    owner = os.getuid() if hasattr(os, "getuid") else 0  # Windows has a temporary folder for each user
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError):
            found = folder.lstat()
            is_own = stat.S_ISDIR(found.st_mode) and found.st_uid == owner
            if is_own and abs(time.time() - found.st_mtime) > _A_DAY:  # the clock may have been ahead
                shutil.rmtree(folder, ignore_errors=True)
