"""Consistency of stored records, and the ranges that counting relies on; see :mod:`paifu.replay.model.links`.

Records are derived from a batch, and statistics read them without it. So they are checked against each other:
games count their hands, a hand has one row per seat, and the value of a win agrees with the rows of its
winner and payer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from paifu.replay.arrays import Mask
from paifu.replay.bounds import demand
from paifu.replay.findings.review_kinds import REVIEW_KINDS
from paifu.replay.kernels.hand_result import Result
from paifu.replay.model.batch import UNKNOWN_POINTS, Table
from paifu.replay.model.events import HandEnd
from paifu.replay.model.links import Link
from paifu.replay.scoring.limits import Limit
from paifu.reports.metrics.records import GameRecords, HandRecords, Records, ReviewRecords, WinRecords

_WAITS = 4
RANGES: Mapping[str, Mapping[str, tuple[int, int]]] = {
    "game_records": {
        "players": (3, 4), "dan": (-1, 127), "rank": (0, 4), "last_hand_rank": (0, 4),
        "last_hands": (0, 1 << 24), "hands": (0, 1 << 24), "left_out": (0, 1 << 24),
    },
    "hand_records": {
        "game": (0, 1 << 24), "hand": (0, 1 << 24), "seat": (0, 3), "round": (0, 63), "honba": (0, 9_999),
        "end": (0, max(HandEnd)), "result": (1, max(Result)), "tsumo_limit": (0, max(Limit)),
        "riichi": (0, 2), "dealt_run": (0, 1 << 24), "path": (0, (1 << 54) - 1),
    },
    "win_records": {
        "game": (0, 1 << 24), "row": (0, 1 << 26), "payer": (-1, 1 << 26), "limit": (0, max(Limit)),
        "wait": (0, _WAITS),
    },
    "review_records": {"row": (0, 1 << 26)},
}  # fmt: skip
"""Table -> column -> smallest and greatest value."""

_REVIEW_CODES = tuple(kind.number for kind in REVIEW_KINDS.values())
_NONE = "is out of range"


def record_links(records: Records, hands: int) -> Iterator[Link]:
    """Yield everything that must hold, in order, for records of a batch with ``hands`` hands.

    As with :func:`~paifu.replay.model.links.links`, each link relies on those before it.
    """
    tables: tuple[Table | None, ...] = (records.games, records.hands, records.wins, records.review)
    for table in filter(None, tables):
        for name, (low, high) in RANGES[table.NAME].items():
            values = getattr(table, name)
            holds = (values >= low) & (values <= high)
            yield Link(table, name, holds.reshape(len(table), -1).all(axis=1) if len(table) else holds, _NONE)
    yield from _of_games(records.games, hands)
    yield from _of_hands(records.games, records.hands, hands)
    yield from _of_wins(records)
    if records.review is not None:
        review = records.review
        yield Link(review, "row", review.row < len(records.hands), "is not a player's hand")
        yield Link(review, "code", np.isin(review.code, _REVIEW_CODES), "is not a finding of the review")


def _of_games(table: GameRecords, hands: int) -> Iterator[Link]:
    total = np.cumsum(table.hands.astype(np.int64) + table.left_out)
    is_whole = np.ones(len(table), bool)
    is_whole[-1:] = total[-1:] == hands
    yield Link(table, "left_out", is_whole, f"does not make up the {hands} hands of the dataset")
    known = table.final != UNKNOWN_POINTS
    present = np.arange(4) < table.players[:, None]
    for name in ("rank", "last_hand_rank"):
        rank = getattr(table, name)
        places = np.where(present, np.arange(1, 5), 0)
        is_order = (np.sort(rank, axis=1) == np.sort(places, axis=1)).all(axis=1)
        yield Link(table, name, is_order | ~rank.any(axis=1), "is not an order of the players")
    ranked = table.rank > 0
    yield Link(table, "final", (~known | ranked).all(axis=1), "is known without a rank")
    points = table.points != UNKNOWN_POINTS
    yield Link(table, "points", (~points | ranked).all(axis=1), "is known without a rank")
    best_first = np.argsort(table.rank, axis=1, kind="stable")
    scores = np.take_along_axis(table.final.astype(np.int64), best_first, axis=1)
    both = np.take_along_axis(ranked, best_first, axis=1)
    falls = np.logical_or(scores[:, 1:] <= scores[:, :-1], ~both[:, :-1])
    in_order: Mask = np.logical_and.reduce(falls, axis=1)
    yield Link(table, "rank", in_order, "is not the order of the final points")


def _of_hands(games: GameRecords, table: HandRecords, hands: int) -> Iterator[Link]:
    players = games.players.astype(np.int64)
    rows = games.hands * players
    if rows.sum() != len(table):
        one = np.zeros(len(games), bool)
        yield Link(games, "hands", one, f"is not what {table.NAME} has")
        return
    game = np.repeat(np.arange(len(games)), rows)
    yield Link(table, "game", table.game == game, "is not the game whose hands it is among")
    begin = np.cumsum(rows) - rows
    every = np.arange(len(table))
    seat = (every - begin[game]) % players[game]
    yield Link(table, "seat", table.seat == seat, "is not the next seat of the hand")
    first = every - seat
    yield Link(table, "hand", (table.hand == table.hand[first]) & (table.hand < hands), "is another hand")
    is_later = np.ones(len(table), bool)
    is_later[1:] = (seat[1:] > 0) | (table.hand[1:] > table.hand[:-1])
    yield Link(table, "hand", is_later, "is not after the hand before")
    yield Link(table, "of_three", table.of_three == (players[game] == 3), "is not so in its game")
    for name in ("round", "honba", "end", "riichis"):
        values = getattr(table, name)
        yield Link(table, name, values == values[first], "is not so for the whole hand")
    dealers = np.bincount(first, table.is_dealer, len(table))[first]
    yield Link(table, "is_dealer", np.equal(dealers, 1), "makes a hand without its one dealer")
    deals = table.dealt_run > 0
    yield Link(table, "dealt_run", deals == table.is_dealer, "is not how often the seat dealt")
    declared = np.bincount(first, table.riichi > 0, len(table))[first]
    yield Link(table, "riichis", table.riichis == declared, "is not how many declared riichi")


def _of_wins(records: Records) -> Iterator[Link]:
    table, hands = records.wins, records.hands
    seats = len(hands)
    yield Link(table, "row", table.row < seats, "is not a player's hand")
    yield Link(table, "payer", table.payer < seats, "is not a player's hand")
    yield Link(table, "game", table.game == hands.game[table.row], "is not the game of the winner's hand")
    is_ron = table.payer >= 0
    ron, payer = np.flatnonzero(is_ron), table.payer[is_ron]
    is_near = np.ones(len(table), bool)
    is_near[ron] = (hands.hand[payer] == hands.hand[table.row[ron]]) & (payer != table.row[ron])
    yield Link(table, "payer", is_near, "is not another player of the hand")
    value, yakuman = np.zeros(seats, np.int64), np.zeros(seats, np.int64)
    value[table.row], yakuman[table.row] = table.value, table.yakuman
    yield Link(hands, "value", hands.value == value, "is not the value of the player's win")
    yield Link(hands, "yakuman", hands.yakuman == yakuman, "is not what the player's win has")
    paid = np.bincount(payer, minlength=seats)
    yield Link(hands, "deal_ins", hands.deal_ins == paid & 255, "is not how many the player dealt into")
    lost = np.bincount(payer, table.value[ron], seats).astype(np.int64)
    yield Link(hands, "dealt_in_value", hands.dealt_in_value == lost, "is not the value of their hands")


def from_tables(tables: Mapping[str, Any], hands: int) -> Records:
    """Return the records of a batch with ``hands`` hands from the tables that ``to_store`` made.

    Raises BoundsError if they are out of range or contradict each other: they were damaged or forged.
    """
    stored = Records(*(tables[kind.NAME] for kind in (GameRecords, HandRecords, WinRecords, ReviewRecords)))
    check_records(stored, hands)
    return stored


def check_records(records: Records, hands: int) -> None:
    """Make sure that records of a batch with ``hands`` hands agree; raises BoundsError."""
    for link in record_links(records, hands):
        demand(*link)
