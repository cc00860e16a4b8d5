"""From a log's own rule flags to a preset and overrides: Tenhou's GO type and csrule.

Pure look-ups in tables. Where a log does not say something, the preset's value stands. What is known of the
custom fields (csrule) comes from public tools that write and read them: the flags below, points in fields
4-7, 10, 11 and 16-18, uma in 21-35. Fields that change no rule of play here (chips, timers, the display)
and those whose meaning is not settled (the least and the greatest number of rounds, "both winds double")
are left alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from paifu.replay.rules.fields import RuleValue, plain_value
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import dump_overrides, load_preset, resolve

NO_RED, NO_KUITAN, SOUTH_ROUND, THREE_PLAYERS = 0x02, 0x04, 0x08, 0x10
CHIPS = 0x200
"""Lobbies with chips play as parlours do: mangan rounded up, the indicators of kans at once, uma 10-30."""
OWN_SETTLEMENT = 0x800
"""Lobbies that settle by a ratio of their own, which their logs do not state."""
PUBLIC_LOBBIES = ("", "0", "0000")
"""What logs of Tenhou's ranked rooms say of the lobby."""

OLD_TENHOU_UNTIL = "2010"
"""Games before this year were played under Tenhou's older rules: those of March 2009 did not end on a
leading dealer's tenpai, east games had a 10-5 uma and could reach West 1; the next logs seen, of 2010 and
2020, have both, and end at the latest with South 4."""

DECIMALS_SINCE = "202202"
"""Tenhou settled in whole points up to January 2022, the last month seen; in June 2022 with decimals."""

_CUSTOM_FLAGS: tuple[tuple[int, dict[str, RuleValue]], ...] = (
    (0x1, {"nagashi": "none"}),
    (0x2, {"kiriage": True}),
    (0x4, {"tobi": "off"}),
    (0x8, {"kan_dora_timing": "at_once"}),
    (0x10, {"dora": False}),
    (0x20, {"kan_dora": False}),
    (0x40, {"ura_dora": False}),
    (0x80, {"kan_ura_dora": False}),
    (0x100, {"abort_suufon": False}),
    (0x200, {"abort_suukaikan": False}),
    (0x400, {"abort_suucha": False}),
    (0x800, {"abort_kyuushu": False}),
    (0x1000, {"abort_sanchahou": False}),
    (0x2000, {"head_bump": True}),
    (0x4000, {"agari_yame": False}),
    (0x8000, {"tenpai_yame": False}),
    (0x10000, {"agari_renchan": False}),
    (0x20000, {"tenpai_renchan": False}),
    (0x40000, {"rounding": "nearest"}),
    (0x80000, {"ippatsu": False}),
    (0x400000, {"kita": False}),
    (0x800000, {"sanma_tsumo": "split"}),
    (0x1000000, {"renhou": "mangan"}),
    (0x2000000, {"riichi_wall": 0}),
    (0x4000000, {"riichi_kan": "same_shape"}),
    (0x8000000, {"own_four_wait": "noten"}),
)
_NO_OVERTIME = 0x200000
_CUSTOM_FLAGS_2: tuple[tuple[int, dict[str, RuleValue]], ...] = (
    (0x1, {"double_wind_pair_fu": 2}),
    (0x2, {"tie_break": "share"}),
    (0x4, {"sticks_left": "lost"}),
    (0x8, {"pao_suukantsu": True}),
    (0x10, {"kazoe": "sanbaiman"}),
)
_CUSTOM_POINTS: tuple[tuple[int, tuple[str, ...]], ...] = (
    (4, ("start_points",)),
    (5, ("target_points",)),
    (6, ("return_points",)),
    (7, ("ceiling_points",)),
    (10, ("riichi_stick", "riichi_points")),
    (11, ("honba_each",)),
    (16, ("noten_pay_1",)),
    (17, ("noten_pay_2",)),
    (18, ("noten_pay_3",)),
)
_CUSTOM_UMA = 21
MAX_FIELDS = 200
"""Custom fields of a tournament; Tenhou has 36."""
_MAX_FIELD = 40
"""Characters of one."""


@dataclass(frozen=True)
class RuleChoice:
    """A preset's name and the rules in which a log differs from it. Games share it: never change it."""

    preset: str
    overrides: Mapping[str, RuleValue] = field(default_factory=dict)

    @cached_property
    def overrides_text(self) -> str:
        """The overrides as compact JSON, as the replay model keeps them; empty when there are none."""
        return dump_overrides(self.overrides)

    def ruleset(self) -> Ruleset:
        """Return the ruleset chosen, one object for equal choices."""
        return resolve(self.preset, self.overrides_text)


