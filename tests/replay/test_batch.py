"""Batches: games come out and go together again, and a difference is named by its column."""

from __future__ import annotations

import copy
import dataclasses
from typing import Any, get_args, get_type_hints

import numpy as np
import pytest
from builders import FAULT_ROWS, OYA, assert_sound, build, drafts, game, read
from each_row import each_row
from hypothesis import given
from hypothesis import strategies as st

from paifu.replay.facts.tables import Findings, PlayerHands, ReviewFindings, ScoredWins
from paifu.replay.model.batch import TABLES, Batch, Faults, Table
from paifu.replay.model.builder import GameDraft
from paifu.replay.model.events import NO_SEAT
from paifu.reports.metrics.records import RECORD_TABLES

GAMES = st.lists(drafts(), max_size=4)
FACTS = (Findings, ScoredWins, PlayerHands, ReviewFindings)
FAULTS = st.lists(FAULT_ROWS, max_size=2)


@given(GAMES, GAMES, FAULTS, FAULTS)
def test_batches_join_as_if_built_at_once(
    first: list[GameDraft],
    second: list[GameDraft],
    first_faults: list[dict[str, str]],
    second_faults: list[dict[str, str]],
) -> None:
    whole = build(copy.deepcopy([*first, *second]), [*first_faults, *second_faults])
    joined = Batch.concatenate([build(first, first_faults), Batch.empty(), build(second, second_faults)])
    assert joined.differences(whole) == []
    assert_sound(joined)


@given(GAMES, FAULTS)
def test_each_game_comes_out_as_if_alone(some: list[GameDraft], fault_rows: list[dict[str, str]]) -> None:
    batch = build(copy.deepcopy(some), fault_rows)
    singles = [batch.take(number) for number in range(len(batch))]
    for draft, single in zip(some, singles, strict=True):
        assert single.differences(build([draft])) == []
        assert_sound(single)
    without_faults = dataclasses.replace(batch, faults=Faults.empty())
    assert Batch.concatenate(singles).differences(without_faults) == []


@pytest.mark.parametrize("number", [-1, 2])
def test_there_is_no_such_game(number: int) -> None:
    with pytest.raises(IndexError, match=f"game {number} of a batch of 2"):
        read(game(0), game(1)).take(number)


def test_an_empty_batch_has_all_columns() -> None:
    assert_sound(Batch.empty())
    assert Batch.concatenate([]).differences(Batch.empty()) == []
    assert [len(table) for table in Batch.empty().tables()] == [0] * len(TABLES)
    assert repr(Batch.empty()) == "Batch()"


def test_a_batch_says_what_is_in_it() -> None:
    batch = read(game(hands=3), b"<mjloggm/>")
    assert len(batch) == 1
    assert repr(batch) == "Batch(1 games, 3 hands, 37 events, 1 wins, 2 hand_draws, 1 faults)"
    assert repr(batch.hands) == "Hands(3 rows)"


def test_seat_0_deals_first_unless_the_log_says_otherwise() -> None:
    first, second, third = (game(number) for number in range(3))
    batch = read(
        first.replace(OYA.encode(), b""), second, third.replace(OYA.encode(), b'<TAIKYOKU oya="2"/>')
    )
    assert batch.games.first_dealer.tolist() == [NO_SEAT, 0, 2]
    assert batch.games.deals_first.tolist() == [0, 0, 2]


def something_else(value: Any, kind: str) -> Any:
    if kind == "O":
        return value + "x"
    if kind == "b":
        return not value
    return value ^ 1 if kind in "iu" else value + 1


def test_every_cell_that_changes_is_a_difference() -> None:
    batch = read(game(), b"<mjloggm/>")
    changed = 0
    for table in batch.tables():
        for name, array in table.arrays():
            if not len(array):
                continue
            other = array.copy()
            cell = other.reshape(-1)[-1:]
            cell[0] = something_else(cell[0], array.dtype.kind)
            edited = dataclasses.replace(batch, **{table.NAME: dataclasses.replace(table, **{name: other})})  # type: ignore[arg-type]
            column = f"{table.NAME}.{name}"
            assert batch.differences(edited) == edited.differences(batch) == [column]
            assert batch.differences(edited, ignore=[column]) == []
            assert table.differences(getattr(edited, table.NAME)) == [name]
            assert table.differences(getattr(edited, table.NAME), ignore=[name]) == []
            changed += 1
    assert changed == sum(len(t.columns()) for t in batch.tables() if len(t))
    assert changed > 80


def test_nan_equals_nan_and_sizes_count() -> None:
    batch = read(game(), game())
    assert np.isnan(batch.games.rate).sum() == 0
    rates = np.full_like(batch.games.rate, np.nan)
    unknown = dataclasses.replace(batch, games=dataclasses.replace(batch.games, rate=rates))
    again = dataclasses.replace(batch, games=dataclasses.replace(batch.games, rate=rates.copy()))
    assert unknown.differences(again) == []
    assert unknown.differences(batch) == ["games.rate"]
    assert "games.id" in batch.differences(batch.take(0))


@each_row("table", [*TABLES, *RECORD_TABLES, *FACTS], ids=lambda table: table.NAME)
def test_a_column_is_annotated_with_its_type(table: type[Table]) -> None:
    """A table may declare the column that another takes from it."""
    hints = get_type_hints(table)
    for column in table.columns():
        cells = hints[column.name]
        # NDArray[int8] stands for ndarray[..., dtype[int8]], from NumPy 2.5 for an alias with one argument.
        while arguments := get_args(cells):
            cells = arguments[-1]
        assert np.dtype(cells) == column.numpy_dtype(), column.name
