"""Compile the kernels of each floor into a shared library: ``python -m paifu.replay.kernels.build``.

The build of a wheel and an editable install do this by themselves. numba turns each kernel into LLVM's code,
once for all libraries; several processes share the kernels out. Of these parts, each library takes what it
needs. It becomes machine code for any processor of the platform of the last ten years, and is linked by the
system's compiler, or by the one that the package ``ziglang`` brings. Libraries are made side by side.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
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
_AVX2 = "+avx2,+fma,-slow-unaligned-mem-32"
FEATURES = {"x86_64": {"avx2": _AVX2, "avx512": f"{_AVX2},+avx512f,+avx512bw,+avx512dq,+avx512vl"}}
"""Architecture -> what its processors with each of ``VECTORS`` can do. ``WIDE`` is made for these, too."""
LEVEL = 2
"""How hard LLVM tries."""
MEMORY = 1_000_000_000
"""Bytes that a process needs at most, and then some: 410 MB were measured."""
PROCESSES = 4
"""How many compile at most: more would wait for the largest library."""
SECONDS = {"replay": 25, "coach": 45}
"""Floor -> seconds that its library takes one process, more or less."""
NUMBA = 0.6
"""Share of numba, of all that is done; the rest is LLVM's."""
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
    processes = processes or number_of_processes()
    with tempfile.TemporaryDirectory() as folder, place_to_tell() as (place, is_terminal):
        progress = BuildProgress(place, is_terminal)
        side_by_side = f" in {processes} processes" if processes > 1 else ""
        expected = sum(SECONDS[floor] for floor in stale) // min(processes, 2)
        progress.begin(f"compiling {len(_kernels(stale))} kernels{side_by_side}, some {expected} seconds")
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
    """Return how many processes compile, as there are processors and memory for them."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(processors, free_memory() // MEMORY, PROCESSES))


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


def _kernels(floors: Sequence[str]) -> list[Kernel]:
    """Return the kernels of these floors' libraries, what takes longest first."""
    entries = [entry for floor in floors for entry in LIBRARIES[floor].entries().values()]
    costs = kernels_of(entries)
    return sorted(costs, key=lambda kernel: (-costs[kernel], kernel.__module__, kernel.__name__))


def _compile_all(
    folder: Path, floors: Sequence[str], processes: int, progress: BuildProgress
) -> list[list[Path]]:
    """Write the object files of each floor."""
    os.environ |= {"NUMBA_OPT": "0", "NUMBA_LOOP_VECTORIZE": "0", "NUMBA_SLP_VECTORIZE": "0"}
    os.environ["NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING"] = "1"  # of what it tries and nobody sees
    context = get_context("spawn")
    wanted = [(floor, "") for floor in floors]
    for vectors in FEATURES.get(_architecture(), ()):
        wanted += [(floor, vectors) for floor in floors if LIBRARIES[floor].entries().keys() & set(WIDE)]
    shares = context.Array("d", processes + len(wanted))
    with ProcessPoolExecutor(processes, mp_context=context, initializer=_begin, initargs=(shares,)) as pool:

        def followed(running: list[Future[Path]]) -> list[Path]:
            while wait(running, timeout=0.5).not_done:
                parts, objects = shares[:processes], shares[processes:]
                progress.show(NUMBA * sum(parts) / len(parts) + (1 - NUMBA) * sum(objects) / len(objects))
            return [each.result() for each in running]

        try:
            parts = followed(
                [pool.submit(_part, number, processes, floors, folder) for number in range(processes)]
            )
            codes = followed(
                [
                    pool.submit(_objects, processes + number, floor, vectors, parts)
                    for number, (floor, vectors) in enumerate(wanted)
                ]
            )
        except BrokenProcessPool as error:
            raise BuildError(
                "a process that compiled kernels was ended from outside\n"
                f"it may have been for want of memory: {MEMORY // 10**6} MB are needed"
            ) from error
    made = list(zip(codes, wanted, strict=True))
    return [[code for code, (of, _) in made if of == floor] for floor in floors]


_shares: Any = None


def _begin(shares: Any) -> None:
    """Keep, in a process that compiles, where it tells how far it is."""
    global _shares
    _shares = shares


