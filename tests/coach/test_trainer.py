"""The trainer: which positions it has, that a question does not tell its answer, and cards for Anki."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import call

from paifu.coach.decisions import OpponentShows, OptionKind
from paifu.coach.judgement.choices import JudgedChoice, choices
from paifu.coach.judgement.drills import MOST_CONTROLS, RIGHT, UNCLEAR, UNUSUAL
from paifu.coach.judgement.judged import Judgement, judgements
from paifu.coach.judgement.mistakes import MIN_LOSS
from paifu.coach.judgement.policy import shares as policy_shares
from paifu.coach.judgement.verdicts import MISTAKES, RARE
from paifu.coach.kernels import decision_model as kernels
from paifu.parsers.read import read_batches
from paifu.replay.arrays import F32
from paifu.replay.comparison.hand_digests import hand_names
from paifu.replay.model.batch import Batch
from paifu.replay.review.results import Danger
from paifu.replay.rulesets.presets import rulesets_of
from paifu.replay.table.engine import replay
from paifu.reports.pages.report import report, wanted
from paifu.reports.pages.report_data import gather, total
from paifu.reports.pages.report_hands import CONTROLS, DRILLED, MOST_DRILLED, ShownHand
from paifu.reports.pages.trainer import POSITIONS, answers, drill_of, key_of, mixed, questions

pytestmark = pytest.mark.full

GAMES = sorted((Path(__file__).parents[2] / "sample_logs" / "games").glob("*-4p-*"))
PLAYER = "Botan"
NEAR, FAR, FOLD = range(3)
"""Places in MISTAKES."""


@pytest.fixture(scope="module")
def batch() -> Batch:
    return Batch.concatenate(list(read_batches(GAMES)))


@pytest.fixture(scope="module")
def positions(batch: Batch) -> tuple[ShownHand, ...]:
    asked = wanted(PLAYER)
    return total([gather(replay(batch, review=True), asked, 1)], asked).lists[POSITIONS]


def decision(hand: ShownHand) -> JudgedChoice:
    assert hand.decision is not None
    return hand.decision


# --- which positions -----------------------------------------------------------------------------------


def grade(one: Judgement, number: int, row: int, shares: F32) -> int:
    """Return what choosing an option would have been, looked at by itself, if so many strong players do."""
    first, share = int(one.first[number]), shares[row - one.first[number]]
    best, risk = int(one.best[number]), one.answers[:, kernels.V_DEAL_IN]
    if (found := unless_chosen(one, number, row)) >= 0 and share < RARE:
        return found
    if share < 0.01:
        return UNUSUAL
    is_dominated = any(
        one.table.shanten[row] >= one.table.shanten[other] and risk[row] >= risk[other] + 0.01
        for other in (best, first + int(shares.argmax()))
    )
    return RIGHT if share >= 0.1 and not is_dominated else UNCLEAR


def unless_chosen(one: Judgement, number: int, row: int) -> int:
    table, best = one.table, one.best[number]
    total_, risk = one.answers[:, kernels.V_TOTAL], one.answers[:, kernels.V_DEAL_IN]
    error = float(np.hypot(one.row_error[best], one.row_error[row]))
    loss = float(total_[best] - total_[row])
    if not np.isfinite(error):
        return UNCLEAR
    if row == best or loss < MIN_LOSS or loss <= 2 * error:
        return RIGHT
    made, better = (OptionKind(table.option[at]) for at in (row, best))
    if made >= OptionKind.PASS or better >= OptionKind.PASS:
        return UNCLEAR
    if (made == OptionKind.RIICHI) != (better == OptionKind.RIICHI):
        return UNCLEAR
    if not table.riichi[row] and not table.open_threats[row]:
        return UNCLEAR
    if risk[row] <= risk[best]:
        return FOLD if loss >= 1500 else UNCLEAR
    tiles = range(one.first[number], one.end[number])
    safest = min(risk[at] for at in tiles if table.option[at] <= OptionKind.RIICHI)
    is_far = table.shanten[row] >= 2 and any(
        table.shown[row][place] == OpponentShows.RIICHI and table.danger[row][place] != Danger.GENBUTSU
        for place in range(3)
    )
    if not is_far or risk[row] < 0.08 or safest > 0.005:
        return UNCLEAR
    return FAR if risk[row] >= 0.12 else NEAR


def test_positions_are_mistakes_and_what_might_have_been_one(batch: Batch) -> None:
    """Each option of each decision is looked at by itself."""
    drilled = np.full((len(batch), 4), "x", object)
    every = choices(batch, min_loss=MIN_LOSS, drilled=drilled, unusual=1).drilled
    found = {one.place: one for one in every}
    assert len(found) == len(every)
    seen = Counter[str]()
    for one in judgements(batch):
        is_own = one.table.option[one.chosen] != OptionKind.PASS
        is_own &= ~np.isin(
            one.table.option[one.chosen], (OptionKind.CHI, OptionKind.PON, OptionKind.DAIMINKAN)
        )
        numbers = np.flatnonzero(~one.is_last & is_own)
        shares = policy_shares(batch, rulesets_of(batch), one, numbers)
        for number in numbers.tolist():
            rows = range(one.first[number], one.end[number])
            chosen, own = int(one.chosen[number]) - rows.start, shares[one.options(number)]
            best, preferred = int(one.best[number]) - rows.start, int(own.argmax())
            classes = [unless_chosen(one, number, row) for row in rows]
            grades = tuple(grade(one, number, row, own) for row in rows)
            judged = np.isfinite(one.row_error[rows.start : rows.stop])
            wrong = "mistake" if 0 <= grades[chosen] < UNUSUAL else "unusual" if own[chosen] < 0.01 else ""
            could_err = chosen == best and max(classes) >= 0 and judged[chosen]
            could_be = chosen == preferred and bool((judged & (own < 0.01)).any()) and judged[chosen]
            beside_strong = wrong == "unusual" or (not wrong and could_be and not could_err)
            is_answered = grades[preferred if beside_strong else best] == RIGHT
            made = found.get(
                (int(one.table.event[chosen + rows.start]), int(one.table.seat[chosen + rows.start]))
            )
            kind = wrong or ("control" if could_err or could_be else "")
            seen[kind] += is_answered
            if made is None:
                assert not (wrong and is_answered), "every wrong move is found"
                continue
            assert kind
            drill = made.drill
            assert drill is not None
            assert is_answered or (not wrong and drill.place < 0), "an unfit control keeps its place"
            assert drill.grades == grades
            assert made.weighed.best == (preferred if beside_strong else best)
            assert (made.is_mistake, drill.kind == "") == (wrong == "mistake", wrong != "")
            seen[f"found {kind}"] += 1
            seen[drill.kind or "wrong"] += 1
    assert 5 < seen["found mistake"] == seen["mistake"]
    assert 20 < seen["found unusual"] == seen["unusual"]
    assert 20 < seen["found control"] < seen["control"]
    assert len([kind for kind in seen if kind.startswith("u")]) > 2
    for choice in every:
        drill, weighed = drill_of(choice), choice.weighed
        if drill.place < 0:
            assert drill.kind, "a control that is unfit"
            continue
        assert drill.grades[weighed.best] == RIGHT
        assert drill.place == drill.grades[drill.wrong]
        assert (drill.wrong == weighed.chosen) == (drill.kind == "")


def offers_riichi(hand: ShownHand) -> bool:
    return OptionKind.RIICHI in decision(hand).weighed.option


@pytest.mark.parametrize("player", [PLAYER, "dahlia 3", "チドリ", "葵"])
def test_each_mistake_has_a_control_like_it(batch: Batch, player: str) -> None:
    """Of the same class where the games have one in a hand without a mistake; else of the same options."""
    asked = wanted(player)
    lists = gather(replay(batch, review=True), asked, 1).lists
    positions = mixed(lists)[POSITIONS]
    mistakes = [hand for hand in positions if not drill_of(hand.decision).kind]
    controls = [hand for hand in positions if drill_of(hand.decision).kind]
    assert 0 < len(mistakes) == len(controls) <= MOST_DRILLED
    taken = {hand.place for hand in mistakes}
    fit = [
        hand
        for name, part in lists.items()
        for hand in part
        if name.startswith(CONTROLS) and drill_of(hand.decision).place >= 0 and hand.place not in taken
    ]
    for place in (*range(len(MISTAKES)), UNUSUAL):
        number, of_controls, there = (
            len({hand.place for hand in part if drill_of(hand.decision).place == place})
            for part in (mistakes, controls, fit)
        )
        others = len(controls) - of_controls
        assert of_controls >= min(number, there - others), "of a hand there is one position"
    there = {drill_of(hand.decision).place for hand in fit}
    alone = [hand for hand in mistakes if drill_of(hand.decision).place not in there]
    assert sum(map(offers_riichi, controls)) >= min(sum(map(offers_riichi, part)) for part in (alone, fit))
    keys = [key_of(hand) for hand in positions]
    assert keys == sorted(keys), "by chance, that is"
    assert len({hand.place for hand in positions}) == len(positions)


def test_without_mistakes_there_are_no_positions_and_unfit_controls_are_left_out(batch: Batch) -> None:
    asked = wanted(PLAYER)
    lists = gather(replay(batch, review=True), asked, 1).lists
    assert not mixed({name: part for name, part in lists.items() if name != DRILLED})[POSITIONS]
    alone = mixed({name: part for name, part in lists.items() if not name.startswith(CONTROLS)})[POSITIONS]
    assert alone
    assert not any(drill_of(hand.decision).kind for hand in alone)
    kinds = [name for name in lists if name.startswith(CONTROLS)]
    assert len(kinds) > 3
    assert all(0 < len(lists[name]) <= MOST_CONTROLS for name in kinds)
    unfit = [hand for name in kinds for hand in lists[name] if drill_of(hand.decision).place < 0]
    assert not {key_of(hand) for hand in unfit} & {key_of(hand) for hand in mixed(lists)[POSITIONS]}


def test_positions_are_the_same_however_games_are_read(
    batch: Batch, positions: tuple[ShownHand, ...]
) -> None:
    asked = wanted(PLAYER)
    parts = [gather(replay(batch.take(game), review=True), asked, 1) for game in reversed(range(len(batch)))]
    again = total(parts, asked).lists[POSITIONS]
    assert [key_of(hand) for hand in again] == [key_of(hand) for hand in positions]
    assert questions(again) == questions(positions)


def test_keys_of_games_without_an_id_stay_where_logs_are_moved(tmp_path: Path) -> None:
    """They are those of the hand, so that what was trained is not forgotten; others are those of the id."""
    text = gzip.decompress(GAMES[0].read_bytes()).decode()
    keys = []
    for folder in ("one", "two/three"):
        path = tmp_path / folder / f"{len(folder)}.mjlog"
        path.parent.mkdir(parents=True)
        path.write_text(text, "utf-8")
        alone = Batch.concatenate(list(read_batches([path])))
        assert alone.games.id.tolist() == [""]
        asked = wanted(PLAYER)
        found = total([gather(replay(alone, review=True), asked, 1)], asked).lists[POSITIONS]
        keys.append([key_of(hand) for hand in found])
    assert len(set(keys[0])) == len(keys[0]) > 0
    assert keys[0] == keys[1]
    twice = Batch.concatenate(list(read_batches([tmp_path])))
    assert len(twice) == 2
    found = total([gather(replay(twice, review=True), asked, 1)], asked).lists[POSITIONS]
    assert len({key_of(hand) for hand in found}) == len(found) > 0, "of copies there is one position"
    named = replace(alone, games=replace(alone.games, id=np.array(["an id"], object)))
    assert hand_names(named) == ["an id"] * len(alone.hands)


def test_a_page_without_positions_has_no_trainer(batch: Batch) -> None:
    asked = wanted(PLAYER, hands=0)
    gathered = total([gather(replay(batch, review=True), asked, 1)], asked)
    page = report(gathered, PLAYER).html
    assert 'id="trainer"' not in page
    assert 'href="#trainer"' not in page


# --- questions and answers -----------------------------------------------------------------------------


def test_a_question_does_not_depend_on_what_was_chosen(positions: tuple[ShownHand, ...]) -> None:
    asked = questions(positions)
    for hand, question in zip(positions, asked, strict=True):
        one = decision(hand)
        weighed, size = one.weighed, len(one.weighed.option)
        for at in range(size):
            other = replace(weighed, chosen=at, best=size - 1 - at, answers=weighed.answers[::-1], loss=0.0)
            changed = replace(one, weighed=other, verdict=None, drill=None, code=0, loss=0, kind="calls")
            assert questions([replace(hand, decision=changed, words=("x",), points=0)]) == [question]
    text = json.dumps(asked, ensure_ascii=False)
    for answer in answers(positions):
        assert answer["why"]
        for said in (
            answer["why"],
            *answer["prices"],
            *(one["why"] for one in answer["options"] if one["why"]),
        ):
            assert said not in text


def test_a_question_shows_the_table_of_the_log(positions: tuple[ShownHand, ...]) -> None:
    """Rivers and hand from the events, read a second time."""
    for hand, question in zip(positions, questions(positions), strict=True):
        [data] = hand.replay["hands"]
        events = data["events"][: hand.event]
        move = data["events"][hand.event]
        assert (move["s"], move["k"] in ("discard", "riichi")) == (hand.seat, True)
        head, *lines = question["table"]
        assert head.startswith(data["title"])
        for line in lines:
            wind = line.partition(":")[0].removesuffix(" (you)")
            seat = ("East", "South", "West", "North").index(wind)
            seat = (seat + data["dealer"]) % len(data["scores"])
            assert ("(you)" in line) == (seat == hand.seat)
            discards = [one for one in events if one["k"] == "discard" and one["s"] == seat]
            river = " ".join(one["t"] + ("*" if one.get("r") else "") for one in discards)
            assert line.endswith(f"river {river or 'empty'}")
            assert ("riichi" in line) == any(one["k"] == "riichi" and one["s"] == seat for one in events)
        held = [*question["closed"], *filter(None, [question["last"]])]
        assert len(held) % 3 == 2
        to_click = {one["tile"] for one in question["options"]} - {""}
        assert to_click <= set(held)
        assert to_click == set(held) or move["k"] == "discard", "but for tiles that must not be swapped"


def test_answers_are_those_of_the_review(batch: Batch, positions: tuple[ShownHand, ...]) -> None:
    found = json.loads(call("review", *GAMES, "--player", PLAYER, "--mistakes", "--format", "json").text)
    told = {
        (one["game_id"] or one["source"], one["hand"], one["event"]): one["evidence"]
        for one in found["findings"]
        if one["code"] in ("P101", "P102", "R202")
    }
    seen = 0
    for hand, question, answer in zip(positions, questions(positions), answers(positions), strict=True):
        said = [one["said"] for one in question["options"]]
        played, best = answer["options"][answer["played"]], answer["options"][answer["best"]]
        assert best["grade"] == RIGHT
        assert best["why"] == ""
        assert sorted(answer["order"]) == list(range(len(said)))
        assert answer["order"][0] == answer["best"]
        evidence: Any = told.get((hand.game, hand.label, hand.event))
        assert (evidence is not None) == decision(hand).is_mistake
        if evidence is None:
            is_control = bool(drill_of(hand.decision).kind)
            assert (answer["played"] == answer["best"]) == is_control
            assert is_control or ("strong players choose" in answer["why"] and played["grade"] == UNUSUAL)
            continue
        seen += 1
        assert (said[answer["best"]], said[answer["played"]]) == (evidence["best"], evidence["chosen"])
        assert [said[at] for at in answer["order"]] == [one["option"] for one in evidence["options"]]
        assert played["why"] == answer["why"] == evidence["why"]
        assert f"such a move costs {evidence['cost']:,} ± " in answer["prices"][played["grade"]]
    assert seen > 2


# --- cards for Anki ------------------------------------------------------------------------------------


def test_cards_for_anki(tmp_path: Path, positions: tuple[ShownHand, ...]) -> None:
    path = tmp_path / "cards.txt"
    arguments = ["report", *GAMES, "--player", PLAYER, "-o", tmp_path / "page.html", "--anki", path]
    assert call(*arguments).status == 0
    text = path.read_text("utf-8")
    head = [line for line in text.splitlines() if line.startswith("#")]
    cards = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    assert head[:3] == ["#separator:tab", "#html:true", "#notetype:Basic"]
    assert "#deck:paifu::Botan" in head
    assert "#guid column:1" in head
    assert "#tags column:4" in head
    assert [card[0] for card in cards] == [key_of(hand) for hand in positions]
    assert {len(card) for card in cards} == {4}
    for _, front, back, tags in cards:
        assert "What do you discard?" in front
        assert "(you)" in front
        assert ("found by playing out" in back) == ("a mistake" in back)
        assert "found by playing out" not in front
        assert back.count("in the game") == 1
        assert back.count("a mistake") + back.count("<td>unusual") == 1
        assert tags == "paifu", "which mistake it is about is part of the answer"
        assert back.split("<br>")[1] not in front
    assert {card[2].count("a mistake, in the game") for card in cards} == {0, 1}
    assert {card[2].count("best, in the game") for card in cards} == {0, 1}
    assert call("report", *GAMES, "--anki", path, "-o", tmp_path / "page.html").status == 2


def test_names_of_strangers_stay_text_on_cards(tmp_path: Path) -> None:
    log = json.loads((GAMES[0].parents[1] / "formats" / "hanchan.json").read_text("utf-8"))
    hostile = "<img src=x onerror=window.hacked=3>"
    log["name"] = [f"{hostile}{seat}" for seat in range(4)]
    (tmp_path / "hostile.json").write_text(json.dumps(log), "utf-8")
    path = tmp_path / "cards.txt"
    arguments = ["--player", f"{hostile}0", "-o", tmp_path / "page.html", "--anki", path]
    result = call("report", tmp_path / "hostile.json", *arguments)
    assert result.status == 0, result.talk
    lines = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
    assert not [line for line in lines if "<img" in line]
