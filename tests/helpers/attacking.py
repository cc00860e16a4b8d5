"""Mutants of logs of every format, and what has to hold of each of them whatever is in it.

All follows from a seed and a number. A mutant is one or more changes away from a genuine log, so most of it
is read. Whatever a reader takes, a dataset must give back and every writer must write or refuse by name.
"""

from __future__ import annotations

import bz2
import gzip
import html
import lzma
import os
import re
import shutil
import warnings
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import chain, product
from pathlib import Path
from traceback import extract_tb
from typing import Any
from urllib.parse import quote

import numpy as np
import orjson
from command import Result, as_nobody, call
from damaged_files import DAMAGES
from fuzzing import MADE, MANGLE, MANGLE_MADE, SAMPLES, Random, mangled_report, simulated
from record_places import with_odd_fields
from sources import database, gz, tarred, zipped

from paifu.api.convert import converting
from paifu.api.import_dataset import importing
from paifu.api.stats import stats
from paifu.parsers.dataset.entries import InputItem
from paifu.parsers.dataset.shards import FOR_PEOPLE, digest
from paifu.parsers.errors import BUG, WriteError
from paifu.parsers.read import iter_items, read_batches, read_unit
from paifu.parsers.sources.paths import DATASET_MANIFEST
from paifu.parsers.writers import WRITERS
from paifu.replay.bounds import BoundsError, check_batch
from paifu.replay.findings.review_sentences import review_cases
from paifu.replay.findings.spoken import cases, in_words
from paifu.replay.model.batch import TABLES, Batch
from paifu.replay.model.tiles import NO_TILE
from paifu.replay.table.engine import replay
from paifu.reports.metrics.catalogue import CATALOGUE

_ODD_TEXTS = (
    "\\ud800", "\\udfff\\ud800", "\\u0000", "\\u202e", "%00", "%FF", "%ED%A0%80", "&#0;", "&#xD800;", "&lt;",
    "=1+1", "\x00", "\x1b[31m", "-0", "1e400", "-1e400", "NaN", "Infinity", "null", "true", "[]", "{}", '""',
    "9" * 30, "-" + "9" * 30, "9" * 5000, "0.1", "-1", "255", "256", "65536", "2147483647", "2147483648",
    "-2147483648", "9223372036854775808", "10000000", "10000001", "-10000001", "x" * 3000,
)  # fmt: skip
SURROUNDED = (
    "UMP_PLAYER.init('[{", "{&quot;log&quot;:[1,", '{"title":', '{"name":"x"},',
    "#json=", "#json=%7B", "<mjloggm ", '<p id="dateTime">', "{ ", "'", "&amp;",
)  # fmt: skip
"""Marks of logs, and beginnings of them. Whole ones would be copies, of which an import takes one."""
OF_RIICHI = "the format holds riichi only"
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_STRING = re.compile(r'"[^"\\]*"')


@dataclass(frozen=True)
class Mutant:
    """One changed log."""

    number: int
    name: str
    """Of its file; says of which format it was and how it was changed."""
    text: bytes


# --- genuine logs --------------------------------------------------------------------------------------


@cache
def originals() -> tuple[tuple[str, bytes], ...]:
    """Format and plain text of every sample log, and of a game of each in every format that can state it."""
    found: list[tuple[str, bytes]] = []
    for path in sorted(SAMPLES.glob("*/*")):
        if path.suffix != ".zip":
            text = path.read_bytes()
            text = gzip.decompress(text) if path.suffix == ".gz" else text
            found.append((_format_of(path), text))
    for batch in _games():
        for name, writer in WRITERS.items():
            try:
                found.append((name, b"".join(writer.games(batch))))
            except WriteError:
                continue
    for name, (made, _) in MADE.items():
        for preset, number in product(PRESETS_OF_MADE.get(name, ("tenhou", "tenhou-sanma")), range(OF_EACH)):
            try:
                found.append((name, made(simulated(preset, number))))
            except WriteError:
                continue
    return tuple(found)


