"""Datasets that somebody damaged or made up: rows, or one clear fault; and never much memory.

A dataset is as untrusted as a log. Whatever is wrong with it, a command names the file, the table, the row
where there is one, and the next step.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from builders import build, game
from command import call
from damaged_files import BAD_TEXTS, DAMAGES, is_text, put_cell, write
from fuzzing import SAMPLES, sample_games, survive
from shards import write_shard
from situations import Situation

from paifu.api.only import EVERY_GAME
from paifu.api.stats import _stored
from paifu.parsers.dataset import parquet
from paifu.parsers.dataset.arrow import arrow_schema, from_arrow, to_arrow
from paifu.parsers.dataset.entries import Shard
from paifu.parsers.dataset.parquet import FLOOR, RATIO, ParquetError
from paifu.parsers.dataset.shards import (
    FOR_PEOPLE,
    DatasetError,
    has_facts,
    iter_shards,
    open_for_import,
    read_faults,
    read_shard,
)
from paifu.parsers.read import read_batches
from paifu.parsers.sources.paths import DATASET_MANIFEST
from paifu.replay.bounds import INPUT_CODES, BoundsError, check_batch
from paifu.replay.findings.kinds import KINDS
from paifu.replay.model.batch import TABLES, Batch, Faults, Table
from paifu.replay.model.events import EventFlag, EventKind
from paifu.replay.table.engine import replay
from paifu.reports.metrics.record_links import from_tables, record_links
from paifu.reports.metrics.recording import records, to_store
from paifu.reports.metrics.records import RECORD_TABLES, record_rows, records_key

pytestmark = pytest.mark.every(20)

HELPERS = str(Path(__file__).parents[1] / "helpers")
MIB = 1 << 20
AGAIN = "; remove the dataset and import again"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small sound dataset with rows in every table; to be copied before it is spoilt."""
    logs = tmp_path_factory.mktemp("logs")
    for name in ("tonpuu.mjlog", "sanma.mjlog.gz"):
        shutil.copy(SAMPLES / "formats" / name, logs / name)
    shutil.copy(SAMPLES / "platforms" / "report.json.gz", logs / "z-report.json.gz")
    (logs / "broken.mjlog").write_bytes(game(0)[:-400])
    (logs / "nothing.mjlog").write_bytes(b"no log")
    root = tmp_path_factory.mktemp("sound") / "ds"
    assert call("import", logs, "-o", root, "--luck", "-j", "1").status == 1
    (shard,) = iter_shards(root)
    assert has_facts(shard, RECORD_TABLES, records_key())
    assert all(pq.read_metadata(path).num_rows for path in root.rglob("*.parquet"))
    return root


@pytest.fixture
def dataset(tmp_path: Path, sound: Path) -> Path:
    shutil.copytree(sound, tmp_path / "ds")
    return tmp_path / "ds"


def file_of(dataset: Path, table: str) -> Path:
    (path,) = (dataset / table).glob("*.parquet")
    return path


def restate(dataset: Path, **counts: object) -> None:
    """Change what the manifest says of the only shard."""
    path = dataset / DATASET_MANIFEST
    manifest = orjson.loads(path.read_bytes())
    manifest["shards"][0].update(counts)
    path.write_bytes(orjson.dumps(manifest))


def refusal(dataset: Path, *arguments: str) -> str:
    """The one line with which a command refuses a dataset."""
    result = call(*(arguments or ("verify",)), dataset)
    assert result.status == 2
    assert result.data == b""
    line = result.talk[-1]
    assert line.startswith(f"paifu: {dataset}")
    assert line.endswith((AGAIN, "; import the logs again into a new folder"))
    return line


# --- texts ---------------------------------------------------------------------------------------------

TEXT_COLUMNS = [
    (folder, kind, field.name)
    for folder, kinds in (("", TABLES), ("facts/", RECORD_TABLES))
    for kind in kinds
    for field in arrow_schema(kind)
    if is_text(field)
]


@pytest.mark.parametrize(
    ("folder", "kind", "column"), TEXT_COLUMNS, ids=[f"{kind.NAME}.{name}" for _, kind, name in TEXT_COLUMNS]
)
def test_a_text_that_is_none_is_told(dataset: Path, folder: str, kind: type[Table], column: str) -> None:
    path = file_of(dataset, f"{folder}{kind.NAME}")
    cells = next(one.cells for one in kind.columns() if one.name == column)
    rows = pq.read_metadata(path).num_rows
    number = len(column) % len(BAD_TEXTS)
    put_cell(path, column, rows * cells - 1, BAD_TEXTS[number])
    line = refusal(dataset, "stats" if folder else "verify")
    assert line == f"paifu: {path}: {kind.NAME}.{column} of row {rows - 1} is not text in UTF-8{AGAIN}"


