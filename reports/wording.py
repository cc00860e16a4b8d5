"""Helpers for wording."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches

from paifu.replay.foreign_text import display_name
from paifu.replay.language import _, ngettext, pgettext

COUNTED = (
    "action", "call", "case", "change", "decision", "discard", "draw", "error", "fault", "file",
    "final result", "finding", "game", "group", "hand", "hand start", "input", "kan indicator",
    "mistake", "more draw", "more group", "more log", "more player", "note", "option", "payment",
    "player", "player hand", "red five", "riichi", "riichi stick", "seat", "statistic", "test", "tile",
    "wall", "whole wall", "win", "wind round",
)  # fmt: skip
"""What sentences count."""


def counted(noun: str) -> tuple[str, str]:
    """Return the texts to translate for one thing and for several.

    >>> counted("file")
    ('{count:,} file', '{count:,} files')
    """
    return f"{{count:,}} {noun}", f"{{count:,}} {noun}s"


def plural(count: int, noun: str) -> str:
    """Return a count with a noun of :data:`COUNTED`: ``1 file``, ``2,000 files``."""
    return ngettext(*counted(noun), count).format(count=count)


def alternatives(texts: Iterable[str]) -> str:
    """Return texts of which one may be meant.

    >>> alternatives(["stats", "score"])
    'stats or score'
    """
    return _(" or ").join(texts)


def label_said(label: str) -> str:
    """Name a hand to people by its label.

    >>> label_said("E1.0")
    'E1.0'
    """
    wind, (number, _dot, honba) = label[:1], label[1:].partition(".")
    words = pgettext("label", "{wind}{number}.{honba}")
    return words.format(wind=wind and pgettext("label", wind), number=number, honba=honba) if honba else label


def with_commas(text: str) -> str:
    """Write points in a finding's message as pages write them.

    >>> with_commas("dealt in for 18900 in turn 12")
    'dealt in for 18,900 in turn 12'
    """
    return re.sub(r"(?<=\bfor |\bwon )\d{4,}\b|\d{4,}(?=点)", lambda found: f"{int(found[0]):,}", text)


def no_seat(seat: int, players: int) -> str:
    """Say that a game of so many players has no such seat."""
    text = _("this game has seats 0 to {last}; there is no seat {seat}")
    return text.format(last=players - 1, seat=seat)


def no_player(name: str, names: Iterable[str]) -> str:
    """Say that there is no such player among ``names``, and which names are spelt like it."""
    known = [known for known in names if known]
    same = [one for one in known if one.casefold() == name.casefold()]
    near = same or get_close_matches(name, known, 3, 0.6)
    said = repr(display_name(name))
    if not near:
        return _("no player is called {name} in these logs").format(name=said)
    return _("no player is called {name} in these logs; did you mean {near}?").format(
        name=said, near=", ".join(repr(display_name(one)) for one in near)
    )
