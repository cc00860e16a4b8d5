"""Positions: stepping, what lies on the table, what is legal, and why another move is not."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import pytest
from command import call
from each_row import each_row
from situations import Situation

import paifu
from paifu.replay.kernels import legal
from paifu.replay.model.events import EventKind
from paifu.replay.model.tile_notation import format_tiles, parse_tile, parse_tiles
from paifu.replay.model.tiles import kind_of
from paifu.replay.positions.moves import Move, MoveKind, Reason
from paifu.replay.positions.position import Position
from paifu.replay.views.events import Event
from paifu.replay.views.games import games

SAMPLES = Path(__file__).parents[2] / "sample_logs"
FORMATS = SAMPLES / "formats"
LOGS = ("hanchan.mjlog.gz", "sanma.mjlog.gz", "aborted-hands.zip")
OTHER = SAMPLES / "systems"
IN_TENPAI = "234567m234p678s5z"
"""Waits for 5z, with no yaku but riichi's."""


def built(situation: Situation, event: int) -> Position:
    """Return a position of a built hand; a negative event counts from the end."""
    hand = next(games(situation.batch())).hands[0]
    return Position(hand).go_to(len(hand.events) + event if event < 0 else event)


def words(position: Position, seat: int) -> set[str]:
    return set(map(str, position.legal(seat)))


@pytest.mark.parametrize("log", LOGS)
def test_stepping_back_gives_what_stepping_forward_gave(log: str) -> None:
    hand = next(iter(paifu.read(FORMATS / log))).hands[0]
    position = Position(hand)
    forward = [_all(position)]
    while position.forward():
        forward.append(_all(position))
    assert len(forward) == len(hand.events) + 1
    assert position.next is None
    for event in range(len(hand.events), -1, -1):
        assert _all(position) == forward[event], event
        assert position.back() == (event > 0)
    assert position.last is None
    assert _all(Position(hand, 11)) == forward[11]


def _all(position: Position) -> object:
    seats = range(position.hand.players)
    return position.document(), [(words(position, seat), position.furiten(seat)) for seat in seats]


@pytest.mark.parametrize("log", LOGS)
def test_the_table_is_that_of_the_engine(log: str) -> None:
    """Scores, sticks, wall, indicators, rivers and turns as the log tells them, beside the engine's state."""
    for game in paifu.read(FORMATS / log):
        position = Position(game.hands[0])
        end = min(win.event for win in position.hand.wins) if position.hand.wins else len(position.events) - 1
        while position.event < end:
            table = position._engine().table
            assert position.wall == table.live
            assert position.sticks == table.sticks
            assert list(position.scores) == table.scores.tolist()[: game.players]
            assert len(position.indicators) == table.turned
            lying = Counter(
                kind_of(one.tile) for state in position.seats for one in state.river if one.called_by is None
            )
            assert table.river.tolist() == [lying[kind] for kind in range(34)]
            for seat, state in enumerate(position.seats):
                assert (table.riichi[seat] > 0) == (state.riichi and not state.declares)
                assert len(state.river) == table.discards[seat]
            position.forward()


def test_every_move_that_a_log_makes_is_legal() -> None:
    made: Counter[EventKind] = Counter()
    kinds = {*range(EventKind.DISCARD, EventKind.RIICHI + 1), EventKind.WIN}
    for log in LOGS:
        for game in paifu.read(FORMATS / log):
            for hand in game.hands[:4]:
                position = Position(hand)
                for event in position.events:
                    position.go_to(event.index)
                    if event.kind in kinds and position._engine().is_over is False:
                        assert event.seat is not None
                        found = [one for one in position.legal(event.seat) if _is(one, event)]
                        assert found, f"{log} {hand.label} {event}: {words(position, event.seat)}"
                        made[event.kind] += 1
    assert made.keys() >= kinds - {EventKind.DAIMINKAN}


def _is(move: Move, event: Event) -> bool:
    if event.kind == EventKind.WIN:
        return move.kind == (MoveKind.TSUMO if event.source == event.seat else MoveKind.RON)
    if event.kind == EventKind.RIICHI:
        return move.kind == MoveKind.RIICHI
    same = move.kind == event.kind.name.lower() and move.tile == event.tile
    if event.kind == EventKind.DISCARD:
        return same and move.tsumogiri == event.is_tsumogiri
    if event.kind == EventKind.ANKAN:
        return move.kind == "ankan" and sorted((move.tile or 0, *move.own)) == sorted(
            (event.tile or 0, *event.own)
        )
    return same and (event.kind == EventKind.KAKAN or sorted(move.own) == sorted(event.own))


