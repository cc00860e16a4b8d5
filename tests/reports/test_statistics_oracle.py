"""Every metric of the catalogue against a slow, obvious recomputation, on simulated and real games."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import pytest
from command import call
from slow_statistics import Told, metrics

from paifu.api.simulated import batch_of
from paifu.api.stats import stats
from paifu.coach.simulate.games import PLAYERS, Simulator
from paifu.parsers.read import read_batches
from paifu.replay.model.batch import Batch
from paifu.replay.rulesets.presets import load_preset, ruleset_of
from paifu.replay.table.engine import replay
from paifu.replay.views.games import Game
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.metrics.counters import Chosen, D, N, count
from paifu.reports.metrics.metric import RIICHI, MetricKind
from paifu.reports.metrics.recording import records

SAMPLES = Path(__file__).parents[2] / "sample_logs" / "formats"
FROM_FACTS = {"furiten_temporary_rate", "furiten_riichi_rate"}
"""Held by the review's own oracle; so are the review's findings."""
NO_YAKU_OF = ("closed", "open")
TOLD_ONLY = {
    f"win_{wait}_{what}"
    for wait in ("ryanmen", "kanchan", "penchan", "shanpon", "tanki")
    for what in ("share", "value")
}
"""The log does not tell in which reading a hand is scored; the scoring's own tests hold the wait."""


def simulated(name: str, kinds: tuple[str, ...], numbers: range) -> Batch:
    simulator = Simulator(load_preset(name), [PLAYERS[kind] for kind in kinds])
    return batch_of([simulator.game(number) for number in numbers])


def compare(batch: Batch) -> dict[str, tuple[int, int]]:
    """Compare all metrics over a batch; return the slow sums."""
    rows = records(replay(batch))
    told = Told()
    for number in range(len(batch)):
        told.add(Game.of(batch, number), ruleset_of(batch, number))
    left_out = FROM_FACTS | TOLD_ONLY
    checked = [m for m in CATALOGUE.values() if m.schemes >= RIICHI and m.name not in left_out]
    checked = [m for m in checked if m.family != "review"]
    counters = count(rows, checked)
    slow, of_tables = dict(metrics(told)), dict(metrics(told.of_tables))
    slow |= {metric.name: of_tables[metric.name] for metric in checked if metric.is_shared}
    assert {metric.name for metric in checked} <= set(slow)
    assert all(name.endswith(NO_YAKU_OF) for name in set(slow) - set(CATALOGUE))
    wrong = {}
    for number, metric in enumerate(checked):
        found = tuple(counters.sums[0, number, [N, D]].tolist())
        if metric.kind is MetricKind.EXTREME:
            best = counters.bests.get(((), metric.name))
            found = (best.value if best else 0, found[1])
        if found != slow[metric.name]:
            wrong[metric.name] = (found, slow[metric.name])
    assert not wrong
    return slow


ENDS = {"yao9": "nine_terminals", "kaze4": "four_winds", "reach4": "four_riichi",
        "ron3": "three_rons", "kan4": "four_kans"}  # fmt: skip


def read_as_text(paths: list[Path]) -> tuple[Counter[str], dict[str, set[str]]]:
    """Count hands, games and abortive draws in the text of some logs, and list the players of each log."""
    counts, names = Counter[str](games=len(paths)), {}
    for path in paths:
        data = path.read_bytes()
        text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode()
        counts["hands"] += sum("<AGARI" in part or "<RYUU" in part for part in text.split("<INIT ")[1:])
        counts["draw"] += len(re.findall(r"<RYUUKYOKU (?![^>]*type=)", text))
        kinds = re.findall(r'<RYUUKYOKU [^>]*type="(\w+)"', text)
        counts.update(ENDS[kind] for kind in kinds if kind in ENDS)
        names[str(path)] = set(map(unquote, re.findall(r' n[0-3]="([^"]+)"', text)))
    return counts, names


