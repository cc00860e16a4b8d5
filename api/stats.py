"""Statistics: what players do, counted over any number of games."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import compress
from typing import TYPE_CHECKING, cast

from paifu.api.once import OnceUnit
from paifu.api.only import EVERY_GAME, NOTHING, LeftOut, Only, faults_of
from paifu.api.pipeline import SILENT, Done, Once, Paths, Run, Unit, Watch, listed, names_in, unread
from paifu.parsers.dataset.entries import Shard
from paifu.replay.comparison.copies import GameKey
from paifu.replay.errors import ArgumentError
from paifu.replay.foreign_text import composed
from paifu.replay.language import _
from paifu.replay.model.batch import Faults
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import Given
from paifu.reports.metrics.catalogue import CATALOGUE, HEADLINE, choose
from paifu.reports.metrics.counters import BY_KIND, FIELDS, OPPONENT, Chosen, Counters, Spellings, count
from paifu.reports.metrics.metric import Metric
from paifu.reports.metrics.recording import records
from paifu.reports.metrics.records import RECORD_TABLES, HandKeys, Records, record_rows, records_key
from paifu.reports.statistics.values import ENOUGH_HANDS, statistics

if TYPE_CHECKING:
    import pandas as pd

    from paifu.api.rules import Rules, Settings
    from paifu.reports.statistics.periods import GameSeries

REVIEW = "review"
"""Family of the statistics for which a review must run."""


@dataclass(frozen=True, slots=True)
class CountedInput:
    """Counters over some input; parts add up."""

    counters: Counters
    left_out: int
    """Hands that say nothing of play."""
    kinds: Counters | None = None
    """What a comparison with a reference needs, by kind of game and player; None unless it was asked for."""
    series: Mapping[str, GameSeries] = dataclasses.field(default_factory=dict)
    """Games of the players that are followed over time."""


def stats(
    paths: Paths,
    *,
    by: str | Sequence[str] = (),
    players: str | Iterable[str] = (),
    metrics: str | Iterable[str] = (),
    min_hands: int = 0,
    aliases: Mapping[str, str] | None = None,
    rules: Rules | None = None,
    settings: Settings = (),
    only: Only = EVERY_GAME,
    jobs: int | None = 1,
    intervals: bool = False,
) -> pd.DataFrame:
    """Return statistics as a DataFrame: a row for each group and statistic, and what was divided by what.

    The index has the fields of ``by`` and ``statistic``; ``value`` is ``n`` divided by ``d``, scaled as the
    statistic's definition says (shares are fractions); ``games`` and ``hands`` are those of the group.
    ``intervals`` adds ``low`` and ``high``, the 95% interval. ``frame["value"].unstack()`` has a column for
    each statistic.

    ``by`` is one field or two: player, room, ruleset, length, players, seat, month, opponent; without it
    everybody is one group. ``players`` limits it to these names; ``metrics`` are names of statistics or
    families (``"win_rate"``, ``"riichi"``), by default the headline; ``min_hands`` leaves smaller groups
    out; ``aliases`` maps a name in a log to the name that it counts for. A dataset that keeps its facts is
    not replayed. ``rules``, ``settings``, ``only`` and ``jobs`` are those of :func:`paifu.verify`. Raises
    PathNotFound, ArgumentError.

    >>> frame = stats("sample_logs/formats", by="player", metrics=["win_rate", "deal_in_rate"])
    >>> list(frame.columns)
    ['games', 'hands', 'n', 'd', 'value']
    >>> frame["n"].unstack().loc["Botan"].to_dict(), frame["d"].unstack().loc["Botan"].to_dict()
    ({'deal_in_rate': 22, 'win_rate': 28}, {'deal_in_rate': 111, 'win_rate': 111})
    """
    import pandas as pd

    from paifu.api.rules import rulesets_for_replay
    from paifu.reports.statistics.value_frame import GROUP, value_frame

    fields = [by] if isinstance(by, str) else list(by)
    chosen = groups(fields, [str(name) for name in listed(players)], aliases or {})
    given = rulesets_for_replay(rules, settings)
    wanted = metrics_of([metrics] if isinstance(metrics, str) else metrics, rules=given)
    run = counting(paths, wanted, chosen, rules=given, only=only, jobs=jobs)
    counters = Counters.total((part.counters for part in run), chosen.by, [metric.name for metric in wanted])
    found = statistics(
        counters,
        min_hands=min_hands,
        players=frozenset(str(name) for name in listed(players)),
        enough=min_hands or ENOUGH_HANDS,
    )
    frames = list(found.groups.frames() if found.by else found.whole.frames())
    columns = ["games", "hands", "n", "d", "value", *(["low", "high"] if intervals else [])]
    frame = pd.concat(frames) if frames else value_frame(counters, [])
    return frame.droplevel(GROUP)[columns]


def metrics_of(
    names: Iterable[str], *, everything: bool = False, rules: tuple[Given, ...] = ()
) -> list[Metric]:
    """Return statistics by names, names of families, or lists of both with commas; by default the headline.

    Yaku and patterns that ``rules`` bring along belong to their families. Raises UnknownMetricError.
    """
    wanted = [part.strip() for name in names for part in name.split(",") if part.strip()]
    own: list[str] = []
    if rules:
        from paifu.reports.metrics.own import own_names

        for one in rules:
            if isinstance(one, Ruleset):
                own += own_names(one, lambda family: everything or family in wanted)
    return choose([*CATALOGUE, *own] if everything and not wanted else [*wanted, *own] or HEADLINE)


def groups(by: Iterable[str], players: Sequence[str], aliases: Mapping[str, str]) -> Chosen:
    """Return which groups to count; a name that is spelt like one of ``players`` counts for that player.

    Raises ArgumentError for an unknown field.
    """
    fields = tuple(dict.fromkeys(part.strip() for field in by for part in field.split(",") if part.strip()))
    for field in fields:
        if field not in FIELDS:
            raise ArgumentError(
                _("--by {field}: not one of {fields}").format(field=field, fields=", ".join(FIELDS))
            )
    if OPPONENT in fields and not players:
        raise ArgumentError(_("--by opponent shows whom a player met; name one with --player"))
    players = [composed(player) for player in players]
    if players and not fields:
        fields = ("player",)
    only = frozenset() if fields == ("player",) else frozenset(players)
    return Chosen(fields, only, Spellings(aliases, players) if players else aliases)


def counting(
    paths: Paths,
    metrics: Sequence[Metric],
    chosen: Chosen,
    *,
    rules: tuple[Given, ...] = (),
    only: Only = EVERY_GAME,
    jobs: int | None = 1,
    watch: Watch = SILENT,
    compared: frozenset[str] = frozenset(),
    followed: frozenset[str] = frozenset(),
    over_time: Sequence[str] = (),
) -> Run[CountedInput]:
    """Return a run that counts; what a dataset keeps of a replay is used where it fits.

    ``compared`` are players to be compared with a reference (:attr:`CountedInput.kinds`), ``followed`` those
    whose games are to be listed (:attr:`CountedInput.series`), each with the sums of ``over_time``.
    """
    review = any(metric.family == REVIEW for metric in metrics)
    kinds = Chosen(BY_KIND, compared, chosen.aliases) if compared else None
    follow = followed, tuple(over_time)
    work = partial(_counted, rules, [metric.name for metric in metrics], chosen, kinds, follow, review, only)
    look = None if rules else _Outdated(watch)
    return Run(paths, work, jobs=jobs, look=look, watch=watch, once=Once.HANDS)


def series_of(
    parts: Iterable[Mapping[str, GameSeries]], players: Iterable[str], metrics: Sequence[str] = ()
) -> dict[str, GameSeries]:
    """Put the games of players together, from the parts of a run that followed them."""
    from paifu.reports.statistics.periods import GameSeries

    found: dict[str, list[GameSeries]] = {name: [] for name in players}
    for part in parts:
        for name, one in part.items():
            found[name].append(one)
    return {name: GameSeries.total(own, metrics) for name, own in found.items()}


def _known(unit: Unit) -> bool:
    """Return whether a unit holds only shards that store the records we would derive."""
    if not all(isinstance(item, Shard) for item in unit):
        return False
    from paifu.parsers.dataset.shards import has_facts

    return all(isinstance(item, Shard) and has_facts(item, RECORD_TABLES, records_key()) for item in unit)


class _Outdated:
    """Says, once, when a dataset's games must be replayed, for it stores no facts of this version."""

    def __init__(self, watch: Watch) -> None:
        self._watch, self._is_told = watch, False

    def __call__(self, unit: Unit) -> None:
        if not self._is_told and any(isinstance(item, Shard) for item in unit) and not _known(unit):
            self._is_told = True
            self._watch.notice(_("replaying: the dataset stores no facts, or those of another version"))


