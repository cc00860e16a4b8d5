"""State as records: named fields of fixed size in one piece of memory.

A kernel is handed a record as one address, however many fields it has, and reads and writes
``table.phase`` or ``table.scores[seat]`` alike as plain Python and compiled.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

_WORD = np.dtype(np.int64)
_NUMBERS = {int: _WORD, float: np.dtype(np.float64)}


def cells(*shape: int) -> Any:
    """Declare an array field of this shape, whose annotation is a type of ``kernels.arrays``."""
    return shape


class Record:
    """Base of records. A field is a number (``int`` or ``float``, 64 bits) or an array of fixed shape.

    All fields are 0 until they are set. ``whole`` is the record as 64-bit words, to clear and to copy it.

    >>> from paifu.replay.kernels.table_state import TableState
    >>> table = TableState(turn=2, scores=25000)
    >>> table.scores[3] -= 1000
    >>> table.turn, table.scores.tolist()
    (2, [25000, 25000, 25000, 24000])
    """

    dtype: ClassVar[np.dtype[Any]]
    """The fields in their order, then ``whole`` over all of them."""
    whole: npt.NDArray[np.int64]
    address: int

    def __init_subclass__(cls) -> None:
        kinds = {
            name: _kind(annotation, getattr(cls, name, ()))
            for name, annotation in get_type_hints(cls, include_extras=True).items()
            if name not in Record.__annotations__
        }
        offsets, end = [], 0
        for name, kind in kinds.items():
            end += -end % kind.base.alignment
            offsets.append(end)
            setattr(cls, name, _array(name) if kind.shape else _number(end // _WORD.itemsize, kind))
            end += kind.itemsize
        end += -end % _WORD.itemsize
        cls.dtype = np.dtype(
            {
                "names": [*kinds, "whole"],
                "formats": [*kinds.values(), np.dtype((_WORD, (end // _WORD.itemsize,)))],
                "offsets": [*offsets, 0],
                "itemsize": end,
                "aligned": True,
            }
        )

    @classmethod
    def fields(cls) -> tuple[str, ...]:
        """Return the names of the fields, without ``whole``."""
        return (cls.dtype.names or ())[:-1]

    def __init__(self, **values: Any) -> None:
        """Make a record; an array field takes whatever can be assigned to all of such an array."""
        self.whole = np.zeros(self.dtype.itemsize // _WORD.itemsize, _WORD)
        self.address = self.whole.ctypes.data
        self._floats = self.whole.view(np.float64)
        row = self.whole.view(self.dtype)
        self._arrays = {name: row[name][0] for name in self.fields() if self.dtype[name].shape}
        for name, value in values.items():
            if name in self._arrays:
                self._arrays[name][...] = value
            else:
                setattr(self, name, value)

    def __iter__(self) -> Iterator[Any]:
        return (getattr(self, name) for name in self.fields())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and bool((self.whole == other.whole).all())

    __hash__ = None  # type: ignore[assignment]  # it may change

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.whole)


def _restored(kind: type[Record], whole: npt.NDArray[np.int64]) -> Record:
    record = kind()
    record.whole[:] = whole
    return record


def _kind(annotation: Any, shape: tuple[int, ...]) -> np.dtype[Any]:
    if get_origin(annotation) is not Annotated:
        return _NUMBERS[annotation]
    _, item, dimensions = get_args(annotation)
    if len(shape) != dimensions:
        raise TypeError(f"a field of {dimensions} dimensions has the shape {shape}")
    return np.dtype((item, shape))


def _array(name: str) -> property:
    """A field that is an array: its cells may be set, the field may not."""
    return property(lambda record: record._arrays[name])


def _number(place: int, kind: np.dtype[Any]) -> property:
    """A field that is a number, read as Python's own."""
    if kind == _WORD:
        return property(lambda record: int(record.whole[place]), lambda r, v: r.whole.__setitem__(place, v))
    return property(lambda record: float(record._floats[place]), lambda r, v: r._floats.__setitem__(place, v))