def test_each_reason_of_the_engine_has_a_name() -> None:
    bits = {getattr(legal, name) for name in dir(legal) if name.isupper()}
    declared = {1 << bit for bit in range(16)} & bits
    assert {reason.bit for reason in Reason if reason.bit} == declared - {legal.FOUL}
    assert all(reason.words for reason in Reason)


CASES = {
    "a riichi in a hand that is not tenpai": (
        Situation("0 1z 1z\n1 2z 2z"), 1, Move(MoveKind.RIICHI, 0), Reason.NOT_TENPAI,
    ),
    "a riichi with too few points": (
        Situation("0 9m 9m", {0: IN_TENPAI}, scores=(900, 33100, 33000, 33000)),
        1, Move(MoveKind.RIICHI, 0, parse_tile("9m"), tsumogiri=True), Reason.TOO_FEW_POINTS,
    ),
    "a discard of another seat": (
        Situation("0 1z 1z"), 1, Move(MoveKind.DISCARD, 1, parse_tile("1z")), Reason.NOT_NOW,
    ),
    "a tile that is not held": (
        Situation("0 9m 9m", {0: IN_TENPAI}), 1, Move(MoveKind.DISCARD, 0, parse_tile("1s")), Reason.NOT_HELD,
    ),
    "a ron without yaku": (
        Situation("0 5z 5z", {1: IN_TENPAI}), 2, Move(MoveKind.RON, 1, parse_tile("5z"), source=0),
        Reason.NO_YAKU,
    ),
    "a ron on another tile": (
        Situation("0 1z 1z", {1: IN_TENPAI}), 2, Move(MoveKind.RON, 1, parse_tile("1z"), source=0),
        Reason.NO_WAIT,
    ),
    "a chi from across": (
        Situation("0 4m 4m", {2: "56m" + "1234567z" + "1199p"}), 2,
        Move(MoveKind.CHI, 2, parse_tile("4m"), tuple(parse_tiles("56m")), 0), Reason.NO_MELD,
    ),
    "kuikae": (
        Situation("0 4m 4m\n1 chi 4m 56m 1z", {1: "4567m" + "1234z" + "11990s"}), 3,
        Move(MoveKind.DISCARD, 1, parse_tile("7m")), Reason.KUIKAE,
    ),
    "nine that are not nine": (
        Situation("0 9m 9m", {0: IN_TENPAI}), 1, Move(MoveKind.KYUUSHU, 0), Reason.NOT_NINE,
    ),
    "a tile said to come from the hand": (
        Situation("0 9m 9m", {0: IN_TENPAI}), 1, Move(MoveKind.DISCARD, 0, parse_tile("9m")),
        Reason.MISMARKED,
    ),
}  # fmt: skip


@each_row("name", CASES)
def test_a_move_is_refused_for_its_reason(name: str) -> None:
    situation, event, move, reason = CASES[name]
    position = built(situation, event)
    assert position.against(move) == (() if reason is None else (reason,)), str(position)
    assert move not in position.legal(move.seat)


def test_nine_terminals_and_honours_may_end_the_hand() -> None:
    position = built(Situation("0 9m 9m", {0: "19m19p19s123z" + "2255m"}), 1)
    assert Move(MoveKind.KYUUSHU, 0) in position.legal(0)


def test_furiten_refuses_a_ron_and_not_a_tsumo() -> None:
    position = built(Situation("0 9m 9m\n1 5z 5z\n2 1z 1z\n3 5z 5z", {1: IN_TENPAI}), 8)
    assert position.furiten(1)
    assert format_tiles(position.waits(1)) == "5z"
    (refused,) = [one for one in position.refused(1) if one.move.kind == MoveKind.RON]
    assert Reason.FURITEN in refused.reasons
    assert "furiten" in refused.reasons[0].words


def test_riichi_locks_the_hand() -> None:
    moves = "0 9m r9m\n1 1z 1z\n2 2z 2z\n3 3z 3z\n0 1s 1s"
    position = built(Situation(moves, {0: IN_TENPAI}), -1)
    assert words(position, 0) == {"discard 1s drawn"}
    assert {one.reasons for one in position.refused(0) if one.move.kind == "discard"} == {(Reason.LOCKED,)}
    assert position.seats[0].river[0].riichi
    assert position.shanten(0).least == 0


def test_a_call_names_its_own_tiles_red_fives_apart() -> None:
    situation = Situation("0 5s 5s", {1: "3467s0s" + "1234z" + "1199p"})
    assert {one for one in words(built(situation, 2), 1) if one.startswith("chi")} == {
        "chi 5s with 34s", "chi 5s with 46s", "chi 5s with 67s",
    }  # fmt: skip
    situation = Situation("0 4s 4s", {1: "3505s6s" + "1234z" + "1199p"})
    assert {one for one in words(built(situation, 2), 1) if one.startswith("chi")} == {
        "chi 4s with 35s", "chi 4s with 30s", "chi 4s with 56s", "chi 4s with 06s",
    }  # fmt: skip


