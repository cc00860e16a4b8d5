"""Moves of a hand that is played, not replayed, made through the engine's own transitions.

Each takes the next tile of the :class:`Supply` or a physical tile of a hand, runs the transition that a
replay runs, and writes the event down. Scripted hands use them directly.

Seats, tiles and kinds as in :mod:`~paifu.replay.kernels.table_state`; ids are physical tiles.
"""

from __future__ import annotations

from paifu.replay.kernels import codes, transitions
from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import I64, I64_2D, U8, U8_2D
from paifu.replay.kernels.claims import DrawClaims, HandClaims, WinClaims
from paifu.replay.kernels.draws import hand_draw
from paifu.replay.kernels.fouls import state_foul
from paifu.replay.kernels.legal import (
    AT_A_DRAW,
    CHOMBO,
    EXHAUSTIVE,
    NAGASHI,
    OF_RIICHI,
    costs_chombo,
    due,
    fouled,
)
from paifu.replay.kernels.notes import Notes
from paifu.replay.kernels.records import Record, cells
from paifu.replay.kernels.replay import set_up
from paifu.replay.kernels.rows import NOTED, SCORED
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.running import kernel
from paifu.replay.kernels.shapes import ShapeTables
from paifu.replay.kernels.table_state import NOBODY, TableState, kind_of
from paifu.replay.kernels.wins import Scoring, win

MOST_DRAWS = 136 - 2 * 13 - 6
"""Draws from the wall with two players, where they draw up to the indicators."""
MAX_WORDS = 512
"""Events that a hand has room for; the longest has about 170, that of two players 230."""
_SEAT, _SOURCE, _TILE, _OWN, _FLAGS = 5, 8, 11, 19, 43
"""Where the parts of an event's word begin, as in ``events``."""


class Supply(Record):
    """The tiles of a hand, as ids: what is dealt, drawn and turned."""

    dealt: U8_2D = cells(4, 13)
    live: U8 = cells(MOST_DRAWS)
    """Of which four players use 70 and three 55, or 59 with flowers."""
    supplements: U8 = cells(8)
    """Of which four players use 4."""
    indicators: U8 = cells(5)
    ura: U8 = cells(5)
    flowers: U8 = cells(4)
    """Flowers that were dealt, NOBODY for none; ``dealt`` holds the tiles that replace them."""
    owners: U8 = cells(4)
    """Seat of each of them."""
    tile_of: U8 = cells(256)
    """Tile of each id."""


class Course(Record):
    """What has been played of a hand, and where each physical tile is."""

    length: int
    """Events so far."""
    hidden: int
    """Seats (bits) that declare noten at a draw although they may be tenpai."""
    random: int
    """State of the players' random numbers."""
    chosen_kind: int
    """The best discard, with the shanten after it and the kinds that it accepts, as bits."""
    chosen_shanten: int
    chosen_mask: int
    words: I64 = cells(MAX_WORDS)
    """Events as packed words."""
    drawn: I64 = cells(4)
    """Id drawn in this turn, or NOBODY."""
    safe: I64 = cells(4)
    """Kinds that no longer win against a seat in riichi."""
    shantens: I64 = cells(34)
    """Scratch."""
    grown: I64 = cells(34)
    """Scratch: of each kind, the word (see ``ShapeTables``) of its suit with one more tile of it."""
    holder: U8 = cells(136)
    """Seat that holds an id concealed, NOBODY for the others."""
    seen: U8 = cells(34)
    """Scratch: what a player sees."""


_KINDS_FROM, _RULED = 136, _FLAGS + 2
"""What is added to a kind of foul in the place of a tile; where its cost begins."""
NO_OWN = 0xFFFFFF
"""``own`` of an event without own tiles."""


@kernel
def write(record: Course, kind: int, seat: int, tile: int, source: int, own: int) -> None:
    """Write an event down; ``own`` are the bytes of up to three own ids."""
    at = record.length
    record.length += 1
    word = kind | (seat & 7) << _SEAT | (source & 7) << _SOURCE | tile << _TILE
    record.words[at] = word | own << _OWN


