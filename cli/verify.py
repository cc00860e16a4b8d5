"""``paifu verify``: replay logs and report where they break the rules or contradict themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from paifu.cli import completion, options
from paifu.cli.command import Command
from paifu.replay.language import _

if TYPE_CHECKING:
    from paifu.api.only import Only
    from paifu.api.pipeline import Run
    from paifu.api.verify import ExplainedFinding, Verified
    from paifu.cli.talk import Talk
    from paifu.replay.findings.finding import Selection
    from paifu.replay.rulesets.presets import Given
    from paifu.reports.findings.tally import Tally

SCHEMA = "paifu.verify/1"


@click.command(cls=Command, short_help="Replay logs and report where they break the rules.")
@options.paths
@click.option(
    "--select",
    multiple=True,
    metavar="CODES",
    shell_complete=completion.codes,
    help="Report only codes with these prefixes: V3,V401.",
)
@click.option(
    "--ignore",
    multiple=True,
    metavar="CODES",
    shell_complete=completion.codes,
    help="Skip codes with these prefixes.",
)
@options.games
@options.replay_rules
@click.option("--explain", is_flag=True, help="Show the hand with each finding, and how a win is scored.")
@click.option("--statistics", is_flag=True, help="Count findings by code instead of listing them.")
@click.option("--strict", is_flag=True, help="Stop at the first error or unreadable input.")
@click.option("--fix", "fixes", is_flag=True, help="Mend what is proved to be wrong, and list each change.")
@click.option(
    "-o", "--output", "folder", metavar="DIR", type=click.Path(file_okay=False),
    help="With --fix: folder for mended games, a file each.",
)  # fmt: skip
@click.option("--dry-run", is_flag=True, help="With --fix: list changes, write nothing.")
@click.option(
    "--watch",
    "watches",
    is_flag=True,
    help="Keep on: verify files of one folder when they are new or changed, until Ctrl-C.",
)
@options.jobs
@options.output_format("github")
def verify(
    paths: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    only: Only,
    rules_name: str | None,
    settings: tuple[str, ...],
    explain: bool,
    statistics: bool,
    strict: bool,
    fixes: bool,
    folder: str | None,
    dry_run: bool,
    watches: bool,
    jobs: int | None,
    fmt: str,
) -> int:
    """Replay logs and report where they break the rules or contradict themselves.

    paifu replays every hand and checks that each action is legal, that each win is worth what the log says,
    that scores carry over from hand to hand to the final result, and that the tiles match the wall. It
    prints one line per finding; 'paifu explain CODE' describes a code. A summary lists what was checked and
    what could not be. The exit status is 0 without errors, 1 with errors, and 3 if nothing could be checked.

    --fix writes each game in which something is proved to be wrong into a folder, with only that mended: a
    change is made if it is the only one that leaves no contradiction. It lists each change on a line. Games
    without a change are not written. The exit status is 0 if no finding is left.

    --watch verifies a folder and then looks at it every second. A file that is new or has changed is verified
    once it stays as it is for a second. Ctrl-C ends it: the summary and the exit status are then about the
    files that are there, as they were last verified.

    \b
    Example:
      paifu verify sample_logs/games
      paifu verify houou.db --select V3 --explain
      paifu verify houou.db --statistics
      paifu verify club-games/*.json --rules mleague --set kuitan=false
      paifu verify logs --format github
      paifu verify logs --fix -o mended
    """
    from paifu.api.verify import selection_of, verifying
    from paifu.cli.talk import talking

    if watches:
        _check_watch(paths, fmt)
    if statistics and fmt == "github":
        raise click.UsageError(_("--format github annotates each finding; --statistics only counts them"))
    if fixes or folder or dry_run:
        if select or ignore or explain or statistics or strict or fmt == "github":
            others = "--select, --ignore, --explain, --statistics, --strict, --format github"
            raise click.UsageError(_("--fix does not go with {others}").format(others=others))
        return _fix(paths, folder, only, rules_name, settings, jobs, fmt, fixes=fixes, dry_run=dry_run)
    selection = selection_of(select, ignore)
    rules = options.given_rules(rules_name, settings)
    explain = explain and fmt == "table"
    if watches:
        return _watch(paths[0], only, rules, selection, fmt, explain=explain)
    with talking(_("verifying"), faults=False) as talk:
        results = verifying(
            paths, rules=rules, selection=selection, explain=explain, only=only, jobs=jobs, watch=talk
        )
        return (_count if statistics else _report)(results, talk, fmt, strict=strict, may_hint=not rules)


def _fix(
    paths: tuple[str, ...], folder: str | None, only: Only, rules_name: str | None,
    settings: tuple[str, ...], jobs: int | None, fmt: str, *, fixes: bool, dry_run: bool,
) -> int:  # fmt: skip
    if not fixes:
        raise click.UsageError(_("-o and --dry-run are for --fix"))
    if (folder is None) != dry_run:
        raise click.UsageError(_("name the folder for mended games with -o DIR, or use --dry-run"))
    from paifu.api.fix import fix
    from paifu.cli.repairs import report
    from paifu.cli.talk import talking

    with talking(_("mending")) as talk:
        done = fix(paths, folder, rules=rules_name, settings=settings, only=only, jobs=jobs, watch=talk)
        return report(done, folder, fmt)


def _check_watch(paths: tuple[str, ...], fmt: str) -> None:
    """Refuse what does not go with --watch: it verifies file by file, and has no end at which to write."""
    context = click.get_current_context()
    for option in context.command.params:
        is_given = context.get_parameter_source(option.name or "") == ParameterSource.COMMANDLINE
        if is_given and option.name in _WITHOUT_WATCH:
            raise click.UsageError(_("--watch does not go with {others}").format(others=option.opts[0]))
    if fmt not in _STREAMS:
        formats = ", ".join(_STREAMS)
        raise click.UsageError(_("--watch writes as it goes: use --format {formats}").format(formats=formats))
    if len(paths) != 1:
        raise click.UsageError(_("--watch takes one folder"))


def _watch(
    folder: str, only: Only, rules: tuple[Given, ...], selection: Selection, fmt: str, *, explain: bool
) -> int:
    """Print what is found in files of a folder until Ctrl-C; return the exit status."""
    from paifu.api.watch import Watching
    from paifu.cli.output import csv_text
    from paifu.cli.talk import talking
    from paifu.replay.foreign_text import escaped
    from paifu.reports.findings.output import COLUMNS

    write = _STREAMS[fmt]
    with talking(_("watching"), faults=False) as talk:
        files = Watching(folder, rules=rules, selection=selection, explain=explain, only=only, watch=talk)
        click.echo(_("watching {folder}; Ctrl-C ends it").format(folder=escaped(folder)), err=True)
        if fmt == "csv":
            click.echo(csv_text([COLUMNS]), nl=False)
        try:
            for file in files:
                for found in file.verified.found if file.verified else ():
                    write(found)
                outcome = file.verified.tally.verdict() if file.verified else _("gone")
                click.echo(f"{escaped(file.path)}: {outcome}", err=True)
        except KeyboardInterrupt:
            return _conclude(files.tally, talk, "", strict=False)
    return 0


def _count(results: Run[Verified], talk: Talk, fmt: str, *, strict: bool, may_hint: bool) -> int:
    """Print how often each code was found, the most frequent first; return the exit status."""
    from paifu.cli.output import column_heads, write_rows
    from paifu.replay.findings.spoken import KINDS
    from paifu.reports.findings.tally import Causes, Tally

    tally, causes, counts, logs = Tally(), Causes(), Counter[str](), Counter[str]()
    for result in results:
        result = result.up_to_first_error() if strict else result
        tally += result.tally
        causes.add(found.finding for found in result.found)
        codes = [(found.finding.code, found.finding.source) for found in result.found]
        counts.update(code for code, _source in codes)
        logs.update(code for code, _source in set(codes))
        if strict and tally.errors:
            break
    rows = [
        {"code": code, "findings": number, "games": logs[code], "name": KINDS[code].name}
        for code, number in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]
    columns = {"code": str, "findings": int, "games": int, "name": str}
    document = {"schema": SCHEMA, "answer": tally.answer.value, "summary": tally.summary()}
    write_rows(rows, columns, fmt, document, "statistics", heads=column_heads(), words=("name",))
    return _conclude(tally, talk, causes.hint() if may_hint else "", strict=strict)


def _report(results: Run[Verified], talk: Talk, fmt: str, *, strict: bool, may_hint: bool) -> int:
    """Print findings as they arrive, then what was checked; return the exit status."""
    from paifu.reports.findings.tally import Causes, Tally

    tally, kept, causes = Tally(), [], Causes()
    write = _STREAMS.get(fmt)
    if fmt == "csv":
        from paifu.cli.output import csv_text
        from paifu.reports.findings.output import COLUMNS

        click.echo(csv_text([COLUMNS]), nl=False)
    for result in results:
        result = result.up_to_first_error() if strict else result
        tally += result.tally
        causes.add(found.finding for found in result.found)
        for found in result.found:
            if write is None:
                kept.append(found.finding)
            else:
                write(found)
        if strict and tally.errors:
            break
    if write is None:
        from paifu.cli.output import write_rows
        from paifu.reports.findings.output import COLUMNS, row

        document = {"schema": SCHEMA, "answer": tally.answer.value, "summary": tally.summary()}
        write_rows(map(row, kept), COLUMNS, fmt, document, "findings")
    return _conclude(tally, talk, causes.hint() if may_hint else "", strict=strict)


def _conclude(tally: Tally, talk: Talk, hint: str, *, strict: bool) -> int:
    """Print what was checked and what to try, and return the exit status."""
    talk.tell_copies()
    texts = *tally.lines(), "" if strict else hint, tally.verdict()
    for text in filter(None, texts):
        click.echo(text, err=True)
    if strict and tally.errors:
        click.echo(_("stopped at the first error (--strict)"), err=True)
    return _STATUS[tally.answer]


def _write_line(found: ExplainedFinding) -> None:
    from paifu.reports.findings.output import message, where

    code = click.style(found.finding.code, fg=_COLORS[found.finding.severity])
    click.echo(f"{where(found.finding)}: {code} {message(found.finding)}")
    for text in found.evidence:
        click.echo(f"    {text}")


def _write_json(found: ExplainedFinding) -> None:
    from paifu.cli.output import write_json
    from paifu.reports.findings.output import row

    write_json(row(found.finding))


def _write_csv(found: ExplainedFinding) -> None:
    from paifu.cli.output import csv_text
    from paifu.reports.findings.output import row

    click.echo(csv_text([row(found.finding).values()]), nl=False)


def _write_annotation(found: ExplainedFinding) -> None:
    from paifu.reports.findings.output import annotation

    click.echo(annotation(found.finding))


_STATUS = {"sound": 0, "wrong": 1, "nothing": 3}
"""Exit status of each answer; 2 is for commands that could not run."""
_COLORS = {"error": "red", "mistake": "yellow", "note": "cyan"}
_STREAMS: dict[str, Callable[[ExplainedFinding], None]] = {
    "table": _write_line,
    "jsonl": _write_json,
    "csv": _write_csv,
    "github": _write_annotation,
}
"""Formats written finding by finding; the others are one document, written at the end."""
_WITHOUT_WATCH = {"library", "statistics", "strict", "fixes", "folder", "dry_run", "jobs"}
"""Parameters that --watch does not go with."""
