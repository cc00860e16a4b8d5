"""Shared parts of all pages: templates, safely embedded data, and the content security policy.

A page is one file without any URLs; its Content-Security-Policy lets the browser run only the scripts and
styles in the page, each by its hash, and load nothing else. So even text of a log that found its way into the
markup could do no harm.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from paifu.replay import language
from paifu.replay.foreign_text import display_name
from paifu.replay.language import _
from paifu.replay.model.tile_notation import tile_name
from paifu.replay.model.tiles import NO_TILE
from paifu.reports import units
from paifu.reports.units import typeset

_TEMPLATES = Path(__file__).parent / "templates"
_ESCAPES = {ord(char): f"\\u{ord(char):04x}" for char in "<>&'\u2028\u2029"}


@cache
def environment() -> Environment:
    """Return the template environment of all pages, which escapes values and fails if one is missing.

    Templates say their texts with ``_`` and ``pgettext``. These trust the text, which is therefore always a
    literal, and escape the values in it.
    """
    made = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters["sealed"] = packed  # what somebody is to guess must not stand in the page
    made.globals |= {
        "_": _said,
        "pgettext": lambda context, text: Markup(language.pgettext(context, text)),  # noqa: S704  as above
        "language": language.language,
    }
    return made


def _said(text: str, **values: Any) -> Markup:
    said = Markup(language._(text))  # noqa: S704  a text of a template
    return said.format(**values) if values else said


@cache
def read_template(name: str) -> str:
    """Return a style or script template as it is."""
    return (_TEMPLATES / name).read_text("utf-8")


def symbol_of(tile: int) -> str:
    """Return the id of a tile's image (0-45, 255 for a hidden one) in :func:`tile_sheet`."""
    return "t-back" if tile == NO_TILE else f"t-{tile_name(tile)}"


@cache
def tile_sheet() -> str:
    """Return the images of all tiles, an SVG element of zero size; ``templates/tiles.svg`` describes it."""
    return read_template("tiles.svg").partition("-->")[2].replace("\n", "")


_SCRIPTS = ("tiles.js", "stepper.js", "report.js", "trainer.js", "show.js", "luck_chart.js")
_WORDS = re.compile(r'\b_\(("(?:[^"\\]|\\.)*")')


def words_script() -> str:
    """Return the script that comes before all others: how to say a text, and what translates them."""
    words = {text: said for text in _texts_of_scripts() if (said := language._(text)) != text}
    return f"const WORDS = {embed(words)};\n{read_template('words.js')}"


@cache
def _texts_of_scripts() -> list[str]:
    return [json.loads(found) for name in _SCRIPTS for found in _WORDS.findall(read_template(name))]


def embed(data: Any) -> Markup:
    """Return ``data`` as JSON that is safe inside a ``<script type="application/json">``.

    The result is ASCII without any character that is special in HTML.
    """
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return Markup(text.translate(_ESCAPES))  # noqa: S704  escaped the line before


def packed(data: Any) -> str:
    """Return ``data`` as JSON, deflated, in base64: an eighth of the size; the page's script unpacks it.

    Base64 has no character that is special in HTML.
    """
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    deflate = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    return base64.b64encode(deflate.compress(text.encode()) + deflate.flush()).decode()


def filled(name: str, css: str, js: str = "", tiles: str = "", /, **values: Any) -> str:
    """Return a page: its template with values, one style, and no script but ``js``; these three are ours."""
    return (
        environment()
        .get_template(f"{name}.html")
        .render(
            values,
            css=Markup(css),  # noqa: S704  as are the next two, ours
            js=Markup(js),  # noqa: S704
            tiles=Markup(tiles),  # noqa: S704
            policy=content_security_policy([js] if js else [], [css]),
        )
    )


def content_security_policy(scripts: Iterable[str], styles: Iterable[str]) -> str:
    """Return the policy of a page with exactly these scripts and styles, each the text of one element."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {_hashes(scripts)}",
            f"style-src {_hashes(styles)}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _hashes(texts: Iterable[str]) -> str:
    return " ".join(f"'sha256-{_hash(text)}'" for text in texts) or "'none'"


@lru_cache(maxsize=8)
def _hash(text: str) -> str:
    """Return the hash of a script or a style; the pages of a site share theirs."""
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


# --- numbers and names, typeset ------------------------------------------------------------------------


def points(value: float, *, signed: bool = True) -> str:
    """Write points: ``−1,234``."""
    return typeset(units.points(value, signed=signed))


def points_range(low: float, high: float) -> str:
    """Write an interval of points."""
    return _("{low} to {high}").format(low=points(low), high=points(high))


def player_name(name: str) -> str:
    """Write the name of a player."""
    return display_name(name) or _("(no name)")
