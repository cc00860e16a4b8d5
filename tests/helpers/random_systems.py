"""Random wins of games other than riichi: hands of every shape, mostly complete, in possible situations."""

from __future__ import annotations

from collections import Counter
from random import Random

from slow_systems import DRAGONS, HONOURS, OUTER, SUITED, WINDS, SlowWin, chow_from

GREENS = ["2s", "3s", "4s", "6s", "8s", "6z"]


def _pool(rng: Random) -> list[str]:
    """Kinds to build from: all, one suit with or without honours, outer tiles, greens, honours."""
    suit = rng.choice("mps")
    one = [tile for tile in SUITED if tile[1] == suit]
    numbers = rng.choice(("123", "789", "19", "456"))
    return rng.choice(
        (
            [*SUITED, *HONOURS],
            [*SUITED, *HONOURS],
            one,
            [*one, *HONOURS],
            [*one, rng.choice(DRAGONS)],
            sorted(OUTER),
            HONOURS,
            [*WINDS, *WINDS, *one],
            [*DRAGONS, *DRAGONS, *one],
            GREENS,
            [tile for tile in SUITED if tile not in OUTER],
            [tile for tile in SUITED if tile[0] in numbers],
            [tile for tile in SUITED if tile in OUTER],
        )
    )


def _sets(rng: Random, number: int) -> list[tuple[str, ...]] | None:
    """Sets and a pair (last) of at most four tiles a kind, or None."""
    pool, chows = _pool(rng), rng.random()
    sets: list[tuple[str, ...]] = []
    for _ in range(number):
        if sets and rng.random() < 0.25:
            first = sets[-1][0]
            other = rng.choice([first, rng.choice("123456789") + first[1], first[0] + rng.choice("mps")])
        else:
            other = rng.choice(pool)
        run = chow_from(other) if other in SUITED and rng.random() < chows else None
        sets.append(run if run is not None else (other,) * 3)
    pair = rng.choice(pool)
    held = Counter([*(tile for group in sets for tile in group), pair, pair])
    possible = all(tile in SUITED or tile in HONOURS for tile in held) and max(held.values()) <= 4
    return [*sets, (pair, pair)] if possible else None


def _whole(rng: Random) -> tuple[list[str], list[tuple[tuple[str, ...], bool]]]:
    """Concealed tiles and melds of a complete hand."""
    shape = rng.random()
    if shape < 0.04:
        return [*sorted(OUTER), rng.choice(sorted(OUTER))], []
    if shape < 0.12:
        pool = list(dict.fromkeys(_pool(rng)))
        kinds = rng.sample(pool, 7) if len(pool) >= 7 else [rng.choice(pool) for _ in range(7)]
        tiles = [tile for tile in kinds for _ in "ab"]
        return (tiles, []) if max(Counter(tiles).values()) <= 4 else _whole(rng)
    if shape < 0.16:
        suit = rng.choice("mps")
        return [f"{n}{suit}" for n in "1112345678999"] + [rng.choice("123456789") + suit], []
    if shape < 0.18:
        suit = rng.choice("mps")
        return [f"{n}{suit}" for n in range(2, 9) for _ in "ab"], []
    sets = None
    while sets is None:
        sets = _sets(rng, 4)
    melds: list[tuple[tuple[str, ...], bool]] = []
    tiles = list(sets[-1])
    wanted = rng.choice((0.0, 0.3, 0.6, 1.0))
    for group in sets[:-1]:
        equal = len(set(group)) == 1
        others = sum(tile == group[0] for other in sets if other is not group for tile in other)
        if equal and not others and rng.random() < 0.3:
            melds.append((group + group[:1], rng.random() < 0.5))
        elif rng.random() < wanted:
            melds.append((group, False))
        else:
            tiles += group
    return tiles, melds


def _bonus(rng: Random) -> list[str]:
    every = [f"{n}{letter}" for letter in "fg" for n in range(1, 5)]
    return sorted(rng.sample(every, rng.choice((0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8))))


def random_win(rng: Random, *, bonus: bool) -> SlowWin:
    """A win that is possible as far as the table goes; it may lack value, or not be complete at all."""
    tiles, melds = _whole(rng)
    if rng.random() < 0.02:
        tiles[0] = rng.choice([*SUITED, *HONOURS])
        if Counter([*tiles, *(tile for meld, _ in melds for tile in meld)])[tiles[0]] > 4:
            return random_win(rng, bonus=bonus)
    rng.shuffle(tiles)
    win = SlowWin(tiles, melds, _bonus(rng) if bonus else [], rng.randrange(4), rng.randrange(4))
    win.drawn = rng.random() < 0.5
    if not win.drawn and len(win.bonus) == 8:
        win.bonus.pop()  # eight win at once, in the own turn
    win.payer = rng.choice([seat for seat in range(4) if seat != win.seat])
    gongs = sum(len(meld) == 4 for meld, _ in melds)
    held = Counter([*tiles, *(tile for meld, _ in melds for tile in meld)])
    choices = ["", "", "", "last"]
    if win.drawn:
        choices += ["gong"] * bool(gongs) + ["gong-on-gong"] * (gongs > 1) + ["bonus"] * bool(win.bonus)
    else:
        choices += ["robbing"] * (held[win.win] == 1)
    if not melds and (win.drawn or win.payer < win.seat):
        choices += ["first"]
    if not melds and not win.drawn and win.payer == 0:
        choices += ["dealers-first"]
    chosen = rng.choice(choices)
    win.situation = {chosen} - {""}
    if chosen == "gong-on-gong":
        win.situation.add("gong")
    if chosen == "dealers-first":
        win.situation.add("first")
    if chosen in ("gong", "bonus") and rng.random() < 0.2:
        win.situation.add("last")
    return win


def random_loser(rng: Random, taken: Counter[str]) -> SlowWin | None:
    """Thirteen tiles of a loser, with melds and bonus tiles, from what is not ``taken``; None if unlucky."""
    tiles, melds = _whole(rng)
    if not tiles:
        return None
    tiles.pop(rng.randrange(len(tiles)))
    mine = Counter([*tiles, *(tile for meld, _ in melds for tile in meld)])
    bonus = [tile for tile in _bonus(rng) if not taken[tile]][:3]
    if any(mine[tile] + taken[tile] > 4 for tile in mine):
        return None
    taken.update(mine)
    taken.update(bonus)
    return SlowWin(tiles, melds, bonus)
