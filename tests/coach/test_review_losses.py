"""``paifu review`` by losses: decisions that cost points, deal-ins that follow from them, players in sum."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from command import call
from each_row import each_row

from paifu.coach.decisions import OptionKind
from paifu.coach.judgement.choices import RISKED
from paifu.coach.judgement.judged import judgements
from paifu.coach.judgement.mistakes import PlayerMistakes
from paifu.coach.judgement.model import shipped_model
from paifu.coach.kernels import decision_model as kernels
from paifu.parsers.read import read_batches
from paifu.replay.findings.finding import Severity
from paifu.replay.findings.review_kinds import LOSS_KINDS
from paifu.replay.findings.spoken import KINDS as FINDINGS
from paifu.replay.model.events import EventKind
from paifu.reports.judged import mistakes_per_1000
from paifu.reports.terminal.review_lines import mistake_lines

SAMPLES = Path(__file__).parents[2] / "sample_logs"
OTHER = SAMPLES / "games" / "hanchan-4p-02.mjlog.gz"
GAME, SANMA = SAMPLES / "formats" / "hanchan.mjlog.gz", SAMPLES / "games" / "hanchan-3p-01.mjlog.gz"
CODES = {
    "pushing": {"P101"}, "folding": {"P102"}, "efficiency": {"E101"}, "riichi": {"R201", "R202"},
    "calls": {"C101", "C102"}, "kans": {"K101", "K102"},
}  # fmt: skip
LOSSES = LOSS_KINDS.keys() - {"U101"}
"""Codes of what the model says; that of unusual moves has no estimate."""
EVERY = ",".join(sorted(LOSSES))


def reviewed(*more: object, source: Path = GAME) -> dict[str, Any]:
    result = call("review", source, "--format", "json", "-j", "1", *more)
    assert result.status == 0
    found: dict[str, Any] = json.loads(result.data)
    return found


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    return reviewed("--min-loss", 0, "--code", EVERY)


@pytest.fixture(scope="module")
def found_elsewhere() -> dict[str, Any]:
    return reviewed("--min-loss", 0, "--code", EVERY, source=SAMPLES / "games" / "hanchan-4p-01.mjlog.gz")


def test_every_loss_is_that_of_its_options(found: dict[str, Any]) -> None:
    assert len(found["findings"]) > 100
    for one in found["findings"]:
        evidence = one["evidence"]
        (best,) = [option for option in evidence["options"] if option["best"]]
        (chosen,) = [option for option in evidence["options"] if option["chosen"]]
        assert evidence["loss"] == pytest.approx(best["total"] - chosen["total"], abs=2)
        assert evidence["loss"] > 2 * evidence["error"] - 2
        price = evidence["played_out"]
        assert evidence["cost"] == (price["found"] if price else 0)
        assert (evidence["best"], evidence["chosen"]) == (best["option"], chosen["option"])
        assert (one["expected"], one["actual"]) == (best["option"], chosen["option"])
        assert best["total"] == max(o["total"] for o in evidence["options"] if o["total"] is not None)
        parts = [best[name] for name in ("risk", "winning", "later", "otherwise")]
        assert sum(parts) == pytest.approx(best["total"], abs=3)
        message = f"{evidence['chosen']}, but {evidence['why']}"
        if price:
            habit = one["code"] == "R202"
            message += "; a habit: such moves cost " if habit else "; such a move costs "
            message += f"{price['found']:,} ± {price['error']:,} points"
            message += " each, by playing out " if habit else ", found by playing out "
            message += f"{price['decisions']:,} " + ("of them" if habit else "such decisions")
        assert one["message"] == message


def test_codes_follow_from_what_was_left_out(found: dict[str, Any], found_elsewhere: dict[str, Any]) -> None:
    every = found["findings"] + found_elsewhere["findings"]
    calls, kans = ("chi", "pon", "open kan"), ("closed kan", "added kan")
    made = {
        "R201": lambda text: text.startswith("riichi"),
        "R202": lambda text: not text.startswith("riichi"),
        "C101": lambda text: text.startswith(calls),
        "C102": lambda text: text == "pass",
        "K101": lambda text: text.startswith(kans),
        "K102": lambda text: not text.startswith(kans),
    }
    for one in every:
        assert one["code"] in CODES[one["evidence"]["kind"]]
        assert made.get(one["code"], bool)(one["evidence"]["chosen"])
        if one["code"].startswith("P"):
            risk = {o["option"]: o["deal_in_percent"] for o in one["evidence"]["options"]}
            more = risk[one["evidence"]["chosen"]] - risk[one["evidence"]["best"]]
            assert more >= 0 if one["code"] == "P101" else more <= 0
    assert {one["code"] for one in every} >= {"P101", "P102", "E101", "R201", "R202", "C101", "C102"}


def test_unless_asked_only_mistakes_are_listed() -> None:
    every = reviewed()
    listed = {(one["code"], one["severity"]) for one in every["findings"] if one["code"] in LOSSES}
    assert ("P101", "mistake") in listed
    assert {code for code, severity in listed if severity == "note"} <= {"R202"}
    asked = reviewed("--code", "E,P102")
    assert {one["code"] for one in asked["findings"]} == {"E101", "P102"}
    for one in (asked, every):  # unusual moves are asked about only where they are listed
        for player in one["summary"]["players"]:
            player.pop("match")
    assert asked["summary"]["players"] == every["summary"]["players"]


def test_the_loss_the_player_and_mistakes_decide_what_is_listed() -> None:
    some = reviewed("--code", "P")["findings"]
    assert min(one["evidence"]["loss"] for one in some) >= 300
    name = some[0]["player"]
    own = reviewed("--code", "P", "--player", name.upper(), "--min-loss", 500)
    assert own["findings"] == [o for o in some if o["player"] == name and o["evidence"]["loss"] >= 500]
    assert own["findings"]
    assert [one["player"] for one in own["summary"]["players"]] == [name]
    assert reviewed("--code", "E", "--mistakes")["findings"] == []


def test_players_in_sum(found: dict[str, Any]) -> None:
    players = found["summary"]["players"]
    assert [one["hands"] for one in players] == [13] * 4, "the last of the 14 is about places"
    for one in players:
        own = [loss for loss in found["findings"] if loss["player"] == one["player"]]
        for code in ("P101", "P102", "R202"):
            number = len(
                {loss["hand"] for loss in own if loss["code"] == code and loss["evidence"]["cost"] > 0}
            )
            rate = one["per_1000_hands"][code]
            assert one["found"][code] == number
            assert rate["value"] == pytest.approx(1000 * number / 13, abs=0.01)
            assert 0 <= rate["low"] <= rate["value"] <= rate["high"]


def test_counts_add_up_and_are_said() -> None:
    one = PlayerMistakes(200, 1800, Counter(P101=2))
    both = one + PlayerMistakes(300, 2600, Counter(P101=1, R202=12))
    assert (both.hands, both.decisions, both.found) == (500, 4400, Counter(P101=3, R202=12))
    assert mistakes_per_1000(both, "P101").value == pytest.approx(6)
    lines = list(mistake_lines({"葵": both, "b": PlayerMistakes(4)}, 1))
    assert lines[:2] == ["", "Habits and rates"]
    text = " ".join(lines[2:])
    assert "葵 stayed silent with more than 4 live tiles and no threat in 12 hands: about" in text
    assert "discarded too dangerous a tile in 3 hands: 6.0 per 1,000 hands" in text
    assert list(mistake_lines({"b": PlayerMistakes(4)}, 0)) == []


def test_games_without_a_model_are_counted() -> None:
    model = shipped_model(3)
    summary = reviewed(source=SANMA)["summary"]
    assert summary["games_without_model"] == (1 if model is None else 0)
    text = call("review", SANMA, "-j", "1").text
    assert ("no model of decisions for 1 game" in text) == (model is None)


def test_for_people() -> None:
    text = call("review", GAME, "-j", "1", "--code", "P", "--limit", 1).text
    assert "P101 Discard too dangerous, " in text
    assert "P101 Discard too dangerous, by estimate, " in text
    assert "was worth" in text
    players = [line for line in text.splitlines() if re.search(r": \d+ mistakes?, \d+ notes?$", line)]
    shown = sum((": 0 mistakes" not in line) + (" 0 notes" not in line) for line in players)
    assert text.count(" best\n") == text.count(" chosen\n") == shown > 4


# --- deal-ins ------------------------------------------------------------------------------------------

Place = tuple[str, int, int]


def deal_ins(path: Path, *more: object) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = reviewed("--code", "D", *more, source=path)["findings"]
    return found


def place(one: dict[str, Any]) -> Place:
    return one["hand"], one["event"], one["seat"]


def test_a_deal_in_is_a_mistake_if_it_or_the_start_of_its_push_lost_points() -> None:
    found = [one for one in deal_ins(OTHER) if "loss" in one["evidence"] and one["code"] != "D107"]
    assert {one["severity"] for one in found} == {"mistake", "note"}
    every = reviewed("--code", EVERY, source=OTHER)["findings"]
    listed = {place(one): one["evidence"]["loss"] for one in every}
    mistakes = {place(one) for one in every if (one["code"], one["severity"]) == ("P101", "mistake")}
    began = 0
    for one in found:
        evidence = one["evidence"]
        (best,) = [option for option in evidence["options"] if option["best"]]
        (chosen,) = [option for option in evidence["options"] if option["chosen"]]
        assert chosen["option"].removeprefix("riichi ") == one["tile"]
        assert evidence["loss"] == pytest.approx(best["total"] - chosen["total"], abs=2)
        push = evidence.get("push")
        at_start = push and listed.get((one["hand"], push["event"], one["seat"]))
        if at_start:
            began += 1
            assert at_start == push["loss"]
            told = f"at turn {push['turn']}, which lost {at_start:,} by estimate"
            assert f"the push began with {push['discard']} {told}" in one["message"]
        if place(one) in listed:
            assert f"{best['option']} was worth {evidence['loss']:,} more by estimate" in one["message"]
        starts = {(one["hand"], push["event"], one["seat"])} if push else set()
        is_mistake = not mistakes.isdisjoint({place(one), *starts})
        assert one["severity"] == ("mistake" if is_mistake else "note")
        words = {
            " such decisions": is_mistake,
            "not judged: in the last hand, places count": one["hand"].startswith("S4"),
            "bad luck: no option was clearly worth more": not (
                at_start or place(one) in listed or one["hand"].startswith("S4")
            ),
        }
        assert {text: one["message"].endswith(text) for text in words} == words
    assert began


def test_a_tile_has_one_risk_and_it_is_that_of_the_options() -> None:
    """Where the model judged a deal-in, classes of tiles are named without what they risk on average."""
    deal_ins = 0
    for source in (GAME, SAMPLES / "games" / "hanchan-4p-01.mjlog.gz"):
        for one in reviewed("--min-loss", 0, source=source)["findings"]:
            message, options = one["message"], one["evidence"].get("options")
            if not options or one["code"][0] not in "DP":
                continue
            risks = {row["option"]: row["deal_in_percent"] for row in options}
            of_tiles = "; ".join(
                part for part in message.split("; ") if not part.startswith("strong players")
            )
            said = [float(number) for number in re.findall(r"([0-9.]+)%", of_tiles)]
            (chosen,) = [risks[row["option"]] for row in options if row["chosen"]]
            (best,) = [risks[row["option"]] for row in options if row["best"]]
            assert said in ([], [chosen], [best, chosen]), message
            deal_ins += one["code"][0] == "D" and bool(said)
    assert deal_ins > 10


def test_where_a_push_began() -> None:
    """Every discard from there on was under threat and riskier than need be; the one before was not."""
    (batch,) = read_batches([GAME])
    (one,) = judgements(batch)
    table, chosen = one.table, one.chosen
    risk = one.answers[:, kernels.V_DEAL_IN]
    for found in deal_ins(GAME):
        if found["code"] in ("D106", "D107") or "loss" not in found["evidence"]:
            continue
        hand = next(row for row in range(len(batch.hands)) if batch_label(batch, row) == found["hand"])
        last = int(batch.hands.event_begin[hand]) + found["event"]
        pushes: list[int] = []
        for number in range(len(one)):
            row = chosen[number]
            own = table.hand[row] == hand and table.seat[row] == found["seat"]
            if not own or table.option[row] > OptionKind.RIICHI or table.event[row] > last:
                continue
            least = risk[one.first[number] : one.end[number]].min()
            threatened = table.riichi[row] or table.open_threats[row]
            pushes = [*pushes, int(table.event[row])] if threatened and risk[row] > least + RISKED else []
        push = found["evidence"].get("push")
        assert (push is not None) == (len(pushes) > 1)
        if push:
            begin = int(batch.hands.event_begin[hand])
            assert push["event"] == pushes[0] - begin
            before = slice(begin, pushes[0] + 1)
            events = batch.events
            own_discards = (events.kind[before] == EventKind.DISCARD) & (events.seat[before] == found["seat"])
            assert push["turn"] == own_discards.sum()


def batch_label(batch: Any, row: int) -> str:
    return f"{'ESWN'[batch.hands.round[row] // 4]}{batch.hands.round[row] % 4 + 1}.{batch.hands.honba[row]}"


def test_the_table_tells_of_a_push_and_its_deal_in_once() -> None:
    found = reviewed(source=OTHER)["findings"]
    told = set()
    for one in found:
        if one["code"].startswith("D") and one["severity"] == "mistake":
            told.add(place(one))
            if "push" in one["evidence"]:
                told.add((one["hand"], one["evidence"]["push"]["event"], one["seat"]))
    pushes = [one for one in found if one["code"].startswith("P")]
    twice = [one for one in pushes if place(one) in told]
    assert twice
    mistakes = [one for one in found if one["severity"] == "mistake"]
    lines = call("review", OTHER, "-j", "1").text.splitlines()
    heads = [line for line in lines if re.search(r": \d+ mistakes?, \d+ notes?$", line)]
    listed = sum(int(line.split(": ")[1].split()[0]) for line in heads)
    assert listed == len(mistakes) - len(twice)


def test_the_threshold_decides() -> None:
    found = [one for one in deal_ins(GAME, "--min-loss", 100000) if "loss" in one["evidence"]]
    assert {one["severity"] for one in found} == {"note"}


def test_what_the_model_does_not_judge_is_a_note() -> None:
    found = [one for one in deal_ins(SANMA) if "loss" not in one["evidence"]]
    assert found
    assert {one["severity"] for one in found} == {"note"}


@each_row("code", LOSS_KINDS)
def test_kinds_are_explained(code: str) -> None:
    text = call("explain", code).text
    assert LOSS_KINDS[code].meaning.split()[0] in text
    assert FINDINGS[code].severity == Severity.NOTE, "unless its class says otherwise"
