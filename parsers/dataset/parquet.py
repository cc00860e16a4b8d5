"""Parquet files that anybody may have made: what they would take is worked out before they are loaded.

A column of equal values is a few bytes in a file and any number of them in memory, and what the file's
footer states of its own sizes may be a lie. The headers of its pages cannot lie: the reader goes by them. So
:func:`read_table` walks these, adds up what the pages unpack to, and refuses what goes beyond ``FLOOR`` plus
``RATIO`` times the size of the file. :func:`write_table` writes what would be refused without compressing
it.
"""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

FLOOR = 16 << 20
RATIO = 200
"""A table may take ``FLOOR + RATIO * size of its file`` bytes in memory."""

_HEADER = 1 << 16
"""Bytes of the longest page header: it may hold the least and the greatest text of its page."""
_MAX_TEXT, _MAX_CONTAINER = 1 << 20, 10_000
"""Bytes of a text, entries of a list in a footer: ours have 5 kB and some sixty."""
_TYPE, _UNPACKED, _PACKED, _DATA_HEADER, _DICTIONARY_HEADER = 1, 2, 3, 5, 7
_NUMBER, _ENCODING = 1, 2
"""Fields of a page's header, by their numbers in Parquet's definition."""
_DATA_PAGE, _DICTIONARY_PAGE = 0, 2
_PLAIN = 0
_ENCODINGS = frozenset((_PLAIN, 2, 3, 5, 8, 9))
"""PLAIN, PLAIN_DICTIONARY, RLE, DELTA_BINARY_PACKED, RLE_DICTIONARY, BYTE_STREAM_SPLIT: all but those that
repeat parts of texts."""
_LEVEL = 12
"""Of zstd: 15 would save another hundredth and take half again as long."""
_ROWS = frozenset(("game", "hand", "event", "row", "hand_begin", "hand_end", "event_begin", "event_end"))
"""Columns that count up: of these, differences are stored."""
_WORDS = frozenset(("kind", "flags", "own", "own_copy", "tile_copy", "useful_draws", "losing_discards"))
"""Columns of small numbers that repeat like words, or are at random: for them, dictionaries are best."""
_SPLIT = frozenset(("key", "payer", "rating"))
"""Columns of large numbers whose bytes are best stored side by side, as those of small ones are."""
_VALUE = {"BYTE_ARRAY": 12, "FIXED_LEN_BYTE_ARRAY": 96, "BOOLEAN": 3, "INT32": 8}
_WIDE, _LEVELS, _OBJECT, _TEXT_BYTE = 24, 4, 64, 5
"""Maximum number of bytes that a value takes on its way into an array: by its type, of any other type, the
levels of lists, a text as an object, and a byte of its UTF-8."""


_FOREIGN = "its columns are not those of paifu"


class ParquetError(ValueError):
    """A file that paifu did not write, or is damaged, or would take too much memory."""


def read_table(path: Path, schema: pa.Schema, rows: tuple[int, int]) -> pa.Table:
    """Load a table of ``schema``, whose texts are dictionaries, if it has at least and at most ``rows``.

    Takes no more memory than the module's docstring says. Texts are as they were stored, UTF-8 or not. Raises
    ParquetError.
    """
    try:
        file = open_file(path, texts_of(schema))
        _check(path, file, schema, rows)
        table: pa.Table = file.read()
    except ParquetError:
        raise
    except (OSError, ValueError, pa.ArrowException) as error:  # ValueError: names that are not text
        raise ParquetError(str(error)) from error
    return table


def _check(path: Path, file: pq.ParquetFile, schema: pa.Schema, rows: tuple[int, int]) -> None:
    if not file.schema_arrow.equals(schema):
        raise ParquetError(_FOREIGN)
    least, most = rows
    if not least <= file.metadata.num_rows <= most:
        due = f"{least:,}" if least == most else f"{least:,} to {most:,}"
        raise ParquetError(f"it has {file.metadata.num_rows:,} rows; the manifest allows {due}")
    size = path.stat().st_size
    with path.open("rb") as pages:
        needed = _needed(pages, file.metadata)
    if needed > FLOOR + RATIO * size:
        raise ParquetError(f"it has {size:,} bytes and would take {needed:,} in memory")


