"""The moves that riichienv lists, in the words that positions share with it, and what its differences are."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from riichienv import GameRule, RiichiEnv

from paifu.parsers.mjai.names import NAMES
from paifu.parsers.mjai.writer import events_of_game
from paifu.replay.model.events import EventKind
from paifu.replay.positions.moves import Move, MoveKind
from paifu.replay.positions.position import Position
from paifu.replay.views.games import Game, Hand

Plain = tuple[str, ...]
"""A move as both are able to write it: its kind, and tiles by their names in mjai."""
_TYPES = {
    MoveKind.DISCARD: "dahai", MoveKind.RIICHI: "reach", MoveKind.TSUMO: "hora", MoveKind.RON: "hora",
    MoveKind.KYUUSHU: "ryukyoku", MoveKind.KITA: "kita",
}  # fmt: skip
_KITA = {"nukidora": "kita"}
"""What mjai calls it, and what riichienv does."""
_WITHOUT_TILE = {MoveKind.RIICHI, MoveKind.TSUMO, MoveKind.RON, MoveKind.KYUUSHU, MoveKind.KITA}


def plain(move: Move) -> Plain:
    """Return a move of a position."""
    kind = _TYPES.get(move.kind, str(move.kind))
    if move.kind in _WITHOUT_TILE or move.tile is None:
        return (kind,)
    if move.kind == MoveKind.ANKAN:
        return (kind, *sorted(NAMES[tile] for tile in (move.tile, *move.own)))
    return (kind, *sorted(NAMES[tile] for tile in move.own or (move.tile,)))


def plain_of_mjai(event: dict[str, Any]) -> Plain:
    """Return a move of riichienv."""
    kind = _KITA.get(event["type"], event["type"])
    if kind in ("reach", "hora", "ryukyoku", "kita"):
        return (kind,)
    if kind == "kakan":
        return kind, event["pai"]
    return (kind, *sorted(event.get("consumed") or [event["pai"]]))


class OtherTable:
    """A hand as riichienv plays it."""

    def __init__(self, game: Game, hand: Hand) -> None:
        self.players, self.begin = game.players, hand.event_begin
        events = events_of_game(hand.batch(), 0)
        starts = [at for at, (event, _row) in enumerate(events) if event["type"] == "start_kyoku"]
        first = starts[hand.index]
        last = starts[hand.index + 1] if hand.index + 1 < len(starts) else len(events)
        self.events = [one for one in events[first:last] if one[0]["type"] not in ("end_kyoku", "end_game")]
        self.start = events[0][0]

    def moves(self, event: int) -> list[set[Plain]]:
        """Return the moves of each seat before an event; a pass is not one."""
        mode = f"{self.players}p-red-half"
        env = RiichiEnv(game_mode=mode, rule=GameRule.default_tenhou())
        env.apply_event(self.start)
        for told, row in self.events:
            if told["type"] != "start_kyoku" and row - self.begin >= event:
                break
            env.apply_event(told | {"type": _KITA.get(told["type"], told["type"])})
        found: list[set[Plain]] = []
        for seat in range(self.players):
            moves = [json.loads(one.to_mjai()) for one in env._get_legal_actions(seat)]
            found.append({plain_of_mjai(one) for one in moves if one["type"] != "none"})
        return found


def explained(position: Position, seat: int, move: Plain, *, is_own: bool) -> str:
    """Return why riichienv lists a move and paifu does not, or the other way round; empty: not known."""
    known = (words for words, is_it in _EXPLAINED.items() if is_it(position, seat, move, is_own))
    return next(known, "")


def _before_supplement(position: Position, seat: int, move: Plain, is_own: bool) -> bool:
    last = next((one for one in reversed(position.events[: position.event]) if one.kind not in _QUIET), None)
    return not is_own and move[0] == "dahai" and last is not None and last.seat == seat and last.kind in _KANS


_QUIET = (EventKind.DORA, EventKind.LEAVE, EventKind.RETURN)
_KANS = (EventKind.DAIMINKAN, EventKind.ANKAN, EventKind.KAKAN, EventKind.KITA)
_EXPLAINED: dict[str, Callable[[Position, int, Plain, bool], bool]] = {
    "discards that riichienv lists between a kan and its supplement tile": _before_supplement,
}
"""What a difference comes from -> whether one is of that kind."""
