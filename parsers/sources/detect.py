"""Detect what a file is from its first bytes, never from its name.

:func:`sniff` wants the first few kilobytes (:data:`HEAD`). A text in no known format is
:attr:`Format.UNKNOWN`; :func:`unreadable` then says in words what it looks like and what to do about it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any

from paifu.parsers.errors import ANYTHING, ParseError
from paifu.replay.plugins import plugins

HEAD = 4096
"""Bytes that :func:`sniff` looks at."""


class Format(Enum):
    """What bytes can be. The value is the name shown to people."""

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


LOGS = frozenset(
    {
        Format.MJLOG,
        Format.PAIFU,
        Format.TENHOU6,
        Format.MJAI,
        Format.MAJSOUL,
        Format.MAJIANG,
        Format.MJX,
        Format.RIICHI_CITY,
        Format.MLEAGUE,
        Format.TONPUUSOU,
        Format.OF_PLUGIN,
    }
)
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

_BOM = b"\xef\xbb\xbf"
_MJLOG = re.compile(rb"<mjloggm[\s/>]")
_PAGE = re.compile(rb"<(?:!doctype\s+)?html", re.IGNORECASE)
_MAJSOUL = re.compile(
    rb"(?:\x03[\s\S]{2}\n\x00\x12[\s\S]{1,5})?"
    rb"(?:\n\x15\.lq\.GameDetailRecords|\x1a[\s\S]{1,4}\n[\s\S]\d{6}-[0-9a-f]{8}-)"
)
"""The head of a message: details, or a game's head with its link id, perhaps in a frame."""
_TONPUUSOU = re.compile(
    b"|".join(
        "={5} ?(?:東風戦|東南戦)[^\\n]{0,200}開始 ?\\d{4}/".encode(encoding)
        for encoding in ("utf-8", "cp932")
    )
)
"""The first line of a table: its name, and when it began; in UTF-8, or that of Japanese Windows."""
_JSON_URL = re.compile(rb"(?:https?://|tenhou\.net/)[^\s#]*#json=|#json=")

# In this order: our own log begins with its name; a Mahjong Soul or majiang file has a "log" of its own, an
# mjai line may carry anything.
_JSON_MARKS = (
    (re.compile(rb'\A\[?\s*\{\s*"paifu"\s*:'), Format.PAIFU),
    (
        re.compile(rb'"type"\s*:\s*"(?:none|hello|start_game|start_kyoku|tsumo|dahai)"|"mjai_log"\s*:'),
        Format.MJAI,
    ),
    (re.compile(rb'"head"\s*:\s*\{\s*"uuid"|"\.?(?:lq\.)?Record[A-Z]|"\.?lq\.'), Format.MAJSOUL),
    (re.compile(rb'"@type"\s*:\s*"(?:\.?lq\.)?Record|"name"\s*:\s*"NewRound"'), Format.MAJSOUL),
    (re.compile(rb'"(?:qijia|qipai|zhuangfeng)"\s*:'), Format.MAJIANG),
    (re.compile(rb'"log"\s*:\s*\['), Format.TENHOU6),
    (re.compile(rb'"ref"\s*:\s*"\d{10}gm-|"(?:ratingc|aka51)"\s*:'), Format.TENHOU6),
    (re.compile(rb'"paifu"\s*:\s*\d'), Format.PAIFU),
    (re.compile(rb'"cmd"\s*:\s*"(?:page|player|gamestart|kyokustart|point|dice|area)"'), Format.MLEAGUE),
    (re.compile(rb'"(?:handRecord|handEventRecord|handCardEncode)"\s*:'), Format.RIICHI_CITY),
    (
        re.compile(rb'"(?:public_?[oO]bservation|private_?[oO]bservations?|hidden_?[sS]tate)"\s*:'),
        Format.MJX,
    ),
)


_NO_LOGS = (
    (
        re.compile(rb'"nested"\s*:\s*\{\s*"lq"\s*:'),
        "the description of Mahjong Soul's protocol, which holds no game",
        "name the records themselves",
    ),
    (
        re.compile(rb'"(?:initdata|walltiles)"\s*:|"logs?"\s*:\s*\[\s*\{\s*"output"\s*:'),
        "a match of Botzone, where mahjong is played under Chinese Official rules (MCR)",
        "paifu knows neither these rules nor such logs",
    ),
)
"""JSON that has words of a log and is none: a mark of it, what it is, what to do."""


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


