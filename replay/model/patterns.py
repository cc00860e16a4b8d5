"""Patterns of a win as a log lists them: ids and what each is worth, as a text of the replay model."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import lru_cache

StatedPattern = tuple[str, int | str]
"""Id, and its value: a number in the scheme's unit, or ``limit`` or ``half_limit``."""

LIMIT_WORDS = ("limit", "half_limit")
MAX_PATTERNS = 40
MAX_PATTERN_VALUE = 1_000_000
_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_MAX_ID = 60


class PatternsError(ValueError):
    """A list that does not consist of patterns and values; the message says what is wrong."""


def check_pattern(pattern: object) -> StatedPattern:
    """Take a pair of an id and a value; raises PatternsError."""
    if not isinstance(pattern, list | tuple) or len(pattern) != 2:
        raise PatternsError('write a pattern with its value, such as ["all-chows", 1]')
    name, value = pattern
    if not isinstance(name, str) or len(name) > _MAX_ID or not _ID.fullmatch(name):
        raise PatternsError(f"{str(name)[:_MAX_ID]!r} is not the name of a pattern, such as all-chows")
    if type(value) is int and 0 <= value <= MAX_PATTERN_VALUE:
        return name, value
    if isinstance(value, str) and value in LIMIT_WORDS:
        return name, value
    raise PatternsError(
        f"the value of {name} is {str(value)[:_MAX_ID]!r}; expected a number or {', '.join(LIMIT_WORDS)}"
    )


def dump_patterns(patterns: Iterable[StatedPattern]) -> str:
    """Write patterns as the replay model does; an empty list says that the hand has none.

    >>> dump_patterns([("all-chows", 1), ("nine-gates", "limit")])
    '[["all-chows",1],["nine-gates","limit"]]'
    """
    return json.dumps([list(pattern) for pattern in patterns], separators=(",", ":"))


@lru_cache(maxsize=4096)
def parse_patterns(text: str) -> tuple[StatedPattern, ...] | None:
    """Read what :func:`dump_patterns` wrote, None for an empty text; else raises PatternsError."""
    if not text:
        return None
    try:
        listed = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise PatternsError(f"{text[:_MAX_ID]!r} is not JSON") from error
    if not isinstance(listed, list) or len(listed) > MAX_PATTERNS:
        raise PatternsError(f"patterns are a list of at most {MAX_PATTERNS} pairs")
    patterns = tuple(map(check_pattern, listed))
    if dump_patterns(patterns) != text:
        raise PatternsError(f"{text[:_MAX_ID]!r} is not spelled as the replay model does")
    return patterns
