"""Logs inside other texts, and texts in other encodings than UTF-8."""

from __future__ import annotations

import gzip
import html
from pathlib import Path
from urllib.parse import quote

import orjson
import pytest
from builders import faults, game
from fuzzing import simulated
from riichicity_games import record

from paifu.parsers.read import read_batches
from paifu.parsers.sources.surroundings import logs_within
from paifu.parsers.writers import WRITERS
from paifu.replay.model.batch import Batch


def tenhou6() -> str:
    return b"".join(WRITERS["tenhou6"].games(simulated("tenhou", 0))).decode().strip()


def read(path: Path, content: bytes) -> Batch:
    path.write_bytes(content)
    return Batch.concatenate(read_batches([path]))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("compress", [bytes, gzip.compress])
def test_texts_of_two_bytes_a_character(tmp_path: Path, encoding: str, compress: type[bytes]) -> None:
    usual = read(tmp_path / "x.json", tenhou6().encode())
    for text in (tenhou6(), game().decode()):
        batch = read(tmp_path / "x.json", compress(text.encode(encoding)))
        assert (len(batch), faults(batch)) == (1, [])
    again = read(tmp_path / "x.json", tenhou6().encode(encoding))
    assert again.differences(usual) == []


def test_names_of_japanese_windows(tmp_path: Path) -> None:
    text = tenhou6()
    log = orjson.loads(text)
    log["name"][0] = "ソ表十"  # their second bytes are those of a backslash
    batch = read(tmp_path / "x.json", orjson.dumps(log).decode().encode("cp932"))
    assert (batch.games.names[0, 0], faults(batch)) == ("ソ表十", [])


def test_an_odd_wide_text_that_is_no_log_is_named(tmp_path: Path) -> None:
    batch = read(tmp_path / "x.txt", "hello, all of you".encode("utf-16"))
    ((_, code, reason, hint),) = faults(batch)
    assert (code, "UTF-16" in reason, bool(hint)) == ("V102", True, True)


PAGES = {
    "a saved page of a log": lambda: f"<!DOCTYPE html><html><script>var x = {tenhou6()};</script></html>",
    "an attribute": lambda: f'<html><a data-log="{html.escape(tenhou6())}">log</a></html>',
    "an address in a page": lambda: f'<html><a href="https://tenhou.net/6/#json={quote(tenhou6())}">x</a></html>',
    "an address in a chat": lambda: f"牌譜: https://tenhou.net/6/#json={quote(tenhou6())} (2 nd try)\nthanks",
    "a raw address in a chat": lambda: f"look: https://tenhou.net/6/#json={tenhou6()}&ts=0 here",
    "an mjlog in a page": lambda: f"<html><pre>{game().decode()}</pre></html>",
    "a record of Riichi City": lambda: (
        f"<html><script>show({orjson.dumps(record(simulated('riichi-city', 0))).decode()})</script></html>"
    ),
}  # fmt: skip


@pytest.mark.parametrize("make", PAGES.values(), ids=PAGES)
def test_the_log_in_another_text_is_found(tmp_path: Path, make: type[str]) -> None:
    batch = read(tmp_path / "page.html", make().encode())
    assert (len(batch), faults(batch), batch.games.source.tolist()) == (1, [], [str(tmp_path / "page.html")])
    assert not batch.games.is_cut[0]


def test_several_logs_in_one_text_are_numbered(tmp_path: Path) -> None:
    text = f"one {tenhou6()} two https://tenhou.net/6/#json={quote(tenhou6())}"
    batch = read(tmp_path / "notes.txt", text.encode())
    assert [source.rpartition("#")[2] for source in batch.games.source] == ["1", "2"]


def test_a_page_without_a_log_says_what_to_do(tmp_path: Path) -> None:
    batch = read(tmp_path / "page.html", b"<html><body>#json= is what to look for</body></html>")
    ((_, _, reason, hint),) = faults(batch)
    assert ("web page" in reason, bool(hint)) == (True, True)


def test_a_text_full_of_marks_is_given_up_soon() -> None:
    assert list(logs_within('{"title":' * 100_000)) == []
    assert list(logs_within("#json=" * 100_000)) == []
    assert list(logs_within("<mjloggm " * 100_000)) == []
