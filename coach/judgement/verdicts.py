"""Which decisions are mistakes: classes whose options were played out, and what came of it.

Whether one option is worth more than another can be tried: take the true hidden hands of that moment, shuffle
the rest of the wall again and again, and let the same players go on with either option. The difference of a
single decision is nearly all luck, so classes of decisions are tried, not decisions. A class in which the
option left out came out better by more than twice its standard error, both with players who follow the model
and with the simplest ones, **holds**: there a decision that strong players rarely make is a **mistake**, and
its price is what was found. Whatever else the model says is an estimate, and a note. ``bench/play_out.py``
is the experiment; :mod:`paifu.coach.judgement.policy` says what strong players do.

This table is the one place that says so. The review, the severity of deal-ins, players' sums, pages,
practice, ``paifu explain`` and the documentation ask it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.replay.facts.tables import code_of
from paifu.replay.findings.review_kinds import DEAL_INS
from paifu.replay.kernels import codes
from paifu.replay.language import N_, _

RARE = 0.08
"""A move is rare if strong players choose it in fewer of such positions than this share."""
Bounds = tuple[float, float]
"""The least and the most, both included."""
MEASURES = {
    "loss": "points that the model rates the best option higher",
    "risk": "chance that the tile discarded deals in, by the model",
    "safest": "the least such chance of the tiles in hand",
    "shanten": "after the move",
    "live": "unseen tiles that lower the shanten, or complete a tenpai",
    "riichi": "others in riichi",
    "threats": "others in riichi, or with open hands that are threats",
    "same_tile": "1 if the best option discards the same tile",
}
"""What the bounds of a class are about; see :func:`paifu.reports.judgement.classes.measures`."""


@dataclass(frozen=True, slots=True)
class PlayedOut:
    """A class of decisions, both options of which were played out."""

    code: int
    """The finding's; :mod:`paifu.replay.kernels.codes` names it."""
    name: str
    """Which decisions, in words."""
    n: int
    """Decisions played out."""
    predicted: int
    """Points that the model rated the option left out higher, on average."""
    found: int
    """Points by which it came out better, on average, where players who follow the model went on: the price
    of such a decision if the class holds."""
    error: int
    """Two standard errors of ``found``."""
    simple: int
    """As ``found``, where simple players went on (``balanced`` of ``simulate.games.PLAYERS``)."""
    simple_error: int
    bounds: Mapping[str, Bounds] = field(default_factory=dict)
    """Measure -> what it must be. Only a class that holds needs them. Those were set before these games were
    looked at: what came out better in them alone has yet to be confirmed in others."""

    @property
    def holds(self) -> bool:
        """Whether decisions of this class are mistakes."""
        return bool(self.bounds) and self.found > self.error and self.simple > self.simple_error

    @property
    def price(self) -> str:
        """Say what such a decision costs, and how that is known."""
        text = _("such a move costs {found:,} ± {error:,} points, found by playing out {n:,} such decisions")
        return text.format(found=self.found, error=self.error, n=self.n)

    @property
    def told(self) -> str:
        """Say which decisions these are, what came of them, and whether they are mistakes."""
        text = (
            _(
                "A mistake if the estimate is {least:,.0f} points or more and strong players rarely make the "
                "move: {name}. {n:,} such decisions cost "
                "{found:,} ± {error:,} points when played out; the model said {predicted:,}."
            )
            if self.holds
            else _(
                "Not a mistake: {name}. {n:,} such decisions cost {found:,} ± {error:,} points when played "
                "out; the model said {predicted:,}."
            )
        )
        return text.format(
            least=self.bounds.get("loss", (0, 0))[0], name=_(self.name), n=self.n, found=self.found,
            error=self.error, predicted=self.predicted,
        )  # fmt: skip

    def summary(self) -> dict[str, int]:
        """Return the figures as plain values."""
        return {"decisions": self.n, "predicted": self.predicted, "found": self.found, "error": self.error}

    def meets(self, measures: Mapping[str, npt.NDArray[Any]]) -> npt.NDArray[np.bool_]:
        """Return which decisions meet the bounds; ``measures`` has an array for each of ``MEASURES``."""
        kept = np.ones(len(measures["loss"]), bool)
        for name, (least, most) in self.bounds.items():
            kept &= (measures[name] >= least) & (measures[name] <= most)
        return kept


