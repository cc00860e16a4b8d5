"""One cause is one finding: what follows from a fault that is reported is not reported again."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from builders import read
from sheets import Sheet
from test_findings import copy_of, find, findings, sample

from paifu.parsers.read import read_batches
from paifu.parsers.sources.detect import Format
from paifu.replay.findings.kinds import KINDS, by_code
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind, HandEnd
from paifu.replay.rulesets.presets import load_preset
from paifu.replay.table.engine import replay
from paifu.replay.walls.tenhou import make_seed

SAMPLES = Path(__file__).parents[2] / "sample_logs"
GAME = "hanchan.mjlog.gz"


@cache
def clean(name: str = GAME) -> Batch:
    """A sample log without findings."""
    batch = sample(name)
    assert [finding.code for finding in findings(batch)] == []
    return batch


def places(edit: Callable[[Batch], None], name: str = GAME) -> list[tuple[str, str | None]]:
    """Code and hand of what is found once a clean log has been changed."""
    batch = copy_of(clean(name))
    edit(batch)
    return [(finding.code, finding.hand) for finding in findings(batch)]


def labels(batch: Batch) -> list[str]:
    """The labels of a log's hands, such as E1.0."""
    winds = "ESWN"
    rows = zip(batch.hands.round.tolist(), batch.hands.honba.tolist(), strict=True)
    return [f"{winds[round_ // 4]}{round_ % 4 + 1}.{honba}" for round_, honba in rows]


# --- walls ---------------------------------------------------------------------------------------------


def test_another_seed_is_one_finding() -> None:
    def edit(batch: Batch) -> None:
        batch.games.seed[0] = make_seed(7)

    batch = copy_of(clean())
    edit(batch)
    assert len(batch.hands) > 10
    (finding,) = findings(batch)
    assert (finding.code, finding.hand) == ("V601", "E1.0")
    assert finding.message.startswith("the wall of this seed is another one: ")


def test_draws_that_differ_in_a_row_are_one_finding() -> None:
    def edit(batch: Batch) -> None:
        draws = np.flatnonzero(batch.events.kind == EventKind.DRAW)
        first, second = draws[:2].tolist()
        for column in (batch.events.tile, batch.events.tile_id):
            column[[first, second]] = column[[second, first]]

    codes = [code for code, _ in places(edit)]
    assert codes.count("V602") == 1


# --- from hand to hand ---------------------------------------------------------------------------------


def test_another_score_at_a_start_does_not_follow_into_the_hands_after() -> None:
    def edit(batch: Batch) -> None:
        batch.hands.scores[3, 1] += 100

    assert places(edit) == [("V501", labels(clean())[3])]


@pytest.mark.parametrize(("column", "code"), [("honba", "V503"), ("sticks", "V504"), ("round", "V502")])
def test_another_label_does_not_follow_into_payments_and_the_hands_after(column: str, code: str) -> None:
    won = np.flatnonzero(clean().hands.end == HandEnd.WIN)
    hand = int(won[won > 0][0])

    def edit(batch: Batch) -> None:
        getattr(batch.hands, column)[hand] += 1

    batch = copy_of(clean())
    edit(batch)
    expected = (code, labels(batch)[hand])
    found = places(edit)
    # Another round is another round wind: the value of the hand may follow from that.
    assert found[0] == expected
    assert {one for one, _ in found} <= ({code} if column != "round" else {code, "V304", "V306", "V307"})


def test_a_payment_that_the_next_hand_contradicts_is_one_finding() -> None:
    hand = int(np.flatnonzero(clean().hands.end == HandEnd.WIN)[0])

    def edit(batch: Batch) -> None:
        row = int(np.searchsorted(batch.wins.hand, hand))
        batch.wins.deltas[row, batch.wins.seat[row]] += 100

    assert places(edit) == [("V401", labels(clean())[hand])]


def test_a_stick_that_is_not_paid_is_one_finding() -> None:
    def edit(batch: Batch) -> None:
        batch.events.kind[find(batch, EventKind.RIICHI_PAID)] = EventKind.LEAVE

    assert [code for code, _ in places(edit)] == ["V208"]


def test_a_game_that_goes_on_after_its_end_is_one_finding() -> None:
    rules = load_preset("tenhou").changed(wind_rounds=1, target_points=0, agari_yame=False)
    batch = copy_of(clean())
    batch.games.final_scores[:] = -(1 << 31)
    ended = [finding for finding in findings(batch, rules) if finding.code == "V505"]
    assert len(ended) == 1
    assert ended[0].message == "the game goes on though it is over"


