"""Charts as elements of pages: SVG with text as text, and without any style of its own.

Colours are CSS variables. Letters are as wide as those of matplotlib's font; a browser has others, of about
the same width.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import get_data_path
from matplotlib.ft2font import FT2Font
from matplotlib.ticker import MaxNLocator

from paifu.reports.figures import style as look
from paifu.reports.figures.chart import (
    STEPS,
    Axis,
    Band,
    Bars,
    Chart,
    Curve,
    Dots,
    Errors,
    Labelled,
    Mark,
    Panel,
    PointValues,
    Rule,
    Words,
)

_SIZE = look.PAGE_FONT_SIZE
_WIDE = 72 * look.WIDTH
"""Width of every chart; units are points."""
_EDGE = 4.0
"""Free on all sides of a chart."""
_LINE, _ROW = 1.28 * _SIZE, 1.5 * _SIZE
"""From one line of a text to the next; from one row of a legend to the next."""
_UP = 0.38 * _SIZE
"""From the middle of a line of text down to what it stands on."""
_BESIDE = 7.0
"""From an axis to the labels of its ticks."""
_HANDLE, _AFTER_HANDLE, _AFTER_COLUMN = 1.2 * _SIZE, 0.4 * _SIZE, _SIZE
"""In a legend, widths of what shows a mark, and of gaps."""
_BETWEEN = 0.8 * _SIZE
"""From one panel to the next."""
_MOST_STEPS = 9


def inline(chart: Chart, name: str, label: str) -> str:
    """Return a chart, described for a page, as an element.

    ``name`` keeps its ids distinct from those of other charts; ``label`` is for screen readers.
    """
    high = 72 * chart.height
    below, parts = _heading(chart)
    bottom = high - _EDGE - (_LINE if chart.panels[-1].x.label else 0) - _SIZE - _BESIDE
    tall = (bottom - below - _BETWEEN * (len(chart.panels) - 1)) / len(chart.panels)
    tops = [below + number * (tall + _BETWEEN) for number in range(len(chart.panels))]
    upright = [_Scale.of(panel, top + tall, top) for panel, top in zip(chart.panels, tops, strict=True)]
    wide = max(width(text) for scale in upright for text in scale.names)
    left = _EDGE + wide + _BESIDE + (_LINE if any(panel.y.label for panel in chart.panels) else 0)
    along = _Scale.below(chart.panels, left)
    for number, (panel, up) in enumerate(zip(chart.panels, upright, strict=True)):
        is_last = number == len(chart.panels) - 1
        parts += _panel(panel, along, up, f"plot_{name.replace('-', '_')}_{number}", is_last=is_last)
        if panel.y.label:
            at = f"{_number(_EDGE + 0.75 * _SIZE)} {_number((up.begin + up.end) / 2)}"
            parts.append(
                _text(0, 0, panel.y.label, "middle", more=f' transform="translate({at}) rotate(-90)"')
            )
    if words := chart.panels[-1].x.label:
        parts.append(_text(max(along.end, width(words)), high - _EDGE - 0.2 * _SIZE, words, "end"))
    box = f"0 0 {_number(_WIDE)} {_number(high)}"
    head = f'<svg class="figure" viewBox="{box}" role="img" aria-label="{escape(label)}">'
    return f"{head}{''.join(parts)}</svg>"


# --- scales --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Scale:
    """From values to places on the page."""

    low: float
    high: float
    begin: float
    """Where ``low`` is."""
    end: float
    ticks: Sequence[float]
    names: Sequence[str]

    @classmethod
    def of(cls, panel: Panel, begin: float, end: float, *, lying: bool = False) -> _Scale:
        """Return the scale of the x-axis (``lying``) or the y-axis of a panel."""
        low, high = panel.limits(lying=lying)
        axis = panel.x if lying else panel.y
        fitting = int(abs(end - begin) / (_SIZE * (3 if lying else 2)))
        return cls(low, high, begin, end, *_ticks(axis, low, high, fitting))

    @classmethod
    def below(cls, panels: Sequence[Panel], left: float) -> _Scale:
        """Return the scale of the x-axis of all panels, on which the label of the last tick is whole."""
        joined = Panel([mark for panel in panels for mark in panel.marks], panels[-1].x)
        right = _WIDE - _EDGE
        for _again in range(2):
            found = cls.of(joined, left, right, lying=True)
            if found.names:
                over = found(found.ticks[-1:]) + width(found.names[-1]) / 2 - (_WIDE - _EDGE)
                right -= max(0.0, float(over[0]))
        return cls.of(joined, left, right, lying=True)

    def __call__(self, values: PointValues | float) -> Any:
        """Return the places of values, NaN where there is none."""
        share = (np.asarray(values, float) - self.low) / (self.high - self.low)
        return self.begin + share * (self.end - self.begin)


def _ticks(axis: Axis, low: float, high: float, fitting: int) -> tuple[list[float], list[str]]:
    """Return the ticks in view, and what they are called; ``fitting`` is how many steps there may be."""
    low, high = min(low, high), max(low, high)
    names, every = axis.names, axis.ticks
    if every is None:
        most = axis.most or min(max(1, fitting), _MOST_STEPS)
        steps = axis.steps or (None if axis.most else STEPS)
        every = MaxNLocator(most, steps=steps, integer=axis.whole).tick_values(low, high)
    found = np.asarray(every, float).tolist()
    near = 1e-9 * (high - low)
    seen = [at for at, tick in enumerate(found) if low - near <= tick <= high + near]
    ticks = [found[at] for at in seen]
    if names is not None:
        return ticks, [names[at] for at in seen]
    if axis.says is not None:
        return ticks, [axis.says(tick) for tick in ticks]
    return ticks, _plain(ticks)


def _plain(values: Sequence[float]) -> list[str]:
    """Write numbers with as many decimals as the one that needs most."""
    decimals = max((len(f"{value:.6g}".partition(".")[2]) for value in values), default=0)
    return [f"{value:.{decimals}f}".replace("-", "−") for value in values]


# --- texts ---------------------------------------------------------------------------------------------


def width(text: str) -> float:
    """Return the width of a text in points."""
    return _SIZE * sum(map(_advance, text))


@cache
def _font() -> FT2Font:
    font = FT2Font(str(Path(get_data_path(), "fonts", "ttf", "DejaVuSans.ttf")))
    font.set_size(100, 72)
    return font


@cache
def _advance(sign: str) -> float:
    """Return the width of a character in ems: 1 where the font does not have it, as of Japanese ones."""
    if not _font().get_char_index(ord(sign)):
        return 1.0
    return float(_font().load_char(ord(sign)).linearHoriAdvance) / 65536 / 100


def _text(x: float, y: float, text: str, anchor: str, *, colour: str = look.TEXT, more: str = "") -> str:
    place = "" if more.startswith(" transform") else f' x="{_number(x)}" y="{_number(y)}"'
    anchored = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text{place}{anchored} fill="{_colour(colour)}"{more}>{escape(text)}</text>'


def _heading(chart: Chart) -> tuple[float, list[str]]:
    """Return where the heading ends, and what it consists of: the cases, and the legend."""
    parts = [
        _text(_EDGE, _EDGE + 0.8 * _SIZE + number * _LINE, line, "start", colour=look.MUTED)
        for number, line in enumerate(chart.cases)
    ]
    top = _EDGE + len(chart.cases) * _LINE
    marks = chart.panels[0].labelled()
    left = _EDGE
    columns = [list(part) for part in np.array_split(np.arange(len(marks)), chart.columns) if len(part)]
    for column in columns:
        for row, place in enumerate(column):
            mark, middle = marks[place], top + (row + 0.5) * _ROW
            parts += _handle(mark, left, middle)
            parts.append(_text(left + _HANDLE + _AFTER_HANDLE, middle + _UP, mark.label, "start"))
        left += max(width(marks[place].label) for place in column)
        left += _HANDLE + _AFTER_HANDLE + _AFTER_COLUMN
    return top + max(map(len, columns), default=0) * _ROW + 0.6 * _SIZE, parts


def _handle(mark: Labelled, left: float, middle: float) -> list[str]:
    """Return what shows a mark in the legend."""
    right, centre = left + _HANDLE, left + _HANDLE / 2
    match mark:
        case Bars():
            high = 0.7 * _SIZE
            path = f"M{_number(left)} {_number(middle - high / 2)}H{_number(right)}v{_number(high)}"
            path += f"H{_number(left)}z"
            return [_filled(path, mark.colours[0])]
        case Errors():
            line = f"M{_number(centre)} {_number(middle - _SIZE / 2)}v{_number(_SIZE)}"
            if mark.lying:
                line = f"M{_number(left)} {_number(middle)}h{_number(_HANDLE)}"
            dot = Dots([centre], [middle], mark.colour, mark.mark, mark.size)
            return [_stroked(line, mark.colour, mark.width), *_dots(dot, [centre], [middle])]
        case Dots():
            return _dots(mark, [centre], [middle])
        case Curve() | Rule():
            path = f"M{_number(left)} {_number(middle)}H{_number(right)}"
            found = [_stroked(path, mark.colour, mark.width, mark.dashes)]
            if isinstance(mark, Curve) and mark.mark:
                dot = Dots([centre], [middle], mark.colour, mark.mark, 5)
                found += _dots(dot, [centre], [middle])
            return found


# --- panels --------------------------------------------------------------------------------------------


def _panel(panel: Panel, x: _Scale, y: _Scale, clip: str, *, is_last: bool) -> list[str]:
    """Return the grid, the marks, the axes and the labels of the ticks of a panel."""
    left, right, bottom, top = map(_number, (x.begin, x.end, y.begin, y.end))
    across, up = list(map(_number, x(x.ticks))), list(map(_number, y(y.ticks)))
    grid = "".join(f"M{at} {bottom}V{top}" for at in across) if panel.x.has_grid else ""
    grid += "".join(f"M{left} {at}H{right}" for at in up) if panel.y.has_grid else ""
    parts = [_stroked(grid, look.GRID, 0.7)] if grid else []
    size = f'width="{_number(x.end - x.begin)}" height="{_number(y.begin - y.end)}"'
    parts.append(f'<clipPath id="{clip}"><rect x="{left}" y="{top}" {size}/></clipPath>')
    parts.append(f'<g clip-path="url(#{clip})">')
    for mark in panel.marks:
        parts += _WRITERS[type(mark)](mark, x, y)
    parts.append("</g>")
    parts.append(_stroked(f"M{left} {top}V{bottom}H{right}", look.MUTED, 0.7))
    ends = ""
    if long := panel.x.tick_length:
        ends += "".join(f"M{at} {bottom}v{_number(long)}" for at in across)
    if long := panel.y.tick_length:
        ends += "".join(f"M{left} {at}h{_number(-long)}" for at in up)
    parts += [_stroked(ends, look.MUTED, 0.8)] if ends else []
    if is_last:
        under = y.begin + _BESIDE + 0.76 * _SIZE
        parts += [
            _text(at, under, name, "middle") for at, name in zip(x(x.ticks), x.names, strict=True) if name
        ]
    beside = x.begin - _BESIDE
    parts += [
        _text(beside, at + _UP, name, "end") for at, name in zip(y(y.ticks), y.names, strict=True) if name
    ]
    return parts


def _bars(bars: Bars, x: _Scale, y: _Scale) -> list[str]:
    begin = np.asarray(bars.begin, float) if len(bars.begin) else np.zeros(len(bars.at))
    along, across = (x, y) if bars.lying else (y, x)
    ends = along(begin), along(begin + np.asarray(bars.length, float))
    middle = np.asarray(bars.at, float)
    sides = across(middle - bars.thick / 2), across(middle + bars.thick / 2)
    by_colour: dict[str, str] = {}
    colours = bars.colours if len(bars.colours) > 1 else [bars.colours[0]] * len(middle)
    for one, other, side, far, colour in zip(*ends, *sides, colours, strict=True):
        if np.isfinite(one + other) and one != other:
            left, right, top, low = (one, other, side, far) if bars.lying else (side, far, one, other)
            path = f"M{_number(left)} {_number(top)}H{_number(right)}V{_number(low)}H{_number(left)}z"
            by_colour[colour] = by_colour.get(colour, "") + path
    edge = f' stroke="{_colour(bars.edge)}" stroke-width="0.8"' if bars.edge else ""
    return [_filled(path, colour, edge) for colour, path in by_colour.items()]


def _errors(errors: Errors, x: _Scale, y: _Scale) -> list[str]:
    along = np.asarray(errors.x if errors.lying else errors.y, float)
    low, high = along - errors.far[0], along + errors.far[1]
    path = ""
    if errors.lying:
        for one, other, at in zip(x(low), x(high), y(errors.y), strict=True):
            path += f"M{_number(one)} {_number(at)}H{_number(other)}" if one < other else ""
    else:
        for one, other, at in zip(y(low), y(high), x(errors.x), strict=True):
            path += f"M{_number(at)} {_number(one)}V{_number(other)}" if other < one else ""
    parts = [_stroked(path, errors.colour, errors.width)] if path else []
    if errors.mark:
        parts += _dots(
            Dots(errors.x, errors.y, errors.colour, errors.mark, errors.size), x(errors.x), y(errors.y)
        )
    return parts


def _line(line: Curve, x: _Scale, y: _Scale) -> list[str]:
    along, up = x(line.x), y(line.y)
    path = _path(along, up)
    parts = [_stroked(path, line.colour, line.width, line.dashes)] if path else []
    if line.mark:
        parts += _dots(Dots(line.x, line.y, line.colour, line.mark, 5), along, up)
    return parts


def _path(x: Iterable[float], y: Iterable[float]) -> str:
    """Return a path through points, anew behind each that is not a number."""
    path, pen = "", "M"
    for one, other in zip(x, y, strict=True):
        if one == one and other == other:  # so none is NaN
            path, pen = f"{path}{pen}{_number(one)} {_number(other)}", "L"
        else:
            pen = "M"
    return path


def _dots_at(dots: Dots, x: _Scale, y: _Scale) -> list[str]:
    return _dots(dots, x(dots.x), y(dots.y))


def _dots(dots: Dots, x: Iterable[float], y: Iterable[float]) -> list[str]:
    """Return marks at places on the page, as one path."""
    draw, path = _SHAPES[dots.mark], ""
    for one, other in zip(x, y, strict=True):
        if one == one and other == other:  # so none is NaN
            path += draw(one, other, dots.size)
    if not path:
        return []
    more = f' opacity="{dots.alpha}"' if dots.alpha != 1 else ""
    if dots.mark == "|":
        return [_stroked(path, dots.colour, dots.edge_width, more=more)]
    edge = f' stroke="{_colour(dots.edge or dots.colour)}" stroke-width="{_number(dots.edge_width)}"'
    return [_filled(path, dots.colour, edge + more)]


def _disc(x: float, y: float, size: float) -> str:
    radius = _number(size / 2)
    turn = f"a{radius} {radius} 0 1 0 "
    return f"M{_number(x - size / 2)} {_number(y)}{turn}{_number(size)} 0{turn}{_number(-size)} 0z"


def _square(x: float, y: float, size: float) -> str:
    side = _number(size)
    return f"M{_number(x - size / 2)} {_number(y - size / 2)}h{side}v{side}h-{side}z"


def _diamond(x: float, y: float, size: float) -> str:
    half = size / 2**0.5
    step = _number(half)
    return f"M{_number(x - half)} {_number(y)}l{step}-{step} {step} {step}-{step} {step}z"


_SHAPES: dict[str, Callable[[float, float, float], str]] = {
    "o": _disc,
    "s": _square,
    "D": _diamond,
    "|": lambda x, y, size: f"M{_number(x)} {_number(y - size / 2)}v{_number(size)}",
    ".": lambda x, y, size: _disc(x, y, size / 2),
}


def _band(band: Band, x: _Scale, y: _Scale) -> list[str]:
    """Return the area, in parts where a bound is not a number."""
    low, high, along = y(band.low), y(band.high), x(band.x)
    known = np.isfinite(low) & np.isfinite(high)
    path = ""
    for part in np.split(np.arange(len(known)), np.flatnonzero(np.diff(known)) + 1):
        if len(part) and known[part[0]]:
            path += _path([*along[part], *along[part][::-1]], [*low[part], *high[part][::-1]]) + "z"
    return [_filled(path, band.colour, f' fill-opacity="{look.LIGHT}"')] if path else []


def _rule(rule: Rule, x: _Scale, y: _Scale) -> list[str]:
    if rule.lying:
        path = f"M{_number(x.begin)} {_number(float(y(rule.at)))}H{_number(x.end)}"
    else:
        path = f"M{_number(float(x(rule.at)))} {_number(y.begin)}V{_number(y.end)}"
    return [_stroked(path, rule.colour, rule.width, rule.dashes)]


def _words(words: Words, x: _Scale, y: _Scale) -> list[str]:
    at, base = float(x(words.x)), float(y(words.y)) + _UP
    return [_text(at, base, words.text, "middle", colour=look.PAPER, more=' font-weight="bold"')]


_WRITERS: dict[type[Mark], Callable[[Any, _Scale, _Scale], list[str]]] = {
    Bars: _bars, Errors: _errors, Curve: _line, Dots: _dots_at, Band: _band, Rule: _rule, Words: _words,
}  # fmt: skip


# --- elements ------------------------------------------------------------------------------------------


def _number(value: float) -> str:
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _colour(colour: str) -> str:
    return f"var(--fig-{look.VARIABLES[colour]})"


def _filled(path: str, colour: str, more: str = "") -> str:
    return f'<path d="{path}" fill="{_colour(colour)}"{more}/>'


def _stroked(
    path: str, colour: str, line: float, dashes: tuple[float, float] | None = None, *, more: str = ""
) -> str:
    if dashes:
        more += f' stroke-dasharray="{_number(dashes[0] * line)} {_number(dashes[1] * line)}"'
    return f'<path d="{path}" fill="none" stroke="{_colour(colour)}" stroke-width="{_number(line)}"{more}/>'
