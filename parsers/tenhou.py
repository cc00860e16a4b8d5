"""What the two formats of Tenhou share: log ids, kinds of draws, and numbers checked while reading."""

from __future__ import annotations

import re
from functools import lru_cache

from paifu.parsers.errors import ParseError
from paifu.replay.bounds import MAX_POINTS
from paifu.replay.model.batch import UNKNOWN_POINTS
from paifu.replay.model.builder import GameDraft
from paifu.replay.rulesets.log_rules import RuleChoice
from paifu.replay.rulesets.presets import dump_overrides, resolve

_LOG_ID = re.compile(
    r"(?<!\d)(\d{4})(\d{2})(\d{2})(\d{2})gm-[0-9a-f]{4}-\d{4,5}-x?[0-9a-f]{8,12}(?![0-9a-f])"
)


def find_game_id(text: str) -> str:
    """Find a Tenhou log id in a file name, URL or reference; empty if there is none.

    >>> find_game_id("logs/2022010503gm-00b9-0000-6ebd44bf.mjlog.gz")
    '2022010503gm-00b9-0000-6ebd44bf'
    """
    found = _LOG_ID.search(text)
    return found[0] if found else ""


def started_at(game_id: str) -> str:
    """Hour at which a game began, Japanese time, from its id; empty without an id.

    >>> started_at("2022010503gm-00b9-0000-6ebd44bf")
    '2022-01-05T03'
    """
    found = _LOG_ID.search(game_id)
    return "{}-{}-{}T{}".format(*found.groups()) if found else ""


def bounded(text: bytes | str | int, low: int, high: int, what: str) -> int:
    """Read an integer from ``low`` to ``high``; ``what`` names it in the ParseError."""
    try:
        value = int(text)
    except (TypeError, ValueError):
        value = low - 1
    if not low <= value <= high:
        shown = (text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text))[:40]
        raise ParseError(f"{what} is {shown!r}; expected a whole number {low} to {high}", code="V105")
    return value


def check_points(points: list[int], what: str) -> list[int]:
    """Return ``points`` if they are four that a game can have; UNKNOWN_POINTS may be among them."""
    if len(points) == 4 and max(points) <= MAX_POINTS and min(points) >= -MAX_POINTS:
        return points
    if len(points) != 4:
        raise ParseError(f"{what} has {len(points)} numbers; expected 4", code="V105")
    for value in points:
        if abs(value) > MAX_POINTS and value != UNKNOWN_POINTS:
            raise ParseError(f"{what} states {value} points", code="V105")
    return points


@lru_cache(maxsize=256)
def _ruleset_cells(preset: str, overrides: str) -> tuple[dict[str, str], tuple[int, ...]]:
    return {"ruleset": preset, "overrides": overrides}, resolve(preset, overrides).red_ids


def set_rules(draft: GameDraft, choice: RuleChoice) -> None:
    """Note the ruleset in the draft, and which physical fives are red under it."""
    cells, draft.red_ids = _ruleset_cells(choice.preset, dump_overrides(choice.overrides))
    draft.game |= cells
