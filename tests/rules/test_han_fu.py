"""Which numbers of han and fu there are: those of real hands, all of which are scored."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Any

import pytest

from paifu.replay.model.tile_notation import parse_tiles
from paifu.replay.rules.hand_facts import RON, Situation
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import resolve
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.han_fu import score_han_fu
from paifu.replay.scoring.hand_text import parse_hand
from paifu.replay.scoring.score import score
from paifu.replay.scoring.winning_hand import WinningHand

SEQUENCES = ("234s", "567s", "345p", "678p")
SIMPLES = ("2m", "5m", "8m", "2p")
ENDS = ("1m", "9m", "1p", "9s")
KINDS = ("sequence", "simple triplet", "end triplet", "simple kan", "end kan")
GROUPS = [(kind, concealed) for kind in KINDS for concealed in (True, False)]
PAIRS = {"no value": "66s", "a value": "55z", "two winds": "11z"}
NOTHING = WinningHand(tiles=(), win=0)
LAST = {False: RON | Situation.HOUTEI, True: Situation.TSUMO | Situation.HAITEI}


def tiles_of(kind: str, number: int) -> str:
    if kind == "sequence":
        return SEQUENCES[number]
    tile = (SIMPLES if kind.startswith("simple") else ENDS)[number]
    return tile[0] * (4 if kind.endswith("kan") else 3) + tile[1]


def wins(*, tsumo: bool) -> Iterator[WinningHand]:
    """Yield every hand of four groups and a pair with every tile on which it may win."""
    for groups in combinations_with_replacement(GROUPS, 4):
        melds, held = "", []
        for number, (kind, concealed) in enumerate(groups):
            tiles = tiles_of(kind, number)
            if not concealed:
                melds += f"({tiles})"
            elif kind.endswith("kan"):
                melds += f"[{tiles}]"
            else:
                held.append(tiles)
        for pair in PAIRS.values():
            written = parse_hand(f"{melds}{''.join(held)}{pair}")
            for win in sorted({tile for text in (*held, pair) for tile in parse_tiles(text)}):
                yield WinningHand(
                    tiles=written.tiles,
                    win=win,
                    melds=written.melds,
                    situation=Situation.TSUMO if tsumo else RON,
                )


def found(rules: Ruleset, *, tsumo: bool) -> Iterator[tuple[int, int]]:
    """Yield fu and han of each, those of a hand without a yaku as of a win on the last tile."""
    for hand in wins(tsumo=tsumo):
        try:
            won = score(hand, rules)
        except HandError as error:
            assert "no yaku" in str(error), hand  # noqa: PT017
            last = WinningHand(tiles=hand.tiles, win=hand.win, melds=hand.melds, situation=LAST[tsumo])
            won = score(last, rules)
        if won.han and won.fu:
            yield won.fu, won.han


def is_refused(rules: Ruleset, **worth: Any) -> bool:
    tsumo = worth.pop("tsumo")
    hand = WinningHand(tiles=(), win=0, situation=Situation.TSUMO if tsumo else RON)
    try:
        score_han_fu(hand, rules, **worth)
    except HandError:
        return True
    return False


@pytest.mark.every(4)
@pytest.mark.parametrize("tsumo", [False, True], ids=["ron", "tsumo"])
@pytest.mark.parametrize("double_wind", [2, 4])
def test_han_and_fu_are_refused_unless_a_hand_has_them(double_wind: int, tsumo: bool) -> None:
    rules = resolve("tenhou", f'{{"double_wind_pair_fu":{double_wind}}}')
    least: dict[int, int] = {}
    for fu, han in found(rules, tsumo=tsumo):
        least[fu] = min(han, least.get(fu, han))
    assert max(least) >= 130
    for fu in range(30, 141, 10):
        for han in range(1, 10):
            may_be = fu in least and han >= least[fu]
            assert is_refused(rules, han=han, fu=fu, tsumo=tsumo) != may_be, (fu, han)
