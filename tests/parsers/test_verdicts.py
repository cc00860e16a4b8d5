"""Verdicts of engines: reports read, every way to name a decision, broken reports, what holds them."""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest
from command import call
from compared import agree
from each_row import each_row
from fuzzing import mangled_report
from mjai_games import DEAL, END, END_HAND, cut, draw, event, hand, read_text, start
from paifu_texts import paifu_events_text, paifu_text

from paifu.api.convert import convert
from paifu.api.proof import ProvedFact
from paifu.api.read import read as read_paths
from paifu.parsers.conversion import LOST
from paifu.parsers.joining import joined
from paifu.parsers.read import read_batches, read_unit
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.replay.bounds import BoundsError, check_batch
from paifu.replay.comparison.comparing import ComparedFact, compare_games, stated_facts
from paifu.replay.comparison.facts import VERDICTS
from paifu.replay.model.batch import MAX_OPTIONS, Batch
from paifu.replay.model.events import EventKind
from paifu.replay.model.tile_notation import tile_name
from paifu.replay.views.games import Game, games
from paifu.replay.views.verdicts import Verdict
from paifu.reports.hands.preferences import preferences

REPORT = Path(__file__).parents[2] / "sample_logs" / "platforms" / "report.json.gz"

Json = dict[str, Any]


def pass_() -> Json:
    return {"type": "none"}


def discard(pai: str, actor: int = 0) -> Json:
    return event("dahai", actor=actor, pai=pai)


def option(action: Any, value: float = 0.0, prob: float | None = None) -> Json:
    return {"action": action, "q_value": value, "prob": prob}


def entry(*details: Json, last_actor: int = 0, **fields: Any) -> Json:
    chosen = details[0].get("action", details[0].get("moves"))
    return {"last_actor": last_actor, "expected": chosen, "actual": chosen, "details": list(details)} | fields


def report(moves: list[Json], *entries: Json, player: int = 0, **fields: Any) -> bytes:
    kyoku = {"kyoku": 0, "honba": 0, "entries": list(entries)}
    document = {
        "engine": "Mortal", "player_id": player, "review": {"model_tag": "4.1", "kyokus": [kyoku]},
        "mjai_log": [start(), hand(), *moves, END_HAND, END],
    }  # fmt: skip
    return orjson.dumps(document | fields)


def judged(moves: list[Json], *entries: Json, **fields: Any) -> tuple[Verdict, ...]:
    batch = read_text(report(moves, *entries, **fields))
    assert batch.faults.reason.tolist() == []
    check_batch(batch)
    (game,) = games(batch)
    return game.hands[0].verdicts


def texts(verdict: Verdict) -> list[str]:
    return [one.text for one in verdict.options]


# --- one decision --------------------------------------------------------------------------------------

TURN = [draw(0), cut(0, "9m"), draw(1, "8m"), cut(1, "P")]
CALLED = [*TURN, event("pon", actor=0, target=1, pai="P", consumed=["P", "P"]), cut(0, "E", tsumogiri=False)]
KAN_OF_OTHER = [draw(1, "P"), event("kakan", actor=1, pai="P", consumed=["P"] * 3)]


def test_what_a_verdict_holds() -> None:
    details = option(discard("9m"), 0.5, 0.75), option(discard("E"), -1.25, 0.25)
    (verdict,) = judged(
        TURN,
        entry(*details, junme=1, tiles_left=69, tile="9m", shanten=13, at_furiten=False, actual=discard("E")),
    )
    assert (verdict.event, verdict.seat, verdict.engine) == (0, 0, "Mortal 4.1")
    assert (verdict.shanten, verdict.is_furiten) == (13, False)
    assert [(one.text, one.value, one.probability) for one in verdict.options] == [
        ("discard 9m", 0.5, 0.75),
        ("discard 1z", -1.25, 0.25),
    ]
    assert verdict.chosen == verdict.options[0]
    assert verdict.played == verdict.options[1]
    assert repr(verdict) == "<Verdict Mortal 4.1: seat 0 after event 0: discard 9m, played discard 1z>"


def test_what_a_report_leaves_out_is_unknown() -> None:
    entries = [{"last_actor": 0, "details": [{"action": discard("9m")}]}]
    review = {"kyokus": [{"kyoku": 0, "honba": 0, "entries": entries}]}
    (verdict,) = judged(TURN, engine=None, review=review)
    assert (verdict.engine, verdict.chosen, verdict.played) == ("", None, None)
    assert (verdict.shanten, verdict.is_furiten, verdict.options[0].value) == (None, None, None)


