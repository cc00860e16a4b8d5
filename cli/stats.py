"""``paifu stats``: statistics of any number of games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal

import click

from paifu.cli import options

if TYPE_CHECKING:
    from paifu.parsers.dataset.shards import Item, Shard
    from paifu.replay.model.batch import Faults
    from paifu.replay.rules.ruleset import Ruleset
    from paifu.reports.metrics.counters import Chosen, Counters
    from paifu.reports.metrics.metric import Metric
    from paifu.reports.metrics.records import Records
    from paifu.reports.statistics.values import Statistics

SCHEMA = "paifu.stats/1"
REVIEW = "review"
"""Family of the statistics for which a review must run."""
_SIDE_BY_SIDE = 2
"""Groups from which on they stand line by line, rather than each with a table of its own."""


@click.command(short_help="Statistics of players, rooms, months, with counts and intervals.")
@click.argument("paths", nargs=-1, metavar="PATH...")
@click.option("--player", "players", multiple=True, metavar="NAME", help="Only this player; repeatable.")
@click.option(
    "--by",
    metavar="FIELD,FIELD",
    help="A group for each player, room, ruleset, length, players, seat, month, opponent (of "
    "--player), or for each pair of two.",
)
@click.option(
    "--aliases", type=click.Path(dir_okay=False), metavar="FILE", help="TOML: name = [other names]."
)
@click.option(
    "--min-hands",
    type=click.IntRange(min=0),
    metavar="N",
    help="Leave out groups with fewer hands, and compare with players of as many.  [default: 0 and 100]",
)
@click.option(
    "--metrics", multiple=True, metavar="NAMES", help="These statistics, or families: win_rate,riichi."
)
@click.option("--all", "everything", is_flag=True, help="All statistics.")
@click.option("--ci", is_flag=True, help="Show 95 % confidence intervals in tables, too.")
@click.option(
    "--explain",
    is_flag=False,
    flag_value="",
    metavar="[NAME]",
    help="Say what a statistic, or each, counts; then end.",
)
@options.rules
@options.jobs
@options.output_format("markdown")
def stats(
    paths: tuple[str, ...],
    players: tuple[str, ...],
    by: str | None,
    aliases: str | None,
    min_hands: int | None,
    metrics: tuple[str, ...],
    everything: bool,
    ci: bool,
    explain: str | None,
    rules_name: str | None,
    settings: tuple[str, ...],
    jobs: int | None,
    fmt: str,
) -> int:
    """Count what players do: ranks, wins, deal-ins, riichi, calls, yaku, and some hundred things more.

    Every number stands with the number of cases it is drawn from; a star marks those with fewer than 30. A
    player is shown beside everybody, with the place among players of 100 hands or more: the percentage of
    them that have less. Exit status 1 tells that something could not be read.

    \b
    Example:
      paifu stats sample_logs/games
      paifu stats logs --player Name --all --ci
      paifu stats dataset --by player --min-hands 500
      paifu stats dataset --by room,length --format csv > rooms.csv
      paifu stats --explain deal_in_rate
    """
    from paifu.cli.aliases import read_aliases
    from paifu.cli.rules import replaying_rules
    from paifu.parsers.read import default_jobs, iter_items, iter_units, run
    from paifu.reports.metrics.counters import Counters
    from paifu.reports.statistics.values import ENOUGH_HANDS, statistics

    chosen_metrics = _metrics(metrics, explain, everything=everything)
    if explain is not None:
        return _explain(chosen_metrics)
    if not paths:
        raise click.UsageError("Missing argument 'PATH...'.")
    chosen = _chosen(by, players, read_aliases(aliases))
    names = [metric.name for metric in chosen_metrics]
    review = any(metric.family == REVIEW for metric in chosen_metrics)
    rules = replaying_rules(rules_name, settings)
    units = _prepared(iter_units(iter_items(paths)), review=review, may_be_known=not rules)
    work = partial(_count_unit, rules, names, chosen, review)
    tally = _Tally()
    parts = tally.follow(run(units, work, jobs=jobs or default_jobs()))
    counters = Counters.total(parts, chosen.by, names)
    found = statistics(
        counters,
        min_hands=min_hands or 0,
        players=frozenset(players),
        enough=ENOUGH_HANDS if min_hands is None else min_hands,
    )
    _write(found, chosen_metrics, fmt, ci=ci)
    return tally.tell(found, players, counters)


@dataclass(frozen=True, slots=True)
class _Counted:
    """What a worker made of one unit."""

    counters: Counters
    faults: Faults
    games: int
    left_out: int


@dataclass(slots=True)
class _Tally:
    """What went in, and what could not."""

    games: int = 0
    faults: int = 0
    left_out: int = 0

    def follow(self, results: Iterable[_Counted]) -> Iterator[Counters]:
        """Yield counters as they come; tell faults."""
        from paifu.cli.talk import progress, tell_faults

        with progress("counting") as advance:
            for result in results:
                tell_faults(result.faults)
                self.games += result.games
                self.faults += len(result.faults)
                self.left_out += result.left_out
                advance(result.games)
                yield result.counters

    def tell(self, found: Statistics, players: Sequence[str], counters: Counters) -> int:
        """Say what the numbers stand on; return the exit status."""
        from paifu.reports.words import plural

        texts = [f"{plural(self.games, 'game')}, {plural(found.population.hands, 'hand')} of players"]
        if self.left_out:
            texts.append(
                f"{plural(self.left_out, 'hand')} left out: unfinished, hidden, or against the rules"
            )
        if found.left_out:
            texts.append(f"{plural(found.left_out, 'group')} left out: fewer hands than asked for")
        if found.compared and found.groups:
            texts.append(
                f"place: percentage of {plural(found.compared, 'player')} with enough hands that have less"
            )
        for text in texts:
            click.echo(text, err=True)
        there = (
            {name for key in counters.keys for name in key[:1]}
            if counters.by == ("player",)
            else set(players)
        )
        for name in players:
            if name not in there:
                click.echo(f"no player is called {name!r} in these logs{_near(name, there)}", err=True)
        return 1 if self.faults else 0


def _near(name: str, names: Iterable[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, list(names), 3, 0.6)
    return f"; there is {', '.join(map(repr, near))}" if near else ""


def _metrics(names: Iterable[str], explain: str | None, *, everything: bool) -> list[Metric]:
    from paifu.reports.metrics.catalogue import CATALOGUE, HEADLINE, UnknownMetricError, choose

    wanted = [part.strip() for name in names for part in name.split(",") if part.strip()]
    if explain is not None:
        wanted = [explain] if explain else list(CATALOGUE)
    elif everything:
        wanted = list(CATALOGUE)
    try:
        return choose(wanted or HEADLINE)
    except UnknownMetricError as error:
        raise click.UsageError(str(error)) from error


def _explain(metrics: Sequence[Metric]) -> int:
    from paifu.reports.statistics.text import explain

    for line in explain(metrics):
        click.echo(line)
    return 0


def _chosen(by: str | None, players: tuple[str, ...], aliases: Mapping[str, str]) -> Chosen:
    from paifu.reports.metrics.counters import FIELDS, OPPONENT, Chosen

    fields = tuple(dict.fromkeys(part.strip() for part in (by or "").split(",") if part.strip()))
    for field in fields:
        if field not in FIELDS:
            raise click.UsageError(f"--by {field}: not one of {', '.join(FIELDS)}")
    if OPPONENT in fields and not players:
        raise click.UsageError("--by opponent shows whom a player met; name one with --player")
    if players and not fields:
        fields = ("player",)
    only = frozenset() if fields == ("player",) else frozenset(players)
    return Chosen(fields, only, aliases)


def _known(unit: Iterable[Item]) -> bool:
    """Tell whether a unit is a stored batch with the records that would be made of it."""
    from paifu.parsers.dataset.shards import Shard, has_facts
    from paifu.reports.metrics.records import RECORD_TABLES, records_key

    return all(isinstance(item, Shard) and has_facts(item, RECORD_TABLES, records_key()) for item in unit)


def _prepared(units: Iterable[list[Item]], *, review: bool, may_be_known: bool) -> Iterator[list[Item]]:
    """Return all units; make the engine ready when the first comes that must be replayed."""
    from itertools import chain

    from paifu.cli.engine import prepare
    from paifu.parsers.dataset.shards import Shard

    source = iter(units)
    for unit in source:
        if not (may_be_known and _known(unit)):
            if may_be_known and any(isinstance(item, Shard) for item in unit):
                click.echo("replaying: the dataset keeps no facts, or those of another version", err=True)
            yield from prepare(chain([unit], source), review=review)
            return
        yield unit


def _count_unit(
    rules: tuple[Ruleset, ...], names: list[str], chosen: Chosen, review: bool, unit: list[Item]
) -> _Counted:
    """Read, replay (or read what a replay found) and count a unit; the work of one process."""
    from paifu.parsers.dataset.shards import Shard, read_faults
    from paifu.parsers.read import read_unit
    from paifu.replay.model.batch import Faults
    from paifu.reports.metrics.catalogue import choose
    from paifu.reports.metrics.counters import Counters, count
    from paifu.reports.metrics.records import records

    metrics = choose(names)
    if not rules and _known(unit):
        shards = [item for item in unit if isinstance(item, Shard)]
        parts = list(map(_stored, shards))
        faults = Faults.empty().concatenated([read_faults(shard) for shard in shards])
    else:
        from paifu.replay.table.engine import replay

        batch = read_unit(unit)
        parts = [records(batch, replay(batch, *rules, review=review), *rules)]
        faults = batch.faults
    counters = Counters.total((count(part, metrics, chosen) for part in parts), chosen.by, names)
    games = sum(len(part.games) for part in parts)
    return _Counted(counters, faults, games, sum(int(part.games.left_out.sum()) for part in parts))


def _stored(shard: Shard) -> Records:
    """Load what a dataset keeps; raises DatasetError when it is damaged."""
    from paifu.parsers.dataset.shards import AGAIN, DatasetError, read_facts
    from paifu.reports.metrics.records import RECORD_TABLES, RecordsError, from_tables

    try:
        return from_tables(read_facts(shard, RECORD_TABLES))
    except RecordsError as error:
        raise DatasetError(f"{shard.root}, shard {shard.name}: {error}; {AGAIN}") from error


def _write(found: Statistics, metrics: Sequence[Metric], fmt: str, *, ci: bool) -> None:
    """Print the result."""
    from paifu.cli.output import Row, write_rows
    from paifu.reports.statistics.text import FEW, MARK, document, is_marked, long_rows, markdown

    if fmt in ("table", "markdown"):
        has_marks = False
        for title, cells in _tables(found, metrics, ci=ci):
            has_marks |= is_marked(cells)
            if fmt == "markdown":
                for line in ([f"### {title}", ""] if title else []) + [*markdown(cells), ""]:
                    click.echo(line)
            else:
                _print(title, cells)
        if has_marks:
            click.echo(f"{MARK} stands on fewer than {FEW} cases", err=True)
        return
    if fmt == "json":
        import orjson

        click.echo(orjson.dumps({"schema": SCHEMA, **document(found)}, option=orjson.OPT_INDENT_2))
        return
    rows: list[Row] = list(long_rows(found, [metric.name for metric in metrics]))
    write_rows(rows, list(rows[0]), fmt, {"schema": SCHEMA})


def _tables(
    found: Statistics, metrics: Sequence[Metric], *, ci: bool
) -> Iterator[tuple[str, list[list[str]]]]:
    """Yield titles and cells: a table for everybody, one for each of few groups, or one for all of many."""
    from paifu.reports.statistics.text import label, many_table, one_table
    from paifu.reports.words import plural

    if not found.by:
        yield "", one_table(found, None, metrics, ci=ci)
    elif len(found.groups) <= _SIDE_BY_SIDE or ci:
        for group in found.groups:
            title = f"{label(group)}: {plural(group.games, 'game')}, {plural(group.hands, 'hand')}"
            yield title, one_table(found, group, metrics, ci=ci)
    else:
        yield "", many_table(found, metrics)


def _print(title: str, cells: list[list[str]]) -> None:
    """Print a table that fits the terminal, or 80 columns when piped."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from paifu.reports.terminal.text import clean_text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    for number, head in enumerate(cells[0]):
        widest = max(len(row[number]) for row in cells) if number else None
        justify: Literal["left", "right"] = "right" if number else "left"
        table.add_column(
            head, justify=justify, no_wrap=head != "statistic", overflow="ellipsis", min_width=widest
        )
    for row in cells[1:]:
        table.add_row(*(Text(clean_text(cell)) for cell in row))
    if title:
        click.echo(clean_text(title))
    Console(highlight=False).print(table)
