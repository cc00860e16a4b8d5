"""Walls that a log states or shows: whether they can be, and whether one is there twice."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from paifu.replay.arrays import writable
from paifu.replay.facts.tables import Findings
from paifu.replay.kernels import codes
from paifu.replay.kernels.digests import digest_deals
from paifu.replay.kernels.reasons import PLAIN
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import NO_SEAT, EventKind
from paifu.replay.model.tiles import NO_TILE
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.walls.layout import MAJSOUL


def check_walls(batch: Batch, rulesets: tuple[Ruleset, ...]) -> Findings:
    """Compare walls stated with their hashes (V605) and the set of the game (V606); find one twice (V607)."""
    rows: list[tuple[int, ...]] = list(_walls_again(batch, rulesets))
    stated = [hand for hand, seed in enumerate(batch.hands.seed) if seed.partition(",")[0] in MAJSOUL]
    if stated:
        from paifu.replay.table.stated_walls import wrong_walls

        rows += wrong_walls(batch, stated, rulesets)
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
