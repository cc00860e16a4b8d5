"""Riichi: how often, how early, on which waits, and how it ended."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from paifu.replay.arrays import Mask
from paifu.reports.metrics.frames import HandRows
from paifu.reports.metrics.metric import RIICHI, Counted, Family

family = Family(
    "riichi",
    "Riichi",
    RIICHI,
    base="riichi",
    signed=r"\w+_balance",
    higher=r"(riichi|faced)_(\w+_)?(win_rate|income|balance|good_share)|riichi_live_tiles|ippatsu_tsumo_rate",
    style=r"riichi_(rate|turn|first_share|chase_share)",
    lower=r"(riichi|faced)_(\w+_)?(deal_in_rate|cost|hit_rate)|riichi_furiten_share",
)


@family.share("riichi rate", "riichi hands", base="hands", heading="riichi")
def riichi_rate(hands: HandRows) -> Counted:
    """Share of hands in which the player declared riichi, even if the declaration tile dealt in."""
    return hands.in_riichi


@family.mean("average turn of riichi", "discards at riichi", unit="turns")
def riichi_turn(hands: HandRows) -> Counted:
    """Average number of the player's discards at riichi, including the declaration tile."""
    return hands.riichi_turn


@family.share("double riichi among riichi", "double riichi")
def double_riichi_share(hands: HandRows) -> Counted:
    """Share of riichi declared on the first discard, before any call."""
    return hands.riichi == 2


_OUTCOMES: dict[str, tuple[str, str, Callable[[HandRows], Mask]]] = {
    "win": ("win rate", "won", lambda h: h.won),
    "deal_in": ("deal-in rate", "in which the player dealt in", lambda h: h.dealt_in),
    "hit": ("tsumo loss rate", "that another player won by tsumo", lambda h: h.hit),
    "aside": ("rate of others' ron", "that ended in a ron between other players", lambda h: h.aside),
    "draw": ("draw rate", "that ended in an exhaustive draw", lambda h: h.drawn),
}

for _name, (_title, _words, _is) in _OUTCOMES.items():
    family.share(
        f"{_title} after riichi",
        f"riichi hands {_words}",
        name=f"riichi_{_name}_rate",
        heading="riichi win" if _name == "win" else "",
        definition=f"Share of riichi hands {_words}"
        + (", with the declaration tile or later." if _name == "deal_in" else "."),
    )(_is)


@family.share("deal-in rate of the declaration tile", "deal-ins with it")
def riichi_tile_deal_in_rate(hands: HandRows) -> Counted:
    """Share of riichi whose declaration tile dealt in; they count as riichi, but no stick is paid."""
    return hands.dealt_in & ~hands.stick_paid


@family.share("later deal-in rate after riichi", "deal-ins after the declaration tile")
def riichi_later_deal_in_rate(hands: HandRows) -> Counted:
    """Share of riichi hands in which the player dealt in after the declaration tile."""
    return hands.dealt_in & hands.stick_paid


@family.points("average win after riichi", "value of wins", denominator="riichi hands won")
def riichi_income(hands: HandRows) -> Counted:
    """Average value of hands won after riichi, without honba and riichi sticks."""
    return hands.value, hands.won


@family.points(
    "average deal-in after riichi", "value of hands dealt into", denominator="riichi hands dealt in"
)
def riichi_cost(hands: HandRows) -> Counted:
    """Average value of deal-ins in riichi hands, all winners added up, without honba and riichi sticks."""
    return hands.dealt_in_value, hands.dealt_in


@family.points("average points gained per riichi", "points gained or lost")
def riichi_balance(hands: HandRows) -> Counted:
    """Average score change in riichi hands, with the player's riichi stick, honba and sticks won."""
    return hands.change


_SORTS: dict[str, tuple[str, str, Callable[[HandRows], Mask]]] = {
    "first": ("first riichi", "riichi declared first in the hand", lambda h: h.riichi_order == 1),
    "chase": (
        "chasing riichi",
        "chasing riichi (declared after another player's)",
        lambda h: h.riichi_order > 1,
    ),
    "chased": (
        "chased riichi",
        "chased riichi (followed by another player's)",
        lambda h: h.riichis > h.riichi_order,
    ),
    "good": ("riichi on 6+ live tiles", "riichi on six or more live tiles", lambda h: h.is_good),
    "bad": ("riichi on 5 or fewer live tiles", "riichi on fewer than six live tiles", lambda h: ~h.is_good),
    "furiten": ("furiten riichi", "riichi in furiten", lambda h: h.riichi_furiten),
}

