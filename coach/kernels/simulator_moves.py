"""Moves of a hand that is played, not replayed, made through the engine's own transitions.

Each takes the next tile of the :class:`Supply` or a physical tile of a hand, runs the transition that a
replay runs, and writes the event down. Scripted hands use them directly.

Seats, tiles and kinds as in :mod:`~paifu.replay.kernels.table_state`; ids are physical tiles.
"""

from __future__ import annotations

from typing import NamedTuple

from paifu.replay.kernels import codes, legal, transitions
from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import I64, I64_2D, U8, U8_2D
from paifu.replay.kernels.claims import DrawClaims, HandClaims, WinClaims
from paifu.replay.kernels.draws import hand_draw
from paifu.replay.kernels.fouls import state_foul
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


class PlayState(NamedTuple):
    """Where a hand is played: the table, its tiles and players, and what its moves are written into."""

    table: TableState
    hands: HandClaims
    """One row: the hand as it is dealt."""
    supply: Supply
    record: Course
    traits: I64_2D
    """(4, T_SIZE) how the players behave; see ``simulate.games.Player``."""
    tiles: U8
    """(3,) scratch."""
    claims: WinClaims
    """3 rows, filled for the winners."""
    draws: DrawClaims
    """1 row."""
    rules: KernelRules
    shapes: ShapeTables
    scoring: Scoring
    notes: Notes
    """A finding in them after a move is a fault of what made it."""
    tries: Notes
    """Of wins that are only tried."""
    facts: I64_2D
    """3 rows of ``ScoredWins``."""


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
def make_flower(play: PlayState, seat: int, tile: int) -> bool:
    """Let a seat set a flower aside, whose code is ``tile``."""
    write(play.record, state.BONUS, seat, tile, NOBODY, NO_OWN)
    return transitions.flower(play.table, seat, int(play.supply.tile_of[tile]), play.rules, play.notes)


@kernel
def deal(play: PlayState) -> bool:
    """Deal the hand in row 0 of ``hands``, whose tiles come from the supply."""
    hands, supply, record, rules = play.hands, play.supply, play.record, play.rules
    record.length = 0
    record.holder[:] = NOBODY
    record.drawn[:] = NOBODY
    record.safe[:] = 0
    record.hidden = 0
    # Hands as the supply has them.
    for seat in range(rules.players):
        for i in range(13):
            tile = supply.dealt[seat, i]
            hands.dealt[0, seat, i] = supply.tile_of[tile]
            record.holder[tile] = seat
    hands.dora[0] = supply.tile_of[supply.indicators[0]]
    is_dealt = set_up(play.table, hands, 0, rules, play.shapes, play.notes)
    # Flowers that were dealt are set aside before the first draw.
    for i in range(state.FLOWERS if rules.flowers_dora else 0):
        if supply.flowers[i] != NOBODY:
            make_flower(play, int(supply.owners[i]), int(supply.flowers[i]))
    return is_dealt


@kernel
def turn_due(play: PlayState, due: int) -> None:
    """Turn indicators until ``due`` lie open."""
    table, supply, notes = play.table, play.supply, play.notes
    while table.turned < min(due, 5) and notes.counts[0] == 0:
        tile = int(supply.indicators[table.turned])
        transitions.turn_dora(table, int(supply.tile_of[tile]), play.rules, notes)
        write(play.record, state.DORA, NOBODY, tile, NOBODY, NO_OWN)


@kernel
def make_draw(play: PlayState) -> bool:
    """Let the seat to move draw the next tile, indicators that are due first, and set flowers aside.

    False, and nothing drawn, where these take the last tiles of the wall.
    """
    table, supply, record, rules = play.table, play.supply, play.record, play.rules
    seat = table.turn
    # From the wall: what kans leave due, whether there is a tile, whether it is a flower.
    if table.phase != state.WAIT_SUPPLEMENT:
        if rules.kan_dora_timing >= state.AFTER_DISCARD:
            turn_due(play, 1 + table.kans * rules.kan_dora)
        if table.live == 0:
            return False
        tile = int(supply.live[table.draws])
        if rules.flowers_dora and supply.tile_of[tile] >= state.FLOWER:
            make_flower(play, seat, tile)
    # From the dead wall, until it is not a flower.
    while table.phase == state.WAIT_SUPPLEMENT:
        turn_due(play, state.dora_due(table, rules, False))
        tile = int(supply.supplements[table.supplements])
        if rules.flowers_dora == 0 or supply.tile_of[tile] < state.FLOWER:
            break
        if not make_flower(play, seat, tile):
            return False
    write(record, state.DRAW, seat, tile, NOBODY, NO_OWN)
    record.holder[tile] = seat
    record.drawn[seat] = tile
    table.newest = tile
    return transitions.draw(table, seat, int(supply.tile_of[tile]), rules, play.notes)


