"""How kernels become LLVM's code: what they hand on to each other, and how they reach an array's items.

numba's own way is made for functions of a few arrays. A replay hands on hundreds at every call, in named
tuples: numba would take each apart into seven numbers and put it together again, whether it is looked at or
not. Here an array is handed on as its address and its shape, a tuple as it came, and an item is a few
instructions away. That halves the time that compiling takes, and the code does the same.
"""

# numba annotates only a part of itself.
# mypy: allow-untyped-calls

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Sequence
from typing import Any, cast

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core import ir as numba_ir
from numba.core.compiler_machinery import register_pass
from numba.core.datamodel import models
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering
from numba.np.numpy_support import as_dtype

_CELL = ir.IntType(64)


class _Array(models.ArrayModel):
    """An array whose items follow each other, handed on as its address and its shape: the rest follows.

    numba's own functions of arrays expect another hand. Kernels call none.
    """

    def get_argument_type(self) -> Any:
        return self._part("data"), *self._part("shape").elements

    def as_argument(self, builder: ir.IRBuilder, value: Any) -> Any:
        shape = self.get(builder, value, "shape")
        sizes = [builder.extract_value(shape, number) for number in range(len(shape.type))]
        return self.get(builder, value, "data"), *sizes

    def from_argument(self, builder: ir.IRBuilder, value: Any) -> Any:
        data, *shape = value
        width = _CELL(as_dtype(self._fe_type.dtype).itemsize)
        steps = [width]
        for size in reversed(shape[1:]):
            steps.append(builder.mul(size, steps[-1]))
        parts = {
            "nitems": functools.reduce(builder.mul, shape),
            "itemsize": width,
            "data": data,
            "shape": cgutils.pack_array(builder, shape, ty=_CELL),
            "strides": cgutils.pack_array(builder, steps[::-1], ty=_CELL),
        }
        array = cgutils.get_null_value(self.get_value_type())
        for name, part in parts.items():
            array = self.set(builder, array, part, name)
        return array

    def _part(self, name: str) -> Any:
        return self.get_value_type().elements[self.get_field_position(name)]


class _Boolean(models.BooleanModel):
    """A bool read by a comparison, not by branches."""

    def from_data(self, builder: ir.IRBuilder, value: Any) -> Any:
        return builder.icmp_unsigned("!=", value, value.type(0))


class _Given:
    """A named tuple that a kernel was handed: its parts as they came, put together only if need be."""

    def __init__(self, model: Any, parts: Sequence[Any]) -> None:
        self.model, self.parts = model, parts
        self._members: dict[int, Any] = {}

    def member(self, builder: ir.IRBuilder, number: int) -> Any:
        """Return the value of one part, which stands where the kernel begins."""
        if number not in self._members:
            with builder.goto_entry_block():
                one = self.model.model_of(number)
                self._members[number] = one.from_argument(builder, self.parts[number])
        return self._members[number]

    def whole(self, builder: ir.IRBuilder) -> Any:
        """Return the tuple as numba knows one."""
        return self.model.from_parts(builder, self.parts)


class _HandedOn:
    """Of a data model of named tuples: one that was given is handed on as it came."""

    def from_argument(self, _: ir.IRBuilder, value: Any) -> Any:
        return _Given(self, value)

    def as_argument(self, builder: ir.IRBuilder, value: Any) -> Any:
        return value.parts if isinstance(value, _Given) else cast(Any, super()).as_argument(builder, value)

    def from_parts(self, builder: ir.IRBuilder, parts: Sequence[Any]) -> Any:
        """Put a tuple together."""
        values = [self.model_of(number).from_argument(builder, part) for number, part in enumerate(parts)]
        values = [value.whole(builder) if isinstance(value, _Given) else value for value in values]
        whole = ir.Constant(cast(Any, self).get_value_type(), ir.Undefined)
        for number, value in enumerate(values):
            whole = builder.insert_value(whole, value, [number])
        return whole

    def model_of(self, number: int) -> Any:
        """Return the data model of a part."""
        raise NotImplementedError


class _NamedTuple(_HandedOn, models.TupleModel):
    def model_of(self, number: int) -> Any:
        return self._models[number]


class _NamedUniTuple(_HandedOn, models.UniTupleModel):
    def model_of(self, _: int) -> Any:
        return self._elem_model


