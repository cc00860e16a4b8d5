"""The tests of the shuffle: exact nulls, no more false alarms than stated, and the biases they promise."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations, islice
from math import comb
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from command import call
from fair_walls import INDICATOR, SIZE, URA, deals_of_walls, our_walls, quick_walls

import paifu
from paifu.replay.model.tiles import KIND_OF_TILE
from paifu.replay.shapes.shanten import shanten
from paifu.replay.walls import plain
from paifu.replay.walls.tenhou import HAND_SIZE
from paifu.reports.fairness import nulls
from paifu.reports.fairness.catalogue import CHECKS, REPEATS, Setting, ShuffleTest
from paifu.reports.fairness.deals import Deals, Seen
from paifu.reports.fairness.nulls import critical, needed, tail, tail_beyond
from paifu.reports.fairness.starting_hands import shanten_counts
from paifu.reports.fairness.sums import ShuffleResult, Sums, holm, results
from paifu.reports.hands.hand_in_words import dora_of

pytestmark = pytest.mark.every(5)

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "sample_logs" / "games"
SETTING = Setting(4, SIZE, 4)
I64 = npt.NDArray[np.int64]
BY_NAME = {check.name: check for check in CHECKS}


def rng_of(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def p_value(check: ShuffleTest, deals: Deals) -> float:
    outcome = check.judge(SETTING, check.count(deals))
    assert outcome is not None
    return outcome.p


# --- The distributions


@pytest.mark.full
@pytest.mark.parametrize("freedom", [1, 2, 3, 33, 132, 4455])
@pytest.mark.parametrize("ratio", [0.01, 0.5, 0.9, 1.0, 1.1, 2, 5])
def test_the_chi_square_is_that_of_scipy(freedom: int, ratio: float) -> None:
    stats = pytest.importorskip("scipy.stats")
    assert tail(ratio * freedom, freedom) == pytest.approx(stats.chi2.sf(ratio * freedom, freedom), rel=1e-9)
    for alpha in (0.05, 1e-4):
        assert critical(alpha, freedom) == pytest.approx(stats.chi2.isf(alpha, freedom), rel=1e-7)
        bound = stats.ncx2.sf(stats.chi2.isf(alpha, freedom), freedom, needed(alpha, freedom))
        assert bound == pytest.approx(0.8, abs=1e-6)


def test_the_power_of_no_bias_is_alpha() -> None:
    limit = critical(0.03, 7)
    assert tail_beyond(limit, 0, 7) == pytest.approx(0.03)
    assert tail_beyond(limit, needed(0.03, 7), 7) == pytest.approx(0.8)


def test_holm_is_what_its_definition_says() -> None:
    chances = rng_of(1).random(12) ** 3
    corrected = list(holm(chances.tolist()))
    for alpha in (0.001, 0.01, 0.1, 0.5):
        rejected = set()
        for rank, at in enumerate(np.argsort(chances)):
            if chances[at] > alpha / (12 - rank):
                break
            rejected.add(int(at))
        assert {at for at, chance in enumerate(corrected) if chance <= alpha} == rejected


# --- Exact nulls


def test_starting_hands_are_all_hands_and_have_the_shanten_of_random_ones() -> None:
    for players, size in ((4, 136), (3, 108)):
        assert sum(shanten_counts(players)) == comb(size, HAND_SIZE)
    shares = np.array(shanten_counts(4)) / comb(136, HAND_SIZE)
    counted = np.zeros(7)
    for hand in quick_walls(rng_of(5), 3000)[:, :HAND_SIZE] // 4:
        counted[shanten(hand.tolist()).least] += 1
    assert np.abs(counted / 3000 - shares).max() < 0.03


def test_pairs_and_triplets_of_a_small_wall_are_counted_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two hands of four tiles from twelve: every deal can be listed."""
    monkeypatch.setattr(nulls, "HAND_SIZE", 4)
    kinds = np.array([0] * 4 + [1] * 4 + [2] * 4)
    rows = []
    for first in combinations(range(12), 4):
        rest = [tile for tile in range(12) if tile not in first]
        for second in combinations(rest, 4):
            held = [np.bincount(kinds[list(hand)], minlength=3) for hand in (first, second)]
            rows.append([sum(int((h == 2).sum()) for h in held), sum(int((h >= 3).sum()) for h in held)])
    table = np.array(rows, float)
    mean, covariance = nulls.pairs_and_triplets(12, 3, 2)
    assert mean == pytest.approx(table.mean(axis=0))
    assert covariance == pytest.approx(np.cov(table.T, bias=True))