for _name, (_title, _words, _is) in _SORTS.items():
    _live = (
        " Live tiles are the winning tiles that the player cannot see when declaring."
        if _name in ("good", "bad")
        else ""
    )
    family.share(
        f"share of {_title}", _words, name=f"riichi_{_name}_share", definition=f"Share of {_words}.{_live}"
    )(_is)
    family.share(
        f"win rate of {_title}",
        "hands won",
        name=f"riichi_{_name}_win_rate",
        definition=f"Share of hands won after {_words}.{_live}",
        denominator=_words,
    )(partial(lambda is_so, hands: (hands.won, is_so(hands)), _is))
    family.points(
        f"average win of {_title}",
        "value of wins",
        name=f"riichi_{_name}_income",
        denominator=f"wins after {_words}",
        definition=f"Average value of wins after {_words}, without honba and riichi sticks.",
    )(partial(lambda is_so, hands: (hands.value, is_so(hands) & hands.won), _is))
    family.share(
        f"deal-in rate of {_title}",
        "hands dealt in",
        name=f"riichi_{_name}_deal_in_rate",
        definition=f"Share of hands dealt in after {_words}, with the declaration tile or later.",
        denominator=_words,
    )(partial(lambda is_so, hands: (hands.dealt_in, is_so(hands)), _is))
    family.points(
        f"average deal-in of {_title}",
        "value of hands dealt into",
        name=f"riichi_{_name}_cost",
        denominator=f"hands dealt in after {_words}",
        definition=f"Average value of deal-ins after {_words}, all winners added up, without honba and "
        "riichi sticks.",
    )(partial(lambda is_so, hands: (hands.dealt_in_value, is_so(hands) & hands.dealt_in), _is))
    family.points(
        f"points gained per {_title}",
        "points gained or lost",
        name=f"riichi_{_name}_balance",
        definition=f"Average score change in hands with {_words}, with honba and riichi sticks.",
        denominator=_words,
    )(partial(lambda is_so, hands: (hands.change, is_so(hands)), _is))
    if _name not in ("good", "bad"):
        family.share(
            f"{_title} on 6+ live tiles",
            "riichi on six or more live tiles",
            name=f"riichi_{_name}_good_share",
            definition=f"Share of riichi on six or more live tiles, among {_words}.",
            denominator=_words,
        )(partial(lambda is_so, hands: (hands.is_good, is_so(hands)), _is))


@family.share("riichi on 2+ kinds of tile", "riichi on two or more kinds of tile")
def riichi_multi_sided_share(hands: HandRows) -> Counted:
    """Share of riichi waiting on two or more kinds of tile, shanpon waits included."""
    return hands.riichi_kinds >= 2


@family.mean("average live tiles at riichi", "live tiles", unit="tiles")
def riichi_live_tiles(hands: HandRows) -> Counted:
    """Average number of winning tiles at riichi not visible in hand, rivers, melds and dora indicators."""
    return hands.riichi_live


@family.share("riichi with pinfu")
def riichi_pinfu_share(hands: HandRows) -> Counted:
    """Share of riichi hands that are pinfu with every winning tile, by ron."""
    return hands.riichi_pinfu


@family.share("riichi with tanyao")
def riichi_tanyao_share(hands: HandRows) -> Counted:
    """Share of riichi hands that are tanyao with every winning tile, by ron."""
    return hands.riichi_tanyao


@family.mean("average dora at riichi", "dora", unit="dora")
def riichi_dora(hands: HandRows) -> Counted:
    """Average dora in the hand at riichi: by the indicators revealed by then, red fives and norths."""
    return hands.riichi_dora


for _least in (2, 3):
    family.share(
        f"riichi with {_least}+ dora",
        f"riichi with {_least} dora or more",
        name=f"riichi_dora_{_least}_share",
        definition=f"Share of riichi hands with {_least} dora or more, by indicators, red fives and norths.",
    )(partial(lambda least, hands: hands.riichi_dora >= least, _least))


@family.share("closed kan rate after riichi", "hands with a closed kan after riichi")
def riichi_kan_rate(hands: HandRows) -> Counted:
    """Share of riichi hands in which the player later declared a closed kan."""
    return hands.kan_in_riichi > 0


@family.share("ippatsu tsumo rate after riichi", "wins by tsumo with ippatsu")
def ippatsu_tsumo_rate(hands: HandRows) -> Counted:
    """Share of riichi hands won by tsumo with ippatsu."""
    return hands.ippatsu_tsumo


for _order, _nth in enumerate(("first", "second", "third"), 1):
    for _good, _shape in ((True, "good"), (False, "bad")):
        _live = "six or more live tiles" if _good else "fewer than six live tiles"

        family.share(
            f"win rate of {_nth} riichi, {'6+' if _good else '5 or fewer'} live tiles",
            "hands won",
            name=f"riichi_{_order}_{_shape}_win_rate",
            denominator=f"{_nth} riichi of a hand, on {_live}",
            definition=f"Share of hands won after the {_nth} riichi of a hand, on {_live}.",
        )(
            partial(
                lambda order, good, hands: (
                    hands.won,
                    (hands.riichi_order == order) & (hands.is_good == good),
                ),
                _order,
                _good,
            )
        )

for _name, (_title, _words, _is) in _OUTCOMES.items():
    family.share(
        f"{_title} facing a first riichi",
        f"hands {_words}",
        name=f"faced_{_name}_rate",
        base="faced",
        definition=f"Share of hands {_words}, among those in which another player declared riichi first.",
    )(_is)


@family.points("average points gained facing a first riichi", "points gained or lost", base="faced")
def faced_balance(hands: HandRows) -> Counted:
    """Average score change, with honba and riichi sticks, when another player declared riichi first."""
    return hands.change