def open_file(path: Path, texts: list[str] | None = None) -> pq.ParquetFile:
    """Read a file's footer; columns of ``texts`` will be read as dictionaries."""
    if not stat.S_ISREG(path.stat().st_mode):  # to open a pipe would wait forever
        raise ParquetError("not a regular file")
    try:
        return pq.ParquetFile(
            path,
            read_dictionary=texts,
            page_checksum_verification=True,
            thrift_string_size_limit=_MAX_TEXT,
            thrift_container_size_limit=_MAX_CONTAINER,
        )
    except KeyError:  # it has none of that name
        raise ParquetError(_FOREIGN) from None


def texts_of(schema: pa.Schema) -> list[str]:
    """Return the paths of the columns of texts in a file."""
    paths = []
    for field in schema:
        is_list = pa.types.is_fixed_size_list(field.type)
        if pa.types.is_dictionary(field.type.value_type if is_list else field.type):
            paths.append(f"{field.name}.list.element" if is_list else field.name)
    return paths


def _encodings(schema: pa.Schema) -> dict[str, str]:
    """Return the columns that dictionaries are not the best for, each with what is.

    The bytes of small numbers lie side by side, where zstd finds more in them than in the few bits that a
    dictionary gives a number.
    """
    found = {}
    for field in schema:
        is_list = pa.types.is_fixed_size_list(field.type)
        kind = field.type.value_type if is_list else field.type
        is_small = pa.types.is_uint8(kind) or pa.types.is_int16(kind)
        if pa.types.is_integer(kind) and field.name in _ROWS:
            found[field.name] = "DELTA_BINARY_PACKED"
        elif (is_small and field.name not in _WORDS) or (pa.types.is_integer(kind) and field.name in _SPLIT):
            found[f"{field.name}.list.element" if is_list else field.name] = "BYTE_STREAM_SPLIT"
    return found


def write_table(table: pa.Table, file: BinaryIO) -> None:
    """Write a table so that :func:`read_table` can load it, however much alike its rows are."""
    encodings = _encodings(table.schema)
    leaves = {path.partition(".")[0] for path in encodings}
    others = [path for path in _leaves(table.schema) if path.partition(".")[0] not in leaves]
    options: dict[str, Any] = {
        "compression": "zstd", "compression_level": _LEVEL, "column_encoding": encodings or None,
        "use_dictionary": others,
    }  # fmt: skip
    for _ in range(2):
        sink = pa.BufferOutputStream()
        pq.write_table(table, sink, write_page_checksum=True, **options)
        content = sink.getvalue()
        metadata = pq.read_metadata(pa.BufferReader(content))
        if _needed(pa.BufferReader(content), metadata) <= FLOOR + RATIO * len(content):
            break
        options = {"compression": "none", "use_dictionary": False}
    file.write(content)


def _leaves(schema: pa.Schema) -> list[str]:
    """Return the paths of the columns in a file."""
    is_list = (pa.types.is_fixed_size_list, pa.types.is_list)
    return [
        f"{field.name}.list.element" if any(test(field.type) for test in is_list) else field.name
        for field in schema
    ]


# --- what a file takes ---------------------------------------------------------------------------------


def _needed(file: Any, metadata: pq.FileMetaData) -> int:
    """Return how many bytes of memory a file's table takes; raises ParquetError where pages do not fit."""
    total = rows = 0
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        rows += group.num_rows
        for leaf in range(group.num_columns):
            total += _needed_by(file, group.column(leaf), group.num_rows, metadata.schema.column(leaf))
    if rows != metadata.num_rows:
        raise ParquetError(f"it states {metadata.num_rows} rows and has {rows}")
    return total


