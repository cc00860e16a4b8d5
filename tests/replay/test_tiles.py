"""Tile encodings and MPSZ notation."""

from __future__ import annotations

import numpy as np
import pytest
from case_data import case_data
from each_row import each_row
from hypothesis import given
from hypothesis import strategies as st

from paifu.replay.model import tile_notation
from paifu.replay.model import tiles as model

TILES = st.lists(st.integers(0, 36))


@given(TILES)
def test_notation_comes_back(tiles: list[int]) -> None:
    assert tile_notation.parse_tiles(tile_notation.format_tiles(tiles)) == tiles


@given(TILES)
def test_blanks_and_single_tiles_read_alike(tiles: list[int]) -> None:
    assert tile_notation.parse_tiles(" ".join(map(tile_notation.tile_name, tiles))) == tiles


@each_row(
    ("text", "tiles"),
    [
        ("", []),
        ("19m19p19s1234567z", list(model.TERMINALS_AND_HONOURS)),
        ("0m0p0s", [34, 35, 36]),
        ("55m5p\t0p 5s", [4, 4, 13, 35, 22]),
        ("1m1p1m", [0, 9, 0]),
    ],
)
def test_parse_tiles(text: str, tiles: list[int]) -> None:
    assert tile_notation.parse_tiles(text) == tiles


@each_row(("text", "message"), case_data("refused_texts")["tiles"].items())
def test_what_is_no_notation_is_named(text: str, message: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011  the message is looked at
        tile_notation.parse_tiles(text)
    assert message in str(caught.value)


@each_row("text", ["", "5", "55m", "9z", "0z", "m5", "5m "])
def test_one_tile_is_one_tile(text: str) -> None:
    with pytest.raises(ValueError, match="is not a tile; write 1m-9m"):
        tile_notation.parse_tile(text)


def test_every_tile_has_its_own_name_and_kind() -> None:
    names = [tile_notation.tile_name(tile) for tile in range(model.TILES)]
    assert len(set(names)) == model.TILES
    assert [tile_notation.parse_tile(name) for name in names] == list(range(model.TILES))
    assert [name for tile, name in enumerate(names) if model.is_red(tile)] == ["0m", "0p", "0s"]
    assert [model.kind_of(tile) for tile in range(model.TILES)] == [*range(34), 4, 13, 22]
    assert model.kind_of(model.NO_TILE) == model.NO_TILE
    assert tile_notation.tile_name(model.NO_TILE) == "??"


def test_a_hidden_tile_is_a_question_mark() -> None:
    assert tile_notation.format_tiles([0, model.NO_TILE, 1, 2]) == "1m?23m"


@given(st.lists(st.sampled_from([*range(37), 255])))
def test_sorting_goes_by_suit_then_number_with_reds_first(tiles: list[int]) -> None:
    keys = [(model.kind_of(tile), not model.is_red(tile)) for tile in model.sort_tiles(tiles)]
    assert keys == sorted(keys)
    assert sorted(model.sort_tiles(tiles)) == sorted(tiles)


@given(st.lists(st.sampled_from([*range(37), 255])))
def test_counts_leave_hidden_tiles_out(tiles: list[int]) -> None:
    counts = model.counts_of(tiles)
    assert counts.shape == (34,)
    assert counts.dtype == np.uint8
    known = [model.kind_of(tile) for tile in tiles if tile != model.NO_TILE]
    assert counts.tolist() == [known.count(kind) for kind in range(34)]


def test_three_players_do_without_man_2_to_8() -> None:
    assert tile_notation.format_tiles(model.SANMA_ABSENT_KINDS) == "2345678m"


def test_ids_and_red_fives() -> None:
    ids = (0, 3, 4, 16, 17, 52, 53, 88, 135)
    assert [tile_notation.tile_name(int(model.TILE_OF_ID_RED[one])) for one in ids] == [
        "1m", "1m", "2m", "0m", "5m", "0p", "5p", "0s", "7z",
    ]  # fmt: skip
    assert model.TILE_OF_ID_PLAIN[:136].tolist() == [i // 4 for i in range(136)]
    assert set(model.TILE_OF_ID_RED[136:].tolist()) == {model.NO_TILE}
    assert np.flatnonzero(model.tile_of_id_table((16, 17)) == model.RED_MAN).tolist() == [16, 17]


@each_row("red", [0, 15, 20, 108, 136, 255, -120])
def test_only_fives_can_be_red(red: int) -> None:
    with pytest.raises(ValueError, match="is not a five"):
        model.tile_of_id_table((red,))
