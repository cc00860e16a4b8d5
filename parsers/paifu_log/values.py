"""Values of a paifu log, checked while they are read, and the words that it has for numbers."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from paifu.parsers.errors import SKIPPED, ParseError
from paifu.parsers.json_values import as_decimal, as_list, as_whole, shown, wrong_value
from paifu.parsers.paifu_log.notation import ROUNDS
from paifu.replay.bounds import INPUT_CODES
from paifu.replay.model.batch import MAX_COUNT, MAX_HAN, MAX_POINTS, UNKNOWN_POINTS
from paifu.replay.model.moments import is_moment
from paifu.replay.scoring.limits import Limit
from paifu.replay.scoring.yaku import Yaku

VERSION = 1
"""The format's version, the value of ``paifu``."""
FORMAT = "paifu"
"""Name of the format in the replay model, unless a log says that it was converted from another."""
OWN = "x_"
"""Names with this prefix belong to the writer of the log: no version gives them a meaning."""

LIMITS = {limit.name.lower(): int(limit) for limit in Limit}

NOBODY = "nobody"
"""Says that nobody is liable for a win."""

MAX_NAME = 100
"""Characters of a name that an error repeats."""


class StatedError(ParseError):
    """A fault that the log itself states: what could not be read of the log that it was converted from."""


def as_string(value: Any) -> str:
    """Check a string."""
    if not isinstance(value, str):
        raise wrong_value(f"it is {shown(value)}; expected a string")
    return value


def as_moment(value: Any) -> str:
    """Check when a game began."""
    text = as_string(value)
    if not is_moment(text):
        raise wrong_value(f"it is {shown(value)}; expected a moment such as 2024-03-08T19:30", code="V105")
    return text


def as_boolean(value: Any) -> bool:
    """Check true or false."""
    if not isinstance(value, bool):
        raise wrong_value(f"it is {shown(value)}; expected true or false", code="V105")
    return value


def as_number(value: Any) -> float:
    """Take a number, or null for one that is not known."""
    return float("nan") if value is None else as_decimal(value, MAX_POINTS, "it")


def as_point(value: Any) -> int:
    """Take a number of points, or null for one that is not known."""
    return UNKNOWN_POINTS if value is None else as_whole(value, -MAX_POINTS, MAX_POINTS, "a number of points")


def as_count(value: Any) -> int:
    """Check a count of honba or sticks."""
    return as_whole(value, 0, MAX_COUNT, "it")


def _word(words: Mapping[str, int], what: str, value: Any) -> int:
    """Read one of some words; the nearest is suggested for another."""
    found = words.get(value) if isinstance(value, str) else None
    if found is None:
        near = difflib.get_close_matches(value[:MAX_NAME], words, 1) if isinstance(value, str) else []
        hint = f"did you mean {near[0]!r}?" if near else f"{what} are {', '.join(list(words)[:8])}, ..."
        raise ParseError(f"it is {shown(value)}, which is not one of the {what}", code="V105", hint=hint)
    return found


as_round = partial(_word, ROUNDS, "rounds")
as_limit = partial(_word, LIMITS, "limits")


def word_of(yaku: Yaku) -> str:
    """What logs call a yaku: its romaji, or for one of the ruleset's own its place in the ruleset."""
    return yaku.romaji if yaku.own is None else f"yaku.{yaku.own.key}"


def yaku_and_han(value: Any, ids: Mapping[str, int]) -> tuple[int, int]:
    """Read a pair of a yaku's name and its han; ``ids`` has the ids of the ruleset's yaku by name."""
    cells = as_list(value, "a yaku")
    if len(cells) != 2:
        raise wrong_value('write a yaku with its han, such as ["riichi", 1]')
    return _word(ids, "yaku", cells[0]), as_whole(cells[1], 0, MAX_HAN, "the number of han")


def check_version(value: dict[str, Any]) -> None:
    """Refuse a version that this program does not read."""
    version = value.get("paifu")
    if version != VERSION or isinstance(version, bool):
        what = (
            f"paifu/{version}"
            if isinstance(version, int) and not isinstance(version, bool)
            else shown(version)
        )
        raise ParseError(
            f"the log's version is {what}; this program reads paifu/{VERSION}",
            place="paifu",
            code="V102",
            hint=f"update paifu, or write the log as paifu/{VERSION}",
        )


def unknown_names(value: dict[str, Any], known: Iterable[str]) -> Iterator[ParseError]:
    """Yield an error for each name that neither this version knows nor begins with ``x_``."""
    for name in value:
        if name not in known and not name.startswith(OWN):
            near = difflib.get_close_matches(name[:MAX_NAME], list(known), 1)
            hint = (
                f"did you mean {near[0]!r}? {SKIPPED}" if near else f"{SKIPPED}; begin own names with {OWN}"
            )
            yield ParseError(f"unknown field {name[:MAX_NAME]!r}", code="V102", hint=hint)


FAULT = ("place", "code", "reason", "hint")
"""Fields of a fault, as in the replay model."""


def stated_fault(
    value: dict[str, Any], names: Iterable[str] = FAULT
) -> tuple[dict[str, str], ParseError | None]:
    """Read the fields of a fault; returns an error, too, if its code is unknown: then V101 stands for it."""
    fault = strings(value, names)
    if fault["code"] in INPUT_CODES:
        return fault, None
    error = None
    if fault["code"]:
        reason = f"its code is {shown(fault['code'])}; those of input are {', '.join(INPUT_CODES)}"
        error = ParseError(reason, place=".code", code="V105", hint="V101 was taken and the rest read")
    return fault | {"code": INPUT_CODES[0]}, error


def strings(value: dict[str, Any], names: Iterable[str]) -> dict[str, str]:
    """Read some fields that are strings, empty where they are left out."""
    return {name: as_string(value.get(name, "")) for name in names}
