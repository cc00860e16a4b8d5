"""Detect what a file is from its first bytes, never from its name.

:func:`sniff` wants the first few kilobytes (:data:`HEAD`). A text in no known format is
:attr:`Format.UNKNOWN`; :func:`unreadable` then says in words what it looks like and what to do about it.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import takewhile
from typing import Any

from paifu.parsers.errors import ANYTHING
from paifu.replay.plugins import plugins

HEAD = 4096
"""Bytes that :func:`sniff` looks at."""
XML_HEAD = 256
"""As many show what XML is."""
_PACKED_HEAD = 1024


class Format(Enum):
    """What bytes can be: first what is the text of a log. The value is the name shown to people."""

    MJLOG = "Tenhou mjlog"
    PAIFU = "paifu log"
    TENHOU6 = "tenhou.net/6 JSON"
    MJAI = "mjai"
    MAJSOUL = "Mahjong Soul"
    MAJIANG = "majiang"
    MJX = "mjx"
    RIICHI_CITY = "Riichi City"
    MLEAGUE = "M.League page"
    TONPUUSOU = "Tonpuusou text"
    OF_PLUGIN = "a format of a plug-in"
    GZIP = "gzip"
    BZ2 = "bzip2"
    XZ = "xz"
    ZSTD = "zstd"
    ZIP = "zip"
    TAR = "tar"
    SQLITE = "SQLite database"
    PARQUET = "Parquet"
    UNKNOWN = "unknown"


LOGS = frozenset(takewhile(lambda kind: kind is not Format.GZIP, Format))
"""Formats that are the text of a log."""

COMPRESSIONS = frozenset({Format.GZIP, Format.BZ2, Format.XZ})
"""Formats that wrap one stream of bytes."""

_MAGIC = (
    (b"\x1f\x8b", Format.GZIP),
    (b"PK\x03\x04", Format.ZIP),
    (b"PK\x05\x06", Format.ZIP),  # a zip without members
    (b"PK\x07\x08", Format.ZIP),
    (b"BZh", Format.BZ2),
    (b"\xfd7zXZ\x00", Format.XZ),
    (b"\x28\xb5\x2f\xfd", Format.ZSTD),
    (b"SQLite format 3\x00", Format.SQLITE),
    (b"PAR1", Format.PARQUET),
)
_FIRST_BYTES = tuple(magic for magic, _ in _MAGIC)

BOM = b"\xef\xbb\xbf"
_MJLOG = re.compile(rb"<mjloggm[\s/>]")
_PAGE = re.compile(rb"(?i)<(?:!doctype\s+)?html")
_MAJSOUL = re.compile(
    rb"(?:\x03[\s\S]{2}\n\x00\x12[\s\S]{1,5})?"
    rb"(?:\n\x15\.lq\.GameDetailRecords|\x1a[\s\S]{1,4}\n[\s\S]\d{6}-[0-9a-f]{8}-)"
)
"""The head of a message: details, or a game's head with its link id, perhaps in a frame."""
_TONPUUSOU = re.compile(
    b"|".join("={5} ?(?:東風戦|東南戦)[^\\n]{0,200}開始 ?\\d{4}/".encode(code) for code in ("utf-8", "cp932"))
)
"""The first line of a table: its name, and when it began; in UTF-8, or that of Japanese Windows."""
_JSON_URL = re.compile(rb"(?:https?://|tenhou\.net/)[^\s#]*#json=|#json=")

# In this order: our own log begins with its name; a Mahjong Soul or majiang file has a "log" of its own, an
# mjai line may carry anything.
_JSON_MARKS = (
    (rb'\A\[?\s*\{\s*"paifu"\s*:', Format.PAIFU),
    (
        rb'"type"\s*:\s*"(?:none|hello|start_game|start_kyoku|tsumo|dahai)"|"mjai_log"\s*:',
        Format.MJAI,
    ),
    (rb'"head"\s*:\s*\{\s*"uuid"|"\.?(?:lq\.)?Record[A-Z]|"\.?lq\.', Format.MAJSOUL),
    (rb'"@type"\s*:\s*"(?:\.?lq\.)?Record|"name"\s*:\s*"NewRound"', Format.MAJSOUL),
    (rb'"(?:qijia|qipai|zhuangfeng)"\s*:', Format.MAJIANG),
    (rb'"log"\s*:\s*\[', Format.TENHOU6),
    (rb'"ref"\s*:\s*"\d{10}gm-|"(?:ratingc|aka51)"\s*:', Format.TENHOU6),
    (rb'"paifu"\s*:\s*\d', Format.PAIFU),
    (rb'"cmd"\s*:\s*"(?:page|player|gamestart|kyokustart|point|dice|area)"', Format.MLEAGUE),
    (rb'"(?:handRecord|handEventRecord|handCardEncode)"\s*:', Format.RIICHI_CITY),
    (rb'"(?:public_?[oO]bservation|private_?[oO]bservations?|hidden_?[sS]tate)"\s*:', Format.MJX),
)

