"""Members of zip and tar archives, one after the other, nothing written to disk.

Names of members are for display only. Skipped are folders, links (what they point at is a member of its
own, or none of paifu's) and hidden files. The standard library reads both kinds; what it would let a hostile
or broken archive do is stopped here: a table of contents or a header without bound, a header that claims
more data than there are, an end in the middle that looks like a proper end.
"""

from __future__ import annotations

import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import IO, BinaryIO, Self, cast

from paifu.parsers.errors import DamagedError, ParseError
from paifu.parsers.sources.documents import InputLimits
from paifu.parsers.sources.streams import CHUNK, Meter, Reader

_BLOCKS = 16 << 10  # bytes tarfile asks for at a time
_TAR_HEADER = 64 << 10  # a member's headers, long names and extended attributes in all

_ZIP_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}  # zipfile reads the others without bound on memory
_ENCRYPTED = 0x1
_ZIP_HEADER = 30  # bytes before a member's name and data


@dataclass(frozen=True, slots=True)
class Member:
    """A file in an archive: to be opened and read before the next member is asked for."""

    name: str
    open: Callable[[], Reader]
    meter: Meter


def zip_members(file: BinaryIO, meter: Meter, limits: InputLimits) -> Iterator[Member]:
    """Members of a zip archive in the order of its table of contents. ``file`` must be seekable."""
    try:
        archive = zipfile.ZipFile(cast("IO[bytes]", _Bounded(file, limits.max_directory)))
    except (zipfile.BadZipFile, NotImplementedError, ValueError, struct.error, OSError, EOFError) as error:
        raise ParseError(
            f"the zip archive is broken or cut off: {error}", hint="get the archive again"
        ) from error
    with archive:
        _check_apart(archive.infolist())
        for info in archive.infolist():
            if not info.is_dir() and not stat.S_ISLNK(info.external_attr >> 16):
                inner = meter.child(limits.ratio_floor, raw=info.compress_size)
                yield Member(info.filename, partial(_ZipMember, archive, info, inner), inner)


def _check_apart(members: list[zipfile.ZipInfo]) -> None:
    """Refuse an archive whose members share bytes, as only bombs do; later Pythons refuse each member."""
    end = 0
    for info in sorted(members, key=lambda info: info.header_offset):
        if info.header_offset < end:
            raise ParseError(
                "members of the zip archive overlap: not logs but a decompression bomb",
                hint="do not unpack it",
            )
        end = info.header_offset + _ZIP_HEADER + info.compress_size


class _Bounded:
    """A file that refuses to be read in one big gulp, which zipfile does with a table of contents."""

    def __init__(self, file: BinaryIO, most: int) -> None:
        self._file = file
        self._most = most
        self.seek = file.seek
        self.tell = file.tell
        self.seekable = file.seekable

    def read(self, size: int = -1, /) -> bytes:
        if size > self._most:
            raise ParseError(
                f"the zip archive's table of contents is bigger than {self._most >> 20} MiB",
                hint="split the archive, or unpack it and name the folder",
            )
        return self._file.read(size)


class _ZipMember:
    """A reader of one member."""

    def __init__(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo, meter: Meter) -> None:
        if info.flag_bits & _ENCRYPTED:
            raise ParseError("encrypted", hint="unpack the archive with its password and name the folder")
        if info.compress_type not in _ZIP_METHODS:
            raise ParseError(
                f"zip compression method {info.compress_type} is not supported",
                hint="unpack the archive and name the folder",
                code="V102",
            )
        self._meter = meter
        with _zip_errors():
            self._file = archive.open(info)

    def read(self, size: int, /) -> bytes:
        with _zip_errors():
            chunk = self._file.read(size)
        self._meter.charge(len(chunk))
        return chunk


_ZIP_ERRORS = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError)


@contextmanager
def _zip_errors() -> Iterator[None]:
    """Turn what zipfile raises about one member into a parse error."""
    try:
        yield
    except _ZIP_ERRORS as wrong:
        raise ParseError(f"broken in the zip archive: {wrong}", hint="get the archive again") from wrong


