"""Hooks of the documentation site: the navigation lists the page of each finding.

``mkdocs.yml`` names the index of findings; the families and their pages are read from it, so that a new code
needs no entry there.
"""

from __future__ import annotations

import re
from pathlib import Path
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
