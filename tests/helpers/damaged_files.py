"""Ways to damage one file of a dataset, each by one thing; all follows from a ``random.Random``.

A damage takes the file's path and changes the file. What it leaves may still be a dataset: a log may claim
whatever it likes.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

Random = random.Random
Damage = Callable[[Path, Random], None]

BAD_TEXTS = (b"\xff", b"abc\x80", b"\xc3", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80", b"\xc0\x80")
"""No UTF-8: stray and missing bytes, half a surrogate, five bytes, two bytes where one would do."""


def write(table: pa.Table, path: Path, **options: Any) -> None:
    pq.write_table(table, path, **({"compression": "zstd", "write_page_checksum": True} | options))


def is_text(field: pa.Field) -> bool:
    return pa.types.is_string(field.type) or (
        pa.types.is_fixed_size_list(field.type) and pa.types.is_string(field.type.value_type)
    )


def put_cell(path: Path, column: str, at: int, value: Any) -> None:
    """Put a value into one cell of a column (``at`` counts those of lists, too): into texts, any bytes."""
    table = pq.read_table(path)
    field = table.schema.field(column)
    chunk = table[column].combine_chunks()
    is_list = pa.types.is_fixed_size_list(field.type)
    values = (chunk.flatten() if is_list else chunk).to_pylist()
    if is_text(field):
        raw = [one.encode() for one in values]
        raw[at % len(raw)] = value
        array = pa.array(raw, pa.binary()).view(pa.string())
    else:
        values[at % len(values)] = value
        array = pa.array(values, field.type.value_type if is_list else field.type)
    if is_list:
        array = pa.FixedSizeListArray.from_arrays(array, type=field.type)
    write(table.set_column(table.schema.get_field_index(column), field, array), path)


# --- bytes ---------------------------------------------------------------------------------------------


def _bytes(change: Callable[[bytearray, Random], None]) -> Damage:
    def damage(path: Path, rng: Random) -> None:
        data = bytearray(path.read_bytes())
        change(data, rng)
        path.write_bytes(data)

    return damage


def _flip(data: bytearray, rng: Random) -> None:
    for _ in range(rng.choice((1, 1, 3, 30))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def _flip_footer(data: bytearray, rng: Random) -> None:
    length = int.from_bytes(data[-8:-4], "little") + 8
    for _ in range(rng.choice((1, 2, 5))):
        data[len(data) - rng.randrange(1, min(length, len(data)))] ^= 1 << rng.randrange(8)


def _cut(data: bytearray, rng: Random) -> None:
    del data[rng.randrange(len(data)) :]


def _fill(data: bytearray, rng: Random) -> None:
    at, length = rng.randrange(len(data)), rng.randrange(1, 40)
    data[at : at + length] = bytes([rng.choice((0, 255, 127))]) * length


def _insert(data: bytearray, rng: Random) -> None:
    at = rng.randrange(len(data))
    data[at:at] = rng.randbytes(rng.randrange(1, 9))


# --- rows ----------------------------------------------------------------------------------------------


def _rows(choose: Callable[[list[int], Random], list[int]]) -> Damage:
    def damage(path: Path, rng: Random) -> None:
        table = pq.read_table(path)
        rows = pa.array(choose(list(range(len(table))), rng), pa.int64())
        write(table.take(rows).cast(table.schema), path)

    return damage


def _drop(rows: list[int], rng: Random) -> list[int]:
    return [row for row in rows if row != rng.randrange(len(rows))]


def _repeat(rows: list[int], rng: Random) -> list[int]:
    at = rng.randrange(len(rows) or 1)
    return rows[: at + 1] + rows[at:]


def _swap(rows: list[int], rng: Random) -> list[int]:
    if len(rows) > 1:
        one, other = rng.sample(range(len(rows)), 2)
        rows[one], rows[other] = rows[other], rows[one]
    return rows


def _set_fact(path: Path, rng: Random) -> None:
    """Change one number by as little as makes another fact of it."""
    table = pq.read_table(path)
    fields = [field for field in table.schema if not is_text(field) and field.name != "digest"]
    if not fields or not len(table):
        _drop([0], rng)
        return
    field = rng.choice(fields)
    is_list = pa.types.is_fixed_size_list(field.type)
    chunk = table[field.name].combine_chunks()
    values = (chunk.flatten() if is_list else chunk).to_pylist()
    at = rng.randrange(len(values))
    kind = field.type.value_type if is_list else field.type
    put_cell(path, field.name, at, _other(values[at], kind, rng.choice(values), rng))


def _other(value: Any, kind: pa.DataType, neighbour: Any, rng: Random) -> Any:
    if pa.types.is_boolean(kind):
        return not value
    if pa.types.is_floating(kind):
        return rng.choice((float("nan"), float("inf"), -1e300, 0.0, 1.5))
    low = -(1 << kind.bit_width - 1) if pa.types.is_signed_integer(kind) else 0
    high = low + (1 << kind.bit_width) - 1
    wanted = rng.choice((value + 1, value - 1, neighbour, rng.randrange(4), -1, low, high))
    return min(max(wanted, low), high)


# --- columns and types ---------------------------------------------------------------------------------


def _swap_columns(path: Path, rng: Random) -> None:
    """Swap what two columns of one type hold."""
    table = pq.read_table(path)
    names = table.schema.names
    pairs = [
        (a, b)
        for a in names
        for b in names
        if a < b and table.schema.field(a).type == table.schema.field(b).type
    ]
    if not pairs:
        _reorder(path, rng)
        return
    one, other = rng.choice(pairs)
    first, second = table[one], table[other]
    table = table.set_column(names.index(one), table.schema.field(one), second)
    write(table.set_column(names.index(other), table.schema.field(other), first), path)


def _reorder(path: Path, rng: Random) -> None:
    table = pq.read_table(path)
    write(table.select(rng.sample(table.schema.names, len(table.schema.names))), path)


def _remove_column(path: Path, rng: Random) -> None:
    table = pq.read_table(path)
    write(table.drop_columns([rng.choice(table.schema.names)]), path)


def _rename(path: Path, rng: Random) -> None:
    table = pq.read_table(path)
    names = table.schema.names
    names[rng.randrange(len(names))] = rng.choice(("", "x", names[0], "a\x1b[31m", "n" * 5000, "names.list"))
    write(table.rename_columns(names), path)


_TYPES = (
    pa.int64(), pa.float64(), pa.string(), pa.large_string(), pa.binary(), pa.timestamp("us", "Asia/Tokyo"),
    pa.timestamp("ns"), pa.decimal128(12, 2), pa.list_(pa.int8()), pa.struct([("a", pa.int8())]), pa.null(),
    pa.map_(pa.string(), pa.int8()), pa.bool_(), pa.date32(), pa.float16(), pa.uint64(), pa.int8(),
)  # fmt: skip


def _retype(path: Path, rng: Random) -> None:
    table = pq.read_table(path)
    number = rng.randrange(len(table.schema))
    kind = rng.choice(_TYPES)
    column = table.column(number)
    try:
        column = column.cast(kind)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        column = pa.nulls(len(table), kind)
    write(table.set_column(number, table.schema.field(number).name, column), path)


def _empty_cell(path: Path, rng: Random) -> None:
    """Make a column that may be empty, and is."""
    table = pq.read_table(path)
    number = rng.randrange(len(table.schema))
    values = table.column(number).to_pylist()
    if values:
        values[rng.randrange(len(values))] = None
    field = table.schema.field(number)
    is_list = pa.types.is_fixed_size_list(field.type)
    kind = pa.list_(pa.field("item", field.type.value_type), field.type.list_size) if is_list else field.type
    write(
        table.set_column(number, pa.field(field.name, kind, metadata=field.metadata), pa.array(values, kind)),
        path,
    )


# --- texts and forms -----------------------------------------------------------------------------------


def _spoil(path: Path, rng: Random) -> None:
    """Put what is not text into a column of texts; where there is none, bytes."""
    table = pq.read_table(path)
    names = [field.name for field in table.schema if is_text(field)]
    if names and len(table):
        put_cell(path, rng.choice(names), rng.randrange(10_000), rng.choice(BAD_TEXTS))
    else:
        _bytes(_fill)(path, rng)


def _odd_text(path: Path, rng: Random) -> None:
    table = pq.read_table(path)
    names = [field.name for field in table.schema if is_text(field)]
    if names and len(table):
        texts = (b"\0", b"\x1b[2J", "\u202e".encode(), b"x" * 200_000, b"\n", b"V999", b"=1+1", b"[", b"-1,2")
        put_cell(path, rng.choice(names), rng.randrange(10_000), rng.choice(texts))
    else:
        _bytes(_flip)(path, rng)


def _rewrite(path: Path, rng: Random) -> None:
    """Write the same table in another form."""
    table = pq.read_table(path)
    text = next((field.name for field in table.schema if pa.types.is_string(field.type)), None)
    forms: list[dict[str, Any]] = [
        {"data_page_version": "2.0"}, {"compression": "none"}, {"compression": "gzip"}, {"row_group_size": 1},
        {"use_dictionary": False}, {"write_page_checksum": False}, {"data_page_size": 1}, {"version": "1.0"},
        {"store_schema": False},
    ]  # fmt: skip
    if text is not None:
        forms.append({"use_dictionary": False, "column_encoding": {text: "DELTA_BYTE_ARRAY"}})
    write(table, path, **rng.choice(forms))


def _of_another(path: Path, rng: Random) -> None:
    """Put another table of the dataset in the place of this one."""
    others = [other for other in path.parents[1].rglob("*.parquet") if other != path]
    path.write_bytes(rng.choice(sorted(others)).read_bytes())


DAMAGES: dict[str, Damage] = {
    "flip": _bytes(_flip), "flip footer": _bytes(_flip_footer), "cut": _bytes(_cut), "fill": _bytes(_fill),
    "insert": _bytes(_insert), "drop a row": _rows(_drop), "repeat a row": _rows(_repeat),
    "swap rows": _rows(_swap), "fact": _set_fact,
    "swap columns": _swap_columns, "reorder": _reorder, "remove a column": _remove_column, "rename": _rename,
    "retype": _retype, "empty cell": _empty_cell, "no text": _spoil, "odd text": _odd_text,
    "another form": _rewrite, "another table": _of_another,
}  # fmt: skip
