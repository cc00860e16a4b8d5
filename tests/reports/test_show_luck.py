"""Luck and place chances where one game is shown: ``paifu show --luck``, the chart of its page, the API."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browser import DESKTOP, PHONE, Browser, browser
from command import call
from rich.cells import cell_len

import paifu
from paifu.coach.luck.ledger import luck_ledger
from paifu.coach.luck.views import NOTABLE, GameLuck, NodeKind, mean_place
from paifu.parsers.read import read_batches
from paifu.replay.model.events import EventKind
from paifu.replay.views.games import Game
from paifu.reports.pages.stepper import game_data, show_page

__all__ = ["browser"]  # a fixture

SAMPLE = "sample_logs/formats/hanchan.mjlog.gz"
PERCENTAGES = re.compile(r"\d+ \d+ \d+ \d+%")


@cache
def sample() -> tuple[Game, GameLuck]:
    (game,) = paifu.read(SAMPLE)
    return game, paifu.game_luck(game)


def data_of(page: str) -> Any:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


# --- numbers -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "log", [SAMPLE, "sample_logs/games/hanchan-4p-01.mjlog.gz", "sample_logs/formats/tonpuu.mjlog"]
)
def test_nodes_and_chances_are_those_of_the_ledger(log: str) -> None:
    (batch,) = read_batches([log])
    ledger = luck_ledger(batch, outlook=True)
    found = paifu.game_luck(Game.of(batch, 0))
    assert len(found.hands) == len(ledger.hand) > 0
    for row, hand in enumerate(found.hands):
        assert hand.luck == pytest.approx(ledger.luck[row])
        assert np.sum([node.luck for node in hand.nodes], axis=0) == pytest.approx(ledger.luck[row])
        assert hand.places is not None
        assert np.array(hand.places) == pytest.approx(ledger.chances[row])
        assert hand.result == tuple(ledger.result[row])
        events = Game.of(batch, 0).hands[row].events
        for node in hand.nodes:
            if node.event is not None and node.kind == NodeKind.DRAW:
                assert (events[node.event].seat, events[node.event].tile) == (node.seat, node.tile)
        assert [node.event for node in hand.nodes if node.kind == NodeKind.DEAL] == [None]
    for before, after in zip(found.hands, found.hands[1:], strict=False):
        assert before.places_after == after.places


def test_the_last_boundary_is_the_final_place() -> None:
    game, luck = sample()
    scores = game.final_scores
    final = luck.hands[-1].places_after
    assert final is not None
    for seat, chances in enumerate(final):
        place = sum(int(other or 0) > int(scores[seat] or 0) for other in scores)
        assert chances == tuple(float(one == place) for one in range(4))


def test_moments_lead_from_the_chances_before_a_hand_to_those_after_it() -> None:
    game, luck = sample()
    assert luck.utility == "rules"
    for hand, shown in zip(luck.hands, game.hands, strict=True):
        first, *_middle, last = hand.moments
        assert first.event is None
        assert first.places_before == hand.places
        assert last.event == len(shown.events) - 1
        assert last.places == hand.places_after
        assert [moment.event for moment in hand.moments if moment.event is not None] == sorted(
            moment.event for moment in hand.moments if moment.event is not None
        )
        for before, after in zip(hand.moments, hand.moments[1:], strict=False):
            assert before.places == after.places_before
            assert np.array(after.worth) - np.array(before.worth) == pytest.approx(np.array(after.swing))
        for moment in hand.moments:
            assert np.sum(moment.places, axis=0) == pytest.approx(np.ones(4))
            assert np.sum(moment.places, axis=1) == pytest.approx(np.ones(4))
            assert sum(moment.swing) == pytest.approx(0, abs=0.15)
        assert hand.worth is not None
        assert hand.leverage is not None
        total = np.sum([moment.swing for moment in hand.moments], axis=0) + hand.worth
        assert total == pytest.approx(np.array(last.worth))
        drawn = [event.index for event in shown.events if event.kind == EventKind.DRAW]
        assert set(drawn) <= {moment.event for moment in hand.moments}
    ((hand, moment),) = luck.swings(1)
    assert moment.size == max(one.size for other in luck.hands for one in other.moments)
    assert moment in hand.moments


def test_a_draw_that_wins_says_so_before_the_win() -> None:
    """The chances after a winning draw are nearly those after the win."""
    game, luck = sample()
    found = 0
    for hand, shown in zip(luck.hands, game.hands, strict=True):
        for win in shown.wins:
            if win.is_tsumo and win.seat is not None:
                *_earlier, drawn, won = hand.moments
                assert drawn.swing[win.seat] > abs(won.swing[win.seat])
                found += 1
    assert found


def test_swings_are_in_the_utility_of_choice() -> None:
    game, rules = sample()
    found = paifu.game_luck(game, utility="tenhou-7dan")
    assert found.utility == "tenhou-7dan"
    worth = np.array([90, 45, 0, -135])
    for hand, other in zip(found.hands, rules.hands, strict=True):
        assert hand.luck == other.luck
        for moment in hand.moments:
            assert moment.worth == pytest.approx(np.array(moment.places) @ worth)
    with pytest.raises(paifu.ArgumentError, match="there is no utility"):
        paifu.game_luck(game, utility="money")


def test_other_rules_change_what_is_worked_out() -> None:
    """Where a game may go on into the west round, chances are others; without honba, payments are."""
    plain = call("show", SAMPLE, "--hand", "E3.0", "--luck").text
    other = call("show", SAMPLE, "--hand", "E3.0", "--luck", "--set", "target_points=40000").text
    assert PERCENTAGES.findall(plain) != PERCENTAGES.findall(other)
    assert call("show", SAMPLE, "--set", "no=1").status == 2
    assert "payment differs" in call("show", SAMPLE, "--set", "honba_each=0").text
    assert "payment differs" not in call("show", SAMPLE).text


def test_turning_points_are_the_largest_swings_in_the_order_of_play() -> None:
    _game, luck = sample()
    sizes = {hand.number: max(map(abs, hand.swing)) for hand in luck.hands}
    for most in (0, 1, 3, 99):
        found = [hand.number for hand in luck.turning_points(most)]
        assert found == sorted(found)
        assert set(found) == set(sorted(sizes, key=lambda number: -sizes[number])[:most])
    for hand in luck.hands:
        assert hand.moment.size == max(node.size for node in hand.nodes if node.event is not None)


@pytest.mark.parametrize(
    ("log", "reason"),
    [
        (
            "sample_logs/formats/sanma.mjlog.gz",
            "luck is not measured in games with 3 players: too few are known to test it on",
        ),
        ("cut", "luck is not measured: the log of the game is not whole"),
        ("hidden", "luck is not measured: tiles are hidden"),
    ],
)
def test_a_game_that_cannot_be_measured_says_why_in_one_line(
    log: str, reason: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if log.endswith("gz"):
        (game,) = paifu.read(log)
        text = call("show", log, "--luck").text
        lines = [line for line in text.splitlines() if "luck" in line]
        assert lines == [reason]
        assert "%" not in text
    else:
        (batch,) = read_batches([SAMPLE])
        batch = batch.copied()
        if log == "cut":
            batch.games.is_cut[0] = True
        else:
            batch.hands.dealt[3, 1, 5] = 255
        game = Game.of(batch, 0)
    with pytest.raises(paifu.ArgumentError, match=reason):
        paifu.game_luck(game)


# --- the terminal --------------------------------------------------------------------------------------


def shown(*options: str) -> list[str]:
    text = call("show", SAMPLE, *options).text
    return text.splitlines()


def test_without_the_option_nothing_is_measured_or_loaded() -> None:
    assert not any("luck" in line or PERCENTAGES.search(line) for line in shown())
    script = (
        "import sys; from paifu.cli.__main__ import main; "
        f"main(['show', {SAMPLE!r}]); "
        "print([name for name in sys.modules if name.startswith('paifu.coach.luck.') "
        "and not name.endswith('.views')])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1] == "[]", done.stderr


def test_the_terminal_shows_the_numbers_of_each_hand() -> None:
    game, luck = sample()
    for hand in game.hands[::3]:
        measured = luck.hands[hand.index]
        lines = shown("--hand", hand.label, "--luck")
        order = [((hand.dealer or 0) + step) % 4 for step in range(4)]
        assert measured.places is not None
        told = [moment.places for moment in measured.moments[:-1] if moment.is_notable]
        expected = [
            [" ".join(f"{100 * chance:.0f}" for chance in places[seat]) + "%" for seat in order]
            for places in (measured.places, *told)
        ]
        assert [PERCENTAGES.findall(line) for line in lines if PERCENTAGES.search(line)] == expected
        rows = [re.findall(r"luck ([+-]\d+)", line) for line in lines if re.search(r"luck [+-]\d", line)]
        assert rows[-1] == [f"{round(measured.luck[seat]):+}" for seat in order]
        notable = [node for node in measured.nodes if max(map(abs, node.luck)) >= NOTABLE]
        assert rows[:-1] == [[f"{round(node.luck[seat]):+}" for seat in order] for node in notable]


def test_a_mark_is_below_the_draw_that_it_is_about() -> None:
    lines = shown("--hand", "E3.0", "--luck")
    at = next(number for number, line in enumerate(lines) if "7s luck" in line)
    assert lines[at - 1].split()[1] == "7s→9p"


@pytest.mark.full
def test_a_seat_is_not_told_the_luck_of_hidden_draws() -> None:
    game, luck = sample()
    for seat in range(4):
        text = "\n".join(shown("--luck", "--seat", str(seat)))
        drawn = [node for hand in luck.hands for node in hand.nodes if node.kind == NodeKind.DRAW]
        own = sum(node.is_notable and node.seat == seat for node in drawn)
        assert len(re.findall(r"\d[mpsz] luck", text)) == own > 0
    assert game.players == 4


@pytest.mark.every(4)
@pytest.mark.parametrize("options", [(), ("--seat", "2"), ("--seat", "0")])
def test_no_line_is_wider_than_80_cells(options: tuple[str, ...]) -> None:
    text = call("show", "sample_logs/games/hanchan-4p-02.mjlog.gz", "--luck", *options).text
    assert "luck" in text
    assert [line for line in text.splitlines() if cell_len(line) > 80] == []


# --- the page ------------------------------------------------------------------------------------------


def page_of(*options: str) -> str:
    return call("show", SAMPLE, "--html", "-o", "-", *options).text


def test_the_data_of_the_page_are_the_numbers_of_the_game() -> None:
    game, luck = sample()
    data = data_of(page_of())["games"][0]
    course = data["luck"]
    assert len(course["places"]) == len(course["chances"]) == len(game.hands) + 1
    for hand in luck.hands:
        assert course["luck"][hand.number] == [round(points) for points in hand.luck]
        assert hand.places is not None
        for seat, chances in enumerate(hand.places):
            assert course["places"][hand.number][seat] == pytest.approx(
                np.dot(chances, [1, 2, 3, 4]), abs=1e-3
            )
            assert course["chances"][hand.number][seat] == [round(100 * chance) for chance in chances]
        notable = [node for node in hand.nodes if node.is_notable]
        assert [one["e"] for one in data["hands"][hand.number]["luck"]] == [node.event for node in notable]
        steps = course["course"][hand.number]
        assert steps["e"] == [moment.event for moment in hand.moments]
        assert steps["p"][-1] == pytest.approx(course["places"][hand.number + 1], abs=0.01)
    assert sorted(course["places"][-1]) == [1, 2, 3, 4]
    for turn in course["turns"]:
        moments = luck.hands[turn["h"]].moments
        (one,) = [moment for moment in moments if moment.size == max(other.size for other in moments)]
        assert turn["e"] == one.event
        assert turn["f"] == pytest.approx(mean_place(one.places_before[turn["o"]]), abs=0.01)
        assert turn["t"] == pytest.approx(mean_place(one.places[turn["o"]]), abs=0.01)
    assert "wins by" in course["turns"][1]["w"]


def test_there_is_no_chart_of_a_part_of_a_game_or_of_one_not_measured() -> None:
    assert "luck" not in data_of(page_of("--hand", "E3"))["games"][0]
    text = call("show", "sample_logs/formats/sanma.mjlog.gz", "--html", "-o", "-").text
    assert "luck" not in data_of(text)["games"][0]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("luck")
    (folder / "one.html").write_text(page_of(), encoding="utf-8")
    game, luck = sample()
    hostile = game_data(game, luck=luck) | {
        "names": ["<b>&quot;</b>", "a" * 60, "チドリチドリチドリチドリ", "Daigo"]
    }
    without = {key: value for key, value in game_data(game).items() if key != "luck"}
    (folder / "two.html").write_text(show_page([without, hostile]), encoding="utf-8")
    (folder / "many.html").write_text(show_page([long_game()]), encoding="utf-8")
    return folder / "one.html"


def long_game() -> Any:
    """A game of three times as many hands, three in a row of which are turning points."""
    game, luck = sample()
    data = game_data(game, luck=luck)
    course, hands = data["luck"], data["hands"]
    data["hands"] = [hand | {"label": f"E{place + 1}.0"} for place, hand in enumerate(hands * 3)]
    for name in ("chances", "places"):
        course[name] = course[name][:-1] * 3 + course[name][-1:]
    course["luck"] *= 3
    course["course"] *= 3
    course["turns"] = [turn | {"h": 8 + place} for place, turn in enumerate(course["turns"])]
    return data


HREFS = "return [...document.querySelectorAll('#course a')].map((a) => a.getAttribute('href'))"


@pytest.mark.full
def test_marks_lead_to_hands_and_moments_of_the_page(browser: Browser, page: Path) -> None:
    data = data_of(page.read_text("utf-8"))["games"][0]
    events = {hand["label"]: len(hand["events"]) for hand in data["hands"]}
    browser.open(page)
    hrefs = browser.run(HREFS)
    assert len(hrefs) >= len(events) + 4 * 3
    for href in hrefs:
        label, _colon, event = href[1:].partition(":")
        assert label in events
        assert not event or int(event) < events[label]
    turn = data["luck"]["turns"][1]
    label = data["hands"][turn["h"]]["label"]
    browser.run("document.querySelectorAll('#course .turns li')[1].querySelectorAll('a')[1].click()")
    browser.wait("return location.hash", f"#{label}:{turn['e']}")
    browser.wait("return document.querySelector('.count').textContent", f"event {turn['e']}")
    assert browser.text(".chance").startswith("Luck here, in points: ")
    browser.wait("return document.querySelectorAll('#course .now').length", 1)
    assert browser.complaints() == []


@pytest.mark.full
@pytest.mark.parametrize("size", [DESKTOP, PHONE, (320, 640)])
@pytest.mark.parametrize("name", ["one.html", "two.html", "many.html"])
def test_labels_do_not_overlap_and_nothing_is_cut(
    browser: Browser, page: Path, size: tuple[int, int], name: str
) -> None:
    browser.open(page.with_name(name), "#2/E1.0" if name == "two.html" else "", size)
    browser.wait("return document.querySelectorAll('#course svg .line').length", 4)
    found = browser.run("""
        const canvas = document.querySelector('#course svg').getBoundingClientRect();
        const labels = '#course svg > text, #course .turn circle';
        const boxes = [...document.querySelectorAll(labels)].map((one) => {
          const box = one.getBoundingClientRect();
          const { left, right, top, bottom } = box;
          return { text: one.textContent, left, right, top, bottom };
        });
        const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
          && a.top < b.bottom - 1 && b.top < a.bottom - 1;
        return {
          over: boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => meet(a, b)).map((b) => [a, b])),
          out: boxes.filter((a) => a.left < canvas.left - 1 || a.right > canvas.right + 1
            || a.top < canvas.top - 1 || a.bottom > canvas.bottom + 1),
          wide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
        };
    """)
    assert found == {"over": [], "out": [], "wide": False}


def test_all_links_of_the_chart_have_names(browser: Browser, page: Path) -> None:
    browser.open(page)
    names = browser.run(
        "return [...document.querySelectorAll('#course a')]"
        ".map((a) => a.getAttribute('aria-label') || a.textContent)"
    )
    assert names
    assert all(names)
    marks = browser.run(
        "return [...document.querySelectorAll('#course .turn, #course .moment')]"
        ".map((a) => a.getAttribute('aria-label'))"
    )
    assert len(set(marks)) == 6
    assert browser.run("return document.querySelector('#course svg').getAttribute('role')") == "group"


def test_a_page_that_hides_hands_hides_the_course_at_first(
    browser: Browser, page: Path, tmp_path: Path
) -> None:
    closed = tmp_path / "closed.html"
    closed.write_text(page_of("--seat", "1"), encoding="utf-8")
    browser.open(closed, "#E3.0:112")
    assert browser.run("return document.getElementById('course').open") is False
    assert not browser.find(".chance").is_displayed()
    browser.run("document.getElementById('course').open = true")
    browser.wait("return document.querySelector('#course svg').getBoundingClientRect().width > 200", True)
    browser.open(page.with_name("two.html"))
    assert browser.run("return document.getElementById('course').hidden"), "a game without luck"