class _Lower(Lower):
    """Turns one kernel into LLVM's code."""

    def pre_lower(self) -> None:
        super().pre_lower()
        self._given: dict[str, _Given] = {}
        self._set = Counter(
            one.target.name for block in self.blocks.values() for one in block.find_insts(numba_ir.Assign)
        )

    def storevar(self, value: Any, name: str, argidx: int | None = None) -> None:
        if isinstance(value, _Given):
            if self._set[name] == 1:
                self._given[name] = value
                return
            value = value.whole(self.builder)
        super().storevar(value, name, argidx)

    def loadvar(self, name: str) -> Any:
        return self._given[name] if name in self._given else super().loadvar(name)

    def delvar(self, name: str) -> None:
        """Nothing is counted, so that nothing has to be told of a variable's end."""

    def lower_inst(self, inst: Any) -> Any:
        if isinstance(inst, numba_ir.StaticSetItem) and inst.index_var is not None:
            place = self._place(inst.target, inst.index_var)
            if place is not None:
                return self._store(inst.target, place, inst.value)
        return super().lower_inst(inst)

    def lower_expr(self, kind: Any, expr: Any) -> Any:
        if expr.op == "getattr" and (given := self._given.get(expr.value.name)):
            return given.member(self.builder, self.typeof(expr.value.name).fields.index(expr.attr))
        if expr.op == "static_getitem" and expr.index_var is not None:
            place = self._place(expr.value, expr.index_var)
            if place is not None:
                return self._load(expr.value, place, kind)
        return super().lower_expr(kind, expr)

    def lower_getitem(self, kind: Any, expr: Any, value: Any, index: Any, signature: Any) -> Any:
        place = self._place(value, index)
        if place is not None:
            return self._load(value, place, kind)
        return super().lower_getitem(kind, expr, value, index, signature)

    def lower_setitem(self, target: Any, index: Any, value: Any, signature: Any) -> Any:
        place = self._place(target, index)
        if place is not None:
            return self._store(target, place, value)
        return super().lower_setitem(target, index, value, signature)

    def lower_binop(self, kind: Any, expr: Any, op: Any) -> Any:
        if expr.static_lhs is not numba_ir.UNDEFINED or expr.static_rhs is not numba_ir.UNDEFINED:
            return super().lower_binop(kind, expr, op)
        signature, typing = self.fndesc.calltypes[expr], self.context.typing_context
        function = typing.resolve_value_type(op)
        known = typing.resolve_function_type(function, signature.args, {})
        sides = [
            self._cast_var(side, wanted)
            for side, wanted in zip((expr.lhs, expr.rhs), signature.args, strict=True)
        ]
        result = self.context.get_function(function, known)(self.builder, sides)
        return self.context.cast(self.builder, result, signature.return_type, kind)

    def _place(self, array: Any, index: Any) -> Any:
        """The address of an array's item, by as few instructions as it takes; None for anything else."""
        kind: Any = self.typeof(array.name)
        indices: Any = self.typeof(index.name)
        is_tuple = isinstance(indices, types.BaseTuple)
        kinds = indices.types if is_tuple else (indices,)
        if (
            self.context.enable_boundscheck
            or not isinstance(kind, types.Array)
            or kind.layout != "C"
            or len(kinds) != kind.ndim
            or not all(isinstance(each, types.Integer) for each in kinds)
        ):
            return None
        builder, value, at = self.builder, self.loadvar(array.name), self.loadvar(index.name)
        model = self.context.data_model_manager[kind]
        shape = model.get(builder, value, "shape")
        offset = None
        for number, each in enumerate(kinds):
            one = builder.extract_value(at, number) if is_tuple else at
            one = self.context.cast(builder, one, each, types.intp if each.signed else types.uintp)
            size = builder.extract_value(shape, number)
            if each.signed and not (isinstance(one, ir.Constant) and one.constant >= 0):
                one = builder.select(builder.icmp_signed("<", one, _CELL(0)), builder.add(one, size), one)
            offset = one if offset is None else builder.add(builder.mul(offset, size), one)
        return builder.gep(model.get(builder, value, "data"), [offset])

    def _load(self, array: Any, place: Any, kind: Any) -> Any:
        item = self.typeof(array.name).dtype
        return self.context.cast(
            self.builder, self.context.unpack_value(self.builder, item, place), item, kind
        )

    def _store(self, array: Any, place: Any, value: Any) -> None:
        item = self.typeof(array.name).dtype
        self.context.pack_value(self.builder, item, self._cast_var(value, item), place)


@register_pass(mutates_CFG=True, analysis_only=False)
class Lowering(NativeLowering):
    """The pass that turns kernels into LLVM's code."""

    _name = "paifu_lowering"
    lowering_class = _Lower


def _model_of_array(known: Any, kind: Any) -> Any:
    return (_Array if kind.layout == "C" else models.ArrayModel)(known, kind)


MODELS: dict[Any, Any] = {
    types.Array: _model_of_array,
    types.Boolean: _Boolean,
    types.NamedTuple: _NamedTuple,
    types.NamedUniTuple: _NamedUniTuple,
}
"""How values of some types are held and handed on, in place of numba's ways."""
