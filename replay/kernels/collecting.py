"""LLVM's code of kernels as numba writes it, each once, and none of it compiled: for the build.

numba means to run what it compiles: it compiles first what a kernel calls, links that into it, makes machine
code of both, and throws this away when the next kernel links it in. The build wants none of this: annotations
say what a kernel takes and answers, so each is compiled alone, in any order and process, and all of them
become machine code at once later on. So a few functions of numba's own are replaced meanwhile. They belong to
no public interface, which is why ``pyproject.toml`` says which versions of numba the build works with.
"""

# numba annotates only a part of itself.
# mypy: allow-untyped-calls

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace
from typing import Any
from zlib import crc32

import llvmlite.binding as llvm
import numba
from numba.core import funcdesc, ir, itanium_mangler
from numba.core.analysis import compute_cfg_from_blocks, compute_use_defs
from numba.core.cgutils import normalize_ir_text
from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary, JITCPUCodegen
from numba.core.dispatcher import Dispatcher, _FunctionCompiler  # type: ignore[attr-defined]
from numba.core.lowering import Lower
from numba.core.postproc import PostProcessor
from numba.core.registry import cpu_target
from numba.core.runtime.context import NRTContext
from numba.core.runtime.nrt import rtsys
from numba.core.transforms import canonicalize_cfg
from numba.core.types.functions import BaseFunction

from paifu.replay.kernels.build_progress import BuildError

APART = ("add_alone", "add_full", "add_three")
"""Kernels that are never called with two arrays of which one lies in the other."""


@contextmanager
def collecting(process: int) -> Iterator[list[Any]]:
    """Fill a list with LLVM's modules of all that numba compiles within, in this one of several processes.

    Raises BuildError where numba has not the functions that are replaced.
    """
    modules: list[Any] = []
    compile_now, get_call_type_now = Dispatcher.compile, BaseFunction.get_call_type

    def add_ir_module(_library: Any, module: Any) -> None:
        modules.append(llvm.parse_assembly(normalize_ir_text(str(module))))

    def compile(dispatcher: Any, signature: Any) -> Any:  # noqa: A001  numba's name
        is_kernel = dispatcher.py_func.__module__.startswith("paifu.")
        return (_declare if is_kernel else compile_now)(dispatcher, signature)

    def get_call_type(function: Any, context: Any, args: Any, kws: Any) -> Any:
        """Ask only once what a function of numba's answers for these types."""
        known = vars(function).setdefault("paifu_known", {})
        asked = (*args, *kws.items())
        if asked not in known:
            known[asked] = get_call_type_now(function, context, args, kws)
        return known[asked]

    def default_mangler(name: str, kinds: Any, *, abi_tags: Any = (), uid: int | None = None) -> str:
        """Name a function without its types, which take up to 31 kB in each call."""
        if ".kernels." in name:  # in all processes alike
            kinds, abi_tags, uid = (), (f"{crc32(repr(kinds).encode()):08x}",), None
        elif uid is not None:
            kinds, abi_tags = (), (f"process{process}", *abi_tags)
        return str(itanium_mangler.mangle(name, kinds, abi_tags=abi_tags, uid=uid))

    replaced: list[tuple[Any, Callable[..., Any]]] = [
        (CPUCodeLibrary, add_ir_module),
        (CPUCodeLibrary, finalize),
        (JITCodeLibrary, get_pointer_to_function),
        (JITCPUCodegen, set_env),
        # What counts references would do nothing, as kernels only borrow arrays. It is a third of the code.
        (NRTContext, _call_incref_decref),
        (PostProcessor, run),
        (Dispatcher, compile),
        (_FunctionCompiler, _customize_flags),
        (BaseFunction, get_call_type),
        (Lower, _find_singly_assigned_variable),
        (Lower, storevar),
        (funcdesc, default_mangler),
    ]
    rtsys.initialize(cpu_target.target_context)  # numba's own functions, which it does run
    with ExitStack() as afterwards, _few_collections():
        for owner, function in replaced:
            if function.__name__ not in vars(owner):
                raise BuildError(
                    f"numba {numba.__version__} has no {owner.__name__}.{function.__name__}\n"
                    "install a version that pyproject.toml allows: pip install 'paifu[jit]'"
                )
            afterwards.callback(setattr, owner, function.__name__, getattr(owner, function.__name__))
            setattr(owner, function.__name__, function)
        yield modules


