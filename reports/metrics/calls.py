"""Calls and kans: how often, how soon, and how called hands ended."""

from __future__ import annotations

from typing import Any

from paifu.reports.metrics.frames import Hands, Wins
from paifu.reports.metrics.metric import Counted, Family
from paifu.reports.metrics.wins import BANDS

family = Family("calls", "Calls and kans")

_POINTS: dict[str, Any] = {"unit": "points", "decimals": 0}


@family.share("call_rate", "call", "hands with an open call", base="hands", heading="call")
def call_rate(hands: Hands) -> Counted:
    """Hands with at least one chi, pon or open kan; closed kans and norths are no calls."""
    return hands.is_open


@family.mean("calls_per_open_hand", "calls per open hand", "open calls", base="called1", unit="calls")
def calls_per_open_hand(hands: Hands) -> Counted:
    """Chi, pon and open kans in a hand that has any."""
    return hands.calls


@family.share("open_draw_rate", "exhaustive draw, open hands", "open hands drawn", base="called1")
def open_draw_rate(hands: Hands) -> Counted:
    """Open hands that ended in an exhaustive draw."""
    return hands.drawn


@family.share("open_hit_rate", "hit by tsumo, open hands", "open hands hit by tsumo", base="called1")
def open_hit_rate(hands: Hands) -> Counted:
    """Open hands that another player won by tsumo."""
    return hands.hit


@family.share("four_calls_share", "four calls, of open hands", "hands with four calls", base="called1")
def four_calls_share(hands: Hands) -> Counted:
    """Open hands called down to a single tile."""
    return hands.calls == 4


_YAKUHAI = (10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20)
_YAKU = {
    "tanyao": ("tanyao", (8,)),
    "yakuhai": ("yakuhai", _YAKUHAI),
    "flush": ("honitsu or chinitsu", (34, 35)),
    "toitoi": ("toitoi", (28,)),
}


def _declare(number: int) -> None:  # noqa: C901  one row of the catalogue after another
    """Declare what is told of hands with ``number`` open calls or more."""
    hands_of, wins_of = f"called{number}", f"called{number}_wins"
    calls = "1 call or more" if number == 1 else f"{number} calls or more"
    pre = f"calls_{number}"

    def at_least(hands: Hands) -> Counted:
        return hands.calls >= number

    def won(hands: Hands) -> Counted:
        return hands.won

    def worth(wins: Wins) -> Counted:
        return wins.value

    def income(hands: Hands) -> Counted:
        return hands.change, hands.won

    def dealt(hands: Hands) -> Counted:
        return hands.dealt_in

    def dealt_waiting(hands: Hands) -> Counted:
        return hands.dealt_in & hands.is_waiting

    def dealt_apart(hands: Hands) -> Counted:
        return hands.dealt_in & ~hands.is_waiting

    def paid(hands: Hands) -> Counted:
        return hands.dealt_in_value, hands.dealt_in

    def tsumo(wins: Wins) -> Counted:
        return wins.is_tsumo

    def turn(hands: Hands) -> Counted:
        return hands.call_turns[:, number - 1]

    def first(hands: Hands) -> Counted:
        return hands.called_first

    def ippatsu(hands: Hands) -> Counted:
        return hands.ippatsu_ended > 0

    def balance(hands: Hands) -> Counted:
        return hands.change

    say = f"hands with {calls}"
    if number > 1:
        family.share(f"{pre}_rate", calls, say, base="hands", definition=f"Hands with {calls}.")(at_least)
    family.share(
        f"{pre}_win_rate", f"won: {calls}", "hands won", base=hands_of, definition=f"Of {say}: those won."
    )(won)
    family.mean(
        f"{pre}_win_value",
        f"value of wins: {calls}",
        "value of wins",
        base=wins_of,
        definition=f"Mean value of wins of {say}, without honba and sticks.",
        **_POINTS,
    )(worth)
    family.mean(
        f"{pre}_win_income",
        f"gain by wins, all in: {calls}",
        "points gained",
        base=hands_of,
        denominator="such hands won",
        definition=f"Score change of won {say}, honba and sticks in.",
        **_POINTS,
    )(income)
    family.share(
        f"{pre}_deal_in_rate",
        f"dealt in: {calls}",
        "hands dealt in",
        base=hands_of,
        definition=f"Of {say}: those dealt in.",
    )(dealt)
    family.share(
        f"{pre}_tenpai_deal_in_rate",
        f"dealt in from tenpai: {calls}",
        "hands dealt in from tenpai",
        base=hands_of,
        definition=f"Of {say}: those dealt in from tenpai, told after the tile has left the hand.",
    )(dealt_waiting)
    family.share(
        f"{pre}_noten_deal_in_rate",
        f"dealt in without tenpai: {calls}",
        "hands dealt in without tenpai",
        base=hands_of,
        definition=f"Of {say}: those dealt in without tenpai.",
    )(dealt_apart)
    family.mean(
        f"{pre}_deal_in_value",
        f"value of deal-ins: {calls}",
        "value of hands dealt into",
        base=hands_of,
        denominator="such hands dealt in",
        definition=f"Mean value lost in {say} that dealt in, all winners in.",
        **_POINTS,
    )(paid)
    family.share(
        f"{pre}_tsumo_share",
        f"tsumo, of wins: {calls}",
        "wins by tsumo",
        base=wins_of,
        definition=f"Of wins of {say}: those by tsumo.",
    )(tsumo)
    for band in BANDS:

        def dear(wins: Wins, least: int = band) -> Counted:
            return wins.value >= least

        family.share(
            f"{pre}_win_{band}_share",
            f"{band} or more, of wins: {calls}",
            f"wins of {band} or more",
            base=wins_of,
            definition=f"Of wins of {say}: those of {band} points or more.",
        )(dear)
    for dora in (2, 3):

        def rich(wins: Wins, least: int = dora) -> Counted:
            return (wins.all_dora >= least) & (wins.yakuman == 0)

        family.share(
            f"{pre}_dora_{dora}_share",
            f"{dora} dora or more, of wins: {calls}",
            f"wins with {dora} dora or more",
            base=wins_of,
            definition=f"Of wins of {say}: those with {dora} dora or more, none in a yakuman.",
        )(rich)
    for name, (words, ids) in _YAKU.items():

        def yaku(wins: Wins, wanted: tuple[int, ...] = ids) -> Counted:
            return wins.has(*wanted)

        family.share(
            f"{pre}_{name}_share",
            f"{words}, of wins: {calls}",
            f"wins with {words}",
            base=wins_of,
            definition=f"Of wins of {say}: those with {words}.",
        )(yaku)
    family.mean(
        f"{pre}_turn",
        f"turn of call no. {number}",
        "own discards before the call",
        base=hands_of,
        unit="turns",
        definition=f"Own discards before the open call no. {number} of a hand.",
    )(turn)
    family.share(
        f"{pre}_first_share",
        f"called first: {calls}",
        "hands whose first call was the player's",
        base=hands_of,
        definition=f"Of {say}: those in which the player made the first open call of all.",
    )(first)
    family.share(
        f"{pre}_ippatsu_share",
        f"took an ippatsu away: {calls}",
        "hands with such a call",
        base=hands_of,
        definition=f"Of {say}: those in which a call ended another's chance of ippatsu.",
    )(ippatsu)
    family.mean(
        f"{pre}_balance",
        f"points gained: {calls}",
        "points gained or lost",
        base=hands_of,
        definition=f"Score change of {say}, everything in.",
        **_POINTS,
    )(balance)