def _part(number: int, parts: int, floors: Sequence[str], folder: Path) -> Path:
    """Write LLVM's code of one part of the kernels of these floors, and of one part of the ways into them."""
    from paifu.replay.kernels.collecting import collecting, compile_alone, linked
    from paifu.replay.kernels.compiling import compiled, compiled_kernel

    entries = [entry for floor in floors for entry in LIBRARIES[floor].entries().values()]
    ways = [(entry, without) for entry in entries for without in entry.versions()][number::parts]
    kernels = _kernels(floors)[number::parts]
    symbols = dict[str, str]()
    with collecting(number) as modules:
        for entry, without in ways:
            symbols[compiled(entry, without).native_name] = entry.symbol(without)
        for done, kernel in enumerate(kernels):
            compile_alone(compiled_kernel(kernel))
            _shares[number] = done / len(kernels)
    module, machine = linked(modules), target_machine()
    module.triple, module.data_layout = machine.triple, str(machine.target_data)
    for name, symbol in symbols.items():
        module.get_function(name).name = symbol
    # LLVM would begin with it anyway. Here it is done once for all libraries, and makes less code of it.
    passes = llvm.create_new_module_pass_manager()
    for add in ("simplify_cfg", "sroa", "instruction_combine", "simplify_cfg"):
        getattr(passes, f"add_{add}_pass")()
    passes.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(LEVEL)))
    path = folder / f"part-{number}.bc"
    path.write_bytes(module.as_bitcode())
    _shares[number] = 1
    return path


def _objects(number: int, floor: str, vectors: str, parts: Sequence[Path]) -> Path:
    """Write the object file of the library of a floor, or of its entries for some vectors."""
    from paifu.replay.kernels.collecting import linked

    library = LIBRARIES[floor]
    entries = library.entries()
    symbols = {
        entry.symbol(without): entry.symbol(without) + f"_{vectors}" * bool(vectors)
        for name, entry in entries.items()
        for without in entry.versions()
        if not vectors or name in WIDE
    }
    module = linked([llvm.parse_bitcode(path.read_bytes()) for path in parts])
    keep_only(module, symbols)
    if vectors:
        module = llvm.parse_assembly(_SUM.sub(r"= \1 contract ", str(module)))
    else:
        said = {"paifu_sources": library.sources(), "paifu_meaning": meaning_of(library)}
        for symbol, text in said.items():
            module.link_in(llvm.parse_assembly(f'@{symbol} = constant [64 x i8] c"{text}"\n'))

    def done(share: float) -> None:
        _shares[number] = share

    path = parts[0].with_name(f"{floor}-{vectors}.o")
    path.write_bytes(object_code(module, vectors, done))
    return path


def _architecture() -> str:
    return str(llvm.get_process_triple()).split("-")[0]


def target_machine(vectors: str = "") -> Any:
    """Return the processor that LLVM makes code for."""
    features = FEATURES[_architecture()][vectors] if vectors else ""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(
        cpu=PROCESSORS.get(_architecture(), "generic"), features=features, opt=3, reloc="pic",
        codemodel="default",
    )  # fmt: skip


def keep_only(module: Any, symbols: dict[str, str]) -> None:
    """Leave in a module the functions that are to be seen outside, under new names, and what they need."""
    for each in (*module.functions, *module.global_variables):
        if each.name in symbols:
            each.name = symbols[each.name]
        elif not each.is_declaration:
            each.linkage = "internal"
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, llvm.create_pass_builder(target_machine(), llvm.create_pipeline_tuning_options()))


def object_code(module: Any, vectors: str, done: Callable[[float], None]) -> bytes:
    """Return the object file of a module.

    What numba or Python would do about errors ends the process, as no kernel raises any.
    """
    machine = target_machine(vectors)
    declared = [str(each).strip() for each in module.functions if each.is_declaration]
    outside = [_OUTSIDE.sub(_TRAP, each) for each in declared if _OUTSIDE.search(each)]
    module.link_in(llvm.parse_assembly("\n".join([*outside, "declare void @llvm.trap()\n"])))
    for each in (*module.functions, *module.global_variables):
        if not each.is_declaration and not each.name.startswith("paifu_"):
            each.linkage = "internal"
            each.name += f".{vectors}" * bool(vectors)  # to be told apart in the library
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=LEVEL)
    options.slp_vectorization = False  # it gained nothing
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(module, passes)
    done(0.8)
    code = bytes(machine.emit_object(module))
    done(1)
    return code


if __name__ == "__main__":
    main()
