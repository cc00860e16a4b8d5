"""What ``paifu verify --fix`` prints: each change, what is left, and what was written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from paifu.replay.language import _

if TYPE_CHECKING:
    from paifu.api.fix import FixedChange, Repair
    from paifu.replay.mending.search import LeftFinding

SCHEMA = "paifu.verify.fix/1"
_MOST = 20
"""Findings that stay, and games that cannot be written, of which lines are printed."""
_COLUMNS = {
    "source": str, "file": str, "hand": str, "event": int, "seat": int, "fact": str, "before": str,
    "after": str, "codes": str,
}  # fmt: skip


def report(done: Repair, folder: str | None, fmt: str) -> int:
    """Print what was mended; return the exit status."""
    from paifu.cli.output import write_rows

    if fmt == "table":
        for one in done.changes:
            click.echo(_line(one))
    else:
        rows = [_row(one) for one in done.changes]
        write_rows(rows, _COLUMNS, fmt, _document(done), "changes")
    for text in _rest(done, folder):
        click.echo(text, err=True)
    return 0 if done else 1


def _row(one: FixedChange) -> dict[str, Any]:
    from paifu.replay.foreign_text import printable
    from paifu.replay.model.events import NO_SEAT

    fact = one.mend.fact
    return {
        "source": printable(one.source),
        "file": one.file or None,
        "hand": fact.label or None,
        "event": fact.event if fact.event >= 0 else None,
        "seat": fact.seat if fact.seat != NO_SEAT else None,
        "fact": fact.fact,
        "before": printable(fact.a),
        "after": printable(fact.b),
        "codes": " ".join(one.mend.codes),
    }


def _line(one: FixedChange) -> str:
    row = _row(one)
    event = "" if row["event"] is None else _("event {event}").format(event=row["event"])
    seat = "" if row["seat"] is None else _("seat {seat}").format(seat=row["seat"])
    where = ":".join(filter(None, (row["source"], row["hand"], " ".join(filter(None, (seat, event))))))
    told = _("{where}: {fact} from {before} to {after} ({codes})")
    before, after = row["before"] or _("nothing"), row["after"] or _("nothing")
    return told.format(where=where, fact=row["fact"], before=before, after=after, codes=row["codes"])


def _reason(one: LeftFinding) -> str:
    return _(one.reason).format(rules=one.rules)


def _document(done: Repair) -> dict[str, Any]:
    from paifu.reports.findings.output import row

    return {
        "schema": SCHEMA,
        "summary": {
            "games": done.games, "mended": done.mended, "unchanged": done.unchanged,
            "written": done.written, "there": done.there, "changes": len(done.changes),
            "left": len(done.left), "errors": len(done.errors), "unreadable": done.unreadable,
        },
        "left": [{**row(one.finding), "reason": _reason(one)} for one in done.left],
        "errors": done.errors,
    }  # fmt: skip


def _rest(done: Repair, folder: str | None) -> list[str]:
    """Lines on what is left, what could not be written, and all together."""
    from paifu.replay.foreign_text import escaped
    from paifu.reports.findings.output import line
    from paifu.reports.wording import plural

    more = _("... and {count} more; --format json lists all")
    texts = []
    for one in done.left[:_MOST]:
        told = _("left: {finding}; {reason}")
        texts.append(told.format(finding=line(one.finding), reason=_reason(one)))
    texts += [more.format(count=len(done.left) - _MOST)] * (len(done.left) > _MOST)
    texts += [escaped(error) for error in done.errors[:_MOST]]
    texts += [more.format(count=len(done.errors) - _MOST)] * (len(done.errors) > _MOST)
    mended, unchanged = plural(done.mended, "game"), plural(done.unchanged, "game")
    changes = plural(len(done.changes), "change")
    told = _("{changes} in {mended}; {unchanged} without a change, not written")
    texts.append(told.format(changes=changes, mended=mended, unchanged=unchanged))
    if folder is not None:
        told = _("{folder}: {files} written, {there} there already")
        files = plural(done.written, "file")
        texts.append(told.format(folder=escaped(folder), files=files, there=done.there))
    if done.left:
        texts.append(_("{findings} left").format(findings=plural(len(done.left), "finding")))
    return texts
