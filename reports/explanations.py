"""What each finding means, in words: for the terminal and for the documentation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import fill

from paifu.replay.findings import FAMILIES, FindingKind

_WIDTH = 80


def listed(kinds: Iterable[FindingKind]) -> Iterator[str]:
    """Yield a line a code, under the title of its family."""
    family = ""
    for kind in kinds:
        if kind.family != family:
            if family:
                yield ""
            family = kind.family
            yield f"{family}  {FAMILIES[family]}"
        yield f"  {kind.code}  {kind.name:<22}{kind.severity}"


def explained(kind: FindingKind) -> str:
    """Return what a code means, where the rule comes from, and what to do, as paragraphs."""
    paragraphs = [f"{kind.code} {kind.name} ({kind.severity})"]
    for title, text in (
        ("", kind.meaning),
        ("Rule: ", kind.basis),
        ("What to do: ", kind.advice),
        ("Example: ", kind.example),
    ):
        paragraphs.append(fill(title + text, _WIDTH, break_long_words=False, break_on_hyphens=False))
    return "\n\n".join(paragraphs)


def page(kinds: Iterable[FindingKind]) -> str:
    """Return the documentation's page of all findings."""
    parts = [
        "# Findings\n",
        "What `paifu verify` (V) and `paifu review` (F, W, D, R) can say. Every code is stable; "
        "`paifu explain CODE` prints the same texts.\n",
    ]
    family = ""
    for kind in kinds:
        if kind.family != family:
            family = kind.family
            parts.append(f"## {family}: {FAMILIES[family]}\n")
        parts.append(f"### {kind.code} {kind.name}\n")
        parts.append(
            f"{kind.meaning} ({kind.severity})\n\n> {kind.example}\n\n*Rule:* {kind.basis}\n\n"
            f"*What to do:* {kind.advice}\n"
        )
    return "\n".join(parts)
