"""``paifu judge``: decisions that cost points, with their options and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command import call

from paifu.replay.judgement.model import shipped_model
from paifu.reports.judgement.losses import KINDS, PlayerLosses

SAMPLES = Path(__file__).parents[1] / "sample_logs"
GAME, SANMA = SAMPLES / "formats" / "hanchan.mjlog.gz", SAMPLES / "games" / "hanchan-3p-01.mjlog.gz"


def judged(*more: object) -> dict[str, Any]:
    result = call("judge", GAME, "--format", "json", *more)
    assert result.status == 0
    found: dict[str, Any] = json.loads(result.data)
    return found


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    return judged("--min-loss", 0, *(word for kind in KINDS for word in ("--kind", kind)))


def test_every_loss_is_that_of_its_options(found: dict[str, Any]) -> None:
    assert len(found["losses"]) > 100
    for one in found["losses"]:
        (best,) = [option for option in one["options"] if option["best"]]
        (chosen,) = [option for option in one["options"] if option["chosen"]]
        assert one["loss"] == pytest.approx(best["total"] - chosen["total"], abs=2)
        assert (one["best"], one["chosen"]) == (best["option"], chosen["option"])
        assert best["total"] == max(
            option["total"] for option in one["options"] if option["total"] is not None
        )
        parts = [best[name] for name in ("risk", "winning", "later", "otherwise")]
        assert sum(parts) == pytest.approx(best["total"], abs=3)
        assert one["loss"] > 2 * one["error"] - 2
        assert one["severity"] == ("mistake" if one["kind"] in ("pushing", "folding") else "note")


def test_worst_first(found: dict[str, Any]) -> None:
    points = [one["loss"] for one in found["losses"]]
    assert points == sorted(points, reverse=True)


def test_players_in_sum(found: dict[str, Any]) -> None:
    players = found["summary"]["players"]
    assert [one["hands"] for one in players] == [13] * 4  # the last of the 14 is about places
    for one in players:
        own = [loss for loss in found["losses"] if loss["player"] == one["player"]]
        for kind in KINDS:
            total = sum(loss["loss"] for loss in own if loss["kind"] == kind)
            assert one["loss"][kind] == pytest.approx(total, abs=len(own) + 1)
        rate = one["loss_per_100_hands"]["all"]
        assert rate["value"] == pytest.approx(100 * sum(one["loss"].values()) / 13, abs=20)
        assert rate["low"] <= rate["value"] <= rate["high"]


def test_sums_add_up_and_intervals_are_of_hands() -> None:
    one = PlayerLosses(hands=2)
    one.total["pushing"], one.squares["pushing"], one.squares["all"] = 600.0, 360000.0, 360000.0
    both = one + PlayerLosses(hands=2)
    assert both.hands == 4
    value, low, high = both.per_100("pushing")
    # One hand of 600 points among four: mean 150, variance 67,500.
    assert value == 15000
    assert high - value == pytest.approx(100 * 1.96 * (67500 / 4) ** 0.5)
    assert value - low == pytest.approx(high - value)


def test_options_choose_what_is_listed(found: dict[str, Any]) -> None:
    some = judged()
    assert {one["kind"] for one in some["losses"]} <= {"pushing", "folding"}
    assert min(one["loss"] for one in some["losses"]) >= 300
    assert some["summary"] == found["summary"]
    name = some["losses"][0]["player"]
    own = judged("--player", name.upper(), "--min-loss", 500)
    assert {one["player"] for one in own["losses"]} == {name}
    assert min(one["loss"] for one in own["losses"]) >= 500
    assert [one["player"] for one in own["summary"]["players"]] == [name]


@pytest.fixture
def no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paifu.replay.judgement.judged.shipped_model", lambda _: None)


@pytest.mark.usefixtures("no_model")
def test_games_without_a_model_are_counted() -> None:
    result = call("judge", SANMA)
    assert result.status == 0
    assert "0 games judged, 0 costly decisions; no model for 1 game" in result.text


def test_three_players_have_a_model_of_their_own() -> None:
    result = call("judge", SANMA)
    assert result.status == 0
    assert "1 game judged" in result.text


def test_another_model(tmp_path: Path) -> None:
    model = shipped_model(4)
    assert model is not None
    (tmp_path / "own.npz").write_bytes(model.saved())
    assert judged("--model", tmp_path / "own.npz") == judged()
    (tmp_path / "own.npz").write_bytes(b"?")
    result = call("judge", GAME, "--model", tmp_path / "own.npz")
    assert result.status == 2
    assert "not a model" in " ".join(result.talk)


def test_table_and_csv() -> None:
    text = call("judge", GAME, "--limit", 1).text
    assert "pushing, " in text
    assert "was worth" in text
    assert "loss per 100 hands" in text
    rows = call("judge", GAME, "--format", "csv").data.splitlines()
    assert rows[0].startswith(b"source,game,hand,event,turn,seat,player,kind")
    assert len(rows) == 1 + len(judged()["losses"])


# --- the review ----------------------------------------------------------------------------------------


def deal_ins(path: Path, *more: object) -> list[dict[str, Any]]:
    result = call("review", path, "--code", "D", "--format", "json", *more)
    assert result.status == 0
    found: list[dict[str, Any]] = json.loads(result.data)["findings"]
    return found


def test_a_deal_in_is_a_mistake_if_the_discard_lost_points() -> None:
    found = [one for one in deal_ins(GAME) if "loss" in one["evidence"] and one["code"] != "D107"]
    assert {one["severity"] for one in found} == {"mistake", "note"}
    for one in found:
        evidence = one["evidence"]
        (best,) = [option for option in evidence["options"] if option["best"]]
        (chosen,) = [option for option in evidence["options"] if option["chosen"]]
        assert chosen["option"].removeprefix("riichi ") == one["tile"]
        assert evidence["loss"] == pytest.approx(best["total"] - chosen["total"], abs=2)
        if one["severity"] == "mistake":
            assert evidence["loss"] >= 300
            assert f"{best['option']} was worth {evidence['loss']:,} more" in one["message"]
        else:
            is_last = one["hand"].startswith("S4")
            words = (
                "not judged: in the last hand, places count"
                if is_last
                else "no option was clearly worth more"
            )
            assert one["message"].endswith(words)


def test_what_judge_lists_and_review_calls_a_mistake_is_the_same() -> None:
    listed = {
        (one["hand"], one["event"], one["seat"])
        for one in judged(*(word for kind in KINDS for word in ("--kind", kind)))["losses"]
        if one["dealt_in"]
    }
    every = {(one["hand"], one["event"], one["seat"]): one["code"] for one in deal_ins(GAME)}
    listed = {place for place in listed if every[place] != "D107"}  # nothing would have helped
    mistakes = {
        (one["hand"], one["event"], one["seat"])
        for one in deal_ins(GAME)
        if one["severity"] == "mistake" and "loss" in one["evidence"]
    }
    assert mistakes == listed
    assert mistakes


def test_the_threshold_decides() -> None:
    found = [one for one in deal_ins(GAME, "--min-loss", 100000) if "loss" in one["evidence"]]
    assert {one["severity"] for one in found} == {"note"}


@pytest.mark.usefixtures("no_model")
def test_without_a_model_rules_of_thumb_decide() -> None:
    found = deal_ins(SANMA)
    assert all("loss" not in one["evidence"] for one in found)
    by_rule = {"D101", "D102", "D108"}
    assert all((one["severity"] == "mistake") == (one["code"] in by_rule) for one in found)
