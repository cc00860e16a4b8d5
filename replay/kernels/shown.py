"""The tiles, melds and indicators that a log shows at a hand's end, against those of the table."""

from __future__ import annotations

from paifu.replay.kernels import codes
from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import U8
from paifu.replay.kernels.claims import UNSTATED_MELDS, WinClaims
from paifu.replay.kernels.notes import Notes, note_why
from paifu.replay.kernels.reasons import INDICATOR, OTHER_COPY, OTHER_TILES, URA_INDICATORS
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.running import kernel
from paifu.replay.kernels.table_state import TableState, kind_of

LAST_RUN, LAST_KIND = 24, 33
"""Highest kind that a run can begin with, and highest of all. A log may show any number as a meld."""


@kernel
def check_indicators(
    table: TableState, claims: WinClaims, row: int, situation: int, rules: KernelRules, notes: Notes
) -> None:
    """Compare the indicators shown with a win: the dora turned, and as many unseen ura after riichi."""
    if claims.dora[row, 0] >= 37:
        return
    # How many tiles below them the rules turn for this win.
    under = 0
    if situation & layout.ANY_RIICHI and rules.ura_dora:
        under = table.turned if rules.kan_ura_dora and rules.kan_dora else 1
    seat = int(claims.seat[row])
    # Above: the kind and the copy that lie open; where the log turned none, any.
    for i in range(claims.dora.shape[1]):
        shown, tile_id = int(claims.dora[row, i]), int(claims.dora_id[row, i])
        turned = int(table.indicators[i]) if i < table.turned else state.NOBODY
        if i < table.turned and turned == state.NOBODY:
            continue
        same = turned == (kind_of(shown) if shown < 37 else state.NOBODY)
        if not same or (tile_id != state.NO_ID and table.places[tile_id] != state.INDICATOR + i):
            note_why(notes, codes.DORA, INDICATOR, seat, shown, turned, shown)
            break
    # Below: as many as are due, and none that has been seen elsewhere.
    for i in range(claims.ura.shape[1] if claims.ura[row, 0] < 37 else 0):
        shown, tile_id = int(claims.ura[row, i]), int(claims.ura_id[row, i])
        if (shown < 37) != (i < under):
            note_why(notes, codes.DORA, URA_INDICATORS, seat, shown, under, i)
            break
        if tile_id != state.NO_ID and table.places[tile_id] != state.UNSEEN:
            note_why(notes, codes.TOO_MANY_COPIES, OTHER_COPY, seat, shown, 0, tile_id)
            break


@kernel
def shows_hand(table: TableState, seat: int, tiles: U8, ids: U8, won: int, won_id: int) -> bool:
    """Return whether the tiles that a log shows, if any, are a hand's closed ones and the tile won by ron.

    A hand of which tiles are hidden may be the one shown.
    """
    if table.hidden[seat]:
        return True
    shown = closed = 0
    for i in range(len(tiles)):
        tile, tile_id = tiles[i], ids[i]
        if tile >= 37:
            break
        shown += 1
        # No more of them than the hand holds, the tile won by ron included.
        copies = 0
        for j in range(i + 1):
            copies += tiles[j] == tile
        if copies > table.held[seat, tile] + (tile == won):
            return False
        # The very copies, where the log names them.
        if tile_id == state.NO_ID or tile_id == won_id or table.places[tile_id] == state.IN_HAND + seat:
            continue
        if table.partial == 0 or table.places[tile_id] != state.UNSEEN:
            return False
    for tile in range(37):
        closed += table.held[seat, tile]
    return shown == 0 or shown == closed + (won != state.NOBODY)


@kernel
def is_meld(table: TableState, seat: int, number: int, code: int) -> bool:
    """Return whether Tenhou's meld ``code`` is the meld of that number."""
    places, sort = table.places, state.ANKAN
    if code & 4:
        # A run: the tile at ``turn`` was called, the others were the player's.
        sort, turn, low = state.CHI, (code >> 10) % 3, (code >> 10) // 3
        low += 2 * (low // 7)
        if low > LAST_RUN:
            return False
        called = 0
        for i in range(3):
            part = 4 * (low + i) + (code >> 3 + 2 * i & 3)
            if i == turn:
                called = part
            elif places[part] != state.MELDED + seat:
                return False
    elif code & 0x18:
        # A triplet lacks one copy; a kan that grew from it has that one, too.
        sort = state.KAKAN if code & 0x10 else state.PON
        low, missing = (code >> 9) // 3, code >> 5 & 3
        if low > LAST_KIND:
            return False
        called = (code >> 9) % 3
        called += 4 * low + (called >= missing)
        for part in range(4 * low, 4 * low + 4):
            is_own = part != called and (sort == state.KAKAN or part != 4 * low + missing)
            if is_own and places[part] != state.MELDED + seat:
                return False
    else:
        # A kan at once: of a called tile, or closed.
        called = code >> 8
        sort, low = state.DAIMINKAN if code & 3 else state.ANKAN, called // 4
    if table.meld_types[seat, number] != sort or table.meld_kinds[seat, number] != low:
        return False
    source = table.meld_sources[seat, number]
    return sort == state.ANKAN or (places[called] == state.CALLED + seat and source == (seat + code) & 3)


@kernel
def check_shown(table: TableState, claims: WinClaims, row: int, notes: Notes) -> None:
    """Compare the tiles and melds shown with a win with those of the hand that was played (V301)."""
    seat, tile, tile_id = int(claims.seat[row]), int(claims.tile[row]), int(claims.tile_id[row])
    if seat == claims.source[row]:
        fits = shows_hand(table, seat, claims.tiles[row], claims.tiles_id[row], state.NOBODY, state.NO_ID)
    else:
        fits = shows_hand(table, seat, claims.tiles[row], claims.tiles_id[row], tile, tile_id)
    # They are listed from the last one on, norths set aside among them.
    if claims.melds[row, 0] != UNSTATED_MELDS:
        melds = kita = 0
        for i in range(claims.melds.shape[1]):
            code = int(claims.melds[row, i])
            if code < 0:
                break
            if code & 0x3C == 0x20:
                kita += code >> 8 < len(table.places) and table.places[code >> 8] == state.GONE
            else:
                melds += 1
                number = table.meld_count[seat] - melds
                fits = fits and number >= 0 and is_meld(table, seat, number, code)
        fits = fits and melds == table.meld_count[seat] and kita == table.norths[seat]
    if not fits:
        note_why(notes, codes.NO_WINNING_HAND, OTHER_TILES, seat, tile, 1, 0)
