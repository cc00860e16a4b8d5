"""LLVM's code of kernels as numba writes it, each once, and none of it compiled: for the build.

numba means to run what it compiles: it links into each kernel all that this one calls, makes machine code of
it, and throws that away when the next kernel links it in. The build wants none of this, as it compiles all
kernels at once later on. So a few functions of numba's own are replaced meanwhile. They belong to no public
interface, which is why ``pyproject.toml`` says which versions of numba the build works with.
"""

# numba annotates only a part of itself.
# mypy: allow-untyped-calls

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import llvmlite.binding as llvm
import numba
from numba.core import funcdesc, itanium_mangler
from numba.core.cgutils import normalize_ir_text
from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary, JITCPUCodegen
from numba.core.postproc import PostProcessor
from numba.core.registry import cpu_target
from numba.core.runtime.context import NRTContext
from numba.core.runtime.nrt import rtsys
from numba.core.transforms import canonicalize_cfg

from paifu.replay.kernels.build_progress import BuildError


@contextmanager
def collecting(told: Callable[[str], None]) -> Iterator[list[Any]]:
    """Fill a list with LLVM's modules of all that numba compiles within; ``told`` hears the name of each.

    Raises BuildError where numba has not the functions that are replaced.
    """
    modules: list[Any] = []

    def add_ir_module(_library: Any, module: Any) -> None:
        modules.append(llvm.parse_assembly(normalize_ir_text(str(module))))

    def finalize(library: Any) -> None:
        library._finalized = True
        told(library.name)

    def get_pointer_to_function(library: Any, _name: str) -> int:
        library._ensure_finalized()
        return 0

    replaced: list[tuple[Any, Callable[..., Any]]] = [
        (CPUCodeLibrary, add_ir_module),
        (CPUCodeLibrary, finalize),
        (JITCodeLibrary, get_pointer_to_function),
        (JITCPUCodegen, set_env),
        # What counts references would do nothing, as kernels only borrow arrays. It is a third of the code.
        (NRTContext, _call_incref_decref),
        (PostProcessor, run),
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


def set_env(_codegen: Any, _name: str, _environment: Any) -> None:
    """Tell no machine code where a function's environment lies: there is none."""


def _call_incref_decref(*_: Any) -> None:
    """Count no references."""


def default_mangler(name: str, kinds: Any, *, abi_tags: Any = (), uid: int | None = None) -> str:
    """Name a function without its types, which take up to 31 kB in each call; ``uid`` is its own."""
    return str(itanium_mangler.mangle(name, kinds if uid is None else (), abi_tags=abi_tags, uid=uid))


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
