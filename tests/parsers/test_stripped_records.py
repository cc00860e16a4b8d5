"""Records without one of their fields, as other programs store them: unknown, not wrong."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from fuzzing import MADE, simulated, written
from stripped import Field, without_each_field

from paifu.api.convert import completed
from paifu.parsers.read import read_batches, read_unit
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.parsers.targets import TARGETS
from paifu.parsers.writers import WRITERS
from paifu.replay.comparison.comparing import compare_games
from paifu.replay.facts.tables import code_of
from paifu.replay.table.engine import replay

FORMATS = Path(__file__).parents[2] / "sample_logs" / "formats"


# --- every field of every format ---------------------------------------------------------------------------


@cache
def text_of(name: str) -> bytes:
    """A game with calls, kans, riichi, ura dora, a tsumo and an exhaustive draw, as a record of a format."""
    if name in MADE:
        rules = "riichi-city" if name == "riichicity" else "tenhou"
        return MADE[name][0](completed(simulated(rules, 7), "mjlog"))
    (batch,) = read_batches([FORMATS / "hanchan.mjlog.gz"])
    return written(name, batch)


def format_of(name: str) -> Format:
    return WRITERS[name].format if name in WRITERS else MADE[name][1]


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


@pytest.mark.every(10)
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
