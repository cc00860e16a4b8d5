"""A second, obvious matching of hands with a card: every choice spelt out, tiles put in places one by one.

It shares nothing with the package. Tiles are texts: ``"3m"``, ``"F"`` for any flower or season, ``"J"`` for a
joker.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import permutations, product

SUITS = "mps"
DRAGON = {"m": "7z", "p": "5z", "s": "6z"}
WIND = {"E": "1z", "S": "2z", "W": "3z", "N": "4z"}


@dataclass(frozen=True, eq=False)
class SlowLine:
    id: str
    pattern: str
    exposed: bool
    value: int
    free: bool = False
    runs: tuple[dict[str, int], ...] = ({},)
    """Every choice of variables, as numbers."""
    winds: bool = False
    """The variable q is any wind."""
    doubles: bool = True


def _sums() -> tuple[dict[str, int], ...]:
    return tuple({"x": x, "y": y, "z": x + y} for x in range(1, 10) for y in range(1, 10) if x + y <= 9)


NINE = tuple({"x": x} for x in range(1, 10))
HANDS_2013 = (
    SlowLine("2013-1", "N EE WWW SSSS 2013a", True, 25),
    SlowLine("2013-2", "FF 2013a 1111b 3333c", True, 25),
    SlowLine("2013-3", "FFFF 2222a 0000 13a", True, 30),
    SlowLine("2013-4", "FFFF DDDa 2013c DDDb", False, 35, free=True),
)
PRACTICE = (
    SlowLine("pr-even", "222a 444a 666b 888b FF", True, 25),
    SlowLine("pr-like", "xxxa xxxxb xxxxc DDDa", True, 25, runs=NINE),
    SlowLine("pr-sum", "FF xxxxa yyyyb zzzzc", True, 25, runs=_sums()),
    SlowLine("pr-quint", "FFFF xxxxxa DDDDDb", True, 40, runs=NINE),
    SlowLine("pr-run", "xxxa yyya zzzb uuub FF", True, 25,
             runs=tuple({"x": x, "y": x + 1, "z": x + 2, "u": x + 3} for x in range(1, 7))),
    SlowLine("pr-odd", "11a 333a 55a 777a 9999a", True, 30),
    SlowLine("pr-wind", "qqqq DDDa DDDb FFFF", True, 25, winds=True),
    SlowLine("pr-369", "333a 666a 9999a 3333b", True, 25),
    SlowLine("pr-pairs", "FF 11a 33a 55a 77a 99a DDa", False, 50, doubles=False),
)  # fmt: skip
CARDS = {"hands_2013": HANDS_2013, "practice": PRACTICE}


def tile_of(symbol: str, suit: str, numbers: dict[str, int], wind: str) -> str:
    if symbol == "q":
        return wind
    if symbol in WIND:
        return WIND[symbol]
    if symbol == "F":
        return "F"
    if symbol == "0":
        return "5z"
    if symbol == "D":
        return DRAGON[suit]
    return f"{numbers.get(symbol, symbol)}{suit}"


@cache
def spelt(line: SlowLine) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """Every hand of a line: its groups of tiles."""
    return tuple(dict.fromkeys(_spelt(line)))


def _spelt(line: SlowLine) -> Iterator[tuple[tuple[str, ...], ...]]:
    winds = WIND.values() if line.winds else [""]
    for suits, numbers, wind in product(permutations(SUITS), line.runs, winds):
        for free in SUITS if line.free else (suits[2],):
            named = {"a": suits[0], "b": suits[1], "c": free}
            groups = []
            for group in line.pattern.split():
                suit = named.get(group[-1], "")
                symbols = group[:-1] if suit else group
                groups.append(tuple(tile_of(symbol, suit, numbers, wind) for symbol in symbols))
            yield tuple(groups)


def filled(hand: tuple[tuple[str, ...], ...], tiles: list[str]) -> int:
    """The most places that tiles can take; jokers are in like groups of three or more only."""
    places = [(tile, len(group) >= 3 and len(set(group)) == 1) for group in hand for tile in group]
    taken: dict[int, int] = {}

    def fits(tile: str, place: int) -> bool:
        wanted, joker = places[place]
        return tile == wanted or (tile == "J" and joker)

    def put(index: int, tried: set[int]) -> bool:
        for place in range(len(places)):
            if fits(tiles[index], place) and place not in tried:
                tried.add(place)
                if place not in taken or put(taken[place], tried):
                    taken[place] = index
                    return True
        return False

    return sum(put(index, set()) for index in range(len(tiles)))


def away(line: SlowLine, tiles: list[str], exposures: list[tuple[str, ...]]) -> int | None:
    """Tiles that concealed ``tiles`` lack for a line beside the exposures; None when these do not fit."""
    if exposures and not line.exposed:
        return None
    found = []
    for hand in spelt(line):
        left = list(hand)
        for exposure in exposures:
            natural = {tile for tile in exposure if tile != "J"}
            group = tuple(natural)[0:1] * len(exposure)
            if len(natural) == 1 and len(group) >= 3 and group in left:
                left.remove(group)
            else:
                break
        else:
            found.append(sum(map(len, left)) - filled(tuple(left), tiles))
    return min(found, default=None)
