"""What a rule is: its type, section, meaning and bounds, and how its value is written."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple, Self

from paifu.replay.language import _
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.own_rows import OwnPatternTable, OwnTable, OwnYakuTable

PatternValue = bool | int | str
"""What a pattern is worth: see :class:`PatternValues`."""


RuleValue = (
    bool | int | str | list[int] | list[list[int]] | dict[str, PatternValue] | dict[str, dict[str, Any]]
)
"""A value as TOML and JSON write it: an enum is its lower-case name."""


YAKUMAN_BASE = 8000
"""Base points of a yakuman where there are limits."""
YAKUMAN_HAN = 13
"""In a field that gives a yaku's han: the yaku is a yakuman."""


class PatternValues(tuple[tuple[str, PatternValue], ...]):
    """Values of patterns that differ from the scheme's table, by pattern id, in order.

    A number counts in the scheme's unit and 0 switches the pattern off; ``limit`` and ``half_limit`` are a
    limit or half of it; ``True`` is what the table suggests, ``False`` the same as 0.
    """

    __slots__ = ()


TABLE_SCHEMES = (Scheme.SERIES, Scheme.FAAN, Scheme.CLASSICAL)
"""Schemes whose hands are sets and a pair, scored by a table of patterns."""


OTHER_SCHEMES = (*TABLE_SCHEMES, Scheme.CARD)


PLAYED_SCHEMES = (Scheme.HAN_FU, *TABLE_SCHEMES)
"""Schemes whose games are replayed and simulated."""
RIICHI = (Scheme.HAN_FU,)


SECTION_SCHEMES = {
    **dict.fromkeys(
        ("dora", "riichi", "scoring", "yakuman", "local", "pao", "payment", "draw", "chips", "fouls"), RIICHI
    ),
    **dict.fromkeys(("tiles", "shares"), OTHER_SCHEMES),
    "hand": TABLE_SCHEMES,
    "series": (Scheme.SERIES,),
    "faan": (Scheme.FAAN,),
    "limits": (Scheme.FAAN, Scheme.CLASSICAL),
    "classical": (Scheme.CLASSICAL,),
    "card": (Scheme.CARD,),
}
"""Section -> the schemes that have its fields; a section that is not here belongs to all."""


def rule(
    doc: str,
    low: int = 0,
    high: int = 1_000_000,
    *,
    only: tuple[Scheme, ...] = (),
    elsewhere: Any = None,
    default: Any = None,
) -> Any:
    """A rule of a section, with its meaning and (for integers) its bounds.

    ``only`` names the schemes that have it, if not all of its section. ``default`` is its value where a
    preset does not give it, and in rulesets of other schemes; a rule without one has there ``elsewhere``, or
    else the least value.
    """
    bounds = {"doc": doc, "low": low, "high": high}
    elsewhere = default if elsewhere is None else elsewhere
    return {**bounds, "schemes": only, "elsewhere": elsewhere, "default": default}


class RuleSection:
    """A section of a ruleset: a frozen record of the rules that its class names.

    No dataclass: to make the methods of 24 took a tenth of the time that a command takes to start.
    """

    def __init__(self, **rules: Any) -> None:
        self.__dict__.update(rules)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{name}: a ruleset never changes; changed() returns another one")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash(frozenset(self.__dict__.items()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={rule!r}' for name, rule in vars(self).items())})"

    def changed(self, **rules: Any) -> Self:
        """Return the section with some rules replaced."""
        return type(self)(**self.__dict__ | rules)


class RuleField(NamedTuple):
    """One dimension: its name, type, section, meaning and, for an integer, its bounds."""

    name: str
    type: Any
    section: str
    doc: str
    low: int
    high: int
    schemes: tuple[Scheme, ...]
    """The schemes whose rulesets have it."""
    elsewhere: Any
    """What it holds in rulesets of other schemes."""
    default: Any
    """What it holds where no preset gives it; None where one must."""

    @property
    def choices(self) -> tuple[str, ...]:
        """The names an enum field may take; empty for other types."""
        return tuple(member.name.lower() for member in self.type) if self.is_enum else ()

    @property
    def is_enum(self) -> bool:
        """Return whether the field takes one of a few names."""
        return isinstance(self.type, type) and issubclass(self.type, IntEnum)

    @property
    def is_list(self) -> bool:
        """Return whether the field takes a plain list of numbers."""
        return bool(self.type == tuple[int, ...])

    @property
    def allowed(self) -> str:
        """The allowed values in words for people."""
        if self.is_enum:
            return " | ".join(self.choices)
        if self.type is bool:
            return "true | false"
        if self.type is int:
            return _("{low} to {high}").format(low=self.low, high=self.high)
        if self.type is OwnYakuTable:
            return _("a table for each yaku, with when and han or limit")
        if self.type is OwnPatternTable:
            return _("a table for each pattern, with when and value")
        if self.type is PatternValues and self.section == "local":
            return _("a table of rules of local yaku, each a number of han from 0 to 13")
        if self.type is PatternValues and self.section == "progress":
            return _("a table of kyuushu, suufon, suucha, sanchahou and suukaikan, each true or false")
        if self.type is PatternValues:
            return _('a table of pattern ids, each a number, true, false, "limit" or "half_limit"')
        text = _("a list of points, {low} to {high}")
        if not self.is_list:
            text = _("a list of lists of points, {low} to {high}")
        return text.format(low=self.low, high=self.high)


def least(kind: Any, low: int) -> Any:
    """The value that switches a field off."""
    if kind in (int, bool) or (isinstance(kind, type) and issubclass(kind, IntEnum)):
        return kind(low if kind is int else 0)
    return kind() if kind in (PatternValues, OwnYakuTable, OwnPatternTable) else ()


def plain_value(value: object) -> RuleValue:
    """Turn a field's value into what TOML and JSON write: enums to names, tuples to lists."""
    match value:
        case IntEnum():
            return value.name.lower()
        case PatternValues():
            return dict(value)
        case OwnTable():
            return value.plain()
        case tuple():
            return [plain_value(item) for item in value]  # type: ignore[return-value]
        case bool() | int():
            return value
    raise TypeError(f"{value!r} is not a value of a rule")
