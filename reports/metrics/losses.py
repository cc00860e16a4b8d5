"""Losses: deal-ins, and payments for other players' tsumo."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from paifu.replay.arrays import Mask
from paifu.reports.metrics.frames import HandRows, WinRows
from paifu.reports.metrics.metric import Counted, Family
from paifu.reports.metrics.wins import BANDS, declare_by_value

family = Family(
    "losses",
    "Losses",
    base="deal_ins",
    of_riichi=r"riichi|dama|ippatsu|pinfu|chiitoitsu|toitoi|tanyao|flush|mangan|_(3900|7700|11600)_|_from_\d",
    signed=r"net_efficiency|score_change_hand",
    style=r"deal_in_turn|deal_in_(in_riichi|while_open|tenpai)_share",
    higher=r"net_efficiency|score_change_hand",
    lower=r"deal_in_rate|deal_ins_per_hand|deal_in_(\w+_)?value|deal_in_loss|deal_in_(3900|7700|11600)_share"
    r"|hit_rate|hit_loss|dealer_hit_rate",
)


@family.share("deal-in rate", "hands dealt in", base="hands", heading="deal")
def deal_in_rate(hands: HandRows) -> Counted:
    """Share of hands in which the player dealt in; a double ron counts as one hand."""
    return hands.dealt_in


@family.mean("deal-ins per hand", "deal-ins", base="hands", unit="deal-ins", decimals=4)
def deal_ins_per_hand(hands: HandRows) -> Counted:
    """Average number of deal-ins; each winner of a double or triple ron counts."""
    return hands.deal_ins


@family.points("average deal-in", "value of hands dealt into", heading="lost")
def deal_in_value(deals: WinRows) -> Counted:
    """Average value of a hand dealt into, without honba and riichi sticks; a double ron is two hands."""
    return deals.value


@family.extreme("most expensive deal-in", "value of a hand dealt into", unit="points")
def dearest_deal_in(deals: WinRows) -> Counted:
    """The highest value of a hand dealt into, without honba and riichi sticks."""
    return deals.value


_KINDS: dict[str, tuple[str, Callable[[WinRows], Mask]]] = {
    "to_dealer": ("to the dealer", lambda d: d.is_dealer),
    "to_non_dealer": ("to a non-dealer", lambda d: ~d.is_dealer),
    "by_dealer": ("as dealer", lambda d: d.payers.is_dealer),
    "by_non_dealer_to_dealer": ("as non-dealer to the dealer", lambda d: ~d.payers.is_dealer & d.is_dealer),
    "by_non_dealer_to_non_dealer": (
        "as non-dealer to a non-dealer",
        lambda d: ~d.payers.is_dealer & ~d.is_dealer,
    ),
    "in_riichi": ("while in riichi", lambda d: d.payers.in_riichi),
    "while_open": ("with an open hand", lambda d: d.payers.is_open),
    "while_closed": ("with a closed hand without riichi", lambda d: ~d.payers.in_riichi & ~d.payers.is_open),
    "to_riichi": ("to a riichi", lambda d: d.by_riichi),
    "to_open": ("to an open hand", lambda d: d.by_open),
    "to_dama": ("to a closed hand without riichi", lambda d: d.by_dama),
    "unforced_to_riichi": ("to a riichi, not in riichi", lambda d: ~d.payers.in_riichi & d.by_riichi),
    "unforced_to_open": ("to an open hand, not in riichi", lambda d: ~d.payers.in_riichi & d.by_open),
    "unforced_to_dama": (
        "to a closed hand without riichi, not in riichi",
        lambda d: ~d.payers.in_riichi & d.by_dama,
    ),
    "tenpai": ("from tenpai", lambda d: d.payers.is_waiting),
}

_titles = {
    "while_closed": "with a closed hand, no riichi",
    "to_dama": "to a dama hand",
    "unforced_to_dama": "to a dama hand, not in riichi",
}
"""Short forms for titles: a dama hand is a closed winning hand without riichi."""

for _name, (_words, _is) in _KINDS.items():
    family.share(
        f"deal-ins {_titles.get(_name, _words)}",
        f"deal-ins {_words}",
        name=f"deal_in_{_name}_share",
        definition=f"Share of deal-ins {_words}; a double ron is two deal-ins."
        + (" The hand is judged after the discard that dealt in." if _name == "tenpai" else ""),
    )(_is)
    family.points(
        f"average deal-in {_titles.get(_name, _words)}",
        "value of hands dealt into",
        name=f"deal_in_{_name}_value",
        denominator=f"deal-ins {_words}",
        definition=f"Average value of deal-ins {_words}, without honba and riichi sticks.",
    )(partial(lambda is_so, deals: (deals.value, is_so(deals)), _is))

_YAKU = {
    "ippatsu": ("ippatsu", (2,)),
    "pinfu": ("pinfu", (7,)),
    "chiitoitsu": ("chiitoitsu", (22,)),
    "toitoi": ("toitoi", (28,)),
    "tanyao": ("tanyao", (8,)),
    "flush": ("honitsu or chinitsu", (34, 35)),
}

for _name, (_words, _ids) in _YAKU.items():
    family.share(
        f"deal-ins to {_words}",
        name=f"deal_in_to_{_name}_share",
        definition=f"Share of deal-ins to hands with {_words}.",
    )(partial(lambda ids, deals: (deals.has(*ids), deals.is_scored), _ids))

for _band in BANDS:
    family.share(
        f"deal-ins of {_band:,}+ points",
        f"deal-ins of {_band:,} points or more",
        name=f"deal_in_{_band}_share",
        definition=f"Share of deal-ins of {_band:,} points or more, without honba and riichi sticks.",
    )(partial(lambda least, deals: deals.value >= least, _band))

declare_by_value(family, "deal_in", "deal-ins")


@family.mean("average shanten at deal-in", "shanten", unit="shanten")
def deal_in_shanten(deals: WinRows) -> Counted:
    """Average shanten of the player's hand after the discard that dealt in; tenpai is 0."""
    return deals.payers.shanten


