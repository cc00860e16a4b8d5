"""From drafts to a batch: unknown cells, several kinds of tile sets, marks and ranges."""

from __future__ import annotations

import copy

import numpy as np
import orjson
import pytest
from builders import assert_sound, batches, build, drafts
from hypothesis import given

from paifu.parsers.read import read_unit
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.replay.bounds import check_batch
from paifu.replay.model.batch import MAX_POINTS, TABLES, UNKNOWN_POINTS, Batch
from paifu.replay.model.builder import BatchBuilder, GameDraft
from paifu.replay.model.events import CODE_OF_TILE, NO_SEAT, EventFlag, EventKind, HandEnd, pack
from paifu.replay.model.tiles import NO_TILE, RED_MAN

DRAW, DISCARD = EventKind.DRAW, EventKind.DISCARD


def draft(*words: int) -> GameDraft:
    made = GameDraft(words=list(words))
    made.begin_hand(0, {})
    return made


@pytest.mark.parametrize("rows", ["game", "hands", "wins", "hand_draws"])
def test_a_column_that_is_not_there_is_refused(rows: str) -> None:
    wrong = draft(0, 0)
    if rows == "game":
        wrong.game["colour"] = 1
    elif rows == "hands":
        wrong.begin_hand(1, {"colour": 1})
    elif rows == "wins":
        wrong.win(1, {"seat": 0, "source": 0, "colour": 1})
    else:
        wrong.hand_draw(1, {"kind": HandEnd.EXHAUSTIVE, "colour": 1})
    with pytest.raises(KeyError, match=r"has no column.*colour"):
        build([wrong])


def test_points_that_add_up_to_more_than_any_game_has_are_unknown() -> None:
    made = draft(0, 0, 0, 0)
    most = [MAX_POINTS, -MAX_POINTS, UNKNOWN_POINTS, 0]
    made.game |= {"players": 4, "final_scores": [0, 2**70, 0, 0]}
    made.hands[0]["scores"] = [0, 0, -MAX_POINTS - 1, 0]
    made.win(1, {"seat": 2, "source": 2, "scores": [MAX_POINTS + 100, 0, 0, 0], "deltas": most})
    made.hand_draw(2, {"kind": HandEnd.UNKNOWN_DRAW, "scores": None, "deltas": [0, 0, 0, MAX_POINTS * 2]})
    batch = build([made])
    assert batch.wins.deltas[0].tolist() == most
    unknown = (batch.games.final_scores, batch.hands.scores, batch.wins.scores, batch.hand_draws.deltas)
    assert all((cells == UNKNOWN_POINTS).all() for cells in unknown)


def test_scores_of_mjai_that_grow_from_hand_to_hand_leave_a_dataset_readable() -> None:
    """A start and a hundred changes, all within bounds, add up to more than a column holds."""
    start = {"type": "start_game", "names": ["a", "b", "c", "d"]}
    hand = {"type": "start_kyoku", "bakaze": "E", "kyoku": 1, "dora_marker": "1m", "tehais": [["?"] * 13] * 4}
    draw = {"type": "ryukyoku", "reason": "fanpai", "deltas": [MAX_POINTS, 0, 0, -MAX_POINTS]}
    hands = [hand | {"honba": honba, "kyotaku": 0, "oya": 0} for honba in range(300)]
    hands[0] |= {"scores": [25000] * 4}
    lines = [start, *(event for one in hands for event in (one, draw, {"type": "end_kyoku"}))]
    text = b"\n".join(map(orjson.dumps, [*lines, {"type": "end_game"}]))
    batch = read_unit([Document("x", text, Format.MJAI)])
    check_batch(batch)
    assert len(batch.hands) == 300
    assert batch.hands.scores[0].tolist() == [25000] * 4
    assert (batch.hands.scores[2:] == UNKNOWN_POINTS).all()


