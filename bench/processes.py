"""What a run of the command costs, as a process of its own: wall clock, processor time and peak memory."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import orjson

COMMAND = (sys.executable, "-m", "paifu.cli.__main__")

_MEASURE = """
import json, resource, subprocess, sys, time
start = time.perf_counter()
status = subprocess.call(sys.argv[1:], stdout=sys.stderr)
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
    """What it printed."""


def measured(*arguments: str | Path, **environment: str | Path) -> Cost:
    """Run a command with additions to the environment. Python may keep what it compiles."""
    done = subprocess.run(
        [sys.executable, "-c", _MEASURE, *map(str, arguments)],
        capture_output=True,
        check=True,
        env=_environment(environment),
    )
    status, wall, cpu, peak = orjson.loads(done.stdout)
    kilobyte = 1024 if sys.platform != "darwin" else 1  # macOS counts bytes
    return Cost(status, wall, cpu, peak * kilobyte / (1 << 20), done.stderr.decode())


def _environment(additions: Mapping[str, str | Path]) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, **{name: str(value) for name, value in additions.items()}}