FOUND: dict[str, tuple[list[Json], Json, int, list[str]]] = {
    "the own draw": (TURN, entry(option(discard("9m")), tile="9m"), 0, ["discard 9m"]),
    "another's discard": (
        TURN,
        entry(option(pass_()), option(event("pon", actor=0, target=1, pai="P", consumed=["P", "P"])),
              last_actor=1, tile="P"),
        3, ["pass", "pon"],
    ),
    "a discard that a kan takes": (
        TURN, entry(option(event("ankan", actor=0, consumed=["P"] * 4)), last_actor=1, tile="P"),
        3, ["daiminkan"],
    ),
    "after the own call": (
        CALLED, entry(option(discard("E")), at_self_chi_pon=True, tile="P"), 4, ["discard 1z"],
    ),
    "after the own riichi": (
        [draw(0), event("reach", actor=0), cut(0, "9m")],
        entry(option(discard("9m")), at_self_riichi=True, tile="9m"), 1, ["discard 9m"],
    ),
    "a chi with a red five": (
        [draw(3, "4m"), cut(3, "4m"), event("chi", actor=0, target=3, pai="4m", consumed=["3m", "5mr"])],
        entry(option(event("chi", actor=0, target=3, pai="4m", consumed=["5mr", "3m"])), last_actor=3,
              tile="4m"),
        1, ["chi (4m3m0m)"],
    ),
    "another's added kan": (
        [draw(2, "P"), cut(2, "P"), event("pon", actor=1, target=2, pai="P", consumed=["P", "P"]),
         cut(1, "E", tsumogiri=False), *KAN_OF_OTHER],
        entry(option(event("hora", actor=0, target=1)), option(pass_()), last_actor=1, tile="P",
              at_opponent_kakan=True), 5, ["win", "pass"],
    ),
    "a closed kan": (
        [draw(0, "E"), cut(0, "E")], entry(option(event("ankan", actor=0, consumed=["E"] * 4)), tile="E"),
        0, ["ankan 1z"],
    ),
    "a kan added to the own pon": (
        [*CALLED, draw(0, "P"), cut(0, "P")],
        entry(option(event("ankan", actor=0, consumed=["P"] * 4)), tile="P", junme=3), 6, ["kakan 5z"],
    ),
    "nine terminals": (
        TURN, entry(option(event("ryukyoku")), option(discard("9m")), tile="9m"), 0,
        ["kyuushu", "discard 9m"],
    ),
    "moves of two actions": (
        TURN,
        entry({"moves": [event("reach", actor=0), discard("9m")], "review": {"pt_exp_total": 3.5}},
              {"moves": [discard("E")], "review": {"pt_exp_total": None}}),
        0, ["riichi 9m", "discard 1z"],
    ),
    "the second discard of a tile": (
        [draw(1, "P"), cut(1, "P"), draw(0), cut(0, "9m"), draw(1, "P"), cut(1, "P")],
        entry(option(pass_()), last_actor=1, tile="P", junme=1), 5, ["pass"],
    ),
    "by the tiles that are left": (
        [draw(1, "P"), cut(1, "P"), draw(2, "S"), cut(2, "S"), draw(1, "P"), cut(1, "P")],
        entry(option(pass_()), last_actor=1, tile="P", tiles_left=67), 5, ["pass"],
    ),
}  # fmt: skip


@each_row("case", FOUND)
def test_a_decision_is_found(case: str) -> None:
    moves, one, index, options = FOUND[case]
    (verdict,) = judged(moves, one)
    assert (verdict.event, texts(verdict)) == (index, options)
    assert verdict.chosen == verdict.options[0]


def test_the_value_of_a_move_of_two_actions() -> None:
    _, one, _, _ = FOUND["moves of two actions"]
    (verdict,) = judged(TURN, one)
    assert [option.value for option in verdict.options] == [3.5, None]


def test_seats_are_turned_as_in_the_game() -> None:
    moves = [draw(2), cut(2, "9m")]
    kyoku = {"kyoku": 1, "honba": 0, "entries": [entry(option(discard("9m", 2)), last_actor=2, tile="9m")]}
    batch = read_text(
        orjson.dumps(
            {
                "player_id": 2, "review": {"kyokus": [kyoku]},
                "mjai_log": [start(), hand(kyoku=2, oya=2), *moves, END_HAND, END],
            }
        )
    )  # fmt: skip
    assert batch.faults.reason.tolist() == []
    assert (batch.events.seat[0], batch.verdicts.seat[0], batch.verdicts.event[0]) == (1, 1, 0)


