"""Turns of phrase that read as translated: none in texts, docstrings, comments and pages."""

from __future__ import annotations

import re
from pathlib import Path

from each_row import each_row

ROOT = Path(__file__).parents[2]
FOLDERS = ("api", "bench", "cli", "coach", "docs", "front", "parsers", "replay", "reports")
FAULTS = {
    "is not a": r"(?<!there )\b(?:is|are|was|were) no (?!(?:longer|more|less|better|wider|nearer)\b)",
    "is not, or is not one of": r"\b(?:that|which|it|he|they) (?:is|are|was|were) none\b",
    "no matter who": r"\bwhoever\b",
    "your, their": r"\bthe own\b",
    "a number": r"\b(?:at most|last|with) so many\b",
    "except for": r"\bbut for\b",
    "paifu's": r"\bof ours\b",
    "forever": r"\bfor ever\b",
    "does not have to, or must not": r"\b(?:has|have) not to\b",
    "expensive": r"\bdearer\b",
    "comes before, comes after": r"\bstands? (?:before|behind|after)\b",
}
"""What to write instead -> the fault."""


def sources() -> list[Path]:
    files = [
        path
        for name in FOLDERS
        for path in (ROOT / name).rglob("*")
        if path.suffix in (".py", ".md", ".html")
    ]
    return [*files, ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]


@each_row("better", FAULTS)
def test_texts_are_free_of(better: str) -> None:
    fault = re.compile(FAULTS[better], re.IGNORECASE)
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in sources()
        if fault.search(path.read_text("utf-8"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if fault.search(line)
    ]
    assert not found, f"write {better!r}"
