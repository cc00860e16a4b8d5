"""Sheets of results: a CSV file with the final scores of games of which there are no logs.

A row is a game; ``player_1`` to ``player_4`` and ``score_1`` to ``score_4`` are needed (three players leave
the fourth empty), ``date``, ``game`` and ``chips_1`` to ``chips_4`` may be there. What
``paifu league --table games`` prints as CSV is such a sheet, too.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from difflib import get_close_matches
from math import inf

from paifu.replay.course.settlement import final_result
from paifu.replay.errors import ArgumentError
from paifu.replay.findings.finding import Finding
from paifu.replay.findings.spoken import KINDS
from paifu.replay.foreign_text import display_name
from paifu.replay.language import _
from paifu.replay.rules.choices import SticksLeft
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import Given
from paifu.reports.league.games import LeagueGame

SEATS = (1, 2, 3, 4)
_PLAYERS, _SCORES, _CHIPS, _POINTS = (
    tuple(f"{name}_{seat}" for seat in SEATS) for name in ("player", "score", "chips", "points")
)
_NEEDED = (*_PLAYERS[:3], *_SCORES[:3])
_READ = (*_PLAYERS, *_SCORES, *_CHIPS, *_POINTS, "date", "started", "game")
_PRINTED = ("file", "round", "stage", "errors")
"""Columns of the table of games that say nothing about a result."""
_DELIMITERS = ",;\t"
_MOST_POINTS = 10_000_000
_UNREADABLE = "V101"


class SheetError(ArgumentError):
    """A sheet of results that cannot be read as a whole; the message names the file."""


class _RowError(ValueError):
    """What is wrong with a row."""


@dataclass(frozen=True, slots=True)
class SheetGame:
    """A row of a sheet, before it is settled under rules."""

    id: str
    source: str
    line: int
    started: str
    names: tuple[str, ...]
    scores: tuple[int, ...]
    chips: tuple[int, ...]
    points: tuple[float | None, ...]
    """Results that the sheet states, in thousands; they are compared, and do not count."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The games of a sheet, and the rows that say no result."""

    games: tuple[SheetGame, ...]
    faults: tuple[Finding, ...]


def read_sheet(text: str, source: str) -> Sheet:
    """Read a sheet; ``source`` is the name of its file.

    >>> sheet = read_sheet('''player_1,score_1,player_2,score_2,player_3,score_3
    ... Aki,41000,Botan,35000,Chie,29000
    ... Aki,x,Botan,35000,Chie,29000''', "night.csv")
    >>> sheet.games[0].scores, sheet.faults[0].message
    ((41000, 35000, 29000), "line 3: score_1 is 'x'; write whole points, such as 25300")

    Raises SheetError if it has not the columns of one.
    """
    text = text.removeprefix("\ufeff")
    head = text.partition("\n")[0]
    rows = csv.reader(text.splitlines(), delimiter=max(_DELIMITERS, key=head.count), strict=True)
    games: list[SheetGame] = []
    faults: list[Finding] = []
    seen: dict[str, int] = {}
    try:
        columns = [name.strip().casefold().replace(" ", "_") for name in next(rows, [])]
        _check_columns(columns, source)
        for cells in rows:
            if not any(cell.strip() for cell in cells):
                continue
            line = rows.line_num
            try:
                game = _game(columns, cells, source, line)
            except _RowError as error:
                faults.append(_fault(source, line, str(error)))
                continue
            first = seen.setdefault(game.id, line)
            if first == line:
                games.append(game)
            else:
                reason = _("the game {game} is in line {line}, too")
                faults.append(_fault(source, line, reason.format(game=display_name(game.id), line=first)))
    except csv.Error as error:
        raise SheetError(
            _("{file}: line {line}: {reason}").format(file=source, line=rows.line_num, reason=error)
        ) from error
    return Sheet(tuple(games), tuple(faults))


def _check_columns(columns: Sequence[str], source: str) -> None:
    example = "date,player_1,score_1,player_2,score_2,player_3,score_3,player_4,score_4"
    for name, number in Counter(columns).items():
        if name and name not in (*_READ, *_PRINTED):
            near = get_close_matches(name, _READ, 1)
            text = (
                _("{file}: there is no column {name!r} in a sheet of results; did you mean {near}?")
                if near
                else _("{file}: there is no column {name!r} in a sheet of results; it begins with {example}")
            )
            raise SheetError(
                text.format(file=source, name=display_name(name)[:40], near="".join(near), example=example)
            )
        if name and number > 1:
            raise SheetError(_("{file}: two columns are called {name}").format(file=source, name=name))
    missing = [name for name in _NEEDED if name not in columns]
    if missing:
        text = _("{file}: the column {name} is missing; a sheet of results begins with {example}")
        raise SheetError(text.format(file=source, name=missing[0], example=example))


def _game(columns: Sequence[str], cells: Sequence[str], source: str, line: int) -> SheetGame:
    if len(cells) > len(columns):
        raise _RowError(
            _("{cells} cells for {columns} columns; put a number with a comma within quotes").format(
                cells=len(cells), columns=len(columns)
            )
        )
    row = dict.fromkeys(_READ, "") | {
        name: cell.strip() for name, cell in zip(columns, cells, strict=False) if name
    }
    seats = [seat for seat in range(4) if row[_PLAYERS[seat]] or row[_SCORES[seat]]]
    if seats not in ([0, 1, 2], [0, 1, 2, 3]):
        raise _RowError(_("a game has three or four players, each with a score"))
    names = tuple(row[_PLAYERS[seat]] for seat in seats)
    for seat, name in enumerate(names):
        if not name:
            raise _RowError(_("{column} is empty").format(column=_PLAYERS[seat]))
        if names.count(name) > 1:
            raise _RowError(_("{player} plays twice").format(player=display_name(name)))
    started = row["date"] or row["started"]
    if started and not _is_day(started):
        text = _("{date!r} is not a date; write 2026-05-31")
        raise _RowError(text.format(date=display_name(started)[:40]))
    return SheetGame(
        id=row["game"] or f"{source}:{line}",
        source=source,
        line=line,
        started=started,
        names=names,
        scores=tuple(_whole(row, _SCORES[seat]) for seat in seats),
        chips=tuple(_whole(row, _CHIPS[seat]) if row[_CHIPS[seat]] else 0 for seat in seats),
        points=tuple(_stated(row, _POINTS[seat]) for seat in seats),
    )


