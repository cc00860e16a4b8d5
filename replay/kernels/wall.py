"""Tenhou's walls from the words of seeds: MT19937, for later seeds SHA-512 over it, and the shuffle.

Numbers of 64 bits are signed, as cells are; :func:`wrapped` brings a sum back among them.
"""

from __future__ import annotations

from paifu.replay.kernels.arrays import I64, U8_2D
from paifu.replay.kernels.running import entry, kernel

WORDS = 624
"""Words of the state of MT19937."""
NUMBERS, HASHES = 288, 9
"""Numbers that MT19937 makes for a hand, and how many hashes of 32 numbers each make half as many."""
ROUNDS = 80
_LOW = 0xFFFFFFFF


@kernel
def wrapped(number: int) -> int:
    """Return the signed number of 64 bits that has the lowest bits of a number."""
    return number & 0x7FFFFFFFFFFFFFFF | -(number >> 63 & 1) << 63


@kernel
def turned(number: int, by: int) -> int:
    """Turn the 64 bits of a number to the right; only the lowest 64 bits of the result mean something."""
    return number >> by & (1 << 64 - by) - 1 | number << 64 - by


@kernel
def swapped(word: int) -> int:
    """Return the four bytes of a word in reverse."""
    return (word & 255) << 24 | (word & 65280) << 8 | word >> 8 & 65280 | word >> 24 & 255


@kernel
def seed_state(words: I64, state: I64) -> None:
    """Seed MT19937 with words, as its init_by_array does."""
    state[0] = 19650218
    for i in range(1, WORDS):
        state[i] = 1812433253 * (state[i - 1] ^ state[i - 1] >> 30) + i & _LOW
    at = word = 0
    for turn in range(max(WORDS, len(words)) + WORDS - 1):
        at += 1
        if at == WORDS:
            state[0], at = state[WORDS - 1], 1
        mixed = state[at - 1] ^ state[at - 1] >> 30
        if turn < max(WORDS, len(words)):
            state[at] = (state[at] ^ mixed * 1664525 & _LOW) + words[word] + word & _LOW
            word = (word + 1) % len(words)
        else:
            state[at] = (state[at] ^ mixed * 1566083941 & _LOW) - at & _LOW
    state[0] = 1 << 31


@kernel
def twist(state: I64) -> None:
    """Make the next state."""
    for i in range(WORDS):
        both = state[i] & 1 << 31 | state[(i + 1) % WORDS] & 0x7FFFFFFF
        state[i] = state[(i + 397) % WORDS] ^ both >> 1 ^ (both & 1) * 0x9908B0DF


@kernel
def compress(added: I64, a: int, b: int, c: int, d: int, e: int, f: int, g: int, h: int) -> tuple[
    int, int, int, int, int, int, int, int
]:  # fmt: skip
    """Return SHA-512's hash after a block, from the hash before it and what each round adds."""
    before = a, b, c, d, e, f, g, h
    for i in range(ROUNDS):
        first = h + (turned(e, 14) ^ turned(e, 18) ^ turned(e, 41)) + (e & f ^ ~e & g) + int(added[i])
        second = (turned(a, 28) ^ turned(a, 34) ^ turned(a, 39)) + (a & b ^ a & c ^ b & c)
        h, g, f, e, d, c, b, a = g, f, e, wrapped(d + first), c, b, a, wrapped(first + second)
    return (
        wrapped(a + before[0]), wrapped(b + before[1]), wrapped(c + before[2]), wrapped(d + before[3]),
        wrapped(e + before[4]), wrapped(f + before[5]), wrapped(g + before[6]), wrapped(h + before[7]),
    )  # fmt: skip


@kernel
def expand(block: I64) -> None:
    """Fill in the words of a block of SHA-512 after its first 16."""
    for i in range(16, ROUNDS):
        old, new = int(block[i - 15]), int(block[i - 2])
        low = turned(old, 1) ^ turned(old, 8) ^ old >> 7 & (1 << 57) - 1
        high = turned(new, 19) ^ turned(new, 61) ^ new >> 6 & (1 << 58) - 1
        block[i] = wrapped(int(block[i - 16]) + low + int(block[i - 7]) + high)


@kernel
def hashed(numbers: I64, first: int, out: int, constants: I64, block: I64, padding: I64) -> None:
    """Replace 32 numbers from ``first`` on by the 16 of their hash, from ``out`` on, which is not later."""
    for i in range(16):
        at = first + 2 * i
        high, low = swapped(int(numbers[at])), swapped(int(numbers[at + 1]))
        block[i] = wrapped(high << 32 | low)
    expand(block)
    for i in range(ROUNDS):
        block[i] = wrapped(int(block[i]) + int(constants[i]))
    a, b, c, d, e, f, g, h = compress(
        block, int(constants[ROUNDS]), int(constants[ROUNDS + 1]), int(constants[ROUNDS + 2]),
        int(constants[ROUNDS + 3]), int(constants[ROUNDS + 4]), int(constants[ROUNDS + 5]),
        int(constants[ROUNDS + 6]), int(constants[ROUNDS + 7]),
    )  # fmt: skip
    for i, word in enumerate(compress(padding, a, b, c, d, e, f, g, h)):
        numbers[out + 2 * i] = swapped(word >> 32 & _LOW)
        numbers[out + 2 * i + 1] = swapped(word & _LOW)


@entry
def shuffle(
    words: I64, ends: I64, hands: I64, is_hashed: bool, constants: I64, scratch: I64, first_die: int,
    walls: U8_2D, dice: U8_2D,
) -> None:  # fmt: skip
    """Shuffle the rows of ``walls`` in place, those of each game by the numbers that its seed makes.

    words: of all seeds, those of a seed up to its place in ``ends``. hands: how many rows each game has.
    constants: (ROUNDS + 8,) what SHA-512 adds in each round, then its first hash. scratch: (WORDS + NUMBERS +
    2 * ROUNDS,). dice: (rows, 2), filled from the number ``first_die`` of a hand and the next one.
    """
    state, numbers = scratch[:WORDS], scratch[WORDS : WORDS + NUMBERS]
    block = scratch[WORDS + NUMBERS : WORDS + NUMBERS + ROUNDS]
    padding = scratch[WORDS + NUMBERS + ROUNDS : WORDS + NUMBERS + 2 * ROUNDS]
    padding[:16] = 0
    padding[0], padding[15] = wrapped(1 << 63), 1024  # the bit after 1,024 bits
    expand(padding)
    for i in range(ROUNDS):
        padding[i] = wrapped(int(padding[i]) + int(constants[i]))
    begin = row = 0
    tiles = walls.shape[1]
    for game in range(len(ends)):
        seed_state(words[begin : ends[game]], state)
        begin, at = ends[game], WORDS
        for _ in range(hands[game]):
            for i in range(NUMBERS):
                if at == WORDS:
                    twist(state)
                    at = 0
                number = state[at]
                at += 1
                number ^= number >> 11
                number ^= number << 7 & 0x9D2C5680
                number ^= number << 15 & 0xEFC60000
                numbers[i] = number ^ number >> 18
            for i in range(HASHES if is_hashed else 0):
                hashed(numbers, 32 * i, 16 * i, constants, block, padding)
            for i in range(tiles - 1):
                j = i + numbers[i] % (tiles - i)
                kept = walls[row, i]
                walls[row, i] = walls[row, j]
                walls[row, j] = kept
            dice[row, 0], dice[row, 1] = numbers[first_die] % 6, numbers[first_die + 1] % 6
            row += 1
