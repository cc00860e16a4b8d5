"""Tile images as SVG: one sheet of symbols, which a page includes once and uses by name.

Tiles consist of strokes and shapes and need no font, so they look the same on every machine. A face fills a
box of 30 by 40 units. Colours are CSS properties (``--tile-paper``, ``--tile-edge``,
``--tile-ink``, ``--tile-red``, ``--tile-green``, ``--tile-blue``, ``--tile-back``), so that a page can set
light and dark themes; each has a fallback.

    <svg class="tile"><use href="#t-0p"/></svg>

The symbols are ``t-1m`` ... ``t-9m``, ``t-0m`` and so on for p and s, ``t-1z`` ... ``t-7z``, and ``t-back``.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from paifu.replay.model.tiles import ALL_TILES, NO_TILE, tile_name

WIDTH, HEIGHT = 30, 40
"""Units of a face."""

INK = "var(--tile-ink,#1b2430)"
RED = "var(--tile-red,#c8161d)"
GREEN = "var(--tile-green,#0b7a3b)"
BLUE = "var(--tile-blue,#1d4f91)"
PAPER = "var(--tile-paper,#fdfaf0)"


def symbol_of(tile: int) -> str:
    """Return the id of a tile's symbol (0-45, 255 for a hidden one)."""
    return "t-back" if tile == NO_TILE else f"t-{tile_name(tile)}"


@cache
def tile_sheet() -> str:
    """Return the sheet: an SVG element of zero size with one symbol per tile and ``t-back``."""
    symbols = "".join(
        _symbol(symbol_of(tile), f'<use href="#t-body"/>{_face(tile)}') for tile in range(ALL_TILES)
    )
    shared = "".join(_symbol(name, inside) for name, inside in _SHARED.items())
    return f'<svg class="tile-sheet" aria-hidden="true" width="0" height="0">{shared}{symbols}</svg>'


def _symbol(name: str, inside: str) -> str:
    return f'<symbol id="{name}" viewBox="0 0 {WIDTH} {HEIGHT}">{inside}</symbol>'


def _face(tile: int) -> str:
    """Draw the face of a tile."""
    name = tile_name(tile)
    is_red, number, suit = name[0] == "0", int(name[0]) or 5, name[1]
    return _SUITS[suit](number, is_red)


# --- strokes -------------------------------------------------------------------------------------------


def _strokes(color: str, *paths: tuple[float, str]) -> str:
    """Draw paths, each with its stroke width."""
    lines = "".join(f'<path stroke-width="{width}" d="{path}"/>' for width, path in paths)
    return f'<g fill="none" stroke="{color}" stroke-linecap="round" stroke-linejoin="round">{lines}</g>'


