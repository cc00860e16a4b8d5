"""The policy: what it reads of a table, that hidden tiles do not matter, and what it knows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paifu
from paifu.api.simulated import batch_of
from paifu.coach.decisions import OptionKind
from paifu.coach.judgement.judged import Judgement, judgements, rows_of_most
from paifu.coach.judgement.model import shipped_model
from paifu.coach.judgement.policy import (
    Policy,
    shares,
    shipped_policy,
)
from paifu.coach.judgement.policy_inputs import CALLS, Boards, boards, numbers_of
from paifu.coach.kernels import policy_inputs as inputs
from paifu.coach.kernels.option_rows import OPTION
from paifu.coach.kernels.policy_inputs import PolicyNumbers
from paifu.coach.kernels.policy_network import find_chances
from paifu.coach.simulate.games import PLAYERS, Simulator
from paifu.coach.solving import at_table
from paifu.coach.solving.position import NaniKiru, wall_at
from paifu.parsers.read import read_batches
from paifu.replay.arrays import F32, I64
from paifu.replay.kernels import running
from paifu.replay.kernels.table_state import NORTH
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.model.tile_notation import parse_tiles, tile_name
from paifu.replay.model.tiles import KINDS, NO_TILE, TILES, kind_of
from paifu.replay.positions.position import Position
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import load_preset, rulesets_of
from paifu.reports.hands.positions import discarded_at
from paifu.reports.metrics.rooms import room_of

LOG = Path(__file__).parents[2] / "sample_logs" / "formats" / "hanchan.mjlog.gz"
RULES = load_preset("tenhou")
VECTORS = [*running.VECTORS, ""]


@pytest.fixture(scope="module")
def game() -> tuple[Batch, list[Ruleset], list[Judgement]]:
    (batch,) = read_batches([LOG])
    return batch, rulesets_of(batch), list(judgements(batch))


def policy() -> Policy:
    found = shipped_policy(4)
    assert found is not None
    return found


def boards_of(batch: Batch, rulesets: list[Ruleset], one: Judgement, numbers: Any) -> Boards:
    made, table = one.chosen[numbers], one.table
    is_call = np.isin(table.option[made], CALLS)
    return boards(batch, rulesets, table.hand[made], table.event[made], table.seat[made], is_call)


def kinds_of(at: Boards) -> F32:
    """Return (n, 34, CHANNELS) what is read of each kind, whatever the options."""
    n = len(at.marks)
    return numbers_of(at, np.zeros((n, OPTION.size), np.uint8), np.arange(n)).kinds


def plainly(policy: Policy, read: PolicyNumbers, first: I64) -> F32:
    """Return the chances of options layer by layer, written as the network is described."""
    w, n = policy.weights, len(read.table)
    around = np.arange(KINDS)[:, None] + np.arange(-2, 3)
    is_there = (around // 9 == np.arange(KINDS)[:, None] // 9) & (around >= 0) & (around < 27)
    around = np.where(is_there | (around == np.arange(KINDS)[:, None]), around, KINDS)

    def beside(x: F32, reach: int) -> F32:
        padded = np.concatenate([x, np.zeros((n, 1, x.shape[2]), np.float32)], 1)
        return padded[:, around[:, 2 - reach : 3 + reach]].reshape(n, KINDS, -1)

    def mean_and_most(x: F32) -> F32:
        return np.concatenate([x.mean(1), x.max(1)], 1)

    h = np.maximum(
        beside(read.kinds, 2) @ w["into"] + (read.table @ w["into_table"] + w["into_bias"])[:, None], 0
    )
    for layer in range(sum(name.startswith("near") for name in w)):
        suits = [mean_and_most(h[:, 9 * suit : 9 * suit + 9]) @ w[f"suit{layer}"] for suit in range(4)]
        ranks = h[:, :27].reshape(n, 3, 9, -1).mean(1) @ w[f"rank{layer}"]
        whole = np.concatenate([h.mean(1), read.table], 1) @ w[f"mean{layer}"] + w[f"bias{layer}"]
        added = np.repeat(np.stack(suits, 1), (9, 9, 9, 7), axis=1) + whole[:, None]
        added[:, :27] += np.tile(ranks, (1, 3, 1))
        h = h + np.maximum(beside(h, 1) @ w[f"near{layer}"] + added, 0) @ w[f"out{layer}"]
    whole = np.concatenate([mean_and_most(h), read.table], 1) @ w["whole"] + w["whole_bias"]
    whole = np.maximum(whole, 0) @ w["of_whole"] + w["option_bias"]
    found = []
    for number, rows in enumerate(np.split(np.arange(len(read.kind)), first[1:])):
        z = h[number, read.kind[rows]] @ w["kind"] + read.options[rows] @ w["feature"] + whole[number]
        z = np.maximum(z + w["danger"][read.dangers[rows]].sum(1) @ w["dangers"], 0)
        score = z @ w["last"] + z.mean(0) @ w["last_mean"] + z.max(0) @ w["last_most"] + w["last_bias"]
        score = np.exp((np.maximum(score, 0) @ w["score"])[:, 0])
        found.append(score / score.sum())
    return np.concatenate(found)


def position(text: str, *, turn: int = 6, **given: Any) -> NaniKiru:
    return NaniKiru(
        rules=RULES, tiles=tuple(parse_tiles(text)), seat_wind=1, wall=wall_at(turn, 1, RULES), **given
    )


def chances(asked: NaniKiru) -> dict[str, float]:
    """Return how likely strong players are to choose each discard."""
    model = shipped_model(4)
    assert model is not None
    one = at_table.judged(asked, model)
    assert one is not None
    found = at_table.shares(asked, one)
    assert found is not None
    rows = zip(one.table.option.tolist(), one.table.tile.tolist(), found.tolist(), strict=True)
    return {f"{OptionKind(option).name} {tile_name(tile)}": share for option, tile, share in rows}


# --- what it reads ---------------------------------------------------------------------------------------


def test_it_reads_the_table_as_the_player_saw_it(game: tuple[Batch, list[Ruleset], list[Judgement]]) -> None:
    """Against the tables that ``paifu discard`` makes of the same places, by other code."""
    batch, rulesets, (one,) = game
    (whole,) = paifu.read(str(LOG))
    turns = np.flatnonzero(one.table.option[one.chosen] <= OptionKind.RIICHI)[::7]
    found = boards_of(batch, rulesets, one, turns)
    for row, number in enumerate(turns.tolist()):
        made = int(one.chosen[number])
        hand, seat, event = (
            int(column[made]) for column in (one.table.hand, one.table.seat, one.table.event)
        )
        begin = int(batch.hands.event_begin[hand])
        own = slice(begin, event + 1)
        turn = int(((batch.events.kind[own] == EventKind.DISCARD) & (batch.events.seat[own] == seat)).sum())
        seen = discarded_at(Position(whole.hands[hand], rules=RULES).go_to_turn(seat, turn), seat).position
        expected = at_table._board(seen)
        assert found.held[row].tolist() == expected.held[0].tolist()
        for plane in (inputs.RIVER, inputs.LAST, inputs.FIRST):
            ours, theirs = found.planes[row, plane], expected.planes[0, plane]
            if plane == inputs.RIVER:  # tiles in melds of others count as lying in the own river there
                assert ours[1:].tolist() == theirs[1:].tolist()
            else:
                assert ours.tolist() == theirs.tolist()
        assert found.planes[row, inputs.MELDED, 0].tolist() == expected.planes[0, inputs.MELDED, 0].tolist()
        same = (
            inputs.LEFT,
            inputs.HONBA,
            inputs.STICKS,
            inputs.DEALER,
            *range(inputs.INDICATORS, inputs.MARKS),
        )
        theirs = expected.marks[0, list(same)]
        theirs[4:] = [kind_of(tile) if tile < TILES else tile for tile in theirs[4:].tolist()]
        assert found.marks[row, list(same)].tolist() == theirs.tolist()
        riichi = slice(inputs.RIICHI, inputs.RIICHI + 4)
        assert (found.marks[row, riichi] > 0).tolist() == (expected.marks[0, riichi] > 0).tolist()


def test_unseen_tiles_are_those_of_the_live_tiles(game: tuple[Batch, list[Ruleset], list[Judgement]]) -> None:
    batch, rulesets, (one,) = game
    (whole,) = paifu.read(str(LOG))
    turns = np.flatnonzero(one.table.option[one.chosen] <= OptionKind.RIICHI)[::11]
    planes = kinds_of(boards_of(batch, rulesets, one, turns))
    for row, number in enumerate(turns.tolist()):
        made = int(one.chosen[number])
        hand, seat, event = (
            int(column[made]) for column in (one.table.hand, one.table.seat, one.table.event)
        )
        own = slice(int(batch.hands.event_begin[hand]), event + 1)
        turn = int(((batch.events.kind[own] == EventKind.DISCARD) & (batch.events.seat[own] == seat)).sum())
        live = discarded_at(
            Position(whole.hands[hand], rules=RULES).go_to_turn(seat, turn), seat
        ).position.live()
        live[[4, 13, 22]] += live[34:]
        assert planes[row, :, 7:11].sum(axis=1).tolist() == live[:34].tolist()


def test_what_is_hidden_does_not_matter(game: tuple[Batch, list[Ruleset], list[Judgement]]) -> None:
    batch, rulesets, (one,) = game
    numbers = np.arange(0, len(one), 5)
    before = boards_of(batch, rulesets, one, numbers)
    for seat in range(4):
        own = one.table.seat[one.chosen[numbers]] == seat
        dealt, tile = batch.hands.dealt.copy(), batch.events.tile.copy()
        dealt[:, np.arange(4) != seat] = NO_TILE
        tile[(batch.events.kind == EventKind.DRAW) & (batch.events.seat != seat)] = NO_TILE
        hidden = replace(
            batch, hands=replace(batch.hands, dealt=dealt), events=replace(batch.events, tile=tile)
        )
        after = boards_of(hidden, rulesets, one, numbers[own])
        for name, was, is_now in zip(Boards._fields, before, after, strict=True):
            assert np.array_equal(was[own], is_now), name


# --- what it answers -------------------------------------------------------------------------------------


def test_chances_of_a_decision_sum_up_to_one(game: tuple[Batch, list[Ruleset], list[Judgement]]) -> None:
    batch, rulesets, (one,) = game
    numbers = np.arange(0, len(one), 3)
    found = shares(batch, rulesets, one, numbers)
    for number in range(len(one)):
        total = found[one.options(number)].sum()
        assert total == pytest.approx(1, abs=1e-5) if number % 3 == 0 else np.isnan(total)
    alone, some = shares(batch, rulesets, one, numbers[4:5]), one.options(int(numbers[4]))
    assert alone[some] == pytest.approx(found[some], abs=1e-5)
    assert np.isfinite(alone).sum() == some.stop - some.start
    assert np.isnan(shares(batch, rulesets, one, numbers[:0])).all()


def test_simulated_players_see_what_is_read_of_their_games() -> None:
    """Of players who choose by the policy, every choice is what it says of the game they wrote down."""
    simulator, seen = Simulator(RULES, [PLAYERS["strong"]]), set()
    batch = batch_of(simulator.game(number) for number in range(2))
    for one in judgements(batch):
        chances = shares(batch, rulesets_of(batch), one, np.arange(len(one)))
        assert np.array_equal(chances[one.chosen], np.maximum.reduceat(chances, one.first))
        seen |= set(one.table.option[one.chosen].tolist())
    assert seen >= {OptionKind.DISCARD, OptionKind.RIICHI, OptionKind.PASS, OptionKind.CHI, OptionKind.PON}


@pytest.mark.parametrize("vectors", VECTORS)
def test_layers_compute_what_they_say(
    game: tuple[Batch, list[Ruleset], list[Judgement]], vectors: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if VECTORS.index(vectors) < VECTORS.index(running.vectors()):
        pytest.skip("another processor runs this version")
    monkeypatch.setattr(running, "vectors", lambda: vectors)
    monkeypatch.setattr(find_chances, "_versions", {})
    batch, rulesets, (one,) = game
    some = np.arange(0, len(one), 4)
    at, own = boards_of(batch, rulesets, one, some), policy()
    cells = one.cells[np.concatenate([np.arange(one.first[number], one.end[number]) for number in some])]
    sizes = (one.end - one.first)[some]
    first = np.cumsum(sizes) - sizes
    expected = plainly(own, numbers_of(at, cells, first), first)
    assert own.chances(at, cells, first) == pytest.approx(expected, abs=1e-5)


def test_of_three_players_nobody_sits_fourth() -> None:
    (batch,) = read_batches([LOG.with_name("sanma.mjlog.gz")])
    (one, *_rest) = judgements(batch)
    at = boards_of(batch, rulesets_of(batch), one, np.arange(len(one)))
    assert not at.planes[:, :, 3].any()
    assert (at.marks[:, inputs.TURNS + 3] == -1).all()
    assert set(at.marks[:, inputs.DEALER].tolist()) == {0, 1, 2}
    read = kinds_of(at)
    unseen = read[:, :, 7:11].sum(axis=2)
    assert not unseen[:, 1:8].any()
    aside = at.planes[:, inputs.MELDED, :, NORTH].sum(axis=1)
    assert aside.any()
    assert (unseen[:, NORTH] + at.held[:, NORTH] + aside <= 4).all()
    at.marks[:, inputs.INDICATORS] = 0
    assert (kinds_of(at)[:, 8, 6] >= 1).all()  # with three players, man 1 points to man 9


@pytest.mark.parametrize(
    ("mark", "values", "expected"),
    [
        (inputs.LEFT, [70, 35], [1, 0.5]),
        (inputs.HONBA, [0, 4, 5, 9], [0, 0.8, 1, 1]),
        (inputs.STICKS, [0, 4, 5, 9], [0, 0.8, 1, 1]),
        (inputs.TO_COME, [0, 6, 7, 11], [0, 6 / 7, 1, 1]),
    ],
)
def test_counts_are_read_up_to_a_bound(mark: int, values: list[int], expected: list[float]) -> None:
    n = len(values)
    at = Boards.empty(n)
    at.marks[:, mark] = values
    found = numbers_of(at, np.zeros((n, OPTION.size), np.uint8), np.arange(n)).table
    changed = np.flatnonzero((found != found[0]).any(axis=0))
    assert np.allclose(found[:, changed[0]], expected)


def test_three_players_have_a_policy_of_their_own() -> None:
    assert shipped_policy(2) is None
    (batch,) = read_batches([LOG.with_name("sanma.mjlog.gz")])
    (one, *_rest) = judgements(batch)
    numbers = np.arange(len(one))
    at = boards_of(batch, rulesets_of(batch), one, numbers)
    assert not at.planes[:, :, 3].any()
    assert not numbers_of(at, one.cells, one.first).kinds[:, 1:8, 7:11].any()  # man 2 to 8 are not in the set
    aside = at.planes[:, inputs.MELDED, :, NORTH].sum(axis=1)
    assert aside.any()
    found = shares(batch, rulesets_of(batch), one, numbers)
    assert np.add.reduceat(found, one.first) == pytest.approx(1, abs=1e-5)
    of_four = policy().chances(at, one.cells, one.first)
    firsts = [rows_of_most(chances, one.first, one.end) for chances in (found, of_four)]
    assert (firsts[0] != firsts[1]).any()


@pytest.mark.parametrize(
    ("hand", "dora"),
    [("2340m34p11234779s", "9s"), ("22334m56p678s2245z", "2z"), ("1257m2468p3589s11z", "6m")],
)
def test_suits_are_alike(hand: str, dora: str) -> None:
    turned = str.maketrans("mps", "psm")
    first = chances(position(hand, indicators=tuple(parse_tiles(dora))))
    second = chances(position(hand.translate(turned), indicators=tuple(parse_tiles(dora.translate(turned)))))
    assert {name.translate(turned): share for name, share in first.items()} == pytest.approx(second, abs=1e-4)


def test_it_knows_the_game() -> None:
    """Where every strong player does the same."""
    lone = chances(position("123456m4467p34s3z9s", turn=2))
    assert max(lone, key=lone.__getitem__) in ("DISCARD 3z", "DISCARD 9s")
    ready = chances(position("234567m3459p2256s"))
    assert ready["RIICHI 9p"] + ready["DISCARD 9p"] > 0.9
    river = tuple(parse_tiles("1z9p2z3s7m9s"))
    folding = chances(
        position("147m258p369s1234z5m", turn=7, rivers=((), (), river, ()), riichi=frozenset({2}))
    )
    safe = sum(folding[f"DISCARD {tile}"] for tile in ("1z", "2z", "3s", "9s", "7m"))
    assert safe > 0.9


@pytest.mark.full
@pytest.mark.parametrize(
    ("players", "folder", "least"), [(4, "mjx-project+mjx", 0.6), (3, "Agony5757+mahjong", 0.65)]
)
def test_it_knows_what_strong_players_choose(
    players: int, folder: str, least: float, shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On games that no fit has seen."""
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "bench")
    from held_out import game_hash, is_held_out, seats_in

    hits = number = 0
    for batch in read_batches(sorted((shared / "logs" / "mjlog" / folder).glob("*.mjlog*"))):
        rooms = [room_of(batch, game) == "houou" for game in range(len(batch))]
        only = np.array([rooms[at] and is_held_out(game_hash(batch, at)) for at in range(len(batch))], bool)
        only &= batch.games.players == players
        for one in judgements(batch, only=seats_in(batch, only)):
            turns = np.flatnonzero(one.table.option[one.chosen] <= OptionKind.RIICHI)[::5]
            found = shares(batch, rulesets_of(batch), one, turns)
            hits += int((rows_of_most(found, one.first, one.end) == one.chosen)[turns].sum())
            number += len(turns)
    assert number > 500
    assert hits / number > least
