"""Riichi City's records."""

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
from riichicity_games import IDS, Record, record

from paifu.parsers.read import read_batches, read_unit
from paifu.parsers.riichicity.reader import seconds_of_id
from paifu.parsers.riichicity.room_rules import shares_of_tsumo
from paifu.parsers.sources.detect import Format, sniff
from paifu.parsers.sources.documents import Document
from paifu.replay.bounds import check_batch
from paifu.replay.findings.spoken import cases, in_words
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventFlag, EventKind, HandEnd
from paifu.replay.table.engine import replay

UNSTATED = {
    "games": {"source", "format", "version", "go_type", "lobby", "dan", "rate", "sex", "seed", "id", "rule",
              "started"},
    "hands": {"dice", "seed", "dora_id", "dealt_id"},
    "events": {"tile_id", "own_id", "time", "own", "tile"},
    "wins": {"limit", "honba", "sticks", "yaku", "han", "melds", "tile_id", "tiles_id", "tiles", "dora",
             "dora_id", "ura_id", "scores", "deltas", "liable"},
    "hand_draws": {"honba", "sticks", "shown_id", "tenpai", "shown", "scores"},
    "riichi_scores": {"event", "scores"},
}  # fmt: skip
"""Columns of which a record says nothing, or in another order."""


def read(value: Any, name: str = "x.json") -> Batch:
    """What the reader makes of a record."""
    text = value if isinstance(value, bytes) else orjson.dumps(value)
    batch = read_unit([Document(name, text, Format.RIICHI_CITY)])
    check_batch(batch)
    return batch


def made(preset: str = "riichi-city", number: int = 0, **fields: Any) -> Record:
    return record(simulated(preset, number), **fields)


def codes(batch: Batch) -> list[str]:
    return [in_words(case).code for case in cases(replay(batch))]


def change(
    value: Record, kind: int, make: Callable[[dict[str, Any]], Any], *, which: int = 0, hand: int = 0
) -> None:
    """Change the data of the ``which``-th event of a kind in a hand."""
    events = value["data"]["handRecord"][hand]["handEventRecord"]
    event = [one for one in events if one["eventType"] == kind][which]
    data = orjson.loads(event["data"])
    make(data)
    event["data"] = orjson.dumps(data).decode()


@pytest.mark.parametrize("preset", ["riichi-city", "riichi-city-sanma"])
@pytest.mark.parametrize("number", [*range(4), 7, 73])
def test_a_game_comes_back_whole(preset: str, number: int) -> None:
    game = simulated(preset, number)
    again = read(record(game, first_position=number))
    assert faults(again) == []
    skip = [f"{table}.{column}" for table, columns in UNSTATED.items() for column in columns]
    assert game.differences(again, ignore=skip) == []
    assert np.array_equal(game.wins.deltas, again.wins.deltas)
    named = game.events.tile != 255
    assert np.array_equal(game.events.tile[named], again.events.tile[named])
    for row in range(len(game.wins)):
        listed = [
            {pair for pair in zip(wins.yaku[row], wins.han[row], strict=True) if pair[0] != 255}
            for wins in (game.wins, again.wins)
        ]
        assert listed[0] == listed[1]
        assert sorted(game.wins.tiles[row]) == sorted(again.wins.tiles[row])
    assert codes(again) == []
    assert not again.games.is_cut[0]
    assert (again.events.time >= 0).sum() > 0.9 * len(again.events)


def test_seats_are_turned_by_the_first_dealer() -> None:
    game = simulated("riichi-city", 0)
    for position in range(4):
        again = read(record(game, first_position=position))
        assert again.games.names.tolist() == game.games.names.tolist()
        assert again.hands.dealer.tolist() == game.hands.dealer.tolist()


def test_the_record_without_its_envelope_and_a_list_of_records() -> None:
    one = made()
    for value, count in ((one["data"], 1), ([one, one["data"]], 2)):
        text = orjson.dumps(value)
        assert sniff(text) is Format.RIICHI_CITY
        batch = read(text)
        assert (len(batch), faults(batch)) == (count, [])