def test_the_columns_of_texts_are_all_there() -> None:
    assert len(TEXT_COLUMNS) == sum(
        column.dtype == "str" for kind in (*TABLES, *RECORD_TABLES) for column in kind.columns()
    )
    assert len(TEXT_COLUMNS) > 20


def test_a_column_name_cannot_reach_the_terminal(dataset: Path) -> None:
    path = file_of(dataset, "events")
    table = pq.read_table(path)
    write(table.rename_columns(["\x1b[31m\u202e", *table.schema.names[1:]]), path)
    assert refusal(dataset).isprintable()


# --- codes ---------------------------------------------------------------------------------------------


def test_codes_of_input_are_those_of_findings() -> None:
    assert [code for code in KINDS if code.startswith("V1")] == list(INPUT_CODES)


@pytest.mark.parametrize("code", ["V999", "", "V201", "v101", "V101 ", "\x1b"])
@pytest.mark.parametrize("command", ["verify", "stats", "review", "import"])
def test_an_unknown_code_of_a_fault_is_told(dataset: Path, code: str, command: str) -> None:
    path = file_of(dataset, "faults")
    put_cell(path, "code", 1, code.encode())
    more = ("-o", str(dataset.parent / "copy")) if command == "import" else ()
    line = refusal(dataset, command, *more)
    assert line.startswith(f"paifu: {path}: faults.code of row 1 is ")


# --- what is said twice --------------------------------------------------------------------------------

SHIFTS = [
    *[("wins", name, 1) for name in ("game", "hand", "event", "seat", "source", "tile", "tile_id")],
    *[("hand_draws", name, 1) for name in ("game", "hand", "event", "kind")],
    *[("hands", name, shift) for name in ("event_begin", "event_end") for shift in (-1, 1)],
    *[("hands", name, 1) for name in ("game", "end")],
    *[("games", name, 1) for name in ("hand_begin", "hand_end", "event_begin", "event_end", "players")],
    ("riichi_scores", "event", 1),
]  # fmt: skip


def rich_batch() -> Batch:
    batch = Batch.concatenate(sample_games()[:6])
    check_batch(batch)
    return batch


