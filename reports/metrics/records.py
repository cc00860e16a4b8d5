"""Records, which statistics are counted from: one row per game, per player and hand, and per win.

:mod:`paifu.reports.metrics.recording` makes these tables from a batch and the engine's facts; ``paifu
import`` stores them with the dataset, so that counting needs no replay. Seats are absolute (seat 0 deals
first), points are plain points. Some hands are left out: hands without a result, and hands that the engine
cannot follow to a result that it can score, or that is paid to a hidden hand. Rows of players whose tiles are
hidden are there, because a hand has a row for each seat, but no statistic counts them.

A column that a batch or the engine's facts have is taken from there, with its type and its meaning.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import I8, I16, I32, I64, U8, Mask
from paifu.replay.comparison.copies import GameKey, keys_of_games
from paifu.replay.facts.tables import PlayerHands, ReviewFindings, ScoredWins
from paifu.replay.model.batch import UNKNOWN_POINTS, Games, Hands, Table, Text, column, taken
from paifu.replay.source_hash import source_hash

NO_POINTS = UNKNOWN_POINTS
CALLS_TOLD = 4


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class GameRecords(Table):
    """One row per game; columns about players are indexed by seat."""

    NAME: ClassVar[str] = "game_records"

    id: Text = taken(Games)
    source: Text = taken(Games)
    started: Text = taken(Games)
    room: Text = column("str")
    """The platform's room; empty if unknown."""
    ruleset: Text = taken(Games)
    scheme: U8 = column("uint8")
    """The ruleset's :class:`~paifu.replay.rules.ruleset.Scheme`."""
    own_yaku: Text = column("str")
    """Keys of the yaku (in other games patterns) of the ruleset's own, in order, with blanks between."""
    length: Text = column("str")
    """``east``, ``south``, or the number of scheduled winds (``3 winds``)."""
    players: U8 = taken(Games)
    names: Text = taken(Games)
    dan: I8 = taken(Games)
    rating: I32 = column("int32", 4)
    """Rating before the game in hundredths; 0 unknown."""
    start: I32 = column("int32", 4)
    """Points at the start of the first hand."""
    final: I32 = column("int32", 4, unknown=NO_POINTS)
    """Final points; unknown if the log does not state them or stops before the end."""
    points: I32 = column("int32", 4, unknown=NO_POINTS)
    """Result with uma and oka, in tenths."""
    rank: U8 = column("uint8", 4)
    """1 is first; equal points are ranked by seat; 0 if final points are unknown."""
    last_hand_rank: U8 = column("uint8", 4)
    """Rank at the start of the first hand that can be the last one; 0 if the game did not get there."""
    last_hands: I32 = column("int32")
    """Hands from the last scheduled one on, including repeats and extra rounds."""
    hands: I32 = column("int32")
    """Hands of the game that count."""
    left_out: I32 = column("int32")
    """Hands that do not count; see the module's docstring."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class HandRecords(Table):
    """One row per player and hand."""

    NAME: ClassVar[str] = "hand_records"

    game: I32 = taken(Hands)
    hand: I32 = taken(PlayerHands)
    seat: U8 = taken(PlayerHands)
    is_dealer: Mask = column("bool", unknown=False)
    is_hidden: Mask = column("bool", unknown=False)
    """Tiles of the player are hidden: no statistic counts the row as one of theirs."""
    of_three: Mask = column("bool", unknown=False)
    """In a three-player game."""
    round: U8 = taken(Hands)
    honba: I16 = taken(Hands)
    score: I32 = column("int32")
    """Points before the hand."""
    end: U8 = taken(Hands)
    result: U8 = taken(PlayerHands)
    change: I32 = column("int32")
    """Points gained or lost in the hand, including the player's riichi stick."""
    value: I32 = column("int32")
    """Value of the player's win without honba and riichi sticks; 0 without a win."""
    yakuman: U8 = column("uint8")
    """Yakuman of the player's win, double yakuman counted twice; 0 for a counted yakuman."""
    ippatsu_tsumo: Mask = column("bool", unknown=False)
    """Won by tsumo with ippatsu."""
    deal_ins: U8 = column("uint8")
    """Winners that the player dealt into."""
    dealt_in_value: I32 = column("int32")
    """Value of their hands, without honba and riichi sticks."""
    tsumo_loss: I32 = column("int32")
    """Paid for another player's tsumo, honba included."""
    tsumo_limit: U8 = column("uint8")
    """Limit of that hand."""
    turns: U8 = column("uint8")
    """The player's discards."""
    start_shanten: I8 = taken(PlayerHands)
    tenpai_turn: I8 = taken(PlayerHands)
    is_waiting: Mask = column("bool", unknown=False)
    """Had waits after the player's last discard."""
    tenpai_at_draw: Mask = column("bool", unknown=False)
    nagashi: Mask = column("bool", unknown=False)
    riichi: U8 = taken(PlayerHands)
    stick_paid: Mask = column("bool", unknown=False)
    riichi_turn: U8 = taken(PlayerHands)
    riichi_order: U8 = taken(PlayerHands)
    riichis: U8 = column("uint8")
    """Riichi declared in the hand by all players."""
    riichi_kinds: U8 = column("uint8")
    """Kinds of tile waited for at riichi."""
    riichi_live: U8 = taken(PlayerHands)
    riichi_furiten: Mask = taken(PlayerHands)
    furiten: U8 = taken(PlayerHands)
    calls: U8 = taken(PlayerHands)
    call_turns: I8 = column("int8", CALLS_TOLD, unknown=-1)
    """The player's discards before each of the first open calls."""
    called_first: Mask = column("bool", unknown=False)
    """Made the first open call of the hand."""
    ippatsu_ended: U8 = column("uint8")
    """Ippatsu of other players that the player's open calls cancelled."""
    ankan: U8 = taken(PlayerHands)
    kakan: U8 = taken(PlayerHands)
    daiminkan: U8 = taken(PlayerHands)
    kan_in_riichi: U8 = column("uint8")
    """Closed kans after the player's riichi."""
    kita: U8 = taken(PlayerHands)
    dealt_run: I32 = column("int32")
    """Hands in a row with the player as dealer, including this one; 0 for non-dealers."""
    tenpai_live: U8 = taken(PlayerHands)
    shanten: I8 = taken(PlayerHands)
    path: I64 = taken(PlayerHands)
    draws: U8 = taken(PlayerHands)
    useful_draws: U8 = taken(PlayerHands)
    losing_discards: U8 = taken(PlayerHands)
    riichi_pinfu: Mask = column("bool", unknown=False)
    """The hand at riichi is pinfu with every winning tile, by ron; likewise tanyao."""
    riichi_tanyao: Mask = column("bool", unknown=False)
    riichi_dora: U8 = taken(PlayerHands)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ReviewRecords(Table):
    """One row per finding of the review."""

    NAME: ClassVar[str] = "review_records"

    row: I32 = column("int32")
    """The player's row in the hand records."""
    code: I32 = taken(ReviewFindings)
    cost: I32 = taken(ReviewFindings)
    is_note: Mask = taken(ReviewFindings)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class WinRecords(Table):
    """One row per win."""

    NAME: ClassVar[str] = "win_records"

    game: I32 = column("int32")
    row: I32 = column("int32")
    """The winner's row in the hand records."""
    payer: I32 = column("int32", unknown=-1)
    """Row of the player who dealt in; -1 for tsumo."""
    value: I32 = column("int32")
    """Without honba and riichi sticks."""
    tile: U8 = taken(ScoredWins)
    han: I32 = taken(ScoredWins)
    fu: I32 = taken(ScoredWins)
    yakuman: I32 = taken(ScoredWins)
    limit: U8 = taken(ScoredWins)
    yaku: I64 = taken(ScoredWins)
    local: I64 = taken(ScoredWins)
    dora: U8 = taken(ScoredWins)
    ura: U8 = taken(ScoredWins)
    red: U8 = taken(ScoredWins)
    kita: U8 = taken(ScoredWins)
    honba: I32 = taken(ScoredWins)
    sticks: I32 = taken(ScoredWins)
    wait: U8 = taken(ScoredWins)
    turn: U8 = taken(ScoredWins)
    is_open: Mask = taken(ScoredWins)
    patterns: I64 = taken(ScoredWins)
    scheme: U8 = column("uint8")
    """That of the game."""


