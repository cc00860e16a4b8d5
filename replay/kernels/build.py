"""Compile the kernels of each floor into a shared library: ``python -m paifu.replay.kernels.build``.

The build of a wheel and an editable install do this by themselves. numba turns each kernel into LLVM's code,
once. All of it becomes machine code for any processor of the platform of the last ten years, and is linked by
the system's compiler, or by the one that the package ``ziglang`` brings. Libraries are made side by side.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

from paifu.replay.kernels.build_progress import BuildError, BuildProgress, place_to_tell
from paifu.replay.kernels.meaning import meaning_of
from paifu.replay.kernels.running import LIBRARIES, WIDE, Entry, globals_read, kernel_of

Kernel = Callable[..., Any]

PROCESSORS = {"x86_64": "x86-64-v2"}
"""Architecture -> the least processor that the library runs on, where that is not the generic one."""
WIDE_FEATURES = {"x86_64": "+avx2,+fma,-slow-unaligned-mem-32"}
"""Architecture -> what most of its processors can do besides. Entries of ``WIDE`` are made for it, too."""
LEVEL = 2
"""How hard LLVM tries."""
MEMORY = 1_000_000_000
"""Bytes that a process needs at most, and then some: 600 MB were measured."""
SECONDS = {"replay": 30, "coach": 45}
"""Floor -> seconds that its library takes, more or less."""
SHARES = {"numba": 0.7, "link": 0.72, "optimize": 0.95, "emit": 1.0}
"""What is done after each step of a process, of all that it does."""
_OUTSIDE = re.compile(
    r"declare (?!.*@(?:llvm\.|mem(?:cpy|move|set)\b|exp\b|log\b|pow\b|sqrt\b))(.*@.*\))[^)\n]*$", re.MULTILINE
)
"""Functions of numba and Python that error paths call."""
_TRAP = r"define linkonce_odr \1 {\n  call void @llvm.trap()\n  unreachable\n}"
_SUM = re.compile(r"= (fadd|fmul) ")
"""What may become one step, rounded once, where a processor has it."""
_LIMITS = Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")
_MEMORY_FILE = Path("/proc/meminfo")


def main() -> None:
    """Compile the library again, if any source has changed since."""
    try:
        made = build()
    except BuildError as error:
        sys.exit(f"paifu: {error}")
    if not made:
        print("up to date")  # noqa: T201


def build(floors: Sequence[str] = tuple(LIBRARIES), processes: int | None = None) -> bool:
    """Make the libraries of these floors; False when all are there and do what the present sources do.

    Raises BuildError if there is no compiler, or it fails.
    """
    stale = [floor for floor in floors if LIBRARIES[floor].problem()]
    if not stale:
        return False
    linker = linker_command()
    processes = min(len(stale), processes or number_of_processes())
    with tempfile.TemporaryDirectory() as folder, place_to_tell() as (place, is_terminal):
        progress = BuildProgress(place, is_terminal)
        kernels = sum(len(kernels_of(LIBRARIES[floor].entries().values())) for floor in stale)
        seconds = [SECONDS[floor] for floor in stale]
        side_by_side = f" in {processes} processes" if processes > 1 else ""
        expected = max(seconds) if processes > 1 else sum(seconds)
        progress.begin(f"compiling {kernels} kernels{side_by_side}, some {expected} seconds")
        for floor, codes in zip(stale, _compile_all(Path(folder), stale, processes, progress), strict=True):
            made = codes[0].with_suffix(".bin")
            done = subprocess.run(  # noqa: S603  a compiler
                [*linker, "-shared", "-o", str(made), *map(str, codes), "-lm"],
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode:
                raise BuildError(
                    f"the kernels cannot be linked\n{' '.join(linker)}: {done.stderr.strip()[:500]}"
                )
            target = LIBRARIES[floor].file
            staged = target.with_suffix(".new")
            shutil.copyfile(made, staged)
            staged.replace(target)  # at one stroke: a process that has loaded the old one keeps it
        progress.end("kernels compiled")
    return True


def linker_command() -> list[str]:
    """Return the command of a compiler that can link: the system's, or ziglang's."""
    for name in (os.environ.get("CC", ""), "cc", "gcc", "clang"):
        if name and (found := shutil.which(name)):
            return [found]
    if find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang", "cc"]
    raise BuildError(
        "no C compiler was found to link the kernels with\ninstall gcc or clang, or: pip install ziglang"
    )


def number_of_processes() -> int:
    """Return how many processes compile: one a library, where there are processors and memory for them."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(processors, free_memory() // MEMORY, len(LIBRARIES)))


def free_memory() -> int:
    """Return how many bytes this process and its children may still use, as far as Linux says."""
    free = [sys.maxsize]
    if _MEMORY_FILE.exists():
        free += [1024 * int(found) for found in re.findall(r"MemAvailable: *(\d+)", _MEMORY_FILE.read_text())]
    if all(path.exists() for path in _LIMITS):
        most, used = (path.read_text().strip() for path in _LIMITS)
        if most != "max":
            free.append(int(most) - int(used))
    return min(free)


