"""How a hand is likely to end, from where it stands: who wins from whom and for how much, or nobody.

A network of one hidden layer reads what the values of luck read, all four hands, before or after a draw.
``bench/fit_course.py`` fits it; :mod:`paifu.coach.luck.course` makes place chances of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.coach.kernels import luck_layout
from paifu.coach.model_files import shipped
from paifu.coach.places.templates import ABORTED, EXHAUSTED, WON, Template, end_under, shipped_templates
from paifu.replay.arrays import F32, F64, I64
from paifu.replay.rules.ruleset import Ruleset

SEATS = 4
NOBODY, ABORT, WAYS = 16, 17, 18
"""Ways to end: 4 * winner + who pays (the winner itself: tsumo), then draws. Seats count from the drawer."""
LEVEL_ENDS = (360, 700, 1100, 1990, 2500, 3500, 5000)
"""Base points up to which a win is of each level; those above the last are of one more."""
LEVELS = len(LEVEL_ENDS) + 1
OUTPUTS = WAYS + SEATS * 2 * LEVELS + SEATS
"""Logits: ways; levels by winner, ron and tsumo; tenpai at a draw by seat."""
INPUTS = luck_layout.INPUTS + 1 + LEVELS
"""Those of luck, whether the tile is yet to be drawn, and the level of a win by it."""
_TENPAI = WAYS + SEATS * 2 * LEVELS
_RARE = 0.02
"""Values of wins of a level that are less often seen than that are left out."""


@dataclass(frozen=True, slots=True, eq=False)
class LikelyEnds:
    """Chances of n moments; seats count from the drawer."""

    ways: F64
    """(n, WAYS)."""
    levels: F64
    """(n, 4, 2, LEVELS) of a win, by winner, and ron or tsumo."""
    tenpai: F64
    """(n, 4) at a draw."""

    def only(self, rows: I64) -> LikelyEnds:
        """Return those of some moments."""
        return LikelyEnds(self.ways[rows], self.levels[rows], self.tenpai[rows])


@dataclass(frozen=True, slots=True, eq=False)
class EndValues:
    """The fitted network for one number of players."""

    into: F32
    bias: F32
    out: F32
    out_bias: F32

    def likely(self, inputs: F32) -> LikelyEnds:
        """Return the chances at moments with (n, INPUTS) inputs."""
        hidden = np.maximum(inputs @ self.into + self.bias, 0)
        logits = (hidden @ self.out + self.out_bias).astype(float)
        levels = logits[:, WAYS:_TENPAI].reshape(-1, SEATS, 2, LEVELS)
        return LikelyEnds(_shares(logits[:, :WAYS]), _shares(levels), 1 / (1 + np.exp(-logits[:, _TENPAI:])))


def _shares(logits: F64) -> F64:
    shares: F64 = np.exp(logits - logits.max(axis=-1, keepdims=True))
    shares /= shares.sum(axis=-1, keepdims=True)
    return shares


@cache
def shipped_end_values(players: int) -> EndValues | None:
    """Return the values that come with the package; None if there are none for this number of players."""
    file = shipped("ends", players)
    if file is None:
        return None
    shapes = {"into": (INPUTS, -1), "bias": (-1,), "out": (-1, OUTPUTS), "out_bias": (OUTPUTS,)}
    return EndValues(*file.floats(shapes))


def level_of(base: float) -> int:
    """Return the level of a win of some base points."""
    return int(np.searchsorted(LEVEL_ENDS, base))


def full_inputs(seen: npt.NDArray[np.floating[Any]], base: npt.NDArray[np.integer[Any]] | None) -> F32:
    """Return (n, INPUTS) inputs from those of luck; ``base`` is that of nodes, None before the draw."""
    inputs = np.zeros((len(seen), INPUTS), np.float32)
    inputs[:, : luck_layout.INPUTS] = seen
    if base is None:
        inputs[:, luck_layout.INPUTS] = 1
    else:
        wins = np.flatnonzero(base)
        inputs[wins, luck_layout.INPUTS + 1 + np.searchsorted(LEVEL_ENDS, base[wins])] = 1
    return inputs


@dataclass(frozen=True, slots=True, eq=False)
class PossibleEnds:
    """Ends of a hand under a ruleset, n of them, which stand for all; places count from the dealer."""

    ends: npt.NDArray[np.int32]
    """(n, E_SIZE) as the kernels of place chances read them, with nobody in riichi."""
    winner: I64
    """(n,) -1 for none."""
    source: I64
    """(n,) who pays; the winner itself by tsumo."""
    level: I64
    share: F64
    """(n,) how often a win of its level is this."""
    tenpai: I64
    """(n,) places in tenpai, as bits; of draws only."""
    aborted: npt.NDArray[np.bool_]

    def weights(self, likely: LikelyEnds, drawer: I64) -> F64:
        """Return (moments, n) chances of the ends; ``drawer`` is the place of each moment's drawer."""
        winner = (self.winner[None] - drawer[:, None]) % SEATS
        source = (self.source[None] - drawer[:, None]) % SEATS
        every = np.arange(len(drawer))[:, None]
        is_tsumo = (winner == source).astype(np.int64)
        won = likely.ways[every, 4 * winner + source] * likely.levels[every, winner, is_tsumo, self.level]
        drawn = np.repeat(likely.ways[:, NOBODY : NOBODY + 1], len(self.ends), axis=1)
        for place in range(SEATS):
            chance = likely.tenpai[every, (place - drawer[:, None]) % SEATS]
            drawn *= np.where(self.tenpai >> place & 1, chance, 1 - chance)
        weights = np.where(self.winner >= 0, won * self.share, drawn)
        if self.aborted.any():
            weights = np.where(self.aborted, likely.ways[:, ABORT : ABORT + 1] / self.aborted.sum(), weights)
        found: F64 = weights / weights.sum(axis=1, keepdims=True)
        return found


