"""Tenhou's walls from the words of seeds: MT19937, for later seeds SHA-512 over it, and the shuffle.

Numbers of 64 bits are signed, as cells are; :func:`wrapped` brings a sum back among them.
"""

from __future__ import annotations

from paifu.replay.kernels.arrays import I64, I64_2D, U8_2D
from paifu.replay.kernels.records import Record, cells
from paifu.replay.kernels.running import entry, kernel

WORDS = 624
"""Words of the state of MT19937."""
NUMBERS, HASHES = 288, 9
"""Numbers that MT19937 makes for a hand, and how many hashes of 32 numbers each make half as many."""
ROUNDS = 80
SOME_HANDS = 4
"""Whose hashes are made side by side, each in its lane."""
LANES = SOME_HANDS * HASHES
_LOW, _FAR = 0xFFFFFFFF, 397


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


class ShuffleWork(Record):
    """What SHA-512 adds in each round, then its first hash; and room to shuffle in."""

    constants: I64 = cells(ROUNDS + 8)
    padding: I64 = cells(ROUNDS)
    """What each round of a second block adds: all are alike."""
    state: I64 = cells(WORDS)
    numbers: I64 = cells(SOME_HANDS * NUMBERS)
    """Of some hands; hashed, a hand has half as many."""
    words: I64_2D = cells(ROUNDS, LANES)
    """(word of a block, hash) of all hashes of these hands, and so are the words of the hashes."""
    hashes: I64_2D = cells(8, LANES)
    before: I64_2D = cells(8, LANES)


@kernel
def seed_state(words: I64, state: I64) -> None:
    """Seed MT19937 with words, as its init_by_array does."""
    last = state[0] = 19650218
    for i in range(1, WORDS):
        last = state[i] = 1812433253 * (last ^ last >> 30) + i & _LOW
    at = word = 0
    last = 19650218
    for turn in range(max(WORDS, len(words)) + WORDS - 1):
        at += 1
        if at == WORDS:
            state[0], at = last, 1
        mixed = last ^ last >> 30
        if turn < max(WORDS, len(words)):
            last = (int(state[at]) ^ mixed * 1664525 & _LOW) + int(words[word]) + word & _LOW
            word = word + 1 if word + 1 < len(words) else 0
        else:
            last = (int(state[at]) ^ mixed * 1566083941 & _LOW) - at & _LOW
        state[at] = last
    state[0] = 1 << 31


@kernel
def twisted(word: int, following: int, far: int) -> int:
    """Return what comes after a word of the state."""
    both = word & 1 << 31 | following & 0x7FFFFFFF
    return far ^ both >> 1 ^ (both & 1) * 0x9908B0DF


@kernel
def twist(state: I64) -> None:
    """Make the next state."""
    for begin, end, far in ((0, WORDS - _FAR, _FAR), (WORDS - _FAR, WORDS - 1, _FAR - WORDS)):
        for i in range(begin, end):
            state[i] = twisted(int(state[i]), int(state[i + 1]), int(state[i + far]))
    state[WORDS - 1] = twisted(int(state[WORDS - 1]), int(state[0]), int(state[_FAR - 1]))


@kernel
def next_round(words: I64, add: int, a: I64, b: I64, c: I64, d: I64, e: I64, f: I64, g: I64, h: I64) -> None:
    """Do a round of SHA-512 for all hashes; after it, their words begin with ``h``."""
    for lane in range(LANES):
        first, second, third = int(e[lane]), int(a[lane]), int(b[lane])
        new = int(h[lane]) + int(words[lane]) + add + (first & int(f[lane]) ^ ~first & int(g[lane]))
        new += turned(first, 14) ^ turned(first, 18) ^ turned(first, 41)
        d[lane] = wrapped(int(d[lane]) + new)
        new += second & third ^ int(c[lane]) & (second ^ third)
        h[lane] = wrapped(new + (turned(second, 28) ^ turned(second, 34) ^ turned(second, 39)))


