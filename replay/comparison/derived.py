"""What a record does not state and the engine can tell: the worth of wins, payments, scores, places."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from paifu.replay.course.settlement import final_result
from paifu.replay.facts.tables import ScoredWins
from paifu.replay.kernels.draws import noten_changes
from paifu.replay.model.batch import NO_YAKU, NOT_STATED, UNKNOWN_LIMIT, UNKNOWN_POINTS, Batch, RiichiScores
from paifu.replay.model.events import UNSTATED_SEAT, EventFlag, EventKind, HandEnd
from paifu.replay.model.liability import liable_seat
from paifu.replay.model.tiles import NO_TILE
from paifu.replay.model.winning_tiles import closed_tiles, winning_tiles
from paifu.replay.rulesets.presets import ruleset_of
from paifu.replay.table.engine import replay
from paifu.replay.table.listed_yaku import listed_yaku
from paifu.replay.table.replayed import Replay

_EXHAUSTIVE = (HandEnd.EXHAUSTIVE, HandEnd.NAGASHI)


def derived(batch: Batch) -> Batch:
    """Return a batch of one riichi game with what it does not state, as far as the engine can tell.

    What the record states stays, right or wrong.
    """
    return _Derived(batch).batch()


def with_settled_points(batch: Batch) -> Batch:
    """Return a batch of one game with the settled points, if its final scores are known.

    They follow from rules that many logs do not state, so what they come to is likely, not certain.
    """
    games, rules = batch.games, ruleset_of(batch, 0)
    players = rules.table.players
    scores = games.final_scores[0].tolist()[:players]
    if UNKNOWN_POINTS in scores or not np.isnan(games.final_points[0]).any():
        return batch
    result = final_result(rules, scores, batch.wins.seat.tolist())
    points = games.final_points.copy()
    points[0] = [*(number / 1000 for number in result.points), *[0.0] * (4 - players)]
    return replace(batch, games=replace(games, final_points=points))


class _Derived:
    """One game while its unknown cells are filled."""

    def __init__(self, batch: Batch) -> None:
        self.source = batch
        self.rules = ruleset_of(batch, 0)
        self.players = self.rules.table.players
        self.wins = _copied(self.source.wins)
        self.draws = _copied(self.source.hand_draws)
        self.turned: list[int] = []
        stated = self.source.riichi_scores
        self.riichi = dict(zip(stated.event.tolist(), stated.scores.tolist(), strict=True))
        """Event of a paid riichi -> the scores after it."""

    @cached_property
    def facts(self) -> Replay:
        """What the engine makes of the game; most records leave nothing to it."""
        return replay(self.source)

    def batch(self) -> Batch:
        """Return the game, filled in."""
        source = self.source
        for hand in range(len(source.hands)):
            self.hand(hand)
        events = sorted(self.riichi)
        scores = np.array([self.riichi[event] for event in events], np.int32).reshape(-1, 4)
        return replace(
            source,
            wins=replace(source.wins, **self.wins),
            hand_draws=replace(source.hand_draws, **self.draws),
            riichi_scores=RiichiScores(event=np.array(events, np.int32), scores=scores),
        )

    def hand(self, hand: int) -> None:
        """Fill in what a hand's events lead to."""
        hands, events = self.source.hands, self.source.events
        scores: list[int] | None = hands.scores[hand].tolist()
        if scores is not None and UNKNOWN_POINTS in scores[: self.players]:
            scores = None
        sticks, number, self.turned = int(hands.sticks[hand]), 1, [int(hands.dora[hand])]
        for event in range(int(hands.event_begin[hand]), int(hands.event_end[hand])):
            kind = int(events.kind[event])
            if kind == EventKind.RIICHI:
                is_open = bool(events.flags[event] & EventFlag.OPEN)
                number = self.rules.riichi.open_riichi_sticks if is_open else 1
            elif kind == EventKind.RIICHI_PAID:
                sticks += number
                if scores is not None:
                    scores = [*scores]
                    scores[int(events.seat[event])] -= number * self.rules.riichi.riichi_stick
                    self.riichi.setdefault(event, scores)
            elif kind == EventKind.DORA:
                self.turned.append(int(events.tile[event]))
            elif kind == EventKind.WIN:
                row = int(self.source.wins.event.searchsorted(event))
                scores = self.win(row, hand, scores, sticks)
                sticks = 0
            elif kind == EventKind.HAND_DRAW:
                self.draw(int(self.source.hand_draws.event.searchsorted(event)), hand, scores, sticks)

    def win(self, row: int, hand: int, scores: list[int] | None, sticks: int) -> list[int] | None:
        """Fill in a win; returns the scores after it."""
        wins = self.wins
        _claims(wins, row, int(self.source.hands.honba[hand]), sticks, scores)
        tiles = winning_tiles(self.source, row)
        if wins["tiles"][row, 0] == NO_TILE:
            _put(wins["tiles"][row], tiles)
        if wins["dora"][row, 0] == NO_TILE and NO_TILE not in self.turned:
            turned = self.turned[: wins["dora"].shape[1]]
            wins["dora"][row, : len(turned)] = turned
        if self.facts.scored_wins.base[row]:
            self.worth(row, self.facts.scored_wins)
        deltas = wins["deltas"][row].tolist()
        if wins["liable"][row] == UNSTATED_SEAT and UNKNOWN_POINTS not in deltas:
            wins["liable"][row] = liable_seat(int(wins["seat"][row]), int(wins["source"][row]), deltas)
        if scores is None or UNKNOWN_POINTS in deltas:
            return None
        return [score + delta for score, delta in zip(scores, deltas, strict=True)]

    def is_hidden(self, hand: int) -> bool:
        """Return whether tiles of a hand are hidden, so that what a draw pays does not follow."""
        return bool((self.source.hands.dealt[hand, : self.players] == NO_TILE).any())

    def worth(self, row: int, facts: ScoredWins) -> None:
        """Fill in what the engine makes of a win."""
        wins = self.wins
        for name, unknown in (("fu", -1), ("limit", UNKNOWN_LIMIT), ("points", UNKNOWN_POINTS)):
            if wins[name][row] == unknown:
                wins[name][row] = getattr(facts, name)[row]
        if UNKNOWN_POINTS in wins["deltas"][row]:
            wins["deltas"][row] = facts.changes[row]
        if wins["yaku"][row, 0] == NO_YAKU:
            pairs = listed_yaku(facts, row, self.rules)
            wins["yaku"][row, : len(pairs)] = [number for number, _ in pairs]
            wins["han"][row, : len(pairs)] = [han for _, han in pairs]

    def draw(self, row: int, hand: int, scores: list[int] | None, sticks: int) -> None:
        """Fill in a draw: what it pays, and of an exhaustive one who was tenpai, with which tiles."""
        draws = self.draws
        _claims(draws, row, int(self.source.hands.honba[hand]), sticks, scores)
        kind = int(draws["kind"][row])
        if kind not in (*_EXHAUSTIVE, HandEnd.UNKNOWN_DRAW, HandEnd.CHOMBO):
            if UNKNOWN_POINTS in draws["deltas"][row]:
                draws["deltas"][row] = 0
            return
        if kind not in _EXHAUSTIVE:
            return
        if UNKNOWN_POINTS in draws["deltas"][row] and self.is_hidden(hand):
            return
        cells = draws["tenpai"][row]
        if NOT_STATED in cells:
            own, ready = self.facts.player_hands, np.zeros(4, np.uint8)
            here = own.hand == hand
            ready[own.seat[here]] = own.tenpai[here]
            cells[cells == NOT_STATED] = ready[cells == NOT_STATED]
        if UNKNOWN_POINTS in draws["deltas"][row] and kind == HandEnd.EXHAUSTIVE:
            changes = np.zeros(4, np.int64)
            tenpai = sum(1 << seat for seat in range(self.players) if cells[seat])
            noten_changes(changes, tenpai, tenpai.bit_count(), self.rules.kernel())
            draws["deltas"][row] = changes
        for seat in np.flatnonzero((cells == 1) & (draws["shown"][row, :, 0] == NO_TILE)).tolist():
            tiles = closed_tiles(self.source, hand, seat, int(draws["event"][row]))
            _put(draws["shown"][row, seat], tiles)


def _put(cells: Any, tiles: list[int]) -> None:
    """Fill in the tiles of a hand; one that holds more than there can be stays unknown."""
    if len(tiles) <= len(cells):
        cells[: len(tiles)] = tiles


def _copied(table: Any) -> dict[str, Any]:
    return {name: array.copy() for name, array in table.arrays()}


def _claims(columns: dict[str, Any], row: int, honba: int, sticks: int, scores: list[int] | None) -> None:
    """Honba, sticks and scores before a result, where the log does not state them."""
    for name, number in (("honba", honba), ("sticks", sticks)):
        if columns[name][row] < 0:
            columns[name][row] = number
    if UNKNOWN_POINTS in columns["scores"][row] and scores is not None:
        columns["scores"][row] = scores
