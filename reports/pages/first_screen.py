"""The top of a player's page: what it says first, where points are won and lost, and how the player plays.

First come results, luck, the match with strong players, and one thing to change: the strongest of what sets
the player apart from people of the same room. That is what costs points when played out, done more often than
they do it; a result that is worse beyond chance; or unusual moves of one kind. What the whole room does is
told as such. Where nothing sets the player apart, the page says so, and what would have been seen.

Then come the points budget in sentences, what stands out beyond noise, and style: a line for each trait, and
a picture of two of them. A trait is a statistic that is a choice, or near one. Where a player stands among
others follows from an estimate that allows for chance (:mod:`paifu.reports.inference.shrinking`): with few
games, in the middle. All of it compares the player with a reference
(:mod:`paifu.reports.statistics.reference`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from paifu.coach.judgement.match import Match, grades
from paifu.replay.language import N_, _, pgettext
from paifu.replay.model.events import EventKind
from paifu.replay.model.tiles import NO_TILE
from paifu.reports.inference.chances import FALSE_SHARE
from paifu.reports.inference.intervals import FEW, Z
from paifu.reports.inference.shrinking import shrunken
from paifu.reports.judged import (
    BEYOND,
    LEAST_MORE,
    LEAST_TIMES,
    BesideOthers,
    beside_others,
    first_rate,
    unusual_rate,
)
from paifu.reports.metrics.budget import BUDGET_PARTS
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.pages.page import points, points_range
from paifu.reports.pages.report_hands import DEAL_INS, HITS, UNUSUAL, WINS, ShownHand
from paifu.reports.pages.report_sections import BUDGET, BUDGET_TOTAL, value_said
from paifu.reports.ratings.player import RatingRow
from paifu.reports.statistics.reference import Population, Stratum
from paifu.reports.statistics.side_by_side import StatisticDifference, differences
from paifu.reports.statistics.standouts import Compared, Standout
from paifu.reports.statistics.text import NOTHING, place_words, value_text
from paifu.reports.statistics.values import ENOUGH_PLAYERS, GroupStatistics
from paifu.reports.units import typeset
from paifu.reports.wording import plural, with_commas

if TYPE_CHECKING:
    from paifu.reports.pages.report_data import ReportData

AT_FIRST = 5
"""How many differences of each kind are shown unfolded."""
LINKS = 3
"""Maximum number of hands that a difference links to."""


def budget(own: GroupStatistics, reference: Population, different: Collection[str]) -> dict[str, Any]:
    """Return the points budget: sentences, and a row for each part.

    ``different`` are the statistics that stand out: of other parts it is not said that they differ.
    """
    found = differences(own, reference.stats, (*BUDGET, BUDGET_TOTAL))
    parts = [replace(one, is_sure=one.metric in different) for one in found if one.value is not None]
    if not parts:
        return {"sentences": [], "rows": []}
    return {
        "sentences": list(_sentences(parts, own.hands, reference)),
        "rows": [
            {
                "metric": part.metric,
                "title": pgettext("budget", BUDGET_PARTS[part.metric]),
                "own": points(part.own.value or 0),
                "other": points(part.other.value or 0),
                "difference": points(part.value or 0),
                "interval": "" if part.low is None else points_range(*_bounds(part)),
                "is_total": part.metric == BUDGET_TOTAL,
            }
            for part in parts
        ],
    }


_LARGEST = {
    ("budget_wins", -1): N_(
        "The largest loss: wins bring in {points} points per 100 hands less than those of {who} ({range})."
    ),
    ("budget_wins", 1): N_(
        "The largest gain: wins bring in {points} points per 100 hands more than those of {who} ({range})."
    ),
    ("budget_draws", -1): N_(
        "The largest loss: draws bring in {points} points per 100 hands less than those of {who} ({range})."
    ),
    ("budget_draws", 1): N_(
        "The largest gain: draws bring in {points} points per 100 hands more than those of {who} ({range})."
    ),
    ("budget_deal_ins", -1): N_(
        "The largest loss: deal-ins cost {points} points per 100 hands more than those of {who} ({range})."
    ),
    ("budget_deal_ins", 1): N_(
        "The largest gain: deal-ins cost {points} points per 100 hands less than those of {who} ({range})."
    ),
    ("budget_tsumo", -1): N_(
        "The largest loss: others' tsumo cost {points} points per 100 hands more than those of {who} "
        "({range})."
    ),
    ("budget_tsumo", 1): N_(
        "The largest gain: others' tsumo cost {points} points per 100 hands less than those of {who} "
        "({range})."
    ),
    ("budget_sticks", -1): N_(
        "The largest loss: lost riichi sticks cost {points} points per 100 hands more than those of {who} "
        "({range})."
    ),
    ("budget_sticks", 1): N_(
        "The largest gain: lost riichi sticks cost {points} points per 100 hands less than those of {who} "
        "({range})."
    ),
}
"""What is said of the part that differs most from the reference, to the player's loss or gain, if it stands
out."""
_TOTAL = {
    (False, False): N_("{own} points lost per 100 hands; {who} lost {other} (difference {range})."),
    (False, True): N_("{own} points lost per 100 hands; {who} gained {other} (difference {range})."),
    (True, False): N_("{own} points gained per 100 hands; {who} lost {other} (difference {range})."),
    (True, True): N_("{own} points gained per 100 hands; {who} gained {other} (difference {range})."),
}
"""What is said of the sum: whether the player gained, and whether the others did."""


def _size(value: float | None) -> str:
    return points(abs(value or 0), signed=False)


def _bounds(part: StatisticDifference) -> tuple[float, float]:
    return (-math.inf, math.inf) if part.low is None or part.high is None else (part.low, part.high)


def _range(part: StatisticDifference) -> str:
    words = _("95 %: {interval}") if part.is_sure else _("95 %: {interval}; may be chance")
    return words.format(interval=points_range(*_bounds(part)))


def _sentences(parts: list[StatisticDifference], hands: int, reference: Population) -> Iterator[str]:
    total = parts[-1]
    yield _(_TOTAL[(total.own.value or 0) > 0, (total.other.value or 0) > 0]).format(
        own=_size(total.own.value), who=reference.who, other=_size(total.other.value), range=_range(total)
    )
    by_size = {part.value or 0.0: part for part in reversed(parts[:-1])}
    for part, sign in ((by_size[min(by_size)], -1), (by_size[max(by_size)], 1)):
        if part.is_sure and sign * (part.value or 0) > 0:
            yield _(_LARGEST[part.metric, sign]).format(
                points=_size(part.value), who=reference.who, range=_range(part)
            )
    if not any(part.is_sure for part in parts):
        yield _("All of this may still be chance: {hands:,} hands are few for points.").format(hands=hands)


# --- what stands out -----------------------------------------------------------------------------------


def _is_open(hand: ShownHand) -> bool:
    """Return whether the hand of the player concerned was open."""
    laid = hand.held or hand.winner
    return laid is not None and any(NO_TILE not in tiles for tiles, _ in laid.melds)


def _in_riichi(hand: ShownHand) -> bool:
    """Return whether the player concerned had declared riichi before the move shown."""
    events = hand.replay["hands"][0]["events"][: hand.event]
    return any(one["k"] == EventKind.RIICHI.name.lower() and one["s"] == hand.seat for one in events)


def _every(_hand: ShownHand) -> bool:
    return True


_HANDS: Mapping[str, tuple[str, Callable[[ShownHand], bool]]] = {
    "win_rate": (WINS, _every),
    "win_value": (WINS, _every),
    "dealer_win_rate": (WINS, _every),
    "riichi_win_rate": (WINS, _in_riichi),
    "riichi_income": (WINS, _in_riichi),
    "calls_1_win_rate": (WINS, _is_open),
    "calls_1_win_value": (WINS, _is_open),
    "deal_in_rate": (DEAL_INS, _every),
    "deal_in_value": (DEAL_INS, _every),
    "riichi_deal_in_rate": (DEAL_INS, _in_riichi),
    "riichi_balance": (DEAL_INS, _in_riichi),
    "calls_1_deal_in_rate": (DEAL_INS, _is_open),
    "calls_1_balance": (DEAL_INS, _is_open),
    "hit_rate": (HITS, _every),
    "hit_loss": (HITS, _every),
}
"""Statistic -> the list with hands to look at, and which of them."""


def compared(made: Compared, lists: Mapping[str, tuple[ShownHand, ...]]) -> dict[str, Any]:
    """Return what stands out: worse and better results, and style; and how many statistics were tested."""
    results = [(one.is_good, _row(one, lists)) for one in made.results]
    priced = [row for is_good, row in results if is_good and row["is_priced"]]
    return {
        "groups": [
            {"title": title, "rows": rows}
            for title, rows in (
                (_("Results that are worse"), [row for is_good, row in results if not is_good]),
                (
                    _("Results that are better"),
                    priced[::-1] + [row for is_good, row in results if is_good and not row["is_priced"]],
                ),
                (_("Style: what is done differently"), [_row(one, lists) for one in made.style]),
            )
            if rows
        ],
        "tested": made.tested,
        "at_first": AT_FIRST,
        "percent": f"{100 * FALSE_SHARE:.0f}",
        "power": [one.words() for one in made.power],
    }


def _row(one: Standout, lists: Mapping[str, tuple[ShownHand, ...]]) -> dict[str, Any]:
    metric = CATALOGUE[one.metric]
    name, is_of = _HANDS.get(one.metric, ("", _every))
    own, other = (typeset(value_text(metric, value)) for value in (one.own, one.other))
    is_higher = one.own > one.other
    why = [typeset(place_words(metric, one.lower))] if one.lower is not None else []
    if one.low is not None and one.high is not None:
        why.insert(0, _("points per 100 hands, {interval}").format(interval=points_range(one.low, one.high)))
    return {
        "metric": one.metric,
        "own": own,
        "other": other,
        "unit": "" if metric.unit == "%" else metric.unit and pgettext("unit", metric.unit),
        "tone": "" if one.is_style else "good" if one.is_good else "bad",
        "is_priced": one.points is not None,
        "size": (_("higher") if is_higher else _("lower")) if one.points is None else points(one.points),
        "why": "; ".join(why),
        "list": name,
        "hands": [hand for hand in lists.get(name, ()) if is_of(hand)][:LINKS],
    }


# --- what is said first --------------------------------------------------------------------------------

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


def verdict(
    gathered: ReportData,
    made: Compared,
    games: int,
    who: str,
    stable: RatingRow | None,
    luck: dict[str, Any] | None,
) -> dict[str, Any]:
    """Return what the page says first, below the results, of ``games`` games, compared with ``who``."""
    room = max(gathered.strata.items(), key=itemgetter(1), default=((4, "", ""), 0))[0][1]
    beside, three = beside_others(gathered.mistakes, room), of_three(gathered.strata)
    lists_unusual = bool(gathered.lists.get(UNUSUAL))
    found = advice(beside, made, gathered.match, room, who, lists_unusual=lists_unusual)
    return {
        "numbers": [rank_number(stable), *match_numbers(gathered.match)],
        "luck": luck_sentence(luck),
        "of_three": three,
        "grades": grades().said if gathered.match.decisions() else "",
        "advice": found,
        "below": [*filter(None, [three]), *in_general(beside)],
        "calm": [] if found else nothing_yet(made, games),
    }


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
    """Say that nothing stands out yet, and what this number of games would have shown."""
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


# --- style ---------------------------------------------------------------------------------------------

TRAITS = {
    "riichi_rate": (N_("declares riichi more than {share}"), N_("declares riichi less than {share}")),
    "call_rate": (N_("calls more than {share}"), N_("calls less than {share}")),
    "win_turn": (N_("wins later than {share}"), N_("wins earlier than {share}")),
    "win_value": (N_("wins more valuable hands than {share}"), N_("wins cheaper hands than {share}")),
    "deal_in_rate": (N_("deals in more often than {share}"), N_("deals in less often than {share}")),
    "dama_win_share": (
        N_("wins more often with a closed hand without riichi than {share}"),
        N_("wins less often with a closed hand without riichi than {share}"),
    ),
}
"""Statistic -> what is said of a player above most others, and below them."""
AXES = ("call_rate", "riichi_rate")
SHOWN = 6
"""Tenths of the players that a player must be above or below for them to be counted in words."""
_NORMAL = NormalDist()
_WIDTH, _HEIGHT, _UNIT, _MOST = 310, 290, 42, 2.9
"""Of the picture: its size, pixels of a standard deviation between players, and how many it shows."""


@dataclass(frozen=True, slots=True)
class _Standing:
    """Where a player stands in a statistic, in standard deviations between players."""

    middle: float
    error: float

    def share(self, errors: float = 0) -> float:
        """Return the expected share of players below, or the share if the value is some errors higher."""
        if errors:
            return _NORMAL.cdf(self.middle + errors * self.error)
        return _NORMAL.cdf(self.middle / math.sqrt(1 + self.error**2))


def _standing(name: str, own: GroupStatistics, reference: Population) -> _Standing | None:
    among, mine = reference.spreads.get(name), own.stats[name]
    if among is None or among.variance <= 0 or mine.value is None:
        return None
    value, error = shrunken(mine.sums, among)
    between = math.sqrt(among.variance)
    return _Standing((float(value) - among.mean) / between, float(error) / between)


def style(
    own: GroupStatistics, reference: Population | None, different: Mapping[str, bool]
) -> dict[str, Any] | None:
    """Return the traits, what is said of them, and the picture; None where there are too few players.

    ``different`` are the statistics that stand out, and whether they are higher: nothing is said of others.
    """
    if reference is None or reference.players < ENOUGH_PLAYERS:
        return None
    found = {name: _standing(name, own, reference) for name in TRAITS}
    known = {name: one for name, one in found.items() if one and reference.spreads[name].is_known}
    said = [
        _words(name, different[name], known.get(name), reference.who) for name in TRAITS if name in different
    ]
    return {
        "said": _("; ").join(said),
        "who": reference.who,
        "traits": [
            {
                "metric": name,
                "own": value_said(CATALOGUE[name], own.stats[name]),
                "other": value_said(CATALOGUE[name], reference.estimate(name)),
                "place": _place(known[name]) if name in known else _("cannot be told apart yet"),
            }
            for name in TRAITS
        ],
        "picture": _picture(*(found[name] for name in AXES)),
    }


def _words(name: str, is_more: bool, one: _Standing | None, who: str) -> str:
    """Say that a player is above or below others: most of them, where it is known how they differ."""
    share = 0.5 if one is None else one.share() if is_more else 1 - one.share()
    tenths = min(9, math.floor(10 * share))
    others = _("{tenths} of 10 {who}") if tenths >= SHOWN else _("{who} on average")
    more, less = TRAITS[name]
    return _(more if is_more else less).format(share=others.format(tenths=tenths, who=who))


def _place(one: _Standing) -> str:
    """Say what share of the players is below, and how sure that is."""
    low, share, high = (100 * one.share(errors) for errors in (-Z, 0, Z))
    return _("higher than {share:.0f} % ({low:.0f} to {high:.0f})").format(
        share=min(99, max(1, share)), low=low, high=high
    )


def _picture(x: _Standing | None, y: _Standing | None) -> dict[str, Any] | None:
    """Return where things are in the picture, in pixels; the middle of all players is its middle."""
    if x is None or y is None:
        return None
    middle = _WIDTH / 2, _HEIGHT / 2

    def at(one: _Standing, errors: float, begin: float, sign: int) -> float:
        return round(begin + sign * _UNIT * min(_MOST, max(-_MOST, one.middle + errors * one.error)), 1)

    return {
        "width": _WIDTH,
        "height": _HEIGHT,
        "x": middle[0],
        "y": middle[1],
        # Half of the players of a room, and nine of ten, if the two do not depend on each other.
        "rings": [round(_UNIT * math.sqrt(-2 * math.log(1 - part)), 1) for part in (0.5, 0.9)],
        "across": [at(x, errors, middle[0], 1) for errors in (-Z, 0, Z)],
        "up": [at(y, errors, middle[1], -1) for errors in (-Z, 0, Z)],
    }
