"""The three standard streams, any of which may be closed or broken."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress


def prepare_streams() -> None:
    """Make sure that no file takes a standard stream's place, and that any text may be written to them.

    A process can be started with streams closed (``paifu stats logs >&-``). Python then has None for them,
    and the next files that are opened get their numbers. Here a closed stdout becomes one that cannot be
    written to, which is reported like a full disk; a closed stderr becomes one that discards its input.
    A closed stdin stays None, which is a fault for a command that reads it.
    """
    for number, flags in ((0, os.O_RDONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        _occupy(number, flags)
    if sys.stdout is None:
        sys.stdout = _writer(1)
    if sys.stderr is None:
        sys.stderr = _writer(2)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a Japanese name must not end a run under an old code page


def give_up_output() -> None:
    """After a failure to write: send what is left in the buffers nowhere, or Python would try once more."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            with suppress(OSError, ValueError):
                null = os.open(os.devnull, os.O_WRONLY)
                os.dup2(null, stream.fileno())
                os.close(null)


def _occupy(number: int, flags: int) -> None:
    """Open the null device under a number, unless something is open there."""
    try:
        os.fstat(number)
    except OSError:
        null = os.open(os.devnull, flags)
        if null != number:
            os.dup2(null, number)
            os.close(null)


def _writer(number: int) -> io.TextIOWrapper:
    raw = io.FileIO(number, "w", closefd=False)
    return io.TextIOWrapper(io.BufferedWriter(raw), "utf-8", "replace", line_buffering=True)
