"""Hong Kong faan beside the npm package hk-mahjong: ``python bench/hong_kong.py FOLDER [NUMBER]``.

FOLDER is where ``npm install hk-mahjong`` was run. Random wins without bonus tiles are scored by both, with
the package's own values set (full flush 7, little three dragons 3 beside the two pungs, no seven pairs, and
none of the limits it does not know). Hands that still differ are sorted by reason; the rest is printed.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from random_systems import random_win  # noqa: E402
from slow_systems import OUTER, SlowWin  # noqa: E402
from test_systems_oracle import as_facts, as_hand  # noqa: E402

from paifu.replay.rules.ruleset import Ruleset  # noqa: E402
from paifu.replay.rulesets.presets import load_preset, with_overrides  # noqa: E402
from paifu.replay.schemes.registry import scheme_of  # noqa: E402
from paifu.replay.schemes.scheme import CompleteHand  # noqa: E402
from paifu.replay.scoring.errors import HandError  # noqa: E402

UNKNOWN = ("perfect-green", "ruby-dragon", "pearl-dragon", "jade-dragon", "great-chariot", "gift-of-man")
NAMES = {"m": "character", "p": "dot", "s": "bamboo", "z": "honor"}
WINDS = ("east", "south", "west", "north")
VALUES: dict[str, Any] = {
    "patterns": {
        "full-flush": 7,
        "little-three-dragons": 3,
        "gong-on-gong": "limit",
        **dict.fromkeys(UNKNOWN, 0),
    },
    "seven_pairs": "none",
    "minimum": 0,
    "faan_table": [[faan, faan] for faan in range(1, 100)],
    "limit": 1000,
    "limits_add": False,
}


def as_config(win: SlowWin) -> dict[str, Any]:
    """Return how a hand won as the package has it."""
    first = "first" in win.situation
    return {
        "selfPick": win.drawn,
        "fullyConcealedHand": all(concealed for _, concealed in win.melds),
        "robbingKong": "robbing" in win.situation,
        "winByLastCatch": "last" in win.situation and "gong" not in win.situation,
        "winByKong": win.situation >= {"gong"} and "gong-on-gong" not in win.situation,
        "winByDoubleKong": "gong-on-gong" in win.situation,
        "heavenlyHand": first and win.drawn,
        "earthlyHand": False,
        "roundWind": WINDS[win.round],
        "seatWind": WINDS[win.seat],
        "enableBonusFaanDueToZeroExtraTile": True,
        "extraTiles": dict.fromkeys(
            ("spring", "summer", "autumn", "winter", "plum", "lily", "chrysanthemum", "bamboo"), False
        ),
    }


def as_line(win: SlowWin) -> str:
    """Return a hand as the program beside this one reads it."""

    def named(tile: str) -> tuple[str, int]:
        # Their dragons run red, green, white.
        number = 12 - int(tile[0]) if tile in ("5z", "6z", "7z") else int(tile[0])
        return NAMES[tile[1]], number

    melds = [[named(tile) for tile in meld] for meld, _ in win.melds]
    return json.dumps(
        {"tiles": [named(tile) for tile in win.tiles], "melds": melds, "config": as_config(win)}
    )


def ours(win: SlowWin, rules: Ruleset) -> str:
    """Return the faan of a hand, or "limit"."""
    try:
        value = scheme_of(rules).score(CompleteHand(as_hand(win), as_facts(win, {})), rules).value
    except HandError:
        return "0"
    return "limit" if value == 1000 else str(value)


def reason(win: SlowWin, mine: str, theirs: str) -> str:
    """Why the two differ, where that is known."""
    tiles = [*win.tiles, *(tile for meld, _ in win.melds for tile in meld)]
    if set(tiles) <= OUTER and mine.isdigit() and theirs == str(int(mine) + 1):
        return "one faan for terminals and honours only"
    if win.melds and len({tile[1] for tile in tiles}) == 1 and theirs == "limit":
        return "nine gates with melds"
    if mine == "limit" and any(len(meld) == 4 for meld, _ in win.melds):
        return "four concealed pungs, gongs among them"
    return ""


def main(folder: str, number: int) -> None:
    """Compare so many random wins and print how they differ."""
    rules = with_overrides(load_preset("hk-old-style"), VALUES)
    rng = Random(7)  # noqa: S311
    wins: list[SlowWin] = []
    while len(wins) < number:
        win = random_win(rng, bonus=False)
        if "dealers-first" not in win.situation and not ("first" in win.situation and not win.drawn):
            wins.append(win)
    run = subprocess.run(
        ["node", str(ROOT / "bench" / "hong_kong.mjs"), folder],
        input="\n".join(map(as_line, wins)), capture_output=True, text=True, check=True,
    )  # fmt: skip
    reasons = Counter[str]()
    for win, theirs in zip(wins, run.stdout.split(), strict=True):
        mine = ours(win, rules)
        why = "the same" if mine == theirs else reason(win, mine, theirs)
        reasons[why or "unexplained"] += 1
        if not why and reasons["unexplained"] < 10:
            print(mine, theirs, win)
    print(*(f"{count:7} {why}" for why, count in reasons.most_common()), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5000)
