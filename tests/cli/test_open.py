"""A log opened in the browser: the page, and what opens it."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from command import call, run

LOG = Path(__file__).parents[2] / "sample_logs" / "scenarios" / "menzen-tsumo.mjlog"


@pytest.fixture
def browser(tmp_path: Path) -> dict[str, str]:
    """An environment whose browser takes down the address, beside it in ``seen``."""
    program = tmp_path / "browser"
    program.write_text(
        f"#!{sys.executable}\nimport sys\nopen({str(tmp_path / 'seen')!r}, 'w').write(sys.argv[1])\n"
    )
    program.chmod(0o755)
    return os.environ | {"BROWSER": str(program), "TMPDIR": str(tmp_path)}


@pytest.mark.full
@pytest.mark.parametrize("by_pipe", [False, True])
def test_the_page_is_that_of_show(browser: dict[str, str], tmp_path: Path, by_pipe: bool) -> None:
    log, text = ("-", LOG.read_bytes()) if by_pipe else (str(LOG), b"")
    done = run("open", log, "--seat", "1", "--review", stdin=text, env=browser)
    assert done.status == 0
    page = Path(unquote(urlsplit((tmp_path / "seen").read_text()).path))
    assert page.is_relative_to(tmp_path)
    shown = run("show", log, "--seat", "1", "--review", "--html", stdin=text)
    assert page.read_bytes() == shown.data


def test_without_a_browser_the_error_says_where_the_page_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("webbrowser.open", lambda address: False)
    done = call("open", LOG)
    (page,) = tmp_path.glob("*/game.html")
    assert done.status == 2
    assert str(page) in done.talk[-1]


def test_nothing_is_opened_where_there_is_no_page(browser: dict[str, str], tmp_path: Path) -> None:
    done = run("open", tmp_path / "missing.mjlog", env=browser)
    assert done.status == 2
    assert "missing.mjlog" in done.talk[-1]
    assert not (tmp_path / "seen").exists()


@pytest.mark.parametrize("days", [-2, 2], ids=["long ago", "by a clock that was ahead"])
def test_old_pages_are_removed_and_a_failed_one_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, days: int
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("webbrowser.open", lambda address: True)
    others = tmp_path / "else"
    others.mkdir()
    (tmp_path / "paifu-open-link").symlink_to(others)
    assert call("open", tmp_path / "missing.mjlog").status == 2
    assert list(tmp_path.glob("paifu-open-*/")) in ([], [tmp_path / "paifu-open-link"])
    assert call("open", LOG).status == 0
    (page,) = tmp_path.glob("paifu-open-*/game.html")
    assert call("open", LOG).status == 0
    assert page.exists(), "it may still be read"
    then = time.time() + days * 24 * 3600
    for path in (page.parent, others):
        os.utime(path, (then, then))
    assert call("open", LOG).status == 0
    assert not page.parent.exists()
    assert others.is_dir()
    assert len(list(tmp_path.glob("paifu-open-*/game.html"))) == 2
