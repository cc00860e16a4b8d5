"""Rulesets from presets, TOML text and overrides: reading, inheritance, validation.

A ruleset file is flat TOML: ``summary``, an optional ``base`` (the name of a preset) and any rule of
:data:`~paifu.replay.rules.ruleset.FIELDS`. What it leaves out comes from its base; without one it gives all.
A comment after a value says where it comes from; :attr:`Ruleset.sources` keeps these comments.
Overrides (``--set kiriage=true``, the rule flags of a log) are a mapping of the same names and values, and
travel beside a preset's name as compact JSON.

Everything wrong in a file or an override raises :class:`RuleError` with the nearest right spelling or
the allowed values.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, cast

from paifu.replay.errors import ArgumentError
from paifu.replay.model.batch import Batch
from paifu.replay.rules.ruleset import FIELDS, RuleField, Ruleset, RuleValue
from paifu.replay.rules.written_values import WrittenError, one_line, read_json, read_toml, short, shown

_FOLDER = Path(__file__).parent / "presets"
_MAX_SUMMARY = 200
"""Characters of a summary that are kept."""
MAX_BASES = 8
"""How long a chain of bases may be: more is a circle."""
UNCONFIRMED = "unconfirmed"
"""What the source of a preset's value begins with when no sheet and no log shows the value."""
_NOTE = re.compile(r"^(\w+)[ \t]*=[^#\n]*#(.+)$", re.MULTILINE)
_MARK = re.compile(r"^#[ \t]+(\[\w+\])[ \t]+(.+(?:\n#[ \t]{4,}[^\s\[].*)*)", re.MULTILINE)


class RuleError(ArgumentError):
    """A ruleset or an override says something that is no rule; the message says what would be."""


