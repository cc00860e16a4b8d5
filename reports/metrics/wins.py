"""Wins: how often, how much, how soon, and how."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from paifu.reports.metrics.frames import Hands, Wins
from paifu.reports.metrics.metric import Counted, Family
from paifu.reports.metrics.records import Mask

family = Family("wins", "Wins")

BANDS = (3900, 7700, 11600)
POINT_BANDS = (0, 2000, 3900, 7700, 11600, 16000, 24000, 32000)
"""Least values of the bands of a distribution; the last one has no end."""
_POINTS: dict[str, Any] = {"unit": "points", "decimals": 0}


@family.share("win_rate", "win", "hands won", base="hands", heading="win")
def win_rate(hands: Hands) -> Counted:
    """Hands won, by tsumo or ron."""
    return hands.won


@family.share("tsumo_share", "tsumo, of wins", "wins by tsumo", base="wins", heading="tsumo")
def tsumo_share(wins: Wins) -> Counted:
    """Wins on an own draw."""
    return wins.is_tsumo


@family.share("ron_share", "ron, of wins", "wins by ron", base="wins")
def ron_share(wins: Wins) -> Counted:
    """Wins on another's tile."""
    return ~wins.is_tsumo


_STATES: dict[str, tuple[str, str, Callable[[Wins], Mask]]] = {
    "riichi": ("after riichi", "after an own riichi", lambda wins: wins.by_riichi),
    "open": ("open", "with at least one open call", lambda wins: wins.by_open),
    "dama": ("closed without riichi", "closed, without riichi", lambda wins: wins.by_dama),
}

for _name, (_short, _long, _is) in _STATES.items():

    def _share_of(wins: Wins, is_so: Callable[[Wins], Mask] = _is) -> Counted:
        return is_so(wins)

    def _value_of(wins: Wins, is_so: Callable[[Wins], Mask] = _is) -> Counted:
        return wins.value, is_so(wins)

    def _turn_of(wins: Wins, is_so: Callable[[Wins], Mask] = _is) -> Counted:
        return wins.turn, is_so(wins)

    family.share(
        f"{_name}_win_share", f"{_short}, of wins", f"wins {_long}", base="wins", definition=f"Wins {_long}."
    )(_share_of)
    family.mean(
        f"{_name}_win_value",
        f"value of wins {_short}",
        "value of such wins",
        base="wins",
        denominator=f"wins {_long}",
        definition=f"Mean value of wins {_long}, without honba and sticks.",
        **_POINTS,
    )(_value_of)
    family.mean(
        f"{_name}_win_turn",
        f"turn of wins {_short}",
        "own discards before such wins",
        base="wins",
        denominator=f"wins {_long}",
        unit="turns",
        definition=f"Own discards before wins {_long}.",
    )(_turn_of)


@family.share(
    "dealer_win_rate", "win as dealer", "dealt hands won", base="hands", denominator="hands as dealer"
)
def dealer_win_rate(hands: Hands) -> Counted:
    """Hands won, of those the player dealt."""
    return hands.won, hands.is_dealer


@family.share("dealer_win_share", "as dealer, of wins", "wins as dealer", base="wins")
def dealer_win_share(wins: Wins) -> Counted:
    """Wins as dealer."""
    return wins.is_dealer


@family.mean("win_value", "value of wins", "value of wins", base="wins", heading="won", **_POINTS)
def win_value(wins: Wins) -> Counted:
    """Mean value of a won hand, without honba and sticks."""
    return wins.value


@family.mean(
    "dealer_win_value",
    "value of wins as dealer",
    "value of such wins",
    base="wins",
    denominator="wins as dealer",
    **_POINTS,
)
def dealer_win_value(wins: Wins) -> Counted:
    """Mean value of hands won as dealer, without honba and sticks."""
    return wins.value, wins.is_dealer


@family.mean(
    "non_dealer_win_value",
    "value of wins as non-dealer",
    "value of such wins",
    base="wins",
    denominator="wins as non-dealer",
    **_POINTS,
)
def non_dealer_win_value(wins: Wins) -> Counted:
    """Mean value of hands won as non-dealer, without honba and sticks."""
    return wins.value, ~wins.is_dealer


