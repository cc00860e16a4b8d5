"""Games that exist in both of Tenhou's formats give the same replay model, except for what one cannot say."""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest

from paifu.parsers.mjlog.reader import read_mjlog
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document, open_document
from paifu.parsers.tenhou6.reader import read_tenhou6
from paifu.replay.model.batch import UNKNOWN_POINTS, Batch, Events, Table
from paifu.replay.model.builder import BatchBuilder
from paifu.replay.model.events import EventFlag, EventKind, HandEnd

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

    hands: Table
    events: Table
    wins: Table
    hand_draws: Table

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


CATALOG_KINDS = {
    "call_chi": EventKind.CHI,
    "call_pon": EventKind.PON,
    "call_daiminkan": EventKind.DAIMINKAN,
    "call_ankan": EventKind.ANKAN,
    "call_kakan": EventKind.KAKAN,
    "call_kita": EventKind.KITA,
    "riichi": EventKind.RIICHI,
    "kan_dora": EventKind.DORA,
    "BYE": EventKind.LEAVE,
}
CATALOG_ENDS = {
    "nagashi": HandEnd.NAGASHI,
    "abort_yao9": HandEnd.KYUUSHU,
    "abort_kaze4": HandEnd.SUUFON,
    "abort_reach4": HandEnd.SUUCHA,
    "abort_kan4": HandEnd.SUUKAIKAN,
}
CATALOG_YAKU = {
    "ippatsu": 2,
    "chankan": 3,
    "rinshan": 4,
    "haitei": 5,
    "daburi": 21,
    "chiitoitsu": 22,
    "sanshoku_doukou": 26,
    "yakuman:tenhou": 37,
    "yakuman:daisangen": 39,
    "yakuman:tsuuiisou": 42,
    "yakuman:kokushi": 47,
    "yakuman:suukantsu": 51,
    "ura_dora": 53,
    "aka_dora": 54,
}
NOT_IN_CATALOG = {
    # Written without the name of a rule or a value: whoever made the catalogue could not read it.
    "confusing_nakis_2.json",
}
ENGLISH_NAMES = {
    # A converter's English yaku names: the catalogue knows the Japanese ones only, and states no ura dora.
    "confusing_nakis_7.json": {"ura_dora"},
}


def features(batch: Batch) -> set[str]:
    kinds, ends, yaku = set(batch.events.kind), set(batch.hands.end), set(batch.wins.yaku.ravel())
    ron = batch.wins.seat != batch.wins.source
    found = {name for name, kind in CATALOG_KINDS.items() if kind in kinds}
    found |= {name for name, end in CATALOG_ENDS.items() if end in ends}
    found |= {name for name, number in CATALOG_YAKU.items() if number in yaku}
    found |= {"ron"} if ron.any() else set()
    found |= {"tsumo"} if not ron.all() else set()
    found |= {"double_ron"} if len(set(batch.wins.hand)) < len(batch.wins) else set()
    tenpai = batch.hand_draws.tenpai[batch.hand_draws.kind == HandEnd.EXHAUSTIVE]
    found |= {"tenpai_0"} if (tenpai == 0).all(axis=1).any() else set()
    found |= {"draw_exhaustive"} if (tenpai == 1).any() else set()
    found |= {"pao"} if (batch.wins.liable != 255).any() else set()
    return found


OTHER_FEATURES = {"ron", "tsumo", "double_ron", "tenpai_0", "draw_exhaustive", "pao"}
KNOWN_FEATURES = {*CATALOG_KINDS, *CATALOG_ENDS, *CATALOG_YAKU, *OTHER_FEATURES}


def test_all_files_are_read_as_catalogued(shared: Path) -> None:
    with (shared / "logs" / "catalog.csv").open(encoding="utf-8") as file:
        catalog = {row["path"]: row for row in csv.DictReader(file) if row["format"] == "tenhou6"}
    assert len(catalog) == 55
    hands = 0
    for path, row in catalog.items():
        batch = read(shared / "logs" / path, Format.TENHOU6)
        name = Path(path).name
        assert not len(batch.faults), path
        assert not batch.games.is_cut.any(), path
        assert not (batch.hands.end == HandEnd.UNFINISHED).any(), path
        hands += len(batch.hands)
        assert not (batch.events.flags & EventFlag.ORDER_UNCERTAIN).any(), path
        if name in NOT_IN_CATALOG:
            continue
        assert set(batch.games.players) == {int(row["players"])}, path
        assert len(batch.hands) == int(row["n_hands"]), path
        stated = set(row["features"].split(";")) & KNOWN_FEATURES
        assert features(batch) ^ stated <= ENGLISH_NAMES.get(name, set()), path
        lines = "ndjson_one_hand_per_line" in row["features"]
        assert len(batch) == (len(batch.hands) if lines else 1), path
    assert hands == 433


