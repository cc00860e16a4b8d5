"""Calls and kans: how often, how early, and how open hands ended."""

from __future__ import annotations

from functools import partial
from typing import Any

from paifu.reports.metrics.frames import BASES, HandRows
from paifu.reports.metrics.metric import Counted, Family, Measure
from paifu.reports.metrics.wins import BANDS

family = Family(
    "calls",
    "Calls and kans",
    base="hands",
    of_riichi=r"_(3900|7700|11600)_|dora|tanyao|yakuhai|flush|toitoi|ippatsu|kita",
    signed=r"\w+_balance",
    higher=r"(calls_\d|kan)_(win_rate|win_share|win_value|win_income|balance)",
    style=r"call_rate|calls_per_open_hand|calls_\d_(rate|turn)|(ankan|kakan|daiminkan)_per_hand",
    lower=r"(calls_\d|kan)_(\w+_)?deal_in_(rate|share|value)|open_hit_rate",
)


@family.share("call rate", "hands with an open call", heading="call")
def call_rate(hands: HandRows) -> Counted:
    """Share of hands with at least one chi, pon or open kan; closed kans and norths are not calls."""
    return hands.is_open


@family.mean("calls per open hand", "open calls", base="called1", unit="calls")
def calls_per_open_hand(hands: HandRows) -> Counted:
    """Average number of chi, pon and open kans in hands that have any."""
    return hands.calls


@family.share("draw rate with an open hand", "open hands drawn", base="called1")
def open_draw_rate(hands: HandRows) -> Counted:
    """Share of open hands that ended in an exhaustive draw."""
    return hands.drawn


@family.share("tsumo loss rate with an open hand", "open hands lost to tsumo", base="called1")
def open_hit_rate(hands: HandRows) -> Counted:
    """Share of open hands that another player won by tsumo."""
    return hands.hit


@family.share("open hands with four calls", "hands with four calls", base="called1")
def four_calls_share(hands: HandRows) -> Counted:
    """Share of open hands with four calls, down to a single tile (hadaka tanki)."""
    return hands.calls == 4


_YAKUHAI = (10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20)
_YAKU = {
    "tanyao": ("tanyao", (8,)),
    "yakuhai": ("yakuhai", _YAKUHAI),
    "flush": ("honitsu or chinitsu", (34, 35)),
    "toitoi": ("toitoi", (28,)),
}


def _declare(number: int) -> None:
    """Declare the metrics of hands with at least ``number`` open calls."""
    hands_of, wins_of = f"called{number}", f"called{number}_wins"
    say, say_wins = BASES[hands_of], BASES[wins_of]
    calls = "4 calls" if number == 4 else f"{number}+ calls"
    nth = ("first", "second", "third", "fourth")[number - 1]
    pre = f"calls_{number}"

    def share(
        name: str, title: str, numerator: str, measure: Measure, words: str = "", more: str = ""
    ) -> None:
        family.share(
            f"{title} with {calls}",
            numerator,
            name=f"{pre}_{name}",
            base=hands_of,
            definition=f"Share of {words or numerator}, among {say}.{more}",
        )(measure)

    def share_of_wins(
        name: str, title: str, numerator: str, measure: Measure, *, joined: str = "with", more: str = ""
    ) -> None:
        family.share(
            f"{title} {joined} {calls}",
            numerator,
            name=f"{pre}_{name}_share",
            base=wins_of,
            definition=f"Share of {numerator}, among {say_wins}{more}.",
        )(measure)

    def points(
        name: str,
        title: str,
        numerator: str,
        words: str,
        measure: Measure,
        *,
        base: str = hands_of,
        **more: str,
    ) -> None:
        family.points(
            f"{title} with {calls}",
            numerator,
            name=f"{pre}_{name}",
            base=base,
            definition=f"Average {words}.",
            **more,
        )(measure)

    judged = " The hand is judged after the discard that dealt in."
    if number > 1:
        family.share(f"rate of {calls}", say, name=f"{pre}_rate", definition=f"Share of {say}.")(
            lambda hands: hands.calls >= number
        )
    share("win_rate", "win rate", "hands won", lambda hands: hands.won)
    points(
        "win_value", "average win", "value of wins",
        f"value of {say_wins}, without honba and riichi sticks", lambda wins: wins.value, base=wins_of,
    )  # fmt: skip
    points(
        "win_income", "points gained per win", "points gained",
        f"score change in {say_wins}, with honba and riichi sticks",
        lambda hands: (hands.change, hands.won), denominator=say_wins,
    )  # fmt: skip
    share("deal_in_rate", "deal-in rate", "hands dealt in", lambda hands: hands.dealt_in)
    share(
        "tenpai_deal_in_rate", "tenpai deal-in rate", "hands dealt in from tenpai",
        lambda hands: hands.dealt_in & hands.is_waiting, more=judged,
    )  # fmt: skip
    share(
        "noten_deal_in_rate", "noten deal-in rate", "hands dealt in from noten",
        lambda hands: hands.dealt_in & ~hands.is_waiting, more=judged,
    )  # fmt: skip
    points(
        "deal_in_value", "average deal-in", "value of hands dealt into",
        f"value of deal-ins in {say}, all winners added up, without honba and riichi sticks",
        lambda hands: (hands.dealt_in_value, hands.dealt_in), denominator=f"{say} that dealt in",
    )  # fmt: skip
    share_of_wins("tsumo", "tsumo wins", "wins by tsumo", lambda wins: wins.is_tsumo)
    for band in BANDS:
        share_of_wins(
            f"win_{band}", f"wins of {band:,}+ points", f"wins of {band:,} points or more",
            partial(lambda least, wins: wins.value >= least, band),
        )  # fmt: skip
    for dora in (2, 3):
        share_of_wins(
            f"dora_{dora}", f"wins with {dora}+ dora", f"wins with {dora} dora or more",
            partial(lambda least, wins: (wins.all_dora >= least) & (wins.yakuman == 0), dora),
            joined="and", more="; a yakuman counts as having none",
        )  # fmt: skip
    for name, (words, ids) in _YAKU.items():
        share_of_wins(
            name, f"wins with {words}", f"wins with {words}",
            partial(lambda wanted, wins: wins.has(*wanted), ids), joined="and",
        )  # fmt: skip
    family.mean(
        f"average turn of the {nth} call",
        "discards before the call",
        name=f"{pre}_turn",
        base=hands_of,
        unit="turns",
        definition=f"Average number of the player's discards before the player's {nth} open call.",
    )(lambda hands: hands.call_turns[:, number - 1])
    share(
        "first_share", "rate of calling first", "hands whose first open call was the player's",
        lambda hands: hands.called_first,
    )  # fmt: skip
    share(
        "ippatsu_share", "rate of cancelling ippatsu", "hands with a call that cancelled ippatsu",
        lambda hands: hands.ippatsu_ended > 0,
        words="hands in which a call of the player cancelled another player's ippatsu",
    )  # fmt: skip
    points(
        "balance", "points gained per hand", "points gained or lost",
        f"score change in {say}, with honba, riichi sticks and payments at draws", lambda hands: hands.change,
    )  # fmt: skip


