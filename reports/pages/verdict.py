"""What a player's page says first: results, luck, the match with strong players, and one thing to change.

The one thing is the strongest of what sets the player apart from people of the same room: what costs points
when played out, done more often than they do it; a result that is worse beyond chance; or unusual moves of
one kind. What the whole room does is told as such. Where nothing sets the player apart, the page says so, and
what would have been seen.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from paifu.coach.judgement.match import Match, grades
from paifu.replay.language import N_, _
from paifu.reports.inference.intervals import FEW
from paifu.reports.judged import BEYOND, LEAST_MORE, LEAST_TIMES, BesideOthers, first_rate, unusual_rate
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.pages.numbers import points, typeset
from paifu.reports.ratings.player import RatingRow
from paifu.reports.statistics.reference import Stratum
from paifu.reports.statistics.standouts import Compared
from paifu.reports.statistics.text import NOTHING, value_text
from paifu.reports.wording import plural, with_commas

_KINDS = {
    "threat": N_("against riichi"),
    "riichi": N_("where riichi was possible"),
    "calls": N_("in calls and passes"),
    "efficiency": N_("in discards without a threat"),
}
"""Situations that unusual moves are told of."""
_THREE = 3
_LARGER = 0.03
"""Deal-in rate beyond others of which it is told how many games it takes to show."""


@dataclass(frozen=True, slots=True)
class Advice:
    """One thing to change."""

    text: str
    points: float
    """Points per 100 hands that the player most likely loses by it beyond others; 0 without a price."""
    place: str
    """The section of the page that has more."""


def advice(
    beside: Sequence[BesideOthers], made: Compared, match: Match, room: str, who: str, *, lists_unusual: bool
) -> Advice | None:
    """Return the strongest of what sets the player apart from others of the room; None where nothing does.

    ``who`` are those compared with; ``lists_unusual`` says whether the page lists unusual moves. What has a
    price goes first, by what the player most likely loses by it beyond others.
    """
    priced = [*_mistakes(beside), *_results(made, who)]
    if priced:
        return max(priced, key=lambda one: one.points)
    return next(_kinds(match, room, lists_unusual=lists_unusual), None)


def _mistakes(beside: Iterable[BesideOthers]) -> Iterator[Advice]:
    for one in beside:
        if one.stands_out:
            text = _("{player} {said}; {points} points per 100 hands beyond them").format(
                player=_("The player"), said=one.words, points=points(one.points, signed=False)
            )
            yield Advice(with_commas(text), one.points, "review")


def in_general(beside: Iterable[BesideOthers]) -> list[str]:
    """Say what costs points, but others of the room do about as often."""
    text = _("Not only this player: {said}.")
    return [
        with_commas(text.format(said=one.words))
        for one in beside
        if not one.stands_out and one.count >= LEAST_TIMES
    ]


def _results(made: Compared, who: str) -> Iterator[Advice]:
    for one in made.results:
        if one.points is None or one.likely >= 0:
            continue
        metric = CATALOGUE[one.metric]
        own, other = (typeset(value_text(metric, value)) for value in (one.own, one.other))
        text = _("{title}: {own}, {who} {other}; {points} points per 100 hands, most likely").format(
            title=metric.said[:1].upper() + metric.said[1:], own=own, who=who, other=other,
            points=points(one.likely),
        )  # fmt: skip
        yield Advice(text, -one.likely, "standouts")


def _kinds(match: Match, room: str, *, lists_unusual: bool) -> Iterator[Advice]:
    """Yield kinds of decisions with more unusual moves than people of the room make, the farthest first."""
    curve = grades()
    found, people, alike = [], curve.of_room(room), curve.mean * curve.strength
    for name, words in _KINDS.items():
        own, everybody = unusual_rate(match, name), people.decisions(name)
        if own is None or not everybody or not people.unusual(name):
            continue
        usual = people.unusual(name) / everybody
        count, expected = match.unusual(name), usual * match.decisions(name)
        far = (count - expected) / math.sqrt(expected * (1 - usual))
        likely = (count - expected) / (expected + alike)
        if count >= LEAST_TIMES and far > BEYOND and likely >= LEAST_MORE:
            text = _("Unusual moves {where}: {rate} in 100 ({low} to {high}), {who} {usual}").format(
                where=_(words), rate=f"{own.value:.1f}", low=f"{own.low:.1f}", high=f"{own.high:.1f}",
                who=curve.who(room), usual=f"{100 * usual:.1f}",
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
    worse = [CATALOGUE[one.metric].said for one in made.results if not one.is_good]
    text = (
        _("Nothing to work on stands out in {games}: {worse} is worse, but players hardly differ in that.")
        if worse
        else _("Nothing stands out in {games}: what differs may be chance, and needs no change.")
    )
    return [
        text.format(games=plural(games, "game"), worse=_(", ").join(worse)),
        *(one.words() for one in made.power[:1]),
        *_games_needed(made),
    ]


def _games_needed(made: Compared) -> Iterator[str]:
    """Say how many games it takes until a difference shows that does not show yet: by the square root."""
    for one in made.power:
        if one.metric == "deal_in_rate" and one.difference > _LARGER:
            games = one.games * (one.difference / _LARGER) ** 2
            text = _("A deal-in rate {size} points higher takes about {games} games to show.")
            yield text.format(size=f"{100 * _LARGER:g}", games=f"{float(f'{games:.1g}'):,.0f}")


def of_three(strata: Iterable[Stratum]) -> str:
    """Say what is not known of games of three; empty where there are none."""
    if all(players != _THREE for players, _room, _length in strata):
        return ""
    return _(
        "Of games of three players it is not known which decisions cost points, what players of each grade "
        "choose, or what was luck: they are left out there."
    )


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
