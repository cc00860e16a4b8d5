"""The flips of the rules that a single winning hand shows; see ``flips``.

A hand is written as ``paifu score`` takes it, with the winning tile last. A probe returns the points of the
hand, or its payments (seat 0 deals, seat 1 wins), or None where the rules do not let it win.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.flip import Flip
from rules.local_yaku_cases import LOCAL_CASES

from paifu.replay.model.tiles import parse_tiles
from paifu.replay.rules.hand_facts import Situation
from paifu.replay.rules.local_yaku import LOCAL_YAKU
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.han_fu import score_han_fu
from paifu.replay.scoring.hand_text import parse_hand
from paifu.replay.scoring.score import ScoredWin, score, score_nagashi
from paifu.replay.scoring.winning_hand import WinningHand

RON, TSUMO, RIICHI, RINSHAN = Situation(0), Situation.TSUMO, Situation.RIICHI, Situation.RINSHAN


def scored(
    text: str, situation: Situation, seat: int = 1, dora: str = "", ura: str = "", **known: Any
) -> Callable[[Ruleset], ScoredWin | None]:
    written = parse_hand(text)
    hand = WinningHand(
        tiles=written.tiles,
        win=written.tiles[-1],
        melds=written.melds,
        kita=written.kita,
        flowers=written.flowers,
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


PINFU = "456m456p678s9923p1p"
PAIRS = "1199m2288p4466s7z7z"
BIG_DRAGONS = "9p123m(555z)(666z)(777z)9p"
BIG_DRAGONS_IN_HONOURS = "1z(555z)(666z)(777z)(222z)1z"
FOUR_KANS = "9p(1111m)(5555m)(3333p)(7777s)9p"
ALL_PAID_BY_3 = (0, 32000, 0, -32000)

TERMINALS = "234m456p78s999p44z9s"
"""40 fu, and no yaku but riichi."""
ONE_SIDED = "23456m22678p(222s)4m"
"""Waits for 147m; all simples but on 1m."""

SITUATIONS = {
    "chi": Flip(False, points("345m55p678s(234p)34s2s"), 1000, None),
    "kita": Flip(False, points("45667899p45623s(4z)1s"), 2000, None, preset="tenhou-sanma"),
    "flowers_dora": Flip(
        True, points("45667899p45623s(1f)1s"), None, 2000, preset="tenhou-sanma", given={"kita": False}
    ),
    "dora": Flip(False, points(PINFU, dora="3p"), 2000, None),
    "kan_dora": Flip(False, points(PINFU, dora="34p"), 3900, None),
    "ura_dora": Flip(False, points(PINFU, RIICHI, dora="1z", ura="3p"), 3900, None),
    "kan_ura_dora": Flip(False, points(PINFU, RIICHI, dora="12z", ura="34p"), 7700, None),
    "ippatsu": Flip(False, points(PINFU, RIICHI | Situation.IPPATSU), 3900, None),
    "open_riichi_han": Flip(2, points(PINFU, Situation.OPEN_RIICHI), None, 3900),
    "open_riichi_double_han": Flip(
        4,
        points(PINFU, Situation.OPEN_RIICHI | Situation.DOUBLE_RIICHI),
        7700,
        8000,
        given={"open_riichi_han": 2},
    ),
    "open_riichi_deal_in": Flip(
        "yakuman", points(PINFU, Situation.OPEN_RIICHI), 3900, 32000, given={"open_riichi_han": 2}
    ),
    "ippatsu_han": Flip(0, points(PINFU, RIICHI | Situation.IPPATSU), 3900, 2000),
    "ippatsu_settles": Flip(
        False, points(TERMINALS, RIICHI | Situation.IPPATSU), 2600, None, given={"min_han": 2}
    ),
    "pochi": Flip("riichi", points("234567m678p55m23s5z", RIICHI | TSUMO | Situation.POCHI), None, 5200),
    "north_yakuhai": Flip(
        True, points("(444z)123456p99s78s9s"), None, 1000, preset="tenhou-sanma", given={"kita": False}
    ),
    "yaku_settled": Flip("every_wait", points(ONE_SIDED), 1000, None),
    "luck_settles": Flip(
        True, points(ONE_SIDED, Situation.HOUTEI), None, 2000, given={"yaku_settled": "every_wait"}
    ),
    "kuitan": Flip(False, points("345m55p678s(234p)34s2s"), 1000, None),
    "min_han": Flip(2, points(PINFU, dora="3p"), 2000, None),
    "two_han_from_honba": Flip(5, points(PINFU, dora="3p", honba=5), 2000, None),
    "renhou": Flip("mangan", points(PINFU, Situation.RENHOU), None, 8000),
    "chiihou_ron": Flip(True, points(PINFU, Situation.CHIIHOU), None, 32000),
}

VALUES = {
    "limits": Flip("none", lambda rules: score_han_fu(NOTHING, rules, han=5, fu=30).points, 8000, 15400),
    "yakuman_base": Flip(2_500_000, points(BIG_DRAGONS), 32000, 10_000_000, given={"limits": "none"}),
    "payment_by_shares": Flip(True, points("34555m456p678s23p4p", RIICHI), 3900, 4000),
    "kazoe_han": Flip(14, lambda rules: worth(rules, 13), 32000, 24000),
    "sanbaiman_han": Flip(10, lambda rules: worth(rules, 10), 16000, 24000),
    "open_pinfu_fu": Flip(20, points("345m55p678s(234p)34s2s"), 1000, 700),
    "fixed_fu": Flip(30, points(TERMINALS, RIICHI), 1300, 1000),
    "payment_unit": Flip(1000, points(TERMINALS, RIICHI), 1300, 2000),
    "wareme_factor": Flip(
        3,
        payments(TERMINALS, RIICHI, marked=1),
        (0, 2600, -2600, 0),
        (0, 3900, -3900, 0),
        given={"wareme": True},
    ),
    "nagashi_value": Flip("haneman", lambda rules: score_nagashi(NOTHING, rules).points, 8000, 12000),
    "kiriage": Flip(True, points("34555m456p678s23p4p", RIICHI, dora="2m"), 7700, 8000),
    "kazoe": Flip("sanbaiman", points("1234567893455m2m", RIICHI, dora="14m"), 32000, 24000),
    "double_wind_pair_fu": Flip(2, points("999m234p67823s11z4s", RIICHI, seat=0), 2400, 2000),
    "pinfu_tsumo": Flip(False, points(PINFU, TSUMO), 1500, 1100),
    "rinshan_tsumo_fu": Flip(False, points("34566m555s67p[2222p]8p", TSUMO | RINSHAN), 6400, 5200),
    "chiitoitsu_han": Flip(3, points(PAIRS), 1600, 3200),
    "chiitoitsu_fu": Flip(50, points(PAIRS), 1600, 3200),
    "chiitoitsu_identical_pairs": Flip(True, points("1111m2288p4466s7z7z"), None, 1600),
    "ryanpeikou_han": Flip(2, points("223344m556677p9s9s"), 5200, 2600),
}

YAKUMAN = {
    "yakuman_stacking": Flip(False, points(BIG_DRAGONS_IN_HONOURS), 64000, 32000),
    "double_suuankou_tanki": Flip(True, points("111m9m333p555777s9m"), 32000, 64000),
    "double_kokushi_13": Flip(True, points("19m19p19s1234567z1z"), 32000, 64000),
    "double_junsei_chuuren": Flip(True, points("1112345678999m5m"), 32000, 64000),
    "double_daisuushii": Flip(True, points("9p(111z)(222z)(333z)(444z)9p"), 32000, 64000),
    "ryuuiisou_needs_hatsu": Flip(True, points("6s(222s)(333s)(444s)(888s)6s"), 32000, 16000),
    "suukantsu_needs_pair": Flip(False, points("(1111m)(5555m)(3333p)(7777s)9p", TSUMO), None, 32000),
}

LOCAL = {
    yaku.rule: Flip(case.han, points(case.hand, case.situation, seat=case.seat_wind), case.before, case.after)
    for yaku in LOCAL_YAKU
    if (case := LOCAL_CASES.get(yaku.id)) is not None
}
LOCAL_RULES = {
    "dealer_wins_need_yaku": Flip(
        True,
        points(TERMINALS, Situation.THIRTEENTH, seat=0),
        48000,
        None,
        given={"thirteen_dealer_wins_han": 13},
    ),
    "open_han": Flip(
        {"isshoku_sanjun_han": 2},
        points("(234m)(234m)234m99p67s8s"),
        3900,
        2000,
        given={"isshoku_sanjun_han": 3},
    ),
    "yaku": Flip(
        {"three_wind_pairs": {"han": 2, "when": "seven_pairs & at_least 3 w in winds: pair(w)"}},
        points("1133m1199p11223z3z"),
        1600,
        6400,
    ),
    "suurenkou_pair": Flip("consecutive", points("8m(222m)(333m)(444m)(555m)8m"), 32000, 16000, "kwan-house"),
}

LIABILITY = {
    "pao_daisangen": Flip(False, payments(BIG_DRAGONS, TSUMO, liable=3), ALL_PAID_BY_3, None),
    "pao_daisuushii": Flip(
        False, payments("9p(111z)(222z)(333z)(444z)9p", TSUMO, liable=3), ALL_PAID_BY_3, None
    ),
    "pao_suukantsu": Flip(True, payments(FOUR_KANS, TSUMO, liable=3), None, ALL_PAID_BY_3),
    "pao_tsuuiisou": Flip(
        True, payments("6z(111z)(222z)(555z)(777z)6z", TSUMO, liable=3), None, ALL_PAID_BY_3
    ),
    "pao_chinroutou": Flip(
        True, payments("9s(111m)(999m)(111p)(999p)9s", TSUMO, liable=3), None, ALL_PAID_BY_3
    ),
    "pao_ryuuiisou": Flip(
        True, payments("6z(222s)(333s)(444s)(888s)6z", TSUMO, liable=3), None, ALL_PAID_BY_3
    ),
    "pao_closed_kans": Flip(
        False, payments("9p123m[5555z](666z)(777z)9p", TSUMO, liable=3), ALL_PAID_BY_3, None
    ),
    "rinshan_fed": Flip(
        "two_han",
        points("34566m555s67p(2222p)8p", TSUMO | RINSHAN | Situation.FED_KAN),
        None,
        5200,
    ),
    "pao_rinshan": Flip(
        True, payments("34566m555s67p(2222p)8p", TSUMO | RINSHAN, liable=0), None, (-2700, 2700, 0, 0)
    ),
    "pao_rinshan_tsumo": Flip(
        "ron",
        payments("34566m555s67p(2222p)8p", TSUMO | RINSHAN, liable=0),
        (-2700, 2700, 0, 0),
        (-2600, 2600, 0, 0),
        given={"pao_rinshan": True},
    ),
    "pao_covers": Flip(
        "own",
        payments(BIG_DRAGONS_IN_HONOURS, TSUMO, liable=3),
        (0, 64000, 0, -64000),
        (-16000, 64000, -8000, -40000),
    ),
    "pao_tsumo": Flip(
        "shares",
        payments("9p123p(555z)(666z)(777z)9p", TSUMO, liable=0),
        (-32000, 32000, 0),
        (-24000, 24000, 0),
        preset="tenhou-sanma",
    ),
    "pao_honba": Flip(
        "discarder",
        payments(BIG_DRAGONS, liable=3, payer=2, honba=2),
        (0, 32600, -16000, -16600),
        (0, 32600, -16600, -16000),
    ),
    "wareme_honba": Flip(
        True,
        payments("34566m555s67p[2222p]8p", payer=2, marked=2, honba=2),
        (0, 3800, -3800, 0),
        (0, 4400, -4400, 0),
        given={"wareme": True},
    ),
    "wareme": Flip(True, payments(PINFU, payer=2, marked=2), None, (0, 2000, -2000, 0)),
}

SCORING_FLIPS = {**SITUATIONS, **VALUES, **YAKUMAN, **LOCAL, **LOCAL_RULES, **LIABILITY}
