"""Bad input, end to end: one row of error for each thing that cannot be read, and everything else is read."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from builders import HEAD, OWARI, agari, faults, game, init, mjlog, read, ryuukyoku, turns
from command import call
from sources import gz, zipped

from paifu.parsers.read import read_batches
from paifu.replay.model.batch import Batch

pytestmark = pytest.mark.every(20)


def broken_member() -> bytes:
    """A zip archive with a sound member around one whose checksum is wrong."""
    data = bytearray(zipped({"first.mjlog": game(50), "second.mjlog": game(51), "third.mjlog": game(52)}))
    at = data.index(b"second.mjlog") + 100
    data[at] ^= 0xFF
    return bytes(data)


# Bytes of the bad file, the fault (location behind the file's, place, code, part of the reason), and the
# lobbies of the games that are kept of it. The tests of the parsers have the other files that are no logs.
BAD: dict[str, tuple[bytes, str, str, str, str, list[str]]] = {
    "empty": (b"", "", "", "V101", "the file is empty", []),
    "cut XML": (game(7)[:700], "", "line 1 column", "V101", "the XML breaks off", ["7"]),
    "cut before the first hand": (game(7)[:150], "", "line 1 column", "V101", "the XML breaks off", []),
    "cut gzip": (gz(game(7, 20))[:-40], "", "after", "V101", "the gzip data are cut off", ["7"]),
    "zip member": (broken_member(), ":second.mjlog", "", "V101", "broken in the zip archive", ["50", "52"]),
    "tile 136": (game(7).replace(b"<F54/>", b"<F136/>"), "", "element", "V105", "tile 136", ["7"]),
}


@pytest.mark.parametrize(
    ("melds", "is_read"),
    [("0", True), ("1048576", True), ("1048577", False), ("-1", False), ("0,-1", False),
     ("0,0,0,0,0,0,0,0", True), ("0,0,0,0,0,0,0,0,0", False)],
)  # fmt: skip
def test_melds_shown_with_a_win_are_few_and_small_numbers(melds: str, is_read: bool) -> None:
    batch = read(game(7).replace(b' machi="52"', b' m="%b" machi="52"' % melds.encode(), 1))
    told = [("element 26 <AGARI>", "V105", f"its melds are '{melds}'")]
    assert [fault[:3] for fault in faults(batch)] == ([] if is_read else told)


@pytest.mark.parametrize(("bad", "inside", "place", "code", "reason", "kept"), BAD.values(), ids=BAD)
def test_a_bad_file_is_one_row_and_the_rest_is_imported(
    tmp_path: Path, bad: bytes, inside: str, place: str, code: str, reason: str, kept: list[str]
) -> None:
    """It lies between two good ones."""
    for name, data in {"a.mjlog": game(0), "b.bad": bad, "c.mjlog": game(1)}.items():
        (tmp_path / name).write_bytes(data)
    names = [tmp_path / name for name in ("a.mjlog", "b.bad", "c.mjlog")]
    result = call("import", *names, "-o", tmp_path / "ds")
    batch = Batch.concatenate(read_batches([tmp_path / "ds"]))
    assert (result.status, len(result.talk), len(batch.faults)) == (1, 2, 1)
    assert ", 1 fault" in result.talk[1]
    row = {name: array[0] for name, array in batch.faults.arrays()}
    assert (row["source"], row["code"]) == (f"{tmp_path}/b.bad{inside}", code)
    assert place in row["place"]
    assert bool(place) <= bool(row["place"])
    assert reason in row["reason"]
    assert row["hint"], "what to do next"
    reason = f"{row['place']}: {row['reason']}" if row["place"] else row["reason"]
    assert result.talk[0] == f"{row['source']}: {code} {reason} ({row['hint']})"
    assert batch.games.lobby.tolist() == ["0", *kept, "1"]
    for number, good in ((0, 0), (-1, 1)):
        alone = read(game(good))
        got = batch.take(range(len(batch))[number])
        assert got.differences(alone, ignore=["games.source"]) == []


# --- mutations -----------------------------------------------------------------------------------------


SEED_LOG = mjlog(
    '<SHUFFLE seed="mt19937ar-sha512-n288-base64,AAAA" ref=""/>', HEAD,
    init(), turns(3),
    '<REACH who="1" step="1"/><E40/><REACH who="1" ten="250,240,250,250" step="2"/><BYE who="2"/>',
    '<N who="2" m="20489" /><DORA hai="131" /><UN n2="%63"/>', agari(m="20489", doraHaiUra="3", paoWho=2),
    init(seed="0,1,0,1,2,134"), turns(2), ryuukyoku(hai1="13,14", type="nm"),
    init(seed="1,0,0,1,2,133"), turns(1), agari(yaku=None, yakuman="39", owari=OWARI),
)  # fmt: skip


def test_both_ways_of_reading_agree_on_what_is_wrong() -> None:
    """Wherever Tenhou's own spelling is kept, the fast way says what lxml's way says, word for word."""
    chance = random.Random(7)  # noqa: S311
    compared = 0
    for _ in range(1500):
        text = SEED_LOG
        at = chance.randrange(text.index(b"<GO"), len(text) - 12)
        if not chr(text[at]).isalnum():
            continue
        text = text[:at] + bytes([chance.choice(b"0123456789abcTDW")]) + text[at + 1 :]
        if text.count(b"</mjloggm>") != 1:
            continue
        batch = read(text)
        other = read(text.replace(b"</mjloggm>", b"<!----></mjloggm>"))
        assert other.differences(batch) == [], text
        compared += 1
    assert compared > 700
