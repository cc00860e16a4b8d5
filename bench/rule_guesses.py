"""How often ``paifu rules guess`` finds the rules: ``python bench/rule_guesses.py [GAMES] [FOLDER]``.

Simulated games of every preset are given Tenhou's name, and the guess is compared with the preset in each
rule in which the two differ: found, undecided (no game shows it), or wrong. The guess is made twice, with the
presets and with single changes only. With a FOLDER of logs, the guess for each of them is compared with the
rules that it names.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from guessed_rules import PLAIN, simulated

from paifu.parsers.read import read_batches
from paifu.replay.model.batch import Batch
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import load_preset, preset_names, with_overrides
from paifu.replay.table import rule_guess

_MOST_OF_A_KIND = 40
"""Games of a kind of logs that are looked at."""


def outcome(rules: Ruleset, batch: Batch, *, use_presets: bool) -> tuple[str, Counter[str], list[str]]:
    """What was guessed, how many of the deviating rules were found, and the wrong ones."""
    guess = rule_guess.guess_rules(batch, use_presets=use_presets)
    own = PLAIN[rules.table.players]
    base = load_preset(guess.preset or own)
    guessed, truth, plain = (
        one.values() for one in (with_overrides(base, guess.changes), rules, load_preset(own))
    )
    counts: Counter[str] = Counter()
    wrong = []
    for name, value in truth.items():
        if value == plain[name]:
            continue
        if guessed[name] == value:
            counts["found"] += 1
        elif name in guess.undecided or guessed[name] == plain[name]:
            counts["undecided"] += 1
        else:
            counts["wrong"] += 1
            wrong.append(f"{name} = {guessed[name]}, not {value}")
    left = sum(guess.left.values())
    changes = f" with {len(guess.changes)} changes" if guess.changes else ""
    return f"{guess.preset or own}{changes}, {left} contradictions left", counts, wrong


def main(games: int, folder: str) -> None:
    """Print both tables."""
    for use_presets in (True, False) if games else ():
        print("with presets" if use_presets else "single changes of Tenhou's rules only")
        total: Counter[str] = Counter()
        for name in preset_names(Scheme.HAN_FU):
            rules = load_preset(name)
            told, counts, wrong = outcome(rules, simulated(rules, games), use_presets=use_presets)
            total += counts
            print(
                f"  {name:<22} {counts['found']:>3} found {counts['undecided']:>3} undecided "
                f"{counts['wrong']:>3} wrong: {told}"
            )
            for text in wrong:
                print(f"      {text}")
        shown = total["found"] + total["wrong"]
        print(
            f"  of {total.total()} deviating rules {total['found']} found, {total['undecided']} undecided, "
            f"{total['wrong']} wrong; of what was decided {100 * total['found'] / max(1, shown):.1f}% right"
        )
    if folder:
        _corpus(folder)


def _corpus(folder: str) -> None:
    """Print a guess for each kind of log: games of one format whose logs name the same rules."""
    kinds: dict[tuple[str, str, str], list[Batch]] = {}
    for batch in read_batches([Path(folder)]):
        games = batch.games
        for game, key in enumerate(zip(games.format, games.ruleset, games.overrides, strict=True)):
            kinds.setdefault(key, []).append(batch.take(game))
    own = undecided = 0
    for (fmt, ruleset, overrides), found in sorted(kinds.items(), key=lambda pair: pair[0]):
        guess = rule_guess.guess_rules(
            Batch.concatenate(found[row] for row in rule_guess.spaced(range(len(found)), _MOST_OF_A_KIND))
        )
        is_own = not guess.preset and not guess.changes
        own += is_own
        undecided += len(guess.undecided)
        told = "" if is_own else f": {guess.preset or 'its own'} with {dict(guess.changes)}"
        print(
            f"  {fmt} {ruleset} {overrides or '{}'}: {guess.games} of {len(found)} games, "
            f"{'own rules' if is_own else 'others'}, {len(guess.undecided)} undecided, "
            f"contradictions {dict(guess.before)} before and {dict(guess.left)} after{told}"
        )
    print(
        f"  {own} of {len(kinds)} kinds of logs explained best by the rules that they name; "
        f"{undecided / max(1, len(kinds)):.0f} rules undecided on average"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20, sys.argv[2] if len(sys.argv) > 2 else "")
