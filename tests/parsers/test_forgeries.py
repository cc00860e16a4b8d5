"""Compound forgeries: with walls every one is noticed, without them all that the rest contradicts."""

from __future__ import annotations

from functools import cache

import pytest
from forged_records import WITH_WALLS, WITHOUT_WALLS, Recorded, codes_of, outcome, simulated, sound
from forgery_kinds import FORGERIES

from paifu.replay.model.batch import Batch

CONSISTENT = {kind.name for kind in FORGERIES if kind.settles} - {
    "a win is left out, and the hand ends in a draw"
}
"""Other tiles from the same set, settled anew: another wall could have given such a hand."""
SIMULATED = [name for name, recorded in WITH_WALLS.items() if recorded.rules != "arena"]


@cache
def games(rules: str) -> Batch:
    return simulated(rules, 3)


@cache
def base(recorded: Recorded) -> Batch:
    return sound(recorded, games(recorded.rules))


def test_there_are_36_kinds_in_six_formats() -> None:
    assert len({kind.name for kind in FORGERIES}) == 36
    assert len(WITH_WALLS) == len(WITHOUT_WALLS) == 6


def test_points_that_move_between_hands_are_noticed_in_every_format() -> None:
    (kind,) = [kind for kind in FORGERIES if kind.name.startswith("points move")]
    for recorded in WITHOUT_WALLS.values():
        assert outcome(recorded, base(recorded), kind, 1).noticed == 1


@pytest.mark.parametrize(("first", "name"), list(enumerate(SIMULATED)))
def test_every_forgery_is_noticed_where_there_is_a_wall(first: int, name: str) -> None:
    """A sixth of the kinds in each format, most kinds in one."""
    recorded = WITH_WALLS[name]
    found = [outcome(recorded, base(recorded), kind, 1) for kind in FORGERIES[first::6]]
    assert [one for one in found if one.noticed < one.tried] == []
    assert sum(one.tried for one in found) > 3


@pytest.mark.parametrize(("first", "name"), list(enumerate(WITHOUT_WALLS)))
def test_without_walls_what_the_rest_contradicts_is_noticed(first: int, name: str) -> None:
    recorded = WITHOUT_WALLS[name]
    found = [outcome(recorded, base(recorded), kind, 1) for kind in FORGERIES[first::6]]
    assert {one.kind for one in found if one.noticed < one.tried} <= CONSISTENT
    assert sum(one.tried for one in found) > 3


def test_unchanged_records_have_no_findings() -> None:
    for recorded in (*WITH_WALLS.values(), *WITHOUT_WALLS.values()):
        if recorded.rules != "arena":
            batch = base(recorded)
            assert len(batch) >= 2
            assert not any(codes_of(recorded, recorded.write(batch.take(game))) for game in range(len(batch)))
