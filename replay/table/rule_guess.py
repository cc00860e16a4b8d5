"""Which rules explain some games best: replays under alternatives, and what each of them contradicts.

A contradiction is a finding of verification that depends on rules, counted once for each hand and code. The
guess is the preset, or what the logs name, with the fewest changes that leaves the fewest contradictions. It
is found step by step: of all alternatives the one that leaves the fewest is taken, until none leaves fewer;
then what is not needed is taken back. Rules under which moves of the games are illegal that are legal under
what the logs name are never taken, whatever else they explain: a hand that breaks off shows nothing more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

import numpy as np

from paifu.replay.facts.tables import code_of
from paifu.replay.kernels.codes import DORA, ILLEGAL_CALL, RIICHI_STICK, TOO_MANY_COPIES
from paifu.replay.model.batch import Batch
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.fields import RuleValue
from paifu.replay.rules.ruleset import Ruleset, fields_of
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
_TELLING = 5
"""Games that must allow to put another change in the place of one, before more are looked at."""


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

    def is_no_worse(self, other: Contradictions) -> bool:
        """Return whether no more speaks against these rules than against others."""
        return self.count <= other.count and self.illegal <= other.illegal


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
    """Rules of which another value would explain the games as well, alone or with other rules; a change may
    be among them."""
    untried: tuple[str, ...]
    """Rules of which no other value was tried, because logs hardly show them."""
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

    def best(self, preset: str, most: int = _MOST_CHANGES) -> _Candidate:
        """Change a base step by step, at most ``most`` times, until nothing leaves fewer contradictions."""
        state, hopeful = _Candidate(preset, {}, self.count(preset, {})), list[RuleAlternative]()
        while state.found.count and len(state.changes) < most:
            step = self._step(state, hopeful, hopeful)  # most of what did not help before does not help now
            if step is None:
                step = self._step(state, _tries(state.preset, state.changes, self.batch), hopeful)
            if step is None:
                break
            state = step
        return self._pruned(state)

    def _step(
        self, state: _Candidate, tries: Iterable[RuleAlternative], hopeful: list[RuleAlternative]
    ) -> _Candidate | None:
        """Return the best change; ``hopeful`` becomes those that leave fewer contradictions."""
        part = games_of(self.batch, spaced(state.found.games, _SAMPLE))
        now = contradictions(part, *given(state.preset, state.changes, part))
        bases = set(rulesets_of(self.batch, *given(state.preset, {}, self.batch)))
        allowed = now.illegal | contradictions(part).illegal
        trials = [
            (found.count, _differing_from(bases, {**state.changes, **change}), change)
            for change, found in _outcomes(part, state.preset, state.changes, tries)
            if found.illegal <= allowed and found.count < now.count
        ]
        trials.sort(key=lambda trial: (trial[0], len(trial[1])))
        hopeful[:] = [change for _, _, change in trials]
        closest = [
            _Candidate(state.preset, merged, self.count(state.preset, merged))
            for _, merged, _ in trials[:_CLOSE]
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
    search = _Search(_without_seeds(batch))
    players = int(batch.games.players[0])
    own = _typical("", {}, batch)
    plain = sorted(
        _peers(own),
        key=lambda name: (search.count(name, {}).count, len(_differing(load_preset(name), own)), name),
    )
    best = _Candidate("", {}, search.count("", {}))
    rivals: list[_Candidate] = []
    if use_presets and best.found.count and not search.count(plain[0], {}).count:
        best = _Candidate(plain[0], {}, search.count(plain[0], {}))
        rivals.append(search.best(""))
    elif best.found.count:
        fewer = [name for name in plain[:_MOST_BASES] if search.count(name, {}).count < best.found.count]
        for name in ["", *fewer] if use_presets else [""]:
            # What explains everything is only beaten with fewer changes.
            most = _MOST_CHANGES if best.found.count else len(best.changes) - 1
            found = search.best(name, most) if most else best
            if search.is_allowed(found):
                rivals.append(found)
                best = min(best, found, key=_Candidate.rank)
    evidence, undecided = _compared(search, best, rivals)
    shown = {name for one in evidence for name in one.rules}
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
        untried=tuple(sorted(fields_of(Scheme.HAN_FU).keys() - {*best.changes, *undecided, *shown})),
        alike=tuple(alike if not best.changes else ()),
    )


def _without_seeds(batch: Batch) -> Batch:
    """Return games whose walls are not known: no rule depends on them, and to make them takes time."""
    games, hands = (np.full(len(table), "", object) for table in (batch.games, batch.hands))
    return replace(batch, games=replace(batch.games, seed=games), hands=replace(batch.hands, seed=hands))


def given(preset: str, changes: Mapping[str, RuleValue], batch: Batch) -> tuple[Given, ...]:
    """What a replay is told of rules. Raises RuleError for values that do not fit each other."""
    if preset:
        return (with_overrides(load_preset(preset), changes),)
    if changes:
        for rules in set(rulesets_of(batch)):
            with_overrides(rules, changes)
        return (Changes(dump_overrides(changes)),)
    return ()


def spaced(rows: tuple[int, ...] | range, most: int) -> list[int]:
    """At most ``most`` of some rows, evenly spaced."""
    step = max(1, -(-len(rows) // most))
    return list(rows[::step])


def games_of(batch: Batch, rows: list[int]) -> Batch:
    """A batch of some games."""
    return Batch.concatenate([batch.take(row) for row in rows])


def _peers(rules: Ruleset) -> list[str]:
    """Return the presets for as many players."""
    names = preset_names(Scheme.HAN_FU)
    return [name for name in names if load_preset(name).table.players == rules.table.players]


def _differing(one: Ruleset, other: Ruleset) -> set[str]:
    """The rules in which two rulesets differ."""
    values = other.values()
    return {name for name, value in one.values().items() if values[name] != value}


def _differing_from(bases: set[Ruleset], changes: Mapping[str, RuleValue]) -> dict[str, RuleValue]:
    """Return the changes without those that all of the bases have anyway: the fewer the likelier."""
    return {name: value for name, value in changes.items() if not all(_has(b, name, value) for b in bases)}


def _has(rules: Ruleset, name: str, value: RuleValue) -> bool:
    """Return whether a rule has this value already."""
    try:
        return with_overrides(rules, {name: value}) == rules
    except RuleError:  # it needs others beside it
        return False


def _tries(preset: str, changes: Mapping[str, RuleValue], batch: Batch) -> Iterator[RuleAlternative]:
    """Alternatives to the rules of most games, and taking back what was changed."""
    yield from alternatives(_typical(preset, changes, batch), batch)


def _typical(preset: str, changes: Mapping[str, RuleValue], batch: Batch) -> Ruleset:
    """The ruleset of most of the games."""
    rulesets = Counter(rulesets_of(batch, *given(preset, changes, batch)))
    return rulesets.most_common(1)[0][0]


def _outcomes(
    part: Batch,
    preset: str,
    changes: Mapping[str, RuleValue],
    tries: Iterable[RuleAlternative],
) -> Iterator[tuple[RuleAlternative, Contradictions]]:
    """Yield what contradicts each further change; those that do not fit the rules are left out."""
    for change in tries:
        with suppress(RuleError):
            yield change, contradictions(part, *given(preset, {**changes, **change}, part))


def _compared(
    search: _Search, best: _Candidate, rivals: Iterable[_Candidate]
) -> tuple[list[RuleEvidence], list[str]]:
    """Hold the guess against each alternative, on some of the games, and against what else was found."""
    part = games_of(search.batch, spaced(range(len(search.batch)), _SAMPLE))
    base = contradictions(part, *given(best.preset, best.changes, part))
    typical = _typical(best.preset, best.changes, search.batch)
    values = typical.values()
    closest: dict[str, tuple[RuleValue, Contradictions]] = {}
    undecided: set[str] = set()
    tries = _single_and_joint(alternatives(typical, search.batch), values)
    for name in _peers(typical):
        with suppress(RuleError):
            other = with_overrides(load_preset(name), best.changes)
            if contradictions(part, other).is_no_worse(base):
                undecided.update(_differing(typical, other))
    for change, found in _outcomes(part, best.preset, best.changes, tries):
        if found.is_no_worse(base):
            undecided.update(change)  # if several rules together may be otherwise, so may each
        if len(change) == 1:
            ((name, value),) = change.items()
            if name not in closest or found.count < closest[name][1].count:
                closest[name] = value, found
    for rival in rivals:
        if rival.found.is_no_worse(best.found):
            other = _typical(rival.preset, rival.changes, search.batch)
            undecided.update(_differing(typical, other))
    for name in best.changes:
        fewer = {other: value for other, value in best.changes.items() if other != name}
        with suppress(RuleError):
            found = search.count(best.preset, fewer)
            closest[name] = _typical(best.preset, fewer, search.batch)[name], found
            undecided.update(_instead(search, best, fewer, part))
    evidence: list[RuleEvidence] = []
    for name, (value, found) in closest.items():
        is_change = name in best.changes
        reference = best.found if is_change else base
        more = dict(Counter(found.codes) - Counter(reference.codes))
        is_illegal = not found.illegal <= reference.illegal
        is_shown = more and (found.count > reference.count or is_illegal)
        if is_shown and (is_change or name not in undecided):
            evidence.append(RuleEvidence({name: values[name]}, {name: value}, more))
    evidence.sort(
        key=lambda one: (not any(name in best.changes for name in one.rules), -sum(one.codes.values()))
    )
    return evidence, sorted(undecided)


def _instead(search: _Search, best: _Candidate, fewer: Mapping[str, RuleValue], part: Batch) -> Iterator[str]:
    """Yield in what the guess differs from rules as good, with ``fewer`` changes and another one instead."""
    telling = spaced(search.count(best.preset, fewer).games, _TELLING)
    tries = list(_tries(best.preset, fewer, search.batch))
    for games in (games_of(search.batch, telling), part) if telling else (part,):
        least = contradictions(games, *given(best.preset, best.changes, games))
        outcomes = _outcomes(games, best.preset, fewer, tries)
        tries = [change for change, found in outcomes if found.is_no_worse(least)]
    typical = _typical(best.preset, best.changes, search.batch)
    for change in tries:
        yield from _differing(typical, _typical(best.preset, {**fewer, **change}, search.batch))


def _single_and_joint(
    every: Iterable[RuleAlternative], values: Mapping[str, RuleValue]
) -> Iterator[RuleAlternative]:
    """Yield what differs from some values in each alternative, and of several rules also each by itself."""
    seen: set[str] = set()
    for one in every:
        differing = {name: value for name, value in one.items() if values[name] != value}
        for change in (differing, *({name: value} for name, value in differing.items())):
            key = dump_overrides(change)
            if change and key not in seen:
                seen.add(key)
                yield change
