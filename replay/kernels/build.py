"""Compile all kernels into one shared library: ``python -m paifu.replay.kernels.build``.

The build of a wheel and an editable install do this by themselves. numba turns each entry into LLVM's text.
All of it becomes one module, for any processor of the platform of the last ten years, and is linked by the
system's compiler, or by the one that the package ``ziglang`` brings.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

from paifu.replay.kernels.running import FOLDER, KERNELS, LIBRARY_FILE, Entry, library_problem, sources_hash

PROCESSORS = {"x86_64": "x86-64-v2"}
"""Architecture -> the least processor that the library runs on, where that is not the generic one."""
LONGEST = ("replay_hands", "solve_hand")
"""Entries that take longest to compile. They come first, so that all processes end at about the same time."""
LEVEL = 2
"""How hard LLVM tries."""
_COUNTING = re.compile(r"(define linkonce_odr void @NRT_(?:inc|dec)ref\(.*?\{).*?\n\}", re.DOTALL)
_OUTSIDE = re.compile(
    r"declare (?!.*@(?:llvm\.|mem(?:cpy|move|set)\b|exp\b|log\b|pow\b))(.*@.*\))[^)\n]*$", re.MULTILINE
)
"""Functions of numba and Python that error paths call."""
_NOT_COMPILED = {"build", "compiling"}


def main() -> None:
    """Compile the library again, if any source has changed since."""
    begun = time.monotonic()
    try:
        made = build()
    except BuildError as error:
        sys.exit(f"paifu: {error}")
    print(f"compiled in {time.monotonic() - begun:.0f} s" if made else "up to date")  # noqa: T201


class BuildError(Exception):
    """The library cannot be made, and why, in two lines."""


def build(target: Path = LIBRARY_FILE, jobs: int | None = None) -> bool:
    """Make the library; False when it is there and was made of the present sources.

    Raises BuildError if there is no compiler, or it fails.
    """
    if target.exists() and target == LIBRARY_FILE and not library_problem():
        return False
    linker = linker_command()
    with tempfile.TemporaryDirectory() as folder:
        parts = _compile_all(Path(folder), jobs or os.cpu_count() or 1)
        code = Path(folder) / "kernels.o"
        code.write_bytes(object_code(part.read_text() for part in parts))
        made = Path(folder) / target.name
        done = subprocess.run(  # noqa: S603  a compiler
            [*linker, "-shared", "-o", str(made), str(code), "-lm"],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise BuildError(f"the kernels cannot be linked\n{' '.join(linker)}: {done.stderr.strip()[:500]}")
        target.parent.mkdir(parents=True, exist_ok=True)
        staged = target.with_suffix(".new")
        shutil.copyfile(made, staged)
        staged.replace(target)  # at one stroke: a process that has loaded the old one keeps it
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


def entries() -> dict[str, Entry[Any, Any]]:
    """Import all kernels and return their entries by name."""
    for module in pkgutil.iter_modules([str(FOLDER)]):
        if module.name not in _NOT_COMPILED:
            importlib.import_module(f"paifu.replay.kernels.{module.name}")
    return {entry.function.__name__: entry for entry in KERNELS.values() if entry is not None}


def _compile_all(folder: Path, jobs: int) -> list[Path]:
    """Write LLVM's text of all entries; a file for each version of each."""
    names = sorted(entries(), key=lambda name: name not in LONGEST)
    os.environ |= {"NUMBA_OPT": "0", "NUMBA_LOOP_VECTORIZE": "0", "NUMBA_SLP_VECTORIZE": "0"}
    # More than two would mostly compile again what entries have in common.
    with ProcessPoolExecutor(min(jobs, 2), mp_context=get_context("spawn")) as pool:
        return [path for paths in pool.map(_compile, names, [folder] * len(names)) for path in paths]


def _compile(name: str, folder: Path) -> list[Path]:
    from paifu.replay.kernels.compiling import compiled

    entry, paths = entries()[name], []
    for without in entry.versions():
        symbol = entry.symbol(without)
        function = compiled(entry, without)
        path = folder / f"{symbol}.ll"
        path.write_text(renamed(function.inspect_llvm(), function.native_name, symbol))
        paths.append(path)
    return paths


def renamed(text: str, name: str, symbol: str) -> str:
    """Return LLVM's text of an entry, called ``symbol`` now, with nothing that needs numba or Python.

    What counts references does nothing, as kernels only borrow arrays. What reports errors ends the process,
    as no kernel raises any.
    """
    text = _COUNTING.sub(r"\1\n  ret void\n}", text)
    text = _OUTSIDE.sub(r"define linkonce_odr \1 {\n  call void @llvm.trap()\n  unreachable\n}", text)
    return text.replace(name, symbol) + "\ndeclare void @llvm.trap()\n"


def object_code(texts: Iterable[str]) -> bytes:
    """Return one object file of all entries, and of a constant that says of which sources they were made."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    triple = llvm.get_process_triple()
    machine = llvm.Target.from_triple(triple).create_target_machine(
        cpu=PROCESSORS.get(triple.split("-")[0], "generic"), opt=3, reloc="pic", codemodel="default"
    )
    module = llvm.parse_assembly(f'@paifu_sources = constant [64 x i8] c"{sources_hash()}"\n')
    module.triple, module.data_layout = triple, str(machine.target_data)
    for text in texts:
        module.link_in(llvm.parse_assembly(text))
    for each in (*module.functions, *module.global_variables):
        if not each.is_declaration and not each.name.startswith("paifu_"):
            each.linkage = "internal"
    options = llvm.create_pipeline_tuning_options(speed_level=LEVEL)
    # Most loops are over four seats: too short to gain by it.
    options.loop_vectorization = options.slp_vectorization = False
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(module, passes)
    return bytes(machine.emit_object(module))


if __name__ == "__main__":
    main()