# --- reports that do not fit ---------------------------------------------------------------------------

GOOD = entry(option(discard("9m")), tile="9m")
BROKEN: dict[str, tuple[tuple[Any, ...], Json, str, str]] = {
    "a tile that did not come": (
        (entry(option(discard("9m")), tile="8m"),), {}, "V103", "kyokus[0].entries[0]",
    ),
    "the same decision again": ((GOOD, GOOD), {}, "V103", "kyokus[0].entries[1]"),
    "a decision that is a text": (("x",), {}, "V102", "kyokus[0].entries[0]"),
    "no options": (({**GOOD, "details": []},), {}, "V105", "kyokus[0].entries[0]"),
    "too many options": (
        (entry(*[option(discard("9m"))] * (MAX_OPTIONS + 1), tile="9m"),), {}, "V105", "kyokus[0].entries[0]",
    ),
    "an option that is nothing": (
        ({**GOOD, "details": [option(event("dora"))]},), {}, "V102", "kyokus[0].entries[0] details[0]",
    ),
    "an option without an action": (
        ({**GOOD, "details": [{}]},), {}, "V102", "kyokus[0].entries[0] details[0]",
    ),
    "a value that is a text": (
        ({**GOOD, "details": [option(discard("9m")) | {"q_value": "1"}]},), {}, "V105",
        "kyokus[0].entries[0] details[0]",
    ),
    "a probability above 1": (
        ({**GOOD, "details": [option(discard("9m"), 0.0, 1.5)]},), {}, "V105",
        "kyokus[0].entries[0] details[0]",
    ),
    "a seat that is none": (({**GOOD, "last_actor": 4},), {}, "V105", "kyokus[0].entries[0]"),
    "shanten that nothing has": (({**GOOD, "shanten": 14},), {}, "V105", "kyokus[0].entries[0]"),
    "a hand that is not there": (
        (), {"review": {"kyokus": [{"kyoku": 3, "honba": 0, "entries": []}]}}, "V103", "kyokus[0]",
    ),
    "a hand that is a number": ((), {"review": {"kyokus": [7]}}, "V102", "kyokus[0]"),
    "hands that are not a list": ((), {"review": {"kyokus": {"0": 1}}}, "V101", ""),
    "a player that is none": ((GOOD,), {"player_id": 7}, "V105", "player_id"),
}  # fmt: skip


@each_row("case", BROKEN)
def test_what_cannot_be_read_is_told_and_the_game_is_read(case: str) -> None:
    entries, fields, code, place = BROKEN[case]
    batch = read_text(report(TURN, *entries, **fields))
    assert batch.faults.code.tolist() == [code]
    assert batch.faults.place[0] == f"review {place}".strip()
    assert "the game was read" in batch.faults.hint[0]
    assert (len(batch), len(batch.events), batch.games.is_cut[0]) == (1, 4, True)
    assert len(batch.verdicts) == (1 if case == "the same decision again" else 0)


def test_many_wrong_decisions_are_told_once() -> None:
    wrong = entry(option(discard("9m")), tile="8m")
    batch = read_text(report(TURN, wrong, GOOD, wrong, wrong))
    assert batch.faults.reason.tolist() == ["it fits no move of the game (and 2 more such places)"]
    assert len(batch.verdicts) == 1


@each_row("review", [None, {}, [], "x", {"kyokus": []}])
def test_a_report_without_a_review_is_a_game(review: Any) -> None:
    batch = read_text(report(TURN, review=review))
    assert (batch.faults.reason.tolist(), len(batch), len(batch.verdicts)) == ([], 1, 0)


def test_a_review_of_a_game_that_is_cut() -> None:
    """What the report says of hands that could not be read is not a fault of its own."""
    later = {"kyoku": 1, "honba": 0, "entries": [GOOD]}
    kyokus = [{"kyoku": 0, "honba": 0, "entries": [GOOD]}, later]
    text = report([*TURN, {"type": "start_kyoku"}], review={"kyokus": kyokus})
    batch = read_text(text)
    assert batch.faults.place.tolist() == ["line 1 mjai_log[6] start_kyoku"]
    assert len(batch.verdicts) == 1


