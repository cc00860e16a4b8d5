"""What earlier versions of paifu left in the cache folder: kernels that they compiled at run time."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

import click
import platformdirs

from paifu.replay.language import _

_PATTERN = "kernels-" + 16 * "[0-9a-f]"


def remove_old_kernels() -> None:
    """Remove them, once, and say so. Links are left alone."""
    base = os.environ.get("PAIFU_CACHE_DIR") or platformdirs.user_cache_dir("paifu", appauthor=False)
    with suppress(OSError):  # a folder of others
        for folder in Path(base).glob(_PATTERN):
            if folder.is_dir() and not folder.is_symlink():
                shutil.rmtree(folder, ignore_errors=True)
                if not folder.exists():
                    text = _("removed compiled kernels of an earlier version: {folder}")
                    click.echo(text.format(folder=folder), err=True)
