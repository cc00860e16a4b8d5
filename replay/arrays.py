"""Arrays by the type of their cells; docstrings give shapes where they matter. Sets of numbers, as bits.

Kernels state the number of dimensions, too, in types of the same names: :mod:`paifu.replay.kernels.arrays`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

F32 = npt.NDArray[np.float32]
F64 = npt.NDArray[np.float64]
I8 = npt.NDArray[np.int8]
I16 = npt.NDArray[np.int16]
I32 = npt.NDArray[np.int32]
I64 = npt.NDArray[np.int64]
U8 = npt.NDArray[np.uint8]
U32 = npt.NDArray[np.uint32]
U64 = npt.NDArray[np.uint64]
Mask = npt.NDArray[np.bool_]
Array = npt.NDArray[Any]
"""Cells of any type."""
A = TypeVar("A", bound=np.generic)


def bits_of(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits set, rising."""
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def writable(column: npt.NDArray[A]) -> npt.NDArray[A]:
    """Return an array laid out as kernels take it, wherever it comes from."""
    return np.require(column, requirements=["C", "W"])
