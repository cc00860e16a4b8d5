"""Every rule is there for a reason: flipping it alone changes a result that a probe computes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rules.flip import Flip
from rules.flips import FLIPS, NOT_YET_PLAYED

from paifu.replay.rules.ruleset import FIELDS
from paifu.replay.rulesets.presets import check_value, load_preset, with_overrides


@pytest.mark.parametrize(("name", "flip"), FLIPS.items(), ids=list(FLIPS))
def test_flipping_one_rule_changes_its_result(name: str, flip: Flip) -> None:
    rules = with_overrides(load_preset(flip.preset), flip.given)
    assert rules.game.scheme in FIELDS[name].schemes
    flipped = rules.changed(**{name: check_value(name, flip.value)})
    assert flipped[name] != rules[name]
    assert flip.before != flip.after
    assert flip.probe(rules) == flip.before
    assert flip.probe(flipped) == flip.after


def test_every_rule_has_a_flip() -> None:
    assert set(FLIPS) | NOT_YET_PLAYED == set(FIELDS)


@pytest.mark.parametrize("name", sorted(NOT_YET_PLAYED))
def test_what_is_not_yet_played_is_read_nowhere(name: str) -> None:
    """Once it is, it needs a flip."""
    root = Path(__file__).parents[2]
    modules = (root / part for part in ("api", "cli", "parsers", "replay", "reports"))
    texts = (path.read_text("utf-8") for module in modules for path in module.rglob("*.py"))
    assert name not in FLIPS
    assert not any(re.search(rf"\.{name}\b", text) for text in texts)
