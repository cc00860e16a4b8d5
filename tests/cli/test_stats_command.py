"""``paifu stats``, by its output: forms, groups, names, and what it says beside the data."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from command import Result, call
from each_row import each_row

from paifu.reports.metrics.catalogue import CATALOGUE, HEADLINE
from paifu.reports.metrics.metric import RIICHI
from paifu.reports.statistics.text import markdown

SAMPLES = Path(__file__).parents[2] / "sample_logs" / "formats"


def stats(*arguments: str | Path, source: Path = SAMPLES) -> Result:
    return call("stats", source, "-j", "1", *arguments)


def document(*arguments: str | Path, source: Path = SAMPLES) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(stats(*arguments, "-f", "json", source=source).data)
    return found


def test_json() -> None:
    found = document("--by", "player")
    assert found["schema"] == "paifu.stats/1"
    assert found["by"] == ["player"]
    assert [group["key"]["player"] for group in found["groups"]] == ["Botan", "チドリ", "葵", "dahlia 3"]
    assert list(found["population"]["stats"]) == list(HEADLINE)
    for group in found["groups"]:
        assert set(group) == {"key", "games", "hands", "stats"}
        for name, cell in group["stats"].items():
            assert set(cell) == {"n", "d", "value", "low", "high"}, name
            assert cell["low"] <= cell["value"] <= cell["high"]
    for name in HEADLINE:
        for part in ("n", "d"):
            total = sum(group["stats"][name][part] for group in found["groups"])
            assert total == found["population"]["stats"][name][part]
    assert [group["hands"] for group in found["groups"]] == [111, 111, 111, 103]
    assert found["population"]["hands"] == 111
    assert found["population"]["games"] == 14


@pytest.mark.parametrize("arguments", [(), ("--by", "player"), ("--player", "葵", "--ci"), ("--all",)])
def test_tables_fit_a_terminal(arguments: tuple[str, ...]) -> None:
    from rich.cells import cell_len

    lines = stats(*arguments).text.splitlines()
    assert max(map(cell_len, lines)) <= 80
    assert not any("…" in line for line in lines)


def test_one_player_stands_beside_everybody() -> None:
    found = stats("--player", "葵", "--metrics", "win_rate,last_rate")
    assert found.status == 0
    lines = found.text.splitlines()
    assert lines[0] == "葵: 14 games, 111 hands"
    assert next(line.split() for line in lines if line.startswith(" win")) == [
        "win", "rate", "24.32%", "111", "22.48%"
    ]  # fmt: skip
    assert next(line.split()[2] for line in lines if line.startswith(" last-place rate")) == "21.43%*"
    talk = [line for line in found.talk if not line.startswith("  ")]
    assert talk == [
        "2 games are there twice, wholly or in part; each hand counts once",
        "* based on fewer than 30 cases",
        "14 games, 111 hands",
        "no places: only 4 players with enough hands; at least 10 are needed",
    ]


@pytest.fixture(scope="module", params=[2, 3])
def copies(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with twelve games of four players, of different kinds, so many times with other names."""
    folder = tmp_path_factory.mktemp(f"copies{request.param}")
    for number in range(request.param):
        played = folder / str(number)
        options = ("--games", 12, "--seed", number, "--players", "caller,defender,tile-efficient,wild")
        assert call("simulate", *options, "-o", played, "-j", 1).status == 0
        for path in played.iterdir():
            text = path.read_text("utf-8")
            renamed, count = re.subn(r'(n[0-3])="[^"]*"', rf'\1="P{number}\1"', text)
            assert count == 4
            path.write_text(renamed, "utf-8")
    return folder


@each_row("fmt", ["table", "markdown", "json", "jsonl", "csv", "parquet"])
def test_places_need_ten_players_in_every_format(copies: Path, fmt: str) -> None:
    """Two tables are eight players, three are twelve."""
    has_places = len(list(copies.iterdir())) == 3
    options = ("--player", "P0n0", "--min-hands", "1", "--metrics", "call_rate", "-f", fmt)
    found = stats(*options, source=copies)
    if fmt in ("table", "markdown"):
        assert ("place" in found.text) == has_places
    elif fmt == "json":
        (group,) = json.loads(found.data)["groups"]
        assert ("percentile" in group["stats"]["call_rate"]) == has_places
    elif fmt == "parquet":
        places = pq.read_table(io.BytesIO(found.data)).column("percentile").to_pylist()
        assert any(place is not None for place in places) == has_places
    else:
        rows = (
            [json.loads(line) for line in found.text.splitlines()]
            if fmt == "jsonl"
            else csv.DictReader(io.StringIO(found.text))
        )
        assert any(row["percentile"] not in (None, "") for row in rows) == has_places
    number = 12 if has_places else 8
    told = f"place: among the {number} players with enough hands"
    none = f"no places: only {number} players with enough hands; at least 10 are needed"
    assert (told in found.talk, none in found.talk) == (has_places, not has_places)


