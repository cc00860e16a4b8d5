"""Deal, draws, indicators and dice, against the wall that the log's seed makes."""

from __future__ import annotations

from typing import NamedTuple

from paifu.replay.kernels import codes
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import I16, I16_3D, I32, U8, U8_2D
from paifu.replay.kernels.claims import EventClaims, HandClaims, WinClaims
from paifu.replay.kernels.notes import Notes, note, note_why
from paifu.replay.kernels.reasons import ANOTHER_WALL
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.running import kernel
from paifu.replay.kernels.table_state import TableState

ANY_COPY = 136
"""In a wall, this and a tile stands for any copy of it."""


class Walls(NamedTuple):
    """Walls of the hands, where they are known."""

    ids: U8_2D
    """(rows, 136) tiles of each wall; a 3-player wall fills the first 108.

    A physical id, or from ``ANY_COPY`` on a tile of which any copy will do; ``NO_ID`` for what is not known.
    """
    dice: U8_2D
    """(rows, 2)."""
    row: I32
    """(hands,) row of each hand, -1 where the wall is not known."""
    deal: I16_3D
    """(dealer, seat, 13) index in the wall of each dealt tile."""
    live: I16
    """Index of each live draw."""
    supplements: I16
    indicators: I16
    ura: I16


@kernel
def _stated(wanted: int, tile: int, tile_id: int) -> int:
    """Return what a log states, in the terms of the wall: a tile of which any copy will do, or a copy."""
    return ANY_COPY + tile if wanted >= ANY_COPY else tile_id


@kernel
def _tile_of(wanted: int) -> int:
    """Return what a finding about the deal names: a kind, or a tile."""
    return wanted - ANY_COPY if wanted >= ANY_COPY else wanted // 4


@kernel
def look_under(table: TableState, wall: U8, walls: Walls) -> None:
    """Note the tiles below the indicators, for wins that do not show them."""
    for i in range(5):
        tile = int(wall[walls.ura[i]])
        table.under[i] = 0 if tile == state.NO_ID else _tile_of(tile) + 1


@kernel
def is_hidden(hands: HandClaims, hand: int, seat: int) -> bool:
    """Return whether a log hides tiles that a seat was dealt: then none of them is compared."""
    hidden = 0
    for i in range(13):
        hidden += hands.dealt[hand, seat, i] == state.NOBODY
    return hidden > 0


@kernel
def dealt_from(hands: HandClaims, hand: int, seat: int, wall: U8, walls: Walls) -> tuple[int, int, int]:
    """Count the tiles that a wall deals to a seat and the seat has, and all of them that are known.

    Returned third is the first one that the seat lacks, -1 for none. Hidden hands are not compared.
    """
    dealer, fitting, known, lacking = int(hands.dealer[hand]), 0, 0, -1
    for i in range(0 if is_hidden(hands, hand, seat) else 13):
        wanted = int(wall[walls.deal[dealer, seat, i]])
        if wanted == state.NO_ID:
            continue
        known += 1
        # Tenhou lists a hand as it was dealt; elsewhere the seat must have as many as it was dealt so far.
        fits = wanted < ANY_COPY and int(hands.dealt_id[hand, seat, i]) == wanted
        if not fits:
            given = found = 0
            for j in range(13):
                given += j <= i and int(wall[walls.deal[dealer, seat, j]]) == wanted
                tile, tile_id = int(hands.dealt[hand, seat, j]), int(hands.dealt_id[hand, seat, j])
                found += _stated(wanted, tile, tile_id) == wanted
            fits = found >= given
        fitting += fits
        if not fits and lacking < 0:
            lacking = wanted
    return fitting, known, lacking


@kernel
def check_wall_deal(hands: HandClaims, hand: int, walls: Walls, rules: KernelRules, notes: Notes) -> bool:
    """Compare deal, first indicator and dice with the wall; False where it is another wall altogether.

    That has one cause, such as a changed seed: it is one finding, and nothing else is compared with the wall.
    """
    wall = walls.ids[walls.row[hand]]
    fitting = known = 0
    for seat in range(rules.players):
        some, of_seat, _ = dealt_from(hands, hand, seat, wall, walls)
        fitting += some
        known += of_seat
    if 2 * fitting < known:
        note_why(notes, codes.WALL_DEAL, ANOTHER_WALL, state.NOBODY, state.NOBODY, known, fitting)
        return False
    for seat in range(rules.players if fitting < known else 0):
        _, _, lacking = dealt_from(hands, hand, seat, wall, walls)
        if lacking >= 0:
            note(notes, codes.WALL_DEAL, seat, _tile_of(lacking), lacking, state.NOBODY)
    expected = int(wall[walls.indicators[0]])
    actual = _stated(expected, int(hands.dora[hand]), int(hands.dora_id[hand]))
    is_known = expected != state.NO_ID and int(hands.dora[hand]) != state.NOBODY
    if is_known and expected != actual:
        note(notes, codes.WALL_INDICATOR, state.NOBODY, int(hands.dora[hand]), expected, actual)
    for i in range(2):
        eyes, stated = int(walls.dice[walls.row[hand], i]), int(hands.dice[hand, i])
        if stated != 255 and stated != eyes:
            note(notes, codes.DICE, state.NOBODY, state.NOBODY, eyes, stated)
    return True


@kernel
def check_wall_tile(
    table: TableState,
    events: EventClaims,
    event: int,
    wall: U8,
    walls: Walls,
    rules: KernelRules,
    notes: Notes,
) -> int:
    """Compare a drawn tile or a new indicator with the wall; returns how many tiles were compared."""
    kind = int(events.kind[event])
    if kind == state.DORA:
        index = walls.indicators[min(state.next_indicator(table, rules), 4)]
    elif kind == state.BONUS and table.draws == 0:
        return 0  # of the deal: the wall has its supplement tile there
    elif (kind == state.DRAW or kind == state.BONUS) and table.phase == state.WAIT_SUPPLEMENT:
        index = walls.supplements[min(table.supplements, len(walls.supplements) - 1)]
    elif kind == state.DRAW or kind == state.BONUS:
        index = walls.live[min(table.draws, len(walls.live) - 1)]
    else:
        return 0
    expected = int(wall[index])
    if expected == state.NO_ID or int(events.tile[event]) == state.NOBODY:
        return 0
    actual = _stated(expected, int(events.tile[event]), int(events.tile_id[event]))
    code = codes.WALL_INDICATOR if kind == state.DORA else codes.WALL_DRAW
    # Draws that differ one after the other have one cause: one is missing, or two changed places.
    if expected != actual and (kind == state.DORA or table.off_wall == 0):
        note(notes, code, int(events.seat[event]), int(events.tile[event]), expected, actual)
    if kind != state.DORA:
        table.off_wall = expected != actual
    return 1


@kernel
def check_wall_ura(claims: WinClaims, row: int, wall_row: int, walls: Walls, notes: Notes) -> None:
    """Compare the ura indicators shown with a win with the wall, if there is one."""
    for i in range(claims.ura.shape[1] if wall_row >= 0 else 0):
        tile, expected = int(claims.ura[row, i]), int(walls.ids[wall_row, walls.ura[i]])
        stated = _stated(expected, tile, int(claims.ura_id[row, i]))
        known = tile != state.NO_ID and expected != state.NO_ID and stated != state.NO_ID
        if known and stated != expected:
            note(notes, codes.WALL_INDICATOR, int(claims.seat[row]), tile, expected, stated)
            break
