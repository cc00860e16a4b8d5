"""Rulesets from presets, TOML text and overrides: reading, inheritance, validation.

A ruleset file is TOML: ``summary``, an optional ``base`` (the name of a preset, or the path of another file)
and a table for each section, with any of its rules (:data:`~paifu.replay.rules.ruleset.FIELDS`) that belong
to its scheme. Names of rules occur in one section only, so a rule may also stand above the tables without its
section. What a file leaves out comes from its base; without one it gives all
that have no default. A comment after a value says where it comes from; :attr:`Ruleset.sources` keeps these
comments. One after the base of a preset says who has it that the rest is as in the base; without it, the
values that the preset leaves out are those of the base, but not stated. The rules ``patterns``, ``pattern``
and ``yaku`` are tables; an override names one of their entries with a dot: ``patterns.all-chows=0``. Yaku and
patterns that a file defines join those of its base. Overrides (``--set kiriage=true`` or
``--set scoring.kiriage=true``, the rule flags of a log) are a mapping of the same names and values, and
travel beside a preset's name as compact JSON, without sections.

Everything wrong in a file or an override raises :class:`RuleError` with the nearest right spelling or
the allowed values.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from paifu.replay.errors import ArgumentError
from paifu.replay.foreign_text import one_line
from paifu.replay.language import N_, _
from paifu.replay.model.batch import Batch
from paifu.replay.rules.choices import BonusTiles, Limits, Scheme
from paifu.replay.rules.fields import (
    TABLE_SCHEMES,
    YAKUMAN_HAN,
    PatternValue,
    PatternValues,
    RuleField,
    RuleValue,
)
from paifu.replay.rules.local_yaku import LOCAL_YAKU
from paifu.replay.rules.own_rows import OwnPatternTable, OwnYakuTable
from paifu.replay.rules.ruleset import FIELDS, SECTIONS, Ruleset, fields_of
from paifu.replay.rules.written_values import WrittenError, read_json, read_toml, short, shown, suggestion

_FOLDER = Path(__file__).parent / "presets"
_MAX_SUMMARY = 200
"""Characters of a summary that are kept."""
MAX_BASES = 8
"""How long a chain of bases may be: more is a circle."""
UNCONFIRMED = "unconfirmed"
"""What the source of a preset's value begins with when no sheet and no log shows the value."""
BY_DEFAULT = "by default"
"""The source of a value that a file need not give and does not give."""
TAKEN_OVER = "as "
"""What the source of a value begins with that a file takes over, as somebody says; a name follows."""
NOT_STATED = "not stated: "
"""What comes before :data:`TAKEN_OVER` where nobody says that the value is the base's."""
BASE = "base"
"""What stands in a ruleset's sources for its base."""
_NOTE = re.compile(r"^(?:\w+\.)?(\w+)[ \t]*=[^#\n]*#(.+)$", re.MULTILINE)
_MARK = re.compile(r"^#[ \t]+(\[\w+\])[ \t]+(.+(?:\n#[ \t]{4,}[^\s\[].*)*)", re.MULTILINE)
MAX_PATTERN_VALUE = 10_000
OWN_TABLES = (OwnYakuTable, OwnPatternTable)
"""Types of rules that are tables of defined yaku or patterns."""
_TABLES = (PatternValues, *OWN_TABLES)
"""Types of rules that are tables, of which an override can name one entry."""


class RuleError(ArgumentError):
    """A ruleset or an override names an unknown rule or value; the message lists the known ones."""

    entry = ""
    """The wrong entry, if it is one of a yaku that the file defines."""


def _points(field: RuleField, value: Any) -> tuple[int, ...] | None:
    """A list of whole numbers within the field's bounds as a tuple, or None when it is not one."""
    if isinstance(value, list) and all(
        type(item) is int and field.low <= item <= field.high for item in value
    ):
        return tuple(value)
    return None