def from_tenhou_type(
    go_type: int,
    csrule: Sequence[str | int] | None = None,
    *,
    date: str = "",
    final_points: Sequence[float] = (),
) -> RuleChoice:
    """Choose the rules of a Tenhou log from its GO ``type`` and, in a tournament, its ``csrule`` fields.

    ``date`` (``2009-03...`` or ``200903...``, empty if unknown) separates old rules from new ones.
    ``final_points`` (the log's own, such as 43.0) show whether Tenhou still rounded them: if it did not and
    all are whole nevertheless, rounding changes nothing.

    >>> from_tenhou_type(0x09).preset, from_tenhou_type(0x19).preset
    ('tenhou', 'tenhou-sanma')

    Raises ValueError for custom fields that are neither numbers nor empty, and for more than MAX_FIELDS.
    """
    fields = tuple(csrule or ())
    if len(fields) > MAX_FIELDS or any(isinstance(f, str) and len(f) > _MAX_FIELD for f in fields):
        raise ValueError(
            f"csrule has more than {MAX_FIELDS} fields, or one of more than {_MAX_FIELD} characters"
        )
    whole = bool(final_points) and all(float(points).is_integer() for points in final_points)
    old = bool(date) and date[:4] < OLD_TENHOU_UNTIL
    is_rounded = not final_points and settled_in_thousands(date)
    return _from_tenhou_type(go_type, fields, old, whole, is_rounded)


def settled_in_thousands(date: str) -> bool:
    """Return whether Tenhou settled a game of this date in whole points; the date may be empty."""
    return bool(date) and date.replace("-", "")[:6] < DECIMALS_SINCE


@lru_cache(maxsize=1024)
def _from_tenhou_type(
    go_type: int, csrule: tuple[str | int, ...], old: bool, whole: bool, is_rounded: bool
) -> RuleChoice:
    """One choice for all games with the same flags: a corpus has few."""
    preset = "tenhou-sanma" if go_type & THREE_PLAYERS else "tenhou"
    wanted: dict[str, RuleValue] = {}
    if go_type & NO_RED:
        wanted |= {"red_man": 0, "red_pin": 0, "red_sou": 0}
    if go_type & NO_KUITAN:
        wanted["kuitan"] = False
    if not go_type & SOUTH_ROUND:
        wanted |= {"wind_rounds": 1, "max_wind_rounds": 2}
    if whole or is_rounded:
        wanted["rounding"] = "nearest"
    if go_type & CHIPS:
        wanted |= {"kiriage": True, "kan_dora_timing": "at_once"}
        if not go_type & THREE_PLAYERS:
            wanted["uma"] = [30000, 10000, -10000, -30000]
    if old:
        wanted["tenpai_yame"] = False
        if not go_type & SOUTH_ROUND:
            wanted["max_wind_rounds"] = 3
        if not go_type & (SOUTH_ROUND | THREE_PLAYERS):
            wanted["uma"] = [10000, 5000, -5000, -10000]
    if csrule:
        wanted |= _custom(csrule, load_preset(preset), east_only=not go_type & SOUTH_ROUND)
    return choice_of(preset, wanted)


def choice_of(preset: str, wanted: Mapping[str, RuleValue]) -> RuleChoice:
    """Keep of the rules wanted those in which the preset differs; raises ValueError for nonsense."""
    key = preset, repr(wanted)
    choice = _CHOICES.get(key)
    if choice is None:
        present = load_preset(preset)
        changed = {name: value for name, value in wanted.items() if plain_value(present[name]) != value}
        choice = RuleChoice(preset, changed)
        choice.ruleset()
        if len(_CHOICES) < _MOST_CHOICES:
            _CHOICES[key] = choice
    return choice


_MOST_CHOICES = 1024
_CHOICES: dict[tuple[str, str], RuleChoice] = {}
"""One choice for all games with the same rules."""


def _number(fields: Sequence[str | int], index: int, base: int = 10) -> int | None:
    """A custom field as a number; None when it is missing or empty."""
    value = fields[index] if index < len(fields) else ""
    if isinstance(value, int):
        return value
    try:
        return int(value.strip(), base) if value.strip() else None
    except ValueError:
        raise ValueError(f"field {index} of csrule is not a number: {value!r}") from None


def _custom(fields: Sequence[str | int], rules: Ruleset, *, east_only: bool) -> dict[str, RuleValue]:
    """The rules that a tournament's custom fields set."""
    first, second = _number(fields, 0, 16) or 0, _number(fields, 1, 16) or 0
    wanted: dict[str, RuleValue] = {"rounding": "exact"}
    for flags, table in ((first, _CUSTOM_FLAGS), (second, _CUSTOM_FLAGS_2)):
        for bit, settings in table:
            if flags & bit:
                wanted |= settings
    if first & _NO_OVERTIME:
        wanted["max_wind_rounds"] = 1 if east_only else rules.table.wind_rounds
    for index, names in _CUSTOM_POINTS:
        points = _number(fields, index)
        if points is not None:
            wanted |= dict.fromkeys(names, points)
    rows = [_uma_row(fields, below, rules) for below in range(rules.table.players + 1)]
    if all(row == rows[0] for row in rows):
        wanted["uma"] = rows[0]
    else:
        wanted["uma_by_below"] = rows
    return wanted


def _uma_row(fields: Sequence[str | int], below: int, rules: Ruleset) -> list[int]:
    """The uma for one number of players below the start: the fields give all places but the first."""
    start = _CUSTOM_UMA + 3 * below
    given = [_number(fields, start + place) for place in range(rules.table.players - 1)]
    others = [
        uma if value is None else 1000 * value for value, uma in zip(given, rules.final.uma[1:], strict=True)
    ]
    return [-sum(others), *others]
