"""Text for the terminal: tiles, melds and foreign names as rich Text of known width.

Widths are cells: a CJK character takes two. Names come from logs, so they may hold anything: whatever is
not printable (escape sequences, line ends, marks that turn the writing direction) is removed, and rich's
markup is never interpreted, because text becomes :class:`~rich.text.Text` directly.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from paifu.replay.foreign_text import display_name
from paifu.replay.model.events import EventKind
from paifu.replay.model.tile_notation import format_tiles, tile_name
from paifu.replay.model.tiles import is_red
from paifu.replay.positions.tracker import LaidMeld

_SUIT_LETTERS = 4
"""Maximum number of suit letters of sorted tiles in MPSZ, without flowers and seasons."""

RED, CALLED, RIICHI, WIN, DIM, NOTE, TITLE = "red", "cyan", "yellow", "bold green", "dim", "magenta", "bold"
FINDING = "bold red"
"""Colours and their meaning."""


def fit(text: str, width: int) -> str:
    """Clean a text and cut it to at most ``width`` cells, with an ellipsis if it was cut."""
    text = display_name(text)
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, width - 1).rstrip() + "…"


def pad(text: Text, width: int) -> Text:
    """Pad with blanks to ``width`` cells."""
    padded = text.copy()
    padded.append(" " * max(0, width - text.cell_len))
    return padded


def tile_text(tile: int | None, style: str = "") -> Text:
    """Write one tile (0-45, None or 255 for hidden) in two cells."""
    known = 255 if tile is None else tile
    return Text().append(tile_name(known), RED if is_red(known) else style)


def hand_texts(tiles: Sequence[int], width: int) -> list[Text]:
    """Write closed tiles in pieces of at most ``width`` cells."""
    per_line = width - _SUIT_LETTERS
    if len(tiles) <= width < len(format_tiles(tiles)):
        per_line = min(per_line, (len(tiles) + 1) // 2)
    return [tiles_text(tiles[i : i + per_line]) for i in range(0, len(tiles), per_line)]


def meld_text(meld: LaidMeld) -> Text:
    """Write a meld: ``(9'78m)`` called, ``[1111z]`` closed."""
    left, right = "[]" if meld.kind == EventKind.ANKAN else "()"
    return Text.assemble(left, tiles_text(meld.tiles, meld.sideways), right)


def tiles_text(tiles: Sequence[int], marked: Iterable[int] = ()) -> Text:
    """Write tiles in the order given; ``marked`` are positions to mark as laid sideways (``'``).

    Red fives are red. Each digit of ``format_tiles`` is one tile, in order.
    """
    sideways, text, at = frozenset(marked), Text(), 0
    for char in format_tiles(tiles):
        is_tile = char.isdigit() or char == "?"
        is_marked = is_tile and at in sideways
        style = RED if char == "0" else CALLED if is_marked else ""
        text.append(char, style=style)
        if is_marked:
            text.append("'", style=CALLED)
        at += is_tile
    return text
