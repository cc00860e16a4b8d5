"""``paifu review``, ``paifu danger`` and the marks in ``paifu show --review``, by their output."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from command import Result, call
from rich.cells import cell_len

from paifu.parsers.read import read_batches
from paifu.replay.findings.finding import Finding, Severity
from paifu.replay.findings.review_sentences import ReviewCase
from paifu.replay.findings.spoken import KINDS
from paifu.replay.table.engine import replay
from paifu.reports.findings.review import COLUMNS, Asked, Judged, hand_of, judgements
from paifu.reports.findings.review import row as row_of
from paifu.reports.terminal.review_lines import PlayerReview, review_lines

SAMPLES = Path(__file__).parents[2] / "sample_logs" / "formats"
OVERTIME = SAMPLES / "overtime.mjlog.gz"
HEAD = re.compile(r": \d+ mistakes?, \d+ notes?$")


def review(*arguments: str | Path, source: Path = OVERTIME) -> Result:
    return call("review", source, "-j", "1", *arguments)


def document(*arguments: str | Path, source: Path = OVERTIME) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(review(*arguments, "-f", "json", source=source).data)
    return found


def test_json() -> None:
    found = document()
    assert found["schema"] == "paifu.review/1"
    summary = found["summary"]
    assert set(summary) == {
        "games",
        "hands",
        "player_hands",
        "player_hands_hidden",
        "games_without_model",
        "counts",
        "players",
    }
    assert summary["player_hands"] == 4 * summary["hands"] > 0
    assert sum(summary["counts"].values()) == len(found["findings"]) == 22
    assert list(summary["counts"]) == [code for code in KINDS if code in summary["counts"]]
    for finding in found["findings"]:
        assert list(finding) == list(COLUMNS)
        kind = KINDS[finding["code"]]
        assert finding["name"] == kind.name
        assert finding["severity"] in (kind.severity, "note") or finding["evidence"]["played_out"]
        assert isinstance(finding["evidence"]["cost"], int)
        assert finding["message"]
    (furiten,) = [one for one in found["findings"] if one["code"] == "F102"]
    assert (furiten["hand"], furiten["turn"], furiten["player"]) == ("E2.0", 14, "Botan")
    assert furiten["evidence"]["cause"] == {"event": 33, "seat": 1, "tile": "1s", "turn": 5}
    assert (furiten["severity"], furiten["evidence"]["cost"], furiten["evidence"]["points"]) == ("note", 0, 0)


def test_what_others_build_on_gives_the_same_rows_and_the_hands() -> None:
    (batch,) = read_batches([OVERTIME])
    facts = replay(batch, review=True)
    found = judgements(facts, Asked.of((), ())).found
    assert [json.loads(json.dumps(row_of(one.judged))) for one in found] == document()["findings"]
    assert all(hand_of(one.case)[0].startswith("hand ") for one in found)
    (furiten,) = judgements(facts, Asked.of((), ["F102"])).found
    assert (furiten.judged.finding.code, furiten.judged.cost, furiten.judged.hand) == ("F102", 0, ())
    assert judgements(replay(batch)).found == []


def test_every_discard_that_deals_in_has_one_finding() -> None:
    logs = SAMPLES.parent / "games"
    batches = list(read_batches([logs]))
    rons = sum(len(np.unique(b.wins.hand[b.wins.seat != b.wins.source])) for b in batches)
    assert rons < sum(int((batch.wins.seat != batch.wins.source).sum()) for batch in batches)
    counts = document("--code", "D", source=logs)["summary"]["counts"]
    assert sum(counts.values()) == rons > 0


def test_the_points_of_a_deal_in_are_what_was_paid() -> None:
    (batch,) = read_batches([OVERTIME])
    wins = batch.wins
    paid: Counter[int] = Counter()
    for hand, seat, source, deltas in zip(wins.hand, wins.seat, wins.source, wins.deltas, strict=True):
        if seat != source:
            paid[int(hand)] -= int(deltas[source])
    points = [one["evidence"]["points"] for one in document("--code", "D")["findings"]]
    assert sorted(points) == sorted(paid.values())


def test_filters() -> None:
    everything = document()["findings"]

    def kept(*arguments: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = document(*arguments)["findings"]
        assert 0 < len(found) < len(everything)
        return found

    assert kept("--code", "F,D103") == [f for f in everything if f["code"][0] == "F" or f["code"] == "D103"]
    assert kept("--mistakes") == [f for f in everything if f["severity"] == "mistake"]
    botan = kept("--player", "botan")
    assert botan == [f for f in everything if f["player"] == "Botan"]
    summary = document("--player", "Botan")["summary"]
    assert summary["player_hands"] == summary["hands"]
    assert kept("--player", "Botan", "--player", "葵") == [
        f for f in everything if f["player"] in ("Botan", "葵")
    ]


PEOPLE = """\
Botan: 0 mistakes, 2 notes
 Notes, 1 of 2
       -  F103 Win missed: discard furiten, E2.0 turn 15
          4s of dahlia 3 would have won 13000 if not for furiten: 1s discarded
          in turn 5 (waits for 147s)
          hand   11406m456p23456s

