"""How much memory a process has used."""

from __future__ import annotations

import re
import resource
from pathlib import Path

_STATUS = Path("/proc/self/status")


def peak_kib() -> int:
    """Return the most memory that this process has held, in KiB.

    ``ru_maxrss`` begins with that of the process that started this one, a whole test run; Linux says how much
    it was since then.
    """
    if _STATUS.exists() and (found := re.search(r"VmHWM:\s+(\d+) kB", _STATUS.read_text("ascii"))):
        return int(found[1])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
