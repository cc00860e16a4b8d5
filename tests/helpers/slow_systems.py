"""A second, slow and obvious scoring of the games other than riichi, to hold the first one to.

It shares nothing with the package: tiles are texts (``"3m"``), a hand is tried in every division into sets
and pairs, and a condition is a line of set logic.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

SUITED = [f"{n}{s}" for s in "mps" for n in range(1, 10)]
HONOURS = [f"{n}z" for n in range(1, 8)]
TERMINALS = {f"{n}{s}" for s in "mps" for n in (1, 9)}
OUTER = TERMINALS | set(HONOURS)
GREEN = {"2s", "3s", "4s", "6s", "8s", "6z"}
WINDS, DRAGONS = ["1z", "2z", "3z", "4z"], ["5z", "6z", "7z"]


@dataclass
class SlowWin:
    tiles: list[str]
    """Concealed, the winning tile last."""
    melds: list[tuple[tuple[str, ...], bool]] = field(default_factory=list)
    """Tiles of each meld, and whether it is a concealed gong."""
    bonus: list[str] = field(default_factory=list)
    seat: int = 1
    round: int = 0
    drawn: bool = False
    payer: int = 0
    situation: set[str] = field(default_factory=set)
    """Of last, gong, bonus, gong-on-gong, robbing, first, dealers-first, after."""

    @property
    def win(self) -> str:
        return self.tiles[-1]


@dataclass
class Part:
    """A set or pair: its tiles, and whether no claimed tile is in it."""

    tiles: tuple[str, ...]
    concealed: bool
    melded: bool = False

    @property
    def chow(self) -> bool:
        return len(set(self.tiles)) > 1

    @property
    def pung(self) -> bool:
        return len(self.tiles) >= 3 and not self.chow

    @property
    def gong(self) -> bool:
        return len(self.tiles) == 4


@dataclass
class Division:
    form: str
    parts: list[Part]
    filled: str = ""


def chow_from(tile: str) -> tuple[str, ...] | None:
    number, suit = int(tile[0]), tile[1]
    return None if suit == "z" or number > 7 else tuple(f"{number + i}{suit}" for i in range(3))


def sets_of(tiles: Counter[str]) -> Iterator[list[tuple[str, ...]]]:
    """Every way to use up tiles as chows and pungs."""
    left = sorted(tile for tile in tiles if tiles[tile])
    if not left:
        yield []
        return
    first = left[0]
    for group in ((first,) * 3, chow_from(first)):
        if group is not None and all(tiles[tile] >= count for tile, count in Counter(group).items()):
            for rest in sets_of(tiles - Counter(group)):
                yield [group, *rest]


def divisions(win: SlowWin, *, pairs: str, orphans: bool) -> list[Division]:
    found: list[Division] = []
    tiles = Counter(win.tiles)
    melds = [Part(m, concealed, True) for m, concealed in win.melds]
    for pair in sorted(tiles):
        if tiles[pair] < 2:
            continue
        for groups in sets_of(tiles - Counter([pair, pair])):
            own = [(pair, pair), *groups]
            for index in range(len(own)):
                if win.win in own[index]:
                    parts = [
                        Part(group, win.drawn or i != index or len(set(group)) > 1)
                        for i, group in enumerate(own)
                    ]
                    group = own[index]
                    filled = "pair" if len(group) == 2 else "pung" if len(set(group)) == 1 else "chow"
                    found.append(Division("regular", melds + parts, filled))
    if not win.melds:
        if pairs == "different" and len(tiles) == 7 and set(tiles.values()) == {2}:
            found.append(Division("pairs", [Part((t, t), True) for t in tiles]))
        if pairs == "any" and all(count in (2, 4) for count in tiles.values()):
            listed = [Part((t, t), True) for t, count in tiles.items() for _ in range(count // 2)]
            found.append(Division("pairs", listed))
        if orphans and set(tiles) == OUTER:
            found.append(Division("orphans", []))
    return found


class Look:
    """One division with its obvious facts."""

    def __init__(self, win: SlowWin, division: Division) -> None:
        self.win, self.division = win, division
        self.all = [*win.tiles, *(tile for meld, _ in win.melds for tile in meld)]
        self.kinds = set(self.all)
        self.form = division.form
        parts = division.parts if division.form == "regular" else []
        self.sets = [part for part in parts if len(part.tiles) > 2]
        self.pair = next((part.tiles[0] for part in parts if len(part.tiles) == 2), "")
        self.chows = [part.tiles for part in self.sets if part.chow]
        self.pungs = [part.tiles[0] for part in self.sets if part.pung]
        self.hidden_pungs = sum(part.pung and part.concealed for part in self.sets)
        self.gongs = sum(part.gong for part in self.sets)
        self.suits = {tile[1] for tile in self.kinds} - {"z"}
        self.honours = any(tile[1] == "z" for tile in self.kinds)
        self.closed = all(concealed for _, concealed in win.melds)
        self.own_winds = [WINDS[win.seat]]

    def in_three_suits(self, groups: list[tuple[str, ...]]) -> bool:
        return any(
            all(tuple(tile[0] + suit for tile in group) in groups for suit in "mps") for group in groups
        )

    def pungs_in_row(self, number: int) -> bool:
        return any(
            all(f"{start + i}{suit}" in self.pungs for i in range(number))
            for suit in "mps"
            for start in range(1, 11 - number)
        )

    def straight(self) -> bool:
        return any(
            all(tuple(f"{n + i}{suit}" for i in range(3)) in self.chows for n in (1, 4, 7)) for suit in "mps"
        )

    def small_similar(self) -> bool:
        others = [self.pair[0] + suit for suit in "mps" if suit != self.pair[1]] if self.pair else []
        return bool(self.pair) and self.pair[1] != "z" and all(tile in self.pungs for tile in others)

    def gates(self, tiles: list[str]) -> bool:
        numbers = sorted(tile[0] for tile in tiles)
        one_suit = len({tile[1] for tile in tiles}) == 1 and tiles[0][1] != "z"
        return not self.win.melds and one_suit and "".join(numbers) == "1112345678999"

    def winds(self) -> int:
        return sum(tile in WINDS for tile in self.pungs)

    def dragons(self) -> int:
        return sum(tile in DRAGONS for tile in self.pungs)

    def untouched(self) -> bool:
        return "first" in self.win.situation and not self.win.melds


# Zung Jung

SERIES = {
    "all-sequences": "1.1", "concealed-hand": "1.2", "no-terminals": "1.3", "mixed-one-suit": "2.1",
    "pure-one-suit": "2.1", "nine-gates": "2.2", "value-honour": "3.1", "small-three-dragons":
    "3.2", "big-three-dragons": "3.2", "small-three-winds": "3.3", "big-three-winds": "3.3",
    "small-four-winds": "3.3", "big-four-winds": "3.3", "all-honours": "3.4", "all-triplets": "4.1",
    "two-concealed-triplets": "4.2", "three-concealed-triplets": "4.2", "four-concealed-triplets":
    "4.2", "one-kong": "4.3", "two-kongs": "4.3", "three-kongs": "4.3", "four-kongs": "4.3",
    "two-identical-sequences": "5.1", "two-identical-sequences-twice": "5.1",
    "three-identical-sequences": "5.1", "four-identical-sequences": "5.1",
    "three-similar-sequences": "6.1", "small-three-similar-triplets": "6.2",
    "three-similar-triplets": "6.2", "nine-tile-straight": "7.1", "three-consecutive-triplets":
    "7.2", "four-consecutive-triplets": "7.2", "mixed-lesser-terminals": "8.1",
    "pure-lesser-terminals": "8.1", "mixed-greater-terminals": "8.1", "pure-greater-terminals":
    "8.1", "final-draw": "9.1", "final-discard": "9.1", "win-on-kong": "9.2", "robbing-a-kong":
    "9.3", "blessing-of-heaven": "9.4", "blessing-of-earth": "9.4", "thirteen-terminals": "10.1",
    "seven-pairs": "10.2",
}  # fmt: skip
_POINTS = (
    5, 5, 5, 40, 80, 480, 10, 40, 130, 30, 120, 320, 400, 320, 30, 5, 30, 125, 5, 20, 120, 480, 10, 60, 120,
    480, 35, 30, 120, 40, 100, 200, 40, 50, 100, 400, 10, 10, 10, 10, 155, 155, 160, 30,
)  # fmt: skip
POINTS = dict(zip(SERIES, _POINTS, strict=True))


def series_points(look: Look) -> dict[str, int]:
    """Patterns and points of one division."""
    win, regular, pairs = look.win, look.form == "regular", look.form == "pairs"
    either = regular or pairs
    touching = [set(part.tiles) & OUTER for part in look.division.parts]
    pure_touching = [set(part.tiles) & TERMINALS for part in look.division.parts]
    equal = sorted(Counter(look.chows).values(), reverse=True) or [0]
    value = [tile for tile in look.pungs if tile in DRAGONS or tile == WINDS[win.seat]]
    there = {
        "all-sequences": len(look.chows) == 4,
        "concealed-hand": regular and look.closed,
        "no-terminals": either and not look.kinds & OUTER,
        "mixed-one-suit": either and len(look.suits) == 1 and look.honours,
        "pure-one-suit": either and len(look.suits) == 1 and not look.honours,
        "nine-gates": regular and look.gates(win.tiles[:-1]) and len(look.suits) == 1 and not look.honours,
        "small-three-dragons": look.dragons() == 2 and look.pair in DRAGONS,
        "big-three-dragons": look.dragons() == 3,
        "small-three-winds": look.winds() == 2 and look.pair in WINDS,
        "big-three-winds": look.winds() == 3 and look.pair not in WINDS,
        "small-four-winds": look.winds() == 3 and look.pair in WINDS,
        "big-four-winds": look.winds() == 4,
        "all-honours": either and not look.suits,
        "all-triplets": len(look.pungs) == 4,
        "two-concealed-triplets": look.hidden_pungs == 2,
        "three-concealed-triplets": look.hidden_pungs == 3,
        "four-concealed-triplets": look.hidden_pungs == 4,
        "one-kong": look.gongs == 1,
        "two-kongs": look.gongs == 2,
        "three-kongs": look.gongs == 3,
        "four-kongs": look.gongs == 4,
        "two-identical-sequences": equal[0] == 2 and equal[1:2] != [2],
        "two-identical-sequences-twice": equal[:2] == [2, 2],
        "three-identical-sequences": equal[0] == 3,
        "four-identical-sequences": equal[0] == 4,
        "three-similar-sequences": look.in_three_suits(look.chows),
        "small-three-similar-triplets": look.small_similar(),
        "three-similar-triplets": look.in_three_suits([(tile,) for tile in look.pungs]),
        "nine-tile-straight": look.straight(),
        "three-consecutive-triplets": look.pungs_in_row(3) and not look.pungs_in_row(4),
        "four-consecutive-triplets": look.pungs_in_row(4),
        "mixed-lesser-terminals": regular and all(touching) and bool(look.chows) and look.honours,
        "pure-lesser-terminals": regular and all(pure_touching) and bool(look.chows),
        "mixed-greater-terminals": either and look.kinds <= OUTER and look.honours and bool(look.suits),
        "pure-greater-terminals": either and look.kinds <= TERMINALS,
        "final-draw": "last" in win.situation and win.drawn,
        "final-discard": "last" in win.situation and not win.drawn,
        "win-on-kong": "gong" in win.situation,
        "robbing-a-kong": "robbing" in win.situation,
        "blessing-of-heaven": win.seat == 0 and win.drawn and look.untouched(),
        "blessing-of-earth": "dealers-first" in win.situation,
        "thirteen-terminals": look.form == "orphans",
        "seven-pairs": pairs,
    }
    found = {name: POINTS[name] for name, yes in there.items() if yes}
    if value:
        found["value-honour"] = 10 * len(value)
    return found


def series_value(look: Look) -> tuple[int, dict[str, int]]:
    found = series_points(look)
    kept = {
        name: points
        for name, points in found.items()
        if points == max(found[other] for other in found if SERIES[other] == SERIES[name])
    }
    dearest = max(kept, key=lambda name: kept[name], default=None)
    if dearest is not None and kept[dearest] >= 320:
        return kept[dearest], {dearest: kept[dearest]}
    return (min(sum(kept.values()), 320), kept) if kept else (1, {})


def series_payments(value: int, win: SlowWin) -> list[int]:
    others = [seat for seat in range(4) if seat != win.seat]
    changes = [0] * 4
    for seat in others:
        if win.drawn or value <= 25:
            changes[seat] = -value
        else:
            changes[seat] = -(3 * value - 50) if seat == win.payer else -25
    changes[win.seat] = -sum(changes)
    return changes


# Hong Kong Old Style


def faan_of(look: Look) -> tuple[dict[str, int], set[str]]:
    """Faan by pattern, and the limits of one division."""
    win, regular = look.win, look.form == "regular"
    situation = win.situation
    own = [tile for tile in win.bonus if int(tile[0]) - 1 == win.seat]
    bonus = set(win.bonus)
    gong_on_gong = "gong-on-gong" in situation
    replaced = ("gong" in situation or "bonus" in situation) and not gong_on_gong
    faan = {
        "pung-of-dragons": look.dragons(),
        "pung-of-seat-wind": look.pungs.count(WINDS[win.seat]),
        "pung-of-round-wind": look.pungs.count(WINDS[win.round]),
        "little-three-dragons": 2 * (look.dragons() == 2 and look.pair in DRAGONS),
        "no-bonus-tiles": not bonus,
        "own-bonus-tile": len(own),
        "all-flowers": {"1f", "2f", "3f", "4f"} <= bonus,
        "all-seasons": {"1g", "2g", "3g", "4g"} <= bonus,
        "six-bonus-tiles": len(bonus) == 6,
        "seven-bonus-tiles": 3 * (len(bonus) == 7),
        "all-chows": len(look.chows) == 4,
        "all-pungs": 3 * (len(look.pungs) == 4),
        "seven-pairs": 3 * (look.form == "pairs"),
        "half-flush": 3 * (len(look.suits) == 1 and look.honours),
        "full-flush": 6 * (len(look.suits) == 1 and not look.honours),
        "self-pick": win.drawn,
        "concealed-hand": look.closed,
        "replacement-tile": replaced,
        "gong-on-gong": 2 * gong_on_gong,
        "rob-a-gong": "robbing" in situation,
        "last-tile-win": "last" in situation and not replaced and not gong_on_gong,
    }
    three_of = {
        suit: look.pair[1:] == suit and [tile[1] for tile in look.pungs].count(suit) == 3 for suit in "mps"
    }
    gates = (
        any(look.gates(win.tiles[:i] + win.tiles[i + 1 :]) for i in range(len(win.tiles)))
        and len(look.suits) == 1
    )
    limits = {
        "all-honours": look.form != "orphans" and not look.suits,
        "big-three-dragons": look.dragons() == 3,
        "big-four-winds": look.winds() == 4,
        "little-four-winds": look.winds() == 3 and look.pair in WINDS,
        "all-terminals": regular and look.kinds <= TERMINALS,
        "perfect-green": look.kinds <= GREEN,
        "ruby-dragon": three_of["m"] and "7z" in look.pungs,
        "pearl-dragon": three_of["p"] and "5z" in look.pungs,
        "jade-dragon": three_of["s"] and "6z" in look.pungs,
        "four-concealed-pungs": look.hidden_pungs == 4 and win.drawn,
        "four-gongs": look.gongs == 4,
        "nine-gates": regular and gates and not look.honours,
        "thirteen-orphans": look.form == "orphans",
        "great-chariot": not win.melds
        and sorted(win.tiles) == sorted(f"{n}p" for n in range(2, 9) for _ in "ab"),
        "gift-of-heaven": win.seat == 0 and win.drawn and look.untouched(),
        "gift-of-earth": win.seat > 0 and win.drawn and look.untouched(),
        "gift-of-man": win.seat > 0 and not win.drawn and look.untouched(),
        "eight-bonus-tiles": len(bonus) == 8,
    }
    return {name: int(n) for name, n in faan.items() if n}, {name for name, yes in limits.items() if yes}


def faan_value(look: Look) -> tuple[int, dict[str, int]]:
    """Base points, 0 where the hand may not win, and the patterns that count."""
    faan, limits = faan_of(look)
    if limits:
        return 128 * len(limits), dict.fromkeys(limits, 0)
    total = sum(faan.values())
    for least, base in ((13, 128), (10, 64), (7, 32), (4, 16), (3, 8)):
        if total >= least:
            return base, faan
    return 0, faan


def faan_payments(value: int, win: SlowWin) -> list[int]:
    changes = [0] * 4
    payers = [seat for seat in range(4) if seat != win.seat] if win.drawn else [win.payer]
    for seat in payers:
        changes[seat] = -value if win.drawn else -2 * value
    changes[win.seat] = -sum(changes)
    return changes


# Chinese Classical


def own_points(parts: list[Part], bonus: list[str]) -> int:
    total = 4 * len(bonus)
    for part in parts:
        if part.pung:
            table = {3: {True: (4, 8), False: (2, 4)}, 4: {True: (16, 32), False: (8, 16)}}
            total += table[len(part.tiles)][part.concealed][part.tiles[0] in OUTER]
    return total


def doubles(
    pungs: list[str], kinds: set[str], bonus: list[str], seat: int, round_wind: int
) -> dict[str, int]:
    suits = {tile[1] for tile in kinds} - {"z"}
    honours = any(tile[1] == "z" for tile in kinds)
    found = {
        "pung-of-seat-wind": pungs.count(WINDS[seat]),
        "pung-of-round-wind": pungs.count(WINDS[round_wind]),
        "pung-of-dragons": sum(tile in DRAGONS for tile in pungs),
        "own-bonus-tile": sum(int(tile[0]) - 1 == seat for tile in bonus),
        "all-flowers": 3 * (sum(tile[1] == "f" for tile in bonus) == 4),
        "all-seasons": 3 * (sum(tile[1] == "g" for tile in bonus) == 4),
        "half-flush": len(suits) == 1 and honours,
        "full-flush": 3 * (len(suits) == 1 and not honours),
        "all-honours": 3 * (not suits),
    }
    return {name: int(n) for name, n in found.items() if n}


def classical_value(look: Look) -> tuple[int, dict[str, int]] | None:
    """The winner's score and patterns; None where the discard may not complete this division."""
    win, regular = look.win, look.form == "regular"
    situation = win.situation
    limits = {
        "all-honours": regular and not look.suits,
        "all-terminals": regular and look.kinds <= TERMINALS,
        "perfect-green": regular and look.kinds <= GREEN,
        "big-three-dragons": look.dragons() == 3,
        "big-four-winds": look.winds() == 4,
        "four-gongs": look.gongs == 4,
        "gift-of-heaven": win.seat == 0 and win.drawn and look.untouched(),
        "gong-on-gong": "gong-on-gong" in situation,
        "four-concealed-pungs": look.hidden_pungs == 4 and win.drawn,
        "nine-gates": regular and look.gates(win.tiles[:-1]) and len(look.suits) == 1 and not look.honours,
        "thirteen-orphans": look.form == "orphans",
        "dealers-first-discard": "dealers-first" in situation,
        "moon-from-the-sea": "last" in situation and win.drawn and win.win == "1p",
        "plum-blossom": "gong" in situation and win.win == "5p",
        "carrying-pole": "robbing" in situation and win.win == "2s",
    }
    free = limits["nine-gates"] or limits["thirteen-orphans"]
    if not win.drawn and look.division.filled != "pung" and not free:
        return None
    if any(limits.values()):
        return 500, {name: 0 for name, yes in limits.items() if yes}
    points = own_points(look.division.parts, win.bonus) + 20 + 2 * win.drawn
    pair = 2 * ((look.pair in DRAGONS) + (look.pair == WINDS[win.seat]) + (look.pair == WINDS[win.round]))
    points += pair + 2 * (len(waits(win)) == 1) + 10 * ("gong" in situation) + 10 * (len(look.pungs) == 4)
    points += 10 * (len(look.chows) == 4 and not pair and not win.bonus)
    found = doubles(look.pungs, look.kinds, win.bonus, win.seat, win.round)
    if win.seat > 0 and win.drawn and look.untouched():
        found["gift-of-earth"] = 3
    return min(points * 2 ** sum(found.values()), 500), found


