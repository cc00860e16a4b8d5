"""Text broken into lines by the cells that it takes: a Chinese, Japanese or full-width character takes two.

English is broken as :mod:`textwrap` does. Other languages may break between any two wide characters, but no
line begins with a closing mark, or ends with an opening one.
"""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Iterator

from paifu.replay.language import language

_CLOSING = frozenset(
    "、。，．・：；？！）」』】〕〉》…‥ーゝ々ぁぃぅぇぉっゃゅょァィゥェォッャュョ％)]}:;,.!?"
)
"""What may not begin a line."""
_OPENING = frozenset("（「『【〔〈《([{")
"""What may not end one."""
_PIECE = re.compile(r"[^\S\n]+|[^\s\u1100-\uffff]+|\S", re.ASCII)


def cells(text: str) -> int:
    """Return the cells that a text takes on a terminal.

    >>> cells("tsumo"), cells("自摸")
    (5, 4)
    """
    if text.isascii():
        return len(text)
    return sum(map(_cells, text))


def _cells(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def ljust(text: str, width: int) -> str:
    """Return a text with blanks after it up to ``width`` cells.

    >>> ljust("東", 4) + "|"
    '東  |'
    """
    return text + " " * (width - cells(text))


def rjust(text: str, width: int) -> str:
    """Return a text with blanks before it up to ``width`` cells."""
    return " " * (width - cells(text)) + text


def wrap(text: str, width: int, *, indent: str = "", hanging: str | None = None) -> list[str]:
    """Return a text as lines of at most ``width`` cells; all but the first begin with ``hanging``.

    >>> wrap("deal-in rate: hands that dealt in", 24)
    ['deal-in rate: hands that', 'dealt in']
    """
    hanging = indent if hanging is None else hanging
    if language() == "en" or text.isascii():
        return textwrap.wrap(
            text, width, initial_indent=indent, subsequent_indent=hanging, break_on_hyphens=False
        )
    lines: list[str] = []
    line = indent
    is_begun = False
    gap = ""
    for piece in _pieces(" ".join(text.split())):
        if piece == " ":
            gap = piece if is_begun else ""
        elif is_begun and cells(line) + len(gap) + cells(piece) > width:
            lines.append(line)
            line, gap = hanging + piece, ""
        else:
            line, gap, is_begun = line + gap + piece, "", True
    return [*lines, line] if is_begun else lines


def _pieces(text: str) -> Iterator[str]:
    """Yield what is not broken: words, single wide characters with their marks, blanks."""
    held = ""
    for piece in _PIECE.findall(text):
        if held and (held[-1] in _OPENING or (piece[0] in _CLOSING and held != " ")):
            held += piece
        else:
            if held:
                yield held
            held = piece
    if held:
        yield held
