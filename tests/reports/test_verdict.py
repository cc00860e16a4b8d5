"""What a page says first: the strongest of what is proved, and nothing where nothing is."""

from __future__ import annotations

from collections import Counter

import numpy as np
from each_row import each_row

from paifu.coach.judgement.match import SITUATIONS, Match
from paifu.coach.judgement.mistakes import PlayerMistakes
from paifu.coach.judgement.verdicts import HABITS
from paifu.replay.facts.tables import code_of
from paifu.reports.pages.verdict import LEAST_TIMES, advice, match_numbers, nothing_yet
from paifu.reports.statistics.standouts import Compared, Power, Standout

NOTHING = Compared((), (), 40, (Power("deal_in_rate", 0.04, 0.69, 100),))
WORSE = Compared(
    (), (Standout("deal_in_rate", 0.18, 0.13, 0.001, None, -300.0, -500.0, -100.0),), 40
)  # 100 points at least
[HABIT] = HABITS


def silent(times: int, hands: int = 1000) -> PlayerMistakes:
    return PlayerMistakes(hands, 9 * hands, Counter({code_of(HABIT.code): times}))


def matched(situation: str, unusual: int, decisions: int = 1000) -> Match:
    sums = np.zeros((len(SITUATIONS), 4))
    for name, count in (("all", 10), (situation, unusual)):
        sums[list(SITUATIONS).index(name)] = decisions, 0.7 * decisions, 0.6 * decisions, count
    return Match(sums, 10)


def said(mistakes: PlayerMistakes, made: Compared = NOTHING, match: Match | None = None) -> str:
    found = advice(mistakes, made, match or Match(), "houou", lists_unusual=True)
    return f"{found.place}: {found.text}" if found else ""


@each_row(
    ("times", "made", "unusual", "place"),
    [
        (0, NOTHING, 0, ""),
        (LEAST_TIMES - 1, NOTHING, 0, ""),
        (LEAST_TIMES, NOTHING, 0, "review"),
        (0, WORSE, 0, "standouts"),
        (0, NOTHING, 40, "unusual"),
        (0, NOTHING, 12, ""),
        (0, WORSE, 40, "standouts"),
    ],
)
def test_the_strongest_of_what_is_proved(times: int, made: Compared, unusual: int, place: str) -> None:
    assert said(silent(times), made, matched("threat", unusual)).partition(":")[0] == place


def test_what_costs_more_at_least_goes_first() -> None:
    """A habit with its price, less its error, per 100 hands; of a result the end of its interval."""
    least = (HABIT.found - HABIT.error) / 10
    times = int(100 / least)
    assert said(silent(times), WORSE).startswith("standouts")
    assert said(silent(times + 1), WORSE).startswith("review")
    assert f"{HABIT.found * (times + 1) / 10:,.0f} points per 100 hands" in said(silent(times + 1), WORSE)


def test_better_results_are_nothing_to_change() -> None:
    better = Compared((), (Standout("deal_in_rate", 0.10, 0.13, 0.001, None, 300.0, 100.0, 500.0),), 40)
    assert said(silent(0), better) == ""
    assert nothing_yet(NOTHING, 100) == [
        "Nothing stands out in 100 games: what differs may be chance, and needs no change.",
        "A deal-in rate 4 points higher would show in 100 games with 69 %.",
    ]


def test_no_match_is_told_where_it_is_not_known() -> None:
    assert match_numbers(Match()) == []
    first, unusual = match_numbers(matched("threat", 9))
    assert (first["value"], unusual["value"]) == ("70.0 %", "1.00")
