"""A folder of pages: what is in it, what a second run writes, and what it leaves alone."""

from __future__ import annotations

import gzip
import json
import os
import re
import sys
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from browser import PHONE, Browser, browser
from command import call
from paifu_texts import paifu_text

from paifu.parsers.read import read_batches
from paifu.parsers.sources.documents import Document

__all__ = ["browser"]  # a fixture

GAMES = Path(__file__).parents[2] / "sample_logs" / "games"
NAMES = re.compile(rb'n([123])="[^"]*"')
LINK = re.compile(r'(?:href|data-whole)="([^"#][^"]*)"')


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Two games, in which one player sits in both."""
    folder = tmp_path / "logs"
    folder.mkdir()
    add(folder, 1)
    add(folder, 2)
    return folder


@pytest.fixture(autouse=True)
def _pages_for_two_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paifu.api.site.MIN_GAMES", 2)


def add(folder: Path, number: int) -> Path:
    """Add a game in which the first player is always the same, and the others are always new."""
    text = gzip.decompress((GAMES / f"tonpuu-4p-0{number}.mjlog.gz").read_bytes())
    text = re.sub(rb'n0="[^"]*"', b'n0="Aoi"', NAMES.sub(rb'n\1="%d-\1"' % number, text))
    path = folder / f"{number}.mjlog"
    path.write_bytes(text)
    return path


def make(logs: Path) -> tuple[set[str], str]:
    """Make the site of logs beside them; return the pages that were written, and what was said."""
    site = logs.parent / "site"
    before = stamps(site)
    done = call("site", logs, "-o", site, "--jobs", "1")
    assert done.status == 0, done.talk
    after = stamps(site)
    assert not any(path.name.endswith(".partial") for path in site.rglob("*"))
    return {page for page, stamp in after.items() if before.get(page) != stamp}, done.text


def stamps(site: Path) -> dict[str, tuple[int, int]]:
    """Return what tells whether a page was written again."""
    return {
        path.relative_to(site).as_posix(): (path.stat().st_ino, path.stat().st_mtime_ns)
        for path in site.rglob("*.html")
    }


@pytest.mark.full
def test_only_what_has_changed_is_written_again(logs: Path) -> None:
    site = logs.parent / "site"
    first, said = make(logs)
    assert said.startswith("2 games, 1 player with a page; pages written 5, as they were 0")
    assert {page.partition("/")[0] for page in first} == {"index.html", "everybody.html", "players", "games"}
    for page in first:
        markup = re.sub(r"<script.*?</script>", "", (site / page).read_text("utf-8"), flags=re.DOTALL)
        for link in LINK.findall(markup):
            assert (site / page).parent.joinpath(unquote(link.partition("#")[0])).resolve().is_file(), link
    (player,) = (site / "players").iterdir()
    text = player.read_text("utf-8")
    assert "Aoi" in text
    assert all(f"../games/{game.name}" in text for game in (site / "games").iterdir())
    assert "1-3" in (site / "index.html").read_text("utf-8")

    assert make(logs)[0] == set()
    third = add(logs, 3)
    assert sorted(re.sub("/.*", "", page) for page in make(logs)[0]) == [
        "everybody.html", "games", "index.html", "players",
    ]  # fmt: skip
    third.unlink()
    written, _ = make(logs)
    assert not [page for page in written if page.startswith("games")]
    assert len(list((site / "games").iterdir())) == 2


@pytest.mark.full
def test_where_no_log_has_changed_none_is_read(logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless there was something to object to: that is said again."""
    site = logs.parent / "site"

    def run(*more: str) -> tuple[int, bool]:
        done = call("site", logs, "-o", site, "--jobs", "1", *more)
        assert done.text.splitlines()[-1].startswith("page: ")
        return done.status, "no log has changed since the last run, so none was read" in done.talk

    assert run() == (0, False)
    before = stamps(site)
    with monkeypatch.context() as patched:
        patched.setattr("paifu.api.site.replaying", None)
        assert run() == (0, True)
    assert stamps(site) == before
    again = call("site", logs, "-o", site)
    assert again.text.startswith("2 games, 1 player with a page; pages written 0, as they were 5")
    assert run("--set", "kuikae=allowed") == (0, False)
    assert run() == (0, False)
    (site / "everybody.html").unlink()
    assert run() == (0, False)
    assert run() == (0, True)
    add(logs, 3)
    assert run() == (0, False)
    (logs / "picture.png").write_bytes(b"\x89PNG")
    assert run() == (1, False)
    assert run() == (1, False)


