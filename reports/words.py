"""Helpers for wording."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches

from paifu.replay.foreign_text import display_name


def plural(count: int, noun: str) -> str:
    """Return a count with its noun: ``1 file``, ``2,000 files``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def with_commas(text: str) -> str:
    """Write points in a finding's message as pages write them.

    >>> with_commas("dealt in for 18900 in turn 12")
    'dealt in for 18,900 in turn 12'
    """
    return re.sub(r"(?<=\bfor |\bwon )\d{4,}\b", lambda found: f"{int(found[0]):,}", text)


def no_player(name: str, names: Iterable[str]) -> str:
    """Say that there is no such player among ``names``, and which names are spelt like it."""
    known = [known for known in names if known]
    same = [one for one in known if one.casefold() == name.casefold()]
    near = same or get_close_matches(name, known, 3, 0.6)
    hint = f"; did you mean {', '.join(repr(display_name(one)) for one in near)}?" if near else ""
    return f"no player is called {display_name(name)!r} in these logs{hint}"
