"""Games that exist in both of Tenhou's formats give the same replay model, except for what one cannot say."""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paifu.parsers.mjlog.reader import read_mjlog
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document, open_document
from paifu.parsers.tenhou6.reader import read_tenhou6
from paifu.replay.model.batch import UNKNOWN_POINTS, Batch, Events, HandDraws, Hands, Table, Wins
from paifu.replay.model.builder import BatchBuilder
from paifu.replay.model.events import EventKind, HandEnd

pytestmark = pytest.mark.corpus

READERS = {Format.MJLOG: read_mjlog, Format.TENHOU6: read_tenhou6}

UNSAID = {
    "hands.dice": "not in tenhou.net/6 JSON",
    "hands.seed": "not in it",
    "wins.tiles": "the winner's tiles follow from the moves and are not repeated",
    "wins.melds": "likewise",
    "wins.honba": "stated with the hand's start only",
    "wins.sticks": "likewise",
    "wins.scores": "stated with the hand's start only",
    "hand_draws.honba": "stated with the hand's start only",
    "hand_draws.sticks": "likewise",
    "hand_draws.scores": "likewise",
    "hand_draws.shown": "tiles shown at a draw are not in it",
}
"""Columns that only mjlog knows, beside physical tiles, and why."""

GAME_UNSAID = {
    "source": "another file",
    "format": "another format",
    "version": "another format",
    "rule": "mjlog has flags, the other a display name",
    "go_type": "mjlog's flags",
    "lobby": "0 in one, empty or 0 in the other",
    "seed": "not in tenhou.net/6 JSON",
}
"""The same for whole games."""

ROW_NUMBERS = {"game", "hand", "event", "hand_begin", "hand_end", "event_begin", "event_end"}


def read(path: Path, kind: Format) -> Batch:
    document = Document(str(path), path.read_bytes(), kind)
    builder = BatchBuilder()
    READERS[kind](document, open_document(document), builder)
    return builder.finish()


@dataclass
class HandRows:
    """All rows of one hand, by table."""

    hands: Hands
    events: Events
    wins: Wins
    hand_draws: HandDraws

    def tables(self) -> tuple[Table, ...]:
        return (self.hands, self.events, self.wins, self.hand_draws)


def rows(table: Table, which: Any) -> Any:
    return type(table)(**{name: array[which].copy() for name, array in table.arrays()})


def hand_of(batch: Batch, hand: int, *, connections: bool) -> HandRows:
    begin, end = int(batch.hands.event_begin[hand]), int(batch.hands.event_end[hand])
    events = rows(batch.events, slice(begin, end))
    if not connections:
        events = rows(events, ~np.isin(events.kind, (EventKind.LEAVE, EventKind.RETURN)))
    found = HandRows(
        rows(batch.hands, slice(hand, hand + 1)),
        events,
        rows(batch.wins, batch.wins.hand == hand),
        rows(batch.hand_draws, batch.hand_draws.hand == hand),
    )
    found.hands.dealt.sort(axis=2)  # JSON lists dealt tiles in order
    return found


def without_what_is_unsaid(mjlog: HandRows, tenhou6: HandRows) -> None:
    """Forget, in mjlog's rows, cells that the other format states of some hands only."""
    wins, draws = mjlog.wins, mjlog.hand_draws
    wins.fu[wins.limit > 0] = -1  # limit hands are named without their fu
    wins.yaku[(wins.yaku == 53) & (wins.han == 0)] = 255  # ura dora are named when there are any
    draws.deltas[(tenhou6.hand_draws.deltas == UNKNOWN_POINTS).all(axis=1)] = UNKNOWN_POINTS
    draws.tenpai[draws.kind != HandEnd.EXHAUSTIVE] = 255
    for events in (mjlog.events, tenhou6.events):
        # All four tiles of a closed kan are alike except for a red five: which is named first means nothing.
        for row in np.flatnonzero(events.kind == EventKind.ANKAN):
            events.tile[row], *events.own[row] = sorted([events.tile[row], *events.own[row]])


def until(mjlog: HandRows, tenhou6: HandRows) -> HandRows:
    """As much of the hand as a cut mjlog has, without its result."""
    if mjlog.hands.end[0] != HandEnd.UNFINISHED:
        return tenhou6
    tenhou6.hands.end[0] = HandEnd.UNFINISHED
    events = rows(tenhou6.events, slice(0, len(mjlog.events)))
    return HandRows(tenhou6.hands, events, mjlog.wins, mjlog.hand_draws)


def difference(mjlog: HandRows, tenhou6: HandRows) -> list[str]:
    tenhou6 = until(mjlog, tenhou6)
    without_what_is_unsaid(mjlog, tenhou6)
    return [
        f"{mine.NAME}.{name}"
        for mine, theirs in zip(mjlog.tables(), tenhou6.tables(), strict=True)
        for name in mine.differences(theirs, ignore=ROW_NUMBERS)
        if f"{mine.NAME}.{name}" not in UNSAID and not name.endswith("_id")
    ]


def pairs(shared: Path) -> list[tuple[Path, Path, int]]:
    with (shared / "logs" / "pairs.csv").open(encoding="utf-8") as file:
        return [
            (shared / "logs" / row["tenhou6"], shared / "logs" / row["mjlog"], int(row["hands_in_common"]))
            for row in csv.DictReader(file)
        ]


def hand_keys(batch: Batch) -> list[tuple[int, ...]]:
    hands = batch.hands
    return [
        (int(r), int(h), *map(int, scores))
        for r, h, scores in zip(hands.round, hands.honba, hands.scores, strict=True)
    ]


def test_pairs_are_equal(shared: Path) -> None:
    counts: Counter[str] = Counter()
    for json_path, xml_path, common in pairs(shared):
        tenhou6, mjlog = read(json_path, Format.TENHOU6), read(xml_path, Format.MJLOG)
        assert not len(tenhou6.faults), json_path
        numbers = {key: hand for hand, key in enumerate(hand_keys(mjlog))}
        is_whole = len(tenhou6) == 1 and len(tenhou6.hands) == len(mjlog.hands)
        compared = 0
        for hand, key in enumerate(hand_keys(tenhou6)):
            if key not in numbers:
                continue
            mine = hand_of(mjlog, numbers[key], connections=is_whole)
            theirs = hand_of(tenhou6, hand, connections=is_whole)
            assert difference(mine, theirs) == [], (json_path.name, key)
            compared += 1
            counts["cut hands"] += int(mine.hands.end[0] == HandEnd.UNFINISHED)
            counts["events"] += len(mine.events)
            counts["wins"] += len(mine.wins)
            counts["draws"] += len(mine.hand_draws)
        assert compared == common, json_path.name
        counts["pairs"] += 1
        counts["hands"] += compared
        if is_whole:
            counts["whole games"] += 1
            assert mjlog.games.differences(tenhou6.games, ignore=GAME_UNSAID) == [], json_path.name
    assert dict(counts) == {
        "pairs": 37,
        "whole games": 5,
        "hands": 385,
        "cut hands": 2,
        "events": 38_064,
        "wins": 313,
        "draws": 72,
    }
