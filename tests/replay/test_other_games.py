"""Whole games other than riichi: played out, simulated, verified, shown, counted, and changed in one fact."""

from __future__ import annotations

import json
import random
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from command import Result, call
from each_row import each_row
from other_games import CHANGES, SYSTEMS, changed, found, log_of, played, read
from paifu_texts import paifu_events_text, paifu_text
from scheme_hands import EXAMPLES, US, Example, patterns, win_of

from paifu.parsers.read import read_batches
from paifu.replay.bounds import check_batch
from paifu.replay.findings.spoken import cases, in_words
from paifu.replay.kernels.rules import IDENTICAL_PAIRS
from paifu.replay.model.tile_notation import parse_kinds
from paifu.replay.model.tiles import count_kinds
from paifu.replay.rules.choices import SevenPairs
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.schemes.hand import HeldTiles
from paifu.replay.schemes.readings import COPIES, KNITTED, SNAKES, readings
from paifu.replay.schemes.shapes import POWERS, SUIT_OF, Shapes
from paifu.replay.schemes.tables import winning_forms
from paifu.replay.scoring.readings import Form
from paifu.replay.shapes.shanten import shanten
from paifu.replay.table.engine import replay
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.metrics.counters import D, N, count
from paifu.reports.metrics.recording import records

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "bench"))

from sample_systems import hands_of, shown_patterns
from sample_wins import won_hand

MANY = 2000
"""Simulated games of each system that the slow test verifies."""
WON = [example for example in EXAMPLES if example.rules != US and example.payments is not None]


@each_row("example", WON, ids=lambda example: f"{example.rules}-{example.id}")
def test_worked_hands_are_worth_the_same_at_the_table(example: Example) -> None:
    """Played from the deal to the win, with whatever the table notes on the way."""
    rules = with_overrides(load_preset(example.rules), example.settings)
    win = win_of(example.hand, rules, **example.facts)
    hand = won_hand(rules, win.hand, win.facts, dealer_wins=max(0, win.facts.dealer_wins - 1))
    assert hand.win is not None
    scored = hand.win.scored
    assert patterns(scored.won) == example.patterns
    assert scored.won.value == example.value
    assert scored.changes == example.payments
    assert sorted(hand.win.tiles) == sorted(win.hand.tiles), "shown with the tile that won"


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_pattern_can_be_played(system: str) -> None:
    for pattern in shown_patterns(system):
        _, hands = hands_of(system, pattern)
        assert hands[-1].win is not None
        assert pattern in [name for name, _ in hands[-1].win.scored.patterns]


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_sample_logs_show_every_pattern_and_are_clean(system: str) -> None:
    (batch,) = read_batches([str(ROOT / "sample_logs" / "systems" / f"{system}-patterns.jsonl.gz")])
    assert found(batch) == []
    shown = [{name for name, _ in json.loads(text)} for text in batch.wins.patterns]
    titles = [batch.games.id[game].removeprefix(f"{system}-") for game in batch.wins.game]
    missing = {title for title, names in zip(titles, shown, strict=True) if title not in names}
    assert missing <= {"thirteen-dealer-wins"}  # of thirteen wins the last one shows it
    assert sorted(set(titles)) == sorted(shown_patterns(system))


@pytest.mark.every(2)
@pytest.mark.parametrize("system", SYSTEMS)
def test_simulated_games_are_clean(system: str) -> None:
    batch = played(system, 1, 2)
    check_batch(batch)
    replayed = replay(batch)
    assert len(replayed.findings) == 0
    checked = replayed.checked
    assert (checked.stopped, checked.finals, checked.walls) == (0, 2, checked.hands)
    assert checked.wins + checked.draws == checked.hands
    assert batch.games.final_scores.sum(axis=1).tolist() == [0, 0]


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("write", [paifu_text, paifu_events_text])
def test_logs_are_lossless(system: str, write: object, tmp_path: Path) -> None:
    batch = played(system, 3)
    path = tmp_path / "game.jsonl"
    path.write_bytes(write(batch))  # type: ignore[operator]
    (again,) = read_batches([str(path)])
    assert batch.differences(again, ignore=["games.source"]) == []
    assert len(again.faults) == 0


def test_a_game_follows_from_its_number_alone() -> None:
    assert paifu_text(played("wsom", 5)) == paifu_text(played("wsom", 5))
    assert paifu_text(played("wsom", 5)) != paifu_text(played("wsom", 6))


CASES = [(name, system) for name, change in CHANGES.items() for system in change.systems]


