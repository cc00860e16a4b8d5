"""Liability (pao) at the table: whose meld settles a yakuman, under which rule, and which does not."""

from __future__ import annotations

import pytest
from case_data import case_data
from each_row import each_row

from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.transitions import note_liability
from paifu.replay.model.tile_notation import parse_tile
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.scoring.yaku import YAKU
from paifu.replay.table.engine import new_table

PAO = ("daisangen", "daisuushii", "suukantsu", "tsuuiisou", "chinroutou", "ryuuiisou")
SORTS = {
    "chi": state.CHI,
    "pon": state.PON,
    "kan": state.DAIMINKAN,
    "closed": state.ANKAN,
    "added": state.KAKAN,
}
FEEDER = 2

TABLES = case_data("liability")
SETTLED: dict[str, str] = TABLES["settled"]
NOT_SETTLED: list[str] = TABLES["not_settled"]["rows"]


def liable_for(melds: str, **rules: bool) -> set[str]:
    """What the seat that fed the last of ``melds`` is liable for, under these rules of liability alone."""
    every = {f"pao_{name}": rules.get(name, False) for name in PAO}
    kernel = with_overrides(
        load_preset("tenhou"), every | {"pao_closed_kans": rules.get("closed_kans", False)}
    ).kernel()
    table = new_table()
    for number, meld in enumerate(melds.split(", ")):
        sort, tile = meld.split()
        table.meld_types[0, number], table.meld_kinds[0, number] = SORTS[sort], parse_tile(tile)
        table.meld_count[0] = number + 1
    note_liability(table, 0, FEEDER, kernel)
    assert not table.liable[1:].any()
    assert not table.liable[0, [0, 1, 3]].any()
    mask = int(table.liable[0, FEEDER])
    found = {yaku.romaji for yaku in YAKU.values() if mask >> yaku.id & 1}
    assert mask.bit_count() == len(found)
    return found


@each_row("melds", SETTLED)
def test_the_last_meld_settles_a_yakuman(melds: str) -> None:
    expected = set(SETTLED[melds].split())
    assert liable_for(melds, **dict.fromkeys(PAO, True)) == expected
    for name in PAO:
        assert liable_for(melds, **{name: True}) == expected & {name}


@each_row("melds", NOT_SETTLED)
def test_other_melds_settle_none(melds: str) -> None:
    assert liable_for(melds, **dict.fromkeys(PAO, True)) == set()


@pytest.mark.parametrize(
    ("melds", "expected"),
    [("closed 5z, pon 6z, pon 7z", "daisangen"), ("closed 1m, added 2p, added 3s, kan 4z", "suukantsu")],
)
def test_closed_kans_may_count(melds: str, expected: str) -> None:
    assert liable_for(melds, **dict.fromkeys((*PAO, "closed_kans"), True)) == {expected}
