"""Walls as other platforms publish them, laid out for simulated games."""

from __future__ import annotations

import hashlib
from collections import Counter

import numpy as np
from tenhou_walls import Wall, walls

from paifu.replay.course.settlement import HandStart
from paifu.replay.model.builder import GameDraft
from paifu.replay.model.tile_notation import tile_name
from paifu.replay.model.tiles import IDS, TILE_OF_ID_PLAIN, TILE_OF_ID_RED, is_red, kind_of
from paifu.replay.walls import majsoul, mortal
from paifu.replay.walls.layout import dealt_places
from paifu.replay.walls.tenhou import LAYOUTS, PER_HAND, deal_indices, live_indices, parse_seed

ARENA = (20_260_101, 4_715)
"""Nonce and key of the game of an arena."""
_SHUFFLE = "rand 0.9"


def state_walls(draft: GameDraft, kind: str) -> None:
    """Let each hand of a simulated game state its wall as Mahjong Soul does, instead of the game its seed."""
    seed, players = parse_seed(draft.game["seed"]), draft.game["players"]
    draft.game["seed"] = ""
    for number, (row, wall) in enumerate(
        zip(draft.hands, walls(seed, len(draft.hands), players), strict=True)
    ):
        row["seed"] = stated(wall, row["dealer"], kind, f"salt {number}", has_reds=bool(draft.red_ids))


def stated(wall: Wall, dealer: int, kind: str, salt: str, *, has_reds: bool = True) -> str:
    """The seed of a hand: its wall as Mahjong Soul writes it, and the hash of it."""
    players = wall.players
    layout = majsoul.LAYOUTS[players]
    ids = np.zeros(len(wall.ids), np.uint8)
    ids[list(layout.supplements)] = wall.supplements
    ids[list(layout.ura)], ids[list(layout.indicators)] = wall.ura, wall.indicators
    ids[majsoul.live_indices(players)] = wall.live
    for seat in range(players):
        ids[dealt_places(players)[dealer, seat]] = wall.dealt(dealer)[seat]
    tiles = (TILE_OF_ID_RED if has_reds else TILE_OF_ID_PLAIN)[ids].tolist()
    if kind == majsoul.MD5:
        text = "".join(map(tile_name, tiles[13 * players + 1 :]))
        return f"{kind},{text},{hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()}"
    text = "".join(map(tile_name, tiles))
    hashes = [hashlib.sha256(part.encode()).hexdigest() for part in (text + salt, salt)]
    return f"{kind},{text},{hashes[0]},{salt},{hashes[1]}"


def of_arena(start: HandStart, numbers: tuple[int, int] = ARENA) -> Wall:
    """The wall of a hand in Mortal's arena, laid out as one of Tenhou's."""
    tiles = mortal.shuffled(*numbers, start.round, start.honba, mortal.SHUFFLES[_SHUFFLE])
    ids = _copies(tiles.tolist())
    layout = LAYOUTS[PER_HAND, 4]
    wall = np.zeros(IDS, np.uint8)
    wall[list(layout.supplements)] = ids[list(mortal.LAYOUT.supplements)]
    wall[list(layout.indicators)] = ids[list(mortal.LAYOUT.indicators)]
    wall[list(layout.ura)] = ids[list(mortal.LAYOUT.ura)]
    wall[live_indices(4)] = ids[mortal.LIVE]
    wall[deal_indices(4)[start.dealer]] = ids[mortal.DEAL[start.dealer]]
    return Wall(wall, (0, 0), layout)


def _copies(tiles: list[int]) -> np.ndarray:
    """Physical ids of tiles: the first copy of a five is the red one."""
    seen: Counter[int] = Counter()
    ids = []
    for tile in tiles:
        kind = kind_of(tile)
        first = 4 * kind + int(TILE_OF_ID_RED[4 * kind] != kind)
        ids.append(4 * kind if is_red(tile) else first + seen[tile])
        seen[tile] += 1
    return np.array(ids, np.uint8)
