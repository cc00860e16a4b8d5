"""Checks of a hand's end against what the log claims: wins, draws, payments."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.kernels import table as t
from paifu.replay.kernels.finding_values import DORA_SORT, NOT_OFFERED, OTHER_COPY, OTHER_TILES
from paifu.replay.kernels.jit import kernel
from paifu.replay.kernels.scoring import dora_of, payments_kernel, score_kernel, share
from paifu.replay.kernels.shapes import ShapeTables
from paifu.replay.kernels.table import Log, Table, is_tenpai, kind_of, note
from paifu.replay.rules.ruleset import KernelRules

I64 = npt.NDArray[np.int64]
I32 = npt.NDArray[np.int32]
I16 = npt.NDArray[np.int16]
I8 = npt.NDArray[np.int8]
U8 = npt.NDArray[np.uint8]

UNKNOWN = -(2**31)
DORA_IDS = (52, 53, 54)
KITA_ID = 73
"""Where a log lists kita apart from the other dora."""
MELDS_NOT_SHOWN = -2

LAST_RUN, LAST_KIND = 24, 33
"""Highest kind that a run can begin with, and highest of all. A log may show any number as a meld."""


class Scoring(NamedTuple):
    """Tables of the ruleset for the scoring kernels, and their scratch memory."""

    patterns: I64
    params: I64
    rows: I64
    """(MAX_READINGS, ROW_SIZE)."""
    out: I64
    """(OUT_SIZE,)."""
    changes: I64
    """(4,)."""
    counts: U8
    """(34,) concealed tiles of the winner, the winning tile among them."""


class WinClaims(NamedTuple):
    """Columns of the batch's ``wins``."""

    seat: U8
    source: U8
    liable: U8
    tile: U8
    tile_id: U8
    tiles: U8
    tiles_id: U8
    melds: I32
    fu: I16
    points: I32
    limit: U8
    honba: I16
    sticks: I16
    yaku: U8
    han: I8
    deltas: I32
    dora: U8
    dora_id: U8
    ura: U8
    ura_id: U8


class DrawClaims(NamedTuple):
    """Columns of the batch's ``hand_draws``."""

    kind: U8
    deltas: I32
    tenpai: U8
    shown: U8
    shown_id: U8


# Columns of a scored win; CHANGE is the first of four, by seat.
(
    W_HAND, W_EVENT, W_SEAT, W_SOURCE, W_TILE, W_BASE, W_HAN, W_FU, W_YAKUMAN, W_YAKU, W_LOCAL, W_FU_ROWS,
    W_POINTS, W_LIMIT, W_DORA, W_URA, W_RED, W_KITA, W_HONBA, W_STICKS, W_SITUATION, W_WAIT, W_TURN, W_OPEN,
    W_FURITEN, W_CHANGE,
) = range(26)  # fmt: skip
W_SIZE = W_CHANGE + 4


@kernel
def situation_of(table: Table, seat: int, source: int, rules: KernelRules) -> int:
    """Return how a win comes about, as bits of ``yaku.Situation``."""
    hand, seats = table.hand, table.seats
    bits = 0
    if seats[t.S_RIICHI, seat]:
        bits |= layout.DOUBLE_RIICHI if seats[t.S_DOUBLE, seat] else layout.RIICHI
    if seats[t.S_IPPATSU, seat] and rules.ippatsu:
        bits |= layout.IPPATSU
    untouched = hand[t.H_FIRST] and seats[t.S_DISCARDS, seat] == 0
    if source == seat:
        bits |= layout.TSUMO
        if seats[t.S_SUPPLEMENT, seat]:
            bits |= layout.RINSHAN
        elif hand[t.H_LIVE] == 0:
            bits |= layout.HAITEI
        if untouched:
            bits |= layout.TENHOU if seat == hand[t.H_DEALER] else layout.CHIIHOU
    elif hand[t.H_OFFER] == t.DISCARD:
        if hand[t.H_LIVE] == 0:
            bits |= layout.HOUTEI
        if hand[t.H_AFTER_KAN]:
            bits |= layout.KANBURI
        if seats[t.S_DECLARING, source]:
            bits |= layout.TSUBAME
        if untouched and seat != hand[t.H_DEALER]:
            first = source == hand[t.H_DEALER] and seats[t.S_DISCARDS, source] == 1
            bits |= layout.CHIIHOU if rules.chiihou_ron and first else layout.RENHOU
    elif hand[t.H_OFFER] != t.KITA:
        bits |= layout.CHANKAN
    return bits


