"""Rulesets for people: values in words, differences, TOML, and the tables of the documentation page.

The page ``docs/reference/rulesets.md`` holds the output of :func:`documentation` between two markers, and
``presets.md`` that of :func:`presets_page`; ``docs/generate.py`` writes them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from paifu.replay.docstrings import docstring
from paifu.replay.foreign_text import one_line
from paifu.replay.language import _
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.fields import RuleField, RuleValue, plain_value
from paifu.replay.rules.own_yaku import OwnRow, OwnTable
from paifu.replay.rules.ruleset import FIELDS, SECTIONS, Ruleset, fields_of
from paifu.replay.rules.written_conditions import QUANTIFIERS, RIICHI_FACTS, documented_facts
from paifu.replay.rulesets.presets import BY_DEFAULT, UNCONFIRMED, load_preset, preset_names
from paifu.replay.scoring.han_fu import PointsRow
from paifu.replay.scoring.limits import Limit

NOT_THERE = "-"
"""Stands for a rule that the rulesets of a scheme do not have."""
BEGIN, END = "<!-- generated: begin -->", "<!-- generated: end -->"


@dataclass(frozen=True, slots=True)
class RuleDifference:
    """One rule in which two rulesets differ, with the values as texts."""

    rule: str
    first: str
    second: str


def value_text(value: RuleValue) -> str:
    """Format a rule's value as in a ruleset file, names without quotation marks.

    >>> value_text(True), value_text("same_tile"), value_text([10000, -10000])
    ('true', 'same_tile', '[10000, -10000]')
    """
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def shown_text(rules: Ruleset, field: RuleField) -> str:
    """Return the value of a rule in a list of rules; of yaku and patterns of its own the keys, or a dash."""
    if isinstance(rules[field.name], OwnTable):
        return ", ".join(row.key for row in rules[field.name]) or NOT_THERE
    return value_text(plain_value(rules[field.name]))


def own_yaku_rows(rules: Ruleset) -> Iterator[tuple[str, str, str]]:
    """Yield the key of each yaku of a ruleset's own, what it is worth, and its meaning and condition."""
    for yaku in rules.local.yaku:
        plain = yaku.plain()
        worth = plain.get("limit") or plain["han"]
        if isinstance(worth, dict):
            worth = _("{closed}, open {open}").format(**worth)
        yield yaku.key, str(worth), "\n".join(filter(None, (yaku.meaning or yaku.name, one_line(yaku.when))))


def meaning(rules: Ruleset, field: RuleField) -> str:
    """Return the meaning of a rule and the source of its value in this ruleset."""
    source = rules.sources.get(field.name, "")
    if source.startswith("as "):
        text = _("{meaning} (as {preset})")
        return text.format(meaning=_(field.doc), preset=source.removeprefix("as "))
    return f"{_(field.doc)}\n{source}" if source else _(field.doc)


def differences(first: Ruleset, second: Ruleset) -> list[RuleDifference]:
    """Return the rules in which two rulesets differ, in order; NOT_THERE if one lacks it."""
    texts = [{rule: value_text(value) for rule, value in rules.values().items()} for rules in (first, second)]
    pairs = ((rule, *(text.get(rule, NOT_THERE) for text in texts)) for rule in FIELDS)
    return [RuleDifference(rule, one, two) for rule, one, two in pairs if one != two]


def toml_value(value: RuleValue) -> str:
    """Format a value as TOML.

    >>> toml_value(True), toml_value({"all-chows": 0, "plum-blossom": "limit"})
    ('true', '{ all-chows = 0, plum-blossom = "limit" }')
    """
    if not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    entries = [f"{name} = {toml_value(entry)}" for name, entry in value.items()]
    return f"{{ {', '.join(entries)} }}" if entries else "{}"


def changed_rules(rules: Ruleset, base: Ruleset) -> dict[str, RuleField]:
    """Return the rules of a ruleset in which it differs from another, by name, in order."""
    values = base.values()
    return {
        name: field
        for name, field in fields_of(rules.game.scheme).items()
        if values.get(name) != rules.values()[name]
    }


def to_toml(rules: Ruleset, base: str = "", shown: Collection[str] | None = None) -> str:
    """Return a ruleset as a file, section by section: complete, or the rules ``shown`` on top of a base."""
    lines = [f"base = {json.dumps(base, ensure_ascii=False)}"] if base else []
    lines.append(f"summary = {json.dumps(rules.summary, ensure_ascii=False)}")
    values = rules.values()
    for section, title in SECTIONS.items():
        names = [
            name
            for name, field in fields_of(rules.game.scheme).items()
            if field.section == section and (shown is None or name in shown) and not _own_rows(rules, field)
        ]
        if names:
            lines += [
                "",
                f"[{section}]  # {title}",
                *(f"{name} = {toml_value(values[name])}" for name in names),
            ]
    for name, field in fields_of(rules.game.scheme).items():
        if shown is None or name in shown:
            for row in _own_rows(rules, field):
                entries = (f"{entry} = {toml_value(value)}" for entry, value in row.plain().items())
                lines += ["", f"[{name}.{row.key}]", *entries]
    return "\n".join(lines) + "\n"


def _own_rows(rules: Ruleset, field: RuleField) -> tuple[OwnRow, ...]:
    """The yaku or patterns of a ruleset's own, if the field holds them: in a file each is a table."""
    value = rules[field.name]
    return value if isinstance(value, OwnTable) else ()


