"""Texts of Tonpuusou: what they state comes back, and what they lack costs no more than a hand."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from fuzzing import simulated, survive
from tonpuusou_games import NAMES, text

from paifu.parsers.read import read_batches, read_unit
from paifu.parsers.sources.detect import Format, sniff
from paifu.parsers.sources.documents import Document
from paifu.replay.facts.tables import code_of
from paifu.replay.model.batch import NO_YAKU, UNKNOWN_POINTS, Batch
from paifu.replay.model.events import EventKind, HandEnd
from paifu.replay.model.tiles import NO_TILE
from paifu.replay.table.engine import replay

SAMPLES = Path(__file__).parents[2] / "sample_logs" / "formats"


@cache
def original(name: str = "hanchan") -> Batch:
    (batch,) = read_batches([SAMPLES / f"{name}.mjlog.gz"])
    return batch


def read(log: str, encoding: str = "utf-8") -> Batch:
    data = log.encode(encoding)
    assert sniff(data) is Format.TONPUUSOU
    return read_unit([Document("some.txt", data, Format.TONPUUSOU)])


def codes_of(batch: Batch) -> list[str]:
    return [code_of(code) for code in replay(batch).findings.code.tolist()]


def moves(batch: Batch) -> list[tuple[int, ...]]:
    """Kind, seat, tile, source and mark of each event but indicators, whose time the text does not state."""
    events = batch.events
    told = np.flatnonzero(~np.isin(events.kind, [EventKind.DORA, EventKind.LEAVE, EventKind.RETURN]))
    columns = (events.kind, events.seat, events.tile, events.source, events.flags)
    return [tuple(int(column[at]) for column in columns) for at in told]


@pytest.mark.parametrize("encoding", ["utf-8", "cp932", "utf-8-sig"])
@pytest.mark.parametrize("first", [0, 2])
def test_a_game_comes_back(first: int, encoding: str) -> None:
    want, got = original(), read(text(original(), first=first), encoding)
    assert got.faults.reason.tolist() == []
    assert got.games.names[0].tolist() == [NAMES[(seat + first) % 4] for seat in range(4)]
    assert moves(got) == moves(want)
    for column in ("round", "honba", "sticks", "dealer", "scores", "dealt", "dora", "end"):
        assert getattr(got.hands, column).tolist() == getattr(want.hands, column).tolist(), column
    assert got.games.started[0] == "2003-04-05T06:07"
    assert not got.games.is_cut[0]
    assert codes_of(got) == []


@pytest.mark.parametrize("number", range(4))
def test_simulated_games_have_no_finding(number: int) -> None:
    batch = simulated("tenhou", 40 + number)
    got = read(text(batch))
    assert got.faults.reason.tolist() == []
    assert moves(got) == moves(batch)
    assert codes_of(got) == []


def test_wins_state_what_the_text_does() -> None:
    want, got = original().wins, read(text(original())).wins
    assert (got.points == UNKNOWN_POINTS).all()
    alone = [row for row in range(len(want)) if np.count_nonzero(want.hand == want.hand[row]) == 1]
    for row in alone:
        assert got.deltas[row].tolist() == want.deltas[row].tolist()
    for row in range(len(want)):
        pairs = [
            sorted(
                pair
                for pair in zip(table.yaku[row].tolist(), table.han[row].tolist(), strict=True)
                if pair[0] != NO_YAKU and pair != (53, 0)
            )
            for table in (want, got)
        ]
        assert pairs[0] == pairs[1]
        assert got.limit[row] == want.limit[row]


def test_three_players() -> None:
    batch = simulated("tenhou-sanma", 7)
    log = text(batch)
    got = read(re.sub(r"^    \*.*\n", "", log, flags=re.MULTILINE))  # norths have no letter
    assert got.games.players[0] == 3
    assert got.games.names[0].tolist() == [*NAMES[:3], ""]
    assert got.hands.dora.tolist() == batch.hands.dora.tolist()


def test_several_games_in_pieces() -> None:
    one = text(original())
    batch = read(one * 3)
    assert batch.games.source.tolist() == ["some.txt#1", "some.txt#2", "some.txt#3"]


def test_the_rounding_of_the_platform() -> None:
    """Its table of points shows the bonus of each place: here 8, 4, -4 and -8, after rounding down."""
    log = text(original())
    plain = read(log)
    scores = plain.games.final_scores[0].tolist()
    order = sorted(range(4), key=lambda seat: -scores[seat])
    settled = {
        seat: int((scores[seat] - 30000) / 1000) + bonus
        for seat, bonus in zip(order, (8, 4, -4, -8), strict=True)
    }
    settled[order[0]] = -sum(settled[seat] for seat in order[1:])
    places = "".join(f"  {n}位 {NAMES[seat]}  {settled[seat]:+d}\n" for n, seat in enumerate(order, start=1))
    changed = read(re.sub(r"(?:  \d位 .*\n)+", places, log))
    assert changed.games.final_points[0].tolist() == [float(settled[seat]) for seat in range(4)]
    assert codes_of(changed) == []


SPOILT = {
    "a move that is none": (r"    \* \dG", "    * 1X", "V102"),
    "a tile that is none": (r"(    \* \dG)\S+", r"\g<1>0z", "V105"),
    "a deal too short": (r"(    \[1.\]..)\S+", r"\g<1>", "V104"),
    "a player too many": (r"    \* \dG", "    * 5G", "V102"),
}


@pytest.mark.parametrize("case", SPOILT)
def test_what_cannot_be_read_costs_its_hand(case: str) -> None:
    pattern, wrong, code = SPOILT[case]
    log = text(original())
    head, second = log[: log.index("東2局")], log[log.index("東2局") :]
    got = read(head + re.sub(pattern, wrong, second, count=1))
    assert got.faults.code.tolist() == [code]
    assert got.faults.place[0].startswith("line ")
    assert len(got.hands) == len(original().hands)
    assert np.count_nonzero(got.hands.end == HandEnd.UNFINISHED) == 1
    assert got.hands.scores.tolist() == original().hands.scores.tolist()
    assert codes_of(got) == []


def test_an_unknown_yaku_and_an_unknown_end() -> None:
    log = text(original())
    got = read(log.replace("リーチ ", "無名 ").replace("流局", "無名の流局"))
    assert set(got.faults.code) == {"V102"}
    assert len(got.faults) == 2
    assert not {"V304", "V305"} & set(codes_of(got))


def test_results_without_tiles() -> None:
    log = "".join(line for line in text(original()).splitlines(True) if not re.match(r"    [\[*]", line))
    got = read(log)
    assert (len(got.games), len(got.faults)) == (0, 1)
    assert "no tiles" in got.faults.reason[0]
    assert got.faults.hint[0]


@pytest.mark.parametrize("more", [0, 500])
def test_a_text_that_breaks_off(more: int) -> None:
    log = text(original())
    got = read(log[: log.rindex("\n", 0, log.index("南1局") + more)])
    assert got.faults.reason.tolist() == []
    assert got.games.is_cut[0]
    assert got.games.final_scores[0, 0] == UNKNOWN_POINTS
    assert codes_of(got) == []


def test_two_players_of_one_name() -> None:
    """Changes are told by name, so nobody knows whose they are."""
    got = read(text(original(), names=["あなた", "あなた", "Chie", "Dai"]))
    assert (got.wins.deltas == UNKNOWN_POINTS).all()
    assert (got.hands.scores[1:] == UNKNOWN_POINTS).all()
    assert codes_of(got) == []
    assert NO_TILE not in got.hands.dora
    survive(got)  # a riichi is paid from points that nobody knows