@kernel
def is_offered(table: Table, seat: int, source: int, tile: int, tile_id: int, rules: KernelRules) -> bool:
    """Tell whether a seat may claim to win on a tile at all: its own draw, or what lies before it."""
    hand = table.hand
    if tile_id != t.NO_ID and tile_id != hand[t.H_NEWEST]:
        return False
    if hand[t.H_OFFER] == t.ANKAN and not (rules.kokushi_ankan_ron and t.is_orphans(table, seat)):
        return False
    if source == seat:
        return (
            hand[t.H_PHASE] == t.WAIT_ACT and hand[t.H_TURN] == seat and table.seats[t.S_DRAWN, seat] == tile
        )
    return (
        hand[t.H_OFFER] != 0
        and hand[t.H_OFFER_SEAT] == source
        and hand[t.H_OFFER_TILE] == tile
        and table.counts[seat, kind_of(tile)] < 4
    )


@kernel
def collects(
    table: Table, claims: WinClaims, row: int, first: int, last: int, rules: KernelRules
) -> tuple[int, int]:
    """Return (sticks, honba) that the winner of ``row`` takes; ``first`` to ``last`` are the hand's wins."""
    sticks = table.hand[t.H_STICKS]
    if rules.multi_ron_sticks:
        own = 0
        for other in range(first, last):
            paid = table.seats[t.S_RIICHI, claims.seat[other]] == 2
            sticks -= paid
            own += paid and other == row
        sticks = own + (sticks if row == first else 0)
    elif row != first:
        sticks = 0
    honba = table.hand[t.H_HONBA] if row == first or rules.multi_ron_honba else 0
    return sticks, honba


@kernel
def check_order(claims: WinClaims, row: int, first: int, last: int, rules: KernelRules, log: Log) -> None:
    """Check that several winners may win at once, and that they stand in the order of their turns."""
    seat, source = int(claims.seat[row]), int(claims.source[row])
    wrong = last - first > 1 and (rules.head_bump != 0 or source == seat)
    wrong = wrong or (last - first > 2 and rules.abort_sanchahou != 0)
    if row > first:
        before = int(claims.seat[row - 1])
        wrong = wrong or source != claims.source[first] or before == seat
        wrong = wrong or (seat - source) % 4 <= (before - source) % 4
    if wrong:
        note(log, 309, seat, int(claims.tile[row]), 1, last - first)


@kernel
def worth(
    table: Table, seat: int, source: int, tile: int, ura_indicators: U8, rules: KernelRules, scoring: Scoring
) -> tuple[int, int, int, int, int]:
    """Score a hand that wins on ``tile`` of ``source``; what it is worth stands in ``scoring`` afterwards.

    Returns base points (or why there are none), situation bits, dora, ura and red fives.
    """
    seats, kind, tsumo = table.seats, kind_of(tile), source == seat
    counts = scoring.counts
    for number in range(34):
        counts[number] = table.counts[seat, number]
    red = seats[t.S_REDS, seat]
    for number in range(34, 37):
        red += table.held[seat, number]
    if not tsumo:
        counts[kind] += 1
        red += tile >= 34
    situation = situation_of(table, seat, source, rules)
    turned = table.hand[t.H_TURNED] if rules.kan_dora else 1
    dora = ura = 0
    if rules.dora:
        dora = count_dora(table, seat, counts, table.indicators, turned, rules)
    if situation & (layout.RIICHI | layout.DOUBLE_RIICHI) and rules.ura_dora:
        under = turned if rules.kan_ura_dora else 1
        ura = count_dora(table, seat, counts, ura_indicators, under, rules)
    base = score_kernel(
        counts, table.meld_kinds[seat], table.meld_types[seat], seats[t.S_MELDS, seat], kind, situation,
        (seat - table.hand[t.H_DEALER]) % rules.players, table.hand[t.H_WIND],
        dora + ura + red + seats[t.S_KITA, seat], table.hand[t.H_HONBA], -1,
        scoring.patterns, scoring.params, scoring.rows, scoring.out,
    )  # fmt: skip
    return base, situation, dora, ura, red


