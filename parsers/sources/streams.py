"""Readers under the sources: look ahead, decompress, and stop what unpacks without measure.

A reader has one method, ``read(size)``: at most ``size`` bytes, empty at the end, :class:`ParseError` where
the bytes cannot be had (:class:`DamagedError` if all that came before is sound). Readers nest: a file, its
gzip layer, a tar in it, a member of that, the member's own gzip layer.
"""

from __future__ import annotations

import bz2
import lzma
import zlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import Protocol

from paifu.parsers.errors import DamagedError, ParseError, too_big
from paifu.parsers.sources.detect import Format, kind_by_magic

CHUNK = 1 << 18
"""Bytes asked for at a time."""

_XZ_MEMORY = 96 << 20  # `xz -9` needs 65 MiB; more is asked for by mistake or by malice
_PADDING_LOOK = 6  # bytes of the longest magic number


class Reader(Protocol):
    """Anything that gives bytes in order."""

    def read(self, size: int, /) -> bytes:
        """At most ``size`` bytes, empty only at the end."""
        ...


class Meter:
    """Counts what a source unpacks to against its raw size.

    Meters nest like the readers do: what a member unpacks to is charged to its archive too, so many small
    bombs, or one that all members share, are found at the top. The top's error carries the location of the
    whole source, which is then given up; others concern one member.
    """

    def __init__(
        self, ratio: int, floor: int, *, raw: int = 0, parent: Meter | None = None, location: str = ""
    ) -> None:
        self.raw = raw
        self._ratio = ratio
        self._floor = floor
        self._parent = parent
        self._location = location
        self._unpacked = 0

    def charge(self, size: int) -> None:
        """Note ``size`` more unpacked bytes; raise when they are too many for the raw bytes seen so far."""
        self._unpacked += size
        if self._unpacked > self._floor + self._ratio * self.raw:
            raise ParseError(
                f"unpacks to more than {self._ratio} times its size: not a log but a decompression bomb",
                hint="do not unpack it",
                location=self._location,
            )
        if self._parent is not None:
            self._parent.charge(size)

    def child(self, floor: int, *, raw: int = 0) -> Meter:
        """A meter for one layer inside this one."""
        return Meter(self._ratio, floor, raw=raw, parent=self)


class Peekable:
    """A reader that can be looked into; an error met while looking is raised when reading gets there."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._ahead = b""
        self._at = 0
        self.ended = False
        self.error: ParseError | None = None

    def peek(self, size: int) -> bytes:
        """The next ``size`` bytes, fewer only before the end or an error; they stay to be read."""
        parts = [self._ahead[self._at :]]
        have = len(parts[0])
        while have < size and not self.ended and self.error is None:
            try:
                chunk = self._reader.read(max(CHUNK, size - have))
            except ParseError as error:
                self.error = error
                break
            self.ended = not chunk
            have += len(chunk)
            parts.append(chunk)
        self._ahead, self._at = b"".join(parts), 0
        return self._ahead[:size]

    def read(self, size: int) -> bytes:
        """At most ``size`` bytes."""
        if self._at < len(self._ahead):
            chunk = self._ahead[self._at : self._at + size]
            self._at += len(chunk)
            return chunk
        self._ahead, self._at = b"", 0
        if self.error is not None:
            raise self.error
        return b"" if self.ended else self._reader.read(size)


class _Engine(Protocol):
    """What the three decompressors of the standard library share."""

    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _Inflate:
    """zlib's decompressor, keeping its unread input to itself as the others do."""

    def __init__(self) -> None:
        self._zlib = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        return self._zlib.eof

    @property
    def unused_data(self) -> bytes:
        return self._zlib.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._zlib.decompress(self._zlib.unconsumed_tail + data, max_length)


_ENGINES: Mapping[Format, Callable[[], _Engine]] = {
    Format.GZIP: _Inflate,
    Format.BZ2: bz2.BZ2Decompressor,
    Format.XZ: partial(lzma.LZMADecompressor, format=lzma.FORMAT_XZ, memlimit=_XZ_MEMORY),
}


class Unpacked:
    """The plain bytes of a gzip, bzip2 or xz stream, of all its members if there are several.

    Zero bytes between and after members are padding; anything else after them is damage.
    """

    def __init__(self, raw: Reader, kind: Format, meter: Meter) -> None:
        self._raw = raw
        self._kind = kind
        self._meter = meter
        self._engine = _ENGINES[kind]()
        self._pending = b""
        self._position = 0
        self._finished = False
        self._error: ParseError | None = None

    def read(self, size: int) -> bytes:
        """At most ``size`` plain bytes."""
        if self._error is not None:
            raise self._error
        try:
            chunk = self._next(size)
            self._meter.charge(len(chunk))
        except ParseError as error:
            self._error = error
            raise
        self._position += len(chunk)
        return chunk

    def _next(self, size: int) -> bytes:
        while not self._finished:
            if self._engine.eof:
                self._start_member()
                continue
            try:
                pending, self._pending = self._pending, b""
                chunk = self._engine.decompress(pending, size)
            except (zlib.error, lzma.LZMAError, OSError, EOFError, ValueError) as error:
                raise ParseError(
                    f"the {self._kind.value} data are corrupt",
                    place=f"after {self._position} unpacked bytes",
                    hint="get the file again",
                ) from error
            if chunk:
                return chunk
            if not self._engine.eof:
                self._pending = self._take()
                if not self._pending:
                    raise DamagedError(
                        f"the {self._kind.value} data are cut off",
                        place=f"after {self._position} unpacked bytes",
                        hint="get the file again",
                    )
        return b""

    def _take(self) -> bytes:
        chunk = self._raw.read(CHUNK)
        self._meter.raw += len(chunk)
        return chunk

    def _start_member(self) -> None:
        rest = self._engine.unused_data.lstrip(b"\0")
        while len(rest) < _PADDING_LOOK and (more := self._take()):
            rest = (rest + more).lstrip(b"\0")
        if not rest:
            self._finished = True
        elif kind_by_magic(rest) is self._kind:
            self._engine = _ENGINES[self._kind]()
            self._pending = rest
        else:
            raise DamagedError(
                f"there is something else after the {self._kind.value} data",
                place=f"after {self._position} unpacked bytes",
                hint="what comes before it was read; get the file again",
            )


def read_all(reader: Reader, most: int) -> bytes:
    """Everything a reader has, refused when it is more than ``most`` bytes.

    Raises DamagedError with what was readable when the input breaks off.
    """
    parts: list[bytes] = []
    size = 0
    try:
        while chunk := reader.read(CHUNK):
            size += len(chunk)
            if size > most:
                raise too_big(most)
            parts.append(chunk)
    except DamagedError as error:
        error.readable = b"".join(parts)
        raise
    return b"".join(parts)
