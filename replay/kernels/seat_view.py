"""A hand as one seat sees it, and what a simulated player in that seat does.

The table of a seat holds its own tiles and what lies open. Of the hands of others it holds nothing: a tile
comes into play when its owner shows it. So no choice can depend on what is hidden. A choice is made by the
kernels of the simulator: they play on a copy of the table, and what they did there is the answer.

Seats, tiles and kinds as in :mod:`~paifu.replay.kernels.table_state`.
"""

from __future__ import annotations

from paifu.replay.kernels import legal, transitions
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import I64, I64_2D, U8
from paifu.replay.kernels.claims import DrawClaims, HandClaims, WinClaims
from paifu.replay.kernels.legal import SUUCHA, SUUFON, SUUKAIKAN, may_abort
from paifu.replay.kernels.notes import Notes
from paifu.replay.kernels.records import Record, cells
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.running import entry, kernel
from paifu.replay.kernels.shapes import ShapeTables
from paifu.replay.kernels.simulator_judgement import Judge, begin_watching, think_of_calls, watch
from paifu.replay.kernels.simulator_moves import (
    NO_OWN,
    Course,
    Supply,
    deal,
    let_pass,
    make_kita,
    make_own_kan,
    write,
)
from paifu.replay.kernels.simulator_play import (
    WON,
    call_if_wanted,
    claims_of_others,
    discard_as_wanted,
    id_of,
    own_turn,
)
from paifu.replay.kernels.table_state import NOBODY, TableState, kind_of
from paifu.replay.kernels.wins import Scoring

MOST_MOVES = 8
"""Moves that an answer has room for."""


class SeatMind(Record):
    """What a seat keeps in mind."""

    seat: int
    """Whose view it is."""
    pending: int
    """Nobody has passed the tile on offer yet."""


class ShownMove(Record):
    """A move as it is shown. Tiles are 0-36, NOBODY for none."""

    kind: int
    seat: int
    tile: int
    source: int
    flags: int
    own: I64 = cells(3)


class SeatAnswer(Record):
    """What a seat does."""

    end: int
    """How the hand ends by it (a HandEnd), 0 for not."""
    moves: int
    """How many; none is to pass."""
    words: I64 = cells(MOST_MOVES)
    """The moves, as packed words."""


@kernel
def copy_table(table: TableState, other: TableState) -> None:
    """Make ``other`` a copy of ``table``, where moves can be tried."""
    for i in range(len(table.whole)):
        other.whole[i] = table.whole[i]


@kernel
def copy_record(record: Course, other: Course) -> None:
    """Copy what has been played, and where the tiles are."""
    for at in range(record.length):
        other.words[at] = record.words[at]
    for tile in range(136):
        other.holder[tile] = record.holder[tile]
    for seat in range(4):
        other.drawn[seat], other.safe[seat] = record.drawn[seat], record.safe[seat]
    other.length, other.hidden = record.length, 0
    other.random = record.random


@kernel
def fresh_id(used: U8, supply: Supply, tile: int) -> int:
    """Take an id of a tile that has not been seen yet; NOBODY where there is none."""
    first = 4 * int(kind_of(tile))
    for number in range(first, first + 4):
        if used[number] == 0 and supply.tile_of[number] == tile:
            used[number] = 1
            return number
    return NOBODY


@kernel
def reveal(table: TableState, seat: int, tile: int, number: int, rules: KernelRules, notes: Notes) -> bool:
    """Put tiles that another shows into its hand, until it holds ``number`` of them there."""
    while table.held[seat, tile] < number:
        if not state.see(table, tile, rules, notes):
            return False
        state.take(table, seat, tile)
    return True


@entry
def begin_view(
    table: TableState, hands: HandClaims, supply: Supply, record: Course, mind: SeatMind, rules: KernelRules,
    shapes: ShapeTables, notes: Notes, judge: Judge,
) -> bool:  # fmt: skip
    """Begin the hand in row 0 of ``hands``; what the supply deals to the others is taken away again."""
    me = mind.seat
    mind.pending = 0
    notes.counts[0] = 0
    is_dealt = deal(table, hands, supply, record, rules, shapes, notes)
    for seat in range(rules.players):
        if seat == me:
            continue
        for tile in range(37):
            table.seen[tile] -= table.held[seat, tile]
            table.held[seat, tile] = 0
        for kind in range(34):
            table.counts[seat, kind] = 0
        for suit in range(4):
            table.keys[seat, suit] = 0
        for i in range(13):
            record.holder[supply.dealt[seat, i]] = NOBODY
        table.waits[seat] = 0
    begin_watching(judge)
    return is_dealt


