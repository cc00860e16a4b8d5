"""What a run of the command costs, as a process of its own: wall clock, processor time and peak memory."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import orjson

COMMAND = (sys.executable, "-m", "paifu.cli.__main__")

_MEASURE = """
import json, resource, subprocess, sys, time
start = time.perf_counter()
status = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
json.dump([status, time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss], sys.stdout)
"""
# Stands between, for a process begins with the peak of the one that started it.


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one run, its worker processes included."""

    status: int
    wall: float
    """Seconds from start to end."""
    cpu: float
    """Seconds of processor time."""
    peak: float
    """MiB of the biggest of its processes."""
    talk: str
    """What it printed on standard error."""


def measured(*arguments: str | Path, stdin: Iterable[bytes] = ()) -> Cost:
    """Run a command, and give it some chunks of input. Python may keep what it compiles."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryFile() as talk:
        command = [sys.executable, "-c", _MEASURE, *map(str, arguments)]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=talk, env=environment
        )
        assert process.stdin is not None and process.stdout is not None  # noqa: S101, PT018  they are piped
        with process.stdin as into:
            into.writelines(stdin)
        status, wall, cpu, peak = orjson.loads(process.stdout.read())
        process.wait()
        talk.seek(0)
        text = talk.read().decode("utf-8", "replace")
    kilobyte = 1024 if sys.platform != "darwin" else 1  # macOS counts bytes
    return Cost(status, wall, cpu, peak * kilobyte / (1 << 20), text)