--limit 0 shows everything, --mistakes leaves the notes out.

1 game, 14 hands; 14 player hands reviewed

code                                                  found per 100      points
F102  Discard into furiten                                1    7.14           -
F103  Win missed: discard furiten                         1    7.14           -
"""


def test_for_people() -> None:
    assert review("--player", "botan", "--code", "F", "--limit", "1").text == PEOPLE


def test_the_table_fits_the_terminal_and_does_not_flood() -> None:
    lines = review(source=SAMPLES).text.splitlines()
    assert max(cell_len(line) for line in lines) <= 80
    assert len(lines) < 40 * 10
    assert "--limit 0 shows everything, --mistakes leaves the notes out." in lines
    assert len([line for line in lines if HEAD.search(line)]) == 4
    hindsight = next(line for line in lines if "hindsight: " in line)
    assert "the wait was" in hindsight
    assert any(line.strip() == "in five-games.jsonl:1" for line in lines)


def test_many_players_are_not_all_shown() -> None:
    found = {
        name: PlayerReview({"mistake": (judgement(name, cost),)}, Counter(mistake=1), cost)
        for name, cost in (("c", 100), ("a", 300), ("b", 200))
    }
    lines = list(review_lines(found, most_players=2, with_source=False))
    assert [line.split(":")[0] for line in lines if HEAD.search(line)] == ["a", "b"]
    assert "1 more player: --player NAME for one, --limit 0 for all." in lines
    everybody = review_lines(found, most_players=0, with_source=False)
    assert len([line for line in everybody if HEAD.search(line)]) == 3


def test_only_the_costliest_are_kept() -> None:
    parts = [
        PlayerReview(
            dict.fromkeys(("mistake", "note"), (judgement("a", cost),)), Counter(mistake=1, note=1), cost
        )
        for cost in (100, 300, 200)
    ]
    total = PlayerReview()
    for part in parts:
        total = total.merged(part, 2)
    for kind in ("mistake", "note"):
        assert [one.cost for one in total.kept[kind]] == [300, 200]
    assert (total.counts, total.price) == ({"mistake": 3, "note": 3}, 600)


def judgement(player: str, cost: int) -> Judged:
    """A finding of a player that costs so much."""
    finding = Finding(
        "W101", "ron-passed", Severity.MISTAKE, "log", "", "E1.0", 1, 1, 0, player, "1m", "no ron", 0, 0
    )
    return Judged(finding, {"cost": cost}, (cost, 0))


def test_both_formats_of_a_game_are_judged_alike() -> None:
    for name in ("hanchan", "sanma"):
        found = [
            [one | {"source": "", "game_id": ""} for one in document(source=SAMPLES / file)["findings"]]
            for file in (f"{name}.json", f"{name}.mjlog.gz")
        ]
        assert found[0] == found[1]
        assert len(found[0]) >= 5


@pytest.mark.full
def test_output_does_not_depend_on_the_number_of_workers() -> None:
    for fmt in ("json", "table"):
        one, two = (call("review", SAMPLES, "-j", jobs, "-f", fmt) for jobs in ("1", "2"))
        assert one.data == two.data


def test_tables_for_programs() -> None:
    rows = list(csv.DictReader(io.StringIO(review("-f", "csv").text)))
    assert list(rows[0]) == list(COLUMNS)
    assert json.loads(rows[0]["evidence"])["cost"] >= 0
    table = pq.read_table(io.BytesIO(review("-f", "parquet").data))
    assert table.column_names == list(COLUMNS)
    lines = review("-f", "jsonl").text.splitlines()
    assert len(lines) == len(rows) == table.num_rows
    assert [json.loads(line) for line in lines] == document()["findings"]


def test_nothing_found_is_still_a_table() -> None:
    nothing = review("--code", "R101", "-f", "parquet")
    assert pq.read_table(io.BytesIO(nothing.data)).num_rows == 0
    assert document("--code", "R101")["findings"] == []


def test_other_rules() -> None:
    found = document("--rules", "tenhou", "--set", "min_han=13", source=SAMPLES / "hanchan.json")
    assert found["summary"]["counts"]["W104"] > 0


def test_danger() -> None:
    found = json.loads(call("danger", SAMPLES, "-j", "1", "-f", "json").data)
    assert (found["schema"], found["summary"]["games"]) == ("paifu.danger/1", 14)
    rows = found["rows"]
    genbutsu = [row for row in rows if row["class"] == "genbutsu"]
    assert genbutsu
    assert all(row["deal_ins"] == 0 for row in genbutsu)
    for row in rows:
        assert row["low"] <= row["percent"] <= row["high"]
        assert row["percent"] == pytest.approx(100 * row["deal_ins"] / row["n"], abs=0.01)
    by_turn = json.loads(call("danger", SAMPLES, "-j", "1", "-f", "json", "--turns").data)["rows"]
    assert sum(row["n"] for row in by_turn) == sum(row["n"] for row in rows)
    assert {row["turns"] for row in by_turn} == {"1-6", "7-12", "13-"}


def pushes(*more: str | Path) -> list[dict[str, Any]]:
    result = call("danger", SAMPLES, "-j", "1", "-f", "json", *more)
    assert result.status == 0
    rows: list[dict[str, Any]] = json.loads(result.data)["rows"]
    return rows


def test_danger_of_a_player_beside_everybody() -> None:
    own, rest = (
        pushes("--player", "botan"),
        pushes("--player", "葵", "--player", "dahlia 3", "--player", "チドリ"),
    )
    everybody = json.loads(call("danger", SAMPLES, "-j", "1", "-f", "json").data)["rows"]

    def of(rows: list[dict[str, Any]], hand: str = "all") -> dict[tuple[Any, ...], dict[str, Any]]:
        return {(r["players"], r["threat"], r["class"]): r for r in rows if r["hand"] == hand}

    for row in everybody:
        key = row["players"], row["threat"], row["class"]
        parts = [part[key] for part in (of(own), of(rest)) if key in part]
        assert sum(part["n"] for part in parts) == row["n"]
        assert sum(part["deal_ins"] for part in parts) == row["deal_ins"]
        for part in parts:
            assert (part["all_n"], part["all_percent"]) == (row["n"], row["percent"])
            assert part["low"] <= part["percent"] <= part["high"]
    hands = ("in riichi", "tenpai", "1 from tenpai", "2 from tenpai", "3+ from tenpai")
    for key, row in of(own).items():
        crossed = [of(own, hand)[key] for hand in hands if key in of(own, hand)]
        assert sum(one["n"] for one in crossed) == row["n"]
        if key[2] == "all":
            assert row["share"] == 100
            classes = [r for r in own if r["hand"] == "all" and (r["players"], r["threat"]) == key[:2]]
            assert sum(r["n"] for r in classes) == 2 * row["n"]


def test_danger_of_a_player_costs_what_was_paid_to_threats() -> None:
    paid: Counter[tuple[str, int]] = Counter()
    (batch,) = read_batches([OVERTIME])
    facts = replay(batch, review=True)
    for one in judgements(facts, Asked.of(["Botan"], ["D"])).found:
        case = one.case
        assert isinstance(case, ReviewCase)
        for seat, threat, _ in case.threats:
            if case.winners == [seat]:
                paid[threat.name.lower(), int(case.row["shanten"])] += case.points
    rows = json.loads(call("danger", OVERTIME, "--player", "Botan", "-f", "json", "-j", "1").data)["rows"]
    assert sum(paid.values()) > 0
    for row in rows:
        if (row["hand"], row["class"]) == ("all", "all"):
            total = sum(points for (threat, _), points in paid.items() if threat == row["threat"])
            assert row["cost"] == round(total / row["n"])


def test_danger_of_a_player_as_a_table() -> None:
    result = call("danger", OVERTIME, "--player", "Botan", "-j", "1")
    assert "2 from tenpai" in result.text
    assert "all_cost" in result.text
    assert call("danger", OVERTIME, "--player", "Botan", "--turns").status == 2
    nobody = call("danger", OVERTIME, "--player", "Nobody", "-j", "1")
    assert nobody.status == 2
    assert "no player is called 'Nobody'" in nobody.talk[0]


def test_show_marks_what_the_review_finds() -> None:
    plain = call("show", OVERTIME, "--hand", "E2.0").text
    marked = call("show", OVERTIME, "--hand", "E2.0", "--review").text
    assert "F102" not in plain
    assert "   F102 Botan: discarding 5s leaves a wait for 147s" in marked
    hanchan = call("show", SAMPLES / "hanchan.mjlog.gz", "--hand", "E3.2", "--review").text
    assert "↓7m -859\n" in hanchan
    assert "P101 dahlia 3: 7m, but 3s was worth 2,170 more by estimate" in hanchan
    assert "P101 チドリ" not in hanchan, "a note by estimate"
    assert "F103 Botan" in call("show", OVERTIME, "--hand", "E2.0", "--review").text