PRESETS_OF_MADE = {"riichicity": ("riichi-city", "riichi-city-sanma"), "mleague": ("mleague",)}
OF_EACH = 12
"""Games of each format that paifu reads and does not write, and preset."""


def _format_of(path: Path) -> str:
    if "report" in path.name:
        return "report"
    (batch, *_) = read_batches([path])
    if len(batch):
        fmt = str(batch.games.format[0])
        return {"majsoul": "majsoul-json"}.get(fmt, fmt)
    return "mjlog"


@cache
def _games() -> tuple[Batch, ...]:
    """Games of every kind: of each ruleset and platform, and some of the scenarios."""
    folders = ("formats", "rulesets", "platforms", "systems", "scenarios")
    batches = [batch for folder in folders for batch in read_batches([SAMPLES / folder])]
    every = [batch.take(game) for batch in batches for game in range(len(batch))]
    return tuple(every[:60] + every[60::6])


# --- changes -------------------------------------------------------------------------------------------


def mutant(seed: int, number: int) -> Mutant:
    """Return the mutant with a number."""
    rng = Random(f"attack {seed} {number}")
    fmt, text = rng.choice(originals())
    names = list(CHANGES)
    how = rng.choice(names)
    text = CHANGES[how](fmt, text, rng)
    if rng.random() < 0.05:
        text = CHANGES["bytes"](fmt, text, rng)
    pack: Callable[[bytes], bytes] = rng.choice(
        (bytes, bytes, bytes, bytes, gzip.compress, bz2.compress, lzma.compress)
    )
    return Mutant(number, f"{number}-{fmt}-{how}", pack(text))


def _structure(fmt: str, text: bytes, rng: Random) -> bytes:
    """Change what the format is made of: elements, events, fields."""
    kind = fmt.removesuffix("-mortal").removesuffix("-events")
    mangle = {**MANGLE, **MANGLE_MADE, "report": mangled_report}.get(kind)
    try:
        if mangle is None or fmt == "paifu-events":
            return _lines(fmt, text, rng)
        if kind in ("tenhou6", "paifu", "majiang") and b"\n" in text.strip():
            some = text.splitlines(keepends=True)
            at = rng.randrange(len(some))
            some[at] = mangle(some[at], rng) + b"\n"
            return b"".join(some)
        return mangle(text, rng)
    except (orjson.JSONDecodeError, ValueError, KeyError, TypeError):
        return _lines(fmt, text, rng)


def _lines(fmt: str, text: bytes, rng: Random) -> bytes:
    """Drop, repeat, swap or move pieces of a text: lines, elements, or items of its longest lists."""
    pieces, glue = _pieces(text)
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        at = rng.randrange(len(pieces))
        change = rng.randrange(4)
        if change == 0 and len(pieces) > 2:
            del pieces[at]
        elif change == 1:
            pieces.insert(at, rng.choice(pieces))
        else:
            other = min(at + 1, len(pieces) - 1) if change == 2 else rng.randrange(len(pieces))
            pieces[at], pieces[other] = pieces[other], pieces[at]
    return glue.join(pieces)


def _pieces(text: bytes) -> tuple[list[bytes], bytes]:
    glue = b"\n" if text.count(b"\n") > 5 else b"<" if text.startswith(b"<") else b","
    return text.split(glue), glue


def _one_value(fmt: str, text: bytes, rng: Random) -> bytes:
    """Put an odd number or text in the place of one."""
    decoded = text.decode("utf-8", "replace")
    pattern = rng.choice((_NUMBER, _NUMBER, _STRING))
    places = list(pattern.finditer(decoded))
    if not places:
        return text
    for _ in range(rng.choice((1, 1, 2))):
        place = rng.choice(places)
        new = rng.choice(_ODD_TEXTS)
        if pattern is _STRING:
            new = f'"{new}"'
        decoded = decoded[: place.start()] + new + decoded[place.end() :]
        places = list(pattern.finditer(decoded))
    return decoded.encode("utf-8", "surrogatepass")