def test_the_date_is_that_of_the_first_event_or_of_the_id() -> None:
    one = made()
    assert read(one).games.started.tolist() == ["2024-03-27T14:10"]
    assert seconds_of_id(one["data"]["keyValue"]) == 1711548599
    for hand in one["data"]["handRecord"]:
        for event in hand["handEventRecord"]:
            del event["startTime"]
    batch = read(one)
    assert batch.games.started.tolist() == ["2024-03-27T14:09"]
    assert (batch.events.time == -1).all()
    assert seconds_of_id("") == seconds_of_id("co22hduai0897qt1uocz") == 0


def test_a_wall_that_its_hash_does_not_fit_is_a_finding() -> None:
    one = made()
    hand = one["data"]["handRecord"][0]
    wall = hand["handCardEncode"]
    hand["handCardEncode"] = wall[:140] + wall[142:144] + wall[140:142] + wall[144:]
    assert "V605" in codes(read(one))
    assert set(codes(read(one))) <= {"V602", "V605"}


def test_a_record_without_walls_is_read() -> None:
    one = made()
    for hand in one["data"]["handRecord"]:
        del hand["handCardEncode"]
    batch = read(one)
    assert (set(batch.hands.seed), codes(batch)) == ({""}, [])


def test_another_hash_beside_the_wall_than_in_the_deal_is_told() -> None:
    one = made()
    one["data"]["handRecord"][0]["handCardsSHA256"] = "0" * 64
    ((place, code, reason, _),) = faults(read(one))
    assert (place, code, "hash" in reason) == ("hand 1", "V105", True)


def test_a_riichi_is_paid_before_the_call_of_its_tile() -> None:
    called = 0
    for number in range(6):
        for preset in ("riichi-city", "riichi-city-sanma"):
            events = read(made(preset, number)).events
            paid = np.flatnonzero(events.kind == EventKind.RIICHI_PAID)
            after = events.kind[np.minimum(paid + 1, len(events) - 1)]
            called += int(np.isin(after, (EventKind.CHI, EventKind.PON, EventKind.DAIMINKAN)).sum())
            assert (events.kind[paid - 1] == EventKind.DISCARD).all()
    assert called


def _first_drawn_discard(value: Record) -> tuple[int, dict[str, Any]]:
    """The first discard of the tile just drawn, as number of the move in hand 1 and data."""
    moves = [e for e in value["data"]["handRecord"][0]["handEventRecord"] if e["eventType"] == 4]
    for number, event in enumerate(moves):
        data = orjson.loads(event["data"])
        if data["action"] == 11 and data["move_cards_pos"] == [14]:
            return number, data
    raise AssertionError


def test_rack_places_tell_the_tile_just_drawn() -> None:
    one = made()
    number, _ = _first_drawn_discard(one)
    usual = read(one).events
    change(one, 4, lambda data: data.update(move_cards_pos=[3]), which=number)
    batch = read(one)
    changed = np.flatnonzero(usual.flags != batch.events.flags)
    assert len(changed) == 1
    assert usual.flags[changed[0]] & EventFlag.TSUMOGIRI
    change(one, 4, lambda data: data.update(move_cards_pos=None), which=number)
    assert np.array_equal(read(one).events.flags, usual.flags)


STATED = {
    "fu": (lambda win: win.update(all_fu=win["all_fu"] + 10), {"V306"}),
    "points": (lambda win: win.update(all_point=win["all_point"] + 100), {"V307"}),
    "a yaku too many": (
        lambda win: (
            win["fang_info"].append({"fang_type": 25, "fang_num": 3}),
            win.update(all_fang_num=win["all_fang_num"] + 3),
        ),
        {"V303", "V304"},
    ),
}  # fmt: skip


def _hand_won(value: Record) -> int:
    for number, hand in enumerate(value["data"]["handRecord"]):
        for event in hand["handEventRecord"]:
            if event["eventType"] == 5:
                wins = orjson.loads(event["data"])["win_info"]
                if len(wins) == 1 and wins[0]["fang_info"] and wins[0]["all_fang_num"] < 4:
                    return number
    raise AssertionError


@pytest.mark.parametrize(("make", "expected"), STATED.values(), ids=STATED)
def test_what_a_win_states_is_checked(make: Callable[[dict[str, Any]], Any], expected: set[str]) -> None:
    one = made()
    hand = _hand_won(one)
    change(one, 5, lambda data: make(data["win_info"][0]), hand=hand)
    batch = read(one)
    assert faults(batch) == []
    assert expected & set(codes(batch)), codes(batch)


