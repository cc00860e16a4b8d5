"""What a page says first: what sets the player apart most, and nothing where nothing does."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from each_row import each_row

from paifu.coach.judgement.match import SITUATIONS, Match, grades
from paifu.coach.judgement.mistakes import PlayerMistakes
from paifu.coach.judgement.verdicts import HABITS, PROVED
from paifu.reports.judged import ALIKE, BY_ROOM, beside_others
from paifu.reports.pages.first_screen import advice, in_general, match_numbers, nothing_yet
from paifu.reports.statistics.standouts import Compared, Power, Standout

NOTHING = Compared((), (), 40, (Power("deal_in_rate", 0.06, 0.69, 100),))
WHO = "houou players"


def worse(likely: float) -> Compared:
    found = Standout("deal_in_rate", 0.18, 0.13, 0.001, None, -300.0, -500.0, -100.0, -likely)
    return Compared((), (found,), 40)


[HABIT] = HABITS
USUAL = 1000 * BY_ROOM["houou"]["R202"]
"""Hands of 1,000 in which people stay silent: 11.2."""


def silent(times: int, hands: int = 1000) -> PlayerMistakes:
    return PlayerMistakes(hands, 9 * hands, Counter({"R202": times}))


def matched(situation: str, unusual: int, decisions: int = 1000) -> Match:
    sums = np.zeros((len(SITUATIONS), 4))
    for name, count in (("all", 10), (situation, unusual)):
        sums[list(SITUATIONS).index(name)] = decisions, 0.7 * decisions, 0.6 * decisions, count
    return Match(sums, 10)


def said(mistakes: PlayerMistakes, made: Compared = NOTHING, match: Match | None = None) -> str:
    found = advice(beside_others(mistakes, "houou"), made, match or Match(), "houou", WHO, lists_unusual=True)
    return f"{found.place}: {found.text}" if found else ""


@each_row(
    ("times", "made", "unusual", "place"),
    [
        (0, NOTHING, 0, ""),
        (11, NOTHING, 0, ""),
        (19, NOTHING, 0, ""),
        (20, NOTHING, 0, "review"),
        (0, worse(100), 0, "standouts"),
        (0, worse(0), 0, ""),
        (0, NOTHING, 40, "unusual"),
        (0, NOTHING, 12, ""),
        (0, worse(100), 40, "standouts"),
        (20, worse(300), 40, "standouts"),
        (40, worse(300), 40, "review"),
    ],
)
def test_what_sets_the_player_apart(times: int, made: Compared, unusual: int, place: str) -> None:
    """A habit from 2.5 standard errors beyond the room on; of priced ones the dearest, drawn to others."""
    assert said(silent(times), made, matched("threat", unusual)).partition(":")[0] == place


@pytest.mark.parametrize(("more", "place"), [(1.2, ""), (1.4, "unusual")])
def test_a_little_more_is_nothing_to_change_however_sure_it_is(more: float, place: str) -> None:
    people = grades().of_room("houou")
    usual = people.unusual("efficiency") / people.decisions("efficiency")
    match = matched("efficiency", round(100_000 * usual * more), 100_000)
    assert said(silent(0), NOTHING, match).partition(":")[0] == place
    times = round(50 * USUAL * more)
    assert said(silent(times, 50_000)).partition(":")[0] == ("review" if place else "")


def test_what_the_whole_room_does_is_told_as_such() -> None:
    beside = beside_others(silent(12), "houou")
    assert in_general(beside) == [
        "Not only this player: stayed silent with more than 4 live tiles and no threat in 12 hands: about "
        f"{HABIT.found} ± {HABIT.error} points each; houou players do so in 11 of as many hands."
    ]
    assert in_general(beside_others(silent(4, 360), "houou")) == [], "seen too seldom to be a habit"
    assert in_general(beside_others(silent(40), "houou")) == [], "that is the player's own"


@pytest.mark.parametrize(("hands", "times"), [(500, 12), (1000, 24), (4000, 96)])
def test_what_few_hands_say_is_drawn_to_the_room(hands: int, times: int) -> None:
    """The same rate counts for more, the more hands there are; never for all of it."""
    [one] = beside_others(silent(times, hands), "houou")
    expected = BY_ROOM["houou"]["R202"] * hands
    whole = 100 * (times - expected) * HABIT.found / hands
    assert one.points == pytest.approx(whole * expected / (expected + ALIKE["R202"]))
    assert one.points < whole


def test_every_code_that_is_proved_has_rates_and_words() -> None:
    for room, rates in BY_ROOM.items():
        assert sorted(rates) == sorted(ALIKE) == list(PROVED)
        found = beside_others(PlayerMistakes(1000, 9000, Counter(dict.fromkeys(PROVED, 30))), room)
        assert [one.stands_out for one in found] == [True] * len(PROVED)
        assert all(" in 30 hands: about " in one.words for one in found)


def test_better_results_are_nothing_to_change() -> None:
    better = Standout("deal_in_rate", 0.10, 0.13, 0.001, None, 300.0, 100.0, 500.0, 200.0)
    assert said(silent(0), Compared((), (better,), 40)) == ""
    [calm] = nothing_yet(worse(0), 100)
    assert calm.endswith(": deal-in rate is worse, but players hardly differ in that.")
    assert nothing_yet(NOTHING, 100) == [
        "Nothing stands out in 100 games: what differs may be chance, and needs no change.",
        "A deal-in rate 6 points higher would show in 100 games with 69 %.",
        "A deal-in rate 3 points higher takes about 400 games to show.",
    ]


def test_no_match_is_told_where_it_is_not_known() -> None:
    assert match_numbers(Match()) == []
    first, unusual = match_numbers(matched("threat", 9))
    assert (first["value"], unusual["value"]) == ("70.0 %", "1.00")
