"""Wins: how often, how large, how early, and how."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from paifu.replay.arrays import Mask
from paifu.reports.metrics.frames import HandRows, WinRows
from paifu.reports.metrics.metric import Counted, Family

family = Family(
    "wins",
    "Wins",
    base="wins",
    of_riichi=r"riichi|dama|ippatsu|_(3900|7700|11600)_|_from_\d|_han_|(mangan|haneman|baiman|yakuman)"
    r"|_(ryanmen|kanchan|penchan|shanpon|tanki)_|dora|^red_|^ura_|honba|sticks|most_han",
    signed=r"win_deal_in_difference",
    style=r"(riichi|open|dama)_win_share|win_turn",
    higher=r"(dealer_)?win_rate|(\w+_)?win_value|win_\w+_value|win_income|win_efficiency|win_deal_in_difference"
    r"|ura_rate|ippatsu_rate|ura_per_riichi_win|mangan_or_more_share",
)

BANDS = (3900, 7700, 11600)
POINT_BANDS = (0, 2000, 3900, 7700, 11600, 16000, 24000, 32000)
"""Lower bounds of the bands of a distribution; the last band is open-ended."""


@family.share("win rate", "hands won", base="hands", heading="win")
def win_rate(hands: HandRows) -> Counted:
    """Share of hands won, by tsumo or ron."""
    return hands.won


@family.share("wins by tsumo", heading="tsumo")
def tsumo_share(wins: WinRows) -> Counted:
    """Share of wins by tsumo."""
    return wins.is_tsumo


@family.share("wins by ron")
def ron_share(wins: WinRows) -> Counted:
    """Share of wins by ron."""
    return ~wins.is_tsumo


_STATES: dict[str, tuple[str, str, Callable[[WinRows], Mask]]] = {
    "riichi": ("riichi", "after riichi", lambda wins: wins.by_riichi),
    "open": ("open-hand", "with an open hand", lambda wins: wins.by_open),
    "dama": ("dama", "with a closed hand without riichi", lambda wins: wins.by_dama),
}

for _name, (_short, _long, _is) in _STATES.items():
    family.share(
        f"{_short} wins", f"wins {_long}", name=f"{_name}_win_share", definition=f"Share of wins {_long}."
    )(_is)
    family.points(
        f"average {_short} win",
        "value of those wins",
        name=f"{_name}_win_value",
        denominator=f"wins {_long}",
        definition=f"Average value of wins {_long}, without honba and riichi sticks.",
    )(partial(lambda is_so, wins: (wins.value, is_so(wins)), _is))
    family.mean(
        f"average turn of {_short} wins",
        "discards before those wins",
        name=f"{_name}_win_turn",
        denominator=f"wins {_long}",
        unit="turns",
        definition=f"Average number of the player's discards before wins {_long}.",
    )(partial(lambda is_so, wins: (wins.turn, is_so(wins)), _is))


@family.share("win rate as dealer", "hands won as dealer", base="hands", denominator="hands as dealer")
def dealer_win_rate(hands: HandRows) -> Counted:
    """Share of hands won, among those with the player as dealer."""
    return hands.won, hands.is_dealer


@family.share("wins as dealer")
def dealer_win_share(wins: WinRows) -> Counted:
    """Share of wins as dealer."""
    return wins.is_dealer


@family.points("average winning hand", "value of wins", heading="won")
def win_value(wins: WinRows) -> Counted:
    """Average value of a winning hand, without honba and riichi sticks."""
    return wins.value


@family.points("average win as dealer", "value of those wins", denominator="wins as dealer")
def dealer_win_value(wins: WinRows) -> Counted:
    """Average value of hands won as dealer, without honba and riichi sticks."""
    return wins.value, wins.is_dealer


@family.points("average win as non-dealer", "value of those wins", denominator="wins as non-dealer")
def non_dealer_win_value(wins: WinRows) -> Counted:
    """Average value of hands won as non-dealer, without honba and riichi sticks."""
    return wins.value, ~wins.is_dealer


@family.points(
    "average points gained per win", "points gained in won hands", base="hands", denominator="hands won"
)
def win_income(hands: HandRows) -> Counted:
    """Average score change in hands won, with honba and all riichi sticks, the player's own included."""
    return hands.change, hands.won


