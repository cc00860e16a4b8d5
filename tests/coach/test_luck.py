"""Luck: its mean over what might have come is zero, its parts add up, and planted luck shows."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
from command import call
from luck_bins import FavouredSeat, bins_of, look

import paifu
from paifu.api.simulated import batch_of
from paifu.coach.kernels import luck_layout
from paifu.coach.luck.ledger import luck_ledger
from paifu.coach.luck.measuring import chance_nodes, hand_luck
from paifu.coach.luck.model import classes, mean_deal, shipped_values
from paifu.coach.simulate.games import PLAYERS, Simulator
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.model.tiles import NO_TILE
from paifu.replay.rulesets.presets import load_preset

SAMPLE = "sample_logs/formats/hanchan.mjlog.gz"
COPIES = {4: 3, 13: 3, 22: 3, 34: 1, 35: 1, 36: 1}


@cache
def simulated(games: int = 30, players: str = "caller") -> Batch:
    simulator = Simulator(load_preset("tenhou"), [PLAYERS[players]])
    return batch_of(simulator.game(number) for number in range(games))


def kind_of(tile: int) -> int:
    return tile if tile < 34 else 9 * (tile - 34) + 4


def unseen(batch: Batch, hand: int, stop: int) -> dict[int, int]:
    """Count by sort the tiles that nothing has shown before event ``stop``: an oracle in plain Python."""
    left = {tile: COPIES.get(tile, 4) for tile in range(37)}
    for tile in [*batch.hands.dealt[hand].ravel().tolist(), int(batch.hands.dora[hand])]:
        left[tile] -= 1
    events = batch.events
    for event in range(int(batch.hands.event_begin[hand]), stop):
        if events.kind[event] in (EventKind.DRAW, EventKind.DORA):
            left[int(events.tile[event])] -= 1
    return left


def node_at(batch: Batch, event: int, sort: int) -> np.ndarray | None:
    """Return the differences at a node of a batch."""
    for nodes in chance_nodes(batch):
        rows = np.flatnonzero(
            (nodes.column(luck_layout.N_EVENT) == event) & (nodes.column(luck_layout.N_SORT) == sort)
        )
        if len(rows):
            return nodes.luck[rows[0]]
    return None


def ends_after(batch: Batch, hand: int, event: int, tile: int) -> tuple[Batch, int]:
    """Return a game of which ``hand`` ends with ``event``, at which ``tile`` came; and its event there."""
    game = batch.take(int(batch.hands.game[hand])).copied()
    first = int(batch.hands.event_begin[batch.games.hand_begin[batch.hands.game[hand]]])
    number = hand - int(batch.games.hand_begin[batch.hands.game[hand]])
    at = event - first
    game.events.tile[at], game.events.tile_id[at] = tile, NO_TILE
    game.events.kind[at + 1 : int(game.hands.event_end[number])] = EventKind.LEAVE
    return game, at


def nodes_of(batch: Batch, sort: int, riichi: bool | None = None) -> Iterator[tuple[int, int]]:
    """Yield (hand, event) of nodes."""
    for nodes in chance_nodes(batch):
        chosen = nodes.column(luck_layout.N_SORT) == sort
        if riichi is not None:
            chosen &= (nodes.column(luck_layout.N_RIICHI) > 0) == riichi
        for row in np.flatnonzero(chosen):
            yield int(nodes.column(luck_layout.N_HAND)[row]), int(nodes.column(luck_layout.N_EVENT)[row])


def weighted(batch: Batch, hand: int, event: int, sort: int) -> tuple[np.ndarray, float]:
    """Return the mean difference of a node over all that might have come, and the largest."""
    total, count, largest = np.zeros(4), 0, 0.0
    for tile, number in unseen(batch, hand, event).items():
        if number:
            luck = node_at(*ends_after(batch, hand, event, tile), sort)
            assert luck is not None
            total += number * luck
            count += number
            largest = max(largest, float(np.abs(luck).max()))
    return total / count, largest


@pytest.mark.every(2)
@pytest.mark.parametrize("riichi", [False, True])
def test_a_draw_has_mean_zero_over_the_tiles_that_might_have_come(riichi: bool) -> None:
    batch = simulated()
    nodes = list(nodes_of(batch, luck_layout.DRAWN, riichi))
    spread = 0.0
    for hand, event in nodes[10 :: len(nodes) // 4]:
        mean, largest = weighted(batch, hand, event, luck_layout.DRAWN)
        assert np.abs(mean).max() < 1e-6
        spread = max(spread, largest)
    assert spread > 1000  # points: what is compared differs


@pytest.mark.full
def test_a_supplement_draw_has_mean_zero() -> None:
    batch = simulated()
    for nodes in chance_nodes(batch):
        drawn = nodes.column(luck_layout.N_SORT) == luck_layout.DRAWN
        rows = np.flatnonzero(drawn & (nodes.column(luck_layout.N_SUPPLEMENT) > 0))[:4]
        assert len(rows) == 4
        for row in rows.tolist():
            hand, event = (
                int(nodes.column(luck_layout.N_HAND)[row]),
                int(nodes.column(luck_layout.N_EVENT)[row]),
            )
            mean, _ = weighted(batch, hand, event, luck_layout.DRAWN)
            assert np.abs(mean).max() < 1e-6


@pytest.mark.full
def test_a_kan_dora_has_mean_zero() -> None:
    batch = simulated()
    nodes = list(nodes_of(batch, luck_layout.DORA))
    assert len(nodes) >= 4
    spread = 0.0
    for hand, event in nodes[:4]:
        mean, largest = weighted(batch, hand, event, luck_layout.DORA)
        assert np.abs(mean).max() < 1e-6
        spread = max(spread, largest)
    assert spread > 50


@pytest.mark.full
def test_ura_have_mean_zero() -> None:
    batch = simulated(players="tile-efficient")
    seen = 0
    for hand, event in list(nodes_of(batch, luck_layout.URA))[:8]:
        (win,) = np.flatnonzero(batch.wins.event == event).tolist()
        if (batch.wins.ura[win] < 37).sum() != 1:
            continue
        number = int(batch.hands.game[hand])
        first = int(batch.games.hand_begin[number])
        game = batch.take(number).copied()
        row, at = win - int((batch.wins.hand < first).sum()), event - int(batch.hands.event_begin[first])
        total, count, largest = np.zeros(4), 0, 0.0
        for tile, copies in unseen(batch, hand, event).items():
            if copies:
                game.wins.ura[row, 0] = tile
                luck = node_at(game, at, luck_layout.URA)
                assert luck is not None
                total += copies * luck
                count += copies
                largest = max(largest, float(np.abs(luck).max()))
        assert np.abs(total / count).max() < 1e-6
        assert largest > 0
        seen += 1
    assert seen >= 4


def test_a_winning_draw_is_worth_what_it_pays() -> None:
    """Without riichi, a winning tile is worth its payment: with it, the mean of all tiles is known."""
    batch = simulated()
    wins = batch.wins
    found = 0
    for win in np.flatnonzero((wins.seat == wins.source) & (wins.ura[:, 0] == NO_TILE)).tolist():
        hand, event = int(wins.hand[win]), int(wins.event[win]) - 1
        if batch.events.kind[event] != EventKind.DRAW:
            continue
        seat = int(wins.seat[win])
        actual = node_at(batch, event, luck_layout.DRAWN)
        left = unseen(batch, hand, event)
        lucks = {}
        for tile, number in left.items():
            if number:
                lucks[tile] = node_at(*ends_after(batch, hand, event, tile), luck_layout.DRAWN)
        assert actual is not None
        np.testing.assert_allclose(actual, lucks[int(batch.events.tile[event])])
        paid = wins.deltas[win].astype(float)
        others = [luck for tile, luck in lucks.items() if kind_of(tile) != kind_of(int(wins.tile[win]))]
        mean = paid - actual
        again = sum(left[tile] * (luck + mean) for tile, luck in lucks.items() if luck is not None)
        np.testing.assert_allclose(again / sum(left.values()), mean, atol=1e-6)
        assert paid[seat] > np.mean([luck[seat] for luck in others if luck is not None])
        found += 1
        if found == 3:
            return
    pytest.fail("no such win")


def test_deals_have_the_mean_that_they_must() -> None:
    values = shipped_values(4)
    assert values is not None
    mean = values.deal_means[(1, 1, 1)]
    # Each of 13 tiles is a dora in 4 cases of 135 (the indicator is of another kind), and red in 3 of 136.
    assert mean[luck_layout.D_DORA] == pytest.approx(13 * 4 / 135 + 13 * 3 / 136, abs=0.002)
    assert mean[luck_layout.D_OUTSIDE] == pytest.approx(13 * 52 / 136, abs=0.01)
    assert values.deal_means[(0, 0, 0)][luck_layout.D_DORA] == pytest.approx(13 * 4 / 135, abs=0.002)
    few = mean_deal(load_preset("tenhou"), 1 << 14)
    np.testing.assert_allclose(few, mean, atol=0.08)


def test_parts_and_results_add_up() -> None:
    batch = simulated()
    ledger = luck_ledger(batch, worth="tenhou-7dan", outlook=True)
    assert len(ledger.games) == len(batch)
    measured = hand_luck(batch, chance_nodes(batch))
    np.testing.assert_allclose(ledger.luck, measured.parts.sum(axis=2))
    total = np.zeros((len(batch), 4))
    for nodes in chance_nodes(batch):
        values = shipped_values(4)
        assert values is not None
        scaled = nodes.luck * values.shares[classes(nodes.cells)][:, None]
        np.add.at(total, batch.hands.game[nodes.column(luck_layout.N_HAND)], scaled)
    by_game = np.zeros((len(batch), 4))
    np.add.at(by_game, ledger.game, ledger.luck)
    np.testing.assert_allclose(by_game, total)
    results = np.zeros((len(batch), 4))
    np.add.at(results, ledger.game, ledger.result)
    np.testing.assert_allclose(results, batch.games.final_scores - 25000)
    np.testing.assert_allclose(ledger.chances.sum(axis=2), 1)
    np.testing.assert_allclose(ledger.chances.sum(axis=1), 1)
    assert (ledger.leverage > 0).all()
    assert set(np.unique(ledger.worth)) <= {90.0, 45.0, 0.0, -135.0}


@pytest.mark.full
def test_a_point_of_luck_is_worth_what_the_place_model_says() -> None:
    """In points about itself; in rank points as much to some as to the others together."""
    ledger = luck_ledger(simulated(20, "balanced"), worth="points")
    assert (ledger.luck * ledger.worth_luck).sum() == pytest.approx((ledger.luck**2).sum(), rel=0.15)
    assert np.corrcoef(ledger.luck.ravel(), ledger.worth_luck.ravel())[0, 1] > 0.98
    ranked = luck_ledger(simulated(20, "balanced"), worth="tenhou-7dan")
    np.testing.assert_allclose(ranked.worth_luck.sum(axis=1), 0, atol=1e-6)
    left = np.zeros((len(ranked.games), 4))
    np.add.at(left, ranked.game, ranked.worth_luck)
    assert (ranked.worth - left).var() < 0.8 * ranked.worth.var()
    np.testing.assert_allclose(ranked.place_luck @ np.array([90, 45, 0, -135]), ranked.worth_luck, atol=1e-9)
    np.testing.assert_allclose(ranked.place_luck.sum(axis=2), 0, atol=1e-9)


@pytest.mark.full
def test_a_share_of_the_result_is_luck() -> None:
    """Without luck, the results of hands vary half as much, by simulated players, too."""
    ledger = luck_ledger(simulated(100, "balanced"))
    assert (ledger.result - ledger.luck).var() < 0.6 * ledger.result.var()


@pytest.mark.full
def test_luck_has_no_bias_on_fair_walls() -> None:
    bins = bins_of(look([simulated(250, "balanced")]))
    assert len(bins.scores) > 150
    assert 0.75 < bins.square < 1.25
    assert np.abs(bins.scores).max() < 4


@pytest.mark.full
def test_a_wall_that_favours_a_seat_shows_as_luck() -> None:
    simulator = FavouredSeat()
    batch = batch_of(simulator.game(number) for number in range(150))
    ledger = luck_ledger(batch)
    luck = np.zeros((len(batch), 4))
    np.add.at(luck, ledger.game, ledger.luck)
    error = luck.std(axis=0) / np.sqrt(len(luck))
    assert luck[:, 1].mean() > 5 * error[1]
    assert (luck[:, [0, 2, 3]].mean(axis=0) < 0).all()


@pytest.mark.full
def test_a_worse_player_is_not_unlucky() -> None:
    simulator = Simulator(load_preset("tenhou"), [PLAYERS[name] for name in ("balanced",) * 3 + ("wild",)])
    batch = batch_of(simulator.game(number) for number in range(150))
    ledger = luck_ledger(batch)
    sums = np.zeros((2, len(batch), 4))
    np.add.at(sums[0], ledger.game, ledger.luck)
    np.add.at(sums[1], ledger.game, ledger.result - ledger.luck)
    error = sums.std(axis=1) / np.sqrt(len(batch))
    mean = sums.mean(axis=1)
    assert abs(mean[0, 3]) < 3 * error[0, 3]
    assert mean[1, 3] < -4 * error[1, 3]


def test_by_hand_as_csv() -> None:
    rows = list(csv.DictReader(io.StringIO(call("luck", SAMPLE, "--by", "hand", "--format", "csv").text)))
    (game,) = paifu.read(SAMPLE)
    assert len(rows) == 4 * len(game.hands)
    assert [row["hand"] for row in rows[::4]] == [str(number) for number in range(len(game.hands))]
    for row in rows:
        parts = sum(float(row[name]) for name in ("luck_deal", "luck_draws", "luck_others", "luck_ura"))
        assert float(row["luck"]) == pytest.approx(parts, abs=0.03)
        assert sum(float(row[f"place_{place}"]) for place in range(1, 5)) == pytest.approx(1, abs=1e-3)
        assert float(row["leverage"]) > 0


def test_by_player_as_json() -> None:
    shown = json.loads(call("luck", SAMPLE, "--format", "json", "--utility", "tenhou-7dan").text)
    assert shown["schema"] == "paifu.luck/1"
    assert (shown["games"], shown["left_out"]) == (1, 0)
    assert sorted(row["utility_result"] for row in shown["players"]) == [-135, 0, 45, 90]
    for row in shown["players"]:
        assert row["without_luck"] == pytest.approx(row["result"] - row["luck"], abs=0.02)


def test_the_library_says_what_the_command_says() -> None:
    found = paifu.luck(SAMPLE, player="botan")
    assert [row["player"] for row in found.players] == ["Botan"]
    assert {row["player"] for row in found.hands} == {"Botan"}
    assert found.players[0]["luck"] == pytest.approx(sum(row["luck"] for row in found.hands), abs=0.1)
    assert list(found.frame.columns)[:4] == ["game", "hand", "seat", "player"]
    assert len(found.by_player) == 1


def test_other_games_are_left_out_and_counted() -> None:
    done = call("luck", "sample_logs/formats/sanma.mjlog.gz", SAMPLE)
    assert done.status == 0
    assert "1 game left out" in "\n".join(done.talk)
    assert "four players" in "\n".join(done.talk)


def test_what_is_asked_for_wrongly_is_said() -> None:
    done = call("luck", SAMPLE, "--utility", "yen")
    assert done.status == 2
    assert "'yen'" in "\n".join(done.talk)
    done = call("luck", SAMPLE, "--player", "Botn")
    assert done.status == 2
    assert "Botan" in "\n".join(done.talk)
