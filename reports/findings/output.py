"""Output of findings: rows for programs, lines for people, annotations for GitHub.

Player and file names are foreign text: unprintable characters are removed.
"""

from __future__ import annotations

import re
from dataclasses import fields

from paifu.replay.findings.finding import Finding, Severity
from paifu.replay.foreign_text import printable
from paifu.replay.language import _

FindingRow = dict[str, int | str | None]

_NUMBERS = frozenset({"event", "turn", "seat"})
COLUMNS = {field.name: int if field.name in _NUMBERS else str for field in fields(Finding)}
"""Keys of a row, in order, and their types in a typed table; expected and actual become text there."""

_ANNOTATIONS = {Severity.ERROR: "error", Severity.MISTAKE: "warning", Severity.NOTE: "notice"}
_NUMBER_IN_FILE = re.compile(r"#\d+$")


def row(finding: Finding) -> FindingRow:
    """Return a finding as plain values by column."""
    values = ((name, getattr(finding, name)) for name in COLUMNS)
    return {name: printable(value) if isinstance(value, str) else value for name, value in values}


def where(finding: Finding) -> str:
    """Return where a finding is: ``game.mjlog:E1.0:turn 7 seat 2 (Name) event 83``."""
    source = printable(finding.source)
    if finding.hand is None:
        return source
    return ":".join(filter(None, (source, finding.hand, _at(finding))))


def _at(finding: Finding) -> str:
    player = f" ({printable(finding.player)})" if finding.player else ""
    words = (
        _("turn {turn}").format(turn=finding.turn) if finding.turn else "",
        "" if finding.seat is None else _("seat {seat}").format(seat=finding.seat) + player,
        "" if finding.event is None else _("event {event}").format(event=finding.event),
    )
    return " ".join(filter(None, words))


def message(finding: Finding) -> str:
    """Return a finding's message, printable."""
    return printable(finding.message)


def line(finding: Finding) -> str:
    """Return a finding as one line: place, code and message."""
    return f"{where(finding)}: {finding.code} {message(finding)}"


def annotation(finding: Finding) -> str:
    """Return a finding as a GitHub workflow command, which shows it at the file."""
    file = _NUMBER_IN_FILE.sub("", printable(finding.source))
    title = f"{finding.code} {finding.name}"
    place = " ".join(filter(None, (finding.hand, _at(finding) if finding.hand else "")))
    text = ": ".join(filter(None, (place, message(finding))))
    kind = _ANNOTATIONS[finding.severity]
    return f"::{kind} file={_escaped(file, ':,')},title={_escaped(title, ':,')}::{_escaped(text)}"


def _escaped(text: str, more: str = "") -> str:
    """Escape the characters that end a workflow command or one of its properties."""
    return "".join(f"%{ord(c):02X}" if c in "%\r\n" + more else c for c in text)