@kernel
def follow_discard(
    table: TableState, supply: Supply, record: Course, used: U8, mind: SeatMind, move: ShownMove,
    rules: KernelRules, shapes: ShapeTables, notes: Notes,
) -> bool:  # fmt: skip
    """Follow a discard."""
    seat, tile, flags = move.seat, move.tile, move.flags
    if seat == mind.seat:
        number = id_of(record, supply, seat, tile)
    elif reveal(table, seat, tile, 1, rules, notes):
        number = fresh_id(used, supply, tile)
    else:
        number = NOBODY
    if number == NOBODY:
        return False
    write(record, state.DISCARD, seat, number, NOBODY, NO_OWN)
    record.holder[number] = NOBODY
    record.drawn[seat] = NOBODY
    mind.pending = 1
    return transitions.discard(table, seat, tile, flags, rules, shapes, notes)


@kernel
def follow_call(
    table: TableState, supply: Supply, record: Course, used: U8, mind: SeatMind, move: ShownMove, tiles: U8,
    rules: KernelRules, notes: Notes, judge: Judge,
) -> bool:  # fmt: skip
    """Follow a chi, a pon or an open kan."""
    kind, seat, tile = move.kind, move.seat, move.tile
    own = NO_OWN
    for i in range(3 if kind == state.DAIMINKAN else 2):
        part = int(move.own[i])
        if part >= 37:
            return False
        tiles[i] = part
        if seat == mind.seat:
            number = id_of(record, supply, seat, part)
            if number == NOBODY:
                return False
            record.holder[number] = NOBODY
            own = own & ~(255 << 8 * i) | number << 8 * i
        else:
            needed = 1
            for j in range(i):
                needed += move.own[j] == part
            if not reveal(table, seat, part, needed, rules, notes):
                return False
            fresh_id(used, supply, part)
    at = record.length - 1
    while at >= 0 and record.words[at] & 31 != state.DISCARD:
        at -= 1
    called = int(record.words[at] >> 11 & 255) if at >= 0 else NOBODY
    if seat == mind.seat:
        write(record, kind, seat, called, move.source, own)
    followed = transitions.call(table, kind, seat, tile, move.source, tiles, rules, notes)
    watch(table, judge, state.CHI, seat, NOBODY, rules)
    return followed


@kernel
def follow_kan(
    table: TableState, supply: Supply, record: Course, used: U8, mind: SeatMind, move: ShownMove, tiles: U8,
    rules: KernelRules, shapes: ShapeTables, notes: Notes,
) -> bool:  # fmt: skip
    """Follow a closed kan, a tile added to a pon, or a north set aside."""
    kind, seat, tile = move.kind, move.seat, move.tile
    mind.pending = 1
    if seat == mind.seat:
        number = id_of(record, supply, seat, tile)
        if number == NOBODY:
            return False
        if kind == state.KITA:
            return make_kita(table, record, number, rules, shapes, notes)
        if kind == state.ANKAN and table.counts[seat, kind_of(tile)] < 4:
            return False
        for i in range(3):
            tiles[i] = supply.tile_of[number - number % 4 + i]
        return make_own_kan(table, supply, record, kind, number, tiles, rules, shapes, notes)
    if kind == state.ANKAN:
        for i in range(3):
            part = int(move.own[i])
            if part >= 37 or kind_of(part) != kind_of(tile):
                return False
            tiles[i] = part
            needed = 1 + (part == tile)
            for j in range(i):
                needed += move.own[j] == part
            if not reveal(table, seat, part, needed, rules, notes):
                return False
            fresh_id(used, supply, part)
    if not reveal(table, seat, tile, 1, rules, notes):
        return False
    fresh_id(used, supply, tile)
    if kind == state.KITA:
        return transitions.kita(table, seat, tile, rules, shapes, notes)
    return transitions.own_kan(table, kind, seat, tile, tiles, rules, shapes, notes)


