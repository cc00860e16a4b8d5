"""The front door: what ``import paifu`` offers, what it costs, and that it agrees with the commands."""

from __future__ import annotations

import ast
import doctest
import importlib
import json
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import call
from each_row import each_row

import paifu
from paifu.api.pipeline import Watch, replaying
from paifu.api.read import UnreadableError
from paifu.parsers.errors import ParseError, PathNotFound
from paifu.parsers.read import Inputs
from paifu.replay import errors
from paifu.replay.errors import PaifuError
from paifu.replay.findings.finding import Finding
from paifu.replay.model.tile_notation import tile_name
from paifu.replay.schemes.card import CardWaits
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.score import ScoredWin
from paifu.replay.table.replayed import Replay

ROOT = Path(__file__).parents[2]
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


@each_row("name", paifu.__all__)
def test_everything_it_names_is_there_and_documented(name: str) -> None:
    thing = getattr(paifu, name)
    assert name in dir(paifu)
    if not isinstance(thing, str):
        assert thing.__doc__


ERRORS = {
    name: thing
    for name, thing in ((name, getattr(paifu, name)) for name in paifu.__all__)
    if isinstance(thing, type) and issubclass(thing, Exception)
}


@each_row("name", sorted({*paifu.__all__} - {*ERRORS, "__version__"}))
def test_everything_public_has_an_example(name: str) -> None:
    """``tests/house/test_docs.py`` runs them, as it does all examples in docstrings."""
    tests = doctest.DocTestFinder().find(getattr(paifu, name), name)
    assert any(test.examples for test in tests)


def _kinds(error: type[PaifuError]) -> Iterator[type[PaifuError]]:
    yield error
    for kind in error.__subclasses__():
        yield from _kinds(kind)


def test_all_errors_are_public_and_documented() -> None:
    """But for kinds of ParseError, which say where in a format an error comes from."""
    for package in ("api", "coach", "parsers", "replay", "reports"):
        path = importlib.import_module(f"paifu.{package}").__path__
        for module in pkgutil.walk_packages(path, f"paifu.{package}."):
            importlib.import_module(module.name)
    kinds = {
        kind
        for kind in _kinds(PaifuError)
        if kind.__module__.startswith("paifu.") and (kind is ParseError or not issubclass(kind, ParseError))
    }
    assert len(kinds) > 20
    assert kinds == set(ERRORS.values())
    for name in ERRORS:
        assert re.search(rf"^[ │├└─]*{name}\b", str(errors.__doc__), re.MULTILINE), name


def test_type_checkers_and_python_see_the_same_names() -> None:
    source = ast.parse(Path(str(paifu.__file__)).read_text("utf-8"))
    seen = {
        alias.asname: node.module
        for node in ast.walk(source)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname
    }
    assert seen.keys() == set(paifu.__all__) - {"__version__"}
    for name, module in seen.items():
        if name != "replay":
            assert getattr(importlib.import_module(str(module)), name) is getattr(paifu, name)


def test_what_it_does_not_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'verfy'"):
        _ = paifu.verfy  # type: ignore[attr-defined]


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


SCORED = [
    ("234m55p345678s(555z)", {"win": "3s", "dora": "4m", "payer": "west"}),
    ("22334455667788p", {"tsumo": True, "riichi": True, "seat_wind": "east", "honba": 2, "sticks": 1}),
    ("34566m555s67p(2222p)8p", {"rinshan": True, "liable": "east", "rules": "mcgill-riichi"}),
    ("(777z)99m11122233p3p", {"rules": "zung-jung", "tsumo": True}),
    ("(1f)123m456p678s66m78p9p", {"rules": "hk-old-style", "tsumo": True, "seat_wind": "east"}),
]


@each_row(("hand", "options"), SCORED, ids=[hand for hand, _ in SCORED])
def test_scores_are_those_of_the_command(hand: str, options: dict[str, Any]) -> None:
    words = [
        word
        for name, value in options.items()
        for word in (f"--{name.replace('_', '-')}", *([] if value is True else [str(value)]))
    ]
    printed = json.loads(call("score", hand, *words, "--format", "json").text)
    won = paifu.score(hand, **options)
    assert list(won.payments) == list(printed["payments"].values())
    if isinstance(won, ScoredWin):
        assert [(yaku.id, han) for yaku, han in won.yaku] == [(y["id"], y["han"]) for y in printed["yaku"]]
        assert (won.points, won.fu) == (printed["points"], printed["fu"])
    else:
        assert [row.id for row in won.patterns] == [row["id"] for row in printed["patterns"]]
        assert won.value == printed["value"]


