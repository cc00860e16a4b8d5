"""Verdicts of engines in a paifu log: what is in ``verdicts`` of an event, read and written.

A verdict is about what one seat does after the event: ``{"seat": 0, "engine": "Mortal", "options": [...]}``.
An option is a text, such as ``discard 5m`` or ``chi (3m1m2m)``, with its value and its probability, and
whether the engine chose it and the player took it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from paifu.parsers.errors import ParseError
from paifu.parsers.json_values import (
    MAX_TEXT,
    Within,
    as_list,
    as_object,
    as_text,
    as_whole,
    shown,
    wrong_value,
)
from paifu.parsers.paifu_log.values import as_boolean, as_number
from paifu.replay.model.batch import MAX_OPTIONS, MAX_SHANTEN, UNKNOWN_SHANTEN, Verdicts
from paifu.replay.model.builder import DraftRow
from paifu.replay.model.events import EventKind
from paifu.replay.model.links import OPTIONS_OF_TILES, decisions
from paifu.replay.model.tile_notation import tile_name
from paifu.replay.model.tiles import NO_TILE, TILES
from paifu.replay.views.verdicts import VERBS, option_text

Names = Callable[[dict[str, Any], Iterable[str]], None]

_TILES = {tile_name(tile): tile for tile in range(TILES)}
_KINDS = {word: int(kind) for kind, word in VERBS.items()}
_OPTION = re.compile(r"([a-z]+)(?: ([0-9][mpsz])| \(([0-9][mpsz])([0-9][mpsz])([0-9][mpsz])\))?")
_VERDICT = ("seat", "engine", "shanten", "furiten", "options")
_OPTION_FIELDS = ("option", "value", "probability", "chosen", "played")


def read_verdicts(value: Any, players: int, tell_names: Names) -> list[DraftRow]:
    """Read the verdicts on the decisions after an event into rows; raises ParseError.

    ``tell_names`` is given each object and the names that it may have.
    """
    rows: list[DraftRow] = []
    decided: set[tuple[int, str]] = set()
    for number, cell in enumerate(as_list(value, "it")):
        with Within(f"[{number}]"):
            verdict = as_object(cell, "a verdict")
            tell_names(verdict, _VERDICT)
            found = _read_verdict(verdict, players, tell_names)
            key = found[0]["seat"], found[0]["engine"]
            if key in decided:
                raise wrong_value("the engine has judged this decision before")
        decided.add(key)
        rows += found
    if len(rows) > MAX_OPTIONS:
        raise ParseError(f"it lists {len(rows)} options; at most {MAX_OPTIONS} are possible", code="V105")
    return rows


def _read_verdict(verdict: dict[str, Any], players: int, tell_names: Names) -> list[DraftRow]:
    row: DraftRow = {
        "seat": as_whole(verdict.get("seat"), 0, players - 1, "a seat"),
        "engine": as_text(verdict.get("engine", ""), "the engine"),
    }
    if verdict.get("shanten") is not None:
        row["shanten"] = as_whole(verdict["shanten"], -1, MAX_SHANTEN, "shanten")
    if verdict.get("furiten") is not None:
        row["is_furiten"] = int(as_boolean(verdict["furiten"]))
    options = as_list(verdict.get("options"), "the list of options", "options")
    if not 1 <= len(options) <= MAX_OPTIONS:
        raise ParseError(f"it lists {len(options)} options; expected 1 to {MAX_OPTIONS}", code="V105")
    rows = []
    for number, option in enumerate(options):
        with Within(f".options[{number}]"):
            fields = as_object(option, "an option")
            tell_names(fields, _OPTION_FIELDS)
            rows.append(row | _read_option(fields))
    for name, word in (("is_chosen", "chosen"), ("is_played", "played")):
        if sum(one[name] for one in rows) > 1:
            raise wrong_value(f"two options are {word}", code="V105")
    return rows


def _read_option(option: dict[str, Any]) -> DraftRow:
    text = option.get("option")
    found = _OPTION.fullmatch(text) if isinstance(text, str) and len(text) <= MAX_TEXT else None
    kind = _KINDS.get(found[1]) if found else None
    if found is None or kind is None:
        hint = f"options are {', '.join(_KINDS)}, with a tile where one is meant"
        raise ParseError(f"it is {shown(text)}, which is not an option", code="V105", hint=hint)
    names = [name for name in found.groups()[1:] if name]
    if not all(name in _TILES for name in names):
        raise ParseError(f"{shown(text)} names an unknown tile", code="V105")
    if len(names) not in _tiles_due(kind):
        raise ParseError(f"{shown(text)} does not name what it is about", code="V105")
    tiles = [_TILES[name] for name in names]
    share = as_number(option.get("probability"))
    if not (math.isnan(share) or 0 <= share <= 1):
        raise wrong_value(f"the probability is {shown(share)}; expected 0 to 1", code="V105")
    return {
        "kind": kind, "tile": tiles[0] if tiles else NO_TILE, "own": bytes(tiles[1:]),
        "value": as_number(option.get("value")), "probability": share,
        "is_chosen": as_boolean(option.get("chosen", False)),
        "is_played": as_boolean(option.get("played", False)),
    }  # fmt: skip


def _tiles_due(kind: int) -> tuple[int, ...]:
    """How many tiles an option may name."""
    if kind == EventKind.RIICHI:
        return 0, 1
    return (3,) if kind == EventKind.CHI else (1,) if kind in OPTIONS_OF_TILES else (0,)


def written_verdicts(verdicts: Verdicts) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield each verdict of some rows with the event that it follows."""
    groups: dict[int, list[int]] = {}
    for row, number in enumerate(decisions(verdicts).tolist()):
        groups.setdefault(number, []).append(row)
    for rows in groups.values():
        first = rows[0]
        verdict: dict[str, Any] = {"seat": int(verdicts.seat[first]), "engine": str(verdicts.engine[first])}
        if verdicts.shanten[first] != UNKNOWN_SHANTEN:
            verdict["shanten"] = int(verdicts.shanten[first])
        if verdicts.is_furiten[first] <= 1:
            verdict["furiten"] = bool(verdicts.is_furiten[first])
        verdict["options"] = [_written_option(verdicts, row) for row in rows]
        yield int(verdicts.event[first]), verdict


def _written_option(verdicts: Verdicts, row: int) -> dict[str, Any]:
    own = tuple(tile for tile in verdicts.own[row].tolist() if tile != NO_TILE)
    option: dict[str, Any] = {"option": option_text(int(verdicts.kind[row]), int(verdicts.tile[row]), own)}
    for name in ("value", "probability"):
        number = float(getattr(verdicts, name)[row])
        option |= {} if math.isnan(number) else {name: number}
    option |= {"chosen": True} if verdicts.is_chosen[row] else {}
    return option | ({"played": True} if verdicts.is_played[row] else {})
