"""Walls: those that a record states against their hashes and the set of tiles, and each against others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from paifu.replay.arrays import writable
from paifu.replay.facts.tables import Findings
from paifu.replay.kernels import codes
from paifu.replay.kernels.digests import digest_deals
from paifu.replay.kernels.reasons import PLAIN
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import NO_SEAT, EventKind
from paifu.replay.model.tiles import FIVE_KINDS, NO_TILE, RED_MAN
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.walls.layout import MAJSOUL


def check_walls(batch: Batch, rulesets: tuple[Ruleset, ...]) -> Findings:
    """Compare walls stated with their hashes (V605) and the set of the game (V606); find one twice (V607)."""
    rows: list[tuple[int, ...]] = list(_walls_again(batch, rulesets))
    for hand, seed in enumerate(batch.hands.seed):
        if seed and seed.partition(",")[0] in MAJSOUL:
            game = int(batch.hands.game[hand])
            rows += [
                (code, game, hand, -1, NO_SEAT, *rest, PLAIN)
                for code, *rest in _wrong(batch, hand, rulesets[game])
            ]
    return Findings.from_rows(np.array(rows, np.int64).reshape(-1, Findings.cells()))


def _walls_again(batch: Batch, rulesets: tuple[Ruleset, ...]) -> Iterator[tuple[int, ...]]:
    """Yield a finding (V607) for each hand with the tiles of another hand of its game, in the same order.

    That goes by what is dealt and drawn from the dealer on, wherever the dealer sits. Some logs do not tell
    which of the dealer's 14 tiles was drawn: these are left out.
    """
    hands, keys = batch.hands, np.zeros(len(batch.hands), np.int64)
    players = batch.games.players[hands.game]
    digest_deals(writable(hands.dealt), writable(hands.dealer), writable(players), True, keys)
    seen: dict[tuple[int, int, int], int] = {}
    dealt = zip(hands.game.tolist(), keys.tolist(), hands.dora.tolist(), strict=True)
    for hand, which in enumerate(dealt):
        first, game = seen.setdefault(which, hand), which[0]
        if first == hand or not keys[hand] or rulesets[game].game.scheme != Scheme.HAN_FU:
            continue
        if _draw_alike(batch, first, hand):
            earlier = first - int(batch.games.hand_begin[game])
            yield codes.WALL_AGAIN, game, hand, -1, NO_SEAT, NO_TILE, -1, earlier, PLAIN


def _draw_alike(batch: Batch, one: int, other: int) -> bool:
    """Return whether two hands draw the same tiles after the dealer's first, as long as both go on."""
    drawn = []
    for hand in (one, other):
        events = slice(int(batch.hands.event_begin[hand]), int(batch.hands.event_end[hand]))
        drawn.append(batch.events.tile[events][batch.events.kind[events] == EventKind.DRAW][1:])
    both = min(map(len, drawn))
    return bool((drawn[0][:both] == drawn[1][:both]).all())


def _wrong(batch: Batch, hand: int, rules: Ruleset) -> Iterator[tuple[int, ...]]:
    """Yield (code, tile, expected, actual) of what is wrong with the wall of a hand."""
    from paifu.replay.walls import majsoul

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
