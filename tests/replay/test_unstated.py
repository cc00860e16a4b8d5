"""Payments and scores that a log does not state: settled by the engine, and carried to those that it does."""

from __future__ import annotations

import dataclasses
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fuzzing import written
from stripped import LAYOUTS

from paifu.parsers.read import read_batches, read_unit
from paifu.parsers.sources.documents import Document
from paifu.replay.facts.tables import code_of
from paifu.replay.model.events import EventFlag
from paifu.replay.table.engine import replay
from paifu.replay.table.replayed import Checked, Unstated
from paifu.reports.findings.tally import Tally

HANCHAN = Path(__file__).parents[2] / "sample_logs" / "formats" / "hanchan.mjlog.gz"
WORTH = {"yaku", "ura", "fu", "points", "limit"}
"""What a win is said to be worth, and what that depends on."""


@cache
def log() -> str:
    (batch,) = read_batches([HANCHAN])
    return written("paifu", batch).decode()


def game(*left_out: str, wall: bool = False) -> Any:
    """A game of 14 hands without some cells of its results."""
    (value,) = LAYOUTS["paifu"].load(log().encode())
    if not wall:
        value["game"].pop("seed")
    for hand in value["hands"]:
        for event in hand["events"]:
            if isinstance(event, dict):
                for name in left_out:
                    event.pop(name, None)
    return value


def checked(value: Any) -> tuple[list[str], Unstated, Checked, Tally]:
    """The findings of a game, and what was checked."""
    text = json.dumps(value).encode()
    replayed = replay(read_unit([Document("x", text, LAYOUTS["paifu"].format)]))
    found = [code_of(code) for code in replayed.findings.code.tolist()]
    return found, replayed.unstated, replayed.checked, Tally.of(replayed, files=1, errors=0)


def test_payments_that_are_not_stated_are_the_engines() -> None:
    value = game("deltas", "scores")
    found, what, done, tally = checked(value)
    assert found == []
    assert (what.settled, what.unsettled, done.carried, done.finals) == (15, 0, 13, 1)
    assert (tally.payments_settled, tally.starts_without_scores) == (15, 0)
    texts = list(tally.lines())
    assert (
        "not checked: 15 payments (not in the log; the engine's own lead to the next scores that are)"
        in texts
    )


def test_points_that_move_between_hands_are_noticed() -> None:
    value = game("deltas", "scores")
    for hand in value["hands"][6:]:
        hand["scores"][0] += 1000
        hand["scores"][2] -= 1000
    value["result"]["scores"][0] += 1000
    value["result"]["scores"][2] -= 1000
    value["result"].pop("points")
    assert checked(value)[0] == ["V501"]


def test_scores_are_carried_over_hands_that_state_none() -> None:
    value = game("deltas", "scores")
    for hand in value["hands"][1:]:
        hand.pop("scores")
    found, what, done, _ = checked(value)
    assert (found, what.unscored, done.finals) == ([], 13, 1)
    value["result"]["scores"][1] += 100
    assert checked(value)[0] == ["V506"]
    value["hands"][9]["scores"] = [25000] * 4
    assert checked(value)[0][0] == "V501"


def test_a_game_without_any_scores_is_followed_all_the_same() -> None:
    value = game("deltas", "scores")
    for hand in value["hands"]:
        hand.pop("scores")
    found, _, done, _ = checked(value)
    assert (found, done.carried, done.finals) == ([], 13, 0)
    value["hands"][5]["honba"] = value["hands"][5].get("honba", 0) + 2
    assert "V503" in checked(value)[0]


def test_what_a_riichi_is_worth_without_ura_indicators_is_unknown() -> None:
    value = game("deltas", "scores", *WORTH)
    found, what, _, tally = checked(value)
    assert found == []
    assert what.unsettled == tally.wins_without_ura > 0
    assert what.settled + what.unsettled == 15


def test_the_wall_has_the_ura_indicators() -> None:
    value = game("deltas", "scores", *WORTH, wall=True)
    found, what, _, _ = checked(value)
    assert (found, what.settled, what.unsettled) == ([], 15, 0)
    value["hands"][1]["scores"][0] += 100
    assert "V501" in checked(value)[0]


def test_points_tell_how_many_ura_dora_there_were() -> None:
    value = game("deltas", "scores", *(WORTH - {"points"}))
    found, what, _, _ = checked(value)
    assert (found, what.unsettled) == ([], 0)
    hand = next(
        event
        for hand in value["hands"]
        for event in hand["events"]
        if isinstance(event, dict) and "points" in event
    )
    hand["points"] += 100
    assert "V307" in checked(value)[0]


def test_listed_yaku_tell_how_many_ura_dora_there_were() -> None:
    assert checked(game("ura", "points", "limit", "fu", "scores"))[0] == []


def test_a_hidden_indicator_makes_no_dora_wrong() -> None:
    value = game()
    for hand in value["hands"]:
        hand.pop("dora")
    assert checked(value)[0] == []


def test_a_hidden_draw_stops_no_hand_and_is_no_finding() -> None:
    value = game()
    events = value["hands"][0]["events"]
    at = next(at for at, event in enumerate(events) if isinstance(event, str) and " draw " in event)
    events[at] = events[at].rpartition(" ")[0] + " ?"
    found, _, done, _ = checked(value)
    assert (done.stopped, found) == (0, [])


@pytest.mark.parametrize(("kept", "found", "unmarked"), [(0, set(), 1), (1, {"V203"}, 0)])
def test_marks_of_tsumogiri_that_are_missing(kept: int, found: set[str], unmarked: int) -> None:
    """A game without any is not wrong: it does not say. One among others should have been there."""
    (batch,) = read_batches([HANCHAN])
    flags = batch.events.flags.copy()
    flags[np.flatnonzero(flags & EventFlag.TSUMOGIRI)[kept:]] &= 255 - EventFlag.TSUMOGIRI
    replayed = replay(dataclasses.replace(batch, events=dataclasses.replace(batch.events, flags=flags)))
    assert {code_of(code) for code in replayed.findings.code.tolist()} == found
    assert replayed.unstated.unmarked == unmarked
    lines = list(Tally.of(replayed, files=1, errors=0).lines())
    assert lines.count("not checked: 1 game (the log marks no discard as the tile just drawn)") == unmarked
