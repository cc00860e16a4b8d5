"""Guessing rules: what is found, what stays undecided, what speaks for it, and the command."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from command import call
from guessed_rules import PLAIN, made_ruleset, simulated, told
from test_findings import copy_of

from paifu.api.rule_guess import guess_rules
from paifu.parsers.read import read_batches
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.rules.fields import RuleValue
from paifu.replay.rules.ruleset import FIELDS
from paifu.replay.rulesets.presets import dump_overrides, load_preset, with_overrides
from paifu.replay.table import rule_guess
from paifu.replay.table.rule_alternatives import alternatives
from paifu.replay.table.rule_guess import RuleEvidence, spaced
from paifu.reports import rule_guesses

pytestmark = pytest.mark.every(10)

SAMPLES = Path(__file__).parents[2] / "sample_logs"
RULESETS = SAMPLES / "rulesets"


@pytest.mark.parametrize(
    "name",
    [
        "majsoul-sanma",
        *(pytest.param(n, marks=pytest.mark.slow) for n in ("ema", "wrc", "mleague", "yakuza2")),
    ],
)
def test_the_preset_of_a_sample_is_found(name: str) -> None:
    """They are logs of Tenhou's format, which names Tenhou's rules."""
    (guess,) = guess_rules(RULESETS / f"{name}.mjlog")
    assert name in (guess.preset, *guess.alike)  # leagues whose rules differ in what the sample does not show
    assert (dict(guess.changes), dict(guess.left)) == ({}, {})
    assert guess.named[0].startswith("tenhou")
    assert guess.before
    assert guess.evidence
    rules = load_preset(guess.preset).values()
    for evidence in guess.evidence:
        for rule, value in evidence.rules.items():
            assert rules[rule] == value != evidence.instead[rule]
            assert len(evidence.rules) > 1 or rule not in guess.undecided


def test_a_single_rule_is_found() -> None:
    """A game of which the log names another honba, and no ippatsu."""
    (batch,) = read_batches([SAMPLES / "formats" / "hanchan.mjlog.gz"])
    overrides = np.array([dump_overrides({"honba_each": 200, "ippatsu": False})], object)
    odd = replace(batch, games=replace(batch.games, overrides=overrides))
    guess = rule_guess.guess_rules(odd, use_presets=False)
    assert dict(guess.changes) == {"honba_each": 100, "ippatsu": True}
    assert {"V304", "V401"} <= set(guess.before)
    assert guess.left == {}
    (honba,) = (one for one in guess.evidence if "honba_each" in one.rules)
    assert (honba.instead, set(honba.codes)) == ({"honba_each": 200}, {"V401"})


@pytest.mark.full
@pytest.mark.parametrize("name", ["V205", "V207", "V309", "V504", "V603"])
def test_no_rule_is_guessed_that_forbids_moves_of_the_log(name: str) -> None:
    """Each of these hands breaks off under some rule, and then nothing else speaks against that rule."""
    (path,) = (SAMPLES / "broken").glob(f"{name}.*")
    (batch,) = read_batches([path])
    guess = rule_guess.guess_rules(batch)
    codes = {"V103", "V204", "V205", "V206", "V207", "V208", "V212", "V213"}
    assert codes & set(guess.left) <= codes & set(guess.before)
    has_chi = bool((batch.events.kind == EventKind.CHI).any())
    assert ("chi" in guess.undecided) is not has_chi
    shown = [(one.rules, one.instead, set(one.codes)) for one in guess.evidence if "chi" in one.rules]
    assert shown == [({"chi": True}, {"chi": False}, {"V204"})] * has_chi


def test_what_no_rule_explains_is_no_evidence() -> None:
    (batch,) = read_batches([SAMPLES / "scenarios" / "double-ron.mjlog"])
    odd = copy_of(batch)
    odd.games.overrides[0] = dump_overrides({"honba_each": 200})

    def evidence() -> int:
        guess = rule_guess.guess_rules(odd, use_presets=False)
        assert dict(guess.changes) == {"honba_each": 100}
        (found,) = (one for one in guess.evidence if "honba_each" in one.rules)
        assert set(found.codes) == {"V401"}
        return found.codes["V401"]

    hands = evidence()
    win = next(row for row, hand in enumerate(odd.wins.hand.tolist()) if odd.hands.honba[hand] == 0)
    odd.wins.deltas[win, odd.wins.seat[win]] += 100
    assert evidence() == hands == 1


@pytest.mark.parametrize(
    ("scenario", "rule", "named", "found"),
    [
        ("ippatsu", "ippatsu", False, True),
        ("two-tenpai", "noten_pay_2", 2000, 1500),
        ("kan-dora-closed", "kan_dora", False, True),
        ("pao-daisangen-ron", "pao_daisangen", False, True),
        ("double-ron", "head_bump", True, False),
        ("nagashi", "nagashi", "none", "draw"),
    ],
)
def test_one_hand_shows_a_rule_that_its_log_names_wrongly(
    scenario: str, rule: str, named: RuleValue, found: RuleValue
) -> None:
    (batch,) = read_batches([SAMPLES / "scenarios" / f"{scenario}.mjlog"])
    own = json.loads(batch.games.overrides[0])
    batch.games.overrides[0] = dump_overrides(own | {rule: named})
    guess = rule_guess.guess_rules(batch, use_presets=False)
    assert (dict(guess.changes), guess.left) == ({rule: found}, {})


def test_logs_that_name_their_rules() -> None:
    (guess,) = guess_rules(SAMPLES / "formats" / "kokushi.mjlog")
    assert (guess.preset, dict(guess.changes), dict(guess.before), guess.named) == ("", {}, {}, ("tenhou",))
    assert "tenhou" not in guess.alike
    assert "abort_suufon" in guess.undecided


def test_alternatives_are_rulesets_and_none_is_the_present_one() -> None:
    (batch,) = read_batches([SAMPLES / "formats" / "hanchan.mjlog.gz"])
    for name in ("tenhou", "mleague"):
        rules = load_preset(name)
        values = rules.values()
        tried = list(alternatives(rules, batch))
        assert len(tried) > 120
        others = [one for one in tried if {key: values[key] for key in one} != dict(one)]
        assert len(others) >= len(tried) - 2
        for one in others:
            with_overrides(rules, one)
        names = {key for one in tried for key in one}
        assert {"uma", "kiriage", "red_man", "noten_pay_2", "max_wind_rounds", "start_points"} <= names


def test_final_points_show_the_uma() -> None:
    (batch,) = read_batches([SAMPLES / "formats" / "hanchan.mjlog.gz"])
    found = [one for one in alternatives(load_preset("mleague"), batch) if len(one) == 4]
    assert found[0]["uma"] == [20000, 10000, -10000, -20000]
    assert (found[0]["return_points"], found[0]["start_points"]) == (30000, 25000)


def test_games_whose_points_are_not_known_or_shared_say_nothing_of_the_uma() -> None:
    """Nor do they keep the others from saying it."""
    (batch,) = read_batches([SAMPLES / "formats" / "hanchan.mjlog.gz"])
    three = copy_of(Batch.concatenate([batch] * 3))
    three.games.final_points[0] = np.nan
    three.games.final_scores[1] = 25000
    found = [one for one in alternatives(load_preset("mleague"), three) if len(one) == 4]
    assert found[0]["uma"] == [20000, 10000, -10000, -20000]


def test_some_of_many() -> None:
    assert spaced(range(3), 5) == [0, 1, 2]
    assert spaced(range(100), 4) == [0, 25, 50, 75]
    assert len(spaced(range(101), 10)) <= 10


@pytest.mark.parametrize("seed", [3, *(pytest.param(n, marks=pytest.mark.full) for n in range(20, 28))])
def test_nothing_wrong_is_claimed_of_a_made_up_ruleset(seed: int) -> None:
    """Of a few made-up rulesets."""
    chance = random.Random(seed)  # noqa: S311
    players = 3 if seed % 5 == 0 else 4
    rules, _changed = made_ruleset(chance, simulated(load_preset(PLAIN[players]), 1))
    found = told(rule_guess.guess_rules(simulated(rules, 1, 100 * seed)), rules)
    assert (found.wrong, found.unsaid) == ([], [])
    assert found.counts.total() > 0


def test_rules_that_only_matter_together_are_not_told_apart() -> None:
    """Another uma explains the points if the return points are others, too."""
    (batch,) = read_batches([SAMPLES / "formats" / "tonpuu.mjlog"])
    guess = rule_guess.guess_rules(batch)
    shown = {name for one in guess.evidence for name in one.rules}
    assert {"rounding", "wind_rounds"} <= shown
    assert {"uma", "return_points", "max_wind_rounds"} <= {*guess.undecided} - shown
    assert "chombo_points" in guess.untried
    assert not {*guess.untried} & {*guess.undecided, *shown}


# --- the command ---------------------------------------------------------------------------------------


def test_the_command(tmp_path: Path) -> None:
    inputs = [RULESETS / "majsoul-sanma.mjlog", SAMPLES / "systems" / "hk-old-style-games.jsonl.gz"]
    result = call("rules", "guess", *inputs, "--jobs", 1)
    assert result.status == 0
    assert result.text.splitlines()[1] == "best: majsoul-sanma; nothing contradicts"
    assert "next: paifu verify PATH... --rules majsoul-sanma" in result.text
    assert result.talk[-1] == "not looked at: 2 games (not riichi)"


@pytest.mark.parametrize("width", [50, 80, 200])
def test_texts_are_as_wide_as_the_terminal(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    text = call("rules", "guess", SAMPLES / "formats" / "kokushi.mjlog", "--jobs", 1).text
    begin = text.index("undecided, no game shows them: ")
    lines = text[begin:].splitlines()
    assert max(map(len, lines)) <= width
    assert len(lines) > 1
    names = " ".join(lines).partition(" not looked at")[0].split(": ")[1].replace(",", " ").split()
    assert set(names) <= set(FIELDS)
    assert len(names) > 30


def test_what_one_hand_alone_shows_is_said(tmp_path: Path) -> None:
    """A payment that was edited: a rule would explain it, and so would an error."""
    source = SAMPLES / "broken" / "V401.mjlog"
    evidence = RuleEvidence({"honba_each": 200}, {"honba_each": 100}, {"V401": 1})
    (guess,) = guess_rules(source)
    told = rule_guesses.after(replace(guess, changes={"honba_each": 200}, evidence=(evidence,)))
    assert "one hand alone shows honba_each: the log may be wrong instead" in told
    twice = replace(evidence, codes={"V401": 2})
    changed = replace(guess, changes={"honba_each": 200}, evidence=(twice,))
    assert not any("alone" in text for text in rule_guesses.after(changed))
    assert rule_guesses.next_step(changed) == "next: paifu verify PATH... --set 'honba_each=200'"
    assert rule_guesses.next_step(replace(guess, preset="", changes={})) == ""


def test_the_document(tmp_path: Path) -> None:
    (tmp_path / "bad.mjlog").write_bytes(b"no log")
    result = call(
        "rules", "guess", SAMPLES / "formats" / "kokushi.mjlog", tmp_path, "-f", "json", "--jobs", 1
    )
    assert result.status == 1
    document = json.loads(result.text)
    (guess,) = document["guesses"]
    assert (document["schema"], guess["ruleset"], guess["named"]) == ("paifu.rules-guess/1", None, ["tenhou"])
    assert {"rules", "instead", "contradictions"} == set(guess["evidence"][0])


def test_only_some_games_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paifu.api.rule_guess.MOST_GAMES", 1)
    found = guess_rules(SAMPLES / "formats" / "five-games.jsonl")
    assert (found.beyond, [guess.games for guess in found]) == (4, [1])


def test_verify_says_when_findings_share_a_cause() -> None:
    inputs = [RULESETS / f"{name}.mjlog" for name in ("wrc", "ema", "mleague")]
    told = call("verify", *inputs, "--jobs", 1).talk
    assert told[-2] == (
        "V506 in several hands: the games may have been played under other rules; "
        "'paifu rules guess PATH...' looks for them"
    )
    assert told[-1].endswith("errors")
    for arguments in ([*inputs, "--rules", "tenhou"], [SAMPLES / "broken" / "V307.mjlog"]):
        assert not any("rules guess" in text for text in call("verify", *arguments, "--jobs", 1).talk)


@pytest.mark.corpus
@pytest.mark.slow
def test_real_logs_are_explained_by_what_they_name(shared: Path) -> None:
    """Some hundred games of Tenhou, in one guess for each number of players."""
    folder = shared / "logs" / "mjlog" / "573932914+mahjong-analytics"
    for guess in guess_rules(folder):
        assert (guess.preset, dict(guess.changes), dict(guess.before)) == ("", {}, {})


def test_batches_without_games() -> None:
    assert list(guess_rules(SAMPLES / "systems" / "zung-jung-games.jsonl.gz")) == []
    assert len(Batch.empty()) == 0
