"""One fact of a clean game is changed, and that fact is found: every time, under every ruleset tried.

Run with ``-s`` for the table of changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from mutations import KINDS, Outcome, run

from paifu.api.simulated import batch_of
from paifu.coach.simulate.games import PLAYERS, Simulator
from paifu.parsers.read import read_batches
from paifu.replay.findings.spoken import KINDS as FINDINGS
from paifu.replay.model.batch import Batch
from paifu.replay.rulesets.presets import load_preset
from paifu.replay.table.engine import replay

CORPUS = Path(__file__).parents[2].parent / "shared" / "logs" / "mjlog"

RARE = {
    "a closed kan in riichi that changes the waits",
    "a fifth kan",
    "a hand goes on that had to be aborted",
    "a hand is not shown when several abort",
    "a nagashi is not called so",
    "a nagashi pays something else",
    "a yakuman for which none is liable",
    "another reason to abort",
    "another seat is named as liable",
    "an ura dora indicator is left out",
    "another seed of one hand",
    "points move when a hand is aborted",
    "the liable seat is not named",
    "three winners although that aborts the hand",
}
"""Changes of things too rare to be met in a few simulated games, or that these do not have."""
ONLY_WITH_KITA = {"a kita of another tile", "a kita of a north that is not held"}
ONLY_WITH_FOUR = {
    "a called kind is discarded at once",
    "a chi by a seat whose turn it is not",
    "a chi from another seat than the left one",
    "a chi of tiles that are not held",
    "a chi of tiles that make no run",
    "a kita with four players",
}
NOT_IN_EMA = {
    "a kan dora is turned too early",
    "another number of red dora",
    "a closed kan in riichi that changes the waits",
    "riichi that is not tenpai",
}
"""All kan dora are turned at once, no five is red, and such kans and riichi are fouls."""
NOT_BY_A_CHANGE = {
    102: "an unknown element or version: a parser's finding, in test_bad_input.py",
    104: "a wrong number of tiles dealt: likewise",
    105: "a seat or tile out of range: likewise",
    214: "a foul that the log does not state, under rules with fouls: in test_fouls.py",
    215: "a foul without a cause: likewise",
    216: "acts of a dead hand: likewise",
    408: "what losers' hands count: games other than riichi only, in test_other_games.py",
    605: "the hash of a wall that the record states: only Mahjong Soul's do, in test_published_walls.py",
    606: "the tiles of such a wall: likewise",
    607: "a hand with the wall of another: in test_forged_mjlog.py",
    210: "a fifth kan breaks off the hand in every log that could hold it: V206 or V212 comes first",
}


def assert_found(outcomes: Sequence[Outcome]) -> None:
    for outcome in outcomes:
        print(outcome.row())  # noqa: T201  shown with -s
    assert sum(outcome.places for outcome in outcomes) > 100
    assert [place for outcome in outcomes for place in outcome.missed] == []
    assert [place for outcome in outcomes for place in outcome.extras] == []


def without_a_place(outcomes: Sequence[Outcome]) -> set[str]:
    tried = Counter(outcome.kind.name for outcome in outcomes for _ in range(outcome.places))
    return {outcome.kind.name for outcome in outcomes if not tried[outcome.kind.name]}


@pytest.mark.every(3)
@pytest.mark.parametrize(
    ("preset", "absent"),
    [
        ("tenhou", RARE | ONLY_WITH_KITA),
        ("majsoul-sanma", RARE | ONLY_WITH_FOUR),
        ("ema", RARE | ONLY_WITH_KITA | NOT_IN_EMA),
    ],
)
def test_changes_of_simulated_games(preset: str, absent: set[str]) -> None:
    simulator = Simulator(load_preset(preset), [PLAYERS[kind] for kind in ("wild", "caller", "wild")])
    batch = batch_of(simulator.game(number) for number in range(16))
    assert replay(batch).findings.code.tolist() == []
    outcomes = run(batch, 1)
    assert_found(outcomes)
    assert without_a_place(outcomes) <= absent


@pytest.mark.corpus
def test_changes_of_genuine_games() -> None:
    batch = Batch.concatenate(read_batches([CORPUS]))
    clean = sorted(set(range(len(batch))) - set(replay(batch).findings.game.tolist()))
    outcomes = run(Batch.concatenate([batch.take(game) for game in clean]), 3)
    assert_found(outcomes)
    assert len(KINDS) >= 40
    assert without_a_place(outcomes) <= {"a hand goes on that had to be aborted", "a fifth kan"}
    shown = {code for outcome in outcomes for code in outcome.hits}
    verified = {int(code[1:]) for code in FINDINGS if code.startswith("V")}
    assert verified - shown == NOT_BY_A_CHANGE.keys()
