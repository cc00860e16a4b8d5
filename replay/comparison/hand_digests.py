"""Digests of hands: numbers that a hand shares with its copies, whatever their format.

A hand has two. That of the deal leaves the dealer out, because some formats do not tell which of the dealer's
14 tiles was drawn; that of the play is all discards in order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from paifu.replay.arrays import U64, writable
from paifu.replay.kernels.digests import digest_deals, digest_plays
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import HandEnd

NO_DIGEST = 0
"""Stands for a digest that does not exist: of hidden tiles, or of no discard."""


class HandDigests(NamedTuple):
    """Of each hand of a batch, two numbers that copies of it share; NO_DIGEST where there is none."""

    deal: U64
    """(hands,) what was dealt to all but the dealer."""
    play: U64
    """(hands,) all discards in order."""


def hand_digests(batch: Batch) -> HandDigests:
    """Return the digests of every hand."""
    hands, events = batch.hands, batch.events
    deal, play = np.zeros((2, len(hands)), np.int64)
    players = batch.games.players[hands.game] if len(hands) else np.zeros(0, np.uint8)
    digest_deals(writable(hands.dealt), writable(hands.dealer), writable(players), False, deal)
    spans = writable(hands.event_begin), np.minimum(hands.event_end, len(events))
    digest_plays(*spans, writable(events.kind), writable(events.seat), writable(events.tile), play)
    return HandDigests(deal.view(np.uint64), play.view(np.uint64))


def hand_keys(batch: Batch) -> U64:
    """Return (hands,) a number for each hand that its copies share; NO_DIGEST for what is not compared."""
    digests = hand_digests(batch)
    both: U64 = digests.deal * np.uint64(3) ^ digests.play
    both[(digests.deal == NO_DIGEST) | (batch.hands.end == HandEnd.UNFINISHED)] = NO_DIGEST
    return both


def hand_names(batch: Batch) -> list[str]:
    """Return for each hand what names it wherever its log lies: the id of its game, or else its digests."""
    digests, ids = hand_digests(batch), batch.games.id
    words = (digests.deal ^ digests.play).tolist()
    return [
        str(ids[game] or f"{word:016x}") for game, word in zip(batch.hands.game.tolist(), words, strict=True)
    ]
