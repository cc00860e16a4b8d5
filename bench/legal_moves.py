"""Legal moves at random positions of real games, beside a slow second implementation and RiichiEnv.

python bench/legal_moves.py FOLDER [--positions 1000] [--seed 1] [--eventful]

Draws a game of FOLDER, a hand of it and one of its events, until there are enough positions; with --eventful
events are calls, riichi and ends of hands. It lists the moves of every seat three times: as `paifu.Position`
does, as a plain reading of the hand's history does (`tests/helpers/legal_oracle.py`, without yaku), and as
`riichienv` does that has been shown the same events in mjai. Prints how many seats and moves were compared
and every difference, by its explanation. The exit status is 1 if one has none.

Hands are left out whose tiles are not all known, which cannot be replayed without findings, and, for
riichienv, whose rules are not Tenhou's. riichienv lists a pass to every seat, and moves by tile: what a copy
drawn and one from the hand have in common is one move here, and riichi is declared without its tile.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from position_oracle import SlowHand, listed
from riichienv import GameRule, RiichiEnv

import paifu
from paifu.parsers.mjai.names import NAMES
from paifu.parsers.mjai.writer import events_of_game
from paifu.replay.model.events import EventKind
from paifu.replay.positions.moves import Move, MoveKind
from paifu.replay.positions.position import Position
from paifu.replay.rules.choices import Scheme
from paifu.replay.table.engine import replay
from paifu.replay.views.games import Game, Hand, games

Plain = tuple[str, ...]
"""A move as both are able to write it: its kind, and tiles by their names in mjai."""
_ENDS = (EventKind.WIN, EventKind.HAND_DRAW)
_TYPES = {
    MoveKind.DISCARD: "dahai", MoveKind.RIICHI: "reach", MoveKind.TSUMO: "hora", MoveKind.RON: "hora",
    MoveKind.KYUUSHU: "ryukyoku", MoveKind.KITA: "kita",
}  # fmt: skip
_EVENTFUL = {
    EventKind.CHI, EventKind.PON, EventKind.DAIMINKAN, EventKind.ANKAN, EventKind.KAKAN, EventKind.KITA,
    EventKind.RIICHI, EventKind.WIN, EventKind.HAND_DRAW,
}  # fmt: skip
_KITA = {"nukidora": "kita"}
"""What mjai calls it, and what riichienv does."""
_SAME_RULES = {"tenhou", "tenhou-sanma"}
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


def drawn(folder: Path, seed: int, *, eventful: bool) -> Iterator[tuple[Game, Position]]:
    """Yield positions without end: a file, a game of it, a sound hand, an event before its end."""
    chance = random.Random(seed)  # noqa: S311
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    while True:
        path = chance.choice(paths)
        if path.suffix not in _SUFFIXES:
            continue
        found = list(paifu.read(path))
        game = chance.choice(found) if found else None
        if game is None or not game.hands:
            continue
        game = next(games(game.batch()))
        if game.hands[0].rules.game.scheme != Scheme.HAN_FU:
            continue
        hand = chance.choice(game.hands)
        faulty = set(replay(game.batch()).findings.hand.tolist())
        if hand.index in faulty or any(tile is None for tiles in hand.dealt for tile in tiles):
            continue
        end = next((one.index for one in hand.events if one.kind in _ENDS), len(hand.events))
        rare = [one.index for one in hand.events[: end + 1] if one.kind in _EVENTFUL]
        if eventful and rare:
            yield game, Position(hand, chance.choice(rare))
        elif not eventful:
            yield game, Position(hand, chance.randint(0, end))


_SUFFIXES = {".gz", ".mjlog", ".xml", ".json", ".jsonl", ".mjson", ".txt", ".zip"}


def main() -> None:
    """Compare, and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--eventful", action="store_true")
    asked = parser.parse_args()
    counts, differences, begun = Counter[str](), Counter[str](), perf_counter()
    unexplained: list[str] = []
    for game, position in drawn(asked.folder, asked.seed, eventful=asked.eventful):
        counts["positions"] += 1
        slow = SlowHand(position)
        slow.go_to(position.event)
        with_env = position.rules.name in _SAME_RULES
        others = OtherTable(game, position.hand).moves(position.event) if with_env else []
        for seat in range(game.players):
            where = f"{game.source} {position.hand.label}@{position.event} seat {seat}"
            counts["seats, second implementation"] += 1
            found, second = listed(position, seat), slow.moves(seat)
            counts["moves, second implementation"] += len(second)
            if found != second:
                unexplained.append(f"{where}: paifu {found - second}, second implementation {second - found}")
            if not with_env:
                continue
            counts["seats, riichienv"] += 1
            own = {plain(move) for move in position.legal(seat)}
            counts["moves, riichienv"] += len(others[seat])
            for move in sorted(own ^ others[seat]):
                words = explained(position, seat, move, is_own=move in own)
                if words:
                    differences[words] += 1
                else:
                    unexplained.append(f"{where}: only {'paifu' if move in own else 'riichienv'}: {move}")
        if counts["positions"] == asked.positions:
            break
    for name, number in (*counts.items(), *differences.most_common()):
        print(f"{number:7,} {name}")
    print(f"{len(unexplained):7,} differences without an explanation, {perf_counter() - begun:.0f} s")
    print("\n".join(unexplained))
    sys.exit(bool(unexplained))


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


if __name__ == "__main__":
    main()