def test_who_cannot_be_told_apart_has_no_place(tmp_path: Path) -> None:
    """Twelve players of one kind."""
    for number in range(3):
        played = tmp_path / str(number)
        assert call("simulate", "--games", 8, "--seed", number, "-o", played, "-j", 1).status == 0
        for path in played.iterdir():
            text = path.read_text("utf-8")
            path.write_text(re.sub(r'(n[0-3])="[^"]*"', rf'\1="P{number}\1"', text), "utf-8")
    found = stats("--player", "P0n0", "--metrics", "call_rate,win_rate", "--min-hands", "1", source=tmp_path)
    assert "no places: the 12 players with enough hands cannot be told apart yet" in found.talk
    assert all("unknown" in line or "needs " in line for line in found.text.splitlines() if " rate" in line)


def test_groups_are_sorted_and_limited() -> None:
    def shown(*options: str) -> list[str]:
        groups = document("--by", "player", *options)["groups"]
        return [group["key"]["player"] for group in groups]

    ranks = {
        group["key"]["player"]: group["stats"]["rank"]["value"]
        for group in document("--by", "player")["groups"]
    }
    highest_first = sorted(ranks.values(), reverse=True)
    assert [ranks[name] for name in shown("--sort", "rank")] == highest_first
    assert [ranks[name] for name in shown("--sort", "average_rank")] == highest_first
    assert [ranks[name] for name in shown("--sort=-rank", "--limit", "2")] == highest_first[:-3:-1]
    assert shown("--sort", "name") == sorted(ranks) == shown("--sort=-name")[::-1]
    hands = [group["hands"] for group in document("--by", "player", "--sort=-hands")["groups"]]
    assert hands == sorted(hands)
    assert "2 more groups not shown (--limit)" in stats("--by", "player", "--limit", "2").talk
    assert "name one of the statistics that are shown" in stats("--sort", "yaku_riichi").talk[-1]


def test_min_hands_leaves_groups_out_and_says_so() -> None:
    found = stats("--by", "player", "--min-hands", "110")
    assert "dahlia" not in found.text
    assert "1 group skipped: fewer than --min-hands hands" in found.talk


def test_aliases(tmp_path: Path) -> None:
    file = tmp_path / "aliases.toml"
    file.write_text('"Both" = ["Botan", "葵"]\n', "utf-8")
    groups = {g["key"]["player"]: g for g in document("--by", "player", "--aliases", file)["groups"]}
    assert set(groups) == {"Both", "チドリ", "dahlia 3"}
    assert groups["Both"]["hands"] == 111
    (only,) = document("--player", "Both", "--aliases", file)["groups"]
    assert only["stats"] == groups["Both"]["stats"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('"A" = "B"', "A should be a list of names"),
        ('"A" = ["C"]\n"B" = ["C"]', "C stands for both A and B"),
        ('"A" = [', "cannot read the aliases"),
    ],
)
def test_bad_aliases(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "aliases.toml"
    file.write_text(text, "utf-8")
    found = stats("--aliases", file)
    assert found.status == 2
    assert any(message in line for line in found.talk)


def test_pairs_of_fields() -> None:
    groups = document("--by", "players,length")["groups"]
    keys = [(group["key"]["players"], group["key"]["length"]) for group in groups]
    assert keys == sorted(keys)
    assert {players for players, _ in keys} == {"3", "4"}
    assert {length for _, length in keys} == {"east", "south"}


def test_a_player_by_month_is_shown_beside_all_others() -> None:
    whole = document("--player", "葵")
    found = document("--player", "葵", "--by", "length")
    assert found["population"] == document()["population"]
    assert sum(group["hands"] for group in found["groups"]) == whole["groups"][0]["hands"]


def test_csv_and_parquet_hold_a_row_a_group_and_statistic() -> None:
    rows = list(csv.DictReader(io.StringIO(stats("--by", "player", "--all", "-f", "csv").text)))
    of_riichi = [metric.name for metric in CATALOGUE.values() if metric.schemes >= RIICHI]
    assert len(rows) == 5 * len(of_riichi)
    assert [row["statistic"] for row in rows[: len(of_riichi)]] == of_riichi
    table = pq.read_table(io.BytesIO(stats("--by", "player", "--all", "-f", "parquet").data))
    assert table.num_rows == len(rows)
    assert table.column("statistic").to_pylist() == [row["statistic"] for row in rows]


def test_markdown() -> None:
    lines = stats("--by", "player", "-f", "markdown").text.splitlines()
    assert lines[0].startswith("| player | hands | rank |")
    assert lines[1] == "|---|" + "---:|" * 9


def test_names_cannot_break_a_markdown_table() -> None:
    (line, _) = markdown([["a|b\n| c |", "<script>"]])
    assert line == "| a\\|b \\| c \\| | \\<script\\> |"


def test_explain_tells_every_statistic() -> None:
    text = call("stats", "--explain").text
    assert all(f"  {name} (" in text for name in CATALOGUE)
    one = call("stats", "--explain", "deal_in_rate").text
    assert "hands dealt in / hands, in %" in one
    assert "A double ron counts as two deal-ins" in one
