"""Which rules explain some games best: replays under alternatives, and what each of them contradicts.

A contradiction is a finding of verification that depends on rules, counted once for each hand and code. The
guess is the preset, or what the logs name, with the fewest changes that leaves the fewest contradictions. It
is found step by step: of all alternatives the one that leaves the fewest is taken, until none leaves fewer;
then what is not needed is taken back. Rules under which moves of the games are illegal that are legal under
what the logs name are never taken, whatever else they explain: a hand that breaks off shows nothing more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from paifu.replay.facts.tables import code_of
from paifu.replay.kernels.codes import DORA, ILLEGAL_CALL, RIICHI_STICK, TOO_MANY_COPIES
from paifu.replay.model.batch import Batch
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.fields import RuleValue
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import (
    Changes,
    Given,
    RuleError,
    dump_overrides,
    load_preset,
    preset_names,
    rulesets_of,
    with_overrides,
)
from paifu.replay.table.engine import replay
from paifu.replay.table.rule_alternatives import RuleAlternative, alternatives
from paifu.replay.table.unstated import without_ura

_OF_THE_FILE = frozenset({101, 102, 104, 105, 201, 202, 203, 211})
"""Codes that no rule can explain."""
_MOVES = (1, 2)
"""Families of codes of what was dealt and of moves."""
_OF_A_RULE = (TOO_MANY_COPIES, ILLEGAL_CALL, RIICHI_STICK)
"""Those of a single rule. Others may show only when a hand does not break off any more."""
_FAMILIES = range(1, 6)
_MOST_BASES = 3
"""Presets from which the search starts, besides what the logs name."""
_MOST_CHANGES = 12
_CLOSE = 5
"""Alternatives that are tried on all games after they were tried on some."""
_SAMPLE = 40
"""Games that are looked at to compare alternatives."""


@dataclass(frozen=True, slots=True)
class Contradictions:
    """What speaks against some rules."""

    codes: Mapping[str, int]
    """Code -> hands in which it was found."""
    games: tuple[int, ...]
    """Games that have any."""
    illegal: frozenset[tuple[int, int]]
    """Hands with an illegal move, each with 0, and with the codes of :data:`_OF_A_RULE` that it has."""

    @property
    def count(self) -> int:
        """Hands and codes."""
        return sum(self.codes.values())


@dataclass(frozen=True, slots=True)
class RuleEvidence:
    """What one rule, or a few that go together, is taken to be, and what speaks against the other value."""

    rules: Mapping[str, RuleValue]
    instead: Mapping[str, RuleValue]
    """The values that explain the games next best."""
    codes: Mapping[str, int]
    """Code -> hands that would contradict."""


@dataclass(frozen=True, slots=True)
class RuleGuess:
    """The rules of some games with the same number of players."""

    players: int
    games: int
    hands: int
    named: tuple[str, ...]
    """Presets that the logs name."""
    preset: str
    """The preset that explains them, empty for what each log names."""
    changes: Mapping[str, RuleValue]
    """The rules in which they differ from it."""
    before: Mapping[str, int]
    """What contradicts the rules that the logs name: code -> hands."""
    left: Mapping[str, int]
    """What contradicts the guess."""
    evidence: tuple[RuleEvidence, ...]
    """For each change, and for every other rule that some game shows."""
    undecided: tuple[str, ...]
    """Rules of which another value would explain the games as well."""
    alike: tuple[str, ...]
    """Other presets that explain them as well, without a change."""


def contradictions(batch: Batch, *rules: Given) -> Contradictions:
    """Replay a batch and count what depends on its rules."""
    replayed = replay(batch, *rules, player_hands=False)
    found = replayed.findings
    counts = (found.code // 100 <= _FAMILIES[-1]) & ~np.isin(found.code, list(_OF_THE_FILE))
    pairs = {
        (int(hand), int(code)) for hand, code in zip(found.hand[counts], found.code[counts], strict=True)
    }
    # Unknown ura indicators cause no finding, but logs of games with ura dora show them.
    no_ura = without_ura(batch, replayed.rulesets, replayed.scored_wins.situation)
    pairs |= {(hand, DORA) for hand in batch.wins.hand[no_ura].tolist()}
    codes = Counter(code_of(code) for _, code in pairs)
    games = sorted({*found.game[counts].tolist(), *batch.wins.game[no_ura].tolist()})
    is_move = np.isin(found.code // 100, _MOVES)
    kept = np.where(np.isin(found.code, _OF_A_RULE), found.code, 0)
    illegal = {
        (int(hand), code)
        for hand, own in zip(found.hand[is_move], kept[is_move], strict=True)
        for code in (0, int(own))
    }
    return Contradictions(dict(sorted(codes.items())), tuple(games), frozenset(illegal))


@dataclass
class _Candidate:
    """A base and what was changed in it."""

    preset: str
    changes: dict[str, RuleValue]
    found: Contradictions

    def rank(self) -> tuple[int, int, bool]:
        """The less the better."""
        return self.found.count, len(self.changes), bool(self.preset)


@dataclass
class _Search:
    """The games, and what was tried on all of them."""

    batch: Batch
    tried: dict[tuple[str, str], Contradictions] = field(default_factory=dict)

    def count(self, preset: str, changes: Mapping[str, RuleValue]) -> Contradictions:
        """Contradictions of all games; raises RuleError for values that do not fit each other."""
        key = (preset, dump_overrides(changes))
        if key not in self.tried:
            self.tried[key] = contradictions(self.batch, *given(preset, changes, self.batch))
        return self.tried[key]

    def best(self, preset: str) -> _Candidate:
        """Change a base step by step until nothing leaves fewer contradictions."""
        state = _Candidate(preset, {}, self.count(preset, {}))
        while state.found.count and len(state.changes) < _MOST_CHANGES:
            step = self._step(state)
            if step is None:
                break
            state = step
        return self._pruned(state)

    def _step(self, state: _Candidate) -> _Candidate | None:
        some = spaced(state.found.games, _SAMPLE)
        part = games_of(self.batch, some)
        allowed_in_part = _allowed(part, state.preset, state.changes)
        trials: list[tuple[int, int, dict[str, RuleValue]]] = []
        for change in _tries(state.preset, state.changes, self.batch):
            merged = {**state.changes, **change}
            try:
                found = contradictions(part, *given(state.preset, merged, part))
            except RuleError:
                continue
            if found.illegal <= allowed_in_part:
                trials.append((found.count, len(trials), merged))
        trials.sort(key=lambda trial: trial[:2])
        closest = [
            _Candidate(state.preset, merged, self.count(state.preset, merged))
            for _, _, merged in trials[:_CLOSE]
        ]
        allowed = state.found.illegal | self.count("", {}).illegal
        closest = [one for one in closest if one.found.illegal <= allowed]
        best = min(closest, key=lambda one: (one.found.count, len(one.changes)), default=None)
        return best if best is not None and best.found.count < state.found.count else None

    def is_allowed(self, state: _Candidate) -> bool:
        """Return whether all moves are legal that are so under what the logs name."""
        return state.found.illegal <= self.count("", {}).illegal

    def _pruned(self, state: _Candidate) -> _Candidate:
        for name in list(state.changes):
            fewer = {key: value for key, value in state.changes.items() if key != name}
            try:
                found = self.count(state.preset, fewer)
            except RuleError:
                continue
            if found.count <= state.found.count:
                state = _Candidate(state.preset, fewer, found)
        return state


def guess_rules(batch: Batch, *, use_presets: bool = True) -> RuleGuess:
    """Guess the rules of games of riichi that have the same number of players, at least one game.

    Without ``use_presets`` only what each log names is changed, whatever preset would explain it.
    """
    search = _Search(batch)
    players = int(batch.games.players[0])
    names = [name for name in preset_names(Scheme.HAN_FU) if load_preset(name).table.players == players]
    own = _typical("", {}, batch)
    plain = sorted(
        names, key=lambda name: (search.count(name, {}).count, _distance(load_preset(name), own), name)
    )
    best = _Candidate("", {}, search.count("", {}))
    if use_presets and best.found.count and not search.count(plain[0], {}).count:
        best = _Candidate(plain[0], {}, search.count(plain[0], {}))
    elif best.found.count:
        fewer = [name for name in plain[:_MOST_BASES] if search.count(name, {}).count < best.found.count]
        found = map(search.best, ["", *fewer] if use_presets else [""])
        best = min([best, *filter(search.is_allowed, found)], key=_Candidate.rank)
    evidence, undecided = _compared(search, best)
    named = sorted(set(batch.games.ruleset.tolist()))
    taken = {best.preset} if best.preset else set(named)
    most = best.found.count
    alike = [name for name in plain if name not in taken and search.count(name, {}).count <= most]
    return RuleGuess(
        players=players,
        games=len(batch),
        hands=len(batch.hands),
        named=tuple(named),
        preset=best.preset,
        changes=best.changes,
        before=search.count("", {}).codes,
        left=best.found.codes,
        evidence=tuple(evidence),
        undecided=tuple(undecided),
        alike=tuple(alike if not best.changes else ()),
    )


def given(preset: str, changes: Mapping[str, RuleValue], batch: Batch) -> tuple[Given, ...]:
    """What a replay is told of rules. Raises RuleError for values that do not fit each other."""
    if preset:
        return (with_overrides(load_preset(preset), changes),)
    if changes:
        for rules in set(rulesets_of(batch)):
            with_overrides(rules, changes)
        return (Changes(dump_overrides(changes)),)
    return ()


def _allowed(batch: Batch, preset: str, changes: Mapping[str, RuleValue]) -> frozenset[tuple[int, int]]:
    """Return what may be illegal under a change: what is so under what the logs name, or now."""
    now = contradictions(batch, *given(preset, changes, batch)).illegal
    return now | contradictions(batch).illegal


def spaced(rows: tuple[int, ...] | range, most: int) -> list[int]:
    """At most ``most`` of some rows, evenly spaced."""
    step = max(1, -(-len(rows) // most))
    return list(rows[::step])


def games_of(batch: Batch, rows: list[int]) -> Batch:
    """A batch of some games."""
    return Batch.concatenate([batch.take(row) for row in rows])


def _distance(one: Ruleset, other: Ruleset) -> int:
    """In how many rules two rulesets differ."""
    values = other.values()
    return sum(values[name] != value for name, value in one.values().items())


def _tries(preset: str, changes: Mapping[str, RuleValue], batch: Batch) -> Iterator[RuleAlternative]:
    """Alternatives to the rules of most games, and taking back what was changed."""
    yield from alternatives(_typical(preset, changes, batch), batch)


def _typical(preset: str, changes: Mapping[str, RuleValue], batch: Batch) -> Ruleset:
    """The ruleset of most of the games."""
    rulesets = Counter(rulesets_of(batch, *given(preset, changes, batch)))
    return rulesets.most_common(1)[0][0]


def _compared(search: _Search, best: _Candidate) -> tuple[list[RuleEvidence], list[str]]:
    """Hold the guess against each alternative, on some of the games."""
    part = games_of(search.batch, spaced(range(len(search.batch)), _SAMPLE))
    base = contradictions(part, *given(best.preset, best.changes, part))
    typical = _typical(best.preset, best.changes, search.batch)
    values = typical.values()
    closest: dict[tuple[str, ...], tuple[int, RuleAlternative, Contradictions]] = {}
    for change in alternatives(typical, search.batch):
        try:
            found = contradictions(part, *given(best.preset, {**best.changes, **change}, part))
        except RuleError:
            continue
        differing = {name: value for name, value in change.items() if values[name] != value}
        names = tuple(differing)
        if _is_one(names) and (names not in closest or found.count < closest[names][0]):
            closest[names] = found.count, differing, found
    for names in _joined(best.changes):
        fewer = {name: value for name, value in best.changes.items() if name not in names}
        try:
            found = search.count(best.preset, fewer)
        except RuleError:
            continue
        plain = _typical(best.preset, fewer, search.batch).values()
        closest[names] = (found.count, {name: plain[name] for name in names}, found)
    evidence: list[RuleEvidence] = []
    open_rules: list[str] = []
    for names, (_, change, found) in closest.items():
        is_change = any(name in best.changes for name in names)
        reference = best.found if is_change else base
        more = dict(Counter(found.codes) - Counter(reference.codes))
        is_illegal = not found.illegal <= reference.illegal
        if more and (found.count > reference.count or is_illegal):
            evidence.append(RuleEvidence({name: values[name] for name in names}, change, more))
        elif len(names) == 1 and not is_illegal:
            open_rules += names
    evidence.sort(
        key=lambda one: (not any(name in best.changes for name in one.rules), -sum(one.codes.values()))
    )
    return evidence, sorted(set(open_rules))


def _is_one(names: tuple[str, ...]) -> bool:
    """Return whether rules are one, or a few of one kind: what a game's end makes of scores are several."""
    return len(names) == 1 or (len(names) > 1 and "return_points" not in names and "uma" not in names)


def _joined(changes: Mapping[str, RuleValue]) -> list[tuple[str, ...]]:
    """The changes, each by itself."""
    return [(name,) for name in changes]
