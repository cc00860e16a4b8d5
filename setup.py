"""The part of the build that data cannot say: kernels and catalogues of texts are compiled."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
NOT_COMPILED = os.environ.get("PAIFU_KERNELS") in ("jit", "python")
"""Somebody wants the slow install: PAIFU_KERNELS=python pip install ."""


class BuildCompiled(build_py):
    """Compiles kernels and texts beside their sources first, so that an editable install finds them, too."""

    def run(self) -> None:
        """Build."""
        run_module("paifu.replay.language.catalogues")
        if not NOT_COMPILED:
            run_module("paifu.replay.kernels.build")
        super().run()


def run_module(name: str) -> None:
    """Run a module of this folder as a program."""
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "paifu" / "__init__.py"  # whose modules are those of this folder
        package.parent.mkdir()
        package.write_text(f"__path__ = [{str(ROOT)!r}]\n", "utf-8")
        paths = os.pathsep.join([folder, *sys.path])
        command = [sys.executable, "-P", "-m", name]
        done = subprocess.run(command, env=os.environ | {"PYTHONPATH": paths}, check=False)  # noqa: S603  a module of ours
    if done.returncode:
        sys.exit(done.returncode)


class Platform(Distribution):
    """What depends on the platform, by the library in it."""

    def has_ext_modules(self) -> bool:
        """Return whether it does."""
        return not NOT_COMPILED


class PlatformWheel(bdist_wheel):
    """A wheel for a platform and any Python: the library knows neither Python nor numpy."""

    def get_tag(self) -> tuple[str, str, str]:
        """Return Python, ABI and platform."""
        return "py3", "none", super().get_tag()[2]


IS_LINKED_BY_ZIG = not NOT_COMPILED and not any(map(shutil.which, ("cc", "gcc", "clang")))

setup(
    distclass=Platform,
    cmdclass={"build_py": BuildCompiled, "bdist_wheel": PlatformWheel},
    setup_requires=["ziglang>=0.13"] if IS_LINKED_BY_ZIG else [],
)
