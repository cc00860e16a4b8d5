"""Flips of the rules that only several players' payments show.

A hand is played by a script under the rules as they are; a probe is what ``paifu verify`` finds in its log.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from rules.flip import Flip
from scripted import Script, play_scripts

from paifu.api.simulated import batch_of
from paifu.replay.course.settlement import HandStart
from paifu.replay.facts.tables import code_of
from paifu.replay.model.batch import Batch
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import load_preset
from paifu.replay.table.engine import replay

SOUTH_1 = HandStart(4, 1, 1, 0)
"""One honba, one stick on the table."""
FROM_EAST_1 = HandStart(0, 0, 0, 0)
DRAGONS, SOUTHS, GREENS = "78m123p456s777z33z", "78m456p456s222z33z", "78m234678p666z11z"
"""Each waits for 69m and has a yaku in South 1."""
PAIRS_OF_WINDS = ("123m456p789s1122z", "123m456p789s3344z", "789m123p456s5566z")
ORPHANS = "19m19p19s1234567z"


@cache
def _played(script: Script, opening: HandStart, preset: str) -> Batch:
    return batch_of([play_scripts(load_preset(preset), script, opening=opening)])


def found(
    moves: str, *hands: str, opening: HandStart = SOUTH_1, preset: str = "tenhou"
) -> Callable[[Ruleset], list[str]]:
    """Probe: the codes that a verification of the hand under the rules finds."""

    def probe(rules: Ruleset) -> list[str]:
        codes = replay(_played(Script(moves, hands), opening, preset), rules).findings.code
        return sorted(set(map(code_of, codes.tolist())))

    return probe


TWO_RONS = found("9m ron1,3", "", DRAGONS, "", SOUTHS)
RON = found("9m ron1", "", DRAGONS)

PAYMENT_FLIPS = {
    "head_bump": Flip(True, TWO_RONS, [], ["V309"]),
    "abort_sanchahou": Flip(False, found("9m ron1,2,3", "", DRAGONS, GREENS, SOUTHS), [], ["V212"]),
    "multi_ron_sticks": Flip(
        "own_first", found(". . . 5z>r5z 9m ron1,3", "", DRAGONS, "", SOUTHS), [], ["V401", "V403"]
    ),
    "multi_ron_honba": Flip("each", TWO_RONS, [], ["V401"]),
    "honba_each": Flip(500, RON, [], ["V401"]),
    "noten_pay_1": Flip(500, found("end", *PAIRS_OF_WINDS[:1]), [], ["V405"]),
    "noten_pay_2": Flip(1000, found("end", *PAIRS_OF_WINDS[:2]), [], ["V405"]),
    "noten_pay_3": Flip(1500, found("end", *PAIRS_OF_WINDS), [], ["V405"]),
    "nagashi": Flip("none", found("end:1"), [], ["V407"]),
    "sanma_tsumo": Flip(
        "split",
        found("9p>tsumo", "78p123456s777z33z", preset="tenhou-sanma"),
        [],
        ["V307"],
        preset="tenhou-sanma",
    ),
    "yakitori_points": Flip(10000, found("1z ron1", "", ORPHANS, opening=FROM_EAST_1), [], ["V506"]),
}
