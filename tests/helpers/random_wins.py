"""Random winning hands of every shape, as physical tiles, for the comparison with other libraries."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from paifu.replay.arrays import U8
from paifu.replay.model.tiles import (
    SANMA_ABSENT_KINDS,
    TERMINALS_AND_HONOURS,
    TILE_OF_ID_PLAIN,
    TILE_OF_ID_RED,
    counts_of,
    is_red,
    kind_of,
)
from paifu.replay.rules.hand_facts import Situation
from paifu.replay.scoring.many import HandColumns
from paifu.replay.scoring.readings import Meld, MeldKind
from paifu.replay.scoring.winning_hand import WinningHand

NORTH = 30


@dataclass(frozen=True)
class RandomWin:
    """A winning hand as physical tiles beside the same hand as ours."""

    ids: list[int]
    """The concealed tiles."""
    win: int
    melds: list[tuple[MeldKind, list[int]]]
    indicators: list[int]
    ura: list[int]
    hand: WinningHand


Shape = tuple[list[tuple[int, ...]], list[bool]]
"""Groups as kinds, and which of them are called."""


def _groups(rng: random.Random, pool: list[int], players: int) -> Shape | None:
    """Four groups and a pair from kinds of ``pool``, and which groups are called; None when it fails."""
    held: Counter[int] = Counter()
    groups: list[tuple[int, ...]] = []
    run_share = rng.choice([0.0, 0.3, 0.7, 0.7, 1.0])
    kan_share = rng.choice([0.0, 0.0, 0.2, 0.9])
    call_share = rng.choice([0.0, 0.0, 0.3, 0.8])
    called = []
    for _ in range(4):
        first = rng.choice(pool)
        group: tuple[int, ...] = (first,) * 3
        if first < 27 and first % 9 <= 6 and rng.random() < run_share:
            group = (first, first + 1, first + 2)
        elif rng.random() < kan_share:
            group = (first,) * 4
        is_run = group[0] != group[1]
        call = len(group) == 4 or (rng.random() < call_share and not (is_run and players == 3))
        groups.append(group)
        called.append(call)
        held.update(group)
    pair = rng.choice(pool)
    groups.append((pair, pair))
    called.append(False)
    held[pair] += 2
    return (
        (groups, called) if all(n <= 4 for n in held.values()) and set(held) <= set(_kinds(players)) else None
    )


def _kinds(players: int) -> list[int]:
    return [kind for kind in range(34) if players == 4 or kind not in SANMA_ABSENT_KINDS]


def _shape(rng: random.Random, players: int) -> Shape:
    """Groups and which of them are called; seven pairs and orphans are groups of their own."""
    kinds = _kinds(players)
    sort = rng.random()
    if sort < 0.05:
        return [(kind, kind) for kind in rng.sample(kinds, 7)], [False] * 7
    if sort < 0.06:
        tiles = [*TERMINALS_AND_HONOURS, rng.choice(TERMINALS_AND_HONOURS)]
        return [(kind,) for kind in tiles], [False] * 14
    suit = rng.randrange(3)
    pools = (
        kinds,
        [k for k in kinds if k // 9 == suit or k >= 27],
        [k for k in kinds if k // 9 == suit],
        [k for k in kinds if k in TERMINALS_AND_HONOURS or k % 9 == 6],
        [k for k in kinds if k >= 27],
        [k for k in kinds if k % 9 in (rng.randrange(6), 3, 4) and k < 27],
        [19, 20, 21, 23, 25, 32],
    )
    while True:
        found = _groups(rng, rng.choice(pools) or kinds, players)
        if found:
            return found


def _situation(
    rng: random.Random, closed: bool, bare: bool, kans: int, kita: int, dealer: bool, lone: bool
) -> Situation:
    """How the win comes about; ``lone``: the hand holds no other tile of the winning kind."""
    early = Situation.DOUBLE_RIICHI | Situation.IPPATSU
    tsumo = rng.random() < 0.5
    flags = Situation.TSUMO if tsumo else Situation(0)
    if bare and tsumo and rng.random() < 0.02:
        return flags | (Situation.TENHOU if dealer else Situation.CHIIHOU)
    if closed and rng.random() < 0.4:
        flags |= rng.choice([Situation.RIICHI, Situation.RIICHI, Situation.DOUBLE_RIICHI])
        if rng.random() < 0.3 and not ((kans or kita) and Situation.DOUBLE_RIICHI in flags):
            flags |= Situation.IPPATSU
    last = rng.random()
    if last < 0.1 and early not in flags:
        flags |= Situation.HAITEI if tsumo else Situation.HOUTEI
    elif 0.1 <= last < 0.2 and not tsumo and lone and kans < 4 and early not in flags:
        flags |= Situation.CHANKAN
    elif 0.2 <= last < 0.3 and tsumo and kans and Situation.IPPATSU not in flags:
        flags |= Situation.RINSHAN
    return flags


def random_win(rng: random.Random, *, players: int = 4, red: bool = True) -> RandomWin:
    """Make one winning hand, with or without a yaku."""
    while True:
        groups, called = _shape(rng, players)
        copies: dict[int, list[int]] = {
            kind: rng.sample(range(4 * kind, 4 * kind + 4), 4) for kind in range(34)
        }
        kita = rng.randrange(3) if players == 3 else 0
        if 4 - sum(group.count(NORTH) for group in groups) < kita:
            continue
        for _ in range(kita):
            copies[NORTH].pop()
        ids: list[int] = []
        melds: list[tuple[MeldKind, list[int]]] = []
        for group, call in zip(groups, called, strict=True):
            taken = [copies[kind].pop() for kind in group]
            if not call:
                ids += taken
                continue
            if len(group) == 4:
                melds.append((rng.choice([MeldKind.DAIMINKAN, MeldKind.ANKAN, MeldKind.KAKAN]), taken))
            else:
                melds.append((MeldKind.PON if group[0] == group[1] else MeldKind.CHI, taken))
        break
    left = [tile for kind in _kinds(players) for tile in copies[kind]]
    rng.shuffle(left)
    kans = sum(len(tiles) == 4 for _, tiles in melds)
    closed = all(kind == MeldKind.ANKAN for kind, _ in melds)
    seat = rng.randrange(players)
    win = rng.choice(ids)
    lone = sum(tile // 4 == win // 4 for tile in ids + [i for _, tiles in melds for i in tiles]) == 1
    lone = lone and not (kita and win // 4 == NORTH)
    situation = _situation(rng, closed, not melds and not kita, kans, kita, seat == 0, lone)
    if Situation.CHANKAN in situation:
        left = [tile for tile in left if tile // 4 != win // 4]
    indicators = left[: 1 + kans]
    riichi = situation & (Situation.RIICHI | Situation.DOUBLE_RIICHI)
    ura = left[5 : 6 + kans] if riichi else []
    tile_of = TILE_OF_ID_RED if red else TILE_OF_ID_PLAIN
    hand = WinningHand(
        tiles=tuple(int(tile_of[i]) for i in ids),
        win=int(tile_of[win]),
        melds=tuple(Meld(kind, tuple(int(tile_of[i]) for i in tiles)) for kind, tiles in melds),
        situation=situation,
        seat_wind=seat,
        round_wind=rng.randrange(2),
        dora_indicators=tuple(int(tile_of[i]) for i in indicators),
        ura_indicators=tuple(int(tile_of[i]) for i in ura),
        kita=kita,
    )
    return RandomWin(ids, win, melds, indicators, ura, hand)


def columns_of(wins: Sequence[WinningHand]) -> tuple[U8, U8, HandColumns]:
    """Return hands as ``score_many`` takes them: counts, winning kinds and what else is said of them."""
    counts = np.array([counts_of(win.tiles) for win in wins])
    melds = np.zeros((2, len(wins), 4), np.uint8)
    shown = np.full((2, len(wins), 5), 255, np.uint8)
    for row, win in enumerate(wins):
        for i, meld in enumerate(win.melds):
            melds[:, row, i] = meld.kind, meld.first
        for side, tiles in enumerate((win.dora_indicators, win.ura_indicators)):
            shown[side, row, : len(tiles)] = list(map(kind_of, tiles))
    return counts, np.array([kind_of(win.win) for win in wins]), HandColumns(
        situation=np.array([int(win.situation) for win in wins]),
        seat_wind=np.array([win.seat_wind for win in wins]),
        round_wind=np.array([win.round_wind for win in wins]),
        meld_kinds=melds[0],
        meld_firsts=melds[1],
        reds=np.array([sum(map(is_red, win.all_tiles)) for win in wins]),
        kita=np.array([win.kita for win in wins]),
        dora=shown[0],
        ura=shown[1],
        honba=np.array([win.honba for win in wins]),
        sticks=np.array([win.sticks for win in wins]),
        payer=np.array([-1 if win.payer is None else win.payer for win in wins]),
    )  # fmt: skip
