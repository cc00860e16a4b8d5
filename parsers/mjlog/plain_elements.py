"""Elements of a log in the one spelling that Tenhou writes; others are read by ``mjlog.elements``."""

from __future__ import annotations

import re

Element = tuple[bytes, list[bytes], list[bytes]]
"""Name, names of attributes, and their values without entities."""

MAX_ATTRIBUTES = 100
"""Maximum for one element; a last AGARI has 19. lxml looks for each value along all of them."""
MAX_VALUE = 20_000
"""Bytes of one attribute; the longest known, the seed of an old wall, has some 6,000."""
_OPENING = re.compile(rb'\s*<mjloggm ver="([^"<&]{0,20})">')
_PLAIN = re.compile(rb'<([A-Za-z_]\w*)((?: [A-Za-z_]\w*="[^"<&]*")*) ?/>')
_PLAIN_ATTRIBUTE = re.compile(rb' (\w+)="([^"]*)"')


def plain_elements(head: bytes) -> tuple[bytes, list[Element]] | None:
    """Split what comes before the first hand of a log: its version, and its elements.

    None where anything is not spelt as Tenhou does.
    """
    opening = _OPENING.match(head)
    if opening is None or len(head) > MAX_VALUE:
        return None
    at, found = opening.end(), []
    while at < len(head):
        element = _PLAIN.match(head, at)
        if element is None:
            return None
        attributes = _PLAIN_ATTRIBUTE.findall(element[2])
        names = [name for name, _ in attributes]
        if len(names) > MAX_ATTRIBUTES or len({*names}) < len(names):
            return None
        found.append((element[1], names, [value for _, value in attributes]))
        at = element.end()
    return opening[1], found
