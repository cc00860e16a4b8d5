"""How hands are likely to end, and what becomes of it: chances of the places inside a hand."""

from __future__ import annotations

import numpy as np
import pytest
from each_row import each_row

from paifu.coach.kernels import place_chances
from paifu.coach.luck.course import course
from paifu.coach.luck.hand_ends import (
    INPUTS,
    LEVELS,
    NOBODY,
    WAYS,
    LikelyEnds,
    full_inputs,
    level_of,
    possible_ends,
)
from paifu.coach.luck.measuring import chance_nodes
from paifu.parsers.read import read_batches
from paifu.replay.rulesets.presets import load_preset

SAMPLE = "sample_logs/formats/hanchan.mjlog.gz"


def certain(way: int, level: int = 0, tenpai: tuple[float, ...] = (0, 0, 0, 0)) -> LikelyEnds:
    """One moment in which the end is known but for its exact value."""
    ways, levels = np.zeros((1, WAYS)), np.zeros((1, 4, 2, LEVELS))
    ways[0, way] = levels[:, :, :, level] = 1
    return LikelyEnds(ways, levels, np.array([tenpai], float))


@pytest.mark.parametrize("rules", ["tenhou", "mleague", "wrc"])
def test_values_of_each_level_add_up(rules: str) -> None:
    ends = possible_ends(load_preset(rules))
    sums: dict[tuple[int, int, int], float] = {}
    for winner, source, level, share in zip(ends.winner, ends.source, ends.level, ends.share, strict=True):
        if winner >= 0:
            key = int(winner), int(source), int(level)
            sums[key] = sums.get(key, 0) + share
    assert len(sums) == 4 * 4 * LEVELS
    assert set(np.round(list(sums.values()), 9)) == {1.0}
    assert sorted(ends.tenpai[(ends.winner < 0) & ~ends.aborted]) == list(range(16))


@each_row(("base", "level"), [(240, 0), (320, 0), (1000, 2), (1920, 3), (2000, 4), (8000, 7)])
def test_levels_are_steps_of_base_points(base: int, level: int) -> None:
    assert level_of(base) == level


@pytest.mark.parametrize("drawer", range(4))
def test_ends_turn_with_the_drawer(drawer: int) -> None:
    """Seats count from the drawer in the network, and from the dealer in ends."""
    ends, at = possible_ends(load_preset("tenhou")), np.array([drawer])
    for winner in range(4):
        for source in range(4):
            weights = ends.weights(certain(4 * winner + source, 4), at)[0]
            assert weights.sum() == pytest.approx(1)
            assert set(ends.winner[weights > 0]) == {(winner + drawer) % 4}
            assert set(ends.source[weights > 0]) == {(source + drawer) % 4}
            assert set(ends.level[weights > 0]) == {4}
    (only,) = np.flatnonzero(ends.weights(certain(NOBODY, tenpai=(1, 0, 0, 0)), at)[0])
    assert ends.tenpai[only] == 1 << drawer
    changes = ends.ends[only, place_chances.E_CHANGES :]
    assert changes[drawer] == 3000
    assert sorted(changes)[:3] == [-1000] * 3


def test_inputs_say_whether_the_tile_is_there_and_what_it_wins() -> None:
    seen = np.zeros((3, INPUTS - 1 - LEVELS))
    before, after = full_inputs(seen, None), full_inputs(seen, np.array([0, 320, 8000]))
    assert before[:, -1 - LEVELS].tolist() == [1, 1, 1]
    assert not before[:, -LEVELS:].any()
    assert not after[:, -1 - LEVELS].any()
    assert after[:, -LEVELS:].sum(axis=1).tolist() == [0, 1, 1]
    assert after[1, -LEVELS] == after[2, -1] == 1


def test_there_is_no_course_without_place_chances() -> None:
    """With wareme the dice decide what is paid; with three players there is no network."""
    (batch,) = read_batches([SAMPLE])
    changed = load_preset("tenhou").changed(wareme=1)
    assert len(course(batch, chance_nodes(batch, changed, keep=True)).hand) == 0
    (three,) = read_batches(["sample_logs/formats/sanma.mjlog.gz"])
    assert len(course(three, chance_nodes(three, keep=True)).hand) == 0
