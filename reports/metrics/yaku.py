"""Yaku: how often each occurs in all, open and closed wins; yakuman per hand, per win and by kind."""

from __future__ import annotations

from functools import partial

from paifu.replay.scoring.yaku import YAKU, YakuKind
from paifu.reports.metrics.frames import HandRows, WinRows
from paifu.reports.metrics.metric import RIICHI, Counted, Family

family = Family("yaku", "Yaku", RIICHI, base="wins")
yakuman = Family("yakuman", "Yakuman", RIICHI, base="wins")


def _slug(text: str) -> str:
    return text.replace(" ", "_")


def _explained(romaji: str, english: str) -> str:
    return romaji if romaji == english else f"{romaji} ({english})"


def _declare(name: str, title: str, english: str, ids: tuple[int, ...], *, both: bool) -> None:
    explained = _explained(title, english)

    family.share(
        title, f"wins with {title}", name=f"yaku_{name}", definition=f"Share of wins with {explained}."
    )(lambda wins: wins.has(*ids))

    family.points(
        f"average win with {title}",
        "value of those wins",
        name=f"yaku_{name}_value",
        denominator=f"wins with {title}",
        definition=f"Average value of wins with {explained}, without honba and riichi sticks.",
    )(lambda wins: (wins.value, wins.has(*ids)))
    if both:
        family.share(
            f"{title} in closed wins",
            f"closed wins with {title}",
            name=f"yaku_{name}_closed",
            denominator="closed wins",
            definition=f"Share of closed wins with {explained}.",
        )(lambda wins: (wins.has(*ids), ~wins.is_open))
        family.share(
            f"{title} in open wins",
            f"open wins with {title}",
            name=f"yaku_{name}_open",
            denominator="open wins",
            definition=f"Share of open wins with {explained}.",
        )(lambda wins: (wins.has(*ids), wins.is_open))


_declare(
    "yakuhai", "yakuhai", "any triplet of dragons, seat wind or round wind", tuple(range(10, 21)), both=True
)
for _yaku in YAKU.values():
    if _yaku.kind not in (YakuKind.DORA, YakuKind.YAKUMAN):
        _open = (not callable(_yaku.han) and _yaku.han[1] > 0) or _yaku.id in (8,)
        _declare(_slug(_yaku.romaji), _yaku.romaji, _yaku.english, (_yaku.id,), both=_open)


@yakuman.share("yakuman rate per win", "wins with a yakuman")
def yakuman_win_rate(wins: WinRows) -> Counted:
    """Share of wins with a yakuman, excluding counted yakuman (kazoe yakuman, 13 han)."""
    return wins.yakuman > 0


@yakuman.share("yakuman rate per hand", "hands won with a yakuman", base="hands")
def yakuman_hand_rate(hands: HandRows) -> Counted:
    """Share of hands that the player won with a yakuman, excluding counted yakuman."""
    return hands.yakuman > 0


@yakuman.count("number of yakuman", "wins with a yakuman", unit="wins")
def yakuman_count(wins: WinRows) -> Counted:
    """Number of wins with a yakuman, excluding counted yakuman."""
    return wins.yakuman > 0


@yakuman.count("number of counted yakuman", "wins with a counted yakuman", unit="wins")
def counted_yakuman_count(wins: WinRows) -> Counted:
    """Number of wins worth a yakuman for 13 han or more, without a yakuman yaku."""
    return (wins.limit == 5) & (wins.yakuman == 0)


@yakuman.share("counted yakuman rate per win", "wins with a counted yakuman")
def counted_yakuman_win_rate(wins: WinRows) -> Counted:
    """Share of wins worth a yakuman for 13 han or more, without a yakuman yaku."""
    return (wins.limit == 5) & (wins.yakuman == 0)


@yakuman.count("number of double riichi", "double riichi", base="riichi", unit="hands")
def double_riichi_count(hands: HandRows) -> Counted:
    """Number of double riichi declared."""
    return hands.riichi == 2


for _yaku in YAKU.values():
    if _yaku.kind is YakuKind.YAKUMAN:
        yakuman.count(
            _yaku.romaji,
            f"wins with {_yaku.romaji}",
            name=f"yakuman_{_slug(_yaku.romaji)}_count",
            unit="wins",
            definition=f"Number of wins with {_explained(_yaku.romaji, _yaku.english)}.",
        )(partial(lambda number, wins: wins.has(number) & (wins.yakuman > 0), _yaku.id))