def test_after_the_end_nothing_is_legal() -> None:
    position = paifu.position(FORMATS / LOGS[0], 0)
    position.go_to(len(position.events))
    assert position.movers == ()
    assert position.turn is None
    assert position.against(Move(MoveKind.DISCARD, 0, 0)) == (Reason.NOT_NOW,)


def test_hidden_tiles_stay_hidden_and_nothing_is_said_of_their_seat() -> None:
    game = next(iter(paifu.read(FORMATS / LOGS[0])))
    batch = game.batch()
    hidden = batch.hands.dealt.copy()
    hidden[:, 1:] = 255
    object.__setattr__(batch.hands, "dealt", hidden)
    position = Position(next(games(batch)).hands[0], 1)
    assert format_tiles(position.seats[1].closed) == 13 * "?"
    assert position.document()["seats"][1]["closed"] == ["??"] * 13
    assert (position.knows(0), position.knows(1)) == (True, False)
    assert position.shanten(0).least >= 0
    for ask in (position.legal, position.refused, position.waits, position.shanten, position.furiten):
        with pytest.raises(paifu.ArgumentError, match="does not show all tiles of seat 1"):
            ask(1)


def test_what_one_seat_saw_is_enough_for_its_own_moves() -> None:
    """Deals and draws of the others are blanked; at each moment the answers are those of the full log."""
    game = next(iter(paifu.read(FORMATS / LOGS[0])))
    batch, seat = game.batch(), 2
    dealt, tile = batch.hands.dealt.copy(), batch.events.tile.copy()
    dealt[:, [0, 1, 3]] = 255
    tile[(batch.events.kind == EventKind.DRAW) & (batch.events.seat != seat)] = 255
    object.__setattr__(batch.hands, "dealt", dealt)
    object.__setattr__(batch.events, "tile", tile)
    part, full = Position(next(games(batch)).hands[0]), Position(game.hands[0])
    while part.forward() and full.forward():
        for ask in ("legal", "refused", "waits", "furiten", "shanten"):
            assert getattr(part, ask)(seat) == getattr(full, ask)(seat), (ask, part.event)
        assert set(part.movers) <= {seat}
    assert part.event == len(full.events)


def test_other_games_are_shown_and_not_judged() -> None:
    game = next(iter(paifu.read(OTHER)))
    position = Position(game.hands[0], 1)
    assert "river" in str(position)
    assert position.document()["turn"] == position.hand.dealer
    with pytest.raises(paifu.ArgumentError, match="for riichi only"):
        position.legal(0)


def test_after_an_event_that_cannot_be_the_engine_says_so() -> None:
    game = next(iter(paifu.read(SAMPLES / "broken" / "V201.mjlog")))
    positions = [Position(hand, len(hand.events)) for hand in game.hands]
    for position in positions:
        try:
            position.legal(0)
        except paifu.ArgumentError as error:
            assert "cannot be" in str(error)  # noqa: PT017  which of the hands is broken does not matter
            return
    pytest.fail("no hand breaks off")


@each_row(
    ("arguments", "message"),
    [
        (("E9.0",), "there is no such hand"),
        (("S4.7",), "there is no such hand"),
        ((99,), "count them from 0"),
        (("E1.0", 9999), "has 103 events"),
        (("E1.0", -1), "has 103 events"),
    ],
)
def test_what_there_is_not_is_an_error(arguments: tuple[str | int, ...], message: str) -> None:
    with pytest.raises(paifu.ArgumentError, match=message):
        paifu.position(FORMATS / LOGS[0], *arguments)  # type: ignore[arg-type]


@each_row("at", ["E1.0", "E1.0:0", "E1.0:x", "E1.0@", "E1.0@12345", "@3:"])
def test_a_text_that_names_no_place_is_an_error(at: str) -> None:
    with pytest.raises(paifu.ArgumentError):
        paifu.position_at(FORMATS / LOGS[0], at, 2)


def test_a_turn_and_an_event_name_the_same_moment() -> None:
    by_turn = paifu.position_at(FORMATS / LOGS[0], "E1.0:7", 2)
    by_event = paifu.position_at(FORMATS / LOGS[0], f"E1.0@{by_turn.event}")
    assert by_turn.document(2) == by_event.document(2)
    with pytest.raises(paifu.ArgumentError, match="whose turn"):
        paifu.position_at(FORMATS / LOGS[0], "E1.0:7")