_NUMERALS = {
    1: ((2.6, "M7 11.5Q15 10.6 23 11.2"),),
    2: ((2.3, "M9.5 7.3H20.5"), (2.6, "M6.5 15.4H23.5")),
    3: ((2.1, "M8.5 5.6H21.5"), (2.1, "M9.8 10.8H20.2"), (2.5, "M6.5 16.4H23.5")),
    4: ((2.1, "M7 6H23V16.6H7Z"), (1.8, "M12.6 6Q12.6 10.6 9.8 12.2M17.4 6V10.6Q17.5 12.2 20.6 12")),
    5: ((2.2, "M8 5.4H22M6.2 17H23.8"), (2.1, "M15 5.4L12.4 17M8.8 10.6H19.6L19 17")),
    6: ((2.2, "M15 4V7.2M6.2 9.4H23.8"), (2.3, "M11.6 12.4Q10.4 15 7.2 17.6M18.4 12.4L22.8 17.6")),
    7: ((2.3, "M6.6 11.6L23.4 8.8"), (2.3, "M13.8 4.6V14.4Q13.8 16.8 16.4 16.8H20.8Q23.2 16.8 23.2 14.2")),
    8: ((2.4, "M11.8 5.4Q11.6 12.6 6.4 17.4M16.6 4.8Q18.2 13 23.6 17.2"),),
    9: ((2.2, "M7.4 9H18.4V13.6Q18.4 17 20.8 17Q23.4 17 23.4 13.6"), (2.2, "M13 4.2Q13.4 13 6.8 17.4")),
}
_MAN = (
    (1.7, "M6 22.6H24M11.2 20.6V24.8M18.8 20.6V24.8"),
    (1.6, "M9.4 26.4H20.6V31H9.4ZM9.4 28.7H20.6"),
    (1.8, "M15 26.4V36"),
    (1.9, "M6.6 37.4V33.2H23.4V35.8Q23.4 37.4 21.4 37.2M12.4 36.4L18 35.2"),
)
_WINDS = {
    1: (
        (2.5, "M5.5 10.6H24.5M8 15H22V24H8ZM8 19.5H22"),
        (2.8, "M15 5.6V35"),
        (2.6, "M13.6 25.4Q10.6 30 4.8 32.6M16.4 25.4Q19.4 30 25.2 32.6"),
    ),
    2: (
        (2.5, "M5.4 10.4H24.6M15 5.6V15.4"),
        (2.6, "M6.6 34.6V15.6H23.4V32Q23.4 34.6 20.6 34.2"),
        (2, "M11.4 18.4L12.8 21.4M18.6 18.4L17.2 21.4M10.6 23.4H19.4M10.6 28H19.4M15 23.4V33.4"),
    ),
    3: (
        (2.6, "M5 8.4H25"),
        (2.6, "M6.4 15.4H23.6V33H6.4Z"),
        (2.4, "M12.2 8.4V17.6Q12 22.6 8.6 24.6M17.8 8.4V20.6Q18 23.8 22.4 23.4"),
    ),
    4: (
        (2.8, "M11.4 6.6V33.6"),
        (2.5, "M5 15.4H11.4M4.6 29.6L11.4 26"),
        (2.8, "M18 6.6V28.4Q18 32.4 21.6 32.4Q25.4 32.4 25.4 27.6M18 18.4L24.4 14.4"),
    ),
}
_DRAGONS = {
    6: (
        (2.1, "M6.6 7.4H12.6Q11.4 13.6 4.8 17.4M7.6 11.6L10.6 14.2"),
        (2.1, "M16.6 5.6Q18.6 13.4 25.2 17.4M22.4 5.6L19 9.4M25 10L21.4 13.2"),
        (2.1, "M6.4 19.6H12.8V24H7.2V28.4H13.4Q13.6 34.4 11 34.4L8.8 33.6"),
        (2.1, "M18 19.4Q18 24 15.4 25.8M18 19.4H22.8V23Q22.8 24.8 25.4 24.6"),
        (2.1, "M16.6 28.2H23.4Q21.6 33 15.4 35.4M17.6 29.6Q20 33.6 25.4 35.2"),
    ),
    7: ((3, "M6.2 12.6H23.8V23.8H6.2Z"), (3.4, "M15 5.4V35.4")),
}


def _man(number: int, is_red: bool) -> str:
    return _strokes(RED if is_red else INK, *_NUMERALS[number]) + (
        '<use href="#t-man"/>' if not is_red else _strokes(RED, *_MAN)
    )


def _honour(number: int, _: bool) -> str:
    if number in _WINDS:
        return _strokes(INK, *_WINDS[number])
    if number in _DRAGONS:
        return _strokes(GREEN if number == 6 else RED, *_DRAGONS[number])
    return _strokes(
        BLUE, (1.4, "M7 6.5H23Q24.5 6.5 24.5 8V32Q24.5 33.5 23 33.5H7Q5.5 33.5 5.5 32V8Q5.5 6.5 7 6.5Z")
    )


# --- circles -------------------------------------------------------------------------------------------

_PIN = {
    2: ((15, 11, GREEN), (15, 29, BLUE)),
    3: ((8, 8.8, BLUE), (15, 20, RED), (22, 31.2, GREEN)),
    4: ((9, 10.4, BLUE), (21, 10.4, GREEN), (9, 29.6, GREEN), (21, 29.6, BLUE)),
    5: ((8, 9, BLUE), (22, 9, GREEN), (15, 20, RED), (8, 31, GREEN), (22, 31, BLUE)),
    6: (
        (9.2, 8.2, GREEN), (20.8, 8.2, GREEN),
        (9.2, 20.6, RED), (20.8, 20.6, RED), (9.2, 31.8, RED), (20.8, 31.8, RED),
    ),
    7: (
        (6.6, 6.8, GREEN), (15, 10.2, GREEN), (23.4, 13.6, GREEN),
        (9.6, 22.8, RED), (20.4, 22.8, RED), (9.6, 32.8, RED), (20.4, 32.8, RED),
    ),
    8: tuple((x, y, BLUE) for y in (6.8, 15.6, 24.4, 33.2) for x in (9.6, 20.4)),
    9: tuple((x, y, color) for y, color in ((8, GREEN), (20, RED), (32, BLUE)) for x in (6.6, 15, 23.4)),
}  # fmt: skip
"""Number -> centre and colour of each circle."""
_RADII = {2: 7.6, 3: 5.3, 4: 5.6, 5: 4.9, 6: 5, 7: 4.1, 8: 4.1, 9: 4}


