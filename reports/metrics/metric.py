"""What a metric is, and how families of them are declared.

A metric is a small function over the rows of one base (:mod:`~paifu.reports.metrics.frames`). It returns what
is counted in each row, or that and which rows are counted at all; the sums over a group's rows are its
numerator ``n`` and its denominator ``d``, and they are divided at the very end. The function's docstring is
the definition that users read.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.reports.metrics.frames import BASES

Column = npt.NDArray[Any]
Counted = Column | tuple[Column, Column]
"""Numerators of all rows, or numerators and which rows count (or how often each does)."""
Measure = Callable[[Any], Counted]


class Kind(Enum):
    """How a metric's sums become its value."""

    SHARE = "share"
    """n of d rows: a fraction, shown in percent, with Wilson's interval."""
    MEAN = "mean"
    """n / d, a sum over rows, with a normal interval."""
    RATIO = "ratio"
    """n / d of two sums over the same rows, with an interval to first order."""
    COUNT = "count"
    """n itself."""
    EXTREME = "extreme"
    """The greatest value of any row, and where it was."""


@dataclass(frozen=True, slots=True)
class Metric:
    """One statistic: what it is called, what it counts, and how that reads."""

    name: str
    family: str
    title: str
    """For a line of a table."""
    kind: Kind
    unit: str
    """``%``: the value is a fraction, to be shown in percent."""
    base: str
    """The rows it is counted over: a key of :data:`~paifu.reports.metrics.frames.BASES`."""
    numerator: str
    denominator: str
    definition: str
    measure: Measure
    scale: float = 1.0
    offset: float = 0.0
    """The value is ``scale * n / d + offset``."""
    decimals: int = 2
    heading: str = ""
    """For a column of a table."""
    series: str = ""
    """Metrics of one series are the points of a curve; ``at`` is the point."""
    at: int = 0


class Family:
    """A family of metrics, declared in one module; its methods are decorators of their functions."""

    def __init__(self, name: str, title: str) -> None:
        self.name, self.title = name, title
        self.metrics: list[Metric] = []

    def share(
        self, name: str, title: str, numerator: str, *, base: str, **more: Any
    ) -> Callable[[Measure], Measure]:
        """Declare a share of rows."""
        return self._declare(Kind.SHARE, name, title, numerator, base, {"unit": "%", **more})

    def mean(
        self, name: str, title: str, numerator: str, *, base: str, unit: str, **more: Any
    ) -> Callable[[Measure], Measure]:
        """Declare a mean of a quantity."""
        return self._declare(Kind.MEAN, name, title, numerator, base, {"unit": unit, **more})

    def ratio(
        self, name: str, title: str, numerator: str, *, base: str, unit: str, **more: Any
    ) -> Callable[[Measure], Measure]:
        """Declare a ratio of two sums: the function returns both."""
        return self._declare(Kind.RATIO, name, title, numerator, base, {"unit": unit, **more})

    def count(
        self, name: str, title: str, numerator: str, *, base: str, unit: str = "", **more: Any
    ) -> Callable[[Measure], Measure]:
        """Declare a plain count."""
        return self._declare(Kind.COUNT, name, title, numerator, base, {"unit": unit, **more})

    def extreme(
        self, name: str, title: str, numerator: str, *, base: str, unit: str, **more: Any
    ) -> Callable[[Measure], Measure]:
        """Declare a record."""
        return self._declare(Kind.EXTREME, name, title, numerator, base, {"unit": unit, **more})

    def _declare(
        self, kind: Kind, name: str, title: str, numerator: str, base: str, more: dict[str, Any]
    ) -> Callable[[Measure], Measure]:
        more.setdefault("denominator", BASES[base])
        definition = more.pop("definition", None)

        def add(measure: Measure) -> Measure:
            text = definition or inspect.getdoc(measure)
            if not text:
                raise ValueError(f"the metric {name} has no definition")
            self.metrics.append(
                Metric(
                    name, self.name, title, kind, base=base, numerator=numerator,
                    definition=" ".join(text.split()), measure=measure, **more,
                )
            )  # fmt: skip
            return measure

        return add


def counted(metric: Metric, rows: Any) -> tuple[Column, Column | None]:
    """Return numerators and weights of all rows; weights None for one each.

    Of shares and means weights tell which rows count at all; the others' numerators are nothing.
    """
    found = metric.measure(rows)
    if not isinstance(found, tuple):
        return found, None
    values, weights = found
    return (values if metric.kind is Kind.RATIO else np.where(weights, values, 0)), weights
