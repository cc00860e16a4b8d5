"""How kernels are compiled: each entry as one piece with all that it calls.

numba would turn every kernel into machine code of its own, with a wrapper that takes apart what Python hands
it, and optimise whatever it calls again at each level. Here, kernels stop at LLVM's unoptimised code, and
what calls them takes that over. Last comes the function that :mod:`paifu.replay.kernels.machine_code` calls,
which takes over an entry; the whole is optimised once. That takes a third of the time, and there is one
object file to load for each entry.
"""

# numba annotates only a part of itself.
# mypy: allow-untyped-calls

from __future__ import annotations

import functools
import gc
from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

from llvmlite import ir
from numba import typeof, types
from numba.core import codegen, event
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.dispatcher import Dispatcher
from numba.core.registry import CPUTarget, cpu_target
from numba.core.typed_passes import (
    InlineOverloads,
    NativeLowering,
    NopythonRewrites,
    NopythonTypeInference,
)
from numba.core.typing.context import Context
from numba.core.untyped_passes import InlineClosureLikes, InlineInlinables, WithLifting

from paifu.replay.kernels.lowering import MODELS, Lowering
from paifu.replay.kernels.machine_code import stored
from paifu.replay.kernels.signatures import examples

# Without numba's run time nothing can allocate, and arrays passed from kernel to kernel are not counted:
# a replay, which hands on a dozen arrays at every call, takes a tenth of the time.
_OPTIONS: dict[str, Any] = {
    "nopython": True,
    "boundscheck": False,
    "_nrt": False,
    "no_cfunc_wrapper": True,
    "no_cpython_wrapper": True,
}
_CELL = ir.IntType(64)
_KNOWN = frozenset({"memcpy", "memmove", "memset"})
"""What machine code may call that is not in it. Anything else would end the process when it is loaded."""
_TAKEN_OVER = cast(Any, codegen).ll.Linkage.linkonce_odr
_LEVEL: dict[str, Any] = {"opt": 1, "loop_vectorize": False, "slp_vectorize": False}


class _Typing(Context):
    """What numba knows of types, with a memory: to find how two integers are added, it tries fifty ways."""

    def __init__(self, shared: Any) -> None:
        self.__dict__.update(vars(shared))
        self._found: dict[Any, Any] = {}

    def _resolve_user_function_type(self, func: Any, args: Any, kws: Any, literals: Any = None) -> Any:
        known = self._lookup_global(func) or func
        if kws or not isinstance(known, types.Function):
            return super()._resolve_user_function_type(func, args, kws, literals)
        key = known, tuple(args)
        if key not in self._found:
            self._found[key] = super()._resolve_user_function_type(func, args, kws, literals)
        return self._found[key]


class _KernelTarget(CPUTarget):
    """This processor, with our ways of handing on. What else in the process uses numba keeps its own."""

    @functools.cached_property
    def typing_context(self) -> Any:
        return _Typing(cpu_target.typing_context)

    @functools.cached_property
    def target_context(self) -> Any:
        shared = cpu_target.target_context
        known = shared.data_model_manager.copy()
        for kind, model in MODELS.items():
            known.register(kind, model)
        shared.refresh()
        return shared.subtarget(
            refresh=lambda: None,
            data_model_manager=known,
            cached_internal_func={},
            typing_context=self.typing_context,
        )


class _Kernel(Dispatcher):
    targetdescr = _KernelTarget("cpu")


class _Whole(codegen.JITCodeLibrary):
    """Code that becomes machine code, optimised once.

    At LLVM's first level: the higher ones unroll and vectorise loops over four seats, take longer, and what
    comes of it is slower.
    """

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout
        for function in module.functions:
            manager, builder = self._codegen._function_pass_manager(**_LEVEL)
            manager.run(function, builder)

    def _optimize_final_module(self) -> None:
        # What was taken over is called from here only. Told so, LLVM drops the arguments that nobody reads,
        # of the hundreds that tables and rules are handed on as: four fifths of a replay's time.
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == _TAKEN_OVER:
                function.linkage = "internal"
        manager, builder = self._codegen._module_pass_manager(**_LEVEL)
        manager.run(self._final_module, builder)

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def machine_code(self) -> bytes:
        """Return it as an object file."""
        outside = {f.name for f in self._final_module.functions if f.is_declaration} - _KNOWN
        missing = [name for name in sorted(outside) if not name.startswith("llvm.")] + self._dynamic_globals
        if missing:
            raise NotImplementedError(f"machine code that needs {', '.join(missing)}")
        emitted: bytes = self._codegen._tm.emit_object(self._final_module)
        return emitted


class _Unlinked(_Whole):
    """Code that is there to be taken over by a caller, and becomes no machine code of its own."""

    def _optimize_final_module(self) -> None:
        pass


