"""Rulesets by name, by file, or as they are, with single rules changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from paifu.replay.errors import ArgumentError
from paifu.replay.foreign_text import one_line
from paifu.replay.language import _
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.fields import PLAYED_SCHEMES, RuleValue
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import (
    Changes,
    Given,
    RuleError,
    RulesetText,
    by_name,
    check_value,
    dump_overrides,
    load_preset,
    preset_names,
    with_overrides,
)
from paifu.replay.rulesets.written_rules import parse_ruleset, parse_setting, ruleset_problems

Rules = str | Path | Ruleset
Settings = Mapping[str, RuleValue] | Iterable[str]
"""Rules to change: a mapping, or texts such as ``"kiriage=true"``; a section may come before the name."""
_SANMA = "-sanma"


def ruleset(rules: Rules, settings: Settings = ()) -> Ruleset:
    """Return a ruleset: a preset by its name, a ``.toml`` file by its path, each with ``settings`` applied.

    Raises RuleError, which says what would be right.

    >>> ruleset("mleague").scoring.kiriage
    True
    >>> ruleset("tenhou", {"scoring.kiriage": True})["kiriage"]
    True
    """
    return with_overrides(_load(rules), _overrides(settings))


def riichi_ruleset(rules: Rules, settings: Settings = ()) -> Ruleset:
    """Return a ruleset as :func:`ruleset` does. Raises RuleError if it is not riichi's."""
    chosen = ruleset(rules, settings)
    if chosen.game.scheme != Scheme.HAN_FU:
        raise RuleError(
            _("{name} is not a ruleset of riichi; `paifu rules show {name}` lists its patterns").format(
                name=chosen.name
            )
        )
    return chosen


def played_ruleset(rules: Rules, settings: Settings = ()) -> Ruleset:
    """Return a ruleset as :func:`ruleset` does, for the engine.

    Raises RuleError if games under it cannot be replayed.
    """
    return _played(ruleset(rules, settings))


def _played(chosen: Ruleset) -> Ruleset:
    if chosen.game.scheme not in PLAYED_SCHEMES:
        raise RuleError(
            _(
                "games under {name} can be neither simulated nor replayed: the engine has no "
                "exchange of tiles before the first discard and none of jokers; `paifu score` scores "
                "its hands"
            ).format(name=chosen.name)
        )
    return chosen


def rulesets_for_replay(rules: Rules | None, settings: Settings = ()) -> tuple[Given, ...]:
    """Return the rulesets to replay under: a preset comes with its version for the other number of players.

    For None, ``settings`` change what each log names; without them there is nothing to replay under but that.
    Raises RuleError.

    >>> [r.name for r in rulesets_for_replay("majsoul")]
    ['majsoul-sanma', 'majsoul']
    """
    overrides = _overrides(settings)
    if rules is None:
        return (_on_top(overrides),) if overrides else ()
    chosen = _played(with_overrides(_load(rules), overrides))
    name = str(rules)
    other = name.removesuffix(_SANMA) if name.endswith(_SANMA) else name + _SANMA
    if isinstance(rules, Ruleset) or other not in preset_names():
        return (chosen,)
    try:
        return with_overrides(load_preset(other), overrides), chosen
    except RuleError:
        return (chosen,)


def _on_top(overrides: Mapping[str, RuleValue]) -> Changes:
    """What changes the rules that logs name: not how many play, nor which game."""
    for name, value in overrides.items():
        check_value(name, value)
        if name in ("players", "scheme"):
            raise RuleError(
                _("{name} follows from each log; it can be set on top of --rules NAME only").format(name=name)
            )
    return Changes(dump_overrides(overrides))


def _overrides(settings: Settings) -> Mapping[str, RuleValue]:
    if not settings:
        return {}
    return by_name(settings if isinstance(settings, Mapping) else dict(map(parse_setting, settings)))


def _load(rules: Rules) -> Ruleset:
    if isinstance(rules, Ruleset):
        return rules
    name = str(rules)
    if not name.endswith(".toml"):
        return load_preset(name)
    source = _read(Path(name))
    return parse_ruleset(source.text, source.name, source.base)


def _read(path: Path) -> RulesetText:
    """Read a ruleset file; a base that is a file is looked for beside it."""
    from paifu.parsers.small_files import read_small_text

    try:
        text = read_small_text(path, "ruleset")
    except ArgumentError as error:
        raise RuleError(str(error)) from error
    return RulesetText(text, one_line(path.stem), lambda base: _read(path.parent / base))


@dataclass(frozen=True, slots=True)
class CheckedRuleset:
    """A ruleset file that was checked."""

    ruleset: Ruleset | None
    """None if something is wrong with the file."""
    problems: tuple[str, ...]
    """Everything that is wrong, with its line where it has one."""


def check_ruleset(path: str | Path) -> CheckedRuleset:
    """Check a ruleset file. Never raises for what is wrong with it.

    >>> check_ruleset("nowhere.toml").ruleset is None
    True
    """
    try:
        source = _read(Path(path))
    except RuleError as error:
        return CheckedRuleset(None, (str(error),))
    problems = ruleset_problems(source)
    return CheckedRuleset(None if problems else ruleset(path), tuple(problems))
