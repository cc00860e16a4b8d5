"""Engines asked about logs: what they say stands beside what was played and what the model rates highest."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from command import call

from paifu.api.engines import Differences, compare
from paifu.api.simulated import batch_of
from paifu.coach.simulate.games import PLAYERS, Simulator
from paifu.parsers.mjai.answers import NonsenseError
from paifu.parsers.mjai.asking import is_decision, told, verdict_of
from paifu.parsers.read import read_batches
from paifu.parsers.writers import WRITERS
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.model.tile_notation import parse_tile
from paifu.replay.model.tiles import KIND_OF_TILE
from paifu.replay.rulesets.presets import load_preset

pytestmark = pytest.mark.every(20)

SAMPLE = Path(__file__).parents[2] / "sample_logs" / "formats" / "overtime.mjlog.gz"
BAD = Path(__file__).parents[1] / "helpers" / "bad_engine.py"

REPEATING = """
import json, sys
events, seat = json.load(open(sys.argv[1])), int(sys.argv[2])
for number, line in enumerate(sys.stdin):
    event = events[number + 1] if number + 1 < len(events) else {}
    acts = event.get("actor") == seat and event["type"] not in ("tsumo", "reach_accepted")
    print(json.dumps(event if acts else {"type": "none"}), flush=True)