def test_what_a_draft_does_not_say_is_unknown() -> None:
    made = draft(0, 0, 0, 0)
    made.win(1, {"seat": 2, "source": 2})
    made.hand_draw(2, {"kind": HandEnd.UNKNOWN_DRAW})
    batch = build([made])
    given_columns = {
        "games.hand_begin", "games.hand_end", "games.event_begin", "games.event_end",
        "hands.game", "hands.end", "hands.event_begin", "hands.event_end",
        "wins.game", "wins.hand", "wins.event", "wins.seat", "wins.source",
        "hand_draws.game", "hand_draws.hand", "hand_draws.event", "hand_draws.kind",
    }  # fmt: skip
    looked_at = 0
    for table in (batch.games, batch.hands, batch.wins, batch.hand_draws):
        assert len(table) == 1
        for column in table.columns():
            if f"{table.NAME}.{column.name}" not in given_columns:
                expected = column.empty(1)
                np.testing.assert_array_equal(getattr(table, column.name), expected, err_msg=column.name)
                looked_at += 1
    assert looked_at == sum(len(t.columns()) for t in TABLES[:2] + TABLES[3:5]) - len(given_columns)
    assert batch.wins.points[0] == UNKNOWN_POINTS
    assert batch.wins.melds[0].tolist() == [-2] * 8
    assert batch.events.kind.tolist() == [EventKind.WIN, EventKind.HAND_DRAW]
    assert batch.events.seat.tolist() == [2, NO_SEAT]


def test_bytes_are_padded_and_full_rows_stay() -> None:
    made = draft(0)
    made.game |= {
        "dan": bytes([0, 20, 3]),
        "names": ["a", "", "é", "😀"],
        "rate": [1.5, 2.0, float("nan"), -0.0],
    }
    made.win(
        0, {"seat": 0, "source": 1, "tile": 16, "yaku": b"\x01\x34", "han": b"\x01\x02", "dora": b"\x10"}
    )
    batch = build([made])
    assert batch.games.dan.tolist() == [[0, 20, 3, -1]]
    assert batch.games.names.tolist() == [["a", "", "é", "😀"]]
    assert np.array_equal(batch.games.rate, [[1.5, 2.0, np.nan, -0.0]], equal_nan=True)
    assert batch.wins.yaku[0].tolist() == [1, 52] + [255] * 22
    assert batch.wins.han[0].tolist() == [1, 2] + [0] * 22
    assert batch.wins.dora[0].tolist() == [RED_MAN] + [NO_TILE] * 4
    assert batch.wins.dora_id[0].tolist() == [16] + [NO_TILE] * 4


def test_each_game_has_its_own_red_fives() -> None:
    fives = (16, 17, 52, CODE_OF_TILE + RED_MAN, NO_TILE)
    some = []
    for red_ids in ((16, 52, 88), (), (16, 17), (16, 52, 88)):
        made = draft(*(pack(DRAW, 0, five, own=(five, 17)) for five in fives), 0, 0)
        made.red_ids = red_ids
        made.hands[0] |= {"dora": 17, "dealt": bytes([16, 17])}
        made.win(5, {"seat": 0, "source": 0, "tile": 17, "tiles": bytes([16, 17])})
        made.hand_draw(6, {"kind": HandEnd.EXHAUSTIVE, "shown": bytes([17])})
        some.append(made)
    batch = build(some)
    tiles = batch.events.tile.reshape(4, 7)[:, :5].tolist()
    assert tiles == [[34, 4, 35, 34, 255], [4, 4, 13, 34, 255], [34, 34, 13, 34, 255], [34, 4, 35, 34, 255]]
    assert batch.events.tile_id.reshape(4, 7)[:, :5].tolist() == [[16, 17, 52, 255, 255]] * 4
    assert batch.events.own[:, 1].reshape(4, 7)[:, :5].tolist() == [[4] * 5, [4] * 5, [34] * 5, [4] * 5]
    second = [4, 4, 34, 4]
    first = [34, 4, 34, 34]
    assert batch.hands.dora.tolist() == second
    assert batch.hands.dealt[:, 0, :2].tolist() == [list(pair) for pair in zip(first, second, strict=True)]
    assert batch.wins.tile.tolist() == second
    assert batch.wins.tiles[:, :2].tolist() == [list(pair) for pair in zip(first, second, strict=True)]
    assert batch.hand_draws.shown[:, 0, 0].tolist() == second


def test_a_discard_of_the_tile_just_drawn_is_marked() -> None:
    words = [
        pack(DISCARD, 0, 9),  # nothing was drawn before
        pack(DRAW, 0, 5),
        pack(DISCARD, 0, 5),  # marked
        pack(DRAW, 1, 6),
        pack(DISCARD, 1, 7),
        pack(DRAW, 2, 8),
        pack(EventKind.RIICHI, 2),
        pack(DISCARD, 2, 8),  # marked, though declared in between
        pack(EventKind.PON, 3, 8, 2, (9, 10)),
        pack(DISCARD, 3, 8),  # the tile that another seat drew
        pack(DRAW, 3, 11),
        pack(EventKind.CHI, 3, 12, 2, (13, 14)),
        pack(DISCARD, 3, 11),  # drawn, but before a call
        pack(DRAW, 0, NO_TILE),
        pack(DISCARD, 0, NO_TILE),  # two hidden tiles need not be the same
        pack(DRAW, 1, CODE_OF_TILE),
        pack(DISCARD, 1, CODE_OF_TILE),  # nor two of which no copy is known
        pack(DRAW, 2, CODE_OF_TILE),
        pack(DISCARD, 2, CODE_OF_TILE, flags=EventFlag.TSUMOGIRI),  # the format says so itself
    ]
    flags = build([draft(*words)]).events.flags
    assert np.flatnonzero(flags & EventFlag.TSUMOGIRI).tolist() == [2, 7, 18]
    assert set(flags.tolist()) == {0, EventFlag.TSUMOGIRI}