@pytest.mark.parametrize(("table", "column", "shift"), SHIFTS)
def test_every_row_agrees_with_its_others(table: str, column: str, shift: int) -> None:
    """One value changed, in every row in turn or in sixty: refused each time, and the row named."""
    batch = rich_batch()
    rows = getattr(batch, table)
    values = getattr(rows, column)
    every = range(0, len(rows), max(1, len(rows) // 60))
    for row in every:
        changed = values.copy()
        changed[row] = (int(changed[row]) + shift) % 255
        if column == "players":
            changed[row] = 7 - values[row]
        with pytest.raises(BoundsError, match=r"of row \d+ is .*, which "):
            check_batch(replace(batch, **{table: replace(rows, **{column: changed})}))
    assert len(every) > 0


@pytest.mark.parametrize(("table", "column"), [("wins", "liable"), ("hands", "dealer")])
def test_a_seat_that_nobody_has_is_refused(table: str, column: str) -> None:
    """The fourth one of three players."""
    batch = Batch.concatenate(list(read_batches([SAMPLES / "formats" / "sanma.mjlog.gz"])))
    assert batch.games.players.tolist() == [3]
    check_batch(changed(batch, table, column, put(0, 2)))
    with pytest.raises(BoundsError, match=rf"^{table}\.{column} of row 0 is 3, which does not play"):
        check_batch(changed(batch, table, column, put(0, 3)))


def test_a_hand_may_have_no_events() -> None:
    batch = Situation("").batch()
    assert batch.hands.event_begin.tolist() == batch.hands.event_end.tolist() == [0]
    check_batch(batch)


def changed(batch: Batch, table: str, column: str, change: Callable[[Any], None]) -> Batch:
    rows = getattr(batch, table)
    values = getattr(rows, column).copy()
    change(values)
    return replace(batch, **{table: replace(rows, **{column: values})})


def first(batch: Batch, kind: EventKind) -> int:
    return int(np.flatnonzero(batch.events.kind == kind)[0])


def put(at: object, value: object) -> Callable[[Any], None]:
    def change(values: Any) -> None:
        values[at] = value

    return change


CONTRADICTIONS: dict[str, Callable[[Batch], Batch]] = {
    "a draw without a seat": lambda b: changed(b, "events", "seat", put(first(b, EventKind.DRAW), 255)),
    "an indicator of a seat": lambda b: changed(b, "events", "seat", put(first(b, EventKind.DORA), 1)),
    "a discard from somebody": lambda b: changed(b, "events", "source", put(first(b, EventKind.DISCARD), 1)),
    "a chi from nobody": lambda b: changed(b, "events", "source", put(first(b, EventKind.CHI), 255)),
    "a chi of one own tile": lambda b: changed(b, "events", "own", put((first(b, EventKind.CHI), 1), 255)),
    "a chi of three own tiles": lambda b: changed(b, "events", "own", put((first(b, EventKind.CHI), 2), 5)),
    "own tiles with a hole": lambda b: changed(b, "events", "own", put((first(b, EventKind.PON), 0), 255)),
    "a draw that is tsumogiri": lambda b: changed(b, "events", "flags", put(first(b, EventKind.DRAW), 1)),
    "a tsumogiri unmarked": lambda b: changed(
        b, "events", "flags", put(np.flatnonzero(b.events.flags & EventFlag.TSUMOGIRI)[0], 0)
    ),
    "a tedashi marked": lambda b: changed(
        b, "events", "flags",
        put(np.flatnonzero((b.events.kind == EventKind.DISCARD) & (b.events.flags == 0))[0], 1),
    ),
    "a tile of another id": lambda b: changed(b, "events", "tile_id", put(first(b, EventKind.DRAW), 135)),
    "dealt tiles of other ids": lambda b: changed(b, "hands", "dealt_id", put((0, 0, 0), 135)),
    "tiles for nobody": lambda b: changed(
        b, "hands", "dealt", put((int(np.flatnonzero(b.games.players[b.hands.game] == 3)[0]), 3, 0), 5)
    ),
    "a five that is red here only": lambda b: changed(
        b, "hands", "dealt", put(tuple(np.argwhere(b.hands.dealt_id == 16)[0]), 4)
    ),
    "a yaku after the end": lambda b: changed(b, "wins", "yaku", put((0, 23), 1)),
    "han of no yaku": lambda b: changed(b, "wins", "han", put((0, 23), 1)),
    "melds half unknown": lambda b: changed(b, "wins", "melds", put((0, 7), -2)),
    "a liable seat that does not play": lambda b: changed(
        b, "wins", "liable", put(int(np.flatnonzero(b.games.players[b.wins.game] == 3)[0]), 3)
    ),
    "an unfinished game that is not cut": lambda b: changed(
        changed(b, "games", "is_cut", put(slice(None), False)), "hands", "end", put(-1, 0)
    ),
}  # fmt: skip


@pytest.mark.parametrize("contradict", CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_a_contradiction_is_told(contradict: Callable[[Batch], Batch]) -> None:
    batch = Batch.concatenate(sample_games())
    check_batch(batch)
    with pytest.raises(BoundsError, match=r"of row \d+ is "):
        check_batch(contradict(batch))


def test_the_record_of_a_seat_is_found_at_once(dataset: Path) -> None:
    path = file_of(dataset, "wins")
    seat = pq.read_table(path)["seat"][0].as_py()
    put_cell(path, "seat", 0, (seat + 1) % 3)
    for command in ("verify", "review", "show"):
        line = refusal(dataset, command)
        assert f"{path}: wins.seat of row 0 is {(seat + 1) % 3}, which is not the seat of its event" in line


RECORD_CHANGES = [
    ("game_records", "hands", 1), ("game_records", "left_out", 1), ("game_records", "rank", 1),
    ("game_records", "players", -1), ("hand_records", "game", 1), ("hand_records", "seat", 1),
    ("hand_records", "hand", 1), ("hand_records", "round", 1), ("hand_records", "riichis", 1),
    ("hand_records", "deal_ins", 1), ("hand_records", "dealt_in_value", 100), ("hand_records", "value", 100),
    ("hand_records", "end", 1), ("win_records", "game", 1), ("win_records", "row", 1),
    ("win_records", "payer", 4), ("win_records", "value", 100), ("win_records", "wait", 9),
    ("review_records", "row", 1 << 20), ("review_records", "code", 500),
]  # fmt: skip


@pytest.mark.parametrize(("table", "column", "shift"), RECORD_CHANGES)
def test_stored_statistics_agree_with_themselves(dataset: Path, table: str, column: str, shift: int) -> None:
    path = file_of(dataset, f"facts/{table}")
    values = pq.read_table(path)[column].combine_chunks()
    flat = (values.flatten() if pa.types.is_fixed_size_list(values.type) else values).to_pylist()
    wrong = next(at for at, value in enumerate(flat) if value >= 0 or column != "payer")
    put_cell(path, column, wrong, flat[wrong] + shift)
    assert refusal(dataset, "stats").startswith(f"paifu: {dataset}/facts/")


def test_records_of_any_logs_agree() -> None:
    for batch in sample_games()[:60]:
        tables = to_store(records(replay(batch, review=True)), batch)
        assert from_tables(tables, len(batch.hands)).hands is tables["hand_records"]
        rows = record_rows(len(batch), len(batch.hands), len(batch.events))
        assert all(least <= len(tables[name]) <= most for name, (least, most) in rows.items())


def test_records_that_name_a_hand_twice_or_a_winner_as_the_payer() -> None:
    (batch,) = read_batches([SAMPLES / "formats" / "tonpuu.mjlog"])
    made = from_tables(to_store(records(replay(batch, review=True)), batch), len(batch.hands))
    made.hands.hand[4:8] = made.hands.hand[:4]
    made.wins.payer[:] = np.where(made.wins.payer < 0, -1, made.wins.row)
    broken = {
        (link.column, link.claim) for link in record_links(made, len(batch.hands)) if not link.holds.all()
    }
    assert broken >= {
        ("hand", "is not after the hand before"),
        ("payer", "is not another player of the hand"),
    }


def test_links_of_an_empty_batch_hold() -> None:
    check_batch(Batch.empty())
    check_batch(build([]))
    empty = from_tables(to_store(records(replay(Batch.empty(), review=True)), Batch.empty()), 0)
    assert sum(1 for _ in record_links(empty, 0)) > 10


# --- the manifest --------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", ["documents", "games", "hands", "events", "faults"])
@pytest.mark.parametrize("shift", [-1, 1])
def test_the_manifest_and_the_files_agree(dataset: Path, count: str, shift: int) -> None:
    rows = pq.read_metadata(file_of(dataset, count)).num_rows
    restate(dataset, **{count: rows + shift})
    line = refusal(dataset)
    assert f"it has {rows:,} rows; the manifest allows {rows + shift:,}{AGAIN}" in line


@pytest.mark.parametrize(
    "counts",
    [{"events": 2**31}, {"games": True}, {"hands": 1.0}, {"faults": -1}, {"games": 0}, {"documents": 10**30}],
    ids=str,
)
def test_a_count_that_cannot_be_is_told(dataset: Path, counts: dict[str, object]) -> None:
    path = dataset / DATASET_MANIFEST
    name, value = next(iter(counts.items()))
    text = path.read_text("utf-8")
    path.write_text(re.sub(rf'"{name}": ?\d+', f'"{name}": {str(value).lower()}', text), "utf-8")
    refusal(dataset)


def test_a_shard_that_is_listed_twice_is_told(dataset: Path) -> None:
    path = dataset / DATASET_MANIFEST
    manifest = orjson.loads(path.read_bytes())
    manifest["shards"] *= 2
    path.write_bytes(orjson.dumps(manifest))
    assert "it lists shard" in refusal(dataset)


def test_a_shard_under_another_name_is_told(dataset: Path) -> None:
    """As when a copy of a shard is listed as one more."""
    name = "0" * 20
    for path in dataset.rglob("*.parquet"):
        path.rename(path.with_name(f"{name}.parquet"))
    restate(dataset, name=name)
    line = refusal(dataset)
    assert line == f"paifu: {file_of(dataset, 'documents')}: these are not the documents of this shard{AGAIN}"


def test_a_pipe_in_a_dataset_is_not_waited_for(dataset: Path) -> None:
    for table in ("events", "facts/hand_records"):
        path = file_of(dataset, table)
        path.unlink()
        os.mkfifo(path)
    assert "not a regular file" in refusal(dataset)
    assert "not a regular file" in refusal(dataset, "stats")


# --- memory --------------------------------------------------------------------------------------------

BOUNDED = """
import sys
sys.path.insert(0, sys.argv[1])
from memory import peak_kib
from paifu.cli.__main__ import main
import paifu.parsers.dataset.parquet, pyarrow.parquet
main([sys.argv[3], sys.argv[2]])  # so that what follows imports nothing more
before = peak_kib()
status = main(sys.argv[3:])
print(status, peak_kib() - before)
"""


def taken(sound: Path, *arguments: str | Path) -> tuple[int, int, float, list[str]]:
    """Call a command in a process that has read a sound dataset: status, bytes more, seconds, stderr."""
    begun = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", BOUNDED, *map(str, (HELPERS, sound, *arguments))],
        capture_output=True, text=True, timeout=100,
    )  # fmt: skip
    assert "Traceback" not in done.stderr, done.stderr
    status, kilobytes = map(int, done.stdout.splitlines()[-1].split())
    return status, kilobytes << 10, time.monotonic() - begun, done.stderr.splitlines()


def repeated(kind: type[Table], rows: int, source: Path | None = None) -> pa.Table:
    """A table of equal rows."""
    one = pq.read_table(source).slice(0, 1) if source else to_arrow(kind.empty(1))
    return pa.Table.from_arrays(
        [
            pa.concat_arrays([column.combine_chunks()] * 1).take(pa.array(np.zeros(rows, np.int64)))
            for column in one
        ],
        schema=one.schema,
    )


def _bomb(dataset: Path, table: str, kind: type[Table], rows: int) -> None:
    path = file_of(dataset, table)
    write(repeated(kind, rows, path), path)
    if "/" not in table:
        restate(dataset, **{table: rows})


BOMBS: dict[str, tuple[str, Callable[[Path], None]]] = {
    "faults": ("stats", lambda dataset: _bomb(dataset, "faults", Faults, 3_000_000)),
    "faults, replayed": ("verify", lambda dataset: _bomb(dataset, "faults", Faults, 3_000_000)),
    "events": ("verify", lambda dataset: _bomb(dataset, "events", TABLES[2], 20_000_000)),
    "games": ("verify", lambda dataset: _bomb(dataset, "games", TABLES[0], 400_000)),
    "records": (
        "stats",
        lambda dataset: _bomb(dataset, "facts/review_records", RECORD_TABLES[3], 30_000_000),
    ),
    "a text": ("verify", lambda dataset: put_cell(file_of(dataset, "games"), "title", 0, b"x" * 90 * MIB)),
}


@pytest.mark.parametrize(("command", "bomb"), BOMBS.values(), ids=BOMBS)
def test_equal_rows_do_not_take_memory(
    sound: Path, dataset: Path, command: str, bomb: Callable[[Path], None]
) -> None:
    """3,000,000 equal rows of faults are 120 kB in a file; they took 3.3 GB and 47 s."""
    bomb(dataset)
    biggest = max(path.stat().st_size for path in dataset.rglob("*.parquet"))
    assert biggest < 2 * MIB
    status, memory, seconds, talk = taken(sound, command, dataset)
    assert memory < FLOOR + RATIO * biggest, f"{memory >> 20} MiB"
    assert seconds < 30
    assert status == 2
    assert re.search(r"it has [\d,]+ bytes and would take [\d,]+ in memory", talk[-1])
    assert talk[-1].endswith(AGAIN)


def test_what_paifu_writes_it_can_read(tmp_path: Path) -> None:
    """However much alike its rows are: then they are stored as they are."""
    rows = 700_000
    faults = Faults(**{name: np.full(rows, text, object) for name, text in
                       zip(("source", "place", "code", "reason", "hint"), ("x", "", "V101", "no", "y" * 20),
                           strict=True)})  # fmt: skip
    batch = replace(Batch.empty(), faults=faults)
    with open_for_import(tmp_path / "ds") as writer:
        writer.add(write_shard(tmp_path / "ds", [bytes(16)], batch))
    path = file_of(tmp_path / "ds", "faults")
    assert path.stat().st_size > 20 * MIB, "as small as a bomb"
    (shard,) = iter_shards(tmp_path / "ds")
    begun = time.monotonic()
    assert read_faults(shard).differences(faults) == []
    assert len({id(text) for text in read_faults(shard).hint}) < 10_000, "equal texts are one object"
    assert time.monotonic() - begun < 20


def test_texts_that_repeat_parts_of_each_other_are_refused(dataset: Path) -> None:
    """An encoding that stores what a text shares with the one before unpacks to the square of its size."""
    path = file_of(dataset, "faults")
    table = pq.read_table(path)
    long = pa.array([f"{'x' * 5000}{number}" for number in range(2000)])
    columns = {name: pa.array(["V101"] * 2000) if name == "code" else long for name in table.schema.names}
    options = {"use_dictionary": False, "column_encoding": dict.fromkeys(columns, "DELTA_BYTE_ARRAY")}
    write(pa.table(columns).cast(table.schema), path, **options)
    restate(dataset, faults=2000)
    assert "is not as paifu writes it" in refusal(dataset)


def test_a_footer_that_lies_is_not_believed(tmp_path: Path) -> None:
    """What pages hold is told by their headers: a footer may state less."""
    path = tmp_path / "x.parquet"
    schema = arrow_schema(Faults, dictionaries=True)
    write(repeated(Faults, 3_000_000), path, row_group_size=4_000_000)
    data = path.read_bytes()
    length = int.from_bytes(data[-8:-4], "little")
    footer = bytearray(data[-8 - length : -8])
    number = _zigzag(3_000_000)
    assert footer.count(number) > 5
    for wrong in (_zigzag(2_999_999), _zigzag(1_100_000)):
        path.write_bytes(data[: -8 - length] + footer.replace(number, wrong) + data[-8:])
        with pytest.raises(ParquetError):
            parquet.read_table(path, schema, (0, 1 << 31))


def _zigzag(number: int) -> bytes:
    """A number in Thrift's compact form."""
    number *= 2
    parts = []
    while number > 127:
        parts.append(number & 127 | 128)
        number >>= 7
    return bytes([*parts, number])


@pytest.mark.parametrize(
    "data",
    [b"", b"\x15" + b"\xff" * 11, b"\x1c" * 30, b"\x1a\x00", b"\x18\xff\xff\x7f", b"\x15\x00\x00"],
)
def test_a_page_header_that_is_none_is_told(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.parquet"
    schema = arrow_schema(Faults, dictionaries=True)
    write(repeated(Faults, 10), path)
    metadata = pq.read_metadata(path)
    at = metadata.row_group(0).column(0).dictionary_page_offset
    content = bytearray(path.read_bytes())
    content[at : at + len(data)] = data
    content[at : at + 1] = data[:1] or b"\x00"
    path.write_bytes(content)
    with pytest.raises(ParquetError):
        parquet.read_table(path, schema, (0, 100))


def test_dictionaries_and_plain_texts_are_the_same() -> None:
    batch = rich_batch()
    for table in batch.tables():
        arrow = to_arrow(table)
        encoded = arrow.cast(arrow_schema(type(table))) if not len(table) else arrow
        assert from_arrow(type(table), encoded).differences(table) == []


# --- a thousand damaged files --------------------------------------------------------------------------

_MEANT = re.compile(r".+\.parquet: .+; remove the dataset and import again")


def look(shard: Shard) -> tuple[str, Batch | None]:
    """Read all of a shard: what is said of it, and the batch if it could be read."""
    batch: Batch | None = None
    told = ""
    for read in (lambda: read_shard(shard), lambda: read_faults(shard), lambda: _stored(shard, EVERY_GAME)):
        try:
            found = read()
        except DatasetError as error:
            told = str(error)
            assert _MEANT.fullmatch(told), told
            assert told.isprintable()
        else:
            batch = found if isinstance(found, Batch) else batch
    return told, batch


@pytest.mark.full
def test_some_damaged_files_are_rows_or_a_fault(dataset: Path) -> None:
    """One file at a time."""
    rng = random.Random(1)  # noqa: S311
    (shard,) = iter_shards(dataset)
    files = sorted(path for path in dataset.rglob("*.parquet") if path.parents[1].name != FOR_PEOPLE)
    assert len(files) == len(TABLES) + 1 + len(RECORD_TABLES)
    refused = 0
    for attempt in range(84):
        path = files[attempt % len(files)]
        whole, before = path.read_bytes(), pa.default_memory_pool().bytes_allocated()
        DAMAGES[rng.choice(list(DAMAGES))](path, rng)
        told, batch = look(shard)
        refused += bool(told)
        if batch is not None:
            survive(batch)
        if attempt % 12 == 0:
            for command in (("verify",), ("stats", "--by", "player")):
                assert call(*command, dataset).status in (0, 1, 2)
        path.write_bytes(whole)
        assert pa.default_memory_pool().bytes_allocated() - before < 64 * MIB
    assert refused > 20