@kernel
def make_discard(play: PlayState, tile: int) -> bool:
    """Let the seat to move discard an id."""
    table, record, rules = play.table, play.record, play.rules
    seat = table.turn
    turn_due(play, state.dora_due(table, rules, True))
    flags = state.TSUMOGIRI if record.drawn[seat] == tile else 0
    write(record, state.DISCARD, seat, tile, NOBODY, NO_OWN)
    record.holder[tile] = NOBODY
    record.drawn[seat] = NOBODY
    return transitions.discard(
        table, seat, int(play.supply.tile_of[tile]), flags, rules, play.shapes, play.notes
    )


@kernel
def make_riichi(play: PlayState, is_open: bool) -> bool:
    """Let the seat to move declare riichi, with the hand shown or not; its discard follows."""
    table, record = play.table, play.record
    seat, flags = table.turn, state.OPEN if is_open else 0
    write(record, state.RIICHI, seat, NOBODY, NOBODY, NO_OWN)
    record.words[record.length - 1] |= flags << _FLAGS
    return transitions.declare(table, seat, flags, play.rules, play.notes)


@kernel
def let_pass(play: PlayState) -> None:
    """Nobody has won the tile on offer: a riichi stick is paid, the tile is safe against riichi."""
    table, record = play.table, play.record
    bit = 1 << kind_of(table.offer_tile)
    for seat in range(4):
        if table.riichi[seat]:
            record.safe[seat] |= bit
    if table.unpaid != NOBODY:
        write(record, state.RIICHI_PAID, table.unpaid, NOBODY, NOBODY, NO_OWN)
        transitions.pay_riichi(table, table.unpaid, play.rules, play.notes)


@kernel
def spread(supply: Supply, own: int, tiles: U8) -> None:
    """Write the tiles of up to three own ids (bytes)."""
    for i in range(3):
        tiles[i] = supply.tile_of[own >> 8 * i & 255]


@kernel
def make_call(play: PlayState, kind: int, seat: int, own: int) -> bool:
    """Call the discard on offer with the ids of ``own``."""
    table, supply, record, tiles = play.table, play.supply, play.record, play.tiles
    at = record.length - 1
    # An indicator may have been turned since the discard.
    while record.words[at] & 31 != state.DISCARD:
        at -= 1
    tile, source = int(record.words[at] >> _TILE & 255), table.offer_seat
    write(record, kind, seat, tile, source, own)
    # The caller's own tiles lie open now.
    for i in range(3 if kind == state.DAIMINKAN else 2):
        record.holder[own >> 8 * i & 255] = NOBODY
    spread(supply, own, tiles)
    return transitions.call(
        table, kind, seat, int(supply.tile_of[tile]), source, tiles, play.rules, play.notes
    )


@kernel
def make_own_kan(play: PlayState, kind: int, tile: int) -> bool:
    """Let the seat to move lay a closed kan with the ids of a kind, or add an id to its pon."""
    table, supply, record, tiles = play.table, play.supply, play.record, play.tiles
    seat, source, own = table.turn, NOBODY, 0
    first = tile - tile % 4
    if kind == state.ANKAN:
        # Closed: all four, the one that is named first.
        at = 0
        for i in range(first, first + 4):
            record.holder[i] = NOBODY
            if i != tile:
                own |= i << at
                at += 8
    else:
        # Added: the pon says whose tile was called.
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
    return transitions.own_kan(
        table, kind, seat, int(supply.tile_of[tile]), tiles, play.rules, play.shapes, play.notes
    )


@kernel
def make_kita(play: PlayState, tile: int) -> bool:
    """Let the seat to move set a north aside."""
    table, record = play.table, play.record
    seat = table.turn
    write(record, state.KITA, seat, tile, NOBODY, NO_OWN)
    record.holder[tile] = NOBODY
    record.drawn[seat] = NOBODY
    return transitions.kita(table, seat, state.NORTH, play.rules, play.shapes, play.notes)


