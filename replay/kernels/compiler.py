"""How kernels are compiled: each way in as one piece with all that it calls.

numba would turn every kernel into machine code of its own, with a wrapper that takes apart what Python hands
it, and optimise whatever it calls again at each level. Only the ways in are ever called from Python. So the
others stop at LLVM's unoptimised code, and what calls them takes that over: the whole is optimised once. That
takes a third of the time, and there is one file to load for each way in.
"""

# numba annotates only a part of itself.
# mypy: allow-untyped-calls

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any, cast

import numba
from numba import typeof, types
from numba.core import codegen, event
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.typed_passes import NopythonTypeInference

from paifu.replay.kernels.signatures import examples

# Without numba's run time nothing can allocate, and arrays passed from kernel to kernel are not counted:
# a replay, which hands on a dozen arrays at every call, takes a tenth of the time.
_OPTIONS: dict[str, Any] = {"boundscheck": False, "_nrt": False, "no_cfunc_wrapper": True}
_TAKEN_OVER = cast(Any, codegen).ll.Linkage.linkonce_odr
_LEVEL: dict[str, Any] = {"opt": 1, "loop_vectorize": False, "slp_vectorize": False}


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


class _Unlinked(_Whole):
    """Code that is there to be taken over by a caller, and becomes no machine code of its own."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True


class _Collect(FunctionPass):
    """Choose what the code of a function is collected in."""

    library: type[_Whole]

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        state.library = self.library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return False


@register_pass(mutates_CFG=False, analysis_only=True)
class _CollectWhole(_Collect):
    _name = "paifu_collect_whole"
    library = _Whole


@register_pass(mutates_CFG=False, analysis_only=True)
class _CollectUnlinked(_Collect):
    _name = "paifu_collect_unlinked"
    library = _Unlinked


class _EntryCompiler(Compiler):
    collect: type[_Collect] = _CollectWhole

    def define_pipelines(self) -> Any:
        managers = super().define_pipelines()
        for manager in managers:
            manager.add_pass_after(self.collect, NopythonTypeInference)
            manager.finalize()
        return managers


class _CalleeCompiler(_EntryCompiler):
    collect = _CollectUnlinked


def _without_machine_code(flags: Any) -> Any:
    flags.no_compile = True
    return flags


def type_of_callee(function: Callable[..., Any]) -> Any:
    """Return the numba type of a kernel as other kernels call it. It keeps what it describes alive."""
    compiler = cast(Any, numba.njit)(no_cpython_wrapper=True, pipeline_class=_CalleeCompiler, **_OPTIONS)
    dispatcher = compiler(function)
    dispatcher._compiler._customize_flags = _without_machine_code

    def compile_for(signature: Any) -> Any:
        args = tuple(signature)
        with global_compiler_lock:
            if args not in dispatcher.overloads:
                details = {"dispatcher": dispatcher, "args": args, "return_type": None}
                with event.trigger_event("numba:compile", data=details), dispatcher._compiling_counter:
                    result = dispatcher._compiler.compile(args, None)
                key = object()  # where numba has the address of what can be called
                dispatcher.targetctx.insert_user_function(key, result.fndesc, [result.library])
                dispatcher.overloads[args] = result._replace(entry_point=key)
            return dispatcher.overloads[args].entry_point

    dispatcher.compile = compile_for
    type_of: Any = types.Dispatcher(_settled(dispatcher))
    type_of.kept = dispatcher  # numba itself holds it by a weak reference
    return type_of


def way_in(function: Callable[..., Any], cache: Any | None) -> Any:
    """Return a kernel that Python can call, kept in ``cache``."""
    dispatcher = cast(Any, numba.njit)(pipeline_class=_EntryCompiler, **_OPTIONS)(function)
    if cache is not None:
        dispatcher._cache = cache
    return _settled(dispatcher)


def _settled(dispatcher: Any) -> Any:
    """Have numba compile a kernel for the annotated types before it looks at what it is called with."""
    of_call, of_types = dispatcher._compile_for_args, dispatcher.get_call_template

    def settle() -> tuple[Any, ...] | None:
        with global_compiler_lock:
            if not dispatcher._can_compile:
                return cast(tuple[Any, ...], next(iter(dispatcher.overloads)))
            stated = examples(dispatcher.py_func)
            if stated is None:
                return None
            annotated = tuple(map(cast(Callable[[object], Any], typeof), stated))
            dispatcher.compile(annotated)
            dispatcher.disable_compile()
            return annotated

    def compile_for_args(*args: object, **kws: object) -> Any:
        # A compiler makes millions of objects and few cycles: looking for some costs a third.
        was_enabled = gc.isenabled()
        gc.disable()
        try:
            annotated = settle()
            return of_call(*args, **kws) if annotated is None else dispatcher.overloads[annotated].entry_point
        finally:
            if was_enabled:
                gc.enable()

    def get_call_template(args: Any, kws: Any) -> Any:
        settle()
        return of_types(args, kws)

    dispatcher._compile_for_args, dispatcher.get_call_template = compile_for_args, get_call_template
    return dispatcher