@register_pass(mutates_CFG=False, analysis_only=True)
class _Collect(FunctionPass):
    """Have the code of a function collected to be taken over."""

    _name = "paifu_collect"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        state.library = _Unlinked(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return False


_NOT_NEEDED = frozenset(
    {InlineClosureLikes, InlineInlinables, InlineOverloads, NopythonRewrites, WithLifting}
)
"""Passes over what no kernel has: functions in functions, expressions of whole arrays, contexts."""


class _KernelCompiler(Compiler):
    def define_pipelines(self) -> Any:
        managers = super().define_pipelines()
        for manager in managers:
            manager.passes = [
                (Lowering if each is NativeLowering else each, text)
                for each, text in manager.passes
                if each not in _NOT_NEEDED
            ]
            manager.add_pass_after(_Collect, NopythonTypeInference)
            manager.finalize()
        return managers


def type_of_callee(function: Callable[..., Any]) -> Any:
    """Return the numba type of a kernel as other kernels call it. It keeps what it describes alive."""
    dispatcher = _dispatcher(function)

    def compile_for(signature: Any) -> Any:
        args = tuple(signature)
        with global_compiler_lock:
            if args not in dispatcher.overloads:
                result = _compiled(dispatcher, args)
                key = object()  # where numba has the address of what can be called
                dispatcher.targetctx.insert_user_function(key, result.fndesc, [result.library])
                dispatcher.overloads[args] = result._replace(entry_point=key)
            return dispatcher.overloads[args].entry_point

    dispatcher.compile = compile_for
    type_of: Any = types.Dispatcher(_settled(dispatcher))
    type_of.kept = dispatcher  # numba itself holds it by a weak reference
    return type_of


def compile_entry(function: Callable[..., Any], values: Sequence[object]) -> bytes:
    """Compile a kernel that Python calls, for arguments like these; see :class:`machine_code.Code`."""
    dispatcher = _dispatcher(function)
    # A compiler makes millions of objects and few cycles: looking for some costs a third.
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        with global_compiler_lock:
            result = _compiled(dispatcher, tuple(map(cast(Callable[[object], Any], typeof), values)))
            return _way_in(result, function.__name__)
    finally:
        if was_enabled:
            gc.enable()


def _dispatcher(function: Callable[..., Any]) -> Any:
    dispatcher: Any = _Kernel(function, targetoptions=_OPTIONS, pipeline_class=_KernelCompiler)
    dispatcher._compiler._customize_flags = _without_machine_code
    return dispatcher


def _compiled(dispatcher: Any, args: tuple[Any, ...]) -> Any:
    details = {"dispatcher": dispatcher, "args": args, "return_type": None}
    with event.trigger_event("numba:compile", data=details), dispatcher._compiling_counter:
        return dispatcher._compiler.compile(args, None)


def _way_in(result: Any, name: str) -> bytes:
    """Return a kernel and all that it calls as an object file with one function, of rows of cells."""
    library = _Whole(result.library.codegen, name)
    module = library.create_ir_module(name)
    context = result.target_context
    called = context.declare_function(module, result.fndesc)
    symbol = f"paifu.{name}"
    function = ir.Function(module, ir.FunctionType(_CELL, [_CELL.as_pointer()] * 2), symbol)
    builder = ir.IRBuilder(function.append_basic_block())
    returned = builder.alloca(context.data_model_manager[result.fndesc.restype].get_return_type())
    failure = builder.alloca(called.args[1].type.pointee)
    cells, answers = function.args
    values = [
        _from_cell(builder, builder.load(builder.gep(cells, [_CELL(number)])), argument.type)
        for number, argument in enumerate(called.args[2:])
    ]
    status = builder.call(called, [returned, failure, *values])
    for number, leaf in enumerate(_leaves(builder, builder.load(returned))):
        builder.store(_to_cell(builder, leaf), builder.gep(answers, [_CELL(number)]))
    builder.ret(builder.sext(status, _CELL))
    library.add_ir_module(module)
    library.add_linking_library(result.library)
    library.finalize()
    return stored(symbol, *_returns(result.fndesc.restype), library.machine_code())


def _from_cell(builder: ir.IRBuilder, cell: Any, kind: Any) -> Any:
    if isinstance(kind, ir.PointerType):
        return builder.inttoptr(cell, kind)
    if isinstance(kind, ir.DoubleType):
        return builder.bitcast(cell, kind)
    return cell if kind == _CELL else builder.trunc(cell, kind)


def _to_cell(builder: ir.IRBuilder, value: Any) -> Any:
    if isinstance(value.type, ir.PointerType):
        return builder.ptrtoint(value, _CELL)
    if isinstance(value.type, ir.DoubleType):
        return builder.bitcast(value, _CELL)
    if value.type == _CELL:
        return value
    return builder.zext(value, _CELL) if value.type.width <= 8 else builder.sext(value, _CELL)


def _leaves(builder: ir.IRBuilder, value: Any) -> Iterator[Any]:
    """The numbers that a value consists of."""
    if not isinstance(value.type, ir.Aggregate):
        yield value
        return
    for number in range(len(value.type)):
        yield from _leaves(builder, builder.extract_value(value, number))


def _returns(kind: Any) -> tuple[list[str], bool]:
    """What a kernel returns, by name, and whether as a tuple."""
    if isinstance(kind, types.BaseTuple):
        return [name for part in cast(Any, kind) for name in _returns(part)[0]], True
    names = {types.Boolean: "bool", types.Integer: "int", types.Float: "float", types.NoneType: "none"}
    return [name for base, name in names.items() if isinstance(kind, base)], False


def _without_machine_code(flags: Any) -> Any:
    flags.no_compile = True
    return flags


def _settled(dispatcher: Any) -> Any:
    """Have numba compile a kernel for the annotated types before it looks at what it is called with."""
    of_types = dispatcher.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        with global_compiler_lock:
            if dispatcher._can_compile and (stated := examples(dispatcher.py_func)) is not None:
                dispatcher.compile(tuple(map(cast(Callable[[object], Any], typeof), stated)))
                dispatcher.disable_compile()
        return of_types(args, kws)

    dispatcher.get_call_template = get_call_template
    return dispatcher
