"""Hands of games other than riichi: written ones, scored, and worked ones with all that they are worth."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from case_data import case_data

from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import load_preset
from paifu.replay.schemes.hand import Facts, Replacement, parse_held
from paifu.replay.schemes.registry import scheme_of
from paifu.replay.schemes.scheme import CompleteHand, Won
from paifu.replay.scoring.hand_text import CARD, OTHER_GAMES

WINDS = "ESWN"
ZJ, WS, HK, US = "zung-jung", "wsom", "hk-old-style", "american-2013"


@dataclass(frozen=True)
class Example:
    """``patterns`` are ids and values, 0 for a limit; ``payments`` None: the hand may not win."""

    id: str
    rules: str
    hand: str
    facts: dict[str, Any]
    patterns: dict[str, int]
    value: int
    payments: tuple[int, ...] | None = None
    source: str = ""
    settings: dict[str, Any] = field(default_factory=dict)
    why: str = ""
    points: list[int] | None = None


def _example(name: str, rules: str, row: dict[str, Any]) -> Example:
    if "replacement" in row["facts"]:
        row["facts"]["replacement"] = Replacement(row["facts"]["replacement"])
    if "payments" in row:
        row["payments"] = tuple(row["payments"])
    return Example(name, rules, **row)


EXAMPLES = [
    _example(name, rules, row) for rules, table in case_data("systems").items() for name, row in table.items()
]


def seats(**winds: str) -> dict[str, int]:
    return {name: WINDS.index(wind) for name, wind in winds.items()}


def win_of(text: str, rules: Ruleset, **facts: Any) -> CompleteHand:
    """A written win; seats in ``facts`` may be letters ESWN."""
    named = {name: WINDS.index(value) if isinstance(value, str) else value for name, value in facts.items()}
    declares = bool(named.get("declares_bonus")) or text.count("f)") + text.count("g)") == 8
    notation = CARD if rules.game.scheme == Scheme.CARD else OTHER_GAMES
    hand = parse_held(text, notation=notation, wins=False if declares else None)
    return CompleteHand(hand, Facts(**named))


def scored(text: str, rules: Ruleset | str, **facts: Any) -> Won:
    chosen = load_preset(rules) if isinstance(rules, str) else rules
    won: Won = scheme_of(chosen).score(win_of(text, chosen, **facts), chosen)
    return won


def patterns(won: Won) -> dict[str, int]:
    """Pattern ids and values, limits as 0, each pattern's occurrences added up."""
    return {row.id: row.value for row in won.patterns}
