"""Explanations of findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from paifu.coach.judgement.verdicts import CLASSES, DEALING_IN, EITHER, MISTAKES
from paifu.replay.findings.kinds import FindingKind
from paifu.replay.findings.review_kinds import LOSS_KINDS
from paifu.replay.findings.spoken import FAMILIES
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
        yield f"  {kind.code}  {kind.name:<22}{_severity(kind)}"


def _severity(kind: FindingKind) -> str:
    return _("mistake or note") if kind.number in EITHER else _(kind.severity)


def _played_out(kind: FindingKind) -> str:
    """Say what came of decisions like those of a code when they were played out."""
    if kind.code in LOSS_KINDS:
        return " ".join(one.told for one in CLASSES if one.code == kind.number) or _(
            "Decisions of this kind have not been played out."
        )
    if kind.number in EITHER:
        return " ".join(one.told for one in MISTAKES if one.code == DEALING_IN)
    return ""


def _sections(kind: FindingKind) -> Iterator[tuple[str, str]]:
    """Yield the sections of a code's explanation: title and text, in the language in use."""
    for title, text in (
        (N_("Why it matters"), kind.why),
        (N_("When it is not reported"), kind.silent),
        (N_("Played out"), _played_out(kind)),
        (N_("In games other than riichi"), kind.others),
        (N_("Rule"), kind.basis),
        (N_("What to do"), kind.advice),
        (N_("Example"), kind.example),
    ):
        if text:
            yield _(title), _(text)


def explained(kind: FindingKind) -> str:
    """Return the explanation of a code as paragraphs: meaning, exceptions, rule, advice, example."""
    paragraphs = [f"{kind.code} {kind.name} ({_severity(kind)})", _(kind.meaning)]
    sections = _("{title}: {text}")
    paragraphs += [sections.format(title=title, text=text) for title, text in _sections(kind)]
    return "\n\n".join("\n".join(wrap(text, _WIDTH)) for text in paragraphs)
