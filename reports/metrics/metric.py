"""Metrics and the families that declare them.

A metric is a small function over the rows of one base (:mod:`~paifu.reports.metrics.frames`). It returns the
numerator of each row, or numerators and weights. The sums over a group's rows are the numerator ``n`` and the
denominator ``d``, which are divided at the very end. The function's docstring is the definition that users
read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from paifu.replay.arrays import Array
from paifu.replay.docstrings import docstring
from paifu.replay.language import pgettext
from paifu.replay.rules.choices import Scheme
from paifu.reports.inference.intervals import Nature
from paifu.reports.metrics.frames import BASES

Counted = Array | tuple[Array, Array]
"""The numerator of every row, or numerators and weights: whether (or how often) each row counts."""
Measure = Callable[[Any], Counted]
Declare = Callable[[Measure], Measure]


RIICHI = frozenset({Scheme.HAN_FU})


class MetricKind(Enum):
    """How a metric's sums become its value."""

    SHARE = "share"
    """n of d rows: a fraction, shown in percent."""
    MEAN = "mean"
    """n / d, a sum over rows."""
    RATIO = "ratio"
    """n / d of two sums over the same rows."""
    COUNT = "count"
    """n itself."""
    EXTREME = "extreme"
    """The greatest value of any row, and where it occurred."""


class Good(Enum):
    """Which values of a metric are good for the player."""

    HIGHER = "higher"
    LOWER = "lower"
    NEITHER = "neither"
    """A matter of style, of chance, or of the game."""


@dataclass(frozen=True, slots=True)
class Metric:
    """One statistic: its name, what it counts, and how to show it."""

    name: str
    family: str
    title: str
    """A noun phrase, shown in rows of tables."""
    kind: MetricKind
    unit: str
    """``%`` means that the value is a fraction, shown in percent."""
    base: str
    """The rows that it counts: a key of :data:`~paifu.reports.metrics.frames.BASES`."""
    numerator: str
    denominator: str
    definition: str
    measure: Measure
    scale: float = 1.0
    offset: float = 0.0
    """The value is ``scale * n / d + offset``."""
    decimals: int = 2
    heading: str = ""
    """A short title for a column of a table."""
    schemes: frozenset[Scheme] = frozenset(Scheme)
    """The schemes in whose games it has a meaning; only their rows are counted."""
    series: str = ""
    """The curve that this metric is a point of, if any; ``at`` is the position on it."""
    at: int = 0
    good: Good = Good.NEITHER
    signed: bool = False
    """Whether values below zero occur; if not, intervals end at zero."""
    is_fixed: bool = False
    """Whether all players of a table together always have the same value, which then is not uncertain."""
    is_style: bool = False
    """Whether it says how somebody plays: a choice, neither good nor bad as such."""
    is_shared: bool = False
    """Whether it is about hands or games as such, the same for all who play them: each counts once for a
    group, not once for each of its players."""

    @property
    def nature(self) -> Nature:
        """What the numerator adds up."""
        if self.kind is MetricKind.SHARE:
            return Nature.SHARE
        if self.signed:
            return Nature.SIGNED
        if self.unit.startswith("R"):
            return Nature.RATING
        return Nature.AMOUNT if self.unit.startswith(("points", "pt")) else Nature.COUNT

    @property
    def is_rate(self) -> bool:
        """Whether it has an interval: not so a plain count and a record."""
        return self.kind not in (MetricKind.COUNT, MetricKind.EXTREME)

    @property
    def said(self) -> str:
        """The title in the language in use."""
        return pgettext("title", self.title)

    @property
    def sign(self) -> int:
        """1 where higher values are good, -1 where lower ones are, 0 where neither is."""
        return {Good.HIGHER: 1, Good.LOWER: -1, Good.NEITHER: 0}[self.good]


