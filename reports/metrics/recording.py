"""How records are made from a replayed batch; :mod:`paifu.reports.metrics.records` declares their tables."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import I64, Mask
from paifu.replay.comparison.hand_digests import hand_keys
from paifu.replay.facts.tables import PlayerHands, ReviewFindings, ScoredWins
from paifu.replay.model.batch import UNKNOWN_POINTS, Batch, Games, Hands, Table
from paifu.replay.model.events import EventKind, HandEnd
from paifu.replay.model.tiles import TERMINALS_AND_HONOURS
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.table.hidden import uncovered
from paifu.replay.table.replayed import Replay
from paifu.replay.table.stated import sticks_of_open_riichi
from paifu.reports.metrics.records import (
    CALLS_TOLD,
    NO_POINTS,
    GameRecords,
    HandKeys,
    HandRecords,
    Records,
    ReviewRecords,
    WinRecords,
)
from paifu.reports.metrics.rooms import room_of

T = TypeVar("T", bound=Table)

_IPPATSU, _PINFU, _TANYAO = 2, 7, 8
"""Ids of yaku."""
_CALLS = (EventKind.CHI, EventKind.PON, EventKind.DAIMINKAN)


def own_keys(rules: Ruleset) -> str:
    """Return the keys of the yaku or patterns of a ruleset's own, with blanks between."""
    return " ".join(row.key for row in (*rules.local.yaku, *rules.hand.pattern))


def to_store(found: Records, batch: Batch) -> dict[str, Table]:
    """Return what is kept of a batch: its records, and what tells copies of its hands, by table name."""
    keys = HandKeys(hand_keys(batch).view(np.int64))
    tables = (found.games, found.hands, found.wins, found.review, keys)
    return {table.NAME: table for table in tables if table is not None}


def records(replayed: Replay) -> Records:
    """Make the records of a replayed batch."""
    rows = _HandRowsMaker(replayed)
    return Records(rows.games(), rows.hands(), rows.wins(), rows.review())