@pytest.mark.every(6)
@pytest.mark.parametrize("first", range(0, 300, 50))
def test_mangled_reports(first: int) -> None:
    text = gzip.decompress(REPORT.read_bytes())
    verdicts = 0
    for number in range(first, first + 50):
        batch = read_text(mangled_report(text, random.Random(number)))  # noqa: S311
        check_batch(batch)
        verdicts += len(batch.verdicts)
        for game in games(batch):
            for hand_ in game.hands:
                preferences(game, hand_)
    assert verdicts > 1000


# --- a whole report ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sample() -> Batch:
    (batch,) = read_batches([REPORT])
    check_batch(batch)
    return batch


def test_a_whole_report(sample: Batch) -> None:
    document = orjson.loads(gzip.decompress(REPORT.read_bytes()))
    entries = [entry for kyoku in document["review"]["kyokus"] for entry in kyoku["entries"]]
    (game,) = games(sample)
    verdicts = [verdict for hand in game.hands for verdict in hand.verdicts]
    assert sample.faults.reason.tolist() == []
    assert len(verdicts) == len(entries) == document["review"]["total_reviewed"] > 30
    assert len(sample.verdicts) == sum(len(entry["details"]) for entry in entries)
    for verdict, one in zip(verdicts, entries, strict=True):
        assert verdict.options.index(verdict.played) == one["actual_index"]  # type: ignore[arg-type]
        assert [option.value for option in verdict.options] == [cell["q_value"] for cell in one["details"]]
    alike = sum(verdict.chosen == verdict.played for verdict in verdicts)
    assert alike == document["review"]["total_matches"]


def test_what_was_played_is_what_the_game_goes_on_with(sample: Batch) -> None:
    """Seen from the events alone: the next move of the player, or a pass where another moves."""
    (game,) = games(sample)
    seen: set[str] = set()
    for hand_ in game.hands:
        for verdict in hand_.verdicts:
            assert verdict.played is not None
            seen.add(verdict.played.text.split(" ")[0])
            assert verdict.played.text == _next_move(game, hand_.index, verdict)
    assert seen >= {"discard", "pon", "riichi", "kakan"}


def _next_move(game: Game, hand_: int, verdict: Verdict) -> str:
    moves = [one for one in game.hands[hand_].events[verdict.event + 1 :]
             if one.kind not in (EventKind.DORA, EventKind.RIICHI_PAID)]  # fmt: skip
    move = moves[0]
    if move.seat != verdict.seat or move.kind == EventKind.DRAW:
        return "pass"
    word = "win" if move.kind == EventKind.WIN else move.kind.name.lower()
    if move.kind not in (EventKind.DISCARD, EventKind.KAKAN, EventKind.ANKAN) or move.tile is None:
        return word
    return f"{word} {tile_name(move.tile)}"


# --- all that holds them -------------------------------------------------------------------------------


@pytest.mark.parametrize("write", [paifu_text, paifu_events_text])
def test_a_paifu_log_holds_them(sample: Batch, write: Callable[[Batch], bytes]) -> None:
    text = write(sample)
    back = read_unit([Document("report.jsonl", text, Format.PAIFU)])
    assert back.differences(sample, ignore=["games.source"]) == []


WRONG_VERDICTS: dict[str, tuple[Any, str]] = {
    "no list": ({}, ""),
    "a seat that is none": ([{"seat": 4, "options": [{"option": "pass"}]}], "[0]"),
    "no options": ([{"seat": 0, "options": []}], "[0]"),
    "an option that is none": ([{"seat": 0, "options": [{"option": "draw 5m"}]}], "[0].options[0]"),
    "a tile that is none": ([{"seat": 0, "options": [{"option": "discard 8z"}]}], "[0].options[0]"),
    "a tile that is missing": ([{"seat": 0, "options": [{"option": "discard"}]}], "[0].options[0]"),
    "a tile too many": ([{"seat": 0, "options": [{"option": "pon 5m"}]}], "[0].options[0]"),
    "a chi of one tile": ([{"seat": 0, "options": [{"option": "chi 5m"}]}], "[0].options[0]"),
    "a probability above 1": (
        [{"seat": 0, "options": [{"option": "pass", "probability": 2}]}], "[0].options[0]",
    ),
    "two that are chosen": ([{"seat": 0, "options": [{"option": "pass", "chosen": True}] * 2}], "[0]"),
    "a decision twice": ([{"seat": 0, "options": [{"option": "pass"}]}] * 2, "[1]"),
    "too many options": (
        [{"seat": 0, "engine": str(n), "options": [{"option": "pass"}] * 33} for n in range(2)], "",
    ),
}  # fmt: skip


