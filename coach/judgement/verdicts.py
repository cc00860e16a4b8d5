"""The gate: which decisions are mistakes, and what such a mistake costs.

Whether one option is worth more than another can be tried: take the true hidden hands of that moment, shuffle
the rest of the wall again and again, and let the same players go on with either option. The difference of a
single decision is nearly all luck, so classes of decisions are tried, not decisions. A class **holds** if at
least 150 such decisions, in games that nothing was fitted to, came out worse than the option left out by more
than twice the standard error, with strong players going on and with simple ones. Some classes hold only of
moves that strong players rarely make. A decision of a class that holds is a **mistake**, and its
price is what was found for decisions of its size, never what happened to be lost. Where a single decision of
a class is often right, many of them are a **habit**. All else is a note, and has no price.
``bench/play_out.py`` is the experiment; :mod:`paifu.coach.judgement.policy` says what strong players do.

This table is the one place that says so. The review, the severity of deal-ins, counts of players, pages,
practice, ``paifu explain`` and the documentation ask it. A win passed up is judged by places
(:mod:`paifu.replay.review.last_hands`), and what cannot win at all needs no experiment.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import I64
from paifu.replay.facts.tables import code_of
from paifu.replay.findings.review_kinds import DEAL_INS, UNUSUAL
from paifu.replay.kernels import codes
from paifu.replay.language import N_, _

RARE = 0.08
"""A move is rare if strong players choose it in fewer of such positions than this share."""
ENOUGH = 150
"""Decisions that a class needs to hold."""
Bounds = tuple[float, float]
"""The least, included, and what is too much."""
MEASURES = {
    "loss": "points that the model rates the best option higher",
    "risk": "chance that the tile discarded deals in, by the model",
    "safest": "the least such chance of the tiles in hand",
    "shanten": "after the move",
    "live": "unseen tiles that lower the shanten, or complete a tenpai",
    "riichi": "others in riichi",
    "genbutsu": "1 if nobody in riichi can win on the tile discarded",
    "threats": "others in riichi, or with open hands that are threats",
    "same_tile": "1 if the best option discards the same tile",
    "share": "how likely strong players are to make the move; NaN where nobody knows, as in games of three",
}
"""What the bounds of a class are about; see :func:`paifu.coach.judgement.classes.measures`."""


@dataclass(frozen=True, slots=True)
class PlayedOut:
    """A class of decisions, both options of which were played out."""

    code: int
    """The finding's; :mod:`paifu.replay.kernels.codes` names it."""
    name: str
    """Which decisions, in words."""
    n: int
    """Decisions played out."""
    found: int
    """Points by which the option left out came out better, on average, where strong players went on
    (``strong`` of ``simulate.games.PLAYERS``): the price of such a decision if the class holds."""
    error: int
    """Two standard errors of ``found``."""
    simple: int | None = None
    """As ``found``, where simple players went on (``balanced``)."""
    simple_error: int | None = None
    bounds: Mapping[str, Bounds] = field(default_factory=dict)
    """Measure -> what it must be."""
    rarity: str = ""
    """What it adds that a move is rare, in words; empty where that was not tried."""
    is_habit: bool = False
    """A single decision of this class is not called a mistake; many are a habit with a price for each."""
    sizes: tuple[PlayedOut, ...] = ()
    """Parts of the class with prices of their own, which have further bounds."""

    @property
    def holds(self) -> bool:
        """Whether decisions of this class are mistakes, or a habit."""
        return (
            bool(self.bounds)
            and self.n >= ENOUGH
            and self.found > self.error
            and self.simple is not None
            and self.simple_error is not None
            and self.simple > self.simple_error
        )

    @property
    def price(self) -> str:
        """Say what such a decision costs, and how that is known."""
        text = (
            _("a habit: such moves cost {found:,} ± {error:,} points each, by playing out {n:,} of them")
            if self.is_habit
            else _(
                "such a move costs {found:,} ± {error:,} points, found by playing out {n:,} such decisions"
            )
        )
        return text.format(found=self.found, error=self.error, n=self.n)

    @property
    def told(self) -> str:
        """Say which decisions these are, what came of them, and whether they are mistakes."""
        verdict = (
            _("A habit: {name}.")
            if self.holds and self.is_habit
            else _("A mistake: {name}.")
            if self.holds
            else _("Not a mistake: {name}.")
        )
        text = _("{n:,} such decisions cost {found:,} ± {error:,} points when played out.")
        told = [
            verdict.format(name=_(self.name)),
            text.format(n=self.n, found=self.found, error=self.error),
            *([_(self.rarity)] if self.rarity else []),
        ]
        sizes = _("Of them, {name}: {found:,} ± {error:,} ({n:,}).")
        told += [
            sizes.format(name=_(one.name), found=one.found, error=one.error, n=one.n) for one in self.sizes
        ]
        return " ".join(told)

    def summary(self) -> dict[str, int]:
        """Return the figures as plain values."""
        return {"decisions": self.n, "found": self.found, "error": self.error}

    def meets(self, measures: Mapping[str, npt.NDArray[Any]]) -> npt.NDArray[np.bool_]:
        """Return which decisions meet the bounds; ``measures`` has an array for each of ``MEASURES``."""
        kept = np.ones(len(measures["loss"]), bool)
        for name, (least, most) in self.bounds.items():
            kept &= (measures[name] >= least) & (measures[name] < most)
        return kept


