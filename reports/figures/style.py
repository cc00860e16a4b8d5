"""The look of figures, and how they become files: one palette, one style, reproducible bytes.

Colours are Okabe and Ito's palette, which is safe for every kind of colour vision; compared items also differ
in their marker or line. In a page, colours are CSS variables (:data:`VARIABLES`), so that one figure serves
light and dark themes.

Figures are made without pyplot: no global state, no window. Text is never read as mathematics, so a ``$`` in
a name is a ``$``.
"""

from __future__ import annotations

import io
import logging
import re
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from types import MappingProxyType
from typing import Any

import matplotlib as mpl
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
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
DPI = 200
_FONT_SIZE, _PAGE_FONT_SIZE = 10.5, 13.6
"""In a file, and in a page, which is laid out for the narrowest phone; wider pages have smaller letters."""
_FALLBACKS = ("Noto Sans CJK JP", "Noto Sans JP", "IPAGothic", "IPAexGothic", "TakaoGothic", "Yu Gothic",
              "Hiragino Sans", "MS Gothic", "WenQuanYi Zen Hei", "WenQuanYi Micro Hei")  # fmt: skip
_LONGEST_NAME = 24
logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)  # Japanese fonts are often without bold


@contextmanager
def styled(*, for_page: bool = False, salt: str = "paifu") -> Iterator[None]:
    """Set matplotlib's settings for both drawing and saving; ``salt`` seeds the ids in SVG files."""
    settings: Any = {
        "font.family": list(_families()),
        "font.size": _PAGE_FONT_SIZE if for_page else _FONT_SIZE,
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
        "xaxis.labellocation": "right" if for_page else "center",
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
        "figure.facecolor": "none" if for_page else "white",
        "savefig.facecolor": "auto",
        "svg.fonttype": "none" if for_page else "path",
        "svg.hashsalt": salt,
        "pdf.fonttype": 42,
    }
    with mpl.rc_context(settings):
        yield


@cache
def _families() -> tuple[str, ...]:
    installed = {font.name for font in font_manager.fontManager.ttflist}
    return ("DejaVu Sans", *(name for name in _FALLBACKS if name in installed))


@cache
def _characters() -> frozenset[int]:
    """Return the code points that some installed font that paifu uses can draw."""
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


def is_for_page() -> bool:
    """Return whether what is drawn is for a page."""
    return bool(mpl.rcParams["svg.fonttype"] == "none")


# --- figures -------------------------------------------------------------------------------------------


def new_figure(rows: int = 1, *, height: float = HEIGHT, sharex: bool = False) -> tuple[Figure, list[Axes]]:
    """Return a figure and its axes, stacked vertically."""
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    # The axes are in a subfigure, so that its heading stays clear of the title of the whole figure.
    part: Any = figure.subfigures(1, 1)
    return figure, list(part.subplots(rows, 1, sharex=sharex, squeeze=False)[:, 0])


def most_ticks(longest: int, *, beside: int) -> int:
    """Return how many steps an axis below may have: labels of ``longest`` letters stay two letters apart.

    ``beside`` letters are beside the axes, as labels of the other axis.
    """
    return max(2, int((_letters() - beside - _MARGINS) / (longest + 2)))


_MARGINS = 4
"""Letters of room at both sides of a figure."""


def _letters() -> float:
    """Return how many letters fit the width of a figure."""
    return float(72 * WIDTH / mpl.rcParams["font.size"] / 0.57)


def heading(axes: Axes, texts: Iterable[str], *, columns: int = 4) -> None:
    """Write the number of cases above a figure and, below that, the legend in columns, as many as fit."""
    handles, labels = axes.get_legend_handles_labels()
    part = axes.figure
    assert part is not None  # noqa: S101  it was made by new_figure
    letters = _letters()
    while (
        columns > 1
        and sum(max(map(cells, labels[at::columns]), default=0) + 4 for at in range(columns)) > letters
    ):
        columns -= 1
    title = "\n".join(wrap("; ".join(texts), int(letters)))
    legend = part.legend(
        handles, labels, loc="outside upper left", title=title, alignment="left", borderpad=0.2,
        borderaxespad=0.1, ncols=columns, columnspacing=1.0, handlelength=1.2, handletextpad=0.4,
    )  # fmt: skip
    legend.get_title().set_color(MUTED)


_METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": "paifu"},
    "pdf": {"CreationDate": None, "Creator": "paifu", "Producer": None},
    "png": {"Software": "paifu"},
}
FORMATS = tuple(_METADATA)
"""File formats of figures."""


def saved(figure: Figure, fmt: str) -> bytes:
    """Return a figure as a file of one of :data:`FORMATS`; the same figure gives the same bytes."""
    sink = io.BytesIO()
    with styled():
        figure.savefig(
            sink, format=fmt, dpi=DPI, metadata=_METADATA[fmt], bbox_inches="tight", pad_inches=0.08
        )
    return sink.getvalue()


def inline(figure: Figure, name: str, label: str) -> str:
    """Return a figure as an element for a page, with text as text, without any style of its own.

    ``name`` keeps its ids distinct from those of other figures; ``label``, already escaped, is for screen
    readers.
    """
    sink = io.BytesIO()
    with styled(for_page=True, salt=name), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # the browser's fonts have it
        # What savefig adds is one more drawing of everything, of which only the layout would be kept.
        canvas: Any = FigureCanvasSVG(figure)
        canvas.print_svg(sink, metadata=_METADATA["svg"])
    text = sink.getvalue().decode()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>|<defs>\s*</defs>", "", text, flags=re.S)
    used = set(re.findall(r"#(\w+)", " ".join(re.findall(r'(?:url\(|href=")#\w+', text))))
    text = re.sub(r' id="([^"]+)"', lambda found: found[0] if found[1] in used else "", text)
    text = re.sub(r' style="([^"]*)"', lambda found: _attributes(found[1]), text)
    text = re.sub(r"#[0-9a-f]{6}\b", _variable, text)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r"-?\d+\.\d{2,}", lambda found: f"{float(found[0]):.2f}".rstrip("0").rstrip("."), text)
    text = re.sub(r">\s+<", "><", text)
    text = _slim(re.sub(r"\s*\n\s*", " ", text))
    box = re.search(r'viewBox="[^"]*"', text)
    assert box is not None  # noqa: S101  matplotlib writes one
    head = f'<svg class="figure" {box[0]} role="img" aria-label="{label}">'
    return head + text[text.index(">") + 1 :]


_USUAL = f' font-size="{_PAGE_FONT_SIZE}px"'
"""The size that the page's style gives to figures."""


def _slim(text: str) -> str:
    """Leave out what shows nothing: unpainted paths, turns by zero, groups that say nothing, double paint."""
    text = re.sub(r'<path d="[^"]*" fill="none"/>| transform="rotate\(-?0 [^"]*\)"', "", text)
    text = re.sub(r' stroke-line(?:cap|join)="[^"]*"', "", text)  # the page's style has them for all
    text = text.replace(' xlink:href="', ' href="').replace(' "', '"').replace(_USUAL, "")
    text = re.sub(r"<g\b[^>]*/>|<defs></defs>", "", text)
    painted = set(re.findall(r'<path id="(\w+)"[^>]* stroke="', text))  # a mark has the paint of its own path
    text = re.sub(
        r'(<use href="#(\w+)"[^>]*?) stroke="[^"]*" stroke-width="[^"]*"',
        lambda found: found[1] if found[2] in painted else found[0],
        text,
    )
    kept, says = [], []
    for part in re.split(r"(</?g\b[^>]*>)", text):
        if part.startswith("<g"):
            says.append(part != "<g>")
        if not re.match(r"</?g\b", part) or (says[-1] if part.startswith("<g") else says.pop()):
            kept.append(part)
    return "".join(kept)


def _attributes(declarations: str) -> str:
    """Turn the declarations of a style attribute into attributes: the page's policy forbids inline styles."""
    found = []
    for declaration in declarations.split(";"):
        name, _, value = (part.strip() for part in declaration.partition(":"))
        if name == "font":
            size = re.search(r"([\d.]+)px", value)
            found.append(f'font-size="{size[1] if size else _PAGE_FONT_SIZE}"')
        elif name and name != "font-family":
            found.append(f'{name}="{value}"')
    return " " + " ".join(found) if found else ""


def _variable(found: re.Match[str]) -> str:
    name = VARIABLES.get(found[0])
    return f"var(--fig-{name})" if name else found[0]
