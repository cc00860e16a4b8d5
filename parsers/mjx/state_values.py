"""Values of a state of mjx: zeros and empty lists are left out, and names may be spelt in either way."""

from __future__ import annotations

from typing import Any

from paifu.parsers.json_values import as_list, as_object, as_points, as_whole, wrong_value
from paifu.replay.model.batch import MAX_COUNT, MAX_POINTS
from paifu.replay.model.tiles import IDS

StateFields = dict[str, Any]
PLAYERS = 4


def as_fields(value: Any) -> StateFields:
    """Return the fields of an object, named in lower case without ``_``; none of anything else."""
    if not isinstance(value, dict):
        return {}
    return {name.replace("_", "").lower(): field for name, field in value.items()}


def part(fields: StateFields, name: str) -> StateFields:
    """Return a message within another: empty where it is left out."""
    value = fields.get(name)
    return {} if value is None else as_fields(as_object(value, name))


def parts(fields: StateFields, name: str) -> list[StateFields]:
    """Return a list of messages."""
    cells = as_list(fields.get(name) or [], name)
    if not all(isinstance(cell, dict) for cell in cells):
        raise wrong_value(f"{name} lists something that is not an object")
    return [as_fields(cell) for cell in cells]


def number(fields: StateFields, name: str, high: int) -> int:
    """Read a number; 0 where it is left out."""
    value = fields.get(name)
    return as_whole(0 if value is None else value, 0, high, name)


def seat(fields: StateFields, name: str = "who") -> int:
    """Read a seat."""
    return number(fields, name, PLAYERS - 1)


def tile(fields: StateFields, name: str = "tile") -> int:
    """Read a physical tile."""
    return number(fields, name, IDS - 1)


def tiles(fields: StateFields, name: str, most: int) -> bytes:
    """Read a list of physical tiles, at most ``most``."""
    return bytes(numbers(fields, name, most, IDS - 1, what="tiles"))


def points(fields: StateFields, name: str) -> list[int]:
    """Read the points of four players."""
    cells = as_list(fields.get(name), name)
    if len(cells) != PLAYERS:
        raise wrong_value(f"{name} has {len(cells)} numbers; expected {PLAYERS}", code="V105")
    return as_points(cells, name)


def before(after: list[int], changes: list[int]) -> list[int]:
    """Return the points before some changes."""
    scores = [score - change for score, change in zip(after, changes, strict=True)]
    if max(map(abs, scores)) > MAX_POINTS:
        raise wrong_value("the changes add up to more than any game has", code="V105")
    return scores


def numbers(fields: StateFields, name: str, most: int, high: int, *, what: str = "numbers") -> list[int]:
    """Read a list of numbers, at most ``most``."""
    cells = as_list(fields.get(name) or [], name)
    if len(cells) > most:
        raise wrong_value(f"{name} lists {len(cells)} {what}; at most {most} are possible", code="V105")
    return [as_whole(cell, 0, high, name) for cell in cells]


def _start(fields: StateFields) -> tuple[Any, Any, int, int]:
    """What a game and its hand are recognised by: players, id, round, honba; 0 where it is not a number."""
    seen = as_fields(fields.get("publicobservation"))
    score = as_fields(seen.get("initscore"))
    order = [score.get(name) or 0 for name in ("round", "honba")]
    round_, honba = (value if isinstance(value, int) and value <= MAX_COUNT else 0 for value in order)
    return seen.get("playerids"), seen.get("gameid"), round_, honba


def follows(before: StateFields, after: StateFields) -> bool:
    """Return whether a hand may belong to the game of the one before it."""
    if as_fields(before.get("roundterminal")).get("isgameover"):
        return False
    one, other = _start(before), _start(after)
    return one[:2] == other[:2] and one[2:] < other[2:]