CLASSES = (
    PlayedOut(
        codes.RISKY_DISCARD,
        N_(
            "two or more from tenpai against riichi, with a risk of 6% or more and a tile of at most 0.5% in "
            "hand"
        ),
        535, 504, 336, 169, 372, 164,
        {
            "shanten": (2, inf), "riichi": (1, inf), "risk": (0.06, inf), "safest": (0, 0.005),
            "loss": (300, inf),
        },
    ),
    PlayedOut(
        codes.RISKY_DISCARD,
        N_("any discard under threat, with an estimate below 700 points, until other games confirm it"),
        700, 443, 164, 146, 175, 129,
    ),
    PlayedOut(
        codes.RISKY_DISCARD,
        N_("any discard under threat, with an estimate of 700 to 1,500 points, until other games confirm it"),
        700, 917, 386, 254, 342, 250,
    ),
    PlayedOut(
        codes.EARLY_FOLD, N_("a hand given up under threat"), 700, 1130, 484, 231, 584, 239,
        {"loss": (700, inf)},
    ),
    PlayedOut(
        codes.EARLY_FOLD, N_("a hand given up under threat, with an estimate below 700 points"),
        700, 458, 101, 157, 121, 157,
    ),
    PlayedOut(
        codes.RIICHI_WITHHELD,
        N_("a closed tenpai with more than 4 live tiles and no threat, against riichi with the same discard"),
        700, 1280, 307, 129, 394, 133,
        {"shanten": (0, 0), "live": (5, inf), "threats": (0, 0), "same_tile": (1, 1), "loss": (300, inf)},
    ),
    PlayedOut(
        codes.RIICHI_WITHHELD, N_("any tenpai kept silent, with an estimate below 700 points"),
        700, 527, -6, 151, -7, 151,
    ),
    PlayedOut(
        codes.RIICHI_WITHHELD, N_("any tenpai kept silent, with an estimate of 700 to 1,500 points"),
        700, 1047, -26, 139, 105, 142,
    ),
    PlayedOut(
        codes.RIICHI_DECLARED, N_("any riichi, with an estimate below 700 points"),
        111, 504, 184, 579, -27, 552,
    ),
    PlayedOut(
        codes.LESSER_DISCARD, N_("any discard without a threat, with an estimate below 700 points"),
        700, 430, -113, 114, -35, 86,
    ),
    PlayedOut(
        codes.LESSER_DISCARD, N_("any discard without a threat, with an estimate of 700 to 1,500 points"),
        700, 914, -56, 156, -19, 154,
    ),
    PlayedOut(
        codes.POOR_CALL, N_("any call, with an estimate below 700 points"),
        700, 455, -58, 122, 100, 115,
    ),
    PlayedOut(
        codes.CALL_PASSED, N_("any call left out, with an estimate below 700 points"),
        700, 463, -634, 123, -804, 128,
    ),
    PlayedOut(
        codes.CALL_PASSED, N_("any call left out, with an estimate of 700 to 1,500 points"),
        700, 981, -697, 137, -1026, 164,
    ),
)  # fmt: skip
"""Every class that was played out in 1,980 games of four at Tenhou (tokujou, December 2020 to May 2023), to
which the model was not fitted: at most 700 decisions of each, rare or not, 24 walls for each decision. The
policy was fitted to four in five of these games: to what was chosen there, not to what came of it."""
HELD = tuple(one for one in CLASSES if one.holds)
"""Classes whose decisions are mistakes."""
UNASKED = ("F", "W", "D", "R1", "K103", "K104", *sorted({code_of(one.code) for one in HELD}))
"""Beginnings of the codes that a review lists if you name none. Of decisions, only mistakes."""
EITHER = DEAL_INS | {one.code for one in HELD}
"""Numbers of the kinds of findings that are mistakes or notes by the class of the decision."""
DEALING_IN = codes.RISKY_DISCARD
"""Deal-ins are mistakes where the discard, or the one at which the push began, is of a class of this code."""


def classes_of(
    number: npt.NDArray[np.int64], measures: Mapping[str, npt.NDArray[Any]]
) -> npt.NDArray[np.int64]:
    """Return the class that holds of each decision, as its place in ``HELD``; -1 for none.

    ``number`` (decisions,) are their codes, ``measures`` what ``MEASURES`` lists, an array each.

    >>> measures = {name: np.zeros(3) for name in MEASURES} | {"loss": np.array([699.0, 700.0, 2000.0])}
    >>> classes_of(np.full(3, codes.EARLY_FOLD), measures).tolist()
    [-1, 1, 1]
    """
    found = np.full(len(number), -1, np.int64)
    for place, one in enumerate(HELD):
        found[(number == one.code) & one.meets(measures)] = place
    return found
