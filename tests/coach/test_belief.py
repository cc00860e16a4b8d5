"""Hidden hands as a player could expect them: possible, blind to what is hidden, and played out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from each_row import each_row

from paifu.api.play_outs import walls_of
from paifu.coach.belief.beliefs import believed, shipped_weights
from paifu.coach.belief.features import WEIGHTS
from paifu.coach.belief.sight import Sight, sight_of
from paifu.coach.decisions import OptionKind
from paifu.coach.kernels.belief import (
    KANCHAN,
    PENCHAN,
    RYANMEN,
    SEVEN_PAIRS,
    SHANPON,
    TANKI,
    Chain,
    look,
    put,
)
from paifu.coach.simulate.games import PLAYERS
from paifu.coach.simulate.playing_out import PlayOut
from paifu.parsers.read import read_batches
from paifu.replay.arrays import U8
from paifu.replay.kernels.table_state import drop, kind_of, take
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.rulesets.presets import rulesets_of
from paifu.replay.shapes.tables import load_tables

GAME = Path(__file__).parents[2] / "sample_logs" / "formats" / "hanchan.mjlog.gz"
WALLS = np.arange(1, 5, dtype=np.int64) * 104729
DEALS = 4


@dataclass(frozen=True)
class Moment:
    """A discard, and what its player saw."""

    out: PlayOut
    batch: Batch
    place: tuple[int, int, int, int]
    tile: int
    sight: Sight
    true: U8


@pytest.fixture(scope="module")
def moments() -> list[Moment]:
    """Some discards, half of them with a riichi of somebody else."""
    (batch,) = read_batches([GAME])
    out = PlayOut(batch, rulesets_of(batch)[0], PLAYERS["balanced"])
    found: dict[bool, list[Moment]] = {True: [], False: []}
    for hand in range(len(batch.hands)):
        span = np.arange(batch.hands.event_begin[hand], batch.hands.event_end[hand])
        for event in span[batch.events.kind[span] == EventKind.DISCARD][5::4].tolist():
            place = hand, event, int(batch.events.seat[event]), int(OptionKind.DISCARD)
            sight = out.sight(*place)
            assert sight is not None
            riichi = bool((sight.riichi * sight.size).any())
            if len(found[riichi]) < 4 and not sight.riichi[place[2]]:
                tile = int(batch.events.tile[event])
                found[riichi].append(Moment(out, batch, place, tile, sight, out.hidden(place[2])))
    assert [len(part) for part in found.values()] == [4, 4]
    return found[True] + found[False]


def test_hands_are_made_of_unseen_tiles_and_riichi_waits_for_what_was_not_passed(
    moments: list[Moment],
) -> None:
    for one in moments:
        deals = believed(one.sight, DEALS, 7, one.out.rules)
        assert deals is not None
        unseen = np.bincount(one.sight.unseen, minlength=37)
        for tiles, found in zip(deals.tiles, deals.found, strict=True):
            parts = [row[:size] for row, size in zip(tiles, one.sight.size, strict=True)]
            assert (np.bincount(np.concatenate(parts), minlength=37) <= unseen).all()
            for seat in np.flatnonzero(one.sight.riichi * one.sight.size).tolist():
                assert found[seat, 0] == 0
                assert found[seat, 2]
                assert not found[seat, 2] & one.sight.safe[seat]


def test_the_same_seed_gives_the_same_hands(moments: list[Moment]) -> None:
    first, again, other = (believed(moments[0].sight, 2, seed, moments[0].out.rules) for seed in (3, 3, 4))
    assert first is not None
    assert again is not None
    assert other is not None
    assert (first.tiles == again.tiles).all()
    assert (first.tiles != other.tiles).any()


def test_nothing_hidden_is_looked_at(moments: list[Moment]) -> None:
    """What the others hold is exchanged among them: what is seen stays the same."""
    for one in moments:
        hand, event, seat, option = one.place
        stop = one.out.reach(hand, event, seat, option)
        table = one.out._play.table
        others = [other for other in range(4) if other != seat]
        for giver, taker in zip(others, others[1:] + others[:1], strict=True):
            given = int(np.flatnonzero(table.held[giver])[0])
            taken = int(np.flatnonzero(table.held[taker])[-1])
            assert drop(table, giver, given)
            assert drop(table, taker, taken)
            take(table, giver, taken)
            take(table, taker, given)
        table.waits[others] = 0
        passed = one.out._judge.desk.review.memory.passed
        again = sight_of(table, passed, one.batch, hand, stop, seat, one.out._play.rules)
        for name in Sight.__dataclass_fields__:
            now, before = getattr(again, name), getattr(one.sight, name)
            assert now == before if isinstance(now, tuple | int) else (now == before).all(), name


def test_discards_are_seen_in_the_order_of_the_log(moments: list[Moment]) -> None:
    for one in moments:
        hand, stop, _, _ = one.place
        events = one.batch.events
        span = np.arange(one.batch.hands.event_begin[hand], stop)
        for seat in range(4):
            own = span[events.seat[span] == seat]
            rivers = own[events.kind[own] == EventKind.DISCARD]
            assert one.sight.discards[seat] == tuple(kind_of(int(tile)) for tile in events.tile[rivers])
            riichi = own[events.kind[own] == EventKind.RIICHI]
            declared = int((rivers < riichi[0]).sum()) if len(riichi) else -1
            assert one.sight.declared[seat] == declared


def test_true_hands_given_are_those_of_the_log(moments: list[Moment]) -> None:
    moved = 0
    for one in moments:
        hand, event, seat, option = one.place
        given = np.repeat(one.true[None], len(WALLS), axis=0)
        plain = one.out.points(hand, event, seat, [(option, one.tile)], WALLS)
        same = one.out.points(hand, event, seat, [(option, one.tile)], WALLS, given)
        deals = believed(one.sight, len(WALLS), 5, one.out.rules)
        assert deals is not None
        other = one.out.points(hand, event, seat, [(option, one.tile)], WALLS, deals.tiles)
        assert plain is not None
        assert same is not None
        assert other is not None
        assert (plain == same).all()
        moved += (plain != other).any()
    assert moved


@each_row(
    ("hand", "sort"),
    [
        ("1133557799m11p2s", SEVEN_PAIRS), ("123456789m222p5s", TANKI), ("123456789m13p55s", KANCHAN),
        ("123456789m12p55s", PENCHAN), ("123456789m22p55s", SHANPON), ("123456789m34p55s", RYANMEN),
    ],
)  # fmt: skip
def test_sorts_of_waits(hand: str, sort: int) -> None:
    tiles, digits = [], []
    for letter in hand:
        if letter.isdigit():
            digits.append(int(letter))
        else:
            tiles += [9 * "mps".index(letter) + digit - 1 for digit in digits]
            digits = []
    chain = Chain(forms=7)
    for tile in tiles:
        put(chain, 2, tile, 1)
    look(chain, 2, load_tables(sanma=False))
    assert (chain.shanten[2], chain.sort[2]) == (0, sort)


def test_the_weights_fit_what_they_are_for() -> None:
    assert len(shipped_weights()) == WEIGHTS
    assert kind_of(34) == 4


@pytest.mark.full
def test_the_error_of_a_mean_is_the_spread_of_means(moments: list[Moment]) -> None:
    """Hands of one chain are too far apart to resemble each other."""
    spread, stated = [], []
    for one in moments:
        hand, event, seat, option = one.place
        means = []
        for seed in range(10):
            deals = believed(one.sight, 100, seed, one.out.rules)
            if deals is None:  # two in riichi, whose hands the chain did not find together
                continue
            walls = walls_of(str(seed), 100)
            points = one.out.points(hand, event, seat, [(option, one.tile)], walls, deals.tiles)
            assert points is not None
            means.append(points[0, :, seat].mean())
            stated.append(points[0, :, seat].var(ddof=1) / 100)
        spread.append(np.var(means, ddof=1))
    assert len(stated) >= 78
    assert 0.5 < np.mean(spread) / np.mean(stated) < 1.7  # the middle 99% of a chi-square of 72 degrees
