"""Riichi: how often, how soon, on what, and how it ended."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paifu.reports.metrics.frames import Hands
from paifu.reports.metrics.metric import Counted, Family
from paifu.reports.metrics.records import Mask

family = Family("riichi", "Riichi")

_POINTS: dict[str, Any] = {"unit": "points", "decimals": 0}


@family.share("riichi_rate", "riichi", "hands with an own riichi", base="hands", heading="riichi")
def riichi_rate(hands: Hands) -> Counted:
    """Hands in which the player declared riichi, whether or not the declaration tile was won."""
    return hands.in_riichi


@family.mean("riichi_turn", "turn of riichi", "own discards at riichi", base="riichi", unit="turns")
def riichi_turn(hands: Hands) -> Counted:
    """Own discards, the declaration tile included."""
    return hands.riichi_turn


@family.share("double_riichi_share", "double, of riichi", "double riichi", base="riichi")
def double_riichi_share(hands: Hands) -> Counted:
    """Riichi on the first discard, before any call."""
    return hands.riichi == 2


_OUTCOMES: dict[str, tuple[str, Callable[[Hands], Mask]]] = {
    "win": ("won", lambda h: h.won),
    "deal_in": ("dealt in", lambda h: h.dealt_in),
    "hit": ("hit by tsumo", lambda h: h.hit),
    "aside": ("aside of a ron", lambda h: h.aside),
    "draw": ("exhaustive draw", lambda h: h.drawn),
}

for _name, (_words, _is) in _OUTCOMES.items():

    def _ended(hands: Hands, is_so: Callable[[Hands], Mask] = _is) -> Counted:
        return is_so(hands)

    family.share(
        f"riichi_{_name}_rate",
        f"{_words}, after riichi",
        f"riichi hands: {_words}",
        base="riichi",
        heading="riichi win" if _name == "win" else "",
        definition=f"Outcome of hands with an own riichi: {_words}."
        + (" The declaration tile itself counts." if _name == "deal_in" else ""),
    )(_ended)


@family.share("riichi_tile_deal_in_rate", "declaration tile won", "declaration tiles won", base="riichi")
def riichi_tile_deal_in_rate(hands: Hands) -> Counted:
    """Riichi whose declaration tile dealt in: such a riichi counts, but no stick is paid."""
    return hands.dealt_in & ~hands.stick_paid


@family.share(
    "riichi_later_deal_in_rate",
    "dealt in, declaration tile apart",
    "deal-ins after the declaration tile",
    base="riichi",
)
def riichi_later_deal_in_rate(hands: Hands) -> Counted:
    """Riichi hands that dealt in with a later tile than the one that declared riichi."""
    return hands.dealt_in & hands.stick_paid


@family.mean(
    "riichi_income",
    "value of riichi wins",
    "value of wins",
    base="riichi",
    denominator="riichi hands won",
    **_POINTS,
)
def riichi_income(hands: Hands) -> Counted:
    """Mean value of hands won after riichi, without honba and sticks."""
    return hands.value, hands.won


@family.mean(
    "riichi_cost",
    "value of riichi deal-ins",
    "value of hands dealt into",
    base="riichi",
    denominator="riichi hands dealt in",
    **_POINTS,
)
def riichi_cost(hands: Hands) -> Counted:
    """Mean value lost in riichi hands that dealt in, all winners in, without honba and sticks."""
    return hands.dealt_in_value, hands.dealt_in


@family.mean("riichi_balance", "points gained per riichi", "points gained or lost", base="riichi", **_POINTS)
def riichi_balance(hands: Hands) -> Counted:
    """Score change of riichi hands, everything in: the own stick, honba, sticks won; the profit of riichi."""
    return hands.change


_SORTS: dict[str, tuple[str, Callable[[Hands], Mask]]] = {
    "first": ("first riichi of the hand", lambda h: h.is_first),
    "chase": ("riichi after another's", lambda h: h.is_chase),
    "chased": ("riichi followed by another's", lambda h: h.is_chased),
    "good": ("riichi on six live tiles or more", lambda h: h.is_good),
    "bad": ("riichi on fewer than six live tiles", lambda h: ~h.is_good),
    "furiten": ("riichi in furiten", lambda h: h.riichi_furiten),
}

for _name, (_words, _is) in _SORTS.items():

    def _share_of(hands: Hands, is_so: Callable[[Hands], Mask] = _is) -> Counted:
        return is_so(hands)

    def _won(hands: Hands, is_so: Callable[[Hands], Mask] = _is) -> Counted:
        return hands.won, is_so(hands)

    def _income(hands: Hands, is_so: Callable[[Hands], Mask] = _is) -> Counted:
        return hands.value, is_so(hands) & hands.won

    def _dealt(hands: Hands, is_so: Callable[[Hands], Mask] = _is) -> Counted:
        return hands.dealt_in, is_so(hands)

    def _cost(hands: Hands, is_so: Callable[[Hands], Mask] = _is) -> Counted:
        return hands.dealt_in_value, is_so(hands) & hands.dealt_in

    def _gain(hands: Hands, is_so: Callable[[Hands], Mask] = _is) -> Counted:
        return hands.change, is_so(hands)

    def _well(hands: Hands, is_so: Callable[[Hands], Mask] = _is) -> Counted:
        return hands.is_good, is_so(hands)

    _live = (
        " Live are the tiles waited for that the player does not see when declaring."
        if _name in ("good", "bad")
        else ""
    )
    _own = {"base": "riichi", "denominator": _words}
    family.share(
        f"riichi_{_name}_share",
        f"{_words}, of riichi",
        _words,
        base="riichi",
        definition=f"Hands with {_words}.{_live}",
    )(_share_of)
    family.share(
        f"riichi_{_name}_win_rate",
        f"won: {_words}",
        "hands won",
        definition=f"Hands won after {_words}.{_live}",
        **_own,
    )(_won)
    family.mean(
        f"riichi_{_name}_income",
        f"value of wins: {_words}",
        "value of wins",
        **{**_own, "denominator": f"wins after {_words}"},
        definition=f"Mean value of wins after {_words}, without honba and sticks.",
        **_POINTS,
    )(_income)
    family.share(
        f"riichi_{_name}_deal_in_rate",
        f"dealt in: {_words}",
        "hands dealt in",
        definition=f"Hands dealt in after {_words}, the declaration tile included.",
        **_own,
    )(_dealt)
    family.mean(
        f"riichi_{_name}_cost",
        f"value of deal-ins: {_words}",
        "value of hands dealt into",
        **{**_own, "denominator": f"hands dealt in after {_words}"},
        definition=f"Mean value lost in hands dealt in after {_words}, all winners in.",
        **_POINTS,
    )(_cost)
    family.mean(
        f"riichi_{_name}_balance",
        f"points gained: {_words}",
        "points gained or lost",
        definition=f"Score change of hands with {_words}, everything in.",
        **_own,
        **_POINTS,
    )(_gain)
    if _name not in ("good", "bad"):
        family.share(
            f"riichi_{_name}_good_share",
            f"on six live tiles or more: {_words}",
            "riichi on six live tiles or more",
            definition=f"Of hands with {_words}: those that waited for six live tiles or more.",
            **_own,
        )(_well)


@family.share(
    "riichi_multi_sided_share",
    "on two kinds or more, of riichi",
    "riichi on two kinds or more",
    base="riichi",
)
def riichi_multi_sided_share(hands: Hands) -> Counted:
    """Riichi on two kinds of tiles or more, two pairs included."""
    return hands.riichi_kinds >= 2


@family.mean("riichi_live_tiles", "live tiles at riichi", "live tiles", base="riichi", unit="tiles")
def riichi_live_tiles(hands: Hands) -> Counted:
    """Tiles waited for at riichi that the player does not see in hand, rivers, melds and indicators."""
    return hands.riichi_live


@family.share("riichi_pinfu_share", "pinfu, of riichi", "riichi with pinfu", base="riichi")
def riichi_pinfu_share(hands: Hands) -> Counted:
    """Riichi on hands that are pinfu whichever tile wins by ron."""
    return hands.riichi_pinfu


@family.share("riichi_tanyao_share", "tanyao, of riichi", "riichi with tanyao", base="riichi")
def riichi_tanyao_share(hands: Hands) -> Counted:
    """Riichi on hands that are tanyao whichever tile wins by ron."""
    return hands.riichi_tanyao


@family.mean("riichi_dora", "dora at riichi", "dora", base="riichi", unit="dora")
def riichi_dora(hands: Hands) -> Counted:
    """Dora in the hand at riichi, by the indicators turned then, red fives and norths; ura dora apart."""
    return hands.riichi_dora


for _least in (2, 3):

    def _rich(hands: Hands, least: int = _least) -> Counted:
        return hands.riichi_dora >= least

    family.share(
        f"riichi_dora_{_least}_share",
        f"{_least} dora or more, of riichi",
        f"riichi with {_least} dora or more",
        base="riichi",
        definition=f"Riichi on hands with {_least} dora or more, by indicators, red fives and norths.",
    )(_rich)


@family.share(
    "riichi_kan_rate", "closed kan after riichi", "hands with a closed kan after riichi", base="riichi"
)
def riichi_kan_rate(hands: Hands) -> Counted:
    """Riichi hands in which the player declared a closed kan afterwards."""
    return hands.kan_in_riichi > 0


@family.share("ippatsu_tsumo_rate", "ippatsu tsumo, of riichi", "wins by tsumo with ippatsu", base="riichi")
def ippatsu_tsumo_rate(hands: Hands) -> Counted:
    """Riichi hands won by tsumo with ippatsu."""
    return hands.ippatsu_tsumo


for _order in (1, 2, 3):
    for _good, _shape in ((True, "good"), (False, "bad")):

        def _by_order(hands: Hands, order: int = _order, good: bool = _good) -> Counted:
            return hands.won, (hands.riichi_order == order) & (hands.is_good == good)

        family.share(
            f"riichi_{_order}_{_shape}_win_rate",
            f"won: riichi no. {_order}, {'' if _good else 'fewer than '}six live",
            "hands won",
            base="riichi",
            denominator=f"riichi no. {_order}, {_shape} wait",
            definition=f"Hands won after the riichi no. {_order} of a hand on "
            f"{'' if _good else 'fewer than '}six live tiles" + (" or more." if _good else "."),
        )(_by_order)

_AFTER: dict[str, tuple[str, Callable[[Hands], Mask]]] = {**_OUTCOMES}

for _name, (_words, _is) in _AFTER.items():

    def _faced(hands: Hands, is_so: Callable[[Hands], Mask] = _is) -> Counted:
        return is_so(hands)

    family.share(
        f"faced_{_name}_rate",
        f"{_words}, facing a first riichi",
        f"such hands: {_words}",
        base="faced",
        definition=f"Outcome of hands in which another was the first to declare riichi: {_words}.",
    )(_faced)


@family.mean(
    "faced_balance", "points gained facing a first riichi", "points gained or lost", base="faced", **_POINTS
)
def faced_balance(hands: Hands) -> Counted:
    """Score change, everything in, of hands in which another was the first to declare riichi."""
    return hands.change
