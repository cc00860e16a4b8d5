"""The policy: how likely strong players are to choose each option of a decision.

A small network, fitted by ``bench/fit_policy.py`` to what players of Tenhou's higher rooms chose.
It reads the table as the player sees it, kind by kind, and the options as the engine describes them
(:mod:`paifu.coach.kernels.policy_inputs`, :mod:`paifu.coach.kernels.policy_network`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from paifu.coach.judgement.judged import Judgement
from paifu.coach.judgement.policy_inputs import CALLS, Boards, boards, new_numbers
from paifu.coach.kernels.policy_inputs import CHANNELS, FEATURES, SCALARS, BestOptions
from paifu.coach.kernels.policy_network import GROUPS, RANKS, Scratch, Weights, find_chances
from paifu.coach.model_files import ModelFile, shipped
from paifu.replay.arrays import F32, I64, U8
from paifu.replay.model.batch import Batch
from paifu.replay.model.tiles import KINDS
from paifu.replay.rules.ruleset import Ruleset

CACHE_LINE = 64
"""Bytes."""


@dataclass(frozen=True, slots=True, eq=False)
class Policy:
    """Weights by name."""

    weights: Mapping[str, F32]

    @classmethod
    def of(cls, file: ModelFile) -> Policy:
        """Return the policy in a file. Raises ModelError where it reads other inputs."""
        file.floats({"into": (5 * CHANNELS, -1), "into_table": (SCALARS, -1), "feature": (FEATURES, -1)})
        return cls({name: array.astype(np.float32) for name, array in file.arrays.items()})

    def chances(self, at: Boards, cells: U8, first: I64) -> F32:
        """Return (rows,) the chance of each option; those of a decision sum up to 1.

        ``first`` (n,) says where the rows ``cells`` of each decision begin.
        """
        found, end = np.zeros(len(cells), np.float32), np.append(first, len(cells))
        weights = self.tables()
        scratch = new_scratch(weights, int(np.diff(end).max(initial=0)))
        find_chances(at.planes, at.held, at.marks, cells, end, weights, scratch, found)
        return found

    @cache  # noqa: B019  few are read, and all stay
    def tables(self) -> Weights:
        """Return the weights as the kernels take them."""
        w = dict(self.weights)
        layers = range(sum(name.startswith("near") for name in w))
        w |= {
            name: np.stack([w[f"{name}{layer}"] for layer in layers])
            for name in Weights._fields
            if f"{name}0" in w
        }
        w |= {"danger": w["danger"] @ w["dangers"], "score": w["score"][:, 0]}
        return Weights(*(aligned(w[name]) for name in Weights._fields))


def aligned(array: F32) -> F32:
    """Return a copy that begins where a line of the processor's cache does: no vector lies in two of them."""
    room = np.empty(array.nbytes + CACHE_LINE, np.uint8)
    begin = -room.ctypes.data % CACHE_LINE
    found: F32 = room[begin : begin + array.nbytes].view(array.dtype).reshape(array.shape)
    found[...] = array
    return found


def new_scratch(w: Weights, most: int) -> Scratch:
    """Return what the network needs room for, with ``most`` options of a decision."""
    (width,), (options,), (last,) = w.into_bias.shape, w.option_bias.shape, w.last_bias.shape
    whole = len(w.whole_bias)

    def room(*shape: int) -> F32:
        return aligned(np.zeros(shape, np.float32))

    longest = max(len(w.whole), 2 * options, CHANNELS, FEATURES)
    return Scratch(
        numbers=new_numbers(1, most), best=BestOptions(), kinds=room(KINDS, width), inner=room(KINDS, width),
        groups=room(GROUPS, 2 * width), given=room(longest), added=room(GROUPS + RANKS + 1, width),
        whole=room(whole), option=room(options), options=room(most, options), last=room(2, last),
        places=np.zeros(longest, np.uint16),
    )  # fmt: skip


@cache
def shipped_policy(players: int) -> Policy | None:
    """Return the policy that comes with the package; None if there is none for this number of players."""
    file = shipped("policy", players)
    return Policy.of(file) if file else None


def shares(batch: Batch, rulesets: Sequence[Ruleset], one: Judgement, numbers: I64) -> F32:
    """Return (rows,) how likely strong players are to choose each option of some decisions of a judgement.

    ``numbers`` are these decisions; of all others it is NaN, as it is of games without a policy. ``rulesets``
    are those of the batch's games.
    """
    table, made = one.table, one.chosen[numbers]
    found = np.full(len(table), np.nan, np.float32)
    policy = shipped_policy(int(batch.games.players[table.game[made[0]]])) if len(made) else None
    if policy is None:
        return found
    at = boards(
        batch, rulesets, table.hand[made], table.event[made], table.seat[made],
        np.isin(table.option[made], CALLS),
    )  # fmt: skip
    length = one.end[numbers] - one.first[numbers]
    first = np.append(0, np.cumsum(length))
    rows = np.repeat(one.first[numbers] - first[:-1], length) + np.arange(first[-1])
    found[rows] = policy.chances(at, one.cells[rows], first[:-1])
    return found