@pytest.mark.every(24)
@pytest.mark.parametrize(("name", "system"), CASES)
def test_one_changed_fact_is_found(name: str, system: str) -> None:
    change, done = CHANGES[name], 0
    for number in range(10, 40):
        batch = changed(name, system, number)
        if batch is None:
            continue
        codes = [finding.code for finding in found(batch)]
        assert set(codes) & set(change.codes), (number, codes)
        done += 1
        if done == 2:
            return
    assert done, "no game has a place for this change"


def test_patterns_that_differ_are_named() -> None:
    log = log_of("hk-old-style", 0)
    ends = [hand["events"][-1] for hand in log["hands"]]
    end = next(end for end in ends if len(end.get("patterns", ())) > 1)
    sound, first = end["patterns"], end["patterns"][0][0]
    more = ["big-four-winds", "limit"]

    def said(patterns: list[Any]) -> str:
        end["patterns"] = patterns
        return next(one.message for one in found(read(log)) if one.code == "V304")

    assert said([*sound, more]) == "patterns differ; only in the log: big-four-winds"
    assert said(sound[1:]) == f"patterns differ; not in the log: {first}"
    assert said([*sound[1:], more]) == (
        f"patterns differ; not in the log: {first}; only in the log: big-four-winds"
    )
    assert said([*sound, sound[0]]) == "patterns differ; one is listed more than once"


def test_the_page_says_how_much_is_checked() -> None:
    page = (ROOT / "docs" / "reference" / "systems.md").read_text("utf-8")
    rows = re.findall(r"^\| (\w[^|]+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", page, re.MULTILINE)
    told = {row[0]: list(map(int, row[1:])) for row in rows}
    assert told == {
        "worked hands played from the deal to the win": [
            sum(example.rules == system for example in WON) for system in SYSTEMS
        ],
        "patterns, each shown by a hand in the sample logs": [
            len(shown_patterns(system)) for system in SYSTEMS
        ],
        "kinds of changes of one fact, each found": [
            sum(system in change.systems for change in CHANGES.values()) for system in SYSTEMS
        ],
        "simulated games without a finding": [MANY] * 4,
    }


FORMS = {"knitted-pairs": True, "wriggling-snake-winds": True, "concealed-purity-pairs": True}


def near_hands(chance: random.Random) -> list[int]:
    """Thirteen tiles, of few kinds as often as not, so that they are near to a win."""
    kinds, first = chance.sample(range(34), 34), chance.choice((0, 9, 18))
    suit = [*range(first, first + 9)]
    if chance.random() < 0.1:
        return sorted(2 * chance.sample(suit, 7))[1:]
    chosen = chance.choice((suit, chance.choice(SNAKES), chance.choice(KNITTED), kinds[:8], kinds))
    copies = chance.choice((1, 2, 4))
    pool = [kind for kind in chosen for _ in range(copies if copies * len(chosen) >= 13 else 4)]
    return sorted(chance.sample(pool, 13))


def away(counts: list[int], rules: Ruleset) -> int:
    """How far a hand without melds is from a win, form by form; those that riichi has are looked up there."""
    identical = rules.hand.seven_pairs == SevenPairs.IDENTICAL
    tiles = [kind for kind, count in enumerate(counts) for _ in range(count)]
    known = shanten(tiles, (), forms=IDENTICAL_PAIRS if identical else 0)
    suits = [[min(count, 2) for count in counts[first : first + 9]] for first in (0, 9, 18)]
    pairs = max(2 * min(s.count(2), 7) + min(s.count(1), 7 - min(s.count(2), 7)) for s in suits)
    held = [kind for kind, count in enumerate(counts) if count]
    twice = [kind for kind, count in enumerate(counts) if count > 1]
    snakes = [len({*held} & {*kinds}) + bool({*twice} & {*kinds}) for kinds in SNAKES]
    of_form = {
        Form.STANDARD: known.standard,
        Form.SEVEN_PAIRS: known.seven_pairs,
        Form.ORPHANS: known.thirteen_orphans,
        Form.PURE_PAIRS: 13 - pairs,
        Form.SNAKE: 13 - max(snakes),
        Form.KNITTED: 13 - max(len({*held} & {*kinds}) for kinds in KNITTED),
    }
    return min(of_form[form] or 0 for form in winning_forms(rules))


