"""Values of a record of Mahjong Soul: numbers, tiles, limits, the wall."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

from paifu.parsers.drafting import STICK
from paifu.parsers.json_values import MAX_TEXT, as_whole, coded_tile, coded_tiles
from paifu.parsers.majsoul import names
from paifu.parsers.majsoul.containers import Fields, plain
from paifu.replay.model.batch import MAX_POINTS, UNKNOWN_POINTS
from paifu.replay.model.builder import DraftRow
from paifu.replay.model.tiles import NO_TILE
from paifu.replay.walls.majsoul import MD5, SHA256

_MOST_STICKS_SHARED = 20
_HONBA = (300, 200, 1500)
"""Points of a honba, paid by a discarder."""
_COMPUTER = "AI"
_YAKUMAN_TITLE = 5


def as_fields(value: Any) -> Fields:
    """Return the fields of an object; none of anything else."""
    return plain(value) if isinstance(value, dict) else {}


def whole_number(fields: Fields, name: str, low: int, high: int) -> int:
    """Read a number, 0 if it is absent; JSON of 64-bit numbers has them as texts."""
    value = fields.get(name, 0)
    if isinstance(value, str) and value.removeprefix("-").isdecimal() and len(value) < 20:
        value = int(value)
    return as_whole(0 if value is None else value, low, high, name)


def stated_points(fields: Fields, name: str) -> int:
    """Return points, unknown where they are absent."""
    return whole_number(fields, name, 0, MAX_POINTS) if name in fields else UNKNOWN_POINTS


def limit_of(hule: Fields) -> int:
    """Return the limit of a win, by its title or the number of it."""
    title = hule.get("title")
    if isinstance(title, str) and title:
        return names.LIMITS.get(title, _YAKUMAN_TITLE)
    return min(whole_number(hule, "titleid", 0, 100), _YAKUMAN_TITLE)


tile_code = partial(coded_tile, names.CODES)
tile_codes = partial(coded_tiles, names.CODES)
_MAX_WALL = 300
_WALL_OF = {4: 136, 3: 108}
_DRAWN_AT = {4: 52, 3: 39}


def drawn_last(wall: Any, players: int) -> int:
    """Return the dealer's 14th tile, by a wall that has the deal in it; NO_TILE if there is none."""
    if not isinstance(wall, str) or len(wall) != 2 * _WALL_OF[players]:
        return NO_TILE
    at = 2 * _DRAWN_AT[players]
    return names.CODES.get(wall[at : at + 2], NO_TILE)


def wall_text(fields: Fields) -> str:
    """Return the wall and the hash that was published of it, as the model keeps a hand's seed."""
    wall = fields.get("paishan")
    if not isinstance(wall, str) or not 0 < len(wall) <= _MAX_WALL or "," in wall:
        return ""
    parts = {
        MD5: (fields.get("md5"),),
        SHA256: (fields.get("sha256"), fields.get("salt"), fields.get("saltsha256")),
    }
    for kind, hashes in parts.items():
        if all(isinstance(part, str) and 0 < len(part) <= _MAX_WALL and "," not in part for part in hashes):
            return ",".join([kind, wall, *(str(part) for part in hashes)])
    return ""


def names_and_sexes(head: Fields, players: int) -> tuple[list[str], list[str]]:
    """Return both by seat; a seat without an account is a computer's."""
    people = [""] * 4
    sexes = [""] * 4
    for key, sex in (("robots", "C"), ("accounts", "")):
        cells = head.get(key)
        for cell in cells if isinstance(cells, list) else ():
            fields = as_fields(cell)
            seat, name = fields.get("seat", 0), fields.get("nickname", "")
            if isinstance(seat, int) and 0 <= seat < players and isinstance(name, str):
                people[seat], sexes[seat] = name[:MAX_TEXT] or _COMPUTER, sex
    if any(people):
        for seat in range(players):
            if not people[seat]:
                people[seat], sexes[seat] = _COMPUTER, "C"
    return people, sexes


def shares_of_wins(
    rows: list[DraftRow], changes: list[int], sticks: int, honba: int
) -> list[list[int] | None]:
    """Return what each winner's win changes, of the sum; None where that does not follow.

    The first winner takes the ``sticks``, a number, unless only another share of them explains the sums.
    """
    if len(rows) == 1:
        return [changes]
    parts: list[list[int] | None] = []
    rest = list(changes)
    for row, taken in zip(rows, _sticks_taken(rows, changes, sticks, honba), strict=True):
        part = [0] * 4
        part[row["seat"]] = changes[row["seat"]]
        part[row["source"]] -= changes[row["seat"]] - STICK * taken
        rest = [a - b for a, b in zip(rest, part, strict=True)]
        parts.append(part)
    return parts if not any(rest) else [None] * len(rows)


def _sticks_taken(rows: list[DraftRow], changes: list[int], sticks: int, honba: int) -> list[int]:
    """How many sticks each winner takes: what the hand's points and honba leave over."""
    usual = [sticks, *[0] * (len(rows) - 1)]
    if sticks > _MOST_STICKS_SHARED or any("points" not in row for row in rows):
        return usual
    extra = {0, *(each * honba for each in _HONBA)}
    ways = [
        [n for n in range(sticks + 1) if changes[row["seat"]] - row["points"] - STICK * n in extra]
        for row in rows
    ]
    found = [list(way) for way in product(*ways) if sum(way) == sticks]
    return found[0] if len(found) == 1 else usual