for _number in range(1, 5):
    _declare(_number)


@family.mean("ankan_per_hand", "closed kans per hand", "closed kans", base="hands", unit="kans", decimals=4)
def ankan_per_hand(hands: Hands) -> Counted:
    """Closed kans."""
    return hands.ankan


@family.mean("kakan_per_hand", "added kans per hand", "added kans", base="hands", unit="kans", decimals=4)
def kakan_per_hand(hands: Hands) -> Counted:
    """Kans added to an own pon."""
    return hands.kakan


@family.mean("daiminkan_per_hand", "open kans per hand", "open kans", base="hands", unit="kans", decimals=4)
def daiminkan_per_hand(hands: Hands) -> Counted:
    """Kans called from another's discard."""
    return hands.daiminkan


@family.mean(
    "kita_per_hand",
    "norths per hand, three players",
    "norths set aside",
    base="hands",
    unit="norths",
    denominator="hands of three players",
)
def kita_per_hand(hands: Hands) -> Counted:
    """Norths set aside in three-player games."""
    return hands.kita, hands.of_three


@family.ratio(
    "kan_win_share", "won, of kans", "kans in hands won", base="with_kans", denominator="kans", unit="%"
)
def kan_win_share(hands: Hands) -> Counted:
    """Kans of any kind in hands that the player won; a hand counts once a kan."""
    return hands.kans * hands.won, hands.kans


@family.ratio(
    "kan_deal_in_share",
    "dealt in, of kans",
    "kans in hands dealt in",
    base="with_kans",
    denominator="kans",
    unit="%",
)
def kan_deal_in_share(hands: Hands) -> Counted:
    """Kans of any kind in hands that the player dealt in; a hand counts once a kan."""
    return hands.kans * hands.dealt_in, hands.kans


@family.ratio(
    "kan_win_value",
    "value of wins with kans",
    "value of wins, once a kan",
    base="with_kans",
    denominator="kans in hands won",
    **_POINTS,
)
def kan_win_value(hands: Hands) -> Counted:
    """Mean value of hands won with kans, each once a kan, without honba and sticks."""
    return hands.kans * hands.value, hands.kans * hands.won


@family.ratio(
    "kan_deal_in_value",
    "value of deal-ins with kans",
    "value of deal-ins, once a kan",
    base="with_kans",
    denominator="kans in hands dealt in",
    **_POINTS,
)
def kan_deal_in_value(hands: Hands) -> Counted:
    """Mean value lost in hands with kans that dealt in, each once a kan."""
    return hands.kans * hands.dealt_in_value, hands.kans * hands.dealt_in


@family.ratio(
    "kan_balance",
    "points gained per kan",
    "points gained or lost, once a kan",
    base="with_kans",
    denominator="kans",
    **_POINTS,
)
def kan_balance(hands: Hands) -> Counted:
    """Score change of hands with kans, each once a kan, everything in."""
    return hands.kans * hands.change, hands.kans