@kernel
def win(
    table: Table,
    claims: WinClaims,
    row: int,
    first: int,
    last: int,
    rules: KernelRules,
    scoring: Scoring,
    log: Log,
    fact: I64,
) -> bool:
    """Score the win in ``row`` of the claims and compare; ``fact`` (W_SIZE) takes what the engine says."""
    hand, seats = table.hand, table.seats
    seat, source, tile = int(claims.seat[row]), int(claims.source[row]), int(claims.tile[row])
    fact[W_EVENT], fact[W_HAND] = log.counts[2], log.counts[1]
    fact[W_SEAT], fact[W_SOURCE], fact[W_TILE] = seat, source, tile
    if tile >= 37 or not is_offered(table, seat, source, tile, int(claims.tile_id[row]), rules):
        note(log, 301, seat, tile, 0, NOT_OFFERED)
        return False
    check_order(claims, row, first, last, rules, log)
    check_shown(table, claims, row, log)
    if hand[t.H_OFFER] == t.DISCARD and seats[t.S_DECLARING, source] and seats[t.S_RIICHI, source] == 2:
        note(log, 208, source, tile, 0, 1)
    if source != seat:
        fact[W_FURITEN] = seats[t.S_MISSED, seat]
        if seats[t.S_MISSED, seat]:
            note(log, 303, seat, tile, 0, 1)
    out, changes, kita = scoring.out, scoring.changes, seats[t.S_KITA, seat]
    base, situation, dora, ura, red = worth(table, seat, source, tile, claims.ura[row], rules, scoring)
    dealer = hand[t.H_DEALER]
    if base <= 0:
        note(log, 302 if base == layout.NO_YAKU else 301, seat, tile, 1, base)
        return False
    sticks, honba = collects(table, claims, row, first, last, rules)
    liable = table.liable[seat]
    if rules.pao_rinshan and situation & layout.RINSHAN and hand[t.H_FEEDER] != t.NOBODY:
        liable[hand[t.H_FEEDER]] |= layout.LIABLE_FOR_ALL
    points = payments_kernel(
        base, out[layout.OUT_YAKU], 1 - seats[t.S_OPEN, seat], seat, source, dealer, honba, sticks, -1,
        liable, scoring.patterns, scoring.params, changes,
    )  # fmt: skip
    fact[W_BASE], fact[W_HAN], fact[W_FU] = base, out[layout.OUT_HAN], out[layout.OUT_FU]
    fact[W_YAKUMAN], fact[W_YAKU] = out[layout.OUT_YAKUMAN], out[layout.OUT_YAKU]
    fact[W_LOCAL], fact[W_FU_ROWS] = out[layout.OUT_LOCAL], out[layout.OUT_FU_ROWS]
    fact[W_POINTS], fact[W_LIMIT] = points, limit_of(base)
    fact[W_DORA], fact[W_URA], fact[W_RED], fact[W_KITA] = dora, ura, red, kita
    fact[W_HONBA], fact[W_STICKS], fact[W_SITUATION] = honba, sticks, situation
    fact[W_WAIT] = scoring.rows[out[layout.OUT_READING], layout.ROW_WAIT]
    fact[W_TURN], fact[W_OPEN] = seats[t.S_DISCARDS, seat], seats[t.S_OPEN, seat]
    for other in range(4):
        fact[W_CHANGE + other] = changes[other]
    compare(table, claims, row, row == first, fact, liable, log)
    check_indicators(table, claims, row, situation, rules, log)
    return True


