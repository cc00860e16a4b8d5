"""The policy: how likely strong players are to choose each option of a decision.

A small network, fitted by ``bench/fit_policy.py`` to what players of Tenhou's higher rooms chose.
It reads the table as the player sees it, kind by kind, and the options as the engine describes them
(:mod:`paifu.coach.kernels.policy_inputs`, :mod:`paifu.coach.kernels.policy_network`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from paifu.coach.judgement.judged import Judgement
from paifu.coach.judgement.policy_inputs import CALLS, Boards, boards, new_numbers
from paifu.coach.kernels.policy_inputs import CHANNELS, FEATURES, BestOptions
from paifu.coach.kernels.policy_network import GROUPS, RANKS, Scratch, Weights, find_chances
from paifu.replay.array_files import npz
from paifu.replay.arrays import F32, I64, U8
from paifu.replay.model.batch import Batch
from paifu.replay.model.tiles import KINDS
from paifu.replay.rules.ruleset import Ruleset

SCHEMA = "paifu.policy/1"
SHIPPED = Path(__file__).parent / "shipped" / "4-players-policy.npz"
SHIPPED_FOR_THREE = SHIPPED.with_name("3-players-policy.npz")


@dataclass(frozen=True, slots=True, eq=False)
class Policy:
    """Weights by name, and where they come from."""

    weights: Mapping[str, F32]
    provenance: Mapping[str, Any]

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
        return Weights(*(np.ascontiguousarray(w[name]) for name in Weights._fields))

    def saved(self) -> bytes:
        """Return the bytes of a file; the same weights give the same bytes."""
        about = {"schema": SCHEMA, **self.provenance}
        return npz({name: self.weights[name].astype(np.float16) for name in sorted(self.weights)}, about)


def new_scratch(w: Weights, most: int) -> Scratch:
    """Return what the network needs room for, with ``most`` options of a decision."""
    (width,), (options,), (last,) = w.into_bias.shape, w.option_bias.shape, w.last_bias.shape
    whole = len(w.whole_bias)

    def room(*shape: int) -> F32:
        return np.zeros(shape, np.float32)

    longest = max(len(w.whole), 2 * options, CHANNELS, FEATURES)
    return Scratch(
        numbers=new_numbers(1, most), best=BestOptions(), kinds=room(KINDS, width), inner=room(KINDS, width),
        groups=room(GROUPS, 2 * width), given=room(longest), added=room(GROUPS + RANKS + 1, width),
        whole=room(whole), option=room(options), options=room(most, options), last=room(2, last),
        places=np.zeros(longest, np.int64),
    )  # fmt: skip


def load_policy(path: Path) -> Policy:
    """Read a file of weights; raises ValueError for another version."""
    with np.load(path, allow_pickle=False) as stored:
        about = json.loads(stored["about"].tobytes())
        if about.pop("schema", None) != SCHEMA:
            raise ValueError(f"{path}: of another version; run bench/fit_policy.py")
        weights = {name: stored[name].astype(np.float32) for name in stored.files if name != "about"}
    return Policy(weights, about)


@cache
def shipped_policy(players: int) -> Policy | None:
    """Return the policy that comes with the package; None if there is none for this number of players."""
    files = {4: SHIPPED, 3: SHIPPED_FOR_THREE}
    return load_policy(files[players]) if players in files else None


def shares(batch: Batch, rulesets: Sequence[Ruleset], one: Judgement, numbers: I64) -> dict[int, F32]:
    """Return how likely strong players are to choose each option, by number of the decision of a judgement.

    ``rulesets`` are those of the batch's games. Decisions of games without a policy are left out.
    """
    table, made = one.table, one.chosen[numbers]
    policy = shipped_policy(int(batch.games.players[table.game[made[0]]])) if len(made) else None
    if policy is None:
        return {}
    at = boards(
        batch, rulesets, table.hand[made], table.event[made], table.seat[made],
        np.isin(table.option[made], CALLS),
    )  # fmt: skip
    length = one.end[numbers] - one.first[numbers]
    first = np.append(0, np.cumsum(length))
    rows = np.repeat(one.first[numbers] - first[:-1], length) + np.arange(first[-1])
    found = policy.chances(at, one.cells[rows], first[:-1])
    return dict(zip(numbers.tolist(), np.split(found, first[1:-1]), strict=True))