def test_equal_neighbours_and_places_of_many_walls() -> None:
    walls = quick_walls(rng_of(2), 40_000) // 4
    for found, (mean, variance) in (
        ((walls[:, 1:] == walls[:, :-1]).sum(axis=1), nulls.equal_neighbours(SIZE)),
        ((walls[1:] == walls[:-1]).sum(axis=1), nulls.equal_places([1] * SIZE, [4] * 34, SIZE)),
    ):
        assert found.mean() == pytest.approx(mean, rel=0.01)
        assert found.var() == pytest.approx(variance, rel=0.03)


def test_equal_deals_are_less_likely_than_the_bound() -> None:
    outcome = nulls.repeated(2, 1, 4, 136)
    assert outcome is not None
    assert outcome.p < 1e-30
    assert nulls.repeated(2, 0, 4, 136).p == 1  # type: ignore[union-attr]
    assert nulls.repeated(3_000_000, 1, 3, 108).p < 1e-6  # type: ignore[union-attr]


def test_too_few_cases_are_not_judged() -> None:
    deals = deals_of_walls(our_walls(9, 19), rng_of(9))
    judged = {check.name for check in CHECKS if check.judge(SETTING, check.count(deals)) is not None}
    assert judged & {"hands-again", "neighbours", "wall-kinds", "ura-kinds"} == set()
    assert "dealt-kinds" in judged  # a kind is dealt to a seat 7 times


def test_hands_that_were_made_up_are_found() -> None:
    found = paifu.fair(ROOT / "sample_logs" / "rulesets")
    assert {result.test for result in found.found} >= {"dealt-kinds", "pairs", "indicators", "dice"}


# --- No more false alarms than stated


@pytest.fixture(scope="module")
def fair_p_values() -> dict[str, list[float]]:
    """The p-value of each test in each of many runs over our own walls."""
    found: dict[str, list[float]] = {check.name: [] for check in CHECKS}
    for seed in range(60):
        deals = deals_of_walls(our_walls(seed, 500), rng_of(seed))
        for check in CHECKS:
            if check.fits(SETTING):
                found[check.name].append(p_value(check, deals))
    return found


@pytest.mark.full
def test_p_values_of_fair_walls_are_uniform(fair_p_values: dict[str, list[float]]) -> None:
    """By Kolmogorov and Smirnov, at one in ten thousand."""
    for name in (check.name for check in CHECKS if check.fits(SETTING)):
        chances = np.sort(fair_p_values[name])
        steps = np.arange(len(chances) + 1) / len(chances)
        distance = max((steps[1:] - chances).max(), (chances - steps[:-1]).max())
        assert distance < np.sqrt(np.log(2 / 1e-4) / 2 / len(chances)), name


@pytest.mark.full
def test_runs_over_fair_walls_raise_no_more_alarms_than_stated(fair_p_values: dict[str, list[float]]) -> None:
    """At an alpha of 20%, 60 runs raise 12 alarms at most, but for chance; tests that agree make it fewer."""
    runs = zip(*(chances for chances in fair_p_values.values() if chances), strict=True)
    alarms = sum(min(holm(list(run))) <= 0.2 for run in runs)
    assert 2 <= alarms <= 22


# --- Biases are found as often as the stated power says


def swapped(walls: I64, rows: I64, places: I64, others: I64) -> None:
    """Exchange two places in some walls."""
    walls[rows, places], walls[rows, others] = walls[rows, others], walls[rows, places]