def test_han_that_do_not_add_up_are_told() -> None:
    one = made()
    change(one, 5, lambda data: data["win_info"][0].update(all_fang_num=40), hand=_hand_won(one))
    ((_, code, reason, _),) = faults(read(one))
    assert (code, "add up" in reason) == ("V102", True)


def test_a_profit_that_is_wrong_is_a_finding() -> None:
    one = made()
    hand = _hand_won(one)

    def more(data: dict[str, Any]) -> None:
        for cell in data["user_profit"]:
            if cell["point_profit"] > 0:
                cell["point_profit"] += 1000

    change(one, 5, more, hand=hand)
    assert set(codes(read(one))) & {"V401", "V402", "V403", "V404"}


def test_a_game_that_was_voted_to_stop_is_unfinished() -> None:
    one = made()
    del one["data"]["handRecord"][1:]
    events = one["data"]["handRecord"][0]["handEventRecord"]
    last = next(e for e in events if e["eventType"] == 5)
    last["data"] = orjson.dumps({"end_type": 8, "win_info": [], "user_profit": []}).decode()
    table = [{"user_id": 901 + seat, "point_num": 25000, "score": 0} for seat in range(4)]
    events.append({**last, "eventType": 6, "data": orjson.dumps({"user_data": table}).decode()})
    batch = read(one)
    assert (faults(batch), codes(batch)) == ([], [])
    assert (batch.hands.end.tolist(), batch.games.is_cut.tolist()) == ([HandEnd.UNFINISHED], [True])
    assert (batch.games.final_scores == -(2**31)).all()


@pytest.mark.parametrize("foul", [0, 2])
def test_a_foul_is_that_of_who_pays(foul: int) -> None:
    one = made(first_position=0)
    del one["data"]["handRecord"][1:]
    events = one["data"]["handRecord"][0]["handEventRecord"]
    last = next(e for e in events if e["eventType"] == 5)
    paid = [4000, 2000, 2000, 2000]
    paid[foul] = -8000
    profit = [
        {"user_id": 901 + seat, "point_profit": paid[seat], "user_point": 25000 + paid[seat]}
        for seat in range(4)
    ]
    last["data"] = orjson.dumps({"end_type": 9, "win_info": [], "user_profit": profit}).decode()
    batch = read(one)
    assert batch.hands.end[0] == HandEnd.CHOMBO
    event = int(batch.hand_draws.event[0])
    assert batch.events.seat[event] == foul


def test_the_older_dialect_lacks_points_and_marks() -> None:
    one = made("riichi-city-sanma")
    for number in range(len(one["data"]["handRecord"])):
        change(one, 5, lambda data: [cell.pop("user_point") for cell in data["user_profit"]], hand=number)
    batch = read(one)
    assert (faults(batch), codes(batch)) == ([], [])


def test_rules_of_the_room() -> None:
    one = made()
    one["data"] |= {"round": 1, "isKaiLiZhi": True, "fangFu": 2, "initPoints": 30000}
    assert orjson.loads(read(one).games.overrides[0]) == {
        "wind_rounds": 1, "max_wind_rounds": 2, "open_riichi_han": 2, "min_han": 2, "start_points": 30000,
        "open_riichi_deal_in": "yakuman",
    }  # fmt: skip
    assert read(one).games.rule[0] == "ranked"


def test_riichi_with_the_hand_shown() -> None:
    one = made()
    one["data"]["isKaiLiZhi"] = True
    for hand in one["data"]["handRecord"]:
        for event in hand["handEventRecord"]:
            event["data"] = event["data"].replace(
                '"is_li_zhi":true,"li_zhi_type":0', '"is_li_zhi":true,"li_zhi_type":3'
            )
    events = read(one).events
    assert (events.kind == EventKind.RIICHI).sum() > 0
    assert (events.flags[events.kind == EventKind.RIICHI] == EventFlag.OPEN).all()


def test_the_final_table_gives_the_bonus_of_each_place() -> None:
    one = made()
    last = len(one["data"]["handRecord"]) - 1
    bonus = (20, -10, 0, -10)

    def another(data: dict[str, Any]) -> None:
        for place, cell in enumerate(data["user_data"]):
            cell["score"] += 10 * bonus[place]

    change(one, 6, another, hand=last)
    batch = read(one)
    assert orjson.loads(batch.games.overrides[0]) == {"uma": [50000, 0, -10000, -40000]}
    assert codes(batch) == []