@pytest.mark.every(2)
@pytest.mark.skipif(sys.platform == "win32", reason="the system does not say when a file was changed")
@pytest.mark.parametrize("is_replaced", [False, True])
def test_a_log_that_changed_while_its_time_did_not_is_read(logs: Path, is_replaced: bool) -> None:
    """The clock was put back, or the time was copied with the file."""
    make(logs)
    log = logs / "2.mjlog"
    text, status = log.read_bytes(), log.stat()
    if is_replaced:
        (logs.parent / "new").write_bytes(text.replace(b'"2-1"', b'"9-1"'))
        (logs.parent / "new").replace(log)
    else:
        log.write_bytes(text.replace(b'"2-1"', b'"9-1"'))
    os.utime(log, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert log.stat().st_size == status.st_size
    make(logs)
    assert "9-1" in (logs.parent / "site" / "index.html").read_text("utf-8")


def test_other_pages_are_left_alone(logs: Path) -> None:
    site = logs.parent / "site"
    site.mkdir()
    (site / "index.html").write_text("mine")
    done = call("site", logs, "-o", site)
    assert done.status == 2
    assert "holds other pages" in done.talk[-1]
    (site / "paifu-site.json").write_text('{"made_by": "", "pages": {"../../x": ""}}')
    assert call("site", logs, "-o", site).status == 2
    assert [path.name for path in site.iterdir() if path.name != "paifu-site.json"] == ["index.html"]
    assert call("site", logs.parent / "site", "-o", logs.parent / "other").status == 2  # no game


# --- what logs may say, and where pages may be -----------------------------------------------------------


def club_log(logs: Path, number: int, **header: str) -> Path:
    """Add a paifu log of a sample game, with other facts in its header."""
    whole = GAMES / f"tonpuu-4p-0{number}.mjlog.gz"
    (batch,) = read_batches([whole])
    log = json.loads(paifu_text(batch))
    log["game"] |= header
    path = logs / f"club-{number}.json"
    path.write_text(json.dumps(log))
    return path


def test_a_game_cannot_lead_out_of_the_folder(logs: Path) -> None:
    club_log(logs, 3, started="../../../x", id="../../y")
    site = logs.parent / "site"
    before = {path for path in logs.parent.rglob("*") if site not in (path, *path.parents)}
    for written in (6, 0):
        done = call("site", logs, "-o", site, "--jobs", "1")
        assert done.status == 1
        assert "expected a moment such as" in "\n".join(done.talk)
        assert f"pages written {written}" in done.text
    assert {path for path in logs.parent.rglob("*") if site not in (path, *path.parents)} == before
    assert len(list((site / "games").iterdir())) == 3


@pytest.mark.full
def test_games_of_one_id_have_pages_of_their_own(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    texts = [club_log(logs, n, id="1", started="2024-05-01").read_text() for n in (1, 2, 3)]
    for path in logs.iterdir():
        path.unlink()
    (logs / "evening.jsonl").write_text("\n".join(texts))
    site = tmp_path / "site"
    for written in (True, False):
        done = call("site", logs, "-o", site, "--jobs", "1")
        assert done.text.startswith("3 games, ")
        assert done.status == 0
        assert ("pages written 0" not in done.text) == written
    pages = sorted((page.name for page in (site / "games").iterdir()), key=len)
    assert len(pages) == 3
    assert pages[0].replace(".html", "-2.html") in pages[1:]
    assert len({(site / "games" / page).read_text("utf-8") for page in pages}) == 3
    players = list((site / "players").iterdir())
    assert players
    for player in players:
        links = re.findall(r'href="../games/([^"#]*)', player.read_text("utf-8"))
        assert set(links) == set(pages)


@pytest.mark.full
def test_each_log_is_read_twice_however_many_players_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once to see whose pages are due, and once for all pages."""
    from paifu.parsers import read

    logs = tmp_path / "logs"
    logs.mkdir()
    for number in (1, 2, 3):
        text = gzip.decompress((GAMES / f"tonpuu-4p-0{number}.mjlog.gz").read_bytes())
        for seat, name in enumerate((b"Aoi", b"Botan", b"Chie", b"Dahlia")):
            text = re.sub(rb'n%d="[^"]*"' % seat, b'n%d="%s"' % (seat, name), text)
        (logs / f"{number}.mjlog").write_bytes(text)
    original, seen = read._read_document, Counter[str]()

    def counted(document: Document, *more: Any) -> None:
        seen[document.location] += 1
        original(document, *more)

    monkeypatch.setattr(read, "_read_document", counted)
    done = call("site", logs, "-o", tmp_path / "site", "--jobs", "1")
    assert "4 players with a page" in done.text
    assert set(seen.values()) == {2}
    assert len(seen) == 3


# --- runs that end too soon, and runs at once ------------------------------------------------------------


@pytest.mark.full
@pytest.mark.parametrize("at", ["_player_page", "_everybody_page"])
def test_an_interrupted_run_is_repeated(logs: Path, monkeypatch: pytest.MonkeyPatch, at: str) -> None:
    def interrupted(*_given: Any) -> str:
        raise KeyboardInterrupt

    site = logs.parent / "site"
    with monkeypatch.context() as patched:
        patched.setattr(f"paifu.api.site.{at}", interrupted)
        call("site", logs, "-o", site, "--jobs", "1")
    assert (site / "games").is_dir()
    make(logs)
    whole = {page.relative_to(site): page.read_bytes() for page in site.rglob("*.html")}
    assert len(whole) == 5
    assert make(logs)[0] == set()
    # A page that an interrupted update wrote is removed once its game is gone.
    with monkeypatch.context() as patched:
        patched.setattr(f"paifu.api.site.{at}", interrupted)
        third = add(logs, 3)
        call("site", logs, "-o", site, "--jobs", "1")
    assert len(list((site / "games").iterdir())) == 3
    third.unlink()
    make(logs)
    assert {page.relative_to(site): page.read_bytes() for page in site.rglob("*.html")} == whole


# --- what else may be in the folder ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "[" * 200_000,
        '{"made_by": ' + '{"a":' * 100_000,
        '{"made_by": "", "logs": [], "pages": {}}',
        '{"made_by": "", "pages": {"": ""}}',
        '{"made_by": "", "pages": {"games": ""}}',
        '{"made_by": "", "pages": {"games/../index.html": ""}}',
        '{"made_by": "", "pages": {"games/a.html": 1}}',
        '{"made_by": "", "pages": []}',
        "\x00",
    ],
)
def test_a_manifest_that_was_changed_is_refused(logs: Path, text: str) -> None:
    site = logs.parent / "site"
    (site / "games").mkdir(parents=True)
    (site / "games" / "a.html").write_text("mine")
    (site / "paifu-site.json").write_text(text)
    done = call("site", logs, "-o", site, "--jobs", "1")
    assert done.status == 2
    assert "whose paifu-site.json is damaged" in done.talk[-1]
    assert (site / "games" / "a.html").read_text() == "mine"


def test_what_is_no_file_is_refused_and_left_alone(logs: Path) -> None:
    """A pipe would be written to as it is, and wait for whoever reads it."""
    site = logs.parent / "site"
    make(logs)
    add(logs, 3)
    obstacles = {
        "pipe": os.mkfifo,
        "folder": Path.mkdir,
        "link": lambda path: path.symlink_to(logs / "1.mjlog"),
    }
    game = next((site / "games").iterdir())
    for path, (kind, put) in product(
        (site / "paifu-site.json", site / "index.html", game), obstacles.items()
    ):
        there = path.read_bytes()
        path.unlink()
        put(path)
        done = call("site", logs, "-o", site, "--jobs", "1")
        assert done.status == 2
        assert f"{path} is not a file, and a site needs its place" in done.talk[-1], kind
        path.rmdir() if kind == "folder" else path.unlink()
        path.write_bytes(there)
    assert (logs / "1.mjlog").read_bytes().startswith(b"<mjlog")
    assert len(list((site / "games").iterdir())) == 2


@pytest.mark.full
def test_the_search_leaves_rows_with_the_name(logs: Path, browser: Browser) -> None:
    make(logs)
    browser.open(logs.parent / "site" / "index.html", size=PHONE)
    rows = "return [...document.querySelectorAll('tbody tr')].filter(row => !row.hidden).length"
    assert browser.run(rows) == 7 + 2
    assert browser.run("return document.documentElement.scrollWidth") <= PHONE[0]
    browser.find("#search").click()
    browser.type("２-1")
    assert browser.run(rows) == 1 + 1
    browser.run("location.reload()")
    browser.wait(rows, 1 + 1)
    browser.run("document.querySelector('tbody tr:not([hidden]) a').click()")
    browser.wait("return document.getElementById('search')", None)
    browser.driver.back()
    browser.wait(rows, 1 + 1)
    browser.find("#search").click()
    for _ in range(3):
        browser.press("BACK_SPACE")
    browser.wait("return location.search", "")
