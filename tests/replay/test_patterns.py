"""Patterns with ``**`` over folders that links lead to, and over datasets."""

from __future__ import annotations

import glob
import os
from pathlib import Path

import pytest
from command import call
from hypothesis import given
from hypothesis import strategies as st
from sources import mjlog, read

from paifu.parsers.errors import PathNotFound
from paifu.parsers.sources.paths import iter_documents, resolve

SAMPLES = Path(__file__).parents[2] / "sample_logs"


def logs_in(folder: Path, *names: str) -> None:
    for number, name in enumerate(names):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(mjlog(number))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    logs_in(
        tmp_path,
        "a.mjlog",
        "one/b.mjlog",
        "one/two/c.mjlog",
        "three/d.mjlog",
        ".hidden/e.mjlog",
        "three/.f.mjlog",
    )
    return tmp_path


PATTERNS = (
    "**/*.mjlog", "*/**/*.mjlog", "one/**/*.mjlog", "**/two/*.mjlog", "**/c.mjlog", "**/two/**/*.mjlog",
    "**/../*.mjlog", "./**/*.mjlog", "*.mjlog", "o?e/*.mjlog", "**/[bc].mjlog", "nowhere/**/*.mjlog", "**/no",
)  # fmt: skip


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("is_absolute", [False, True])
def test_without_links_they_are_those_of_the_shell(
    tree: Path, monkeypatch: pytest.MonkeyPatch, pattern: str, is_absolute: bool
) -> None:
    monkeypatch.chdir(tree)
    if is_absolute:
        pattern = f"{tree}/{pattern}"
    expected = sorted(set(glob.glob(pattern, recursive=True)))  # noqa: PTH207
    if expected:
        assert resolve(pattern) == expected
    else:
        with pytest.raises(PathNotFound):
            resolve(pattern)


@pytest.mark.parametrize("links", [1, 2, 6])
def test_links_to_the_folder_above_have_an_end(tree: Path, links: int) -> None:
    for number in range(links):
        (tree / "one" / f"up{number}").symlink_to("..")
        (tree / "one" / "two" / f"up{number}").symlink_to("../..")
        (tree / "three" / f"over{number}").symlink_to("../one")
    found = resolve(f"{tree}/**/*.mjlog")
    assert len(found) == 4
    assert len({os.path.realpath(path) for path in found}) == 4
    assert [document.data for document in read(f"{tree}/**/*.mjlog")[0]] == [mjlog(n) for n in (0, 1, 2, 3)]


def test_a_chain_of_links_that_doubles_at_every_step_has_an_end(tmp_path: Path) -> None:
    for number in range(40):
        folder = tmp_path / f"{number:02}"
        logs_in(folder, "x.mjlog")
        (folder / "left").symlink_to(f"../{number + 1:02}")
        (folder / "right").symlink_to(f"../{number + 1:02}")
    assert len(resolve(f"{tmp_path}/**/*.mjlog")) == 40
    assert len(resolve(f"{tmp_path}/00/**/*.mjlog")) == 40


def test_links_are_followed_once_each_under_two_patterns(tree: Path) -> None:
    (tree / "loop").symlink_to(".")
    paths = [f"{tree}/**/b.mjlog", f"{tree}/loop/**/b.mjlog"]
    assert [document.data for document in read(*paths)[0]] == [mjlog(1)] * 2


@pytest.mark.parametrize("pattern", ["**", "**/", "**/*", "*"])
def test_what_lies_in_a_folder_that_matches_is_read_once(tree: Path, pattern: str) -> None:
    documents, faults = read(f"{tree}/{pattern}")
    assert faults == []
    assert sorted(document.data for document in documents) == [mjlog(n) for n in (0, 1, 2, 3)]


def test_the_files_of_a_dataset_are_no_logs(tmp_path: Path) -> None:
    logs_in(tmp_path, "a.mjlog")
    assert call("import", SAMPLES / "formats" / "tonpuu.mjlog", "-o", tmp_path / "ds").status == 0
    with pytest.raises(PathNotFound):
        resolve(f"{tmp_path}/**/*.parquet")
    assert resolve(f"{tmp_path}/**/*") == [f"{tmp_path}/a.mjlog", f"{tmp_path}/ds"]
    result = call("verify", f"{tmp_path}/**/*")
    assert len(result.text.splitlines()) == 1, (
        "except for the log without hands there is nothing to complain about"
    )


@pytest.mark.skipif(os.name == "nt", reason="names that Windows does not allow")
@given(st.lists(st.sampled_from(["[a]", "*", "?", "b*", "**x", "[", "]", "!"]), min_size=1, max_size=3))
def test_names_that_look_like_patterns_are_names(
    tmp_path_factory: pytest.TempPathFactory, parts: list[str]
) -> None:
    top = tmp_path_factory.mktemp("odd")
    logs_in(top, "/".join([*parts, "x.mjlog"]))
    assert resolve(f"{top}/**/x.mjlog") == [f"{top}/{'/'.join(parts)}/x.mjlog"]
    assert len(list(iter_documents([f"{top}/**/*.mjlog"]))) == 1
