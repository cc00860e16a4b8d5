"""Elements of a log in any XML, one after the other: a flat list under one root.

Nothing that a document declares is expanded and nothing is fetched: a document type is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

from lxml import etree

from paifu.parsers.errors import MAX_UNKNOWN, ParseError
from paifu.parsers.mjlog.values import Element

MAX_ATTRIBUTES = 100
"""Maximum for one element; a last AGARI has 19. lxml looks for each value along all of them."""
MAX_VALUE = 20_000
"""Bytes of one attribute; the longest known, the seed of an old wall, has some 6,000."""
_MAX_ELEMENTS = 300_000
"""With the attributes; the biggest game has some 5,000. lxml takes 400 bytes of memory for each."""
_MAX_STATED = 100
"""Characters of a value that an error repeats."""


_TAG = re.compile(rb"<[A-Za-z_]\w*+((?:\s++[A-Za-z_]\w*+\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'))++)\s*+/?>")
_ATTRIBUTE = re.compile(rb"\s++([A-Za-z_]\w*+)\s*+=\s*+(\"[^\"]*+\"|'[^']*+')")


def elements(root: bytes, root_name: bytes, doubts: list[ParseError]) -> Iterator[Element]:
    """Yield each element; raise ParseError at the place where the XML breaks.

    An element is reported when it ends: when it begins, a cut may have left half its name or attributes. Only
    the root is reported at once. An attribute that occurs twice is read once if both say the same. Otherwise
    it is left out, and told in ``doubts``.
    """
    if root.count(b"<") + root.count(b"=") > _MAX_ELEMENTS:
        raise ParseError(
            f"the XML has more than {_MAX_ELEMENTS:,} elements and attributes, which no game has",
            hint="get the log again",
        )
    if b"<!DOCTYPE" in root or b"<!ENTITY" in root:
        raise ParseError("the XML declares a document type", hint="no genuine log does; do not trust it")
    root = _readable(root.lstrip())
    parser, error, stray = _parsed(root)
    if error is not None and _first(parser, error)[0] == etree.ErrorTypes.ERR_ATTRIBUTE_REDEFINED:
        parser, error, stray = _parsed(_with_each_once(root, doubts))
    for moment, element in cast(Iterator[tuple[str, etree._Element]], parser.read_events()):
        name = str(element.tag).encode()
        if (moment == "start") == (name == root_name):
            if len(element.attrib) > MAX_ATTRIBUTES:
                raise _oversized(
                    element, f"has {len(element.attrib)} attributes; a log's have {MAX_ATTRIBUTES} at most"
                )
            names, values = map(str, element.attrib), map(str, element.attrib.values())
            found = name, [n.encode() for n in names], [v.encode() for v in values]
            if max(map(len, (name, *found[1], *found[2]))) > MAX_VALUE:
                raise _oversized(element, f"holds a text of more than {MAX_VALUE} bytes")
            yield found
    if error is not None:
        _kind, message, line, column = _first(parser, error)
        raise ParseError(
            f"the XML breaks off or is not well-formed: {message}",
            place=f"line {line} column {column}",
            hint="fetch the log again; complete hands before this place were kept",
        ) from error
    if stray is not None:
        raise ParseError(
            "there is text between the elements", place=f"line {stray.sourceline}", hint="fetch the log again"
        )


_VALUE = re.compile(rb'"[^"<&]*"')


def _readable(root: bytes) -> bytes:
    """Replace bytes of values that are not UTF-8, so that the game is read on."""
    if root.isascii() or root.startswith(b"<?xml"):
        return root
    return _VALUE.sub(lambda value: value[0].decode("utf-8", "replace").encode(), root)


def _parsed(root: bytes) -> tuple[etree.XMLPullParser, etree.XMLSyntaxError | None, etree._Element | None]:
    """Parse a root as far as it is XML; returns what is wrong, too, and the first element that holds text."""
    parser = etree.XMLPullParser(
        events=("start", "end"), resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    try:
        parser.feed(root)
        return parser, None, next(filter(_holds_text, parser.close().iter()), None)
    except etree.XMLSyntaxError as error:
        return parser, error, None


def _first(parser: etree.XMLPullParser, error: etree.XMLSyntaxError) -> tuple[int, str, int, int]:
    """Return type, message, line and column of the first thing wrong with some XML."""
    for entry in parser.feed_error_log:
        return entry.type, entry.message, entry.line, entry.column
    return 0, error.msg, *error.position


def _with_each_once(root: bytes, doubts: list[ParseError]) -> bytes:
    """Blank out attributes that repeat one of their element, and all of a name where they differ."""
    text = bytearray(root)
    for tag in _TAG.finditer(root):
        found: dict[bytes, list[re.Match[bytes]]] = {}
        for attribute in _ATTRIBUTE.finditer(root, tag.start(1), tag.end(1)):
            found.setdefault(attribute[1], []).append(attribute)
        for name, places in found.items():
            values = list(dict.fromkeys(place[2][1:-1] for place in places))
            if len(values) > 1 and len(doubts) < MAX_UNKNOWN:
                doubts.append(_doubt(root, tag, name, values))
            for place in places[len(values) == 1 :]:
                text[place.start() : place.end()] = re.sub(rb"[^\n]", b" ", place[0])
    return bytes(text)


def _doubt(root: bytes, tag: re.Match[bytes], name: bytes, values: list[bytes]) -> ParseError:
    stated = " and as ".join(repr(value.decode("utf-8", "replace")[:_MAX_STATED]) for value in values[:2])
    line = root.count(b"\n", 0, tag.start()) + 1
    column = tag.start() - root.rfind(b"\n", 0, tag.start())
    return ParseError(
        f"the attribute {name.decode()[:_MAX_STATED]} occurs twice, as {stated}",
        place=f"line {line} column {column}",
        code="V102",
        hint="it was left out and the rest of the game read",
    )


def _oversized(element: etree._Element, what: str) -> ParseError:
    return ParseError(
        f"an element {what}",
        place=f"line {element.sourceline} <{str(element.tag)[:80]}>",
        hint="no genuine log is like that; hands before this place were kept",
    )


def _holds_text(element: etree._Element) -> bool:
    """Return whether text other than comments is in or after an element."""
    inside = element.text if isinstance(element.tag, str) else None
    return bool((inside or "").strip() or (element.tail or "").strip())
