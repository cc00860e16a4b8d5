"""Guesses of rules, in words and as data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from paifu.replay.language import _
from paifu.reports.rulesets import value_text
from paifu.reports.wording import plural

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
                "untried": list(one.untried),
                "alike": list(one.alike),
            }
            for one in guesses
        ],
        "games_not_riichi": others,
        "games_beyond": beyond,
    }


def before(guess: RuleGuess) -> list[str]:
    """What was looked at, and the answer."""
    own = _("what the logs name ({names})").format(names=_(" and ").join(guess.named))
    answer = guess.preset or own
    best = _("best: {rules} with {changes}; {left}") if guess.changes else _("best: {rules}; {left}")
    changes = ", ".join(f"{name} = {value_text(value)}" for name, value in guess.changes.items())
    texts = [
        _("{players}: {games}, {hands}").format(
            players=plural(guess.players, "player"),
            games=plural(guess.games, "game"),
            hands=plural(guess.hands, "hand"),
        ),
        best.format(rules=answer, changes=changes, left=_counted(guess.left)),
    ]
    if guess.preset or guess.changes:
        texts.append(_("under {rules}: {left}").format(rules=own, left=_counted(guess.before)))
    if guess.alike:
        texts.append(_("as good: {names}").format(names=", ".join(guess.alike)))
    return texts


def evidence_rows(guess: RuleGuess) -> Iterator[tuple[str, str, str, str]]:
    """A row for each rule that some game shows: rule, value, the next best one, what would contradict it."""
    for one in guess.evidence:
        mark = "* " if any(name in guess.changes for name in one.rules) else ""
        yield (
            mark + ", ".join(one.rules),
            ", ".join(map(value_text, one.rules.values())),
            ", ".join(map(value_text, one.instead.values())),
            ", ".join(f"{code} {count}" for code, count in one.codes.items()),
        )


def after(guess: RuleGuess) -> list[str]:
    """What stays open."""
    texts = []
    if guess.changes:
        texts.append(_("* changed"))
    weak = [
        ", ".join(one.rules)
        for one in guess.evidence
        if max(one.codes.values()) == 1 and any(name in guess.changes for name in one.rules)
    ]
    if weak:
        text = _("one hand alone shows {rules}: the log may be wrong instead")
        texts.append(text.format(rules=", ".join(weak)))
    either = [name for name in guess.undecided if name in guess.changes]
    if either:
        text = _("undecided, other values would explain the games as well: {rules}")
        texts.append(text.format(rules=", ".join(either)))
    open_rules = [name for name in guess.undecided if name not in guess.changes]
    if open_rules:
        text = _("undecided, no game shows them: {rules}")
        texts.append(text.format(rules=", ".join(open_rules)))
    if guess.untried:
        text = _("not looked at, because logs hardly show them: {count} rules (--format json names them)")
        texts.append(text.format(count=len(guess.untried)))
    return texts


def next_step(guess: RuleGuess) -> str:
    """The command that verifies logs under what was guessed; empty where that is what they name."""
    if guess.preset or guess.changes:
        options = [f"--rules {guess.preset}"] if guess.preset else []
        options += [f"--set '{name}={value_text(value)}'" for name, value in guess.changes.items()]
        return _("next: {command}").format(command=f"paifu verify PATH... {' '.join(options)}")
    return ""


def _counted(codes: Mapping[str, int]) -> str:
    if not codes:
        return _("nothing contradicts")
    listed = (
        _("{code} in {hands}").format(code=code, hands=plural(count, "hand")) for code, count in codes.items()
    )
    return _("contradictions: {listed}").format(listed=", ".join(listed))
