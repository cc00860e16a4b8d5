"""Numbers as people read them: one function for each unit, for the terminal, for CSV and for pages.

All write a minus as ASCII does. Pages pass what they show through :func:`typeset`, and nothing else does.
"""

from __future__ import annotations

from collections.abc import Iterable

from paifu.replay.language import _


def typeset(text: str) -> str:
    """Write the signs in a number as print has them: ``−21.4 %``.

    >>> typeset("-1,234")
    '−1,234'
    """
    return text.replace("-", "−").replace("%", _(" %"))


def number(value: float, decimals: int = 0, *, signed: bool = False) -> str:
    """Write a number that has no other rule; what rounds to zero has no sign.

    >>> number(-1234.56, 1), number(1234.5, signed=True), number(-0.2), number(0.01, 1, signed=True)
    ('-1,234.6', '+1,234', '0', '0.0')
    """
    text = f"{value:{'+' if signed else ''}z,.{decimals}f}"
    return text.removeprefix("+") if not text.strip("+0.,") else text


def percent(share: float, decimals: int = 2) -> str:
    """Write a share in percent, without the sign.

    >>> percent(0.21456), percent(0.21456, 1)
    ('21.46', '21.5')
    """
    return number(100 * share, decimals)


def points(value: float, *, signed: bool = True) -> str:
    """Write points of the table, in which games are played.

    >>> points(-1234.4), points(8000), points(8000, signed=False)
    ('-1,234', '+8,000', '8,000')
    """
    return number(value, signed=signed)


def league_decimals(thousands: Iterable[float | None]) -> int:
    """Return how many decimals points of a league need, in thousands, so that none is rounded: at least one.

    >>> league_decimals([44.1, 149.85, None]), league_decimals([12, -8.5])
    (2, 1)
    """
    places = [f"{value:.3f}".rstrip("0").partition(".")[2] for value in thousands if value is not None]
    return max(1, *map(len, places), 1)


def league_points(thousands: float | None, decimals: int = 1, *, signed: bool = True) -> str:
    """Write points of a league, in thousands, with the same decimals throughout; empty for None.

    >>> league_points(149.85, 2), league_points(44.1, 2), league_points(0), league_points(-20.1)
    ('+149.85', '+44.10', '0.0', '-20.1')
    """
    return "" if thousands is None else number(thousands, decimals, signed=signed)