@pytest.mark.every(2)
@pytest.mark.parametrize("system", SYSTEMS)
def test_waits_and_shanten_are_those_of_the_schemes(system: str) -> None:
    """At the table they are looked up; the schemes read hands in every way."""
    rules = with_overrides(load_preset(system), {"patterns": FORMS})
    shapes, chance, ready = Shapes(rules), random.Random(system), 0  # noqa: S311
    identical = rules.hand.seven_pairs == SevenPairs.IDENTICAL
    for _ in range(400):
        kinds = near_hands(chance)
        counts = count_kinds(kinds)
        keys = [
            sum(counts[9 * suit + digit] * 5**digit for digit in range(9 if suit < 3 else 7))
            for suit in range(4)
        ]
        mask = shapes.waits(counts, counts, 0)
        found = tuple(kind for kind in range(34) if mask >> kind & 1)
        assert found == tuple(
            kind for kind in range(34)
            if counts[kind] < COPIES and readings(
                HeldTiles(tiles=(*kinds, kind), win=kind), winning_forms(rules),
                self_drawn=True, identical_pairs=identical,
            )
        ), kinds  # fmt: skip
        assert shapes.shanten(keys, counts, 0) == away(counts, rules), kinds
        ready += bool(found)
        for kind in found[:2]:
            complete = [count + (kind == place) for place, count in enumerate(counts)]
            keys[SUIT_OF[kind]] += POWERS[kind]
            assert shapes.shanten(keys, complete, 0) == -1, (kinds, kind)
            keys[SUIT_OF[kind]] -= POWERS[kind]
    assert ready > 20


def test_only_a_hand_that_waits_for_one_tile_has_waits() -> None:
    shapes = Shapes(load_preset("zung-jung"))
    kinds = parse_kinds("123m456p789s1122z")
    assert shapes.waits_of(kinds, []) == shapes.waits_of(kinds[3:], [kinds[:3]]) == (27, 28)
    with pytest.raises(ValueError, match="13 tiles and 1 melds do not make a hand"):
        shapes.waits_of(kinds, [kinds[:3]])


@pytest.mark.every(2)
@pytest.mark.parametrize("system", SYSTEMS)
def test_shares_of_patterns_are_what_the_log_lists(system: str) -> None:
    """The second implementation counts texts; the games are clean, so the log lists what the engine finds."""
    batch, scheme = played(system, 7, 8), load_preset(system).game.scheme
    shares = [metric for metric in CATALOGUE.values() if metric.family == "patterns"]
    counters = count(records(replay(batch)), shares)
    listed = [{name for name, _ in json.loads(text)} for text in batch.wins.patterns]
    for number, metric in enumerate(shares):
        name = metric.name.removeprefix("pattern_").removesuffix("_share").replace("_", "-")
        due = (sum(name in names for names in listed), len(listed)) if scheme in metric.schemes else (0, 0)
        assert tuple(counters.sums[0, number, [N, D]].tolist()) == due


def run(*arguments: str, status: int = 0) -> Result:
    done = call(*arguments)
    assert done.status == status, done.talk
    return done


def test_hands_score_nothing_where_only_winners_are_paid_for() -> None:
    (batch,) = read_batches([ROOT / "sample_logs" / "systems" / "hk-old-style-games.jsonl.gz"])
    batch.wins.own_scores[1] = [0, 4, 0, 4]
    (finding,) = (in_words(case) for case in cases(replay(batch)))
    assert (finding.code, finding.seat, finding.expected, finding.actual) == ("V408", 1, 0, 4)


@pytest.mark.full
def test_commands_run_on_whole_games(tmp_path: Path) -> None:
    path = str(ROOT / "sample_logs" / "systems" / "hk-old-style-games.jsonl.gz")
    counted = run("stats", path)
    assert "call rate" in counted.text
    assert "riichi" not in counted.text
    assert "1 statistic skipped: no meaning in these games" in counted.talk
    patterns = run("stats", path, "--metrics", "pattern_self_pick_share,pattern_value_honour_share").text
    assert "Self-Pick" in patterns
    assert "Value Honour" not in patterns, "another game's"
    assert "not reviewed: 2 games (only riichi is reviewed)" in run("review", path).text
    assert "flowers and seasons" in run("show", path, "--game", "1", "--hand", "E1").text
    run("show", path, "--html", "-o", str(tmp_path / "game.html"))
    run("report", path, "-o", str(tmp_path / "report.html"))
    page = (tmp_path / "report.html").read_text("utf-8")
    assert 'id="riichi"' not in page
    assert "han 0 fu" not in page
    run("import", path, "-o", str(tmp_path / "dataset"))
    assert run("verify", str(tmp_path / "dataset")).talk[-1] == "no errors"
    assert run("stats", str(tmp_path / "dataset")).text == counted.text
    refused = run("simulate", "--rules", "american-2013", "-o", str(tmp_path / "us"), status=2)
    assert any("neither simulated nor replayed" in line for line in refused.talk)


def test_american_games_are_refused() -> None:
    log = log_of("wsom", 1)
    log["game"]["ruleset"] = "american-2013"
    batch = read(log)
    assert len(batch) == 0
    assert "cannot be replayed" in batch.faults.reason[0]
