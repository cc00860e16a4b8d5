"""Hands played, not replayed: moves made through the engine's own transitions, and players that choose them.

The first half makes moves: each takes the next tile of the :class:`Supply` or a physical tile of a hand,
runs the transition of ``kernels.table`` or ``kernels.wins`` that a replay runs, and writes the event down.
Scripted hands use it directly. The second half are the players and the loop over a hand. A player tries a
move whose legality is in question on a second table first: only one that leaves no finding is made.

Seats, tiles and kinds as in ``_table_kernels``; ids are physical tiles.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.kernels import table as t
from paifu.replay.kernels import wins as w
from paifu.replay.kernels.jit import kernel
from paifu.replay.kernels.replay import Hands, set_up
from paifu.replay.kernels.shapes import (
    CLASS,
    NOT_HELD,
    ShapeTables,
    drawable_kinds,
    least_shanten,
    live_tiles,
    seven_pairs_shanten,
    shanten,
    thirteen_orphans_shanten,
)
from paifu.replay.kernels.table import NOBODY, YAOCHUU, Log, Table, kind_of
from paifu.replay.kernels.wins import DrawClaims, Scoring, WinClaims
from paifu.replay.rules.ruleset import KernelRules

I64 = npt.NDArray[np.int64]
U8 = npt.NDArray[np.uint8]

MAX_WORDS = 512
"""Events that a hand has room for; the longest has about 170."""
_SEAT, _SOURCE, _TILE, _OWN = 5, 8, 11, 19
"""Where the parts of an event's word begin, as in ``events``."""

# Traits of a player: see ``simulator.Player``.
(
    CALLS, RIICHI, KANS, DEFENCE, ABORTS, PASSES, WILD, FURITEN_RIICHI, TRAITS,
) = range(9)  # fmt: skip
SURE = 1000

# Choice of a discard: kind, shanten after it, acceptance (waits when tenpai).
KIND, SHANTEN, MASK = range(3)
_WRONG_LIABLE = 404
WIN = 1
"""``events.HandEnd.WIN``."""


class Supply(NamedTuple):
    """The wall of a hand as ids."""

    dealt: U8
    """(4, 13)."""
    live: U8
    """(70,) or (55,)."""
    supplements: U8
    """(4,) or (8,)."""
    indicators: U8
    """(5,)."""
    ura: U8
    """(5,)."""
    tile_of: U8
    """(256,) tile of each id."""


class Record(NamedTuple):
    """What has been played of a hand, and where each physical tile is."""

    words: I64
    """(MAX_WORDS,) events as packed words."""
    length: I64
    """(1,)"""
    holder: U8
    """(136,) seat that holds an id concealed, NOBODY for the others."""
    drawn: I64
    """(4,) id drawn in this turn, or NOBODY."""
    safe: I64
    """(4,) kinds that no longer win against a seat in riichi."""
    random: I64
    """(1,) state of the players' random numbers."""
    seen: U8
    """(34,) scratch: what a player sees."""
    shantens: I64
    """(34,) scratch."""
    grown: I64
    """(34,) scratch: of each kind, the word (see ``ShapeTables``) of its suit with one more tile of it."""
    choice: I64
    """(3,) KIND, SHANTEN, MASK of the best discard."""


# --- moves ---------------------------------------------------------------------------------------------


@kernel
def write(record: Record, kind: int, seat: int, tile: int, source: int, own: int) -> None:
    """Write an event down; ``own`` are the bytes of up to three own ids."""
    at = record.length[0]
    record.length[0] += 1
    word = kind | (seat & 7) << _SEAT | (source & 7) << _SOURCE | tile << _TILE
    record.words[at] = word | own << _OWN


NO_OWN = 0xFFFFFF
"""``own`` of an event without own tiles."""


@kernel
def deal(
    table: Table, hands: Hands, supply: Supply, record: Record, rules: KernelRules, shapes: ShapeTables,
    log: Log,
) -> bool:  # fmt: skip
    """Deal the hand in row 0 of ``hands``, whose tiles come from the supply."""
    record.length[0] = 0
    record.holder[:] = NOBODY
    record.drawn[:] = NOBODY
    record.safe[:] = 0
    for seat in range(rules.players):
        for i in range(13):
            tile = supply.dealt[seat, i]
            hands.dealt[0, seat, i] = supply.tile_of[tile]
            record.holder[tile] = seat
    hands.dora[0] = supply.tile_of[supply.indicators[0]]
    return set_up(table, hands, 0, rules, shapes, log)


