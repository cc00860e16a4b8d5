"""DataFrames, for which pandas must be there."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from paifu.replay.errors import ArgumentError
from paifu.replay.language import _

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd


def check_pandas() -> None:
    """Raise ArgumentError, saying what to install, where pandas is missing."""
    if find_spec("pandas") is None:
        raise ArgumentError(_("DataFrames need pandas: pip install 'paifu[frames]'"))


def frame_of(
    rows: list[tuple[float | None, ...]], columns: list[str], keys: list[list[str]], names: Sequence[str]
) -> pd.DataFrame:
    """Return a DataFrame with an index of one level or more: ``keys`` by level, ``names`` of the levels."""
    check_pandas()
    import pandas as pd

    index = pd.Index(keys[0], name=names[0] if names else None)
    if len(keys) > 1:
        index = pd.MultiIndex.from_arrays(keys, names=list(names))
    return pd.DataFrame(rows, index=index, columns=columns)