NO_LOGS = {
    rb'"nested"\s*:\s*\{\s*"lq"\s*:': (
        "the description of Mahjong Soul's protocol, which holds no game",
        "name the records themselves",
    ),
    rb'"(?:initdata|walltiles)"\s*:|"logs?"\s*:\s*\[\s*\{\s*"output"\s*:': (
        "a match of Botzone, where mahjong is played under Chinese Official rules (MCR)",
        "paifu knows neither these rules nor such logs",
    ),
}
"""A mark of JSON that has words of a log and is none -> what it is, and what to do about it."""


@dataclass(frozen=True, slots=True)
class PluginReader:
    """A reader of a format that paifu does not know: what a plug-in of the group ``paifu.readers`` offers."""

    name: str
    """The format's, for people."""
    matches: Callable[[bytes], bool]
    """Tell from at most :data:`HEAD` bytes whether a source may be of this format."""
    read: Callable[[Any, bytes, Any], None]
    """Read a ``Document``, whose unpacked bytes come second, into a ``BatchBuilder``."""


@cache
def plugin_readers() -> tuple[PluginReader, ...]:
    """Return the readers of installed plug-ins, loaded when a source is of no format that paifu knows."""
    return plugins("paifu.readers", PluginReader, lambda reader: [reader.name], [fmt.value for fmt in Format])


def plugin_reader(head: bytes) -> PluginReader | None:
    """Return the first plug-in's reader that takes a source for its own; one that fails does not."""
    for reader in plugin_readers():
        with suppress(*ANYTHING):
            if reader.matches(head[:HEAD]):
                return reader
    return None


def sniff(head: bytes) -> Format:
    """The format of a source that begins with ``head``; more than :data:`HEAD` bytes are not looked at."""
    found = _sniff(head)
    return Format.OF_PLUGIN if found is Format.UNKNOWN and head and plugin_reader(head) else found


def kind_by_magic(head: bytes) -> Format:
    """The format of a source whose first bytes are always the same: all that is compressed, and databases."""
    if not head.startswith(_FIRST_BYTES):
        return Format.UNKNOWN
    return next(found for magic, found in _MAGIC if head.startswith(magic))


def _sniff(head: bytes) -> Format:
    if (packed := kind_by_magic(head)) is not Format.UNKNOWN:
        return packed
    if _MAJSOUL.match(head):
        return Format.MAJSOUL
    if head[257:262] == b"ustar":
        return Format.TAR
    text = head[:HEAD].removeprefix(BOM).lstrip()
    if text.startswith(b"<"):
        is_log = text.startswith(b"<mjloggm") or not _PAGE.match(text)
        return Format.MJLOG if is_log and _MJLOG.search(text) else Format.UNKNOWN
    if text.startswith((b"{", b"[")):
        if any(re.search(mark, text) for mark in NO_LOGS):
            return Format.UNKNOWN
        return next((found for mark, found in _JSON_MARKS if re.search(mark, text)), Format.UNKNOWN)
    if _TONPUUSOU.match(text):
        return Format.TONPUUSOU
    return Format.TENHOU6 if _JSON_URL.match(text) else Format.UNKNOWN


def gzipped_xml(data: bytes) -> bytes:
    """Return the beginning of XML that is compressed by gzip; nothing of anything else."""
    try:
        head = zlib.decompressobj(wbits=31).decompress(data[:_PACKED_HEAD], XML_HEAD)
    except zlib.error:
        return b""
    return head if len(head) == XML_HEAD and head.startswith(b"<") else b""
