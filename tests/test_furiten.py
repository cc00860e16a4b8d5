"""Furiten and passed wins on every real game: the review against a slow, obvious second implementation."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest
from furiten_oracle import Fact, Oracle

from paifu.parsers.read import read_batches
from paifu.replay.batch import Batch
from paifu.replay.engine import replay
from paifu.replay.rule_presets import ruleset_of
from paifu.replay.views import Hand

CODES = ("F101", "F103", "F104", "F105", "F106", "F107", "W101", "W102", "W103", "W104")


def of_review(batch: Batch) -> tuple[dict[int, set[Fact]], np.ndarray]:
    """What the review says, by hand, and the kinds of furiten each player was in."""
    facts = replay(batch, review=True)
    assert facts.review is not None
    found: dict[int, set[Fact]] = defaultdict(set)
    table = facts.review.findings
    columns = (table.code, table.hand, table.event, table.seat, table.value)
    for code, hand, event, seat, points in zip(*(c.tolist() for c in columns), strict=True):
        name = f"{'FWDR'[code // 1000 - 1]}{code % 1000}"
        if name in CODES:
            index = event - int(batch.hands.event_begin[hand])
            found[hand].add(Fact(name, index, seat, points))
    assert not facts.scored_wins.furiten.any(), "a win of the log was furiten"
    return found, facts.player_hands.furiten


def compare(batch: Batch) -> Counter[str]:
    """Compare every hand of a batch; returns how many facts of each code both found."""
    found, kinds = of_review(batch)
    counts: Counter[str] = Counter()
    row = 0
    for number in range(len(batch.hands)):
        hand = Hand.of(batch, number)
        rules = ruleset_of(batch, int(batch.hands.game[number]))
        oracle = Oracle(hand, kuitan=rules.kuitan, red=rules.red_pin > 0)
        expected = set(oracle.facts())
        where = f"{batch.games.source[batch.hands.game[number]]} {hand.label}"
        assert found[number] == expected, where
        counts.update(fact.code for fact in expected)
        for seat, player in enumerate(oracle.players):
            assert int(kinds[row + seat]) == sum(player.kinds_of_furiten), f"{where} seat {seat}"
            counts.update(f"furiten {kind}" for kind in player.kinds_of_furiten)
        row += hand.players
    return counts


def in_folder(shared: Path) -> list[Path]:
    return sorted((shared / "logs" / "mjlog").rglob("*.*"))


def test_sample_logs() -> None:
    """The logs that come with the project."""
    folder = Path(__file__).parents[1] / "sample_logs"
    counts: Counter[str] = Counter()
    for path in sorted(folder.glob("*.mjlog*")):
        for batch in read_batches([path]):
            counts += compare(batch)
    assert counts.total() > 0


@pytest.mark.corpus
def test_some_real_games(shared: Path) -> None:
    """One game in forty, all kinds of furiten among them."""
    counts: Counter[str] = Counter()
    for batch in read_batches(in_folder(shared)[::40]):
        counts += compare(batch)
    assert {"furiten 1", "furiten 2", "furiten 4", "F103", "F107", "W104"} <= counts.keys(), counts


@pytest.mark.slow
@pytest.mark.corpus
def test_all_real_games(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every 4-player and 3-player game of the corpus."""
    counts: Counter[str] = Counter()
    games = 0
    for batch in read_batches(in_folder(shared)):
        counts += compare(batch)
        games += len(batch)
    with capsys.disabled():
        print(f"\n{games} games:", dict(sorted(counts.items())))  # noqa: T201
    assert games > 2500
    assert {*CODES, "furiten 1", "furiten 2", "furiten 4"} - counts.keys() <= {"W103"}
