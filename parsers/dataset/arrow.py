"""Batches as Arrow tables and back, without loss: the stored form of the replay model.

A column of several values a cell becomes a fixed-size list (nested shapes flattened); values that mean
for "not stated" are kept as they are, and noted in each field's metadata under ``unknown``. Texts are stored
as plain strings. A file of them is read as dictionaries, so that a text that occurs in a million rows is
one text in memory, too.

The physical ids ``x_id`` of tiles ``x`` are stored as ``x_copy``: which of the four of its kind a tile is,
from 0. That is two bits where an id has seven, of which the tile says five once more.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paifu.replay.model.batch import SCHEMA_VERSION, Batch, Column, Table
from paifu.replay.model.tiles import KIND_OF_TILE, KINDS

T = TypeVar("T", bound=Table)


class ColumnError(ValueError):
    """A column that cannot be what it should: which, and the first row that is not."""


_ID, _COPY = "_id", "_copy"
_NO_COPY = 255
"""What is not known, as of ids."""


def _id_tables() -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """Return (65536,): 256 x tile + id -> copy, and 256 x tile + copy -> id.

    Ids that are not of the tile's kind, which a log may claim, have copies beyond 3: nothing is lost.
    """
    first = np.where(KIND_OF_TILE < KINDS, 4 * KIND_OF_TILE.astype(np.int64), 0)[:, None]
    numbers = np.arange(256)
    known = numbers != _NO_COPY
    copies, ids = (
        np.where(known, (numbers + sign * first) % _NO_COPY, _NO_COPY).astype(np.uint8).ravel()
        for sign in (-1, 1)
    )
    return copies, ids


_COPIES, _IDS = _id_tables()


def _looked_up(table: npt.NDArray[np.uint8], tiles: npt.NDArray[Any], numbers: npt.NDArray[Any]) -> Any:
    index = tiles.astype(np.uint16)
    index <<= 8
    index |= numbers
    return table.take(index)


def arrow_schema(table: type[Table], *, dictionaries: bool = False) -> pa.Schema:
    """Return the Arrow schema of one of a batch's tables, texts as dictionaries or not."""
    text = pa.dictionary(pa.int32(), pa.string()) if dictionaries else pa.string()
    tiles = _tiles_of_ids(table)
    fields = [
        pa.field(
            c.name.removesuffix(_ID) + _COPY if c.name in tiles else c.name, _arrow_type(c, text),
            nullable=False, metadata={"unknown": str(c.unknown)},
        )
        for c in table.columns()
    ]  # fmt: skip
    return pa.schema(fields, metadata={"paifu.table": table.NAME, "paifu.schema": str(SCHEMA_VERSION)})


def _tiles_of_ids(table: type[Table]) -> dict[str, str]:
    """Return the columns of physical ids, each with that of its tiles."""
    codes = {column.name for column in table.columns() if column.is_code}
    return {f"{name}{_ID}": name for name in codes}


def _arrow_type(column: Column, text: pa.DataType) -> pa.DataType:
    single = text if column.dtype == "str" else pa.from_numpy_dtype(np.dtype(column.dtype))
    if not column.width:
        return single
    return pa.list_(pa.field("item", single, nullable=False), column.cells)


def to_arrow(table: Table) -> pa.Table:
    """Turn one table of a batch into Arrow."""
    schema, tiles = arrow_schema(type(table)), _tiles_of_ids(type(table))
    columns = dict(table.arrays())
    for name, of in tiles.items():
        columns[name] = _looked_up(_COPIES, columns[of], columns[name])
    arrays = [
        _to_array(columns[column.name], field.type, column)
        for column, field in zip(table.columns(), schema, strict=True)
    ]
    return pa.Table.from_arrays(arrays, schema=schema)


def _to_array(values: npt.NDArray[Any], kind: pa.DataType, column: Column) -> pa.Array:
    if not column.width:
        return pa.array(values, type=kind)
    flat = pa.array(np.ascontiguousarray(values).reshape(-1), type=kind.value_type)
    return pa.FixedSizeListArray.from_arrays(flat, type=kind)


def from_arrow(kind: type[T], table: pa.Table) -> T:
    """Turn an Arrow table back, whose texts may be dictionaries.

    Raises ValueError if its schema is not ``kind``'s, ColumnError where a cell is empty or not UTF-8.
    """
    forms = [arrow_schema(kind, dictionaries=some) for some in (False, True)]
    if not any(map(table.schema.equals, forms)):
        raise ValueError(
            f"the table {kind.NAME} was written by another version of paifu; import the logs again"
        )
    columns = {c.name: _from_array(kind, table.column(n), c) for n, c in enumerate(kind.columns())}
    for name, of in _tiles_of_ids(kind).items():
        columns[name] = _looked_up(_IDS, columns[of], columns[name])
    return kind(**columns)


def _from_array(kind: type[Table], chunked: pa.ChunkedArray, column: Column) -> npt.NDArray[Any]:
    chunks = [chunk.flatten() if column.width else chunk for chunk in chunked.chunks]
    name = f"{kind.NAME}.{column.name}"
    parts: list[npt.NDArray[Any]] = [np.empty(0, column.numpy_dtype())]
    for chunk in chunks:
        if chunk.null_count:
            row = sum(map(len, parts)) + int(np.argmax(chunk.is_null().to_numpy(zero_copy_only=False)))
            raise ColumnError(f"{name} of row {row // column.cells} is empty")
        if column.dtype == "str":
            parts.append(_texts(chunk, name, sum(map(len, parts)), column.cells))
        else:
            parts.append(chunk.to_numpy(zero_copy_only=False))
    whole = np.concatenate(parts, dtype=column.numpy_dtype(), casting="unsafe")
    if len(whole) != len(chunked) * column.cells:
        raise ColumnError(f"{name} has {len(whole)} values in {len(chunked)} rows")
    return whole.reshape(len(chunked), *column.width)


def _texts(chunk: pa.Array, name: str, before: int, cells: int) -> npt.NDArray[Any]:
    """Return a chunk of texts as Python objects, equal ones as one; ``before`` values came before it."""
    if not pa.types.is_dictionary(chunk.type):
        chunk = chunk.dictionary_encode()
    indices = chunk.indices.to_numpy()
    encoded = chunk.dictionary.cast(pa.binary()).to_pylist()
    texts = np.empty(len(encoded), object)
    is_text = np.ones(len(encoded), bool)
    for number, each in enumerate(encoded):
        try:
            texts[number] = each.decode()
        except UnicodeDecodeError:
            is_text[number] = False
    within = (indices >= 0) & (indices < len(encoded))
    if not (within.all() and is_text[indices].all()):
        wrong = ~within
        wrong[within] = ~is_text[indices[within]]
        row = (before + int(wrong.argmax())) // cells
        raise ColumnError(f"{name} of row {row} is not text in UTF-8")
    found: npt.NDArray[Any] = texts[indices]
    return found


def batch_to_arrow(batch: Batch) -> dict[str, pa.Table]:
    """Turn a batch into Arrow tables by name."""
    return {table.NAME: to_arrow(table) for table in batch.tables()}
