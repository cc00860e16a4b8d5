"""Records of Mahjong Soul without one of their fields, as other programs store them: unknown, not wrong."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from paifu.api.converting import completed
from paifu.parsers.read import read_batches, read_unit
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.parsers.writers import WRITERS
from paifu.replay.comparison.comparing import compare_games
from paifu.replay.facts.tables import code_of
from paifu.replay.model.batch import Batch
from paifu.replay.table.engine import replay

FORMATS = Path(__file__).parents[1] / "sample_logs" / "formats"


@cache
def record() -> Any:
    (batch,) = read_batches([FORMATS / "hanchan.mjlog.gz"])
    return json.loads(b"".join(WRITERS["majsoul-json"].games(completed(batch, "majsoul-json"))))


def without(value: Any, *names: str) -> Any:
    if isinstance(value, dict):
        return {key: without(cell, *names) for key, cell in value.items() if key not in names}
    return [without(cell, *names) for cell in value] if isinstance(value, list) else value


def read(value: Any) -> Batch:
    batch = read_unit([Document("x.json", json.dumps(value).encode(), Format.MAJSOUL)])
    assert batch.faults.reason.tolist() == []
    return batch


LEFT_OUT = {
    "hand": "wins.tiles", "liqi": "riichi_scores.scores", "fans": "wins.yaku", "title_id": "wins.limit",
    "fu": "wins.fu", "point_rong": "wins.points", "is_liqi": "", "moqie": "", "zimo": "", "tingpai": "",
    "part_point_1": "games.final_scores", "total_point": "games.final_points", "old_scores": "wins.scores",
    "count": "", "yiman": "", "qinjia": "", "left_tile_count": "", "baopai": "", "li_doras": "",
}  # fmt: skip
"""A field that a record may leave out -> the fact that is not stated then; empty if it follows."""
NOT_WHOLE = {"li_doras"}
"""What nobody can tell, and the value of wins depends on: the ura indicators."""


@pytest.mark.parametrize("name", sorted(set(LEFT_OUT) - NOT_WHOLE))
def test_a_field_that_is_left_out_makes_nothing_wrong(name: str) -> None:
    batch = read(without(record(), name))
    assert [code_of(code) for code in replay(batch, player_hands=False).findings.code.tolist()] == []
    found = compare_games(read(record()), batch)
    fact = LEFT_OUT[name]
    assert not fact or found.facts[fact].only_a > 0
    different = {one for one in found.facts if found.facts[one].different}
    # Without marks, any of the dealer's 14 tiles may be the one drawn, and a tile held twice either one.
    assert different <= ({"events.flags", "events.tile", "hands.dealt"} if name == "moqie" else set())


def test_several_fields_may_be_left_out() -> None:
    batch = read(without(record(), "hand", "liqi", "fans", "title_id", "fu", "total_point"))
    assert replay(batch, player_hands=False).findings.code.tolist() == []
    assert (batch.events.kind == read(record()).events.kind).all()


def test_who_pays_is_open_where_a_draw_states_no_changes() -> None:
    batch = read(without(record(), "delta_scores"))
    assert "V405" not in {code_of(code) for code in replay(batch).findings.code.tolist()}
