"""Views copy rows out of the columns: values, unknown values, row numbers, and one line for people."""

from __future__ import annotations

import copy
import dataclasses
from pathlib import Path

import pytest
from each_row import each_row
from hypothesis import given
from hypothesis import strategies as st

from paifu.parsers.read import read_batches
from paifu.replay.model.batch import UNKNOWN_POINTS, Batch
from paifu.replay.model.builder import BatchBuilder, GameDraft
from paifu.replay.model.events import CODE_OF_TILE, EventFlag, EventKind, HandEnd, pack
from paifu.replay.model.tile_notation import parse_tile
from paifu.replay.scoring.limits import Limit
from paifu.replay.views.events import Event
from paifu.replay.views.games import Game, Hand, games
from paifu.replay.views.labels import format_label, parse_label

SAMPLES = Path(__file__).parents[2] / "sample_logs"


def code(name: str) -> int:
    return CODE_OF_TILE + parse_tile(name)


def four_players() -> GameDraft:
    """Two hands: a ron after a chi and a paid riichi, then an exhaustive draw; somebody leaves before."""
    draft = GameDraft({"id": "made-up", "names": ["Aoi", "Botan", "Chiyo", "Daigo"], "players": 4})
    draft.game |= {"dan": bytes([16, 20, 0, 9]), "rate": [1500.0, 2100.5, 1499.25, float("nan")]}
    draft.game |= {"final_scores": [24000, 26300, 25700, 24000], "final_points": [-20.5, 46.0, 6.0, -31.5]}
    draft.words = [
        pack(EventKind.LEAVE, 3),
        pack(EventKind.DRAW, 0, 52),
        pack(EventKind.DISCARD, 0, 52),
        pack(EventKind.CHI, 1, code("6p"), 0, (code("7p"), code("8p"))),
        pack(EventKind.DISCARD, 1, code("1z")),
        pack(EventKind.RIICHI, 2),
        0,  # a position that stays without an event
        0,
        0,
        0,
        pack(EventKind.RETURN, 3),
        pack(EventKind.DRAW, 1),
        0,
    ]
    draft.begin_hand(
        1,
        {
            "round": 0, "honba": 0, "sticks": 0, "dealer": 0, "dice": b"\0\5", "dora": 16,
            "dealt": bytes(range(13)), "scores": [25000] * 4,
        },
    )  # fmt: skip
    draft.riichi_paid(7, 2, [25000, 25000, 24000, 25000])
    scores = [25000, 25000, 24000, 25000]
    melds = [0, *[-1] * 7]
    for at, seat in ((8, 1), (9, 3)):
        draft.win(
            at,
            {
                "seat": seat, "source": 0, "tile": 20, "tiles": bytes([0, 1, 20]), "melds": melds, "fu": 30,
                "points": 1000, "limit": 0, "yaku": bytes([8, 54]), "han": bytes([1, 0]), "scores": scores,
                "deltas": [-1000, 2000, 0, 0], "honba": 0, "sticks": 1, "dora": bytes([16]),
            },
        )  # fmt: skip
    draft.begin_hand(11, {"round": 1, "honba": 2, "sticks": 1, "dealer": 1})
    draft.hand_draw(
        12,
        {
            "kind": HandEnd.EXHAUSTIVE,
            "tenpai": bytes([1, 0, 1, 0]),
            "shown": bytes([0, 4]).ljust(14, b"\xff"),
        },
    )
    return draft


def three_players() -> GameDraft:
    draft = GameDraft({"source": "dir/x.mjlog", "players": 3, "is_cut": True})
    draft.words = [pack(EventKind.KITA, 2)]
    draft.begin_hand(0, {"round": 8, "honba": 0, "sticks": 0, "dealer": 2, "scores": [35000] * 3 + [0]})
    return draft


@pytest.fixture(scope="module")
def batch() -> Batch:
    """The 4-player game is the second one, so that row numbers and indexes differ."""
    builder = BatchBuilder()
    builder.add(three_players())
    builder.add(four_players())
    return builder.finish()


def test_every_view_reads_as_one_line(batch: Batch) -> None:
    three, four = games(batch)
    assert repr(three) == "<Game dir/x.mjlog 3 players, 1 hand, cut>"
    assert repr(four) == "<Game made-up 4 players, 2 hands>"
    assert [repr(hand) for hand in four.hands] == [
        "<Hand E1.0 dealer 0, 9 events, ron 1 from 0 and ron 3 from 0>",
        "<Hand E2.2 dealer 1, 2 events, exhaustive draw>",
    ]
    assert [repr(hand) for hand in three.hands] == ["<Hand W1.0 dealer 2, 1 events, unfinished>"]
    assert [repr(event) for event in four.hands[0].events] == [
        "<Event 0 seat 0 draws 0p>",
        "<Event 1 seat 0 discards 0p tsumogiri>",
        "<Event 2 seat 1 calls chi 6p with 7p 8p from 0>",
        "<Event 3 seat 1 discards 1z>",
        "<Event 4 seat 2 declares riichi>",
        "<Event 5 seat 2 pays riichi>",
        "<Event 6 seat 1 wins on 6m from 0>",
        "<Event 7 seat 3 wins on 6m from 0>",
        "<Event 8 seat 3 returns>",
    ]
    assert [repr(event) for event in four.hands[1].events] == [
        "<Event 0 seat 1 draws ??>",
        "<Event 1 ends the hand in a draw>",
    ]
    assert repr(four.hands[0].wins[0]) == "<Win ron 1 from 0 on 6m, 1 han 30 fu, 1000 points>"
    assert repr(four.hands[1].draw) == "<HandDraw exhaustive draw, tenpai 0 2>"