def test_missing_hands_are_one_finding() -> None:
    """A record of which hands in the middle are left out."""
    path = SAMPLES / "formats" / GAME
    batch = Batch.concatenate(read_batches([path]))
    kept = np.ones(len(batch.hands), np.bool_)
    kept[4:7] = False
    with_gap = _without_hands(batch, kept)
    codes = [code for code in replay(with_gap).findings.code.tolist() if code // 100 == 5]
    assert len(codes) == 1


def _without_hands(batch: Batch, kept: np.ndarray) -> Batch:
    sheet = Sheet.of(batch, 0)
    sheet.forget_the_wall()
    sheet.hands[:] = [hand for hand, keep in zip(sheet.hands, kept.tolist(), strict=True) if keep]
    return sheet.batch()


# --- wins ----------------------------------------------------------------------------------------------


def test_points_and_payments_that_follow_from_a_wrong_yaku_are_one_finding() -> None:
    """Riichi and ippatsu, of which the log has forgotten the second: its points follow from the first."""
    log = """{"paifu": 1, "game": {"ruleset": "tenhou",
"overrides": {"red_man": 0, "red_pin": 0, "red_sou": 0}}}
{"hand": {"round": "E1", "scores": [25000, 25000, 25000, 25000], "dora": "9m", "dealt": [
"1m1m1m4p5p6p9p9p4s5s7s8s9s", "3m5m6m9m7p8p9p3s6s1z3z5z6z", "1m2m4m8m5p5p7p9p4s8s2z5z5z",
"2m2m5m9m1p2p2s3s7s9s3z4z4z"]}}
"E draw 3z"
"E discard 3z tsumogiri"
"S draw 2z"
"S discard 2z tsumogiri"
"W draw 2z"
"W discard 2z tsumogiri"
"N draw 2z"
"N discard 2z tsumogiri"
"E draw 1z"
"E riichi"
"E discard 1z tsumogiri"
"E riichi paid"
"S draw 6s"
"S discard 6s tsumogiri"
{"event": "E ron 6s from S", "yaku": [["riichi", 1], ["dora", 3]], "fu": 40, "points": 12000,
"deltas": [13000, -12000, 0, 0]}
"""
    assert log_codes(log) == ["V304"]
    assert log_codes(log.replace('"points": 12000', '"points": 11600')) == ["V304", "V307"]
    assert log_codes(log.replace("[13000, -12000", "[12600, -11600")) == ["V304", "V401"]
    right = log.replace('["riichi", 1]', '["riichi", 1], ["ippatsu", 1]')
    assert log_codes(right) == []
    assert log_codes(right.replace('"points": 12000', '"points": 11600')) == ["V307"]
    slip = right.replace('"points": 12000', '"points": 11600').replace("[13000, -12000", "[12600, -11600")
    assert log_codes(slip) == ["V307"]


def log_codes(text: str) -> list[str]:
    return [finding.code for finding in findings(paifu_log(text))]


def paifu_log(text: str) -> Batch:
    """Read a log of which long lines are broken."""
    joined = text.replace(",\n", ", ").replace("[\n", "[")
    return read(joined.encode(), name="x.jsonl", format_=Format.PAIFU)


# --- the table of findings -----------------------------------------------------------------------------


def test_two_kinds_of_findings_with_one_number_fail_at_once() -> None:
    kind = KINDS["V214"]
    with pytest.raises(ValueError, match="V214 foul-not-stated"):
        by_code([kind, kind])


@pytest.mark.parametrize("preset", ["mleague", "wrc-2025"])
def test_a_riichi_with_too_few_points_speaks_of_points(preset: str) -> None:
    log = f"""{{"paifu": 1, "game": {{"ruleset": "{preset}"}}}}
{{"hand": {{"round": "E1", "scores": [-500, 40500, 40000, 20000], "dora": "9s", "dealt": [
"1m1m1m4p5p6p9p9p4s5s7s8s9s", "3m5m6m9m7p8p9p3s6s1z3z5z6z", "1m2m4m8m5p5p7p9p4s8s2z5z5z",
"2m2m5m9m1p2p2s3s7s9s3z4z4z"]}}}}
"E draw 3z"
"E riichi"
"E discard 3z tsumogiri"
"E riichi paid"
"""
    said = [finding.message for finding in findings(paifu_log(log)) if finding.code == "V207"]
    assert said == ["riichi with -500 points, it takes 0"]
