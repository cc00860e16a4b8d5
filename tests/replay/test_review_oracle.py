"""Deal-ins and riichi on real games: the review's evidence against a slow, obvious second implementation."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

import pytest
from review_oracle import Choice, DealIn, Observer

from paifu.parsers.read import read_batches
from paifu.replay.arrays import bits_of
from paifu.replay.facts.tables import code_of
from paifu.replay.findings.review_sentences import DANGER_NAMES, ReviewCase, review_cases
from paifu.replay.model.batch import Batch
from paifu.replay.model.tiles import NO_TILE
from paifu.replay.rulesets.presets import ruleset_of
from paifu.replay.table.engine import replay
from paifu.replay.views.games import Hand

CHOICES = ("F102", "R101", "R102", "R103")


def told(case: ReviewCase) -> DealIn | Choice | None:
    """A finding of the review as the oracle would say it."""
    code, row = code_of(case.code), case.row
    index = case.index
    assert index is not None
    if code in CHOICES:
        better = -1 if row["better"] == NO_TILE else int(row["better"])
        values = (int(row["value"]), int(row["better_value"])) if code == "R103" else (0, 0)
        return Choice(code, index, case.seat, int(row["live"]), better, int(row["better_live"]), values)
    if code[0] != "D":
        return None
    others = sorted(
        (a.kind, case.level(a), a.shanten_given_up, a.deals_in, a.is_safer) for a in case.alternatives
    )
    threats = tuple((seat, int(threat), DANGER_NAMES[danger]) for seat, threat, danger in case.threats)
    return DealIn(
        code,
        index,
        case.seat,
        tuple((seat, frozenset(bits_of(int(row["winner_waits"][seat])))) for seat in case.winners),
        threats,
        int(row["shanten"]),
        int(row["dora"]),
        tuple(others),
    )


def compare(batch: Batch) -> Counter[str]:
    """Compare every hand of a batch; returns how often both said what."""
    found: dict[int, set[DealIn | Choice]] = defaultdict(set)
    for case in review_cases(replay(batch, review=True)):
        fact = told(case)
        if fact is not None:
            found[case.hand].add(fact)
    counts: Counter[str] = Counter()
    for number in range(len(batch.hands)):
        hand = Hand.of(batch, number)
        observer = Observer(hand, ruleset_of(batch, int(batch.hands.game[number])))
        expected: set[DealIn | Choice] = set()
        for event in hand.events:
            observer.now = event.index
            expected.update(observer.observe(event))
        where = f"{batch.games.source[batch.hands.game[number]]} {hand.label}"
        assert found[number] == expected, where
        counts.update(fact.code for fact in expected)
        counts["hands"] += 1
    return counts


def compared(paths: Iterable[Path]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for batch in read_batches(paths):
        counts += compare(batch)
    return counts


def logs(shared: Path) -> list[Path]:
    return sorted((shared / "logs" / "mjlog").rglob("*.mjlog"))


def test_sample_logs() -> None:
    folder = Path(__file__).parents[2] / "sample_logs" / "formats"
    names = ("hanchan.mjlog.gz", "overtime.mjlog.gz", "tonpuu.mjlog", "sanma.mjlog.gz")
    counts = compared(folder / name for name in names)
    assert counts["hands"] > 30
    assert {"D101", "D102", "D103", "D105", "F102"} <= counts.keys()


@pytest.mark.corpus
def test_some_real_games(shared: Path) -> None:
    counts = compared(logs(shared)[::130])
    print(f"\n{dict(sorted(counts.items()))}")  # noqa: T201
    assert {"D101", "D102", "D103", "D105", "D106", "R102"} <= counts.keys()


@pytest.mark.slow
@pytest.mark.corpus
def test_all_real_games(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    counts = compared(logs(shared))
    with capsys.disabled():
        print("", *(f"{name} {number:,}" for name, number in sorted(counts.items())), sep="\n")  # noqa: T201
    assert counts["hands"] > 20_000