@kernel
def make_flower(
    table: TableState, supply: Supply, record: Course, seat: int, tile: int, rules: KernelRules, notes: Notes
) -> bool:
    """Let a seat set a flower aside, whose code is ``tile``."""
    write(record, state.BONUS, seat, tile, NOBODY, NO_OWN)
    return transitions.flower(table, seat, int(supply.tile_of[tile]), rules, notes)


@kernel
def deal(
    table: TableState, hands: HandClaims, supply: Supply, record: Course, rules: KernelRules,
    shapes: ShapeTables, notes: Notes,
) -> bool:  # fmt: skip
    """Deal the hand in row 0 of ``hands``, whose tiles come from the supply."""
    record.length = 0
    record.holder[:] = NOBODY
    record.drawn[:] = NOBODY
    record.safe[:] = 0
    record.hidden = 0
    for seat in range(rules.players):
        for i in range(13):
            tile = supply.dealt[seat, i]
            hands.dealt[0, seat, i] = supply.tile_of[tile]
            record.holder[tile] = seat
    hands.dora[0] = supply.tile_of[supply.indicators[0]]
    is_dealt = set_up(table, hands, 0, rules, shapes, notes)
    for i in range(state.FLOWERS if rules.flowers_dora else 0):
        if supply.flowers[i] != NOBODY:
            make_flower(table, supply, record, int(supply.owners[i]), int(supply.flowers[i]), rules, notes)
    return is_dealt


@kernel
def turn_due(
    table: TableState, supply: Supply, record: Course, due: int, rules: KernelRules, notes: Notes
) -> None:
    """Turn indicators until ``due`` lie open."""
    while table.turned < min(due, 5) and notes.counts[0] == 0:
        tile = int(supply.indicators[table.turned])
        transitions.turn_dora(table, int(supply.tile_of[tile]), rules, notes)
        write(record, state.DORA, NOBODY, tile, NOBODY, NO_OWN)


@kernel
def make_draw(table: TableState, supply: Supply, record: Course, rules: KernelRules, notes: Notes) -> bool:
    """Let the seat to move draw the next tile, indicators that are due first, and set flowers aside.

    False, and nothing drawn, where these take the last tiles of the wall.
    """
    seat = table.turn
    if table.phase != state.WAIT_SUPPLEMENT:
        if rules.kan_dora_timing >= state.AFTER_DISCARD:
            turn_due(table, supply, record, 1 + table.kans * rules.kan_dora, rules, notes)
        if table.live == 0:
            return False
        tile = int(supply.live[table.draws])
        if rules.flowers_dora and supply.tile_of[tile] >= state.FLOWER:
            make_flower(table, supply, record, seat, tile, rules, notes)
    while table.phase == state.WAIT_SUPPLEMENT:
        turn_due(table, supply, record, state.dora_due(table, rules, False), rules, notes)
        tile = int(supply.supplements[table.supplements])
        if rules.flowers_dora == 0 or supply.tile_of[tile] < state.FLOWER:
            break
        if not make_flower(table, supply, record, seat, tile, rules, notes):
            return False
    write(record, state.DRAW, seat, tile, NOBODY, NO_OWN)
    record.holder[tile] = seat
    record.drawn[seat] = tile
    table.newest = tile
    return transitions.draw(table, seat, int(supply.tile_of[tile]), rules, notes)


@kernel
def make_discard(
    table: TableState,
    supply: Supply,
    record: Course,
    tile: int,
    rules: KernelRules,
    shapes: ShapeTables,
    notes: Notes,
) -> bool:
    """Let the seat to move discard an id."""
    seat = table.turn
    turn_due(table, supply, record, state.dora_due(table, rules, True), rules, notes)
    flags = state.TSUMOGIRI if record.drawn[seat] == tile else 0
    write(record, state.DISCARD, seat, tile, NOBODY, NO_OWN)
    record.holder[tile] = NOBODY
    record.drawn[seat] = NOBODY
    return transitions.discard(table, seat, int(supply.tile_of[tile]), flags, rules, shapes, notes)