def _small_number(fmt: str, text: bytes, rng: Random) -> bytes:
    """Move one number by a little."""
    places = list(re.finditer(rb"\d+", text))
    if not places:
        return text
    place = rng.choice(places)
    value = max(0, int(place[0][:18]) + rng.choice((-100, -4, -1, 1, 4, 100)))
    return text[: place.start()] + b"%d" % value + text[place.end() :]


def _field(fmt: str, text: bytes, rng: Random) -> bytes:
    """Put a value of another kind into one field, of whichever the record has."""
    try:
        kind, places = odd_places(fmt, text)
    except (ValueError, KeyError, TypeError, IndexError):
        return _one_value(fmt, text, rng)
    return rng.choice(places)() if places else _one_value(kind, text, rng)


@lru_cache(maxsize=64)
def odd_places(fmt: str, text: bytes) -> tuple[str, list[Callable[[], bytes]]]:
    """What makes a record with one odd value, for each place and value."""
    return fmt, [make for _what, make in with_odd_fields(fmt, text)]


def _surrounded(fmt: str, text: bytes, rng: Random) -> bytes:
    """Put a record, perhaps changed, into another text, with marks of others around it."""
    if rng.random() < 0.5:
        text = rng.choice((_one_value, _cut, _bytes, _field))(fmt, text, rng)
    log = text.decode("utf-8", "replace")
    mark = rng.choice(SURROUNDED) * rng.choice((0, 1, 3, 300))
    around = rng.choice(
        (
            lambda: f"<!DOCTYPE html><html><script>var x = {log};</script>{mark}</html>",
            lambda: f'<html>{mark}<a data-log="{html.escape(log)}">log</a></html>',
            lambda: f"{mark} https://tenhou.net/6/#json={quote(log)} {mark}",
            lambda: (
                f"<html>UMP_PLAYER.init(true, '{log.replace(chr(39), chr(92) + chr(39))}', 1);{mark}</html>"
            ),
            lambda: f"{mark}\n{log}\n{mark}",
        )
    )
    return around().encode(rng.choice(("utf-8", "utf-8", "utf-8", "utf-16", "cp932")), "replace")


def _cut(fmt: str, text: bytes, rng: Random) -> bytes:
    """Break the text off."""
    return text[: rng.randrange(1, len(text))]


def _bytes(fmt: str, text: bytes, rng: Random) -> bytes:
    """Change some bytes."""
    changed = bytearray(text)
    for _ in range(rng.choice((1, 3, 10))):
        at = rng.randrange(len(changed))
        if rng.random() < 0.5:
            changed[at] ^= 1 << rng.randrange(8)
        else:
            changed[at : at + rng.randrange(1, 30)] = rng.randbytes(rng.randrange(4))
        if not changed:
            return text
    return bytes(changed)


CHANGES: dict[str, Callable[[str, bytes, Random], bytes]] = {
    "structure": _structure,
    "lines": _lines,
    "value": _one_value,
    "field": _field,
    "surrounded": _surrounded,
    "number": _small_number,
    "cut": _cut,
    "bytes": _bytes,
}


def with_unknowns(batch: Batch, rng: Random) -> Batch | None:
    """Make a log say less: replace some cells by what stands for "not stated"; None if that cannot be."""
    tables = {kind.NAME: getattr(batch, kind.NAME) for kind in TABLES}
    for _ in range(rng.choice((1, 1, 2, 4))):
        kind = rng.choice(TABLES)
        table = tables[kind.NAME]
        columns = [column for column in kind.columns() if column.unknown not in (0, False)]
        if not columns or not len(table):
            continue
        column = rng.choice(columns)
        values = getattr(table, column.name).copy()
        row: Any = rng.randrange(len(values)) if rng.random() < 0.7 else slice(None)
        if column.width and rng.random() < 0.5:
            values[row, ..., rng.randrange(column.width[-1])] = column.unknown
        else:
            values[row] = column.unknown
        changed = {column.name: values}
        if column.is_code:
            ids = getattr(table, f"{column.name}_id")
            changed[f"{column.name}_id"] = np.where(values == NO_TILE, NO_TILE, ids).astype(ids.dtype)
        tables[kind.NAME] = replace(table, **changed)
    less = Batch(**tables)
    try:
        check_batch(less)
    except BoundsError:  # what no log can leave out
        return None
    return less