def test_rules_decide_what_is_legal() -> None:
    log = FORMATS / LOGS[0]
    game = next(iter(paifu.read(log)))
    label, event = next(
        (hand.label, one.index) for hand in game.hands for one in hand.events if one.kind == EventKind.CHI
    )
    assert paifu.position(game, label, event).events[event].kind == EventKind.CHI
    seat = paifu.position(game, label, event).events[event].seat
    assert seat is not None
    with_chi = {move.kind for move in paifu.position(game, label, event).legal(seat)}
    without = {move.kind for move in paifu.position(game, label, event, settings=["chi=false"]).legal(seat)}
    assert with_chi - without == {MoveKind.CHI}


def test_the_document_is_json_and_holds_what_was_asked() -> None:
    position = paifu.position_at(FORMATS / LOGS[0], "E1.0:7", 2)
    document = json.loads(json.dumps(position.document(2)))
    assert document["schema"] == "paifu.position/1"
    (asked,) = document["asked"]
    drawn = next(move for move in position.legal(2) if move.tsumogiri)
    assert drawn.document() in asked["legal"]
    assert [one["reasons"] for one in asked["refused"] if one["kind"] == "riichi"] == [["not tenpai"]]
    assert asked["shanten"] == position.shanten(2).least
    assert [one["tile"] for one in document["seats"][2]["river"]] == [
        format_tiles([one.tile]) for one in position.seats[2].river
    ]


# --- paifu show --at -----------------------------------------------------------------------------------


def test_show_at_prints_the_table_and_what_may_be_done() -> None:
    result = call("show", FORMATS / LOGS[0], "--at", "E1.0:7", "--seat", "2")
    assert result.status == 0
    assert result.talk == []
    lines = result.text.splitlines()
    assert lines[0] == "E1.0, event 53 of 103; dora indicators 6m; 43 tiles left; 0 sticks"
    assert "> seat 2 W  25000  123089m78p34566s  drew 9m" in lines
    assert "    river: 6z 2m 2s 8s ↓1s 3m 7p" in lines
    assert lines[-3].startswith("seat 2 may: discard 1m, discard 2m,")
    assert lines[-2:] == [
        "seat 2 may not: riichi (the hand would not be tenpai)", "seat 2: shanten 1",
    ]  # fmt: skip


def test_show_at_an_event_asks_every_seat_that_has_a_choice() -> None:
    result = call("show", FORMATS / LOGS[0], "--at", "E1.0@28")
    words = [line for line in result.text.splitlines() if " may: " in line]
    assert words == ["seat 2 may: chi 1m with 23m", "seat 3 may: pon 1m with 11m"]


def test_show_at_as_json_is_the_document_of_the_position() -> None:
    result = call("show", FORMATS / LOGS[0], "--at", "E1.0@28", "--format", "json")
    assert json.loads(result.data) == paifu.position(FORMATS / LOGS[0], "E1.0", 28).document(2, 3)


def test_show_at_shows_other_games_and_says_what_it_cannot_say() -> None:
    result = call("show", OTHER / "wsom-games.jsonl.gz", "--at", "E1.0@48")
    assert result.status == 0
    assert result.text.count("river:") == 4
    assert result.talk == ["this is worked out for riichi only, and E1.0 is played by the rules wsom"]


def test_a_win_on_offer_has_not_been_passed_yet() -> None:
    situation = Situation("0 5z 5z\n1 1z 1z", {2: "234567m234p678s5z", 3: "1199m1199p1199s1z"})
    offered, passed = built(situation, 2), built(situation, 3)
    assert (offered.furiten(2), passed.furiten(2)) == (False, True)
    assert [one.reasons for one in offered.refused(2) if one.move.kind == MoveKind.RON] == [(Reason.NO_YAKU,)]


@pytest.mark.parametrize("log", LOGS[:2])
def test_legal_moves_are_those_of_riichienv(log: str) -> None:
    """At random events of a game; what differs is known by its cause."""
    riichienv_moves = pytest.importorskip("riichienv_moves", reason="riichienv is not there")
    game = next(iter(paifu.read(FORMATS / log)))
    draw, seen = random.Random(6), Counter[str]()  # noqa: S311
    for hand in draw.sample(game.hands, 4):
        table = riichienv_moves.OtherTable(game, hand)
        ends = [event.index for event in hand.events if event.kind in (EventKind.WIN, EventKind.HAND_DRAW)]
        for event in draw.sample(range(min(ends) + 1), 12):
            position, others = Position(hand, event), table.moves(event)
            for seat in range(game.players):
                own = set(map(riichienv_moves.plain, position.legal(seat)))
                for move in own ^ others[seat]:
                    assert riichienv_moves.explained(position, seat, move, is_own=move in own), move
                seen.update(kind for kind, *_tiles in own & others[seat])
    assert seen["dahai"] > 100
    assert seen["pon"] + seen["chi"] > 3