for _band in BANDS:
    family.share(
        f"wins of {_band:,}+ points",
        f"wins of {_band:,} points or more",
        name=f"win_{_band}_share",
        definition=f"Share of wins of {_band:,} points or more, without honba and riichi sticks.",
    )(partial(lambda least, wins: wins.value >= least, _band))
    family.share(
        f"riichi wins of {_band:,}+ points",
        f"riichi wins of {_band:,} points or more",
        name=f"riichi_win_{_band}_share",
        denominator="wins after riichi",
        definition=f"Share of riichi wins of {_band:,} points or more, without honba and riichi sticks.",
    )(partial(lambda least, wins: (wins.value >= least, wins.by_riichi), _band))


@family.mean("average turn of wins", "discards before wins", unit="turns", heading="turn")
def win_turn(wins: WinRows) -> Counted:
    """Average number of the player's discards before a win."""
    return wins.turn


@family.points("points won per hand", "value of wins", base="hands")
def win_efficiency(hands: HandRows) -> Counted:
    """Value of wins per hand played: win rate times average winning hand."""
    return hands.value


@family.mean("win rate minus deal-in rate", "hands won minus hands dealt in", base="hands", unit="%")
def win_deal_in_difference(hands: HandRows) -> Counted:
    """Hands won minus hands dealt in, per hand played, in percentage points."""
    return hands.won.astype(np.int64) - hands.dealt_in


for _limit, _name in enumerate(("mangan", "haneman", "baiman", "sanbaiman", "yakuman"), 1):
    family.share(
        f"{_name} wins",
        name=f"{_name}_win_share",
        definition=f"Share of wins worth a {_name}"
        + (", counted yakuman (kazoe yakuman) included." if _limit == 5 else "."),
    )(partial(lambda limit, wins: wins.limit == limit, _limit))


@family.share("wins of mangan or more")
def mangan_or_more_share(wins: WinRows) -> Counted:
    """Share of wins worth a mangan or more."""
    return wins.limit > 0


for _han in range(1, 14):
    _more, _plus = ("", "") if _han < 13 else (" or more", "+")
    family.share(
        f"wins of {_han}{_plus} han",
        f"wins of {_han} han{_more}",
        name=f"win_{_han}_han_share",
        series="win_han",
        at=_han,
        definition=f"Share of wins of {_han} han{_more}, dora of all kinds included, yakuman excluded.",
    )(
        partial(
            lambda han, wins: ((wins.han == han) if han < 13 else (wins.han >= han)) & (wins.yakuman == 0),
            _han,
        )
    )


def between(least: int) -> tuple[str, int]:
    """Return the values of a band of :data:`POINT_BANDS` in words, and the lower bound of the next band.

    >>> between(3900), between(32000)
    (('3,900 to 7,600 points', 7700), ('32,000 points or more', 9223372036854775807))
    """
    at = POINT_BANDS.index(least) + 1
    if at == len(POINT_BANDS):
        return f"{least:,} points or more", 2**63 - 1
    words = (
        f"{least:,} to {POINT_BANDS[at] - 100:,} points" if least else f"less than {POINT_BANDS[at]:,} points"
    )
    return words, POINT_BANDS[at]


def declare_by_value(family: Family, name: str, noun: str) -> None:
    """Declare the share of each band of :data:`POINT_BANDS` among wins, or deal-ins."""
    for least in POINT_BANDS:
        words, end = between(least)
        family.share(
            f"{noun} of {words}",
            name=f"{name}_from_{least}_share",
            series=f"{name}_points",
            at=least,
            definition=f"Share of {noun} of {words}, without honba and riichi sticks.",
        )(partial(lambda least, end, wins: (wins.value >= least) & (wins.value < end), least, end))