def tar_members(reader: Reader, location: str, meter: Meter) -> Iterator[Member]:
    """Members of a tar archive, in order, from a stream. ``location`` names the archive in its errors."""
    guard = _Guard(reader, location)
    try:
        with tarfile.open(
            fileobj=cast("IO[bytes]", guard), mode="r|", bufsize=_BLOCKS, tarinfo=_StrictInfo
        ) as tar:
            stream = cast("Reader", tar.fileobj)
            while (info := tar.next()) is not None:
                tar.members.clear()  # type: ignore[attr-defined]  # tarfile would keep them all
                guard.header_left = None
                member = _TarMember(stream, guard, info)
                if info.isreg():
                    yield Member(info.name, lambda member=member: member, meter)  # type: ignore[misc]
                while member.read(CHUNK):  # what the caller has left
                    pass
                guard.header_left = _TAR_HEADER
            guard.header_left = None
            _check_rest(stream, guard)
    except (tarfile.TarError, ValueError, IndexError, OverflowError, struct.error, RecursionError) as error:
        raise guard.broken(f"the tar archive is broken or cut off: {error}") from error


def _check_rest(stream: Reader, guard: _Guard) -> None:
    """Read past the end mark: there should be zeros, and the compression around should end well."""
    size = CHUNK
    while size == CHUNK:
        rest = stream.read(CHUNK)
        size = len(rest)
        if rest.strip(b"\0"):
            raise guard.broken("there is something else after the end of the tar archive")
    if guard.error is not None:
        raise guard.error


class _StrictInfo(tarfile.TarInfo):
    """A header that does not pass for the archive's end when it is broken, cut off or missing."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        if buf and not buf.strip(b"\0"):
            return super().frombuf(buf, encoding, errors)  # the end mark
        try:
            info = super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError as error:
            raise tarfile.ReadError(str(error)) from error
        if info.size < 0:
            raise tarfile.ReadError("negative size")
        return info


class _Guard:
    """The stream under tarfile: bounds its headers, and turns damage into an end that is asked for once."""

    def __init__(self, reader: Reader, location: str) -> None:
        self._reader = reader
        self._location = location
        self._ended = False
        self.error: ParseError | None = None
        self.header_left: int | None = _TAR_HEADER

    def broken(self, reason: str) -> ParseError:
        """The error that ends the archive: the damage met below if there was one, else ``reason``."""
        if self.error is None:
            self.error = DamagedError(reason, hint="get the archive again")
            self.error.location = self._location
        return self.error

    def read(self, size: int, /) -> bytes:
        if self._ended:
            raise self.broken("the tar archive is cut off")
        if self.header_left is not None:
            self.header_left -= size
            if self.header_left < 0:
                raise self.broken(f"a header of the tar archive is bigger than {_TAR_HEADER >> 10} KiB")
        try:
            chunk = self._reader.read(size)
        except ParseError as error:
            error.location = error.location or self._location
            self.error = error
            chunk = b""
        self._ended = not chunk
        return chunk


class _TarMember:
    """A reader of the data after a header; what there is before the archive breaks off is given out."""

    def __init__(self, stream: Reader, guard: _Guard, info: tarfile.TarInfo) -> None:
        if info.issparse():
            raise guard.broken(f"{info.name!r} is a sparse file, which is not supported")
        self._stream = stream
        self._guard = guard
        # Types nobody knows come with data, too; folders and links never do.
        has_data = info.isreg() or info.type not in tarfile.SUPPORTED_TYPES
        self._left = info.size if has_data else 0

    def read(self, size: int, /) -> bytes:
        if not self._left:
            return b""
        chunk = self._stream.read(min(size, self._left))
        if not chunk:
            raise self._guard.broken("the tar archive is cut off")
        self._left -= len(chunk)
        return chunk
