"""Writing tenhou.net/6 JSON: in Tenhou's own words, and what is read comes back."""

from __future__ import annotations

import csv
import dataclasses
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from each_row import each_row

from paifu.parsers.errors import WriteError
from paifu.parsers.mjlog.reader import read_mjlog
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document, open_document
from paifu.parsers.sources.paths import iter_documents
from paifu.parsers.tenhou6.reader import read_tenhou6
from paifu.parsers.tenhou6.writer import Tenhou6GameWriter
from paifu.replay.model.batch import UNKNOWN_POINTS, Batch
from paifu.replay.model.builder import BatchBuilder
from paifu.replay.model.events import NO_SEAT, EventKind

READERS = {Format.MJLOG: read_mjlog, Format.TENHOU6: read_tenhou6}


def read(text: bytes, kind: Format = Format.TENHOU6, name: str = "game.json") -> Batch:
    builder = BatchBuilder()
    READERS[kind](Document(name, text, kind), text, builder)
    return builder.finish()


PLAYED = (
    '{"ver":2.3,"ref":"2020010100gm-00a9-0000-0123abcd","log":['
    "[[0,0,0],[25000,25000,25000,25000],[21,22,23,24],[],"
    "[11,12,13,14,15,16,17,18,21,33,33,43,43],"
    '[28,"p333333","43p4343",33,27],[15,11,12,"k33333333",60],'
    "[14,16,22,23,24,25,41,42,44,44,45,46,47],"
    '["c151416",42,"4444p44",26],[41,47,45,60],'
    "[19,19,19,34,35,36,37,38,43,44,47,47,47],"
    '[19,22,"m47474747",24,25,29],["191919a19",60,0,44,43,60],'
    "[13,14,31,32,33,34,53,36,37,38,39,41,41],"
    '[23,31],["r33",60],'
    '["和了",[-1000,2000,0,0],[1,0,1,"30符1飜1000点","自風 南(1飜)"],'
    '[-8000,0,8000,0],[2,0,3,"満貫8000点","三槓子(2飜)","役牌 白(1飜)","場風 東(1飜)","ドラ(1飜)"]]],'
    "[[1,0,0],[25000,25000,25000,25000],[33],[],[11,12,13,21,22,23,24,25,31,32,33,41,41],[],[],"
    "[11,12,13,21,22,23,24,25,31,32,33,42,42],[44],[],[11,12,13,21,22,23,24,25,31,32,33,43,43],[],[],"
    '[11,12,13,21,22,23,24,25,31,32,33,44,44],[],[],["九種九牌"]]'
    '],"connection":[{"what":0,"log":-1,"who":3,"step":0},{"what":1,"log":0,"who":3,"step":2}],"ratingc":"PF4",'
    '"rule":{"disp":"鳳東喰赤","aka53":1,"aka52":1,"aka51":1},"lobby":12,"dan":["新人","９級","初段","天鳳位"],'
    '"rate":[1500.0,1500.25,2000.5,1.0],"sx":["M","F","M","C"],"sc":[30000,15,27000,5.5,23000,-10,20000,-10.5],'
    '"name":["a","","c","d"],"title":["t",""]}\n'
).encode()


def test_a_game_with_every_field_comes_back_byte_for_byte() -> None:
    batch = read(PLAYED)
    assert batch.faults.reason.tolist() == []
    assert b"".join(Tenhou6GameWriter.games(batch)).decode() == PLAYED.decode()
    assert b"".join(Tenhou6GameWriter.games(Batch.concatenate([batch, batch]))) == PLAYED * 2


@each_row(
    ("limit", "fu", "points", "yaku", "tsumo", "words"),
    [
        (0, 40, 2700, [(0, 1), (19, 1)], True, "40符2飜700-1300点"),
        (0, 25, 3200, [(22, 2), (8, 1)], False, "25符3飜3200点"),
        (1, 30, 8000, [(1, 1), (52, 4)], True, "満貫2000-4000点"),
        (2, 30, 12000, [(35, 6)], True, "跳満3000-6000点"),
        (3, 30, 16000, [(35, 6), (8, 1), (52, 1)], True, "倍満4000-8000点"),
        (4, 30, 24000, [(35, 6), (52, 5)], True, "三倍満6000-12000点"),
        (5, 30, 32000, [(35, 6), (52, 7)], True, "数え役満8000-16000点"),
        (5, 30, 64000, [(39, 13), (42, 13)], True, "役満16000-32000点"),
        (5, 30, 64000, [(39, 13), (42, 13)], False, "役満64000点"),
    ],
)
def test_values_in_words(
    limit: int, fu: int, points: int, yaku: list[tuple[int, int]], tsumo: bool, words: str
) -> None:
    batch = read(PLAYED)
    wins = batch.wins
    wins.limit[0], wins.fu[0], wins.points[0] = limit, fu, points
    wins.seat[0], wins.source[0] = 1, 1 if tsumo else 0
    wins.yaku[0], wins.han[0] = 255, 0
    for at, (number, han) in enumerate(yaku):
        wins.yaku[0, at], wins.han[0, at] = number, han
    assert json.loads(b"".join(Tenhou6GameWriter.games(batch)))["log"][0][-1][2][3] == words