class _HandRowsMaker:
    """The work on one batch: a row of ``player_hands`` for each seat of each hand, some of which count."""

    def __init__(self, facts: Replay) -> None:
        self.facts, self.batch, self.rulesets = facts, facts.batch, facts.rulesets
        batch = facts.batch
        hands, players = batch.hands, facts.player_hands
        seats = batch.games.players[hands.game].astype(np.int64)
        self.first = np.concatenate([[0], np.cumsum(seats)]).astype(np.int64)
        """First row of each hand."""
        self.hand = np.repeat(np.arange(len(hands)), seats)
        self.seat = np.arange(len(self.hand)) - self.first[self.hand]
        self.known = uncovered(batch).known
        """(hands, 4) whether all tiles of a seat are known."""
        wins, scored = batch.wins, facts.scored_wins
        as_paid = (scored.points > 0) & ~self.known[wins.hand, np.minimum(wins.seat, 3)]
        self.known_win = (scored.base > 0) | as_paid
        result = np.zeros(len(hands), bool)
        result[self.hand[players.result > 0]] = True
        result[batch.wins.hand[~self.known_win]] = False
        self.counted_hand = result
        self.counted = result[self.hand]
        self.record = np.cumsum(self.counted) - 1
        """Row of ``player_hands`` -> row of the records, where it is counted."""

    def row_of(self, hand: npt.NDArray[Any], seat: npt.NDArray[Any]) -> I64:
        """Return rows of ``player_hands``."""
        rows: I64 = self.first[hand] + seat
        return rows

    def of_kind(self, *kinds: EventKind) -> tuple[I64, I64, I64]:
        """Return events of some kinds within hands: event, hand, the actor's row of ``player_hands``."""
        events = self.batch.events
        wanted = np.zeros(256, bool)
        wanted[list(kinds)] = True
        at = np.flatnonzero(wanted[events.kind])
        hand = self.batch.hands_of(at)
        at, hand = at[hand >= 0], hand[hand >= 0]
        return at, hand, self.row_of(hand, events.seat[at])

    def games(self) -> GameRecords:
        """Return the row of each game."""
        batch, games, hands = self.batch, self.batch.games, self.batch.hands
        number = len(games)
        columns = {c.name: c.empty(number) for c in GameRecords.columns()}
        columns |= {name: getattr(games, name) for name in GameRecords.taken_from(Games)}
        columns["room"] = np.array([room_of(batch, game) for game in range(number)], object)
        columns["scheme"] = np.array([rules.game.scheme for rules in self.rulesets], np.uint8)
        columns["own_yaku"] = np.array([own_keys(rules) for rules in self.rulesets], object)
        columns["length"] = np.array([_length(rules) for rules in self.rulesets], object)
        columns["rating"] = np.round(np.nan_to_num(games.rate) * 100).astype(np.int32)
        has_hands = games.hand_end > games.hand_begin
        first_hand = games.hand_begin[has_hands]
        columns["start"][has_hands] = hands.scores[first_hand]
        present = np.arange(4) < games.players[:, None]
        known = (~games.is_cut & (games.final_scores[:, 0] != UNKNOWN_POINTS))[:, None] & present
        columns["final"] = np.where(known, games.final_scores, NO_POINTS)
        tenths = np.where(np.isnan(games.final_points), 0, games.final_points) * 10
        stated = known & ~np.isnan(games.final_points)
        columns["points"] = np.where(stated, np.round(tenths), NO_POINTS).astype(np.int32)
        dealer = games.deals_first.astype(np.int64)
        columns["rank"] = _ranks(games.final_scores, known, dealer)
        last_round = np.array(
            [4 * r.table.wind_rounds - 5 + r.table.players for r in self.rulesets], np.int64
        )
        is_last = hands.round >= last_round[hands.game] if len(hands) else np.zeros(0, bool)
        columns["last_hands"] = np.bincount(hands.game[is_last], minlength=number)
        reached, at = np.unique(hands.game[is_last], return_index=True)
        entering = hands.scores[np.flatnonzero(is_last)[at]]
        are_known = present[reached] & (entering[:, :1] != UNKNOWN_POINTS)
        columns["last_hand_rank"][reached] = _ranks(entering, are_known, dealer[reached])
        columns["hands"] = np.bincount(hands.game[self.counted_hand], minlength=number)
        columns["left_out"] = np.bincount(hands.game[~self.counted_hand], minlength=number)
        return _table(GameRecords, columns)

    def hands(self) -> HandRecords:
        """Return the row of each player in each hand that counts."""
        hands, players = self.batch.hands, self.facts.player_hands
        columns = {c.name: c.empty(len(self.hand)) for c in HandRecords.columns()}
        columns |= {name: getattr(hands, name)[self.hand] for name in HandRecords.taken_from(Hands)}
        columns["score"] = hands.scores[self.hand, self.seat]
        columns["of_three"] = self.batch.games.players[columns["game"]] == 3
        columns["is_hidden"] = ~self.known[self.hand, self.seat]
        columns["is_dealer"] = hands.dealer[self.hand] == self.seat
        columns |= {name: getattr(players, name) for name in HandRecords.taken_from(PlayerHands)}
        columns["turns"] = players.discards
        columns["is_waiting"] = players.waits != 0
        columns["tenpai_at_draw"] = players.tenpai & (columns["end"] == HandEnd.EXHAUSTIVE)
        columns["riichi_kinds"] = _bits(players.riichi_waits)
        columns["riichi_pinfu"] = players.riichi_yaku >> _PINFU & 1
        columns["riichi_tanyao"] = players.riichi_yaku >> _TANYAO & 1
        columns["dealt_run"] = np.where(columns["is_dealer"], _runs(hands.game, hands.dealer)[self.hand], 0)
        declared = np.bincount(self.hand[players.riichi > 0], minlength=len(hands))
        columns["riichis"] = declared[self.hand]
        self._fill_payments(columns)
        self._fill_from_events(columns)
        return _table(HandRecords, {name: array[self.counted] for name, array in columns.items()})

    def _fill_payments(self, columns: dict[str, npt.NDArray[Any]]) -> None:
        wins, scored = self.batch.wins, self.facts.scored_wins
        stick = np.array([rules.riichi.riichi_stick for rules in self.rulesets], np.int64)
        paid_at, _, paid = self.of_kind(EventKind.RIICHI_PAID)
        columns["stick_paid"][paid] = True
        sticks = np.where(columns["stick_paid"], stick[columns["game"]] if len(stick) else 0, 0)
        for event, number in sticks_of_open_riichi(self.batch, self.rulesets).items():
            row = paid[np.flatnonzero(paid_at == event)]
            sticks[row] *= number
        columns["change"] = self.facts.player_hands.change - sticks
        ron = np.flatnonzero(self.known_win & (wins.source != wins.seat))
        tsumo = np.flatnonzero(self.known_win & (wins.source == wins.seat))
        won = np.flatnonzero(self.known_win)
        winner = self.row_of(wins.hand[won], wins.seat[won])
        columns["value"][winner] = scored.points[won]
        columns["yakuman"][winner] = scored.yakuman[won]
        columns["ippatsu_tsumo"][winner] = (scored.yaku[won] >> _IPPATSU & 1 > 0) & (
            wins.source[won] == wins.seat[won]
        )
        payer = self.row_of(wins.hand[ron], wins.source[ron])
        np.add.at(columns["deal_ins"], payer, 1)
        np.add.at(columns["dealt_in_value"], payer, scored.points[ron])
        for seat in range(4):
            hit = tsumo[(wins.seat[tsumo] != seat) & (seat < self.batch.games.players[wins.game[tsumo]])]
            row = self.row_of(wins.hand[hit], np.full(len(hit), seat))
            columns["tsumo_loss"][row] = -scored.changes[hit, seat]
            columns["tsumo_limit"][row] = scored.limit[hit]

    def _fill_from_events(self, columns: dict[str, npt.NDArray[Any]]) -> None:
        """Fill in what depends on the order of events: turns of calls, cancelled ippatsu, nagashi."""
        events = self.batch.events
        discards = _Discards(*self.of_kind(EventKind.DISCARD))
        at, hand, row = self.of_kind(*_CALLS)
        order = np.argsort(row, kind="stable")
        place = _place_in_row(row[order])
        few = place < CALLS_TOLD
        columns["call_turns"][row[order][few], place[few]] = discards.before(row[order], at[order])[few]
        _, leading = np.unique(hand, return_index=True)
        columns["called_first"][row[leading]] = True

        declared = np.flatnonzero(columns["riichi"])
        begins, ends = discards.nth(declared, columns["riichi_turn"][declared].astype(np.int64))
        breaking = (*_CALLS, EventKind.ANKAN, EventKind.KAKAN, EventKind.KITA)
        breaks, break_hand, break_row = self.of_kind(*breaking)
        following = np.searchsorted(breaks, begins, side="right")
        found = following < len(breaks)
        found[found] = breaks[following[found]] < ends[found]
        found[found] = break_hand[following[found]] == self.hand[declared[found]]
        broken = following[found]
        is_call = np.isin(events.kind[breaks[broken]], _CALLS) & (break_row[broken] != declared[found])
        np.add.at(columns["ippatsu_ended"], break_row[broken][is_call], 1)

        since = np.full(len(self.hand), np.iinfo(np.int64).max)
        since[declared] = begins
        at, _, row = self.of_kind(EventKind.ANKAN)
        np.add.at(columns["kan_in_riichi"], row[at > since[row]], 1)

        is_outer = np.zeros(256, bool)
        is_outer[list(TERMINALS_AND_HONOURS)] = True
        clean = (columns["end"] == HandEnd.NAGASHI) & (columns["turns"] > 0)
        clean[discards.row[~is_outer[events.tile[discards.at]]]] = False
        at, hand, _ = self.of_kind(*_CALLS)
        clean[self.row_of(hand, events.source[at])] = False
        columns["nagashi"] = clean

    def wins(self) -> WinRecords:
        """Return the row of each win that counts."""
        wins, scored = self.batch.wins, self.facts.scored_wins
        keep = np.flatnonzero(self.counted_hand[wins.hand])
        columns = {c.name: c.empty(len(keep)) for c in WinRecords.columns()}
        columns |= {name: getattr(scored, name)[keep] for name in WinRecords.taken_from(ScoredWins)}
        columns["value"] = scored.points[keep]
        schemes = np.array([rules.game.scheme for rules in self.rulesets], np.uint8)
        columns["scheme"] = schemes[wins.game[keep]]
        columns["game"] = wins.game[keep]
        columns["row"] = self.record[self.row_of(wins.hand[keep], wins.seat[keep])]
        is_ron = wins.source[keep] != wins.seat[keep]
        payer = self.row_of(wins.hand[keep], np.where(is_ron, wins.source[keep], 0))
        columns["payer"] = np.where(is_ron, self.record[payer], -1)
        return _table(WinRecords, columns)

    def review(self) -> ReviewRecords | None:
        """Return the row of each finding of the review, if there was one."""
        if self.facts.review is None:
            return None
        found = self.facts.review.findings
        keep = np.flatnonzero(self.counted_hand[found.hand])
        row = self.record[self.row_of(found.hand[keep], found.seat[keep])]
        taken = {name: getattr(found, name)[keep] for name in ReviewRecords.taken_from(ReviewFindings)}
        return _table(ReviewRecords, taken | {"row": row})