def with_verdicts(verdicts: Any) -> Batch:
    lines = [
        {"paifu": 1, "game": {"ruleset": "tenhou"}},
        {"hand": {"round": "E1"}},
        {"event": "0 draw ?", "verdicts": verdicts},
    ]
    return read_unit([Document("x.jsonl", b"\n".join(map(orjson.dumps, lines)), Format.PAIFU)])


@each_row("case", WRONG_VERDICTS)
def test_wrong_verdicts_in_a_paifu_log(case: str) -> None:
    verdicts, place = WRONG_VERDICTS[case]
    assert with_verdicts(verdicts).faults.place.tolist() == [f"line 3 verdicts{place}"]


def test_what_is_no_option_is_quoted() -> None:
    (reason,) = with_verdicts(WRONG_VERDICTS["an option that is none"][0]).faults.reason
    assert "'draw 5m', which is not an option" in reason


def test_an_unknown_name_in_a_verdict_is_told_and_skipped() -> None:
    lines = [
        {"paifu": 1, "game": {"ruleset": "tenhou"}},
        {"hand": {"round": "E1"}},
        {
            "event": "0 draw ?",
            "verdicts": [{"seat": 0, "mood": 1, "x_own": 2, "options": [{"option": "pass"}]}],
        },
        {"event": "0 discard 5m"},
    ]
    batch = read_unit([Document("x.jsonl", b"\n".join(map(orjson.dumps, lines)), Format.PAIFU)])
    assert batch.faults.reason.tolist() == ["unknown field 'mood'"]
    assert (len(batch.verdicts), len(batch.events)) == (1, 2)


def test_a_verdict_before_the_first_hand_is_refused() -> None:
    lines = [
        {"paifu": 1, "game": {"ruleset": "tenhou"}},
        {"event": "0 leave", "verdicts": [{"seat": 0, "options": [{"option": "pass"}]}]},
        {"hand": {"round": "E1"}},
    ]
    batch = read_unit([Document("x.jsonl", b"\n".join(map(orjson.dumps, lines)), Format.PAIFU)])
    assert batch.faults.reason.tolist() == ["a verdict comes before the first hand"]


def test_a_dataset_holds_them(tmp_path: Path, sample: Batch) -> None:
    done = call("import", REPORT, "-o", tmp_path / "ds", "-j", "1", "--format", "json")
    (game,) = games(sample)
    count = sum(len(hand.verdicts) for hand in game.hands)
    assert (done.status, orjson.loads(done.data)["summary"]["verdicts"]) == (0, count)
    assert done.talk[-1].endswith(f"0 faults; {count} decisions judged by engines")
    (batch,) = read_batches([tmp_path / "ds"])
    assert batch.differences(sample) == []


def test_batches_with_them_are_joined_and_taken_apart(sample: Batch) -> None:
    both = Batch.concatenate([sample, sample])
    check_batch(both)
    assert both.verdicts.event.max() >= len(sample.events)
    assert both.take(1).differences(sample) == []
    assert joined(both).verdicts.game.tolist() == both.verdicts.game.tolist()


def changed(batch: Batch, column: str, row: int, value: Any) -> Batch:
    values = getattr(batch.verdicts, column).copy()
    values[row] = value
    return replace(batch, verdicts=replace(batch.verdicts, **{column: values}))


CONTRADICTIONS: dict[str, tuple[str, int, Any]] = {
    "an event that is none": ("event", -1, 10**6),
    "an event before that of the row before": ("event", -1, 0),
    "another hand": ("hand", 0, 1),
    "another game": ("game", 0, 1),
    "a seat that does not play": ("seat", 0, 255),
    "a kind that nobody decides": ("kind", 0, EventKind.DRAW),
    "a discard without a tile": ("tile", 0, 255),
    "own tiles of a discard": ("own", 0, [1, 2]),
    "a tile that is a flower": ("tile", 0, 40),
    "a probability above 1": ("probability", 0, 1.5),
    "a value without bounds": ("value", 0, 1e300),
    "two options that are chosen": ("is_chosen", 1, True),
    "two options that are played": ("is_played", 0, True),
    "another shanten": ("shanten", 1, 6),
    "furiten of one option": ("is_furiten", 1, 1),
}


