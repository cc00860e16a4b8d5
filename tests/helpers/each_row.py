"""A table of cases as one test that runs every row and lists each that is wrong."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

Test = Callable[..., None]
_LONGEST = 200


def each_row(
    names: str | Sequence[str],
    rows: Iterable[Any],
    *,
    ids: Callable[[Any], object] | Iterable[Any] | None = None,
) -> Callable[[Test], Test]:
    """As ``pytest.mark.parametrize``, but all rows are one test; it has no fixture of a single test.

    For tables that make the same statement of many rows, none of which takes long or leaves anything behind.
    """
    columns = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    table = [row if len(columns) > 1 else (row,) for row in rows]
    labels = list(ids) if ids is not None and not callable(ids) else table

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def run(**others: Any) -> None:
            wrong = []
            for label, row in zip(labels, table, strict=True):
                try:
                    test(**dict(zip(columns, row, strict=True)), **others)
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001
                    wrong.append(f"{label!r:.{_LONGEST}}: {type(error).__name__}: {error}")
            assert table, "a table without rows says nothing"
            if wrong:
                pytest.fail(
                    f"{len(wrong)} of {len(table)} rows are wrong:\n" + "\n\n".join(wrong), pytrace=False
                )

        signature = inspect.signature(test)
        kept = [value for name, value in signature.parameters.items() if name not in columns]
        run.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
        return run

    return decorate
