"""Explanations of findings, for the terminal and the documentation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from textwrap import fill

from paifu.replay.findings.finding import FAMILIES, FindingKind
from paifu.replay.language import N_, _
from paifu.replay.language.lines import wrap

_WIDTH = 80


def listed(kinds: Iterable[FindingKind]) -> Iterator[str]:
    """Yield one line per code, under the title of its family."""
    family = ""
    for kind in kinds:
        if kind.family != family:
            if family:
                yield ""
            family = kind.family
            yield f"{family}  {_(FAMILIES[family])}"
        yield f"  {kind.code}  {kind.name:<22}{_(kind.severity)}"


def _sections(kind: FindingKind) -> Iterator[tuple[str, str]]:
    """Yield the sections of a code's explanation: title and text."""
    for title, text in (
        (N_("Why it matters"), kind.why),
        (N_("When it is not reported"), kind.silent),
        (N_("In games other than riichi"), kind.others),
        (N_("Rule"), kind.basis),
        (N_("What to do"), kind.advice),
        (N_("Example"), kind.example),
    ):
        if text:
            yield title, text


def explained(kind: FindingKind) -> str:
    """Return the explanation of a code as paragraphs: meaning, exceptions, rule, advice, example."""
    paragraphs = [f"{kind.code} {kind.name} ({_(kind.severity)})", _(kind.meaning)]
    sections = _("{title}: {text}")
    paragraphs += [sections.format(title=_(title), text=_(text)) for title, text in _sections(kind)]
    return "\n\n".join(map(_wrapped, paragraphs))


def _wrapped(text: str) -> str:
    if not text.isascii():
        return "\n".join(wrap(text, _WIDTH))
    return fill(text, _WIDTH, break_long_words=False, break_on_hyphens=False)


def page(kind: FindingKind) -> str:
    """Return the documentation page of one code."""
    parts = [f"# {kind.code} {kind.name}", f"*{kind.severity}, {FAMILIES[kind.family]}*", kind.meaning]
    for title, text in _sections(kind):
        parts += [f"## {title}", f"> {text}" if title == "Example" else text]
    parts.append(f"[All findings](../findings.md) · `paifu explain {kind.code}` prints the same text")
    return "\n\n".join(parts) + "\n"


def index(kinds: Iterable[FindingKind]) -> str:
    """Return the documentation's index of all findings, which links to their pages."""
    parts = [
        "# Findings",
        "The findings that [`paifu verify`](../commands/verify.md) (V) and "
        "[`paifu review`](../commands/review.md) (all others) report, with a page for each code. Codes are "
        "stable; `paifu explain CODE` prints the same texts.",
        "An **error** breaks the rules or contradicts the log itself, a **mistake** is a poor choice given "
        "what the player could see, and a **note** is worth knowing.",
    ]
    for family, members in groupby(kinds, key=lambda kind: kind.family):
        rows = [
            f"| [{kind.code}](findings/{kind.code}.md) | {kind.name} | {kind.severity} | {_cell(kind)} |"
            for kind in members
        ]
        table = ["| code | name | severity | meaning |", "|---|---|---|---|", *rows]
        parts += [f"## {family}: {FAMILIES[family]}", "\n".join(table)]
    return "\n\n".join(parts) + "\n"


def _cell(kind: FindingKind) -> str:
    return kind.meaning.replace("|", "\\|")
