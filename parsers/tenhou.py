"""What the two formats of Tenhou share: log ids, kinds of draws, and numbers checked while reading."""

from __future__ import annotations

import math
import re
from functools import lru_cache

from paifu.parsers.errors import ParseError
from paifu.replay.course.settlement import exceeding, ranking
from paifu.replay.model.batch import MAX_POINTS, UNKNOWN_POINTS
from paifu.replay.model.builder import GameDraft
from paifu.replay.rules.fields import RuleValue
from paifu.replay.rulesets.log_rules import PUBLIC_LOBBIES, SOUTH_ROUND, RuleChoice
from paifu.replay.rulesets.presets import resolve

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


def is_east_only(game_id: str, otherwise: bool) -> bool:
    """Return whether a game was to end with the east round: the id of a Tenhou game holds its type.

    >>> is_east_only("2022010503gm-00e1-0000-6ebd44bf", False), is_east_only("", False)
    (True, False)
    """
    found = find_game_id(game_id)
    return not int(found.split("-")[1], 16) & SOUTH_ROUND if found else otherwise


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
    cells, draft.red_ids = _ruleset_cells(choice.preset, choice.overrides_text)
    draft.game |= cells


_THOUSAND, _MOST_UMA = 1000, 200_000


def with_lobby_uma(draft: GameDraft, choice: RuleChoice) -> RuleChoice:
    """Add the points at the start and the uma of a private lobby, which its logs do not state but show.

    The final table is what the uma is taken from. A table that no uma explains is left to be found wrong.
    """
    game, rules = draft.game, choice.ruleset()
    if game.get("lobby", "") in PUBLIC_LOBBIES:
        return choice
    players = rules.table.players
    scores, points = list(game.get("final_scores", ())[:players]), game.get("final_points", ())[:players]
    begun = set(draft.first_scores[:players])
    if (
        len(begun) != 1
        or UNKNOWN_POINTS in (*begun, *scores)
        or min(begun) <= 0
        or not len(scores) == len(points) == players
        or any(map(math.isnan, points))
    ):
        return choice
    wanted: dict[str, RuleValue] = {**choice.overrides}
    if begun != {rules.table.start_points}:
        wanted["start_points"] = begun.pop()
    order = ranking(rules, scores, game.get("first_dealer", 0))
    others = [round(_THOUSAND * points[at]) - exceeding(rules.final, scores[at]) for at in order[1:]]
    uma = [-sum(others), *others]
    is_uma = all(share % _THOUSAND == 0 and abs(share) <= _MOST_UMA for share in uma)
    if is_uma and uma == sorted(uma, reverse=True) and uma != list(rules.final.uma):
        wanted["uma"] = uma
    return RuleChoice(choice.preset, wanted)