class Family:
    """A family of metrics, declared in one module; its methods are decorators for their functions."""

    def __init__(
        self,
        name: str,
        title: str,
        schemes: frozenset[Scheme] = frozenset(Scheme),
        *,
        base: str = "",
        of_riichi: str = "",
        higher: str = "",
        lower: str = "",
        signed: str = "",
        style: str = "",
        fixed: str = "",
        shared: str = "",
    ) -> None:
        """``schemes`` are its metrics'; those with names that ``of_riichi`` finds are riichi's only.

        Its metrics count rows of ``base``, if they name no other one.

        Metrics whose whole names match ``higher`` or ``lower`` are good for the player where they are so.
        Values of those that ``signed`` matches can be negative. Those that ``style`` matches say how somebody
        plays. Those that ``fixed`` matches are always the same for a whole table. Those that ``shared``
        matches are the same for all players of a hand or game, which counts once.
        """
        self.name, self.title, self.schemes, self.base = name, title, schemes, base
        self._flags = {
            name: re.compile(names)
            for name, names in (
                ("signed", signed),
                ("is_style", style),
                ("is_fixed", fixed),
                ("is_shared", shared),
            )
        }
        self._good = {Good.HIGHER: re.compile(higher), Good.LOWER: re.compile(lower)}
        self._of_riichi = re.compile(of_riichi) if of_riichi else None
        self.metrics: list[Metric] = []

    def share(self, title: str, numerator: str = "", *, base: str = "", **more: Any) -> Declare:
        """Declare a share of rows.

        A statistic is called as its function is, or ``name``; without a ``numerator``, it counts what the
        ``title`` says. ``definition`` stands for a docstring, ``denominator`` for the words of the base.
        """
        return self._declare(MetricKind.SHARE, title, numerator, base, {"unit": "%", **more})

    def mean(self, title: str, numerator: str = "", *, unit: str, base: str = "", **more: Any) -> Declare:
        """Declare the mean of a quantity."""
        return self._declare(MetricKind.MEAN, title, numerator, base, {"unit": unit, **more})

    def points(self, title: str, numerator: str = "", *, base: str = "", **more: Any) -> Declare:
        """Declare the mean of points, shown without decimals."""
        return self.mean(title, numerator, base=base, unit="points", decimals=0, **more)

    def ratio(self, title: str, numerator: str = "", *, unit: str, base: str = "", **more: Any) -> Declare:
        """Declare a ratio of two sums: the function returns both."""
        return self._declare(MetricKind.RATIO, title, numerator, base, {"unit": unit, **more})

    def count(
        self, title: str, numerator: str = "", *, unit: str = "", base: str = "", **more: Any
    ) -> Declare:
        """Declare a plain count."""
        return self._declare(MetricKind.COUNT, title, numerator, base, {"unit": unit, **more})

    def extreme(self, title: str, numerator: str = "", *, unit: str, base: str = "", **more: Any) -> Declare:
        """Declare a record."""
        return self._declare(MetricKind.EXTREME, title, numerator, base, {"unit": unit, **more})

    def _declare(
        self, kind: MetricKind, title: str, numerator: str, base: str, more: dict[str, Any]
    ) -> Declare:
        def add(measure: Measure) -> Measure:
            name = more.pop("name", "") or measure.__name__
            text = more.pop("definition", "") or docstring(measure)
            if not text:
                raise ValueError(f"the metric {name} has no definition")
            is_riichi = self._of_riichi is not None and self._of_riichi.search(name)
            good = next((good for good, names in self._good.items() if names.fullmatch(name)), Good.NEITHER)
            followed: dict[str, Any] = {
                "denominator": BASES[base or self.base],
                "schemes": RIICHI if is_riichi else self.schemes,
                "good": good,
                **{flag: names.fullmatch(name) is not None for flag, names in self._flags.items()},
            }
            self.metrics.append(
                Metric(
                    name, self.name, title, kind, base=base or self.base, numerator=numerator or title,
                    definition=" ".join(text.split()), measure=measure, **followed | more,
                )
            )  # fmt: skip
            return measure

        return add


def counted(metric: Metric, rows: Any) -> tuple[Array, Array | None]:
    """Return numerators and weights of all rows; weights are None where every row counts once.

    For shares and means, rows with weight 0 do not count: their numerators become 0.
    """
    found = metric.measure(rows)
    if not isinstance(found, tuple):
        return found, None
    values, weights = found
    return (values if metric.kind is MetricKind.RATIO else np.where(weights, values, 0)), weights
