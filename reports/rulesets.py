"""Rulesets for people: values in words, differences, TOML, and the tables of the documentation page.

The page ``docs/rulesets.md`` holds the output of :func:`documentation` between two markers; a test compares
them, and ``python -m paifu.reports.rulesets FILE`` writes the page anew.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from paifu.replay.rules.presets import UNCONFIRMED, load_preset, preset_names
from paifu.replay.rules.ruleset import FIELDS, SECTIONS, RuleField, Ruleset, RuleValue

BEGIN, END = "<!-- generated: begin -->", "<!-- generated: end -->"


@dataclass(frozen=True, slots=True)
class Difference:
    """One rule in which two rulesets differ, with the values as texts."""

    rule: str
    first: str
    second: str


def value_text(value: RuleValue) -> str:
    """Write a rule's value as in a ruleset file, names without quotation marks.

    >>> value_text(True), value_text("same_tile"), value_text([10000, -10000])
    ('true', 'same_tile', '[10000, -10000]')
    """
    return value if isinstance(value, str) else json.dumps(value)


def meaning(rules: Ruleset, field: RuleField) -> str:
    """Say what a rule means, and where its value in this ruleset comes from."""
    source = rules.sources.get(field.name, "")
    if source.startswith("as "):
        return f"{field.doc} ({source})"
    return f"{field.doc}\n{source}" if source else field.doc


def differences(first: Ruleset, second: Ruleset) -> list[Difference]:
    """Return the rules in which two rulesets differ, in order."""
    one, two = first.values(), second.values()
    return [
        Difference(rule, value_text(one[rule]), value_text(two[rule]))
        for rule in FIELDS
        if one[rule] != two[rule]
    ]


def to_toml(rules: Ruleset) -> str:
    """Write a ruleset as a complete file, without a base, section by section."""
    lines = [f"summary = {json.dumps(rules.summary, ensure_ascii=False)}"]
    values = rules.values()
    for section, title in SECTIONS.items():
        lines += ["", f"# {title}"]
        lines += [
            f"{name} = {json.dumps(values[name])}" for name in FIELDS if FIELDS[name].section == section
        ]
    return "\n".join(lines) + "\n"


def documentation() -> str:
    """Return the generated part of ``docs/rulesets.md``: the presets, the rules, each preset's values."""
    return "\n".join([*_presets(), *_rules(), *_values()])


def _presets() -> Iterator[str]:
    yield from ("## The presets", "", "| Preset | Players | What it is |", "|---|---|---|")
    for name in preset_names():
        rules = load_preset(name)
        yield f"| `{name}` | {rules.players} | {rules.summary} |"
    yield ""


def _rules() -> Iterator[str]:
    yield from ("## The rules", "")
    for section, title in SECTIONS.items():
        yield from (f"### {title}", "", "| Rule | Meaning | Values |", "|---|---|---|")
        for field in FIELDS.values():
            if field.section == section:
                allowed = field.allowed.replace("|", "\\|")
                yield f"| `{field.name}` | {field.doc} | {allowed} |"
        yield ""
    yield from ("### What the names mean", "")
    enums = {field.type: field.name for field in FIELDS.values() if field.is_enum}
    for kind, name in enums.items():
        text = " ".join(kind.__doc__.split())
        for member in kind:
            text = re.sub(rf"\b{member.name}:", f"`{member.name.lower()}`:", text)
        yield f"- `{name}` ({', '.join(member.name.lower() for member in kind)}): {text}"
    yield ""


def _values() -> Iterator[str]:
    yield from (
        "## What each preset says",
        "",
        "The value of `tenhou`, then the presets that differ from it; (?) marks a value that no sheet and no",
        "log confirms. `paifu rules show` says where each value comes from.",
        "",
        "| Rule | `tenhou` | Otherwise |",
        "|---|---|---|",
    )
    base = load_preset("tenhou").values()
    others = {name: load_preset(name).values() for name in preset_names()}
    for rule in FIELDS:
        by_value: dict[str, list[str]] = {}
        for name, values in others.items():
            if values[rule] != base[rule]:
                is_open = load_preset(name).sources[rule].startswith(UNCONFIRMED)
                by_value.setdefault(value_text(values[rule]), []).append(f"{name} (?)" if is_open else name)
        otherwise = "; ".join(f"{value}: {', '.join(names)}" for value, names in by_value.items())
        yield f"| `{rule}` | {value_text(base[rule])} | {otherwise} |"


def with_documentation(page: str) -> str:
    """Return the page with its generated part made anew.

    Raises ValueError when the page lacks one of the two markers.
    """
    head, begin, rest = page.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page needs the lines {BEGIN} and {END}")
    return f"{head}{BEGIN}\n\n{documentation()}\n\n{END}{tail}"


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(with_documentation(path.read_text("utf-8")), "utf-8")
