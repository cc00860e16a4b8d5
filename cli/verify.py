"""``paifu verify``: replay logs and say where they break the rules or contradict themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import click

from paifu.cli import options

if TYPE_CHECKING:
    from paifu.parsers.dataset.shards import Item
    from paifu.replay.findings.finding import Finding, Selection
    from paifu.replay.rules.ruleset import Ruleset
    from paifu.reports.findings.tally import Tally

SCHEMA = "paifu.verify/1"


@click.command()
@options.paths
@click.option("--select", multiple=True, metavar="CODES", help="Only findings whose codes begin so: V3,V401.")
@click.option("--ignore", multiple=True, metavar="CODES", help="No findings whose codes begin so.")
@options.rules
@click.option("--explain", is_flag=True, help="Show with each finding the hand, and how a win is scored.")
@click.option("--strict", is_flag=True, help="Stop at the first error or unreadable input.")
@options.jobs
@options.output_format("github")
def verify(
    paths: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    rules_name: str | None,
    settings: tuple[str, ...],
    explain: bool,
    strict: bool,
    jobs: int | None,
    fmt: str,
) -> int:
    """Replay logs and say where they break the rules or contradict themselves.

    Every hand is played again: was each action legal, is every win worth what the log says, do payments,
    hands and the end of the game follow from each other, are the tiles those of the wall? One line a
    finding; 'paifu explain CODE' tells what a code means. What could not be checked is said at the end.

    \b
    Example:
      paifu verify sample_logs/games
      paifu verify houou.db --select V3 --explain
      paifu verify club-games/*.json --rules mleague --set kuitan=false
      paifu verify logs --format github
    """
    from paifu.cli.engine import prepare
    from paifu.cli.rules import replaying_rules
    from paifu.parsers.read import default_jobs, iter_items, iter_units, run
    from paifu.replay.findings.finding import Selection, UnknownCodeError

    try:
        selection = Selection.parse(select, ignore)
    except UnknownCodeError as error:
        raise click.UsageError(str(error)) from error
    rules = replaying_rules(rules_name, settings)
    units = prepare(iter_units(iter_items(paths)))
    work = partial(_verify_unit, rules, selection, explain and fmt == "table")
    return _report(run(units, work, jobs=jobs or default_jobs()), fmt, strict=strict)


@dataclass(frozen=True, slots=True)
class _Found:
    """A finding, and the lines that explain it if they are wanted."""

    finding: Finding
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Verified:
    """What a worker made of one unit."""

    findings: list[_Found]
    tally: Tally

    def up_to_first_error(self) -> _Verified:
        """Leave out what comes after the first error."""
        for number, found in enumerate(self.findings, start=1):
            if found.finding.severity == "error":
                return _Verified(self.findings[:number], replace(self.tally, errors=1))
        return self


def _verify_unit(
    rules: tuple[Ruleset, ...], selection: Selection, explain: bool, unit: list[Item]
) -> _Verified:
    """Read and replay a unit; the work of one process."""
    from paifu.parsers.read import count_inputs, read_unit
    from paifu.replay.findings.finding import cases, code_of, faults, in_words
    from paifu.replay.table.engine import replay
    from paifu.reports.findings.tally import Tally
    from paifu.reports.hands.evidence import evidence

    batch = read_unit(unit)
    facts = replay(batch, *rules, players=False)
    found = [_Found(fault) for fault in faults(batch) if selection.wants(fault.code, is_fault=True)]
    found += [
        _Found(in_words(case), tuple(evidence(case)) if explain else ())
        for case in cases(batch, facts, *rules)
        if selection.wants(code_of(case.code))
    ]
    errors = sum(one.finding.severity == "error" for one in found)
    tally = Tally.of(batch, facts.checked, files=count_inputs(unit), errors=errors, rules=rules)
    return _Verified(found, tally)


def _report(results: Iterable[_Verified], fmt: str, *, strict: bool) -> int:
    """Print findings as they come, then what was checked; return the exit status."""
    from paifu.cli.output import csv_text, write_rows
    from paifu.cli.talk import progress
    from paifu.reports.findings.output import COLUMNS, row
    from paifu.reports.findings.tally import Tally

    tally, kept = Tally(), []
    write = _STREAMS.get(fmt)
    if fmt == "csv":
        click.echo(csv_text([COLUMNS]), nl=False)
    with progress("verifying") as advance:
        for result in results:
            result = result.up_to_first_error() if strict else result
            tally += result.tally
            for found in result.findings:
                if write is None:
                    kept.append(row(found.finding))
                else:
                    write(found)
            advance(result.tally.games)
            if strict and tally.errors:
                break
    if write is None:
        write_rows(kept, COLUMNS, fmt, {"schema": SCHEMA, "summary": tally.summary()}, "findings")
    for text in (*tally.lines(), tally.verdict()):
        click.echo(text, err=True)
    if strict and tally.errors:
        click.echo("stopped at the first error, as --strict asks for", err=True)
    return 1 if tally.errors else 0


def _write_line(found: _Found) -> None:
    from paifu.reports.findings.output import message, where

    code = click.style(found.finding.code, fg=_COLORS[found.finding.severity])
    click.echo(f"{where(found.finding)}: {code} {message(found.finding)}")
    for text in found.evidence:
        click.echo(f"    {text}")


def _write_json(found: _Found) -> None:
    import orjson

    from paifu.reports.findings.output import row

    click.echo(orjson.dumps(row(found.finding)))


def _write_csv(found: _Found) -> None:
    from paifu.cli.output import csv_text
    from paifu.reports.findings.output import row

    click.echo(csv_text([row(found.finding).values()]), nl=False)


def _write_annotation(found: _Found) -> None:
    from paifu.reports.findings.output import annotation

    click.echo(annotation(found.finding))


_COLORS = {"error": "red", "mistake": "yellow", "note": "cyan"}
_STREAMS: dict[str, Callable[[_Found], None]] = {
    "table": _write_line,
    "jsonl": _write_json,
    "csv": _write_csv,
    "github": _write_annotation,
}
"""Formats that are written finding by finding; of the others a document is made at the end."""
