"""Numbers of a ruleset's own yaku, which follow its keys: from the rules of a log to those of a replay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from paifu.replay.model.batch import Batch
from paifu.replay.rules.local_yaku import OWN_IDS
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import rulesets_of


def with_own_numbers(batch: Batch, rulesets: Sequence[Ruleset]) -> Batch:
    """Return a batch whose wins list their rulesets' own yaku as ``rulesets``, by game, number them.

    A yaku that these do not have gets a number that they do not use, so that it stays a difference.
    """
    numbers: dict[tuple[str, ...], np.ndarray[tuple[int], np.dtype[np.uint8]]] = {}
    yaku = batch.wins.yaku
    for game, (stated, given) in enumerate(zip(rulesets_of(batch), rulesets, strict=True)):
        own, new = (tuple(row.key for row in rules.local.yaku) for rules in (stated, given))
        if not own or own == new:
            continue
        if (*own, "", *new) not in numbers:
            numbers[*own, "", *new] = _renumbered(own, new)
        rows = batch.wins.game == game
        if yaku is batch.wins.yaku:
            yaku = yaku.copy()
        yaku[rows] = numbers[*own, "", *new][yaku[rows]]
    return batch if yaku is batch.wins.yaku else replace(batch, wins=replace(batch.wins, yaku=yaku))


def _renumbered(own: Sequence[str], new: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    table = np.arange(256, dtype=np.uint8)
    unused = iter((*OWN_IDS[len(new) :], *OWN_IDS))
    for number, key in zip(OWN_IDS, own, strict=False):
        table[number] = OWN_IDS[new.index(key)] if key in new else next(unused)
    return table
