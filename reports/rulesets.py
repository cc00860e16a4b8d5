"""Rulesets for people: values in words, differences, TOML, and how sure values are."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from paifu.replay.foreign_text import one_line
from paifu.replay.language import _
from paifu.replay.rules.fields import RuleField, RuleValue, plain_value
from paifu.replay.rules.own_rows import OwnRow, OwnTable
from paifu.replay.rules.ruleset import FIELDS, SECTIONS, Ruleset, fields_of
from paifu.replay.rulesets.presets import NOT_STATED, TAKEN_OVER, UNCONFIRMED, load_preset, preset_names
from paifu.replay.scoring.han_fu import PointsRow
from paifu.replay.scoring.limits import Limit

NOT_THERE = "-"
"""Stands for a rule that the rulesets of a scheme do not have."""


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
    for start, text in (
        (f"{NOT_STATED}{TAKEN_OVER}", _("{meaning} (not stated: as {preset})")),
        (TAKEN_OVER, _("{meaning} (as {preset})")),
    ):
        if source.startswith(start):
            return text.format(meaning=_(field.doc), preset=source.removeprefix(start))
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


OWN_TEXT, SECONDARY, OPEN, UNSTATED = "own text", "secondary", UNCONFIRMED, "not stated"
"""How sure a value is: by the text of those who made the rules or by their logs, by others, or not at all; or
nobody states it for these rules, and the base's stands in."""
_OTHERS_SAY = "secondary:"
"""What the explanation of a mark begins with where it stands for a text by others."""


def confidence(rules: Ruleset, rule: str) -> str:
    """Return how sure the value of a rule in a ruleset is; empty where it does not matter or has no source.

    >>> [confidence(load_preset(name), "uma") for name in ("ema", "npm", "toronto")]
    ['own text', 'secondary', 'not stated']
    """
    source = rules.sources.get(rule, "")
    if source.startswith(NOT_STATED):
        return UNSTATED
    base = source.removeprefix(TAKEN_OVER)
    if base != source and base in preset_names():
        return confidence(load_preset(base), rule)
    if source.startswith(UNCONFIRMED):
        return OPEN
    said = [rules.sources.get(mark, "").startswith(_OTHERS_SAY) for mark in _MARKS.findall(source)]
    if not said:
        return ""
    return SECONDARY if all(said) else OWN_TEXT


_MARKS = re.compile(r"\[\w+\]")


def unstated(rules: Ruleset) -> list[str]:
    """Return the rules that nobody states for a ruleset, in order."""
    return [rule for rule in fields_of(rules.game.scheme) if confidence(rules, rule) == UNSTATED]


def marked(rules: Ruleset, rule: str, text: str) -> str:
    """Return the text of a rule's value, with a mark if nobody states the value for the ruleset.

    >>> toronto = load_preset("toronto")
    >>> marked(toronto, "nagashi", "win"), marked(toronto, "kiriage", "false")
    ('win', 'false (not stated)')
    """
    return _("{value} (not stated)").format(value=text) if confidence(rules, rule) == UNSTATED else text