def test_hidden_tiles_are_refused() -> None:
    batch = read(PLAYED)
    batch.hands.dealt[1, 2, 3] = 255
    with pytest.raises(WriteError, match=r"game\.json cannot be written as tenhou6: hand 1 has hidden tiles"):
        b"".join(Tenhou6GameWriter.games(batch))


@pytest.mark.parametrize("source", [1, NO_SEAT], ids=["itself", "nobody"])
def test_a_call_from_no_other_seat_is_refused(source: int) -> None:
    batch = read(PLAYED)
    called = np.flatnonzero((batch.events.kind == EventKind.PON) & (batch.events.seat == 1))
    batch.events.source[called] = source
    with pytest.raises(WriteError, match="hand 0 has a call that does not name another seat"):
        b"".join(Tenhou6GameWriter.games(batch))


def test_a_win_without_score_changes_is_refused() -> None:
    batch = read(PLAYED)
    batch.wins.deltas[0] = UNKNOWN_POINTS
    with pytest.raises(WriteError, match="hand 0 does not state how a win changes the scores"):
        b"".join(Tenhou6GameWriter.games(batch))


def test_what_is_not_stated_is_left_out() -> None:
    batch = read(PLAYED)
    games = batch.games
    games.rate[0, 1] = np.nan
    games.dan[0, 2] = -1
    games.final_scores[0, 0] = UNKNOWN_POINTS
    games.lobby[0] = ""
    bare = dataclasses.replace(batch, games=games)
    bare.wins.points[0] = UNKNOWN_POINTS
    document = json.loads(b"".join(Tenhou6GameWriter.games(bare)))
    assert not {"rate", "dan", "sc", "lobby"} & document.keys()
    assert document["log"][0][-1][2] == [1, 0, 1]


@pytest.mark.corpus
def test_real_games_come_back(shared: Path) -> None:
    differences: Counter[str] = Counter()
    games = 0
    for document in iter_documents([str(shared / "logs" / "tenhou6")]):
        assert isinstance(document, Document), document
        batch = read(open_document(document), name=document.location)
        for game in range(len(batch)):
            one = batch.take(game)
            again = read(b"".join(Tenhou6GameWriter.games(one)), name=str(one.games.source[0]))
            assert again.faults.reason.tolist() == []
            differences.update(one.differences(again))
            games += 1
            assert (np.sort(one.hands.dealt) == np.sort(again.hands.dealt)).all()
    assert games > 300
    # Some logs state no version or only the number of red fives, list dealt tiles unsorted, or 0 ura dora.
    assert differences.keys() <= {"games.version", "games.rule", "hands.dealt", "wins.yaku"}
    assert differences["wins.yaku"] <= 1


@pytest.mark.corpus
def test_hands_are_written_as_tenhou_writes_them(shared: Path) -> None:
    """Games that exist in both formats: ours, made from mjlog, against the other one as it is."""
    same = cut = 0
    with (shared / "logs" / "pairs.csv").open(encoding="utf-8") as file:
        pairs = list(csv.DictReader(file))
    for pair in pairs:
        path = shared / "logs" / pair["mjlog"]
        batch = read(open_document(Document(str(path), path.read_bytes(), Format.MJLOG)), Format.MJLOG)
        mine = {
            str((hand[0], hand[4])): hand
            for hand in json.loads(b"".join(Tenhou6GameWriter.games(batch)))["log"]
        }
        lines = (shared / "logs" / pair["tenhou6"]).read_text("utf-8")
        try:
            documents = [json.loads(lines)]
        except json.JSONDecodeError:
            documents = [json.loads(line) for line in lines.splitlines() if line.strip()]
        for theirs in (hand for document in documents for hand in document["log"]):
            ours = mine.get(str((theirs[0], theirs[4])))
            if ours is not None and ours[-1] == ["不明"]:
                cut += 1
            elif ours is not None:
                assert ours == theirs, pair
                same += 1
    assert (same, cut) == (383, 2)
