"""From what logs show of their rules to a preset and overrides: words of tenhou.net/6 JSON, or only tiles."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from paifu.replay.rules.fields import RuleValue
from paifu.replay.rulesets.log_rules import (
    NO_KUITAN,
    SOUTH_ROUND,
    THREE_PLAYERS,
    RuleChoice,
    choice_of,
    from_tenhou_type,
)

_RED_KEYS = (("aka51", "red_man"), ("aka52", "red_pin"), ("aka53", "red_sou"))
_TENHOU_ROOM = re.compile(r"\s*三?(?:[般上特鳳若銀琥孔技雀]|[０-９0-9L]+\s*)?[東南](?![南風]?戦)")
"""What Tenhou shows of a room: of any other text, missing words for open tanyao or red fives say nothing."""
_MAHJONG_SOUL = re.compile(
    r"[銅銀金玉]の間|王座の間|\b(?:Bronze|Silver|Gold|Jade|Throne) Room\b|雀魂|Mahjong ?Soul"
    r"|[铜銅银銀金玉]之[间間]|王座之[间間]|[四三]人[东東南]|[동은금옥왕]탁|[동남]풍전|반장전|작혼"
)
"""Rooms and lengths as Mahjong Soul names them, in Japanese, English, Chinese and Korean."""
_EAST_GAME = re.compile(r"[東东]|East|동풍")
_SOUTH_GAME = re.compile(r"南|South|남풍|반장")
"""Goes before the other: an east-south game names both."""


def from_tenhou_json(
    rule: Mapping[str, Any] | Sequence[Any] | None,
    players: int = 4,
    csrule: Sequence[str | int] | None = None,
    *,
    date: str = "",
    final_points: Sequence[float] = (),
    is_mahjong_soul: bool = False,
) -> RuleChoice:
    """Choose the rules of a tenhou.net/6 log from its ``rule`` (an object, or a list in lobby games).

    The text shown (``disp``) gives the length, open tanyao and, by a room's name, games that were made from
    Mahjong Soul, which ``is_mahjong_soul`` says, too; ``aka`` or ``aka51`` to ``aka53`` count the red fives.
    Other arguments as for :func:`~paifu.replay.rulesets.log_rules.from_tenhou_type`.
    """
    fields = rule if isinstance(rule, Mapping) else {}
    shown = str(fields.get("disp", ""))
    if isinstance(rule, Sequence) and not isinstance(rule, str):
        shown = " ".join(part for part in rule if isinstance(part, str))
    reds = _reds(fields, shown)
    named_south = bool(_SOUTH_GAME.search(shown))
    east = not named_south and bool(_EAST_GAME.search(shown))
    is_room = bool(_MAHJONG_SOUL.search(shown))
    if is_room or is_mahjong_soul:
        preset = "majsoul-sanma" if players == 3 else "majsoul"
        # A room's name without a length is an east game: one with final points is over after East 3.
        south = named_south or not (is_room or east)
        lengths: dict[str, RuleValue] = {} if south else {"wind_rounds": 1, "max_wind_rounds": 2}
        return choice_of(preset, lengths | _fitting(reds, players))
    bits = (0 if east else SOUTH_ROUND) | (THREE_PLAYERS if players == 3 else 0)
    bits |= NO_KUITAN if _TENHOU_ROOM.match(shown) and "喰" not in shown else 0
    choice = from_tenhou_type(bits, csrule, date=date, final_points=final_points)
    rules, fitting = choice.ruleset(), _fitting(reds, players)
    if all(rules[name] == count for name, count in fitting.items()):
        return choice
    return choice_of(choice.preset, {**choice.overrides, **fitting})


def from_tiles(
    players: int,
    *,
    reds: tuple[int, int, int] | None,
    is_east: bool,
    date: str,
    others: Mapping[str, RuleValue] | None = None,
) -> RuleChoice:
    """Choose the rules of a log that names none, from what its games show: Tenhou's, which bots play under.

    ``reds`` counts the red fives of man, pin and sou, None if the tiles do not show them; ``is_east`` says
    that the game ended with the east round; ``date`` as for
    :func:`~paifu.replay.rulesets.log_rules.from_tenhou_type`. ``others`` are rules in
    which the format's own program differs.
    """
    bits = (0 if is_east else SOUTH_ROUND) | (THREE_PLAYERS if players == 3 else 0)
    choice = from_tenhou_type(bits, date=date)
    if reds is None and not others:
        return choice
    counted: dict[str, RuleValue] = {}
    if reds is not None:
        counted = {name: int(count) for (_, name), count in zip(_RED_KEYS, reds, strict=True)}
    return choice_of(choice.preset, {**choice.overrides, **(others or {}), **_fitting(counted, players)})


def _reds(fields: Mapping[str, Any], shown: str) -> dict[str, RuleValue]:
    """The red fives of a tenhou.net/6 rule, as far as it says."""
    counted: dict[str, RuleValue] = {name: int(fields[key]) for key, name in _RED_KEYS if key in fields}
    if counted:
        return counted
    if "aka" in fields or "赤" in shown or _TENHOU_ROOM.match(shown):
        count = int(fields["aka"]) if "aka" in fields else int("赤" in shown)
        return {name: int(count > 0) for _, name in _RED_KEYS}
    return {}


def _fitting(reds: Mapping[str, RuleValue], players: int) -> dict[str, RuleValue]:
    """Without the five of characters, which three players do not have."""
    return {name: count for name, count in reds.items() if players == 4 or name != "red_man"}
