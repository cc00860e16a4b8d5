"""What only Tenhou's own logs say, by what they leave out, and what they never hold."""

from __future__ import annotations

import gzip
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from paifu.parsers.read import read_unit
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.replay.findings.finding import Finding
from paifu.replay.findings.spoken import cases, in_words
from paifu.replay.model.batch import Batch
from paifu.replay.table.engine import replay
from paifu.replay.views.labels import format_label

HANCHAN = Path(__file__).parents[2] / "sample_logs" / "formats" / "hanchan.mjlog.gz"
RIICHI = re.compile(rb'(<REACH who="(\d)" step="1"/>)(<[D-G]\d+/>)')


@cache
def log() -> bytes:
    """A game without its wall's seed."""
    return re.sub(rb"<SHUFFLE[^>]*>", b"", gzip.decompress(HANCHAN.read_bytes()))


def read(text: bytes) -> Batch:
    batch = read_unit([Document("x.mjlog", text, Format.MJLOG)])
    assert len(batch.faults) == 0
    return batch


def found(batch: Batch) -> list[Finding]:
    return [in_words(case) for case in cases(replay(batch))]


def codes(batch: Batch) -> list[str]:
    return [one.code for one in found(batch)]


def first_win(having: bytes) -> tuple[bytes, bytes]:
    """The log around its first win with an attribute, and this win."""
    win = next(one for one in re.findall(rb"<AGARI[^>]*>", log()) if having in one)
    return win, log()


def test_the_game_is_sound() -> None:
    assert codes(read(log())) == []


def test_a_win_that_leaves_out_its_melds() -> None:
    win, text = first_win(b' m="')
    (one,) = found(read(text.replace(win, re.sub(rb' m="[^"]*"', b"", win))))
    assert (one.code, one.message) == (
        "V301",
        "the tiles or melds shown with the win are not those of the hand",
    )


@pytest.mark.parametrize("instead", [b' yaku=""', b""], ids=["empty", "left out"])
def test_a_win_with_points_and_without_yaku(instead: bytes) -> None:
    win, text = first_win(b' yaku="')
    forged = text.replace(win, re.sub(rb' yaku="[^"]*"', instead, win))
    batch = read_unit([Document("x.mjlog", forged, Format.MJLOG)])
    (code,), (reason,), (place,) = batch.faults.code, batch.faults.reason, batch.faults.place
    assert (code, reason) == ("V102", "a win with points lists no yaku; Tenhou lists those of every win")
    assert place.endswith("<AGARI>")
    assert (len(batch.hands), bool(batch.games.is_cut[0]), codes(batch)) == (14, False, [])


def hands_of(text: bytes) -> list[bytes]:
    """The text before the first hand, and that of each hand."""
    return re.split(rb"(?=<INIT )", text)


def test_a_hand_that_is_there_twice() -> None:
    parts = hands_of(log())
    assert codes(read(b"".join(parts))) == []
    start = re.compile(rb'seed="\d+,\d+,')
    copied = start.sub(start.search(parts[6])[0], parts[3], count=1)  # type: ignore[index]
    again = [one for one in found(read(b"".join([*parts[:6], copied, *parts[7:]]))) if one.code == "V607"]
    hands = read(log()).hands
    first, second = (format_label(int(hands.round[at]), int(hands.honba[at])) for at in (2, 5))
    assert [(one.hand, one.message) for one in again] == [
        (second, f"the tiles dealt and drawn are those of {first}")
    ]
    assert again[0].actual == first


def test_a_wall_that_is_there_twice_under_another_dealer() -> None:
    batch = read(log())
    hands, dealt = batch.hands, batch.hands.dealt.copy()
    dealers, columns = hands.dealer.astype(int), dict(hands.arrays())
    first, other = 0, next(at for at in range(14) if dealers[at] != dealers[0])
    dealt[other] = np.roll(dealt[first], dealers[other] - dealers[first], axis=0)
    dora = hands.dora.copy()
    dora[other] = dora[first]
    ids = np.full_like(hands.dealt_id, 255)
    changed = replace(hands, **{**columns, "dealt": dealt, "dora": dora, "dealt_id": ids})
    events, tile = batch.events, batch.events.tile.copy()
    draws = [
        [row for row in range(hands.event_begin[at], hands.event_end[at]) if events.kind[row] == 1]
        for at in (first, other)
    ]
    for one, two in zip(*draws, strict=False):
        tile[two] = tile[one]
    again = replace(batch, hands=changed, events=replace(events, tile=tile))
    assert "V607" in codes(again)
    tile[draws[1][3]] = (tile[draws[1][3]] + 1) % 34
    assert "V607" not in codes(replace(again, events=replace(events, tile=tile)))


def test_a_riichi_after_its_discard_is_reported_and_the_hand_followed() -> None:
    declared = RIICHI.findall(log())
    assert len(declared) > 3
    usual = replay(read(log()))
    late = replay(read(RIICHI.sub(rb"\3\1", log(), count=1)))
    texts = [in_words(case) for case in cases(late)]
    assert [(one.code, one.message[:34]) for one in texts] == [("V207", "riichi is stated after its discard")]
    assert late.checked == usual.checked
    for one, other in zip(usual.player_hands.arrays(), late.player_hands.arrays(), strict=True):
        assert np.array_equal(one[1], other[1]), one[0]
    assert np.array_equal(usual.scored_wins.yaku, late.scored_wins.yaku)


def test_all_riichi_after_their_discards_under_other_rules() -> None:
    """The order of indicators may be another one, too."""
    batch = read(RIICHI.sub(rb"\3\1", log()))
    late = replay(batch, *replay(batch).rulesets[:1])
    assert {in_words(case).code for case in cases(late)} == {"V207"}
    assert len(late.findings) == len(RIICHI.findall(log()))


def test_a_second_riichi_is_none_that_is_late() -> None:
    batch = read(RIICHI.sub(rb"\1\3\1", log(), count=1))
    assert "V207" not in codes(batch) or all("stated after" not in one.message for one in found(batch))