def test_unknown_rules_become_those_of_tenhou() -> None:
    builder = BatchBuilder()
    for players in (3, 4):
        draft = GameDraft({"players": players, "ruleset": "nobody-knows"})
        draft.begin_hand(0, {"round": 0, "dealer": 0})
        builder.add(draft)
    names = [game.hands[0].rules.name for game in games(builder.finish())]
    assert names == ["tenhou-sanma", "tenhou"]


@each_row(
    ("event", "expected"),
    [
        (pack(EventKind.PON, 3, code("0s"), 1, (code("5s"),) * 2), "seat 3 calls pon 0s with 5s 5s from 1"),
        (pack(EventKind.DAIMINKAN, 0, 4, 2, (5, 6, 7)), "seat 0 calls daiminkan 2m with 2m 2m 2m from 2"),
        (pack(EventKind.ANKAN, 0, 132, own=(133, 134, 135)), "seat 0 declares ankan 7z with 7z 7z 7z"),
        (pack(EventKind.KAKAN, 0, 4, 2, (5, 6, 7)), "seat 0 declares kakan 2m with 2m 2m 2m from 2"),
        (pack(EventKind.KITA, 0, 120), "seat 0 sets aside kita 4z"),
        (pack(EventKind.KITA, 0), "seat 0 sets aside kita"),
        (pack(EventKind.DORA, tile=code("7z")), "dora indicator 7z"),
        (pack(EventKind.WIN, 2, 255, 2), "seat 2 wins on ??"),
        (
            pack(EventKind.CHI, 1, 0, 0, (4, 8), EventFlag.ORDER_UNCERTAIN),
            "seat 1 calls chi 1m with 2m 3m from 0 (order uncertain)",
        ),
    ],
)  # fmt: skip
def test_events_name_kind_tiles_and_source(event: int, expected: str) -> None:
    builder = BatchBuilder()
    draft = GameDraft({"players": 4}, words=[event])
    draft.begin_hand(0, {"round": 0, "honba": 0, "sticks": 0})
    builder.add(draft)
    assert repr(Game.of(builder.finish(), 0).hands[0].events[0]) == f"<Event 0 {expected}>"


def test_known_values_come_as_enums_and_tuples(batch: Batch) -> None:
    game = Game.of(batch, 1)
    assert game.names == ("Aoi", "Botan", "Chiyo", "Daigo")
    assert game.dan == (16, 20, 0, 9)
    assert game.rate == (1500.0, 2100.5, 1499.25, None)
    hand = game.hands[0]
    assert (hand.index, hand.row) == (0, 1)
    assert hand.end is HandEnd.WIN
    assert hand.dice == (0, 5)
    assert hand.dora == parse_tile("0m")
    assert hand.dora_id == 16
    assert hand.dealt[0] == (0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3)
    assert hand.dealt[1] == (None,) * 13
    first, second = hand.wins
    assert (first.seat, second.seat) == (1, 3)
    assert hand.events[first.event].kind is EventKind.WIN
    assert hand.events[first.event].row == batch.wins.event[0]
    assert first.tiles == (0, 0, 5)
    assert first.melds == (0,)
    assert first.yaku == ((8, 1), (54, 0))
    assert first.limit is Limit.NONE
    assert not first.is_tsumo
    paid = hand.events[5]
    assert paid.scores == (25000, 25000, 24000, 25000)
    assert hand.events[1].is_tsumogiri
    assert not hand.events[3].is_tsumogiri
    assert hand.draw is None
    assert game.hands[1].wins == ()


def test_a_discard_after_a_call_is_no_tsumogiri() -> None:
    """Seat 1 keeps the tile it draws, seat 0 pons, seat 1 calls: now the tile goes, but not as just drawn."""
    builder = BatchBuilder()
    words = [
        pack(EventKind.DRAW, 1, 112),
        pack(EventKind.DISCARD, 1, 90),
        pack(EventKind.PON, 0, 90, 1, (89, 91)),
        pack(EventKind.DISCARD, 0, 4),
        pack(EventKind.CHI, 1, 4, 0, (8, 12)),
        pack(EventKind.DISCARD, 1, 112),
    ]
    draft = GameDraft({"players": 4}, words=words)
    draft.begin_hand(0, {"round": 0, "honba": 0, "sticks": 0})
    builder.add(draft)
    events = Game.of(builder.finish(), 0).hands[0].events
    assert not any(event.is_tsumogiri for event in events)


