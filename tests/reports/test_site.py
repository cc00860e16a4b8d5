"""The documentation site: it builds without warnings, shows every page, and needs no network."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from doc_examples import ROOT

pytestmark = pytest.mark.full

pytest.importorskip("material", reason="the site is not installed: pip install -e '.[docs]'")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    )
    assert done.returncode == 0, done.stderr
    return folder


def pages_of(nav: Any) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    else:
        for entry in nav.values() if isinstance(nav, dict) else nav:
            yield from pages_of(entry)


@pytest.mark.filterwarnings("ignore")  # mkdocs opens its files as it likes
def test_every_page_is_in_the_navigation_once() -> None:
    from mkdocs.config import load_config

    config = load_config(str(ROOT / "mkdocs.yml"))
    listed = sorted(pages_of(config.nav))
    docs = ROOT / "docs"
    pages = [*docs.rglob("*.md"), *(path.with_suffix(".md") for path in docs.rglob("*.ipynb"))]
    assert listed == sorted(path.relative_to(docs).as_posix() for path in pages)
    assert len(listed) > 40


def test_the_site_has_its_pages_and_no_programs(site: Path) -> None:
    assert "avoidable-far" in (site / "reference" / "findings.html").read_text("utf-8")
    assert "five-games.jsonl" in (site / "reference" / "sample-logs.html").read_text("utf-8")
    assert not list(site.rglob("*.py"))


def test_notebooks_are_pages_with_figures(site: Path) -> None:
    """They were run for this site: an error in a cell would have ended the build."""
    for notebook in (ROOT / "docs" / "notebooks").glob("*.ipynb"):
        text = (site / "notebooks" / f"{notebook.stem}.html").read_text("utf-8")
        figures = re.findall(rf'src="({notebook.stem}-\d\.png)"', text)
        assert len(figures) >= 2
        for figure in figures:
            assert len((site / "notebooks" / figure).read_bytes()) > 5000
        assert "simulating" not in text
        assert '<table border="1" class="dataframe">' in text


def test_notebooks_are_kept_without_outputs() -> None:
    notebooks = [
        json.loads(path.read_text("utf-8")) for path in (ROOT / "docs" / "notebooks").glob("*.ipynb")
    ]
    assert len(notebooks) == 3
    for notebook in notebooks:
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        assert cells
        assert not any(cell["outputs"] or cell["execution_count"] for cell in cells)


def test_nothing_is_loaded_from_the_network(site: Path) -> None:
    """Links may lead outside; scripts, styles, fonts and images may not come from there."""
    texts = {path: path.read_text("utf-8") for path in site.rglob("*.html")}
    assert len(texts) > 40
    for path, text in texts.items():
        loaded = re.findall(r"<(?:script|link|img|iframe|source)\b[^>]*?(?:src|href)=[\"']?([^\"' >]+)", text)
        assert loaded
        assert not [address for address in loaded if re.match(r"(https?:)?//", address)], path
    for sheet in site.rglob("*.css"):
        assert not re.search(r"(@import|url\()\s*[\"']?(https?:)?//", sheet.read_text("utf-8")), sheet