def _pin(number: int, is_red: bool) -> str:
    if number == 1:
        return (
            f'<g fill="none"><circle cx="15" cy="20" r="10.4" stroke="{GREEN}" stroke-width="2.4"/>'
            f'<circle cx="15" cy="20" r="7.4" stroke="{BLUE}" stroke-width="1.4" stroke-dasharray="2"/>'
            "</g>"
            f'<circle cx="15" cy="20" r="4.6" fill="{RED}"/><circle cx="15" cy="20" r="1.5" fill="{PAPER}"/>'
        )
    radius = _RADII[number]
    by_color: dict[str, list[tuple[float, float]]] = {}
    for x, y, color in _PIN[number]:
        by_color.setdefault(RED if is_red else color, []).append((x, y))
    return "".join(_rings(color, places, radius) for color, places in by_color.items())


def _rings(color: str, places: Iterable[tuple[float, float]], radius: float) -> str:
    """Draw rings with a filled centre."""
    ring = radius - 0.9
    dot = radius * 0.42
    circles = "".join(
        f'<path fill="none" d="M{x - ring:g} {y:g}a{ring:g} {ring:g} 0 1 0 {2 * ring:g} 0'
        f'a{ring:g} {ring:g} 0 1 0 {-2 * ring:g} 0z"/>'
        f'<circle cx="{x:g}" cy="{y:g}" r="{dot:.3g}" stroke="none"/>'
        for x, y in places
    )
    return f'<g fill="{color}" stroke="{color}" stroke-width="1.8">{circles}</g>'


# --- bamboo --------------------------------------------------------------------------------------------

_SOU = {
    2: ((15, 11, GREEN), (15, 29, GREEN)),
    3: ((15, 11, GREEN), (8.4, 29, GREEN), (21.6, 29, GREEN)),
    4: ((8.8, 11, GREEN), (21.2, 11, GREEN), (8.8, 29, GREEN), (21.2, 29, GREEN)),
    5: ((7.4, 11, GREEN), (22.6, 11, GREEN), (15, 20, RED), (7.4, 29, GREEN), (22.6, 29, GREEN)),
    6: tuple((x, y, GREEN) for y in (11, 29) for x in (6.8, 15, 23.2)),
    7: ((15, 8.2, RED), *((x, y, GREEN) for y in (20.2, 32.2) for x in (6.8, 15, 23.2))),
    9: tuple((x, y, RED if x == 15 else GREEN) for y in (8, 20, 32) for x in (6.8, 15, 23.2)),
}
"""Number -> centre and colour of each stick."""
_LENGTHS = {2: 15, 3: 15, 4: 15, 5: 14, 6: 15, 7: 10.4, 9: 10.4}
_EIGHT = (
    "M5.4 5.4V17.4M24.6 5.4V17.4M10.4 15.8L15 8L19.6 15.8"
    "M5.4 22.6V34.6M24.6 22.6V34.6M10.4 24.2L15 32L19.6 24.2"
)


def _sou(number: int, is_red: bool) -> str:
    if number == 1:
        return '<use href="#t-bird"/>'
    if number == 8:
        return _strokes(GREEN, (3.8, _EIGHT)) + _strokes(PAPER, (0.8, _EIGHT))
    half = _LENGTHS[number] / 2
    by_color: dict[str, list[str]] = {}
    for x, y, color in _SOU[number]:
        by_color.setdefault(RED if is_red else color, []).append(_stick(x, y, half))
    return "".join(f'<path fill="{color}" d="{"".join(sticks)}"/>' for color, sticks in by_color.items())


def _stick(x: float, y: float, half: float) -> str:
    """Outline a stick of bamboo with a knot in its middle and a groove in each half."""
    wide, waist = 3, 2
    outline = (
        f"M{x - wide:g} {y - half:g}Q{x:g} {y - half - 1.6:g} {x + wide:g} {y - half:g}"
        f"L{x + waist:g} {y:g}L{x + wide:g} {y + half:g}Q{x:g} {y + half + 1.6:g} {x - wide:g} {y + half:g}"
        f"L{x - waist:g} {y:g}z"
    )
    groove = half - 3
    grooves = "".join(
        f"M{x - 0.45:g} {top:g}v{groove:g}h.9v{-groove:g}z" for top in (y - half + 1.2, y + 1.8)
    )
    return outline + grooves


