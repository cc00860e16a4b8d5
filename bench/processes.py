"""What a run of the command costs, as a process of its own: wall clock, processor time and peak memory."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import orjson

COMMAND = (sys.executable, "-m", "paifu.cli.__main__")

_MEASURE = """
import json, resource, subprocess, sys, time
start = time.perf_counter()
subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
json.dump([time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss], sys.stdout)
"""
# Stands between, for a process begins with the peak of the one that started it.


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one run, its worker processes included."""

    wall: float
    """Seconds from start to end."""
    cpu: float
    """Seconds of processor time."""
    peak: float
    """MiB of the biggest of its processes."""


def measured(*arguments: str | Path) -> Cost:
    """Run a command. Python may keep what it compiles."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, "-c", _MEASURE, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True,
        env=environment,
    )  # fmt: skip
    wall, cpu, peak = orjson.loads(done.stdout)
    kilobyte = 1024 if sys.platform != "darwin" else 1  # macOS counts bytes
    return Cost(wall, cpu, peak * kilobyte / (1 << 20))
