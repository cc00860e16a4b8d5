"""The look of figures: one palette, one style, texts as fonts can draw them.

Colours are Okabe and Ito's palette, which is safe for every kind of colour vision; compared items also differ
in their marker or line. In a page, colours are CSS variables (:data:`VARIABLES`), so that one figure serves
light and dark themes.

Figures are made without pyplot: no global state, no window. Text is never read as mathematics, so a ``$`` in
a name is a ``$``.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from types import MappingProxyType
from typing import Any

import matplotlib as mpl
from matplotlib.ft2font import FT2Font

from paifu.replay import language
from paifu.replay.foreign_text import display_name
from paifu.replay.language.lines import cells, wrap

OWN, ALL = "#0072b2", "#8a8f98"
"""The player; everybody."""
GOOD, BAD = "#009e73", "#d55e00"
"""Wins; deal-ins."""
THIRD, FOURTH, FIFTH = "#e69f00", "#56b4e9", "#cc79a7"
TEXT, MUTED, GRID, PAPER = "#1b1f24", "#5b626b", "#d9dce1", "#fefefe"

VARIABLES = MappingProxyType(
    {
        OWN: "own", ALL: "all", GOOD: "good", BAD: "bad", THIRD: "third", FOURTH: "fourth", FIFTH: "fifth",
        TEXT: "text", MUTED: "muted", GRID: "grid", PAPER: "paper",
    }
)  # fmt: skip
"""Colour -> the part after ``--fig-`` of its CSS variable in a page."""

WIDTH, HEIGHT = 4.4, 3.0
"""Width and height in inches, about the size of a phone screen."""
LIGHT = 0.15
"""Opacity of bands."""
_FONT_SIZE, PAGE_FONT_SIZE = 10.5, 13.6
"""In a file, and in a page, which is laid out for the narrowest phone; wider pages have smaller letters."""
_FALLBACKS = ("Noto Sans CJK JP", "Noto Sans JP", "IPAGothic", "IPAexGothic", "TakaoGothic", "Yu Gothic",
              "Hiragino Sans", "MS Gothic", "WenQuanYi Zen Hei", "WenQuanYi Micro Hei")  # fmt: skip
_LONGEST_NAME = 24
logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)  # Japanese fonts are often without bold


@contextmanager
def styled() -> Iterator[None]:
    """Set matplotlib's settings for both drawing and saving of files."""
    settings: Any = {
        "font.family": list(_families()),
        "font.size": _FONT_SIZE,
        "axes.titlesize": "medium",
        "axes.labelsize": "medium",
        "axes.labelcolor": TEXT,
        "axes.edgecolor": MUTED,
        "axes.linewidth": 0.7,
        "axes.facecolor": "none",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "axes.titlelocation": "left",
        "grid.color": GRID,
        "grid.linewidth": 0.7,
        "text.color": TEXT,
        "text.parse_math": False,
        "axes.formatter.use_mathtext": False,
        "axes.unicode_minus": True,
        "xtick.color": MUTED,
        "xtick.labelcolor": TEXT,
        "xtick.labelsize": "medium",
        "ytick.color": MUTED,
        "ytick.labelcolor": TEXT,
        "ytick.labelsize": "medium",
        "legend.frameon": False,
        "legend.fontsize": "medium",
        "lines.linewidth": 1.8,
        "lines.markersize": 5,
        "errorbar.capsize": 0,
        "figure.facecolor": "white",
        "savefig.facecolor": "auto",
        "svg.fonttype": "path",
        "svg.hashsalt": "paifu",
        "pdf.fonttype": 42,
    }
    with mpl.rc_context(settings):
        yield


_FOR_PAGE: ContextVar[bool] = ContextVar("paifu_figure_for_page", default=False)


@contextmanager
def on_page() -> Iterator[None]:
    """Describe charts for pages, whose letters are larger and drawn by browsers."""
    token = _FOR_PAGE.set(True)
    try:
        yield
    finally:
        _FOR_PAGE.reset(token)


def is_for_page() -> bool:
    """Return whether what is described is for a page."""
    return _FOR_PAGE.get()


@cache
def _families() -> tuple[str, ...]:
    from matplotlib import font_manager  # looks at all fonts first, which pages need not

    installed = {font.name for font in font_manager.fontManager.ttflist}
    return ("DejaVu Sans", *(name for name in _FALLBACKS if name in installed))


@cache
def _characters() -> frozenset[int]:
    """Return the code points that some installed font that paifu uses can draw."""
    from matplotlib import font_manager

    found: set[int] = set()
    for name in _families():
        path = font_manager.findfont(font_manager.FontProperties(family=[name]))
        found.update(FT2Font(path).get_charmap())
    return frozenset(found)


def drawable(name: str) -> str | None:
    """Return a name as a figure can show it, cleaned and cut; None if a character has no glyph."""
    name = display_name(name)
    if len(name) > _LONGEST_NAME:
        name = name[: _LONGEST_NAME - 1].rstrip() + "…"
    if not name or any(ord(sign) not in _characters() for sign in name):
        return None
    return f" {name}" if name.startswith("_") else name  # matplotlib would leave it out of legends


# --- texts ---------------------------------------------------------------------------------------------


def said(text: str) -> str:
    """Translate a text of a figure, as far as a font can draw it."""
    return _fitting(language._(text), text)


def said_there(context: str, text: str) -> str:
    """Translate a text of a figure that means different things in different places."""
    return _fitting(language.pgettext(context, text), text)


def said_of(one: str, many: str, count: int) -> str:
    """Translate what a figure says of one thing or of several."""
    return _fitting(language.ngettext(one, many, count), one if count == 1 else many)


def is_drawable() -> bool:
    """Return whether a font has the characters of the language; if not, files of figures are in English."""
    return _has_glyphs(language.language())


@cache
def _has_glyphs(code: str) -> bool:
    return all(ord(sign) in _characters() for sign in _NEEDED.get(code, ""))


_NEEDED = {"ja": "和了率ツモ"}
"""Language -> characters that a font for it has."""


def _fitting(translated: str, text: str) -> str:
    """Return a translation, or the text itself where it would come out as boxes; browsers have fonts."""
    return translated if is_for_page() or translated == text or is_drawable() else text


# --- figures -------------------------------------------------------------------------------------------


def most_ticks(longest: int, *, beside: int) -> int:
    """Return how many steps an axis below may have: labels of ``longest`` letters stay two letters apart.

    ``beside`` letters are beside the axes, as labels of the other axis.
    """
    return max(2, int((_letters() - beside - _MARGINS) / (longest + 2)))


_MARGINS = 4
"""Letters of room at both sides of a figure."""


def _letters() -> float:
    """Return how many letters fit the width of a figure."""
    return 72 * WIDTH / (PAGE_FONT_SIZE if is_for_page() else _FONT_SIZE) / 0.57


def head(texts: Iterable[str]) -> list[str]:
    """Return the lines of the number of cases above a figure."""
    return wrap("; ".join(texts), int(_letters()))


def legend_columns(labels: Sequence[str], most: int) -> int:
    """Return in how many columns a legend has room."""
    columns = most
    while (
        columns > 1
        and sum(max(map(cells, labels[at::columns]), default=0) + 4 for at in range(columns)) > _letters()
    ):
        columns -= 1
    return columns
