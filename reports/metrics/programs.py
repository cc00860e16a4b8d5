"""Programs among players: what is said of players is said of people."""

from __future__ import annotations

from collections.abc import Collection

SIGN = "ⓝ"
"""First character of the names that Tenhou gives to programs."""

KNOWN = frozenset({"爆打"})
"""Names of strong programs at Tenhou that do not begin with it."""


def is_program(name: str, listed: Collection[str] = ()) -> bool:
    """Return whether a name is a program's: one with Tenhou's sign, or one of ``listed``.

    >>> is_program("ⓝAki"), is_program("Aki"), is_program("Aki", {"Aki"})
    (True, False, True)
    """
    return name.startswith(SIGN) or name in listed
