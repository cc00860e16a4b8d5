"""Of players who are average by construction next to nothing is said, from logs to words; of others it is.

On simulated games of equal players, and where they are, on real logs that no fit has seen.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from command import call
from made_up_players import METRICS, Seats, bias_for, held_out, own_of, reference_of, said_of, told_of_average

from paifu.api.simulated import batch_of
from paifu.coach.simulate.games import PLAYERS, Simulator
from paifu.replay.rulesets.presets import load_preset
from paifu.replay.table.engine import replay
from paifu.reports.metrics.catalogue import choose
from paifu.reports.metrics.counters import seat_sums
from paifu.reports.metrics.recording import records
from paifu.reports.statistics.reference import Population, shipped_reference
from paifu.reports.statistics.standouts import standouts

pytestmark = pytest.mark.full

SAMPLES = Path(__file__).parents[2] / "sample_logs"
GAMES = 600


@pytest.fixture(scope="module")
def simulated() -> Seats:
    """Games of equal players, each of whom sits in many."""
    simulator = Simulator(load_preset("tenhou"), [PLAYERS["balanced"]])
    made = records(replay(batch_of([simulator.game(seed) for seed in range(GAMES)]), review=True))
    sums = seat_sums(made, choose(METRICS))
    random = np.random.default_rng(1)
    names = [[f"player {number}" for number in random.choice(80, 4, replace=False)] for _ in range(GAMES)]
    return Seats((4, "", "south"), choose(METRICS), sums, np.array(names))


@pytest.fixture(scope="module")
def reference(simulated: Seats) -> Population:
    return reference_of(simulated.only(np.arange(GAMES // 2)), 1000)


def most(players: int) -> float:
    """Return the greatest share of players by chance, three standard errors above one in twenty."""
    return 0.05 + 3 * (0.05 * 0.95 / players) ** 0.5


@pytest.mark.parametrize("size", [25, 100])
def test_next_to_nothing_is_said_of_average_players(
    simulated: Seats, reference: Population, size: int
) -> None:
    rest = simulated.only(np.arange(GAMES // 2, GAMES))
    told, places = told_of_average(rest, reference, size, 100, np.random.default_rng(size))
    assert told <= most(100) * 100
    assert not places or np.mean(places) == pytest.approx(50, abs=6)


def test_of_who_differs_it_is_said(simulated: Seats, reference: Population) -> None:
    """A test that never reports anything would pass the others."""
    flat, name = simulated.flat, "call_rate"
    counts, bases = flat[:, METRICS.index(name)].T
    chance = bias_for(counts, bases, 0.08)
    random, found = np.random.default_rng(2), Counter[str]()
    for _ in range(40):
        own = own_of(flat[random.choice(len(flat), 200, p=chance)])
        found.update(said_of(own, reference)[0])
    assert found["headline"] >= 36


def test_the_power_that_is_said_is_the_one_there_is(simulated: Seats, reference: Population) -> None:
    flat = simulated.flat
    random = np.random.default_rng(3)
    for name in ("deal_in_rate", "call_rate"):
        n, d = flat[:, METRICS.index(name)].T
        other = reference.estimate(name)
        found, foretold = [], []
        for _ in range(100):
            own = own_of(flat[random.choice(len(flat), 100)])
            one = next(one for one in standouts(own, reference).power if one.metric == name)
            assert one.chance >= 0.5
            chance = bias_for(n, d, other.n / other.d + one.difference - n.sum() / d.sum())
            made = standouts(own_of(flat[random.choice(len(flat), 100, p=chance)]), reference)
            foretold.append(one.chance)
            found.append(name in made.names)
        assert np.mean(found) == pytest.approx(np.mean(foretold), abs=0.16), name


def test_programs_do_not_count(simulated: Seats) -> None:
    """With a program at every table, the reference is that of the others alone."""
    half = simulated.only(np.arange(GAMES // 2))
    names = half.names.copy()
    names[:, 0] = "ⓝAki"
    sums = half.sums.copy()
    sums[:, 0, :, 0] *= 2
    found = reference_of(replace(half, names=names, sums=sums), 250)
    three = own_of(half.sums[:, 1:].reshape(-1, *half.sums.shape[2:]))
    for name in ("deal_in_rate", "call_rate", "win_value"):
        value, other = found.estimate(name).value, three.stats[name].value
        assert value is not None
        assert value == pytest.approx(other), name


def test_words_are_found_where_they_are(tmp_path: Path) -> None:
    """Page and JSON say the same of a player of the sample games."""
    page = tmp_path / "page.html"
    assert call("report", SAMPLES / "games", "--player", "Botan", "-o", page).status == 0
    [group] = json.loads(call("stats", SAMPLES / "games", "--player", "Botan", "-f", "json").data)["groups"]
    stands_out = [*group["stands_out"]["style"], *group["stands_out"]["results"]]
    assert ('<li class="standout' in page.read_text("utf-8")) == bool(stands_out)


@pytest.mark.corpus
def test_next_to_nothing_is_said_of_average_people(shared: Path) -> None:
    """Real games that no fit has seen, against the reference that ships."""
    kinds = [(4, "houou", "south"), (4, "tokujou", "south")]
    for games in held_out([shared / "logs", shared / "fitting"], kinds):
        known = shipped_reference().of(Counter({games.kind: 1}))
        assert known is not None
        for size in (25, 100):
            told, places = told_of_average(games, known, size, 100, np.random.default_rng(size))
            assert told <= most(100) * 100, (games.kind, size)
            assert np.mean(places) == pytest.approx(50, abs=5)
