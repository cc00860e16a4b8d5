"""The review on all real games: what must hold whatever the players did."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from paifu.parsers.read import read_batches
from paifu.replay.facts.tables import code_of
from paifu.replay.findings.review_sentences import DANGER_NAMES
from paifu.replay.review.danger_rates import RATES
from paifu.replay.review.results import Danger, Threat
from paifu.replay.table.engine import replay
from paifu.reports.statistics.danger import rows

pytestmark = pytest.mark.corpus
RANKS = ("19", "28", "37", "456")


@dataclass
class Reviewed:
    """What the review of all games of a folder adds up to."""

    games: int = 0
    hands: int = 0
    rons: Counter[tuple[int, ...]] = field(default_factory=Counter)
    """(batch, hand, who paid, who won as bits), as the logs have them."""
    deal_ins: Counter[tuple[int, ...]] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)
    furiten_wins: int = 0
    broken: int = 0
    """Hands with an illegal action: they are not followed to their end."""
    danger: np.ndarray = field(default_factory=lambda: np.zeros(1, np.int64))


def reviewed(folder: Path) -> Reviewed:
    """Replay every log of a folder."""
    total = Reviewed()
    for number, batch in enumerate(read_batches([folder])):
        facts = replay(batch, review=True)
        assert facts.review is not None
        table, wins = facts.review.findings, batch.wins
        broken = facts.findings.hand[facts.findings.code < 300]
        total.broken += len(np.unique(broken))
        by_ron = (wins.seat != wins.source) & ~np.isin(wins.hand, broken)
        winners: Counter[tuple[int, int]] = Counter()
        for hand, source, seat in zip(wins.hand[by_ron], wins.source[by_ron], wins.seat[by_ron], strict=True):
            winners[int(hand), int(source)] += 1 << int(seat)
        total.rons.update((number, *end, bits) for end, bits in winners.items())
        family = table.code // 1000 == 3
        found = zip(table.hand[family], table.seat[family], table.winners[family], strict=True)
        total.deal_ins.update((number, *map(int, one)) for one in found)
        total.counts.update(map(code_of, table.code.tolist()))
        total.furiten_wins += int((facts.scored_wins.furiten[by_ron] != 0).sum())
        total.danger = total.danger + facts.review.danger
        total.games, total.hands = total.games + len(batch), total.hands + len(batch.hands)
    return total


@pytest.fixture(scope="module")
def mjlog(shared: Path) -> Reviewed:
    """All logs as Tenhou stores them."""
    return reviewed(shared / "logs" / "mjlog")


@pytest.fixture(scope="module")
def tenhou6(shared: Path) -> Reviewed:
    """All logs as tenhou.net/6 shows them."""
    return reviewed(shared / "logs" / "tenhou6")


@pytest.mark.parametrize("name", ["mjlog", "tenhou6"])
def test_every_discard_that_deals_in_has_one_finding(name: str, request: pytest.FixtureRequest) -> None:
    total: Reviewed = request.getfixturevalue(name)
    assert total.deal_ins == total.rons
    assert set(total.rons.values()) == {1}
    assert total.broken == {"mjlog": 0, "tenhou6": 1}[name]
    assert len(total.rons) >= {"mjlog": 11_000, "tenhou6": 190}[name]
    print(f"\n{name}: {total.games} games, {total.hands} hands, {len(total.rons)} deal-ins")  # noqa: T201
    for code, number in sorted(total.counts.items()):
        print(f"{code} {number:7,} {100 * number / total.hands:7.2f} in 100 hands")  # noqa: T201


@pytest.mark.parametrize("name", ["mjlog", "tenhou6"])
def test_no_ron_of_the_logs_was_furiten(name: str, request: pytest.FixtureRequest) -> None:
    total: Reviewed = request.getfixturevalue(name)
    assert total.furiten_wins == 0


def test_dangers_are_plausible(mjlog: Reviewed) -> None:
    """Genbutsu never deal in; suji less than no suji; the middle tiles without suji most."""
    for players in (3, 4):
        for threat in Threat:
            number, hits = mjlog.danger[players - 3, threat - 1].sum(axis=0).T
            rate = hits / np.maximum(1, number)
            assert number[Danger.GENBUTSU] > 3000
            assert hits[Danger.GENBUTSU] == 0
            for rank in RANKS:
                assert rate[Danger[f"SUJI_{rank}"]] < rate[Danger[f"NO_SUJI_{rank}"]]
            assert rate.argmax() == Danger.NO_SUJI_456
            no_suji = [rate[Danger[f"NO_SUJI_{rank}"]] for rank in RANKS]
            assert no_suji == sorted(no_suji)
            for name in ("HONOUR", "TERMINAL"):
                by_unseen = [rate[Danger[f"{name}_{unseen}"]] for unseen in range(4)]
                assert by_unseen == sorted(by_unseen)
    for row in rows(mjlog.danger, by_turn=False):
        print(*row.values(), sep="\t")  # noqa: T201


def test_the_rates_beside_the_classes_are_those_of_the_logs(mjlog: Reviewed) -> None:
    for (players, threat), percents in RATES.items():
        number, hits = mjlog.danger[players - 3, threat - 1].sum(axis=0).T
        rates = [round(100 * h / n, 1) if n else 0.0 for h, n in zip(hits, number, strict=True)]
        assert rates == list(percents)


def test_the_levels_follow_the_rates() -> None:
    bounds = {0: (0, 0.05), 1: (0.05, 3), 2: (3, 6), 3: (6, 9), 4: (9, 20)}
    for danger in Danger:
        for threat in Threat:
            low, high = bounds[danger.level(threat)]
            if danger.name.startswith("TERMINAL"):  # there are none with four players
                honour = Danger[danger.name.replace("TERMINAL", "HONOUR")]
                assert danger.level(threat) == honour.level(threat)
            else:
                assert low <= RATES[4, threat][danger] < high, DANGER_NAMES[danger]


def test_the_documentation_shows_the_rates() -> None:
    text = (Path(__file__).parents[2] / "docs" / "commands" / "review.md").read_text("utf-8")
    for players in (3, 4):
        (line,) = [line for line in text.splitlines() if line.startswith(f"| {players} | 0 |")]
        told = [
            float(cell)
            for cell in line.replace("| - |", "| 0, 0, 0, 0 |").replace("|", ",").split(",")
            if cell.strip()
        ]
        assert told == [players, *RATES[players, Threat.RIICHI]]
