"""Two players side by side: numbers of ``paifu stats``, meetings counted anew from the logs, honest marks."""

from __future__ import annotations

import base64
import json
import math
import random
import zlib
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import lxml.html
import numpy as np
import pytest
from browser import PHONE, Browser, browser
from command import call

import paifu
from paifu.reports.inference.chances import FALSE_SHARE, between, beyond_noise
from paifu.reports.inference.intervals import Nature, of_rows, student
from paifu.reports.inference.sums import GameSums
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.pages.report_sections import COMPARED
from paifu.reports.statistics.side_by_side import side_by_side
from paifu.reports.statistics.values import Estimate, GroupStatistics

pytestmark = pytest.mark.full

__all__ = ["browser"]
SAMPLES = Path(__file__).parents[2] / "sample_logs" / "games"
PLAYER, OTHER = "Botan", "チドリ"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("page") / "page.html"
    assert call("report", SAMPLES, "--player", PLAYER, "-o", target).status == 0
    return target


@pytest.fixture(scope="module")
def page(path: Path) -> Any:
    return lxml.html.fromstring(path.read_text("utf-8"))


def cells_of(page: Any) -> dict[str, list[str]]:
    return {
        row.xpath("th/a/@href")[0].removeprefix("#def-"): [cell.text_content() for cell in row.xpath("td")]
        for row in page.xpath("//table[@id='pair']/tbody/tr")
    }


def unpacked(page: Any) -> Any:
    (text,) = page.xpath("//script[@id='pairs']/text()")
    return json.loads(zlib.decompress(base64.b64decode(text), -zlib.MAX_WBITS))


def number(text: str) -> float:
    return float(text.rstrip("*").replace(" %", "").replace("−", "-").replace(",", ""))


def test_both_columns_are_those_of_stats(page: Any) -> None:
    result = call("stats", SAMPLES, "--player", PLAYER, "--player", OTHER, "--all", "-f", "json")
    groups = {group["key"]["player"]: group["stats"] for group in json.loads(result.data)["groups"]}
    rows = cells_of(page)
    assert len(rows) > 70
    for name, (own, _, other, _, difference, *_) in rows.items():
        metric = CATALOGUE[name]
        factor, decimals = (100, 2) if metric.unit == "%" else (1, metric.decimals)
        values = [groups[player][name]["value"] for player in (PLAYER, OTHER)]
        for shown, value in zip((own, other), values, strict=True):
            if value is not None:
                assert number(shown) == pytest.approx(factor * value, abs=0.51 * 10**-decimals), name
        if None not in values:
            expected = factor * (values[0] - values[1])
            assert number(difference) == pytest.approx(expected, abs=0.51 * 10**-decimals), name


def test_meetings_are_those_of_the_logs(page: Any) -> None:
    together = ahead = 0
    rons = {PLAYER: [0, 0], OTHER: [0, 0]}
    finals = []
    for game in paifu.read(SAMPLES):
        if not {PLAYER, OTHER} <= set(game.names):
            continue
        together += 1
        seats = game.names.index(PLAYER), game.names.index(OTHER)
        own, other = (game.final_scores[seat] for seat in seats)
        assert own is not None
        assert other is not None
        ahead += (-own, seats[0]) < (-other, seats[1])
        finals.append(own - other)
        for win in (win for hand in game.hands for win in hand.wins):
            for name, source in ((PLAYER, OTHER), (OTHER, PLAYER)):
                if game.names[win.seat] == name and game.names[win.source] == source:
                    rons[name][0] += 1
                    rons[name][1] += win.points or 0
    said = [one.text_content() for one in page.xpath("//div[@id='pair-said']/p")]
    assert said[0] == f"{together} games at one table."
    assert f"{PLAYER} finished ahead of {OTHER} in {ahead} of {together} games" in said[1]
    half = float(student(len(finals) - 1)) * stdev(finals) / math.sqrt(len(finals))
    side = "ahead of" if fmean(finals) >= 0 else "behind"
    assert f"ended {abs(fmean(finals)):,.0f} points {side} {OTHER}" in said[2]
    assert f"to {fmean(finals) + half:+,.0f})".replace("-", "−") in said[2]
    (own, gained), (other, paid) = rons.values()
    assert f"won {own} times from {OTHER} ({gained:,} points)" in said[3]
    assert f"won {other} times from {PLAYER} ({paid:,} points)" in said[3]


def test_those_met_most_often_come_first(page: Any) -> None:
    names = [one.text_content() for one in page.xpath("//select[@id='other-player']/option")]
    assert names == ["チドリ (269 hands)", "葵 (269 hands)", "dahlia 3 (181 hands)"]
    assert len(unpacked(page)) == len(names)


