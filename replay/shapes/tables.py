"""The tables behind shape kernels, as they ship.

Making them (:mod:`paifu.replay.shapes.table_making`) takes about a second, so they travel with the package:
as they lie in memory, for to unpack them would be a good part of what a command takes to start.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.replay.kernels import shapes as shape_kernels
from paifu.replay.model.tiles import KINDS, SANMA_ABSENT_KINDS

FILE = Path(__file__).with_name("tables.bin")
SHIPPED = np.dtype(
    [
        ("suit", "<u2", 5**9),
        ("honour", "<u2", 5**7),
        ("sanma_man_keys", "<i8", 5**2),
        ("sanma_man_rows", "<u2", 5**2),
        ("words", "<i8", shape_kernels.DISTINCT_WORDS),
        ("join", "u1", (shape_kernels.CLASSES,) * 2),
        ("standard", "i1", (shape_kernels.CLASSES, 5)),
    ]
)
"""The arrays in the file, one after the other."""


@cache
def load_arrays() -> dict[str, npt.NDArray[np.generic]]:
    """Load the shipped arrays, by name."""
    (arrays,) = np.fromfile(FILE, SHIPPED)
    return {name: arrays[name] for name in SHIPPED.names or ()}


@cache
def load_tables(*, sanma: bool = False) -> shape_kernels.ShapeTables:
    """Return the tables for the 4-player tile set, or the 3-player one, which has no man 2-8."""
    arrays: dict[str, npt.NDArray[Any]] = load_arrays()
    man, kinds = arrays["suit"], (1 << KINDS) - 1
    if sanma:
        man = np.zeros_like(man)  # 25 of its rows are ever read, so it takes address space, not memory
        man[arrays["sanma_man_keys"]] = arrays["sanma_man_rows"]
        kinds &= ~sum(1 << kind for kind in SANMA_ABSENT_KINDS)
    return shape_kernels.ShapeTables(
        man=man,
        suit=arrays["suit"],
        honour=arrays["honour"],
        words=arrays["words"],
        join=arrays["join"],
        standard=arrays["standard"],
        kinds=kinds,
    )
