"""What is concluded: intervals contain the truth as often as they say, and noise is not reported.

On drawn sums and on simulated games.
"""

from __future__ import annotations

import numpy as np
import pytest
from each_row import each_row
from made_up_players import Seats, coverage, metrics_of_riichi, seem_to_differ

from paifu.api.simulated import batch_of
from paifu.coach.simulate.games import PLAYERS, Simulator
from paifu.replay.arrays import F64
from paifu.replay.rulesets.presets import load_preset
from paifu.replay.table.engine import replay
from paifu.reports.inference.chances import between, chance, deviates
from paifu.reports.inference.farthest import farthest
from paifu.reports.inference.intervals import Nature, deviate, interval, student
from paifu.reports.inference.shrinking import shrunken, spread
from paifu.reports.inference.sums import GameSums
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.metrics.counters import Chosen, count, seat_sums
from paifu.reports.metrics.recording import records
from paifu.reports.metrics.records import Records
from paifu.reports.statistics.values import statistics

DRAWN = 2000
"""Made-up players."""


def games_of(nature: Nature, random: np.random.Generator, games: int, rate: float) -> tuple[F64, F64]:
    """Draw numerators and denominators of (games, players) whose hands depend on each other."""
    hands = random.integers(6, 15, (games, DRAWN))
    if nature is Nature.SIGNED:
        return random.normal(rate, 2.0, hands.shape) * hands, hands
    cases = random.binomial(hands, random.beta(50 * rate, 50 * (1 - rate), hands.shape))
    if nature is Nature.AMOUNT:
        return random.gamma(np.maximum(cases * 1.5, 1e-9), 3000) * (cases > 0), cases
    return cases, hands


@pytest.mark.parametrize("games", [10, 25, 100])
@pytest.mark.parametrize(
    ("nature", "rate"),
    [
        (Nature.SHARE, 0.02),
        (Nature.SHARE, 0.2),
        (Nature.SHARE, 0.9),
        (Nature.COUNT, 0.05),
        (Nature.COUNT, 0.3),
        (Nature.AMOUNT, 0.2),
        (Nature.SIGNED, 0.0),
    ],
    ids=str,
)
def test_intervals_contain_the_truth_as_often_as_they_say(nature: Nature, rate: float, games: int) -> None:
    n, d = games_of(nature, np.random.default_rng(games), games, rate)
    truth = n.sum() / d.sum()
    sums = GameSums.of_games(n, d)
    low, high = interval(sums, nature)
    known = ~np.isnan(low)
    assert known.mean() > 0.98
    assert 0.92 <= ((low <= truth) & (truth <= high))[known].mean() <= 0.98
    assert (low < high)[known].all()
    far = deviates(sums, nature, truth)
    by_chance = chance(far[np.isfinite(far)])
    assert (by_chance < 0.05).mean() < 0.07
    assert (by_chance < 0.001).mean() < 0.005


@pytest.mark.parametrize("games", [10, 25, 100, 400])
@pytest.mark.parametrize("far", [0.0, 0.01, 0.04], ids=str)
def test_ratings_of_tables_contain_the_truth_although_few_are_far_below(far: float, games: int) -> None:
    """Tables 40 R apart, of which some are hundreds lower, as where a seat has a new account."""
    random = np.random.default_rng(games)
    shape = (games, DRAWN)
    low = (random.random(shape) < far) * random.uniform(20_000, 40_000, shape)
    n = 200_000 + random.normal(0, 4000, shape) - low
    truth = 200_000 - far * 30_000
    sums = GameSums.of_games(n, np.ones(shape))
    bounds = [interval(sums, nature) for nature in (Nature.RATING, Nature.SIGNED)]
    inside, plain = (((low <= truth) & (truth <= high)).mean() for low, high in bounds)
    assert 0.93 <= inside <= (0.98 if games >= 25 and not far else 1)
    assert inside >= plain - 0.01
    if (far, games) == (0.04, 25):
        assert plain < 0.9, "few games show no such table"


