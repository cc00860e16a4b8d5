"""Chances of places: the settlement of the model, what it knows, and ``paifu places``."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest
from command import call

import paifu
from paifu.coach.kernels import place_chances
from paifu.coach.places.model import GameState, PlaceModel, place_model
from paifu.coach.places.templates import (
    ABORTED,
    EXHAUSTED,
    NAGASHI,
    WON,
    Template,
    end_under,
    shipped_templates,
)
from paifu.coach.places.utilities import utility
from paifu.replay.course.settlement import (
    HandOutcome,
    HandStart,
    OutcomeKind,
    endings,
    final_result,
    next_hand,
)
from paifu.replay.model.events import HandEnd
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.fields import RuleValue
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import load_preset, preset_names, with_overrides
from paifu.reports.scores.place_table import need_table

TENHOU, SANMA, MLEAGUE = map(load_preset, ("tenhou", "tenhou-sanma", "mleague"))
ARGUMENTS = ("places", "--scores", "35,29,19,17", "--round", "S4", "--honba", "1")


def states(rules: Ruleset, count: int, seed: int) -> list[GameState]:
    """Return states that games may come to, many of them near an end."""
    rng, players = np.random.default_rng(seed), rules.table.players
    found = []
    for _state in range(count):
        wind, turn = rng.integers(0, rules.table.max_wind_rounds), rng.integers(0, players)
        first = int(rng.integers(0, players))
        scores = 100 * rng.integers(-5, 600, players) // rng.choice([1, 2, 30])
        start = HandStart(
            int(4 * wind + turn),
            int(rng.integers(0, 4)),
            int(rng.integers(0, 3)),
            int((first + turn) % players),
        )
        found.append(GameState(tuple(scores.tolist()), start, first))
    return found


def expected(rules: Ruleset, state: GameState, template: Template) -> tuple[list[int], HandOutcome]:
    """Return scores after an end, and how it counts: by the rules, one payment after the other."""
    players, start = rules.table.players, state.start
    seats = [(start.dealer + place) % players for place in range(players)]
    scores, sticks = list(state.scores), start.sticks
    for place, seat in enumerate(seats):
        if template.riichi >> place & 1:
            scores[seat] -= rules.riichi.riichi_stick
            sticks += 1
    tenpai = tuple(seat for place, seat in enumerate(seats) if template.tenpai >> place & 1)
    if template.kind == ABORTED:
        return scores, HandOutcome(OutcomeKind.ABORTIVE, (), (), sticks)
    if template.kind == EXHAUSTED:
        noten = players - len(tenpai)
        if tenpai and noten:
            each = (rules.payment.noten_pay_1, rules.payment.noten_pay_2, rules.payment.noten_pay_3)[
                len(tenpai) - 1
            ]
            for seat in seats:
                scores[seat] += each * noten // len(tenpai) if seat in tenpai else -each
        return scores, HandOutcome(OutcomeKind.EXHAUSTIVE, (), tenpai, sticks)
    assert template.kind == WON
    honba = start.honba * rules.payment.honba_each
    winners = template.winners[: 1 if rules.win.head_bump else None]
    if template.is_ron:
        for number, (place, value) in enumerate(zip(winners, template.changes, strict=False)):
            paid = {7700: 8000, 11600: 12000}.get(value, value) if rules.scoring.kiriage else value
            paid += honba * (players - 1) if number == 0 or rules.payment.multi_ron_honba else 0
            scores[seats[place]] += paid
            scores[seats[template.source]] -= paid
            if number and rules.payment.multi_ron_sticks and template.riichi >> place & 1:
                scores[seats[place]] += rules.riichi.riichi_stick
                sticks -= 1
    else:
        row = end_under(template, rules)
        assert row is not None
        for place, seat in enumerate(seats):
            scores[seat] += int(row[place_chances.E_CHANGES + place])
            scores[seat] += honba * (players - 1) if place == winners[0] else -honba
    scores[seats[winners[0]]] += sticks * rules.riichi.riichi_stick
    return scores, HandOutcome(OutcomeKind.WIN, tuple(seats[place] for place in winners))


VARIANTS: tuple[dict[str, RuleValue], ...] = (
    {},
    {"yame_choice": True},
    {"last_noten": "goes_on", "sudden_death": False},
    {"multi_ron_sticks": "own_first", "multi_ron_honba": "each", "head_bump": False},
)


@pytest.mark.every(6)
@pytest.mark.parametrize("name", preset_names(Scheme.HAN_FU))
def test_a_hand_ends_as_the_engine_settles_it(name: str) -> None:
    """Payments, next hand and end of the game: two implementations, for every preset of riichi."""
    for changes in VARIANTS:
        rules = with_overrides(load_preset(name), changes)
        templates = shipped_templates(rules.table.players)
        if templates is None or rules.payment.wareme:
            continue
        rng, model = np.random.default_rng(5), PlaceModel(rules, templates, 4)
        several = [one for one in templates.counts if len(one.winners) == 2]
        every = [*[one for one in templates.counts if one.kind != NAGASHI], *8 * several]
        for state in states(rules, 250, 11):
            template = every[rng.integers(len(every))]
            (after,) = model.after(state, [template])
            if after is None:
                assert template.kind == ABORTED
                continue
            scores, outcome = expected(rules, state, template)
            may_follow = endings(rules, state.start, outcome, scores, state.first_dealer)
            assert after.scores == tuple(scores), (state, template)
            assert (after.is_over and may_follow != (None,)) or (not after.is_over and None in may_follow)
            if not after.is_over:
                assert after.start == next_hand(rules, state.start, outcome)


def test_an_end_is_what_the_ruleset_makes_of_it() -> None:
    ron = Template(WON, winners=(1, 2), source=0, changes=(7700, 2000))
    under = {rules.name: end_under(ron, rules) for rules in (TENHOU, MLEAGUE)}
    assert [row[place_chances.E_CHANGES :].tolist() for row in under.values() if row is not None] == [
        [-9700, 7700, 2000, 0],
        [-8000, 8000, 0, 0],
    ]
    assert end_under(Template(ABORTED, way=HandEnd.KYUUSHU), MLEAGUE) is None
    tsumo = end_under(Template(WON, winners=(1,), source=1, changes=(-3900, 7900, -2000, -2000)), MLEAGUE)
    assert tsumo is not None
    assert tsumo[place_chances.E_CHANGES :].tolist() == [-4000, 8000, -2000, -2000]
    nagashi = Template(NAGASHI, tenpai=2, winners=(0,), changes=(12000, -4000, -4000, -4000))
    kinds = []
    for choice in ("none", "draw", "win"):
        row = end_under(nagashi, with_overrides(TENHOU, {"nagashi": choice}))
        assert row is not None
        kinds.append((int(row[place_chances.E_KIND]), int(row[place_chances.E_CHANGES])))
    assert kinds == [(EXHAUSTED, -1000), (EXHAUSTED, 12000), (WON, 12000)]


@pytest.mark.parametrize("rules", [TENHOU, SANMA, MLEAGUE], ids=lambda rules: rules.name)
def test_the_short_way_to_the_last_hand_changes_nothing(rules: Ruleset) -> None:
    """The way through several hands at once, and hand by hand."""
    templates = shipped_templates(rules.table.players)
    assert templates is not None
    model = PlaceModel(rules, templates, 64)
    fast = [(one.places, one.scores) for one in model.chances(states(rules, 40, 3))]
    model._course = model._course._replace(ways=model._course.ways[:0].copy())
    slow = [(one.places, one.scores) for one in model.chances(states(rules, 40, 3))]
    assert all(
        np.array_equal(a, b) for pair in zip(fast, slow, strict=True) for a, b in zip(*pair, strict=True)
    )


@pytest.mark.parametrize("rules", [TENHOU, SANMA, MLEAGUE], ids=lambda rules: rules.name)
def test_seats_share_the_places(rules: Ruleset) -> None:
    for chances, state in zip(
        place_model(rules).chances(states(rules, 30, 1)), states(rules, 30, 1), strict=True
    ):
        assert chances.places.sum(axis=0) == pytest.approx(np.ones(rules.table.players))
        assert chances.places.sum(axis=1) == pytest.approx(np.ones(rules.table.players))
        total = sum(state.scores) + 1000 * state.start.sticks
        assert total + 1000 * rules.table.players * 20 >= chances.scores.sum() >= total - 1


def test_a_game_that_is_over_has_its_places() -> None:
    """Equal points: by seat, or shared with the uma and the sticks."""
    start = HandStart(7, 0, 1, 3)
    state = GameState((30_000, 35_000, 35_000, -1000), start, is_over=True)
    (by_seat,), (shared,) = (place_model(rules).chances([state]) for rules in (TENHOU, MLEAGUE))
    assert by_seat.places[1:3].tolist() == [[1, 0, 0, 0], [0, 1, 0, 0]]
    assert shared.places[1:3].tolist() == [[0.5, 0.5, 0, 0], [0.5, 0.5, 0, 0]]
    assert by_seat.scores.tolist() == [30_000, 36_000, 35_000, -1000]
    for rules, chances in ((TENHOU, by_seat), (MLEAGUE, shared)):
        points = final_result(rules, state.scores, (0,), sticks=1).points
        assert (1000 * utility("rules", rules).of(chances)).tolist() == pytest.approx(points)


def test_chances_know_what_only_rules_know() -> None:
    plain = paifu.places([35_000, 29_000, 19_000, 17_000], "S4")
    laden = paifu.places([35_000, 29_000, 19_000, 17_000], "S4", honba=5, sticks=3)
    assert 0.7 < plain.chances[0, 0] < 0.85
    assert laden.chances[0, 0] < plain.chances[0, 0] - 0.1  # a cheap win is enough for the others
    east = paifu.places([35_000, 29_000, 19_000, 17_000], "E1")
    assert east.chances[0, 0] < plain.chances[0, 0] - 0.15
    overtime = paifu.places([29_000, 27_000, 24_000, 20_000], "S4")
    no_overtime = paifu.places([29_000, 27_000, 24_000, 20_000], "S4", settings={"target_points": 0})
    assert overtime.chances[0, 0] < no_overtime.chances[0, 0]
    chances = [
        paifu.places([25_000 + gap, 25_000 - gap, 25_000, 25_000], "S3").chances[0, 0]
        for gap in range(0, 20_000, 4000)
    ]
    assert chances == sorted(chances)


RON_VALUES = (
    # 1 han, 30 to 110 fu; 2 han, beside those; 3 han, 4 han; limits
    1000, 1300, 1600, 2000, 2300, 2600, 2900, 3200, 3600,
    3900, 4500, 5200, 5800, 6400, 7100,
    7700, 8000, 12000, 16000, 24000, 32000,
)  # fmt: skip
"""What a ron pays to somebody who does not deal, by the usual table of points."""
DEALERS_RON_VALUES = (
    1500, 2000, 2400, 2900, 3400, 3900, 4400, 4800, 5300,
    5800, 6800, 7700, 8700, 9600, 10600,
    11600, 12000, 18000, 24000, 36000, 48000,
)  # fmt: skip
TSUMO_VALUES = len(RON_VALUES) - 1
"""No hand of one han wins by tsumo with 90 fu."""


def test_wins_are_of_every_value_in_the_table_of_points() -> None:
    found = paifu.places([35_000, 29_000, 19_000, 17_000], "S4")
    for seat, values in ((1, RON_VALUES), (3, DEALERS_RON_VALUES)):
        rons = {int(one.value) for one in found.results if (one.kind, one.seat) == ("ron", seat)}
        assert rons == set(values)
    kiriage = paifu.places([35_000, 29_000, 19_000, 17_000], "S4", settings={"kiriage": True})
    rons = {(one.seat, one.value) for one in kiriage.results if one.kind == "ron"}
    assert not {(1, "7700"), (3, "11600")} & rons


@pytest.mark.parametrize(("gap", "value"), [(2200, "2300"), (2800, "2900"), (4400, "4500"), (7000, "7100")])
def test_the_smallest_win_may_have_many_fu(gap: int, value: str) -> None:
    """Second by ``gap``, seat 1 passes seat 0 by ron from seat 2 with the next greater value."""
    answer = paifu.places([30_000 + gap, 30_000, 22_000 - gap, 18_000], "S4")
    (cells,) = [row for row in need_table(answer)[1] if row[0] == "1"]
    assert cells[5].removesuffix("*") == value


def test_results_of_the_hand_are_exact_where_it_ends_the_game() -> None:
    found = paifu.places([35_000, 29_000, 19_000, 17_000], "S4.1", utility="tenhou-7dan")
    results = {(one.kind, one.seat, one.source, one.value): one for one in found.results}
    assert len(results) == len(found.results) == 4 * (3 * len(RON_VALUES) + TSUMO_VALUES) + 16
    direct = results["ron", 1, 0, "3200"]
    assert direct.after.is_over
    assert direct.after.scores == (31_500, 32_500, 19_000, 17_000)
    assert found.utility.of(direct.chances).tolist() == [45, 90, 0, -135]
    assert results["ron", 1, 0, "2600"].places == (1, 2, 3, 4)
    assert results["tsumo", 1, None, "1300/2600"].places[1] == 1
    stays = results["tsumo", 3, None, "2000 all"]
    assert not stays.after.is_over
    assert stays.after.start == HandStart(7, 2, 0, 3)
    assert results["draw", None, None, "3"].after.start.honba == 2
    assert results["draw", None, None, "01"].after.is_over


def test_three_players_split_a_tsumo_where_rules_do() -> None:
    for settings, value in (({}, "2000/4000"), ({"sanma_tsumo": "split"}, "3000/5000")):
        found = paifu.places([40_000, 35_000, 30_000], "S3", settings=settings)
        assert value in {one.value for one in found.results if one.kind == "tsumo" and one.seat == 0}


def test_utilities() -> None:
    assert utility("tenhou-7dan", TENHOU).by_place == (90, 45, 0, -135)
    assert utility("tenhou-4dan", TENHOU).by_place == (75, 30, 0, -90)
    assert utility("tenhou-10dan", with_overrides(TENHOU, {"wind_rounds": 1})).by_place == (60, 30, 0, -120)
    assert utility("tenhou-7dan", SANMA).by_place == (105, 0, -135)
    even = paifu.places([25_000] * 4, rules="mleague")
    assert even.values.sum() == pytest.approx(0, abs=1e-6)


def test_the_command_says_what_each_seat_needs() -> None:
    lines = call(*ARGUMENTS).text.splitlines()
    assert lines[0] == "S4.1, rules tenhou"
    needs = [line.split() for line in lines if line.startswith(("1 ", " 1 "))]
    assert needs[-1] == ["1", "1st", "2nd", "2900", "5800", "5800", "1200/2300"]
    by_seat = call(*ARGUMENTS, "--seat", "1", "--utility", "tenhou-7dan").text
    assert any(line.split()[:3] == ["3200", "1st", "+90.0"] for line in by_seat.splitlines())


def test_the_command_writes_rows_and_documents() -> None:
    document = json.loads(call(*ARGUMENTS, "--format", "json").text)
    assert document["schema"] == "paifu.places/1"
    assert [seat["place_1"] for seat in document["seats"]] == [
        round(float(chance), 4)
        for chance in paifu.places([35_000, 29_000, 19_000, 17_000], "S4.1").chances[:, 0]
    ]
    rows = list(csv.DictReader(io.StringIO(call(*ARGUMENTS, "--seat", "2", "--format", "csv").text)))
    assert len(rows) == 4 * (3 * len(RON_VALUES) + TSUMO_VALUES) + 16
    assert {row["seat"] for row in rows} == {"2"}
    assert len(document["results"]) == 4 * len(rows)


def test_scores_may_be_in_thousands_or_in_points() -> None:
    texts = {
        call("places", "--scores", scores, "--round", "S4").text
        for scores in ("35.2,28.8,19,17", "35200,28800,19000,17000")
    }
    assert len(texts) == 1


def test_points_that_are_missing_are_named() -> None:
    note = "points and sticks add up to 99,000; these rules begin with 100,000"
    short = ("places", "--scores", "34,29,19,17", "--round", "S4")
    assert call(*short).text.splitlines()[1] == note
    assert note not in call(*short, "--sticks", "1").text


def test_three_scores_are_three_players() -> None:
    assert paifu.places([40_000, 35_000, 30_000]).rules.name == "tenhou-sanma"
