"""Scoring and shapes beside other libraries, on one core: ``python bench/hands.py [HANDS]``.

Prints CPU time a hand, of random winning hands: `paifu.score_many` on arrays, `paifu.score` on a text, the
checked caller below it, `riichienv`, `mahjong` and `jansou`. "Typical" hands are those of real play as far as
random ones can be (no kan, at most two calls, not one suit); "all" has every shape. The time of a library
includes bringing a hand to its form. Then shanten and waits of random tiles, and how many values differ from
those of other libraries.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import numpy.typing as npt
import riichienv
from mahjong.shanten import Shanten as MahjongShanten

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "helpers"))

from random_wins import RandomWin, columns_of, random_win
from score_oracles import by_jansou, by_mahjong, by_riichienv, ours

import paifu
from paifu.replay.model.tile_notation import format_tiles, tile_name
from paifu.replay.model.tiles import WINDS
from paifu.replay.rulesets.presets import load_preset
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.score import score
from paifu.replay.shapes.shanten import shanten_many, waits_many

RULES = load_preset("tenhou")
FEW = 2000
"""Hands that are scored one by one; ten times as many for shanten."""
Row = tuple[str, int, Callable[[], Any]]
"""Name, hands, and what is timed."""


def is_typical(win: RandomWin) -> bool:
    """Return whether a hand is of the sort that common play makes."""
    kinds = {tile // 36 for tile in win.ids}
    return len(win.melds) <= 2 and len(kinds) > 2 and all(len(tiles) == 3 for _, tiles in win.melds)


def written(win: RandomWin) -> tuple[str, dict[str, Any]]:
    """Return a hand as ``paifu.score`` takes it."""
    hand = win.hand
    options = {(flag.name or "").lower(): True for flag in hand.situation}
    shown = {"dora": format_tiles(hand.dora_indicators), "ura": format_tiles(hand.ura_indicators)}
    winds = {"seat_wind": WINDS[hand.seat_wind], "round_wind": WINDS[hand.round_wind]}
    text = format_tiles(hand.tiles) + "".join(map(str, hand.melds))
    return text, {"win": tile_name(hand.win), **options, **shown, **winds}


def each(call: Callable[..., Any], many: list[tuple[tuple[Any, ...], dict[str, Any]]]) -> None:
    """Call once for each hand; one without a yaku is left out."""
    for args, options in many:
        with suppress(HandError):
            call(*args, **options)


def scoring(number: int) -> tuple[list[Row], str]:
    """Return what is timed of scoring, and how many values differ."""
    rng = random.Random(1)  # noqa: S311 - not for secrets
    wins = [random_win(rng) for _ in range(number)]
    few = wins[:FEW]
    texts = [written(win) for win in few]
    rows: list[Row] = []
    for name, hands in (("typical", [win for win in wins if is_typical(win)]), ("all", wins)):
        counts, win, columns = columns_of([one.hand for one in hands])
        many = partial(paifu.score_many, counts, win, **columns)
        rows.append((f"paifu.score_many, {name} hands", len(hands), many))
    rows += [
        ("paifu.score", len(few), lambda: each(paifu.score, [((text,), more) for text, more in texts])),
        ("score, checked caller", len(few), lambda: each(score, [((one.hand, RULES), {}) for one in few])),
        ("score, riichienv", len(few), lambda: [by_riichienv(one, 4) for one in few]),
        ("score, mahjong", len(few), lambda: [by_mahjong(one, 4) for one in few]),
        ("score, jansou", len(few), lambda: [by_jansou(one.hand, "tenhou") for one in few]),
    ]
    theirs = [by_mahjong(one, 4) for one in few]
    pairs = [(one, his) for one, his in zip(few, theirs, strict=True) if his is not None]
    differ = sum(ours(score(one.hand, RULES), one) != his for one, his in pairs)
    return rows, f"{differ} of {len(few)} hands differ from mahjong"


def deal(rng: np.random.Generator, hands: int, size: int) -> npt.NDArray[np.uint8]:
    """Deal random closed hands: (hands, 34) counts."""
    tiles = np.argpartition(rng.random((hands, 136), np.float32), size, axis=1)[:, :size] // 4
    counts = np.zeros((hands, 34), np.uint8)
    np.add.at(counts, (np.repeat(np.arange(hands), size), tiles.ravel()), 1)
    return counts


def shapes(hands: int) -> tuple[list[Row], str]:
    """Return what is timed of shanten and waits, and how many values differ."""
    rng = np.random.default_rng(1)
    fourteen, thirteen = deal(rng, hands, 14), deal(rng, hands, 13)
    few = fourteen[: 10 * FEW].tolist()
    walls = [[4 * kind + copy for kind in range(34) for copy in range(hand[kind])] for hand in few]
    rows: list[Row] = [
        ("paifu.shanten_many", hands, lambda: shanten_many(fourteen)),
        ("paifu.waits_many", hands, lambda: waits_many(thirteen)),
        ("shanten, riichienv", len(few), lambda: [riichienv.calculate_shanten(wall) for wall in walls]),
        ("shanten, mahjong", len(few), lambda: [MahjongShanten.calculate_shanten(hand) for hand in few]),
    ]
    own = shanten_many(fourteen[: len(few)]).tolist()
    differ = sum(one != riichienv.calculate_shanten(wall) for one, wall in zip(own, walls, strict=True))
    return rows, f"{differ} of {len(own)} values differ from riichienv"


def main() -> None:
    """Print the tables."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
    for rows, words in (scoring(number), shapes(10 * number)):
        for name, count, call in rows:
            times = []
            for _ in range(4):  # the first one warms up
                start = process_time()
                call()
                times.append(process_time() - start)
            print(f"{name:42} {min(times[1:]) / count * 1e6:12,.2f} us")
        print(words)


if __name__ == "__main__":
    main()