@family.mean("average turn of deal-ins", "discards at deal-ins", unit="turns")
def deal_in_turn(deals: WinRows) -> Counted:
    """Average number of the player's discards, including the one that dealt in."""
    return deals.payers.turns


@family.mean("average turn of the winner at deal-in", "the winner's discards", unit="turns")
def deal_in_winner_turn(deals: WinRows) -> Counted:
    """Average number of the winner's discards before the win."""
    return deals.turn


@family.share("tsumo loss rate", "hands lost to tsumo", base="hands")
def hit_rate(hands: HandRows) -> Counted:
    """Share of hands that another player won by tsumo."""
    return hands.hit


@family.points("average tsumo loss", "points paid", base="hit")
def hit_loss(hands: HandRows) -> Counted:
    """Average payment for another player's tsumo, honba included."""
    return hands.tsumo_loss


@family.extreme("largest tsumo loss", "points paid", base="hit", unit="points")
def greatest_hit(hands: HandRows) -> Counted:
    """The largest payment for another player's tsumo, honba included."""
    return hands.tsumo_loss


@family.mean("average turn of tsumo losses", "discards", base="hit", unit="turns")
def hit_turn(hands: HandRows) -> Counted:
    """Average number of the player's discards when another player won by tsumo."""
    return hands.turns


@family.share(
    "tsumo loss rate as dealer",
    "hands as dealer lost to tsumo",
    base="hands",
    denominator="hands as dealer not won",
)
def dealer_hit_rate(hands: HandRows) -> Counted:
    """Share of hands that another player won by tsumo, among those as dealer that the player did not win."""
    return hands.hit, hands.is_dealer & ~hands.won


@family.share(
    "tsumo losses of mangan or more as dealer",
    "hands as dealer lost to a tsumo of mangan or more",
    base="hit",
)
def dealer_hit_mangan_share(hands: HandRows) -> Counted:
    """Share of tsumo of mangan or more against the player as dealer, among all tsumo of other players."""
    return hands.is_dealer & (hands.tsumo_limit > 0)


@family.share("rate of others' ron", "hands won by ron between other players", base="hands")
def aside_rate(hands: HandRows) -> Counted:
    """Share of hands that ended in a ron in which the player neither won nor dealt in."""
    return hands.aside


@family.points("points dealt in per hand", "value of hands dealt into", base="hands")
def deal_in_loss(hands: HandRows) -> Counted:
    """Value of deal-ins per hand played, all winners added up."""
    return hands.dealt_in_value


@family.points("points won minus dealt in per hand", "value of wins minus value of deal-ins", base="hands")
def net_efficiency(hands: HandRows) -> Counted:
    """Value of wins minus value of deal-ins, per hand played."""
    return hands.value.astype(np.int64) - hands.dealt_in_value


@family.points("average points gained per hand", "points gained or lost", base="hands")
def score_change_hand(hands: HandRows) -> Counted:
    """Average score change in a hand, with honba, riichi sticks and payments at draws."""
    return hands.change
