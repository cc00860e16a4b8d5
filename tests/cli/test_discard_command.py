"""``paifu discard``: hands and places of logs, forms of output, errors."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from command import call

import paifu
from paifu.replay.model.tile_notation import parse_tile
from paifu.replay.model.tiles import kind_of
from paifu.replay.positions.position import Position
from paifu.reports.hands.positions import discarded_at
from paifu.reports.scores.discards import COLUMNS, SCHEMA

HAND = "123456789m34677s"
LOGS = Path(__file__).parents[2] / "sample_logs"
LOG = LOGS / "formats" / "hanchan.mjlog.gz"
SANMA = LOGS / "formats" / "sanma.mjlog.gz"


def answer(*arguments: str | Path) -> dict[str, Any]:
    """Return what the command answers as JSON."""
    result = call("discard", *arguments, "--format", "json")
    assert result.status == 0, result.talk
    found: dict[str, Any] = json.loads(result.text)
    assert found["schema"] == SCHEMA
    return found


def test_a_hand_has_each_discard_with_both_figures() -> None:
    found = answer(HAND, "--dora", "3s", "--turn", "4")
    rows = {row["tile"]: row for row in found["discards"]}
    assert (found["wall"], found["draws"]) == (56, 14)
    assert list(rows) == sorted(rows, key=lambda tile: -rows[tile]["points"])
    assert len(rows) == 13
    best = rows["6s"]
    assert (best["riichi"], best["shanten"], best["accepts"], best["accepted"]) == (True, 0, "25s", 8)
    assert best["tenpai_percent"] == 100
    assert best["points"] == best["riichi_points"] > best["silent_points"]
    parts = ("value_risk", "value_winning", "value_later", "value_otherwise")
    assert abs(best["value"] - sum(best[part] for part in parts)) <= 2
    assert best["value_riichi"] > best["value"]


def test_an_equal_discard_is_not_said_to_bring_more() -> None:
    found = answer("123m4567p678s1122z")
    points = {row["tile"]: row["points"] for row in found["discards"]}
    assert found["recommended"] == "riichi 7p"
    assert points["7p"] == points["4p"] == max(points.values())
    assert "brings more" not in found["reason"]
    in_log = answer(LOG, "--at", "E1.0:7", "--seat", "2")["reason"]
    assert "Alone, 0m brings more: " in in_log


def test_the_table_says_what_the_figures_rest_on() -> None:
    result = call("discard", HAND, "--dora", "3s", "--riichi", "west", "--river", "west=9m1z")
    assert result.status == 0
    assert result.text.splitlines()[3] == (
        "seat south, round east, dora indicator 3s, west in riichi, rules tenhou"
    )
    assert "alone: 12 more draws, 57% of wins by ron, up to 1 draw without progress\n" in result.text
    assert re.search(r"^ riichi 6s +0 +25s +8 +100\.0% ", result.text, re.MULTILINE)
    assert re.match(r"Recommended: (riichi )?6s\. It waits for 25s, 8 left\. It deals in \d", result.text)
    assert "Strong players choose it in " in result.text


def test_one_discard_is_recommended() -> None:
    """What strong players choose; where nothing is known of others, the solver counts, too."""
    found = answer(HAND, "--dora", "3s", "--riichi", "west", "--river", "west=9m1z")
    shares = {}
    for row in found["discards"]:
        shares[row["tile"]] = row["strong_players_percent"]
        shares[f"riichi {row['tile']}"] = row["strong_players_riichi_percent"]
    shares = {name: share for name, share in shares.items() if share is not None}
    assert sum(shares.values()) == pytest.approx(100, abs=1)
    assert found["recommended"] == max(shares, key=shares.__getitem__)
    assert found["reason"].startswith(f"Recommended: {found['recommended']}. ")
    alone = answer(HAND, "--dora", "3s")
    assert alone["recommended"].endswith("6s")
    of_log = answer(LOG, "--at", "E1.0:7", "--seat", "2")
    best = max(of_log["discards"], key=lambda row: row["strong_players_percent"])
    assert of_log["recommended"] == best["tile"]


def test_an_added_kan_is_another_option() -> None:
    found = answer("123m456p2378s5z(555z)")
    (kan,) = found["other_options"]
    assert (kan["option"], kan["shanten"], kan["accepted"]) == ("added kan 5z", 1, 28)
    assert answer("123m456p2378s4z(555z)")["other_options"] == []


def test_strong_players_of_three_are_asked_too() -> None:
    found = answer("19m123456p34599s5z(4z)", "--rules", "tenhou-sanma")
    shares = {row["tile"]: row["strong_players_percent"] for row in found["discards"]}
    assert sum(shares.values()) == pytest.approx(100, abs=1)
    assert shares["1m"] + shares["9m"] + shares["5z"] > 80
    assert "trong players" in found["reason"]


def test_rows_come_in_all_formats() -> None:
    rows = list(csv.DictReader(io.StringIO(call("discard", HAND, "--format", "csv").text)))
    assert tuple(rows[0]) == COLUMNS
    lines = [json.loads(line) for line in call("discard", HAND, "--format", "jsonl").text.splitlines()]
    assert [line["tile"] for line in lines] == [row["tile"] for row in rows]


def test_what_is_given_changes_what_comes_out() -> None:
    plain = answer(HAND, "--dora", "3s")
    best = plain["discards"][0]

    def other(*arguments: str) -> dict[str, Any]:
        rows: dict[str, Any] = answer(HAND, "--dora", "3s", *arguments)["discards"][0]
        return rows

    assert other("--seat-wind", "east")["points"] > 1.3 * best["points"]
    assert other("--turn", "12")["win_percent"] < best["win_percent"]
    assert other("--river", "east=22s")["accepted"] == 6
    assert not other("--scores", "30000,900,40000,29100")["riichi"]
    threatened = other("--riichi", "west")
    assert threatened["points"] == best["points"]
    assert threatened["value"] < best["value"]
    assert other("--round-wind", "south")["points"] == best["points"]
    assert other("--rules", "mleague", "--set", "ippatsu=false")["points"] < best["points"]


def test_a_complete_hand_is_called_one() -> None:
    found = answer("123456789m34577s")
    assert found["complete"]
    assert not answer(HAND)["complete"]
    assert "the hand is complete" in call("discard", "123456789m34577s").text


def test_a_hand_too_far_from_tenpai_has_shanten_and_acceptance() -> None:
    found = answer("1479m147p147s1234z")
    assert found["changes"] is None
    assert all(row["points"] is None and row["accepted"] > 0 for row in found["discards"])
    assert "too far from tenpai" in call("discard", "1479m147p147s1234z").text


# --- places of logs ---------------------------------------------------------------------------------------


def test_a_place_of_a_log_is_what_the_player_saw() -> None:
    found = answer(LOG, "--at", "E1.0:7", "--seat", "2")
    assert found["place"] == "E1.0 turn 7, seat 2"
    (game,) = paifu.read(str(LOG))
    hand = game.hands[0]
    discards = [event for event in hand.events if event.kind.name == "DISCARD" and event.seat == 2]
    assert found["chosen"].split()[-1] == next(row["tile"] for row in found["discards"] if row["chosen"])
    assert parse_tile(found["chosen"].split()[-1]) == discards[6].tile


def test_the_model_says_of_a_place_what_the_review_says() -> None:
    from paifu.coach.judgement.judged import judgements
    from paifu.coach.judgement.losses import WeighedOptions

    (game,) = paifu.read(str(LOG))
    batch = game.batch()
    (one,) = judgements(batch)
    events = paifu.replay_games(game).batch.events
    assert len(events)
    hand = next(iter(paifu.read(str(LOG)))).hands[0]
    row = [event.row for event in hand.events if event.kind.name == "DISCARD" and event.seat == 2][6]
    number = next(
        n for n, at in enumerate(one.chosen) if one.table.event[at] == row and one.table.seat[at] == 2
    )
    expected = {option["option"]: option["total"] for option in WeighedOptions.of(one, number).rows()}
    found = answer(LOG, "--at", "E1.0:7", "--seat", "2")
    assert {row["tile"]: row["value"] for row in found["discards"]}.items() <= expected.items()


@pytest.mark.parametrize("path", [LOG, SANMA])
def test_every_discard_of_a_game_is_a_position(path: Path) -> None:
    """What the position holds agrees with the log: hand, wall and tiles not seen."""
    count = 0
    (game,) = paifu.read(str(path))
    for hand in game.hands:
        turns = dict.fromkeys(range(hand.players), 0)
        for event in hand.events:
            if event.kind.name != "DISCARD" or event.seat is None:
                continue
            turns[event.seat] += 1
            try:
                found = discarded_at(Position(hand).go_to_turn(event.seat, turns[event.seat]), event.seat)
            except ValueError as error:
                assert "in riichi" in str(error)  # noqa: PT017  only so many discards are none
                continue
            found.position.check()
            assert event.tile in found.position.tiles
            assert not found.position.forbidden >> kind_of(event.tile or 0) & 1
            assert found.position.wall >= 0
            count += 1
    assert count > 100


def test_three_players_sit_at_their_own_table() -> None:
    found = answer(SANMA, "--at", "E1.0:3", "--seat", "1")
    assert found["seat_wind"] == "south"
    assert found["draws"] == found["wall"] // 3


def test_a_page_shows_the_hand(tmp_path: Path) -> None:
    page = tmp_path / "hand.html"
    assert call("discard", f"{HAND[:-3]}(555z)", "--dora", "3s", "--html", "-o", page).status == 2
    assert call("discard", "123456m34677s(555z)", "--dora", "3s", "--html", "-o", page).status == 0
    text = page.read_text()
    assert 'href="#t-1m"' in text
    assert 'href="#t-5z"' in text
    assert "Content-Security-Policy" in text
    assert "<script" not in text
    assert call("discard", HAND, "--html").text.startswith("<!doctype html>")


# --- errors -----------------------------------------------------------------------------------------------