@dataclass(frozen=True, slots=True)
class Records:
    """The tables of one batch."""

    games: GameRecords
    hands: HandRecords
    wins: WinRecords
    review: ReviewRecords | None = None
    """None if the review did not run."""

    def only(self, keep: Mask) -> Records:
        """Return the records of the games that a mask keeps, numbered as if there were no others."""
        games, hands, wins, review = self.games, self.hands, self.wins, self.review
        kept_rows, kept_wins = keep[hands.game], keep[wins.game]
        kept_hands = np.repeat(keep, games.hands.astype(np.int64) + games.left_out)
        game, row, hand = map(_numbers, (keep, kept_rows, kept_hands))
        payer = wins.payer[kept_wins]
        if review is not None:
            found = review.rows(kept_rows[review.row])
            review = replace(found, row=_renumbered(found.row, row))
        own, won = hands.rows(kept_rows), wins.rows(kept_wins)
        return Records(
            games.rows(keep),
            replace(own, game=_renumbered(own.game, game), hand=_renumbered(own.hand, hand)),
            replace(
                won,
                game=_renumbered(won.game, game),
                row=_renumbered(won.row, row),
                payer=np.where(payer < 0, payer, row[payer]).astype(payer.dtype),
            ),
            review,
        )


def _numbers(keep: Mask) -> I64:
    """Return the number that each row has among those that are kept."""
    numbers: I64 = np.cumsum(keep, dtype=np.int64) - 1
    return numbers


