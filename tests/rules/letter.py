"""Scripted hands that one preset allows and Tenhou's rules fault: what sets the rule sheets apart, in play.

Each case is played under a preset by a script. Verified under the preset the log has no finding; verified
under Tenhou's rules, with the preset's players and red fives, it has those that the case names.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from paifu.parsers.simulated import batch_of
from paifu.replay.findings.finding import code_of
from paifu.replay.model.batch import Batch
from paifu.replay.rules.presets import load_preset, with_overrides
from paifu.replay.rules.ruleset import Ruleset, RuleValue
from paifu.replay.simulate.scripted import Script, play_scripts
from paifu.replay.table.engine import replay
from paifu.replay.table.settlement import HandStart

EAST_1, EAST_4, SOUTH_1, SOUTH_4, WEST_1, WEST_4 = (
    HandStart(number, 0, 0, number % 4) for number in (0, 3, 4, 7, 8, 11)
)
_OF_THE_SET = ("players", "red_man", "red_pin", "red_sou", "uma")
"""What Tenhou's rules take over from the case, for they are about something else."""


@dataclass(frozen=True)
class Case:
    """One script: the preset that allows it, and what Tenhou's rules find in it."""

    preset: str
    scripts: tuple[Script, ...]
    faults: tuple[str, ...]
    opening: HandStart = EAST_1
    scores: tuple[int, ...] | None = None
    given: dict[str, RuleValue] = field(default_factory=dict)
    """Options of the preset that are switched."""

    def rules(self) -> Ruleset:
        """Return the rules that allow it."""
        return with_overrides(load_preset(self.preset), self.given)

    def others(self) -> Ruleset:
        """Return Tenhou's rules, for the same tiles and players."""
        values = self.rules().values()
        return with_overrides(load_preset("tenhou"), {name: values[name] for name in _OF_THE_SET})

    def batch(self) -> Batch:
        """Return the log."""
        game = play_scripts(self.rules(), *self.scripts, opening=self.opening, scores=self.scores)
        return batch_of([game], "paifu")


def found(batch: Batch, *rules: Ruleset) -> tuple[str, ...]:
    """Return the codes that a verification finds, each once."""
    return tuple(sorted(set(map(code_of, replay(batch, *rules).findings.code.tolist()))))


DRAGONS, SOUTHS = "78m123p456s777z33z", "78m456p456s222z33z"
"""Each waits for 69m and has a yaku in South 1."""
SINGLE_ORPHANS = "19m19p119s123456z"
"""Waits for 7z."""

CASES = {
    "yakuza2: an open kan turns its indicator at once, and a win on its supplement tile counts it": Case(
        "yakuza2",
        (Script("5p kan1 1z>tsumo", ("", "555p123m456m789s1z"), dora="9m4p"),),
        ("V209", "V307", "V308", "V401"),
    ),
    "yakuza2: the final points are table points and uma": Case(
        "yakuza2", (Script("7z ron1", ("", SINGLE_ORPHANS)),), ("V506",)
    ),
}
