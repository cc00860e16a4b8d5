"""Luck of the hands of a batch: the checked caller of the kernels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from paifu.coach.kernels import luck_layout
from paifu.coach.kernels.luck_layout import LuckMind, LuckState
from paifu.coach.kernels.luck_pass import measure_luck
from paifu.coach.luck.model import LuckValues, classes, shipped_values
from paifu.replay.arrays import F64, I64
from paifu.replay.kernels.claims import EventClaims, WinClaims
from paifu.replay.model.batch import Batch, rows_within
from paifu.replay.model.tiles import KINDS, NO_TILE
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import Given, rulesets_of
from paifu.replay.shapes.tables import load_tables
from paifu.replay.table.engine import claim_columns, claims_under, new_notes, new_scoring, new_table
from paifu.replay.table.indicator_order import replay_order

_ROOM = 64 * luck_layout.ROOM
DEAL, OWN, OTHERS, TURNED = range(4)
"""Parts of a hand's luck: the deal and first indicator, its own draws, those of others, ura and kan dora."""


@dataclass(frozen=True, slots=True, eq=False)
class ChanceNodes:
    """Chance nodes of some hands with the same rules, in the order of play."""

    cells: npt.NDArray[np.int32]
    """(n, N_SIZE), see :mod:`paifu.coach.kernels.luck_layout`."""
    luck: F64
    """(n, 4) points that what came brought each seat above the mean, before the model's shares."""
    inputs: npt.NDArray[np.float32]
    """(n, INPUTS) of draws with the tile that was drawn; or (0, INPUTS) where they are not kept."""
    before: npt.NDArray[np.float32]
    """The same before the tile was drawn."""
    deals: F64
    """(n, 4 * D_SIZE), likewise."""
    rules: Ruleset

    def column(self, number: int) -> npt.NDArray[np.int32]:
        """Return a column of the cells."""
        return self.cells[:, number]


@dataclass(frozen=True, slots=True, eq=False)
class HandLuck:
    """Luck of the hands of a batch."""

    known: npt.NDArray[np.bool_]
    """(hands,) whether it was measured."""
    parts: F64
    """(hands, 4, 4) points by seat and DEAL, OWN, OTHERS, TURNED, which sum up to the seat's luck."""


def is_measured(rules: Ruleset) -> bool:
    """Return whether there are values for a ruleset's game and number of players."""
    return rules.game.scheme == Scheme.HAN_FU and shipped_values(rules.table.players) is not None


def chance_nodes(
    batch: Batch,
    *rules: Given,
    values: Callable[[int], LuckValues | None] = shipped_values,
    keep: bool = False,
) -> Iterator[ChanceNodes]:
    """Yield the chance nodes of a batch. Hands of which tiles are hidden are left out.

    ``values`` gives those for a number of players. With ``keep``, the inputs of the model are kept.
    """
    rulesets = rulesets_of(batch, *rules)
    order = replay_order(batch, rulesets) if rules else np.zeros(0, np.int64)
    groups: dict[int, list[int]] = {}
    for game, ruleset in enumerate(rulesets):
        if ruleset.game.scheme == Scheme.HAN_FU and values(ruleset.table.players) is not None:
            groups.setdefault(id(ruleset), []).append(game)
    for games in groups.values():
        ruleset = rulesets[games[0]]
        found = values(ruleset.table.players)
        if found is not None:
            yield from _nodes(batch, ruleset, np.array(games), order, found, keep)


def _nodes(
    batch: Batch, rules: Ruleset, games: I64, order: I64, values: LuckValues, keep: bool
) -> Iterator[ChanceNodes]:
    chosen = rows_within(batch.games.hand_begin[games], batch.games.hand_end[games])
    chosen = chosen[~(batch.hands.dealt[chosen, : rules.table.players] >= KINDS + 3).any(axis=(1, 2))]
    room = _ROOM if keep else luck_layout.ROOM + min(_ROOM, 200 * len(chosen))
    kept_room = room if keep else 0
    state = LuckState(
        table=new_table(),
        rules=rules.kernel(),
        shapes=load_tables(sanma=rules.table.players == 3),
        scoring=new_scoring(rules),
        model=values.for_kernels(rules),
        mind=LuckMind(),
        nodes=np.zeros((room, luck_layout.N_SIZE), np.int32),
        luck=np.zeros((room, 4)),
        rows=np.zeros((kept_room, luck_layout.INPUTS), np.float32),
        before=np.zeros((kept_room, luck_layout.INPUTS), np.float32),
        deals=np.zeros((kept_room, 4 * luck_layout.D_SIZE)),
    )
    wins = WinClaims(*claim_columns(batch.wins, WinClaims._fields))
    run = measure_luck.bound(
        chosen,
        claims_under(rules, batch, chosen),
        EventClaims(*claim_columns(batch.events, EventClaims._fields)),
        wins._replace(tile_id=np.full(len(batch.wins), NO_TILE, np.uint8)),  # physical tiles are not followed
        np.searchsorted(batch.wins.hand, np.arange(len(batch.hands) + 1)),
        order,
        new_notes(64),
        state,
    )
    while state.mind.next_hand < len(chosen):
        state.mind.nodes = 0
        run()
        rows = state.mind.nodes
        kept = rows if keep else 0
        yield ChanceNodes(
            state.nodes[:rows].copy(),
            state.luck[:rows].copy(),
            state.rows[:kept].copy(),
            state.before[:kept].copy(),
            state.deals[:kept].copy(),
            rules,
        )


def node_luck(nodes: ChanceNodes) -> F64:
    """Return (n, 4) luck in points: what came less the mean, times the share of the node's class."""
    values = shipped_values(nodes.rules.table.players)
    assert values is not None  # noqa: S101  chance_nodes looks only at such games
    luck: F64 = nodes.luck * values.shares[classes(nodes.cells)][:, None]
    return luck


def hand_luck(batch: Batch, found: Iterable[ChanceNodes]) -> HandLuck:
    """Return the luck of all hands of a batch, 0 and not ``known`` where no nodes were ``found``."""
    known = np.zeros(len(batch.hands), bool)
    parts = np.zeros((len(batch.hands), 4, 4))
    for nodes in found:
        hand, sort = nodes.column(luck_layout.N_HAND), nodes.column(luck_layout.N_SORT)
        known[hand] = True
        luck = node_luck(nodes)
        for seat in range(4):
            own = nodes.column(luck_layout.N_SEAT) == seat
            part = np.where(
                sort == luck_layout.DEALT, DEAL, np.where(sort == luck_layout.DRAWN, OTHERS - own, TURNED)
            )
            np.add.at(parts[:, seat], (hand, part), luck[:, seat])
    return HandLuck(known, parts)