@kernel
def turn_due(table: Table, supply: Supply, record: Record, due: int, rules: KernelRules, log: Log) -> None:
    """Turn indicators until ``due`` lie open."""
    while table.hand[t.H_TURNED] < min(due, 5) and log.counts[0] == 0:
        tile = int(supply.indicators[table.hand[t.H_TURNED]])
        t.turn_dora(table, int(supply.tile_of[tile]), rules, log)
        write(record, t.DORA, NOBODY, tile, NOBODY, NO_OWN)


@kernel
def make_draw(table: Table, supply: Supply, record: Record, rules: KernelRules, log: Log) -> bool:
    """Let the seat to move draw the next tile, indicators that are due first."""
    hand = table.hand
    seat = hand[t.H_TURN]
    if hand[t.H_PHASE] == t.WAIT_SUPPLEMENT:
        turn_due(table, supply, record, t.dora_due(hand, rules, False), rules, log)
        tile = int(supply.supplements[hand[t.H_SUPPLEMENTS]])
    else:
        if rules.kan_dora_timing >= t.AFTER_DISCARD:
            turn_due(table, supply, record, 1 + hand[t.H_KANS] * rules.kan_dora, rules, log)
        tile = int(supply.live[hand[t.H_DRAWS]])
    write(record, t.DRAW, seat, tile, NOBODY, NO_OWN)
    record.holder[tile] = seat
    record.drawn[seat] = tile
    return t.draw(table, seat, int(supply.tile_of[tile]), rules, log)


@kernel
def make_discard(
    table: Table, supply: Supply, record: Record, tile: int, rules: KernelRules, shapes: ShapeTables, log: Log
) -> bool:
    """Let the seat to move discard an id."""
    seat = table.hand[t.H_TURN]
    turn_due(table, supply, record, t.dora_due(table.hand, rules, True), rules, log)
    flags = t.TSUMOGIRI if record.drawn[seat] == tile else 0
    write(record, t.DISCARD, seat, tile, NOBODY, NO_OWN)
    record.holder[tile] = NOBODY
    record.drawn[seat] = NOBODY
    return t.discard(table, seat, int(supply.tile_of[tile]), flags, rules, shapes, log)


@kernel
def make_riichi(table: Table, record: Record, rules: KernelRules, log: Log) -> bool:
    """Let the seat to move declare riichi; its discard follows."""
    seat = table.hand[t.H_TURN]
    write(record, t.RIICHI, seat, NOBODY, NOBODY, NO_OWN)
    return t.declare(table, seat, rules, log)


@kernel
def let_pass(table: Table, record: Record, rules: KernelRules, log: Log) -> None:
    """Nobody has won the tile on offer: a riichi stick is paid, the tile is safe against riichi."""
    hand, seats = table.hand, table.seats
    bit = 1 << kind_of(hand[t.H_OFFER_TILE])
    for seat in range(4):
        if seats[t.S_RIICHI, seat]:
            record.safe[seat] |= bit
    if hand[t.H_UNPAID] != NOBODY:
        write(record, t.RIICHI_PAID, hand[t.H_UNPAID], NOBODY, NOBODY, NO_OWN)
        t.pay_riichi(table, hand[t.H_UNPAID], rules, log)


@kernel
def spread(supply: Supply, own: int, tiles: U8) -> None:
    """Write the tiles of up to three own ids (bytes)."""
    for i in range(3):
        tiles[i] = supply.tile_of[own >> 8 * i & 255]


@kernel
def make_call(
    table: Table, supply: Supply, record: Record, kind: int, seat: int, own: int, tiles: U8,
    rules: KernelRules, log: Log,
) -> bool:  # fmt: skip
    """Call the discard on offer with the ids of ``own``; ``tiles`` (3,) is scratch."""
    hand = table.hand
    at = record.length[0] - 1
    while record.words[at] & 31 != t.DISCARD:
        at -= 1
    tile, source = int(record.words[at] >> _TILE & 255), hand[t.H_OFFER_SEAT]
    write(record, kind, seat, tile, source, own)
    for i in range(3 if kind == t.DAIMINKAN else 2):
        record.holder[own >> 8 * i & 255] = NOBODY
    spread(supply, own, tiles)
    return t.call(table, kind, seat, int(supply.tile_of[tile]), source, tiles, rules, log)


