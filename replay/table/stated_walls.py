"""Walls that records of Mahjong Soul state, against their hashes (V605) and the set of the game (V606)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from paifu.replay.kernels import codes
from paifu.replay.kernels.reasons import PLAIN
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import NO_SEAT, EventKind
from paifu.replay.model.tiles import FIVE_KINDS, NO_TILE, RED_MAN
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.walls import majsoul


def wrong_walls(batch: Batch, hands: Iterable[int], rulesets: Sequence[Ruleset]) -> Iterator[tuple[int, ...]]:
    """Yield a row of findings for all that is wrong with the walls of ``hands``; ``rulesets`` are by game."""
    for hand in hands:
        game = int(batch.hands.game[hand])
        for code, *rest in _wrong(batch, hand, rulesets[game]):
            yield code, game, hand, -1, NO_SEAT, *rest, PLAIN


def _wrong(batch: Batch, hand: int, rules: Ruleset) -> Iterator[tuple[int, ...]]:
    """Yield (code, tile, expected, actual) of what is wrong with the wall of a hand."""
    if rules.table.players not in majsoul.TILES_OF:
        return
    try:
        wall = majsoul.parse_wall(batch.hands.seed[hand])
    except ValueError:
        return
    for which in wall.wrong_hashes():
        yield codes.WALL_HASH, NO_TILE, which, -1
    places = wall.places(rules.table.players)
    if places is None:
        yield codes.WALL_SET, NO_TILE, majsoul.TILES_OF[rules.table.players], len(wall.text) // 2
        return
    found = Counter(tile for tile in places if tile != NO_TILE)
    if NO_TILE in places:
        found += _dealt(batch, hand, rules.table.players)
    expected = tiles_of_set(rules)
    for tile in sorted(set(found) | set(expected)):
        if found[tile] != expected[tile]:
            yield codes.WALL_SET, tile, expected[tile], found[tile]
            return


def tiles_of_set(rules: Ruleset) -> Counter[int]:
    """How often each tile is in the set of a game."""
    reds = set(rules.red_ids)
    kinds = (tile // 4 for tile in rules.tile_ids)
    return Counter(
        RED_MAN + FIVE_KINDS.index(kind) if at in reds else kind
        for at, kind in zip(rules.tile_ids, kinds, strict=True)
    )


def _dealt(batch: Batch, hand: int, players: int) -> Counter[int]:
    """The tiles dealt, the dealer's fourteenth among them."""
    hands, events = batch.hands, batch.events
    tiles = Counter(hands.dealt[hand, :players].reshape(-1).tolist())
    for event in range(hands.event_begin[hand], hands.event_end[hand]):
        if events.kind[event] == EventKind.DRAW:
            tiles[int(events.tile[event])] += 1
            break
    return tiles