# --- what has to hold ----------------------------------------------------------------------------------

CONTROL = SAMPLES / "formats" / "tonpuu.mjlog"
"""A sound log that stands beside the mutants: nothing of them may cost anything of it."""


@dataclass
class Counts:
    """What an attack did, added up."""

    mutants: int = 0
    games: int = 0
    """Games that were read of them, wholly or in part."""
    faults: int = 0
    """What was told of them."""
    findings: int = 0
    written: int = 0
    refused: int = 0
    """Games that a writer wrote, and that it refused by name; other games than riichi not counted."""
    spoilt: int = 0
    """Folders and datasets in which something was spoilt."""


@dataclass(frozen=True)
class Failure:
    """Something that should not have happened."""

    number: int
    """Of the mutant; -1 where several are needed."""
    what: str


def attack(mutants: list[Mutant], folder: Path, counts: Counts) -> list[Failure]:
    """Import some mutants at once, load the dataset, and write all of them in every format.

    Where that fails, each is tried by itself.
    """
    try:
        return _attack(mutants, folder, counts)
    except Exception as error:  # noqa: BLE001  whatever it is, it is what is looked for
        what = described(error)
    if len(mutants) == 1:
        return [Failure(mutants[0].number, what)]
    found = [
        failure for one in mutants for failure in attack([one], folder / f"alone-{one.number}", Counts())
    ]
    return found or [Failure(-1, f"some of {mutants[0].number} to {mutants[-1].number}: {what}")]


def described(error: BaseException) -> str:
    """Say what was raised, and where in paifu."""
    frames = [f for f in extract_tb(error.__traceback__) if str(SAMPLES.parent) in f.filename]
    places = " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames[:-4:-1])
    return f"{type(error).__name__}: {str(error)[:300]} at {places}"


def _attack(mutants: list[Mutant], folder: Path, counts: Counts) -> list[Failure]:
    logs, dataset = folder / "logs", folder / "dataset"
    logs.mkdir(parents=True)
    for one in mutants:
        (logs / one.name).write_bytes(one.text)
    (logs / "zz-control.mjlog").write_bytes(CONTROL.read_bytes())
    try:
        items: dict[bytes, InputItem] = {}
        for item in iter_items([logs]):
            items.setdefault(digest(item), item)  # what stands twice in a text, an import takes once
        read = read_unit(items.values())
        assert read.games.source[-1].endswith("zz-control.mjlog"), "the sound log beside the mutants is lost"
        list(importing([logs], dataset))
        stored = Batch.concatenate(read_batches([dataset]))
        assert stored.differences(read) == [], "the dataset holds something else than was read"
        if len(read):
            with warnings.catch_warnings():
                warnings.simplefilter("error", RuntimeWarning)  # a sum of what stands for nothing, say
                stats([dataset], by="player", metrics=list(CATALOGUE))
        counts.findings += _look_at_findings(read)
        counts.mutants += len(mutants)
        counts.games += len(read) - 1
        counts.faults += len(read.faults)
        found = [
            Failure(int(Path(source.partition("#")[0]).name.partition("-")[0]), reason)
            for source, reason in zip(read.faults.source, read.faults.reason, strict=True)
            if BUG in reason
        ]
        for target in WRITERS:
            for game in chain.from_iterable(converting([logs], target)):
                counts.written += not game.error
                counts.refused += bool(game.error) and OF_RIICHI not in game.error
                if BUG in game.error:
                    found.append(Failure(int(Path(game.source).name.partition("-")[0]), game.error))
        return found
    finally:
        shutil.rmtree(folder)


