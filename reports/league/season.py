"""The file in which a league writes down its season: teams, rounds, penalties, and what of a game counts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import Any

from paifu.replay.errors import ArgumentError
from paifu.replay.language import N_, _
from paifu.replay.rules.written_values import WrittenError, read_toml, short, shown

MOST_POINTS = 1_000_000
"""Points of one penalty at most, in thousands as a league counts them; read to a tenth."""


class SeasonError(ArgumentError):
    """A season's file that cannot be followed; the message names the key."""


@dataclass(frozen=True, slots=True)
class Round:
    """A part of a season: the games whose id, or file, fits one of the patterns."""

    title: str
    games: tuple[str, ...]

    def has(self, game: str, source: str) -> bool:
        """Return whether a game belongs to it."""
        return any(fnmatchcase(name, pattern) for name in (game, source) for pattern in self.games)


@dataclass(frozen=True, slots=True)
class Stage(Round):
    """One from which those who come far enough go on to the next, with part of their points."""

    advance: int = 0
    """Players, or teams, that go on to the next stage; 0 for all."""
    teams: bool = False
    """Teams go on, not players."""
    carry: float = 0.0
    """The part of the total of the stage before that counts in this one."""
    games_each: int = 0
    """Games that each player plays in it; 0 if that is not fixed."""


@dataclass(frozen=True, slots=True)
class Penalty:
    """Points that a player loses (or, above zero, is given) apart from the games."""

    player: str
    points: int
    """Plain points: 20.0 in the file is 20000 here."""
    reason: str = ""
    shared: bool = False
    """The other players of the league share what one loses, so that all points add up to zero."""
    stage: str = ""
    """The stage in which it counts; the first, if it names none."""


