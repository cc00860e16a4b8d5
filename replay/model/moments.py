"""When a game began: the one text of a log from which names of files, periods and orders are made."""

from __future__ import annotations

import re

_MOMENT = re.compile(
    r"[0-9]{4}"
    r"(?:-(?:0[1-9]|1[0-2])"
    r"(?:-(?:0[1-9]|[12][0-9]|3[01])"
    r"(?:[T ](?:[01][0-9]|2[0-4])(?::[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,9})?)?)?"
    r"(?:Z|[+-][0-9]{2}(?::?[0-5][0-9])?)?"
    r")?)?)?"
)


def is_moment(text: str) -> bool:
    """Return whether a text is a moment of ISO 8601 as far as it is known, or empty.

    >>> [is_moment(text) for text in ("2022-01-05T03", "2022", "", "2022-13", "../../x", "yesterday")]
    [True, True, True, False, False, False]
    """
    return not text or _MOMENT.fullmatch(text) is not None
