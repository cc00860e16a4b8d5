"""Other people's scoring, brought to one form: the libraries ``mahjong``, ``riichienv`` and ``jansou``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jansou.core.hand import CallSource, MeldType
from jansou.core.hand import Hand as JansouHand
from jansou.core.hand import Meld as JansouMeld
from jansou.core.rules import preset as jansou_preset
from jansou.core.tiles import Tile as JansouTile
from jansou.core.tiles import TileKind, Wind
from jansou.scoring.context import WinContext
from jansou.scoring.score import ScoringError
from jansou.scoring.score import score as jansou_score
from mahjong.constants import EAST
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.hand_calculating.scores import Aotenjou, ScoresCalculator
from mahjong.hand_calculating.yaku_config import YAKU_ID_TO_TENHOU_ID
from mahjong.meld import Meld as TheirMeld
from random_wins import RandomWin
from riichienv import _riichienv as core

from paifu.replay.model.tiles import is_red, kind_of, sort_tiles
from paifu.replay.rules.hand_facts import Situation
from paifu.replay.scoring.readings import Meld, MeldKind
from paifu.replay.scoring.score import ScoredWin
from paifu.replay.scoring.winning_hand import WinningHand
from paifu.replay.scoring.yaku import KITA_ID, YAKU, YakuKind

DORA_IDS = {52, 53, 54, KITA_ID}


@dataclass(frozen=True)
class Verdict:
    """What all libraries can say of a win; None stands for "no win"."""

    yaku: frozenset[int]
    """Tenhou ids without dora."""
    han: int
    fu: int
    paid: tuple[int, ...]
    """Ron: what the discarder pays. Tsumo: what the dealer and another player pay (dealer's win: twice)."""


def ours(won: ScoredWin, win: RandomWin) -> Verdict:
    """Our own score in the common form."""
    losses = sorted((-change for change in won.payments if change < 0), reverse=True)
    paid = (losses[0],) if not win.hand.tsumo else (losses[0], losses[-1])
    ids = frozenset(yaku.id for yaku, _ in won.yaku if yaku.id not in DORA_IDS)
    return Verdict(ids, won.han, won.fu, paid)


_SORTS = {
    MeldKind.CHI: TheirMeld.CHI,
    MeldKind.PON: TheirMeld.PON,
    MeldKind.DAIMINKAN: TheirMeld.KAN,
    MeldKind.ANKAN: TheirMeld.KAN,
    MeldKind.KAKAN: TheirMeld.SHOUMINKAN,
}


def by_mahjong(
    win: RandomWin, players: int, options: Mapping[str, bool] | None = None, **known: Any
) -> Verdict | None:
    """Score with ``mahjong``: open tanyao, red fives, single yakuman, and what ``options`` say.

    ``known`` is what else its configuration of the hand has; with ``limits=False`` it counts without limits.
    """
    hand, flags = win.hand, win.hand.situation
    calculator = ScoresCalculator if known.pop("limits", True) else Aotenjou
    config = HandConfig(
        is_tsumo=hand.tsumo,
        is_riichi=bool(flags & (Situation.RIICHI | Situation.DOUBLE_RIICHI)),
        is_daburu_riichi=Situation.DOUBLE_RIICHI in flags,
        is_ippatsu=Situation.IPPATSU in flags,
        is_rinshan=Situation.RINSHAN in flags,
        is_chankan=Situation.CHANKAN in flags,
        is_haitei=Situation.HAITEI in flags,
        is_houtei=Situation.HOUTEI in flags,
        is_tenhou=Situation.TENHOU in flags,
        is_chiihou=Situation.CHIIHOU in flags,
        player_wind=EAST + hand.seat_wind,
        round_wind=EAST + hand.round_wind,
        num_nuki_dora=hand.kita,
        options=OptionalRules(
            has_open_tanyao=True,
            has_aka_dora=True,
            has_double_yakuman=False,
            is_three_player=players == 3,
            **(options or {}),
        ),
        **known,
    )
    melds = [TheirMeld(_SORTS[kind], sorted(tiles), kind != MeldKind.ANKAN) for kind, tiles in win.melds]
    tiles = sorted(win.ids + [i for _, meld in win.melds for i in meld])
    answer = HandCalculator.estimate_hand_value(
        tiles, win.win, melds, dora_indicators=win.indicators, ura_dora_indicators=win.ura, config=config,
        scores_calculator_factory=calculator,
    )  # fmt: skip
    if answer.error:
        return None
    assert answer.cost
    assert answer.yaku
    paid = (answer.cost["main"],)
    if hand.tsumo:
        paid = (answer.cost["main"], answer.cost["additional"])
    ids = frozenset(YAKU_ID_TO_TENHOU_ID.get(yaku.yaku_id, -1) for yaku in answer.yaku)
    return Verdict(ids - DORA_IDS, answer.han or 0, answer.fu or 0, paid)


_CORE_SORTS = {
    MeldKind.CHI: core.MeldType.Chi,
    MeldKind.PON: core.MeldType.Pon,
    MeldKind.DAIMINKAN: core.MeldType.Daiminkan,
    MeldKind.ANKAN: core.MeldType.Ankan,
    MeldKind.KAKAN: core.MeldType.Kakan,
}


_CORE_WINDS = (core.Wind.East, core.Wind.South, core.Wind.West, core.Wind.North)


def by_riichienv(win: RandomWin, players: int) -> Verdict | None:
    """Score with ``riichienv``: double yakuman, no fu for yakuman, one id for all seat and round winds."""
    hand, flags = win.hand, win.hand.situation
    conditions = core.Conditions(
        tsumo=hand.tsumo,
        riichi=bool(flags & (Situation.RIICHI | Situation.DOUBLE_RIICHI)),
        double_riichi=Situation.DOUBLE_RIICHI in flags,
        ippatsu=Situation.IPPATSU in flags,
        haitei=Situation.HAITEI in flags,
        houtei=Situation.HOUTEI in flags,
        rinshan=Situation.RINSHAN in flags,
        chankan=Situation.CHANKAN in flags,
        tsumo_first_turn=bool(flags & (Situation.TENHOU | Situation.CHIIHOU)),
        player_wind=_CORE_WINDS[hand.seat_wind],
        round_wind=_CORE_WINDS[hand.round_wind],
        kita_count=hand.kita,
        is_sanma=players == 3,
        num_players=players,
    )
    melds = [core.Meld(_CORE_SORTS[kind], sorted(tiles), kind != MeldKind.ANKAN) for kind, tiles in win.melds]
    # Not by the package's own wrapper: with two kans it takes the winning tile for missing and adds it.
    evaluator = core.HandEvaluator3P if players == 3 else core.HandEvaluator
    answer = evaluator(sorted(win.ids), melds).calc(win.win, win.indicators, win.ura, conditions)
    if not answer.is_win:
        return None
    paid = (answer.ron_agari,)
    if hand.tsumo:
        other = answer.tsumo_agari_ko
        paid = (other if hand.seat_wind == 0 else answer.tsumo_agari_oya, other)
    ids = frozenset(yaku.tenhou_id for yaku in answer.yaku_list())
    return Verdict(ids - DORA_IDS, answer.han, answer.fu, paid)


def as_riichienv(verdict: Verdict) -> Verdict:
    """Our verdict with what ``riichienv`` does not tell left out."""
    ids = frozenset(10 if 10 <= i <= 13 else 14 if 14 <= i <= 17 else i for i in verdict.yaku)
    is_yakuman = any(YAKU[i].kind == YakuKind.YAKUMAN for i in ids)
    return Verdict(ids, verdict.han, 0 if is_yakuman else verdict.fu, verdict.paid)


_JANSOU_SORTS = {
    MeldKind.CHI: MeldType.CHII,
    MeldKind.PON: MeldType.PON,
    MeldKind.DAIMINKAN: MeldType.DAIMINKAN,
    MeldKind.ANKAN: MeldType.ANKAN,
    MeldKind.KAKAN: MeldType.SHOUMINKAN,
}
JANSOU_RULES = {
    "tenhou": "tenhou",
    "tenhou-sanma": "tenhou-3p",
    "majsoul": "mahjong-soul",
    "majsoul-sanma": "mahjong-soul-3p",
    "mleague": "m-league",
}
"""Our presets that ``jansou`` has too, under its names."""
_JANSOU_IDS = {
    "MENZEN_TSUMO": 0, "RIICHI": 1, "IPPATSU": 2, "CHANKAN": 3, "RINSHAN": 4, "HAITEI": 5, "HOUTEI": 6,
    "PINFU": 7, "TANYAO": 8, "IIPEIKOU": 9, "YAKUHAI_SEAT": 10, "YAKUHAI_ROUND": 14, "YAKUHAI_HAKU": 18,
    "YAKUHAI_HATSU": 19, "YAKUHAI_CHUN": 20, "DOUBLE_RIICHI": 21, "CHIITOITSU": 22, "CHANTA": 23,
    "ITTSU": 24, "SANSHOKU_DOUJUN": 25, "SANSHOKU_DOUKOU": 26, "SANKANTSU": 27, "TOITOI": 28,
    "SANANKOU": 29, "SHOUSANGEN": 30, "HONROUTOU": 31, "RYANPEIKOU": 32, "JUNCHAN": 33, "HONITSU": 34,
    "CHINITSU": 35, "TENHOU": 37, "CHIIHOU": 38, "DAISANGEN": 39, "SUUANKOU": 40, "TSUUIISOU": 42,
    "RYUUIISOU": 43, "CHINROUTOU": 44, "CHUUREN": 45, "KOKUSHI": 47, "DAISUUSHI": 49, "SHOUSUUSHI": 50,
    "SUUKANTSU": 51,
}  # fmt: skip


def _jansou_tile(tile: int) -> JansouTile:
    return JansouTile(TileKind(kind_of(tile)), red=is_red(tile))


def jansou_hand(tiles: Sequence[int], melds: Sequence[Meld]) -> JansouHand:
    """A hand of ours as ``jansou`` has it; who fed a meld does not matter for its worth."""
    theirs = []
    for meld in melds:
        laid = [_jansou_tile(tile) for tile in sort_tiles(meld.tiles)]
        if meld.kind == MeldKind.ANKAN:
            theirs.append(JansouMeld(MeldType.ANKAN, laid))
        else:
            added = laid[-1] if meld.kind == MeldKind.KAKAN else None
            theirs.append(JansouMeld(_JANSOU_SORTS[meld.kind], laid, laid[0], CallSource.KAMICHA, added))
    return JansouHand([_jansou_tile(tile) for tile in tiles], theirs)


def by_jansou(hand: WinningHand, preset: str) -> tuple[Verdict | None, tuple[int, ...]]:
    """Score with ``jansou`` under a preset that it shares; the payments by seat come along.

    It has one id for a yakuman and its double, and one for all seat and round winds.
    """
    flags = hand.situation
    rules = jansou_preset(JANSOU_RULES[preset])
    context = WinContext(
        rules=rules,
        round_wind=Wind(hand.round_wind),
        seat_wind=Wind(hand.seat_wind),
        is_tsumo=hand.tsumo,
        riichi=Situation.RIICHI in flags and Situation.DOUBLE_RIICHI not in flags,
        double_riichi=Situation.DOUBLE_RIICHI in flags,
        ippatsu=Situation.IPPATSU in flags,
        haitei=Situation.HAITEI in flags,
        houtei=Situation.HOUTEI in flags,
        rinshan=Situation.RINSHAN in flags,
        chankan=Situation.CHANKAN in flags,
        tenhou=Situation.TENHOU in flags,
        chiihou=Situation.CHIIHOU in flags,
        dora_indicators=tuple(map(_jansou_tile, hand.dora_indicators)),
        ura_indicators=tuple(map(_jansou_tile, hand.ura_indicators)),
        nuki_count=hand.kita,
        honba=hand.honba,
        riichi_sticks=hand.sticks,
    )
    try:
        answer = jansou_score(jansou_hand(hand.tiles, hand.melds), _jansou_tile(hand.win), context)
    except ScoringError:
        return None, ()
    pay, players = answer.payment, rules.player_count
    paid = (pay.ron,) if not hand.tsumo else (pay.tsumo_dealer or pay.tsumo_non_dealer, pay.tsumo_non_dealer)
    changes = [0] * players
    for seat in range(players):
        if seat != hand.seat_wind and hand.tsumo:
            changes[seat] -= (pay.tsumo_non_dealer if seat else pay.tsumo_dealer) + pay.honba // (players - 1)
    if not hand.tsumo:
        changes[hand.payer if hand.payer is not None else (hand.seat_wind + 1) % players] -= (
            pay.ron + pay.honba
        )
    changes[hand.seat_wind] = pay.total
    ids = frozenset(_JANSOU_IDS[one.yaku.name] for one in answer.yaku)
    if answer.is_yakuman:
        return Verdict(ids, 13 * sum(one.value for one in answer.yaku), 0, paid), tuple(changes)
    return Verdict(ids, answer.han, answer.fu.total, paid), tuple(changes)


def as_jansou(verdict: Verdict) -> Verdict:
    """Our verdict with what ``jansou`` does not tell left out."""
    one_id = {41: 40, 46: 45, 48: 47}
    plain = as_riichienv(verdict)
    return Verdict(frozenset(one_id.get(i, i) for i in plain.yaku), plain.han, plain.fu, plain.paid)
