"""Deal, draws, indicators and dice, against the wall that the log's seed makes."""

from __future__ import annotations

from typing import NamedTuple

from paifu.replay.kernels import codes
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import I16, I16_3D, I32, U8, U8_2D
from paifu.replay.kernels.claims import EventClaims, HandClaims, WinClaims
from paifu.replay.kernels.jit import kernel
from paifu.replay.kernels.notes import Notes, note
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.table_state import TableState


class Walls(NamedTuple):
    """Walls of the hands, where they are known."""

    ids: U8_2D
    """(rows, 136) physical ids; a 3-player wall fills the first 108."""
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
def check_wall_deal(hands: HandClaims, hand: int, walls: Walls, rules: KernelRules, notes: Notes) -> None:
    """Compare deal, first indicator and dice with the wall."""
    wall = walls.ids[walls.row[hand]]
    dealer = hands.dealer[hand]
    for seat in range(rules.players):
        for i in range(13):
            wanted, found = int(wall[walls.deal[dealer, seat, i]]), False
            for j in range(13):
                found = found or hands.dealt_id[hand, seat, j] == wanted
            if not found:
                note(notes, codes.WALL_DEAL, seat, wanted // 4, wanted, state.NOBODY)
                break
    expected, actual = int(wall[walls.indicators[0]]), int(hands.dora_id[hand])
    if actual != expected:
        note(notes, codes.WALL_INDICATOR, state.NOBODY, int(hands.dora[hand]), expected, actual)
    for i in range(2):
        eyes, stated = int(walls.dice[walls.row[hand], i]), int(hands.dice[hand, i])
        if stated != 255 and stated != eyes:
            note(notes, codes.DICE, state.NOBODY, state.NOBODY, eyes, stated)


@kernel
def check_wall_tile(
    table: TableState, events: EventClaims, event: int, wall: U8, walls: Walls, notes: Notes
) -> int:
    """Compare a drawn tile or a new indicator with the wall; returns how many tiles were compared."""
    kind, tile = int(events.kind[event]), int(events.tile_id[event])
    hand = table.hand
    if kind == state.DORA:
        index = walls.indicators[min(hand[state.H_TURNED], 4)]
    elif kind == state.DRAW and hand[state.H_PHASE] == state.WAIT_SUPPLEMENT:
        index = walls.supplements[min(hand[state.H_SUPPLEMENTS], len(walls.supplements) - 1)]
    elif kind == state.DRAW:
        index = walls.live[min(hand[state.H_DRAWS], len(walls.live) - 1)]
    else:
        return 0
    expected = int(wall[index])
    if expected != tile:
        seat = int(events.seat[event])
        note(
            notes,
            codes.WALL_INDICATOR if kind == state.DORA else codes.WALL_DRAW,
            seat,
            int(events.tile[event]),
            expected,
            tile,
        )
    return 1


@kernel
def check_wall_ura(claims: WinClaims, row: int, walls: Walls, notes: Notes) -> None:
    """Compare the ura indicators shown with a win with the wall."""
    wall_row = walls.row[notes.counts[1]]
    for i in range(claims.ura_id.shape[1]):
        stated = int(claims.ura_id[row, i])
        if wall_row >= 0 and stated != state.NO_ID and stated != walls.ids[wall_row, walls.ura[i]]:
            expected = int(walls.ids[wall_row, walls.ura[i]])
            note(
                notes, codes.WALL_INDICATOR, int(claims.seat[row]), int(claims.ura[row, i]), expected, stated
            )