@kernel
def claim(play: PlayState, row: int, seat: int, source: int, tile: int) -> bool:
    """Put a win into ``claims[row]``; False if it is not one. ``tile`` is 0-36.

    What the hand is worth is in ``facts[row]`` once all that win are known: see :func:`settle_wins`.
    """
    table, claims, supply, tries = play.table, play.claims, play.supply, play.tries
    claims.seat[row], claims.source[row], claims.tile[row] = seat, source, tile
    claims.liable[row] = NOBODY
    for i in range(5):
        claims.ura[row, i] = supply.tile_of[supply.ura[i]]
    # Tried, so that what is found costs nothing.
    tries.counts[0] = 0
    fact, liable = play.facts[row], table.liable[seat]
    if not win(table, claims, row, row, row + 1, play.rules, play.scoring, tries, fact):
        return False
    # Whatever is found, except liability, says that this is not a win.
    for i in range(tries.counts[0]):
        if tries.rows[i, NOTED.code] != codes.LIABILITY:
            return False
    # Who has to answer for a yakuman of it.
    for other in range(4):
        if other != source and (liable[other] & fact[SCORED.yaku] or liable[other] & layout.LIABLE_FOR_ALL):
            claims.liable[row] = other
    return True


@kernel
def settle_wins(play: PlayState, number: int) -> None:
    """Score the wins in the first rows of ``claims`` into ``facts``."""
    for row in range(number):
        win(play.table, play.claims, row, 0, number, play.rules, play.scoring, play.notes, play.facts[row])


@kernel
def end_without_winner(play: PlayState, kind: int) -> int:
    """End the hand in a draw; an exhaustive one becomes nagashi where it is. Returns the HandEnd.

    ``scoring.work.changes`` hold the payments, ``draws.tenpai`` (row 0) who was tenpai.
    """
    table, record, draws, rules = play.table, play.record, play.draws, play.rules
    # A foul that comes out at the draw ends the hand in its place.
    if kind == legal.EXHAUSTIVE and legal.fouled(table, legal.AT_A_DRAW, rules) != NOBODY:
        kind, table.offender = legal.CHOMBO, legal.fouled(table, legal.AT_A_DRAW, rules)
    elif kind == legal.EXHAUSTIVE and table.fouls:
        state_due(play, legal.AT_A_DRAW)
        if table.due_cost:
            kind, table.offender = legal.CHOMBO, table.due_seat
    # A river of terminals and honours, of which none was called.
    if kind == legal.EXHAUSTIVE and rules.nagashi:
        for seat in range(rules.players):
            if table.nagashi[seat]:
                kind = legal.NAGASHI
    # Everybody shows whether they are tenpai, except those who say noten.
    draws.kind[0] = kind
    for seat in range(4):
        draws.tenpai[0, seat] = 0 if record.hidden >> seat & 1 else NOBODY
    tenpai = hand_draw(table, draws, 0, rules, play.shapes, play.scoring, play.notes)
    for seat in range(4):
        draws.tenpai[0, seat] = tenpai >> seat & 1
    offender = table.offender if kind == legal.CHOMBO else NOBODY
    write(record, state.HAND_DRAW, offender, NOBODY, NOBODY, NO_OWN)
    return kind


@kernel
def make_foul(play: PlayState, seat: int, kind: int, ruled: int) -> None:
    """State a foul of a seat; ``ruled`` is its cost where the table rules on it, else 0."""
    record = play.record
    write(record, state.FOUL, seat, _KINDS_FROM + kind, NOBODY, NO_OWN)
    record.words[record.length - 1] |= ruled << _RULED
    state_foul(play.table, seat, kind, ruled, play.rules, play.scoring, play.notes)


@kernel
def state_due(play: PlayState, moment: int) -> None:
    """State the fouls in riichi that come out at a moment, without those that end the hand by themselves."""
    table, rules = play.table, play.rules
    for seat in range(rules.players if table.fouls else 0):
        ending = legal.costs_chombo(table, seat, moment, rules)
        found = legal.due(table, seat, moment, rules) & legal.OF_RIICHI & ~ending
        for kind in (state.NOTEN_RIICHI, state.SPOILING_KAN):
            if found >> kind & 1 and table.due_cost == 0:
                make_foul(play, seat, kind, 0)


@kernel
def held_id(record: Course, seat: int, kind: int, skip: int) -> int:
    """Return an id of a kind in a hand, red fives first, passing over ``skip``; NOBODY if there is none."""
    for tile in range(4 * kind, 4 * kind + 4):
        if record.holder[tile] == seat:
            if skip == 0:
                return tile
            skip -= 1
    return NOBODY