_PUSH = {
    "shanten": (2, inf), "riichi": (1, inf), "genbutsu": (0, 1), "safest": (0, 0.00501), "loss": (300, inf),
    "share": (0, RARE),
}  # fmt: skip

CLASSES = (
    PlayedOut(
        codes.RISKY_DISCARD,
        N_(
            "two or more from tenpai against riichi, with a risk of 8% or more and a tile of at most 0.5% in "
            "hand, no genbutsu, where strong players rarely make such a discard"
        ),
        296, 688, 236, 631, 241, {**_PUSH, "risk": (0.08, inf)},
        rarity=N_("Of moves that strong players make, too, nothing is proved (467 ± 554)."),
        sizes=(
            PlayedOut(
                codes.RISKY_DISCARD, N_("with a risk below 12%"), 206, 614, 268, 564, 276,
                {**_PUSH, "risk": (0.08, 0.12)},
            ),
            PlayedOut(
                codes.RISKY_DISCARD, N_("with a risk of 12% or more"), 90, 859, 484, 783, 487,
                {**_PUSH, "risk": (0.12, inf)},
            ),
        ),
    ),
    PlayedOut(
        codes.RISKY_DISCARD, N_("the same with a risk of 6% to 8%"), 106, 507, 376, 346, 401,
        {**_PUSH, "risk": (0.06, 0.08)},
    ),
    PlayedOut(
        codes.RISKY_DISCARD,
        N_("any discard under threat, with an estimate below 700 points, until other games confirm it"),
        250, 155, 159, 168, 172,
    ),
    PlayedOut(
        codes.RISKY_DISCARD,
        N_(
            "any discard under threat, with an estimate of 700 points or more, where strong players rarely "
            "make it, until single ones have been judged by hand"
        ),
        836, 543, 213, 544, 207,
    ),
    PlayedOut(
        codes.EARLY_FOLD,
        N_(
            "a hand given up under threat, with an estimate of 1,500 points or more, where strong players "
            "rarely give it up"
        ),
        194, 1484, 516, 1616, 511, {"loss": (1500, inf), "share": (0, RARE)},
        rarity=N_("Where strong players give it up, too, nothing is proved (448 ± 986, 99 of them)."),
    ),
    PlayedOut(
        codes.EARLY_FOLD,
        N_(
            "a hand given up under threat, with an estimate of 700 to 1,500 points, where strong players "
            "rarely give it up"
        ),
        572, 260, 290, 335, 287, {"loss": (700, 1500), "share": (0, RARE)},
    ),
    PlayedOut(
        codes.EARLY_FOLD, N_("a hand given up under threat, with an estimate below 700 points"),
        250, 294, 225, 91, 236,
    ),
    PlayedOut(
        codes.RIICHI_WITHHELD,
        N_(
            "closed tenpai with more than 4 live tiles and no threat kept silent, against riichi with the "
            "same discard"
        ),
        1181, 522, 160, 327, 115,
        {
            "shanten": (0, 1), "live": (5, inf), "threats": (0, 1), "same_tile": (1, 2), "loss": (300, inf),
            "share": (0, inf),
        },
        rarity=N_("Those that strong players make, too, cost as much."), is_habit=True,
    ),
    PlayedOut(
        codes.RIICHI_WITHHELD, N_("any tenpai kept silent, with an estimate below 700 points"),
        250, -72, 284, -86, 202,
    ),
    PlayedOut(
        codes.RIICHI_WITHHELD, N_("any tenpai kept silent, with an estimate of 700 to 1,500 points"),
        250, 110, 378, 77, 279,
    ),
    PlayedOut(
        codes.RIICHI_DECLARED, N_("any riichi, with an estimate below 700 points"),
        86, -355, 346, -176, 470,
    ),
    PlayedOut(
        codes.LESSER_DISCARD, N_("any discard without a threat, with an estimate below 700 points"),
        250, -88, 144, -224, 194,
    ),
    PlayedOut(
        codes.LESSER_DISCARD, N_("any discard without a threat, with an estimate of 700 to 1,500 points"),
        250, -156, 198, -19, 242,
    ),
    PlayedOut(
        codes.POOR_CALL,
        N_("calls that strong players make in fewer than 3% of such positions, where most of them pass"),
        424, 140, 130, 529, 140,
    ),
    PlayedOut(
        codes.POOR_CALL, N_("any call, with an estimate below 700 points"),
        250, -160, 188, 52, 196,
    ),
    PlayedOut(
        codes.CALL_PASSED, N_("any call left out, with an estimate below 700 points"),
        250, -425, 164, -823, 193,
    ),
    PlayedOut(
        codes.CALL_PASSED, N_("any call left out, with an estimate of 700 to 1,500 points"),
        250, -623, 218, -1007, 203,
    ),
    PlayedOut(
        codes.RIICHI_IN_FURITEN, N_("a riichi in furiten, against the discard that avoids it"),
        110, -39, 227, -64, 357,
    ),
    PlayedOut(
        codes.INTO_FURITEN, N_("a discard into furiten, against the one that avoids it"),
        596, -93, 278, 52, 286,
    ),
    PlayedOut(
        codes.NO_RIICHI_NO_YAKU, N_("silence without a yaku, against riichi with the same discard"),
        1426, 50, 63, 164, 63,
        rarity=N_("With more than 4 live tiles it cost 294 ± 219 (107), else -38 ± 172."),
    ),
    PlayedOut(
        UNUSUAL, N_("moves that strong players make in fewer than 1% of such positions"),
        700, 236, 113, 231, 101,
    ),
    PlayedOut(
        codes.BETTER_RIICHI, N_("riichi on the narrower wait, against riichi on the wider one"),
        71, 318, 758,
    ),
)  # fmt: skip
"""Every class that was played out, in games of four at Tenhou that nothing was fitted to: 1,287 that every
fit leaves out. P101 and P102 with bounds are also of 1,686 games of houou (May 2022) that the model has not
seen; what is rare there is said by a policy that had not seen them either. Where they begin was set on these
very games. F101, F102, R102 and R103 are of up to 2,106 games of tokujou and 1,228 of houou, and players who
followed an earlier model went on. Each decision was tried on 24 walls, in November 2026."""
HABITS = tuple(one for one in CLASSES if one.holds and one.is_habit)
MISTAKES = tuple(part for one in CLASSES if one.holds and not one.is_habit for part in one.sizes or (one,))
"""Classes that are mistakes, those with sizes as their parts."""
HELD = (*MISTAKES, *HABITS)
"""Classes that hold: those of mistakes first."""
PROVED = tuple(sorted({code_of(one.code) for one in HELD}))
"""Codes of the decisions that are mistakes or habits by their class."""
UNASKED = ("F", "W", "D", "R1", "K103", "K104", "U", *PROVED)
"""Beginnings of the codes that a review lists if you name none. Of decisions, only those of such classes."""
EITHER = DEAL_INS | {one.code for one in MISTAKES}
"""Numbers of the kinds of findings that are mistakes or notes by the class of the decision."""
DEALING_IN = codes.RISKY_DISCARD
"""Deal-ins are mistakes where the discard, or the one at which the push began, is of a class of this code."""


def verdicts_of(
    number: npt.NDArray[np.int64],
    measures: Mapping[str, npt.NDArray[Any]],
    is_costly: npt.NDArray[np.bool_],
) -> I64:
    """Return the class that makes each decision a mistake or part of a habit: its place in ``HELD``, or -1.

    ``number`` (decisions,) are their codes, ``measures`` what ``MEASURES`` lists, an array each. Only those
    that are costly have a class.

    >>> measures = {name: np.zeros(2) for name in MEASURES} | {"loss": np.array([1499.0, 1500.0])}
    >>> found = verdicts_of(np.full(2, codes.EARLY_FOLD), measures, np.ones(2, bool)).tolist()
    >>> found[0], HELD[found[1]].found
    (-1, 1484)
    """
    found = np.full(len(number), -1, np.int64)
    for place, one in enumerate(HELD):
        found[is_costly & (number == one.code) & one.meets(measures)] = place
    return found
