"""Real logs: all are read, both ways of reading XML agree, and the games hang together."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from builders import assert_sound

from paifu.parsers.mjlog.reader import read_mjlog
from paifu.parsers.read import iter_items, read_batches
from paifu.parsers.sources.documents import Document, open_document
from paifu.replay.model.batch import Batch
from paifu.replay.model.builder import BatchBuilder
from paifu.replay.model.census import Census
from paifu.replay.model.events import HandEnd

pytestmark = pytest.mark.corpus

MJLOGS, TENHOU6S = 2538, 55


@pytest.fixture(scope="module")
def corpus(shared: Path) -> Batch:
    """All games of the folder of mjlog."""
    return Batch.concatenate(read_batches([shared / "logs" / "mjlog"]))


def catalog(shared: Path, kind: str) -> dict[str, dict[str, str]]:
    with (shared / "logs" / "catalog.csv").open(newline="") as file:
        return {row["path"]: row for row in csv.DictReader(file) if row["format"] == kind}


def documents(folder: Path) -> Iterator[Document]:
    for item in iter_items([folder]):
        assert isinstance(item, Document), item
        yield item


def test_both_ways_of_reading_agree_on_every_log(shared: Path) -> None:
    fast, slow = BatchBuilder(), BatchBuilder()
    count = 0
    for document in documents(shared / "logs" / "mjlog"):
        text = open_document(document)
        head, end, tail = text.rpartition(b"</mjloggm>")
        assert not tail.strip()
        read_mjlog(document, text, fast)
        read_mjlog(document, head + b"<!-- no log of Tenhou holds a comment -->" + end, slow)
        count += 1
    assert count == MJLOGS
    batch = fast.finish()
    assert slow.finish().differences(batch) == []
    assert len(batch) == MJLOGS


def test_every_mjlog_is_a_game_as_the_catalog_counts_it(corpus: Batch, shared: Path) -> None:
    assert_sound(corpus)
    assert len(corpus.faults) == 0
    rows = catalog(shared, "mjlog")
    assert len(rows) == MJLOGS
    games = corpus.games
    root = str(shared / "logs") + "/"
    counted = {
        source.removeprefix(root): (str(hands), str(players))
        for source, hands, players in zip(
            games.source, games.hand_end - games.hand_begin, games.players.tolist(), strict=True
        )
    }
    assert counted == {path: (row["n_hands"], row["players"]) for path, row in rows.items()}
    measures = ("ruleset", "players", "games", "cut", "hands", "wins", "draws", "events")
    assert [tuple(row[name] for name in measures) for row in Census.of(corpus).rows()] == [
        ("tenhou", 4, 1995, 3, 18617, 15719, 2993, 1849754),
        ("tenhou-sanma", 3, 543, 0, 4868, 4171, 717, 353730),
    ]
    assert len(corpus.riichi_scores) == 14128


def test_games_that_are_cut_are_those_without_a_final_result(corpus: Batch, shared: Path) -> None:
    without = {d.location for d in documents(shared / "logs" / "mjlog") if b" owari=" not in open_document(d)}
    assert set(corpus.games.source[corpus.games.is_cut]) == without
    assert len(without) == 3
    unfinished = np.flatnonzero(corpus.hands.end == HandEnd.UNFINISHED)
    assert len(unfinished) == 2
    assert set(corpus.hands.game[unfinished]) <= set(np.flatnonzero(corpus.games.is_cut))


def test_every_tenhou6_is_read_or_told(shared: Path) -> None:
    folder = shared / "logs" / "tenhou6"
    batch = Batch.concatenate(read_batches([folder]))
    assert_sound(batch)
    hands: Counter[str] = Counter()
    players: dict[str, set[int]] = defaultdict(set)
    root = str(shared / "logs") + "/"
    for game in range(len(batch)):
        # A file of JSON lines holds a hand a line, each a game of its own.
        path = batch.games.source[game].removeprefix(root).partition(".json")[0] + ".json"
        hands[path] += int(batch.games.hand_end[game] - batch.games.hand_begin[game])
        players[path].add(int(batch.games.players[game]))
    told = {source.removeprefix(root) for source in batch.faults.source}
    rows = catalog(shared, "tenhou6")
    assert len(rows) == TENHOU6S
    assert hands.keys() | told == rows.keys()
    differing = [
        path
        for path, row in rows.items()
        if (str(hands[path]), {row["players"]}) != (row["n_hands"], set(map(str, players[path])))
    ]
    # The catalog's own reader gave this one up.
    assert differing == ["tenhou6/Equim-chan+mjai-reviewer/confusing_nakis_2.json"]
    assert (len(told), hands.total(), len(batch.hands)) == (0, 433, 433)
