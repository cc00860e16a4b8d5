"""What makes a hidden hand more or less likely, as a row of weights: one place says what each is for.

A layer is an array of places in the row of weights with an array of factors; what a hand is worth is the sum
over what it has. Hands come in three groups: in riichi, closed and silent, open.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from paifu.coach.belief.sight import Sight
from paifu.coach.kernels.belief import SHANTENS, WAIT_TYPES
from paifu.replay.arrays import F64, I64
from paifu.replay.kernels.review_danger import danger_class
from paifu.replay.kernels.review_layout import CLASSES
from paifu.replay.kernels.table_state import CHI
from paifu.replay.model.tiles import KINDS

RIICHI, CLOSED, OPEN, GROUPS = 0, 1, 2, 3
MOST = 4
"""Copies of a kind that count apart: none, 1, 2, 3, 4."""
_PHASES, _TURNS = (6, 12), (2, 4, 6, 8, 10, 12, 14)
"""Discards after which a hand is in its next phase."""
EARLY = 6
"""A discard before this one is early."""
_SORTS, _LINEAR, _WAITS = 5, 14, 7
_BLOCKS = {
    "copies": GROUPS * (len(_PHASES) + 1) * _SORTS * (MOST + 1),
    "thrown": GROUPS * 2 * (MOST + 1),
    "linear": GROUPS * _LINEAR,
    "yaku": 8 * (MOST + 1),
    "shanten": 4 * (len(_TURNS) + 1) * SHANTENS,
    "type": GROUPS * WAIT_TYPES,
    "danger": GROUPS * CLASSES,
    "wait": GROUPS * _WAITS,
}
FIRST = dict(zip(_BLOCKS, np.cumsum([0, *_BLOCKS.values()]).tolist(), strict=False))
"""Where the weights of each kind begin."""
WEIGHTS = sum(_BLOCKS.values())
_KIND = np.arange(KINDS)
_RANK = np.where(_KIND < 27, _KIND % 9, -9)
_SUIT = _KIND // 9
_COPIES = np.arange(MOST + 1)
Layer = tuple[I64, F64]


@dataclass(frozen=True, eq=False)
class Features:
    """The layers of one hidden hand."""

    tiles: tuple[Layer, ...]
    """(34, 5) by kind and copies held."""
    red: Layer
    """(1,) for each red five."""
    shanten: Layer
    """(7,)"""
    types: Layer
    """(WAIT_TYPES,)"""
    waits: tuple[Layer, ...]
    """(34,) by kind waited for."""


def features_of(sight: Sight, seat: int) -> Features:
    """Return the layers of a seat's hidden hand, as another sees it."""
    calls, thrown = sight.calls[seat], np.array(sight.discards[seat], np.int64)
    group = RIICHI if sight.riichi[seat] else OPEN if calls else CLOSED
    phase = int(np.searchsorted(_PHASES, len(thrown), "right"))
    stage = group * (len(_PHASES) + 1) + phase
    early = thrown[:EARLY]
    declared = sight.declared[seat]
    sort = _sorts(sight, seat)
    places = FIRST["copies"] + (stage * _SORTS + sort[:, None]) * (MOST + 1) + _COPIES
    layers: list[Layer] = [(places, (_COPIES > 0) * np.ones((KINDS, 1)))]
    late = np.isin(_KIND, thrown[EARLY:])
    was = np.where(np.isin(_KIND, early), 0, 1)[:, None]
    places = FIRST["thrown"] + (group * 2 + was) * (MOST + 1) + _COPIES
    was_thrown: F64 = (np.isin(_KIND, early) | late)[:, None] * (_COPIES > 0) * np.ones(1)
    layers.append((places, was_thrown))
    for number, factor in enumerate(_factors(sight, seat, thrown)):
        place = np.full((KINDS, MOST + 1), FIRST["linear"] + group * _LINEAR + number)
        layers.append((place, factor[:, None] * _COPIES * 1.0))
    for number, mask in enumerate(_yaku(sight, seat, sort)):
        place = np.broadcast_to(FIRST["yaku"] + number * (MOST + 1) + _COPIES, (KINDS, MOST + 1))
        layers.append((place, mask[:, None] * (_COPIES > 0) * 1.0))
    turn = int(np.searchsorted(_TURNS, len(thrown), "right"))
    row = FIRST["shanten"] + (min(len(calls), 3) * (len(_TURNS) + 1) + turn) * SHANTENS
    free = 0.0 if group == RIICHI else 1.0
    danger = np.array(
        [danger_class(sight.seen, int(sight.safe[seat]), kind, sight.players) for kind in range(KINDS)]
    )
    waits: list[Layer] = [(FIRST["danger"] + group * CLASSES + danger, np.ones(KINDS))]
    sign = thrown[declared : declared + 1] if declared >= 0 else early[:0]
    dora = np.array(sight.dora, np.int64)
    about: tuple[F64, ...] = (
        near(early, 1), near(early, 2), near(sign, 1), near(sign, 2), near(sign, 3),
        np.isin(_KIND, dora).astype(np.float64), near(dora, 1),
    )  # fmt: skip
    waits += [
        (np.full(KINDS, FIRST["wait"] + group * _WAITS + number), factor)
        for number, factor in enumerate(about)
    ]
    return Features(
        tiles=tuple(layers),
        red=(np.array([FIRST["linear"] + group * _LINEAR + _LINEAR - 1]), np.ones(1)),
        shanten=(row + np.arange(SHANTENS), np.full(SHANTENS, free)),
        types=(FIRST["type"] + group * WAIT_TYPES + np.arange(WAIT_TYPES), np.ones(WAIT_TYPES)),
        waits=tuple(waits),
    )


