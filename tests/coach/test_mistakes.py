"""Which decisions are mistakes: the classes that cost points when played out, and who asks that table."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import call

from paifu.coach.decisions import OpponentShows, OptionKind
from paifu.coach.judgement.choices import choices
from paifu.coach.judgement.judged import Judgement, judgements
from paifu.coach.judgement.losses import kinds_of
from paifu.coach.judgement.mistakes import KINDS as DECISIONS
from paifu.coach.judgement.policy import shares
from paifu.coach.judgement.verdicts import (
    CLASSES,
    DEALING_IN,
    EITHER,
    ENOUGH,
    HABITS,
    MEASURES,
    MISTAKES,
    RARE,
    UNASKED,
    verdicts_of,
)
from paifu.coach.kernels import decision_model as kernels
from paifu.parsers.read import read_batches
from paifu.replay.facts.tables import code_of
from paifu.replay.findings.review_kinds import LOSS_KINDS, REVIEW_KINDS
from paifu.replay.findings.review_sentences import LossCase, ReviewCase
from paifu.replay.findings.spoken import KINDS
from paifu.replay.kernels import codes
from paifu.replay.model.batch import Batch
from paifu.replay.review.results import Danger
from paifu.replay.rulesets.presets import rulesets_of
from paifu.replay.table.engine import replay
from paifu.reports.findings.explanations import explained
from paifu.reports.findings.review import Asked, JudgedFinding, each_once
from paifu.reports.findings.review import judgements as reviewed
from paifu.reports.metrics.recording import records
from paifu.reports.pages.report import report, wanted
from paifu.reports.pages.report_data import gather, total
from paifu.reports.pages.report_hands import MISTAKES as WORST
from paifu.reports.pages.trainer import POSITIONS
from paifu.reports.tables.making import tables_of

pytestmark = pytest.mark.every(20)

GAMES = Path(__file__).parents[2] / "sample_logs" / "games"
EVERY = ",".join(LOSS_KINDS.keys() - {"U101"})
"""Of unusual moves nothing is estimated."""
NEAR, FAR, FOLD, SILENT = range(4)
"""Places in PARTS."""
PARTS = (*MISTAKES, *HABITS)


# --- the table -----------------------------------------------------------------------------------------


def test_what_holds_is_what_came_out_better_by_more_than_its_error() -> None:
    assert [(code_of(one.code), one.n, one.found, one.error) for one in PARTS] == [
        ("P101", 206, 614, 268),
        ("P101", 90, 859, 484),
        ("P102", 194, 1484, 516),
        ("R202", 1181, 522, 160),
    ]
    for one in CLASSES:
        proved = (
            one.n >= ENOUGH
            and one.found > one.error
            and one.simple is not None
            and one.simple > (one.simple_error or 0)
        )
        assert one.holds == (bool(one.bounds) and proved)
        assert one.bounds.keys() <= MEASURES.keys()
        assert one.told.startswith(
            "Not a mistake: " if not one.holds else "A habit: " if one.is_habit else "A mistake: "
        )
        assert f"{one.n:,} such decisions cost {one.found:,} ± {one.error:,} points" in one.told
        assert sum(part.n for part in one.sizes) in (0, one.n)


def test_what_is_a_mistake_by_rule_cannot_win_or_loses_places() -> None:
    """Every other kind of mistake is in the table."""
    by_rule = {code for code, kind in REVIEW_KINDS.items() if kind.severity == "mistake"}
    assert by_rule == {"W101", "W102", "W103", "R101", "K103"}


_NEAR = {"shanten": 2, "riichi": 1, "threats": 1, "risk": 0.08, "safest": 0.005, "loss": 300, "share": 0.079}
INSIDE: dict[int, dict[str, float]] = {
    NEAR: _NEAR,
    FAR: _NEAR | {"risk": 0.12},
    FOLD: {"loss": 1500, "share": 0.079},
    SILENT: {"shanten": 0, "live": 5, "threats": 0, "same_tile": 1, "loss": 300},
}
"""The least of each measure that is still of a class, or the most; the others are 0."""
OUTSIDE = (
    (NEAR, "shanten", 1), (NEAR, "riichi", 0), (NEAR, "risk", 0.0799), (NEAR, "safest", 0.0051),
    (NEAR, "loss", 299), (FAR, "shanten", 1), (FAR, "riichi", 0), (FAR, "risk", 0.0799),
    (FAR, "safest", 0.0051), (FAR, "loss", 299), (FOLD, "loss", 1499), (SILENT, "shanten", 1),
    (SILENT, "live", 4),
    (NEAR, "genbutsu", 1), (FAR, "genbutsu", 1), (NEAR, "share", 0.081), (FAR, "share", 0.081),
    (FOLD, "share", 0.081),
    (SILENT, "threats", 1), (SILENT, "share", np.nan), (SILENT, "same_tile", 0), (SILENT, "loss", 299),
)  # fmt: skip


def place_of(number: int, given: dict[str, float]) -> int:
    measures = {name: np.array([given.get(name, 0)], np.float32) for name in MEASURES}
    return int(verdicts_of(np.array([number]), measures, np.array([True]))[0])


@pytest.mark.parametrize("place", INSIDE)
def test_just_in(place: int) -> None:
    assert place_of(PARTS[place].code, INSIDE[place]) == place
    more = {
        name: 9 if name in ("shanten", "riichi", "threats", "live") else value
        for name, value in INSIDE[place].items()
    }
    kept = {NEAR: more, FAR: more, FOLD: more, SILENT: INSIDE[place] | {"live": 60}}[place] | {"loss": 30000}
    assert place_of(PARTS[place].code, kept) == place


@pytest.mark.parametrize(("place", "name", "value"), OUTSIDE)
def test_just_out(place: int, name: str, value: float) -> None:
    assert place_of(PARTS[place].code, INSIDE[place] | {name: value}) == -1


def test_every_bound_has_its_case_just_out() -> None:
    bounds = {(place, name) for place, one in enumerate(PARTS) for name in one.bounds}
    assert bounds == {(place, name) for place, name, _ in OUTSIDE}


def test_no_other_code_is_of_a_class() -> None:
    for kind in LOSS_KINDS.values():
        found = {place_of(kind.number, given) for given in INSIDE.values()} - {-1}
        assert found == {place for place, one in enumerate(PARTS) if one.code == kind.number}


# --- the decisions of games ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def batches() -> list[Batch]:
    return list(read_batches([GAMES]))


Prices = dict[tuple[int, int], tuple[str, int]]
"""Event and seat -> code and price."""


def slowly(batch: Batch, min_loss: float) -> Prices:
    """Return the mistakes in decisions of a batch, each decision looked at by itself."""
    found: Prices = {}
    for one in judgements(batch):
        kinds = [DECISIONS[kind] for kind in kinds_of(one)]
        for number, kind in enumerate(kinds):
            made = mistake_in(one, number, kind, min_loss)
            if made and share_of(batch, one, number) < (1.01 if made[0] == "R202" else 0.08):
                row = one.chosen[number]
                found[int(one.table.event[row]), int(one.table.seat[row])] = made
    return found


def share_of(batch: Batch, one: Judgement, number: int) -> float:
    """Return how likely strong players are to make a move, by a look at this decision alone; of four only."""
    if batch.games.players[one.table.game[one.chosen[number]]] != 4:
        return np.nan
    return float(shares(batch, rulesets_of(batch), one, np.array([number]))[one.chosen[number]])


def mistake_in(one: Judgement, number: int, kind: str, min_loss: float) -> tuple[str, int] | None:
    table, row, best = one.table, one.chosen[number], one.best[number]
    loss = float(one.loss[number])
    if one.is_last[number] or loss < min_loss or loss <= 2 * one.error[number]:
        return None
    if kind == "pushing":
        risk = one.answers[:, kernels.V_DEAL_IN]
        of_tiles = [
            risk[other]
            for other in range(one.first[number], one.end[number])
            if table.option[other] in (OptionKind.DISCARD, OptionKind.RIICHI)
        ]
        may_win = any(
            table.shown[row][place] == OpponentShows.RIICHI and table.danger[row][place] != Danger.GENBUTSU
            for place in range(3)
        )
        far = table.shanten[row] >= 2 and may_win and loss >= 300
        price = PARTS[NEAR if risk[row] < 0.12 else FAR].found
        return ("P101", price) if far and risk[row] >= 0.08 and min(of_tiles) <= 0.005 else None
    if kind == "folding":
        return ("P102", PARTS[FOLD].found) if loss >= 1500 else None
    if kind == "riichi" and table.option[row] == OptionKind.DISCARD and table.tile[row] == table.tile[best]:
        calm = not table.riichi[row] and not table.open_threats[row]
        wide = table.shanten[row] == 0 and table.accepted[row] > 4
        return ("R202", PARTS[SILENT].found) if calm and wide and loss >= 300 else None
    return None


@pytest.mark.parametrize("min_loss", [0, 300, 800])
def test_the_mistakes_are_those_of_a_second_look(batches: list[Batch], min_loss: int) -> None:
    seen: Counter[str] = Counter()
    for batch in batches:
        asked = Asked.of((), [EVERY], min_loss=min_loss)
        found = reviewed(replay(batch, review=True), asked).found
        priced = {(one.case.event, one.case.seat): (one.code, one.cost) for one in found if one.cost}
        assert priced == slowly(batch, min_loss)
        seen.update(code for code, _ in priced.values())
        for one in found:
            told = one.judged
            assert told.finding.severity == ("mistake" if one.is_mistake else "note")
            assert told.is_estimate == (one.cost == 0), "what is no more than an estimate has no price"
            assert one.is_mistake == (one.cost > 0 and one.code != "R202")
            assert (told.cost, told.evidence["played_out"] is None) == (one.cost, one.cost == 0)
            assert "more by estimate" in told.finding.message
            assert ("by playing out" in told.finding.message) == (one.cost > 0)
    assert set(seen) == {"P101", "P102", "R202"}


@pytest.mark.full
def test_nothing_of_another_class_is_a_mistake_in_any_output() -> None:
    for more in ((), ("--code", EVERY), ("--code", "D"), ("--mistakes",)):
        every = json.loads(call("review", GAMES, "--format", "json", "-j", "1", *more).data)["findings"]
        codes_of = {
            one["severity"]: {o["code"] for o in every if o["severity"] == one["severity"]} for one in every
        }
        by_rule = {"W101", "W102", "W103", "R101", "K103"}
        may = by_rule | {code_of(number) for number in EITHER}
        assert codes_of["mistake"] <= may
        for one in every:
            evidence = one["evidence"]
            if one["severity"] == "mistake" and one["code"] not in by_rule:
                found = evidence["played_out"]
                assert evidence["cost"] == found["found"]
                code = "P101" if one["code"].startswith("D") else one["code"]
                assert found in [kind.summary() for kind in PARTS if code_of(kind.code) == code]
            else:
                assert evidence["cost"] == 0 or one["code"] == "R202", "no proof, no price"
            if one["code"] == "P102":
                share = evidence["strong_players_percent"]
                seldom = share is not None and share < 100 * RARE
                tried = seldom and "-4p-" in one["source"]  # games of three were not played out
                assert (one["severity"] == "mistake") == (evidence["loss"] >= 1500 and tried)
            if one["severity"] == "note" and one["code"] in EVERY.split(",") and not evidence["cost"]:
                assert more == ("--code", EVERY), "estimates are listed only where they are asked for"


def test_unless_asked_facts_and_mistakes_are_listed() -> None:
    assert UNASKED == ("F", "W", "D", "R1", "K103", "K104", "U", "P101", "P102", "R202")
    plain, asked = Asked.of((), ()), Asked.of((), ["P"])
    assert (plain.estimates, asked.estimates) == (False, True)


def test_a_deal_in_is_a_mistake_by_the_class_of_its_push(batches: list[Batch]) -> None:
    """By its own discard, or by that with which the push began, and by nothing else."""
    count: Counter[bool] = Counter()
    for batch in batches:
        mistakes = slowly(batch, 300)
        found = reviewed(replay(batch, review=True), Asked.of((), ["D"])).found
        for one in found:
            at = [(one.case.event, one.case.seat)]
            at += [(one.push.event, one.case.seat)] if one.push is not None else []
            expected = one.code not in ("D106", "D107") and any(
                mistakes.get(place, ("",))[0] == code_of(DEALING_IN) for place in at
            )
            assert one.is_mistake == expected
            assert (one.cost in (PARTS[NEAR].found, PARTS[FAR].found)) == expected
            count[expected] += 1
    assert min(count[True], count[False]) > 2


def test_what_is_not_judged_is_no_mistaken_deal_in() -> None:
    for code in ("D101", "D102", "D108"):
        assert KINDS[code].severity == "note"
        assert KINDS[code].number in EITHER


def test_players_counts_are_those_of_their_mistakes(batches: list[Batch]) -> None:
    for batch in batches:
        hands = {
            (int(np.searchsorted(batch.hands.event_begin, event, "right")) - 1, seat, code)
            for (event, seat), (code, _price) in slowly(batch, 0).items()
        }
        expected = Counter(
            (str(batch.games.names[batch.hands.game[hand], seat]), code) for hand, seat, code in hands
        )
        for min_loss in (0, 5000):
            found = choices(batch, min_loss=min_loss).players
            assert {
                (name, code): n for name, own in found.items() for code, n in own.found.items()
            } == expected


# --- pages and cards -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def whole() -> Batch:
    (batch,) = [Batch.concatenate(list(read_batches([GAMES])))]
    return batch


def test_pages_hold_nothing_else(whole: Batch) -> None:
    asked = wanted(hands=500)
    lists = total([gather(replay(whole, review=True), asked, 1)], asked).lists
    found = reviewed(replay(whole, review=True)).found
    mistakes = Counter(one.code for one in found if one.is_mistake and isinstance(one.case, LossCase))
    shown = Counter(hand.code for hand in lists[WORST])
    assert shown.keys() <= mistakes.keys() | {"D101", "D102", "D103"}
    assert shown["P102"] == mistakes["P102"]
    assert "R202" not in shown
    points = [hand.points for hand in lists[WORST]]
    assert points == sorted(points, reverse=True)


def test_a_page_without_mistakes_says_so(whole: Batch) -> None:
    asked = wanted("Botan", hands=5)
    gathered = total([gather(replay(whole, review=True), asked, 1)], asked)
    assert "no decision is of a class" not in report(gathered, "Botan").html
    gathered.lists[WORST] = gathered.lists[POSITIONS] = ()
    page = report(gathered, "Botan").html
    assert "None: no decision is of a class that cost points when played out" in page
    assert 'href="#decisions"' in page
    assert 'id="decisions"' in page
    assert 'id="trainer"' not in page


# --- explanations --------------------------------------------------------------------------------------


def lines_of(code: str) -> Iterator[str]:
    yield from explained(KINDS[code]).split("\n\n")


@pytest.mark.parametrize("code", [*LOSS_KINDS, "D101", "D103", "D106"])
def test_explanations_state_the_evidence(code: str) -> None:
    text = " ".join(explained(KINDS[code]).split())
    head = text.split(" ", 2)[2]
    assert head.startswith("(mistake or note)") == (KINDS[code].number in EITHER)
    classes: list[Any] = [one for one in CLASSES if code_of(one.code) == code]
    if code in ("D101", "D103"):
        classes = [PARTS[NEAR], PARTS[FAR]]
    for one in classes:
        assert " ".join(one.told.split()) in text
    assert ("have not been played out" in text) == (code[0] == "K")
    assert ("Played out: " in text) == (code != "D106")


def test_codes_that_follow_the_table() -> None:
    deal_ins = {codes.AVOIDABLE_FAR, codes.AVOIDABLE_NEAR, codes.PUSHED, codes.NOTHING_SAFER,
                codes.NO_VISIBLE_THREAT, codes.FOLDED_AND_DEALT_IN}  # fmt: skip
    assert {one.code for one in MISTAKES} | deal_ins == EITHER


# --- who else asks -------------------------------------------------------------------------------------


def test_tables_for_queries_call_no_deal_in_a_mistake(batches: list[Batch]) -> None:
    seen: Counter[tuple[str, bool]] = Counter()
    for batch in batches:
        replayed = replay(batch, review=True)
        rows = tables_of(replayed, records(replayed))["findings"].to_pylist()
        seen.update((row["code"], row["is_note"]) for row in rows)
    kinds = {code: KINDS[code].severity for code, _ in seen}
    assert {"D101", "D103", "F103", "W101"} <= kinds.keys()
    assert all(is_note for code, is_note in seen if kinds[code] == "note")
    assert ("W101", False) in seen


def test_only_pushes_are_told_by_a_deal_in(batches: list[Batch]) -> None:
    """A fold that cost points stays in the list, even if its tile dealt in after a push that is a mistake."""
    left_out = 0
    for batch in batches:
        found = reviewed(replay(batch, review=True), Asked.of((), [EVERY, "D"])).found
        kept = each_once(found)
        gone = [one for one in found if one not in kept]
        assert {one.code for one in gone} <= {"P101"}
        left_out += len(gone)
        for one in [one for one in found if one.is_deal_in and one.is_mistake]:
            assert isinstance(one.case, ReviewCase)
            push = replace(one.choice, code=codes.EARLY_FOLD) if one.choice is not None else None
            assert push is not None
            fold = JudgedFinding(push.case(one.case.replayed), push)
            assert each_once([one, fold]) == [one, fold]
    assert left_out