@pytest.mark.parametrize("wins", [True, False])
def test_the_seat_at_the_break_pays_and_is_paid_double(wins: bool) -> None:
    one = made()
    hand = _hand_won(one)
    events = one["data"]["handRecord"][hand]["handEventRecord"]
    data = orjson.loads(next(e for e in events if e["eventType"] == 5)["data"])
    winner, profit = data["win_info"][0], data["user_profit"]
    loser = min(profit, key=lambda cell: cell["point_profit"])["user_id"]
    assert (sum(cell["point_profit"] < 0 for cell in profit), winner["all_point"] > 0) == (1, True)
    dealer = orjson.loads(events[0]["data"])["dealer_pos"]
    marked = ((winner["user_id"] if wins else loser) - 901 - dealer) % 4
    one["data"]["isGeMu"] = True
    for number in range(4):
        change(one, 1, lambda deal: deal.update(dices=[1, marked + 4]), which=number, hand=hand)
    batch = read(one)
    assert codes(batch)

    def double(data: dict[str, Any]) -> None:
        for cell in data["user_profit"]:
            if cell["user_id"] in (loser, winner["user_id"]):
                sign = 1 if cell["user_id"] == winner["user_id"] else -1
                cell["point_profit"] += sign * winner["all_point"]
                cell["user_point"] += sign * winner["all_point"]

    change(one, 5, double, hand=hand)
    del one["data"]["handRecord"][hand + 1 :]
    assert codes(read(one)) == []


def _tsumo_of_three(*, by_dealer: bool) -> tuple[Record, int, int]:
    """A game of three players, a hand with a tsumo that each way shares differently, and its base points."""
    for number in range(60):
        game = simulated("riichi-city-sanma", number)
        wins, dealers, base = game.wins, game.hands.dealer, replay(game).scored_wins.base
        for row, hand in enumerate(wins.hand.tolist()):
            is_dealer = wins.seat[row] == dealers[hand]
            ways = shares_of_tsumo(int(base[row]), is_dealer=by_dealer)
            is_tsumo = wins.seat[row] == wins.source[row]
            if is_tsumo and is_dealer == by_dealer and len(set(ways.values())) == len(ways):
                return record(game, first_position=0), hand, int(base[row])
    raise AssertionError


@pytest.mark.parametrize("by_dealer", [False, True])
@pytest.mark.parametrize("way", ["loss", "halves", "split"])
def test_three_players_share_a_tsumo_as_its_payments_say(way: str, by_dealer: bool) -> None:
    """The dealer sits at the break and pays or is paid double; ``all_point`` is not doubled."""
    one, hand, base = _tsumo_of_three(by_dealer=by_dealer)
    del one["data"]["handRecord"][hand + 1 :]
    one["data"]["isGeMu"] = True
    deal = orjson.loads(one["data"]["handRecord"][hand]["handEventRecord"][0]["data"])
    dealer, honba, sticks = IDS[deal["dealer_pos"]], deal["ben_chang_num"], deal["li_zhi_bang_num"]
    parts = shares_of_tsumo(base, is_dealer=by_dealer)[way]

    def share(data: dict[str, Any]) -> None:
        (win,) = data["win_info"]
        win |= {"bash_points": base, "all_point": sum(parts)}
        winner, total, paid = win["user_id"], 0, sum(-cell["li_zhi_profit"] for cell in data["user_profit"])
        for cell in data["user_profit"]:
            before = cell["user_point"] - cell["point_profit"]
            if cell["user_id"] != winner:
                part = parts[0 if by_dealer or cell["user_id"] == dealer else 1]
                doubled = 2 * part if dealer in (winner, cell["user_id"]) else part
                cell["point_profit"] = -doubled - 100 * honba
                total -= cell["point_profit"]
            cell["user_point"] = before + cell["point_profit"]
        (gain,) = [cell for cell in data["user_profit"] if cell["user_id"] == winner]
        before = gain["user_point"] - gain["point_profit"]
        gain["point_profit"] = total + paid + 1000 * sticks
        gain["user_point"] = before + gain["point_profit"]

    change(one, 5, share, hand=hand)
    for number in range(3):
        change(one, 1, lambda data: data.update(dices=[1, 3]), which=number, hand=hand)
    batch = read(one)
    stated = orjson.loads(batch.games.overrides[0])
    assert stated == {"wareme": True} | ({"sanma_tsumo": way} if way != "loss" else {})
    last = len(batch.hands) - 1
    found = [in_words(case) for case in cases(replay(batch))]
    assert [one.code for one in found if one.hand == last] == []


