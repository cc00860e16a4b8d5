"""Rules as users write them: files, with all that is wrong in one, and settings of the command line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from paifu.replay.foreign_text import one_line
from paifu.replay.language import _
from paifu.replay.rules.fields import RuleValue
from paifu.replay.rules.ruleset import FIELDS, SECTIONS, Ruleset
from paifu.replay.rules.written_values import WrittenError, read_json, read_toml, short
from paifu.replay.rulesets.presets import (
    OWN_TABLES,
    RuleError,
    RulesetText,
    base_of,
    by_name,
    check_value,
    checked_changes,
    read_ruleset,
    rule_name,
)


def parse_setting(text: str) -> tuple[str, RuleValue]:
    """Read one ``name=value`` of the command line; the value is written as in a ruleset file, enums bare.

    >>> parse_setting("kuikae=same_tile"), parse_setting("uma=[15000, 5000, -5000, -15000]")
    (('kuikae', 'same_tile'), ('uma', [15000, 5000, -5000, -15000]))

    Raises RuleError if the text is not a setting of a known rule.
    """
    name, equals, written = (part.strip() for part in text.partition("="))
    if not equals:
        problem = _("{text!r} is not a setting; write rule=value, such as kiriage=true")
        raise RuleError(problem.format(text=short(text)))
    try:
        value = read_json(written)
    except WrittenError:
        value = written
    check_value(name, value)
    return rule_name(name), cast(RuleValue, value)


def parse_ruleset(text: str, name: str, base: Callable[[str], RulesetText] | None = None) -> Ruleset:
    """Read a ruleset from the text of a TOML file; ``base`` reads the file that it names as its base.

    Raises RuleError for bad TOML, an unknown base or rule, a bad value, or (without a base) a missing rule.
    """
    return read_ruleset(RulesetText(text, one_line(name), base), depth=0)


def ruleset_problems(source: RulesetText) -> list[str]:
    """Return everything that is wrong with a ruleset file, each with its line as far as it has one."""
    try:
        table = read_toml(source.text)
        base = table.pop("base", None)
        parent = base_of(source, base, 0) if isinstance(base, str) else None
    except (WrittenError, RuleError) as error:
        return [str(error)]
    table.pop("summary", None)
    found = []
    for key, value in _entries(table):
        try:
            if parent is None:
                for name, plain in by_name({key: value}).items():
                    check_value(name, plain)
            else:
                checked_changes(parent, {key: value})
        except RuleError as error:
            line = _line_of(source.text, key, error.entry)
            found.append(_("line {line}: {problem}").format(line=line, problem=error) if line else str(error))
    if not found:
        try:
            read_ruleset(source, depth=0)
        except RuleError as error:
            found.append(str(error))
    return found


def _entries(table: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield each rule that a file gives, with its section where it is in one; each yaku that it defines."""
    for key, value in table.items():
        if key in SECTIONS and isinstance(value, dict):
            yield from _entries_of({f"{key}.{rule}": worth for rule, worth in value.items()})
        else:
            yield from _entries_of({key: value})


def _entries_of(table: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        if key.rpartition(".")[2] in _NAMES_OF_TABLES and isinstance(value, dict):
            yield from ((f"{key}.{own}", entries) for own, entries in value.items())
        else:
            yield key, value


_NAMES_OF_TABLES = frozenset(name for name, field in FIELDS.items() if field.type in OWN_TABLES)


def _line_of(text: str, key: str, entry: str = "") -> int:
    """Return the line of a file in which a rule or a section stands; 0 if it is written some other way.

    ``entry`` is one of the entries of the table that the rule is.
    """
    last = re.escape(key.rpartition(".")[2])
    found = re.search(rf"^[ \t]*(?:(?:\w+\.)*{last}[ \t]*=|\[(?:\w+\.)*{last}\])", text, re.MULTILINE)
    if found is None:
        return 0
    at = found.start()
    if entry:
        table = text[found.end() :].partition("\n[")[0]
        inside = re.search(rf"^[ \t]*(?={entry}\b)", table, re.MULTILINE)
        at = found.end() + inside.end() if inside else at
    return text.count("\n", 0, at) + 1