def base_points(template: Template) -> float:
    """Return the base points of the first win of a template, about: payments are rounded up."""
    winner = template.winners[0]
    if template.is_ron:
        return template.changes[0] / (6 if winner == 0 else 4)
    return -template.changes[1 if winner == 0 else 0] / 2


@lru_cache(maxsize=16)
def possible_ends(rules: Ruleset) -> PossibleEnds:
    """Return the ends of hands under a ruleset of four players: values as often as real hands had them."""
    rows, found = [], []
    for template, level, share in _ways(rules.table.players):
        row = end_under(template, rules)
        if row is not None:
            rows.append(row)
            winner, source = (template.winners[0], template.source) if template.winners else (-1, -1)
            found.append((winner, source, level, share, template.tenpai, template.kind == ABORTED))
    return PossibleEnds(np.array(rows), *(np.array(column) for column in zip(*found, strict=True)))


def _ways(players: int) -> Iterator[tuple[Template, int, float]]:
    """Yield ends with their level, and how often a win of the level is so."""
    templates = shipped_templates(players)
    assert templates is not None  # noqa: S101  the values are for as many players
    counts: dict[tuple[bool, bool, int], dict[tuple[int, ...], int]] = defaultdict(dict)
    for template, count in templates.counts.items():
        if template.kind == WON:
            winner = template.winners[0]
            key = (winner == 0, template.is_ron, level_of(base_points(template)))
            paid = template.changes[:1] if template.is_ron else _payments(template)
            counts[key][paid] = counts[key].get(paid, 0) + count
    for (dealer, is_ron, level), values in sorted(counts.items()):
        often = {paid: count for paid, count in values.items() if count >= _RARE * sum(values.values())}
        for paid, count in sorted(often.items()):
            share = count / sum(often.values())
            for winner in (0,) if dealer else range(1, players):
                others = [place for place in range(players) if place != winner]
                for source in others if is_ron else [winner]:
                    changes = paid if is_ron else _tsumo(winner, paid, players)
                    yield Template(WON, winners=(winner,), source=source, changes=changes), level, share
    for tenpai in range(1 << players):
        yield Template(EXHAUSTED, tenpai=tenpai), 0, 1.0
    aborts = {one.way for one in templates.counts if one.kind == ABORTED}
    for way in sorted(aborts)[:1]:
        yield Template(ABORTED, way=way), 0, 1.0


def _payments(template: Template) -> tuple[int, ...]:
    """Return what a child pays for a tsumo, and what the dealer does."""
    winner = template.winners[0]
    child = next(place for place in range(1, len(template.changes)) if place != winner)
    return -template.changes[child], 0 if winner == 0 else -template.changes[0]


def _tsumo(winner: int, paid: tuple[int, ...], players: int) -> tuple[int, ...]:
    shares = [0 if place == winner else paid[1] if place == 0 else paid[0] for place in range(players)]
    return tuple(sum(shares) if place == winner else -share for place, share in enumerate(shares))