"""
"""An engine that does what was played next."""

COUNTING = """
import json, sys
runs, seat = sys.argv[1], int(sys.argv[2])
open(runs, "a").write("x")
for line in sys.stdin:
    event = json.loads(line)
    kind, mine = event["type"], event.get("actor") == seat
    assert kind != "tsumo" or mine or event["pai"] == "?"
    if kind == "start_kyoku":
        assert [tiles[0] == "?" for tiles in event["tehais"]].count(False) == 1
        hand = event["tehais"][seat]
    if mine and kind == "tsumo":
        hand.append(event["pai"])
    for tile in event.get("consumed", []) + ([event["pai"]] if kind in ("dahai", "kakan") else []):
        if mine:
            hand.remove(tile)
    answer = {"type": "none"}
    if mine and kind in ("chi", "pon"):
        others = [tile for tile in hand if tile[1:2] != event["pai"][1:2]]
        answer = {"type": "dahai", "actor": seat, "pai": others[0], "tsumogiri": False}
    if mine and kind == "tsumo":
        tile = event["pai"]
        answer = {"type": "dahai", "actor": seat, "pai": tile, "tsumogiri": True}
        codes = [f"{number}{suit}" for suit in "mps" for number in range(1, 10)] + list("ESWNPFC")
        codes += ["5mr", "5pr", "5sr"]
        bits = 1 << codes.index(tile) | 1 << 37
        answer["meta"] = {"mask_bits": bits, "q_values": [0.5, 0.25], "shanten": 2, "at_furiten": False}
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture(scope="module")
def own_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of three."""
    path = tmp_path_factory.mktemp("own") / "game.mjlog"
    players = [PLAYERS["balanced"], PLAYERS["balanced"], PLAYERS["caller"]]
    batch = batch_of([Simulator(load_preset("tenhou-sanma"), players).game(3)], "mjlog")
    batch.games.names[0, :3] = ["one", "two", "three"]
    (text,) = WRITERS["mjlog"].games(batch)
    path.write_bytes(text)
    return path


@pytest.fixture
def repeating(own_game: Path, tmp_path: Path) -> str:
    """Command of an engine that does in that game what was played."""
    script, events = tmp_path / "repeating.py", tmp_path / "events.json"
    script.write_text(REPEATING)
    (batch,) = read_batches([own_game])
    events.write_text(json.dumps([event for event, _row in told_openly(batch)]))
    return f"{sys.executable} {script} {events} {{seat}}"


@pytest.fixture
def counting(tmp_path: Path) -> str:
    """Command of an engine that discards what it draws."""
    script = tmp_path / "engine.py"
    script.write_text(COUNTING)
    return f"{sys.executable} {script} {tmp_path / 'runs'} {{seat}}"


def agreed(found: Differences) -> tuple[int, int]:
    """Return how many decisions there were, and in how many the engine did as the player."""
    total = found.agreement.total
    return total[0], total[1]


def test_an_engine_that_does_what_was_played_agrees_with_it(
    own_game: Path, repeating: str, counting: str, tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    found = compare(own_game, engine=repeating, players=["one", "two"], cache=cache)
    decisions, same = agreed(found)
    assert decisions > 100
    assert same == decisions
    assert found.asked == 2
    assert not found.failures
    other = compare(own_game, engine=counting, players=["one", "two"], cache=cache)
    decisions, same = agreed(other)
    assert same < 0.95 * decisions


def test_agreement_with_the_model_leaves_the_model_nothing_to_gain(
    own_game: Path, repeating: str, tmp_path: Path
) -> None:
    found = compare(own_game, engine=repeating, players="three", cache=tmp_path / "cache")
    for one in found.every:
        if one.agrees[1]:
            assert one.loss == 0
        assert one.agrees == (one.chosen == one.played, one.chosen == one.ours, one.ours == one.played)
    losses = [one.loss or 0 for one in found.worst]
    assert losses == sorted(losses, reverse=True)
    assert losses


def test_answers_are_kept(own_game: Path, tmp_path: Path) -> None:
    script, runs, cache = tmp_path / "engine.py", tmp_path / "runs", tmp_path / "cache"
    script.write_text(COUNTING)
    command = f"{sys.executable} {script} {runs} {{seat}}"
    first = compare(own_game, engine=command, cache=cache, jobs=2)
    assert (first.asked, first.kept, first.failures) == (3, 0, [])
    assert len(runs.read_text()) == 3
    again = compare(own_game, engine=command, cache=cache)
    assert (again.asked, again.kept) == (0, 3)
    assert len(runs.read_text()) == 3
    assert again.agreement == first.agreement
    assert [one.row() for one in again.every] == [one.row() for one in first.every]
    # What was stopped goes on: only what is missing is asked.
    next(cache.iterdir()).unlink()
    third = compare(own_game, engine=command, cache=cache)
    assert (third.asked, third.kept) == (1, 2)
    # What cannot be read is asked again.
    next(cache.iterdir()).write_bytes(b"[1, 2")
    assert compare(own_game, engine=command, cache=cache).asked == 1


def test_values_of_the_engine_stand_beside_ours(own_game: Path, counting: str, tmp_path: Path) -> None:
    found = compare(own_game, engine=counting, cache=tmp_path / "cache")
    valued = [one for one in found.every if one.value is not None]
    assert len(valued) > 100
    for one in valued:
        assert one.value in (0.5, 0.25)
        (own,) = [option for option in one.options if option["option"] == one.chosen]
        assert own["value"] == one.value
        assert own["total"] is None or isinstance(own["total"], int)


@pytest.mark.parametrize(
    ("way", "told"),
    [("hang", "did not answer"), ("die", "status 7: out of luck"), ("endless", "longer than"),
     ("closed", "closed its output")],
)  # fmt: skip
def test_an_engine_that_fails_is_told_and_the_rest_goes_on(
    own_game: Path, tmp_path: Path, way: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = 0.5 if way == "hang" else 20  # a busy machine is slow to start them
    monkeypatch.setattr("paifu.api.engines.TIMEOUT", seconds)
    found = compare(own_game, engine=f"{sys.executable} {BAD} {way}", cache=tmp_path)
    assert len(found.failures) == 3
    assert all(told in failure for failure in found.failures)
    assert not list(tmp_path.iterdir())


RUBBISH = [
    ("garbage", "; the first: its answer is not JSON: 'I would rather not'"),
    ("binary", "is not JSON"),
    ("array", "not a list"),
    ("unknown", "there is no answer 'resign'"),
    ("eager", "without being asked, the first: 'Loading ...'"),
    ("none", "; the first: pass at "),
    ("illegal", "; the first: discard 1m at "),
    ("claims", "; the first: win at "),
]


@pytest.mark.parametrize(("way", "told"), RUBBISH)
def test_an_engine_that_talks_rubbish_is_told_and_asked_again(
    own_game: Path, tmp_path: Path, way: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of it is kept, so an engine that was mended is asked."""
    monkeypatch.setenv("PAIFU_CACHE_DIR", str(tmp_path))
    script = tmp_path / "engine.py"
    script.write_text(BAD.read_text())
    command = f"{sys.executable} {script} {way} {{seat}}"
    done = call("review", own_game, "--engine", command)
    assert done.status == 1
    assert sum(told in line for line in done.talk) == 3, done.talk
    script.write_text(COUNTING.replace("sys.argv[1]", "sys.argv[0] + '.runs'"))
    found = compare(own_game, engine=command)
    assert (found.asked, found.kept, found.failures) == (3, 0, [])
    assert agreed(found)[0] > 100