for _number in range(1, 5):
    _declare(_number)


@family.mean("closed kans per hand", "closed kans", unit="kans", decimals=4)
def ankan_per_hand(hands: HandRows) -> Counted:
    """Average number of closed kans in a hand."""
    return hands.ankan


@family.mean("added kans per hand", "added kans", unit="kans", decimals=4)
def kakan_per_hand(hands: HandRows) -> Counted:
    """Average number of kans in a hand that were added to a pon."""
    return hands.kakan


@family.mean("open kans per hand", "open kans", unit="kans", decimals=4)
def daiminkan_per_hand(hands: HandRows) -> Counted:
    """Average number of kans in a hand that were called from another player's discard."""
    return hands.daiminkan


@family.mean(
    "norths per three-player hand", "norths set aside", unit="norths", denominator="three-player hands"
)
def kita_per_hand(hands: HandRows) -> Counted:
    """Average number of norths set aside in a hand of a three-player game."""
    return hands.kita, hands.of_three


_PER_KAN: dict[str, Any] = {"base": "with_kans", "unit": "points", "decimals": 0}


@family.ratio("win rate per kan", "kans in hands won", base="with_kans", denominator="kans", unit="%")
def kan_win_share(hands: HandRows) -> Counted:
    """Share of kans, of any kind, in hands that the player won; a hand with two kans counts twice."""
    return hands.kans * hands.won, hands.kans


@family.ratio(
    "deal-in rate per kan", "kans in hands dealt in", base="with_kans", denominator="kans", unit="%"
)
def kan_deal_in_share(hands: HandRows) -> Counted:
    """Share of kans, of any kind, with a deal-in of the player; a hand with two kans counts twice."""
    return hands.kans * hands.dealt_in, hands.kans


@family.ratio(
    "average win with a kan", "value of wins, once per kan", denominator="kans in hands won", **_PER_KAN
)
def kan_win_value(hands: HandRows) -> Counted:
    """Average value of hands won with kans, counted once per kan, without honba and riichi sticks."""
    return hands.kans * hands.value, hands.kans * hands.won


@family.ratio(
    "average deal-in with a kan",
    "value of deal-ins, once per kan",
    denominator="kans in hands dealt in",
    **_PER_KAN,
)
def kan_deal_in_value(hands: HandRows) -> Counted:
    """Average value of deal-ins in hands with kans, once per kan, without honba and riichi sticks."""
    return hands.kans * hands.dealt_in_value, hands.kans * hands.dealt_in


@family.ratio(
    "average points gained per kan",
    "points gained or lost, once per kan",
    denominator="kans",
    **_PER_KAN,
)
def kan_balance(hands: HandRows) -> Counted:
    """Average score change in hands with kans, counted once per kan, with honba and riichi sticks."""
    return hands.kans * hands.change, hands.kans