@entry
def follow_move(
    table: TableState, supply: Supply, record: Course, used: U8, mind: SeatMind, move: ShownMove, tiles: U8,
    rules: KernelRules, shapes: ShapeTables, notes: Notes, judge: Judge,
) -> bool:  # fmt: skip
    """Follow a move, its tiles known; False where the table cannot.

    A draw of another comes together with the move that shows what it may have been. When indicators are
    turned is the matter of the server.
    """
    kind, seat, tile = move.kind, move.seat, move.tile
    me = mind.seat
    notes.counts[0] = 0
    if kind != state.DORA and mind.pending:
        watch(table, judge, table.offer, table.offer_seat, table.offer_tile, rules)
        let_pass(table, record, rules, notes)
        mind.pending = 0
    if kind == state.RIICHI_PAID:
        return True
    if kind == state.RIICHI:
        return transitions.declare(table, seat, 0, rules, notes)
    if tile >= 37 and kind != state.BONUS:
        return False
    if kind == state.DORA:
        is_turned = transitions.turn_dora(table, tile, rules, notes)
        watch(table, judge, state.DORA, NOBODY, NOBODY, rules)
        return is_turned
    followed = False
    if kind == state.DRAW:
        if seat == me:
            number = fresh_id(used, supply, tile)
            if number == NOBODY:
                return False
            record.holder[number] = seat
            record.drawn[seat] = number
        followed = transitions.draw(table, seat, tile, rules, notes)
    elif kind == state.BONUS:
        followed = transitions.flower(table, seat, tile, rules, notes)
    elif kind == state.DISCARD:
        followed = follow_discard(table, supply, record, used, mind, move, rules, shapes, notes)
    elif state.CHI <= kind <= state.DAIMINKAN:
        followed = follow_call(table, supply, record, used, mind, move, tiles, rules, notes, judge)
    elif state.ANKAN <= kind <= state.KITA:
        followed = follow_kan(table, supply, record, used, mind, move, tiles, rules, shapes, notes)
    # What a bot is told of an indicator may come after the move for which it is due.
    table.turned -= table.missing
    table.missing = 0
    for other in range(rules.players):
        if other != me:
            table.waits[other] = 0
    return followed


@kernel
def keep_tenpai(table: TableState, seat: int, rules: KernelRules, shapes: ShapeTables) -> None:
    """Forbid the discards that would make a declared riichi wrong, unless all would."""
    tiles, allowed = legal.discards(table, seat, rules, shapes), 0
    for tile in range(37):
        allowed |= (tiles >> tile & 1) << kind_of(tile)
    if allowed:
        table.kuikae = ~allowed
    table.phase = state.WAIT_DISCARD


@entry
def choose_move(
    table: TableState, play: TableState, supply: Supply, record: Course, shadow: Course, mind: SeatMind,
    traits: I64_2D, tiles: U8, claims: WinClaims, draws: DrawClaims, rules: KernelRules,
    shapes: ShapeTables, scoring: Scoring, notes: Notes, tries: Notes, facts: I64_2D, judge: Judge,
    answer: SeatAnswer,
) -> None:  # fmt: skip
    """Let the seat choose, on a copy of its table, and write its moves into ``answer``; none is to pass.

    traits: (4, T_SIZE), zero except for the seat's own.
    """
    me = mind.seat
    copy_table(table, play)
    copy_record(record, shadow)
    notes.counts[0] = 0
    answer.whole[:] = 0
    first = shadow.length
    phase, is_own = play.phase, play.turn == me
    if is_own and phase == state.WAIT_ACT:
        end = own_turn(
            play, supply, shadow, traits, tiles, claims, draws, rules, shapes, scoring, notes, tries, facts,
            judge,
        )  # fmt: skip
        answer.end = end
        if end == 0 and play.phase != state.WAIT_SUPPLEMENT:
            discard_as_wanted(play, supply, shadow, traits, rules, shapes, scoring, notes, judge)
    elif is_own and (phase == state.WAIT_DISCARD or phase == state.WAIT_DECLARED):
        if phase == state.WAIT_DECLARED:
            keep_tenpai(play, me, rules, shapes)
        discard_as_wanted(play, supply, shadow, traits, rules, shapes, scoring, notes, judge)
    elif play.offer and play.offer_seat != me:
        if claims_of_others(play, supply, shadow, traits, claims, rules, scoring, notes, tries, facts):
            answer.end = WON
        elif play.offer == state.DISCARD:
            notes.counts[0] = 0
            think_of_calls(play, traits, rules, shapes, scoring, judge)
            let_pass(play, shadow, rules, notes)
            for kind in (SUUFON, SUUCHA, SUUKAIKAN):
                if may_abort(play, kind, rules):
                    return
            call_if_wanted(play, supply, shadow, traits, tiles, rules, shapes, notes, judge)
    for at in range(first, shadow.length):
        if answer.moves < MOST_MOVES:
            answer.words[answer.moves] = shadow.words[at]
            answer.moves += 1
