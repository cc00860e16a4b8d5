"""Hooks of the documentation site: notebooks become pages, and the navigation lists the page of each finding.

``mkdocs.yml`` names the index of findings; the families and their pages are read from it, so that a new code
needs no entry there.
"""

from __future__ import annotations

import importlib.util
import re
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

INDEX = "reference/findings.md"
_FAMILY = re.compile(r"^## (.+)$", re.MULTILINE)
_PAGE = re.compile(r"^\| \[(\w+)\]\((findings/\w+\.md)\) \| ([\w-]+) \|", re.MULTILINE)


def on_config(config: Any) -> Any:
    """Replace the entry of the index by a section: the index, then each family with a page for each code."""
    text = Path(config.docs_dir, INDEX).read_text("utf-8")
    _, *parts = _FAMILY.split(text)
    families = [
        {title: [{f"{code} {name}": f"reference/{path}"} for code, path, name in _PAGE.findall(table)]}
        for title, table in zip(parts[::2], parts[1::2], strict=True)
    ]
    reference = next(entry["Reference"] for entry in config.nav if "Reference" in entry)
    reference[reference.index({"Findings": INDEX})] = {"Findings": [{"All findings": INDEX}, *families]}
    return config


def on_files(files: Any, config: Any) -> Any:
    """Run the notebooks, and put a page in the place of each, with its figures beside it."""
    from mkdocs.structure.files import File

    for path in notebooks().sources():
        text, figures = notebooks().page(notebooks().executed(path), path.stem)
        files.append(File.generated(config, f"notebooks/{path.stem}.md", content=text))
        for name, data in figures.items():
            files.append(File.generated(config, f"notebooks/{name}", content=data))
    return files


@cache
def notebooks() -> ModuleType:
    """Return the module next to this one; mkdocs loads hooks by their path."""
    spec = importlib.util.spec_from_file_location("notebooks", Path(__file__).with_name("notebooks.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
