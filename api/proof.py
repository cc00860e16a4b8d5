"""Proof of a conversion: what was written is read back and compared with its source, fact by fact.

What the source states must come back, except what the format has no place for. What it does not state may be
in the result only if the engine, which replays the source, says the same, or if the format cannot do without.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial

from paifu.parsers.conversion import CHOSEN, INFERRED, LOST, always, stated_rules
from paifu.parsers.errors import WriteError
from paifu.parsers.read import read_unit
from paifu.parsers.sources.documents import Document
from paifu.parsers.writers import WRITERS
from paifu.replay.comparison.comparing import ComparedFact, FactDifference, GameComparison, compare_games
from paifu.replay.comparison.derived import derived, with_settled_points
from paifu.replay.comparison.facts import DIFFERENT, ONLY_A, ONLY_B
from paifu.replay.language import _
from paifu.replay.model.batch import Batch
from paifu.replay.model.counts import Counts
from paifu.replay.rules.choices import Scheme
from paifu.replay.rulesets.presets import ruleset_of


@dataclass(frozen=True, slots=True)
class ProvedFact(Counts):
    """What became of a fact, in rows; counts add up."""

    kept: int = 0
    derived: int = 0
    """The source does not state it; the result says what the engine says."""
    chosen: int = 0
    """The source does not state it, nor does it follow; the format cannot do without it."""
    lost: int = 0
    """Stated by the source, not by the result, which has no place for it."""
    missing: int = 0
    """Stated by the source, not by the result, which could."""
    changed: int = 0
    invented: int = 0
    """Not stated by the source; the engine says something else, or nothing."""

    @property
    def faults(self) -> int:
        """Rows that the result should have otherwise."""
        return self.missing + self.changed + self.invented


@dataclass(frozen=True, slots=True)
class Proof:
    """What became of each fact of a game, and every place with a fault."""

    facts: dict[str, ProvedFact] = field(default_factory=dict)
    faults: tuple[FactDifference, ...] = ()

    def __bool__(self) -> bool:
        return not self.faults


def prove(source: Batch, text: bytes, target: str, name: str = "") -> Proof:
    """Compare a game with what was written of it in a format. Raises WriteError if that cannot be read.

    The reader knows nothing of how the text was written: it is the one of all commands.
    """
    writer = WRITERS[target]
    result = read_unit([Document(f"{name or 'written'}{writer.suffix}", text, writer.format)])
    if len(result) != 1 or len(result.faults):
        reason = str(result.faults.reason[0]) if len(result.faults) else _("it holds no game")
        told = _("{log}: what was written cannot be read back: {reason}")
        raise WriteError(told.format(log=source.games.source[0], reason=reason))
    rules = ruleset_of(source, 0)
    compare = partial(
        compare_games,
        rules=stated_rules(target, rules),
        quiet={fact for fact, due in LOST[target].items() if due is always} | CHOSEN.get(target, frozenset()),
        unsaid_b=INFERRED.get(target, ()),
    )
    found = engine = compare(source, result)
    if any(counts.only_b for counts in found.facts.values()) and rules.game.scheme == Scheme.HAN_FU:
        engine = compare(with_settled_points(derived(source)), result)
    return Proof(
        {fact: _fact(fact, target, found, engine, source) for fact in sorted(found.facts.keys())},
        tuple(_faults(target, found, engine, source)),
    )


def _fact(fact: str, target: str, found: GameComparison, engine: GameComparison, source: Batch) -> ProvedFact:
    """Count what became of a fact: ``found`` compares with the source, ``engine`` with all that follows."""
    plain, known = found.facts[fact], engine.facts.get(fact, ComparedFact())
    missing = sum(1 for one in found.differences if one.fact == fact and _is_missing(one, target, source))
    unfounded = known.only_b + known.different - plain.different
    is_chosen = fact in CHOSEN.get(target, ())
    return ProvedFact(
        kept=plain.equal,
        derived=plain.only_b - unfounded,
        chosen=unfounded * is_chosen,
        lost=plain.only_a - missing,
        missing=missing,
        changed=plain.different,
        invented=unfounded * (not is_chosen),
    )


def _faults(
    target: str, found: GameComparison, engine: GameComparison, source: Batch
) -> Iterable[FactDifference]:
    known = set(found.differences)
    for one in found.differences:
        if one.status == DIFFERENT or _is_missing(one, target, source):
            yield one
    for one in engine.differences:
        is_new = one.status == ONLY_B or (one.status == DIFFERENT and one not in known)
        if is_new and one.fact not in CHOSEN.get(target, ()):
            yield one


def _is_missing(one: FactDifference, target: str, source: Batch) -> bool:
    """Return whether the result lacks something that its format could state."""
    if one.status != ONLY_A:
        return False
    due = LOST[target].get(one.fact)
    if due is None:
        return True
    begin = int(source.hands.event_begin[one.hand]) if one.hand >= 0 else 0
    return not due(source, begin + max(one.event, 0))
