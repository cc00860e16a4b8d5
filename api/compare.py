"""Comparison of records: whether two of them tell the same game, fact by fact."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from paifu.api.only import EVERY_GAME, Only
from paifu.api.pipeline import SILENT, Paths, Watch, listed, reading
from paifu.parsers.conversion import inferred_by, rules_stated_by, unsaid_by
from paifu.parsers.joining import joined
from paifu.parsers.sources.paths import STDIN
from paifu.replay.comparison.comparing import ComparedFact, FactDifference, compare_games
from paifu.replay.comparison.facts import DIFFERENT
from paifu.replay.comparison.pairing import PairingKeys, pair_games, pairing_keys
from paifu.replay.errors import ArgumentError
from paifu.replay.findings.finding import Finding
from paifu.replay.foreign_text import escaped
from paifu.replay.language import _
from paifu.replay.model.batch import Batch


@dataclass(frozen=True, slots=True)
class RecordDifference:
    """One place where two records do not say the same."""

    a_source: str
    b_source: str
    difference: FactDifference


@dataclass(frozen=True, slots=True)
class PairedRecords:
    """Two records of one game, and what they have in common."""

    a_source: str
    b_source: str
    facts: dict[str, ComparedFact]
    differences: list[RecordDifference]

    def __bool__(self) -> bool:
        return not any(counts.different for counts in self.facts.values())


@dataclass(slots=True)
class RecordComparison:
    """Two sets of records, paired by content. It is true if nothing is different as far as both say."""

    pairs: list[PairedRecords] = field(default_factory=list)
    only_a: list[str] = field(default_factory=list)
    """Sources of games that the second set does not have."""
    only_b: list[str] = field(default_factory=list)
    faults: list[Finding] = field(default_factory=list)
    """What could not be read."""

    def __bool__(self) -> bool:
        return bool(self.pairs) and all(self.pairs)

    def without(self, beginnings: Iterable[str]) -> RecordComparison:
        """Leave out facts that begin with one of some texts."""
        left_out = tuple(beginnings)
        pairs = [
            PairedRecords(
                pair.a_source,
                pair.b_source,
                {name: counts for name, counts in pair.facts.items() if not name.startswith(left_out)},
                [one for one in pair.differences if not one.difference.fact.startswith(left_out)],
            )
            for pair in self.pairs
        ]
        return RecordComparison(pairs, self.only_a, self.only_b, self.faults)

    @property
    def facts(self) -> dict[str, ComparedFact]:
        """What all pairs have in common, added up: name of a fact -> counts."""
        total: dict[str, ComparedFact] = {}
        for pair in self.pairs:
            for fact, counts in pair.facts.items():
                total[fact] = total.get(fact, ComparedFact()) + counts
        return dict(sorted(total.items()))

    @property
    def differences(self) -> Iterator[RecordDifference]:
        """Every place where two records say different things."""
        return (one for pair in self.pairs for one in pair.differences if one.difference.status == DIFFERENT)


def _check_pipes(a: Paths, b: Paths) -> None:
    """Refuse a pipe on both sides: once it has been read, nobody would write to it again."""
    others = set(map(str, listed(b)))
    for path in map(str, listed(a)):
        if path in others and (path == STDIN or Path(path).is_fifo()):
            raise ArgumentError(_("{path}: a pipe can be read only once").format(path=escaped(path)))


def compare_records(
    a: Paths, b: Paths, *, only: Only = EVERY_GAME, jobs: int | None = 1, watch: Watch = SILENT
) -> RecordComparison:
    """Compare records of games: files, folders, archives, databases or datasets, in any formats.

    Games are paired by what was dealt and played, whatever they are called. The second set is held in
    memory. ``only`` are the games that count. Raises PathNotFound, and ArgumentError for one pipe as both.

    >>> import paifu
    >>> logs = "sample_logs/formats/"
    >>> bool(paifu.compare_records(logs + "hanchan.mjlog.gz", logs + "hanchan.json"))
    True
    """
    _check_pipes(a, b)
    found = RecordComparison()
    ready, keys = [], []
    second = reading(b, only=only, jobs=jobs, watch=watch)
    for batch in second:
        for game in _games(batch):
            ready.append(game)
            keys += pairing_keys(game)
    left = dict(enumerate(keys))
    first = reading(a, only=only, jobs=jobs, watch=watch)
    for batch in first:
        games = list(_games(batch))
        for one, other in _pairs([pairing_keys(game)[0] for game in games], left):
            if other is None:
                found.only_a.append(str(games[one].games.source[0]))
            else:
                found.pairs.append(_compared(games[one], ready[other]))
                del left[other]
    found.only_b += [str(ready[number].games.source[0]) for number in sorted(left)]
    if len(found.only_a) == len(found.only_b) == 1 and not found.pairs:
        (other,) = left
        found.pairs.append(_compared(games[0], ready[other]))
        found.only_a, found.only_b = [], []
    found.faults = [*first.faults, *second.faults]
    return found


def _games(batch: Batch) -> Iterator[Batch]:
    """Yield the games of a batch, those whose hands stand in logs of their own joined."""
    whole = joined(batch)
    return (whole.take(game).copied() for game in range(len(whole)))


def _pairs(ones: list[PairingKeys], left: dict[int, PairingKeys]) -> Iterable[tuple[int, int | None]]:
    """Yield each game with its partner among those left, or None."""
    numbers = list(left)
    paired = {one: numbers[other] for one, other in pair_games(ones, list(left.values()))}
    return [(one, paired.get(one)) for one in range(len(ones))]


def _compared(one: Batch, other: Batch) -> PairedRecords:
    formats = str(one.games.format[0]), str(other.games.format[0])
    a, b = (unsaid_by(name) for name in formats)
    found = compare_games(
        one,
        other,
        rules=rules_stated_by(*formats),
        quiet=a | b,
        unsaid_a=inferred_by(formats[0]) if formats[0] != formats[1] else (),
        unsaid_b=inferred_by(formats[1]) if formats[0] != formats[1] else (),
    )
    sources = str(one.games.source[0]), str(other.games.source[0])
    facts = {fact: _fact(counts, fact in a, fact in b) for fact, counts in sorted(found.facts.items())}
    return PairedRecords(*sources, facts, [RecordDifference(*sources, place) for place in found.differences])


def _fact(counts: ComparedFact, unsaid_a: bool, unsaid_b: bool) -> ComparedFact:
    return ComparedFact(
        counts.equal,
        counts.different,
        0 if unsaid_b else counts.only_a,
        0 if unsaid_a else counts.only_b,
        counts.only_a * unsaid_b + counts.only_b * unsaid_a,
    )