def _suggestion(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f"; did you mean {near[0]!r}?" if near else ""


def _points(field: RuleField, value: Any) -> tuple[int, ...] | None:
    """A list of whole numbers within the field's bounds as a tuple, or None when it is not one."""
    if isinstance(value, list) and all(
        type(item) is int and field.low <= item <= field.high for item in value
    ):
        return tuple(value)
    return None


def check_value(name: str, value: Any) -> Any:
    """Turn a plain value (as TOML and JSON have it) into the field's own type.

    >>> check_value("kuikae", "same_tile")
    <Kuikae.SAME_TILE: 1>

    Raises RuleError for an unknown field and for a value that the field does not allow.
    """
    field = FIELDS.get(name)
    if field is None:
        raise RuleError(f"there is no rule {short(name)!r}{_suggestion(name, FIELDS)}")
    converted = _convert(field, value)
    if converted is None:
        raise RuleError(f"rule {name} is {field.allowed}, not {shown(value)}")
    return converted


def _convert(field: RuleField, value: Any) -> Any:
    if field.is_enum:
        known = isinstance(value, str) and value in field.choices
        return field.type[value.upper()] if known else None
    if field.type is bool:
        return value if isinstance(value, bool) else None
    if field.type is int:
        return value if type(value) is int and field.low <= value <= field.high else None
    if field.name == "uma":
        return _points(field, value)
    rows = [_points(field, row) for row in value] if isinstance(value, list) else [None]
    return None if None in rows else tuple(rows)


def parse_setting(text: str) -> tuple[str, RuleValue]:
    """Read one ``name=value`` of the command line; the value is written as in a ruleset file, enums bare.

    >>> parse_setting("kuikae=same_tile"), parse_setting("uma=[15000, 5000, -5000, -15000]")
    (('kuikae', 'same_tile'), ('uma', [15000, 5000, -5000, -15000]))

    Raises RuleError when the text is no setting of a known rule.
    """
    name, equals, written = (part.strip() for part in text.partition("="))
    if not equals:
        raise RuleError(f"{short(text)!r} is no setting; write rule=value, such as kiriage=true")
    try:
        value = read_json(written)
    except WrittenError:
        value = written
    check_value(name, value)
    return name, cast(RuleValue, value)


def _check_whole(ruleset: Ruleset) -> Ruleset:
    """Check what no single field can: that the fields fit each other."""
    by_below = [row for row in ruleset.uma_by_below if len(row) != ruleset.players]
    problems = {
        f"uma needs {ruleset.players} places, it has {len(ruleset.uma)}": len(ruleset.uma) != ruleset.players,
        f"every row of uma_by_below needs {ruleset.players} places": bool(by_below),
        f"uma_by_below needs {ruleset.players + 1} rows or none": len(ruleset.uma_by_below)
        not in (0, ruleset.players + 1),
        "max_wind_rounds is less than wind_rounds": ruleset.max_wind_rounds < ruleset.wind_rounds,
        "double_wind_pair_fu is 2 or 4": ruleset.double_wind_pair_fu == 3,
        "kita needs players = 3, for a dead wall of four has too few tiles": ruleset.kita
        and ruleset.players != 3,
    }
    found = [text for text, wrong in problems.items() if wrong]
    if found:
        raise RuleError(f"ruleset {ruleset.name}: {found[0]}")
    return ruleset


def with_overrides(ruleset: Ruleset, overrides: Mapping[str, RuleValue]) -> Ruleset:
    """Return the ruleset with some rules replaced; its name stays, as overrides are kept beside it.

    Raises RuleError for an unknown rule, a bad value, or values that do not fit each other.
    """
    if not overrides:
        return ruleset
    changes = {name: check_value(name, v) for name, v in overrides.items()}
    return _check_whole(replace(ruleset, sources=ruleset.sources | dict.fromkeys(changes, "set"), **changes))


def _sources(text: str, rules: Iterable[str], parent: Ruleset | None) -> dict[str, str]:
    """Where the values of a ruleset come from: the comments of its file, and for the rest its base."""
    marks = {mark: one_line(words.replace("\n#", " ")) for mark, words in _MARK.findall(text)}
    notes = {rule: one_line(note) for rule, note in _NOTE.findall(text)}
    inherited = {} if parent is None else {
        rule: source if source.startswith("as ") else f"as {parent.name}"
        for rule, source in parent.sources.items() if rule in FIELDS
    }  # fmt: skip
    return inherited | {rule: notes.get(rule, "") for rule in rules} | marks


def parse_ruleset(text: str, name: str) -> Ruleset:
    """Read a ruleset from the text of a TOML file.

    Raises RuleError for bad TOML, an unknown base or rule, a bad value, or (without a base) a missing rule.
    """
    return _parse(text, one_line(name), depth=0)


def _parse(text: str, name: str, depth: int) -> Ruleset:
    try:
        table = read_toml(text)
    except WrittenError as error:
        raise RuleError(f"ruleset {name}: {error}") from error
    base, summary = table.pop("base", None), table.pop("summary", None)
    if not isinstance(base, str | None) or not isinstance(summary, str | None):
        raise RuleError(f"ruleset {name}: base and summary are texts in quotation marks")
    summary = one_line(summary or "")[:_MAX_SUMMARY]
    if depth > MAX_BASES:
        raise RuleError(f"ruleset {name}: its bases go round in a circle")
    try:
        values = {key: check_value(key, value) for key, value in table.items()}
        if base is not None:
            parent = _load(base, depth + 1)
            sources = _sources(text, values, parent)
            named = replace(parent, name=name, summary=summary or parent.summary, sources=sources)
            return _check_whole(replace(named, **values))
    except RuleError as error:
        raise RuleError(f"ruleset {name}: {error}") from error
    missing = [key for key in FIELDS if key not in values]
    if missing:
        raise RuleError(f'ruleset {name} lacks {", ".join(missing)}; add them, or base = "tenhou"')
    sources = _sources(text, values, None)
    return _check_whole(Ruleset(name=name, summary=summary, sources=sources, **values))


def _load(name: str, depth: int) -> Ruleset:
    if name not in preset_names():
        raise RuleError(
            f"there is no preset {short(name)!r}{_suggestion(name, preset_names())} "
            f"(presets: {', '.join(preset_names())})"
        )
    return _parse((_FOLDER / f"{name}.toml").read_text("utf-8"), name, depth)


@cache
def preset_names() -> tuple[str, ...]:
    """Return the names of the presets shipped with the package, sorted."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


@cache
def load_preset(name: str) -> Ruleset:
    """Return a preset by name. Raises RuleError, naming the nearest preset, for an unknown one."""
    return _load(name, depth=0)


def dump_overrides(overrides: Mapping[str, RuleValue]) -> str:
    """Write overrides as compact JSON with sorted keys; no overrides are an empty text."""
    return json.dumps(overrides, sort_keys=True, separators=(",", ":")) if overrides else ""


def parse_overrides(text: str) -> dict[str, RuleValue]:
    """Read what :func:`dump_overrides` wrote. Raises RuleError for anything else."""
    if not text:
        return {}
    try:
        overrides = read_json(text)
    except WrittenError as error:
        raise RuleError(f"overrides: {error}") from error
    if not isinstance(overrides, dict):
        raise RuleError(f"overrides are a JSON object, not {shown(overrides)}")
    for name, value in overrides.items():
        check_value(name, value)
    return overrides


@lru_cache(maxsize=1024)
def resolve(preset: str, overrides: str = "") -> Ruleset:
    """Return a preset with overrides, as the replay model names them: one object for equal texts.

    Raises RuleError for an unknown preset or a bad override.
    """
    return with_overrides(load_preset(preset), parse_overrides(overrides))


def ruleset_of(batch: Batch, game: int) -> Ruleset:
    """Return the ruleset that the log of a game names."""
    return resolve(batch.games.ruleset[game], batch.games.overrides[game])


def rulesets_of(batch: Batch, *rules: Ruleset) -> tuple[Ruleset, ...]:
    """Return the ruleset of each game: the last of ``rules`` for its players, else the one its log names."""
    given = {other.players: other for other in rules}
    games = batch.games
    return tuple(
        given.get(int(games.players[game])) or resolve(games.ruleset[game], games.overrides[game])
        for game in range(len(batch))
    )
