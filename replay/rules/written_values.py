"""Values that people write as TOML or JSON, read without trust in their size, depth or digits.

Ruleset files, lists of aliases, ``--set`` and the overrides that a dataset stores all come through here. The
standard library's readers answer hostile text with a RecursionError, a plain ValueError for a number of too
many digits, or memory without bound; here it is a :class:`WrittenError` that says what is wrong.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable
from typing import Any

from paifu.replay.language import _

MAX_TEXT = 1 << 20
"""Characters of the longest text read; a complete ruleset has some 4,000."""
MAX_DOTS = 16
"""Dots of the longest dotted key read: tomllib needs memory with the square of their number."""
_SHOWN = 80
"""Characters of a value or a text that a message repeats."""

_DOTTED = re.compile(
    r"""(?<![\w-])(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){%d}""" % (MAX_DOTS + 1)  # noqa: UP031
)


class WrittenError(ValueError):
    """A text that is not TOML or JSON, or more of it than anybody needs; the message says which."""


def read_json(text: str) -> Any:
    """Read one JSON value. Raises WrittenError."""
    return _read(text, json.loads, "JSON")


def read_toml(text: str) -> dict[str, Any]:
    """Read a TOML document. Raises WrittenError."""
    if len(text) <= MAX_TEXT and _DOTTED.search(text):
        raise WrittenError(f"a key has more than {MAX_DOTS} dots")
    table: dict[str, Any] = _read(text, tomllib.loads, "TOML")
    return table


def _read(text: str, load: Callable[[str], Any], what: str) -> Any:
    if len(text) > MAX_TEXT:
        raise WrittenError(f"the text is longer than {MAX_TEXT:,} characters")
    try:
        return load(text)
    except RecursionError:
        raise WrittenError("lists or tables nest too deeply") from None
    except ValueError as error:
        # Besides what is not well-formed: a number with more digits than Python converts.
        raise WrittenError(f"not valid {what}: {short(str(error))}") from error


def short(text: str) -> str:
    """Cut a text for a message."""
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def shown(value: Any) -> str:
    """Name a value in a message, however long or deep it is.

    >>> shown(True), shown("text"), shown([1, 2]), shown([[[]]])
    ('true', '"text"', '[1, 2]', 'a list of lists')
    """
    if isinstance(value, list):
        is_nested = any(isinstance(cell, list | dict) for cell in value)
        return "a list of lists" if is_nested else short(f"[{', '.join(map(shown, value[:_SHOWN]))}]")
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, int):
        return str(value) if abs(value) < 10**30 else "a number of more than 30 digits"
    return short(json.dumps(value) if isinstance(value, str) else str(value))


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return the end of a message about an unknown name: which one was meant, if any is like it."""
    from difflib import get_close_matches

    near = get_close_matches(name, list(known), n=1, cutoff=0.5)
    return _("; did you mean {near!r}?").format(near=near[0]) if near else ""