def test_scoring_takes_rulesets_and_settings() -> None:
    plain = paifu.score("234m55p345678s(555z)", win="3s", honba=1)
    other = paifu.score(
        "234m55p345678s(555z)", win="3s", honba=1, rules=paifu.ruleset("tenhou", {"honba_each": 500})
    )
    assert sum(plain.payments) == sum(other.payments) == 0
    assert max(other.payments) > max(plain.payments)
    assert paifu.score("234m55p345678s(555z)", win="3s", honba=1, settings={"honba_each": 500}) == other


def test_waits_are_those_of_the_command() -> None:
    for hand, rules in (
        ("1112345678999m", "tenhou"),
        ("19m19p19s1234567z", "zung-jung"),
        ("13579m2468p135s7z", "wsom"),
    ):
        printed = json.loads(call("score", hand, "--rules", rules, "--format", "json").text)
        found = paifu.waits(hand, rules=rules)
        assert not isinstance(found, CardWaits)
        assert [tile_name(kind) for kind in found.kinds] == printed["tiles"]
        assert found.live == printed["live"]
    lines = paifu.waits("4z11z33z1j2222z2s5z1s", rules="american-2013")
    assert isinstance(lines, CardWaits)
    assert lines.lines[0].away == 1


def test_a_hand_that_does_not_win_is_an_error_and_so_is_a_wrong_question() -> None:
    with pytest.raises(HandError, match="no yaku"):
        paifu.score("234m99p345678s(444z)", win="3s")
    with pytest.raises(HandError, match="name the 14th with win="):
        paifu.score("1112345678999m")
    with pytest.raises(HandError, match="leave one out"):
        paifu.waits("234m55p345678s555z")
    with pytest.raises(ValueError, match="--gong-on-gong needs"):
        paifu.score("234m55p345678s555z", gong_on_gong=True)
    with pytest.raises(HandError, match="--ron describes a win"):
        paifu.score("1112345678999m", tsumo=False)


def test_statistics_are_those_of_the_command() -> None:
    frame = paifu.stats(SAMPLES, by=["room", "length"], metrics="win_rate,rank,dearest_win", intervals=True)
    said = call(
        "stats", SAMPLES, "--by", "room,length", "--metrics", "win_rate,rank,dearest_win", "-f", "json"
    )
    groups = json.loads(said.text)["groups"]
    assert frame.index.names == ["room", "length", "statistic"]
    assert len(frame) == 3 * len(groups) > 3
    for group in groups:
        for name, one in group["stats"].items():
            row = frame.loc[(*group["key"].values(), name)]
            assert (row["games"], row["hands"]) == (group["games"], group["hands"])
            shown = [one[part] for part in ("n", "d", "value", "low", "high")]
            own = row[["n", "d", "value", "low", "high"]].astype(float)
            assert own.tolist() == pytest.approx([np.nan if x is None else x for x in shown], nan_ok=True)
    assert list(paifu.stats(SAMPLES).columns) == ["games", "hands", "n", "d", "value"]
    nobody = paifu.stats(SAMPLES, by="player", min_hands=10**6)
    assert (len(nobody), nobody.dtypes["n"], nobody.dtypes["value"]) == (0, np.int64, np.float64)


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
    own, other = paifu.replay_games(game), paifu.replay_games(batch, "mleague")
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


def _hands(replayed: Replay, inputs: Inputs) -> tuple[int, int]:
    return replayed.checked.hands, inputs.files


def test_a_run_tells_whoever_watches_and_adds_up(broken: Path) -> None:
    told = _Told()
    run = replaying([SAMPLES, broken], _hands, watch=told)
    results = list(run)
    assert (sum(hands for hands, _ in results), sum(files for _, files in results)) == (133, 13)
    assert (run.games, told.games) == (16, 16)
    assert run.faults == told.faults
    assert len(run.faults) == 1
