"""The policy: what it reads of a table, that hidden tiles do not matter, and what it knows."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paifu
from paifu.coach.decisions import OptionKind
from paifu.coach.judgement import policy_inputs as inputs
from paifu.coach.judgement.judged import Judgement, judgements
from paifu.coach.judgement.model import shipped_model
from paifu.coach.judgement.policy import SHIPPED, Policy, load_policy, shares, shipped_policy
from paifu.coach.solving import at_table
from paifu.coach.solving.position import NaniKiru, wall_at
from paifu.parsers.read import read_batches
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.model.tiles import KINDS, TILES, parse_tiles, tile_name
from paifu.replay.positions.position import Position
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import load_preset, rulesets_of
from paifu.reports.hands.positions import discarded_at
from paifu.reports.metrics.rooms import room_of

LOG = Path(__file__).parents[2] / "sample_logs" / "formats" / "hanchan.mjlog.gz"
RULES = load_preset("tenhou")


@pytest.fixture(scope="module")
def game() -> tuple[Batch, list[Ruleset], list[Judgement]]:
    (batch,) = read_batches([LOG])
    return batch, rulesets_of(batch), list(judgements(batch))


def policy() -> Policy:
    found = shipped_policy(4)
    assert found is not None
    return found


def boards_of(batch: Batch, rulesets: list[Ruleset], one: Judgement, numbers: Any) -> inputs.Boards:
    made, table = one.chosen[numbers], one.table
    is_call = np.isin(table.option[made], inputs.CALLS)
    return inputs.boards(batch, rulesets, table.hand[made], table.event[made], table.seat[made], is_call)


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
        assert found.marks[row, list(same)].tolist() == expected.marks[0, list(same)].tolist()
        riichi = slice(inputs.RIICHI, inputs.RIICHI + 4)
        assert (found.marks[row, riichi] > 0).tolist() == (expected.marks[0, riichi] > 0).tolist()


def test_unseen_tiles_are_those_of_the_live_tiles(game: tuple[Batch, list[Ruleset], list[Judgement]]) -> None:
    batch, rulesets, (one,) = game
    (whole,) = paifu.read(str(LOG))
    turns = np.flatnonzero(one.table.option[one.chosen] <= OptionKind.RIICHI)[::11]
    planes = inputs.planes_of(boards_of(batch, rulesets, one, turns))
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
        dealt[:, np.arange(4) != seat] = 0
        tile[(batch.events.kind == EventKind.DRAW) & (batch.events.seat != seat)] = 0
        hidden = replace(
            batch, hands=replace(batch.hands, dealt=dealt), events=replace(batch.events, tile=tile)
        )
        after = boards_of(hidden, rulesets, one, numbers[own])
        for one_of in fields(inputs.Boards):
            assert np.array_equal(getattr(before, one_of.name)[own], getattr(after, one_of.name)), one_of.name


# --- what it answers -------------------------------------------------------------------------------------


def test_chances_of_a_decision_sum_up_to_one(game: tuple[Batch, list[Ruleset], list[Judgement]]) -> None:
    batch, rulesets, (one,) = game
    numbers = np.arange(0, len(one), 3)
    found = shares(batch, rulesets, one, numbers)
    assert list(found) == numbers.tolist()
    for number, own in found.items():
        assert len(own) == one.end[number] - one.first[number]
        assert own.sum() == pytest.approx(1, abs=1e-5)
    alone = shares(batch, rulesets, one, numbers[4:5])
    assert alone[int(numbers[4])] == pytest.approx(found[int(numbers[4])], abs=1e-5)
    assert shares(batch, rulesets, one, numbers[:0]) == {}


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
    marks = np.zeros((n, inputs.MARKS), np.int32)
    marks[:, mark] = values
    at = inputs.Boards(
        np.zeros((n, inputs.PLANES, 4, KINDS), np.uint8), np.zeros((n, TILES), np.uint8), marks
    )
    found = inputs.scalars_of(at, np.zeros(n, np.int64))
    changed = np.flatnonzero((found != found[0]).any(axis=0))
    assert np.allclose(found[:, changed[0]], expected)


def test_there_is_no_policy_for_three_players() -> None:
    assert shipped_policy(3) is None
    (batch,) = read_batches([LOG.with_name("sanma.mjlog.gz")])
    (one, *_rest) = judgements(batch)
    assert shares(batch, rulesets_of(batch), one, np.arange(3)) == {}


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


def test_its_file_says_where_it_comes_from() -> None:
    assert SHIPPED.stat().st_size < 4 << 20
    about = policy().provenance
    assert about["games"] > 3000
    assert about["games kept away"] > 700
    assert load_policy(SHIPPED).saved() == SHIPPED.read_bytes()


def test_a_file_of_another_version_is_refused(tmp_path: Path) -> None:
    from paifu.replay.array_files import npz

    file = tmp_path / "policy.npz"
    file.write_bytes(npz({}, {"schema": "paifu.policy/0"}))
    with pytest.raises(ValueError, match="another version"):
        load_policy(file)


@pytest.mark.full
def test_it_knows_what_strong_players_choose(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On games that no fit has seen; ``bench/policy.py`` has the figures of all of them."""
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "bench")
    from held_out import game_hash, is_held_out

    folder = shared / "logs" / "mjlog" / "mjx-project+mjx"
    hits = number = 0
    for batch in read_batches(sorted(folder.glob("*.mjlog*"))):
        rooms = [room_of(batch, game) == "houou" for game in range(len(batch))]
        only = np.array([rooms[at] and is_held_out(game_hash(batch, at)) for at in range(len(batch))], bool)
        for one in judgements(batch, only=only & (batch.games.players == 4)):
            turns = np.flatnonzero(one.table.option[one.chosen] <= OptionKind.RIICHI)[::5]
            for at, own in shares(batch, rulesets_of(batch), one, turns).items():
                hits += int(own.argmax()) == one.chosen[at] - one.first[at]
                number += 1
    assert number > 500
    assert hits / number > 0.55
