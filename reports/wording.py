"""Helpers for wording."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from paifu.replay.errors import ArgumentError
from paifu.replay.foreign_text import display_name, name_key
from paifu.replay.language import _, ngettext, pgettext

COUNTED = (
    "action", "call", "case", "change", "decision", "discard", "draw", "error", "fault", "file",
    "final result", "finding", "game", "group", "hand", "hand start", "input",
    "kan", "kan indicator", "mistake", "more draw", "more group", "more log", "more player", "note", "option",
    "payment", "player", "player hand", "red five", "riichi", "riichi stick", "rule", "seat", "statistic",
    "test", "tile", "wall", "whole wall", "win", "wind round",
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


_FEW_NAMES = 8
"""Players that an error lists when no name is like the one asked for."""


class NobodyError(ArgumentError):
    """Raised for a player that no log names; the message suggests similar names."""


def check_players(players: Iterable[str], names: Collection[str]) -> None:
    """Raise NobodyError for the first of ``players`` who has no game: ``names`` are those in the logs.

    Letter case and the width of letters and kana do not matter. Logs without any game say nothing of names.
    """
    keys = set(map(name_key, names))
    for player in players:
        if keys and name_key(player) not in keys:
            raise NobodyError(no_player(player, names))


def spelt_alike(players: Iterable[str], names: Iterable[str]) -> Iterator[str]:
    """Yield a line for each player whose name there differs in more than case, or who has several.

    >>> list(spelt_alike(["botan", "Eve"], ["Botan", "BOTAN", "Eve"]))
    ["'botan': 'BOTAN' and 'Botan' in these logs"]
    """
    by_key: dict[str, list[str]] = {}
    for name in sorted(set(names)):
        by_key.setdefault(name_key(name), []).append(name)
    for player in players:
        found = by_key.get(name_key(player), [player])
        if len(found) > 1 or found[0].casefold() != player.casefold():
            spelt = _(" and ").join(repr(display_name(name)) for name in found)
            yield _("{player}: {names} in these logs").format(player=repr(display_name(player)), names=spelt)


def no_player(name: str, names: Iterable[str]) -> str:
    """Say that there is no such player among ``names``, and which names are spelt like it."""
    from difflib import get_close_matches

    known = sorted({known for known in names if known})
    spelt = {name_key(one): one for one in known}
    near = [spelt[key] for key in get_close_matches(name_key(name), spelt, 3, 0.6)]
    said = repr(display_name(name))
    if not near and 0 < len(known) <= _FEW_NAMES:
        return _("no player is called {name} in these logs; there are {names}").format(
            name=said, names=", ".join(repr(display_name(one)) for one in known)
        )
    if not near:
        return _("no player is called {name} in these logs").format(name=said)
    return _("no player is called {name} in these logs; did you mean {near}?").format(
        name=said, near=", ".join(repr(display_name(one)) for one in near)
    )
