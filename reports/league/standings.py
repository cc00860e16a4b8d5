"""Standings of a league: what the games of a season, and what was decided beside them, add up to."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from types import MappingProxyType

from paifu.replay.language import N_, _
from paifu.reports.league.games import LeagueGame
from paifu.reports.league.season import Penalty, Season, Stage
from paifu.reports.luck import total_of
from paifu.reports.rulesets import RuleDifference
from paifu.reports.units import league_decimals

_FEW = 2
"""Games of which nothing can be said about the rules of all."""
_OF_RULES = ("V2", "V3", "V4", "V5")
"""Beginnings of the codes of what rules decide."""


@dataclass(frozen=True, slots=True)
class Played:
    """One player's part in a game."""

    game: LeagueGame
    seat: int
    round: str
    counts: bool
    """Whether it is not among the dropped games."""

    @property
    def points(self) -> int:
        """The player's result, without chips."""
        return self.game.points[self.seat]

    @property
    def place(self) -> int:
        """The player's place."""
        return self.game.places[self.seat]


@dataclass(frozen=True, slots=True)
class LuckOfTotal:
    """How much of a player's points was luck, in plain points; with halves of 95% intervals."""

    luck: float
    luck_half: float | None
    """None with one game; so is the other."""
    without: float
    without_half: float | None


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's line. Points are plain points: 52300 is 52.3."""

    place: int
    """From 1; players with equal totals share it. 0 for one with too few games."""
    player: str
    team: str
    games: tuple[Played, ...]
    """All of them, in the order in which they were played."""
    points: int
    """Only of games that count."""
    dropped: int
    """Points of those that do not; not part of the total."""
    chips: int
    """What chips are worth."""
    penalties: int
    stage: str = ""
    """The last stage that the player came to; empty in a season without stages."""
    carried: int = 0
    """Points of the stages before it that count."""

    @property
    def total(self) -> int:
        """What counts."""
        return self.carried + self.points + self.chips + self.penalties

    @property
    def counted(self) -> tuple[Played, ...]:
        """The games that count."""
        return tuple(one for one in self.games if one.counts)

    @property
    def luck(self) -> LuckOfTotal | None:
        """What of ``points`` was luck; None unless it is measured in every game that counts."""
        if not self.counted or not all(one.game.luck for one in self.counted):
            return None
        luck = [one.game.luck[one.seat] for one in self.counted]
        without = [one.points - of for one, of in zip(self.counted, luck, strict=True)]
        return LuckOfTotal(*total_of(luck), *total_of(without))

    @property
    def places(self) -> tuple[int, ...]:
        """How often the player was first, second, third and fourth, in all games."""
        return tuple(sum(one.place == place for one in self.games) for place in range(1, 5))

    @property
    def average_place(self) -> float:
        """Mean place over all games; 0 without one."""
        return sum(one.place for one in self.games) / max(1, len(self.games))


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """What a player did against another: games together, how often ahead, and points gained on the other."""

    player: str
    other: str
    games: int
    ahead: int
    difference: int


@dataclass(frozen=True, slots=True)
class StageLines:
    """The lines of a stage, the first first; they have its games only."""

    stage: Stage
    lines: tuple[Standing, ...]
    advanced: frozenset[str]
    """Players who go on to the next stage, as it stands."""