def _counted(
    rules: tuple[Given, ...],
    names: list[str],
    chosen: Chosen,
    kinds: Chosen | None,
    follow: tuple[frozenset[str], Sequence[str]],
    review: bool,
    only: Only,
    unit: Unit,
) -> Done[CountedInput]:
    """Read, replay (or read what a replay found) and count a unit; the work of one process.

    A unit of which something is there twice is replayed, because what counts of it depends on the rest.
    """
    stored = []
    if not rules and _known(unit):
        stored = [_stored(item, only) for item in unit if isinstance(item, Shard)]
        keys = tuple(key for _, _, _, own in stored for key in own)
        if isinstance(unit, OnceUnit) and unit.repeats(keys):
            stored = []
    if stored:
        parts = [part for part, _, _, _ in stored]
        lost = [fault for _, told, _, _ in stored for fault in unread(told)]
        others = sum((left_out for _, _, left_out, _ in stored), NOTHING)
    else:
        from paifu.replay.table.engine import replay

        batch, _, others = only.read(unit)
        parts = [records(replay(batch, *rules, review=review))]
        lost = list(unread(batch.faults))
    metrics = choose(names)
    counters = Counters.total((count(part, metrics, chosen) for part in parts), chosen.by, names)
    of_kinds, series = None, {}
    if kinds:
        from paifu.reports.statistics.standouts import NEEDED

        of_kinds = Counters.total((count(part, choose(NEEDED), kinds) for part in parts), kinds.by, NEEDED)
    if follow[0]:
        from paifu.reports.statistics.periods import GameSeries

        series = {name: GameSeries.of(parts, follow[1], name, chosen.aliases) for name in follow[0]}
    left_out = sum(int(part.games.left_out.sum()) for part in parts)
    return Done(
        CountedInput(
            counters,
            left_out,
            of_kinds,
            series,
        ),
        sum(len(part.games) for part in parts),
        tuple(lost),
        others,
        names=frozenset[str]().union(*(names_in(part.games.names) for part in parts)),
    )


def _stored(shard: Shard, only: Only) -> tuple[Records, Faults, LeftOut, tuple[GameKey, ...]]:
    """Load what a dataset keeps of the games that count; raises DatasetError when it is damaged.

    Returns their records, what could not be read, how many other games there are, and what tells copies.
    """
    from paifu.parsers.dataset.shards import FACTS, as_damage, read_facts, read_faults
    from paifu.reports.metrics.record_links import from_tables

    entry = shard.entry
    tables = read_facts(shard, RECORD_TABLES, record_rows(entry.games, entry.hands, entry.events))
    with as_damage(shard, FACTS):
        every = from_tables(tables, entry.hands)
    told, keys = read_faults(shard), cast(HandKeys, tables[HandKeys.NAME]).of_games(every.games)
    if not only:
        return every, told, NOTHING, keys
    keep, left_out = only.choose(every.games.started, every.games.room)
    told = told.rows(faults_of(keep, every.games.source, told))
    return every.only(keep), told, left_out, tuple(compress(keys, keep))