SENTINEL = re.compile(r"(?<![\w.])(-?(21474\d{5}|2,147,4\d\d,\d{3}|4294\d{6})|None|nan|NaN)(?!\w)")
"""Unknown points, with or without something added, and what Python calls nothing."""


def _look_at_findings(batch: Batch) -> int:
    """Put all findings into words, of which none may show a number that stands for nothing."""
    names = {str(name) for row in batch.games.names for name in row if name}
    count = 0
    replayed = replay(batch, review=True)
    for case in chain(cases(replayed), review_cases(replayed)):
        found = in_words(case)
        for text in (found.message, str(found.expected or ""), str(found.actual or "")):
            for name in names:
                text = text.replace(name, "")
            assert not SENTINEL.search(text), f"{found.source}: {found.code} {found.message}"
        count += 1
    return count


# --- folders and datasets ------------------------------------------------------------------------------


def attack_files(
    seed: int, number: int, sound: Path, folder: Path, counts: Counts, how: str = ""
) -> list[Failure]:
    """Spoil a folder of logs or a copy of the dataset ``sound``, in one way or any, and call commands on it.

    A command may refuse with words, and nothing else; a folder's sound log must be read.
    """
    rng = Random(f"files {seed} {number}")
    how = how or rng.choice(list(SPOILS))
    folder.mkdir(parents=True)
    try:
        SPOILS[how](folder, sound, rng)
        counts.spoilt += 1
    except Exception as error:  # noqa: BLE001  whatever it is, it is what is looked for
        return [Failure(number, f"{how}: {described(error)}")]
    finally:
        for path in (folder, *folder.rglob("*")):
            if path.is_dir() and not path.is_symlink():
                path.chmod(0o755)
        shutil.rmtree(folder)
    return []


def _call(*arguments: str | Path) -> Result:
    """Call a command, which ends with a status and, unless all is well, with words that are printable."""
    result = call(*arguments)
    assert result.status in (0, 1, 2), f"{arguments[0]} ended with {result.status}"
    assert result.status == 0 or result.talk, f"{arguments[0]} failed without a word"
    assert all(line.isprintable() for line in result.talk), f"{arguments[0]}: {result.talk}"
    assert all(line.isprintable() for line in result.text.splitlines()), (
        f"{arguments[0]}: {result.text[:300]}"
    )
    return result


def _logs(spoil: Callable[[Path, Random], None]) -> Callable[[Path, Path, Random], None]:
    """Make a spoil of a folder that holds a sound log, too."""

    def run(folder: Path, _sound: Path, rng: Random) -> None:
        logs = folder / "logs"
        logs.mkdir()
        (logs / "a-control.mjlog").write_bytes(CONTROL.read_bytes())
        spoil(logs, rng)
        folder.chmod(0o777)
        "\n".encode("unicode_escape")  # a module that nobody could not load
        with as_nobody(folder) if os.geteuid() == 0 else nullcontext():
            _call("verify", logs)
            result = _call("import", logs, "-o", folder / "ds")
        assert result.status < 2, result.talk
        read = Batch.concatenate(read_batches([folder / "ds"]))
        assert any(source.endswith("a-control.mjlog") for source in read.games.source), "the log is lost"
        _call("convert", folder / "ds", "--to", rng.choice(list(WRITERS)), "-o", folder / "out")

    return run


def _odd_names(logs: Path, rng: Random) -> None:
    for _ in range(3):
        odd = rng.choice(
            (b"\n", b"\xff", b"\x1b[31m", b"\xe2\x80\xae", b"'", b"*", b"[a]", b"=1+1", b"#2", b":x")
        )
        name = b"b" + odd + b"%d" % rng.randrange(99) + rng.choice((b".mjlog", b"", b".json"))
        (logs / os.fsdecode(name)).write_bytes(mutant(0, rng.randrange(999)).text)


def _links(logs: Path, rng: Random) -> None:
    targets = (
        logs,
        logs.parent,
        logs / "a-control.mjlog",
        logs / "missing",
        Path("/dev/null"),
        Path("/proc/self/mem"),
    )
    for number in range(4):
        (logs / f"link-{number}").symlink_to(rng.choice((*targets, logs / f"link-{(number + 1) % 4}")))