def test_a_base_that_two_ways_share_alike_is_told_by_who_pays() -> None:
    """Of a mangan by tsumo halves come to 4,000 and 4,000, what is split to 5,000 and 3,000."""
    halves, split = (shares_of_tsumo(2000, is_dealer=False)[way] for way in ("halves", "split"))
    assert (sum(halves), sum(split), halves, split) == (8000, 8000, (4000, 4000), (5000, 3000))


def test_the_indicator_of_an_added_kan_is_turned_at_once() -> None:
    for number in range(30):
        one = made(number=number)
        for hand in one["data"]["handRecord"]:
            events = hand["handEventRecord"]
            kans = [at for at, e in enumerate(events) if e["eventType"] == 4 and '"action":9' in e["data"]]
            turned = [at for at, e in enumerate(events) if e["eventType"] == 7]
            if len(kans) == len(turned) == 1:
                events.insert(kans[0] + 1, events.pop(turned[0]))
                assert [event["eventType"] for event in events[kans[0] : kans[0] + 3]] == [4, 7, 2]
                assert codes(read(one)) == []
                return
    raise AssertionError


BROKEN: dict[str, tuple[Callable[[Record], Any], str, str]] = {
    "a tile that is none": (
        lambda r: change(r, 2, lambda d: d.update(in_card=10), which=2, hand=1), "V105", "10 is not a tile",
    ),
    "a stranger": (
        lambda r: change(r, 4, lambda d: d.update(user_id=5), hand=1), "V105", "not a player of this game",
    ),
    "twelve tiles": (lambda r: change(r, 1, lambda d: d["hand_cards"].pop(), hand=1), "V104", "is dealt"),
    "data that break off": (
        lambda r: r["data"]["handRecord"][1]["handEventRecord"][9].update(data='{"in_ca'), "V101", "not JSON",
    ),
    "a wind that is none": (
        lambda r: [change(r, 1, lambda d: d.update(quan_feng=50), which=n, hand=1) for n in range(4)], "V105",
        "not a wind",
    ),
    "a list for a hand": (lambda r: r["data"]["handRecord"].insert(1, [1]), "V102", "expected an object"),
}  # fmt: skip


@each_row("case", BROKEN)
def test_what_cannot_be_read_costs_its_hand(case: str) -> None:
    """What is wrong with a deal costs the hands after it, too: nobody knows how they follow."""
    make, code, reason = BROKEN[case]
    one = made()
    hands = len(read(one).hands)
    make(one)
    batch = read(one)
    ((place, found, why, hint),) = faults(batch)
    assert (found, place.startswith("hand 2"), reason in why) == (code, True, True), (place, why)
    if case in ("a tile that is none", "a stranger", "data that break off"):
        assert len(batch.hands) == hands
        assert np.count_nonzero(batch.hands.end == HandEnd.UNFINISHED) == 1
        assert not batch.games.is_cut[0]
        assert codes(batch) == []
    else:
        assert hint == "hands before this place were kept"
        assert (len(batch.hands), bool(batch.games.is_cut[0])) == (1, True)


def test_an_answer_without_a_record_says_what_to_do() -> None:
    text = b'{"code":1,"message":"not found","data":null,"handRecord":0}'
    ((_, code, reason, hint),) = faults(read(text))
    assert (code, "not found" in reason, hint) == ("V102", True, "download it again")


# --- real records --------------------------------------------------------------------------------------


@pytest.mark.corpus
def test_the_corpus_is_read_and_sound(shared: Path) -> None:
    batch = Batch.concatenate(read_batches([shared / "new-formats" / "riichicity"]))
    assert faults(batch) == []
    assert (len(batch), len(batch.hands), len(batch.wins), len(batch.hand_draws)) == (4, 22, 20, 2)
    assert codes(batch) == []
    assert batch.games.is_cut.tolist() == [False, False, False, True]
    assert all(seed.startswith("riichicity-sha256,") for seed in batch.hands.seed)
    assert [round(float(points), 1) for points in batch.games.final_points[0]] == [60.9, 4.2, -65.1, 0.0]
