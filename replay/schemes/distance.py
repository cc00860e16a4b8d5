"""How far thirteen tiles are from a winning form of their ruleset, and which kinds bring them closer.

The forms that riichi has, too, are looked up in its tables; the others are counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from types import MappingProxyType

from paifu.replay.kernels.rules import IDENTICAL_PAIRS
from paifu.replay.model.tiles import KINDS
from paifu.replay.rules.choices import SevenPairs
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.schemes.check import check_tiles
from paifu.replay.schemes.hand import Hand
from paifu.replay.schemes.readings import COPIES, KNITTED, SNAKES, Form
from paifu.replay.schemes.scheme import Waiting
from paifu.replay.schemes.tables import winning_forms
from paifu.replay.shapes import shanten as shapes

_OUT_OF_REACH = 99


def _pure_pairs(held: Counter[int]) -> int:
    """Tiles missing to seven pairs of one suit, less one."""
    best = 0
    for suit in (range(9), range(9, 18), range(18, 27)):
        counts = [min(held[kind], 2) for kind in suit]
        pairs = counts.count(2)
        best = max(best, 2 * min(pairs, 7) + min(counts.count(1), 7 - min(pairs, 7)))
    return 13 - best


def _snake(held: Counter[int]) -> int:
    """Tiles missing to a suit with the winds and a second of one, less one."""
    return min(
        13 - sum(held[kind] > 0 for kind in kinds) - any(held[kind] > 1 for kind in kinds) for kinds in SNAKES
    )


def _knitted(held: Counter[int]) -> int:
    """Tiles missing to 1 to 7 of two suits, less one."""
    return min(13 - sum(held[kind] > 0 for kind in kinds) for kinds in KNITTED)


_COUNTED: Mapping[Form, Callable[[Counter[int]], int]] = MappingProxyType(
    {Form.PURE_PAIRS: _pure_pairs, Form.SNAKE: _snake, Form.KNITTED: _knitted}
)


def shanten(hand: Hand, rules: Ruleset) -> int:
    """Return the tiles that 13 (or 14) tiles lack, the last one apart: -1 complete, 0 waits."""
    forms = winning_forms(rules)
    known = shapes.shanten(
        hand.tiles,
        [meld.kinds for meld in hand.melds],
        forms=IDENTICAL_PAIRS if rules.seven_pairs == SevenPairs.IDENTICAL else 0,
    )
    of_form = {
        Form.REGULAR: known.standard,
        Form.SEVEN_PAIRS: known.seven_pairs,
        Form.ORPHANS: known.thirteen_orphans,
    }
    if not hand.melds:
        held = Counter(hand.tiles)
        of_form |= {form: count(held) for form, count in _COUNTED.items()}
    return min((away for form in forms if (away := of_form.get(form)) is not None), default=_OUT_OF_REACH)


def waiting(hand: Hand, rules: Ruleset) -> Waiting:
    """Return what thirteen tiles lack, and the kinds that bring them closer or win.

    Raises HandError for tiles that nobody can hold.
    """
    check_tiles(hand, rules)
    held = Counter(hand.kinds)
    now = shanten(hand, rules)
    kinds = tuple(
        kind
        for kind in range(KINDS)
        if held[kind] < COPIES and shanten(Hand(tiles=(*hand.tiles, kind), melds=hand.melds), rules) < now
    )
    return Waiting(now, kinds, sum(COPIES - held[kind] for kind in kinds))
