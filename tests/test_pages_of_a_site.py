"""A folder of pages: what is in it, what a second run writes, and what it leaves alone."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from browser import PHONE, Browser, browser
from command import call

__all__ = ["browser"]  # a fixture

GAMES = Path(__file__).parents[1] / "sample_logs" / "games"
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
    done = call("site", logs, "-o", site, "--min-games", "2", "--jobs", "1")
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
    assert again.text.startswith("2 games, 0 players with a page; pages written 0, as they were 4")
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