class _Discards:
    """All discards, ordered by player and hand, then in the order of play."""

    def __init__(self, at: I64, _hand: I64, row: I64) -> None:
        order = np.argsort(row, kind="stable")
        self.at, self.row = at[order], row[order]
        self._keys = _key(self.row, self.at)

    def before(self, row: I64, at: I64) -> I64:
        """Count the discards of each row before an event."""
        count: I64 = np.searchsorted(self._keys, _key(row, at)) - np.searchsorted(self._keys, _key(row, 0))
        return count

    def nth(self, row: I64, number: I64) -> tuple[I64, I64]:
        """Return events: each row's discard with this number (from 1) and the next one, or a huge number."""
        first = np.searchsorted(self._keys, _key(row, 0)) + number - 1
        following = np.minimum(first + 1, max(0, len(self.at) - 1))
        is_own = (first + 1 < len(self.at)) & (self.row[following] == row)
        return self.at[first], np.where(is_own, self.at[following], np.iinfo(np.int64).max)


def _key(row: I64, at: I64 | int) -> I64:
    return row.astype(np.int64) << 32 | at


def _place_in_row(row: I64) -> I64:
    """Number the entries of each row of a sorted column from 0."""
    place: I64 = np.arange(len(row)) - np.searchsorted(row, row)
    return place


