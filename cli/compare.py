"""``paifu compare``: whether two records, or two folders of them, tell the same games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from paifu.cli import options
from paifu.cli.command import Command
from paifu.replay.language import N_, _

if TYPE_CHECKING:
    from paifu.api.compare import RecordComparison, RecordDifference
    from paifu.api.only import Only

SCHEMA = "paifu.compare/1"
EXIT_UNUSABLE = 2
_COLUMNS = {"fact": str, "equal": int, "different": int, "only_a": int, "only_b": int, "unsaid": int}
_PLACES = {
    "a_source": str, "b_source": str, "hand": str, "event": int, "seat": int, "fact": str, "status": str,
    "a": str, "b": str,
}  # fmt: skip
_MOST = 20
"""Places that the table of facts is followed by."""


@click.command(cls=Command, short_help="Say whether two records tell the same game, fact by fact.")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option(
    "--ignore", multiple=True, metavar="FACTS",
    help="Leave out facts with these beginnings: games.names,wins.",
)  # fmt: skip
@click.option("--places", is_flag=True, help="List every place where A and B do not say the same instead.")
@options.games
@options.jobs
@options.output_format()
def compare(
    a: str, b: str, ignore: tuple[str, ...], places: bool, only: Only, jobs: int | None, fmt: str
) -> int:
    """Compare two records of a game, or two folders of them, fact by fact.

    A and B are files, folders, archives, databases or datasets in any formats. Games are paired by what was
    dealt and played, whatever the files are called. A fact is a column of the replay model, such as wins.fu.
    The table counts in how many rows A and B say the same, say different things, or only one says
    anything, and in how many the format of the other has no place for it. The exit status is 0 if A and B
    agree as far as both say, 1 if something is different, and 2 if something cannot be read or no game of
    A is in B.

    \b
    Example:
      paifu compare hanchan.mjlog.gz hanchan.json
      paifu compare logs converted --places
      paifu compare ours.json theirs.json --ignore games.names
    """
    from paifu.api.compare import compare_records
    from paifu.cli.talk import talking

    with talking(_("comparing")) as talk:
        found = compare_records(a, b, only=only, jobs=jobs, watch=talk).without(
            part for text in ignore for part in text.split(",") if part
        )
        if places:
            _write_places(found, fmt)
        else:
            _write_facts(found, fmt)
        return _conclude(found)


def _write_facts(found: RecordComparison, fmt: str) -> None:
    from paifu.cli.output import column_heads, write_rows

    rows = [{"fact": fact, **counts.summary()} for fact, counts in found.facts.items()]
    if fmt != "table":
        write_rows(rows, _COLUMNS, fmt, _document(found), "facts")
        return
    if rows:
        write_rows(rows, _COLUMNS, fmt, {}, "facts", heads=column_heads())
    listed = list(found.differences)
    for one in listed[:_MOST]:
        click.echo(_line(one))
    if len(listed) > _MOST:
        told = _("... and {count} more; --places lists all")
        click.echo(told.format(count=len(listed) - _MOST))


def _write_places(found: RecordComparison, fmt: str) -> None:
    from paifu.cli.output import column_heads, write_rows

    rows = [
        {
            "a_source": one.a_source,
            "b_source": one.b_source,
            "hand": one.difference.label or None,
            "event": one.difference.event if one.difference.event >= 0 else None,
            "seat": one.difference.seat if one.difference.seat < _SEATS else None,
            "fact": one.difference.fact,
            "status": _STATUS[one.difference.status],
            "a": one.difference.a,
            "b": one.difference.b,
        }
        for pair in found.pairs
        for one in pair.differences
    ]
    columns = list(_PLACES)[2:] if fmt == "table" and len(found.pairs) == 1 else list(_PLACES)
    if rows or fmt != "table":
        shown = {name: _PLACES[name] for name in columns}
        write_rows(rows, shown, fmt, _document(found), "places", heads=column_heads(), words=("status",))


_SEATS = 4
_STATUS = {2: N_("different"), 3: N_("only A"), 4: N_("only B")}


def _document(found: RecordComparison) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "summary": {
            "pairs": len(found.pairs),
            "equal": sum(map(bool, found.pairs)),
            "only_a": found.only_a,
            "only_b": found.only_b,
            "unreadable": len(found.faults),
        },
        "games": [{"a": pair.a_source, "b": pair.b_source, "equal": bool(pair)} for pair in found.pairs],
    }


def _line(one: RecordDifference) -> str:
    from paifu.replay.foreign_text import escaped

    place = one.difference
    event = _("event {number}").format(number=place.event) if place.event >= 0 else ""
    where = (one.a_source, place.label, event)
    said = _("{fact}: A {a}, B {b}").format(
        fact=place.fact, a=place.a or _("nothing"), b=place.b or _("nothing")
    )
    return escaped(f"{' '.join(filter(None, where))}: {said}")


def _conclude(found: RecordComparison) -> int:
    """Print what was compared, and return the exit status."""
    from paifu.replay.foreign_text import escaped
    from paifu.reports.wording import plural

    for sources, told in (
        (found.only_a, _("{games} only in A: {names}")),
        (found.only_b, _("{games} only in B: {names}")),
    ):
        if sources:
            names = ", ".join(sources[:_FEW]) + (", ..." if len(sources) > _FEW else "")
            click.echo(escaped(told.format(games=plural(len(sources), "game"), names=names)), err=True)
    equal = sum(map(bool, found.pairs))
    if not found.pairs:
        click.echo(_("no game of A is in B"), err=True)
        return EXIT_UNUSABLE
    told = _("{games} in both: {equal} equal as far as both say, {different} different")
    if len(found.pairs) == 1:
        told = _("the game is equal as far as both say") if equal else _("the game is different")
    click.echo(
        told.format(games=plural(len(found.pairs), "game"), equal=equal, different=len(found.pairs) - equal),
        err=True,
    )
    if found.faults:
        return EXIT_UNUSABLE
    return 0 if found else 1


_FEW = 3
