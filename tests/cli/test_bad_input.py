"""Bad input, end to end: one row of error for each thing that cannot be read, and everything else is read."""

from __future__ import annotations

import json
import random
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builders import HEAD, OWARI, agari, faults, game, init, mjlog, read, ryuukyoku, turns
from command import Result, call
from sources import gz, zipped

from paifu.parsers.read import read_batches
from paifu.replay.model.batch import Batch

pytestmark = pytest.mark.every(20)

MIB = 1 << 20


def broken_member() -> bytes:
    """A zip archive with a sound member around one whose checksum is wrong."""
    data = bytearray(zipped({"first.mjlog": game(50), "second.mjlog": game(51), "third.mjlog": game(52)}))
    at = data.index(b"second.mjlog") + 100
    data[at] ^= 0xFF
    return bytes(data)


def zip_bomb() -> bytes:
    return zipped({"game.mjlog": b'<mjloggm ver="2.3">' + b"<T1/>" * (16 * MIB)})


def gigabyte_attribute() -> bytes:
    """A gzip of a log with an attribute of a gigabyte; the repeated blocks take a megabyte."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    head = squeeze.compress(b'<mjloggm ver="2.3"><GO type="9" lobby="') + squeeze.flush(zlib.Z_FULL_FLUSH)
    block = squeeze.compress(b"x" * MIB) + squeeze.flush(zlib.Z_FULL_FLUSH)
    return b"\x1f\x8b\x08" + bytes(6) + b"\xff" + head + block * 1024


TENHOU6: dict[str, Any] = {
    "title": ["", ""],
    "name": ["a", "b", "c", "d"],
    "rule": {"disp": "般南喰赤", "aka": 1},
    "log": [
        [
            [0, 0, 0],
            [25000, 25000, 25000, 25000],
            [47],
            [],
            *([11, 12, 13, 14, 15, 16, 17, 18, 19, 21, 22, 23, 24], [25], [60]),
            *([21, 22, 23, 24, 25, 26, 27, 28, 29, 31, 32, 33, 34], [35], [60]),
            *([31, 32, 33, 34, 35, 36, 37, 38, 39, 41, 42, 43, 44], [45], [60]),
            *([41, 42, 43, 44, 45, 46, 47, 41, 42, 43, 44, 45, 46], [47], [60]),
            ["流局", [0, 0, 0, 0]],
        ]
    ],
}


def tenhou6(log: Any) -> bytes:
    return json.dumps(log).encode()


GOOD = ["0", "1"]
"""Lobbies of the two good games around the bad file."""

# Bytes of the bad file, the fault (location behind the file's, place, code, part of the reason), and the
# lobbies of the games that are kept of it. ``test_hostile_input`` has more that no source can open.
BAD: dict[str, tuple[Callable[[], bytes], str, str, str, str, list[str]]] = {
    "empty": (lambda: b"", "", "", "V101", "the file is empty", []),
    "web page": (lambda: b"<html><body>404</body></html>", "", "", "V102", "a web page", []),
    "cut XML": (lambda: game(7)[:700], "", "line 1 column", "V101", "the XML breaks off", ["7"]),
    "cut before the first hand": (
        lambda: game(7)[:150],
        "",
        "line 1 column",
        "V101",
        "the XML breaks off",
        [],
    ),
    "cut gzip": (lambda: gz(game(7, 20))[:-40], "", "after", "V101", "the gzip data are cut off", ["7"]),
    "zip member": (broken_member, ":second.mjlog", "", "V101", "broken in the zip archive", ["50", "52"]),
    "zip bomb": (zip_bomb, ":game.mjlog", "", "V101", "a decompression bomb", []),
    "attribute of a gigabyte": (gigabyte_attribute, "", "", "V101", "a decompression bomb", []),
    "unknown tag": (
        lambda: game(7).replace(b"<D52/>", b'<D52/><DANCE who="1"/>', 1),
        "",
        "element 8 <DANCE>",
        "V102",
        "unknown element <DANCE>",
        ["7"],
    ),
    "tile 136": (
        lambda: game(7).replace(b"<F54/>", b"<F136/>"),
        "",
        "element",
        "V105",
        "tile 136; ids are 0-135",
        ["7"],
    ),
    "tile 136 as text": (
        lambda: game(7).replace(b'machi="52"', b'machi="136"'),
        "",
        "<AGARI>",
        "V105",
        "'136' is not one tile",
        ["7"],
    ),
    "seat 7": (
        lambda: game(7).replace(b'fromWho="0"', b'fromWho="7"'),
        "",
        "<AGARI>",
        "V105",
        "seat '7'; seats are 0-3",
        ["7"],
    ),
    "entity bomb": (
        lambda: (
            b'<!DOCTYPE mjloggm [<!ENTITY a "aaaaaaaaaa">'
            + b"".join(b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(9))
            + b"]>"
            + game(7).replace(b"%61", b"&j;").replace(b'lobby="7"', b'lobby="&j;"')
        ),
        "",
        "",
        "V101",
        "the XML declares a document type",
        [],
    ),
    "external entity": (
        lambda: b'<!DOCTYPE mjloggm SYSTEM "file:///etc/passwd">' + game(7),
        "",
        "",
        "V101",
        "declares a document type",
        [],
    ),
    "malformed JSON": (lambda: tenhou6(TENHOU6)[:-9], "", "", "V101", "", []),
    "Mahjong Soul": (lambda: b'{"head": {"uuid": "x"}}', "", "", "V102", "it holds no records of a game", []),
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


def import_between(folder: Path, bad: Path | None = None, name: str = "b.bad") -> tuple[Result, Batch]:
    """Import two good games and what lies between them; the result, and what the dataset holds."""
    (folder / "a.mjlog").write_bytes(game(0))
    (folder / "c.mjlog").write_bytes(game(1))
    dataset = folder / "ds"
    result = call("import", folder / "a.mjlog", bad or folder / name, folder / "c.mjlog", "-o", dataset)
    return result, Batch.concatenate(read_batches([dataset]))


def assert_one_fault(result: Result, batch: Batch, location: str, place: str, code: str, reason: str) -> None:
    assert result.status == 1
    assert len(result.talk) == 2, result.talk
    assert ", 1 fault" in result.talk[1]
    assert len(batch.faults) == 1
    row = {name: array[0] for name, array in batch.faults.arrays()}
    assert (row["source"], row["code"]) == (location, code)
    assert place in row["place"]
    assert bool(place) <= bool(row["place"])
    assert reason in row["reason"]
    assert row["hint"], "what to do next"
    reason = f"{row['place']}: {row['reason']}" if row["place"] else row["reason"]
    assert result.talk[0] == f"{location}: {code} {reason} ({row['hint']})"


@pytest.mark.parametrize(("make", "inside", "place", "code", "reason", "kept"), BAD.values(), ids=BAD)
def test_a_bad_file_is_one_row_and_the_rest_is_imported(
    tmp_path: Path,
    make: Callable[[], bytes],
    inside: str,
    place: str,
    code: str,
    reason: str,
    kept: list[str],
) -> None:
    (tmp_path / "b.bad").write_bytes(make())
    result, batch = import_between(tmp_path)
    assert_one_fault(result, batch, f"{tmp_path}/b.bad{inside}", place, code, reason)
    assert batch.games.lobby.tolist() == [GOOD[0], *kept, GOOD[1]]
    for number, good in ((0, 0), (-1, 1)):
        alone = read(game(good))
        got = batch.take(range(len(batch))[number])
        assert got.differences(alone, ignore=["games.source"]) == []


# --- mutations -----------------------------------------------------------------------------------------


SEED_LOGS = [
    mjlog(
        '<SHUFFLE seed="mt19937ar-sha512-n288-base64,AAAA" ref=""/>',
        HEAD,
        init(),
        turns(3),
        '<REACH who="1" step="1"/><E40/><REACH who="1" ten="250,240,250,250" step="2"/><BYE who="2"/>',
        '<N who="2" m="20489" /><DORA hai="131" /><UN n2="%63"/>',
        agari(m="20489", doraHaiUra="3", paoWho=2),
        init(seed="0,1,0,1,2,134"),
        turns(2),
        ryuukyoku(hai1="13,14", type="nm"),
        init(seed="1,0,0,1,2,133"),
        turns(1),
        agari(yaku=None, yakuman="39", owari=OWARI),
    ),
    mjlog(
        HEAD.replace('type="9"', 'type="25"').replace('"%64"', '""'),
        init(players=3),
        turns(3, players=3),
        '<N who="1" m="31776" />',
        agari(owari="350,10.5,350,-10.5,350,0.0,0,0.0", sc="350,-10,350,10,350,0,0,0"),
    ),
]


def test_both_ways_of_reading_agree_on_what_is_wrong() -> None:
    """Wherever Tenhou's own spelling is kept, the fast way says what lxml's way says, word for word."""
    chance = random.Random(7)  # noqa: S311
    compared = 0
    for _ in range(1500):
        text = SEED_LOGS[0]
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
