"""Values of a query's result as JSON, CSV and tables for the terminal have them, by their Arrow type.

JSON has no dates, no bytes and no numbers beyond those of its readers: what it cannot hold exactly becomes a
text. Dates and times are texts of ISO 8601; the rest is written as DuckDB writes it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson

if TYPE_CHECKING:
    import pyarrow as pa

Values = list[Any]
_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
_LARGEST, _SMALLEST = 2**64 - 1, -(2**63)
"""Whole numbers that JSON is written with."""


def plain_rows(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[Any, ...]]:
    """Yield rows of a result: values as JSON has them, in the order of the columns."""
    for batch in batches:
        yield from zip(*(plain_values(column) for column in batch.columns), strict=True)


def plain_values(column: pa.Array) -> Values:
    """Return the values of a column as JSON has them."""
    import pyarrow as pa

    kind, types = column.type, pa.types
    if types.is_dictionary(kind):
        return plain_values(column.dictionary_decode())
    if types.is_map(kind):
        entries = pa.list_(pa.struct([("key", kind.key_type), ("value", kind.item_type)]))
        return [None if one is None else _object(one) for one in plain_values(column.cast(entries))]
    if types.is_list(kind) or types.is_fixed_size_list(kind) or types.is_large_list(kind):
        return _cut(column, plain_values(column.flatten()))
    if types.is_struct(kind):
        parts = [plain_values(part) for part in column.flatten()]
        rows = zip(*parts, strict=True) if parts else ((),) * len(column)
        names = [field.name for field in kind]
        return _known(column, [dict(zip(names, row, strict=True)) for row in rows])
    for is_kind, values in _WRITERS:
        if is_kind(types, kind):
            return values(column)
    return column.to_pylist()  # type: ignore[no-any-return]


def cell(value: Any) -> Any:
    """Return a plain value as CSV has it: what has parts on one line."""
    if isinstance(value, list) and not any(isinstance(part, (list, dict)) for part in value):
        return ", ".join("" if part is None else str(part) for part in value)
    return _json(value) if isinstance(value, (list, dict)) else value


def short_cell(value: Any) -> Any:
    """Return a plain value as a table for people has it: in addition, numbers with few digits."""
    if isinstance(value, float):
        return float(f"{value:.6g}") if abs(value) < _SHORT else round(value, 1)
    return cell(value)


_SHORT = 100_000
"""Where six digits end before the point."""


def _json(value: Any) -> str:
    return orjson.dumps(value).decode()


def _known(column: pa.Array, values: Values) -> Values:
    return [
        value if known else None for value, known in zip(values, column.is_valid().to_pylist(), strict=True)
    ]


def _object(entries: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a map with its keys as text."""
    return {key if isinstance(key := entry["key"], str) else _json(key): entry["value"] for entry in entries}


def _cut(column: pa.Array, parts: Values) -> Values:
    """Divide the values of all lists of a column among them."""
    from pyarrow.compute import list_value_length

    every, lengths = iter(parts), list_value_length(column).to_pylist()
    return [None if length is None else list(islice(every, length)) for length in lengths]


# --- numbers -----------------------------------------------------------------------------------------------


def _decimals(column: pa.Array) -> Values:
    return [None if value is None else _decimal(value) for value in column.to_pylist()]


def _decimal(value: Decimal) -> int | float | str:
    if value == value.to_integral_value():
        return int(value) if _SMALLEST <= value <= _LARGEST else f"{value:f}".partition(".")[0]
    return float(value) if Decimal(repr(float(value))) == value else f"{value:f}"


def _floats(column: pa.Array) -> Values:
    return [value if value is None or math.isfinite(value) else str(value) for value in column.to_pylist()]


def _short_floats(column: pa.Array) -> Values:
    """Write floats of 32 bits with the digits that they have."""
    shown = [None if value is None else str(np.float32(value)) for value in column.to_pylist()]
    return [text if text is None or not math.isfinite(float(text)) else float(text) for text in shown]


# --- dates and times ---------------------------------------------------------------------------------------


def _numbers(column: pa.Array, kind: str) -> list[int | None]:
    import pyarrow as pa

    return column.view(getattr(pa, kind)()).to_pylist()  # type: ignore[no-any-return]


def _dates(column: pa.Array) -> Values:
    return [None if days is None else _moment(days, "D") for days in _numbers(column, "int32")]


def _timestamps(column: pa.Array) -> Values:
    unit, zone = column.type.unit, "" if column.type.tz is None else "+00:00"
    return [None if at is None else _moment(at, unit, zone) for at in _numbers(column, "int64")]


def _moment(at: int, unit: str, zone: str = "") -> str:
    """Write a number of days, or of parts of a second, since 1970; DuckDB's largest ones are infinity."""
    end = 2**31 - 1 if unit == "D" else 2**63 - 1
    if abs(at) == end:
        return "infinity" if at > 0 else "-infinity"
    moment = np.array(at, np.int64).view(f"datetime64[{unit}]")
    whole, dot, parts = str(moment).partition(".")
    if whole.startswith("-"):  # before year 1 BC, which is year 0
        year, rest = whole[1:].split("-", 1)
        whole = f"-{int(year):04}-{rest}"
    return f"{whole}{dot and _fraction(int(parts), unit)}{zone}"


def _fraction(parts: int, unit: str) -> str:
    """Write parts of a second: none, six digits, or nine where they are needed."""
    nanoseconds = parts * (10**9 // _PER_SECOND[unit])
    if not nanoseconds:
        return ""
    return f".{nanoseconds:09}" if nanoseconds % 1000 else f".{nanoseconds // 1000:06}"


def _times(column: pa.Array) -> Values:
    unit = column.type.unit
    numbers = _numbers(column, "int32" if unit in ("s", "ms") else "int64")
    return [None if at is None else _clock(at, unit) for at in numbers]


def _clock(at: int, unit: str) -> str:
    seconds, parts = divmod(at, _PER_SECOND[unit])
    hours, seconds = divmod(seconds, 3600)
    return f"{hours:02}:{seconds // 60:02}:{seconds % 60:02}{_fraction(parts, unit)}"


# --- bytes -------------------------------------------------------------------------------------------------


def _bytes(column: pa.Array) -> Values:
    return [None if value is None else "".join(map(_byte, value)) for value in column.to_pylist()]


def _byte(byte: int) -> str:
    return chr(byte) if 32 <= byte < 127 and chr(byte) not in "\\'\"" else f"\\x{byte:02X}"


_WRITERS: tuple[tuple[Callable[[Any, Any], bool], Callable[[pa.Array], Values]], ...] = (
    (lambda types, kind: types.is_decimal(kind), _decimals),
    (lambda types, kind: types.is_float64(kind), _floats),
    (lambda types, kind: types.is_float32(kind), _short_floats),
    (lambda types, kind: types.is_date32(kind), _dates),
    (lambda types, kind: types.is_timestamp(kind), _timestamps),
    (lambda types, kind: types.is_time(kind), _times),
    (lambda types, kind: types.is_binary(kind) or types.is_large_binary(kind), _bytes),
)
"""What says that a type is meant, and what writes its values; all others are as Arrow gives them."""
