"""The page of a league: standings, and every table that explains them, in one file that also prints well."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paifu.replay.language import _, ngettext
from paifu.reports.league.honours import honours
from paifu.reports.league.standings import Otherwise, Standing, Standings
from paifu.reports.league.tables import (
    TABLES,
    columns_left_out,
    head_said,
    notes,
    otherwise_rows,
    rating_notes,
    shown_columns,
)
from paifu.reports.pages.page import filled, read_template
from paifu.reports.units import league_points, percent, typeset
from paifu.reports.wording import plural

_MOST_CROSSED = 24
"""Players of the table that sets each against each; a page is no wider."""


def league_page(
    standings: Standings,
    unfinished: int = 0,
    others: Sequence[Otherwise] = (),
    under: str = "",
    left_out: Sequence[str] = (),
    columns: Sequence[str] = (),
) -> str:
    """Return the page of at least one game.

    ``others`` is what the season would be under the rules ``under``; ``unfinished`` counts games without a
    result, and ``left_out`` says which games of the logs do not count. ``columns`` are those of the
    standings, as :func:`~paifu.reports.league.tables.shown_columns` takes them.
    """
    rows = TABLES["standings"](standings)
    every = list(rows[0])
    shown = shown_columns("standings", every, columns)
    numbers = {line.player: number for number, line in enumerate(standings.players, start=1)}
    return filled(
        "league",
        read_template("league.css"),
        title=standings.season.title or _("League"),
        when=[*_when(standings, unfinished), *left_out],
        standings=[{column: row[column] for column in shown} for row in rows],
        columns_left_out="" if columns else columns_left_out(every, shown),
        stages=TABLES["stages"](standings),
        teams=TABLES["teams"](standings),
        rounds=_rounds(standings),
        cross=_cross(standings),
        ratings=TABLES["ratings"](standings),
        rating_notes=list(rating_notes(standings)),
        left_out=max(0, len(standings.players) - _MOST_CROSSED),
        honours=honours(standings),
        games=standings.games,
        name=standings.name,
        round_of=standings.season.round_of,
        penalties=TABLES["penalties"](standings),
        players=[_player(line) for line in standings.players],
        number_of={game: number for number, game in enumerate(standings.games, start=1)},
        others=otherwise_rows(others),
        under=under,
        notes=notes(standings, typeset),
        numbers=numbers,
        # Points are as on the terminal, except for the sign of minus.
        points=lambda value, signed=True: typeset(league_points(value, standings.decimals, signed=signed)),
        percent=lambda share: typeset(f"{percent(share, 1)}%"),
        head_said=head_said,
    )


def _when(standings: Standings, unfinished: int) -> list[str]:
    days = sorted(game.started[:10] for game in standings.games if game.started)
    games, players = len(standings.games), len(standings.players)
    words = [
        plural(games, "game"),
        plural(players, "player"),
    ]
    if days:
        first, last = days[0], days[-1]
        words.append(first if first == last else _("{first} to {last}").format(first=first, last=last))
    if unfinished:
        left_out = ngettext(
            "{count:,} game without a result left out",
            "{count:,} games without a result left out",
            unfinished,
        )
        words.append(left_out.format(count=unfinished))
    return words


def _rounds(standings: Standings) -> dict[str, Any] | None:
    """Points of each player by round."""
    titles = standings.rounds
    if len(titles) < 2:
        return None
    counted = {(row["round"], row["player"]): row["counted"] for row in TABLES["rounds"](standings)}
    rows = [
        {"player": line.player, "cells": [counted.get((title or None, line.player)) for title in titles]}
        for line in standings.players
    ]
    return {"titles": [title or _("other games") for title in titles], "rows": rows}


def _cross(standings: Standings) -> list[dict[str, Any]]:
    """Each of the first players against each."""
    players = [line.player for line in standings.players][:_MOST_CROSSED]
    pairs = {(pair.player, pair.other): pair for pair in standings.pairs()}
    return [
        {"number": number, "player": player, "cells": [pairs.get((player, other)) for other in players]}
        for number, player in enumerate(players, start=1)
    ]


def _player(line: Standing) -> dict[str, Any]:
    hands = sum(one.game.hands for one in line.games)
    totals = [0]
    for one in line.games:
        totals.append(totals[-1] + (one.points if one.counts else 0))
    return {
        "line": line,
        "wins": sum(one.game.wins[one.seat] for one in line.games) / hands if hands else None,
        "deal_ins": sum(one.game.deal_ins[one.seat] for one in line.games) / hands if hands else None,
        "best": max((one.game.scores[one.seat] for one in line.games), default=None),
        "course": _course(totals),
    }


def _course(totals: Sequence[int]) -> str:
    """The points of a line through the totals after each game, for a picture of 100 x 24."""
    low, high = min(totals), max(totals)
    span, steps = max(1, high - low), max(1, len(totals) - 1)
    places = [(100 * number / steps, 23 - 22 * (total - low) / span) for number, total in enumerate(totals)]
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
