"""Made-up rulesets, games under them, and how far a guess of their rules is right."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from paifu.api.simulated import batch_of
from paifu.coach.simulate.games import PLAYERS, Simulator
from paifu.replay.model.batch import Batch
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import RuleError, load_preset, preset_names, with_overrides
from paifu.replay.table.rule_alternatives import RuleAlternative, alternatives
from paifu.replay.table.rule_guess import RuleGuess

PLAIN = {3: "tenhou-sanma", 4: "tenhou"}
"""Players -> the preset that logs name."""
_KINDS = ("balanced", "wild", "caller", "tile-efficient")
_FIRST = 5000
_MOST_CHANGED = 5
_OTHER_PRESETS = 0.2


def simulated(rules: Ruleset, games: int, first: int = _FIRST) -> Batch:
    """Games under a ruleset, in logs that name Tenhou's."""
    simulator = Simulator(rules, [PLAYERS[kind] for kind in _KINDS])
    batch = batch_of([simulator.game(first + number) for number in range(games)], fmt="paifu")
    own = PLAIN[rules.table.players]
    names, overrides = (np.array([text] * len(batch), object) for text in (own, ""))
    return replace(batch, games=replace(batch.games, ruleset=names, overrides=overrides))


@dataclass(frozen=True)
class Told:
    """What a guess says of a ruleset."""

    counts: Counter[str]
    wrong: list[str]
    unsaid: list[str]


def made_ruleset(chance: random.Random, plain: Batch) -> tuple[Ruleset, list[RuleAlternative]]:
    """Return rules and what was changed in them; ``plain`` are games of that many players."""
    players = int(plain.games.players[0])
    rules = load_preset(PLAIN[players])
    if chance.random() < _OTHER_PRESETS:
        presets = map(load_preset, preset_names(Scheme.HAN_FU))
        rules = chance.choice([one for one in presets if one.table.players == players])
    options = list(alternatives(rules, plain))
    changed: list[RuleAlternative] = []
    for one in chance.sample(options, chance.randint(1, _MOST_CHANGED)):
        try:
            rules = with_overrides(rules, one)
            changed.append(one)
        except RuleError:
            continue
    return rules, changed


def told(guess: RuleGuess, truth: Ruleset) -> Told:
    """Compare what a guess claims with the truth, rule by rule."""
    plain = load_preset(PLAIN[guess.players])
    base = load_preset(guess.preset) if guess.preset else plain
    guessed, true, named = with_overrides(base, guess.changes).values(), truth.values(), plain.values()
    claimed = {*guess.changes, *_shown(guess)} - {*guess.undecided}
    counts: Counter[str] = Counter()
    wrong, unsaid = [], []
    for name, value in true.items():
        if name in claimed and guessed[name] != value:
            counts["wrong"] += 1
            wrong.append(f"{name} = {guessed[name]}, not {value}")
        elif named[name] == value:
            continue
        elif name in claimed or guessed[name] == value:
            counts["found"] += 1
        elif name in guess.undecided or name in guess.untried:
            counts["undecided"] += 1
        else:
            counts["unsaid"] += 1
            unsaid.append(f"{name} = {value}")
    return Told(counts, wrong, unsaid)


def _shown(guess: RuleGuess) -> Iterator[str]:
    for one in guess.evidence:
        yield from one.rules
