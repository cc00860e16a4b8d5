"""Calls and kans: how often, how early, and how open hands ended."""

from __future__ import annotations

from typing import Any

from paifu.reports.metrics.frames import BASES, HandRows, WinRows
from paifu.reports.metrics.metric import Counted, Family
from paifu.reports.metrics.wins import BANDS

family = Family(
    "calls",
    "Calls and kans",
    of_riichi=r"_(3900|7700|11600)_|dora|tanyao|yakuhai|flush|toitoi|ippatsu|kita",
    signed=r"\w+_balance",
    higher=r"(calls_\d|kan)_(win_rate|win_share|win_value|win_income|balance)",
    style=r"call_rate|calls_per_open_hand|calls_\d_(rate|turn)|(ankan|kakan|daiminkan)_per_hand",
    lower=r"(calls_\d|kan)_(\w+_)?deal_in_(rate|share|value)|open_hit_rate",
)

_POINTS: dict[str, Any] = {"unit": "points", "decimals": 0}


@family.share("call_rate", "call rate", "hands with an open call", base="hands", heading="call")
def call_rate(hands: HandRows) -> Counted:
    """Share of hands with at least one chi, pon or open kan; closed kans and norths are not calls."""
    return hands.is_open


@family.mean("calls_per_open_hand", "calls per open hand", "open calls", base="called1", unit="calls")
def calls_per_open_hand(hands: HandRows) -> Counted:
    """Average number of chi, pon and open kans in hands that have any."""
    return hands.calls


@family.share("open_draw_rate", "draw rate with an open hand", "open hands drawn", base="called1")
def open_draw_rate(hands: HandRows) -> Counted:
    """Share of open hands that ended in an exhaustive draw."""
    return hands.drawn


@family.share(
    "open_hit_rate", "tsumo loss rate with an open hand", "open hands lost to tsumo", base="called1"
)
def open_hit_rate(hands: HandRows) -> Counted:
    """Share of open hands that another player won by tsumo."""
    return hands.hit


@family.share("four_calls_share", "open hands with four calls", "hands with four calls", base="called1")
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


def _declare(number: int) -> None:  # noqa: C901  one catalogue entry after another
    """Declare the metrics of hands with at least ``number`` open calls."""
    hands_of, wins_of = f"called{number}", f"called{number}_wins"
    calls = "4 calls" if number == 4 else f"{number}+ calls"
    pre = f"calls_{number}"

    def at_least(hands: HandRows) -> Counted:
        return hands.calls >= number

    def won(hands: HandRows) -> Counted:
        return hands.won

    def worth(wins: WinRows) -> Counted:
        return wins.value

    def income(hands: HandRows) -> Counted:
        return hands.change, hands.won

    def dealt(hands: HandRows) -> Counted:
        return hands.dealt_in

    def dealt_waiting(hands: HandRows) -> Counted:
        return hands.dealt_in & hands.is_waiting

    def dealt_apart(hands: HandRows) -> Counted:
        return hands.dealt_in & ~hands.is_waiting

    def paid(hands: HandRows) -> Counted:
        return hands.dealt_in_value, hands.dealt_in

    def tsumo(wins: WinRows) -> Counted:
        return wins.is_tsumo

    def turn(hands: HandRows) -> Counted:
        return hands.call_turns[:, number - 1]

    def first(hands: HandRows) -> Counted:
        return hands.called_first

    def ippatsu(hands: HandRows) -> Counted:
        return hands.ippatsu_ended > 0

    def balance(hands: HandRows) -> Counted:
        return hands.change

    say, say_wins = BASES[hands_of], BASES[wins_of]
    nth = ("first", "second", "third", "fourth")[number - 1]
    if number > 1:
        family.share(f"{pre}_rate", f"rate of {calls}", say, base="hands", definition=f"Share of {say}.")(
            at_least
        )
    family.share(
        f"{pre}_win_rate",
        f"win rate with {calls}",
        "hands won",
        base=hands_of,
        definition=f"Share of hands won, among {say}.",
    )(won)
    family.mean(
        f"{pre}_win_value",
        f"average win with {calls}",
        "value of wins",
        base=wins_of,
        definition=f"Average value of {say_wins}, without honba and riichi sticks.",
        **_POINTS,
    )(worth)
    family.mean(
        f"{pre}_win_income",
        f"points gained per win with {calls}",
        "points gained",
        base=hands_of,
        denominator=say_wins,
        definition=f"Average score change in {say_wins}, with honba and riichi sticks.",
        **_POINTS,
    )(income)
    family.share(
        f"{pre}_deal_in_rate",
        f"deal-in rate with {calls}",
        "hands dealt in",
        base=hands_of,
        definition=f"Share of hands dealt in, among {say}.",
    )(dealt)
    family.share(
        f"{pre}_tenpai_deal_in_rate",
        f"tenpai deal-in rate with {calls}",
        "hands dealt in from tenpai",
        base=hands_of,
        definition=f"Share of hands dealt in from tenpai, among {say}. The hand is judged after the discard "
        "that dealt in.",
    )(dealt_waiting)
    family.share(
        f"{pre}_noten_deal_in_rate",
        f"noten deal-in rate with {calls}",
        "hands dealt in from noten",
        base=hands_of,
        definition=f"Share of hands dealt in from noten, among {say}. The hand is judged after the discard "
        "that dealt in.",
    )(dealt_apart)
    family.mean(
        f"{pre}_deal_in_value",
        f"average deal-in with {calls}",
        "value of hands dealt into",
        base=hands_of,
        denominator=f"{say} that dealt in",
        definition=f"Average value of deal-ins in {say}, all winners added up, without honba and riichi "
        "sticks.",
        **_POINTS,
    )(paid)
    family.share(
        f"{pre}_tsumo_share",
        f"tsumo wins with {calls}",
        "wins by tsumo",
        base=wins_of,
        definition=f"Share of wins by tsumo, among {say_wins}.",
    )(tsumo)
    for band in BANDS:

        def dear(wins: WinRows, least: int = band) -> Counted:
            return wins.value >= least

        family.share(
            f"{pre}_win_{band}_share",
            f"wins of {band:,}+ points with {calls}",
            f"wins of {band:,} points or more",
            base=wins_of,
            definition=f"Share of wins of {band:,} points or more, among {say_wins}.",
        )(dear)
    for dora in (2, 3):

        def rich(wins: WinRows, least: int = dora) -> Counted:
            return (wins.all_dora >= least) & (wins.yakuman == 0)

        family.share(
            f"{pre}_dora_{dora}_share",
            f"wins with {dora}+ dora and {calls}",
            f"wins with {dora} dora or more",
            base=wins_of,
            definition=f"Share of wins with {dora} dora or more, among {say_wins}; a yakuman "
            "counts as having none.",
        )(rich)
    for name, (words, ids) in _YAKU.items():

        def yaku(wins: WinRows, wanted: tuple[int, ...] = ids) -> Counted:
            return wins.has(*wanted)

        family.share(
            f"{pre}_{name}_share",
            f"wins with {words} and {calls}",
            f"wins with {words}",
            base=wins_of,
            definition=f"Share of wins with {words}, among {say_wins}.",
        )(yaku)
    family.mean(
        f"{pre}_turn",
        f"average turn of the {nth} call",
        "discards before the call",
        base=hands_of,
        unit="turns",
        definition=f"Average number of the player's discards before the player's {nth} open call.",
    )(turn)
    family.share(
        f"{pre}_first_share",
        f"rate of calling first with {calls}",
        "hands whose first open call was the player's",
        base=hands_of,
        definition=f"Share of hands whose first open call was the player's, among {say}.",
    )(first)
    family.share(
        f"{pre}_ippatsu_share",
        f"rate of cancelling ippatsu with {calls}",
        "hands with a call that cancelled ippatsu",
        base=hands_of,
        definition=f"Share of hands in which a call of the player cancelled another player's "
        f"ippatsu, among {say}.",
    )(ippatsu)
    family.mean(
        f"{pre}_balance",
        f"points gained per hand with {calls}",
        "points gained or lost",
        base=hands_of,
        definition=f"Average score change in {say}, with honba, riichi sticks and payments at draws.",
        **_POINTS,
    )(balance)