declare_by_value(family, "win", "wins")

for _wait, _word in enumerate(("ryanmen", "kanchan", "penchan", "shanpon", "tanki")):
    family.points(
        f"average win on a {_word} wait",
        "value of those wins",
        name=f"win_{_word}_value",
        denominator=f"wins on a {_word} wait, except yakuman",
        definition=f"Average value of wins on a {_word} wait, without honba and riichi sticks.",
    )(partial(lambda wait, wins: (wins.value, (wins.wait == wait) & (wins.yakuman == 0)), _wait))

    family.share(
        f"wins on a {_word} wait",
        name=f"win_{_word}_share",
        denominator="wins, except yakuman",
        definition=f"Share of wins on a {_word} wait, in the interpretation of the hand that scores.",
    )(partial(lambda wait, wins: (wins.wait == wait, wins.yakuman == 0), _wait))


@family.mean("dora per win", "dora", unit="dora", denominator="wins, except yakuman")
def dora_per_win(wins: WinRows) -> Counted:
    """Average number of dora by indicators in a winning hand, without ura dora, red fives and norths."""
    return wins.dora, wins.yakuman == 0


@family.mean("red fives per win", "red fives", unit="dora", denominator="wins, except yakuman")
def red_per_win(wins: WinRows) -> Counted:
    """Average number of red fives in a winning hand."""
    return wins.red, wins.yakuman == 0


@family.mean("all dora per win", "dora of all kinds", unit="dora", denominator="wins, except yakuman")
def all_dora_per_win(wins: WinRows) -> Counted:
    """Average number of dora of all kinds in a winning hand: indicators, ura dora, red fives, norths."""
    return wins.all_dora, wins.yakuman == 0


@family.mean(
    "ura dora per riichi win", "ura dora", unit="dora", denominator="wins after riichi, except yakuman"
)
def ura_per_riichi_win(wins: WinRows) -> Counted:
    """Average number of ura dora in a hand won after riichi."""
    return wins.ura, wins.by_riichi & (wins.yakuman == 0)


@family.share("riichi wins with ura dora", denominator="wins after riichi, except yakuman")
def ura_rate(wins: WinRows) -> Counted:
    """Share of wins after riichi with at least one ura dora."""
    return wins.ura > 0, wins.by_riichi & (wins.yakuman == 0)


@family.share("riichi wins with ippatsu", denominator="wins after riichi")
def ippatsu_rate(wins: WinRows) -> Counted:
    """Share of wins after riichi with ippatsu."""
    return wins.has(2), wins.by_riichi


@family.share("riichi wins by tsumo", denominator="wins after riichi")
def riichi_tsumo_share(wins: WinRows) -> Counted:
    """Share of wins after riichi that were by tsumo; wins without riichi do not count."""
    return wins.is_tsumo, wins.by_riichi


@family.extreme("most expensive win", "value of a win", unit="points")
def dearest_win(wins: WinRows) -> Counted:
    """The highest value of a winning hand, without honba and riichi sticks."""
    return wins.value


@family.extreme("most han in a win", "han of a win", unit="han", denominator="wins, except yakuman")
def most_han(wins: WinRows) -> Counted:
    """The most han of a winning hand without a yakuman yaku."""
    return wins.han, wins.yakuman == 0


@family.extreme("most honba in a win", "honba", unit="honba")
def most_honba_won(wins: WinRows) -> Counted:
    """The most honba that the player was paid for a win."""
    return wins.honba


@family.extreme("most riichi sticks in a win", "riichi sticks", unit="sticks")
def most_sticks_won(wins: WinRows) -> Counted:
    """The most riichi sticks that the player took with a win."""
    return wins.sticks
