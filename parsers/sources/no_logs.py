"""What a source is that holds no log, and what to do with it."""

from __future__ import annotations

import re

from paifu.parsers.errors import ParseError
from paifu.parsers.sources.detect import BOM, HEAD, LOGS, NO_LOGS, Format, plugin_readers

_LOOKS = (
    (re.compile(rb"\xff\xfe|\xfe\xff"), "UTF-16 text", "save it as UTF-8"),
    (
        re.compile(rb"\s*<(?:!doctype\s+)?html", re.IGNORECASE),
        "a web page",
        "save the log itself, not the page that shows it",
    ),
    *((re.compile(rb"\s*[\[{][^\0]*(?:" + mark + rb")"), *told) for mark, told in NO_LOGS.items()),
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
    if not head.removeprefix(BOM).strip():
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