class Standings:
    """The standings of a season after some games."""

    def __init__(self, games: Iterable[LeagueGame], season: Season) -> None:
        self.season = season.named()
        played = sorted(games, key=lambda game: (game.started, game.id, game.source))
        self.games = tuple(one for one in played if not season.stages or season.stage_of(one.id, one.source))
        """In the order in which they were played, as far as logs state it."""
        self.outside = len(played) - len(self.games)
        """Games of no stage, in a season of stages: they do not count."""

    def name(self, name: str) -> str:
        """Return under which name a player is listed."""
        return self.season.name(name)

    @cached_property
    def players(self) -> tuple[Standing, ...]:
        """A line for each player, the first first; those with too few games at the end.

        With stages, those who came further are before the others, with all their games, and the points of
        their last stage.
        """
        season = self.season
        if not season.stages:
            return self._lines(self.games, self.penalties)
        parts: dict[str, list[Played]] = defaultdict(list)
        for one in self.stages:
            for line in one.lines:
                parts[line.player] += line.games
        found: list[Standing] = []
        for stage in reversed(self.stages):
            known, first = {line.player for line in found}, len(found)
            new = [line for line in stage.lines if line.player not in known]
            found += [
                replace(one, games=tuple(parts[one.player]), place=first + one.place if line.place else 0)
                for line, one in zip(new, _placed(new, 0), strict=True)
            ]
        return tuple(found)

    @cached_property
    def penalties(self) -> tuple[Penalty, ...]:
        """Those of the season, and what warnings of several games on one day cost together."""
        return (*self.season.penalties, *self._warnings_of_days())

    def _warnings_of_days(self) -> Iterator[Penalty]:
        """Yield what the warnings of a day cost beside those that add up within a game."""
        season = self.season
        days: dict[tuple[str, str, str], list[tuple[LeagueGame, int]]] = defaultdict(list)
        for game in self.games:
            stage = season.stage_of(game.id, game.source) if season.stages else ""
            for seat, number in enumerate(game.warnings if game.started else ()):
                if number:
                    days[stage, game.started[:10], self.name(game.names[seat])].append((game, number))
        for (stage, day, player), games in days.items():
            number, points = games[-1][0].warning_cost
            together = sum(warnings for _one, warnings in games) // number
            due = together - sum(warnings // number for _one, warnings in games)
            if due and points:
                reason = _("warnings on {day}").format(day=day)
                yield Penalty(player, -due * points, reason, stage=stage)

    @cached_property
    def stages(self) -> tuple[StageLines, ...]:
        """The stages that have begun, with those who went on to them."""
        season = self.season
        of_stage: dict[str, list[LeagueGame]] = {one.title: [] for one in season.stages}
        for game in self.games if season.stages else ():
            of_stage[season.stage_of(game.id, game.source)].append(game)
        begun = max((n for n, games in enumerate(of_stage.values(), start=1) if games), default=0)
        found: list[StageLines] = []
        for number, stage in enumerate(season.stages[:begun]):
            before = found[-1] if found else None
            carried = {
                line.player: round(stage.carry * line.total)
                for line in (before.lines if before else ())
                if before and line.player in before.advanced
            }
            first = season.stages[0].title
            penalties = [one for one in self.penalties if (one.stage or first) == stage.title]
            lines = tuple(
                replace(line, stage=stage.title)
                for line in self._lines(of_stage[stage.title], penalties, carried)
            )
            is_last = number + 1 == len(season.stages)
            found.append(StageLines(stage, lines, frozenset() if is_last else self._advanced(stage, lines)))
        return tuple(found)

    def _advanced(self, stage: Stage, lines: Sequence[Standing]) -> frozenset[str]:
        """Return who goes on from a stage; equals go on together."""
        if not stage.advance:
            return frozenset(line.player for line in lines)
        if not stage.teams:
            return frozenset(line.player for line in lines if 0 < line.place <= stage.advance)
        totals = {team: sum(line.total for line in lines if line.team == team) for team in self.season.teams}
        least = sorted(totals.values(), reverse=True)[: stage.advance][-1]
        teams = {team for team, total in totals.items() if total >= least}
        return frozenset(line.player for line in lines if line.team in teams)

    def _lines(
        self,
        games: Iterable[LeagueGame],
        penalties: Iterable[Penalty],
        carried: Mapping[str, int] = MappingProxyType({}),
    ) -> tuple[Standing, ...]:
        """Return the lines of some games, and of those who carry points into them."""
        played: dict[str, list[tuple[LeagueGame, int]]] = {player: [] for player in carried}
        for game in games:
            for seat, name in enumerate(game.names):
                played.setdefault(self.name(name), []).append((game, seat))
        lost = shared(penalties, list(played))
        lines = [
            self._line(player, parts, lost.get(player, 0), carried.get(player, 0))
            for player, parts in played.items()
        ]
        least = 0 if carried else self.season.least_games
        lines.sort(key=lambda line: (len(line.games) < least, -line.total, line.player))
        return tuple(_placed(lines, least))

    def _line(
        self, player: str, parts: Sequence[tuple[LeagueGame, int]], penalty: int, carried: int
    ) -> Standing:
        season = self.season
        worst = sorted(range(len(parts)), key=lambda number: parts[number][0].points[parts[number][1]])
        dropped = set(worst[: min(season.drop_worst, len(parts) - 1)])
        games = tuple(
            Played(game, seat, season.round_of(game.id, game.source), number not in dropped)
            for number, (game, seat) in enumerate(parts)
        )
        return Standing(
            place=0,
            player=player,
            team=season.team_of(player),
            games=games,
            points=sum(one.points for one in games if one.counts),
            dropped=sum(one.points for one in games if not one.counts),
            chips=season.chip_points * sum(one.game.chips[one.seat] for one in games if one.counts),
            penalties=penalty,
            carried=carried,
        )

    @property
    def teams(self) -> list[tuple[str, tuple[Standing, ...], int]]:
        """Each team with its players and its total, the first first; those that came further lead."""
        members: dict[str, list[Standing]] = {team: [] for team in self.season.teams}
        for line in self.players:
            if line.team:
                members[line.team].append(line)
        found = [(team, tuple(lines), sum(line.total for line in lines)) for team, lines in members.items()]
        order = {one.stage.title: number for number, one in enumerate(self.stages)}
        return sorted(
            found,
            key=lambda one: (-max((order.get(line.stage, 0) for line in one[1]), default=0), -one[2], one[0]),
        )

    @property
    def rounds(self) -> list[str]:
        """The titles of the rounds that have games, in the order of the season's file."""
        titles = [one.title for one in self.season.rounds]
        found = {self.season.round_of(game.id, game.source) for game in self.games}
        return [title for title in [*titles, ""] if title in found]

    def pairs(self) -> Iterator[HeadToHead]:
        """Yield what each player did against each other player, in the order of the standings."""
        sums: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
        for game in self.games:
            names = [self.name(name) for name in game.names]
            for one, player in enumerate(names):
                for two, other in enumerate(names):
                    if one != two:
                        cell = sums[player, other]
                        cell[0] += 1
                        cell[1] += game.places[one] < game.places[two]
                        cell[2] += game.points[one] - game.points[two]
        order = [line.player for line in self.players]
        for player in order:
            for other in order:
                if (player, other) in sums:
                    yield HeadToHead(player, other, *sums[player, other])

    @cached_property
    def decimals(self) -> int:
        """Decimals in which all points of the season, in thousands, are told."""
        lines = [*self.players, *(line for one in self.stages for line in one.lines)]
        parts = ((line.total, line.points, line.carried, line.chips, line.penalties) for line in lines)
        games = (points for game in self.games for points in game.points)
        return league_decimals(value / 1000 for value in (*chain.from_iterable(parts), *games))

    @property
    def balance(self) -> int:
        """What all totals add up to; zero where the rules and the penalties give and take the same."""
        return sum(line.total for line in self.players)

    @property
    def imbalance(self) -> list[tuple[str, int]]:
        """Why the totals do not add up to zero: reason and plain points, as far as there is one."""
        given = sum(sum(game.points) for game in self.games)
        chips = self.season.chip_points * sum(sum(game.chips) for game in self.games)
        lines = [line for one in self.stages for line in one.lines] if self.stages else self.players
        dropped = sum(line.dropped for line in lines)
        penalties = sum(line.penalties for line in lines)
        kept = self.season.chip_points * sum(
            one.game.chips[one.seat] for line in lines for one in line.games if not one.counts
        )
        left = sum(line.total for line in lines) - self.balance
        carried = sum(line.carried for line in lines)
        reasons = [
            (N_("results of games"), given), (N_("chips"), chips - kept),
            (N_("games that are dropped"), -dropped), (N_("penalties"), penalties),
            (N_("points not taken to the next stage"), carried - left),
        ]  # fmt: skip
        return [(reason, points) for reason, points in reasons if points]

    @property
    def unbalanced(self) -> list[LeagueGame]:
        """Games in whose logs nothing is wrong, and whose points are not those that players began with.

        There are none, unless paifu itself settles a game wrongly.
        """
        return [game for game in self.games if game.missing and not game.codes]

    @property
    def wrong(self) -> list[LeagueGame]:
        """Games whose logs state a result that does not follow from the rules."""
        return [game for game in self.games if game.stated != game.scores]

    @cached_property
    def of_other_rules(self) -> frozenset[str]:
        """Codes of rules that more than half of the games contradict: they were played under others."""
        games = Counter(code for game in self.games for code in set(game.codes))
        most = max(len(self.games) / 2, _FEW)
        return frozenset(code for code, count in games.items() if count > most and code[:2] in _OF_RULES)

    def errors(self, game: LeagueGame) -> list[str]:
        """Return the codes of errors in a game's log, but those of other rules."""
        return sorted(set(game.codes) - self.of_other_rules)

    @property
    def faulty(self) -> list[LeagueGame]:
        """Games in whose logs verification finds errors."""
        return [game for game in self.games if self.errors(game)]


@dataclass(frozen=True, slots=True)
class Otherwise:
    """A season under one other rule, or under all rules of another ruleset."""

    rule: RuleDifference | None
    """None for all of them."""
    standings: Standings
    moved: int
    """Players who would have another place."""
    shifted: int
    """Plain points that would belong to others."""
    illegal: int
    """Moves that only these rules forbid: the players would have played otherwise."""


def shared(penalties: Iterable[Penalty], players: Sequence[str]) -> Mapping[str, int]:
    """Return the sum of each player's penalties, shared ones given to the others.

    >>> dict(shared([Penalty("Aki", -5100, shared=True)], ["Aki", "Botan", "Chie"]))
    {'Aki': -5100, 'Botan': 2600, 'Chie': 2500}

    Nobody shares the penalty of one who has no game. Shares are whole hundreds; what does not divide goes to
    the first players, so that the sum is zero.
    """
    sums: dict[str, int] = defaultdict(int)
    for penalty in penalties:
        sums[penalty.player] += penalty.points
        others = [player for player in players if player != penalty.player]
        if penalty.shared and penalty.player in players and others:
            part, rest = divmod(-penalty.points // 100, len(others))
            for number, player in enumerate(others):
                sums[player] += 100 * (part + (number < rest))
    return sums


def _placed(lines: Sequence[Standing], least_games: int) -> Iterator[Standing]:
    place = 0
    for number, line in enumerate(lines, start=1):
        if len(line.games) < least_games:
            yield line
            continue
        if number == 1 or line.total != lines[number - 2].total:
            place = number
        yield replace(line, place=place)
