"""Chances of places for ``paifu places``: rows, and tables for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.coach.places.model import Chances
from paifu.coach.places.outlook import DRAW, RON, TSUMO, Outlook, PossibleResult
from paifu.coach.places.utilities import POINTS, RULES
from paifu.replay.language import _
from paifu.replay.views.labels import format_label
from paifu.reports.terminal.tables import TerminalColumn
from paifu.reports.units import number, points
from paifu.reports.wording import plural

SCHEMA = "paifu.places/1"
NOT_THERE = "-"
"""What a table shows of a win that does not exist, or does not help."""


RESULT_COLUMNS = (
    "kind", "winner", "source", "value", "points", "seat", "score_after", "place_after", "is_over",
    "place_1", "place_2", "place_3", "place_4", "mean_place", "utility",
)  # fmt: skip
"""Columns of the rows of results: one for each result and seat."""


def document(found: Outlook, settings: Sequence[str]) -> dict[str, Any]:
    """Return the JSON object of the answer, without the results."""
    start = found.state.start
    return {
        "schema": SCHEMA,
        "rules": {"name": found.rules.name, "overrides": list(settings)},
        "round": start.round,
        "honba": start.honba,
        "sticks": start.sticks,
        "dealer": start.dealer,
        "utility": found.utility.name,
        "seats": seat_rows(found.now, found.values, found.state.scores),
    }


def seat_rows(
    chances: Chances, values: npt.NDArray[np.float64], scores: Sequence[int]
) -> list[dict[str, Any]]:
    """Return a row for each seat."""
    return [
        {
            "seat": seat,
            "score": score,
            **_by_place(chances, seat),
            "mean_score": round(float(chances.scores[seat]), 1),
            "utility": round(float(values[seat]), 4),
        }
        for seat, score in enumerate(scores)
    ]


def _by_place(chances: Chances, seat: int) -> dict[str, Any]:
    row = chances.places[seat]
    named = {f"place_{number}": round(float(chance), 4) for number, chance in enumerate(row, 1)}
    return {**named, "mean_place": round(float(row @ np.arange(1, len(row) + 1)), 4)}


def result_rows(found: Outlook) -> list[dict[str, Any]]:
    """Return a row for each result of the hand and each seat."""
    rows = []
    for result in found.results:
        values = found.utility.of(result.chances)
        for seat, score in enumerate(result.after.scores):
            row: dict[str, Any] = dict.fromkeys(RESULT_COLUMNS)
            rows.append(
                row
                | {
                    "kind": result.kind,
                    "winner": result.seat,
                    "source": result.source,
                    "value": result.value,
                    "points": result.points,
                    "seat": seat,
                    "score_after": score,
                    "place_after": result.places[seat],
                    "is_over": result.after.is_over,
                    **_by_place(result.chances, seat),
                    "utility": round(float(values[seat]), 4),
                }
            )
    return rows


def place_name(place: int) -> str:
    """Name a place, from 1."""
    return (_("1st"), _("2nd"), _("3rd"), _("4th"))[place - 1]


def heading(found: Outlook) -> str:
    """Say where the game stands, and if points are missing, which are easily forgotten under sticks."""
    start = found.state.start
    parts = [format_label(start.round, start.honba)]
    if start.sticks:
        parts.append(plural(start.sticks, "riichi stick"))
    parts.append(_("rules {name}").format(name=found.rules.name))
    total = sum(found.state.scores) + found.rules.riichi.riichi_stick * start.sticks
    due = sum(found.rules.starts)
    note = _("points and sticks add up to {total:,}; these rules begin with {due:,}")
    return "\n".join([", ".join(parts), *([note.format(total=total, due=due)] if total != due else [])])


def needs_heading() -> str:
    """Say what the table of needs holds."""
    return _("smallest win that moves a seat up (* the game goes on):")


def results_heading(found: Outlook, seat: int) -> str:
    """Say what the table of results holds."""
    return _(
        "what a win brings seat {seat}: place or, where the game goes on, chance of the 1st place; {utility}"
    ).format(seat=seat, utility=said_utility(found.utility.name))


def said_utility(name: str) -> str:
    """Name a utility for people."""
    if name == RULES:
        return _("result")
    if name == POINTS:
        return _("final points")
    return _("rank points")


Printed = tuple[list[TerminalColumn], list[list[str]]]
"""A table for people: its columns, and the cells of each line."""


def seat_table(found: Outlook) -> Printed:
    """Return the table of seats: points, and the chance of each place."""
    places = range(1, found.rules.table.players + 1)
    heads = (_("points"), *map(place_name, places), _("mean place"), said_utility(found.utility.name))
    dealer = found.state.start.dealer
    cells = [
        [
            _("{seat} (dealer)").format(seat=row["seat"]) if row["seat"] == dealer else str(row["seat"]),
            f"{row['score']:,}",
            *(f"{100 * row[f'place_{place}']:.1f}%" for place in places),
            f"{row['mean_place']:.2f}",
            _worth(found, row["utility"]),
        ]
        for row in seat_rows(found.now, found.values, found.state.scores)
    ]
    return [TerminalColumn(_("seat")), *(TerminalColumn(head, is_number=True) for head in heads)], cells


def _worth(found: Outlook, value: float) -> str:
    return points(value, signed=False) if found.utility.name == POINTS else number(value, 1, signed=True)


def need_table(found: Outlook) -> Printed:
    """Return what each seat needs for each better place: the smallest win of each kind that reaches it."""
    players, ranked = found.rules.table.players, found.places
    others = [_("ron from {seat}").format(seat=seat) for seat in range(players)]
    cells = []
    for seat in range(players):
        for place in range(1, ranked[seat]):
            smallest = _smallest(found.results, seat, place)
            cells.append(
                [
                    str(seat),
                    place_name(place),
                    place_name(ranked[seat]),
                    *("" if other == seat else smallest.get(other, NOT_THERE) for other in range(players)),
                    smallest.get(None, NOT_THERE),
                ]
            )
    return list(map(TerminalColumn, (_("seat"), _("to be"), _("now"), *others, _("tsumo")))), cells


def _smallest(results: Sequence[PossibleResult], seat: int, place: int) -> Mapping[int | None, str]:
    """The smallest win by which a seat reaches a place, by who deals in, None for tsumo."""
    found: dict[int | None, str] = {}
    for result in results:
        if result.kind != DRAW and result.seat == seat and result.places[seat] <= place:
            mark = "" if result.after.is_over else "*"
            found.setdefault(result.source, f"{_value(result)}{mark}")
    return found


def _value(result: PossibleResult) -> str:
    if result.value.endswith(" all"):
        return _("{points} all").format(points=result.value.removesuffix(" all"))
    return result.value


def result_table(found: Outlook, seat: int) -> Printed:
    """Return what each win brings a seat: its place if the game is over, else its utility."""
    own = [result for result in found.results if result.seat == seat]
    others = [other for other in range(found.rules.table.players) if other != seat]
    rons = {(result.base, result.source): result for result in own if result.kind == RON}
    tsumo = {result.base: result for result in own if result.kind == TSUMO}
    nothing = [NOT_THERE, NOT_THERE]
    cells = [
        [
            rons[base, others[0]].value if (base, others[0]) in rons else NOT_THERE,
            *(
                _brings(found, rons[base, other], seat) if (base, other) in rons else NOT_THERE
                for other in others
            ),
            *([_value(tsumo[base]), _brings(found, tsumo[base], seat)] if base in tsumo else nothing),
        ]
        for base in sorted({result.base for result in own if result.kind != DRAW})
    ]
    heads = (_("ron"), *(_("ron from {seat}").format(seat=other) for other in others))
    heads += (_("tsumo"), _("tsumo brings"))
    return [TerminalColumn(head, is_number=True) for head in heads], cells


def _brings(found: Outlook, result: PossibleResult, seat: int) -> str:
    worth = _worth(found, float(found.utility.of(result.chances)[seat]))
    if result.after.is_over:
        return f"{place_name(result.places[seat])} {worth}"
    return f"{100 * result.chances.places[seat, 0]:.0f}% {worth}"


def draw_table(found: Outlook) -> Printed:
    """Return what a draw brings each seat, by who is tenpai."""
    seats = range(found.rules.table.players)
    cells = [
        [" ".join(result.value) or _("nobody"), *(_brings(found, result, seat) for seat in seats)]
        for result in found.results
        if result.kind == DRAW
    ]
    heads = [_("seat {seat}").format(seat=seat) for seat in seats]
    return [
        TerminalColumn(_("draw, tenpai")),
        *(TerminalColumn(head, is_number=True) for head in heads),
    ], cells