def rule_name(name: str) -> str:
    """Return the name of a rule without its section.

    >>> rule_name("calls.kuikae"), rule_name("kuikae"), rule_name("hand.patterns.all-chows")
    ('kuikae', 'kuikae', 'patterns.all-chows')

    Raises RuleError for a section with a rule that it does not have.
    """
    section, dot, rest = name.partition(".")
    if not dot or section not in SECTIONS:
        return name
    field = FIELDS.get(rest.partition(".")[0])
    if field is None:
        hint = suggestion(name, (f"{other.section}.{rule}" for rule, other in FIELDS.items()))
        raise RuleError(_("there is no rule {name!r}{hint}").format(name=short(name), hint=hint))
    if field.section != section:
        text = _("{rule} is a rule of the section {section}, not of {other}")
        raise RuleError(text.format(rule=field.name, section=field.section, other=section))
    return rest


def by_name(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return rules by their names alone, in whatever form they are given.

    >>> by_name({"calls": {"kuikae": "allowed"}, "scoring.kiriage": True, "dora": False})
    {'kuikae': 'allowed', 'kiriage': True, 'dora': False}

    Raises RuleError for an unknown section, one that is not a table, a rule in a wrong one or given twice.
    """
    rules: dict[str, Any] = {}
    for key, value in table.items():
        given = {key: value}
        if isinstance(value, dict) and key not in SECTIONS and rule_name(key).partition(".")[0] not in FIELDS:
            text = _("there is no section {name!r}{hint}")
            raise RuleError(text.format(name=short(key), hint=suggestion(key, SECTIONS)))
        if key in SECTIONS and (isinstance(value, dict) or key not in FIELDS):
            if not isinstance(value, dict):
                text = _("{section} is a section, that is a table of rules, not {value}")
                raise RuleError(text.format(section=key, value=shown(value)))
            given = {f"{key}.{rule}": worth for rule, worth in value.items()}
        for written, worth in given.items():
            name = rule_name(written)
            if name in rules:
                raise RuleError(_("rule {name} is given twice").format(name=name))
            rules[name] = worth
    return rules


def check_value(name: str, value: Any) -> Any:
    """Turn a plain value (as TOML and JSON have it) into the field's own type.

    >>> check_value("kuikae", "same_tile")
    <Kuikae.SAME_TILE: 1>

    Raises RuleError for an unknown field and for a value that the field does not allow.
    """
    name = rule_name(name)
    table, dot, entry = name.partition(".")
    if dot and table in FIELDS and FIELDS[table].type in _TABLES:
        return check_value(table, {entry: value})
    field = FIELDS.get(name)
    if field is None:
        text = _("there is no rule {name!r}{hint}")
        raise RuleError(text.format(name=short(name), hint=suggestion(name, FIELDS)))
    converted = _convert(field, value)
    if converted is None:
        text = _("rule {name} is {allowed}, not {value}")
        raise RuleError(text.format(name=name, allowed=field.allowed, value=shown(value)))
    return converted


def _pattern_values(value: Any) -> PatternValues | None:
    """A table of pattern ids and values in order, or None when it is not one."""
    if not isinstance(value, dict):
        return None
    for worth in value.values():
        number = type(worth) is int and 0 <= worth <= MAX_PATTERN_VALUE
        if not number and not isinstance(worth, bool) and worth not in ("limit", "half_limit"):
            return None
    return PatternValues(sorted(value.items()))


def _own_rows(kind: Any, value: Any) -> Any:
    """Read yaku or patterns of a file; None unless they are in a table. Raises RuleError, with a place."""
    if not isinstance(value, dict):
        return None
    from paifu.replay.rules import own_yaku  # few rulesets define yaku

    try:
        return own_yaku.read_own_rows(kind, value)
    except own_yaku.OwnRowError as error:
        wrong = RuleError(str(error))
        wrong.entry = error.entry
        raise wrong from error


def _convert(field: RuleField, value: Any) -> Any:
    if field.is_enum:
        known = isinstance(value, str) and value in field.choices
        return field.type[value.upper()] if known else None
    if field.type is bool:
        return value if isinstance(value, bool) else None
    if field.type is int:
        return value if type(value) is int and field.low <= value <= field.high else None
    if field.type is PatternValues:
        return _pattern_values(value)
    if field.type in OWN_TABLES:
        return _own_rows(field.type, value)
    if field.is_list:
        return _points(field, value)
    rows = [_points(field, row) for row in value] if isinstance(value, list) else [None]
    return None if None in rows else tuple(rows)


def _is_open_han(rule: str, han: PatternValue) -> bool:
    """Whether an entry of open_han names a local yaku and how many han it has."""
    return rule in {yaku.rule for yaku in LOCAL_YAKU} and type(han) is int and han <= YAKUMAN_HAN


ABORTS = ("kyuushu", "suufon", "suucha", "sanchahou", "suukaikan")
"""Abortive draws, as abort_renchan_by names them."""


def _check_whole(ruleset: Ruleset) -> Ruleset:
    """Check what no single field can: that the fields fit each other."""
    table, final, scoring, pay = ruleset.table, ruleset.final, ruleset.scoring, ruleset.payment
    tiles, calls, players = ruleset.tiles, ruleset.calls, table.players
    # Four supplement tiles, of three players eight, and the first indicator with the tile below it.
    scheme, least = ruleset.game.scheme, 10 if players == 3 else 6
    riichi, of_sets = scheme == Scheme.HAN_FU, scheme in TABLE_SCHEMES
    noten = (pay.noten_pay_1, pay.noten_pay_2, pay.noten_pay_3)[players - 2]
    problems = {
        N_("players is 4; only riichi is played by three"): not riichi and players != 4,
        N_("uma needs {players} places, it has {uma}"): len(final.uma) != players,
        N_("start_points_by_seat needs {players} numbers or none"): (
            len(table.start_points_by_seat) not in (0, players)
        ),
        N_("every row of uma_by_below needs {players} places"): (
            any(len(row) != players for row in final.uma_by_below)
        ),
        N_("uma_by_below needs {more} rows or none"): len(final.uma_by_below) not in (0, players + 1),
        N_("max_wind_rounds is less than wind_rounds"): table.max_wind_rounds < table.wind_rounds,
        N_("double_wind_pair_fu is 2 or 4"): scoring.double_wind_pair_fu == 3,
        N_("dead_wall is {least} at least: supplement tiles and the first indicators"): (
            riichi and tiles.dead_wall < least
        ),
        N_("open_pinfu_fu is 20 or 30"): riichi and scoring.open_pinfu_fu not in (20, 30),
        N_("yakuman_base is 0 only without limits (limits = none)"): (
            riichi and not scoring.yakuman_base and scoring.limits == Limits.USUAL
        ),
        N_("chombo_pays needs three numbers or none"): len(ruleset.fouls.chombo_pays) not in (0, 3),
        N_("fixed_fu is 0, or 20 at least"): 0 < scoring.fixed_fu < 20,
        N_("payment_unit is a number of whole hundreds"): riichi and pay.payment_unit % 100 > 0,
        N_("kita needs players = 3, for a dead wall of four has too few tiles"): calls.kita and players != 3,
        N_("flowers_dora needs players = 3"): calls.flowers_dora and players != 3,
        N_("flowers_dora needs kita = false, for the dead wall has eight supplement tiles"): (
            calls.flowers_dora and calls.kita
        ),
        N_("faan_table needs rows of two numbers, faan and points, both rising"): (
            not _rises(ruleset.faan.faan_table)
        ),
        N_("faan_table is empty"): scheme == Scheme.FAAN and not ruleset.faan.faan_table,
        N_("bonus_tiles is none or set_aside where hands are sets and a pair"): (
            of_sets and tiles.bonus_tiles == BonusTiles.IN_HAND
        ),
        N_("open_han has the rules of local yaku, such as sanrenkou_han, and their han from 0 to 13"): (
            not all(_is_open_han(*entry) for entry in ruleset.local.open_han)
        ),
        N_("abort_renchan_by has kyuushu, suufon, suucha, sanchahou and suukaikan, each true or false"): any(
            abort not in ABORTS or not isinstance(stays, bool)
            for abort, stays in ruleset.progress.abort_renchan_by
        ),
        N_(
            "what the one noten player pays, {shared} share: noten_pay_{shared} is a multiple of {shared}"
        ): riichi and noten % max(1, players - 1) > 0,
        N_("jokers belong to the scheme card"): of_sets and tiles.jokers > 0,
    }
    values = {"players": players, "uma": len(final.uma), "more": players + 1, "shared": players - 1}
    found = [_(text).format(**values, least=least) for text, wrong in problems.items() if wrong]
    if ruleset.local.yaku:
        from paifu.replay.scoring.yaku import ReplacesError, yaku_of

        try:
            yaku_of(ruleset)
        except ReplacesError as error:
            found.append(str(error))
    if ruleset.hand.patterns or ruleset.hand.pattern:
        # The tables of patterns are imported when a ruleset changes one, which those of riichi cannot.
        from paifu.replay.schemes.tables import pattern_problem

        found += filter(None, [pattern_problem(ruleset)])
    if found:
        raise RuleError(_in(ruleset.name, found[0]))
    return ruleset


def _rises(table: tuple[tuple[int, ...], ...]) -> bool:
    """Whether a table has rows of two numbers, from 0 on, each greater than those above."""
    return all(len(row) == 2 and min(row) >= 0 for row in table) and all(
        low[0] < high[0] and low[1] <= high[1] for low, high in pairwise(table)
    )


def with_overrides(ruleset: Ruleset, overrides: Mapping[str, RuleValue]) -> Ruleset:
    """Return the ruleset with some rules replaced; its name stays, as overrides are kept beside it.

    Raises RuleError for an unknown rule, a bad value, or values that do not fit each other.
    """
    if not overrides:
        return ruleset
    changes = checked_changes(ruleset, overrides)
    changes = _of_fewer_players(ruleset, changes.get("players", ruleset.table.players)) | changes
    sources = ruleset.sources | dict.fromkeys(changes, "set")
    return _check_whole(replace(ruleset.changed(**changes), sources=sources))


def _of_fewer_players(ruleset: Ruleset, players: int) -> dict[str, Any]:
    """What fits four players only, for fewer: uma by place, noten payments, tiles that are not in the set.

    The first and the last keep their uma, who is between them takes the rest, and two players play for the
    first's. Three pay as much for two tenpai hands as for one each, so that nobody gets half a hundred.
    """
    if players >= ruleset.table.players:
        return {}
    first, last = ruleset.final.uma[0], ruleset.final.uma[-1]
    fitted: dict[str, Any] = {
        "uma": (first, -first - last, last) if players == 3 else (first, -first),
        "uma_by_below": (),
        "start_points_by_seat": (),
    }
    if players == 3:
        fitted |= {"noten_pay_2": 2 * ruleset.payment.noten_pay_1, "red_man": 0}
    return {name: value for name, value in fitted.items() if ruleset.game.scheme in FIELDS[name].schemes}


def checked_changes(ruleset: Ruleset, overrides: Mapping[str, Any]) -> dict[str, Any]:
    """Overrides as values of fields that the ruleset has; those of single patterns join the others."""
    changes: dict[str, Any] = {}
    for name, plain in by_name(overrides).items():
        value = check_value(name, plain)
        field = FIELDS[name.partition(".")[0]]
        if field.name == "scheme" and value != ruleset.game.scheme:
            text = _("scheme is {scheme} in {rules}; take a base of the other scheme")
            raise RuleError(text.format(scheme=ruleset.game.scheme.name.lower(), rules=ruleset.name))
        if ruleset.game.scheme not in field.schemes:
            raise RuleError(_foreign(field, ruleset.game.scheme))
        if field.type is PatternValues and "." in name:
            before = changes.get(field.name, ruleset[field.name])
            value = PatternValues(sorted((dict(before) | dict(value)).items()))
        if field.type in OWN_TABLES:
            value = changes.get(field.name, ruleset[field.name]).with_others(value)
        changes[field.name] = value
    return changes


def _foreign(field: RuleField, scheme: Scheme) -> str:
    having = _(" and ").join(other.name.lower() for other in field.schemes)
    text = _("{rule} is a rule of the scheme {schemes}, not of {scheme}")
    return text.format(rule=field.name, schemes=having, scheme=scheme.name.lower())


def _sources(source: RulesetText, rules: Iterable[str], parent: Ruleset | None) -> dict[str, str]:
    """Where the values of a ruleset come from: the comments of its file, and for the rest its base."""
    marks = {mark: one_line(words.replace("\n#", " ")) for mark, words in _MARK.findall(source.text)}
    notes = {rule: one_line(note) for rule, note in _NOTE.findall(source.text)}
    own = {rule: notes.get(rule, "") for rule in rules}
    if parent is None:
        return own | marks
    said = notes.get(BASE, "")
    is_said = bool(said) or not source.is_preset  # your own file says itself that the rest is as in its base
    inherited = {
        rule: _inherited(above, parent.name, is_said=is_said or rule == "scheme")  # which no file changes
        for rule, above in parent.sources.items()
        if rule in FIELDS
    }
    return inherited | own | {BASE: f"{parent.name}: {said}" if said else parent.name} | marks


def _inherited(source: str, base: str, *, is_said: bool) -> str:
    """Return the source of a value that a file leaves out, from the one in its base."""
    if source.startswith(NOT_STATED):
        return source
    taken_over = source if source.startswith(TAKEN_OVER) else f"{TAKEN_OVER}{base}"
    return taken_over if is_said else f"{NOT_STATED}{taken_over}"


class RulesetText(NamedTuple):
    """The text of a ruleset file, its name, and what reads a file that it names as its base."""

    text: str
    name: str
    base: Callable[[str], RulesetText] | None = None
    is_preset: bool = False
    """Whether it is one that comes with the package, which states the rules of others."""


def _in(name: str, problem: str) -> str:
    return _("ruleset {name}: {problem}").format(name=name, problem=problem)


def read_ruleset(source: RulesetText, depth: int) -> Ruleset:
    """Read a ruleset file that is the base of ``depth`` others; raises RuleError."""
    text, name = source.text, source.name
    try:
        table = read_toml(text)
    except WrittenError as error:
        raise RuleError(_in(name, str(error))) from error
    base, summary = table.pop("base", None), table.pop("summary", None)
    if not isinstance(base, str | None) or not isinstance(summary, str | None):
        raise RuleError(_in(name, _("base and summary are texts in quotation marks")))
    summary = one_line(summary or "")[:_MAX_SUMMARY]
    if depth > MAX_BASES:
        raise RuleError(_in(name, _("its bases go round in a circle")))
    parent = None if base is None else base_of(source, base, depth)
    try:
        if parent is not None:
            changes = checked_changes(parent, table)
            sources = _sources(source, changes, parent)
            named = replace(parent, name=name, summary=summary or parent.summary, sources=sources)
        else:
            values = {key: check_value(key, value) for key, value in by_name(table).items()}
    except RuleError as error:
        raise RuleError(_in(name, str(error))) from error
    if parent is not None:
        return _check_whole(named.changed(**changes))
    scheme = values.get("scheme", Scheme.HAN_FU)
    foreign = next((key for key in values if key not in fields_of(scheme)), None)
    if foreign is not None:
        raise RuleError(_in(name, _foreign(FIELDS[foreign], scheme)))
    defaults = {
        key: field.default
        for key, field in fields_of(scheme).items()
        if key not in values and field.default is not None
    }
    missing = [key for key in fields_of(scheme) if key not in values and key not in defaults]
    if missing:
        text = _('ruleset {name} lacks {rules}; add them, or base = "tenhou"')
        raise RuleError(text.format(name=name, rules=", ".join(missing)))
    sources = dict.fromkeys(defaults, BY_DEFAULT) | _sources(source, values, None)
    values |= defaults
    others = {key: field.elsewhere for key, field in FIELDS.items() if key not in values}
    return _check_whole(Ruleset.of(name, summary, sources, values | others))


def base_of(source: RulesetText, base: str, depth: int) -> Ruleset:
    """Return the ruleset that a file builds on. Raises RuleError, which names the one that is wrong."""
    try:
        file = source.base(base) if source.base and base.endswith(".toml") else None
        if file is None:
            return _load(base, depth + 1)
    except RuleError as error:
        raise RuleError(_in(source.name, str(error))) from error
    return read_ruleset(file, depth + 1)


def _load(name: str, depth: int) -> Ruleset:
    if name not in preset_names():
        text = _("there is no preset {name!r}{hint} (presets: {presets})")
        hint = suggestion(name, preset_names())
        raise RuleError(text.format(name=short(name), hint=hint, presets=", ".join(preset_names())))
    text = (_FOLDER / f"{name}.toml").read_text("utf-8")
    return read_ruleset(RulesetText(text, name, is_preset=True), depth)


@cache
def preset_names(*schemes: Scheme) -> tuple[str, ...]:
    """Return the names of the presets shipped with the package, sorted; of some schemes, if any are given."""
    names = sorted(path.stem for path in _FOLDER.glob("*.toml"))
    return tuple(name for name in names if not schemes or load_preset(name).game.scheme in schemes)


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
    overrides = by_name(overrides)
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


@dataclass(frozen=True, slots=True)
class Changes:
    """Rules that are changed on top of those that each log names.

    A game that cannot have one of them keeps its own: a uma for four places says nothing of three players.
    """

    overrides: str
    """As :func:`dump_overrides` writes them."""

    def on(self, ruleset: Ruleset) -> Ruleset:
        """Return a ruleset with these changes, as far as it can have them."""
        return _changed(ruleset, self.overrides)


Given = Ruleset | Changes
"""What a replay may be told of rules: which to take instead of a log's, and what to change in them."""


@lru_cache(maxsize=1024)
def _changed(ruleset: Ruleset, overrides: str) -> Ruleset:
    changes = parse_overrides(overrides)
    try:
        return with_overrides(ruleset, changes)
    except RuleError:
        for name, value in changes.items():
            with suppress(RuleError):
                ruleset = with_overrides(ruleset, {name: value})
        return ruleset


def rulesets_of(batch: Batch, *rules: Given) -> tuple[Ruleset, ...]:
    """Return the ruleset of each game: the last of ``rules`` for its players, else the one its log names.

    Rules of riichi replace those of games of riichi only, others those of other games. :class:`Changes` among
    them are made on top.
    """
    given = {_table_of(other): other for other in rules if isinstance(other, Ruleset)}
    changes = [other for other in rules if isinstance(other, Changes)]
    games = batch.games
    stated = (resolve(*key) for key in zip(games.ruleset, games.overrides, strict=True))
    chosen = [given.get(_table_of(own), own) for own in stated]
    for change in changes:
        chosen = [change.on(own) for own in chosen]
    return tuple(chosen)


def _table_of(rules: Ruleset) -> tuple[bool, int]:
    """Tell games apart that no rules can be exchanged between: riichi or not, and the number of players."""
    return rules.game.scheme == Scheme.HAN_FU, rules.table.players