@each_row("case", CONTRADICTIONS)
def test_a_contradiction_is_told(sample: Batch, case: str) -> None:
    column, row, value = CONTRADICTIONS[case]
    assert column != "is_played" or not sample.verdicts.is_played[0]
    with pytest.raises(BoundsError, match=r"verdicts\.\w+ of row \d+ is "):
        check_batch(changed(sample, column, row, value))


def test_more_options_of_an_event_than_there_may_be(sample: Batch) -> None:
    rows = np.zeros(MAX_OPTIONS + 1, np.int64)
    table = replace(
        sample.verdicts,
        **{name: values[rows] for name, values in sample.verdicts.arrays()}
        | {"is_chosen": rows > 0, "is_played": rows > 0},
    )  # fmt: skip
    with pytest.raises(BoundsError, match="too many options"):
        check_batch(replace(sample, verdicts=table))


# --- conversion and show -------------------------------------------------------------------------------


def test_a_proof_says_that_they_are_lost(tmp_path: Path, sample: Batch) -> None:
    assert VERDICTS in stated_facts(sample)
    for target, lost in LOST.items():
        assert (VERDICTS in lost) is (not target.startswith("paifu"))
    done = convert(REPORT, tmp_path / "mjai", "mjai-mortal", prove=True)
    assert (done.unstated[VERDICTS], done.facts[VERDICTS].lost, done.proved) == (1, len(sample.verdicts), 1)
    done = convert(REPORT, tmp_path / "paifu", "paifu", prove=True)
    assert (done.facts[VERDICTS], done.proved) == (ProvedFact(kept=len(sample.verdicts)), 1)


def test_a_verdict_that_changed_is_found(sample: Batch) -> None:
    rows = len(sample.verdicts)
    found = compare_games(sample, changed(sample, "value", 3, 9.0))
    assert found.facts[VERDICTS] == ComparedFact(rows - 1, 1)
    fewer = replace(sample, verdicts=sample.verdicts.rows(slice(2, None)))
    assert not agree(compare_games(sample, fewer))
    none = replace(sample, verdicts=sample.verdicts.rows(slice(0)))
    assert compare_games(sample, none).facts[VERDICTS] == ComparedFact(only_a=rows)
    assert compare_games(none, sample).facts[VERDICTS] == ComparedFact(only_b=rows)


def test_show_marks_what_the_engine_would_do(tmp_path: Path) -> None:
    plain = call("show", REPORT, "--hand", "E2").text
    marked = call("show", REPORT, "--hand", "E2", "--verdicts").text
    assert "acceptance" not in plain
    (game,) = read_paths(REPORT)
    verdicts = game.hands[1].verdicts
    other = [verdict for verdict in verdicts if verdict.chosen != verdict.played]
    assert marked.count("acceptance 1.0 Botan: prefers ") == len(other) > 0
    assert f"agrees on {len(verdicts) - len(other)} of {len(verdicts)} decisions" in marked
    assert "prefers pass (" in marked
    assert "acceptance" not in call("show", REPORT, "--hand", "E2", "--verdicts", "--seat", "0").text
    page = tmp_path / "page.html"
    assert call("show", REPORT, "--verdicts", "--html", "-o", page).status == 0
    assert "acceptance 1.0" in page.read_text("utf-8")


def test_show_with_values_alone_and_with_nothing(tmp_path: Path) -> None:
    for details, words in (
        ([{"action": discard("E"), "q_value": 1.5}, {"action": discard("9m"), "q_value": -2}],
         "prefers discard 1z (1.5) to discard 9m (-2)"),
        ([{"action": discard("E")}, {"action": discard("9m")}], "prefers discard 1z to discard 9m"),
        ([{"action": discard("E")}, {"action": discard("S")}], "prefers discard 1z"),
    ):  # fmt: skip
        path = tmp_path / "report.json"
        path.write_bytes(
            report(TURN, {**GOOD, "details": details, "expected": discard("E"), "actual": discard("9m")})
        )
        assert f"Mortal 4.1 Ann: {words}\n" in call("show", path, "--verdicts").text


def test_the_sample_deal_is_as_these_tests_take_it() -> None:
    assert "P" in DEAL