def _sorts(sight: Sight, seat: int) -> I64:
    """Return the sort of each kind: yakuhai, other winds, 1 and 9, 2 and 8, 3 to 7."""
    sort = np.array([4, 3, 2])[np.clip(2 - np.minimum(_RANK, 8 - _RANK), 0, 2)]
    worth = (_KIND >= 31) | np.isin(_KIND, (sight.winds[0], sight.own_wind(seat)))
    result: I64 = np.where(_KIND < 27, sort, np.where(worth, 0, 1))
    return result


def near(kinds: I64, distance: int) -> F64:
    """Return for each number tile how many of ``kinds`` are this far from it."""
    apart = np.abs(_KIND[:, None] - kinds) == distance
    same = (_SUIT[:, None] == kinds // 9) & (_KIND[:, None] < 27)
    result: F64 = (apart & same).sum(axis=1).astype(np.float64)
    return result


def _factors(sight: Sight, seat: int, thrown: I64) -> list[F64]:
    """Return what counts by each tile held, all but the last of ``_LINEAR``."""
    early, late = thrown[:EARLY], thrown[EARLY:]
    numbers = thrown[thrown < 27]
    by_suit = np.bincount(numbers // 9, minlength=4)[:4] * 1.0
    share = np.where(_KIND < 27, by_suit[_SUIT] - by_suit[:3].mean(), 0.0)
    melded = np.zeros(4)
    for low, _ in sight.calls[seat]:
        melded[low // 9] += 1
    calls = len(sight.calls[seat])
    alone = (melded > 0).sum() - (melded[3] > 0) <= 1 and calls >= 2
    dora = np.array(sight.dora, np.int64)
    pons = calls >= 1 and all(sort != CHI for _, sort in sight.calls[seat])
    return [
        near(early, 1), near(early, 2), near(late, 1), near(late, 2), share,
        share * (len(thrown) > 2 * EARLY),
        np.where(_KIND < 27, melded[_SUIT], 0.0) * alone,
        (_KIND >= 27) * 1.0 * alone,
        np.isin(_KIND, dora) * 1.0, near(dora, 1), near(dora, 2),
        (_KIND >= 27) * 1.0 * pons,
        (_KIND < 27) * (sight.seen == 3) * 1.0,
    ]  # fmt: skip


def _yaku(sight: Sight, seat: int, sort: I64) -> list[F64]:
    """Return which kinds count by their copies in an open hand, by what its melds show."""
    calls = sight.calls[seat]
    has = any(kind >= 27 and sort[kind] == 0 for kind, _ in calls)
    inside = all(_RANK[kind] > 0 and kind % 9 + 2 * (what == CHI) < 8 for kind, what in calls)
    pons = all(what != CHI for _, what in calls)
    open_ = len(calls) > 0
    outer = (sort <= 2) * 1.0
    return [
        (sort == 0) * 1.0 * (open_ and not has and not inside),
        (sort == 0) * 1.0 * (open_ and not has and inside),
        (sort == 0) * 1.0 * (open_ and has),
        outer * (open_ and not has and inside),
        outer * (open_ and not has and not inside),
        outer * (open_ and has),
        np.ones(KINDS) * (open_ and pons),
        np.ones(KINDS) * (open_ and not pons),
    ]