def test_what_the_script_shows_is_what_the_page_says(page: Any) -> None:
    first = unpacked(page)[0]
    shown = [[*row[2:6], mark] for row, mark in zip(cells_of(page).values(), marks(page), strict=True)]
    assert first["rows"] == shown
    assert first["said"] == [one.text_content() for one in page.xpath("//div[@id='pair-said']/p")]


def marks(page: Any) -> list[str]:
    return [row.xpath("string(td[5]/@class)") for row in page.xpath("//table[@id='pair']/tbody/tr")]


# --- what is marked ------------------------------------------------------------------------------------


def share(n: int, d: int) -> Estimate:
    low, high = of_rows(n, d)
    return Estimate(n, d, n / d, low, high, squares=(n, n, d))


def group(**stats: Estimate) -> GroupStatistics:
    return GroupStatistics({"player": "x"}, 100, 1000, stats)


def test_good_bad_and_neither_are_told_apart() -> None:
    own = group(win_rate=share(300, 1000), deal_in_rate=share(200, 1000), call_rate=share(500, 1000),
                riichi_win_rate=share(9, 20), bust_rate=share(51, 1000))  # fmt: skip
    other = group(win_rate=share(200, 1000), deal_in_rate=share(100, 1000), call_rate=share(300, 1000),
                  riichi_win_rate=share(1, 20), bust_rate=share(50, 1000))  # fmt: skip
    names = ("win_rate", "deal_in_rate", "call_rate", "riichi_win_rate", "bust_rate")
    found = side_by_side(own, other, names, together=0, players=4)
    assert [(row.is_sure, row.sign) for row in found.rows] == [
        (True, 1), (True, -1), (True, 0), (False, 1), (False, -1)
    ]  # fmt: skip
    assert found.tested == 4, "20 cases are too few"
    back = side_by_side(other, own, ["win_rate", "deal_in_rate"], together=0, players=4)
    assert [row.sign for row in back.rows] == [-1, 1]


def test_games_at_one_table_widen_the_interval() -> None:
    own, other = group(win_rate=share(300, 1000)), group(win_rate=share(240, 1000))
    (apart,) = side_by_side(own, other, ["win_rate"], together=0, players=4).rows
    (beside,) = side_by_side(own, other, ["win_rate"], together=100, players=4).rows
    assert apart.value == beside.value == pytest.approx(0.06)
    assert apart.high is not None
    assert beside.high is not None
    assert (beside.high - 0.06) / (apart.high - 0.06) == pytest.approx(math.sqrt(4 / 3), abs=0.01)


@pytest.mark.parametrize("players", [3, 4])
def test_the_error_is_that_of_results_which_add_up_to_nothing(players: int) -> None:
    chance = np.random.default_rng(players)
    runs, games = 600, 20
    drawn = chance.normal(size=(games, runs, players))
    drawn -= drawn.mean(axis=2, keepdims=True)
    one, two = (GameSums.of_games(drawn[:, :, seat], np.ones((games, runs))) for seat in (0, 1))
    value, half, _ = between(one, two, Nature.SIGNED, 1 / (players - 1))
    assert (abs(value) <= half).mean() == pytest.approx(0.95, abs=0.02)


def test_noise_is_marked_no_more_often_than_promised() -> None:
    chance = random.Random(1)  # noqa: S311  no secret
    runs = [beyond_noise([chance.random() for _ in range(80)]) >= 0 for _ in range(2000)]
    assert 0 < fmean(runs) <= FALSE_SHARE
    same = [beyond_noise([chance.random()] * 80) >= 0 for _ in range(2000)]
    assert 0 < fmean(same) <= FALSE_SHARE, "whatever depends on whatever"


def test_everything_compared_has_a_value_to_divide() -> None:
    assert len(COMPARED) == len(set(COMPARED)) > 70
    assert all(CATALOGUE[name].kind not in ("count", "extreme") for name in COMPARED)


# --- in a browser --------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(1400, 900), PHONE], ids=["desktop", "phone"])
def test_another_player_is_chosen_by_key(
    browser: Browser, path: Path, page: Any, size: tuple[int, int]
) -> None:
    browser.open(path, "#compare", size=size)
    browser.wait("return document.querySelector('#compare details').open", True)
    column = "return [...document.querySelectorAll('#pair tbody tr')].map(r => r.cells[3].textContent)"
    assert browser.run(column) == [row[2] for row in cells_of(page).values()]
    browser.run("document.getElementById('other-player').focus()")
    browser.press("ARROW_DOWN")
    browser.wait("return document.getElementById('pair-name').textContent", "葵")
    second = unpacked(page)[1]
    assert browser.run(column) == [row[0] for row in second["rows"]]
    assert browser.text("#pair-said").split("\n")
    assert (
        browser.run("return document.querySelector('#pair-said').children[1].textContent")
        == second["said"][1]
    )
    width = "const e = document.documentElement; return e.scrollWidth - e.clientWidth"
    assert browser.run(width) == 0
    assert browser.complaints() == []
