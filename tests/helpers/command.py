"""The command line, called within the test's process or as a process of its own."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paifu.cli.__main__ import main

MODULE = [sys.executable, "-m", "paifu.cli.__main__"]


@dataclass(frozen=True)
class Result:
    """What a command left: exit status, standard output as bytes, and lines on standard error."""

    status: int
    data: bytes
    talk: list[str]

    @property
    def text(self) -> str:
        """Standard output as text."""
        return self.data.decode()


def call(*arguments: str | Path) -> Result:
    """Call the command in this process.

    Unlike one of its own it may hold compiled kernels, and must then compile what it lacks even for a small
    input; it is not asked to be silent of that.
    """
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        status = main(list(map(str, arguments)))
    data, talk = (stream.buffer.getvalue() for stream in (out, err))  # type: ignore[attr-defined]
    lines = talk.decode().splitlines()
    return Result(status, data, lines)


def run(*arguments: str | Path, stdin: bytes = b"", **options: Any) -> Result:
    """Call the command as a process of its own, which may not take more than a minute."""
    done = subprocess.run(
        [*MODULE, *map(str, arguments)], input=stdin, capture_output=True, timeout=60, **options
    )
    return Result(done.returncode, done.stdout, done.stderr.decode().splitlines())


@contextmanager
def _open_to_nobody(path: Path) -> Iterator[None]:
    """Let every user look into the folders above ``path``, which pytest closes to all but its own."""
    changed = [
        (folder, folder.stat().st_mode)
        for folder in path.parents
        if folder.stat().st_uid == os.getuid() and not folder.stat().st_mode & 0o001
    ]
    for folder, mode in changed:
        folder.chmod(mode | 0o055)
    try:
        yield
    finally:
        for folder, mode in changed:
            folder.chmod(mode)


@contextmanager
def as_nobody(path: Path) -> Iterator[None]:
    """For root: go without its permissions for a while; ``path`` and what is in it stay within reach.

    Modules that are not loaded by then may be out of reach.
    """
    with _open_to_nobody(path / "any"):
        os.setegid(65534)
        os.seteuid(65534)
        try:
            yield
        finally:
            os.seteuid(0)
            os.setegid(0)
