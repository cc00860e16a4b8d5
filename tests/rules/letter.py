"""Scripted hands that one preset allows and Tenhou's rules fault: what sets rule sheets apart, in play.

Each case is played under a preset by a script. Verified under the preset the log has no finding; verified
under Tenhou's rules, with the preset's players and red fives, it has those that the case names. Where a
preset is the stricter one, the case is played under Tenhou's rules and verified under the preset's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from case_data import case_data
from scripted import Script, play_scripts

from paifu.api.simulated import batch_of
from paifu.replay.course.settlement import HandStart
from paifu.replay.facts.tables import code_of
from paifu.replay.model.batch import Batch
from paifu.replay.rules.fields import RuleValue
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.table.engine import replay

EAST_1 = HandStart(0, 0, 0, 0)
_OF_THE_SET = ("players", "red_man", "red_pin", "red_sou", "uma")
"""What the other rules take over from the case, unless it is about one of these."""


@dataclass(frozen=True)
class Case:
    """Scripts, the preset that allows them, and what the other's rules find in their log."""

    preset: str
    scripts: tuple[Script, ...]
    faults: tuple[str, ...]
    opening: HandStart = EAST_1
    scores: Sequence[int] | None = None
    given: dict[str, RuleValue] = field(default_factory=dict)
    """Options of the preset that are switched."""
    other: str = "tenhou"
    other_given: dict[str, RuleValue] = field(default_factory=dict)
    keeps: Sequence[str] = ()
    """Rules that the other does not take over."""

    def rules(self) -> Ruleset:
        """Return the rules that allow it."""
        return with_overrides(load_preset(self.preset), self.given)

    def others(self) -> Ruleset:
        """Return the rules that object, for the same tiles and players."""
        values = self.rules().values()
        taken = {name: values[name] for name in _OF_THE_SET if name not in self.keeps}
        return with_overrides(load_preset(self.other), taken | self.other_given)

    def batch(self) -> Batch:
        """Return the log."""
        game = play_scripts(self.rules(), *self.scripts, opening=self.opening, scores=self.scores)
        return batch_of([game], "paifu")


def found(batch: Batch, *rules: Ruleset) -> tuple[str, ...]:
    """Return the codes that a verification finds, each once."""
    return tuple(sorted(set(map(code_of, replay(batch, *rules).findings.code.tolist()))))


PAIRS_OF_WINDS = ("123m456p789s1122z", "123m456p789s3344z", "789m123p456s5566z")
SINGLE_ORPHANS = "19m19p119s123456z"
"""Waits for 7z."""


def _case(preset: str, scripts: list[dict[str, str]], faults: list[str], **known: Any) -> Case:
    if "opening" in known:
        known["opening"] = HandStart(*known["opening"])
    return Case(preset, tuple(Script(**script) for script in scripts), tuple(faults), **known)


CASES = {name: _case(**row) for name, row in case_data("letter").items()}
