"""The top of a player's page: where points are won and lost, and what to change.

Three parts: the points budget in sentences, what stands out beyond noise, and the costliest decisions. All of
it compares the player with a reference (:mod:`paifu.reports.statistics.reference`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from paifu.replay.language import N_, _, pgettext
from paifu.replay.model.events import EventKind
from paifu.replay.model.tiles import NO_TILE
from paifu.reports.inference.chances import between
from paifu.reports.inference.discovery import FALSE_SHARE
from paifu.reports.metrics.budget import BUDGET_PARTS
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.pages.numbers import points, points_range, typeset
from paifu.reports.pages.report_hands import DEAL_INS, HITS, WINS, ShownHand
from paifu.reports.pages.report_sections import BUDGET, BUDGET_TOTAL
from paifu.reports.statistics.reference import Population
from paifu.reports.statistics.standouts import Compared, Standout
from paifu.reports.statistics.text import place_words, value_text
from paifu.reports.statistics.values import Estimate, GroupStatistics

AT_FIRST = 5
"""How many differences of each kind are shown unfolded."""
LINKS = 3
"""Maximum number of hands that a difference links to."""


@dataclass(frozen=True, slots=True)
class _Part:
    """One part of the budget."""

    name: str
    own: Estimate
    other: Estimate
    difference: float
    low: float
    high: float
    is_sure: bool
    """Whether it stands out."""


def _parts(own: GroupStatistics, reference: Population, different: Collection[str]) -> Iterator[_Part]:
    for name in (*BUDGET, BUDGET_TOTAL):
        mine, other = own.stats[name], reference.estimate(name)
        if mine.value is None or other.value is None:
            continue
        _, half, _ = between(mine.sums, other.sums, CATALOGUE[name].nature)
        spread = math.inf if math.isnan(half) else float(half) * CATALOGUE[name].scale
        difference = mine.value - other.value
        low, high = difference - spread, difference + spread
        yield _Part(name, mine, other, difference, low, high, name in different)


def budget(own: GroupStatistics, reference: Population, different: Collection[str]) -> dict[str, Any]:
    """Return the points budget: sentences, and a row for each part.

    ``different`` are the statistics that stand out: of other parts it is not said that they differ.
    """
    parts = list(_parts(own, reference, different))
    if not parts:
        return {"sentences": [], "rows": []}
    return {
        "sentences": list(_sentences(parts, own.hands, reference)),
        "rows": [
            {
                "metric": part.name,
                "title": pgettext("budget", BUDGET_PARTS[part.name]),
                "own": points(part.own.value or 0),
                "other": points(part.other.value or 0),
                "difference": points(part.difference),
                "interval": points_range(part.low, part.high) if math.isfinite(part.low) else "",
                "is_total": part.name == BUDGET_TOTAL,
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


def _range(part: _Part) -> str:
    words = _("95 %: {interval}") if part.is_sure else _("95 %: {interval}; may be chance")
    return words.format(interval=points_range(part.low, part.high))


def _sentences(parts: list[_Part], hands: int, reference: Population) -> Iterator[str]:
    total = parts[-1]
    yield _(_TOTAL[(total.own.value or 0) > 0, (total.other.value or 0) > 0]).format(
        own=_size(total.own.value), who=reference.who, other=_size(total.other.value), range=_range(total)
    )
    for part, sign in (
        (min(parts[:-1], key=lambda part: part.difference), -1),
        (max(parts[:-1], key=lambda part: part.difference), 1),
    ):
        if part.is_sure and sign * part.difference > 0:
            yield _(_LARGEST[part.name, sign]).format(
                points=_size(part.difference), who=reference.who, range=_range(part)
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


_HANDS: Mapping[str, tuple[str, Callable[[ShownHand], bool]]] = MappingProxyType(
    {
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
)
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
