"""Guesses of rules, in words and as data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from paifu.replay.rules.fields import RuleValue
from paifu.reports.rulesets import value_text
from paifu.reports.words import plural

if TYPE_CHECKING:
    from paifu.replay.table.rule_guess import RuleGuess

SCHEMA = "paifu.rules-guess/1"


def document(guesses: Iterable[RuleGuess], others: int, beyond: int) -> dict[str, Any]:
    """All guesses, and games that none was made of, as ``--format json`` prints them."""
    return {
        "schema": SCHEMA,
        "guesses": [
            {
                "players": one.players,
                "games": one.games,
                "hands": one.hands,
                "named": list(one.named),
                "ruleset": one.preset or None,
                "changes": dict(one.changes),
                "contradictions_of_named": dict(one.before),
                "contradictions_left": dict(one.left),
                "evidence": [
                    {"rules": dict(e.rules), "instead": dict(e.instead), "contradictions": dict(e.codes)}
                    for e in one.evidence
                ],
                "undecided": list(one.undecided),
                "alike": list(one.alike),
            }
            for one in guesses
        ],
        "games_not_riichi": others,
        "games_beyond": beyond,
    }


def before(guess: RuleGuess) -> list[str]:
    """What was looked at, and the answer."""
    named = " and ".join(guess.named)
    own = f"what the logs name ({named})"
    answer = guess.preset or own
    texts = [
        f"{guess.players} players: {plural(guess.games, 'game')}, {plural(guess.hands, 'hand')}",
        f"best: {answer}{_with(guess.changes)}; {_counted(guess.left)}",
    ]
    if guess.preset or guess.changes:
        texts.append(f"under {own}: {_counted(guess.before)}")
    if guess.alike:
        texts.append(f"as good: {', '.join(guess.alike)}")
    return texts


def evidence_rows(guess: RuleGuess) -> Iterator[tuple[str, str, str, str]]:
    """A row for each rule that some game shows: rule, value, the next best one, what would contradict it."""
    for one in guess.evidence:
        mark = "* " if any(name in guess.changes for name in one.rules) else ""
        yield (
            mark + ", ".join(one.rules),
            ", ".join(map(_text, one.rules.values())),
            ", ".join(map(_text, one.instead.values())),
            ", ".join(f"{code} {count}" for code, count in one.codes.items()),
        )


def after(guess: RuleGuess) -> list[str]:
    """What stays open."""
    texts = []
    if guess.changes:
        texts.append("* changed")
    weak = [
        ", ".join(one.rules)
        for one in guess.evidence
        if max(one.codes.values()) == 1 and any(name in guess.changes for name in one.rules)
    ]
    if weak:
        texts.append(f"one hand alone shows {', '.join(weak)}: the log may be wrong instead")
    if guess.undecided:
        texts.append(f"undecided, no game shows them: {', '.join(guess.undecided)}")
    return texts


def next_step(guess: RuleGuess) -> str:
    """The command that verifies logs under what was guessed; empty where that is what they name."""
    if guess.preset or guess.changes:
        options = [f"--rules {guess.preset}"] if guess.preset else []
        options += [f"--set '{name}={_text(value)}'" for name, value in guess.changes.items()]
        return f"next: paifu verify PATH... {' '.join(options)}"
    return ""


def _with(changes: Mapping[str, RuleValue]) -> str:
    return (
        " with " + ", ".join(f"{name} = {_text(value)}" for name, value in changes.items()) if changes else ""
    )


def _counted(codes: Mapping[str, int]) -> str:
    if not codes:
        return "nothing contradicts"
    listed = ", ".join(f"{code} in {plural(count, 'hand')}" for code, count in codes.items())
    return f"contradictions: {listed}"


def _text(value: RuleValue) -> str:
    return value_text(value)
