"""Files written whole or not at all."""

from __future__ import annotations

import errno
import gzip
import os
import pickle
import shutil
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from builders import game
from command import call

from paifu.parsers.output_files import OutputError, make_folder, replacing, write_file


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_and_its_folder_are_made(tmp_path: Path) -> None:
    write_file(tmp_path / "a" / "b" / "page.html", b"new")
    assert (tmp_path / "a" / "b" / "page.html").read_bytes() == b"new"
    assert names(tmp_path / "a" / "b") == ["page.html"]


def test_no_descriptor_stays_open(tmp_path: Path) -> None:
    def next_descriptor() -> int:
        handle = os.open(__file__, os.O_RDONLY)
        os.close(handle)
        return handle

    first = next_descriptor()
    for number in range(3):
        write_file(tmp_path / "a" / f"{number}.html", b"new")
    assert next_descriptor() == first


def test_the_target_is_as_it_was_until_the_end(tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    target.write_bytes(b"old")
    with replacing(target) as file:
        file.write(b"new")
        file.flush()
        assert target.read_bytes() == b"old"
        (partial,) = set(names(tmp_path)) - {"page.html"}
        assert partial.startswith("."), "sources pass over hidden files"
    assert target.read_bytes() == b"new"
    assert names(tmp_path) == ["page.html"]


@pytest.mark.parametrize(
    "command",
    [
        "convert LOGS --to mjai -o OUT", "simulate --games 1 --players wild -o OUT",
    ],
)  # fmt: skip
def test_a_link_in_a_folder_of_output_is_not_followed(tmp_path: Path, command: str) -> None:
    """Unlike one that is named itself: what lies in a folder may be anybody's."""
    out, own = tmp_path / "out", tmp_path / "own"
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "one").write_bytes(game(0, hands=1))
    words = [
        word.replace("LOGS", str(tmp_path / "logs")).replace("OUT", str(out)) for word in command.split()
    ]
    assert call(*words).status == 0
    first, *others = sorted(out.iterdir())
    for path in (first, *others):
        path.unlink()
    own.write_bytes(b"own")
    first.symlink_to(own)
    done = call(*words)
    assert done.status == 2
    assert done.talk[-1] == (
        f"paifu: cannot write {first}: it is a link; remove the link, or name another place"
    )
    assert own.read_bytes() == b"own"
    assert first.is_symlink()


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_what_fails_leaves_nothing(tmp_path: Path, error: type[BaseException]) -> None:
    target = tmp_path / "page.html"
    target.write_bytes(b"old")

    def fail() -> None:
        with replacing(target) as file:
            file.write(b"half")
            raise error

    with pytest.raises(error):
        fail()
    assert target.read_bytes() == b"old"
    assert names(tmp_path) == ["page.html"]


NEXT_STEPS = {
    errno.ENOSPC: "no space left on device; free some and run it again",
    errno.EROFS: "read-only file system; name another place",
    errno.EACCES: "permission denied; allow writing there",
    errno.EIO: "input/output error",
}


@pytest.mark.parametrize(("number", "words"), NEXT_STEPS.items())
@pytest.mark.parametrize("at", ["write", "fsync", "replace"])
def test_errors_of_the_system_are_told_with_the_next_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, words: str, at: str
) -> None:
    def fail(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    target = tmp_path / "page.html"
    with monkeypatch.context() as patch:
        if at != "write":
            patch.setattr(os if at == "fsync" else Path, at, fail)
        with pytest.raises(OutputError) as caught, replacing(target) as file:  # noqa: PT012
            file.write(b"half")
            if at == "write":
                fail()
    assert str(caught.value).startswith(f"cannot write {target}: {words}")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value), "workers raise it, too"  # noqa: S301
    assert names(tmp_path) == []


MOUNTED = """\
mount -t tmpfs tmpfs "$1" && echo old > "$1/page.html" && mount -o remount,ro "$1" || exit 77
shift
exec "$@"
"""
"""In a name space of mounts of its own, run a command while a folder is read-only."""
OVERWRITE = "import sys; from paifu.parsers.output_files import write_file; write_file(sys.argv[1], b'new')"


