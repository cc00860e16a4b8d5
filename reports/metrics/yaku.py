"""Yaku: how often each is in a win, open and closed apart; yakuman by hand, by win and by kind."""

from __future__ import annotations

from paifu.replay.scoring.yaku import YAKU, YakuKind
from paifu.reports.metrics.frames import Hands, Wins
from paifu.reports.metrics.metric import Counted, Family

family = Family("yaku", "Yaku")
yakuman = Family("yakuman", "Yakuman")

_DORA = YakuKind.DORA


def _slug(text: str) -> str:
    return text.replace(" ", "_")


def _declare(name: str, title: str, english: str, ids: tuple[int, ...], *, both: bool) -> None:
    def all_wins(wins: Wins) -> Counted:
        return wins.has(*ids)

    def closed(wins: Wins) -> Counted:
        return wins.has(*ids), ~wins.is_open

    def open_(wins: Wins) -> Counted:
        return wins.has(*ids), wins.is_open

    family.share(
        f"yaku_{name}", title, f"wins with {title}", base="wins", definition=f"Wins with {title} ({english})."
    )(all_wins)

    def worth(wins: Wins) -> Counted:
        return wins.value, wins.has(*ids)

    family.mean(
        f"yaku_{name}_value",
        f"value of wins with {title}",
        "value of such wins",
        base="wins",
        denominator=f"wins with {title}",
        unit="points",
        decimals=0,
        definition=f"Mean value of wins with {title} ({english}), without honba and sticks.",
    )(worth)
    if both:
        family.share(
            f"yaku_{name}_closed",
            f"{title}, of closed wins",
            f"closed wins with {title}",
            base="wins",
            denominator="closed wins",
            definition=f"Closed wins with {title} ({english}).",
        )(closed)
        family.share(
            f"yaku_{name}_open",
            f"{title}, of open wins",
            f"open wins with {title}",
            base="wins",
            denominator="open wins",
            definition=f"Open wins with {title} ({english}).",
        )(open_)


_declare(
    "yakuhai", "yakuhai", "any triplet of dragons, seat wind or round wind", tuple(range(10, 21)), both=True
)
for _yaku in YAKU.values():
    if _yaku.kind not in (YakuKind.DORA, YakuKind.YAKUMAN):
        _open = (not callable(_yaku.han) and _yaku.han[1] > 0) or _yaku.id in (8,)
        _declare(_slug(_yaku.romaji), _yaku.romaji, _yaku.english, (_yaku.id,), both=_open)


@yakuman.share("yakuman_win_rate", "yakuman, of wins", "wins with a yakuman", base="wins")
def yakuman_win_rate(wins: Wins) -> Counted:
    """Wins with a yakuman; counted yakuman (13 han) are none of these."""
    return wins.yakuman > 0


@yakuman.share("yakuman_hand_rate", "yakuman, of hands", "hands won with a yakuman", base="hands")
def yakuman_hand_rate(hands: Hands) -> Counted:
    """Hands that the player won with a yakuman; counted yakuman are none of these."""
    return hands.yakuman > 0


@yakuman.count("yakuman_count", "yakuman won", "wins with a yakuman", base="wins", unit="wins")
def yakuman_count(wins: Wins) -> Counted:
    """Wins with a yakuman, counted yakuman apart."""
    return wins.yakuman > 0


@yakuman.count(
    "counted_yakuman_count", "counted yakuman won", "wins of a counted yakuman", base="wins", unit="wins"
)
def counted_yakuman_count(wins: Wins) -> Counted:
    """Wins worth a yakuman by 13 han or more of other yaku."""
    return (wins.limit == 5) & (wins.yakuman == 0)


@yakuman.share(
    "counted_yakuman_win_rate", "counted yakuman, of wins", "wins of a counted yakuman", base="wins"
)
def counted_yakuman_win_rate(wins: Wins) -> Counted:
    """Wins worth a yakuman by 13 han or more of other yaku."""
    return (wins.limit == 5) & (wins.yakuman == 0)


@yakuman.count("double_riichi_count", "double riichi", "double riichi", base="riichi", unit="hands")
def double_riichi_count(hands: Hands) -> Counted:
    """Double riichi declared."""
    return hands.riichi == 2


for _yaku in YAKU.values():
    if _yaku.kind is YakuKind.YAKUMAN:

        def _of_kind(wins: Wins, number: int = _yaku.id) -> Counted:
            return wins.has(number) & (wins.yakuman > 0)

        yakuman.count(
            f"yakuman_{_slug(_yaku.romaji)}_count",
            _yaku.romaji,
            f"wins with {_yaku.romaji}",
            base="wins",
            unit="wins",
            definition=f"Wins with {_yaku.romaji} ({_yaku.english}).",
        )(_of_kind)