PointsBlock = tuple[range, list[list[str]]]
"""Han, and for each fu its name and the points for those han."""


def points_blocks(rows: Iterable[PointsRow], *, dealer: bool) -> tuple[list[PointsBlock], list[list[str]]]:
    """Return the table of points of who deals, or does not: fu by a few han each, then limits, as texts.

    A cell has the points of a ron and, in brackets, what each pays for a tsumo; the dealer's share last.
    """
    own = [row for row in rows if row.is_dealer == dealer]
    by_fu: dict[int, dict[int, str]] = {}
    limits = []
    for row in own:
        if row.fu is not None:
            by_fu.setdefault(row.fu, {})[row.han] = _points_text(row)
            continue
        name = _(row.limit.name.lower())
        if row.yakuman > 1:
            name = _("{count} yakuman").format(count=row.yakuman)
        elif row.han and row.limit == Limit.YAKUMAN:
            name = _("counted yakuman")
        han = "" if row.yakuman else _("{han} han or more").format(han=row.han)
        limits.append([name, han, _points_text(row)])
    most = max(han for cells in by_fu.values() for han in cells)
    blocks = []
    for first in range(1, most + 1, _HAN_COLUMNS):
        columns = range(first, min(first + _HAN_COLUMNS, most + 1))
        lines = [
            [_("{fu} fu").format(fu=fu), *(cells.get(han, NOT_THERE) for han in columns)]
            for fu, cells in by_fu.items()
        ]
        blocks.append((columns, lines))
    return blocks, limits


_HAN_COLUMNS = 4
"""Han in a block; where there are limits, these are the han for which fu matter."""


def _points_text(row: PointsRow) -> str:
    shares = "/".join(f"{share:,}" for share in reversed(row.tsumo_shares))
    ron = NOT_THERE if row.ron is None else f"{row.ron:,}"
    return f"{ron} ({shares})" if shares else ron


OWN_TEXT, SECONDARY, OPEN = "own text", "secondary", UNCONFIRMED
"""How sure a value is: by the text of those who made the rules or by their logs, by others, or not at all."""
_OTHERS_SAY = "secondary:"
"""What the explanation of a mark begins with where it stands for a text by others."""


def confidence(rules: Ruleset, rule: str) -> str:
    """Return how sure the value of a rule in a ruleset is; empty where it does not matter or has no source.

    >>> confidence(load_preset("ema"), "uma"), confidence(load_preset("npm"), "uma")
    ('own text', 'secondary')
    """
    source = rules.sources.get(rule, "")
    if source.startswith("as ") and source[3:] in preset_names():
        return confidence(load_preset(source[3:]), rule)
    if source.startswith(UNCONFIRMED):
        return OPEN
    said = [rules.sources.get(mark, "").startswith(_OTHERS_SAY) for mark in _MARKS.findall(source)]
    if not said:
        return ""
    return SECONDARY if all(said) else OWN_TEXT


_MARKS = re.compile(r"\[\w+\]")


def presets_page() -> str:
    """Return the page that has, for each preset of riichi, its values with their sources."""
    lines = [
        "# The presets, value by value",
        "",
        "What each preset of riichi states, how sure it is, and where it comes from. What it does not",
        "state is as in its base. A value is sure by",
        "",
        "- **own text**: the text of those who made the rules, or logs of their games,",
        "- **secondary**: texts or programs of others,",
        "- **unconfirmed**: neither was found; the value is the most plausible one; the comment says why.",
        "",
        "`paifu rules show NAME` shows the same for every rule of a preset. If a rule sheet says",
        "otherwise, write a file with that preset as its base (see [Rulesets](rulesets.md)).",
        "",
    ]
    for name in preset_names(Scheme.HAN_FU):
        rules = load_preset(name)
        own = [rule for rule in rules.values() if not rules.sources[rule].startswith(("as ", BY_DEFAULT))]
        lines += [f"## `{name}`", "", f"{rules.summary}.", ""]
        marks = [(mark, text) for mark, text in rules.sources.items() if mark not in FIELDS]
        lines += [f"- {mark.replace('[', '').replace(']', '')}: {text}" for mark, text in marks]
        lines += ["", "| Rule | Value | How sure | Where from |", "|---|---|---|---|"]
        lines += [
            f"| `{rule}` | {value_text(rules.values()[rule])} | {confidence(rules, rule)} "
            f"| {rules.sources[rule].removeprefix(f'{UNCONFIRMED}: ')} |"
            for rule in own
        ]
        lines.append("")
    return "\n".join(lines)


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
        "The value of `tenhou`, then the presets that differ; (s) marks one from a secondary source,",
        "(?) one that nothing confirms. [The presets, value by value](presets.md) gives all sources.",
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
                sure = {OPEN: " (?)", SECONDARY: " (s)"}.get(confidence(load_preset(name), rule), "")
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


def with_documentation(page: str) -> str:
    """Return the page with its generated part updated.

    Raises ValueError if the page lacks one of the two markers.
    """
    head, begin, rest = page.partition(BEGIN)
    _begin, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page needs the lines {BEGIN} and {END}")
    return f"{head}{BEGIN}\n\n{documentation()}\n\n{END}{tail}"
