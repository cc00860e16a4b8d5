"""Two conversions, one after the other: how a game is settled comes back, or is not stated."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from paifu.api.convert import completed
from paifu.api.proof import prove
from paifu.parsers.read import read_batches, read_unit
from paifu.parsers.sources.documents import Document
from paifu.parsers.targets import TARGETS
from paifu.parsers.writers import WRITERS
from paifu.replay.model.batch import Batch
from paifu.replay.rulesets.presets import dump_overrides, ruleset_of

TONPUU = Path(__file__).parents[2] / "sample_logs" / "formats" / "tonpuu.mjlog"
IDS = {
    "uma of 2009": ("2009030422gm-00e1-0000-2a6a1b0c", (10000, 5000, -5000, -10000), "NEAREST"),
    "whole points": ("2019050417gm-00a1-0000-2a6a1b0c", (20000, 10000, -10000, -20000), "NEAREST"),
    "decimals": ("2023050417gm-00a1-0000-2a6a1b0c", (20000, 10000, -10000, -20000), "EXACT"),
}
SETTLED = ("mjlog", "tenhou6", "majiang", "majsoul-json", "paifu")
"""Formats with a place for settled points."""


def written(batch: Batch, target: str) -> Batch:
    """A game as it comes back from a format; the conversion is proved."""
    text = b"".join(WRITERS[target].games(completed(batch, target)))
    name = (str(batch.games.id[0]) or "x") + WRITERS[target].suffix
    assert prove(batch, text, target, name.partition(".")[0])
    again = read_unit([Document(name, text, WRITERS[target].format)])
    assert len(again.faults) == 0
    return again


@cache
def in_mjai(game_id: str) -> Batch:
    """A game in mjai, which states its id, and neither rules nor settled points."""
    read = read_unit([Document(f"{game_id}.mjlog", TONPUU.read_bytes(), WRITERS["mjlog"].format)])
    return written(read, "mjai")


def settled(batch: Batch) -> list[float]:
    points: list[float] = batch.games.final_points[0].tolist()
    return points


@pytest.mark.every(5)
@pytest.mark.parametrize("game_id", IDS.values(), ids=IDS)
@pytest.mark.parametrize("between", TARGETS)
def test_a_game_of_tenhou_is_settled_as_its_id_says(
    between: str, game_id: tuple[str, tuple[int, ...], str]
) -> None:
    first = in_mjai(game_id[0])
    assert all(map(math.isnan, settled(first)))
    second = written(first, between)
    for target in SETTLED:
        final = ruleset_of(written(second, target), 0).final
        assert (tuple(final.uma), final.rounding.name) == game_id[1:], target
        straight, twice = settled(written(first, target)), settled(written(second, target))
        if not any(map(math.isnan, (*straight, *twice))):
            assert twice == straight, target


def in_paifu(**rules: object) -> Batch:
    """A game that states rules of its own, and no settled points."""
    (batch,) = read_batches([TONPUU])
    games = batch.games
    own = {"wind_rounds": 1, "max_wind_rounds": 2, **rules}
    overrides, nothing = games.overrides.copy(), np.full((1, 4), np.nan)
    overrides[0] = dump_overrides(own)  # type: ignore[arg-type]
    return replace(batch, games=replace(games, overrides=overrides, final_points=nothing))


@pytest.mark.parametrize("between", ["majiang", "majsoul-json"])
@pytest.mark.parametrize(
    "rules", [{"rounding": "nearest"}, {"uma": [30000, 10000, -10000, -30000]}], ids=["rounding", "uma"]
)
def test_what_a_format_does_not_state_of_the_settlement_its_points_do(
    between: str, rules: dict[str, object]
) -> None:
    first = in_paifu(**rules)
    straight = settled(written(first, "mjlog"))
    assert not any(map(math.isnan, straight))
    assert settled(written(written(first, between), "mjlog")) == straight


def test_settled_points_that_are_not_stated_stay_so_where_nothing_is_lost() -> None:
    assert all(map(math.isnan, settled(written(in_paifu(), "majsoul-json"))))