@kernel
def count_dora(table: Table, seat: int, counts: U8, indicators: U8, number: int, rules: KernelRules) -> int:
    """Count the dora that the first ``number`` indicators make of a hand, kita that are dora included."""
    total = 0
    for i in range(number):
        if indicators[i] >= 37:
            continue
        kind = dora_of(kind_of(indicators[i]), rules.players)
        total += table.seats[t.S_KITA, seat] if kind == t.NORTH else 0
        total += counts[kind] + table.melded[seat, kind]
    return total


@kernel
def limit_of(base: int) -> int:
    """Return the limit of base points: 0 none, 1 mangan, ... 5 yakuman."""
    limit = 0
    for least in (2000, 3000, 4000, 6000, 8000):
        limit += base >= least
    return limit


@kernel
def compare(
    table: Table, claims: WinClaims, row: int, is_first: bool, fact: I64, liable: I64, log: Log
) -> None:
    """Note where a win's claims differ from what the engine found."""
    seat, tile = fact[W_SEAT], fact[W_TILE]
    yaku = local = han = dora = ura = red = stated = 0
    for i in range(claims.yaku.shape[1]):
        number, worth = int(claims.yaku[row, i]), int(claims.han[row, i])
        if number == 255:
            continue
        stated += 1
        han += worth
        if number in (DORA_IDS[0], KITA_ID):
            dora += worth
        elif number == DORA_IDS[1]:
            ura += worth
        elif number == DORA_IDS[2]:
            red += worth
        elif number < 64:
            yaku |= 1 << number
        elif number < 127:
            local |= 1 << number - 64
    fu, points, limit = int(claims.fu[row]), int(claims.points[row]), int(claims.limit[row])
    if stated or fu >= 0:  # who states the fu states the yaku: none listed is none claimed
        same = yaku == fact[W_YAKU] and local == fact[W_LOCAL]
        if not same:
            note(log, 304, seat, tile, fact[W_YAKU], yaku)
        if fact[W_YAKUMAN] == 0:
            sort = 0
            for expected, actual in (
                (fact[W_DORA] + fact[W_KITA], dora), (fact[W_URA], ura), (fact[W_RED], red),
            ):  # fmt: skip
                if expected != actual:
                    note(log, 308, seat, tile, sort + expected, sort + actual)
                    same = False
                sort += DORA_SORT
            if same and han != fact[W_HAN]:
                note(log, 305, seat, tile, fact[W_HAN], han)
    if fu >= 0 and fact[W_YAKUMAN] == 0 and fu != fact[W_FU]:
        note(log, 306, seat, tile, fact[W_FU], fu)
    if points != UNKNOWN and points != fact[W_POINTS]:
        note(log, 307, seat, tile, fact[W_POINTS], points)
    elif limit != 255 and limit != fact[W_LIMIT]:
        note(log, 307, seat, tile, fact[W_LIMIT], limit)
    honba, sticks = int(claims.honba[row]), int(claims.sticks[row])
    # A further winner may be stated with the honba that only the first is paid.
    if honba >= 0 and honba != fact[W_HONBA] and (is_first or honba != table.hand[t.H_HONBA]):
        note(log, 402, seat, tile, fact[W_HONBA], honba)
    if sticks >= 0 and sticks != fact[W_STICKS]:
        note(log, 403, seat, tile, fact[W_STICKS], sticks)
    claimed, expected = int(claims.liable[row]), t.NOBODY
    for other in range(4):
        if liable[other] & fact[W_YAKU] or liable[other] & layout.LIABLE_FOR_ALL:
            expected = other
    if claimed != expected and not (claimed == t.NOBODY and expected == fact[W_SOURCE]):
        note(log, 404, seat, tile, expected, claimed)
    for other in range(4):
        change = int(claims.deltas[row, other])
        if change != UNKNOWN and change != fact[W_CHANGE + other]:
            note(log, 401, other, tile, fact[W_CHANGE + other], change)
            break


