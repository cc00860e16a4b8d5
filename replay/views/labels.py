"""Labels of hands: ``E1.0`` is East 1, ``S3.2`` South 3 with two honba."""

from __future__ import annotations

import re

from paifu.replay.language import _

_WINDS = "ESWN"
_LABEL = re.compile(r"([ESWN])([1-9]\d?)(?:\.(\d{1,4}))?", re.IGNORECASE)


def format_label(round_: int, honba: int) -> str:
    """Name a hand by wind, number and honba: ``E1.0`` is East 1, ``S3.2`` South 3 with two honba.

    ``round_`` is 4 x wind + number - 1 (with 3 players too). No game is known to play beyond North 4; a log
    that claims to goes on with N5.
    """
    wind = min(round_ // 4, 3)
    return f"{_WINDS[wind]}{round_ - 4 * wind + 1}.{honba}"


ROUNDS = ("E{number}", "S{number}", "W{number}", "N{number}")
"""What rounds are called in sentences, by wind."""


def spoken_round(round_: int) -> str:
    """Name a round by wind and number for people."""
    wind = min(round_ // 4, 3)
    return _(ROUNDS[wind]).format(number=round_ - 4 * wind + 1)


def parse_label(text: str) -> tuple[int, int | None]:
    """Read a label as ``format_label`` writes it: round and honba; without ``.honba``, honba is None.

    >>> parse_label("S3.2"), parse_label("e1")
    ((6, 2), (0, None))

    Raises ValueError if the text is not a label.
    """
    match = _LABEL.fullmatch(text.strip())
    if match is None:
        raise ValueError(
            _("{text!r} is not a hand; write wind, number and honba, such as E1.0 or S3.2").format(text=text)
        )
    wind, number, honba = match.groups()
    return 4 * _WINDS.index(wind.upper()) + int(number) - 1, None if honba is None else int(honba)
