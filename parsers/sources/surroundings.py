"""Logs inside other texts: a saved page, a chat, a note with an address in it.

A text that is not a log is searched for the marks of one. One value is decoded from each mark on; what is
around it is left alone. JSON in an attribute of a page has its quotation marks as ``&quot;``.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator

from paifu.parsers.sources.detect import LOGS, Format, sniff

_MARK = re.compile(
    r"""<mjloggm[\s>]|#json=|UMP_PLAYER\.init\(|\{(?=\s*(?:"|&quot;)(?:title|ver|ref|ratingc|lobby|name|rule|log|handRecord|keyValue|fangFu|code)(?:"|&quot;)\s*:)"""
)
_END_OF_ROOT = "</mjloggm>"
_ADDRESS = re.compile(r"#json=(?:%7[Bb]|%5[Bb]|[{\[])[^\s\"'<>]*")
_ESCAPED = re.compile(r'\{\s*&quot;[^"<>]*')
_MOST_TRIES = 200
"""Marks from which nothing can be decoded before the search is given up."""
_DECODER = json.JSONDecoder()

SEARCHED = 4 << 20
"""How many bytes of a text that is not a log are searched for one."""
_LOOKED_AT = 64


def wide_encoding(head: bytes) -> str:
    """Name the encoding of a text of two bytes a character, empty for others: by its mark, or its zeros."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    some = head[:_LOOKED_AT]
    if len(some) >= 4 and not len(some) % 2:
        if not any(some[1::2]) and all(some[::2]):
            return "utf-16-le"
        if not any(some[::2]) and all(some[1::2]):
            return "utf-16-be"
    return ""


_NO_CHARACTER = re.compile("[\x80\uf8f0-\uf8f3]")
"""What Python makes of the bytes that Japanese Windows does not use."""


def decoded(data: bytes, encoding: str) -> str:
    """Decode a text of this encoding, or of UTF-8 or that of Japanese Windows; empty if it is in neither."""
    for one in (encoding,) if encoding else ("utf-8", "cp932"):
        try:
            text = data.decode(one)
        except UnicodeDecodeError as error:
            if one == "utf-8" and error.start >= len(data) - 3:
                return data[: error.start].decode()  # cut within a character
        else:
            if one != "cp932" or not _NO_CHARACTER.search(text):
                return text
    return ""


def logs_within(text: str) -> Iterator[tuple[Format, bytes]]:
    """Yield format and text of each log in a text that is not a log.

    >>> [kind.value for kind, _ in logs_within('see https://tenhou.net/6/#json=%7B%22log%22%3A%5B%5D%7D )')]
    ['tenhou.net/6 JSON']
    """
    at, tries = 0, 0
    while tries < _MOST_TRIES and (mark := _MARK.search(text, at)):
        found, end = _log_at(text, mark)
        data = found.encode("utf-8", "replace")
        kind = sniff(data) if data else Format.UNKNOWN
        if kind in LOGS:
            yield kind, data
            at = max(end, mark.end())
        else:
            tries += 1
            at = mark.end()


def _log_at(text: str, mark: re.Match[str]) -> tuple[str, int]:
    """Return the value that begins with a mark, and where it ends; empty if there is none."""
    begin = mark.start()
    if mark[0].startswith("<"):
        end = text.find(_END_OF_ROOT, begin)
        return (text[begin : end + len(_END_OF_ROOT)], end) if end >= 0 else ("", begin)
    if mark[0].startswith("UMP_PLAYER"):
        return _mleague_at(text, begin)
    if mark[0] == "#json=":
        first = text[mark.end() : mark.end() + 1]
        if first in ("{", "["):
            found, end = _json_at(text, mark.end())
            if found:
                return found, end
        address = _ADDRESS.match(text, begin)
        return (html.unescape(address[0]).rstrip(").,。、"), address.end()) if address else ("", begin)
    escaped = _ESCAPED.match(text, begin)
    if escaped:
        found, _ = _json_at(html.unescape(escaped[0]), 0)
        return found, escaped.end()
    return _json_at(text, begin)


_COMMANDS = re.compile(r"'(\[\{.*?\}\])'", re.DOTALL)
_DATE_OF_PAGE = re.compile(r'id="dateTime"[^>]*>([^<]{0,80})')
_QUOTED = re.compile(r"\\(['\\])")


def _mleague_at(text: str, begin: int) -> tuple[str, int]:
    """Return the commands that a page of the M.League gives its viewer, with the page's date before them."""
    found = _COMMANDS.search(text, begin)
    if not found:
        return "", begin
    commands, _ = _json_at(_QUOTED.sub(r"\1", found[1]), 0)
    date = _DATE_OF_PAGE.search(text)
    head = json.dumps({"cmd": "page", "args": [html.unescape(date[1]) if date else ""]}, ensure_ascii=False)
    return (f"[{head},{commands[1:]}" if commands else "", found.end())


def _json_at(text: str, begin: int) -> tuple[str, int]:
    try:
        _, end = _DECODER.raw_decode(text, begin)
    except (ValueError, RecursionError):
        return "", begin
    return text[begin:end], end
