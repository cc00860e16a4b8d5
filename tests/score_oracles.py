"""Other people's scoring, brought to one form: the libraries ``mahjong`` and ``riichienv``."""

from __future__ import annotations

from dataclasses import dataclass

from mahjong.constants import EAST
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.hand_calculating.yaku_config import YAKU_ID_TO_TENHOU_ID
from mahjong.meld import Meld as TheirMeld
from random_wins import RandomWin
from riichienv import _riichienv as core

from paifu.replay.scoring.readings import MeldKind
from paifu.replay.scoring.score import ScoredWin
from paifu.replay.scoring.yaku import KITA_ID, YAKU, Situation, YakuKind

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


def by_mahjong(win: RandomWin, players: int) -> Verdict | None:
    """Score with ``mahjong``: open tanyao, red fives, single yakuman."""
    hand, flags = win.hand, win.hand.situation
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
        ),
    )
    melds = [TheirMeld(_SORTS[kind], sorted(tiles), kind != MeldKind.ANKAN) for kind, tiles in win.melds]
    tiles = sorted(win.ids + [i for _, meld in win.melds for i in meld])
    answer = HandCalculator.estimate_hand_value(
        tiles, win.win, melds, dora_indicators=win.indicators, ura_dora_indicators=win.ura, config=config
    )
    if answer.error:
        return None
    assert answer.cost
    assert answer.yaku
    paid = (answer.cost["main"],)
    if hand.tsumo:
        paid = (answer.cost["main"], answer.cost["additional"])
    ids = frozenset(YAKU_ID_TO_TENHOU_ID[yaku.yaku_id] for yaku in answer.yaku)
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