def _needed_by(file: Any, chunk: pq.ColumnChunkMetaData, rows: int, column: Any) -> int:
    unpacked = values = objects = 0
    for header in _pages(file, chunk) if chunk.num_values else ():  # of an empty one nothing is read
        unpacked += max(header[_UNPACKED], header[_PACKED])
        if header[_TYPE] == _DICTIONARY_PAGE:
            objects += header[_DICTIONARY_HEADER][_NUMBER]
        else:
            values += header[_DATA_HEADER][_NUMBER]
            is_plain = header[_DATA_HEADER][_ENCODING] == _PLAIN
            objects += header[_DATA_HEADER][_NUMBER] if is_plain else 0
    is_list = column.max_repetition_level > 0
    if values != chunk.num_values or (values != rows and not is_list):
        raise ParquetError(f"its column {chunk.path_in_schema} has {values} values in {rows} rows")
    needed: int = unpacked + values * (_VALUE.get(column.physical_type, _WIDE) + _LEVELS * is_list)
    if column.physical_type == "BYTE_ARRAY":
        needed += _TEXT_BYTE * unpacked + _OBJECT * objects
    return needed


def _pages(file: Any, chunk: pq.ColumnChunkMetaData) -> Iterator[dict[int, Any]]:
    """Yield the header of each page of a column, checked."""
    first = chunk.dictionary_page_offset
    at = chunk.data_page_offset if not first or first > chunk.data_page_offset else first
    end = at + chunk.total_compressed_size
    while at < end:
        file.seek(at)
        try:
            header, length = _Thrift(file.read(_HEADER)).struct()
            is_sound = min(_numbers(header)) >= 0
        except (IndexError, KeyError, TypeError) as error:
            raise ParquetError(
                f"the header of a page of its column {chunk.path_in_schema} is damaged"
            ) from error
        if not is_sound:
            raise ParquetError(f"a page of its column {chunk.path_in_schema} is not as paifu writes it")
        yield header
        at += length + header[_PACKED]
    if at != end:
        raise ParquetError(f"the pages of its column {chunk.path_in_schema} are not as long as it states")


def _numbers(header: dict[int, Any]) -> Iterator[int]:
    """Yield the numbers of a header that count; one is -1 when the page is of a kind that we do not write."""
    kind = header[_TYPE]
    inner = header[_DATA_HEADER if kind == _DATA_PAGE else _DICTIONARY_HEADER]
    is_ours = kind in (_DATA_PAGE, _DICTIONARY_PAGE) and inner[_ENCODING] in _ENCODINGS
    yield from (header[_PACKED], header[_UNPACKED], inner[_NUMBER], 0 if is_ours else -1)


class _Thrift:
    """Reads the compact form of Thrift in which Parquet keeps its headers; IndexError where it breaks off."""

    _DEPTH = 4

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def struct(self, depth: int = 0) -> tuple[dict[int, Any], int]:
        """Return fields by number, and how many bytes were read. Raises TypeError if it is not a struct."""
        if depth > self._DEPTH:
            raise TypeError("too deep")
        fields: dict[int, Any] = {}
        number = 0
        while byte := self._byte():
            number = number + (byte >> 4) if byte >> 4 else self._signed()
            fields[number] = self._value(byte & 15, depth)
        return fields, self._at

    def _value(self, kind: int, depth: int) -> Any:
        if kind in (1, 2):
            return kind == 1
        if kind == 3:
            return self._byte()
        if kind in (4, 5, 6):
            return self._signed()
        if kind == 8:
            length = self._varint()
            self._at += length
            return None
        if kind == 12:
            return self.struct(depth + 1)[0]
        raise TypeError("no header has a field of this type")

    def _byte(self) -> int:
        byte = self._data[self._at]
        self._at += 1
        return byte

    def _varint(self) -> int:
        value = 0
        for shift in range(0, 70, 7):
            byte = self._byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
        raise TypeError("a number without end")

    def _signed(self) -> int:
        value = self._varint()
        return value >> 1 ^ -(value & 1)
