"""What ``paifu review`` prints of an engine's choices beside the players' and the model's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from paifu.replay.language import _

if TYPE_CHECKING:
    from paifu.api.engines import Differences, Inquiry
    from paifu.api.only import Only
    from paifu.replay.rulesets.presets import Given

SCHEMA = "paifu.review.engine/1"


def compare(
    paths: Sequence[str],
    inquiry: Inquiry,
    players: Sequence[str],
    rules: tuple[Given, ...],
    only: Only,
    fmt: str,
) -> int:
    """Ask the engine, or read its reports, and print; returns the exit status."""
    from paifu.api.engines import Differences, comparing
    from paifu.cli.talk import check_names, talking
    from paifu.parsers.mjai.process import ending_well
    from paifu.replay.foreign_text import escaped
    from paifu.reports.wording import plural

    whole = Differences()
    with talking(_("asking")) as talk, ending_well():
        run = comparing(paths, inquiry, rules=rules, only=only, watch=talk)
        for part in run:
            for failure in part.failures:
                click.echo(escaped(failure), err=True)
            whole.merge(part, inquiry.most)
    check_names(players, run.names)
    _print(whole, fmt)
    if inquiry.command:
        text = _("engine asked for {seats} of the logs; {kept:,} answered before")
        click.echo(text.format(seats=plural(whole.asked, "seat"), kept=whole.kept), err=True)
    if not whole.agreement.counts:
        click.echo(_("there is no decision to compare"), err=True)
    return int(bool(run.faults or whole.failures))


def _print(whole: Differences, fmt: str) -> None:
    from paifu.cli.output import write_json, write_rows
    from paifu.coach.judgement.opinions import COLUMNS
    from paifu.reports.terminal.review_lines import engine_lines

    if fmt == "table":
        click.echo("\n".join(engine_lines(whole.agreement, whole.worst)))
        return
    rows = [one.row() for one in whole.every]
    if fmt == "jsonl":
        for row in rows:
            write_json(row)
        return
    if fmt != "json":
        import orjson

        rows = [row | {"options": orjson.dumps(row["options"]).decode()} for row in rows]
    counts = whole.agreement.counts
    names = ("decisions", "engine_as_player", "engine_as_model", "model_as_player")
    summary = {kind: dict(zip(names, row, strict=True)) for kind, row in counts.items()}
    write_rows(rows, COLUMNS, fmt, {"schema": SCHEMA, "agreement": summary}, "decisions")
