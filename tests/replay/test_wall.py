"""The wall from the seed: against MT19937 and the recipe in plain Python, and against every real log."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt
import pytest
from case_data import case_data
from each_row import each_row
from hypothesis import given
from hypothesis import strategies as st
from tenhou_walls import walls

from paifu.replay.model.tiles import NO_TILE
from paifu.replay.walls.layout import dealt_places
from paifu.replay.walls.tenhou import (
    LAYOUTS,
    PER_GAME,
    PER_GAME_HEX,
    PER_HAND,
    Seed,
    deal_indices,
    layout_of,
    live_indices,
    make_seed,
    parse_seed,
    shuffled,
)

MASK = 0xFFFFFFFF


def twister(words: list[int]) -> Iterator[int]:
    """MT19937 seeded by an array, as its authors describe it, one step after the other."""
    state = [19650218]
    for i in range(1, 624):
        state.append((1812433253 * (state[-1] ^ (state[-1] >> 30)) + i) & MASK)
    i, j = 1, 0

    def mixed(i: int, factor: int) -> int:
        return state[i] ^ ((state[i - 1] ^ (state[i - 1] >> 30)) * factor)

    for _ in range(max(624, len(words))):
        state[i] = (mixed(i, 1664525) + words[j] + j) & MASK
        i, j = i + 1, (j + 1) % len(words)
        if i == 624:
            state[0], i = state[623], 1
    for _ in range(623):
        state[i] = (mixed(i, 1566083941) - i) & MASK
        i += 1
        if i == 624:
            state[0], i = state[623], 1
    state[0] = 0x80000000
    while True:
        for k in range(624):
            y = (state[k] & 0x80000000) | (state[(k + 1) % 624] & 0x7FFFFFFF)
            state[k] = state[(k + 397) % 624] ^ (y >> 1) ^ (0x9908B0DF if y & 1 else 0)
        for y in state:
            y ^= y >> 11
            y ^= (y << 7) & 0x9D2C5680
            y ^= (y << 15) & 0xEFC60000
            yield y ^ (y >> 18)


def plain_numbers(kind: str, words: list[int], hands: int) -> list[list[int]]:
    stream = twister(words)
    if kind == PER_HAND:
        return [[next(stream) for _ in range(288)]]
    result = []
    for _ in range(hands):
        numbers = []
        for _ in range(9):
            block = b"".join(next(stream).to_bytes(4, "little") for _ in range(32))
            digest = hashlib.sha512(block).digest()
            numbers += [int.from_bytes(digest[i : i + 4], "little") for i in range(0, 64, 4)]
        result.append(numbers)
    return result


def plain_wall(numbers: list[int], players: int) -> list[int]:
    ids = [i for i in range(136) if players == 4 or not 4 <= i < 32]
    for i in range(len(ids) - 1):
        j = i + numbers[i] % (len(ids) - i)
        ids[i], ids[j] = ids[j], ids[i]
    return ids


def plain_deal(wall: list[int], players: int, dealer: int) -> list[list[int]]:
    left = list(wall)
    hands: list[list[int]] = [[] for _ in range(4)]
    for size in (4, 4, 4, 1):
        for turn in range(players):
            hands[(dealer + turn) % players] += [left.pop() for _ in range(size)]
    return [hand + [NO_TILE] * (13 - len(hand)) for hand in hands]


def text_of(kind: str, words: list[int]) -> str:
    if kind == PER_GAME:
        data = b"".join(word.to_bytes(4, "little") for word in words)
        return f"{kind},{base64.b64encode(data).decode()}"
    return ",".join([kind, *(f"{word:08X}" for word in words)])


def test_the_twister_of_this_test_gives_its_authors_numbers() -> None:
    stream = twister([0x123, 0x234, 0x345, 0x456])
    assert [next(stream) for _ in range(5)] == [1067595299, 955945823, 477289528, 4107218783, 4228976476]


@pytest.mark.parametrize(("kind", "players"), sorted(LAYOUTS))
@pytest.mark.parametrize("size", [8, 32, 624])
def test_walls_follow_the_recipe(kind: str, players: int, size: int) -> None:
    words = [(0x9E3779B9 * (i + size)) & MASK for i in range(size)]
    seed = parse_seed(text_of(kind, words))
    hands = 1 if kind == PER_HAND else 5
    expected = plain_numbers(kind, words, hands)
    found = list(walls(seed, hands, players))
    assert len(found) == len(expected) == hands
    for wall, numbers in zip(found, expected, strict=True):
        plain = plain_wall(numbers, players)
        assert wall.ids.tolist() == plain
        assert wall.players == players
        for dealer in range(players):
            assert wall.dealt(dealer).tolist() == plain_deal(plain, players, dealer)
        rest = plain[: len(plain) - 13 * players]
        assert wall.live.tolist() == rest[:13:-1]
        assert wall.dice == tuple(numbers[at] % 6 for at in layout_of(seed, players).dice)


@given(st.integers(), st.sampled_from([3, 4]))
def test_every_tile_of_a_made_wall_lies_in_one_place(number: int, players: int) -> None:
    seed = parse_seed(make_seed(number))
    assert len(seed.words) == 4 * 624
    (wall,) = walls(seed, 1, players)
    assert sorted(wall.ids) == [i for i in range(136) if players == 4 or not 4 <= i < 32]
    fixed = [*wall.supplements, *wall.indicators, *wall.ura]
    assert len(set(fixed)) == len(fixed) == (14 if players == 4 else 18)
    dealt = wall.dealt(players - 1)
    dealt = dealt[dealt != NO_TILE]
    dead = set(fixed) - set(wall.live.tolist())
    assert sorted([*dealt, *wall.live, *dead]) == sorted(wall.ids)


def test_made_seeds_are_fixed_and_differ() -> None:
    assert make_seed(7) == make_seed(7)
    assert len({make_seed(number) for number in range(-5, 50)}) == 55
    first, _ = shuffled([(parse_seed(make_seed(1)), 1)], 4)
    assert first[0, -13:].tolist() == [15, 115, 73, 86, 6, 1, 32, 9, 74, 13, 63, 90, 71]


@each_row(("text", "message"), case_data("refused_texts")["seeds"].items())
def test_seeds_that_are_none(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_seed(text)


def test_walls_that_nobody_knows() -> None:
    with pytest.raises(ValueError, match="with 3 players is not known"):
        list(walls(Seed(PER_GAME_HEX, bytes(8)), 1, 3))
    with pytest.raises(ValueError, match="one wall, not 2"):
        list(walls(Seed(PER_HAND, bytes(8)), 2, 4))


# --- real logs -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("shared", [deal_indices, live_indices, dealt_places])
def test_nobody_can_change_tables_that_all_walls_share(
    shared: Callable[[int], npt.NDArray[np.int16]], players: int
) -> None:
    with pytest.raises(ValueError, match="read-only"):
        shared(players)[0] = 0