for _number in range(1, 5):
    _declare(_number)


@family.mean("ankan_per_hand", "closed kans per hand", "closed kans", base="hands", unit="kans", decimals=4)
def ankan_per_hand(hands: HandRows) -> Counted:
    """Average number of closed kans in a hand."""
    return hands.ankan


@family.mean("kakan_per_hand", "added kans per hand", "added kans", base="hands", unit="kans", decimals=4)
def kakan_per_hand(hands: HandRows) -> Counted:
    """Average number of kans in a hand that were added to a pon."""
    return hands.kakan


@family.mean("daiminkan_per_hand", "open kans per hand", "open kans", base="hands", unit="kans", decimals=4)
def daiminkan_per_hand(hands: HandRows) -> Counted:
    """Average number of kans in a hand that were called from another player's discard."""
    return hands.daiminkan


@family.mean(
    "kita_per_hand",
    "norths per three-player hand",
    "norths set aside",
    base="hands",
    unit="norths",
    denominator="three-player hands",
)
def kita_per_hand(hands: HandRows) -> Counted:
    """Average number of norths set aside in a hand of a three-player game."""
    return hands.kita, hands.of_three


@family.ratio(
    "kan_win_share", "win rate per kan", "kans in hands won", base="with_kans", denominator="kans", unit="%"
)
def kan_win_share(hands: HandRows) -> Counted:
    """Share of kans, of any kind, in hands that the player won; a hand with two kans counts twice."""
    return hands.kans * hands.won, hands.kans


@family.ratio(
    "kan_deal_in_share",
    "deal-in rate per kan",
    "kans in hands dealt in",
    base="with_kans",
    denominator="kans",
    unit="%",
)
def kan_deal_in_share(hands: HandRows) -> Counted:
    """Share of kans, of any kind, with a deal-in of the player; a hand with two kans counts twice."""
    return hands.kans * hands.dealt_in, hands.kans


@family.ratio(
    "kan_win_value",
    "average win with a kan",
    "value of wins, once per kan",
    base="with_kans",
    denominator="kans in hands won",
    **_POINTS,
)
def kan_win_value(hands: HandRows) -> Counted:
    """Average value of hands won with kans, counted once per kan, without honba and riichi sticks."""
    return hands.kans * hands.value, hands.kans * hands.won


@family.ratio(
    "kan_deal_in_value",
    "average deal-in with a kan",
    "value of deal-ins, once per kan",
    base="with_kans",
    denominator="kans in hands dealt in",
    **_POINTS,
)
def kan_deal_in_value(hands: HandRows) -> Counted:
    """Average value of deal-ins in hands with kans, once per kan, without honba and riichi sticks."""
    return hands.kans * hands.dealt_in_value, hands.kans * hands.dealt_in


@family.ratio(
    "kan_balance",
    "average points gained per kan",
    "points gained or lost, once per kan",
    base="with_kans",
    denominator="kans",
    **_POINTS,
)
def kan_balance(hands: HandRows) -> Counted:
    """Average score change in hands with kans, counted once per kan, with honba and riichi sticks."""
    return hands.kans * hands.change, hands.kans
