"""The tables of a league, as rows for every form of output. Points are in thousands, as leagues count."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from itertools import pairwise, zip_longest
from typing import Any, TypeVar

from paifu.replay.errors import ArgumentError
from paifu.replay.language import _, ngettext, pgettext
from paifu.reports.inference.shrinking import MOST_GAMES
from paifu.reports.league.chances import LEAST_GAMES, Chance, chances
from paifu.reports.league.honours import honours
from paifu.reports.league.ratings import league_ratings
from paifu.reports.league.season import Stage
from paifu.reports.league.standings import LuckOfTotal, Otherwise, Standings
from paifu.reports.units import league_points
from paifu.reports.wording import plural

LeagueRow = dict[str, Any]
T = TypeVar("T")
_WRONG_SHOWN = 3
"""Wrong results that are named; the table of games marks all of them."""


def in_thousands(points: float) -> float:
    """Return plain points as a league shows them.

    >>> in_thousands(-20100)
    -20.1
    """
    return round(points / 1000, 3)


def _with(
    rows: list[LeagueRow], found: Sequence[T | None], columns: Callable[[T], LeagueRow]
) -> list[LeagueRow]:
    """Return rows with the columns of what was found for each; where nothing was, they are empty."""
    cells = [{} if one is None else columns(one) for one in found]
    names = max(cells, key=len, default={})
    return [row | {name: cell.get(name) for name in names} for row, cell in zip(rows, cells, strict=True)]


def _chance(chance: Chance) -> LeagueRow:
    """Return the columns of a chance."""
    row: LeagueRow = {"games_left": chance.games_left, "chance_first": round(100 * chance.first, 1)}
    if chance.advance is not None:
        row["chance_advance"] = round(100 * chance.advance, 1)
    return row | {
        "total_low": round(chance.low / 1000, 1),
        "total_high": round(chance.high / 1000, 1),
    }


def _standings(standings: Standings) -> list[LeagueRow]:
    season = standings.season
    rows = []
    for line in standings.players:
        row: LeagueRow = {"place": line.place or None, "player": line.player}
        if season.teams:
            row["team"] = line.team
        if season.stages:
            row["stage"] = line.stage
        row |= {"games": len(line.games), "total": in_thousands(line.total)}
        if season.stages:
            row["carried"] = in_thousands(line.carried)
        if standings.penalties or season.chip_points or season.drop_worst or season.stages:
            row["results"] = in_thousands(line.points)
        if season.chip_points:
            row["chips"] = in_thousands(line.chips)
        if standings.penalties:
            row["penalties"] = in_thousands(line.penalties)
        if season.drop_worst:
            row["dropped"] = in_thousands(line.dropped)
        row["average_place"] = round(line.average_place, 2)
        row |= dict(zip(("first", "second", "third", "fourth"), line.places, strict=True))
        rows.append(row)
    now = chances(standings)
    found = [now.players.get(line.player) if now else None for line in standings.players]
    return _with(_with(rows, found, _chance), [line.luck for line in standings.players], _luck)


def _luck(found: LuckOfTotal) -> LeagueRow:
    """Return the columns of luck: sums to a hundred points, margins that are halves of 95% intervals."""
    luck = round(found.luck, -2)
    return {
        "luck": in_thousands(luck),
        "luck_margin": None if found.luck_half is None else round(found.luck_half / 1000, 1),
        "without_luck": in_thousands(found.luck + found.without - luck),
        "without_luck_margin": None if found.without_half is None else round(found.without_half / 1000, 1),
    }


def _stages(standings: Standings) -> list[LeagueRow]:
    rows = []
    for one in standings.stages:
        for line in one.lines:
            row: LeagueRow = {"stage": one.stage.title, "place": line.place or None, "player": line.player}
            if standings.season.teams:
                row["team"] = line.team
            row |= {
                "games": len(line.games), "total": in_thousands(line.total),
                "carried": in_thousands(line.carried), "results": in_thousands(line.points),
                "penalties": in_thousands(line.penalties), "advances": line.player in one.advanced,
            }  # fmt: skip
            rows.append(row)
    return rows


def _teams(standings: Standings) -> list[LeagueRow]:
    rows = [
        {
            "place": place, "team": team, "total": in_thousands(total),
            "games": sum(len(line.games) for line in lines),
            "players": ", ".join(line.player for line in lines),
        }
        for place, (team, lines, total) in enumerate(standings.teams, start=1)
    ]  # fmt: skip
    now = chances(standings)
    return _with(rows, [now.teams.get(team) if now else None for team, *_ in standings.teams], _chance)


def _rounds(standings: Standings) -> list[LeagueRow]:
    return [
        {
            "round": title or None, "player": line.player, "games": len(games),
            "points": in_thousands(sum(one.points for one in games)),
            "counted": in_thousands(sum(one.points for one in games if one.counts)),
        }
        for title in standings.rounds
        for line in standings.players
        if (games := [one for one in line.games if one.round == title])
    ]  # fmt: skip


def _games(standings: Standings) -> list[LeagueRow]:
    rows = []
    for game in standings.games:
        row: LeagueRow = {
            "started": game.started or None, "game": game.id, "file": game.source,
            "round": standings.season.round_of(game.id, game.source) or None,
        }  # fmt: skip
        if standings.season.stages:
            row["stage"] = standings.season.stage_of(game.id, game.source)
        for place, seat in zip_longest(range(1, 5), game.by_place):
            row[f"player_{place}"] = None if seat is None else standings.name(game.names[seat])
            row[f"score_{place}"] = None if seat is None else game.scores[seat]
            row[f"points_{place}"] = None if seat is None else in_thousands(game.points[seat])
        rows.append(row | {"errors": " ".join(standings.errors(game))})
    return rows


def _cross(standings: Standings) -> list[LeagueRow]:
    return [
        {
            "player": pair.player, "other": pair.other, "games": pair.games, "ahead": pair.ahead,
            "difference": in_thousands(pair.difference),
        }
        for pair in standings.pairs()
    ]  # fmt: skip


def _ratings(standings: Standings) -> list[LeagueRow]:
    return [
        {
            "player": one.player, "games": one.games, "rating": round(one.rating),
            "rating_low": round(one.low), "rating_high": round(one.high),
            "chance_best": round(100 * one.best, 1),
        }
        for one in league_ratings(standings).players
    ]  # fmt: skip


def rating_notes(standings: Standings) -> Iterator[str]:
    """Say what ratings mean, and whether players can be told apart."""
    yield _("ratings by places: 100 higher means ahead in 64 of 100 games; with 95% intervals")
    needed = league_ratings(standings).games_needed
    if needed is not None:
        yield (
            _("these players cannot be told apart by their places yet")
            if needed > MOST_GAMES
            else _(
                "these players cannot be told apart by their places yet: that needs about {games:,} games "
                "of each"
            ).format(games=round(needed))
        )


def _honours(standings: Standings) -> list[LeagueRow]:
    return [
        {
            "honour": one.title,
            "player": one.player,
            "value": one.value,
            "game": one.game or one.source or None,
        }
        for one in honours(standings)
    ]


def _penalties(standings: Standings) -> list[LeagueRow]:
    return [
        {"player": one.player, "points": in_thousands(one.points), "shared": one.shared, "reason": one.reason}
        for one in standings.penalties
    ]


TABLES: dict[str, Callable[[Standings], list[LeagueRow]]] = {
    "standings": _standings,
    "stages": _stages,
    "teams": _teams,
    "rounds": _rounds,
    "games": _games,
    "cross": _cross,
    "ratings": _ratings,
    "honours": _honours,
    "penalties": _penalties,
}
"""Every table by its name."""


_SIGNED = frozenset(
    ("total", "results", "chips", "penalties", "dropped", "carried", "points", "counted", "difference",
     "luck", "without_luck", "total_low", "total_high", *(f"points_{place}" for place in range(1, 5)))
)  # fmt: skip
IN_THOUSANDS = _SIGNED | {"luck_margin", "without_luck_margin", "points_shifted"}
"""Columns of points in thousands; those of differences and results have a sign."""


def said(standings: Standings, rows: list[LeagueRow]) -> list[LeagueRow]:
    """Return rows for people: points of all tables of a season with the same decimals, and signs."""
    return [
        {
            name: league_points(value, standings.decimals, signed=name in _SIGNED)
            if name in IN_THOUSANDS
            else value
            for name, value in row.items()
        }
        for row in rows
    ]


MOST_COLUMNS = 8
"""Columns of the standings that people see if they ask for none: as many as fit a page and most terminals."""
ALL = "all"
"""What asks for every column."""
_FIRST = (
    ("place",), ("player",), ("team",), ("stage",), ("games",), ("total",), ("carried",), ("penalties",),
    ("chips",), ("chance_advance",), ("chance_first",), ("first", "second", "third", "fourth"),
    ("average_place",), ("luck", "luck_margin"), ("results",), ("dropped",),
    ("without_luck", "without_luck_margin"), ("games_left",), ("total_low", "total_high"),
)  # fmt: skip
"""Columns of the standings that only make sense together, those that people look for first at the start."""


def shown_columns(name: str, columns: Sequence[str], asked: Sequence[str] = ()) -> list[str]:
    """Return which columns of a table people see: those asked for, or the first that they look for.

    Raises ArgumentError for a column that the table does not have.
    """
    if asked:
        for column in asked:
            if column != ALL and column not in columns:
                near = get_close_matches(column, columns, 1)
                text = (
                    _("the table {table} has no column {column!r}; did you mean {columns}?")
                    if near
                    else _("the table {table} has no column {column!r}; it has {columns}")
                )
                raise ArgumentError(
                    text.format(table=_(name), column=column, columns=", ".join(near or columns))
                )
        return list(columns) if ALL in asked else list(asked)
    if name != "standings":
        return list(columns)
    shown: set[str] = set()
    for together in _FIRST:
        there = shown | set(together) & set(columns)
        shown = there if len(there) <= MOST_COLUMNS else shown
    return [column for column in columns if column in shown]


def columns_left_out(columns: Sequence[str], shown: Sequence[str]) -> str:
    """Say which columns are not shown, and how they are; empty if all are."""
    left_out = [head_said(column) for column in columns if column not in shown]
    if not left_out:
        return ""
    return _("not shown: {columns}; --columns all shows every column").format(columns=", ".join(left_out))


def head_said(name: str) -> str:
    """Name a column of the standings to people."""
    return pgettext("standings", name.replace("_", " "))


HEADS = (
    "place", "player", "team", "games", "total", "results", "chips", "penalties", "dropped", "average place",
    "first", "second", "third", "fourth", "players", "round", "points", "counted", "started", "game", "file",
    *(f"{name} {place}" for name in ("player", "score", "points") for place in range(1, 5)),
    "errors", "other", "ahead", "difference", "honour", "value", "shared", "reason", "rule", "from", "to",
    "stage", "carried", "advances", "games left", "chance first", "chance advance", "total low", "total high",
    "leader", "places changed", "points shifted", "illegal moves", "luck", "luck margin",
    "without luck", "without luck margin", "rating", "rating low", "rating high", "chance best",
)  # fmt: skip
"""What heads the columns of the tables."""


def otherwise_rows(others: Sequence[Otherwise]) -> list[LeagueRow]:
    """Return what a season would be under other rules: under all of them, then under each that matters."""
    return [
        {
            "rule": other.rule.rule if other.rule else "all",
            "from": other.rule.first if other.rule else None,
            "to": other.rule.second if other.rule else None,
            "first": other.standings.players[0].player,
            "places_changed": other.moved,
            "points_shifted": in_thousands(other.shifted),
            "illegal_moves": other.illegal,
        }
        for other in others
    ]


def _of_other_rules(standings: Standings) -> Iterator[str]:
    """Say once what most games contradict in the rules that the season is settled under."""
    codes = standings.of_other_rules
    count = sum(not codes.isdisjoint(game.codes) for game in standings.games)
    if codes:
        yield _(
            "{count:,} of {games:,} logs contradict these rules in the same ways ({codes}): they were played "
            "under others; 'paifu rules guess' says under which, and without --rules each log's own count"
        ).format(count=count, games=len(standings.games), codes=", ".join(sorted(codes)))


def _of_stages(standings: Standings) -> Iterator[str]:
    """Say which games and players do not fit the stages."""
    if standings.outside:
        text = ngettext(
            "{count:,} game belongs to no stage and does not count",
            "{count:,} games belong to no stage and do not count",
            standings.outside,
        )
        yield text.format(count=standings.outside)
    for before, one in pairwise(standings.stages):
        others = [line.player for line in one.lines if line.player not in before.advanced]
        if others:
            text = _("{stage}: {players} did not come so far, and bring no points with them")
            yield text.format(stage=one.stage.title, players=_(", ").join(others))


def _of_chances(standings: Standings) -> Iterator[str]:
    """Say what chances rest on, or why there are none."""
    season = standings.season
    now = chances(standings)
    if now is not None:
        yield _(
            "chances in %, and 95% of the totals: {games} left, simulated {count:,} times (± {error:.1f}) "
            "from the results so far; how good players are is uncertain, and drawn anew each time"
        ).format(games=plural(now.games, "game"), count=now.simulations, error=100 * now.error)
    elif (season.games_each or any(one.games_each for one in season.stages)) and (
        len(standings.games) < LEAST_GAMES
    ):
        yield _("no chances yet: they need {count} games").format(count=LEAST_GAMES)


def notes(standings: Standings, write: Callable[[str], str] = str) -> list[str]:
    """Return what a reader of the standings should know: sums, wrong results, penalties of strangers.

    ``write`` is applied to numbers.
    """

    def points(value: float) -> str:
        return write(league_points(in_thousands(value), standings.decimals))

    total = points(standings.balance)
    if reasons := standings.imbalance:
        parts = _(", ").join(f"{_(reason)} {points(value)}" for reason, value in reasons)
        lines = [_("all totals add up to {total}: {parts}").format(total=total, parts=parts)]
    else:
        lines = [_("all totals add up to {total}").format(total=total)]
    if any(line.luck is not None for line in standings.players):
        lines.append(
            _(
                "luck: what the tiles brought of the results, for players in all of whose games it is "
                "measured; margins are half of 95% intervals"
            )
        )
    lines += _of_other_rules(standings)
    wrong = standings.wrong
    named = wrong[: 0 if standings.of_other_rules else _WRONG_SHOWN]
    for game in named:
        told, right = (
            ", ".join(write(f"{score:,}") for score in scores) for scores in (game.stated, game.scores)
        )
        lines.append(
            _("{file}: the log says {told}; by the rules it ends with {right}").format(
                file=game.source, told=told, right=right
            )
        )
    if wrong and not named:
        text = _("{count:,} of {games:,} logs state another result than these rules give")
        lines.append(text.format(count=len(wrong), games=len(standings.games)))
    elif len(wrong) > _WRONG_SHOWN:
        count = len(wrong) - _WRONG_SHOWN
        lines.append(
            ngettext(
                "{count:,} more log with another result than the rules give: "
                "perhaps of games under other rules",
                "{count:,} more logs with another result than the rules give: "
                "perhaps of games under other rules",
                count,
            ).format(count=count)
        )
    others = [game.source for game in standings.faulty if game.stated == game.scores]
    if others:
        count = len(others) - 1
        words = (
            ngettext(
                "{file} and {count:,} more log: errors that change no result; paifu verify lists them",
                "{file} and {count:,} more logs: errors that change no result; paifu verify lists them",
                count,
            )
            if count
            else _("{file}: errors that change no result; paifu verify lists them")
        )
        lines.append(words.format(file=others[0], count=count))
    every = [(game.id, game.source) for game in standings.games]
    lines += [
        (
            _("stage {title}: no game fits {pattern!r}; files are such as {file}")
            if isinstance(one, Stage)
            else _("round {title}: no game fits {pattern!r}; files are such as {file}")
        ).format(title=one.title, pattern=pattern, file=every[0][1])
        for one, pattern in standings.season.idle_patterns(every)
    ]
    lines += _of_stages(standings)
    lines += _of_chances(standings)
    players = {line.player for line in standings.players}
    lines += [
        _("{player} has a penalty, but no game").format(player=one.player)
        for one in standings.season.penalties
        if one.player not in players
    ]
    lines += [
        _("{player} of {team} has no game").format(player=player, team=team)
        for team, members in standings.season.teams.items()
        for player in members
        if player not in players
    ]
    return lines