@kernel
def make_riichi(table: TableState, record: Course, is_open: bool, rules: KernelRules, notes: Notes) -> bool:
    """Let the seat to move declare riichi, with the hand shown or not; its discard follows."""
    seat, flags = table.turn, state.OPEN if is_open else 0
    write(record, state.RIICHI, seat, NOBODY, NOBODY, NO_OWN)
    record.words[record.length - 1] |= flags << _FLAGS
    return transitions.declare(table, seat, flags, rules, notes)


@kernel
def let_pass(table: TableState, record: Course, rules: KernelRules, notes: Notes) -> None:
    """Nobody has won the tile on offer: a riichi stick is paid, the tile is safe against riichi."""
    bit = 1 << kind_of(table.offer_tile)
    for seat in range(4):
        if table.riichi[seat]:
            record.safe[seat] |= bit
    if table.unpaid != NOBODY:
        write(record, state.RIICHI_PAID, table.unpaid, NOBODY, NOBODY, NO_OWN)
        transitions.pay_riichi(table, table.unpaid, rules, notes)


@kernel
def spread(supply: Supply, own: int, tiles: U8) -> None:
    """Write the tiles of up to three own ids (bytes)."""
    for i in range(3):
        tiles[i] = supply.tile_of[own >> 8 * i & 255]


@kernel
def make_call(
    table: TableState, supply: Supply, record: Course, kind: int, seat: int, own: int, tiles: U8,
    rules: KernelRules, notes: Notes,
) -> bool:  # fmt: skip
    """Call the discard on offer with the ids of ``own``; ``tiles`` (3,) is scratch."""
    at = record.length - 1
    while record.words[at] & 31 != state.DISCARD:
        at -= 1
    tile, source = int(record.words[at] >> _TILE & 255), table.offer_seat
    write(record, kind, seat, tile, source, own)
    for i in range(3 if kind == state.DAIMINKAN else 2):
        record.holder[own >> 8 * i & 255] = NOBODY
    spread(supply, own, tiles)
    return transitions.call(table, kind, seat, int(supply.tile_of[tile]), source, tiles, rules, notes)


@kernel
def make_own_kan(
    table: TableState, supply: Supply, record: Course, kind: int, tile: int, tiles: U8, rules: KernelRules,
    shapes: ShapeTables, notes: Notes,
) -> bool:  # fmt: skip
    """Let the seat to move lay a closed kan with the ids of a kind, or add an id to its pon."""
    seat, source, own = table.turn, NOBODY, 0
    first = tile - tile % 4
    if kind == state.ANKAN:
        at = 0
        for i in range(first, first + 4):
            record.holder[i] = NOBODY
            if i != tile:
                own |= i << at
                at += 8
    else:
        record.holder[tile] = NOBODY
        for at in range(record.length):
            word = record.words[at]
            same = (word >> _TILE & 255) // 4 == first // 4
            if word & 31 == state.PON and word >> _SEAT & 7 == seat and same:
                source = word >> _SOURCE & 7
                own = word >> _TILE & 255 | (word >> _OWN & 0xFFFF) << 8
    write(record, kind, seat, tile, source, own)
    record.drawn[seat] = NOBODY
    spread(supply, own, tiles)
    return transitions.own_kan(table, kind, seat, int(supply.tile_of[tile]), tiles, rules, shapes, notes)


@kernel
def make_kita(
    table: TableState, record: Course, tile: int, rules: KernelRules, shapes: ShapeTables, notes: Notes
) -> bool:
    """Let the seat to move set a north aside."""
    seat = table.turn
    write(record, state.KITA, seat, tile, NOBODY, NO_OWN)
    record.holder[tile] = NOBODY
    record.drawn[seat] = NOBODY
    return transitions.kita(table, seat, state.NORTH, rules, shapes, notes)


