"""Minimal logs rebuilt from public reports on formats: what paifu says of each.

The files are in ``data/cases``; all names in them are made up.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mleague_games
import orjson
import pytest
import riichicity_games
import tonpuusou_games
from command import call
from each_row import each_row
from fuzzing import written

from paifu.parsers.read import read_batches, read_unit
from paifu.parsers.sources.detect import sniff
from paifu.parsers.sources.documents import Document
from paifu.replay.facts.tables import code_of
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import HandEnd
from paifu.replay.table.engine import replay

SAMPLES = Path(__file__).parents[2] / "sample_logs" / "formats"
CASES = Path(__file__).parents[1] / "data" / "cases"
UNMARKED = "not checked: 1 game (the log marks no discard as the tile just drawn)"
NO_YAKU = "not checked: 1 win (the log lists no yaku; only points were compared)"

SOUND: dict[str, tuple[str, bool, bool]] = {
    "w1.json": ("majsoul", False, False),
    "w3.json": ("tenhou", True, True),
    "w3_ok.json": ("tenhou", True, True),
    "w4.json": ("tenhou", True, False),
    "w5.json": ("tenhou", True, False),
    "w6.json": ("tenhou", True, True),
}
"""A log without a finding: rules, whether it has a win, and whether that lists no yaku.

w1: the dealer's first discard is marked as from the hand, and is the tile drawn. w3: a win without who is
liable. w4: a yaku in kana. w5: another character for han. w6: discards without the mark of a tsumogiri.
"""
NO_LOGS = {
    "w8.txt": "not a log (known are: ",
    "liqi.json": "not a log: this is the description of Mahjong Soul's protocol",
}


@each_row("name", SOUND)
def test_a_sound_log(name: str) -> None:
    rules, has_win, has_no_yaku = SOUND[name]
    result = call("verify", "--rules", rules, CASES / name)
    talk = "\n".join(result.talk)
    assert (result.status, result.text) == (0, ""), result.text
    assert talk.startswith(f"checked 1 file: 1 game, 1 hand, {int(has_win)} win")
    assert "no errors" in talk
    assert (NO_YAKU in talk) == has_no_yaku
    assert (UNMARKED in talk) == (name == "w6.json")


@pytest.mark.parametrize("name", NO_LOGS)
def test_what_is_no_log(name: str) -> None:
    result = call("verify", CASES / name)
    assert result.status == 1
    assert NO_LOGS[name] in result.text
    assert len(result.text.splitlines()) == 1


# --- a name that is not known costs no more than the list in which it stands ---------------------------

YAKU_NAMES: dict[str, tuple[Callable[[Batch], bytes], str, str]] = {
    "tenhou6": (lambda batch: written("tenhou6", batch), r"立直\(", "無名("),
    "majiang": (lambda batch: written("majiang", batch), r'"立直"', '"無名"'),
    "Mahjong Soul": (lambda batch: written("majsoul-json", batch), r'"id":2,', '"id":999,'),
    "mjai": (lambda batch: written("mjai", batch), r'\["reach",', '["nameless",'),
    "M.League": (lambda batch: orjson.dumps(mleague_games.commands(batch)), r'"リーチ"', '"無名"'),
}  # fmt: skip


def found_elsewhere(text: bytes, lost: int) -> list[str]:
    """Codes of findings in a log, but for those of one hand."""
    found = replay(read_unit([Document("log", text, sniff(text))])).findings
    return [code_of(code) for code in found.code[found.hand != lost].tolist()]


def found_in(text: bytes) -> tuple[list[str], list[str]]:
    """Codes of faults and of findings in a log."""
    batch = read_unit([Document("log", text, sniff(text))])
    return batch.faults.code.tolist(), [code_of(code) for code in replay(batch).findings.code.tolist()]


@each_row("name", YAKU_NAMES)
def test_an_unknown_yaku_is_one_fault_and_no_finding(name: str) -> None:
    write, known, unknown = YAKU_NAMES[name]
    (batch,) = read_batches([SAMPLES / "hanchan.mjlog.gz"])
    text = write(batch).decode()
    spoiled, count = re.subn(known, unknown, text)
    assert count >= 3
    faults, findings = found_in(text.encode())
    assert faults == []
    assert found_in(spoiled.encode()) == (["V102"], findings)


# --- a part of a hand that cannot be read costs that hand ----------------------------------------------

SPOILT: dict[str, tuple[int, Any]] = {
    "result": (16, ["和了", [1]]),
    "moves": (5, ["zz"]),
    "order": (5, []),
    "deal": (4, [11]),
}


@pytest.mark.parametrize("what", SPOILT)
@pytest.mark.parametrize("number", [0, 3, 5])
def test_what_a_hand_lacks_costs_that_hand(what: str, number: int) -> None:
    value = json.loads((SAMPLES / "hanchan.json").read_bytes())
    at, spoilt = SPOILT[what]
    hands = len(value["log"])
    value["log"][number][at] = spoilt
    if what == "order":
        value["log"][number][6] = []
    text = orjson.dumps(value)
    batch = read_unit([Document("log", text, sniff(text))])
    assert (len(batch.hands), len(batch.faults), bool(batch.games.is_cut[0])) == (hands, 1, False)
    assert batch.faults.place[0].startswith(f"log[{number}]")
    assert found_in(text)[1] == []


DAMAGED: dict[str, tuple[Callable[[Batch], bytes], str, str, str]] = {
    "mjai": (lambda batch: written("mjai", batch), "start_kyoku", r'"pai":"[^"]+"', '"pai":"none"'),
    "mjai, a line that breaks off": (
        lambda batch: written("mjai", batch), "start_kyoku", r',"pai":"[^"]+"[^\n]*\n', "\n"
    ),
    "majiang": (lambda batch: written("majiang", batch), '"qipai"', r'"p":"[^"]+"', '"p":"x1"'),
    "Mahjong Soul": (
        lambda batch: written("majsoul-json", batch), "RecordNewRound", r'"tile":"[^"]+"', '"tile":"0z"'
    ),
    "Riichi City": (
        lambda batch: orjson.dumps(riichicity_games.record(batch)), '"eventType":1,', r'in_card\\":\d+',
        r'in_card\\":10000',
    ),
    "Tonpuusou": (lambda batch: tonpuusou_games.text(batch).encode(), "本場", r" \dG\S+", " 1G0z"),
}  # fmt: skip


@each_row("name", DAMAGED)
def test_damage_within_a_hand_costs_that_hand(name: str) -> None:
    write, begins, sound, damaged = DAMAGED[name]
    (batch,) = read_batches([SAMPLES / "hanchan.mjlog.gz"])
    text = write(batch).decode()
    begun = [found.start() for found in re.finditer(re.escape(begins), text)]
    at = begun[len(begun) // len(batch.hands) * 3 + len(begun) // len(batch.hands) - 1]
    place = re.compile(sound).search(text, at)
    assert place is not None
    spoilt = text[: place.start()] + re.sub(sound, damaged, place[0]) + text[place.end() :]
    data = spoilt.encode()
    got = read_unit([Document("log", data, sniff(data))])
    assert (len(got.hands), len(got.faults)) == (len(batch.hands), 1)
    lost = [number for number, end in enumerate(got.hands.end) if end == HandEnd.UNFINISHED]
    assert lost == [3]
    assert not got.games.is_cut[0]
    assert found_elsewhere(data, 3) == found_elsewhere(text.encode(), 3)
