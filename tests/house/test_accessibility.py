"""Pages as axe-core judges them: names for screen readers, contrast, headings, roles; light and dark."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest
from browser import Browser, browser
from command import call

pytestmark = pytest.mark.full

__all__ = ["browser"]  # a fixture

SAMPLES = Path(__file__).parents[2] / "sample_logs"
VIOLATIONS = """
const [part, done] = arguments;
const said = (one) => one.id + ": " + one.nodes.map(
  (node) => node.html.slice(0, 200) + " " + node.any.map((check) => check.message).join(", ")
).join("; ");
axe.run(part).then((found) => done(found.violations.map(said)));
"""
PAGES = {
    "player": ("report", SAMPLES / "formats", "--player", "Botan", "--by", "1", "-o"),
    "all": ("report", SAMPLES / "formats", "-o"),
    "show": ("show", SAMPLES / "formats" / "hanchan.json", "--html", "--review", "-o"),
    "discard": ("discard", "123456m2358p44s77z", "--html", "-o"),
    "site": ("site", SAMPLES / "formats", "-o"),
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a page of each kind."""
    folder = tmp_path_factory.mktemp("pages")
    for name, words in PAGES.items():
        target = folder / (name if name == "site" else f"{name}.html")
        assert call(*words, target).status in (0, 1)
    (folder / "site" / "index.html").rename(folder / "site.html")
    return folder


def violations(browser: Browser, part: str = "html") -> list[str]:
    """Return what axe finds wrong with a part of the page that is open, by rule."""
    package = pytest.importorskip("axe_core_python", reason="axe-core-python is not installed")
    browser.run((files(package) / "axe.min.js").read_text("utf-8"))
    return list(browser.driver.execute_async_script(VIOLATIONS, part))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_axe_has_nothing_to_complain_of(browser: Browser, pages: Path, name: str, scheme: str) -> None:
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    browser.open(pages / f"{name}.html")
    browser.run("for (const one of document.querySelectorAll('details')) one.open = true")
    assert violations(browser) == []


def test_axe_notices_a_picture_without_a_name(browser: Browser, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(
        '<!doctype html><html lang="en"><title>x</title><main><h1>x</h1><img src="x"></main></html>'
    )
    browser.open(page)
    (found,) = violations(browser)
    assert found.startswith("image-alt")