@kernel
def make_own_kan(
    table: Table, supply: Supply, record: Record, kind: int, tile: int, tiles: U8, rules: KernelRules,
    shapes: ShapeTables, log: Log,
) -> bool:  # fmt: skip
    """Let the seat to move lay a closed kan with the ids of a kind, or add an id to its pon."""
    seat, source, own = table.hand[t.H_TURN], NOBODY, 0
    first = tile - tile % 4
    if kind == t.ANKAN:
        at = 0
        for i in range(first, first + 4):
            record.holder[i] = NOBODY
            if i != tile:
                own |= i << at
                at += 8
    else:
        record.holder[tile] = NOBODY
        for at in range(record.length[0]):
            word = record.words[at]
            same = (word >> _TILE & 255) // 4 == first // 4
            if word & 31 == t.PON and word >> _SEAT & 7 == seat and same:
                source = word >> _SOURCE & 7
                own = word >> _TILE & 255 | (word >> _OWN & 0xFFFF) << 8
    write(record, kind, seat, tile, source, own)
    record.drawn[seat] = NOBODY
    spread(supply, own, tiles)
    return t.own_kan(table, kind, seat, int(supply.tile_of[tile]), tiles, rules, shapes, log)


@kernel
def make_kita(
    table: Table, record: Record, tile: int, rules: KernelRules, shapes: ShapeTables, log: Log
) -> bool:
    """Let the seat to move set a north aside."""
    seat = table.hand[t.H_TURN]
    write(record, t.KITA, seat, tile, NOBODY, NO_OWN)
    record.holder[tile] = NOBODY
    record.drawn[seat] = NOBODY
    return t.kita(table, seat, t.NORTH, rules, shapes, log)


@kernel
def claim(
    table: Table, claims: WinClaims, row: int, seat: int, source: int, tile: int, supply: Supply,
    rules: KernelRules, scoring: Scoring, tries: Log, facts: I64,
) -> bool:  # fmt: skip
    """Put a win into ``claims[row]``; False where it is none. ``tile`` is 0-36.

    What the hand is worth stands in ``facts[row]`` once all that win are known: see :func:`settle_wins`.
    """
    claims.seat[row], claims.source[row], claims.tile[row] = seat, source, tile
    claims.liable[row] = NOBODY
    for i in range(5):
        claims.ura[row, i] = supply.tile_of[supply.ura[i]]
    tries.counts[0] = 0
    fact, liable = facts[row], table.liable[seat]
    if not w.win(table, claims, row, row, row + 1, rules, scoring, tries, fact):
        return False
    for i in range(tries.counts[0]):
        if tries.rows[i, t.F_CODE] != _WRONG_LIABLE:
            return False
    for other in range(4):
        if other != source and (liable[other] & fact[w.W_YAKU] or liable[other] & layout.LIABLE_FOR_ALL):
            claims.liable[row] = other
    return True


@kernel
def settle_wins(
    table: Table, claims: WinClaims, number: int, rules: KernelRules, scoring: Scoring, log: Log, facts: I64
) -> None:
    """Score the wins in the first rows of ``claims`` into ``facts``."""
    for row in range(number):
        w.win(table, claims, row, 0, number, rules, scoring, log, facts[row])


@kernel
def end_without_winner(
    table: Table, record: Record, kind: int, draws: DrawClaims, rules: KernelRules, shapes: ShapeTables,
    scoring: Scoring, log: Log,
) -> int:  # fmt: skip
    """End the hand in a draw; an exhaustive one becomes nagashi where it is. Returns the HandEnd.

    ``scoring.changes`` hold the payments, ``draws.tenpai`` (row 0) who was tenpai.
    """
    if kind == w.EXHAUSTIVE and rules.nagashi:
        for seat in range(rules.players):
            if table.seats[t.S_NAGASHI, seat]:
                kind = w.NAGASHI
    draws.kind[0] = kind
    draws.tenpai[0, :] = NOBODY
    tenpai = w.hand_draw(table, draws, 0, rules, shapes, scoring, log)
    for seat in range(4):
        draws.tenpai[0, seat] = tenpai >> seat & 1
    write(record, t.HAND_DRAW, NOBODY, NOBODY, NOBODY, NO_OWN)
    return kind


# --- players -------------------------------------------------------------------------------------------


@kernel
def chance(record: Record, part: int) -> bool:
    """Draw a random number: True in ``part`` of 1000 cases."""
    record.random[0] = record.random[0] * 48271 % 2147483647
    return bool(record.random[0] % SURE < part)


@kernel
def copy_rows(source: npt.NDArray[Any], target: npt.NDArray[Any]) -> None:
    """Copy an array of rows: numba would allocate for a slice."""
    for row in range(source.shape[0]):
        for i in range(source.shape[1]):
            target[row, i] = source[row, i]


@kernel
def copy_table(table: Table, other: Table) -> None:
    """Copy what calls and kans ask of ``table`` into ``other``, where they can be tried."""
    copy_rows(table.counts, other.counts)
    copy_rows(table.held, other.held)
    copy_rows(table.melded, other.melded)
    copy_rows(table.meld_kinds, other.meld_kinds)
    copy_rows(table.meld_types, other.meld_types)
    copy_rows(table.keys, other.keys)
    copy_rows(table.seats, other.seats)
    for i in range(t.H_SIZE):
        other.hand[i] = table.hand[i]
    for kind in range(34):
        other.river[kind] = table.river[kind]