@kernel
def claim(
    table: TableState, claims: WinClaims, row: int, seat: int, source: int, tile: int, supply: Supply,
    rules: KernelRules, scoring: Scoring, tries: Notes, facts: I64_2D,
) -> bool:  # fmt: skip
    """Put a win into ``claims[row]``; False if it is not one. ``tile`` is 0-36.

    What the hand is worth is in ``facts[row]`` once all that win are known: see :func:`settle_wins`.
    """
    claims.seat[row], claims.source[row], claims.tile[row] = seat, source, tile
    claims.liable[row] = NOBODY
    for i in range(5):
        claims.ura[row, i] = supply.tile_of[supply.ura[i]]
    tries.counts[0] = 0
    fact, liable = facts[row], table.liable[seat]
    if not win(table, claims, row, row, row + 1, rules, scoring, tries, fact):
        return False
    for i in range(tries.counts[0]):
        if tries.rows[i, NOTED.code] != codes.LIABILITY:
            return False
    for other in range(4):
        if other != source and (liable[other] & fact[SCORED.yaku] or liable[other] & layout.LIABLE_FOR_ALL):
            claims.liable[row] = other
    return True


@kernel
def settle_wins(
    table: TableState,
    claims: WinClaims,
    number: int,
    rules: KernelRules,
    scoring: Scoring,
    notes: Notes,
    facts: I64_2D,
) -> None:
    """Score the wins in the first rows of ``claims`` into ``facts``."""
    for row in range(number):
        win(table, claims, row, 0, number, rules, scoring, notes, facts[row])


@kernel
def end_without_winner(
    table: TableState, record: Course, kind: int, draws: DrawClaims, rules: KernelRules, shapes: ShapeTables,
    scoring: Scoring, notes: Notes,
) -> int:  # fmt: skip
    """End the hand in a draw; an exhaustive one becomes nagashi where it is. Returns the HandEnd.

    ``scoring.work.changes`` hold the payments, ``draws.tenpai`` (row 0) who was tenpai.
    """
    if kind == EXHAUSTIVE and fouled(table, AT_A_DRAW, rules) != NOBODY:
        kind, table.offender = CHOMBO, fouled(table, AT_A_DRAW, rules)
    elif kind == EXHAUSTIVE and table.fouls:
        state_due(table, record, AT_A_DRAW, rules, scoring, notes)
        if table.due_cost:
            kind, table.offender = CHOMBO, table.due_seat
    if kind == EXHAUSTIVE and rules.nagashi:
        for seat in range(rules.players):
            if table.nagashi[seat]:
                kind = NAGASHI
    draws.kind[0] = kind
    for seat in range(4):
        draws.tenpai[0, seat] = 0 if record.hidden >> seat & 1 else NOBODY
    tenpai = hand_draw(table, draws, 0, rules, shapes, scoring, notes)
    for seat in range(4):
        draws.tenpai[0, seat] = tenpai >> seat & 1
    offender = table.offender if kind == CHOMBO else NOBODY
    write(record, state.HAND_DRAW, offender, NOBODY, NOBODY, NO_OWN)
    return kind


@kernel
def make_foul(
    table: TableState, record: Course, seat: int, kind: int, ruled: int, rules: KernelRules,
    scoring: Scoring, notes: Notes,
) -> None:  # fmt: skip
    """State a foul of a seat; ``ruled`` is its cost where the table rules on it, else 0."""
    write(record, state.FOUL, seat, _KINDS_FROM + kind, NOBODY, NO_OWN)
    record.words[record.length - 1] |= ruled << _RULED
    state_foul(table, seat, kind, ruled, rules, scoring, notes)


@kernel
def state_due(
    table: TableState, record: Course, moment: int, rules: KernelRules, scoring: Scoring, notes: Notes
) -> None:
    """State the fouls in riichi that come out at a moment, without those that end the hand by themselves."""
    for seat in range(rules.players if table.fouls else 0):
        found = due(table, seat, moment, rules) & OF_RIICHI & ~costs_chombo(table, seat, moment, rules)
        for kind in (state.NOTEN_RIICHI, state.SPOILING_KAN):
            if found >> kind & 1 and table.due_cost == 0:
                make_foul(table, record, seat, kind, 0, rules, scoring, notes)


@kernel
def held_id(record: Course, seat: int, kind: int, skip: int) -> int:
    """Return an id of a kind in a hand, red fives first, passing over ``skip``; NOBODY if there is none."""
    for tile in range(4 * kind, 4 * kind + 4):
        if record.holder[tile] == seat:
            if skip == 0:
                return tile
            skip -= 1
    return NOBODY
