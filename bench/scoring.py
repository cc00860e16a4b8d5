"""Scoring beside three libraries, on one core and on the same random winning hands.

python bench/scoring.py [HANDS]

Prints CPU time a hand and hands a second: `paifu.score_many` on arrays, `paifu.score` on a text, the checked
caller below it, `riichienv`, `mahjong` and `jansou`. "Typical" hands are those of real play as far as random
ones can be (no kan, at most two calls, not one suit); "all" has every shape. The time of a library includes
bringing a hand to its form.
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

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "helpers"))

from random_wins import RandomWin, columns_of, random_win
from score_oracles import by_jansou, by_mahjong, by_riichienv, ours

import paifu
from paifu.replay.model.tiles import WINDS, format_tiles, tile_name
from paifu.replay.rulesets.presets import load_preset
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.score import score
from paifu.replay.scoring.tables import scoring_tables

RULES = load_preset("tenhou")


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


def timed(call: Callable[[], Any]) -> float:
    """Return the CPU seconds of the best of three calls."""
    times = []
    for _ in range(3):
        start = process_time()
        call()
        times.append(process_time() - start)
    return min(times)


def main() -> None:
    """Print the table."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
    rng = random.Random(1)  # noqa: S311 - not for secrets
    wins = [random_win(rng) for _ in range(number)]
    start = process_time()
    tables = scoring_tables(RULES)
    took = 1000 * (process_time() - start)
    print(f"tables of a ruleset made in {took:.0f} ms, {len(tables.patterns.rows)} patterns")
    few, typical = wins[:2000], [win for win in wins if is_typical(win)]
    texts = [written(win) for win in few]
    rows: list[tuple[str, int, Callable[[], Any]]] = []
    for name, hands in (("typical", typical), ("all", wins)):
        counts, win, columns = columns_of([one.hand for one in hands])
        many = partial(paifu.score_many, counts, win, **columns)
        rows.append((f"paifu.score_many, {name} hands", len(hands), many))
    rows += [
        ("paifu.score", len(few), lambda: each(paifu.score, [((text,), more) for text, more in texts])),
        ("score, checked caller", len(few), lambda: each(score, [((one.hand, RULES), {}) for one in few])),
        ("riichienv", len(few), lambda: [by_riichienv(one, 4) for one in few]),
        ("mahjong", len(few), lambda: [by_mahjong(one, 4) for one in few]),
        ("jansou", len(few), lambda: [by_jansou(one.hand, "tenhou") for one in few]),
    ]
    for name, count, call in rows:
        seconds = timed(call)
        print(f"{name:42} {seconds / count * 1e6:12,.2f} us {count / seconds:14,.0f} /s")
    differ = 0
    for one in few:
        theirs = by_mahjong(one, 4)
        differ += theirs is not None and ours(score(one.hand, RULES), one) != theirs
    print(f"{differ} of {len(few)} hands differ from mahjong")


if __name__ == "__main__":
    main()
