"""The terms of the model: which features each part is a sum over, and how they must not bend.

A term is one feature, or two whose effects depend on each other. Names are columns of
:class:`~paifu.coach.decisions.Options`.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from paifu.coach.decisions import Tenpai
from paifu.coach.kernels import decision_model as kernels
from paifu.replay.review.results import Danger

SIZES = MappingProxyType(
    {
        "option": 8, "left": 18, "dealer": 2, "riichi": 4, "open_threats": 4, "dealer_threat": 3,
        "most_melds": 5, "pot": 16, "shanten": 7, "accepted": 61, "second": 32, "tenpai": 7, "value": 41,
        "dora": 8, "yakuhai": 8, "outside": 10, "off_suit": 10, "calls": 5, "yaku": 3, "safe": 11,
        "danger": 20, "beside": 7, "shown": 5, "discards": 19, "unsettled": 19,
        "melded_dora": 6, "flush": 3, "deals": 2, "dora_tile": 2,
    }
)  # fmt: skip
"""Feature -> how many values it has, from 0."""
OF_OPPONENTS = frozenset(
    ("danger", "beside", "shown", "discards", "unsettled", "melded_dora", "flush", "deals")
)
"""Features with a value for each opponent."""
CONTEXT = frozenset(
    (
        "left", "dealer", "riichi", "open_threats", "dealer_threat", "most_melds", "pot", "shown", "discards",
        "unsettled", "melded_dora", "deals",
    )
)  # fmt: skip
"""Features that are the same for all options of a decision. Terms of these alone come first in a part, and
are looked up once for a decision."""


@dataclass(frozen=True, slots=True)
class ModelPart:
    """One part of the model: a sum of terms."""

    name: str
    meaning: str
    is_share: bool
    """The sum is on the logistic scale; otherwise it is in points."""
    terms: tuple[tuple[str, ...], ...]
    rising: tuple[str, ...] = ()
    falling: tuple[str, ...] = ()
    never: tuple[tuple[str, int, str, int], ...] = ()
    """Values of the two features of a term with which the share is 0, whatever else holds."""
    rare: tuple[str, int] | None = None
    """A value of a feature that too few decisions have for a branch of their own."""

    @property
    def shared(self) -> int:
        """How many of its terms, the first, are of the context alone."""
        return sum(CONTEXT.issuperset(term) for term in self.terms)

    @property
    def features(self) -> list[str]:
        """The features of its terms."""
        return sorted({name for term in self.terms for name in term}, key=list(SIZES).index)


_PROGRESS = (
    ("dealer",), ("most_melds",), ("dealer_threat",), ("shanten", "left"), ("shanten", "accepted"),
    ("shanten", "second"), ("shanten", "riichi"), ("shanten", "open_threats"), ("shanten", "calls"),
    ("tenpai", "accepted"), ("tenpai", "left"), ("tenpai", "riichi"), ("option",),
)  # fmt: skip
_YAKU = (
    ("calls", "outside"), ("calls", "off_suit"), ("calls", "yakuhai"), ("yaku", "yakuhai"),
    ("yaku", "shanten"),
)  # fmt: skip

PARTS: tuple[ModelPart, ...] = (
    ModelPart(
        "deal-in", "chance that an opponent wins the tile discarded", is_share=True,
        terms=(
            ("shown", "unsettled"), ("shown", "left"), ("shown", "discards"), ("shown", "melded_dora"),
            ("deals", "shown"), ("shown", "danger"), ("beside", "shown"), ("flush", "shown"),
            ("dora_tile", "shown"), ("beside", "danger"),
        ),
        never=tuple(("shown", shown, "danger", Danger.GENBUTSU) for shown in range(SIZES["shown"])),
    ),
    ModelPart(
        "payment", "points that the deal-in costs", is_share=False,
        terms=(
            ("deals", "shown"), ("shown", "melded_dora"), ("shown", "left"), ("pot",), ("flush", "shown"),
            ("dora_tile", "shown"),
        ),
        rising=("melded_dora", "dora_tile", "deals", "pot"),
    ),
    ModelPart(
        "win", "chance to win the hand", is_share=True,
        terms=(*_PROGRESS, *_YAKU, ("dora",), ("tenpai", "value"), ("safe", "riichi")),
        rising=("left", "accepted", "second"), falling=("shanten", "riichi"),
        never=tuple(("tenpai", own, "accepted", 0) for own in (Tenpai.RIICHI, Tenpai.RIICHI_FURITEN)),
        rare=("tenpai", Tenpai.RIICHI_FURITEN),
    ),
    ModelPart(
        "gain", "points won if the hand is won", is_share=False,
        terms=(
            ("dealer",), ("pot",), ("riichi",), ("tenpai", "value"), ("calls", "dora"), ("calls", "yakuhai"),
            ("calls", "outside"), ("calls", "off_suit"), ("shanten", "dora"), ("tenpai", "dora"),
            ("shanten", "left"),
        ),
        rising=("value", "dora", "dealer", "pot"),
    ),
    ModelPart(
        "later", "chance to deal in later in the hand", is_share=True,
        terms=(
            ("most_melds",), ("dealer_threat",), ("shanten", "left"), ("shanten", "riichi"),
            ("shanten", "open_threats"), ("safe", "riichi"), ("safe", "shanten"), ("tenpai", "left"),
            ("tenpai", "riichi"), ("shanten", "accepted"), ("calls", "left"), ("dora",), ("option",),
            ("outside",),
        ),
        rising=("left",),
    ),
    ModelPart(
        "later payment", "points lost if the hand deals in later", is_share=False,
        terms=(
            ("riichi", "open_threats"), ("dealer_threat",), ("most_melds",), ("dealer",), ("pot",),
            ("left",), ("tenpai",), ("shanten",),
        ),
        rising=("pot",),
    ),
    ModelPart(
        "otherwise", "points if the hand neither wins nor deals in", is_share=False,
        terms=(
            ("riichi", "left"), ("open_threats", "left"), ("dealer", "riichi"), ("dealer_threat",),
            ("most_melds",), ("pot",), ("dealer", "left"), ("tenpai", "left"), ("shanten", "left"),
            ("option",),
        ),
    ),
)  # fmt: skip
"""In the order of the kernels' parts."""

assert len(PARTS) == kernels.PARTS  # noqa: S101
assert all(CONTEXT.issuperset(term) for part in PARTS for term in part.terms[: part.shared])  # noqa: S101