def test_the_command_prints_agreement_and_differences(
    own_game: Path, counting: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAIFU_CACHE_DIR", str(tmp_path))
    options = ["--engine", counting, "--player", "one", "-j", "2"]
    done = call("review", own_game, *options, "--limit", "2")
    assert done.status == 0
    lines = done.text.splitlines()
    assert lines[0].startswith("Where engine and model differ most")
    assert sum("event" in line and "seat" in line for line in lines) == 2
    assert lines[-1].startswith("all")
    assert "engine = player" in done.text
    rows = json.loads(call("review", own_game, *options, "--format", "json").text)
    assert rows["schema"] == "paifu.review.engine/1"
    counts = rows["agreement"]
    assert sum(row["decisions"] for row in counts.values()) == len(rows["decisions"])
    text = call("review", own_game, *options, "--format", "csv").text
    assert len(text.splitlines()) == 1 + len(rows["decisions"])
    lines = call("review", own_game, *options, "--format", "jsonl").text.splitlines()
    assert [json.loads(line) for line in lines] == rows["decisions"]


def test_reports_are_read_as_if_the_engine_had_been_asked() -> None:
    report = SAMPLE.parents[1] / "platforms" / "report.json.gz"
    done = call("review", report, "--verdicts", "--format", "json")
    assert done.status == 0
    found = json.loads(done.text)["decisions"]
    assert len(found) > 30
    assert {row["engine"] for row in found} == {"acceptance 1.0"}
    assert sum(row["chosen"] == row["played"] for row in found) == 35
    (batch,) = read_batches([report])
    values = batch.verdicts.value[batch.verdicts.is_chosen].tolist()
    assert all(any(abs(row["value"] - value) < 0.01 for value in values) for row in found)


KINDS_TOLD = {
    "tsumo": EventKind.DRAW, "dahai": EventKind.DISCARD, "chi": EventKind.CHI, "pon": EventKind.PON,
    "daiminkan": EventKind.DAIMINKAN, "ankan": EventKind.ANKAN, "kakan": EventKind.KAKAN,
    "reach": EventKind.RIICHI, "reach_accepted": EventKind.RIICHI_PAID, "dora": EventKind.DORA,
    "hora": EventKind.WIN, "ryukyoku": EventKind.HAND_DRAW,
}  # fmt: skip


def test_what_is_told_names_the_event_that_it_tells() -> None:
    batch = next(iter(read_batches([SAMPLE])))
    found = {kind: set[int]() for kind in EventKind}
    for event, row in told(batch, 0, 1):
        kind = KINDS_TOLD.get(event["type"])
        assert (row == -1) == (kind is None), event
        if kind is not None:
            assert batch.events.kind[row] == kind, event
            assert row not in found[kind]
            found[kind].add(row)
    assert len(found[EventKind.DISCARD]) > 100


def told_openly(batch: Batch) -> list[tuple[dict[str, Any], int]]:
    from paifu.parsers.mjai.writer import events_of_game

    return events_of_game(batch, 0)


def test_logs_without_verdicts_are_told() -> None:
    done = call("review", SAMPLE, "--verdicts")
    assert done.status == 0
    assert "no decision to compare" in done.talk[-1]


def test_a_command_is_not_run_by_a_shell(
    own_game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAIFU_CACHE_DIR", str(tmp_path))
    victim = tmp_path / "victim"
    command = f"{sys.executable} {BAD} none ; touch {victim}"
    assert call("review", own_game, "--engine", command).status == 1
    assert not victim.exists()


def test_players_who_are_not_there_are_told(
    counting: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAIFU_CACHE_DIR", str(tmp_path))
    done = call("review", SAMPLE, "--engine", counting, "--player", "Nobody")
    assert done.status == 2
    assert "no player is called 'Nobody' in these logs" in done.talk[-1]


@pytest.mark.parametrize(
    "meta",
    [
        None, 5, {}, {"mask_bits": -1, "q_values": []}, {"mask_bits": 1 << 60, "q_values": [1.0]},
        {"mask_bits": 3, "q_values": [1.0]}, {"mask_bits": 3, "q_values": ["a", None]},
        {"mask_bits": 1, "q_values": [1e300]}, {"mask_bits": "x", "q_values": {}, "shanten": 99},
    ],
)  # fmt: skip
def test_strange_values_are_left_out(meta: Any) -> None:
    batch = next(iter(read_batches([SAMPLE])))
    row = next(row for event, row in told(batch, 0, 0) if is_decision(event, 0) and event["type"] == "tsumo")
    answer = {"type": "dahai", "actor": 0, "pai": "1m", "tsumogiri": False, "meta": meta}
    verdict = verdict_of(batch, 0, row, 0, answer, "x")
    assert verdict.chosen is not None
    assert verdict.chosen.kind == EventKind.DISCARD
    assert all(option.value is None for option in verdict.options)
    assert verdict.shanten is None
    with pytest.raises(NonsenseError):
        verdict_of(batch, 0, row, 0, {"type": "resign"}, "x")


def test_values_of_calls_belong_to_the_run_that_they_make() -> None:
    """Of Mortal's actions, 38 to 40 are chi with the lowest, the middle and the highest tile, 45 passes."""
    batch = next(iter(read_batches([SAMPLE])))
    shown = [row for event, row in told(batch, 0, 0) if is_decision(event, 0) and event["type"] == "dahai"]
    row = next(row for row in shown if KIND_OF_TILE[batch.events.tile[row]] == parse_tile("5p"))
    meta = {"mask_bits": 0b111 << 38 | 1 << 45, "q_values": [0.1, 0.2, 0.3, 0.4]}
    verdict = verdict_of(batch, 0, row, 0, {"type": "none", "meta": meta}, "x")
    values = {(option.kind, option.tile): option.value for option in verdict.options}
    lowest = {parse_tile("5p"): 0.1, parse_tile("4p"): 0.2, parse_tile("3p"): 0.3}
    assert values == {(None, None): 0.4} | {(EventKind.CHI, kind): value for kind, value in lowest.items()}


@pytest.mark.parametrize(("said", "expected"), [(True, True), (False, False), (1, None), ("x", None)])
def test_furiten_is_what_an_engine_says_with_a_truth_value(said: Any, expected: bool | None) -> None:
    batch = next(iter(read_batches([SAMPLE])))
    row = next(row for event, row in told(batch, 0, 0) if is_decision(event, 0) and event["type"] == "tsumo")
    answer = {"type": "dahai", "actor": 0, "pai": "1m", "tsumogiri": False, "meta": {"at_furiten": said}}
    assert verdict_of(batch, 0, row, 0, answer, "x").is_furiten is expected
