"""Leagues: standings of a season's games, and what they would be under other rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from glob import glob
from pathlib import Path

from paifu.api.only import EVERY_GAME, Only
from paifu.api.pipeline import SILENT, Once, Paths, Watch, listed, replaying
from paifu.api.rules import Rules, Settings, played_ruleset, rulesets_for_replay
from paifu.parsers.errors import PathNotFound
from paifu.parsers.small_files import read_small_text
from paifu.replay.errors import ArgumentError
from paifu.replay.findings.finding import Finding
from paifu.replay.foreign_text import one_line
from paifu.replay.language import _
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import Given, RuleError, with_overrides
from paifu.reports.league.games import RED_RULES, LeagueGame, adapted, league_games
from paifu.reports.league.season import Season, SeasonError, read_season
from paifu.reports.league.sheets import Sheet, SheetGame, read_sheet, settled
from paifu.reports.league.standings import Otherwise, Standings
from paifu.reports.rulesets import RuleDifference, differences

_SHEET = ".csv"
"""Ending of the files with results of games of which there are no logs."""


@dataclass(frozen=True, slots=True)
class League:
    """A season: its standings, and what is not in them."""

    standings: Standings
    unfinished: int
    """Games whose logs do not state a result."""
    faults: list[Finding]
    """What could not be read."""


def season_of(path: str) -> Season:
    """Read a season's file. Raises SeasonError, ArgumentError; the message names the file."""
    try:
        return read_season(read_small_text(path, "season"))
    except SeasonError as error:
        raise SeasonError(f"{path}: {error}") from error


def league(
    paths: Paths,
    *,
    season: Season | None = None,
    luck: bool = False,
    rules: Rules | None = None,
    settings: Settings = (),
    only: Only = EVERY_GAME,
    jobs: int | None = 1,
    watch: Watch = SILENT,
) -> League:
    """Return the standings of the games of logs, each game settled under the league's rules.

    ``rules``, ``settings`` and ``only`` are as those of :func:`~paifu.api.verify.verify`; the place
    where a season's file names rules is for the caller to find. Each win counts as the rules score it,
    whatever the log says, and red fives are plain ones under rules without them. Paths that end in ``.csv``
    are sheets of results, which :mod:`paifu.reports.league.sheets` describes. With ``luck``, the standings
    say how much of the results was luck, where it can be measured. Raises PathNotFound, RuleError,
    SheetError, and SeasonError for a penalty of somebody unknown.

    >>> season = league("sample_logs/games")
    >>> season.standings.players[0].place, season.standings.balance
    (1, 0)
    """
    given = rulesets_for_replay(rules, settings)
    return _league(
        _Results.of(paths, only, watch), season or Season(), given, given, only, jobs, watch, luck=luck
    )


@dataclass(frozen=True, slots=True)
class _Results:
    """What a league is made of: paths of logs, and the games of sheets that count."""

    logs: list[str | Path]
    games: list[SheetGame] = field(default_factory=list)
    faults: list[Finding] = field(default_factory=list)

    @classmethod
    def of(cls, paths: Paths, only: Only, watch: Watch = SILENT) -> _Results:
        """Read the sheets among paths. Raises PathNotFound, SheetError, ArgumentError."""
        held = listed(paths)
        results = cls([path for path in held if Path(path).suffix.lower() != _SHEET])
        for path in held:
            if path not in results.logs:
                for sheet in _sheets(str(path)):
                    keep, left_out = only.choose(
                        (game.started for game in sheet.games), ["" for _game in sheet.games]
                    )
                    watch.left_out(left_out)
                    results.games.extend(game for game, kept in zip(sheet.games, keep, strict=True) if kept)
                    results.faults.extend(sheet.faults)
        return results


def _sheets(path: str) -> Iterable[Sheet]:
    """Yield the sheets of a path, or of a pattern for paths."""
    found = [path] if Path(path).exists() else sorted(glob(path, recursive=True))  # noqa: PTH207  it may be absolute
    if not found:
        raise PathNotFound(path)
    for name in found:
        yield read_sheet(read_small_text(name, "sheet of results"), name)


def _league(
    results: _Results,
    season: Season,
    given: tuple[Given, ...],
    played: tuple[Given, ...],
    only: Only,
    jobs: int | None,
    watch: Watch = SILENT,
    *,
    luck: bool = False,
) -> League:
    """Settle results under the rules ``given``; ``played`` are those under which the games were played."""
    games, faults = settled(results.games, given, played)
    faults = [*results.faults, *faults]
    for fault in faults:
        watch.fault(fault)
    watch.advance(len(games))
    unfinished = 0
    if results.logs:
        adapt = partial(adapted, given) if given else None
        run = replaying(
            results.logs, partial(league_games, luck=luck), rules=given, player_hands=False, adapt=adapt,
            only=only, once=Once.GAMES, jobs=jobs, watch=watch,
        )  # fmt: skip
        for part in run:
            games += part.games
            unfinished += part.unfinished
        faults += run.faults
    standings = Standings(games, season)
    _check_sums(standings.unbalanced)
    if games:
        standings.season.check_penalties([line.player for line in standings.players])
    return League(standings, unfinished, faults)


