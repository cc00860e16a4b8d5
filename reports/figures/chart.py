"""What a figure shows, without how it is drawn: panels with axes, and marks at their data's coordinates.

A chart is described once. :mod:`paifu.reports.figures.files` draws it with matplotlib, for files;
:mod:`paifu.reports.figures.inline` writes it as an element of a page. Both take each part of the description
as it is here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.reports.figures import style as look
from paifu.reports.figures.style import MUTED, TEXT

PointValues = Sequence[float] | npt.NDArray[np.number[Any]]
DASHED = (4.0, 2.0)
"""Lengths of a dash and of the gap behind it, in widths of the line."""
STEPS = (1, 2, 2.5, 5, 10)
"""Of what the steps of an axis are multiples, in powers of ten."""
_MARGIN = 0.05
"""What is left free beyond the data, of its span, where an axis has no bound."""


@dataclass(frozen=True, slots=True)
class Bars:
    """Bars from ``begin`` to ``begin + length``, upright or lying, each of its colour."""

    at: PointValues
    length: PointValues
    thick: float
    colours: Sequence[str]
    label: str = ""
    begin: PointValues = ()
    """All 0 if left out."""
    lying: bool = False
    edge: str = ""


@dataclass(frozen=True, slots=True)
class Errors:
    """Intervals around points, ``far`` (2, n) below and above, lying or upright, with a mark on each."""

    x: PointValues
    y: PointValues
    far: npt.NDArray[np.floating[Any]]
    colour: str = TEXT
    width: float = 1
    lying: bool = False
    mark: str = ""
    """A key of ``MARKS``."""
    size: float = 5
    label: str = ""


@dataclass(frozen=True, slots=True)
class Curve:
    """A line through points; none through those that are not a number."""

    x: PointValues
    y: PointValues
    colour: str
    width: float = 1.8
    dashes: tuple[float, float] | None = None
    mark: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class Dots:
    """Marks on points."""

    x: PointValues
    y: PointValues
    colour: str
    mark: str
    size: float
    edge: str = ""
    """Colour of the edge, that of the mark if left out."""
    edge_width: float = 1
    alpha: float = 1
    label: str = ""


@dataclass(frozen=True, slots=True)
class Band:
    """The light area between two lines."""

    x: PointValues
    low: PointValues
    high: PointValues
    colour: str


@dataclass(frozen=True, slots=True)
class Rule:
    """A line across the whole panel, at a value of one axis."""

    at: float
    lying: bool = True
    colour: str = MUTED
    width: float = 1
    dashes: tuple[float, float] | None = None
    label: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """A text centred on a point, within a bar."""

    x: float
    y: float
    text: str


Labelled = Bars | Errors | Curve | Dots | Rule
Mark = Labelled | Band | Words
MARKS = ("o", "s", "D", "|", ".")
"""Disc, square, diamond, stroke, small disc."""


@dataclass(slots=True)
class Axis:
    """What an axis says."""

    label: str = ""
    at_end: bool = False
    """The label is at the end of the axis in files, too."""
    low: float | None = None
    """Bounds; None follows the data. An axis whose ``low`` exceeds ``high`` runs backwards."""
    high: float | None = None
    ticks: PointValues | None = None
    names: Sequence[str] | None = None
    """What ticks are called, if not by their values."""
    most: int | None = None
    """How many steps there are at most; None for as many as fit."""
    steps: tuple[float, ...] | None = None
    """Of what steps are multiples, in powers of ten."""
    whole: bool = False
    says: Callable[[float], str] | None = None
    """Words of a value."""
    has_grid: bool = True
    tick_length: float = 3.5

    def bound(self, low: float | None = None, high: float | None = None) -> None:
        """Set bounds; None leaves one as it is."""
        self.low, self.high = self.low if low is None else low, self.high if high is None else high

    def named(self, ticks: PointValues, names: Sequence[str] | None = None) -> None:
        """Set the ticks, and what they are called."""
        self.ticks, self.names = ticks, names

    def percent(self, sign: str, most: int | None) -> None:
        """Say shares in percent, in ``most`` steps or fewer."""
        self.says, self.most, self.steps = lambda share: f"{100 * share:.4g}{sign}", most, STEPS


@dataclass(slots=True)
class Panel:
    """Axes with marks, in the order in which they cover each other."""

    marks: list[Mark] = field(default_factory=list)
    x: Axis = field(default_factory=Axis)
    y: Axis = field(default_factory=Axis)

    def add(self, *marks: Mark) -> None:
        """Add marks."""
        self.marks += marks

    def labelled(self) -> list[Labelled]:
        """Return the marks in the legend: lines first."""
        own = [mark for mark in self.marks if not isinstance(mark, (Band, Words)) and mark.label]
        return sorted(own, key=lambda mark: isinstance(mark, (Bars, Errors)))

    def limits(self, *, lying: bool) -> tuple[float, float]:
        """Return where the x-axis (``lying``) or the y-axis begins and ends.

        Beyond data without a bound there is a margin, but none beyond what bars stand on.
        """
        axis = self.x if lying else self.y
        ends = [end for mark in self.marks for end in _ends(mark, lying=lying)]
        found = np.concatenate([np.ravel(np.asarray(end, float)) for end in ends]) if ends else np.zeros(0)
        found = found[np.isfinite(found)]
        low, high = (float(found.min()), float(found.max())) if len(found) else (0.0, 1.0)
        if low == high:
            low, high = (low - _MARGIN * abs(low), high + _MARGIN * abs(high)) if low else (-_MARGIN, _MARGIN)
        margin = _MARGIN * (high - low)
        stands = any(isinstance(mark, Bars) and mark.lying == lying for mark in self.marks)
        low, high = (
            low if stands and low == 0 else low - margin,
            high if stands and high == 0 else high + margin,
        )
        return low if axis.low is None else axis.low, high if axis.high is None else axis.high


def _ends(mark: Mark, *, lying: bool) -> Iterator[PointValues]:
    """Yield numbers that the x-axis (``lying``) or the y-axis has to reach."""
    match mark:
        case Bars():
            if mark.lying == lying:
                begin = np.asarray(mark.begin, float) if len(mark.begin) else np.zeros(len(mark.at))
                yield begin
                yield begin + np.asarray(mark.length, float)
            else:
                yield np.asarray(mark.at, float) - mark.thick / 2
                yield np.asarray(mark.at, float) + mark.thick / 2
        case Errors():
            along = np.asarray(mark.x if lying else mark.y, float)
            yield along
            if mark.lying == lying:
                yield along - mark.far[0]
                yield along + mark.far[1]
        case Curve() | Dots():
            yield mark.x if lying else mark.y
        case Band():
            yield from (mark.x,) if lying else (mark.low, mark.high)
        case Rule() if mark.lying != lying:
            yield [mark.at]


@dataclass(slots=True)
class Chart:
    """Panels, one below the other with one x-axis, below a heading."""

    panels: list[Panel]
    height: float
    """In inches."""
    cases: list[str] = field(default_factory=list)
    """Lines of the heading."""
    columns: int = 1
    """Of the legend below it, which names what is in the first panel."""

    def head(self, texts: Iterable[str], *, columns: int = 4) -> None:
        """Write the number of cases above the panels and, below, the legend in as many columns as fit."""
        self.cases = look.head(texts)
        self.columns = look.legend_columns([mark.label for mark in self.panels[0].labelled()], columns)

    @classmethod
    def of(cls, panels: int = 1, *, height: float) -> tuple[Chart, list[Panel]]:
        """Return an empty chart and its panels."""
        found = [Panel() for _ in range(panels)]
        return cls(found, height), found
