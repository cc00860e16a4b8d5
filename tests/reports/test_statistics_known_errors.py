"""Numbers that public tools are known to get wrong, each with the right one."""

from __future__ import annotations

from typing import Any

import pytest

from paifu.replay.kernels.hand_result import Result
from paifu.replay.model.batch import Table
from paifu.replay.model.events import HandEnd
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.metrics.counters import count
from paifu.reports.metrics.metric import MetricKind
from paifu.reports.metrics.records import GameRecords, HandRecords, Records, WinRecords
from paifu.reports.statistics.definitions import explain, formula
from paifu.reports.statistics.values import Estimate, statistics


def filled(kind: type[Table], rows: list[dict[str, Any]]) -> Any:
    """Make a table of rows that name only what matters."""
    table = kind.empty(len(rows))
    for number, row in enumerate(rows):
        for name, value in row.items():
            getattr(table, name)[number] = value
    return table


def values(
    hands: list[dict[str, Any]], wins: list[dict[str, Any]] = (), game: dict[str, Any] | None = None
) -> dict[str, Estimate]:
    """Count one game of which each row is a player's hand, by seats 0, 1, 2, 3, 0, ..."""
    whole = {"players": 4, "names": ["A", "B", "C", "D"], **(game or {})}
    rows = [
        {"seat": number % 4, "hand": number // 4, "end": HandEnd.WIN, **row}
        for number, row in enumerate(hands)
    ]
    records = Records(
        filled(GameRecords, [whole]),
        filled(HandRecords, rows),
        filled(WinRecords, [{"payer": -1, **w} for w in wins]),
    )
    metrics = [metric for metric in CATALOGUE.values() if metric.kind is not MetricKind.EXTREME]
    return dict(statistics(count(records, metrics)).population.stats)


def test_a_large_gain_is_no_yakuman() -> None:
    """Yakuman told by the points gained: a dealer's sanbaiman with honba, and 13 han, are taken for one."""
    found = values(
        [
            {"result": Result.TSUMO, "value": 36000, "change": 37800, "is_dealer": True},
            *[{"result": Result.TSUMO_PAID}] * 3,
            {"result": Result.TSUMO, "value": 32000, "change": 32000},
            *[{"result": Result.TSUMO_PAID}] * 3,
            {"result": Result.TSUMO, "value": 32000, "change": 32000, "yakuman": 1},
            *[{"result": Result.TSUMO_PAID}] * 3,
        ],
        [
            {"row": 0, "value": 36000, "limit": 4, "han": 11},
            {"row": 4, "value": 32000, "limit": 5, "han": 13},
            {"row": 8, "value": 32000, "limit": 5, "han": 13, "yakuman": 1},
        ],
    )
    assert (found["yakuman_hand_rate"].n, found["yakuman_hand_rate"].d) == (1, 12)
    assert (found["yakuman_win_rate"].n, found["yakuman_win_rate"].d) == (1, 3)
    assert found["counted_yakuman_count"].value == 1
    assert found["win_13_han_share"].n == 1


def test_a_gain_of_8000_at_a_draw_is_no_nagashi() -> None:
    found = values(
        [{"end": HandEnd.EXHAUSTIVE, "result": Result.DRAW, "change": 8000}, *[{"result": Result.DRAW}] * 3]
    )
    assert found["nagashi_count"].value == 0
    found = values([{"end": HandEnd.NAGASHI, "result": Result.DRAW, "change": 8000, "nagashi": True}])
    assert found["nagashi_count"].value == 1
    assert found["draw_rate"].n == 0, "nagashi is counted apart"


@pytest.mark.parametrize("start", [25000, 30000, 35000])
def test_any_start_of_points(start: int) -> None:
    """Gains per game are told from the points the game began with, not from 25,000 and a sum of 100,000."""
    final = [start + 12000, start + 1000, start - 4000, start - 10000]
    game = {"start": [start] * 4, "final": final, "rank": [1, 2, 3, 4]}
    found = values([], game=game)
    assert found["score_change_game"].n == -1000, "a stick was left on the table"
    assert found["final_score"].n == sum(final)


DOUBLE_RON = [
    {"result": Result.RON, "value": 3900, "change": 4900, "riichi": 1, "riichi_order": 1, "stick_paid": True},
    {"result": Result.RON, "value": 7700, "change": 7700},
    {
        "result": Result.DEALT_IN,
        "deal_ins": 2,
        "dealt_in_value": 11600,
        "change": -12600,
        "riichi": 1,
        "stick_paid": True,
    },
    {"result": Result.ASIDE},
]
BOTH = [{"row": 0, "payer": 2, "value": 3900}, {"row": 1, "payer": 2, "value": 7700}]


def test_a_double_ron_is_one_riichi_and_one_balance() -> None:
    """The payer's balance added once a winner: minus 25,200 in place of 12,600."""
    found = values(DOUBLE_RON, BOTH)
    assert (found["riichi_balance"].n, found["riichi_balance"].d) == (4900 - 12600, 2)
    assert (found["riichi_deal_in_rate"].n, found["riichi_deal_in_rate"].d) == (1, 2)


def test_a_double_ron_is_two_wins_and_one_hand_dealt_in() -> None:
    """One winner a hand kept, or a hand counted twice in the deal-in rate."""
    found = values(DOUBLE_RON, BOTH)
    assert (found["win_rate"].n, found["win_rate"].d) == (2, 4)
    assert (found["deal_in_rate"].n, found["deal_in_rate"].d) == (1, 4)
    assert (found["deal_ins_per_hand"].n, found["deal_in_value"].d) == (2, 2)
    assert found["deal_in_value"].value == 5800
    assert found["aside_rate"].n == 1


def test_three_dora_or_more() -> None:
    """Three or more had by taking the wrong ones away from all: exactly three, in place of exactly two."""
    hands = [{"result": Result.TSUMO, "calls": 1, "value": 2000}] * 6
    wins = [
        {"row": row, "is_open": True, "dora": dora, "value": 2000}
        for row, dora in enumerate([0, 1, 2, 2, 3, 5])
    ]
    found = values(hands, wins)
    assert (found["calls_1_dora_2_share"].n, found["calls_1_dora_3_share"].n) == (4, 2)
    assert found["calls_1_dora_3_share"].d == 6


def test_tsumo_of_riichi_wins_leaves_silent_hands_out() -> None:
    """Every closed tsumo over the wins after riichi: three of two."""
    hands = [
        {"result": Result.TSUMO, "riichi": 1},
        {"result": Result.RON, "riichi": 1},
        *[{"result": Result.TSUMO}] * 2,
    ]
    wins = [{"row": 0, "yaku": 1}, {"row": 1, "payer": 3}, {"row": 2, "yaku": 1}, {"row": 3, "yaku": 1}]
    found = values(hands, wins)
    assert (found["riichi_tsumo_share"].n, found["riichi_tsumo_share"].d) == (1, 2)


def test_a_riichi_whose_tile_is_won_costs_no_stick() -> None:
    found = values(
        [
            {"result": Result.DEALT_IN, "deal_ins": 1, "riichi": 1, "dealt_in_value": 8000, "change": -8000},
            {"result": Result.RON, "value": 8000, "change": 8000},
        ],
        [{"row": 1, "payer": 0, "value": 8000}],
    )
    assert found["riichi_rate"].n == 1
    assert (found["riichi_tile_deal_in_rate"].n, found["riichi_later_deal_in_rate"].n) == (1, 0)
    assert found["riichi_balance"].value == -8000


def test_closed_kans_are_no_calls() -> None:
    found = values(
        [{"ankan": 1, "kita": 2, "result": Result.TSUMO}, {"calls": 1, "result": Result.TSUMO_PAID}]
    )
    assert (found["call_rate"].n, found["call_rate"].d) == (1, 2)


def test_every_denominator_can_be_read() -> None:
    text = "\n".join(explain(CATALOGUE.values()))
    for metric in CATALOGUE.values():
        assert formula(metric) in text
        if metric.kind is not MetricKind.COUNT:
            assert metric.denominator in formula(metric)
