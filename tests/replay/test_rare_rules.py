"""Rules of few documents, each in the one state of the table that shows it."""

from __future__ import annotations

import pytest
from each_row import each_row
from scripted import Script, play_scripts

from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.legal import may_abort, wins_with_kan
from paifu.replay.model.events import HandEnd
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.table.engine import new_table

TURN, LAID = 1, 30


@each_row(
    ("needs_pair", "seat", "tile", "kans", "wins"),
    [(False, TURN, LAID, 4, True), (False, TURN, LAID, 3, False), (False, TURN + 1, LAID, 4, False),
     (False, TURN, LAID + 1, 4, False), (True, TURN, LAID, 4, False)],
)  # fmt: skip
def test_the_fourth_kan_wins_at_once_where_it_needs_no_pair(
    needs_pair: bool, seat: int, tile: int, kans: int, wins: bool
) -> None:
    rules = with_overrides(load_preset("kwan-official"), {"suukantsu_needs_pair": needs_pair}).kernel()
    table = new_table()
    table.turn, table.offer_tile = TURN, LAID
    table.meld_count[:] = 4
    table.meld_types[:, :4] = state.PON
    table.meld_types[:, :kans] = [state.ANKAN, state.KAKAN, state.DAIMINKAN, state.ANKAN][:kans]
    assert wins_with_kan(table, seat, tile, rules) == wins


@pytest.mark.parametrize(("fouls", "ends"), [("refused", True), ("chombo", False)])
def test_a_hand_with_a_foul_does_not_end_in_a_draw(fouls: str, ends: bool) -> None:
    rules = with_overrides(
        load_preset("riichi-encyclopedia"), {"foul_noten_riichi": fouls, "foul_riichi_kan": fouls}
    ).kernel()
    table = new_table()
    table.phase, table.live = state.WAIT_DRAW, 0
    table.riichi[2] = 2
    table.foul[2], table.fouls = 1 << state.NOTEN_RIICHI, 1
    assert may_abort(table, HandEnd.EXHAUSTIVE, rules) == ends


def test_only_the_last_kan_decides_whether_it_was_fed() -> None:
    """A win on the supplement of a kan that seat 0 fed is paid by it; not so after a closed kan behind it."""
    rules, hand = load_preset("mcgill-riichi"), ("", "666p999m456m5578s")
    fed, own = (
        play_scripts(rules, Script(moves, hands=hand)).hands[0].deltas
        for moves in ("6p kan1 9s>tsumo", "6p kan1 9m>k9m 9s>tsumo")
    )
    assert fed == (-1300, 1300, 0, 0)
    assert own == (-1200, 2400, -600, -600)
