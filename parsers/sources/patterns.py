"""Patterns of paths, expanded without going round in circles.

Like :func:`glob.glob`, with two differences: ``**`` enters each real folder once, however many links lead
to it (a link to a folder around it would have no end), and never a dataset; and paths in a folder that
matches, too, are left out, because a folder includes everything in it.
"""
# ruff: noqa: PTH112, PTH116, PTH118, PTH120, PTH206, PTH207 - names stay as spelt, and may be many

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterator
from contextlib import suppress

_ANY_DEPTH = "**"


def matches(pattern: str, is_closed: Callable[[str], bool]) -> list[str]:
    """Return the paths that match, sorted; ``is_closed`` says of a folder that ``**`` must not enter it."""
    found = sorted(set(_expanded(pattern, is_closed)))
    folders = {path.rstrip(os.sep) for path in found if os.path.isdir(path)}
    return [path for path in found if not _lies_in(path, folders)]


def _expanded(pattern: str, is_closed: Callable[[str], bool]) -> Iterator[str]:
    parts = pattern.replace("/", os.sep).split(os.sep)
    if _ANY_DEPTH not in parts:
        yield from glob.glob(pattern)
        return
    at = parts.index(_ANY_DEPTH)
    head, tail = os.sep.join([*parts[:at], ""]), os.sep.join(parts[at + 1 :])
    for top in glob.glob(head) if head else [""]:
        if not tail:
            yield top or os.curdir
            continue
        for folder in _folders(top, is_closed):
            yield from _expanded(glob.escape(folder) + tail, is_closed)


def _folders(top: str, is_closed: Callable[[str], bool]) -> Iterator[str]:
    """Yield a folder and those below it, with a separator at their ends; hidden ones are passed over."""
    seen: set[tuple[int, int]] = set()
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        with suppress(OSError):  # what cannot be looked into matches nothing
            status = os.stat(folder or os.curdir)
            key = status.st_dev, status.st_ino
            if key in seen or is_closed(folder or os.curdir):
                continue
            seen.add(key)
            with os.scandir(folder or os.curdir) as entries:
                names = sorted(e.name for e in entries if not e.name.startswith(".") and e.is_dir())
            yield folder
            waiting += [os.path.join(folder, name, "") for name in reversed(names)]


def _lies_in(path: str, folders: set[str]) -> bool:
    above = os.path.dirname(path.rstrip(os.sep))
    while above and above not in folders:
        shorter = os.path.dirname(above)
        above = "" if shorter == above else shorter
    return bool(above)