def _runs(game: npt.NDArray[Any], dealer: npt.NDArray[Any]) -> I64:
    """Number the hands that the same player deals in a row, from 1."""
    every = np.arange(len(game))
    begins = np.ones(len(game), bool)
    begins[1:] = (game[1:] != game[:-1]) | (dealer[1:] != dealer[:-1])
    run: I64 = every - np.maximum.accumulate(np.where(begins, every, 0)) + 1
    return run


def _bits(masks: I64) -> npt.NDArray[Any]:
    """Count the bits of masks of kinds."""
    words = np.ascontiguousarray(masks).view(np.uint8).reshape(len(masks), 8)
    count: npt.NDArray[Any] = np.unpackbits(words, axis=1).sum(axis=1)
    return count


def _ranks(scores: npt.NDArray[Any], known: Mask, dealer: I64) -> npt.NDArray[Any]:
    """Rank (games, 4) points: highest first, ties by the seat that deals earlier; 0 where unknown."""
    seats = known.sum(axis=1)[:, None]
    turn = (np.arange(4) - dealer[:, None]) % np.maximum(seats, 1)
    weight = np.where(known, scores.astype(np.int64) * 4 - turn, np.iinfo(np.int64).min)
    better = weight[:, None, :] > weight[:, :, None]
    return np.where(known, 1 + better.sum(axis=2), 0)


def _length(rules: Ruleset) -> str:
    return {1: "east", 2: "south"}.get(rules.table.wind_rounds, f"{rules.table.wind_rounds} winds")


def _table(kind: type[T], columns: dict[str, npt.NDArray[Any]]) -> T:
    return kind(**{c.name: columns[c.name].astype(c.numpy_dtype()) for c in kind.columns()})