def test_marks_are_kept_beside_each_other() -> None:
    words = [pack(DRAW, 0, 5), pack(DISCARD, 0, 5, flags=EventFlag.ORDER_UNCERTAIN)]
    assert build([draft(*words)]).events.flags.tolist() == [0, 3]


def test_events_of_hands_and_games() -> None:
    leave, back = pack(EventKind.LEAVE, 1), pack(EventKind.RETURN, 1)
    first = GameDraft()
    # Positions: two before the first hand (and one that is not an event), a hand of three with its result,
    # a return before the next deal, a hand cut off, nothing behind.
    first.words = [0, leave, back, 0, pack(DRAW, 0, 1), pack(DISCARD, 0, 1), 0, leave, 0, pack(DRAW, 0, 2), 0]
    first.begin_hand(3, {})
    first.win(6, {"seat": 1, "source": 0})
    first.begin_hand(8, {})
    second = GameDraft(words=[leave, 0])
    third = GameDraft(words=[0, pack(DRAW, 2, 3), 0])
    third.begin_hand(0, {})
    third.hand_draw(2, {"kind": HandEnd.KYUUSHU})
    batch = build([first, second, third])
    assert_sound(batch)
    assert batch.games.event_begin.tolist() == [0, 7, 8]
    assert batch.games.event_end.tolist() == [7, 8, 10]
    assert batch.games.hand_begin.tolist() == [0, 2, 2]
    assert batch.games.hand_end.tolist() == [2, 2, 3]
    assert batch.hands.game.tolist() == [0, 0, 2]
    assert batch.hands.event_begin.tolist() == [2, 6, 8]
    assert batch.hands.event_end.tolist() == [6, 7, 10]
    assert batch.hands.end.tolist() == [HandEnd.WIN, HandEnd.UNFINISHED, HandEnd.KYUUSHU]
    assert batch.wins.event.tolist() == [4]
    assert batch.hand_draws.event.tolist() == [9]
    assert batch.hand_draws.hand.tolist() == [2]


def test_a_payment_has_a_row_only_where_scores_are_stated() -> None:
    made = draft(0, 0)
    made.riichi_paid(0, 3, None)
    made.riichi_paid(1, 2, [1, 2, 3, 4])
    batch = build([made])
    assert batch.events.seat.tolist() == [3, 2]
    assert batch.riichi_scores.event.tolist() == [1]
    assert batch.riichi_scores.scores.tolist() == [[1, 2, 3, 4]]


def test_a_builder_starts_over() -> None:
    builder = BatchBuilder()
    for _ in range(2):
        assert (len(builder), builder.size) == (0, 0)
        builder.add(draft(pack(DRAW, 0, 1), 0))
        builder.add_fault("a", "b", "V101", "c", "d")
        assert (len(builder), builder.size) == (1, 2)
        batch = builder.finish()
        assert repr(batch) == "Batch(1 games, 1 hands, 1 events, 1 faults)"
        row = next(zip(*(array for _, array in batch.faults.arrays()), strict=True))
        assert row == ("a", "b", "V101", "c", "d")
    assert builder.finish().differences(Batch.empty()) == []


@given(drafts())
def test_a_draft_says_the_same_in_any_company(random: GameDraft) -> None:
    other = draft(pack(DRAW, 0, 16), 0)
    other.red_ids = ()
    alone = build([copy.deepcopy(random)])
    among = build([copy.deepcopy(other), random, other]).take(1)
    assert among.differences(alone) == []


@given(batches())
def test_any_batch_is_sound(batch: Batch) -> None:
    assert_sound(batch)
    assert (batch.hands.event_begin <= batch.hands.event_end).all()
    for table in (batch.hands, batch.wins, batch.hand_draws):
        assert (np.diff(table.game) >= 0).all()
