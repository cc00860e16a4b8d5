"""Datasets as pandas DataFrames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paifu.api.sql import checked, table_files
from paifu.replay.errors import ArgumentError
from paifu.replay.language import _
from paifu.reports.tables.declared import TABLES

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Dataset:
    """A dataset, of which each table is read when it is asked for."""

    files: dict[str, list[tuple[str, str]]]
    """Files of each table with their checksums."""

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of the tables."""
        return tuple(self.files)

    def __getitem__(self, name: str) -> pd.DataFrame:
        """Return a whole table; see :meth:`table`."""
        return self.table(name)

    def table(self, name: str, columns: Sequence[str] = ()) -> pd.DataFrame:
        """Return a table, or its index and some columns, as a DataFrame.

        What tells rows apart is the index. Words are categories; whole numbers and truth values have the
        types of pandas that know missing values (``Int16``, ``boolean``). Raises ArgumentError for what there
        is not, and DatasetError if a file was changed.
        """
        import pyarrow as pa
        import pyarrow.parquet as pq

        from paifu.reports.tables.making import schema

        if name not in TABLES:
            text = _("there is no table {name!r}; there are {names}")
            raise ArgumentError(text.format(name=name, names=", ".join(TABLES)))
        table = TABLES[name]
        there = [column.name for column in table.columns]
        if unknown := [column for column in columns if column not in there]:
            text = _("the table {name} has no column {column!r}; it has {names}")
            raise ArgumentError(text.format(name=name, column=unknown[0], names=", ".join(there)))
        wanted = list(dict.fromkeys([*table.index, *columns])) if columns else there
        nothing = schema(name).empty_table().select(wanted)  # its columns have types, too
        read = (pq.read_table(checked(file), columns=wanted) for file in self.files[name])
        whole = pa.concat_tables([nothing, *read]).unify_dictionaries()
        frame: pd.DataFrame = whole.to_pandas(types_mapper=_pandas_type)
        return frame.set_index(list(table.index))


def open_dataset(dataset: str | Path) -> Dataset:
    """Open a dataset that ``paifu import`` made, for its tables as DataFrames.

    The tables and their columns are those of the data dictionary: games, game_players, hands, player_hands,
    wins, deal_ins, discards, findings, luck and moments. Raises DatasetError if it is not a dataset or has no
    tables of this version.

    >>> import tempfile
    >>> from paifu.api.import_dataset import importing
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     done = list(importing(["sample_logs/formats/hanchan.mjlog.gz"], folder))
    ...     data = open_dataset(folder)
    ...     data["player_hands"].groupby("player", observed=True)["won"].mean().round(2).to_dict()
    {'Botan': 0.21, 'dahlia 3': 0.14, 'チドリ': 0.43, '葵': 0.14}
    """
    return Dataset(table_files(dataset))


def _pandas_type(kind: pa.DataType) -> Any:
    """Return the type of pandas for whole numbers and truth values, which may be missing."""
    import pandas as pd
    import pyarrow as pa

    known = {pa.int16(): pd.Int16Dtype(), pa.int32(): pd.Int32Dtype(), pa.int64(): pd.Int64Dtype()}
    return known.get(kind, pd.BooleanDtype() if pa.types.is_boolean(kind) else None)