_BIRD = (
    # the tail, a fan of feathers, then body, wing, neck and head
    _strokes(
        GREEN,
        (2.2, "M13 24Q7 27 5.4 35"),
        (2.2, "M14.4 25Q10.6 29 10.4 36"),
        (2.2, "M16 25.4Q15.2 30 16 36.4"),
    )
    + f'<g fill="{RED}"><circle cx="5.4" cy="35" r="1.9"/><circle cx="10.4" cy="36" r="1.9"/>'
    f'<circle cx="16" cy="36.4" r="1.9"/></g>'
    f'<path fill="{GREEN}" d="M16.4 8.6Q21 7 22.2 11.6Q22.6 14 24 17Q25.6 21.4 22.4 24.6Q18.6 28 13 25.6'
    f'Q8 22.6 6 16.6Q11.6 20.6 15.6 18.4Q18.2 16.4 16.6 12.8Q15.6 10 16.4 8.6Z"/>'
    f'<path fill="{BLUE}" d="M10.6 20.6Q16 22.4 21 18.4Q21.6 23.4 16.6 24.4Q12.8 24.2 10.6 20.6Z"/>'
    f'<path fill="{RED}" d="M17 8.4L15.4 4L18.4 6.2L19.6 3L20.8 6.6L23 5.4L21.4 9Z"/>'
    f'<path fill="{INK}" d="M16.6 10L12.4 11.4L16.6 12.6Z"/>'
    f'<circle cx="18.8" cy="10.6" r="1.1" fill="{PAPER}"/>'
    + _strokes(RED, (1.4, "M20.4 26V31.4M18.4 33.2L20.4 31.4L22.8 33.2"))
)

# --- flowers, seasons, jokers ----------------------------------------------------------------------------

_PETALS = ((0, -5.2), (4.9, -1.6), (3.1, 4.2), (-3.1, 4.2), (-4.9, -1.6))
"""Centres of the petals around that of the blossom."""
_DIGITS = {
    1: "M4.6 6.4L6.4 5V12",
    2: "M4.2 6.6Q4.4 5 6.2 5Q8 5 8 6.8Q8 8.2 4.2 12H8.2",
    3: "M4.2 5H8L6 7.8Q8.2 8 8.2 9.8Q8.2 12 6 12Q4.6 12 4 11",
    4: "M7 12V5L3.8 10H8.6",
}


def _bonus(number: int, color: str, middle: str) -> str:
    """Draw a blossom on a stem, with the number of the seat that it belongs to."""
    petals = "".join(f'<circle cx="{15 + x:g}" cy="{18 + y:g}" r="3.9"/>' for x, y in _PETALS)
    stem = _strokes(
        GREEN, (2, "M15 24V36"), (2, "M15 32Q9 31 7.4 26" if number % 2 else "M15 32Q21 31 22.6 26")
    )
    return (
        f'{stem}<g fill="{color}">{petals}</g><circle cx="15" cy="18" r="3" fill="{middle}"/>'
        f"{_strokes(INK, (1.3, _DIGITS[number]))}"
    )


def _flower(number: int, _: bool) -> str:
    return _bonus(number, RED, PAPER)


def _season(number: int, _: bool) -> str:
    return _bonus(number, BLUE, PAPER)


def _joker(_number: int, _: bool) -> str:
    star = "M15 8L18 16.4L27 16.8L20 22.4L22.4 31L15 26L7.6 31L10 22.4L3 16.8L12 16.4Z"
    return f'<path d="{star}" fill="{RED}"/>'


_SUITS = {
    "m": _man, "p": _pin, "s": _sou, "z": _honour, "f": _flower, "g": _season, "j": _joker,
}  # fmt: skip


_BODY = '<rect x=".6" y=".6" width="28.8" height="38.8" rx="3.4" '
_SHARED = {
    "t-body": f'{_BODY}fill="{PAPER}" stroke="var(--tile-edge,#9a927c)" stroke-width="1"/>',
    "t-man": _strokes(RED, *_MAN),
    "t-bird": _BIRD,
    "t-back": (
        f'{_BODY}fill="var(--tile-back,#c98a2b)" stroke="var(--tile-edge,#9a927c)"/>'
        '<rect x="4" y="4" width="22" height="32" rx="2" fill="none" stroke="#fff" stroke-opacity=".5"/>'
        '<path d="M15 11L21 20L15 29L9 20Z" fill="#fff" fill-opacity=".3"/>'
    ),
}
