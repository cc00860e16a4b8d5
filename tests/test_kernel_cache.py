"""The cache of compiled kernels: what is loaded from it is run, so it must be ours and whole."""

from __future__ import annotations

import os
import random
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from command import MODULE

from paifu.replay.kernels import cache as kernel_cache
from paifu.replay.kernels.cache import open_folder, problem_with, temporary_folder

SAMPLE = Path(__file__).parents[1] / "sample_logs" / "formats" / "tonpuu.mjlog"
IS_ROOT = os.getuid() == 0

TWO_KERNELS = """
import sys
from paifu.replay.kernels import jit
from paifu.replay.kernels.shapes import seven_pairs_shanten as pairs
from paifu.replay.kernels.shapes import thirteen_orphans_shanten as orphans
assert (pairs(0, 0), orphans(0)) == (13, 13)
jit.mark_warm(jit.SIMULATOR)
hits = sum(kernel.compiled.loaded for kernel in (pairs, orphans))
print(hits, jit.is_warm(jit.SIMULATOR), jit.cache_problem())
"""


def two_kernels(cache: Path) -> list[str]:
    """Use two kernels: how many came from the cache, whether it counts as warm, what is wrong with it."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", TWO_KERNELS],
        env=os.environ | {"PAIFU_JIT": "on", "PAIFU_CACHE_DIR": str(cache)},
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip().split(" ", 2)


def kernels(cache: Path) -> list[Path]:
    """The files of compiled kernels below a cache."""
    return sorted(cache.rglob("*.kernel"))


# --- whose folders they are ----------------------------------------------------------------------------


def test_only_folders_that_paifu_made_are_deleted(tmp_path: Path) -> None:
    foreign = [tmp_path / f"kernels-{name}" for name in ("linux", "2024", "notes")]
    for folder in foreign:
        folder.mkdir()
        (folder / "mine.txt").write_text("mine")
    (tmp_path / "kernels-tagged").mkdir()
    (tmp_path / "kernels-tagged" / "CACHEDIR.TAG").write_text("Signature: 8a477f597d28d172789f06886806bc55\n")
    (tmp_path / "kernels-file").write_text("mine")
    elsewhere = tmp_path / "elsewhere"
    own = [tmp_path / f"kernels-{number:016}" for number in range(5)]
    for number, folder in enumerate([*own, elsewhere]):
        assert open_folder(folder) == folder
        os.utime(folder, (number, number))
    (tmp_path / "kernels-link").symlink_to(elsewhere)
    current = tmp_path / "kernels-now"
    assert open_folder(current) == current
    assert [folder.exists() for folder in own] == [False, False, False, True, True]
    for folder in foreign:
        assert (folder / "mine.txt").read_text() == "mine"
    assert len(list(tmp_path.glob("kernels-*"))) == 3 + 3 + 2 + 1
    assert elsewhere.is_dir()


def test_a_folder_of_somebody_elses_things_is_not_marked(tmp_path: Path) -> None:
    folder = tmp_path / "kernels-x"
    folder.mkdir()
    (folder / "mine.txt").write_text("mine")
    open_folder(folder)
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]


def test_a_new_cache_is_closed_to_others_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        folder = tmp_path / "cache" / "kernels-x"
        assert open_folder(folder) == folder
        assert temporary_folder()
    finally:
        os.umask(before)
    assert problem_with(folder) == ""
    assert stat.S_IMODE(folder.stat().st_mode) == stat.S_IMODE(folder.parent.stat().st_mode) == 0o700


MODES = [(mode, where) for mode in (0o777, 0o775, 0o757, 0o720, 0o702) for where in ("root", "folder")]


@pytest.mark.parametrize(("mode", "where"), MODES)
def test_a_cache_that_others_may_write_to_is_refused(tmp_path: Path, mode: int, where: str) -> None:
    folder = tmp_path / "cache" / "kernels-x"
    open_folder(folder)
    path = folder if where == "folder" else folder.parent
    path.chmod(mode)
    assert f"other users may write to {path}; run chmod go-w on it" in problem_with(folder)
    assert open_folder(folder) is None
    path.chmod(0o755)
    assert problem_with(folder) == ""


def test_a_cache_in_a_folder_like_tmp_is_fine(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o1777)
    folder = tmp_path / "shared" / "kernels-x"
    assert open_folder(folder) == folder
    folder.chmod(0o1777)
    assert problem_with(folder)


@pytest.mark.skipif(not IS_ROOT, reason="only root can give a folder away")
@pytest.mark.parametrize("where", ["root", "folder"])
def test_a_cache_of_another_user_is_refused(tmp_path: Path, where: str) -> None:
    folder = tmp_path / "cache" / "kernels-x"
    open_folder(folder)
    path = folder if where == "folder" else folder.parent
    os.chown(path, 65534, 65534)
    assert problem_with(folder) == (
        f"{path} belongs to another user; name one of your own in PAIFU_CACHE_DIR"
    )
    assert open_folder(folder) is None


# --- what is loaded ------------------------------------------------------------------------------------

TRAP = """
import pickle, sys
from pathlib import Path
from paifu.replay.kernels.cache import _seal

class Trap:
    def __reduce__(self):
        return Path.touch, (Path(sys.argv[2]),)

for path in Path(sys.argv[1]).rglob("*.kernel"):
    data = pickle.dumps((Trap(), ()))
    path.write_bytes(_seal(path, data) + data)