@kernel
def compress(work: ShuffleWork, added: I64, step: int) -> None:
    """Take a block into all hashes, from what each round adds and, with a step of 1, the words."""
    words, hashes = work.words, work.hashes
    a, b, c, d = hashes[0], hashes[1], hashes[2], hashes[3]
    e, f, g, h = hashes[4], hashes[5], hashes[6], hashes[7]
    for i in range(8):
        for lane in range(LANES):
            work.before[i, lane] = hashes[i, lane]
    for i in range(0, ROUNDS, 8):
        next_round(words[step * i], int(added[i]), a, b, c, d, e, f, g, h)
        next_round(words[step * (i + 1)], int(added[i + 1]), h, a, b, c, d, e, f, g)
        next_round(words[step * (i + 2)], int(added[i + 2]), g, h, a, b, c, d, e, f)
        next_round(words[step * (i + 3)], int(added[i + 3]), f, g, h, a, b, c, d, e)
        next_round(words[step * (i + 4)], int(added[i + 4]), e, f, g, h, a, b, c, d)
        next_round(words[step * (i + 5)], int(added[i + 5]), d, e, f, g, h, a, b, c)
        next_round(words[step * (i + 6)], int(added[i + 6]), c, d, e, f, g, h, a, b)
        next_round(words[step * (i + 7)], int(added[i + 7]), b, c, d, e, f, g, h, a)
    for i in range(8):
        for lane in range(LANES):
            hashes[i, lane] = wrapped(int(hashes[i, lane]) + int(work.before[i, lane]))


@kernel
def expand(words: I64_2D) -> None:
    """Fill in the words of the blocks of SHA-512 after their first 16."""
    for i in range(16, ROUNDS):
        for lane in range(LANES):
            old, new = int(words[i - 15, lane]), int(words[i - 2, lane])
            low = turned(old, 1) ^ turned(old, 8) ^ old >> 7 & (1 << 57) - 1
            high = turned(new, 19) ^ turned(new, 61) ^ new >> 6 & (1 << 58) - 1
            words[i, lane] = wrapped(int(words[i - 16, lane]) + low + int(words[i - 7, lane]) + high)


@kernel
def hash_numbers(work: ShuffleWork) -> None:
    """Replace each 32 numbers of a hand by the 16 of their hash."""
    words, numbers = work.words, work.numbers
    for lane in range(LANES):
        first = 32 * lane
        for i in range(16):
            high, low = swapped(int(numbers[first + 2 * i])), swapped(int(numbers[first + 2 * i + 1]))
            words[i, lane] = wrapped(high << 32 | low)
    expand(words)
    for i in range(8):
        for lane in range(LANES):
            work.hashes[i, lane] = work.constants[ROUNDS + i]
    compress(work, work.constants, 1)
    for lane in range(LANES):
        words[0, lane] = 0
    compress(work, work.padding, 0)
    for lane in range(LANES):
        out = lane // HASHES * NUMBERS + lane % HASHES * 16
        for i in range(8):
            word = int(work.hashes[i, lane])
            numbers[out + 2 * i], numbers[out + 2 * i + 1] = swapped(word >> 32 & _LOW), swapped(word & _LOW)


@kernel
def pad(work: ShuffleWork) -> None:
    """Prepare the second blocks: the bit after 1,024 bits, and that number."""
    for i in range(16):
        work.words[i, 0] = 0
    work.words[0, 0], work.words[15, 0] = wrapped(1 << 63), 1024
    expand(work.words)
    for i in range(ROUNDS):
        work.padding[i] = wrapped(int(work.words[i, 0]) + int(work.constants[i]))


@entry
def shuffle(
    words: I64, ends: I64, hands: I64, is_hashed: bool, work: ShuffleWork, first_die: int, walls: U8_2D,
    dice: U8_2D,
) -> None:  # fmt: skip
    """Shuffle the rows of ``walls`` in place, those of each game by the numbers that its seed makes.

    words: of all seeds, those of a seed up to its place in ``ends``. hands: how many rows each game has.
    dice: (rows, 2), filled from the number ``first_die`` of a hand and the next one.
    """
    pad(work)
    numbers, state, tiles = work.numbers, work.state, walls.shape[1]
    begin = row = 0
    for game in range(len(ends)):
        seed_state(words[begin : ends[game]], state)
        begin, at = ends[game], WORDS
        for done in range(0, hands[game], SOME_HANDS):
            some = min(SOME_HANDS, hands[game] - done)
            begun = 0
            while begun < some * NUMBERS:
                if at == WORDS:
                    twist(state)
                    at = 0
                more = min(some * NUMBERS - begun, WORDS - at)
                for i in range(more):
                    number = int(state[at + i])
                    number ^= number >> 11
                    number ^= number << 7 & 0x9D2C5680
                    number ^= number << 15 & 0xEFC60000
                    numbers[begun + i] = number ^ number >> 18
                begun, at = begun + more, at + more
            if is_hashed:
                hash_numbers(work)
            for first in range(0, some * NUMBERS, NUMBERS):
                for i in range(tiles - 1):
                    number, left = int(numbers[first + i]), tiles - i
                    j = i + number - int(number / left) * left  # exact, and faster than a remainder
                    walls[row, i], walls[row, j] = walls[row, j], walls[row, i]
                die = first + first_die
                dice[row, 0], dice[row, 1] = numbers[die] % 6, numbers[die + 1] % 6
                row += 1
