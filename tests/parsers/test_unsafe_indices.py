"""Logs that once led a compiled kernel out of an array, played by the interpreter, which notices.

Compiled kernels check no index. These are the logs, found by fuzzing or by reading, whose numbers a parser
rightly lets pass and a kernel must not trust.
"""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from builders import HEAD, mjlog
from fuzzing import read_log, sample_games

from paifu.parsers.mjlog.writer import MjlogGameWriter
from paifu.parsers.sources.detect import Format
from paifu.replay.model.events import EventKind

pytestmark = pytest.mark.full

HELPERS = str(Path(__file__).parents[1] / "helpers")
INTERPRETED = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from fuzzing import FORMATS, read_log, survive
for path in sys.argv[2:]:
    survive(read_log(Path(path).read_bytes(), FORMATS["mjlog"]))
"""


def survive_interpreted(folder: Path, logs: list[bytes]) -> None:
    """Do everything with these logs in a process where every index is checked."""
    for number, log in enumerate(logs):
        (folder / f"{number}.mjlog").write_bytes(log)
    paths = sorted(map(str, folder.iterdir()))
    arguments = [
        sys.executable,
        "-W",
        "error",
        "-c",
        INTERPRETED,
        HELPERS,
        *paths,
    ]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr[-3000:]


def test_meld_codes_of_tiles_that_are_not_in_the_set(tmp_path: Path) -> None:
    logs = chain.from_iterable(map(MjlogGameWriter.games, sample_games()))
    text = next(log for log in logs if re.search(rb'<AGARI[^>]* m="', log))
    shown = next(re.finditer(rb'<AGARI[^>]* m="([^"]*)"', text))
    codes = (1048575, 65535, 4000 << 8 | 0x20, 65531, 1023 << 10 | 4, 511 << 9 | 8, 1047556, 136 << 8)
    logs = [text[: shown.start(1)] + b"%d" % code + text[shown.end(1) :] for code in codes]
    for log in logs:
        assert len(read_log(log, Format.MJLOG).wins) > 0, "the parser takes it"
    survive_interpreted(tmp_path, logs)


def six_kans() -> bytes:
    """A hand of six closed kans, each indicator turned: two seats are dealt three sets of four each."""
    sets = [[range(4 * kind, 4 * kind + 4) for kind in kinds] for kinds in ((8, 9, 10), (11, 12, 14))]
    dealt = [[tile for quad in quads for tile in quad] + [4 * 18 + seat] for seat, quads in enumerate(sets)]
    rest = [tile for tile in range(4 * 19, 136) if tile != 88]
    dealt += [rest[13 * i : 13 * i + 13] for i in range(2)]
    spare = iter([*range(4 * 15, 4 * 18), 0, 1, 2, 3, 32, 33])
    moves = []
    for seat, (letter, discard) in enumerate(("TD", "UE")):
        drawn = next(spare)
        moves.append(f"<{letter}{drawn}/>")
        for quad in sets[seat]:
            drawn = next(spare)
            moves.append(f'<N who="{seat}" m="{quad[0] << 8}"/><DORA hai="{next(spare)}"/><{letter}{drawn}/>')
        moves.append(f"<{discard}{drawn}/>")
    hands = "".join(f' hai{seat}="{",".join(map(str, tiles))}"' for seat, tiles in enumerate(dealt))
    begin = f'<INIT seed="0,0,0,1,1,{135}" ten="250,250,250,250" oya="0"{hands}/>'
    return mjlog(HEAD, begin, "".join(moves))


def test_more_kans_than_indicators(tmp_path: Path) -> None:
    log = six_kans()
    events = read_log(log, Format.MJLOG).events
    assert np.count_nonzero(events.kind == EventKind.ANKAN) == 6
    survive_interpreted(tmp_path, [log])
