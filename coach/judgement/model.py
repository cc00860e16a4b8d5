"""The model that judges decisions: tables in a file, and what they say of options.

A model is an ``.npz`` file with the numbers of its tables and, as JSON, where they come from. Nothing in it
names a player or a game.
"""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.coach.decisions import OPPONENTS, OptionKind, Options
from paifu.coach.judgement.terms import OF_OPPONENTS, PARTS, SIZES
from paifu.coach.kernels import decision_model as kernels
from paifu.coach.kernels.option_rows import OPTION
from paifu.replay.array_files import npz
from paifu.replay.arrays import F32, I64, U8
from paifu.replay.errors import PaifuError

SCHEMA = "paifu.model/1"
SHIPPED = Path(__file__).parent / "shipped"
"""Folder of the models that come with the package."""
_MOST_BYTES = 4 << 20

NEIGHBOURHOODS = int(np.prod(kernels.CELLS))


class ModelError(PaifuError):
    """A file that is not a model that this version reads."""


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """The tables of a model, its neighbourhoods, and where it comes from."""

    tables: kernels.ModelTables
    hands: F32
    """(NEIGHBOURHOODS,) hands of players that chose such an option."""
    spread: F32
    """(NEIGHBOURHOODS,) variance of the points that followed."""
    provenance: dict[str, Any]

    def judge(self, table: Options, cells: U8 | None = None) -> F32:
        """Return (rows, V_SIZE) answers for the options of ``table``; see ``kernels.decision_model``.

        ``cells`` are those of the table, if they are at hand.
        """
        answers = np.zeros((len(table), kernels.V_SIZE), np.float32)
        shared = np.zeros((kernels.PARTS, OPPONENTS), np.float32)
        cells = cells_of(table) if cells is None else cells
        kernels.judge_rows(cells, np.ascontiguousarray(table.decision), self.tables, shared, answers)
        return answers

    def error(self, table: Options, cells: U8 | None = None) -> F32:
        """Return the standard error of each option's value; infinite where its neighbourhood is thin."""
        error = np.sqrt(self.spread / np.maximum(1, self.hands))
        error = np.where(self.hands < kernels.THIN, np.inf, error).astype(np.float32)
        return np.take(error, neighbourhood(table, cells))

    def saved(self) -> bytes:
        """Return the model as the bytes of a file; the same model gives the same bytes."""
        arrays: dict[str, npt.NDArray[Any]] = {
            "begin": self.tables.begin,
            "own": self.tables.own,
            "base": self.tables.base,
            "terms": self.tables.terms,
            "values": self.tables.values,
            "hands": self.hands,
            "spread": self.spread,
        }
        return npz(arrays, {"schema": SCHEMA, **self.provenance})


def load_model(path: str | Path) -> Model:
    """Load a model. Raises ModelError if the file is not a model, or was written for other tables."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise ModelError(f"{path}: cannot be read ({error.strerror})") from error
    if len(data) > _MOST_BYTES:
        raise ModelError(f"{path}: too large for a model")
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        about = json.loads(arrays.pop("about").tobytes())
        about = _of_this_version(about)
        tables = kernels.ModelTables(*(np.array(arrays[name], dtype) for name, dtype in _TABLE_TYPES.items()))
        model = Model(
            tables, np.array(arrays["hands"], np.float32), np.array(arrays["spread"], np.float32), about
        )
        _check(model)
    except (ValueError, KeyError, TypeError, AttributeError, zipfile.BadZipFile, EOFError, OSError) as error:
        raise ModelError(
            f"{path}: not a model of this version ({error}); fit it again with bench/fit_model.py"
        ) from error
    return model


_TABLE_TYPES = {
    "begin": np.int64,
    "own": np.int64,
    "base": np.float32,
    "terms": np.int64,
    "values": np.float32,
}


def _of_this_version(about: dict[str, Any]) -> dict[str, Any]:
    """Return the provenance in a file. Raises ValueError for that of another version."""
    if about.pop("schema") != SCHEMA:
        raise ValueError("another version")
    return about


def _check(model: Model) -> None:
    """Make sure that no look-up leaves a table. Raises ValueError."""
    expected_begin, expected_own, expected_terms, length = layout()
    tables = model.tables
    if not (
        np.array_equal(tables.begin, expected_begin)
        and np.array_equal(tables.own, expected_own)
        and np.array_equal(tables.terms, expected_terms)
    ):
        raise ValueError("its terms differ")
    if tables.values.shape != (length,) or tables.base.shape != (kernels.PARTS,):
        raise ValueError("its tables have another size")
    if model.hands.shape != (NEIGHBOURHOODS,) or model.spread.shape != (NEIGHBOURHOODS,):
        raise ValueError("its neighbourhoods differ")
    if not all(np.isfinite(array).all() for array in (tables.values, tables.base, model.hands, model.spread)):
        raise ValueError("a number is not finite")


@cache
def shipped_model(players: int) -> Model | None:
    """Return the model that comes with the package for games with this number of players, if there is one."""
    path = SHIPPED / f"{players}-players.npz"
    return load_model(path) if path.exists() else None


@cache
def layout() -> tuple[I64, I64, I64, int]:
    """Return the layout of all models: ``begin``, ``own`` and ``terms`` of its tables, and their length."""
    begin, terms, offset = [0], [], 0
    for part in PARTS:
        for names in part.terms:
            first, second = names[0], names[1] if len(names) > 1 else ""
            terms.append(
                (
                    getattr(OPTION, first), int(first in OF_OPPONENTS),
                    getattr(OPTION, second) if second else -1, int(second in OF_OPPONENTS),
                    SIZES[second] if second else 1, offset,
                )
            )  # fmt: skip
            offset += SIZES[first] * (SIZES[second] if second else 1)
        begin.append(len(terms))
    own = [at + part.shared for at, part in zip(begin, PARTS, strict=False)]
    return np.array(begin, np.int64), np.array(own, np.int64), np.array(terms, np.int64), offset


def cells_of(table: Options) -> npt.NDArray[np.uint8]:
    """Return the (rows, cells) columns of bytes, each within the bounds of the model's tables."""
    cells = np.zeros((len(table), OPTION.size), np.uint8)
    for one in Options.columns():
        if one.dtype == "uint8":
            values = getattr(table, one.name)
            if one.name in SIZES:
                most = SIZES[one.name] - 1
                kept = np.minimum(values, most)
                values = np.where(table.danger == 255, 255, kept) if one.name == "danger" else kept
            at = getattr(OPTION, one.name)
            cells[:, at : at + one.cells] = values.reshape(len(table), one.cells)
    return cells


def neighbourhood(table: Options, cells: U8 | None = None) -> I64:
    """Return the number of each option's neighbourhood; ``cells`` are those of the table, if at hand."""
    where = np.zeros(len(table), np.int64)
    cells = cells_of(table) if cells is None else cells
    kernels.place_rows(cells, np.ascontiguousarray(table.decision), where)
    return where


assert OPPONENTS == 3 and len(OptionKind) == SIZES["option"]  # noqa: S101, PT018
