"""What the sample logs cover: every finding, every statistic, and in each scenario what its line says."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from each_row import each_row

from paifu.parsers.read import read_batches
from paifu.replay.facts.tables import code_of
from paifu.replay.findings.review_kinds import REVIEW_KINDS
from paifu.replay.findings.review_sentences import review_cases
from paifu.replay.findings.spoken import KINDS
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import HandEnd
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.local_yaku import LOCAL_YAKU
from paifu.replay.rulesets.presets import load_preset, preset_names
from paifu.replay.table.engine import replay
from paifu.reports.metrics.catalogue import CATALOGUE, choose
from paifu.reports.metrics.counters import Counters, count
from paifu.reports.metrics.recording import records

FOLDER = Path(__file__).parents[2] / "sample_logs"
sys.path.append(str(FOLDER.parent / "bench"))

from sample_faults import FAULTS
from sample_rulesets import RULINGS
from sample_scenarios import SCENARIOS

NEVER = {
    "foul_rate": "Tenhou's formats, in which the samples are, know no fouls",
    "bakaze_north": "no ruleset here goes on to a north round",
    "open_riichi": "no log format says so",
    **{
        f"yaku_{yaku.rule.removesuffix('_han')}": "a rule of no preset"
        for yaku in LOCAL_YAKU
        if not any(load_preset(name)[yaku.rule] for name in preset_names())
    },
}
"""Yaku that no log can show, and why."""
SUMS_TO_NOTHING = {"budget_draws", "score_change_game", "rank_points"}
"""What one player gains another loses. Results do not: those of Yakuza 2 keep the points of the start."""


@cache
def read(*folders: str) -> Batch:
    batch = Batch.concatenate(read_batches([FOLDER / folder for folder in folders]))
    assert batch.faults.reason.tolist() == []
    return batch


def codes(findings: object) -> list[str]:
    return [code_of(code) for code in findings.code.tolist()]  # type: ignore[attr-defined]


def test_the_first_command_runs_on_clean_logs_with_every_finding_of_the_review() -> None:
    batch = read("games", "scenarios")
    facts = replay(batch, review=True)
    assert codes(facts.findings) == []
    assert facts.checked.finals == len(batch) == len(SCENARIOS) + 32
    assert facts.checked.walls > 200
    assert {code_of(case.code) for case in review_cases(facts)} == set(REVIEW_KINDS)


def test_every_statistic_counts_something() -> None:
    metrics = choose(CATALOGUE)
    names = [metric.name for metric in metrics]
    parts = {(): read("games", "scenarios", "systems")}
    parts |= {(load_preset(name),): read(f"rulesets/{one.file}") for name, one in RULINGS.items()}
    counted = [count(records(replay(part, *rules, review=True)), metrics) for rules, part in parts.items()]
    total = Counters.total(counted, (), names)
    (key,) = total.keys
    numerators, denominators = total.sums[0, :, 0], total.sums[0, :, 1]
    is_best = np.array([(key, name) in total.bests for name in names])
    exempt = [any(word in name for word in NEVER) for name in names]
    empty = [name for name, n in zip(names, denominators.tolist(), strict=True) if not n]
    nothing = [n for n, is_nothing in zip(names, (numerators == 0) & ~is_best, strict=True) if is_nothing]
    excused = {name for name, is_exempt in zip(names, exempt, strict=True) if is_exempt}
    assert set(empty) <= excused
    assert set(nothing) == excused | SUMS_TO_NOTHING


@pytest.fixture(scope="module")
def shown() -> dict[str, tuple[set[int], HandEnd, set[str]]]:
    """Of each scenario: yaku, end and findings of the hand that its line is about."""
    batch = read("scenarios")
    facts = replay(batch, review=True)
    files = [Path(source).stem for source in batch.games.source.tolist()]
    first = dict(zip(files, batch.games.hand_begin.tolist(), strict=True))
    cases = [(case.game, case.hand, code_of(case.code)) for case in review_cases(facts)]
    made = {}
    for name, scenario in SCENARIOS.items():
        number = len(scenario.scripts) - 1
        hand = first[name] + number
        wins = facts.scored_wins.yaku[facts.scored_wins.hand == hand]
        yaku = {bit for bit in range(63) if any(int(win) >> bit & 1 for win in wins)}
        found = {code for game, at, code in cases if files[game] == name and at in (number, hand)}
        made[name] = (yaku, HandEnd(int(batch.hands.end[hand])), found)
    return made


@each_row("name", SCENARIOS)
def test_a_scenario_shows_what_its_line_says(
    name: str, shown: dict[str, tuple[set[int], HandEnd, set[str]]]
) -> None:
    scenario = SCENARIOS[name]
    yaku, end, found = shown[name]
    assert yaku == set(scenario.yaku)
    assert end == scenario.end
    assert found >= set(scenario.finds)


def test_every_yaku_and_abort_has_a_scenario() -> None:
    tenhou_knows = set(range(52)) - {36, 17}  # no renhou there, and no north round
    assert {number for one in SCENARIOS.values() for number in one.yaku} == tenhou_knows
    ends = {one.end for one in SCENARIOS.values()}
    assert ends == set(HandEnd) - {HandEnd.UNFINISHED, HandEnd.UNKNOWN_DRAW, HandEnd.CHOMBO}


def test_each_broken_log_shows_its_finding() -> None:
    assert [fault.code for fault in FAULTS] == [code for code in KINDS if code.startswith("V")]
    for fault in FAULTS:
        batch = Batch.concatenate(read_batches([FOLDER / "broken" / fault.name]))
        assert fault.code in {*codes(replay(batch).findings), *batch.faults.code.tolist()}, fault.name


def test_every_ruleset_has_its_log() -> None:
    assert set(RULINGS) == set(preset_names(Scheme.HAN_FU))


@each_row("name", RULINGS)
def test_a_ruleset_decides_something_that_another_objects_to(name: str) -> None:
    ruling = RULINGS[name]
    batch = read(f"rulesets/{ruling.file}")
    own = replay(batch, load_preset(name))
    assert codes(own.findings) == []
    assert own.checked.finals == 1
    assert ruling.code in codes(replay(batch, load_preset(ruling.other)).findings)