def bring(
    wanted: npt.NDArray[np.bool_], to: slice, times: float, walls: I64, rng: np.random.Generator
) -> None:
    """Exchange tiles so that on average ``times`` more of the wanted ones lie within some places."""
    for row in np.flatnonzero(rng.random(len(walls)) < times):
        inside = np.arange(SIZE)[to]
        outside = np.setdiff1d(np.arange(SIZE), inside)
        take, give = outside[wanted[row, outside]], inside[~wanted[row, inside]]
        if len(take) and len(give):
            swapped(walls, np.array([row]), rng.choice(give, 1), rng.choice(take, 1))


DEALER = slice(0, 13)


def more_of_one_kind(walls: I64, bias: float, rng: np.random.Generator) -> None:
    bring(walls // 4 == 0, DEALER, bias * 13 * 4 / SIZE, walls, rng)


def more_honours(walls: I64, bias: float, rng: np.random.Generator) -> None:
    bring(walls // 4 >= 27, DEALER, bias * 13 * 28 / SIZE, walls, rng)


def more_reds(walls: I64, bias: float, rng: np.random.Generator) -> None:
    bring(np.isin(walls, (16, 52, 88)), DEALER, bias * 13 * 3 / SIZE, walls, rng)


def a_kind_in_a_place(walls: I64, bias: float, rng: np.random.Generator) -> None:
    bring(walls // 4 == 0, slice(70, 71), bias * 4 / SIZE, walls, rng)


def ura_is_dora(walls: I64, bias: float, rng: np.random.Generator) -> None:
    dora = np.array([dora_of(kind, 4) for kind in range(34)])[walls[:, INDICATOR] // 4]
    wanted = walls // 4 == dora[:, None]
    free = ~wanted[:, URA]
    wanted[:, INDICATOR] = False
    rows = np.flatnonzero(free & (rng.random(len(walls)) < bias * 4 / 135 / (1 - 4 / 135)))
    for row in rows:
        swapped(walls, np.array([row]), np.array([URA]), rng.choice(np.flatnonzero(wanted[row]), 1))


def as_the_wall_before(walls: I64, bias: float, rng: np.random.Generator) -> None:
    """Shuffled only in part: some places keep the kind that they had."""
    for row in range(1, len(walls)):
        for place in rng.choice(SIZE, rng.poisson(bias * 4 / (1 - 4 / SIZE)), replace=False):
            others = np.flatnonzero(walls[row] // 4 == walls[row - 1, place] // 4)
            swapped(walls, np.array([row]), np.array([place]), rng.choice(others, 1))


BIASES: dict[str, tuple[Callable[[I64, float, np.random.Generator], None], int]] = {
    "dealt-kinds": (more_of_one_kind, 2000),
    "dealt-classes": (more_honours, 2000),
    "dealt-reds": (more_reds, 2000),
    "wall-kinds": (a_kind_in_a_place, 2000),
    "ura-below": (ura_is_dora, 2000),
    "walls-again": (as_the_wall_before, 600),
}


def power_of(name: str, tamper: Callable[..., None], hands: int, runs: int, alpha: float = 0.01) -> float:
    """Return how often the smallest bias is found that the test says it would find."""
    check = BY_NAME[name]
    outcome = check.judge(SETTING, check.count(deals_of_walls(quick_walls(rng_of(0), hands), rng_of(0))))
    assert outcome is not None
    smallest = outcome.smallest_bias(alpha)
    assert smallest is not None
    found = 0
    for seed in range(runs):
        walls = quick_walls(rng_of(100 + seed), hands)
        tamper(walls, smallest, rng_of(200 + seed))
        found += p_value(check, deals_of_walls(walls, rng_of(seed))) <= alpha
    return found / runs


@pytest.mark.parametrize("name", BIASES)
def test_a_bias_is_found_as_often_as_stated(name: str) -> None:
    tamper, hands = BIASES[name]
    assert 0.57 <= power_of(name, tamper, hands, 30) <= 0.97


def test_a_biased_first_dealer_is_found() -> None:
    check = BY_NAME["seats"]
    deals = deals_of_walls(quick_walls(rng_of(1), 4000), rng_of(1))
    outcome = check.judge(SETTING, check.count(deals))
    assert outcome is not None
    smallest = outcome.smallest_bias(0.01)
    assert smallest is not None
    share = 0.25 * (1 + smallest)
    found = 0
    for seed in range(100):
        drawn = rng_of(seed).choice(4, len(deals), p=[share, *[(1 - share) / 3] * 3])
        found += p_value(check, replace(deals, place=np.where(deals.place >= 0, drawn, -1))) <= 0.01
    assert 65 <= found <= 93


def test_a_deal_that_comes_twice_is_found_and_a_copy_of_a_hand_is_left_out() -> None:
    deals = deals_of_walls(our_walls(1, 100), rng_of(1))
    again = replace(deals, deal=np.where(np.arange(100) == 7, 8, np.arange(100)).astype(np.uint64))
    sums = Sums()
    sums.add(again)
    (repeats,) = [result for result in results(sums) if result.test == REPEATS.name]
    assert repeats.found
    assert repeats.observed == 1
    sums = Sums()
    for _ in range(2):
        sums.add(deals)
    assert (sums.hands, sums.copies) == (100, 100)
    assert not any(result.found for result in results(sums))


# --- Sums


def parts_of(deals: Deals, size: int) -> Iterator[Deals]:
    for at in range(0, len(deals), size):
        yield deals.rows(np.arange(at, min(at + size, len(deals))))


@pytest.mark.parametrize("size", [5, 35, 70])
def test_any_split_between_games_gives_the_same_results(size: int) -> None:
    deals = deals_of_walls(our_walls(3, 120), rng_of(3))
    whole, parts = Sums(), Sums()
    whole.add(deals)
    for part in parts_of(deals, size):
        parts.add(part)
    assert results(parts) == results(whole)


def test_seen_digests_are_remembered_however_they_come() -> None:
    digests = rng_of(4).integers(0, 500, 2000).astype(np.uint64)
    seen, known = Seen(), set[int]()
    for at in range(0, len(digests), 37):
        part = digests[at : at + 37]
        new = []
        for digest in part.tolist():
            new.append(digest not in known)
            known.add(digest)
        assert seen.fresh(part).tolist() == new
    assert len(seen) == len(known)


# --- Draws in riichi


def with_draws(seed: int, hands: int = 1000, *, bias: float = 0.0, of_walls: bool = False) -> Deals:
    """Hands of which a share of the tiles drawn in riichi are waits, whatever the wall had there."""
    walls, chance = quick_walls(rng_of(seed), hands), rng_of(1000 + seed)
    deals = deals_of_walls(walls, rng_of(seed))
    wanted = deals.waits[:, :, None] >> np.arange(34) & 1 > 0
    shown = deals.shown.copy()
    left = deals.unseen.astype(int)
    for step in range(shown.shape[1]):
        changed = (deals.waits[:, step] > 0) & (chance.random(hands) < abs(bias))
        for row in np.flatnonzero(changed):
            kinds = np.flatnonzero(wanted[row, step] if bias > 0 else ~wanted[row, step])
            kinds = kinds[left[row, kinds] > (deals.shown[row, step:, None] == kinds).sum(axis=0)]
            shown[row, step] = chance.choice(kinds) if len(kinds) else shown[row, step]
        left[np.arange(hands), shown[:, step]] -= 1
    copies = deals.copy + np.uint64(seed * hands)
    return replace(deals, shown=shown, agrees=np.full(hands, of_walls), copy=copies)


def of_riichi(*sets: Deals, again: Deals | None = None) -> ShuffleResult:
    """What is said of draws in riichi after some hands, and others that may repeat it."""
    sums = Sums(frozenset({"riichi-draws"}))
    for deals in sets:
        sums.add(deals)
    others = None
    if again is not None:
        others = sums.others()
        others.add(again)
    (found,) = results(sums, others)
    assert found.adjusted is None, "not one of the tests that are corrected together"
    return found


def test_draws_of_a_known_wall_are_the_walls_whatever_they_are() -> None:
    found = of_riichi(with_draws(1, bias=0.2, of_walls=True))
    assert (found.found, found.p) == (False, None)
    assert found.note.startswith(f"none: the draws are the wall's, all {found.n:,}; ")
    assert found.z is not None
    assert found.z > 5


REPEATED: dict[str, tuple[float, float | None, bool, str]] = {
    "fair": (0, None, False, "chance may have made it"),
    "odd": (0.05, None, False, "ask other games (--repeat PATH)"),
    "odd, and again": (0.05, 0.05, True, "in other games"),
    "odd, but not again": (0.05, 0.0, False, "which do not repeat it"),
    "odd, and the other way": (0.05, -0.2, False, "which do not repeat it"),
    "fair, and odd elsewhere": (0, 0.05, False, "chance may have made it"),
}


@pytest.mark.parametrize("case", REPEATED)
def test_odd_draws_in_riichi_are_found_only_where_other_games_repeat_them(case: str) -> None:
    first, second, is_found, note = REPEATED[case]
    again = None if second is None else with_draws(3, bias=second)
    found = of_riichi(with_draws(1, bias=first), again=again)
    assert found.found == is_found
    assert note in found.note


def test_the_same_games_repeat_nothing() -> None:
    odd = with_draws(1, bias=0.05)
    found = of_riichi(odd, again=odd)
    assert not found.found
    assert found.note.endswith("but --repeat has too few other games")


def test_hands_for_three_and_for_four_are_one_number() -> None:
    one, two = with_draws(1), with_draws(2)
    together = of_riichi(one, two)
    alone = [of_riichi(deals) for deals in (one, two)]
    assert together.players is None
    assert together.n == sum(found.n for found in alone)
    assert together.observed == sum(found.observed or 0 for found in alone)
    assert together.expected == pytest.approx(sum(found.expected or 0 for found in alone))


def test_chance_alone_never_reaches_the_limit() -> None:
    scores = [of_riichi(with_draws(seed, 200)).z or 0 for seed in range(60)]
    assert max(map(abs, scores)) < 5
    assert 0.75 < float(np.std(scores)) < 1.25


@pytest.mark.parametrize("name", ["riichi-others", "riichi-placebo"])
def test_companions_see_a_flaw_of_all_draws(name: str) -> None:
    """Tiles that lie beside their like are a flaw that others' draws and placebo kinds show, too."""
    walls = quick_walls(rng_of(1), 2000)
    fair = deals_of_walls(walls, rng_of(1))
    again = fair.shown.copy()
    again[:, 1::2] = np.where(rng_of(2).random(again[:, 1::2].shape) < 0.2, again[:, ::2], again[:, 1::2])
    left = fair.unseen - np.stack([(again == kind).sum(axis=1) for kind in range(34)], axis=1).astype(int)
    possible = (left >= 0).all(axis=1)
    flawed = replace(fair.rows(possible), shown=again[possible])
    waits = waits_for_last(flawed)
    assert p_value(BY_NAME[name], fair) > 0.001
    assert p_value(BY_NAME[name], replace(flawed, waits=waits, awaited=waits)) < 1e-6


def waits_for_last(deals: Deals) -> I64:
    """Waits, at each draw, for the kind drawn just before, and the next."""
    last = np.roll(deals.shown.astype(np.int64), 1, axis=1)
    waits: I64 = 1 << last | 1 << (last + 1) % 34
    waits[:, 0] = 0
    return waits


def test_undrawn_tiles_that_a_wall_keeps_back_are_found() -> None:
    """Where draws avoid what a player waits for, it is among the tiles that nobody drew."""
    check = BY_NAME["riichi-undrawn"]
    deals = deals_of_walls(quick_walls(rng_of(1), 2000), rng_of(1))
    assert p_value(check, deals) > 0.001
    waits = 1 << np.argmax(deals.undrawn, axis=1)
    assert p_value(check, replace(deals, undrawn_waits=waits)) < 1e-6


def test_undrawn_tiles_are_counted_as_a_slow_reading_of_the_wall_counts_them() -> None:
    from paifu.replay.model.events import EventKind
    from paifu.replay.walls.hands import walls_of
    from paifu.reports.fairness.deals import deals_of

    (game,) = paifu.read(GAMES / "hanchan-4p-01.mjlog.gz")
    batch = game.batch()
    facts = paifu.replay_games(batch)
    (deals, _) = deals_of(facts)
    walls = walls_of(batch, np.array([0]), batch.games.seed[0].partition(",")[0], 4)
    assert deals.agrees.all()
    for hand in range(len(batch.hands)):
        left = [int(walls.ids[walls.row[hand], place]) // 4 for place in walls.live[:70]]
        is_supplement = False
        seen, waits = 0, dict[int, int]()
        for event in range(batch.hands.event_begin[hand], batch.hands.event_end[hand]):
            kind, seat = batch.events.kind[event], int(batch.events.seat[event])
            if kind == EventKind.DRAW and not is_supplement:
                assert left.pop(0) == KIND_OF_TILE[batch.events.tile[event]]
            if kind == EventKind.DRAW:
                of_others = [own for other, own in waits.items() if other != seat]
                assert deals.awaited[hand, seen] == int(np.bitwise_or.reduce(of_others or [0]))
            seen += kind in (EventKind.DRAW, EventKind.DORA)
            if kind == EventKind.RIICHI:
                waits[seat] = int(facts.player_hands.riichi_waits[4 * hand + seat])
            is_supplement = kind in (EventKind.ANKAN, EventKind.KAKAN, EventKind.DAIMINKAN) or (
                is_supplement and kind == EventKind.DORA
            )
        assert deals.undrawn[hand].tolist() == np.bincount(left, minlength=34).tolist()
        assert deals.undrawn_waits[hand] == int(np.bitwise_or.reduce(list(waits.values()) or [0]))


def test_the_command_takes_other_games(tmp_path: Path) -> None:
    first, second = GAMES / "hanchan-4p-01.mjlog.gz", GAMES / "hanchan-4p-02.mjlog.gz"
    result = call("fair", first, "--test", "riichi-draws", "--repeat", second, "--format", "json")
    (row,) = json.loads(result.text)["rows"]
    assert (row["players"], row["found"], row["p"]) == (None, False, None)
    assert "the draws are the wall's" in row["note"]
    plain = tmp_path / "plain.json"
    assert call("convert", first, "--to", "tenhou6", "-o", plain).status == 0
    (row,) = json.loads(call("fair", plain, "--test", "riichi-draws", "--format", "json").text)["rows"]
    assert row["note"].startswith(("none: z is", "too few"))


# --- Of real logs


def test_draws_are_counted_as_a_slow_reading_of_events_counts_them() -> None:
    from paifu.replay.model.events import EventKind
    from paifu.replay.model.tiles import KIND_OF_TILE
    from paifu.reports.fairness.deals import deals_of

    log = GAMES / "hanchan-4p-01.mjlog.gz"
    (game,) = paifu.read(log)
    batch = game.batch()
    (deals, _) = deals_of(paifu.replay_games(batch))
    counts = BY_NAME["draws"].count(deals)
    observed, expected = np.zeros(34), np.zeros(34)
    for hand in range(len(batch.hands)):
        left = np.full(34, 4)
        for tile in [*batch.hands.dealt[hand].ravel(), batch.hands.dora[hand]]:
            left[KIND_OF_TILE[tile]] -= 1
        for event in range(batch.hands.event_begin[hand], batch.hands.event_end[hand]):
            if batch.events.kind[event] in (EventKind.DRAW, EventKind.DORA):
                kind = KIND_OF_TILE[batch.events.tile[event]]
                expected += left / left.sum()
                observed[kind] += 1
                left[kind] -= 1
    assert counts.sums[:, 0].sum(axis=0).tolist() == observed.tolist()
    size = 83 - np.arange(83)
    assert (counts.sums[:83, 1] / size[:, None]).sum(axis=0) == pytest.approx(expected)


def test_ura_dora_are_those_that_the_engine_scores() -> None:
    from paifu.reports.fairness.deals import deals_of

    counted = scored = wins = 0
    for batch in paifu.read(GAMES).batches():
        facts = paifu.replay_games(batch)
        for deals in deals_of(facts):
            counted += int(deals.ura_sums[:, 1].sum())
            wins += int((deals.ura_sums[:, 0] > 0).sum())
        shows = (batch.wins.ura < 37).any(axis=1)
        won = np.flatnonzero(shows)
        first = won[np.unique(batch.wins.hand[won], return_index=True)[1]]
        scored += int(facts.scored_wins.ura[first].sum())
    assert counted == scored
    assert wins > 80


def test_the_command_finds_that_the_players_of_the_samples_never_change_seats() -> None:
    result = call("fair", GAMES, "--jobs", "1", "--format", "json")
    document = json.loads(result.text)
    assert result.status == 1
    assert [row["test"] for row in document["rows"] if row["found"]] == ["seats"]
    assert document["summary"] == {
        "games": 32, "hands": 269, "walls": 269, "copies": 0, "contradicted": 0, "left_out": 0,
    }  # fmt: skip
    walls = [row for row in document["rows"] if row["test"] == "wall-kinds"]
    assert [row["n"] for row in walls] == [181, 88]
    assert walls[1]["p"] is None


def test_chosen_tests_alone_are_run_and_corrected_for() -> None:
    result = call("fair", GAMES, "--jobs", "1", "--format", "json", "--test", "draws,ura-hits")
    rows = json.loads(result.text)["rows"]
    assert result.status == 0
    assert [row["test"] for row in rows] == ["draws", "ura-hits"] * 2
    assert call("fair", GAMES, "--jobs", "1", "--test", "drawz").status == 2


@pytest.mark.full
def test_a_player_is_tested_alone() -> None:
    result = call("fair", GAMES, "--jobs", "1", "--format", "json", "--player", "botan")
    rows = {(row["players"], row["test"]): row for row in json.loads(result.text)["rows"]}
    assert (4, "shanten") in rows
    assert (4, "wall-kinds") not in rows
    drawn = rows[4, "draws"]["n"]
    everybody = json.loads(call("fair", GAMES, "--jobs", "1", "--format", "json").text)["rows"]
    assert 0.15 < drawn / next(row["n"] for row in everybody if row["test"] == "draws") < 0.35
    assert call("fair", GAMES, "--jobs", "1", "--player", "nobody").status == 2


def test_a_wall_that_contradicts_its_deal_is_not_used(tmp_path: Path) -> None:
    from paifu.reports.fairness.deals import deals_of

    (game,) = paifu.read(GAMES / "hanchan-4p-01.mjlog.gz")
    (other,) = paifu.read(GAMES / "hanchan-4p-02.mjlog.gz")
    batch = game.batch()
    seed = other.batch().games.seed
    tampered = replace(batch, games=replace(batch.games, seed=seed))
    (deals, _) = deals_of(paifu.replay_games(tampered))
    assert deals.contradicted == len(deals) == len(batch.hands)
    assert not deals.has_wall.any()


def test_every_test_is_in_the_documentation() -> None:
    page = (ROOT / "docs" / "commands" / "fair.md").read_text("utf-8")
    for check in (*CHECKS, REPEATS):
        assert f"`{check.name}`" in page


@pytest.mark.corpus
def test_real_walls_are_fair(shared: Path) -> None:
    found = paifu.fair(shared / "logs", jobs=2)
    assert not found.found
    assert found.walls > 20_000
    assert found.copies > 300


def test_a_wall_never_runs_out_of_random_words() -> None:
    """They are the bytes of one stream, however many are asked for."""
    stream = np.frombuffer(hashlib.shake_256(b"seed").digest(4 * 2000), "<u4")
    assert list(islice(plain._words(b"seed"), 2000)) == stream.tolist()