def _is_day(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _whole(row: Mapping[str, str], column: str) -> int:
    try:
        number = int(row[column].replace(",", "").replace("\u2212", "-"))
    except ValueError:
        number = _MOST_POINTS + 1
    if abs(number) > _MOST_POINTS:
        text = _("{column} is {value!r}; write whole points, such as 25300")
        raise _RowError(text.format(column=column, value=display_name(row[column])[:40]))
    return number


def _stated(row: Mapping[str, str], column: str) -> float | None:
    if not row[column]:
        return None
    try:
        number = float(row[column])
    except ValueError:
        number = inf
    if not abs(number) <= _MOST_POINTS:
        text = _("{column} is {value!r}; write points in thousands, such as -12.5, or leave it out")
        raise _RowError(text.format(column=column, value=display_name(row[column])[:40]))
    return number


def _fault(source: str, line: int, reason: str) -> Finding:
    kind = KINDS[_UNREADABLE]
    return Finding(
        code=kind.code, name=kind.name, severity=kind.severity, source=source, game_id="", hand=None,
        event=None, turn=None, seat=None, player=None, tile=None,
        message=_("line {line}: {reason}").format(line=line, reason=reason), expected=None, actual=None,
    )  # fmt: skip


def settled(
    games: Sequence[SheetGame], given: tuple[Given, ...], played: tuple[Given, ...]
) -> tuple[list[LeagueGame], list[Finding]]:
    """Return the games of sheets under the rules ``given``, and those that do not fit the rules ``played``.

    Scores are those at the end, with all sticks given out; where rules give sticks that are left to nobody,
    the scores may lack them. Nothing is known of chombo, nor of who won no hand. Raises SheetError without
    rules.
    """
    found: list[LeagueGame] = []
    faults: list[Finding] = []
    for game in games:
        rules = _ruleset(game, given)
        reasons = [] if rules is None else list(_wrong_sum(game, _ruleset(game, played) or rules))
        if rules is None:
            reasons = [_("the rules are not of {count} players").format(count=len(game.names))]
        if rules is None or reasons:
            faults += [_fault(game.source, game.line, reason) for reason in reasons]
            continue
        begun = _ruleset(game, played) or rules
        scores = [
            score + new - old for score, new, old in zip(game.scores, rules.starts, begun.starts, strict=True)
        ]
        made = _settled(replace(game, scores=tuple(scores)), rules)
        found.append(made)
        if given == played:
            faults += [_fault(game.source, game.line, reason) for reason in _contradictions(game, made)]
    return found, faults


def _contradictions(game: SheetGame, made: LeagueGame) -> Iterator[str]:
    """Say where a sheet states other results than the rules give."""
    text = _("{player} has {stated:+,.1f} by the sheet; {points:+,.1f} by the rules, which count")
    for name, stated, points in zip(game.names, game.points, made.points, strict=True):
        if stated is not None and round(1000 * stated) != points:
            yield text.format(player=display_name(name), stated=stated, points=points / 1000)


def _ruleset(game: SheetGame, given: tuple[Given, ...]) -> Ruleset | None:
    rulesets = [one for one in given if isinstance(one, Ruleset)]
    if not rulesets:
        text = _("{file}: a sheet does not name its rules: name them with --rules or in the season's file")
        raise SheetError(text.format(file=game.source))
    return next((one for one in rulesets if one.table.players == len(game.names)), None)


def _lacking(game: SheetGame, rules: Ruleset) -> int:
    return sum(rules.starts) - sum(game.scores)


def _wrong_sum(game: SheetGame, rules: Ruleset) -> Iterator[str]:
    """Say if scores do not add up to the points that the players began with."""
    lacking, due = _lacking(game, rules), sum(rules.starts)
    stick = rules.riichi.riichi_stick
    is_lost = rules.final.sticks_left == SticksLeft.LOST and stick and lacking > 0 and lacking % stick == 0
    if lacking and not is_lost:
        text = _("the scores add up to {sum:,}, and {rules} begins with {due:,}; {players} players")
        yield text.format(sum=due - lacking, rules=rules.name, due=due, players=len(game.names))


def _settled(game: SheetGame, rules: Ruleset) -> LeagueGame:
    stick = rules.riichi.riichi_stick
    is_lost = rules.final.sticks_left == SticksLeft.LOST and stick
    sticks = max(0, _lacking(game, rules)) // stick if is_lost else 0
    result = final_result(rules, game.scores, range(len(game.names)), sticks=sticks)
    nothing = (0,) * len(game.names)
    return LeagueGame(
        id=game.id, source=game.source, started=game.started, names=game.names, scores=result.scores,
        places=result.places, points=result.points, stated=result.scores, hands=0, wins=nothing,
        deal_ins=nothing, chips=game.chips, best=(), codes=(),
    )  # fmt: skip