def waits(win: SlowWin) -> list[str]:
    """Kinds that complete the tiles before the win, held four times at most."""
    before = win.tiles[:-1]
    held = Counter([*before, *(tile for meld, _ in win.melds for tile in meld)])
    return [
        tile
        for tile in (*SUITED, *HONOURS)
        if held[tile] < 4
        and divisions(SlowWin([*before, tile], win.melds, drawn=True), pairs="none", orphans=True)
    ]


def loser_score(hand: SlowWin, seat: int, round_wind: int) -> int:
    """The score of thirteen tiles that have not won."""
    parts = [Part(meld, concealed, True) for meld, concealed in hand.melds]
    parts += [Part((tile,) * 3, True) for tile, count in Counter(hand.tiles).items() if count >= 3]
    kinds = {*hand.tiles, *(tile for meld, _ in hand.melds for tile in meld)}
    pungs = [part.tiles[0] for part in parts if part.pung]
    found = doubles(pungs, kinds, hand.bonus, seat, round_wind)
    return min(own_points(parts, hand.bonus) * 2 ** sum(found.values()), 500)


def classical_payments(value: int, win: SlowWin, losers: dict[int, int]) -> list[int]:
    scores = {**losers, win.seat: value}
    changes = [0] * 4
    for payer in range(4):
        for payee in range(4):
            if payer != payee and payer != win.seat:
                amount = scores.get(payee, 0) * (2 if 0 in (payer, payee) else 1)
                changes[payer] -= amount
                changes[payee] += amount
    return changes


# All of them


def best(system: str, win: SlowWin) -> tuple[int, list[dict[str, int]]] | None:
    """The greatest value and the patterns of each division that has it; None when the hand may not win."""
    pairs = {"zung-jung": "any", "wsom": "any", "hk-old-style": "different", "chinese-classical": "none"}[
        system
    ]
    value: dict[str, Any] = {
        "zung-jung": series_value,
        "wsom": series_value,
        "hk-old-style": faan_value,
        "chinese-classical": classical_value,
    }
    looks = [Look(win, division) for division in divisions(win, pairs=pairs, orphans=True)]
    values = [found for look in looks if (found := value[system](look)) is not None]
    if system == "hk-old-style" and win.drawn and len(win.bonus) == 8:
        values.append((128, {"eight-bonus-tiles": 0}))
    least = {"wsom": 5, "hk-old-style": 8}.get(system, 0)
    if not values or max(amount for amount, _ in values) < least:
        return None
    greatest = max(amount for amount, _ in values)
    return greatest, [found for amount, found in values if amount == greatest]