def finalize(library: Any) -> None:
    """Link nothing into the code of a kernel."""
    library._finalized = True


def get_pointer_to_function(library: Any, _name: str) -> int:
    """Make no machine code."""
    library._ensure_finalized()
    return 0


def _declare(kernel: Any, signature: Any) -> None:
    """Let other kernels call a version of this one, which is compiled by itself."""
    called, where = object(), kernel.py_func
    described = funcdesc.FunctionDescriptor(
        native=True, modname=where.__module__, qualname=where.__qualname__, unique_name="", doc="",
        typemap=None, restype=signature.return_type, calltypes=None,
        args=tuple(kernel._compiler.pysig.parameters), kws=(), argtypes=signature.args,
    )  # fmt: skip
    kernel.targetctx.insert_user_function(called, described)
    version = SimpleNamespace(signature=signature, entry_point=called, objectmode=False)
    kernel.overloads[signature.args] = version


def _customize_flags(compiler: Any, flags: Any) -> Any:
    """Say of some kernels that none of their arrays lies in another one, so that no loop has to look."""
    flags.noalias = compiler.py_func.__name__ in APART
    return flags


def compile_alone(kernel: Any) -> None:
    """Compile all versions of a kernel, and none of the kernels that it calls."""
    for version in kernel.nopython_signatures:
        kernel._compiler.compile(version.args, version.return_type)


def set_env(_codegen: Any, _name: str, _environment: Any) -> None:
    """Tell no machine code where a function's environment lies: there is none."""


def _call_incref_decref(*_: Any) -> None:
    """Count no references."""


def _find_singly_assigned_variable(lower: Any) -> None:
    """Let a variable that gets a value once, before all that reads it, be this value, and no place in memory.

    numba does so within a block. A tuple of arrays would be read as a whole for each of its fields.
    """
    blocks = lower.func_ir.blocks
    found = compute_use_defs(blocks)
    times = Counter(each.target.name for block in blocks.values() for each in block.find_insts(ir.Assign))
    above = compute_cfg_from_blocks(blocks).dominators()
    readers: dict[str, list[int]] = {}
    for reader, names in found.usemap.items():
        for name in names:
            readers.setdefault(name, []).append(reader)
    lower._singly_assigned_vars = {
        name
        for writer, names in found.defmap.items()
        for name in names
        if times[name] == 1
        and all(writer < reader and writer in above[reader] for reader in readers.get(name, ()))
    }
    lower._blk_local_varmap = {}


def storevar(lower: Any, value: Any, name: str, **_: Any) -> None:
    """Give a variable a value; the one that it had is not read to be given up."""
    if name in lower._singly_assigned_vars:
        lower._blk_local_varmap[name] = value
    else:
        lower._alloca_var(name, lower.typeof(name))
        lower.builder.store(value, lower.getvar(name))


def run(processor: Any, *_: bool, **__: bool) -> None:
    """Do not find out, after each step, where each variable is needed last: there is nothing to give up."""
    code = processor.func_ir
    code.blocks, code.generator_info = canonicalize_cfg(code.blocks), None


@contextmanager
def _few_collections() -> Iterator[None]:
    """Look for garbage seldom: numba makes millions of objects, and few cycles.

    It saves a fifth of the time.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def linked(modules: list[Any]) -> Any:
    """Return one module of all, which are used up: by twos, as each step takes as long as both are large."""
    while len(modules) > 1:
        for into, other in zip(modules[::2], modules[1::2], strict=False):
            into.link_in(other)
        modules = modules[::2]
    return modules[0]
