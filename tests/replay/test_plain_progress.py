"""Hands that are plainly as they should be: left out of the checks from hand to hand, and rightly so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paifu.parsers.read import read_batches
from paifu.replay.facts.tables import code_of
from paifu.replay.model.batch import Batch
from paifu.replay.rulesets.presets import rulesets_of, with_overrides
from paifu.replay.table import plain_progress, progress
from paifu.replay.table.engine import _BatchPass, replay
from paifu.replay.table.stated import Ledger

SAMPLES = Path(__file__).parents[2] / "sample_logs"
COLUMNS = ("round", "honba", "sticks", "dealer", "scores", "end")


def carried(
    batch: Batch, known: tuple[np.ndarray, np.ndarray], *, is_left_out: bool
) -> tuple[list[Any], Any, Any]:
    """What the checks from hand to hand find: with all hands looked at, or with those that are not plain."""
    rulesets = rulesets_of(batch)
    ledger = Ledger(batch, rulesets)
    with pytest.MonkeyPatch.context() as patched:
        if not is_left_out:
            patched.setattr(progress, "plain_hands", lambda batch, *_: np.zeros(len(batch.hands), np.bool_))
            patched.setattr(progress, "plain_starts", lambda batch, _: np.zeros(len(batch), np.bool_))
        found, hands, finals, _ = progress.check_progress(batch, rulesets, ledger, *known)
    rows = sorted(zip(*(array.tolist() for _, array in found.arrays()), strict=True))
    return rows, hands, finals


def followed(batch: Batch, monkeypatch: pytest.MonkeyPatch) -> tuple[np.ndarray, np.ndarray]:
    """Tenpai seats (hands,) and scored wins as a replay sees them."""
    kept: list[tuple[np.ndarray, np.ndarray]] = []
    replayed = _BatchPass.replayed
    monkeypatch.setattr(
        _BatchPass,
        "replayed",
        lambda run, *rules: (kept.append((run.tenpai, run.scored)), replayed(run, *rules))[1],
    )
    replay(batch)
    return kept[0]


def changed(batch: Batch, chance: np.random.Generator) -> Batch:
    """The batch with one number of every third hand changed a little, or taken from another hand."""
    hands = batch.hands
    columns = {name: getattr(hands, name).copy() for name in COLUMNS}
    for hand in range(0, len(hands), 3):
        column = columns[COLUMNS[chance.integers(len(COLUMNS))]]
        if column.ndim == 2:
            column[hand, chance.integers(4)] += 100 * int(chance.integers(-3, 4))
        elif chance.integers(2):
            column[hand] = column[chance.integers(len(hands))]
        else:
            column[hand] ^= 1
    columns["dealer"] %= 3
    return replace(batch, hands=replace(hands, **columns))


@pytest.fixture(scope="module")
def batch() -> Batch:
    return Batch.concatenate(read_batches([SAMPLES / "games", SAMPLES / "formats", SAMPLES / "rulesets"]))


def test_leaving_out_plain_hands_changes_no_finding(batch: Batch, monkeypatch: pytest.MonkeyPatch) -> None:
    known = followed(batch, monkeypatch)
    assert carried(batch, known, is_left_out=True) == carried(batch, known, is_left_out=False)
    chance, findings = np.random.default_rng(1), 0
    for _ in range(20):
        other = changed(batch, chance)
        found = carried(other, known, is_left_out=True)
        assert found == carried(other, known, is_left_out=False)
        findings += len(found[0])
    assert findings > 20 * len(batch.hands) / 6


def test_where_seats_begin_with_other_points_an_equal_start_is_not_plain(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (game,) = read_batches([SAMPLES / "formats" / "tonpuu.mjlog"])
    known = followed(game, monkeypatch)
    rules = with_overrides(rulesets_of(game)[0], {"start_points_by_seat": [24000, 25000, 25000, 26000]})
    monkeypatch.setattr("test_plain_progress.rulesets_of", lambda batch: (rules,) * len(batch))
    found = carried(game, known, is_left_out=True)
    assert found == carried(game, known, is_left_out=False)
    assert "V501" in {code_of(row[0]) for row in found[0]}


def test_most_hands_are_plain(batch: Batch, monkeypatch: pytest.MonkeyPatch) -> None:
    known = followed(batch, monkeypatch)
    plain: list[np.ndarray] = []
    monkeypatch.setattr(
        progress, "plain_hands", lambda *rest: plain.append(plain_progress.plain_hands(*rest)) or plain[0]
    )
    carried(batch, known, is_left_out=True)
    assert plain[0].mean() > 0.5


@pytest.mark.corpus
def test_leaving_out_plain_hands_changes_no_finding_of_real_games(
    shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = next(iter(read_batches([shared / "logs" / "mjlog"])))
    known = followed(real, monkeypatch)
    chance = np.random.default_rng(2)
    for other in (real, *(changed(real, chance) for _ in range(3))):
        assert carried(other, known, is_left_out=True) == carried(other, known, is_left_out=False)
