"""What a player's page says first: results, luck, the match with strong players, and one thing to change.

The one thing is the strongest of what is proved: a habit at the price that play-outs found for it, a result
that is worse beyond chance, or unusual moves of one kind. Where there is none, the page says so, and what
would have been seen.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from paifu.coach.judgement.match import Match, grades
from paifu.coach.judgement.mistakes import PlayerMistakes
from paifu.replay.language import N_, _
from paifu.reports.inference.intervals import FEW
from paifu.reports.judged import first_rate, habit_words, unusual_rate
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.pages.numbers import points, typeset
from paifu.reports.ratings.player import RatingRow
from paifu.reports.statistics.standouts import Compared
from paifu.reports.statistics.text import NOTHING, value_text
from paifu.reports.wording import plural, with_commas

LEAST_TIMES = 5
"""A habit, or a kind of unusual moves, was seen at least so often."""
BEYOND = 2.5
"""Standard errors by which unusual moves of a kind must exceed those of people: of four kinds, one of average
players does so by chance in 2.5 %."""
_KINDS = {
    "threat": N_("against riichi"),
    "riichi": N_("where riichi was possible"),
    "calls": N_("in calls and passes"),
    "efficiency": N_("in discards without a threat"),
}
"""Situations that unusual moves are told of."""
_POWERS = 2
"""How many differences are told that would have been seen."""


@dataclass(frozen=True, slots=True)
class Advice:
    """One thing to change."""

    text: str
    points: float
    """Points per 100 hands that it costs at least; 0 where no price is known."""
    place: str
    """The section of the page that has more."""


def advice(
    mistakes: PlayerMistakes, made: Compared, match: Match, who: str, *, lists_unusual: bool
) -> Advice | None:
    """Return the strongest of what is proved; None where nothing is.

    ``who`` are those compared with; ``lists_unusual`` says whether the page lists unusual moves. What has a
    price goes first, by the least that it costs.
    """
    priced = [*_habits(mistakes), *_results(made, who)]
    if priced:
        return max(priced, key=lambda one: one.points)
    return next(_kinds(match, lists_unusual=lists_unusual), None)


def _habits(mistakes: PlayerMistakes) -> Iterator[Advice]:
    for one, count in mistakes.habits():
        if count >= LEAST_TIMES and mistakes.hands:
            text = _("{player} {said}").format(player=_("The player"), said=habit_words(one, count))
            least = 100 * count * (one.found - one.error) / mistakes.hands
            total = _("{text}; {points} points per 100 hands in all").format(
                text=text, points=points(100 * count * one.found / mistakes.hands, signed=False)
            )
            yield Advice(with_commas(total), least, "review")


def _results(made: Compared, who: str) -> Iterator[Advice]:
    for one in made.results:
        if one.is_good or one.points is None or one.high is None:
            continue
        metric = CATALOGUE[one.metric]
        own, other = (typeset(value_text(metric, value)) for value in (one.own, one.other))
        text = _("{title}: {own}, {who} {other}; {points} points per 100 hands").format(
            title=metric.said[:1].upper() + metric.said[1:], own=own, who=who, other=other,
            points=points(one.points),
        )  # fmt: skip
        yield Advice(text, max(0.0, -one.high), "standouts")


def _kinds(match: Match, *, lists_unusual: bool) -> Iterator[Advice]:
    """Yield kinds of decisions with more unusual moves than people make, the farthest first."""
    found, people = [], grades().people
    for name, words in _KINDS.items():
        own, everybody = unusual_rate(match, name), people.decisions(name)
        if own is None or not everybody or not people.unusual(name):
            continue
        usual = people.unusual(name) / everybody
        count, expected = match.unusual(name), usual * match.decisions(name)
        far = (count - expected) / math.sqrt(expected * (1 - usual))
        if count >= LEAST_TIMES and far > BEYOND:
            text = _(
                "Unusual moves {where}: {rate} in 100 ({low} to {high}), at Tenhou from 4-dan on {usual}"
            ).format(
                where=_(words), rate=f"{own.value:.1f}", low=f"{own.low:.1f}", high=f"{own.high:.1f}",
                usual=f"{100 * usual:.1f}",
            )  # fmt: skip
            found.append((far, Advice(text, 0, "unusual" if lists_unusual else "")))
    yield from (one for _far, one in sorted(found, key=lambda item: -item[0]))


def places_said(shares: Sequence[float]) -> str:
    """Say how often each place was, the first first.

    >>> places_said([0.301, 0.2, 0.249, 0.25])
    '30 · 20 · 25 · 25 %'
    """
    return typeset(" · ".join(f"{100 * share:.0f}" for share in shares) + "%")


def nothing_yet(made: Compared, games: int) -> list[str]:
    """Say that nothing stands out yet, and what would have been seen in so many games."""
    text = _("Nothing stands out in {games}: what differs may be chance, and needs no change.")
    return [text.format(games=plural(games, "game")), *(one.words() for one in made.power[:_POWERS])]


def luck_sentence(said: dict[str, Any] | None) -> str:
    """Say how much of the result was luck; empty where that is not measured."""
    if said is None:
        return ""
    text = _("{result} points a game in {games}: {luck} of it was luck, {without} the play.")
    result, luck, without = said["points"]
    return text.format(result=result, games=said["games"], luck=luck, without=without)


def match_numbers(match: Match) -> list[dict[str, str]]:
    """Return the figures of the match with strong players; none where it is not known."""
    first, unusual, shrunken = first_rate(match), unusual_rate(match), match.shrunken()
    if first is None or unusual is None or shrunken is None:
        return []
    return [
        {
            "id": "match",
            "title": _("As strong players"),
            "value": typeset(f"{first.value:.1f}%"),
            "more": first.bounds(1),
        },
        {
            "id": "unusual-rate",
            "title": _("Unusual moves in 100"),
            "value": f"{unusual.value:.2f}",
            "more": _("; ").join((unusual.bounds(2), grades().like(shrunken))),
        },
    ]


def rank_number(row: RatingRow | None) -> dict[str, str]:
    """Return the stable rank, or how many last places it takes."""
    title = _("Stable rank")
    if row is None:
        more = _("with {count} last places in a room").format(count=FEW)
        return {"id": "stable", "title": title, "value": NOTHING, "more": more}
    return {"id": "stable", "title": title, "value": typeset(row.value), "more": typeset(row.interval)}
