"""Tile encodings and MPSZ notation."""

from __future__ import annotations

import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paifu.replay.model import tiles as t

TILES = st.lists(st.integers(0, 36))


@given(TILES)
def test_notation_comes_back(tiles: list[int]) -> None:
    assert t.parse_tiles(t.format_tiles(tiles)) == tiles


@given(TILES)
def test_blanks_and_single_tiles_read_alike(tiles: list[int]) -> None:
    assert t.parse_tiles(" ".join(map(t.tile_name, tiles))) == tiles


@pytest.mark.parametrize(
    ("text", "tiles"),
    [
        ("", []),
        ("19m19p19s1234567z", list(t.TERMINALS_AND_HONOURS)),
        ("0m0p0s", [34, 35, 36]),
        ("55m5p\t0p 5s", [4, 4, 13, 35, 22]),
        ("1m1p1m", [0, 9, 0]),
    ],
)
def test_parse_tiles(text: str, tiles: list[int]) -> None:
    assert t.parse_tiles(text) == tiles


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("8z", "'8z' is not a tile"),
        ("0z", "'0z' is not a tile"),
        ("12", "'12' at the end of '12' has no suit letter"),
        ("m", "'m' in 'm': expected digits"),
        ("1mm", "'m' in '1mm'"),
        ("1x", "'x' in '1x'"),
        ("1M", "'M' in '1M'"),
        ("１m", "'１' in '１m'"),
        ("²m", "'²' in '²m'"),
        ("1m?", "'?' in '1m?'"),
    ],
)
def test_what_is_no_notation_is_named(text: str, message: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011  the message is looked at
        t.parse_tiles(text)
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ["", "5", "55m", "9z", "0z", "m5", "5m "])
def test_one_tile_is_one_tile(text: str) -> None:
    with pytest.raises(ValueError, match="is not a tile; write 1m-9m"):
        t.parse_tile(text)


def test_every_tile_has_its_own_name_and_kind() -> None:
    names = [t.tile_name(tile) for tile in range(t.TILES)]
    assert len(set(names)) == t.TILES
    assert [t.parse_tile(name) for name in names] == list(range(t.TILES))
    assert [name for tile, name in enumerate(names) if t.is_red(tile)] == ["0m", "0p", "0s"]
    assert [t.kind_of(tile) for tile in range(t.TILES)] == [*range(34), 4, 13, 22]
    assert t.kind_of(t.NO_TILE) == t.NO_TILE
    assert t.tile_name(t.NO_TILE) == "??"


SUITS = {"m": "CHARACTERS", "p": "CIRCLES", "s": "BAMBOOS"}
NUMBERS = ("ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE")
HONOURS = ("EAST WIND", "SOUTH WIND", "WEST WIND", "NORTH WIND", "WHITE DRAGON", "GREEN DRAGON", "RED DRAGON")


@pytest.mark.parametrize("tile", range(t.TILES))
def test_characters_are_those_that_unicode_names(tile: int) -> None:
    name = t.tile_name(t.kind_of(tile))
    number = int(name[0]) - 1
    expected = HONOURS[number] if name[1] == "z" else f"{NUMBERS[number]} OF {SUITS[name[1]]}"
    assert unicodedata.name(t.tile_glyph(tile)) == f"MAHJONG TILE {expected}"


def test_a_hidden_tile_shows_its_back() -> None:
    assert unicodedata.name(t.tile_glyph(t.NO_TILE)) == "MAHJONG TILE BACK"
    assert t.format_tiles([0, t.NO_TILE, 1, 2]) == "1m?23m"


@given(st.lists(st.sampled_from([*range(37), 255])))
def test_sorting_goes_by_suit_then_number_with_reds_first(tiles: list[int]) -> None:
    keys = [(t.kind_of(tile), not t.is_red(tile)) for tile in t.sort_tiles(tiles)]
    assert keys == sorted(keys)
    assert sorted(t.sort_tiles(tiles)) == sorted(tiles)


@given(st.lists(st.sampled_from([*range(37), 255])))
def test_counts_leave_hidden_tiles_out(tiles: list[int]) -> None:
    counts = t.counts_of(tiles)
    assert counts.shape == (34,)
    assert counts.dtype == np.uint8
    known = [t.kind_of(tile) for tile in tiles if tile != t.NO_TILE]
    assert counts.tolist() == [known.count(kind) for kind in range(34)]


def test_three_players_do_without_man_2_to_8() -> None:
    assert t.format_tiles(t.SANMA_ABSENT_KINDS) == "2345678m"


def test_ids_and_red_fives() -> None:
    assert [t.tile_name(int(t.TILE_OF_ID_RED[i])) for i in (0, 3, 4, 16, 17, 52, 53, 88, 135)] == [
        "1m", "1m", "2m", "0m", "5m", "0p", "5p", "0s", "7z",
    ]  # fmt: skip
    assert t.TILE_OF_ID_PLAIN[:136].tolist() == [i // 4 for i in range(136)]
    assert set(t.TILE_OF_ID_RED[136:].tolist()) == {t.NO_TILE}
    assert np.flatnonzero(t.tile_of_id_table((16, 17)) == t.RED_MAN).tolist() == [16, 17]


@pytest.mark.parametrize("red", [0, 15, 20, 108, 136, 255, -120])
def test_only_fives_can_be_red(red: int) -> None:
    with pytest.raises(ValueError, match="is not a five"):
        t.tile_of_id_table((red,))