@family.mean(
    "win_income",
    "gain by wins, all in",
    "points gained in won hands",
    base="hands",
    denominator="hands won",
    **_POINTS,
)
def win_income(hands: Hands) -> Counted:
    """Score change in won hands: honba, all sticks and the own one in."""
    return hands.change, hands.won


for _band in BANDS:

    def _dear(wins: Wins, least: int = _band) -> Counted:
        return wins.value >= least

    def _dear_riichi(wins: Wins, least: int = _band) -> Counted:
        return wins.value >= least, wins.by_riichi

    family.share(
        f"win_{_band}_share",
        f"{_band} points or more, of wins",
        f"wins of {_band} or more",
        base="wins",
        definition=f"Wins of {_band} points or more, without honba and sticks.",
    )(_dear)
    family.share(
        f"riichi_win_{_band}_share",
        f"{_band} points or more, of riichi wins",
        f"riichi wins of {_band} or more",
        base="wins",
        denominator="wins after riichi",
        definition=f"Wins after riichi of {_band} points or more, without honba and sticks.",
    )(_dear_riichi)


@family.mean(
    "win_turn", "turn of wins", "own discards before wins", base="wins", unit="turns", heading="turn"
)
def win_turn(wins: Wins) -> Counted:
    """Own discards before the win."""
    return wins.turn


@family.mean("win_efficiency", "won per hand", "value of wins", base="hands", **_POINTS)
def win_efficiency(hands: Hands) -> Counted:
    """Value of wins over all hands: win rate times mean value."""
    return hands.value


@family.mean(
    "win_deal_in_difference",
    "win rate minus deal-in rate",
    "hands won minus hands dealt in",
    base="hands",
    unit="%",
)
def win_deal_in_difference(hands: Hands) -> Counted:
    """Hands won minus hands dealt in, over all hands, in percentage points."""
    return hands.won.astype(np.int64) - hands.dealt_in


for _limit, (_name, _word) in enumerate(
    {
        "mangan": "mangan",
        "haneman": "haneman",
        "baiman": "baiman",
        "sanbaiman": "sanbaiman",
        "yakuman": "yakuman",
    }.items(),
    1,
):

    def _of_limit(wins: Wins, limit: int = _limit) -> Counted:
        return wins.limit == limit

    family.share(
        f"{_name}_win_share",
        f"{_word}, of wins",
        f"wins of a {_word}",
        base="wins",
        definition=f"Wins whose value is a {_word}" + (", counted yakuman included." if _limit == 5 else "."),
    )(_of_limit)


@family.share("mangan_or_more_share", "mangan or more, of wins", "wins of a mangan or more", base="wins")
def mangan_or_more_share(wins: Wins) -> Counted:
    """Wins of a mangan or more."""
    return wins.limit > 0


for _han in range(1, 14):

    def _of_han(wins: Wins, han: int = _han) -> Counted:
        return ((wins.han == han) if han < 13 else (wins.han >= han)) & (wins.yakuman == 0)

    _more = "" if _han < 13 else " or more"
    family.share(
        f"win_{_han}_han_share",
        f"{_han} han{_more}, of wins",
        f"wins of {_han} han{_more}",
        base="wins",
        series="win_han",
        at=_han,
        definition=f"Wins of {_han} han{_more}, dora of all kinds in; yakuman apart.",
    )(_of_han)