def kernels_of(entries: Iterable[Entry[Any, Any]]) -> dict[Kernel, int]:
    """Return the kernels that these entries need, and about how long each takes to compile."""
    found = dict[Kernel, int]()
    ahead: list[Kernel] = [entry.function for entry in entries]
    while ahead:
        function = ahead.pop()
        if function not in found:
            found[function] = 100 + len(function.__code__.co_code)
            ahead += [called for *_, value in globals_read(function) if (called := kernel_of(value))]
    return found


def _compile_all(
    folder: Path, floors: Sequence[str], processes: int, progress: BuildProgress
) -> list[list[Path]]:
    """Write the object files of each floor."""
    os.environ |= {"NUMBA_OPT": "0", "NUMBA_LOOP_VECTORIZE": "0", "NUMBA_SLP_VECTORIZE": "0"}
    os.environ["NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING"] = "1"  # of what it tries and nobody sees
    context = get_context("spawn")
    shares = context.Array("d", len(floors))
    with ProcessPoolExecutor(processes, mp_context=context, initializer=_begin, initargs=(shares,)) as pool:
        running = [pool.submit(_compile, number, floor, folder) for number, floor in enumerate(floors)]
        while wait(running, timeout=0.5).not_done:
            progress.show(sum(shares[:]) / len(floors))
        try:
            return [each.result() for each in running]
        except BrokenProcessPool as error:
            raise BuildError(
                "a process that compiled kernels was ended from outside\n"
                f"it may have been for want of memory: {MEMORY // 10**6} MB are needed"
            ) from error


_shares: Any = None


def _begin(shares: Any) -> None:
    """Keep, in a process that compiles, where it tells how far it is."""
    global _shares
    _shares = shares


def _compile(number: int, floor: str, folder: Path) -> list[Path]:
    """Write the object files of the library of a floor."""
    from paifu.replay.kernels.collecting import collecting, linked
    from paifu.replay.kernels.compiling import compiled

    library = LIBRARIES[floor]
    entries = library.entries()
    ahead = Counter[str]()
    for function, cost in kernels_of(entries.values()).items():
        ahead[function.__name__] += cost
    whole = ahead.total()

    def told(name: str) -> None:
        ahead.pop(name, 0)
        _shares[number] = SHARES["numba"] * (1 - ahead.total() / whole)

    symbols, wide_symbols, wide = dict[str, str](), dict[str, str](), list[Any]()
    with collecting(told) as modules:
        for name in sorted(entries, key=lambda name: name not in WIDE):
            for without in entries[name].versions():
                symbols[compiled(entries[name], without).native_name] = entries[name].symbol(without)
            if name in WIDE:
                wide = [llvm.parse_assembly(_SUM.sub(r"= \1 contract ", str(each))) for each in modules]
                wide_symbols = {native: f"{symbol}_wide" for native, symbol in symbols.items()}
    said = {"paifu_sources": library.sources(), "paifu_meaning": meaning_of(library)}
    for symbol, text in said.items():
        modules.append(llvm.parse_assembly(f'@{symbol} = constant [64 x i8] c"{text}"\n'))
    module = linked(modules)

    def done(step: str) -> None:
        _shares[number] = SHARES[step]

    done("link")
    paths = [folder / f"{floor}.o"]
    paths[0].write_bytes(object_code(module, symbols, done))
    features = WIDE_FEATURES.get(_architecture(), "")
    if wide and features:
        paths.append(folder / f"{floor}-wide.o")
        paths[1].write_bytes(object_code(linked(wide), wide_symbols, lambda _: None, features))
    return paths


def _architecture() -> str:
    return str(llvm.get_process_triple()).split("-")[0]


def object_code(
    module: Any, symbols: dict[str, str], done: Callable[[str], None], features: str = ""
) -> bytes:
    """Return the object file of a module, of whose functions those are seen outside that have a symbol.

    What numba or Python would do about errors ends the process, as no kernel raises any.
    """
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    triple = llvm.get_process_triple()
    machine = llvm.Target.from_triple(triple).create_target_machine(
        cpu=PROCESSORS.get(_architecture(), "generic"), features=features, opt=3, reloc="pic",
        codemodel="default",
    )  # fmt: skip
    module.triple, module.data_layout = triple, str(machine.target_data)
    declared = [str(each).strip() for each in module.functions if each.is_declaration]
    outside = [_OUTSIDE.sub(_TRAP, each) for each in declared if _OUTSIDE.search(each)]
    module.link_in(llvm.parse_assembly("\n".join([*outside, "declare void @llvm.trap()\n"])))
    for name, symbol in symbols.items():
        module.get_function(name).name = symbol
    for each in (*module.functions, *module.global_variables):
        if not each.is_declaration and not each.name.startswith("paifu_"):
            each.linkage = "internal"
            each.name += ".wide" * bool(features)  # to be told apart in the library
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=LEVEL)
    options.slp_vectorization = False  # it gained nothing
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(module, passes)
    done("optimize")
    code = bytes(machine.emit_object(module))
    done("emit")
    return code


if __name__ == "__main__":
    main()
