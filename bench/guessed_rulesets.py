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
import sys
from collections import Counter
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from guessed_rules import PLAIN, made_ruleset, simulated, told

from paifu.replay.rulesets.presets import load_preset
from paifu.replay.table.rule_guess import guess_rules

_EACH = 20
"""Rulesets after which the counts are printed."""
_THREE = 0.2
"""How often games are of three players."""


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
        rules, changed = made_ruleset(chance, plain[3 if chance.random() < _THREE else 4])
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
