"""Batches as Arrow and Parquet, and back: nothing is lost."""

from __future__ import annotations

import dataclasses
import io
import math
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from builders import assert_sound, batch_from_arrow, batches, game, read
from each_row import each_row
from hypothesis import given

from paifu.parsers.dataset.arrow import arrow_schema, batch_to_arrow, from_arrow, to_arrow
from paifu.parsers.dataset.parquet import write_table
from paifu.parsers.read import read_batches
from paifu.replay.model.batch import TABLES, Batch, Events, Games, Hands, Table

SAMPLES = Path(__file__).parents[2] / "sample_logs"
ODD_TEXTS = [
    "", "\0", "a\0b", "\ufeff", "\U0001f000", "e\u0301", "\u202e", "\uffff", "\U0010ffff", "\r\n", "é" * 5000,
]  # fmt: skip


def through_parquet(table: pa.Table) -> pa.Table:
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink)
    return pq.read_table(pa.BufferReader(sink.getvalue()))


@given(batches())
def test_any_batch_comes_back(batch: Batch) -> None:
    tables = batch_to_arrow(batch)
    for stored in (tables, {name: through_parquet(table) for name, table in tables.items()}):
        back = batch_from_arrow(stored)
        assert back.differences(batch) == []
        assert_sound(back)


def test_an_empty_batch_comes_back() -> None:
    tables = batch_to_arrow(Batch.empty())
    assert list(tables) == [table.NAME for table in TABLES]
    for stored in (tables, {name: through_parquet(table) for name, table in tables.items()}):
        assert batch_from_arrow(stored).differences(Batch.empty()) == []
        assert_sound(batch_from_arrow(stored))
    chunkless = {t.NAME: arrow_schema(t).empty_table().slice(0, 0) for t in TABLES}
    assert_sound(batch_from_arrow(chunkless))


def test_odd_texts_and_numbers_come_back() -> None:
    batch = Batch.concatenate([read(game())] * len(ODD_TEXTS))
    games = batch.games
    rates = np.resize([np.nan, np.inf, -np.inf, -0.0, 5e-324, 1e308, 0.1], games.rate.shape)
    texts = np.array(ODD_TEXTS, object)
    odd = dataclasses.replace(games, id=texts, names=np.stack([texts] * 4, axis=1), rate=rates)
    back = from_arrow(Games, through_parquet(to_arrow(odd)))
    assert back.differences(odd) == []
    assert np.signbit(back.rate).tolist() == np.signbit(rates).tolist()


def test_tables_in_chunks_and_slices_come_back() -> None:
    batch = read(game(0), game(1), game(2))
    for table in batch.tables():
        arrow = to_arrow(table)
        half = len(table) // 2
        chunked = pa.concat_tables([arrow.slice(0, half), arrow.slice(half)])
        assert from_arrow(type(table), chunked).differences(table) == []
    hands = from_arrow(Hands, to_arrow(batch.hands).slice(2, 2))
    assert hands.dealt.tolist() == batch.hands.dealt[2:4].tolist()


def test_ids_are_stored_as_copies_and_come_back_whatever_they_are() -> None:
    """Ids of the tile's kind are 0 to 3; ids that a log claims of another kind, or of no tile, are kept."""
    batch = read(game())
    stored = to_arrow(batch.events)
    copies, known = stored["tile_copy"].to_numpy(), batch.events.tile_id != 255
    assert known.any()
    assert set(copies[known].tolist()) == {0, 1, 2, 3}
    assert set(copies[~known].tolist()) == {255}
    wrong = np.resize(np.arange(256), len(batch.events)).astype(np.uint8)
    for tiles in (batch.events.tile, wrong[::-1]):
        odd = dataclasses.replace(batch.events, tile=tiles, tile_id=wrong)
        assert from_arrow(Events, through_parquet(to_arrow(odd))).differences(odd) == []


def test_files_are_smaller_than_parquet_is_by_default() -> None:
    """And what is loaded is the same."""
    batch = Batch.concatenate(list(read_batches([SAMPLES / "games"])))
    ours = plain = 0
    for table in batch_to_arrow(batch).values():
        content = io.BytesIO()
        write_table(table, content)
        ours += len(content.getvalue())
        assert pq.read_table(content).equals(table)
    for table in batch.tables():
        columns = {}
        for name, values in table.arrays():
            flat, cells = pa.array(values.reshape(-1)), math.prod(values.shape[1:])
            columns[name] = pa.FixedSizeListArray.from_arrays(flat, cells) if values.ndim > 1 else flat
        content = io.BytesIO()
        pq.write_table(pa.table(columns), content, compression="zstd", write_page_checksum=True)
        plain += len(content.getvalue())
    assert ours < 0.9 * plain


def test_what_comes_back_can_be_written_to() -> None:
    back = batch_from_arrow(batch_to_arrow(read(game())))
    for table in back.tables():
        for name, array in table.arrays():
            assert array.flags.writeable, name


@each_row("table", TABLES, ids=lambda table: table.NAME)
def test_the_schema_tells_unknown_values(table: type[Table]) -> None:
    schema = arrow_schema(table)
    copies = {f"{column.name}_id": f"{column.name}_copy" for column in table.columns() if column.is_code}
    assert schema.names == [copies.get(column.name, column.name) for column in table.columns()]
    for column in table.columns():
        field = schema.field(copies.get(column.name, column.name))
        assert not field.nullable
        assert field.metadata == {b"unknown": str(column.unknown).encode()}
        if column.width:
            assert field.type.list_size == column.cells
    assert schema.metadata[b"paifu.table"] == table.NAME.encode()


def test_another_table_is_refused() -> None:
    events = to_arrow(read(game()).events)
    with pytest.raises(ValueError, match="the table hands was written by another version"):
        from_arrow(Hands, events)
    with pytest.raises(ValueError, match="the table events"):
        from_arrow(Events, events.drop_columns(["flags"]))
    wide = events.set_column(0, "kind", events["kind"].cast(pa.int64()))
    with pytest.raises(ValueError, match="the table events"):
        from_arrow(Events, wide)


def test_parquet_made_here_is_read_by_others(tmp_path: Path) -> None:
    batch = read(game())
    pq.write_table(to_arrow(batch.events), tmp_path / "events.parquet")
    frame = pq.read_table(tmp_path / "events.parquet").to_pandas()
    assert frame["kind"].tolist() == batch.events.kind.tolist()
    assert frame["own"].map(list).tolist() == batch.events.own.tolist()
