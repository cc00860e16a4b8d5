"""All tables of patterns: which patterns a scheme knows, and what they are worth under a ruleset."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from paifu.replay.foreign_text import one_line
from paifu.replay.language import _, language
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.own_rows import OWN_BITS, OwnPattern, OwnPatternTable
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rules.written_conditions import read_condition
from paifu.replay.rules.written_values import suggestion
from paifu.replay.schemes import classical_patterns, faan_patterns, series_patterns
from paifu.replay.schemes.outdated_patterns import outdated
from paifu.replay.schemes.pattern import Pattern, PatternLimit
from paifu.replay.scoring.readings import Form

_OWN = {
    Scheme.SERIES: series_patterns.PATTERNS,
    Scheme.FAAN: faan_patterns.PATTERNS,
    Scheme.CLASSICAL: classical_patterns.PATTERNS,
}
SAME_AS = MappingProxyType(
    {
        (Scheme.SERIES, "original-gift-of-earth"): "blessing-of-earth",
        (Scheme.CLASSICAL, "original-gift-of-earth"): "dealers-first-discard",
    }
)
"""Outdated patterns that a scheme has by another name."""


@lru_cache(maxsize=len(Scheme))
def table(scheme: Scheme) -> Mapping[str, Pattern]:
    """Return the patterns that a scheme knows by id, its own first, optional ones after them.

    Empty for schemes without such a table.
    """
    own = {row.id: row for row in _OWN.get(scheme, ())}
    if not own:
        return MappingProxyType({})
    others = {
        row.id: row for row in outdated(scheme) if row.id not in own and (scheme, row.id) not in SAME_AS
    }
    return MappingProxyType(own | others)


def own_patterns(rules: Ruleset) -> Mapping[str, Pattern]:
    """Return the patterns that a ruleset brings along, by id."""
    return _own_rows(rules.hand.pattern)


@lru_cache(maxsize=64)
def _own_rows(table_: OwnPatternTable) -> Mapping[str, Pattern]:
    return MappingProxyType({own.key: _own_row(own) for own in table_})


def _own_row(own: OwnPattern) -> Pattern:
    is_limit = isinstance(own.value, str)
    return Pattern(
        own.key, own.name or own.key, own.ja, 0 if is_limit else int(own.value),
        one_line(own.meaning or own.when), read_condition(own.when), replaces=own.replaces,
        limit=PatternLimit(own.value) if is_limit else PatternLimit.NONE, source="own",
    )  # fmt: skip


def pattern_bits(rules: Ruleset) -> Mapping[str, int]:
    """Return the number of each pattern under a ruleset: its bit in masks of patterns."""
    return _bits(rules.game.scheme, tuple(own.key for own in rules.hand.pattern))


@lru_cache(maxsize=64)
def _bits(scheme: Scheme, own: tuple[str, ...]) -> Mapping[str, int]:
    known = {name: number for number, name in enumerate(table(scheme))}
    return MappingProxyType(known | dict(zip(own, OWN_BITS, strict=False)))


def pattern_name(name: str) -> str:
    """Return the name of a pattern's id, whichever scheme knows it; an unknown one is called by its id."""
    row = _known(name)
    return name if row is None else said_name(row.name, row.native)


def spoken_pattern(name: str) -> str:
    """Return what messages call a pattern: its id, or the name that the language has for it."""
    return name if language() == "en" else pattern_name(name)


def said_name(name: str, native: str) -> str:
    """Return a pattern's English name; in Japanese the Chinese one, where it has one."""
    return native if native and language() == "ja" else _(name)


@lru_cache(maxsize=1024)
def _known(name: str) -> Pattern | None:
    return next((rows[name] for scheme in Scheme if name in (rows := table(scheme))), None)


def pattern_problem(rules: Ruleset) -> str | None:
    """Say what is wrong with a ruleset's values of patterns, if anything is."""
    own, known = own_patterns(rules), table(rules.game.scheme)
    if len(own) > len(OWN_BITS):
        text = _("a ruleset has {most} patterns of its own at most, not {count}")
        return text.format(most=len(OWN_BITS), count=len(own))
    for name, row in own.items():
        if name in known:
            return _("pattern.{key}: paifu has a pattern of this name").format(key=name)
        for replaced in row.replaces:
            if replaced == name or replaced not in known.keys() | own.keys():
                text = _("pattern.{key}.replaces: there is no other pattern {name}{hint}")
                return text.format(key=name, name=repr(replaced), hint=suggestion(replaced, known))
    for name, worth in rules.hand.patterns:
        other = SAME_AS.get((rules.game.scheme, name))
        if other is not None:
            text = _("patterns: {name} is {other} here, which is played anyway")
            return text.format(name=name, other=other)
        if name not in known:
            text = _("patterns: there is no pattern {name!r}{hint}")
            return text.format(name=name, hint=suggestion(name, known))
        row = known[name].under(worth)
        if row.played and not row.counts:
            return _("patterns: {name} needs a value, such as {name} = 1").format(name=name)
    return None


@lru_cache(maxsize=256)
def patterns_of(rules: Ruleset) -> Mapping[str, Pattern]:
    """Return the patterns that count under a ruleset, by id, with their values."""
    changed = dict(rules.hand.patterns)
    rows = {name: row.under(changed.get(name)) for name, row in table(rules.game.scheme).items()}
    rows |= own_patterns(rules)
    if not rules.limits.limit_hands and rules.game.scheme != Scheme.SERIES:
        rows = {name: _without_limit(row) for name, row in rows.items()}
    return MappingProxyType({name: row for name, row in rows.items() if row.counts})


def _without_limit(row: Pattern) -> Pattern:
    return row if row.limit == PatternLimit.NONE else row.under(row.value)


@lru_cache(maxsize=256)
def winning_forms(rules: Ruleset) -> frozenset[Form]:
    """Return the forms that win under a ruleset."""
    counting = patterns_of(rules)
    forms = {Form.STANDARD} | {row.winning_form for row in counting.values() if row.winning_form is not None}
    if rules.hand.seven_pairs:
        forms = forms - {Form.PURE_PAIRS} | {Form.SEVEN_PAIRS}
    if rules.hand.thirteen_orphans and (rules.limits.limit_hands or rules.game.scheme == Scheme.SERIES):
        forms.add(Form.ORPHANS)
    return frozenset(forms)
