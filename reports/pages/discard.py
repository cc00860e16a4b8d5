"""The page of ``paifu discard --html``: the hand in tiles, and what each discard brings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from paifu.replay.model.tile_notation import parse_tiles, tile_name
from paifu.replay.model.tiles import BONUS_TILES, NORTH, sort_tiles
from paifu.reports.pages.page import filled, read_template, symbol_of, tile_sheet
from paifu.reports.scores.discards import footing, has_shares, heading, rows

if TYPE_CHECKING:
    from paifu.reports.scores.discards import Discards

_PARTS = ("value", "value_winning", "value_risk", "value_later", "value_otherwise")


def discard_page(found: Discards) -> str:
    """Return the page of a position."""
    title, *words = heading(found)
    return filled(
        "discard",
        read_template("discard.css"),
        "",
        tile_sheet(),
        title=title,
        recommended=found.reason,
        words=words,
        notes=list(footing(found)),
        hand=_tiles(sort_tiles(found.position.tiles)),
        melds=[_tiles(meld.tiles) for meld in found.position.melds],
        kita=_tiles([NORTH] * found.position.kita + list(BONUS_TILES)[: found.position.flowers]),
        dora=_tiles(found.position.indicators),
        is_solved=found.changes is not None,
        is_valued=bool(found.values),
        is_chosen=has_shares(found),
        rows=_rows(found),
    )


def _tiles(tiles: Iterable[int]) -> list[dict[str, str]]:
    return [{"symbol": symbol_of(tile), "name": tile_name(tile)} for tile in tiles]


def _rows(found: Discards) -> list[dict[str, Any]]:
    lines = rows(found)
    most = max((row["points"] or 0.0 for row in lines), default=0.0)
    return [
        row
        | {
            "drawn": _tiles(parse_tiles(row["tile"]))[0],
            "wanted": _tiles(parse_tiles(row["accepts"])),
            "share": round(100 * max(0.0, row["points"] or 0.0) / most) if most > 0 else 0,
            "players": row["strong_players_riichi_percent" if row["riichi"] else "strong_players_percent"],
            "parts": [row[part] for part in _PARTS],
        }
        for row in lines
    ]
