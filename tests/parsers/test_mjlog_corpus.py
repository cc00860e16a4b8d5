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
from paifu.replay.model.events import NO_SEAT, EventFlag, EventKind, HandEnd
from paifu.replay.model.tiles import NO_TILE

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


def test_scores_carry_over_from_hand_to_hand(corpus: Batch) -> None:
    """The scores before a hand are those before the last, less its riichi sticks, with its changes."""
    hands, events = corpus.hands, corpus.events
    after = hands.scores.astype(np.int64)
    paid = np.flatnonzero(events.kind == EventKind.RIICHI_PAID)
    hand_of = np.searchsorted(hands.event_begin, paid, side="right") - 1
    np.subtract.at(after, (hand_of, events.seat[paid]), 1000)
    np.add.at(after, corpus.wins.hand, corpus.wins.deltas)
    np.add.at(after, corpus.hand_draws.hand, corpus.hand_draws.deltas)
    follows = np.flatnonzero(hands.game[1:] == hands.game[:-1])
    assert len(follows) == len(hands) - MJLOGS
    wrong = follows[(after[follows] != hands.scores[follows + 1]).any(axis=1)]
    assert wrong.tolist() == []
    last = corpus.games.hand_end - 1
    ended = ~corpus.games.is_cut
    # Sticks left at the end of a game go to the first player.
    left = corpus.games.final_scores[ended] - after[last[ended]]
    assert set(np.unique(left % 1000).tolist()) == {0}
    assert (left >= 0).all()
    assert ((left > 0).sum(axis=1) <= 1).all()


def test_the_scores_after_a_payment_are_those_before_less_a_stick(corpus: Batch) -> None:
    rows = corpus.riichi_scores
    hand = np.searchsorted(corpus.hands.event_begin, rows.event, side="right") - 1
    sticks = corpus.hands.scores[hand] - rows.scores
    seats = corpus.events.seat[rows.event]
    assert (sticks[np.arange(len(seats)), seats] == 1000).all()
    assert set(np.unique(sticks).tolist()) == {0, 1000}


def track(batch: Batch, hand: int) -> Counter[str]:
    """Follow who holds which physical tile; every tile that moves must be where it comes from."""
    hands, events = batch.hands, batch.events
    held = [set(tiles) - {NO_TILE} for tiles in hands.dealt_id[hand].tolist()]
    seen = set().union(*held, {int(hands.dora_id[hand])})
    assert len(seen) == sum(map(len, held)) + 1
    last = drawn = NO_TILE
    last_seat = NO_SEAT
    done: Counter[str] = Counter()
    for row in range(hands.event_begin[hand], hands.event_end[hand]):
        kind, seat, source, tile = (
            int(getattr(events, name)[row]) for name in ("kind", "seat", "source", "tile_id")
        )
        own = set(events.own_id[row].tolist()) - {NO_TILE}
        done[EventKind(kind).name] += 1
        if kind in (EventKind.DRAW, EventKind.DORA):
            assert tile not in seen
            seen.add(tile)
            if kind == EventKind.DRAW:
                held[seat].add(tile)
                drawn = tile
        elif kind == EventKind.DISCARD:
            assert tile in held[seat]
            held[seat].remove(tile)
            assert bool(events.flags[row] & EventFlag.TSUMOGIRI) == (tile == drawn)
            last, last_seat, drawn = tile, seat, NO_TILE
        elif kind in (EventKind.CHI, EventKind.PON, EventKind.DAIMINKAN):
            assert (tile, source) == (last, last_seat)
            assert own <= held[seat]
            held[seat] -= own
            drawn = NO_TILE
        elif kind == EventKind.ANKAN:
            assert own | {tile} <= held[seat]
            held[seat] -= own | {tile}
        elif kind in (EventKind.KAKAN, EventKind.KITA):
            assert tile in held[seat]
            held[seat].remove(tile)
            last, last_seat = tile, seat
        elif kind == EventKind.WIN:
            assert tile == (drawn if seat == source else last)
            assert source in (seat, last_seat)
    return done


def test_every_tile_that_moves_was_held(corpus: Batch) -> None:
    done: Counter[str] = Counter()
    games = range(0, MJLOGS, 6)
    for game in games:
        for hand in range(corpus.games.hand_begin[game], corpus.games.hand_end[game]):
            done += track(corpus, hand)
    assert len(games) == 423
    assert done.keys() == {kind.name for kind in set(EventKind) - {EventKind.BONUS, EventKind.FOUL}}
    assert done["DISCARD"] > 100_000
    assert min(done.values()) > 10


def test_winning_hands_are_what_their_winner_held(corpus: Batch) -> None:
    """The closed tiles shown with a win, and those of its melds, make fourteen tiles and one for each kan."""
    wins = corpus.wins
    closed = (wins.tiles_id != NO_TILE).sum(axis=1)
    is_kita = (wins.melds >= 0) & ((wins.melds & 0x3C) == 0x20)
    sets = (wins.melds >= 0).sum(axis=1) - is_kita.sum(axis=1)
    assert (closed + 3 * sets == 14).all()
    assert (wins.tiles_id == wins.tile_id[:, None]).any(axis=1).all()
