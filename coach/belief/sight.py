"""What a seat sees of a hand: all that beliefs about the hidden hands are drawn from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from paifu.replay.arrays import I64, U8
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.scoring import dora_of
from paifu.replay.kernels.table_state import ANKAN, UNSEEN, TableState, copies, kind_of, seen_by
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.model.tiles import KINDS, TILES

assert UNSEEN == 0  # noqa: S101


@dataclass(frozen=True, eq=False)
class Sight:
    """What a seat sees. Rows of four are by seat, absolute; kinds are 0-33, masks have a bit for each."""

    seat: int
    players: int
    unseen: U8
    """Tiles (0-36) that it does not see, in order."""
    size: I64
    """(4,) concealed tiles of the others, 0 of the seat itself."""
    melds: I64
    """(4,) number."""
    calls: tuple[tuple[tuple[int, int], ...], ...]
    """Of each seat: lowest kind and event kind of each meld, closed kans left out."""
    riichi: I64
    """(4,) 1 where declared."""
    safe: I64
    """(4,) kinds discarded by a seat, or passed since its riichi or its last discard."""
    offered: int
    """Kinds that nobody won just now, as a mask."""
    discards: tuple[tuple[int, ...], ...]
    """Kinds by seat, in order, those called as well."""
    declared: tuple[int, ...]
    """Which of its discards declared riichi, by seat; -1 for none."""
    seen: U8
    """(34,) copies of each kind that it sees."""
    dora: tuple[int, ...]
    """Kinds."""
    winds: tuple[int, int]
    """Kinds of the round's wind and of the wind of seat 0."""

    def own_wind(self, seat: int) -> int:
        """Return the kind of a seat's wind."""
        return 27 + (self.winds[1] - 27 + seat) % self.players


def sight_of(
    table: TableState, passed: I64, batch: Batch, hand: int, stop: int, seat: int, rules: KernelRules
) -> Sight:
    """Return what a seat sees of a table, which events of the batch before ``stop`` have led to.

    Of what is hidden, only the number of tiles counts.
    """
    players = int(rules.players)
    others = [other for other in range(players) if other != seat]
    hidden = table.held[others].sum(axis=0)
    left = [copies(tile, rules) - int(table.seen[tile]) + int(hidden[tile]) for tile in range(TILES)]
    size, sort = np.zeros(4, np.int64), batch.events.kind
    size[others] = table.held[others].sum(axis=1)
    discards: list[list[int]] = [[], [], [], []]
    declared, declares = [-1] * 4, [False] * 4
    for event in range(int(batch.hands.event_begin[hand]), stop):
        mover = int(batch.events.seat[event])
        if sort[event] == EventKind.RIICHI:
            declares[mover] = True
        elif sort[event] == EventKind.DISCARD:
            if declares[mover] and declared[mover] < 0:
                declared[mover] = len(discards[mover])
            discards[mover].append(kind_of(int(batch.events.tile[event])))
    calls = tuple(
        tuple(
            (int(table.meld_kinds[other, i]), int(table.meld_types[other, i]))
            for i in range(int(table.meld_count[other]))
            if table.meld_types[other, i] != ANKAN
        )
        for other in range(4)
    )
    return Sight(
        seat=seat, players=players, unseen=np.repeat(np.arange(TILES), left).astype(np.uint8), size=size,
        melds=np.array(table.meld_count), calls=calls, riichi=(np.array(table.riichi) > 0).astype(np.int64),
        safe=np.array(table.river_kinds) | passed,
        offered=1 << kind_of(int(table.offer_tile)) if table.offer else 0,
        discards=tuple(tuple(kinds) for kinds in discards), declared=tuple(declared),
        seen=np.array([seen_by(table, seat, kind) for kind in range(KINDS)], np.uint8),
        dora=tuple(int(dora_of(int(table.indicators[i]), players)) for i in range(int(table.turned))),
        winds=(27 + int(table.wind), 27 + (-int(table.east)) % players),
    )  # fmt: skip