def test_dependent_rows_widen_an_interval() -> None:
    """All four rows of a game say the same: as many games, not four times as many rows."""
    random = np.random.default_rng(3)
    four = 4 * random.binomial(1, 0.3, (100, DRAWN))
    low, high = interval(GameSums.of_games(four, np.full(four.shape, 4)), Nature.SHARE)
    assert ((low <= 0.3) & (high >= 0.3)).mean() > 0.93
    cases, rows = four.sum(axis=0), np.full(DRAWN, 400.0)
    low, high = interval(GameSums(cases, rows, cases, cases, rows), Nature.SHARE)
    assert ((low <= 0.3) & (high >= 0.3)).mean() < 0.75, "what rows without games would say"


@each_row(("cases", "rows"), [(0, 25), (25, 25), (0, 1), (1, 1), (1, 300), (0, 5000)])
def test_few_cases_have_a_bound_on_each_side(cases: int, rows: int) -> None:
    n = np.array([1.0] * cases + [0.0] * (rows - cases))
    low, high = (float(one) for one in interval(GameSums.of_games(n, np.ones(rows)), Nature.SHARE))
    assert 0 <= low < high <= 1
    if cases in (0, rows):
        assert (high if cases == 0 else 1 - low) == pytest.approx(1 - 0.05 ** (1 / rows))


def test_an_amount_of_nothing_has_no_bound_and_a_count_has() -> None:
    nothing = GameSums.of_games([0, 0, 0], [10, 10, 10])
    assert np.isnan(interval(nothing, Nature.AMOUNT)).all()
    assert float(interval(nothing, Nature.COUNT)[1]) == pytest.approx(3 / 30, rel=0.06)
    alone = GameSums.of_games([3], [10])
    assert np.isnan(interval(alone, Nature.SIGNED)).all(), "one game says nothing of the spread"


def test_student() -> None:
    """Quantiles from tables; and back."""
    for freedom, true in ((3, 3.182), (5, 2.571), (9, 2.262), (24, 2.064), (99, 1.984)):
        assert float(student(freedom)) == pytest.approx(true, rel=0.02)
        assert float(deviate(student(freedom), freedom)) == pytest.approx(1.96, abs=1e-3)
        assert float(deviate(-true, freedom)) < 0


def test_far_out_a_share_is_as_rare_as_binomial_tails() -> None:
    """The normal approximation says 1e-10 of five cases where half of one is expected; the truth is 2e-4."""
    rows = np.zeros(500)
    rows[:5] = 1
    far = deviates(GameSums.of_games(rows, np.ones(500)), Nature.SHARE, 0.001)
    assert 5e-5 < float(chance(far)) < 2e-3


def test_differences_of_equal_groups_are_rarely_reported() -> None:
    random = np.random.default_rng(5)
    for nature, rate in (
        (Nature.SHARE, 0.02),
        (Nature.SHARE, 0.2),
        (Nature.COUNT, 0.1),
        (Nature.SIGNED, 0.0),
    ):
        one, two = (GameSums.of_games(*games_of(nature, random, 25, rate)) for _ in range(2))
        value, half, far = between(one, two, nature)
        known = np.isfinite(far)
        assert (chance(far[known]) < 0.05).mean() < 0.065
        assert ((abs(value) <= half)[known]).mean() > 0.93


# --- how much players differ ---------------------------------------------------------------------------


def test_the_spread_between_players_leaves_chance_out() -> None:
    random = np.random.default_rng(7)
    same = GameSums.of_games(random.random((30, 2000)) < 0.25, np.ones((30, 2000)))
    found = spread(same, 60_000)
    assert found is not None
    assert not found.is_known
    skill = random.normal(0.25, 0.05, 2000)
    found = spread(GameSums.of_games(random.random((30, 2000)) < skill, np.ones((30, 2000))), 60_000)
    assert found is not None
    assert found.is_known
    assert found.variance**0.5 == pytest.approx(0.05, abs=0.006)
    assert found.games_needed == pytest.approx(0.25 * 0.75 / 0.05**2, rel=0.3)


