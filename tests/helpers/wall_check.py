"""Holds what logs say of the wall against the wall that follows from their seed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

import numpy as np
from tenhou_walls import Wall, walls

from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.model.tiles import NO_TILE
from paifu.replay.walls.tenhou import parse_seed


def hands_with_walls(batch: Batch) -> Iterator[tuple[str, int, int, Wall]]:
    """(kind of seed, players, row in hands, wall) of each hand whose log gives a seed."""
    games, hands = batch.games, batch.hands
    for game, text in enumerate(games.seed):
        begin, end = int(games.hand_begin[game]), int(games.hand_end[game])
        players = int(games.players[game])
        if text:
            seed = parse_seed(text)
            for hand, wall in zip(range(begin, end), walls(seed, end - begin, players), strict=True):
                yield seed.kind, players, hand, wall
        for hand in range(begin, end):
            if hands.seed[hand]:
                seed = parse_seed(hands.seed[hand])
                (wall,) = walls(seed, 1, players)
                yield seed.kind, players, hand, wall


class Tally:
    """Counts what agrees and what does not, by kind of seed and players."""

    def __init__(self) -> None:
        self.right: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
        self.wrong: Counter[tuple[str, int, str]] = Counter()

    def note(self, key: tuple[str, int], what: str, found: object, expected: object) -> None:
        if found == expected:
            self.right[key][what] += 1
        else:
            self.wrong[*key, what] += 1


def check_hand(batch: Batch, hand: int, wall: Wall, key: tuple[str, int], tally: Tally) -> None:
    hands, events, wins = batch.hands, batch.events, batch.wins
    tally.note(key, "deal", hands.dealt_id[hand].tolist(), wall.dealt(int(hands.dealer[hand])).tolist())
    tally.note(key, "dice", tuple(hands.dice[hand].tolist()), wall.dice)
    tally.note(key, "dora", int(hands.dora_id[hand]), int(wall.indicators[0]))
    live, supplements, indicators = (
        iter(wall.live.tolist()),
        iter(wall.supplements.tolist()),
        iter(wall.indicators.tolist()[1:]),
    )
    supplement_due = False
    ordinal = 0
    rows = slice(hands.event_begin[hand], hands.event_end[hand])
    for kind, tile in zip(events.kind[rows].tolist(), events.tile_id[rows].tolist(), strict=True):
        if kind == EventKind.DRAW and supplement_due:
            ordinal += 1
            tally.note(key, f"supplement {ordinal}", tile, next(supplements, None))
        elif kind == EventKind.DRAW:
            tally.note(key, "draw", tile, next(live, None))
        elif kind == EventKind.DORA:
            tally.note(key, "kan dora", tile, next(indicators, None))
        if kind in (EventKind.ANKAN, EventKind.DAIMINKAN, EventKind.KAKAN, EventKind.KITA):
            supplement_due = True
        elif kind in (EventKind.DRAW, EventKind.DISCARD):
            supplement_due = False
    for win in range(*np.searchsorted(wins.hand, (hand, hand + 1))):
        for what, shown, row in (
            ("dora of a win", wins.dora_id, wall.indicators),
            ("ura", wins.ura_id, wall.ura),
        ):
            tiles = [tile for tile in shown[win].tolist() if tile != NO_TILE]
            if tiles:
                tally.note(key, what, tiles, row[: len(tiles)].tolist())


def tally_of(batch: Batch) -> Tally:
    """Check every hand whose log gives a seed."""
    tally = Tally()
    for kind, players, hand, wall in hands_with_walls(batch):
        check_hand(batch, hand, wall, (kind, players), tally)
    return tally
