"""Files written whole or not at all."""

from __future__ import annotations

import errno
import os
import pickle
import stat
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
        "arena paifu:wild paifu:wild paifu:wild --games 1 -o OUT",
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
