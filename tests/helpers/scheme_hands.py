"""Written hands of games other than riichi, scored: what most tests of the schemes start from."""

from __future__ import annotations

from typing import Any

from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import load_preset
from paifu.replay.schemes.hand import Facts
from paifu.replay.schemes.hand_text import parse_scheme_hand
from paifu.replay.schemes.registry import scheme_of
from paifu.replay.schemes.scheme import CompleteHand, Won

WINDS = "ESWN"


def seats(**winds: str) -> dict[str, int]:
    return {name: WINDS.index(wind) for name, wind in winds.items()}


def win_of(text: str, rules: Ruleset, **facts: Any) -> CompleteHand:
    """A written win; seats in ``facts`` may be letters ESWN."""
    named = {name: WINDS.index(value) if isinstance(value, str) else value for name, value in facts.items()}
    declares = bool(named.get("declares_bonus")) or text.count("f)") + text.count("g)") == 8
    hand = parse_scheme_hand(
        text, gongs_are_sets=rules.game.scheme != Scheme.CARD, wins=False if declares else None
    )
    return CompleteHand(hand, Facts(**named))


def scored(text: str, rules: Ruleset | str, **facts: Any) -> Won:
    chosen = load_preset(rules) if isinstance(rules, str) else rules
    won: Won = scheme_of(chosen).score(win_of(text, chosen, **facts), chosen)
    return won


def patterns(won: Won) -> dict[str, int]:
    """Pattern ids and values, limits as 0, each pattern's occurrences added up."""
    return {row.id: row.value for row in won.patterns}
