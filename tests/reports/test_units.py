"""One number has one format, on the terminal, in notes and on pages."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from command import call
from each_row import each_row
from test_league import game

from paifu.reports.inference.shrinking import Spread
from paifu.reports.league.season import Season, Stage
from paifu.reports.league.standings import Standings
from paifu.reports.league.tables import TABLES, notes, said
from paifu.reports.pages.league import league_page
from paifu.reports.statistics.text import needed_words
from paifu.reports.units import league_decimals, league_points, number, percent, points, typeset

ROOT = Path(__file__).parents[2]
NUMBERS = [
    # value, decimals, plain, signed
    (0, 0, "0", "0"),
    (-0.4, 0, "0", "0"),
    (0.04, 1, "0.0", "0.0"),
    (-1234.5, 1, "-1,234.5", "-1,234.5"),
    (1234.56, 2, "1,234.56", "+1,234.56"),
    (1e6, 0, "1,000,000", "+1,000,000"),
]


@each_row(("value", "decimals", "plain", "signed"), NUMBERS)
def test_numbers(value: float, decimals: int, plain: str, signed: str) -> None:
    assert number(value, decimals) == plain
    assert number(value, decimals, signed=True) == signed


def test_units() -> None:
    assert (points(-8000), points(8000), points(8000, signed=False)) == ("-8,000", "+8,000", "8,000")
    assert (percent(0.12345), percent(0.12345, 1)) == ("12.35", "12.3")
    assert typeset("-12.5%") == "−12.5 %"
    assert league_points(None) == ""


@each_row(
    ("values", "decimals"),
    [([], 1), ([None, 12.0], 1), ([44.1, -8.5], 1), ([44.15], 2), ([44.1, 44.15, None], 2), ([0.125], 3)],
)
def test_points_of_a_league_have_the_decimals_that_one_of_them_needs(
    values: list[float | None], decimals: int
) -> None:
    assert league_decimals(values) == decimals


def halves() -> Standings:
    """A season whose second stage begins with halves of odd tenths."""
    stages = (Stage("First", ("g00*",)), Stage("Final", ("g01*",), carry=0.5))
    names = ["Aki", "Botan", "Chie", "Dai"]
    first = [game(number, names, [30, 10, -10, -30]) for number in (1, 2)]
    first[0] = replace(first[0], points=(44_300, -1_500, -12_500, -30_300))
    last = game(11, names, [-20, 40, 10, -30])
    return Standings(
        [*first, replace(last, points=(-20_200, 40_000, 10_100, -29_900))], Season(stages=stages)
    )


def test_a_total_is_the_same_on_the_terminal_and_on_the_page() -> None:
    standings = halves()
    assert standings.decimals == 2
    rows = said(standings, TABLES["standings"](standings))
    page = unescape(league_page(standings))
    shown = [re.sub("<[^>]*>", "", cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", page)]
    for row in rows:
        for column in ("total", "carried", "results"):
            assert re.fullmatch(r"[+-][\d,]+\.\d\d|0\.00", row[column]), row[column]
        assert typeset(row["total"]) in shown
        assert typeset(row["carried"]) in shown
    assert typeset(notes(standings)[0]) == notes(standings, typeset)[0]
    assert not re.search(r">-\d", page), "an ASCII minus before a number"


@pytest.mark.full
def test_the_terminal_and_files_have_the_ascii_minus_only() -> None:
    games = ROOT / "sample_logs" / "games"
    for arguments in (
        ("league", games),
        ("league", games, "--rules", "tenhou", "--under", "ema"),
        ("stats", games, "--player", "Botan", "--all"),
        ("places", "--scores", "35,29,19,17", "--round", "S4", "--seat", "3"),
    ):
        done = call(*arguments, "-j", "1") if arguments[0] != "places" else call(*arguments)
        assert "−" not in done.text
        assert re.search(r"(?<![\w-])-\d", done.text)
    assert "−" not in call("league", games, "-j", "1", "--format", "csv").text


def test_what_it_takes_to_tell_players_apart_is_said_as_a_number_of_games() -> None:
    unclear = Spread(mean=0.2, variance=1e-4, error=1e-4, of_row=1.5908, rows=1.0, players=50)
    assert needed_words(unclear) == "needs 16,000 games"
    assert needed_words(replace(unclear, variance=0.0)) == "unknown"
    assert needed_words(replace(unclear, error=0.0)) == ""