def check_against_text(paths: list[Path]) -> Counter[str]:
    """Hands, games and draws are counted once, in all that prints them, and for groups of any players."""
    counts, names = read_as_text(paths)
    wanted = [f"{name}_count" for name in ENDS.values()]
    expected = [counts[name] for name in ENDS.values()]
    options = ["-j", "1", "--metrics", ",".join([*wanted, "draw_rate"])]
    whole = json.loads(call("stats", *paths, *options, "-f", "json").data)["population"]
    assert (whole["games"], whole["hands"]) == (counts["games"], counts["hands"])
    assert [whole["stats"][name]["n"] for name in wanted] == expected
    assert [whole["stats"]["draw_rate"][part] for part in "nd"] == [counts["draw"], counts["hands"]]
    frame = stats(paths, metrics=[*wanted, "draw_rate"])
    assert frame["n"].loc[wanted].tolist() == expected
    assert set(frame["games"]) == {counts["games"]}
    assert set(frame["hands"]) == {counts["hands"]}
    rows = list(csv.DictReader(io.StringIO(call("stats", *paths, *options, "-f", "csv").text)))
    assert [int(row["n"]) for row in rows[:-1]] == expected
    assert {(row["games"], row["hands"]) for row in rows} == {(str(counts["games"]), str(counts["hands"]))}
    assert f"{counts['games']} games, {counts['hands']:,} hands" in call("stats", *paths, *options).talk
    every = set[str]().union(*names.values())
    together = stats(paths, by="player", metrics=wanted, aliases=dict.fromkeys(every, "all of them"))
    assert together["n"].tolist() == expected, "a group of all players has each hand once"
    for player in sorted(every)[:3]:
        own, _ = read_as_text([path for path in paths if player in names[str(path)]])
        alone = stats(paths, players=player, metrics=wanted).xs(player)
        assert alone["n"].tolist() == [own[name] for name in ENDS.values()]
        assert set(alone["hands"]) == {own["hands"]}
    return counts


def test_hands_and_games_count_once_as_in_the_text_of_sample_logs() -> None:
    counts = check_against_text(sorted((SAMPLES.parent / "games").glob("*-4p-*.gz")))
    assert counts["nine_terminals"] + counts["four_riichi"] == 2


def test_tables_of_a_dataset_have_a_hand_once(tmp_path: Path) -> None:
    paths = sorted((SAMPLES.parent / "games").glob("*-4p-*.gz"))
    assert call("import", *paths, "-o", tmp_path / "dataset", "-j", "1").status == 0
    counts, _ = read_as_text(paths)
    query = "SELECT count(*) AS hands, count(*) FILTER (hands.end = 'nine terminals') AS aborted FROM hands"
    (row,) = json.loads(call("sql", tmp_path / "dataset", query, "-f", "json").text)["rows"]
    assert (row["hands"], row["aborted"]) == (counts["hands"], counts["nine_terminals"])
    frame = stats(tmp_path / "dataset", metrics=["nine_terminals_count"])
    assert frame[["games", "hands", "n"]].to_numpy().tolist() == [
        [counts["games"], counts["hands"], counts["nine_terminals"]]
    ]


@pytest.mark.corpus
def test_hands_and_games_count_once_as_in_the_text_of_real_logs(shared: Path) -> None:
    by_id = {path.stem: path for path in sorted((shared / "logs" / "mjlog").rglob("*.mjlog"))}
    paths = list(by_id.values())[::60]
    assert check_against_text(paths)["hands"] > 200


def test_opponents_of_two_players_meet_them_in_one_hand() -> None:
    batch = simulated("tenhou", ("balanced",) * 4, range(3))
    names = batch.games.names.copy()
    names[:] = ["Aki", "Botan", "Chidori", "Dai"]
    rows = records(replay(replace(batch, games=replace(batch.games, names=names))))
    hands = len(batch.hands)
    draws = [CATALOGUE["draw_rate"]]
    for by, hand_counts in ((("opponent",), [hands] * 4), (("player", "opponent"), [hands] * 6)):
        found = count(rows, draws, Chosen(by, frozenset({"Aki", "Botan"})))
        assert found.sizes[:, 1].tolist() == hand_counts
        assert found.sums[:, 0, D].tolist() == hand_counts


def test_sample_logs() -> None:
    slow = compare(Batch.concatenate(read_batches([SAMPLES])))
    assert slow["win_rate"] == (118, 516)


@pytest.mark.parametrize("name", ["tenhou", "tenhou-sanma"])
def test_simulated_games_of_all_sorts_of_players(name: str) -> None:
    kinds = ("balanced", "caller", "wild", "defender")
    slow = compare(simulated(name, kinds[: load_preset(name).table.players], range(6)))
    assert sum(n > 0 for n, _ in slow.values()) > 300


@pytest.mark.slow
@pytest.mark.corpus
def test_all_real_games(shared: Path) -> None:
    games = 0
    for batch in read_batches([shared / "logs" / "mjlog"]):
        compare(batch)
        games += len(batch)
    assert games > 2500


@pytest.mark.corpus
def test_some_real_games(shared: Path) -> None:
    paths = sorted(path for path in (shared / "logs" / "mjlog").rglob("*") if path.is_file())[::120]
    slow = compare(Batch.concatenate(read_batches(paths)))
    assert slow["win_rate"][1] > 500
