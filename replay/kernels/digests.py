"""Numbers that say what was dealt and discarded in a hand, which copies of it share.

Numbers of 64 bits are signed, as cells are. 0 stands for what is hidden, or is not there.
"""

from __future__ import annotations

from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import I32, I64, U8, U8_3D
from paifu.replay.kernels.running import entry, kernel
from paifu.replay.kernels.wall import wrapped

_HIDDEN = 255


@kernel
def mixed(number: int) -> int:
    """Scatter a number over all 64 bits (the finaliser of splitmix64)."""
    number = wrapped(number - 0x61C8864680B583EB)
    number = wrapped((number ^ number >> 30 & (1 << 34) - 1) * -0x40A7B892E31B1A47)
    number = wrapped((number ^ number >> 27 & (1 << 37) - 1) * -0x6B2FB644ECCEEE15)
    return number ^ number >> 31 & (1 << 33) - 1


@entry
def digest_deals(dealt: U8_3D, dealers: U8, players: U8, by_turn: bool, found: I64) -> None:
    """Put into ``found`` (hands,) which tiles each seat but the dealer was dealt, in whatever order.

    dealt: (hands, 4, 13). players: of each hand's game. With ``by_turn`` seats are counted from the dealer.
    """
    for hand in range(len(dealt)):
        dealer, total, is_hidden = min(int(dealers[hand]), 3), 0, False
        for seat in range(4):
            is_there = seat < players[hand]
            if seat == dealer or (by_turn and not is_there):
                continue
            place = (seat - dealer) % int(players[hand]) if by_turn else seat
            for i in range(dealt.shape[2]):
                tile = int(dealt[hand, seat, i])
                is_hidden |= is_there and tile == _HIDDEN
                total = wrapped(total + mixed(256 * place + tile))
        found[hand] = 0 if is_hidden else mixed(total)


@entry
def digest_plays(begins: I32, ends: I32, kinds: U8, seats: U8, tiles: U8, found: I64) -> None:
    """Put into ``found`` (hands,) all discards in order. Events are given from ``begins`` to ``ends``."""
    for hand in range(len(begins)):
        number = total = 0
        for event in range(begins[hand], ends[hand]):
            if kinds[event] == state.DISCARD:
                total = wrapped(total + mixed(number << 16 | int(seats[event]) << 8 | int(tiles[event])))
                number += 1
        found[hand] = mixed(total) if number else 0
