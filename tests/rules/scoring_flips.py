"""The flips of the rules that a single winning hand shows; see ``flips``.

A hand is written as ``paifu score`` takes it, with the winning tile last. A probe returns the points of the
hand, or its payments (seat 0 deals, seat 1 wins), or None where the rules do not let it win.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from case_data import case_data
from hands import situation_of
from rules.flip import Flip
from rules.local_yaku_cases import LOCAL_CASES

from paifu.replay.model.tile_notation import parse_tiles
from paifu.replay.rules.hand_facts import Situation
from paifu.replay.rules.local_yaku import LOCAL_YAKU
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.han_fu import score_han_fu
from paifu.replay.scoring.hand_text import parse_hand
from paifu.replay.scoring.score import ScoredWin, score, score_nagashi
from paifu.replay.scoring.winning_hand import WinningHand

RON = Situation(0)


def scored(
    text: str, situation: Situation, seat: int = 1, dora: str = "", ura: str = "", **known: Any
) -> Callable[[Ruleset], ScoredWin | None]:
    written = parse_hand(text)
    hand = WinningHand(
        tiles=written.tiles,
        win=written.tiles[-1],
        melds=written.melds,
        kita=written.kita,
        flowers=len(written.bonus),
        situation=situation,
        seat_wind=seat,
        dora_indicators=tuple(parse_tiles(dora)),
        ura_indicators=tuple(parse_tiles(ura)),
        **known,
    )

    def run(rules: Ruleset) -> ScoredWin | None:
        try:
            return score(hand, rules)
        except HandError:
            return None

    return run


def points(text: str, situation: Situation = RON, **known: Any) -> Callable[[Ruleset], int | None]:
    run = scored(text, situation, **known)
    return lambda rules: win.points if (win := run(rules)) else None


def payments(
    text: str, situation: Situation = RON, **known: Any
) -> Callable[[Ruleset], tuple[int, ...] | None]:
    run = scored(text, situation, **known)
    return lambda rules: win.payments if (win := run(rules)) else None


NOTHING = WinningHand(tiles=(), win=0, seat_wind=1)


def worth(rules: Ruleset, han: int) -> int:
    """Return what a non-dealer's ron of so many han is worth."""
    return score_han_fu(NOTHING, rules, han=han).points


VALUES = {
    "limits": Flip("none", lambda rules: score_han_fu(NOTHING, rules, han=5, fu=30).points, 8000, 15400),
    "kazoe_han": Flip(14, lambda rules: worth(rules, 13), 32000, 24000),
    "sanbaiman_han": Flip(10, lambda rules: worth(rules, 10), 16000, 24000),
    "nagashi_value": Flip("haneman", lambda rules: score_nagashi(NOTHING, rules).points, 8000, 12000),
}

LOCAL = {
    yaku.rule: Flip(case.han, points(case.hand, case.situation, seat=case.seat_wind), case.before, case.after)
    for yaku in LOCAL_YAKU
    if (case := LOCAL_CASES.get(yaku.id)) is not None
}


def _shown(value: Any, hand: str, how: Sequence[str] = (), **row: Any) -> Flip:
    """A row of the table: a hand, and what it is worth before and after."""
    known, is_paid = row.pop("known", {}), isinstance(row.get("before", row.get("after")), list)
    before, after = row.pop("before", None), row.pop("after", None)
    if is_paid:
        before, after = before and tuple(before), after and tuple(after)
    probe = payments if is_paid else points
    return Flip(value, probe(hand, situation_of(how), **known), before, after, **row)


SHOWN = {rule: _shown(**row) for rule, row in case_data("flips")["scoring"].items()}
SCORING_FLIPS = {**SHOWN, **VALUES, **LOCAL}
