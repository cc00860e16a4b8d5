"""The policy: how likely strong players are to choose each option of a decision.

A small network, fitted by ``bench/fit_policy.py`` to what players of Tenhou's higher rooms chose, run by
numpy. It reads the table as the player sees it, kind by kind, and the options as the engine describes them
(:mod:`paifu.coach.judgement.policy_inputs`). Layers look at a kind with its neighbours, at its suit, and at
all kinds; suits share their weights. Each option is then rated beside the others.
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
from paifu.coach.judgement.policy_inputs import CALLS, Boards, PolicyNumbers, boards, numbers_of
from paifu.replay.array_files import npz
from paifu.replay.arrays import F32, I64, U8
from paifu.replay.model.batch import Batch
from paifu.replay.model.tiles import KINDS
from paifu.replay.rules.ruleset import Ruleset

SCHEMA = "paifu.policy/1"
SHIPPED = Path(__file__).parent / "shipped" / "4-players-policy.npz"
AT_ONCE = 64
"""Decisions that are looked at together: as many as the processor keeps at hand."""
_AROUND = np.array(
    [
        [
            kind + off if kind < 27 and 0 <= kind % 9 + off < 9 else kind if off == 0 else KINDS
            for off in range(-2, 3)
        ]
        for kind in range(KINDS)
    ]
)
"""(34, 5) each kind with two neighbours on both sides, KINDS for none."""


@dataclass(frozen=True, slots=True, eq=False)
class Policy:
    """Weights by name, and where they come from."""

    weights: Mapping[str, F32]
    provenance: Mapping[str, Any]

    def chances(self, at: Boards, cells: U8, first: I64) -> F32:
        """Return (rows,) the chance of each option; those of a decision sum up to 1.

        ``first`` (n,) says where the rows ``cells`` of each decision begin.
        """
        found = np.zeros(len(cells), np.float32)
        end = np.append(first, len(cells))
        for begin in range(0, len(first), AT_ONCE):
            stop = min(len(first), begin + AT_ONCE)
            rows = slice(int(end[begin]), int(end[stop]))
            own = first[begin:stop] - end[begin]
            score = self._scores(numbers_of(at.rows(np.arange(begin, stop)), cells[rows], own), own)
            length = np.diff(np.append(own, len(score)))
            score = np.exp(score - np.repeat(np.maximum.reduceat(score, own), length))
            found[rows] = score / np.repeat(np.add.reduceat(score, own), length)
        return found

    def _scores(self, of: PolicyNumbers, first: I64) -> F32:
        w, n = self.weights, len(of.table)
        rows = np.repeat(np.arange(n), np.diff(np.append(first, len(of.kind))))
        h = np.maximum(
            _beside(of.kinds, 2) @ w["into"] + (of.table @ w["into_table"] + w["into_bias"])[:, None], 0
        )
        layer = 0
        while f"near{layer}" in w:
            suits, honours = h[:, :27].reshape(n, 3, 9, -1), h[:, 27:]
            groups = np.concatenate(
                [
                    np.concatenate([suits.mean(2), suits.max(2)], 2),
                    np.concatenate([honours.mean(1), honours.max(1)], 1)[:, None],
                ],
                1,
            )
            groups = np.repeat(groups @ w[f"suit{layer}"], (9, 9, 9, 7), axis=1)
            groups[:, :27] += np.tile(suits.mean(1) @ w[f"rank{layer}"], (1, 3, 1))
            whole = np.concatenate([h.mean(1), of.table], 1) @ w[f"mean{layer}"] + w[f"bias{layer}"]
            inner = np.maximum(_beside(h, 1) @ w[f"near{layer}"] + groups + whole[:, None], 0)
            h = h + inner @ w[f"out{layer}"]
            layer += 1
        whole = np.maximum(
            np.concatenate([h.mean(1), h.max(1), of.table], 1) @ w["whole"] + w["whole_bias"], 0
        )
        z = np.maximum(
            h[rows, of.kind] @ w["kind"]
            + of.options @ w["feature"]
            + w["danger"][of.dangers].sum(1) @ w["dangers"]
            + (whole @ w["of_whole"] + w["option_bias"])[rows],
            0,
        )
        length = np.bincount(rows, minlength=n)[:, None]
        mean, most = np.add.reduceat(z, first) / length, np.maximum.reduceat(z, first)
        beside = mean @ w["last_mean"] + most @ w["last_most"] + w["last_bias"]
        score: F32 = (np.maximum(z @ w["last"] + beside[rows], 0) @ w["score"])[:, 0]
        return score

    def saved(self) -> bytes:
        """Return the bytes of a file; the same weights give the same bytes."""
        about = {"schema": SCHEMA, **self.provenance}
        return npz({name: self.weights[name].astype(np.float16) for name in sorted(self.weights)}, about)


def _beside(h: F32, reach: int) -> F32:
    """Return (n, 34, (2 * reach + 1) * channels): each kind beside its neighbours."""
    n, _, channels = h.shape
    padded = np.concatenate([h, np.zeros((n, 1, channels), np.float32)], 1)
    return padded[:, _AROUND[:, 2 - reach : 3 + reach]].reshape(n, KINDS, -1)


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
    return load_policy(SHIPPED) if players == 4 else None


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
