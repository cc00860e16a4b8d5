"""What the review found, per 100 hands: furiten, missed wins, deal-ins by class, riichi."""

from __future__ import annotations

from paifu.replay.review.kinds import REVIEW_KINDS
from paifu.reports.metrics.frames import Hands
from paifu.reports.metrics.metric import Counted, Family

family = Family("review", "Review")

_FAMILY_NUMBER = {"F": 1000, "W": 2000, "D": 3000, "R": 4000}


def number_of(code: str) -> int:
    """Return the number that facts have for a code.

    >>> number_of("F101"), number_of("R103")
    (1101, 4103)
    """
    return _FAMILY_NUMBER[code[0]] + int(code[1:])


for _code, _kind in REVIEW_KINDS.items():

    def _found(hands: Hands, number: int = number_of(_code)) -> Counted:
        return hands.found(number)

    _words = _kind.name.replace("-", " ")
    family.mean(
        f"review_{_code.lower()}",
        f"{_code} {_words}, per 100 hands",
        f"findings {_code}",
        base="reviewed",
        unit="per 100 hands",
        scale=100,
        definition=f"Findings {_code}, {_words}, of `paifu review`, per 100 hands; those marked as no "
        "mistake after all are left out.",
    )(_found)

_GROUPS = {
    "missed_wins": ("missed wins", ("W101", "W102", "W103"), "Wins on offer that were not taken"),
    "avoidable": (
        "avoidable deal-ins",
        ("D101", "D102", "D108"),
        "Deal-ins that count as mistakes",
    ),
    "bad_riichi": ("riichi mistakes", ("F101", "R101", "R102", "R103"), "Mistakes with riichi"),
}

for _name, (_words, _codes, _long) in _GROUPS.items():
    _numbers = tuple(map(number_of, _codes))

    def _all(hands: Hands, numbers: tuple[int, ...] = _numbers) -> Counted:
        return hands.found(*numbers)

    def _cost(hands: Hands, numbers: tuple[int, ...] = _numbers) -> Counted:
        return hands.lost(*numbers)

    family.mean(
        f"review_{_name}",
        f"{_words}, per 100 hands",
        f"findings {', '.join(_codes)}",
        base="reviewed",
        unit="per 100 hands",
        scale=100,
        definition=f"{_long}, per 100 hands: findings {', '.join(_codes)}.",
    )(_all)
    family.mean(
        f"review_{_name}_cost",
        f"cost of {_words}, per 100 hands",
        f"cost of {', '.join(_codes)}",
        base="reviewed",
        unit="points per 100 hands",
        scale=100,
        decimals=0,
        definition=f"{_long}: what findings {', '.join(_codes)} cost by the log, in points per 100 hands.",
    )(_cost)
