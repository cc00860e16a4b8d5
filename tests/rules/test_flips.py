"""Every rule is there for a reason: flipping it alone changes a result that a probe computes."""

from __future__ import annotations

from each_row import each_row
from rules.flip import Flip
from rules.flips import FLIPS

from paifu.replay.rules.ruleset import FIELDS
from paifu.replay.rulesets.presets import check_value, load_preset, with_overrides


@each_row(("name", "flip"), FLIPS.items(), ids=list(FLIPS))
def test_flipping_one_rule_changes_its_result(name: str, flip: Flip) -> None:
    rules = with_overrides(load_preset(flip.preset), flip.given)
    assert rules.game.scheme in FIELDS[name].schemes
    flipped = rules.changed(**{name: check_value(name, flip.value)})
    assert flipped[name] != rules[name]
    assert flip.before != flip.after
    assert flip.probe(rules) == flip.before
    assert flip.probe(flipped) == flip.after


def test_every_rule_has_a_flip() -> None:
    assert set(FLIPS) == set(FIELDS)