def between(least: int) -> tuple[str, int]:
    """Say in words what values a band of :data:`POINT_BANDS` holds, and give the least of the next one.

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


for _least in POINT_BANDS:
    _words, _next = between(_least)

    def _worth(wins: Wins, least: int = _least, end: int = _next) -> Counted:
        return (wins.value >= least) & (wins.value < end)

    family.share(
        f"win_from_{_least}_share",
        f"{_words}, of wins",
        f"wins of {_words}",
        base="wins",
        series="win_points",
        at=_least,
        definition=f"Wins of {_words}, without honba and sticks.",
    )(_worth)


for _wait, _word in enumerate(("ryanmen", "kanchan", "penchan", "shanpon", "tanki")):

    def _on_wait(wins: Wins, wait: int = _wait) -> Counted:
        return wins.wait == wait, wins.yakuman == 0

    def _worth_on(wins: Wins, wait: int = _wait) -> Counted:
        return wins.value, (wins.wait == wait) & (wins.yakuman == 0)

    family.mean(
        f"win_{_word}_value",
        f"value of wins on {_word}",
        "value of such wins",
        base="wins",
        denominator=f"wins on a {_word} wait, yakuman apart",
        definition=f"Mean value of wins on a {_word} wait, without honba and sticks.",
        **_POINTS,
    )(_worth_on)

    family.share(
        f"win_{_word}_share",
        f"on {_word}, of wins",
        f"wins on a {_word} wait",
        base="wins",
        denominator="wins, yakuman apart",
        definition=f"Wins on a {_word} wait, in the reading of the hand that it is scored by.",
    )(_on_wait)


@family.mean(
    "dora_per_win", "dora per win", "dora", base="wins", unit="dora", denominator="wins, yakuman apart"
)
def dora_per_win(wins: Wins) -> Counted:
    """Dora by indicators (red fives, ura dora and norths apart) in a won hand."""
    return wins.dora, wins.yakuman == 0


@family.mean(
    "red_per_win",
    "red fives per win",
    "red fives",
    base="wins",
    unit="dora",
    denominator="wins, yakuman apart",
)
def red_per_win(wins: Wins) -> Counted:
    """Red fives in a won hand."""
    return wins.red, wins.yakuman == 0


@family.mean(
    "all_dora_per_win",
    "all dora per win",
    "dora of all kinds",
    base="wins",
    unit="dora",
    denominator="wins, yakuman apart",
)
def all_dora_per_win(wins: Wins) -> Counted:
    """Dora of all kinds in a won hand: indicators, ura, red fives, norths."""
    return wins.all_dora, wins.yakuman == 0


@family.mean(
    "ura_per_riichi_win",
    "ura dora per riichi win",
    "ura dora",
    base="wins",
    unit="dora",
    denominator="wins after riichi, yakuman apart",
)
def ura_per_riichi_win(wins: Wins) -> Counted:
    """Ura dora in a hand won after riichi."""
    return wins.ura, wins.by_riichi & (wins.yakuman == 0)


@family.share(
    "ura_rate",
    "ura dora, of riichi wins",
    "riichi wins with ura dora",
    base="wins",
    denominator="wins after riichi, yakuman apart",
)
def ura_rate(wins: Wins) -> Counted:
    """Wins after riichi with one ura dora or more."""
    return wins.ura > 0, wins.by_riichi & (wins.yakuman == 0)


@family.share(
    "ippatsu_rate",
    "ippatsu, of riichi wins",
    "riichi wins with ippatsu",
    base="wins",
    denominator="wins after riichi",
)
def ippatsu_rate(wins: Wins) -> Counted:
    """Wins after riichi with ippatsu."""
    return wins.has(2), wins.by_riichi


@family.share(
    "riichi_tsumo_share",
    "tsumo, of riichi wins",
    "riichi wins by tsumo",
    base="wins",
    denominator="wins after riichi",
)
def riichi_tsumo_share(wins: Wins) -> Counted:
    """Wins after riichi that were by tsumo; closed tsumo without riichi are on neither side."""
    return wins.is_tsumo, wins.by_riichi


@family.extreme("dearest_win", "dearest win", "value of a win", base="wins", unit="points")
def dearest_win(wins: Wins) -> Counted:
    """The highest value of a won hand, without honba and sticks."""
    return wins.value


@family.extreme(
    "most_han", "most han", "han of a win", base="wins", unit="han", denominator="wins, yakuman apart"
)
def most_han(wins: Wins) -> Counted:
    """The most han of a won hand that is not worth a yakuman by a yaku."""
    return wins.han, wins.yakuman == 0


@family.extreme("most_honba_won", "most honba in a win", "honba", base="wins", unit="honba")
def most_honba_won(wins: Wins) -> Counted:
    """The most honba that a winner was paid."""
    return wins.honba


@family.extreme("most_sticks_won", "most sticks in a win", "riichi sticks", base="wins", unit="sticks")
def most_sticks_won(wins: Wins) -> Counted:
    """The most riichi sticks that a winner took."""
    return wins.sticks
