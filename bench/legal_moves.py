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
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "helpers"))

from position_oracle import SlowHand, listed
from riichienv_moves import SAME_RULES, OtherTable, explained, plain

import paifu
from paifu.replay.model.events import EventKind
from paifu.replay.positions.position import Position
from paifu.replay.rules.choices import Scheme
from paifu.replay.table.engine import replay
from paifu.replay.views.games import Game, games

_ENDS = (EventKind.WIN, EventKind.HAND_DRAW)
_EVENTFUL = {
    EventKind.CHI, EventKind.PON, EventKind.DAIMINKAN, EventKind.ANKAN, EventKind.KAKAN, EventKind.KITA,
    EventKind.RIICHI, EventKind.WIN, EventKind.HAND_DRAW,
}  # fmt: skip


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
        with_env = position.rules.name in SAME_RULES
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


if __name__ == "__main__":
    main()
