"""Machine code of kernels: loaded from the bytes of an object file, and called with Python's values.

numba compiles kernels (:mod:`paifu.replay.kernels.compiler`) and is not needed to run them. That matters, for
its import and what it does before its first call take longer than the replay of a thousand games.

The code of a kernel is one function of two rows of 64-bit cells. It reads its arguments from the first row,
writes what it returns to the second, and returns 0 when all went well. In the cells, an integer or a bool is
itself, a float is its bits, None is 0, a tuple is its parts one after the other, and an array is the address
of its first item and its shape.
"""

from __future__ import annotations

import ctypes
import json
import struct
from array import array
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import llvmlite.binding as llvm
import numpy as np

Kind = Any
"""What a value is: ``int``, ``bool``, ``float``, ``None``, an :class:`ArrayKind` or a tuple of kinds."""


class KernelError(RuntimeError):
    """A compiled kernel failed, as by a division by zero or, where indices are checked, a wrong one."""


class ArrayKind(NamedTuple):
    """A writable array whose items follow each other in C's order."""

    cells: np.dtype[Any]
    dimensions: int


class TupleKind(NamedTuple):
    """A tuple, as a rule a named one."""

    name: str
    parts: tuple[Kind, ...]


def kind_of(value: object) -> Kind:
    """Return what a value is; raises TypeError for what no kernel takes."""
    if isinstance(value, np.ndarray):
        return ArrayKind(value.dtype, value.ndim)
    if isinstance(value, tuple):
        return TupleKind(type(value).__qualname__, tuple(map(kind_of, value)))
    for kind in (bool, int, float):
        if isinstance(value, kind):
            return kind
    if isinstance(value, np.integer):
        return int
    if value is None:
        return None
    raise TypeError(f"no kernel takes a {type(value).__name__}")


def pack(value: Any, kind: Kind, cells: list[int]) -> None:
    """Append a value's cells; raises TypeError where it is of another kind."""
    if kind is int or kind is bool:
        cells.append(int(value))
    elif type(kind) is ArrayKind:
        if type(value) is not np.ndarray or value.dtype != kind.cells or value.ndim != kind.dimensions:
            raise TypeError(f"an array of {kind.dimensions} dimensions of {kind.cells} was expected")
        if not value.flags.carray:
            raise TypeError("an array that is whole, in C's order and writable was expected")
        cells += (value.ctypes.data, *value.shape)
    elif type(kind) is TupleKind:
        for part, kind_of_part in zip(value, kind.parts, strict=True):
            pack(part, kind_of_part, cells)
    elif kind is float:
        cells += struct.unpack("q", struct.pack("d", value))
    else:
        cells.append(0)


Unpack = Callable[[int], Any]
_UNPACK: dict[str, Unpack] = {
    "int": int,
    "bool": bool,
    "float": lambda cell: struct.unpack("d", struct.pack("q", cell))[0],
    "none": lambda _: None,
}


class Code:
    """The loaded code of a kernel for arguments of certain kinds."""

    def __init__(self, content: bytes) -> None:
        """``content`` is what :func:`stored` made; raises ValueError or LookupError for anything else."""
        head, _, machine_code = content.partition(b"\n")
        known = json.loads(head)
        self._unpack = [_UNPACK[name] for name in known["returns"]]
        self._is_tuple = bool(known["is_tuple"])
        self._engine, address = _load(machine_code, known["symbol"])
        self._run = ctypes.PYFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)(address)

    def __call__(self, values: Sequence[Any], kinds: Sequence[Kind]) -> Any:
        """Run it with arguments of these kinds."""
        return self.bound(values, kinds)()

    def bound(self, values: Sequence[Any], kinds: Sequence[Kind]) -> Callable[[], Any]:
        """Return the call with arguments of these kinds, which it keeps alive."""
        cells: list[int] = []
        for value, kind in zip(values, kinds, strict=True):
            pack(value, kind, cells)
        given, answer = array("q", cells), array("q", bytes(8 * len(self._unpack)))

        def call(_alive: Sequence[Any] = values) -> Any:
            if self._run(given.buffer_info()[0], answer.buffer_info()[0]):
                raise KernelError("a compiled kernel failed")
            answers = [unpack(cell) for unpack, cell in zip(self._unpack, answer, strict=True)]
            return tuple(answers) if self._is_tuple else answers[0]

        return call


def stored(symbol: str, returns: Sequence[str], is_tuple: bool, machine_code: bytes) -> bytes:
    """Return the bytes from which :class:`Code` is made: the name of a function in an object file."""
    head = {"symbol": symbol, "returns": list(returns), "is_tuple": is_tuple}
    return json.dumps(head).encode() + b"\n" + machine_code


def processor() -> str:
    """Return for which processor code is compiled here."""
    features = llvm.get_host_cpu_features().flatten()
    return f"{llvm.get_process_triple()} {llvm.get_host_cpu_name()} {features}"


def _load(machine_code: bytes, symbol: str) -> tuple[Any, int]:
    """Put an object file into memory: what holds it there, and the address of a function in it."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(codemodel="jitdefault", jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(machine_code))
    engine.finalize_object()
    address: int = engine.get_function_address(symbol)
    if not address:
        raise LookupError(f"no function {symbol}")
    return engine, address
