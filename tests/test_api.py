"""The front door: what ``import paifu`` offers, what it costs, and that it agrees with the commands."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from command import call

import paifu
from paifu.api.pipeline import Watch, replaying
from paifu.api.reading import UnreadableError
from paifu.parsers.dataset.shards import DatasetError
from paifu.parsers.errors import ParseError, PathNotFound, WriteError
from paifu.parsers.output_files import OutputError
from paifu.replay.findings.finding import Finding, UnknownCodeError
from paifu.replay.rules.presets import RuleError
from paifu.replay.scoring.readings import HandError
from paifu.replay.table.facts import Replay
from paifu.reports.metrics.catalogue import UnknownMetricError

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "sample_logs" / "formats"
HANCHAN = SAMPLES / "hanchan.mjlog.gz"
HEAVY = ("numpy", "numba", "pandas", "pyarrow", "matplotlib", "lxml", "rich", "click")


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "broken.mjlog"
    path.write_bytes(b'<mjloggm ver="2.3"><GO')
    return path


def test_importing_it_imports_nothing_heavy() -> None:
    code = f"import sys, paifu; print([name for name in {HEAVY} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


@pytest.mark.parametrize("name", paifu.__all__)
def test_everything_it_names_is_there_and_documented(name: str) -> None:
    thing = getattr(paifu, name)
    assert name in dir(paifu)
    if not isinstance(thing, str):
        assert thing.__doc__


def test_what_it_does_not_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'verfy'"):
        _ = paifu.verfy  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "error",
    [
        ParseError, PathNotFound, WriteError, OutputError, DatasetError, RuleError, UnknownCodeError,
        UnknownMetricError, HandError, UnreadableError,
    ],
)  # fmt: skip
def test_errors_are_one_family(error: type[Exception]) -> None:
    assert issubclass(error, paifu.PaifuError)


def test_the_module_runs_like_the_command(tmp_path: Path) -> None:
    arguments = ["rules", "show", "mleague", "--format", "json"]
    run = subprocess.run(
        [sys.executable, "-m", "paifu", *arguments], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    assert json.loads(run.stdout) == json.loads(call(*arguments).text)


def test_verify_finds_what_the_command_prints(broken: Path) -> None:
    result = paifu.verify([SAMPLES, broken], rules="mleague", select=["V3"])
    rows = json.loads(
        call("verify", SAMPLES, broken, "--rules", "mleague", "--select", "V3", "-f", "json").text
    )
    assert [(f.code, f.hand, f.event) for f in result] == [
        (row["code"], row["hand"], row["event"]) for row in rows["findings"]
    ]
    assert len(result) > 1
    assert result.tally.summary() == rows["summary"]
    assert not result


def test_review_finds_what_the_command_prints() -> None:
    review = paifu.review(HANCHAN, players="Botan")
    rows = json.loads(call("review", HANCHAN, "--player", "Botan", "--format", "json").text)["findings"]
    assert [(one.finding.code, one.cost) for one in review] == [
        (row["code"], row["evidence"]["cost"]) for row in rows
    ]
    assert rows


def test_statistics_are_those_of_the_command() -> None:
    frame = paifu.stats(SAMPLES, by=["room", "length"], metrics="win_rate")
    rows = json.loads(
        call("stats", SAMPLES, "--by", "room,length", "--metrics", "win_rate", "-f", "json").text
    )
    shown = {tuple(g["key"].values()): g["stats"]["win_rate"]["value"] for g in rows["groups"]}
    assert dict(zip(frame.index, frame["win_rate"], strict=True)) == pytest.approx(shown)
    assert len(shown) > 1


def test_reading_notes_what_it_cannot_read(broken: Path) -> None:
    games = paifu.read([broken, HANCHAN])
    assert [game.players for game in games] == [4]
    assert [fault.code for fault in games.faults] == ["V101"]


def test_strict_reading_raises(broken: Path) -> None:
    with pytest.raises(UnreadableError, match=r"broken\.mjlog: V101"):
        list(paifu.read(broken, strict=True))


def test_a_path_that_names_nothing_is_told_at_once() -> None:
    with pytest.raises(PathNotFound):
        paifu.read("nowhere/at-all")


def test_a_replay_takes_a_game_or_a_batch_and_carries_its_rules() -> None:
    (game,) = paifu.read(HANCHAN)
    (batch,) = paifu.read(HANCHAN).batches()
    own, other = paifu.replay(game), paifu.replay(batch, "mleague")
    assert [rules.name for rules in (*own.rulesets, *other.rulesets)] == ["tenhou", "mleague"]
    assert paifu.findings(own) == []
    assert {finding.code for finding in paifu.findings(other)}


class _Told(Watch):
    def __init__(self) -> None:
        self.games, self.faults = 0, list[Finding]()

    def advance(self, games: int) -> None:
        self.games += games

    def fault(self, finding: Finding) -> None:
        self.faults.append(finding)


def _hands(replayed: Replay, files: int) -> tuple[int, int]:
    return replayed.checked.hands, files


def test_a_run_tells_whoever_watches_and_adds_up(broken: Path) -> None:
    told = _Told()
    run = replaying([SAMPLES, broken], _hands, watch=told)
    results = list(run)
    assert (sum(hands for hands, _ in results), sum(files for _, files in results)) == (133, 13)
    assert (run.games, told.games) == (16, 16)
    assert run.faults == told.faults
    assert len(run.faults) == 1