@kernel
def check_indicators(
    table: Table, claims: WinClaims, row: int, situation: int, rules: KernelRules, log: Log
) -> None:
    """Compare the indicators shown with a win: the dora turned, and as many unseen ura after riichi."""
    if claims.dora[row, 0] >= 37:
        return
    under = 0
    if situation & (layout.RIICHI | layout.DOUBLE_RIICHI) and rules.ura_dora:
        under = table.hand[t.H_TURNED] if rules.kan_ura_dora and rules.kan_dora else 1
    seat = int(claims.seat[row])
    for i in range(claims.dora.shape[1]):
        shown, tile_id = int(claims.dora[row, i]), int(claims.dora_id[row, i])
        turned = int(table.indicators[i]) if i < table.hand[t.H_TURNED] else t.NOBODY
        same = turned == (kind_of(shown) if shown < 37 else t.NOBODY)
        if not same or (tile_id != t.NO_ID and table.places[tile_id] != t.INDICATOR + i):
            note(log, 308, seat, shown, 3 * DORA_SORT + turned, 3 * DORA_SORT + shown)
            break
    for i in range(claims.ura.shape[1]):
        shown, tile_id = int(claims.ura[row, i]), int(claims.ura_id[row, i])
        if (shown < 37) != (i < under):
            note(log, 308, seat, shown, 4 * DORA_SORT + under, 4 * DORA_SORT + i)
            break
        if tile_id != t.NO_ID and table.places[tile_id] != t.UNSEEN:
            note(log, 103, seat, shown, OTHER_COPY, tile_id)
            break


@kernel
def shows_hand(table: Table, seat: int, tiles: U8, ids: U8, won: int, won_id: int) -> bool:
    """Tell whether the tiles that a log shows, if any, are a hand's closed ones and the tile won by ron."""
    shown = closed = 0
    for i in range(len(tiles)):
        tile, tile_id = tiles[i], ids[i]
        if tile >= 37:
            break
        shown += 1
        copies = 0
        for j in range(i + 1):
            copies += tiles[j] == tile
        if copies > table.held[seat, tile] + (tile == won):
            return False
        if tile_id != t.NO_ID and tile_id != won_id and table.places[tile_id] != t.IN_HAND + seat:
            return False
    for tile in range(37):
        closed += table.held[seat, tile]
    return shown == 0 or shown == closed + (won != t.NOBODY)