NUMBERS = [10 * (kind // 9 + 1) + kind % 9 + 1 for kind in range(34)] + [51, 52, 53]
LETTERS = {
    EventKind.CHI: "c",
    EventKind.PON: "p",
    EventKind.DAIMINKAN: "m",
    EventKind.ANKAN: "a",
    EventKind.KAKAN: "k",
}
PLACES = {3: 0, 2: 1, 1: 2}
LAST_OF_KAN = 3
DRAW_WORDS = {
    HandEnd.EXHAUSTIVE: "流局",
    HandEnd.NAGASHI: "流し満貫",
    HandEnd.KYUUSHU: "九種九牌",
    HandEnd.SUUFON: "四風連打",
    HandEnd.SUUCHA: "四家立直",
    HandEnd.SANCHAHOU: "三家和了",
    HandEnd.SUUKAIKAN: "四槓散了",
}


def call(kind: int, step: int, number: int, own: list[int]) -> str:
    """Spell a call; ``step`` is how many seats on from the caller the discarder sits."""
    place = PLACES.get(step, LAST_OF_KAN)
    if kind == EventKind.DAIMINKAN and step == 1:
        place = LAST_OF_KAN
    marked = f"{LETTERS[EventKind(kind)]}{number}"
    if kind == EventKind.KAKAN:
        marked += str(own[0])
        own = own[1:]
    return "".join(map(str, own[:place])) + marked + "".join(map(str, own[place:]))


def move_lists(events: Events) -> tuple[list[list[object]], list[list[object]], list[int]]:
    """What each seat took and gave up in a hand, and the kan dora: the other format's lists of moves."""
    took: list[list[object]] = [[], [], [], []]
    gave: list[list[object]] = [[], [], [], []]
    dora: list[int] = []
    riichi = ""
    columns = (events.kind, events.seat, events.source, events.tile, events.own, events.flags)
    for kind, seat, source, tile, own, flags in zip(*(c.tolist() for c in columns), strict=True):
        number = NUMBERS[tile] if tile < 37 else 0
        if kind == EventKind.DRAW:
            took[seat].append(number)
        elif kind == EventKind.DISCARD:
            shown = 60 if flags & EventFlag.TSUMOGIRI else number
            gave[seat].append(f"r{shown}" if riichi else shown)
            riichi = ""
        elif kind == EventKind.RIICHI:
            riichi = "r"
        elif kind == EventKind.DORA:
            dora.append(number)
        elif kind == EventKind.KITA:
            gave[seat].append("f44")
        elif kind in LETTERS:
            step = 0 if source == 255 else (source - seat) & 3
            shows = kind in (EventKind.ANKAN, EventKind.KAKAN)
            tiles = [NUMBERS[other] for other in own if other != 255]
            (gave if shows else took)[seat].append(call(kind, step, number, tiles))
            gave[seat] += [0] if kind == EventKind.DAIMINKAN else []
    for own_gave in gave:
        while own_gave[-1:] == [0]:
            own_gave.pop()
    return took, gave, dora


def as_tenhou6(batch: Batch, hand: int) -> list[object]:
    """A hand in the other format: written here anew, so that no mistake is shared."""
    hands, wins = batch.hands, batch.wins
    span = slice(int(hands.event_begin[hand]), int(hands.event_end[hand]))
    took, gave, dora = move_lists(rows(batch.events, span))
    result: list[object] = []
    if hands.end[hand] == HandEnd.WIN:
        result = ["和了"]
        for win in np.flatnonzero(wins.hand == hand):
            result += [[0] * 4, [int(wins.seat[win]), int(wins.source[win]), int(wins.seat[win])]]
    elif hands.end[hand] != HandEnd.UNFINISHED:
        result = [DRAW_WORDS[HandEnd(int(hands.end[hand]))]]
    deals = [[NUMBERS[tile] for tile in tiles if tile != 255] for tiles in hands.dealt[hand].tolist()]
    moves = [cells for seat in range(4) for cells in (deals[seat], took[seat], gave[seat])]
    start = [int(hands.round[hand]), int(hands.honba[hand]), int(hands.sticks[hand])]
    return [start, hands.scores[hand].tolist(), [NUMBERS[hands.dora[hand]], *dora], [], *moves, result]


def test_the_order_of_play_comes_back_on_every_real_game(shared: Path) -> None:
    counts: Counter[str] = Counter()
    columns = ("kind", "seat", "source", "tile", "flags")
    for path in sorted((shared / "logs" / "mjlog").rglob("*.mjlog")):
        mjlog = read(path, Format.MJLOG)
        builder = BatchBuilder()
        for game in range(len(mjlog)):
            hands = range(mjlog.games.hand_begin[game], mjlog.games.hand_end[game])
            text = orjson.dumps({"log": [as_tenhou6(mjlog, hand) for hand in hands], "rule": {"aka": 1}})
            read_tenhou6(Document(path.name, text, Format.TENHOU6), text, builder)
        tenhou6 = builder.finish()
        assert not len(tenhou6.faults), path
        mine = rows(mjlog.events, ~np.isin(mjlog.events.kind, (EventKind.LEAVE, EventKind.RETURN)))
        theirs = tenhou6.events
        different = [n for n in columns if not np.array_equal(getattr(mine, n), getattr(theirs, n))]
        assert different == [], path
        assert np.array_equal(np.sort(mine.own, axis=1), np.sort(theirs.own, axis=1)), path
        counts += Counter({"games": len(mjlog), "hands": len(tenhou6.hands), "events": len(theirs)})
    # Equal flags: no call of any real game can be put in two places.
    assert counts == {"games": 2538, "hands": 23_485, "events": 2_203_074}
