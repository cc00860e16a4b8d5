"""The tables of ``docs/reference/rulesets.md``: values and facts, from the code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from paifu.replay.docstrings import docstring
from paifu.replay.rules.ruleset import FIELDS
from paifu.replay.rules.written_conditions import FACTS, ONLY, QUANTIFIERS, RIICHI_FACTS, TILE_FACTS
from paifu.replay.rulesets.presets import preset_names


def documentation() -> str:
    """Return the generated part of the page: presets, what values mean, what conditions can say."""
    return "\n".join([*_presets(), *_names(), *_facts()]).rstrip()


def _presets() -> Iterator[str]:
    yield from ("## The presets", "")
    yield f"{', '.join(f'`{name}`' for name in preset_names())}."
    yield from ("`paifu rules list` says what each of them is.", "")


def _names() -> Iterator[str]:
    yield from ("## What the values mean", "")
    enums = {field.type: field.name for field in FIELDS.values() if field.is_enum}
    for kind, name in enums.items():
        text = " ".join(docstring(kind).split())
        for member in kind:
            text = re.sub(rf"\b{member.name}\b", f"`{member.name.lower()}`", text)
        yield f"- `{name}` ({', '.join(member.name.lower() for member in kind)}): {text}"
    yield ""


def _facts() -> Iterator[str]:
    link = "[yaku and patterns of your own](#yaku-and-patterns-of-your-own)"
    yield from ("## What conditions can say", "")
    yield from (f"Facts for `when` of {link}; those of `han_fu` are riichi's alone:", "")
    yield from ("| Fact | Meaning |", "|---|---|")
    documented = [
        *((name, fact.meaning) for name, fact in FACTS.items()),
        *((f"{name}(5m)", fact.meaning) for name, fact in TILE_FACTS.items()),
        (f"{ONLY}(19m567z)", "No tile of another kind than these"),
    ]
    for name, meaning in documented:
        only = " (`han_fu`)" if name in RIICHI_FACTS else ""
        yield f"| `{name}` | {meaning}{only} |"
    yield from ("", "| Before a condition | Holds |", "|---|---|")
    yield from (f"| `{name}` | {meaning} |" for name, meaning in QUANTIFIERS.items())
    yield ""