@pytest.mark.parametrize("name", ["page.html", "other.html", "folder/page.html"])
def test_a_read_only_disk_is_called_one(tmp_path: Path, name: str) -> None:
    """Also where a file is to be replaced: permissions have nothing to do with it."""
    within = ["unshare", "--mount", "sh", "-c", MOUNTED, "sh", str(tmp_path)]
    if not shutil.which("unshare") or subprocess.run([*within, "true"], capture_output=True).returncode:
        pytest.skip("nobody may mount anything here")
    target = tmp_path / name
    command = [*within, sys.executable, "-c", OVERWRITE, str(target)]
    done = subprocess.run(command, capture_output=True, text=True)
    (words,) = done.stderr.splitlines()[-1:]
    assert words.partition(": ")[2] == f"cannot write {target}: read-only file system; name another place"


def test_a_link_is_followed_and_permissions_are_kept(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    target = tmp_path / "real" / "page.html"
    target.write_bytes(b"old")
    target.chmod(0o640)
    (tmp_path / "link.html").symlink_to(target)
    write_file(tmp_path / "link.html", b"new")
    assert (tmp_path / "link.html").is_symlink()
    assert target.read_bytes() == b"new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_a_new_file_has_the_mode_of_any_other(tmp_path: Path) -> None:
    write_file(tmp_path / "a", b"")
    (tmp_path / "b").write_bytes(b"")
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "b").stat().st_mode


def test_a_pipe_is_written_to_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()))
    reader.start()
    write_file(pipe, b"rows")
    reader.join(10)
    assert received == [b"rows"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    write_file(os.devnull, b"rows")
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OutputError, match=r"is a directory; name a file"):
        write_file(tmp_path, b"")
    with pytest.raises(OutputError, match=r"not a directory; name another place"):
        write_file(tmp_path / "file" / "x", b"")
    with pytest.raises(OutputError, match=r"file name too long; name a shorter one"):
        write_file(tmp_path / ("x" * 250), b"")
    with pytest.raises(OutputError, match=r"file exists"):
        make_folder(tmp_path / "file")
    assert names(tmp_path) == ["file"]


LOG = Path(__file__).parents[2] / "sample_logs" / "formats" / "overtime.mjlog.gz"


@pytest.mark.parametrize(
    "words",
    [
        ["report", "LOG", "-o", "LOG"],
        ["report", "LOG", "-o", "PAGE", "--player", "Botan", "--anki", "LOG"],
        ["show", "LOG", "--html", "-o", "LOG"],
        ["find", "LOG", "--html", "-o", "LOG"],
        ["league", "LOG", "--html", "-o", "LOG"],
        ["plot", "placement", "LOG", "-o", "LOG"],
        ["discard", "123456789m34677s", "--html", "-o", "LOG"],
    ],
    ids=" ".join,
)
def test_no_page_takes_the_place_of_a_log(tmp_path: Path, words: list[str]) -> None:
    log, page = tmp_path / "log.mjlog.gz", tmp_path / "page.html"
    log.write_bytes(LOG.read_bytes())
    done = call(*({"LOG": log, "PAGE": page}.get(word, word) for word in words))
    assert done.status == 2
    assert "exists and is of another kind: gzip; name another file" in " ".join(" ".join(done.talk).split())
    assert log.read_bytes() == LOG.read_bytes()
    assert not page.exists()


def test_a_page_takes_the_place_of_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    for _ in range(2):
        assert call("discard", "123456789m34677s", "--html", "-o", page).status == 0
        assert page.read_bytes().startswith(b"<!doctype html>")


def test_a_conversion_replaces_no_log_that_it_reads(tmp_path: Path) -> None:
    """Written anew, a log may state less than it did, or the same in other words."""
    log, other = tmp_path / "log.mjlog", tmp_path / "elsewhere"
    text = gzip.decompress(LOG.read_bytes()).replace(b"<GO ", b"<GO  ")
    log.write_bytes(text)
    for source in (log, tmp_path):
        done = call("convert", source, "--to", "mjlog", "-o", tmp_path)
        assert done.status == 1
        assert "may be one of the logs to convert; name another folder" in " ".join(done.talk)
        assert log.read_bytes() == text
    assert call("convert", log, "--to", "mjlog", "-o", other).status == 0
    assert (other / "log.mjlog").read_bytes() != text