@kernel
def held_id(record: Record, seat: int, kind: int, skip: int) -> int:
    """Return an id of a kind in a hand, red fives first, passing over ``skip``; NOBODY if there is none."""
    for tile in range(4 * kind, 4 * kind + 4):
        if record.holder[tile] == seat:
            if skip == 0:
                return tile
            skip -= 1
    return NOBODY


@kernel
def discarded_id(record: Record, supply: Supply, seat: int, kind: int) -> int:
    """Return which id of a kind is discarded: the plain one just drawn, another plain one, a red five."""
    drawn = record.drawn[seat]
    if drawn != NOBODY and supply.tile_of[drawn] == kind:
        return int(drawn)
    best = NOBODY
    for tile in range(4 * kind, 4 * kind + 4):
        if record.holder[tile] == seat and (best == NOBODY or supply.tile_of[tile] < 34):
            best = tile
    return best


@kernel
def shanten_less(keys: I64, kind: int, number: int, melds: int, identical: int, shapes: ShapeTables) -> int:
    """Return the shanten of a hand without ``number`` tiles of a kind."""
    suit, power = kind // 9, number * 5 ** (kind % 9)
    return shanten(
        keys[0] - (power if suit == 0 else 0),
        keys[1] - (power if suit == 1 else 0),
        keys[2] - (power if suit == 2 else 0),
        keys[3] - (power if suit == 3 else 0),
        melds, identical, shapes,
    )  # fmt: skip


@kernel
def note_grown(keys: I64, counts: U8, grown: I64, shapes: ShapeTables) -> None:
    """Write the words of suits with one tile more: all discards but those of the suit share them."""
    for kind in range(34):
        if counts[kind] == 4:
            continue
        suit, key = kind // 9, keys[kind // 9] + 5 ** (kind % 9)
        index = shapes.man[key] if suit == 0 else shapes.honour[key] if suit == 3 else shapes.suit[key]
        grown[kind] = shapes.words[index]


@kernel
def accepted_less(
    keys: I64, counts: U8, grown: I64, kind: int, melds: int, identical: int, shapes: ShapeTables
) -> int:
    """Return the kinds that lower shanten once a kind is discarded; see ``kernels.shapes.acceptance``."""
    words, join, own = shapes.words, shapes.join, kind // 9
    power = 5 ** (kind % 9)
    less = keys[own] - power
    a, b = words[shapes.man[keys[0]]], words[shapes.suit[keys[1]]]
    c, d = words[shapes.suit[keys[2]]], words[shapes.honour[keys[3]]]
    if own == 0:
        a = words[shapes.man[less]]
    elif own == 1:
        b = words[shapes.suit[less]]
    elif own == 2:
        c = words[shapes.suit[less]]
    else:
        d = words[shapes.honour[less]]
    total = a + b + c + d
    left, right = join[a >> CLASS, b >> CLASS], join[c >> CLASS, d >> CLASS]
    now = least_shanten(join[left, right], total, melds, identical, shapes)
    special = melds == 0 and now >= min(
        seven_pairs_shanten(total, identical), thirteen_orphans_shanten(total)
    )
    mask = 0
    for suit in range(4):
        if suit == 0:
            group, word = join[b >> CLASS, right], a
        elif suit == 1:
            group, word = join[a >> CLASS, right], b
        elif suit == 2:
            group, word = join[left, d >> CLASS], c
        else:
            group, word = join[left, c >> CLASS], d
        for one in range(9 * suit, min(9 * suit + 9, 34)):
            if counts[one] == 4 and one != kind:
                continue
            if suit != own:
                after = grown[one]
            else:
                key = less + 5 ** (one % 9)
                index = (
                    shapes.man[key] if suit == 0 else shapes.honour[key] if suit == 3 else shapes.suit[key]
                )
                after = words[index]
            whole = join[group, after >> CLASS]
            lower = shapes.standard[whole, melds] < now
            if special:
                lower = least_shanten(whole, total - word + after, melds, identical, shapes) < now
            mask |= int(lower) << one
    return mask