"""


@pytest.mark.parametrize("how", ["mode", *(["owner"] if IS_ROOT else [])])
def test_nothing_is_loaded_from_a_refused_cache(tmp_path: Path, how: str) -> None:
    cache, sprung = tmp_path / "cache", tmp_path / "sprung"
    assert two_kernels(cache) == ["0", "True"]
    assert len(kernels(cache)) == 2
    assert two_kernels(cache) == ["2", "True"]
    subprocess.run([sys.executable, "-c", TRAP, str(cache), str(sprung)], check=True)
    (folder,) = cache.glob("kernels-*")
    if how == "mode":
        folder.chmod(0o777)
    else:
        os.chown(folder, 65534, 65534)
    trapped = {path: path.read_bytes() for path in kernels(cache)}
    hits, is_warm, problem = two_kernels(cache)
    assert (hits, is_warm) == ("0", "False")
    assert str(folder) in problem
    assert not sprung.exists()
    assert {path: path.read_bytes() for path in kernels(cache)} == trapped


@pytest.mark.skipif(not IS_ROOT, reason="only root can give a file away")
def test_a_file_of_another_user_is_not_loaded(tmp_path: Path) -> None:
    assert two_kernels(tmp_path) == ["0", "True"]
    for path in kernels(tmp_path):
        os.chown(path, 65534, 65534)
    assert two_kernels(tmp_path) == ["0", "True"]
    assert two_kernels(tmp_path) == ["2", "True"]


@pytest.mark.slow
def test_a_refused_cache_is_told_and_workers_share_what_is_compiled(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    cache.chmod(0o777)
    (tmp_path / "tmp").mkdir()
    environment = os.environ | {
        "PAIFU_JIT": "on",
        "PAIFU_CACHE_DIR": str(cache),
        "TMPDIR": str(tmp_path / "tmp"),
    }
    done = subprocess.run(
        [*MODULE, "verify", *[str(SAMPLE.parents[1] / "games")] * 40, "-j", "2"],
        env=environment, capture_output=True, text=True, timeout=500,
    )  # fmt: skip
    lines = done.stderr.splitlines()
    assert lines[0].startswith(f"the cache of compiled kernels is not used: other users may write to {cache}")
    assert lines[1] == "compiling the engine (for this run only): this takes about half a minute"
    assert "Traceback" not in done.stderr
    assert list(cache.iterdir()) == []
    assert [path for path in (tmp_path / "tmp").iterdir() if path.name.startswith("paifu")] == []


# --- damage --------------------------------------------------------------------------------------------

DAMAGES: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "empty": lambda data, chance: b"",
    "truncated": lambda data, chance: data[: chance.randrange(len(data))],
    "flipped bit": lambda data, chance: flipped(data, chance.randrange(len(data)), chance),
    "flipped seal": lambda data, chance: flipped(data, chance.randrange(32), chance),
    "flipped code": lambda data, chance: flipped(data, chance.randrange(len(data) // 2, len(data)), chance),
    "zeros": lambda data, chance: bytes(len(data)),
    "longer": lambda data, chance: data + chance.randbytes(9),
    "noise": lambda data, chance: chance.randbytes(len(data)),
}
SWAPPED = "swapped"


def flipped(data: bytes, at: int, chance: random.Random) -> bytes:
    return data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]


def damage(cache: Path, kind: str, chance: random.Random) -> None:
    """Damage both files of a cache of two kernels."""
    one, other = kernels(cache)
    if kind == SWAPPED:
        first, second = one.read_bytes(), other.read_bytes()
        one.write_bytes(second)
        other.write_bytes(first)
        return
    for path in (one, other):
        path.write_bytes(DAMAGES[kind](path.read_bytes(), chance))


def quick(kind: str) -> object:
    return kind if kind in ("empty", "flipped code", SWAPPED) else pytest.param(kind, marks=pytest.mark.slow)


@pytest.mark.parametrize("kind", [quick(kind) for kind in (*DAMAGES, SWAPPED)])
def test_a_damaged_cache_is_made_again(tmp_path: Path, kind: str) -> None:
    assert two_kernels(tmp_path) == ["0", "True"]
    damage(tmp_path, kind, random.Random(kind))  # noqa: S311
    assert two_kernels(tmp_path) == ["0", "True"]
    assert two_kernels(tmp_path) == ["2", "True"]


MANY = """
import random, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from test_kernel_cache import DAMAGES, SWAPPED, damage
from paifu.replay.kernels import jit
from paifu.replay.kernels.shapes import seven_pairs_shanten as pairs
from paifu.replay.kernels.shapes import thirteen_orphans_shanten as orphans
kernels = (pairs, orphans)
pairs(0, 0), orphans(0)
chance, tried, loaded = random.Random(1), 0, 0
for _ in range(int(sys.argv[3])):
    for kind in (*DAMAGES, SWAPPED):
        damage(Path(sys.argv[1]), kind, chance)
        for kernel, arguments in ((pairs, (3, 1)), (orphans, (1,))):
            again = jit.entry(kernel.py_func)
            assert again(*arguments) == kernel.py_func(*arguments)
            tried, loaded = tried + 1, loaded + again.compiled.loaded
print(tried, loaded)
"""


@pytest.mark.slow
def test_no_damage_is_loaded(tmp_path: Path) -> None:
    rounds = 60
    done = subprocess.run(
        [sys.executable, "-c", MANY, str(tmp_path), str(Path(__file__).parent), str(rounds)],
        env=os.environ | {"PAIFU_JIT": "on", "PAIFU_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=500,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split() == [str(rounds * 2 * (len(DAMAGES) + 1)), "0"]


def test_the_mark_is_a_tag_that_backups_know() -> None:
    assert kernel_cache._MARK.startswith(b"Signature: 8a477f597d28d172789f06886806bc55\n")
