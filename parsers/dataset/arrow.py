"""Batches as Arrow tables and back, without loss: the stored form of the replay model.

A column of several values a cell becomes a fixed-size list (nested shapes flattened); values that stand
for "not stated" are kept as they are, and told in each field's metadata under ``unknown``.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paifu.replay.model.batch import SCHEMA_VERSION, TABLES, Batch, Column, Table

T = TypeVar("T", bound=Table)


def arrow_schema(table: type[Table]) -> pa.Schema:
    """Return the Arrow schema of one of a batch's tables."""
    fields = [
        pa.field(c.name, _arrow_type(c), nullable=False, metadata={"unknown": str(c.unknown)})
        for c in table.columns()
    ]
    return pa.schema(fields, metadata={"paifu.table": table.NAME, "paifu.schema": str(SCHEMA_VERSION)})


def _arrow_type(column: Column) -> pa.DataType:
    single = pa.string() if column.dtype == "str" else pa.from_numpy_dtype(np.dtype(column.dtype))
    if not column.width:
        return single
    return pa.list_(pa.field("item", single, nullable=False), column.cells)


def to_arrow(table: Table) -> pa.Table:
    """Turn one table of a batch into Arrow."""
    schema = arrow_schema(type(table))
    arrays = [
        _to_array(getattr(table, column.name), schema.field(column.name).type, column)
        for column in table.columns()
    ]
    return pa.Table.from_arrays(arrays, schema=schema)


def _to_array(values: npt.NDArray[Any], kind: pa.DataType, column: Column) -> pa.Array:
    if not column.width:
        return pa.array(values, type=kind)
    flat = pa.array(np.ascontiguousarray(values).reshape(-1), type=kind.value_type)
    return pa.FixedSizeListArray.from_arrays(flat, type=kind)


def from_arrow(kind: type[T], table: pa.Table) -> T:
    """Turn an Arrow table back; raises ValueError when its schema is not ``kind``'s."""
    expected = arrow_schema(kind)
    if not table.schema.equals(expected):
        raise ValueError(
            f"the table {kind.NAME} was written by another version of paifu; import the logs again"
        )
    return kind(**{c.name: _from_array(table.column(c.name), c) for c in kind.columns()})


def _from_array(chunked: pa.ChunkedArray, column: Column) -> npt.NDArray[Any]:
    array = chunked.combine_chunks()
    if column.width:
        array = array.flatten()
    values = array.to_numpy(zero_copy_only=False)
    return np.array(values, dtype=column.numpy_dtype()).reshape(-1, *column.width)


def batch_to_arrow(batch: Batch) -> dict[str, pa.Table]:
    """Turn a batch into Arrow tables by name."""
    return {table.NAME: to_arrow(table) for table in batch.tables()}


def batch_from_arrow(tables: dict[str, pa.Table]) -> Batch:
    """Turn Arrow tables by name back into a batch; see :func:`from_arrow`."""
    return Batch(**{kind.NAME: from_arrow(kind, tables[kind.NAME]) for kind in TABLES})  # type: ignore[arg-type]
