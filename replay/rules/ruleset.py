"""Rulesets as data: every dimension in which the supported rules of mahjong differ.

A :class:`Ruleset` is a frozen record of plain values in sections (:mod:`paifu.replay.rules.sections`), such
as ``rules.calls.kuikae``; nothing in the engine asks for a ruleset's name. A field carries its meaning and
its bounds as metadata (:data:`FIELDS`), and these drive validation, the command line and the documentation.
Default values are in the presets (``presets/*.toml``), of which ``tenhou`` gives every field of riichi (see
``rule_presets``), except for the rules that come with local yaku (:mod:`paifu.replay.rules.local_yaku`):
these are not played where nothing is said.

The field ``scheme`` says how hands are scored, and with it which other fields a ruleset has
(:func:`fields_of`). Fields of other schemes are neither written nor shown; they hold
:attr:`RuleField.elsewhere`, which means "not played".

Kernels get :meth:`Ruleset.kernel`, integers for the fields that they need.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, get_type_hints

from paifu.replay.docstrings import docstring
from paifu.replay.kernels.rules import FOUL_BITS, IDENTICAL_PAIRS, KNITTED, SNAKE, KernelRules
from paifu.replay.model.tiles import FLOWERS, IDS, JOKER_IDS, SANMA_ABSENT_KINDS, SEASONS
from paifu.replay.rules import sections
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.fields import SECTION_SCHEMES, RuleField, RuleSection, RuleValue, least, plain_value
from paifu.replay.rules.foul_kinds import FOUL_KINDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """One complete set of rules. Equal when all rules are equal; name, summary and sources do not count.

    >>> from paifu.replay.rules.ruleset import Ruleset
    >>> import paifu
    >>> rules = paifu.ruleset("tenhou")
    >>> isinstance(rules, Ruleset), rules.calls.kuikae, rules["start_points"]
    (True, <Kuikae.FORBIDDEN: 2>, 25000)
    """

    name: str = dataclasses.field(compare=False)
    summary: str = dataclasses.field(compare=False)
    sources: dict[str, str] = dataclasses.field(compare=False, repr=False, default_factory=dict)
    """Rule -> where its value comes from, in words; ``[mark]`` -> what a mark in these words stands for;
    ``base`` -> the ruleset that holds what is not stated or is taken over, and who says so."""

    game: sections.GameRules
    table: sections.TableRules
    tiles: sections.TileRules
    calls: sections.CallRules
    dora: sections.DoraRules
    riichi: sections.RiichiRules
    win: sections.WinRules
    hand: sections.HandRules
    series: sections.SeriesRules
    faan: sections.FaanRules
    limits: sections.LimitRules
    classical: sections.ClassicalRules
    card: sections.CardRules
    scoring: sections.ScoringRules
    yakuman: sections.YakumanRules
    local: sections.LocalYakuRules
    pao: sections.PaoRules
    payment: sections.PaymentRules
    shares: sections.ShareRules
    draw: sections.DrawRules
    progress: sections.ProgressRules
    final: sections.FinalRules
    chips: sections.ChipRules
    fouls: sections.FoulRules

    _hash: int = dataclasses.field(init=False, repr=False, compare=False, default=0)

    def __hash__(self) -> int:
        """Hash the rules, once: what follows from them is looked up by ruleset at every call."""
        if not self._hash:
            object.__setattr__(self, "_hash", hash(tuple(getattr(self, section) for section in _SECTIONS)))
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        """Leave out the hash, which another process would not find."""
        rules = {name: self[name] for name in FIELDS}
        return Ruleset.of, (self.name, self.summary, self.sources, rules)

    @classmethod
    def of(cls, name: str, summary: str, sources: dict[str, str], rules: Mapping[str, Any]) -> Ruleset:
        """Return a ruleset from the value of each rule by its name."""
        values: dict[str, dict[str, Any]] = {section: {} for section in _SECTIONS}
        for field in FIELDS.values():
            values[field.section][field.name] = rules[field.name]
        made = {section: kind(**values[section]) for section, kind in _SECTIONS.items()}
        return cls(name=name, summary=summary, sources=sources, **made)

    def __getitem__(self, rule: str) -> Any:
        """Return the value of a rule by its name. Raises KeyError for an unknown one."""
        return getattr(getattr(self, FIELDS[rule].section), rule)

    def changed(self, **rules: Any) -> Ruleset:
        """Return the ruleset with some rules replaced, each by its name, in their own types.

        Nothing is checked; :func:`~paifu.replay.rules.presets.with_overrides` does that.
        """
        by_section: dict[str, dict[str, Any]] = {}
        for name, value in rules.items():
            by_section.setdefault(FIELDS[name].section, {})[name] = value
        made = {section: getattr(self, section).changed(**values) for section, values in by_section.items()}
        return dataclasses.replace(self, **made)

    def kernel(self) -> KernelRules:
        """Return the rules as kernels read them: integers only, the same object for equal rulesets."""
        return _kernel_rules(self)

    def values(self) -> dict[str, RuleValue]:
        """Return every field of its scheme, in order, as TOML and JSON would write it."""
        return {name: plain_value(self[name]) for name in fields_of(self.game.scheme)}

    @property
    def forms(self) -> int:
        """What wins besides the usual forms, as bits for the kernels of shapes."""
        return (
            (SNAKE if self.local.wriggling_snake_with_winds_han else 0)
            | (KNITTED if self.local.knitted_pairs_han else 0)
            | (IDENTICAL_PAIRS if self.scoring.chiitoitsu_identical_pairs else 0)
        )

    @property
    def starts(self) -> tuple[int, ...]:
        """Points at the start by seat, that of the first dealer first."""
        return self.table.start_points_by_seat or (self.table.start_points,) * self.table.players

    @property
    def tile_ids(self) -> tuple[int, ...]:
        """Physical ids in the set: all 136, or 108 without man 2-8 for three players.

        Flowers and seasons, where there are any, are 136-143, jokers follow from 144 on.
        """
        absent = SANMA_ABSENT_KINDS if self.table.players == 3 else ()
        bonus = range(IDS, JOKER_IDS) if self.tiles.bonus_tiles else ()
        jokers = range(JOKER_IDS, JOKER_IDS + self.tiles.jokers)
        return (*(tile for tile in range(IDS) if tile // 4 not in absent), *bonus, *jokers)

    @property
    def flowers(self) -> int:
        """Flowers in the set of riichi: four where they are dora."""
        return (SEASONS - FLOWERS) * self.calls.flowers_dora

    @property
    def live_wall(self) -> int:
        """Tiles drawn from the live wall in a hand, replacement draws included: 70, or 55 for three.

        Flowers that are set aside are among them.
        """
        return (
            len(self.tile_ids)
            + self.flowers
            - self.tiles.dead_wall
            - 13 * (self.table.players - 1)
            - self.tiles.dealer_tiles
        )

    @property
    def red_ids(self) -> tuple[int, ...]:
        """Physical ids of the red fives: the first copies of each five, as Tenhou numbers them."""
        counts = ((16, self.table.red_man), (52, self.table.red_pin), (88, self.table.red_sou))
        return tuple(first + copy for first, count in counts for copy in range(count))


_SECTIONS: Mapping[str, Any] = {
    name: kind
    for name, kind in get_type_hints(Ruleset).items()
    if isinstance(kind, type) and issubclass(kind, RuleSection)
}

SECTIONS = MappingProxyType({name: docstring(kind).removesuffix(".") for name, kind in _SECTIONS.items()})
"""Section -> title, in order."""


def _fields() -> dict[str, RuleField]:
    fields = {}
    for section, kind in _SECTIONS.items():
        for name, hint in get_type_hints(kind).items():
            given = dict(getattr(kind, name))
            given["schemes"] = given["schemes"] or SECTION_SCHEMES.get(section, tuple(Scheme))
            if given["elsewhere"] is None:
                given["elsewhere"] = least(hint, given["low"])
            fields[name] = RuleField(name, hint, section, **given)
    return fields


FIELDS = MappingProxyType(_fields())
"""Every dimension by name, section by section."""


@lru_cache(maxsize=len(Scheme))
def fields_of(scheme: Scheme) -> MappingProxyType[str, RuleField]:
    """Return the dimensions that rulesets of a scheme have, by name, in order."""
    return MappingProxyType({name: field for name, field in FIELDS.items() if scheme in field.schemes})


@lru_cache(maxsize=256)
def _kernel_rules(ruleset: Ruleset) -> KernelRules:
    dealer, to_dealer, to_other = ruleset.fouls.chombo_pays or (0, 0, 0)
    made = {
        "forms": ruleset.forms,
        "fouls": sum(ruleset[kind.rule] << FOUL_BITS * kind.id for kind in FOUL_KINDS),
        "chombo_dealer": dealer,
        "chombo_to_dealer": to_dealer,
        "chombo_to_other": to_other,
    }
    return KernelRules(
        **{name: int(made[name] if name in made else ruleset[name]) for name in KernelRules.fields()}
    )