def _check_sums(games: Iterable[LeagueGame]) -> None:
    """Raise AssertionError for games that paifu settles so that points come from nowhere, or go there."""
    for game in games:
        text = (
            "{file}: settled, {missing:,} of the points that the players began with belong to nobody; "
            "that is an error of paifu: please report it with the log"
        )
        raise AssertionError(text.format(file=one_line(game.source), missing=game.missing))


def league_under(
    paths: Paths,
    other: Rules,
    *,
    season: Season | None = None,
    rules: Rules,
    settings: Settings = (),
    only: Only = EVERY_GAME,
    jobs: int | None = 1,
    watch: Watch = SILENT,
) -> list[Otherwise]:
    """Return what a season would be under the rules ``other``, and under each rule of them that differs.

    The hands stay as they were played; what they pay, and what the results are worth, follows the other
    rules. Scores begin with the starting points of the other rules. The first row is that of all rules
    together, the others begin with what shifts most; rules that only make sense together (COUPLED) are
    changed together. Rules that make no difference, and such as cannot be changed alone, are left out; so
    are those that :func:`unsettled` names. Raises PathNotFound, RuleError.
    """
    base = played_ruleset(rules, settings)
    target = played_ruleset(other)
    if base.table.players != target.table.players or base.game.scheme != target.game.scheme:
        raise ArgumentError(
            _("{first} and {second} are rules of different games").format(first=base.name, second=target.name)
        )
    results, chosen = _Results.of(paths, only), season or Season()

    def under(rules: Ruleset) -> Standings:
        return _league(results, chosen, (rules,), (base,), only, jobs, watch).standings

    before = under(base)
    if skipped := unsettled(base, target):
        text = _("left out, because logs of {first} cannot be settled anew under it: {rules}")
        watch.notice(text.format(first=base.name, rules=", ".join(skipped)))
    target = with_overrides(target, {rule: base.values()[rule] for rule in unsettled(base, target)})
    rows = [_otherwise(None, before, under(target))]
    changed = target.values()
    singles = []
    for difference, rules_changed in _together(differences(base, target)):
        alone = _with(base, {rule: changed.get(rule) for rule in rules_changed})
        if alone is not None:
            singles.append(_otherwise(difference, before, under(alone)))
    singles.sort(key=lambda one: (-one.shifted, -one.illegal))
    return rows + [one for one in singles if one.shifted or one.moved or one.illegal]


def unsettled(base: Ruleset, target: Ruleset) -> list[str]:
    """Return the rules in which two rulesets differ and under which no log of the first can be settled anew.

    Those are red fives that the logs do not have, or of which only some would be red, and what a riichi
    costs: sticks were laid down as the logs have them.
    """
    first, second = base.values(), target.values()
    reds = [rule for rule in RED_RULES if second.get(rule) not in (0, first.get(rule), None)]
    return reds + [rule for rule in ("riichi_stick",) if first.get(rule) != second.get(rule)]


COUPLED = (
    ("start_points", "start_points_by_seat", "return_points", "oka"),
    RED_RULES,
    ("ura_dora", "kan_ura_dora"),
)
"""Rules that say something only together."""


def _together(every: list[RuleDifference]) -> Iterator[tuple[RuleDifference, list[str]]]:
    """Yield differences of one rule, or of rules that are changed together, with the names of the rules."""
    groups: dict[tuple[str, ...], list[RuleDifference]] = {}
    for one in every:
        names = next((coupled for coupled in COUPLED if one.rule in coupled), (one.rule,))
        groups.setdefault(names, []).append(one)
    for parts in groups.values():
        rules = [one.rule for one in parts]
        texts = (", ".join(texts) for texts in zip(*((one.first, one.second) for one in parts), strict=True))
        yield RuleDifference(", ".join(rules), *texts), rules


def _with(base: Ruleset, changes: dict[str, object]) -> Ruleset | None:
    """Return a ruleset with some rules changed; None where that makes no ruleset."""
    try:
        return None if None in changes.values() else with_overrides(base, changes)  # type: ignore[arg-type]
    except RuleError:
        return None


def _otherwise(rule: RuleDifference | None, before: Standings, after: Standings) -> Otherwise:
    missing = {(game.id, game.source): game.missing for game in before.games}
    _check_sums(game for game in after.games if game.missing != missing[game.id, game.source])
    old = {line.player: line for line in before.players}
    moved = sum(line.place != old[line.player].place for line in after.players)
    shifted = sum(abs(line.total - old[line.player].total) for line in after.players) // 2
    illegal = sum(game.illegal for game in after.games) - sum(game.illegal for game in before.games)
    return Otherwise(rule, after, moved, shifted, max(0, illegal))
