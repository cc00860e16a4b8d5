"""Records without one of their fields, as other programs store them: unknown, not wrong."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from each_row import each_row
from forged_records import WITH_WALLS, simulated, written
from stripped import Field, without_each_field

from paifu.api.convert import completed
from paifu.parsers.read import read_batches, read_unit
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.parsers.targets import TARGETS
from paifu.parsers.writers import WRITERS
from paifu.replay.comparison.comparing import compare_games
from paifu.replay.facts.tables import code_of
from paifu.replay.model.batch import Batch
from paifu.replay.table.engine import replay

FORMATS = Path(__file__).parents[2] / "sample_logs" / "formats"


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
    "count": "", "yiman": "", "qinjia": "", "left_tile_count": "", "baopai": "", "li_doras": "wins.ura",
    "val": "wins.yaku",
}  # fmt: skip
"""A field that a record may leave out -> the fact that is not stated then; empty if it follows."""


@each_row("name", sorted(LEFT_OUT))
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


# --- every field of every format ---------------------------------------------------------------------------


@cache
def text_of(name: str) -> bytes:
    """A game with calls, kans, riichi, ura dora, a tsumo and an exhaustive draw, as a record of a format."""
    recorded = WITH_WALLS.get(name)
    if recorded is not None and name not in WRITERS:
        return recorded.write(simulated(recorded.rules, 1, 7))
    (batch,) = read_batches([FORMATS / "hanchan.mjlog.gz"])
    return written(name, batch)


def format_of(name: str) -> Format:
    return WRITERS[name].format if name in WRITERS else WITH_WALLS[name].format


def is_zero(name: str, field: Field) -> bool:
    """Whether a format says something by leaving a field out: zero, none, as before."""
    return name == "mjx" or field in SAYS_BY_ABSENCE.get(name, ())


SAYS_BY_ABSENCE: dict[str, set[Field]] = {
    "mjlog": {*(("RYUUKYOKU", f"hai{seat}") for seat in range(4)), ("AGARI", "m")},
    "majsoul-json": {
        ("0", "seat"), ("liqi", "seat"), ("result", "ben"), ("result", "chang"), ("result", "liqibang"),
        ("result", "doras"),
    },
    "paifu": {("hands", "honba"), ("hands", "sticks"), ("hands", "events")},
    "paifu-events": {("hand", "honba"), ("hand", "sticks")},
}  # fmt: skip
"""Tenhou shows the hands of tenpai seats only, and with a win the melds that there are. Protocol buffers
(Mahjong Soul, mjx) leave out zeros and empty lists, and Mahjong Soul repeats the indicators only when one is
new. paifu's own log says so in its reference.
"""
SUPPOSED = {
    "games.rules", "games.names", "games.id", "events.time", "events.flags", "events.tile", "hands.dealt",
    "wins.melds",
}  # fmt: skip
"""Facts for which a reader has something else where the record says nothing: rules of the usual room, numbers
instead of names, the place in a hand of a tile that it holds twice."""


@pytest.mark.parametrize("name", [*TARGETS, "mjx", "riichicity"])
def test_no_field_that_is_left_out_makes_anything_wrong(name: str) -> None:
    """A reader either does without, and finds nothing wrong, or says what is missing."""
    fmt, tried = format_of(name), 0
    whole = read_unit([Document("x", text_of(name), fmt)])
    assert replay(whole).findings.code.tolist() == []
    for field, text in without_each_field(name, text_of(name)):
        batch = read_unit([Document("x", text, fmt)])
        if len(batch.faults):
            assert all(code in READING for code in batch.faults.code.tolist()), field
        elif not is_zero(name, field):
            tried += 1
            found = [code_of(code) for code in replay(batch, player_hands=False).findings.code.tolist()]
            assert found == [], (field, found)
            facts = compare_games(whole, batch).facts
            assert {one for one in facts if facts[one].different} <= SUPPOSED, field
    assert tried >= (0 if name == "mjx" else 7)


READING = {"V101", "V102", "V104", "V105"}
