"""Yaku and patterns that a ruleset defines, read from its file.

In a file they are tables, ``[yaku.three_winds]`` in riichi and ``[pattern.three-winds]`` in other games.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from paifu.replay.foreign_text import one_line
from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.language import _
from paifu.replay.rules.own_rows import (
    LIMIT_BASES,
    YAKUMAN_WORDS,
    OwnPattern,
    OwnTable,
    OwnYaku,
    OwnYakuTable,
)
from paifu.replay.rules.written_conditions import RIICHI_FACTS, WrittenConditionError, read_condition
from paifu.replay.rules.written_values import short, shown, suggestion

_MAX_NAME = 60
_KEY = re.compile("[a-z][a-z0-9_]{0,39}")
_ENTRIES = ("name", "ja", "meaning", "han", "limit", "when", "replaces")
_PATTERN_ENTRIES = ("name", "ja", "meaning", "value", "when", "replaces")
_PATTERN_KEY = re.compile("[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_MAX_KEY = 40
MAX_VALUE = 10_000
"""Of a pattern."""


class OwnRowError(ValueError):
    """A yaku or pattern that cannot be read: where, which entry (empty: the whole), and why."""

    def __init__(self, place: str, entry: str, why: str, at: int = 0) -> None:
        """``at`` is the character of the entry that is wrong, from 1; 0 if none is."""
        where = f"{place}{'.' * bool(entry)}{entry}"
        text = _("{place}, character {at}: {why}") if at else "{place}: {why}"
        super().__init__(text.format(place=where, at=at, why=why))
        self.entry = entry


def read_own_rows(kind: type[OwnTable[Any]], tables: Mapping[str, Any]) -> OwnTable[Any]:
    """Read yaku or patterns, as ``kind`` says, from the tables of a file, by key.

    >>> table = {"three_winds": {"han": 2, "when": "at_least 3 w in winds: pair(w)"}}
    >>> [(one.romaji, one.han) for one in read_own_rows(OwnYakuTable, table)]
    [('three winds', (2, 2))]

    Raises OwnRowError.
    """
    read = _read_yaku if kind is OwnYakuTable else _read_pattern
    return kind(read(key, tables[key]) for key in sorted(tables))


def _read_yaku(key: str, table: Any) -> OwnYaku:
    place = f"yaku.{short(one_line(key))}"
    if not _KEY.fullmatch(key):
        why = _("a key has small letters, digits and _ only, a letter first, 40 at most")
        raise OwnRowError(place, "", why)
    shared = _shared(place, table, _("it is a table with han and when, not {value}"), _ENTRIES)
    if ("han" in table) == ("limit" in table):
        raise OwnRowError(place, "", _("it needs han or limit, one of them"))
    limit = _limit(place, table["limit"]) if "limit" in table else 0
    han = (_least_han(limit),) * 2 if limit else _both_han(place, table["han"])
    return OwnYaku(key=key, **shared, han=han, limit=limit)


def _read_pattern(key: str, table: Any) -> OwnPattern:
    place = f"pattern.{short(one_line(key))}"
    if not _PATTERN_KEY.fullmatch(key) or len(key) > _MAX_KEY:
        why = _("a key has small letters, digits and - only, a letter first, 40 at most")
        raise OwnRowError(place, "", why)
    shared = _shared(place, table, _("it is a table with value and when, not {value}"), _PATTERN_ENTRIES)
    value = table.get("value")
    if value not in ("limit", "half_limit") and (type(value) is not int or not 0 <= value <= MAX_VALUE):
        text = _('it is a number from 0 to {most}, "limit" or "half_limit", not {value}')
        raise OwnRowError(place, "value", text.format(most=f"{MAX_VALUE:,}", value=shown(value)))
    unknown = next((name for name in RIICHI_FACTS if re.search(rf"\b{name}\b", shared["when"])), None)
    if unknown is not None:
        at = re.search(rf"\b{unknown}\b", shared["when"])
        why = _("{name} is a fact of riichi alone").format(name=repr(unknown))
        raise OwnRowError(place, "when", why, at.start() + 1 if at else 0)
    return OwnPattern(key=key, **shared, value=value)


def _shared(place: str, table: Any, no_table: str, entries: tuple[str, ...]) -> dict[str, Any]:
    """Read what yaku and patterns have in common."""
    if not isinstance(table, dict):
        raise OwnRowError(place, "", no_table.format(value=shown(table)))
    for entry in table:
        if entry not in entries:
            text = _("there is no entry {name}{hint}; entries are {entries}")
            why = text.format(
                name=repr(short(entry)), hint=suggestion(entry, entries), entries=", ".join(entries)
            )
            raise OwnRowError(place, "", why)
    for entry in ("name", "ja", "meaning", "when"):
        if not isinstance(table.get(entry, ""), str):
            why = _("it is a text in quotation marks, not {value}").format(value=shown(table[entry]))
            raise OwnRowError(place, entry, why)
    when = table.get("when")
    if when is None:
        why = _('it needs when, its condition, such as when = "seven_pairs & has_honour"')
        raise OwnRowError(place, "", why)
    try:
        read_condition(when)
    except WrittenConditionError as error:
        raise OwnRowError(place, "when", str(error), error.at) from error
    return {
        "when": when,
        **{entry: one_line(table.get(entry, ""))[:_MAX_NAME] for entry in ("name", "ja")},
        "meaning": one_line(table.get("meaning", ""))[: 4 * _MAX_NAME],
        "replaces": _names(place, table.get("replaces", [])),
    }


def _both_han(place: str, value: Any) -> tuple[int, int]:
    """Han of a closed and of an open hand."""
    if not isinstance(value, dict):
        return (_han(place, value),) * 2
    unknown = set(value) - {"closed", "open"}
    if unknown or not value:
        why = _("a table of han has closed and open, not {value}").format(value=short(", ".join(unknown)))
        raise OwnRowError(place, "han", why)
    return _han(place, value.get("closed", 0)), _han(place, value.get("open", 0))


def _han(place: str, value: Any) -> int:
    if isinstance(value, str) and value in YAKUMAN_WORDS:
        return YAKUMAN_WORDS[value]
    if type(value) is not int or not 0 <= value <= layout.YAKUMAN_HAN:
        text = _("han are 0 to 12, {words}, or a table of closed and open, not {value}")
        why = text.format(words=", ".join(f'"{word}"' for word in YAKUMAN_WORDS), value=shown(value))
        raise OwnRowError(place, "han", why)
    return value


def _limit(place: str, value: Any) -> int:
    if isinstance(value, str) and value in LIMIT_BASES:
        return LIMIT_BASES[value]
    low, high = layout.MANGAN, layout.YAKUMAN
    if type(value) is not int or not low <= value < high or value % 100:
        text = _("a limit is {words}, or base points in whole hundreds from {low} to {high}, not {value}")
        why = text.format(
            words=", ".join(f'"{word}"' for word in LIMIT_BASES), low=low, high=high - 100, value=shown(value)
        )
        raise OwnRowError(place, "limit", why)
    return value


def _least_han(limit: int) -> int:
    """The least han of a limit, as the kernels show it."""
    return next((han for base, han in ((4000, 11), (3000, 8), (2000, 6)) if limit > base), 5)


def _names(place: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        why = _("it is a list of names of yaku, not {value}").format(value=shown(value))
        raise OwnRowError(place, "replaces", why)
    return tuple(short(one_line(name)) for name in value)