def test_shrunken_values_are_nearer_to_the_truth() -> None:
    random = np.random.default_rng(8)
    skill = random.normal(0.25, 0.05, 2000)
    seen = GameSums.of_games(random.random((30, 2000)) < skill, np.ones((30, 2000)))
    among = spread(seen, 60_000)
    assert among is not None
    value, error = shrunken(seen, among)
    assert ((value - skill) ** 2).mean() < 0.5 * ((seen.ratio - skill) ** 2).mean()
    assert (abs(value - skill) <= 1.96 * error).mean() == pytest.approx(0.95, abs=0.02)
    assert float(shrunken(GameSums.of([0, 0, 0, 0, 0]), among)[0]) == among.mean


@pytest.mark.parametrize("far", [0.02, 0.1, 0.5])
def test_one_huge_player_moves_no_spread(far: float) -> None:
    """A program with as many hands as all others together, who are like each other."""
    random = np.random.default_rng(9)
    skill = np.full(601, 0.14)
    skill[0] -= far / 4
    hands = np.full(601, 100.0)
    hands[0] = 60_000
    cases = random.binomial(hands.astype(int), skill).astype(float)
    players = GameSums(cases, hands, cases, cases, hands)
    alone = spread(players.take(np.s_[1:]), 6000)
    found = spread(players, 12_000)
    assert alone is not None
    assert found is not None
    assert found.mean == pytest.approx(alone.mean, abs=0.001)
    assert found.variance**0.5 == pytest.approx(alone.variance**0.5, abs=0.004)
    assert not found.is_known
    assert found.of_row == pytest.approx(0.14 * 0.86, rel=0.05)


def test_the_farthest_of_many_goes_as_far_as_counted() -> None:
    """Of independent statistics as far as independent normal deviates; of one many times, no farther."""
    random = np.random.default_rng(4)
    seats = np.ones((2000, 20, 2))
    seats[..., 0] = random.normal(0, 1, (2000, 20))
    seats[:, 10:] = seats[:, :1]
    families = {"apart": np.arange(10), "same": np.arange(10, 20)}
    uses = {"apart": ("apart", 0.05), "same": ("same", 0.05)}
    made = farthest(seats, np.ones(2000), [Nature.SIGNED] * 20, families, uses, least=1, players=4000)
    assert made.limit("apart", 200) == pytest.approx(2.80, abs=0.08)
    assert made.limit("same", 200) == pytest.approx(1.96, abs=0.08)


# --- the experiments, on simulated games of equal players ----------------------------------------------

GAMES = 500


@pytest.fixture(scope="module")
def made() -> Records:
    simulator = Simulator(load_preset("tenhou"), [PLAYERS["balanced"]])
    return records(replay(batch_of([simulator.game(seed) for seed in range(GAMES)]), review=True))


@pytest.fixture(scope="module")
def seats(made: Records) -> Seats:
    metrics = metrics_of_riichi()
    return Seats((4, "", "south"), metrics, seat_sums(made, metrics), made.games.names)


@pytest.mark.full
def test_intervals_of_average_players_contain_the_truth(seats: Seats) -> None:
    random = np.random.default_rng(1)
    found = coverage(seats, 25, 4000, random)
    often = found.share[~found.is_rare]
    assert len(often) > 250
    assert 0.94 <= often.mean() <= 0.96
    assert np.quantile(often, [0.02, 0.98]) == pytest.approx([0.95, 0.95], abs=0.03)
    assert found.share.min() > 0.88, "of rare ones more, never fewer"
    differ = [seem_to_differ(seats, seats.deal(random, 25, 80)) for _ in range(10)]
    assert sum(one for one, _ in differ) <= 0.03 * sum(number for _, number in differ)


@pytest.mark.full
def test_what_is_fixed_for_a_table_has_no_interval(made: Records) -> None:
    names = [name for name, metric in CATALOGUE.items() if metric.is_rate]
    found = statistics(count(made, [CATALOGUE[name] for name in names], Chosen(("seat",))))
    for name in names:
        one = found.population.stats[name]
        if one.value is None or one.sums.games < 100 or (not 0 < one.n < one.d and one.value == 0):
            continue
        is_constant = not float(one.sums.variance())
        if CATALOGUE[name].is_fixed:
            assert is_constant, name
            assert one.low is None, name
            assert found.groups[0].stats[name].low is not None, "of one seat it is not fixed"
        elif CATALOGUE[name].nature not in (Nature.SHARE, Nature.RATING):
            assert is_constant == (one.low is None), name
