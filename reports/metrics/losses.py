"""Losses: deal-ins, and payments for the tsumo of others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from paifu.reports.metrics.frames import Hands, Wins
from paifu.reports.metrics.metric import Counted, Family
from paifu.reports.metrics.records import Mask
from paifu.reports.metrics.wins import BANDS, POINT_BANDS, between

family = Family("losses", "Losses")

_POINTS: dict[str, Any] = {"unit": "points", "decimals": 0}


@family.share("deal_in_rate", "deal-in", "hands dealt in", base="hands", heading="deal")
def deal_in_rate(hands: Hands) -> Counted:
    """Hands in which the player dealt in; to two winners at once is one such hand."""
    return hands.dealt_in


@family.mean("deal_ins_per_hand", "deal-ins per hand", "deal-ins", base="hands", unit="deal-ins", decimals=4)
def deal_ins_per_hand(hands: Hands) -> Counted:
    """Deal-ins, one for each winner of a tile."""
    return hands.deal_ins


@family.mean(
    "deal_in_value",
    "value of deal-ins",
    "value of hands dealt into",
    base="deal_ins",
    heading="lost",
    **_POINTS,
)
def deal_in_value(deals: Wins) -> Counted:
    """Mean value of a hand dealt into, without honba and sticks; of a double ron each."""
    return deals.value


@family.extreme(
    "dearest_deal_in", "dearest deal-in", "value of a hand dealt into", base="deal_ins", unit="points"
)
def dearest_deal_in(deals: Wins) -> Counted:
    """The highest value of a hand dealt into, without honba and sticks."""
    return deals.value


_KINDS: dict[str, tuple[str, Callable[[Wins], Mask]]] = {
    "to_dealer": ("to the dealer", lambda d: d.is_dealer),
    "to_non_dealer": ("to a non-dealer", lambda d: ~d.is_dealer),
    "by_dealer": ("as dealer", lambda d: d.payer_dealer),
    "by_non_dealer_to_dealer": ("as non-dealer to the dealer", lambda d: ~d.payer_dealer & d.is_dealer),
    "by_non_dealer_to_non_dealer": (
        "as non-dealer to a non-dealer",
        lambda d: ~d.payer_dealer & ~d.is_dealer,
    ),
    "in_riichi": ("under the own riichi", lambda d: d.payer_riichi),
    "while_open": ("with an open hand", lambda d: d.payer_open),
    "while_closed": ("with a closed hand without riichi", lambda d: ~d.payer_riichi & ~d.payer_open),
    "to_riichi": ("to a riichi", lambda d: d.by_riichi),
    "to_open": ("to an open hand", lambda d: d.by_open),
    "to_dama": ("to a closed hand without riichi", lambda d: d.by_dama),
    "unforced_to_riichi": ("not in riichi, to a riichi", lambda d: ~d.payer_riichi & d.by_riichi),
    "unforced_to_open": ("not in riichi, to an open hand", lambda d: ~d.payer_riichi & d.by_open),
    "unforced_to_dama": (
        "not in riichi, to a closed hand without riichi",
        lambda d: ~d.payer_riichi & d.by_dama,
    ),
    "tenpai": ("from tenpai", lambda d: d.payer_waiting),
}

for _name, (_words, _is) in _KINDS.items():

    def _share_of(deals: Wins, is_so: Callable[[Wins], Mask] = _is) -> Counted:
        return is_so(deals)

    def _value_of(deals: Wins, is_so: Callable[[Wins], Mask] = _is) -> Counted:
        return deals.value, is_so(deals)

    family.share(
        f"deal_in_{_name}_share",
        f"{_words}, of deal-ins",
        f"deal-ins {_words}",
        base="deal_ins",
        definition=f"Deal-ins {_words}; two winners of one tile are two deal-ins."
        + (" Tenpai is told after the tile dealt in has left the hand." if _name == "tenpai" else ""),
    )(_share_of)
    family.mean(
        f"deal_in_{_name}_value",
        f"value of deal-ins {_words}",
        "value of such hands",
        base="deal_ins",
        denominator=f"deal-ins {_words}",
        definition=f"Mean value of hands dealt into {_words}, without honba and sticks.",
        **_POINTS,
    )(_value_of)

_YAKU = {
    "ippatsu": ("ippatsu", (2,)),
    "pinfu": ("pinfu", (7,)),
    "chiitoitsu": ("chiitoitsu", (22,)),
    "toitoi": ("toitoi", (28,)),
    "tanyao": ("tanyao", (8,)),
    "flush": ("honitsu or chinitsu", (34, 35)),
}

for _name, (_words, _ids) in _YAKU.items():

    def _with_yaku(deals: Wins, ids: tuple[int, ...] = _ids) -> Counted:
        return deals.has(*ids)

    family.share(
        f"deal_in_to_{_name}_share",
        f"to {_words}, of deal-ins",
        f"deal-ins to {_words}",
        base="deal_ins",
        definition=f"Deal-ins into hands with {_words}.",
    )(_with_yaku)

for _band in BANDS:

    def _dear(deals: Wins, least: int = _band) -> Counted:
        return deals.value >= least

    family.share(
        f"deal_in_{_band}_share",
        f"{_band} points or more, of deal-ins",
        f"deal-ins of {_band} or more",
        base="deal_ins",
        definition=f"Deal-ins of {_band} points or more, without honba and sticks.",
    )(_dear)

for _least in POINT_BANDS:
    _words, _next = between(_least)

    def _within(deals: Wins, least: int = _least, end: int = _next) -> Counted:
        return (deals.value >= least) & (deals.value < end)

    family.share(
        f"deal_in_from_{_least}_share",
        f"{_words}, of deal-ins",
        f"deal-ins of {_words}",
        base="deal_ins",
        series="deal_in_points",
        at=_least,
        definition=f"Deal-ins of {_words}, without honba and sticks.",
    )(_within)


@family.mean("deal_in_shanten", "own shanten at deal-ins", "shanten", base="deal_ins", unit="shanten")
def deal_in_shanten(deals: Wins) -> Counted:
    """Shanten of the own hand, the tile dealt in gone; tenpai is 0."""
    return deals.payer_shanten


@family.mean("deal_in_turn", "turn of deal-ins", "own discards at deal-ins", base="deal_ins", unit="turns")
def deal_in_turn(deals: Wins) -> Counted:
    """Own discards, the one that dealt in included."""
    return deals.payer_turn


@family.mean(
    "deal_in_winner_turn", "winner's turn at deal-ins", "the winner's discards", base="deal_ins", unit="turns"
)
def deal_in_winner_turn(deals: Wins) -> Counted:
    """Discards of who won, before the win."""
    return deals.turn


@family.share("hit_rate", "hit by tsumo", "hands won by another's tsumo", base="hands")
def hit_rate(hands: Hands) -> Counted:
    """Hands that another player won by tsumo."""
    return hands.hit


@family.mean("hit_loss", "loss when hit by tsumo", "points paid", base="hit", **_POINTS)
def hit_loss(hands: Hands) -> Counted:
    """Points paid for another's tsumo, honba in."""
    return hands.tsumo_loss