def _closed(logs: Path, rng: Random) -> None:
    inner = logs / "inner"
    inner.mkdir()
    (inner / "log.mjlog").write_bytes(CONTROL.read_bytes())
    (logs / "closed.mjlog").write_bytes(CONTROL.read_bytes())
    rng.choice((inner, logs / "closed.mjlog", inner / "log.mjlog")).chmod(0)
    os.mkfifo(logs / "pipe")


def _archives(logs: Path, rng: Random) -> None:
    members = {f"m{number}.mjlog": mutant(1, rng.randrange(9999)).text for number in range(4)}
    data = bytearray(zipped(members) if rng.random() < 0.6 else tarred(members))
    for _ in range(rng.choice((0, 1, 3))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    (logs / "b.archive").write_bytes(bytes(data))


def _databases(logs: Path, rng: Random) -> None:
    rows = [(f"row-{number}", gz(mutant(2, rng.randrange(9999)).text)) for number in range(4)]
    path = database(logs / "logs.db", rng.choice(("houou-logs", "tenhou-db")), rows)
    data = bytearray(path.read_bytes())
    for _ in range(rng.choice((0, 1, 3))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    path.write_bytes(bytes(data))


def _dataset(spoil: Callable[[Path, Random], None]) -> Callable[[Path, Path, Random], None]:
    """Make a spoil of a copy of a dataset."""

    def run(folder: Path, sound: Path, rng: Random) -> None:
        dataset = folder / "ds"
        shutil.copytree(sound, dataset)
        spoil(dataset, rng)
        _call("verify", dataset)
        _call("stats", dataset, "--by", "player", "-f", rng.choice(("json", "csv", "table")))
        _call(*rng.choice(QUERIES), dataset)
        _call("import", CONTROL, "-o", dataset)

    return run


QUERIES: tuple[tuple[str, ...], ...] = (("find", "riichi"), ("sql", "SELECT count(*) FROM games"), ("show",))


def _damaged(dataset: Path, rng: Random) -> None:
    files = [path for path in dataset.rglob("*.parquet") if path.parents[1].name != FOR_PEOPLE]
    DAMAGES[rng.choice(list(DAMAGES))](rng.choice(sorted(files)), rng)


def _for_people(dataset: Path, rng: Random) -> None:
    """Change a table for queries."""
    path = rng.choice(sorted((dataset / FOR_PEOPLE).rglob("*.parquet")))
    path.write_bytes(rng.choice((_cut, _bytes))("", path.read_bytes(), rng))


def _manifest(dataset: Path, rng: Random) -> None:
    path = dataset / DATASET_MANIFEST
    path.write_bytes(rng.choice((_one_value, _cut, _bytes, _small_number))("", path.read_bytes(), rng))


def _moved(dataset: Path, rng: Random) -> None:
    """Remove a file, or put a folder, a link, a pipe or another file in its place."""
    files = sorted(dataset.rglob("*.parquet"))
    path, other = rng.choice(files), rng.choice(files)
    content = other.read_bytes()
    path.unlink()
    change = rng.randrange(5)
    if change == 1:
        path.mkdir()
    elif change == 2:
        path.symlink_to(rng.choice((other, Path("/dev/zero"), path)))
    elif change == 3:
        os.mkfifo(path)
    elif change == 4:
        path.write_bytes(content)


SPOILS: dict[str, Callable[[Path, Path, Random], None]] = {
    "odd names": _logs(_odd_names),
    "links": _logs(_links),
    "closed files": _logs(_closed),
    "archives": _logs(_archives),
    "databases": _logs(_databases),
    "damaged tables": _dataset(_damaged),
    "tables for queries": _dataset(_for_people),
    "manifests": _dataset(_manifest),
    "moved files": _dataset(_moved),
}
"""What is spoilt -> how."""