def test_what_the_log_does_not_say_is_none(batch: Batch) -> None:
    game = Game.of(batch, 1)
    assert game.go_type is None
    assert game.first_dealer is None
    hand = game.hands[1]
    assert hand.dice is None
    assert hand.dora is None
    assert hand.scores == (None,) * 4
    draw = hand.draw
    assert draw is not None
    assert draw.deltas == (None,) * 4
    assert draw.tenpai == (True, False, True, False)
    assert draw.shown == ((0, 1), (), (), ())
    assert draw.honba is None
    event = hand.events[0]
    assert (event.tile, event.tile_id, event.source, event.own) == (None, None, None, ())


def test_a_three_player_game_has_three_seats(batch: Batch) -> None:
    game = Game.of(batch, 0)
    hand = game.hands[0]
    assert len(game.names) == len(hand.scores) == len(hand.dealt) == 3
    assert hand.scores == (35000, 35000, 35000)
    assert game.is_cut
    assert hand.end is HandEnd.UNFINISHED


def test_a_win_that_says_nothing_is_still_a_view() -> None:
    builder = BatchBuilder()
    draft = GameDraft({"players": 4}, words=[0])
    draft.begin_hand(0, {"round": 0, "honba": 0, "sticks": 0})
    draft.win(0, {"seat": 1, "source": 1})
    builder.add(draft)
    batch = builder.finish()
    (win,) = Game.of(batch, 0).hands[0].wins
    assert win.melds is None
    assert win.limit is None
    assert win.points is None
    assert win.fu is None
    assert win.yaku == ()
    assert win.tiles == win.dora == ()
    assert win.is_tsumo
    assert repr(win) == "<Win tsumo 1 on ??>"
    assert int(batch.wins.points[0]) == UNKNOWN_POINTS


def test_views_are_frozen_and_slotted(batch: Batch) -> None:
    game = Game.of(batch, 1)
    hand = game.hands[0]
    for view in (game, hand, hand.events[0], hand.wins[0], game.hands[1].draw):
        assert not hasattr(view, "__dict__")
        with pytest.raises(dataclasses.FrozenInstanceError):
            view.row = 1  # type: ignore[union-attr,misc]


def test_making_one_hand_makes_no_events(batch: Batch, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    monkeypatch.setattr("paifu.replay.views.events._frozen", lambda event: made.append(event.index))
    game = next(iter(games(batch)))
    assert game.hands
    assert repr(game.hands[0])
    assert not made
    assert game.hands[0].events
    assert made == [0]


def test_events_are_those_that_their_class_makes(batch: Batch) -> None:
    made = [event for game in games(batch) for hand in game.hands for event in hand.events]
    cells = [field.name for field in dataclasses.fields(Event)]
    assert made
    for event in made:
        again = Event(**{name: getattr(event, name) for name in cells})
        assert type(event) is Event
        assert (event, hash(event), repr(event)) == (again, hash(again), repr(again))
        assert copy.deepcopy(event) == event
    with pytest.raises(dataclasses.FrozenInstanceError):
        made[0].index = 1  # type: ignore[misc]


@each_row(
    ("round_", "honba", "label"),
    [(0, 0, "E1.0"), (3, 0, "E4.0"), (6, 2, "S3.2"), (8, 11, "W1.11"), (15, 0, "N4.0"), (16, 1, "N5.1")],
)
def test_labels(round_: int, honba: int, label: str) -> None:
    assert format_label(round_, honba) == label
    assert parse_label(label) == (round_, honba)


@given(st.integers(0, 63), st.integers(0, 9999))
def test_labels_go_round(round_: int, honba: int) -> None:
    assert parse_label(format_label(round_, honba)) == (round_, honba)


def test_a_label_may_be_small_or_leave_the_honba_out() -> None:
    assert parse_label(" s3.2 ") == (6, 2)
    assert parse_label("W2") == (9, None)


@each_row("text", ["", "E", "E0.0", "X1.0", "E1.", "E1.0.0", "1E", "E1.-1", "East 1"])
def test_other_texts_are_no_labels(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not a hand; write wind, number and honba, such as E1\.0"):
        parse_label(text)


def assert_end_is_among_the_events(hand: Hand) -> None:
    assert (hand.end is HandEnd.WIN) == bool(hand.wins)
    for win in hand.wins:
        assert hand.events[win.event].kind is EventKind.WIN
        assert hand.events[win.event].seat == win.seat
    if hand.draw is not None:
        assert hand.events[hand.draw.event].kind is EventKind.HAND_DRAW
        assert hand.draw.kind is hand.end


def test_the_end_of_a_hand_is_among_its_events() -> None:
    (batch,) = read_batches([SAMPLES / "formats" / "hanchan.mjlog.gz"])
    hands = [hand for game in games(batch) for hand in game.hands]
    for hand in hands:
        assert_end_is_among_the_events(hand)
    assert sum(hand.draw is not None for hand in hands) >= 2