@dataclass(frozen=True, slots=True)
class Season:
    """What a season's file says; the defaults are those of an empty one."""

    title: str = ""
    rules: str = ""
    """Preset, or file beside this one; empty for the rules that logs name."""
    drop_worst: int = 0
    """Games of each player that do not count, the worst ones."""
    least_games: int = 0
    """Players with fewer are listed below the others, without a place."""
    chip_points: int = 0
    """What a chip is worth in plain points."""
    teams: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    rounds: tuple[Round, ...] = ()
    stages: tuple[Stage, ...] = ()
    games_each: int = 0
    """Games that each player plays in a season without stages; 0 if that is not fixed."""
    penalties: tuple[Penalty, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Another name of a player -> the one to show."""

    def name(self, name: str) -> str:
        """Return under which name a player is listed."""
        return self.aliases.get(name, name)

    def named(self) -> Season:
        """Return the season with the listed names in teams and penalties. Raises SeasonError."""
        teams = {team: tuple(dict.fromkeys(map(self.name, names))) for team, names in self.teams.items()}
        penalties = tuple(replace(one, player=self.name(one.player)) for one in self.penalties)
        season = replace(self, teams=teams, penalties=penalties)
        _check_teams(season)
        return season

    def check_penalties(self, players: Collection[str]) -> None:
        """Refuse a penalty of somebody who is neither among the players nor in a team. Raises SeasonError."""
        known = {*players, *(name for team in self.teams.values() for name in team)}
        for number, one in enumerate(self.penalties, start=1):
            if one.player not in known:
                near = get_close_matches(one.player, sorted(known), 1)
                text = (
                    _("penalties {number}: no player is called {name}; did you mean {near}?")
                    if near
                    else _(
                        "penalties {number}: no player is called {name}; list players without games in a team"
                    )
                )
                raise SeasonError(
                    text.format(number=number, name=short(one.player), near=short("".join(near)))
                )

    def idle_patterns(self, games: Iterable[tuple[str, str]]) -> Iterator[tuple[Round, str]]:
        """Yield each pattern of a round or a stage that no game, as id and file, fits."""
        names = {name for game in games for name in game}
        for one in (*self.rounds, *self.stages):
            for pattern in one.games:
                if not any(fnmatchcase(name, pattern) for name in names):
                    yield one, pattern

    def team_of(self, player: str) -> str:
        """Return the team of a player; empty for none."""
        return next((team for team, players in self.teams.items() if player in players), "")

    def round_of(self, game: str, source: str) -> str:
        """Return the title of the first round that a game belongs to; empty for none."""
        return next((one.title for one in self.rounds if one.has(game, source)), "")

    def stage_of(self, game: str, source: str) -> str:
        """Return the title of the first stage that a game belongs to; empty for none."""
        return next((one.title for one in self.stages if one.has(game, source)), "")


def read_season(text: str) -> Season:
    """Read a season's file.

    >>> read_season('teams = {Reds = ["Aki", "Botan"]}').team_of("Aki")
    'Reds'

    Raises SeasonError.
    """
    try:
        table = read_toml(text)
    except WrittenError as error:
        raise SeasonError(str(error)) from error
    _known(table, _KEYS, "")
    season = Season(**{key: _KEYS[key](value, key) for key, value in table.items()})
    _check_teams(season)
    _check_stages(season)
    return season


def _known(table: Mapping[str, Any], keys: Mapping[str, Any], where: str) -> None:
    for key in table:
        if key not in keys:
            near = get_close_matches(key, keys, 1)
            text = (
                _("there is no {key!r}{where}; did you mean {near}? there are {keys}")
                if near
                else _("there is no {key!r}{where}; there are {keys}")
            )
            raise SeasonError(
                text.format(key=short(key), where=where, near="".join(near), keys=", ".join(keys))
            )


Read = Callable[[Any, str], Any]
"""Reads a value of a season's file, given its key. Raises SeasonError."""


def _reading(
    fits: Callable[[Any], bool], text: str, read: Callable[[Any], Any] = lambda value: value
) -> Read:
    """Return what reads a value that ``fits``, and of another one says what it should be."""

    def check(value: Any, key: str) -> Any:
        if not fits(value):
            raise SeasonError(_(text).format(key=key, value=shown(value)))
        return read(value)

    return check


def _is_number(value: Any, least: float, most: float) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and least <= value <= most


_text = _reading(
    lambda value: isinstance(value, str) and bool(value.strip()),
    N_("{key} should be a text, not {value}"),
)
_whole = _reading(
    lambda value: isinstance(value, int) and _is_number(value, 0, 10_000),
    N_("{key} should be a whole number from 0 to 10000, not {value}"),
)
_points = _reading(
    lambda value: _is_number(value, -MOST_POINTS, MOST_POINTS),
    N_("{key} should be points as the league counts them, such as -20, not {value}"),
    lambda value: 100 * round(10 * value),
)
_part = _reading(
    lambda value: _is_number(value, 0, 1),
    N_("{key} should be a part from 0 to 1, such as 0.5, not {value}"),
    float,
)
_flag = _reading(lambda value: isinstance(value, bool), N_("{key} should be true or false, not {value}"))


def _texts(value: Any, key: str) -> tuple[str, ...]:
    if isinstance(value, str):
        return (_text(value, key),)
    if not isinstance(value, list) or not value:
        raise SeasonError(
            _("{key} should be a text or a list of texts, not {value}").format(key=key, value=shown(value))
        )
    return tuple(_text(one, key) for one in value)


def _lists(value: Any, key: str) -> Mapping[str, tuple[str, ...]]:
    if not isinstance(value, dict):
        raise SeasonError(
            _("{key} should be a table: a name = [names] in each line, not {value}").format(
                key=key, value=shown(value)
            )
        )
    return {name: _texts(names, f"{key}.{short(name)}") for name, names in value.items()}


def _tables(value: Any, key: str, keys: Mapping[str, Read], needed: str) -> list[dict[str, Any]]:
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise SeasonError(_("{key} should be tables, each begun by [[{key}]]").format(key=key))
    found = []
    for number, one in enumerate(value, start=1):
        where = f"{key} {number}"
        _known(one, keys, _(" in {where}").format(where=where))
        for name in needed.split():
            if name not in one:
                raise SeasonError(_("{where} lacks {name}").format(where=where, name=name))
        found.append(
            {
                name: keys[name](text, _("{name} of {where}").format(name=name, where=where))
                for name, text in one.items()
            }
        )
    return found


def _rounds(value: Any, key: str) -> tuple[Round, ...]:
    rounds = tuple(
        Round(**one) for one in _tables(value, key, {"title": _text, "games": _texts}, "title games")
    )
    _check_titles(rounds, _("two rounds have the title {title!r}"))
    return rounds


def _stages(value: Any, key: str) -> tuple[Stage, ...]:
    keys = {
        "title": _text, "games": _texts, "advance": _whole, "teams": _flag, "carry": _part,
        "games_each": _whole,
    }  # fmt: skip
    stages = tuple(Stage(**one) for one in _tables(value, key, keys, "title games"))
    _check_titles(stages, _("two stages have the title {title!r}"))
    return stages


def _check_titles(parts: tuple[Round, ...], text: str) -> None:
    titles = [one.title for one in parts]
    for title in titles:
        if titles.count(title) > 1:
            raise SeasonError(text.format(title=short(title)))


def _check_stages(season: Season) -> None:
    titles = [one.title for one in season.stages]
    if season.stages and season.games_each:
        raise SeasonError(_("a season with stages states games_each in each stage"))
    for one in season.stages:
        if one.teams and not season.teams:
            text = _("teams of the stage {title!r} is true, and the season has no teams")
            raise SeasonError(text.format(title=short(one.title)))
    for number, penalty in enumerate(season.penalties, start=1):
        if penalty.stage and penalty.stage not in titles:
            near = get_close_matches(penalty.stage, titles, 1)
            text = (
                _("penalties {number}: there is no stage {stage!r}; did you mean {near}?")
                if near
                else _("penalties {number}: there is no stage {stage!r}")
            )
            raise SeasonError(
                text.format(number=number, stage=short(penalty.stage), near=short("".join(near)))
            )


def _penalties(value: Any, key: str) -> tuple[Penalty, ...]:
    keys = {"player": _text, "points": _points, "reason": _text, "shared": _flag, "stage": _text}
    return tuple(Penalty(**one) for one in _tables(value, key, keys, "player points"))


def _aliases(value: Any, key: str) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for name, others in _lists(value, key).items():
        for other in others:
            if found.setdefault(other, name) != name:
                raise SeasonError(
                    _("{other} stands for both {first} and {second}").format(
                        other=short(other), first=short(found[other]), second=short(name)
                    )
                )
    return found


def _check_teams(season: Season) -> None:
    of: dict[str, str] = {}
    for team, players in season.teams.items():
        for player in players:
            if of.setdefault(player, team) != team:
                raise SeasonError(
                    _("{player} is in two teams: {first} and {second}").format(
                        player=short(player), first=short(of[player]), second=short(team)
                    )
                )


_KEYS: Mapping[str, Read] = {
    "title": _text, "rules": _text, "drop_worst": _whole, "least_games": _whole, "chip_points": _points,
    "games_each": _whole, "teams": _lists, "rounds": _rounds, "stages": _stages,
    "penalties": _penalties, "aliases": _aliases,
}  # fmt: skip
"""What a season's file may say, and how each value is read."""
