"""Logs inside other texts: a saved page, a chat, a note with an address in it.

A text that is not a log is searched for the marks of one. One value is decoded from each mark on; what is
around it is left alone. JSON in an attribute of a page has its quotation marks as ``&quot;``.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator

from paifu.parsers.sources.detect import LOGS, Format, sniff

_MARK = re.compile(
    r"""<mjloggm[\s>]|#json=|UMP_PLAYER\.init\(|\{(?=\s*(?:"|&quot;)(?:title|ver|ref|ratingc|lobby|name|rule|log|handRecord|keyValue|fangFu|code)(?:"|&quot;)\s*:)"""
)
_END_OF_ROOT = "</mjloggm>"
_ADDRESS = re.compile(r"#json=(?:%7[Bb]|%5[Bb]|[{\[])[^\s\"'<>]*")
_IN_ATTRIBUTE = re.compile(r"\{\s*&quot;")
_END_OF_ATTRIBUTE = re.compile(r"[\"<>]")
_DECODER = json.JSONDecoder()
_FIRST_PIECE = 1 << 12
_LONGEST_TOKEN = 32
"""Characters at the end of a cut text that may be the beginning of a word, a number or an entity."""
_STEPS_A_CHARACTER = 16
"""Characters looked at, for each of the text, before the search is given up: more than genuine pages need."""
_STEPS = 1 << 16
"""And as many more for a short text."""

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
    return Search(text).logs()


class Search:
    """The search of one text, in a number of steps that grows no faster than the text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.steps = 0
        """Characters that were looked at, as often as they were."""
        self._most = _STEPS + _STEPS_A_CHARACTER * len(text)
        self._found: dict[str | re.Pattern[str], tuple[int, int]] = {}
        """What was looked for from one place on, and where it is first."""

    def logs(self) -> Iterator[tuple[Format, bytes]]:
        """Yield format and text of each log."""
        at = 0
        while self.steps < self._most and (mark := _MARK.search(self.text, at)):
            self.steps += mark.end() - at
            found, end = self._log_at(mark)
            self.steps += len(found)
            data = found.encode("utf-8", "replace")
            kind = sniff(data) if data else Format.UNKNOWN
            at = mark.end()
            if kind in LOGS:
                yield kind, data
                at = max(end, at)

    def _find(self, wanted: str | re.Pattern[str], begin: int) -> int:
        """Find something from a place on, -1 if it is not there; what was passed is not looked at again."""
        since, found = self._found.get(wanted, (len(self.text), -1))
        if not since <= begin or -1 < found < begin:
            if isinstance(wanted, str):
                found = self.text.find(wanted, begin)
            else:
                match = wanted.search(self.text, begin)
                found = match.start() if match else -1
            self._found[wanted] = begin, found
            self.steps += (len(self.text) if found < 0 else found) - begin
        return found

    def _log_at(self, mark: re.Match[str]) -> tuple[str, int]:
        """Return the value that begins with a mark, and where it ends; empty if there is none."""
        text, begin = self.text, mark.start()
        if mark[0].startswith("<"):
            end = self._find(_END_OF_ROOT, begin)
            return (text[begin : end + len(_END_OF_ROOT)], end) if end >= 0 else ("", begin)
        if mark[0].startswith("UMP_PLAYER"):
            return self._mleague_at(begin)
        if mark[0] == "#json=":
            return self._address_at(mark)
        if not _IN_ATTRIBUTE.match(text, begin):
            found = self._json_at(text, begin)
            return found, begin + len(found)
        end = self._find(_END_OF_ATTRIBUTE, begin)
        end = len(text) if end < 0 else end
        return self._json_at(text, begin, end, html.unescape), end

    def _address_at(self, mark: re.Match[str]) -> tuple[str, int]:
        """Return the log that an address carries, as it is or percent-encoded."""
        text = self.text
        if text[mark.end() : mark.end() + 1] in ("{", "[") and (found := self._json_at(text, mark.end())):
            return found, mark.end() + len(found)
        address = _ADDRESS.match(text, mark.start())
        return (html.unescape(address[0]).rstrip(").,。、"), address.end()) if address else ("", mark.start())

    def _mleague_at(self, begin: int) -> tuple[str, int]:
        """Return the commands that a page of the M.League gives its viewer, after the page's date."""
        first = self._find(_FIRST_COMMAND, begin)
        last = self._find(_LAST_COMMAND, first + len(_FIRST_COMMAND)) if first >= 0 else -1
        if last < 0:
            return "", begin
        self.steps += last - first
        listed = _QUOTED.sub(r"\1", self.text[first + 1 : last + len(_LAST_COMMAND) - 1])
        commands, end = self._json_at(listed, 0), last + len(_LAST_COMMAND)
        head = json.dumps({"cmd": "page", "args": [self._date()]}, ensure_ascii=False)
        return (f"[{head},{commands[1:]}" if commands else "", end)

    def _date(self) -> str:
        """What a page of the M.League says when it was played."""
        place = self._find(_DATE_OF_PAGE, 0)
        begin = self._find(">", place) + 1 if place >= 0 else 0
        return html.unescape(self.text[begin : begin + _LONGEST_DATE].partition("<")[0]) if begin else ""

    def _json_at(
        self, text: str, begin: int, end: int | None = None, clean: Callable[[str], str] = str
    ) -> str:
        """Return the JSON value that begins somewhere, empty if there is none.

        It is looked at in pieces that grow, so that what is wrong at once costs little in a long text.
        """
        end, size = len(text) if end is None else end, _FIRST_PIECE
        while self.steps < self._most:
            piece = clean(text[begin : min(begin + size, end)])
            try:
                _, length = _DECODER.raw_decode(piece)
            except json.JSONDecodeError as error:
                is_cut = "Unterminated" in error.msg or error.pos > len(piece) - _LONGEST_TOKEN
                self.steps += len(piece) if is_cut else error.pos
                if not is_cut or begin + size >= end:
                    return ""
            except (ValueError, RecursionError):  # a number without end, or brackets
                self.steps += len(piece)
                return ""
            else:
                return piece[:length]
            size *= 4
        return ""


_FIRST_COMMAND, _LAST_COMMAND, _DATE_OF_PAGE = "'[{", "}]'", 'id="dateTime"'
_LONGEST_DATE = 80
_QUOTED = re.compile(r"\\(['\\])")
