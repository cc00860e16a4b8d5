"""Coverage-guided fuzzing of the parsers: inputs that reach new lines are kept and mangled further.

    python -m pip install '.[fuzz]'
    python bench/guided.py TARGET [-runs=20000] [-max_total_time=60] [further options of libFuzzer]

TARGET is a format of logs (mjlog, tenhou6, paifu, mjai, majiang, majsoul-json, mjx, mleague, riichicity),
source (the bytes of any file: archives, compressions, several logs), rules (a TOML file), hand (what
'paifu score' takes), or columns (a log, then everything that is done with what was read of it, by the
interpreter). Seeds
are the sample logs and presets. Memory is held below 2 GB, one input below 20 seconds; whatever is raised
but the refusal of the input ends the run with status 77, and the input is written to a file.
"""

from __future__ import annotations

import gzip
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

os.environ["PAIFU_KERNELS"] = "python"
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "helpers"))

import atheris

with atheris.instrument_imports(include=["paifu"]):
    from fuzzing import FORMATS, MADE, read_log, simulated, survive

    from paifu.parsers.errors import DamagedError, InputFault, ParseError, WriteError
    from paifu.parsers.sources.documents import open_document
    from paifu.parsers.sources.paths import iter_documents
    from paifu.parsers.writers import WRITERS
    from paifu.replay.bounds import check_batch
    from paifu.replay.rulesets.presets import RuleError, parse_ruleset
    from paifu.replay.scoring.hand_text import parse_hand

ROOT = Path(__file__).resolve().parents[1]
LOGS = sorted((ROOT / "sample_logs").rglob("*.mjlog"))
JSON = sorted((ROOT / "sample_logs").rglob("*.json"))


def reading(name: str) -> Callable[[bytes], None]:
    """Read a log of a format."""
    return lambda data: check_batch(read_log(data, FORMATS[name]))


def columns(data: bytes) -> None:
    """Read an mjlog and do everything with it."""
    survive(read_log(data, FORMATS["mjlog"]))


def source(data: bytes) -> None:
    """Look into a file of any kind."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        for item in iter_documents([file.name]):
            if not isinstance(item, InputFault):
                with suppress(ParseError, DamagedError):
                    open_document(item)


def rules(data: bytes) -> None:
    """Read a ruleset."""
    with suppress(RuleError):
        parse_ruleset(data.decode("utf-8", "replace"), "x")


def hand(data: bytes) -> None:
    """Read a hand."""
    with suppress(ValueError):
        parse_hand(data.decode("utf-8", "replace"))


def samples(paths: list[Path]) -> Iterator[bytes]:
    """The content of files."""
    return (path.read_bytes() for path in paths)


def written(*names: str) -> Iterator[bytes]:
    """Short games in some formats."""
    for text in samples([path for path in LOGS if path.stat().st_size < 3000]):
        batch = read_log(text, FORMATS["mjlog"])
        with suppress(WriteError):
            for name in names:
                yield b"".join(WRITERS[name].games(batch))


TARGETS: dict[str, tuple[Callable[[bytes], None], Callable[[], Iterator[bytes]]]] = {
    "mjlog": (reading("mjlog"), lambda: samples(LOGS)),
    "tenhou6": (reading("tenhou6"), lambda: samples(JSON)),
    "paifu": (reading("paifu"), lambda: written("paifu", "paifu-events")),
    "majiang": (reading("majiang"), lambda: written("majiang")),
    "majsoul-json": (reading("majsoul-json"), lambda: written("majsoul-json")),
    "mjai": (reading("mjai"), lambda: written("mjai", "mjai-mortal")),
    **{
        name: (reading(name), lambda made=made: [made(simulated("tenhou", 0))])  # type: ignore[misc]
        for name, (made, _) in MADE.items()
    },
    "columns": (columns, lambda: samples([path for path in LOGS if path.stat().st_size < 3000])),
    "source": (
        source,
        lambda: (pack(data) for data in samples(LOGS[:20]) for pack in (bytes, gzip.compress)),
    ),
    "rules": (rules, lambda: samples(sorted((ROOT / "replay" / "rulesets" / "presets").glob("*.toml")))),
    "hand": (hand, lambda: iter([b"123m456p789s1122z", b"234m (0'55p) 1z", b"[1111z] 123s99m"])),
}
"""Name -> what is run on an input, and the seeds."""


def main() -> None:
    """Run libFuzzer on the target named on the command line."""
    if len(sys.argv) < 2 or sys.argv[1] not in TARGETS:
        sys.exit(__doc__)
    run, seeds = TARGETS[sys.argv[1]]
    corpus = Path(tempfile.mkdtemp(prefix="paifu-corpus-"))
    for number, seed in enumerate(seeds()):
        (corpus / f"{number}").write_bytes(seed)
    options = ["-timeout=20", "-rss_limit_mb=2000", "-max_len=20000", *sys.argv[2:]]
    atheris.Setup([sys.argv[0], *options, str(corpus)], run)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
