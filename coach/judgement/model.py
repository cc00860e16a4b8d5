"""The model that judges decisions: tables, and what they say of options."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from paifu.coach.decisions import OPPONENTS, OptionKind, Options
from paifu.coach.judgement.terms import OF_OPPONENTS, PARTS, SIZES
from paifu.coach.kernels import decision_model as kernels
from paifu.coach.kernels.option_rows import OPTION
from paifu.coach.model_files import ModelFile, shipped
from paifu.replay.arrays import F32, I64, U8

NEIGHBOURHOODS = int(np.prod(kernels.CELLS))


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """The tables of a model, and its neighbourhoods."""

    tables: kernels.ModelTables
    hands: F32
    """(NEIGHBOURHOODS,) hands of players that chose such an option."""
    spread: F32
    """(NEIGHBOURHOODS,) variance of the points that followed."""

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

    @classmethod
    def of(cls, file: ModelFile) -> Model:
        """Return the model in a file. Raises ModelError where a look-up could leave a table."""
        begin, own, terms, length = layout()
        for name, expected in (("begin", begin), ("own", own), ("terms", terms)):
            if not np.array_equal(file.arrays.get(name, ()), expected):
                raise file.refused("its terms differ")
        around = (NEIGHBOURHOODS,)
        shapes = {"base": (kernels.PARTS,), "values": (length,), "hands": around, "spread": around}
        base, values, hands, spread = found = file.floats(shapes)
        if not all(np.isfinite(array).all() for array in found):
            raise file.refused("a number is not finite")
        return cls(kernels.ModelTables(begin, own, base, terms, values), hands, spread)


@cache
def shipped_model(players: int) -> Model | None:
    """Return the model that comes with the package for games with this number of players, if there is one."""
    file = shipped("judgement", players)
    return Model.of(file) if file else None


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