@kernel
def danger(table: Table, record: Record, seat: int, kind: int, rules: KernelRules) -> int:
    """Rate how dangerous a discard is against riichi and hands of three open melds: 0 is safe."""
    total = 0
    for other in range(rules.players):
        melds, riichi = table.seats[t.S_MELDS, other], table.seats[t.S_RIICHI, other]
        if other == seat or (riichi == 0 and (melds < 3 or table.seats[t.S_OPEN, other] == 0)):
            continue
        safe = table.seats[t.S_RIVER, other] | record.safe[other]
        if safe >> kind & 1:
            continue
        if kind >= 27:
            risk = 4 - int(record.seen[kind])
        else:
            number = kind % 9
            below = number < 3 or safe >> kind - 3 & 1
            above = number > 5 or safe >> kind + 3 & 1
            risk = 2 + (number not in (0, 8))
            if not (below and above):
                risk = 6 + min(number, 8 - number) if number < 3 or number > 5 or not (below or above) else 6
        total += risk * (3 if other == table.hand[t.H_DEALER] else 2) * (2 if riichi else 1) // 2
    return total


@kernel
def choose_discard(
    table: Table, record: Record, seat: int, traits: I64, rules: KernelRules, shapes: ShapeTables
) -> None:
    """Choose a discard from 3n + 2 tiles into ``record.choice``: shanten, live tiles, safety, use."""
    keys, counts, choice, forbidden = (
        table.keys[seat],
        table.counts[seat],
        record.choice,
        table.hand[t.H_KUIKAE],
    )
    melds, identical = table.seats[t.S_MELDS, seat], rules.chiitoitsu_identical_pairs
    least, equals = NOT_HELD, 0
    for kind in range(34):
        record.shantens[kind] = NOT_HELD
        if counts[kind] and not forbidden >> kind & 1:
            now = shanten_less(keys, kind, 1, melds, identical, shapes)
            record.shantens[kind] = now
            equals = equals + 1 if now == least else 1 if now < least else equals
            least = min(least, now)
    for kind in range(34):
        record.seen[kind] = min(t.seen_by(table, seat, kind), 4)
    drawable = drawable_kinds(counts, table.melded[seat], shapes)
    note_grown(keys, counts, record.grown, shapes)
    weight = 0
    for other in range(rules.players):
        if other != seat and (table.seats[t.S_RIICHI, other] or table.seats[t.S_MELDS, other] >= 3):
            weight = traits[DEFENCE] * (1 if least <= 0 else 10 if least == 1 else 100)
    best = -(1 << 40)
    choice[KIND], choice[SHANTEN], choice[MASK] = NOBODY, least, 0
    for kind in range(34):
        now = record.shantens[kind]
        if now == NOT_HELD:
            continue
        mask = 0
        value = -1000 * now + (8 if kind >= 27 else 2 * abs(kind % 9 - 4))
        if weight:
            value -= weight * danger(table, record, seat, kind, rules)
        if now == least and (equals > 1 or least == 0):
            mask = accepted_less(keys, counts, record.grown, kind, melds, identical, shapes)
            mask &= drawable | 1 << kind
            value += 20 * live_tiles(mask, record.seen)
        if value > best:
            best = value
            choice[KIND], choice[SHANTEN], choice[MASK] = kind, record.shantens[kind], mask


@kernel
def choose_wildly(table: Table, record: Record, seat: int) -> int:
    """Return any kind that may be discarded, without a thought."""
    chance(record, 0)
    skip, found = record.random[0] % 14, NOBODY
    while True:
        for kind in range(34):
            if table.counts[seat, kind] and not table.hand[t.H_KUIKAE] >> kind & 1:
                found = kind
                if skip == 0:
                    return kind
                skip -= 1
        if found == NOBODY:
            return found


@kernel
def is_value(table: Table, seat: int, kind: int, rules: KernelRules) -> bool:
    """Tell whether a triplet of a kind is a yaku of its own."""
    hand = table.hand
    own = 27 + (seat - hand[t.H_DEALER]) % rules.players
    return kind > t.NORTH or kind == own or kind == 27 + hand[t.H_WIND]


@kernel
def yaku_in_sight(table: Table, seat: int, mask: int, is_run: bool, rules: KernelRules) -> bool:
    """Tell whether an open hand can hope for a yaku once the kinds in ``mask`` are called."""
    counts, number = table.counts[seat], table.seats[t.S_MELDS, seat]
    outside, strange, twins, suits = 0, 0, 0, 0
    for i in range(number):
        kind, sort = int(table.meld_kinds[seat, i]), table.meld_types[seat, i]
        mask |= (0b111 if sort == t.CHI else 1) << kind
        is_run = is_run or sort == t.CHI
    for kind in range(27, 34):
        if is_value(table, seat, kind, rules) and (mask >> kind & 1 or counts[kind] >= 3):
            return True
    for kind in range(34):
        outside += counts[kind] * (YAOCHUU >> kind & 1)
        twins += counts[kind] >= 2
    for suit in range(3):
        suits += mask >> 9 * suit & 511 != 0
        for kind in range(9 * suit, 9 * suit + 9):
            strange += 0 if mask >> 9 * suit & 511 else counts[kind]
    if rules.kuitan and mask & YAOCHUU == 0 and outside <= 2:
        return True
    return (suits == 1 and strange <= 2) or (not is_run and twins + number >= 5)