@family.extreme("greatest_hit", "greatest loss by tsumo", "points paid", base="hit", unit="points")
def greatest_hit(hands: Hands) -> Counted:
    """The most paid for another's tsumo, honba in."""
    return hands.tsumo_loss


@family.mean("hit_turn", "turn when hit by tsumo", "own discards", base="hit", unit="turns")
def hit_turn(hands: Hands) -> Counted:
    """Own discards when another player won by tsumo."""
    return hands.turns


@family.share(
    "dealer_hit_rate",
    "dealer hit by tsumo",
    "dealt hands won by another's tsumo",
    base="hands",
    denominator="hands dealt and not won",
)
def dealer_hit_rate(hands: Hands) -> Counted:
    """Of hands that the player dealt and did not win: those that another won by tsumo."""
    return hands.hit, hands.is_dealer & ~hands.won


@family.share(
    "dealer_hit_mangan_share",
    "as dealer by mangan or more, of hits",
    "dealt hands hit by a mangan or more",
    base="hit",
)
def dealer_hit_mangan_share(hands: Hands) -> Counted:
    """Of all hands that another won by tsumo: those of a mangan or more that the player dealt."""
    return hands.is_dealer & (hands.tsumo_limit > 0)


@family.share("aside_rate", "aside of a ron", "hands won by ron between others", base="hands")
def aside_rate(hands: Hands) -> Counted:
    """Hands that ended in a ron in which the player neither won nor paid."""
    return hands.aside


@family.mean("deal_in_loss", "dealt in per hand", "value of hands dealt into", base="hands", **_POINTS)
def deal_in_loss(hands: Hands) -> Counted:
    """Value of deal-ins over all hands: deal-in rate times mean value, all winners in."""
    return hands.dealt_in_value


@family.mean(
    "net_efficiency",
    "won minus dealt in per hand",
    "value of wins minus that of deal-ins",
    base="hands",
    **_POINTS,
)
def net_efficiency(hands: Hands) -> Counted:
    """Value of wins minus value of deal-ins, over all hands."""
    return hands.value.astype(np.int64) - hands.dealt_in_value


@family.mean("score_change_hand", "points gained per hand", "points gained or lost", base="hands", **_POINTS)
def score_change_hand(hands: Hands) -> Counted:
    """Score change by a hand, everything in: honba, sticks, payments at draws."""
    return hands.change
