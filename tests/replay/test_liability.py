"""Liability (pao) at the table: whose meld settles a yakuman, under which rule, and which does not."""

from __future__ import annotations

import pytest
from each_row import each_row

from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.transitions import note_liability
from paifu.replay.model.tiles import parse_tile
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

SETTLED = {
    "pon 5z, pon 6z, pon 7z": "daisangen",
    "chi 1m, added 5z, kan 7z, pon 6z": "daisangen",
    "pon 4z, kan 1z, added 3z, pon 2z": "daisuushii tsuuiisou",
    "added 1m, kan 2p, added 3s, kan 4z": "suukantsu",
    "pon 1z, pon 2z, added 5z, kan 6z": "tsuuiisou",
    "pon 1m, pon 9m, added 9p, pon 1s": "chinroutou",
    "kan 9s, added 1p, added 9p, kan 1m": "chinroutou suukantsu",
    "chi 2s, pon 3s, pon 8s, pon 6z": "ryuuiisou",
    "pon 2s, pon 4s, added 6s, chi 2s": "ryuuiisou",
}
"""Melds (a run by its lowest tile) -> the yakuman that the last one settles."""

NOT_SETTLED = [
    "pon 5z, pon 6z",
    "pon 5z, pon 6z, pon 7z, pon 1m",
    "pon 1z, pon 2z, pon 3z",
    "pon 1z, pon 2z, pon 3z, pon 4m",
    "added 1m, kan 2p, added 3s, pon 4z",
    "added 1m, kan 2p, kan 3s",
    "pon 1z, pon 2z, pon 5z, pon 9m",
    "pon 1m, pon 9m, pon 9p, chi 1s",
    "pon 1m, pon 9m, pon 9p, pon 2s",
    "chi 2s, pon 3s, pon 8s, pon 5z",
    "chi 3s, pon 3s, pon 8s, pon 6z",
    "pon 5s, pon 3s, pon 8s, pon 6z",
    "pon 7s, pon 3s, pon 8s, pon 6z",
    "closed 5z, pon 6z, pon 7z",
    "closed 1m, added 2p, added 3s, kan 4z",
]


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
