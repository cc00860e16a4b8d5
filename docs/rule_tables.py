"""The tables of ``docs/reference/rulesets.md``: presets, rules, facts and values, from the code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from paifu.replay.docstrings import docstring
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.fields import RuleField
from paifu.replay.rules.ruleset import FIELDS, SECTIONS, fields_of
from paifu.replay.rules.written_conditions import QUANTIFIERS, RIICHI_FACTS, documented_facts
from paifu.replay.rulesets.presets import load_preset, preset_names
from paifu.reports.rulesets import NOT_THERE, OPEN, SECONDARY, UNSTATED, confidence, value_text


def documentation() -> str:
    """Return the generated part of the page: the presets, the rules, each preset's values."""
    return "\n".join([*_presets(), *_rules(), *_facts(), *_values(), *_other_values()])


def _presets() -> Iterator[str]:
    yield from ("## The presets", "", "| Preset | Scheme | Players | What it is |", "|---|---|---|---|")
    for name in preset_names():
        rules = load_preset(name)
        yield f"| `{name}` | `{rules.game.scheme.name.lower()}` | {rules.table.players} | {rules.summary} |"
    yield ""


def _rules() -> Iterator[str]:
    yield from ("## The rules", "")
    for section, title in SECTIONS.items():
        yield from (f"### {title}: `{section}`", "", "| Rule | Meaning | Values |", "|---|---|---|")
        for field in FIELDS.values():
            if field.section == section:
                allowed = field.allowed.replace("|", "\\|")
                yield f"| `{field.name}` | {field.doc}{_only(field)} | {allowed} |"
        yield ""
    yield from ("### What the names mean", "")
    enums = {field.type: field.name for field in FIELDS.values() if field.is_enum}
    for kind, name in enums.items():
        text = " ".join(docstring(kind).split())
        for member in kind:
            text = re.sub(rf"\b{member.name}:", f"`{member.name.lower()}`:", text)
        yield f"- `{name}` ({', '.join(member.name.lower() for member in kind)}): {text}"
    yield ""


def _facts() -> Iterator[str]:
    link = "[yaku and patterns of your own](#yaku-and-patterns-of-your-own)"
    yield from ("## What conditions can say", "")
    yield from (f"Facts for `when` of {link}; those of `han_fu` are riichi's alone:", "")
    yield from ("| Fact | Meaning |", "|---|---|")
    for name, meaning in documented_facts():
        only = " (`han_fu`)" if name in RIICHI_FACTS else ""
        yield f"| `{name}` | {meaning}{only} |"
    yield from ("", "| Before a condition | Holds |", "|---|---|")
    yield from (f"| `{name}` | {meaning} |" for name, meaning in QUANTIFIERS.items())
    yield ""


def _only(field: RuleField) -> str:
    """Return the schemes that have a rule, unless all have it."""
    if len(field.schemes) == len(Scheme):
        return ""
    return f" ({', '.join(f'`{scheme.name.lower()}`' for scheme in field.schemes)})"


def _values() -> Iterator[str]:
    yield from (
        "## Values of the riichi presets",
        "",
        "The value of `tenhou`, then the presets that differ; (s) marks one from a secondary source, (?) one",
        "that nothing confirms, and (-) one that the preset's base has and nobody states for the preset. A",
        "preset that is not in a row has the value of `tenhou`, stated or not: `paifu rules show NAME` says",
        "which, and gives all sources.",
        "",
        "| Rule | `tenhou` | Otherwise |",
        "|---|---|---|",
    )
    base = load_preset("tenhou").values()
    others = {name: load_preset(name).values() for name in preset_names(Scheme.HAN_FU)}
    for rule in fields_of(Scheme.HAN_FU):
        by_value: dict[str, list[str]] = {}
        for name, values in others.items():
            if values[rule] != base[rule]:
                marks = {OPEN: " (?)", SECONDARY: " (s)", UNSTATED: " (-)"}
                sure = marks.get(confidence(load_preset(name), rule), "")
                by_value.setdefault(value_text(values[rule]), []).append(f"{name}{sure}")
        otherwise = "; ".join(f"{value}: {', '.join(names)}" for value, names in by_value.items())
        yield f"| `{rule}` | {value_text(base[rule])} | {otherwise} |"


def _other_values() -> Iterator[str]:
    names = [name for name in preset_names() if load_preset(name).game.scheme != Scheme.HAN_FU]
    yield from ("", "## Values of the presets of other games", "")
    yield f"| Rule | {' | '.join(f'`{name}`' for name in names)} |"
    yield "|---" * (len(names) + 1) + "|"
    values = [load_preset(name).values() for name in names]
    for rule in FIELDS:
        if any(rule in value for value in values):
            cells = [value_text(value[rule]) if rule in value else NOT_THERE for value in values]
            yield f"| `{rule}` | {' | '.join(cells)} |"
