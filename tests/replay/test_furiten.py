"""Furiten and legal wins on every real game: engine and review against a slow, obvious second implementation.

After every event the waits and the furiten states of every player are compared; of every tile drawn or
offered, who could have won it, who did, and what those who did not would have been paid.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from furiten_oracle import Fact, Oracle

from paifu.parsers.read import read_batches
from paifu.replay.facts.tables import code_of
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind, HandEnd
from paifu.replay.rulesets.presets import ruleset_of
from paifu.replay.table.engine import replay
from paifu.replay.views.games import Hand

CODES = ("F101", "F103", "F104", "F105", "F106", "F107", "W101", "W102", "W103", "W104")
STATES = ("tenpai", "discard furiten", "temporary furiten", "riichi furiten")
Counts = Counter[str]


def of_review(batch: Batch) -> tuple[dict[int, set[Fact]], np.ndarray, set[int]]:
    """What the review says, and the wins of the log, by hand; the kinds of furiten each player was in.

    And the hands with an illegal action, which cannot be followed.
    """
    facts = replay(batch, review=True)
    assert facts.review is not None
    found: dict[int, set[Fact]] = defaultdict(set)
    begin = batch.hands.event_begin
    table = facts.review.findings
    columns = (table.code, table.hand, table.event, table.seat, table.value)
    for code, hand, event, seat, points in zip(*(c.tolist() for c in columns), strict=True):
        if code_of(code) in CODES:
            found[hand].add(Fact(code_of(code), event - int(begin[hand]), seat, points))
    assert not facts.scored_wins.furiten.any(), "a win of the log was furiten"
    for row in np.flatnonzero(batch.events.kind == EventKind.WIN).tolist():
        hand = int(np.searchsorted(begin, row, side="right")) - 1
        seat, source = int(batch.events.seat[row]), int(batch.events.source[row])
        found[hand].add(Fact("tsumo" if seat == source else "ron", row - int(begin[hand]), seat))
    return found, facts.player_hands.furiten, set(facts.findings.hand[facts.findings.code < 300].tolist())


def compare(batch: Batch) -> Counts:
    """Compare every hand of a batch; returns how often both found what."""
    found, kinds, broken = of_review(batch)
    counts: Counts = Counter(games=len(batch), hands=len(batch.hands))
    row = 0
    for game in range(len(batch)):
        rules = ruleset_of(batch, game)
        for number in range(batch.games.hand_begin[game], batch.games.hand_end[game]):
            hand = Hand.of(batch, number)
            if number in broken or any(None in tiles for tiles in hand.dealt):
                counts["hands that cannot be followed"] += 1
                row += hand.players
                continue
            oracle = Oracle(hand, rules)
            where = f"{batch.games.source[game]} {hand.label}"
            expected = followed(hand, oracle, where, counts)
            assert found[number] == expected, where
            counts.update(fact.code for fact in expected)
            for seat, own in enumerate(oracle.kinds_of_furiten):
                assert int(kinds[row + seat]) == sum(own), f"{where} seat {seat}"
            row += hand.players
    return counts


def followed(hand: Hand, oracle: Oracle, where: str, counts: Counts) -> set[Fact]:
    """Follow a hand; returns the oracle's facts."""
    facts: set[Fact] = set()
    for event in hand.events:
        facts.update(oracle.step(event))
        counts["events"] += 1
        counts["tenpai"] += sum(map(bool, oracle.waiting))
        counts["discard furiten"] += sum(map(oracle.by_river, range(hand.players)))
        counts["temporary furiten"] += sum(map(oracle.temporary_furiten, range(hand.players)))
        counts["riichi furiten"] += sum(map(oracle.riichi_furiten, range(hand.players)))
    if hand.end == HandEnd.WIN:
        assert any(fact.code in ("ron", "tsumo") for fact in facts), where
    return set(map(partial(priced, facts), facts))


def priced(facts: set[Fact], fact: Fact) -> Fact:
    """A riichi in furiten is priced by the first win that the furiten let pass."""
    if fact.code != "F101":
        return fact
    lost = [one for one in facts if one.code == "F103" and one.seat == fact.seat and one.event > fact.event]
    first = min(lost, key=lambda one: one.event, default=fact)
    return fact._replace(points=first.points)


def compared(paths: Iterable[Path]) -> Counts:
    counts: Counts = Counter()
    for batch in read_batches(paths):
        counts += compare(batch)
    return counts


def logs(shared: Path, folder: str) -> list[Path]:
    return sorted(path for path in (shared / "logs" / folder).rglob("*.*") if path.is_file())


def test_sample_logs() -> None:
    """Logs that come with the project, in both formats."""
    folder = Path(__file__).parents[2] / "sample_logs" / "formats"
    left_out = {"hanchan.mjlog.gz", "sanma.json", "five-games.jsonl"}  # the same games, or more of them
    counts = compared(
        path for path in sorted(folder.iterdir()) if path.suffix != ".md" and path.name not in left_out
    )
    assert {"ron", "tsumo", "F103", "F106", "tenpai", "discard furiten", "temporary furiten"} <= counts.keys()
    assert counts["games"] >= 9


@pytest.mark.corpus
def test_some_real_games(shared: Path) -> None:
    """One game in eighty, all kinds of furiten among them."""
    counts = compared(logs(shared, "mjlog")[::80])
    print(f"\n{dict(sorted(counts.items()))}")  # noqa: T201
    assert {"F103", "F107", "W104", "ron", "tsumo", *STATES} <= counts.keys(), counts


@pytest.mark.slow
@pytest.mark.corpus
@pytest.mark.parametrize("folder", ["mjlog", "tenhou6"])
def test_all_real_games(shared: Path, folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Every 4-player and 3-player game of the corpus."""
    counts = compared(logs(shared, folder))
    with capsys.disabled():
        print(f"\n{folder}:", *(f"{name} {number:,}" for name, number in sorted(counts.items())), sep="\n")  # noqa: T201
    assert counts["games"] >= (2500 if folder == "mjlog" else 300)
    assert {*CODES, *STATES} - counts.keys() <= ({"W103"} if folder == "mjlog" else {"F104", "F105", "W103"})
