"""The tiles, melds and indicators that a log shows at a hand's end, against those of the table."""

from __future__ import annotations

from paifu.replay.kernels import codes
from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import U8
from paifu.replay.kernels.claims import UNSTATED_MELDS, WinClaims
from paifu.replay.kernels.mjlog_spelling import meld_word
from paifu.replay.kernels.notes import Notes, note_why
from paifu.replay.kernels.reasons import INDICATOR, OTHER_COPY, OTHER_TILES, URA_INDICATORS
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.running import kernel
from paifu.replay.kernels.table_state import TableState, kind_of


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
        under = table.turned if rules.kan_ura_dora else 1
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
    # Where two play, a chi comes from either side.
    word, places = meld_word(code | 3 if code & 4 else code, seat), table.places
    sort, tile, first = word & 31, word >> 11 & 255, word >> 19 & 255
    low = min(tile, first) // 4
    if word == 0 or table.meld_types[seat, number] != sort or table.meld_kinds[seat, number] != low:
        return False
    if sort == state.ANKAN:
        return True
    # The tile that was called, and those that were the player's; all copies of a kan are there.
    called = first if sort == state.KAKAN else tile
    for i in range(0 if sort == state.DAIMINKAN else 4):
        part = word >> 11 + 8 * i & 255
        if part not in (called, state.NO_ID) and places[part] != state.MELDED + seat:
            return False
    return places[called] == state.CALLED + seat and table.meld_sources[seat, number] == (seat + code) & 3


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