@kernel
def least_after(
    table: Table, seat: int, first: int, second: int, forbidden: int, rules: KernelRules, shapes: ShapeTables
) -> int:
    """Return the least shanten when two own kinds are called away; NOT_HELD where none may be discarded."""
    least = NOT_HELD
    keys, counts, melds = table.keys[seat], table.counts[seat], table.seats[t.S_MELDS, seat] + 1
    for kind in (first, second):
        keys[kind // 9] -= 5 ** (kind % 9)
        counts[kind] -= 1
    for kind in range(34):
        if counts[kind] and not forbidden >> kind & 1:
            least = min(least, shanten_less(keys, kind, 1, melds, rules.chiitoitsu_identical_pairs, shapes))
    for kind in (first, second):
        keys[kind // 9] += 5 ** (kind % 9)
        counts[kind] += 1
    return least


@kernel
def choose_call(
    table: Table, record: Record, seat: int, traits: I64, rules: KernelRules, shapes: ShapeTables
) -> tuple[int, int, int]:
    """Choose what a seat calls of the discard on offer: (EventKind or 0, first and second own kind)."""
    hand, keys, counts = table.hand, table.keys[seat], table.counts[seat]
    kind, none = kind_of(hand[t.H_OFFER_TILE]), (0, 0, 0)
    melds = table.seats[t.S_MELDS, seat]
    can_pon = counts[kind] >= 2
    can_chi = rules.chi != 0 and kind < 27 and seat == (hand[t.H_OFFER_SEAT] + 1) % rules.players
    if can_chi:
        near = 0
        for other in range(max(kind - 2, kind // 9 * 9), min(kind + 3, kind // 9 * 9 + 9)):
            near += other != kind and counts[other] != 0
        can_chi = near > 1
    if not (can_pon or can_chi) or traits[CALLS] == 0:
        return none
    now = shanten(keys[0], keys[1], keys[2], keys[3], melds, rules.chiitoitsu_identical_pairs, shapes)
    threat = 0
    for other in range(rules.players):
        threat += other != seat and table.seats[t.S_RIICHI, other] != 0
    limit = now if threat == 0 or traits[DEFENCE] == 0 else 1
    same = 1 << kind if rules.kuikae else 0
    if can_pon and yaku_in_sight(table, seat, 1 << kind, False, rules) and chance(record, traits[CALLS]):
        kan = counts[kind] == 3 and hand[t.H_KANS] < 4 and threat == 0 and chance(record, traits[KANS])
        identical = rules.chiitoitsu_identical_pairs
        if kan and shanten_less(keys, kind, 3, melds + 1, identical, shapes) <= now:
            return t.DAIMINKAN, kind, kind
        if least_after(table, seat, kind, kind, same, rules, shapes) < min(now, limit):
            return t.PON, kind, kind
    for low in range(max(kind - 2, kind // 9 * 9), kind + 1 if can_chi else 0):
        if low % 9 > 6:
            continue
        first, second = low + (low == kind), low + 2 - (low + 2 == kind)
        if not (counts[first] and counts[second] and yaku_in_sight(table, seat, 0b111 << low, True, rules)):
            continue
        forbidden = same
        if rules.kuikae == 2 and low == kind and low % 9 < 6:
            forbidden |= 1 << kind + 3
        elif rules.kuikae == 2 and low + 2 == kind and low % 9 > 0:
            forbidden |= 1 << kind - 3
        if least_after(table, seat, first, second, forbidden, rules, shapes) < min(now, limit):
            return (t.CHI, first, second) if chance(record, traits[CALLS]) else none
    return none


@kernel
def call_if_wanted(
    table: Table, trial: Table, supply: Supply, record: Record, traits: I64, tiles: U8, rules: KernelRules,
    shapes: ShapeTables, log: Log, tries: Log,
) -> bool:  # fmt: skip
    """Let one of the others call the discard: a pon or kan goes before a chi."""
    source = table.hand[t.H_OFFER_SEAT]
    if table.hand[t.H_LIVE] == 0:
        return False
    for go in range(2):
        for turn in range(1, rules.players if go == 0 else 2):
            seat = (source + turn) % rules.players
            if table.seats[t.S_RIICHI, seat]:
                continue
            event, first, second = choose_call(table, record, seat, traits[seat], rules, shapes)
            if event == 0 or (event == t.CHI) != (go == 1):
                continue
            own = held_id(record, seat, first, 0)
            own |= held_id(record, seat, second, 1 if event != t.CHI else 0) << 8
            own |= (held_id(record, seat, first, 2) if event == t.DAIMINKAN else NOBODY) << 16
            copy_table(table, trial)
            tries.counts[0] = 0
            spread(supply, own, tiles)
            offered = table.hand[t.H_OFFER_TILE]
            t.call(trial, event, seat, offered, source, tiles, rules, tries)
            if tries.counts[0] == 0:
                return make_call(table, supply, record, event, seat, own, tiles, rules, log)
    return False


@kernel
def claims_of_others(
    table: Table, supply: Supply, record: Record, traits: I64, claims: WinClaims, rules: KernelRules,
    scoring: Scoring, log: Log, tries: Log, facts: I64,
) -> int:  # fmt: skip
    """Let the others win the tile on offer; returns how many do, in rows 0 on."""
    hand, seats = table.hand, table.seats
    source, tile, number = hand[t.H_OFFER_SEAT], hand[t.H_OFFER_TILE], 0
    for turn in range(1, rules.players):
        seat = (source + turn) % rules.players
        if not seats[t.S_WAITS, seat] >> kind_of(tile) & 1 or seats[t.S_MISSED, seat]:
            continue
        if not chance(record, traits[seat, PASSES]) and claim(
            table, claims, number, seat, source, tile, supply, rules, scoring, tries, facts
        ):  # fmt: skip
            number += 1
    if number == 3 and rules.abort_sanchahou:
        return number
    if rules.head_bump:
        number = min(number, 1)
    settle_wins(table, claims, number, rules, scoring, log, facts)
    return number


@kernel
def kan_if_wanted(
    table: Table, trial: Table, supply: Supply, record: Record, seat: int, traits: I64, tiles: U8,
    rules: KernelRules, shapes: ShapeTables, log: Log, tries: Log,
) -> bool:  # fmt: skip
    """Let the seat to move lay a closed kan or add to a pon, unless that sets its hand back."""
    hand, counts, keys = table.hand, table.counts[seat], table.keys[seat]
    melds, identical = table.seats[t.S_MELDS, seat], rules.chiitoitsu_identical_pairs
    if hand[t.H_KANS] == 4 or hand[t.H_LIVE] == 0:
        return False
    for kind in range(34):
        number, event = counts[kind], t.ANKAN
        for i in range(melds):
            if table.meld_types[seat, i] == t.PON and table.meld_kinds[seat, i] == kind and number:
                event = t.KAKAN
        if not (number == 4 or event == t.KAKAN):
            continue
        least = NOT_HELD
        for other in range(34):
            if counts[other]:
                least = min(least, shanten_less(keys, other, 1, melds, identical, shapes))
        used, more = (4, 1) if event == t.ANKAN else (1, 0)
        if shanten_less(keys, kind, used, melds + more, identical, shapes) > least:
            continue
        if not chance(record, traits[KANS]):
            continue
        tile = held_id(record, seat, kind, used - 1)
        copy_table(table, trial)
        tries.counts[0] = 0
        for i in range(3):
            tiles[i] = supply.tile_of[tile - tile % 4 + i]
        t.own_kan(trial, event, seat, int(supply.tile_of[tile]), tiles, rules, shapes, tries)
        if tries.counts[0] == 0:
            return make_own_kan(table, supply, record, event, tile, tiles, rules, shapes, log)
    return False


@kernel
def kita_if_wanted(
    table: Table, record: Record, seat: int, traits: I64, rules: KernelRules, shapes: ShapeTables, log: Log
) -> bool:
    """Let the seat to move set a north aside, which it nearly always does."""
    is_riichi = table.seats[t.S_RIICHI, seat]
    if rules.kita == 0 or table.hand[t.H_LIVE] == 0 or table.counts[seat, t.NORTH] == 0:
        return False
    if is_riichi and table.seats[t.S_DRAWN, seat] != t.NORTH:
        return False
    if not chance(record, SURE - traits[WILD] - 20):
        return False
    drawn = record.drawn[seat]
    tile = drawn if table.seats[t.S_DRAWN, seat] == t.NORTH else held_id(record, seat, t.NORTH, 0)
    return make_kita(table, record, tile, rules, shapes, log)


@kernel
def own_turn(
    table: Table, trial: Table, supply: Supply, record: Record, traits: I64, tiles: U8, claims: WinClaims,
    draws: DrawClaims, rules: KernelRules, shapes: ShapeTables, scoring: Scoring, log: Log, tries: Log,
    facts: I64,
) -> int:  # fmt: skip
    """What a player does with a drawn tile before the discard: returns the HandEnd, 0 to go on."""
    hand, seats = table.hand, table.seats
    seat = hand[t.H_TURN]
    tile, mine = seats[t.S_DRAWN, seat], traits[seat]
    waiting = seats[t.S_WAITS, seat] >> kind_of(tile) & 1 and not chance(record, mine[PASSES])
    if waiting and claim(table, claims, 0, seat, seat, tile, supply, rules, scoring, tries, facts):
        settle_wins(table, claims, 1, rules, scoring, log, facts)
        return WIN
    if w.may_abort(table, w.KYUUSHU, rules) and chance(record, mine[ABORTS]):
        return end_without_winner(table, record, w.KYUUSHU, draws, rules, shapes, scoring, log)
    if not kita_if_wanted(table, record, seat, mine, rules, shapes, log):
        kan_if_wanted(table, trial, supply, record, seat, mine, tiles, rules, shapes, log, tries)
    return 0


@kernel
def discard_as_wanted(
    table: Table, supply: Supply, record: Record, traits: I64, rules: KernelRules, shapes: ShapeTables,
    log: Log, tries: Log,
) -> None:  # fmt: skip
    """Let the seat to move discard, declaring riichi where it pleases."""
    hand, seats = table.hand, table.seats
    seat = hand[t.H_TURN]
    mine, choice = traits[seat], record.choice
    if seats[t.S_RIICHI, seat]:
        make_discard(table, supply, record, record.drawn[seat], rules, shapes, log)
        return
    choose_discard(table, record, seat, mine, rules, shapes)
    kind = choice[KIND]
    if chance(record, mine[WILD]):
        kind = choose_wildly(table, record, seat)
    elif (
        hand[t.H_PHASE] == t.WAIT_ACT
        and choice[SHANTEN] == 0
        and choice[MASK]
        and seats[t.S_OPEN, seat] == 0
        and chance(record, mine[RIICHI])
    ):
        gone = choice[MASK] & (seats[t.S_RIVER, seat] | 1 << kind)
        tries.counts[0] = 0
        if gone == 0 or chance(record, mine[FURITEN_RIICHI]):
            t.declare(table, seat, rules, tries)
            hand[t.H_PHASE] = t.WAIT_ACT
            if tries.counts[0] == 0:
                make_riichi(table, record, rules, log)
    tile = discarded_id(record, supply, seat, kind)
    make_discard(table, supply, record, tile, rules, shapes, log)


@kernel
def play_hand(
    table: Table, trial: Table, hands: Hands, supply: Supply, record: Record, traits: I64, tiles: U8,
    claims: WinClaims, draws: DrawClaims, rules: KernelRules, shapes: ShapeTables, scoring: Scoring, log: Log,
    tries: Log, facts: I64,
) -> tuple[int, int]:  # fmt: skip
    """Play a hand from the deal to its end; returns (HandEnd, number of winners).

    traits: (4, TRAITS). claims: 3 rows; facts: (3, W_SIZE), both filled for the winners; draws: 1 row.
    A finding in ``log`` afterwards is a fault of this module.
    """
    hand = table.hand
    deal(table, hands, supply, record, rules, shapes, log)
    while log.counts[0] == 0:
        phase = hand[t.H_PHASE]
        if phase == t.WAIT_DRAW and hand[t.H_LIVE] == 0:
            return end_without_winner(table, record, w.EXHAUSTIVE, draws, rules, shapes, scoring, log), 0
        if phase == t.WAIT_DRAW or phase == t.WAIT_SUPPLEMENT:
            make_draw(table, supply, record, rules, log)
            end = own_turn(
                table, trial, supply, record, traits, tiles, claims, draws, rules, shapes, scoring, log,
                tries, facts,
            )  # fmt: skip
            if end:
                return end, int(end == WIN)
        if hand[t.H_PHASE] != t.WAIT_SUPPLEMENT:
            discard_as_wanted(table, supply, record, traits, rules, shapes, log, tries)
        winners = claims_of_others(table, supply, record, traits, claims, rules, scoring, log, tries, facts)
        if winners == 3 and rules.abort_sanchahou:
            return end_without_winner(table, record, w.SANCHAHOU, draws, rules, shapes, scoring, log), 0
        if winners:
            return WIN, winners
        let_pass(table, record, rules, log)
        if hand[t.H_PHASE] == t.WAIT_DRAW:
            for kind in (w.SUUFON, w.SUUCHA, w.SUUKAIKAN):
                if w.may_abort(table, kind, rules):
                    return end_without_winner(table, record, kind, draws, rules, shapes, scoring, log), 0
            call_if_wanted(table, trial, supply, record, traits, tiles, rules, shapes, log, tries)
    return 0, 0
