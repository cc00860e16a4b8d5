"""mjx: states of a simulator, hand by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest
from builders import faults
from each_row import each_row
from fuzzing import simulated
from mjx_games import State, lines, states

from paifu.parsers.read import read_batches, read_unit
from paifu.parsers.sources.detect import Format, sniff
from paifu.parsers.sources.documents import Document
from paifu.replay.bounds import check_batch
from paifu.replay.findings.spoken import cases, in_words
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind, HandEnd
from paifu.replay.model.tiles import NO_TILE
from paifu.replay.table.engine import replay
from paifu.replay.walls.mjx import parse_wall

UNSTATED = {
    "games": {"source", "format", "version", "go_type", "lobby", "dan", "rate", "sex", "seed", "id",
              "started", "final_points", "overrides"},
    "hands": {"dice", "seed"},
    "wins": {"limit", "honba", "sticks", "scores", "fu", "yaku", "han"},
    "hand_draws": {"honba", "sticks", "scores"},
    "riichi_scores": {"event", "scores"},
}  # fmt: skip
"""Columns of which a state of mjx says nothing, or in another order."""


def read(*some: State, name: str = "x.json") -> Batch:
    """What the reader makes of states."""
    batch = read_unit([Document(name, lines(list(some)), Format.MJX)])
    check_batch(batch)
    return batch


@pytest.mark.parametrize("number", range(4))
def test_a_game_comes_back_whole(number: int) -> None:
    game = simulated("tenhou", number)
    again = read(*states(game))
    assert faults(again) == []
    skip = [f"{table}.{column}" for table, columns in UNSTATED.items() for column in columns]
    assert game.differences(again, ignore=skip) == []
    for row in range(len(game.wins)):
        listed = [
            {pair for pair in zip(wins.yaku[row], wins.han[row], strict=True) if pair[0] != 255}
            for wins in (game.wins, again.wins)
        ]
        assert listed[0] == listed[1]
    found = replay(again)
    assert found.findings.code.tolist() == []
    assert not again.games.is_cut[0]


def test_a_game_is_told_from_the_next() -> None:
    one, other = states(simulated("tenhou", 0)), states(simulated("tenhou", 1))
    batch = read(*one, *other)
    assert (len(batch), batch.games.source.tolist()) == (2, ["x.json:1", f"x.json:{len(one) + 1}"])
    cut = read(*one[:3], *one[:2])
    assert [cut.games.hand_end[at] - cut.games.hand_begin[at] for at in range(2)] == [3, 2]
    assert cut.games.is_cut.all()


def test_a_tile_of_the_wall_that_was_not_drawn_is_a_finding() -> None:
    some = states(simulated("tenhou", 0))
    wall = some[0]["hiddenState"]["wall"]
    wall[60], wall[61] = wall[61], wall[60]
    assert {in_words(case).code for case in cases(replay(read(*some)))} == {"V602"}


def test_without_its_hidden_part_a_state_is_read_and_has_no_wall() -> None:
    some = states(simulated("tenhou", 0))
    for state in some:
        del state["hiddenState"]
    batch = read(*some)
    assert (faults(batch), set(batch.hands.seed)) == ([], {""})
    assert replay(batch).findings.code.tolist() == []


def test_what_one_player_sees() -> None:
    some = states(simulated("tenhou", 0))
    for state in some:
        state["privateObservation"] = state.pop("privateObservations")[2]
        state["who"], state["legalActions"] = 2, [{"who": 2}]
        del state["hiddenState"]
    batch = read(*some)
    assert faults(batch) == []
    assert (batch.hands.dealt[:, [0, 1, 3]] == NO_TILE).all()
    assert (batch.hands.dealt[:, 2] != NO_TILE).all()
    events = batch.events
    draws = events.kind == EventKind.DRAW
    assert (events.tile[draws & (events.seat == 2)] != NO_TILE).all()
    assert (events.tile[draws & (events.seat != 2)] == NO_TILE).all()


def test_numbers_of_types_and_names_with_underscores_are_read() -> None:
    some = states(simulated("tenhou", 0))
    text = lines(some).replace(b'"EVENT_TYPE_DRAW"', b"12").replace(b'"EVENT_TYPE_TSUMOGIRI"', b"1")
    text = text.replace(b"publicObservation", b"public_observation").replace(b"initHand", b"init_hand")
    assert sniff(text[:4096]) is Format.MJX
    batch = read_unit([Document("x.json", text, Format.MJX)])
    assert batch.differences(read(*some)) == []


def test_an_array_and_a_printed_state_are_read(tmp_path: Path) -> None:
    some = states(simulated("tenhou", 0))
    for text in (orjson.dumps(some), orjson.dumps(some, option=orjson.OPT_INDENT_2)):
        (tmp_path / "x.json").write_bytes(text)
        (batch,) = read_batches([tmp_path / "x.json"])
        assert (len(batch), faults(batch)) == (1, [])
        assert batch.differences(read(*some), ignore=["games.source"]) == []


def test_a_hand_without_its_end_is_unfinished() -> None:
    some = states(simulated("tenhou", 0))[:2]
    last = some[-1]
    del last["roundTerminal"]
    last["publicObservation"]["events"] = last["publicObservation"]["events"][:20]
    batch = read(*some)
    assert (batch.hands.end[-1], bool(batch.games.is_cut[0])) == (HandEnd.UNFINISHED, True)
    assert replay(batch).findings.code.tolist() == []


def _public(state: State) -> State:
    seen: State = state["publicObservation"]
    return seen


BROKEN: dict[str, tuple[Callable[[State], Any], str, str, str]] = {
    "no public part": (lambda s: s.pop("publicObservation"), "V102", "line 2", "no publicObservation"),
    "points of three": (
        lambda s: _public(s)["initScore"]["tens"].pop(), "V105", "line 2", "tens has 3 numbers",
    ),
    "a seat too many": (
        lambda s: _public(s)["events"][3].update(who=4), "V105", "line 2 events[3]", "who is 4",
    ),
    "a tile too many": (
        lambda s: _public(s)["events"][1].update(tile=136), "V105", "line 2 events[1]", "tile is 136",
    ),
    "an unknown event": (
        lambda s: _public(s)["events"][1].update(type="EVENT_TYPE_FOLD"), "V102", "line 2 events[1]",
        "EVENT_TYPE_FOLD",
    ),
    "twelve tiles": (
        lambda s: s["privateObservations"][1]["initHand"]["closedTiles"].pop(), "V104", "line 2", "12 tiles",
    ),
    "a meld that is none": (
        lambda s: _public(s)["events"][1].update(type=9, open=1 << 19), "V105", "line 2 events[1]", "meld",
    ),
    "a list for an object": (lambda s: s.update(roundTerminal=[1]), "V101", "line 2", "expected an object"),
}  # fmt: skip


@each_row(("change", "code", "place", "reason"), BROKEN.values(), ids=BROKEN)
def test_what_cannot_be_read_is_told_and_the_rest_read(
    change: Callable[[State], Any], code: str, place: str, reason: str
) -> None:
    some = orjson.loads(orjson.dumps(states(simulated("tenhou", 0))))
    change(some[1])
    batch = read(*some)
    ((where, found, why, hint),) = faults(batch)
    assert (found, where.startswith(place), reason in why, bool(hint)) == (code, True, True, True), why
    ends = batch.games.hand_end
    assert (len(batch), int(ends[-1]) - int(ends[-2])) == (2, len(some) - 2)
    assert batch.games.is_cut[0]


def test_a_line_that_breaks_off_ends_a_game() -> None:
    some = states(simulated("tenhou", 0))
    text = lines(some).split(b"\n")
    text[2] = text[2][:500]
    batch = read_unit([Document("x.json", b"\n".join(text), Format.MJX)])
    assert [row[:2] for row in faults(batch)] == [("line 1 column 501", "V101")]
    assert batch.faults.source.tolist() == ["x.json:3"]
    assert (len(batch), len(batch.hands)) == (2, len(some) - 1)


def test_each_of_many_hands_that_cannot_be_read_is_told() -> None:
    state = states(simulated("tenhou", 0))[0]
    state["publicObservation"]["events"].insert(0, {"type": "NOTHING"})
    score = state["publicObservation"]["initScore"]
    seen = state["publicObservation"]
    batch = read(
        *(
            {**state, "publicObservation": {**seen, "initScore": {**score, "honba": honba}}}
            for honba in range(1500)
        )
    )
    assert len(faults(batch)) == 1500


def test_a_wall_with_a_tile_twice_is_told() -> None:
    some = states(simulated("tenhou", 0))[:1]
    some[0]["hiddenState"]["wall"][0] = some[0]["hiddenState"]["wall"][1]
    assert [row[1] for row in faults(read(*some))] == ["V103"]
    with pytest.raises(ValueError, match="each of the 136 tiles"):
        parse_wall("mjx,0000")


def test_a_discard_of_another_type_than_its_tile_shows_is_told() -> None:
    some = states(simulated("tenhou", 0))[:1]
    event = next(e for e in some[0]["publicObservation"]["events"] if e.get("type") == "EVENT_TYPE_TSUMOGIRI")
    del event["type"]
    ((place, code, reason, _),) = faults(read(*some))
    assert (place, code, "is the one just drawn" in reason) == ("hand 1", "V102", True)


def test_a_big_file_is_read_in_pieces(tmp_path: Path) -> None:
    some = states(simulated("tenhou", 0))
    for state in some[:-1]:
        state["roundTerminal"].pop("isGameOver", None)
    text = lines(some)
    times = 3 * (1 << 20) // len(text) + 2
    (tmp_path / "x.json").write_bytes(text * times)
    batch = Batch.concatenate(read_batches([tmp_path / "x.json"]))
    assert (len(batch), len(batch.hands), faults(batch)) == (times, times * len(some), [])
    assert len(set(batch.games.source)) == times


# --- real states ---------------------------------------------------------------------------------------


def _key(batch: Batch, hand: int) -> bytes:
    return bytes(batch.hands.dealt_id[hand].tobytes())


_WENT_ON = "upd-aft-riichi+discard-no-riichisc+draw.json"
"""Here the simulator made one move of its own."""
_AWAY = (EventKind.LEAVE, EventKind.RETURN)
"""Of which states say nothing."""


def _told(batch: Batch, hand: int) -> list[list[Any]]:
    rows = slice(int(batch.hands.event_begin[hand]), int(batch.hands.event_end[hand]))
    columns = (getattr(batch.events, name)[rows].tolist() for name in ("kind", "seat", "source", "tile_id"))
    return [list(row) for row in zip(*columns, strict=True) if row[0] not in _AWAY]


@pytest.mark.corpus
def test_every_state_tells_the_game_of_its_mjlog(shared: Path) -> None:
    logs = Batch.concatenate(read_batches([shared / "logs" / "mjlog" / "mjx-project+mjx"]))
    twins = {_key(logs, hand): hand for hand in range(len(logs.hands))}
    files = sorted((shared / "new-formats" / "mjx").rglob("*.json"))
    assert len(files) == 27
    compared = 0
    for path in files:
        batch = Batch.concatenate(read_batches([path]))
        assert (len(batch), faults(batch)) == (1, []), path.name
        assert [in_words(case).code for case in cases(replay(batch))] == [], path.name
        for hand in range(len(batch.hands)):
            twin = twins[_key(batch, hand)]
            _compare(batch, hand, logs, twin, own_moves=path.name == _WENT_ON)
            compared += 1
    assert compared == 144


def _compare(mine: Batch, hand: int, theirs: Batch, twin: int, own_moves: int) -> None:
    for column in ("round", "honba", "sticks", "dealer", "scores", "dealt_id", "dora_id"):
        one, other = (getattr(batch.hands, column) for batch in (mine, theirs))
        assert np.array_equal(one[hand], other[twin]), column
    told, whole = _told(mine, hand), _told(theirs, twin)
    is_whole = mine.hands.end[hand] != HandEnd.UNFINISHED
    told = told[: len(told) - own_moves]
    assert told[: len(whole)] == whole[: len(told)]
    assert len(told) == len(whole) or not is_whole
    for table in ("wins", "hand_draws"):
        one, other = (getattr(batch, table) for batch in (mine, theirs))
        pairs = zip(np.flatnonzero(one.hand == hand), np.flatnonzero(other.hand == twin), strict=is_whole)
        for a, b in pairs:
            for name in ("liable", "seat", "tiles_id", "melds", "points", "deltas", "dora_id", "ura_id",
                         "tenpai", "shown_id", "kind"):  # fmt: skip
                if hasattr(one, name):
                    assert np.array_equal(getattr(one, name)[a], getattr(other, name)[b]), (table, name)
            if table == "wins":
                assert set(one.yaku[a]) == set(other.yaku[b])
                assert one.han[a].sum() == other.han[b].sum()
