"""Games as one seat saw them: three hands and their draws taken out of a batch."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from paifu.parsers.read import read_batches
from paifu.replay.arrays import I64
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.model.tiles import NO_TILE
from paifu.replay.rules.choices import Scheme
from paifu.replay.rulesets.presets import rulesets_of

SAMPLES = Path(__file__).parents[2] / "sample_logs" / "formats"


def seen_by(batch: Batch, seats: I64, *, is_shown: bool = True) -> Batch:
    """Return a batch in which only one seat's tiles are known in each game; ``seats`` (games,).

    Seeds are gone, too. What wins and draws show of the hands stays where ``is_shown``.
    """
    hands, events, wins, draws = batch.hands, batch.events, batch.wins, batch.hand_draws
    is_other = np.arange(4) != seats[hands.game][:, None]
    dealt, dealt_id = hands.dealt.copy(), hands.dealt_id.copy()
    dealt[is_other], dealt_id[is_other] = NO_TILE, NO_TILE
    hand = batch.hands_of(np.arange(len(events)))
    own = np.where(hand >= 0, seats[hands.game[hand]], -1)
    gone = (events.kind == EventKind.DRAW) & (events.seat != own) & (hand >= 0)
    hidden = replace(
        batch,
        games=replace(batch.games, seed=np.full(len(batch), "", object)),
        hands=replace(hands, dealt=dealt, dealt_id=dealt_id, seed=np.full(len(hands), "", object)),
        events=replace(
            events,
            tile=np.where(gone, NO_TILE, events.tile).astype(np.uint8),
            tile_id=np.where(gone, NO_TILE, events.tile_id).astype(np.uint8),
        ),
    )
    if is_shown:
        return hidden
    by_others = wins.seat != seats[wins.game]
    shown = draws.shown.copy()
    shown[np.arange(4) != seats[draws.game][:, None]] = NO_TILE
    return replace(
        hidden,
        wins=replace(
            wins,
            tiles=np.where(by_others[:, None], NO_TILE, wins.tiles).astype(np.uint8),
            melds=np.where(by_others[:, None], -2, wins.melds).astype(np.int32),
        ),
        hand_draws=replace(draws, shown=shown),
    )


def sample_pairs(*, is_shown: bool) -> list[tuple[Batch, Batch, I64]]:
    """Return sample games of riichi, the same as one seat saw them, and these seats."""
    found = []
    for batch in read_batches([SAMPLES, SAMPLES.parent / "games"]):
        riichi = np.array([rules.game.scheme == Scheme.HAN_FU for rules in rulesets_of(batch)])
        some = batch.only(riichi)
        seats = np.arange(len(some)) % some.games.players
        found.append((some, seen_by(some, seats, is_shown=is_shown), seats))
    return found