def _renumbered(column: npt.NDArray[Any], numbers: I64) -> npt.NDArray[Any]:
    renumbered: npt.NDArray[Any] = numbers[column].astype(column.dtype)
    return renumbered


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class HandKeys(Table):
    """One row per hand of the batch, counted or not, in its order."""

    NAME: ClassVar[str] = "hand_keys"

    key: I64 = column("int64")
    """What copies of the hand share, in any format; 0 for hands that are not compared."""

    def of_games(self, games: GameRecords) -> tuple[GameKey, ...]:
        """Return what tells copies of the batch's games."""
        ends = np.cumsum(games.hands + games.left_out).tolist()
        return keys_of_games(games.source, [0, *ends[:-1]], ends, self.key.view(np.uint64))


RECORD_TABLES: tuple[type[Table], ...] = (GameRecords, HandRecords, WinRecords, ReviewRecords, HandKeys)
"""What is stored with a dataset: the tables of records, and what tells copies of hands."""


def record_rows(games: int, hands: int, events: int) -> dict[str, tuple[int, int]]:
    """Return the minimum and maximum number of rows of each table for a batch of this size."""
    return {
        GameRecords.NAME: (games, games),
        HandRecords.NAME: (0, 4 * hands),
        WinRecords.NAME: (0, events),
        HandKeys.NAME: (hands, hands),
    }


SeatedGame = tuple[str, str, str, int]
"""Start, id and source of a game, and a seat: what games of a player are ordered by."""

_ROOMS = (
    "model", "facts", "kernels", "rules", "shapes", "scoring", "schemes", "rulesets", "walls", "course",
    "general", "review", "table",
)  # fmt: skip
RECORDS_FOLLOW = (
    *(f"replay/{room}" for room in _ROOMS),
    "replay/comparison/hand_digests.py",
    "reports/metrics/recording.py",
    "reports/metrics/records.py",
    "reports/metrics/rooms.py",
)
"""Sources that records depend on. Messages are not among them, so rewording one voids no records."""


@cache
def records_key() -> str:
    """Return a hash of the sources that records depend on."""
    return source_hash(RECORDS_FOLLOW, (".json", ".py", ".toml", ".xz"))[:32]
