"""What the build of the kernels says while it works: that it has begun, how far it is, how long it took.

pip shows nothing of what a build writes, unless it is asked for that (``pip install -v``). The terminal shows
it: a build that has one writes there. Otherwise the lines go to stderr, where logs have them.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TextIO

TERMINAL = Path("/dev/tty")
_ANEW = "\r\033[K"
"""Goes to the begin of the terminal's line, and empties it."""
_EVERY = 10
"""Seconds between two lines of a log."""


class BuildError(Exception):
    """The library cannot be made, and why, in two lines."""


@contextmanager
def place_to_tell() -> Iterator[tuple[TextIO, bool]]:
    """Open the terminal, if this process is in the foreground of one: True; else it is stderr, and False."""
    terminal = _terminal()
    with terminal or nullcontext(sys.stderr) as place:
        yield place, terminal is not None


def _terminal() -> TextIO | None:
    try:
        place = os.fdopen(os.open(TERMINAL, os.O_WRONLY), "w", encoding="utf-8")
    except OSError:
        return None
    if os.tcgetpgrp(place.fileno()) == os.getpgrp():
        return place
    place.close()
    return None


class BuildProgress:
    """Lines for a log, or one line of a terminal that changes."""

    def __init__(self, place: TextIO, is_terminal: bool) -> None:
        self._place, self._is_terminal = place, is_terminal
        self._begun = self._told = time.monotonic()

    def begin(self, what: str) -> None:
        """Say what is done now, on a line of its own: pip may have begun one."""
        above = "\n" if self._is_terminal else ""
        self._write(f"{above}paifu: {what}\n")

    def show(self, share: float) -> None:
        """Say how much is done, of 1."""
        now = time.monotonic()
        seconds = now - self._begun
        if self._is_terminal:
            # pip's spinner replaces the last character.
            self._write(f"{_ANEW}paifu: {share:4.0%} after {seconds:.0f} s  ")
        elif now - self._told >= _EVERY:
            self._told = now
            self._write(f"paifu: {share:4.0%} after {seconds:.0f} s\n")

    def end(self, what: str) -> None:
        """Say what is done, and how long it took."""
        anew = _ANEW if self._is_terminal else ""
        self._write(f"{anew}paifu: {what} in {time.monotonic() - self._begun:.0f} s\n")

    def _write(self, text: str) -> None:
        self._place.write(text)
        self._place.flush()