def _sniff(head: bytes) -> Format:
    for magic, found in _MAGIC:
        if head.startswith(magic):
            return found
    if _MAJSOUL.match(head):
        return Format.MAJSOUL
    if head[257:262] == b"ustar":
        return Format.TAR
    text = head[:HEAD].removeprefix(_BOM).lstrip()
    if text.startswith(b"<"):
        is_log = text.startswith(b"<mjloggm") or not _PAGE.match(text)
        return Format.MJLOG if is_log and _MJLOG.search(text) else Format.UNKNOWN
    if text.startswith((b"{", b"[")):
        if any(mark.search(text) for mark, _, _ in _NO_LOGS):
            return Format.UNKNOWN
        return next((found for mark, found in _JSON_MARKS if mark.search(text)), Format.UNKNOWN)
    if _TONPUUSOU.match(text):
        return Format.TONPUUSOU
    return Format.TENHOU6 if _JSON_URL.match(text) else Format.UNKNOWN


_LOOKS = (
    (re.compile(rb"\xff\xfe|\xfe\xff"), "UTF-16 text", "save it as UTF-8"),
    (
        re.compile(rb"\s*<(?:!doctype\s+)?html", re.IGNORECASE),
        "a web page",
        "save the log itself, not the page that shows it",
    ),
    *(
        (re.compile(rb"\s*[\[{][^\0]*(?:" + mark.pattern + rb")"), what, hint)
        for mark, what, hint in _NO_LOGS
    ),
    (
        re.compile(rb'\s*(?:\{\s*["}]|\[\s*(?:["\[{\]\d-]|true\b|false\b|null\b))'),
        "JSON of a kind paifu does not know",
        "",
    ),
    (re.compile(rb"\s*<"), "XML or HTML of a kind paifu does not know", ""),
)


_LISTS = (
    (
        re.compile(rb'\s*\[\s*\{[^\0]*"(?:modeId|gradingScore)"\s*:'),
        "a list of games of amae-koromo",
        re.compile(r'"uuid"\s*:\s*"([^"]+)"'),
    ),
    (
        re.compile(rb"[^\0]*[?&;]log=\d{8,10}gm-"),
        "a list of links to logs",
        re.compile(r"log=(\d{8,10}gm-[0-9a-f]{4}-\d{4,5}-x?[0-9a-f]{8,12})"),
    ),
    (
        re.compile(rb"(?:[^\0]*\n)?(?:[CL]\d{4,5} \| )?\d\d:\d\d \| "),
        "a list of a day's games on Tenhou",
        re.compile(r"(\d{8,10}gm-[0-9a-f]{4}-\d{4,5}-x?[0-9a-f]{8,12})"),
    ),
)
"""Texts that name logs and hold none: how they begin, what they are, and an id in them."""


def _list_of_logs(head: bytes, text: str) -> ParseError | None:
    for pattern, what, one in _LISTS:
        if pattern.match(head[:HEAD]):
            count = len(set(one.findall(text or head.decode(errors="replace"))))
            names = f"it names {count} log{'s' * (count != 1)} and holds none" if count else "it names no log"
            hint = "download the logs that it names" if count else ""
            return ParseError(f"not a log: this is {what}; {names}", hint=hint, code="V102")
    return None


def unreadable(kind: Format, head: bytes, text: str = "") -> ParseError:
    """Why a source of this kind, beginning with ``head``, cannot be read as logs.

    ``text`` is what of it was searched for logs.
    """
    names = [kind.value for kind in LOGS - {Format.OF_PLUGIN}] + [reader.name for reader in plugin_readers()]
    known = "known are: " + ", ".join(sorted(names))
    if not head.removeprefix(_BOM).strip():
        hint = "get the log again; Tenhou's mjlog2json sends nothing for some logs, but their mjlog is there"
        return ParseError("the file is empty", hint=hint)
    if kind is Format.ZSTD:
        return ParseError("zstd compression is not supported", hint="unpack it with zstd -d", code="V102")
    if kind is Format.PARQUET:
        hint = "name the folder of the dataset, not a file in it"
        return ParseError("this is a Parquet table, not a log", hint=hint, code="V102")
    if (names_logs := _list_of_logs(head, text)) is not None:
        return names_logs
    for pattern, what, hint in _LOOKS:
        if pattern.match(head[:HEAD]):
            return ParseError(f"not a log: this is {what}", hint=hint or known, code="V102")
    return ParseError("not a log", hint=known, code="V102")