@kernel
def is_meld(table: Table, seat: int, number: int, code: int) -> bool:
    """Tell whether Tenhou's meld ``code`` is the meld of that number."""
    places, sort = table.places, t.ANKAN
    if code & 4:
        sort, turn, low = t.CHI, (code >> 10) % 3, (code >> 10) // 3
        low += 2 * (low // 7)
        if low > LAST_RUN:
            return False
        called = 0
        for i in range(3):
            part = 4 * (low + i) + (code >> 3 + 2 * i & 3)
            if i == turn:
                called = part
            elif places[part] != t.MELDED + seat:
                return False
    elif code & 0x18:
        sort = t.KAKAN if code & 0x10 else t.PON
        low, missing = (code >> 9) // 3, code >> 5 & 3
        if low > LAST_KIND:
            return False
        called = (code >> 9) % 3
        called += 4 * low + (called >= missing)
        for part in range(4 * low, 4 * low + 4):
            is_own = part != called and (sort == t.KAKAN or part != 4 * low + missing)
            if is_own and places[part] != t.MELDED + seat:
                return False
    else:
        called = code >> 8
        sort, low = t.DAIMINKAN if code & 3 else t.ANKAN, called // 4
    if table.meld_types[seat, number] != sort or table.meld_kinds[seat, number] != low:
        return False
    source = table.meld_sources[seat, number]
    return sort == t.ANKAN or (places[called] == t.CALLED + seat and source == (seat + code) & 3)


@kernel
def check_shown(table: Table, claims: WinClaims, row: int, log: Log) -> None:
    """Compare the tiles and melds shown with a win with those of the hand that was played (V301)."""
    seat, tile, tile_id = int(claims.seat[row]), int(claims.tile[row]), int(claims.tile_id[row])
    if seat == claims.source[row]:
        fits = shows_hand(table, seat, claims.tiles[row], claims.tiles_id[row], t.NOBODY, t.NO_ID)
    else:
        fits = shows_hand(table, seat, claims.tiles[row], claims.tiles_id[row], tile, tile_id)
    if claims.melds[row, 0] != MELDS_NOT_SHOWN:
        melds = kita = 0
        for i in range(claims.melds.shape[1]):
            code = int(claims.melds[row, i])
            if code < 0:
                break
            if code & 0x3C == 0x20:
                kita += code >> 8 < len(table.places) and table.places[code >> 8] == t.GONE
            else:
                melds += 1
                number = table.seats[t.S_MELDS, seat] - melds
                fits = fits and number >= 0 and is_meld(table, seat, number, code)
        fits = fits and melds == table.seats[t.S_MELDS, seat] and kita == table.seats[t.S_KITA, seat]
    if not fits:
        note(log, 301, seat, tile, 1, OTHER_TILES)


# Values of ``events.HandEnd``.
EXHAUSTIVE, NAGASHI, KYUUSHU, SUUFON, SUUCHA, SANCHAHOU, SUUKAIKAN = 2, 3, 4, 5, 6, 7, 8


@kernel
def may_abort(table: Table, kind: int, rules: KernelRules) -> bool:
    """Tell whether the hand may end in a draw of this kind now."""
    hand, seats, players = table.hand, table.seats, rules.players
    if kind in (EXHAUSTIVE, NAGASHI):
        return hand[t.H_LIVE] == 0 and hand[t.H_PHASE] == t.WAIT_DRAW
    if kind == KYUUSHU:
        seat, kinds = hand[t.H_TURN], 0
        for number in range(34):
            if t.YAOCHUU >> number & 1 and table.counts[seat, number]:
                kinds += 1
        untouched = hand[t.H_FIRST] != 0 and seats[t.S_DISCARDS, seat] == 0
        return rules.abort_kyuushu != 0 and hand[t.H_PHASE] == t.WAIT_ACT and untouched and kinds >= 9
    if kind == SANCHAHOU:
        callers = 0
        for seat in range(players):
            waiting = seats[t.S_WAITS, seat] >> kind_of(hand[t.H_OFFER_TILE]) & 1
            callers += seat != hand[t.H_OFFER_SEAT] and waiting and not seats[t.S_MISSED, seat]
        return rules.abort_sanchahou != 0 and hand[t.H_OFFER] != 0 and callers == 3
    if kind == SUUKAIKAN and hand[t.H_KANS] == 5:
        return rules.abort_fifth_kan != 0
    if hand[t.H_PHASE] != t.WAIT_DRAW:
        return False
    if kind == SUUFON:
        all_four = players == 4
        for seat in range(players):
            all_four = all_four and seats[t.S_DISCARDS, seat] == 1
        return rules.abort_suufon != 0 and all_four and hand[t.H_WINDS] > 0
    if kind == SUUCHA:
        return rules.abort_suucha != 0 and players == 4 and hand[t.H_RIICHI] == 4
    if kind == SUUKAIKAN:
        owners = 0
        for seat in range(players):
            has = 0
            for i in range(seats[t.S_MELDS, seat]):
                has |= table.meld_types[seat, i] >= t.DAIMINKAN
            owners += has
        return rules.abort_suukaikan != 0 and hand[t.H_KANS] == 4 and owners > 1
    return True


@kernel
def check_abort_due(table: Table, rules: KernelRules, log: Log) -> None:
    """Note a hand that goes on although it had to end in a draw."""
    hand = table.hand
    if hand[t.H_WINDS] > 0 or hand[t.H_RIICHI] == 4 or hand[t.H_KANS] == 4:
        for kind in (SUUFON, SUUCHA, SUUKAIKAN):
            if may_abort(table, kind, rules):
                note(log, 212, t.NOBODY, t.NOBODY, kind, 0)


@kernel
def shows_seat(table: Table, kind: int, seat: int) -> bool:
    """Tell whether a hand that is aborted so lays this seat's tiles open."""
    if kind == SANCHAHOU:
        return seat != table.hand[t.H_OFFER_SEAT]
    return kind == SUUCHA or (kind == KYUUSHU and seat == table.hand[t.H_TURN])


@kernel
def check_shown_at_draw(table: Table, claims: DrawClaims, row: int, rules: KernelRules, log: Log) -> None:
    """Compare the tiles shown at a draw with the hands; of an aborted one also whose are shown (V406)."""
    kind = int(claims.kind[row])
    any_shown = False
    for seat in range(rules.players):
        any_shown = any_shown or claims.shown[row, seat, 0] < 37
    for seat in range(rules.players):
        tiles, ids = claims.shown[row, seat], claims.shown_id[row, seat]
        shown = tiles[0] < 37
        if not shows_hand(table, seat, tiles, ids, t.NOBODY, t.NO_ID):
            note(log, 406, seat, t.NOBODY, 1, OTHER_TILES)
        elif any_shown and kind > NAGASHI and shown != shows_seat(table, kind, seat):
            note(log, 406, seat, t.NOBODY, 1 - shown, int(shown))


@kernel
def hand_draw(
    table: Table,
    claims: DrawClaims,
    row: int,
    rules: KernelRules,
    shapes: ShapeTables,
    scoring: Scoring,
    log: Log,
) -> int:
    """Check a hand that ends without a winner; returns the tenpai seats (bits) of an exhaustive draw."""
    hand, changes, kind = table.hand, scoring.changes, int(claims.kind[row])
    if not may_abort(table, kind, rules):
        note(log, 212, t.NOBODY, t.NOBODY, 0, kind)
    if kind != SANCHAHOU and hand[t.H_UNPAID] != t.NOBODY:
        note(log, 208, hand[t.H_UNPAID], t.NOBODY, 1, 0)
    changes[:] = 0
    tenpai = 0
    code = 401
    if kind in (EXHAUSTIVE, NAGASHI):
        code = 407 if kind == NAGASHI else 405
        ready = nagashi = 0
        for seat in range(rules.players):
            is_ready = int(is_tenpai(table, seat, rules, shapes))
            tenpai |= is_ready << seat
            ready += is_ready
            nagashi |= table.seats[t.S_NAGASHI, seat] << seat
            claimed = int(claims.tenpai[row, seat])
            if claimed != 255 and claimed != is_ready:
                note(log, 406, seat, t.NOBODY, is_ready, claimed)
        if (nagashi != 0 and rules.nagashi != 0) != (kind == NAGASHI):
            note(log, 407, t.NOBODY, t.NOBODY, nagashi, int(kind == NAGASHI))
        if kind == NAGASHI:
            nagashi_changes(table, nagashi, rules, scoring)
        else:
            noten_changes(changes, tenpai, ready, rules)
    for seat in range(4):
        change = int(claims.deltas[row, seat])
        if change != UNKNOWN and change != changes[seat]:
            note(log, code, seat, t.NOBODY, changes[seat], change)
            break
    check_shown_at_draw(table, claims, row, rules, log)
    return tenpai


@kernel
def noten_changes(changes: I64, tenpai: int, ready: int, rules: KernelRules) -> None:
    """Write what the noten pay to the ``ready`` tenpai seats (bits of ``tenpai``)."""
    noten = rules.players - ready
    if ready == 0 or noten == 0:
        return
    pay = rules.noten_pay_1 if ready == 1 else rules.noten_pay_2 if ready == 2 else rules.noten_pay_3
    for seat in range(rules.players):
        changes[seat] = noten * pay // ready if tenpai >> seat & 1 else -pay


@kernel
def nagashi_changes(table: Table, nagashi: int, rules: KernelRules, scoring: Scoring) -> None:
    """Write what nagashi mangan brings the seats of ``nagashi`` (bits); the first takes honba and sticks."""
    hand, changes, dealer = table.hand, scoring.changes, table.hand[t.H_DEALER]
    first = True
    for turn in range(rules.players):
        seat = (dealer + turn) % rules.players
        if not nagashi >> seat & 1:
            continue
        wins = rules.nagashi == 2 and first
        first = False
        changes[seat] += rules.riichi_stick * hand[t.H_STICKS] if wins else 0
        for other in range(rules.players):
            if other != seat:
                paid = share(layout.MANGAN, seat, seat, other, dealer, scoring.params)
                paid += rules.honba_each * hand[t.H_HONBA] if wins else 0
                changes[other] -= paid
                changes[seat] += paid
