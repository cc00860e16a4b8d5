"""Logs that a preset allows and Tenhou's rules fault; see ``letter``."""

from __future__ import annotations

import pytest
from rules.letter import CASES, Case, found

from paifu.replay.rules.presets import load_preset
from paifu.replay.table.settlement import final_result


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_a_log_is_clean_under_its_preset_and_faulted_under_tenhou(case: Case) -> None:
    batch = case.batch()
    assert found(batch) == ()
    assert found(batch, case.others()) == case.faults


def test_a_win_by_25000_points_triples_the_points_at_the_start_of_yakuza_2() -> None:
    result = final_result(load_preset("yakuza2"), (50000, 25000, 15000, 10000), winners=(0,))
    assert result.points == (75000, 25000, 5000, -5000)
