"""``paifu stats``: statistics of any number of games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from paifu.cli import completion, options
from paifu.cli.command import Command
from paifu.cli.config import own_name
from paifu.replay.language import _

if TYPE_CHECKING:
    from paifu.reports.metrics.counters import Counters
    from paifu.reports.metrics.metric import Metric
    from paifu.reports.ratings.player import PlayerRatings
    from paifu.reports.statistics.periods import GameSeries, PeriodDifferences, PlayerChanges
    from paifu.reports.statistics.reference import Reference
    from paifu.reports.statistics.values import Statistics

SCHEMA = "paifu.stats/1"
_SIDE_BY_SIDE = 2
"""Groups up to which each gets its own table; more groups share one, a row each."""


@click.command(cls=Command, short_help="Statistics of players, rooms, months, with counts and intervals.")
@click.argument("paths", nargs=-1, metavar="PATH...")
@click.option(
    "--player",
    "players",
    callback=own_name,
    multiple=True,
    metavar="NAME",
    help="Only this player; repeatable.",
)
@click.option(
    "--by",
    metavar="FIELD,FIELD",
    help="Group by player, room, ruleset, length, players, seat, month, year or opponent (of "
    "--player), or by two of them; a number: as many games of --player in a row.",
)
@options.aliases
@click.option(
    "--min-hands",
    type=click.IntRange(0, options.MAX_ROWS),
    metavar="N",
    help="Skip groups with fewer hands, and compare only with players who have at least as "
    "many.  [default: 0 and 100]",
)
@click.option(
    "--metrics",
    multiple=True,
    metavar="NAMES",
    shell_complete=completion.metrics,
    help="Statistics or families to show: win_rate,riichi.",
)
@click.option("--all", "everything", is_flag=True, help="Show all statistics.")
@click.option(
    "--sort",
    metavar="NAME",
    shell_complete=completion.metrics,
    help="Order groups by name, hands or a statistic, the highest first; -NAME: the lowest first.",
)
@click.option(
    "--limit", type=click.IntRange(1, options.MAX_ROWS), metavar="N", help="Show only the first N groups."
)
@click.option("--ci", is_flag=True, help="Show 95% confidence intervals in tables.")
@click.option(
    "--explain",
    is_flag=False,
    flag_value="",
    metavar="[NAME]",
    shell_complete=completion.metrics,
    help="Explain one statistic, or all of them, and exit.",
)
@click.option(
    "--reference",
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE",
    help="Say in JSON what stands out against this file of 'paifu reference'.  [default: what ships]",
)
@click.option(
    "--ratings",
    is_flag=True,
    help="Show the ratings of each --player, too: R, rank points, stable rank, promotion.",
)
@click.option("--changes", is_flag=True, help="Say what of each --player changed, and when.")
@options.replays
@options.output_format("markdown")
def stats(
    paths: tuple[str, ...],
    players: tuple[str, ...],
    by: str | None,
    aliases: str | None,
    min_hands: int | None,
    metrics: tuple[str, ...],
    everything: bool,
    sort: str | None,
    limit: int | None,
    ci: bool,
    explain: str | None,
    reference: str | None,
    ratings: bool,
    changes: bool,
    how: options.ReplayOptions,
    fmt: str,
) -> int:
    """Count what players do: ranks, wins, deal-ins, riichi, calls, yaku, and hundreds of other things.

    Every number comes with its sample size; a star marks those based on fewer than 30 cases. A player is
    shown next to everybody, with a percentile among players with at least 100 hands if there are 10 of
    them. The exit status is 1 if something could not be read.

    \b
    Example:
      paifu stats sample_logs/games
      paifu stats logs --player Botan --all --ci
      paifu stats dataset --by player --min-hands 500 --sort=-rank --limit 20
      paifu stats dataset --by room,length --format csv > rooms.csv
      paifu stats logs --player Botan --changes
      paifu stats --explain deal_in_rate
    """
    from paifu.api.stats import counting, groups, metrics_of, series_of
    from paifu.cli.aliases import read_aliases
    from paifu.cli.talk import check_names, talking
    from paifu.reports.metrics.catalogue import CATALOGUE, choose
    from paifu.reports.metrics.counters import KNOWN, Counters
    from paifu.reports.statistics.values import ENOUGH_HANDS, arranged, statistics

    if explain is not None:
        return _explain(choose([explain] if explain else list(CATALOGUE)))
    wanted = metrics_of(metrics, everything=everything, rules=how["rules"])
    order = _order(sort, wanted)
    if not paths:
        raise click.UsageError(_("Missing argument 'PATH...'."))
    in_a_row = _in_a_row(by, players)
    named = read_aliases(aliases)
    chosen = groups(["" if in_a_row else by or ""], players, named)
    with_reference = fmt == "json" and chosen.by == ("player",)
    if reference and not (with_reference and players):
        raise click.UsageError(
            _("--reference needs --player and --format json: it says there what stands out")
        )
    extras = [name for name, is_given in (("ratings", ratings), ("changes", changes)) if is_given]
    _check_extras(extras, players, by, fmt)
    compared = frozenset(players) if with_reference else frozenset[str]()
    known = _reference(reference) if reference or compared else None
    left_out = 0
    over_time = [one.name for one in wanted] if in_a_row else _changing() if changes else []
    with talking("counting") as talk:
        run = counting(
            paths,
            wanted,
            chosen,
            watch=talk,
            compared=compared,
            followed=frozenset(players if extras or in_a_row else ()),
            over_time=over_time,
            **how,
        )
        kinds, followed = [], []

        def counters_of_parts() -> Iterator[Counters]:
            nonlocal left_out
            for part in run:
                left_out += part.left_out
                if part.kinds:
                    kinds.append(part.kinds)
                followed.append(part.series)
                yield part.counters

        counters = Counters.total(counters_of_parts(), chosen.by, [metric.name for metric in wanted])
    check_names(players, {named.get(name, name) for name in run.names})
    series = series_of(followed, players, over_time) if extras or in_a_row else {}
    if in_a_row:
        counters = series[players[0]].blocks(in_a_row, counters.metrics)
    found = statistics(
        counters,
        min_hands=min_hands or 0,
        players=frozenset(players),
        enough=ENOUGH_HANDS if min_hands is None else min_hands,
        programs=known.programs if known else KNOWN,
    )
    found = arranged(found, order, limit)
    shown = [metric for metric in wanted if metric.name not in found.meaningless]
    more: dict[str, dict[str, object]] = defaultdict(dict)
    for name, stands_out in _standing_out(kinds, compared, known) if known else ():
        more[name]["stands_out"] = stands_out
    rated, changed = _followed(series, extras)
    for extra, said in (("ratings", rated), ("changes", changed)):
        for name, one in said.items():
            more[name][extra] = one.summary()
    _write(found, shown, fmt, more, _differences(found, shown), ci=ci)
    if fmt != "json":
        _write_ratings(rated, fmt)
        _write_changes(changed, fmt)
    _tell(found, run.games, left_out)
    return 1 if run.faults else 0


def _changing() -> list[str]:
    """Return the statistics that are looked at for changes."""
    from paifu.reports.statistics.periods import CHANGING

    return list(CHANGING)


def _reference(file: str | None) -> Reference:
    """Read what players are compared with."""
    from paifu.reports.statistics.reference import read_reference, shipped_reference

    return read_reference(Path(file), file) if file else shipped_reference()


def _standing_out(
    kinds: Iterable[Counters], players: Collection[str], reference: Reference
) -> Iterator[tuple[str, object]]:
    """Yield for each player to be compared what stands out."""
    from paifu.reports.metrics.counters import BY_KIND, Counters
    from paifu.reports.statistics.standouts import NEEDED, of_player

    by_kind = Counters.total(kinds, BY_KIND, NEEDED)
    for name in players:
        yield name, of_player(by_kind, name, reference)


def _check_extras(extras: Sequence[str], players: Sequence[str], by: str | None, fmt: str) -> None:
    """Refuse options about players without a player, with groups, or in a format for rows only."""
    if extras and (not players or by or fmt not in ("table", "markdown", "json")):
        text = _("--{option} needs --player without --by, and the format table, markdown or json")
        raise click.UsageError(text.format(option=extras[0]))


def _order(sort: str | None, metrics: Sequence[Metric]) -> str:
    """Return what ``--sort`` names, with its minus: a column, or a statistic that is counted."""
    from paifu.reports.metrics.catalogue import choose

    if sort is None:
        return ""
    if sort.removeprefix("-") in ("name", "hands"):
        return sort
    (metric, *others) = choose([sort.removeprefix("-")])
    if others or metric.name not in {counted.name for counted in metrics}:
        text = _("--sort {name}: name one of the statistics that are shown")
        raise click.UsageError(text.format(name=sort))
    return f"-{metric.name}" if sort.startswith("-") else metric.name


def _tell(found: Statistics, games: int, left_out: int) -> None:
    """Print what the numbers are based on."""
    from paifu.reports.statistics.values import ENOUGH_PLAYERS
    from paifu.reports.wording import plural

    texts = [
        _("{games}, {hands}").format(
            games=plural(games, "game"), hands=plural(found.population.hands, "hand")
        )
    ]
    for count, noun, text in (
        (len(found.meaningless), "statistic", _("{count} skipped: no meaning in these games")),
        (left_out, "hand", _("{count} skipped: unfinished, hidden, or breaking the rules")),
        (found.beyond, "more group", _("{count} not shown (--limit)")),
        (found.left_out, "group", _("{count} skipped: fewer than --min-hands hands")),
    ):
        if count:
            texts.append(text.format(count=plural(count, noun)))
    compared = plural(found.compared, "player")
    if found.compared >= ENOUGH_PLAYERS and any(group.percentiles for group in found.groups):
        texts.append(_("place: among the {players} with enough hands").format(players=compared))
    elif found.compared >= ENOUGH_PLAYERS and found.groups:
        text = _("no places: the {players} with enough hands cannot be told apart yet")
        texts.append(text.format(players=compared))
    elif found.compared and found.groups:
        text = _("no places: only {players} with enough hands; at least {needed} are needed")
        texts.append(text.format(players=compared, needed=ENOUGH_PLAYERS))
    for text in texts:
        click.echo(text, err=True)


def _explain(metrics: Sequence[Metric]) -> int:
    from paifu.reports.statistics.definitions import explain

    for line in explain(metrics):
        click.echo(line)
    return 0


def _write(
    found: Statistics,
    metrics: Sequence[Metric],
    fmt: str,
    of_players: Mapping[str, Mapping[str, object]],
    periods: PeriodDifferences | None,
    *,
    ci: bool,
) -> None:
    """Print the result."""
    if fmt in ("table", "markdown"):
        from paifu.reports.statistics.text import FEW, MARK, is_marked, markdown

        has_marks = False
        for title, cells in _tables(found, metrics, ci=ci):
            has_marks |= is_marked(cells)
            if fmt == "markdown":
                for line in ([f"### {title}", ""] if title else []) + [*markdown(cells), ""]:
                    click.echo(line)
            else:
                _print(title, cells)
        if periods:
            _write_lines(_("differences between periods beyond chance"), periods.lines(), fmt)
        if has_marks:
            click.echo(_("{mark} based on fewer than {few} cases").format(mark=MARK, few=FEW), err=True)
        return
    from paifu.cli.output import write_json, write_rows
    from paifu.cli.talk import with_choice
    from paifu.reports.statistics.for_programs import document, long_columns, long_rows

    if fmt == "json":
        write_json(
            with_choice(
                {
                    "schema": SCHEMA,
                    **document(found, of_players),
                    **({"differences": periods.summary()} if periods else {}),
                }
            ),
            indent=True,
        )
        return
    rows = long_rows(found, [metric.name for metric in metrics])
    write_rows(rows, long_columns(found), fmt, {"schema": SCHEMA})


def _followed(
    series: Mapping[str, GameSeries], extras: Sequence[str]
) -> tuple[dict[str, PlayerRatings], dict[str, PlayerChanges]]:
    """Return the ratings and the changes of players, as far as they are asked for."""
    if not extras:
        return {}, {}
    from paifu.reports.ratings.player import player_ratings
    from paifu.reports.statistics.periods import player_changes

    rated = {name: player_ratings(one.games) for name, one in series.items() if "ratings" in extras}
    return rated, {name: player_changes(one) for name, one in series.items() if "changes" in extras}


def _write_ratings(rated: Mapping[str, PlayerRatings], fmt: str) -> None:
    """Print the ratings of players."""
    from paifu.reports.statistics.text import markdown

    heads = [_("rating"), _("value"), _("95 %"), _("games")]
    for name, one in rated.items():
        cells = [heads, *([row.title, row.value, row.interval, row.games] for row in one.rows())]
        title = _("{player}: ratings").format(player=name)
        if len(cells) == 1:
            click.echo(_("{player}: no game in a room with ranks").format(player=name), err=True)
        elif fmt == "markdown":
            for line in [f"### {title}", "", *markdown(cells), ""]:
                click.echo(line)
        else:
            _print(title, cells)
        for line in one.notes():
            click.echo(line, err=True)


def _write_changes(changed: Mapping[str, PlayerChanges], fmt: str) -> None:
    """Print what changed of players."""
    for name, one in changed.items():
        _write_lines(_("{player}: changes").format(player=name), one.lines(), fmt)


def _write_lines(title: str, lines: Iterable[str], fmt: str) -> None:
    from paifu.replay.foreign_text import display_name

    is_markdown = fmt == "markdown"
    for line in [f"### {title}", ""] if is_markdown else [display_name(title)]:
        click.echo(line)
    for line in lines:
        click.echo(f"- {line}" if is_markdown else f"  {line}")
    click.echo()


def _in_a_row(by: str | None, players: Sequence[str]) -> int:
    """Return how many games in a row a group has, 0 for other groups."""
    if not by or not by.isdecimal():
        return 0
    if len(players) != 1 or not 1 <= int(by) <= options.MAX_ROWS:
        raise click.UsageError(
            _("--by {number} groups games of one player in the order of play: name one with --player").format(
                number=by
            )
        )
    return int(by)


def _differences(found: Statistics, metrics: Sequence[Metric]) -> PeriodDifferences | None:
    """Return how periods differ; None where groups are not periods."""
    from paifu.reports.metrics.counters import PERIODS

    if len(found.by) != 1 or found.by[0] not in PERIODS:
        return None
    from paifu.reports.statistics.periods import period_differences

    return period_differences(found, [one.name for one in metrics])


def _tables(
    found: Statistics, metrics: Sequence[Metric], *, ci: bool
) -> Iterator[tuple[str, list[list[str]]]]:
    """Yield titles and cells: a table for everybody, one for each of few groups, or one for all of many."""
    from paifu.reports.statistics.text import label, many_table, one_table
    from paifu.reports.wording import plural

    if not found.by:
        yield "", one_table(found, None, metrics, ci=ci)
    elif len(found.groups) <= _SIDE_BY_SIDE or ci:
        for group, values in zip(found.groups, found.groups.frames(1), strict=True):
            title = _("{group}: {games}, {hands}").format(
                group=label(group), games=plural(group.games, "game"), hands=plural(group.hands, "hand")
            )
            yield title, one_table(found, values, metrics, ci=ci)
    else:
        yield "", many_table(found, metrics)


def _print(title: str, cells: list[list[str]]) -> None:
    from paifu.cli.printed_tables import print_table
    from paifu.replay.foreign_text import display_name
    from paifu.reports.terminal.tables import TerminalColumn

    heads, *rows = cells
    columns = [TerminalColumn(head, is_number=number > 0) for number, head in enumerate(heads)]
    if title:
        click.echo(display_name(title))
    print_table(columns, ([display_name(cell) for cell in row] for row in rows))
