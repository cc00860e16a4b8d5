"""A player's loss among others of the same room: the table that ships, and how it is read."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from command import call

from paifu.reports.judgement import reference
from paifu.reports.judgement.reference import SHIPPED, LossReference, Room, references, standing
from paifu.reports.judgement.sums import PlayerLosses

GAMES = Path(__file__).parents[2] / "sample_logs" / "games"
FIVE = LossReference(200, 100, (1000, 2000, 3000, 5000, 9000))


@pytest.mark.parametrize(
    ("loss", "share"),
    [(0, 1), (1000, 1), (1500, 0.875), (2000, 0.75), (3000, 0.5), (4000, 0.375), (9000, 0), (20000, 0)],
)
def test_the_share_that_loses_more(loss: float, share: float) -> None:
    assert FIVE.share_losing_more(loss) == pytest.approx(share)


def test_the_table_that_ships_is_of_many_players_and_names_none() -> None:
    assert references()
    for (seats, room), one in references().items():
        assert (seats in (3, 4), bool(room), one.players >= 50, one.least_hands) == (True, True, True, 100)
        assert list(one.quantiles) == sorted(one.quantiles)
        assert one.quantiles[0] >= 0
    keys = {key for row in json.loads(SHIPPED.read_text("utf-8"))["rooms"] for key in row}
    assert keys == {"seats", "room", "games", "players", "least_hands", "push_and_fold"}


@pytest.mark.parametrize(
    ("hands", "room"),
    [
        ({(4, "houou"): 300, (4, "ippan"): 200}, (4, "houou")),
        ({(4, "houou"): 200, (4, "ippan"): 300}, None),
        ({(4, "houou"): 99}, None),
        ({(3, "nowhere"): 20}, None),
        ({}, None),
    ],
)
def test_the_room_is_that_of_most_hands(hands: dict[Room, int], room: Room | None) -> None:
    found = standing(Counter(hands), 6000)
    assert (found.room if found else None) == room


def test_rooms_add_up() -> None:
    one, other = (PlayerLosses(hands=n, rooms=Counter({(4, "houou"): n})) for n in (3, 4))
    assert (one + other).rooms == {(4, "houou"): 7}


def test_the_review_says_where_a_player_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    few = replace(FIVE, least_hands=40)
    rooms = ("ippan", "joukyuu", "tokujou", "houou")
    monkeypatch.setattr(reference, "references", lambda: {(4, room): few for room in rooms})
    line = "loses less by pushing and folding than "
    alone = call("review", GAMES, "--player", "Botan", "-j", "1").text
    assert line in " ".join(alone.split())
    assert line not in " ".join(call("review", GAMES, "-j", "1").text.split())
    summary = json.loads(call("review", GAMES, "--format", "json", "-j", "1").data)["summary"]
    known = [player for player in summary["players"] if player["among_others"]]
    assert len(known) == 4
    for player in known:
        loss, found = player["loss_per_100_hands"]["push_and_fold"]["value"], player["among_others"]
        assert (found["seats"], found["players"], found["least_hands"]) == (4, 200, 40)
        assert found["losing_more"] == pytest.approx(few.share_losing_more(loss), abs=0.001)
