"""What players choose beside strong players: sums by situation, unusual moves and their reasons."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from command import call

from paifu.coach.judgement.choices import choices
from paifu.coach.judgement.judged import judgements
from paifu.coach.judgement.match import SITUATIONS, UNUSUAL, Match, grades
from paifu.coach.judgement.policy import shares
from paifu.parsers.read import read_batches
from paifu.replay.model.batch import Batch
from paifu.replay.rulesets.presets import rulesets_of
from paifu.reports.judged import Rate, first_rate, unusual_rate

GAME = Path(__file__).parents[2] / "sample_logs" / "formats" / "hanchan.mjlog.gz"


@pytest.fixture(scope="module")
def batch() -> Batch:
    (batch,) = read_batches([GAME])
    return batch


def test_sums_are_those_of_each_decision_by_itself(batch: Batch) -> None:
    found = choices(batch, min_loss=300, unusual=1).matched
    names = batch.games.names[0].tolist()
    expected = {name: np.zeros(4) for name in names}
    rarest: dict[int, float] = {}
    for one in judgements(batch):
        found_shares = shares(batch, rulesets_of(batch), one, np.arange(len(one)))
        for number, at in enumerate(one.chosen.tolist()):
            own, seat = found_shares[one.options(number)], int(one.table.seat[at])
            share = float(found_shares[at])
            expected[names[seat]] += [1, share == own.max(), share, share < UNUSUAL]
            rarest[seat] = min(rarest.get(seat, 1.0), share)
    for name, sums in expected.items():
        assert found[name].sums[0] == pytest.approx(sums)
        early, middle, late = (found[name].decisions(part) for part in ("early", "middle", "late"))
        assert early + middle + late == found[name].decisions() > 50


def test_the_rarest_of_each_player_are_listed(batch: Batch) -> None:
    few, many = (choices(batch, min_loss=300, unusual=most).unusual for most in (1, 5))
    assert 0 < len(few) <= 4
    assert len(many) >= len(few)
    for one in few:
        own = [other.weighed.share for other in many if other.seat == one.seat]
        assert one.weighed.share == min(own) < UNUSUAL
        assert one.weighed.best != one.weighed.chosen
        assert one.weighed.shares is not None
        assert one.weighed.shares[one.weighed.best] == one.weighed.shares.max()
        assert one.why.startswith("strong players choose ")
        assert "cost" not in one.why
        assert not one.is_mistake
    assert choices(batch, min_loss=300).unusual == []


def test_the_command_lists_them_apart_and_the_rarest_first() -> None:
    text = call("review", GAME, "-j", "1", "--limit", 0).text
    assert " Unusual moves, the rarest first\n" in text
    rows = json.loads(call("review", GAME, "-j", "1", "-f", "json").data)
    unusual = [one for one in rows["findings"] if one["code"] == "U101"]
    assert unusual
    assert {one["severity"] for one in unusual} == {"note"}
    assert {one["evidence"]["cost"] for one in unusual} == {0}
    assert set(rows["summary"]["players"][0]["match"]) == {"games", *SITUATIONS}


def test_the_curve_falls_with_grade_and_rates_are_drawn_to_it() -> None:
    curve = grades()
    rates = [rate for _grade, _first, rate in curve.curve()]
    assert len(rates) > 2
    assert rates[0] > rates[-1]
    nothing = Match()
    assert nothing.shrunken() is None
    assert first_rate(nothing) is None
    one = Match(np.full((len(SITUATIONS), 4), [100.0, 70, 60, 10]), 1)
    assert 100 * curve.mean < (one.shrunken() or 0) < 10
    assert unusual_rate(one + one) == Rate.of(20, 200)
    assert (one + one).decisions() == 200
