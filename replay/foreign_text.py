r"""Text from strangers, made fit to show: the names of players, files, rules.

Such text ends on terminals, in pages and in tables, so nothing may get through that a terminal would obey or
would not show: escape sequences, line ends, marks that turn the writing direction, lone surrogates. What a
place does with them depends on whether the text must still be recognisable:

=====================  =====================================  ==========================
:func:`printable`      removed                                names in data
:func:`one_line`       removed, blanks joined                 sentences
:func:`display_name`   removed, blanks joined, long ones cut  names in tables and pages
:func:`escaped`        written as ``\x1b``                    paths
:func:`json_escaped`   written as ``\u001b``                  JSON and CSV
=====================  =====================================  ==========================
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_MAX_CHARACTERS = 200
"""Characters of a name at most: marks of zero width could pile up without limit."""


def printable(text: str) -> str:
    r"""Remove what does not print.

    >>> printable("a\x1b[31m  b")
    'a[31m  b'
    """
    return text if text.isprintable() else "".join(c for c in text if c.isprintable())


def one_line(text: str) -> str:
    r"""Remove what does not print, and join line ends and blanks to one blank.

    >>> one_line("two\nlines\x1b[31m")
    'two lines[31m'
    """
    return " ".join(filter(None, map(printable, text.split())))


def display_name(text: str) -> str:
    """Return a name as it is shown: on one line, composed (NFC), of a bounded number of characters."""
    return one_line(unicodedata.normalize("NFC", text[:_MAX_CHARACTERS]))


@lru_cache(maxsize=4096)
def name_key(text: str) -> str:
    """Return what names have in common that differ in letter case and in the width of letters and kana only.

    >>> name_key("Botan") == name_key("ＢＯＴＡＮ"), name_key("チドリ") == name_key("ﾁﾄﾞﾘ")
    (True, True)
    """
    return unicodedata.normalize("NFKC", text).casefold()


def composed(text: str) -> str:
    """Compose a name (NFC), so that names that look the same are the same.

    >>> composed("\u304b\u3099") == "\u304c"
    True
    """
    return unicodedata.normalize("NFC", text)


def escaped(text: str) -> str:
    r"""Write what does not print as Python's escapes, so that a path can still be told from others.

    >>> escaped("a\x1b")
    'a\\x1b'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def json_escaped(text: str, *, keep: str = "") -> str:
    r"""Write every character that would not be seen as JSON's escape, except those in ``keep``; blanks stay.

    >>> json_escaped("a\x1b")
    'a\\u001b'
    """
    if text.isprintable():
        return text
    return text.translate({ord(c): _json_escape(c) for c in set(text) if c not in keep and not _is_seen(c)})


def _is_seen(character: str) -> bool:
    return character.isprintable() or unicodedata.category(character) == "Zs"


def _json_escape(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
