"""How often ``paifu rules guess`` finds made-up rules: ``python bench/guessed_rulesets.py [--help]``.

Each ruleset is that of Tenhou, or now and then another preset, with one to five rules changed at random to
what a log can show and some preset has. Games are simulated under it, in logs that name Tenhou's rules, and
the guess is compared with the truth in every rule: what it states and what is so (found), what it says no
hand decides, or that it did not try (undecided), what it states and what is not so (wrong), and what it does
not speak of (unsaid).
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

from rule_guesses import PLAIN, simulated

from paifu.replay.model.batch import Batch
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import RuleError, load_preset, preset_names, with_overrides
from paifu.replay.table.rule_alternatives import RuleAlternative, alternatives
from paifu.replay.table.rule_guess import RuleGuess, guess_rules

_MOST_CHANGED = 5
_OTHER_PRESETS = 0.2
_EACH = 20
_THREE = 0.2
"""How often games are of three players."""


@dataclass(frozen=True)
class Told:
    """What a guess says of a ruleset."""

    counts: Counter[str]
    wrong: list[str]
    unsaid: list[str]


def ruleset(chance: random.Random, plain: Batch) -> tuple[Ruleset, list[RuleAlternative]]:
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


def main() -> None:
    """Print what was told wrongly, and the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rulesets", type=int, default=1000)
    parser.add_argument("--games", type=int, default=4, help="games under each ruleset")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    plain = {players: simulated(load_preset(name), 4) for players, name in PLAIN.items()}
    total: Counter[str] = Counter()
    begun = perf_counter()
    for seed in range(options.seed, options.seed + options.rulesets):
        chance = random.Random(seed)  # noqa: S311
        rules, changed = ruleset(chance, plain[3 if chance.random() < _THREE else 4])
        guess = guess_rules(simulated(rules, options.games, 100 * seed))
        found = told(guess, rules)
        total += found.counts
        total["rulesets"] += 1
        total["with something wrong"] += bool(found.wrong)
        total["without contradictions"] += not guess.left
        if found.wrong or found.unsaid:
            guessed = f"{guess.preset or 'named'} {dict(guess.changes)}, left {dict(guess.left)}"
            print(f"seed {seed}: {guessed}; true {changed}; wrong {found.wrong}; unsaid {found.unsaid}")
        if seed % _EACH == 0:
            print(f"{dict(total)}, {perf_counter() - begun:.0f} s", flush=True)
    print(f"{dict(total)}, {perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()
