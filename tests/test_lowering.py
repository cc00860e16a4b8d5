"""Kernels do compiled what they do as Python: what they hand on, and how they reach items of arrays."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest

from paifu.replay.kernels import jit
from paifu.replay.kernels.arrays import F32, I16_3D, I64, I64_2D, U8, U8_2D
from paifu.replay.kernels.compiled import CompiledKernel
from paifu.replay.kernels.jit import kernel

Answer = tuple[int, ...]


class Inner(NamedTuple):
    """Parts of different types, one of them a bool."""

    numbers: I64
    grid: I64_2D
    is_on: bool
    factor: int


class Pair(NamedTuple):
    """Parts of one type."""

    left: U8
    right: U8


class Outer(NamedTuple):
    """Tuples in a tuple."""

    inner: Inner
    pair: Pair
    cube: I16_3D
    shares: F32


@kernel
def of_inner(inner: Inner, at: int) -> int:
    return int(inner.numbers[at]) * inner.factor if inner.is_on else -int(inner.grid[at, 0])


@kernel
def of_pair(pair: Pair, at: int) -> int:
    return int(pair.left[at]) - int(pair.right[at])


@kernel
def handed_on(outer: Outer, at: int) -> int:
    return of_inner(outer.inner, at) + 10 * of_pair(outer.pair, at)


@kernel
def set_row(row: I64, at: int, value: int) -> None:
    row[at] = value


def of_tuples(outer: Outer, other: Inner, at: int, is_other: bool) -> Answer:
    """Tuples handed on twice, taken out of tuples, and chosen from."""
    inner = outer.inner
    chosen = inner
    if is_other:
        chosen = other
    return handed_on(outer, at), of_inner(inner, at), of_inner(chosen, at), of_pair(outer.pair, at)


def of_items(outer: Outer, other: Inner, at: int, is_other: bool) -> Answer:
    """Items by places from either end, of any width, and by what stands in other arrays."""
    small, cube = outer.pair.left, outer.cube
    where = small[at]
    return (
        int(other.numbers[at]), int(other.numbers[-1]), int(other.numbers[where]), int(other.grid[at, -2]),
        int(other.grid[where, at]), int(cube[1, at, where]), int(cube[-1, -1, -1]),
        int(outer.shares[at] * 8), len(cube), cube.shape[1], cube.shape[2], other.numbers.size,
        int(small[at] + small[-1]), int(is_other), int(other.grid[at][1]),
    )  # fmt: skip


def of_changes(outer: Outer, other: Inner, at: int, is_other: bool) -> Answer:
    """Items that are set: one by one, through a row, all of an array, in another type."""
    other.grid[at, 1] = at - 5
    other.grid[0, 0] += 7
    other.numbers[-1] = 3
    set_row(other.grid[1], at, 40)
    outer.cube[0, at, 1] = other.factor
    outer.pair.right[at] = 300 - 45
    outer.shares[at] = 1 / 3
    outer.inner.numbers[:] = at
    return (int(other.is_on != is_other),)


def of_numbers(_outer: Outer, other: Inner, at: int, is_other: bool) -> Answer:
    """Operators on numbers of several types."""
    more = at + 3
    return (
        at // 2, at % 3, -at // 2, more << 3 | 1, (more ^ 5) & 6, ~at, int(more / 3 * 100), at**2, 2**more,
        min(at, more), max(at, -more), abs(at), int(is_other or other.is_on), int(at < more <= 4),
        1 << 40 >> 38, int(other.is_on) + at,
    )  # fmt: skip


def values() -> tuple[Outer, Inner]:
    numbers = np.arange(3) * 11 + 2
    grid = np.arange(9).reshape(3, 3) * 3
    inner = Inner(numbers, grid, True, 2)
    pair = Pair(np.array([2, 0, 1], np.uint8), np.array([1, 1, 2], np.uint8))
    cube = (np.arange(27) * 5 - 40).astype(np.int16).reshape(3, 3, 3)
    outer = Outer(inner, pair, cube, np.array([0.5, 0.25, -0.75], np.float32))
    return outer, Inner(numbers * -1, grid + 100, False, 9)


COMPILED: dict[str, CompiledKernel] = {}


@pytest.mark.parametrize("function", [of_tuples, of_items, of_changes, of_numbers])
@pytest.mark.parametrize("at", range(-3, 3))
@pytest.mark.parametrize("is_other", [False, True])
def test_a_compiled_kernel_does_what_its_python_does(
    function: Callable[..., Answer], at: int, is_other: bool
) -> None:
    compiled = COMPILED.setdefault(function.__name__, CompiledKernel(function, None, jit._tell_numba))
    given, other = copy.deepcopy(values()), copy.deepcopy(values())
    assert compiled(*given, at, is_other) == function(*other, at, is_other)
    for one, two in zip(given, other, strict=True):
        np.testing.assert_equal(one, two)


def test_rows_that_do_not_follow_each_other_keep_their_distance() -> None:
    @kernel
    def total(row: Any) -> int:
        return int(row[0] + row[1] + row[-1])

    def of_column(grid: U8_2D, at: int) -> int:
        return total(grid[:, at])

    grid = np.arange(12, dtype=np.uint8).reshape(4, 3)
    compiled = CompiledKernel(of_column, None, jit._tell_numba)
    assert [compiled(grid, at) for at in range(-1, 3)] == [18, 12, 15, 18]


def test_what_else_uses_numba_keeps_its_own_ways() -> None:
    @numba.njit  # type: ignore[untyped-decorator]
    def total(pair: Pair, is_on: bool) -> int:
        return int(pair.left.sum()) + int(pair.right[-1]) + is_on

    def ours(outer: Outer, at: int) -> int:
        return handed_on(outer, at)

    outer, _ = values()
    assert CompiledKernel(ours, None, jit._tell_numba)(outer, 1) == handed_on(outer, 1)
    assert total(outer.pair, True) == 3 + 2 + 1
