"""How often players choose what strong players choose, and how often what those hardly ever choose.

:mod:`paifu.coach.judgement.policy` says how likely strong players are to choose each option of a decision. A
move is **unusual** if that is less than 1%. Neither says what a move is worth: an unusual move may be right.
``bench/grades.py`` counted the same of players of each grade, in games that nothing was fitted to.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import numpy as np
import numpy.typing as npt

from paifu.coach.decisions import OptionKind
from paifu.coach.judgement.judged import Judgement
from paifu.coach.model_files import shipped
from paifu.replay.arrays import F32, F64, I64, Mask
from paifu.replay.language import N_, _

UNUSUAL = 0.01
"""A move is unusual if strong players choose it in fewer of such positions than this share."""
SITUATIONS = {
    "all": N_("all decisions"),
    "early": N_("early (turns 1 to 6)"),
    "middle": N_("middle (turns 7 to 12)"),
    "late": N_("late (from turn 13)"),
    "threat": N_("against riichi"),
    "calls": N_("calls"),
    "riichi": N_("riichi or not"),
    "efficiency": N_("no threat: discards"),
}
_LEFT = {"early": (12, 99), "middle": (6, 11), "late": (0, 5)}
"""Tiles left to draw, by fours."""
_COLUMNS = ("decisions", "first", "chance", "unusual")
HOUOU = ("7-dan", "8-dan", "9-dan", "10-dan")
"""Grades that play in the houou room."""
PROGRAMS = "programs"
"""The row of the file that has those who are not people."""


@dataclass(slots=True)
class Match:
    """What a player chose beside what strong players choose, summed up by situation; parts can be added."""

    sums: F64 = field(default_factory=lambda: np.zeros((len(SITUATIONS), len(_COLUMNS))))
    """(situations, 4) decisions, how many were what strong players choose most, the sum of the chances of
    what was chosen, and how many were unusual."""
    games: int = 0

    def __add__(self, other: Match) -> Match:
        return Match(self.sums + other.sums, self.games + other.games)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Match)
            and self.games == other.games
            and bool(np.allclose(self.sums, other.sums))
        )

    def decisions(self, situation: str = "all") -> int:
        """Return how many decisions there were."""
        return int(self._row(situation)[0])

    def first(self, situation: str = "all") -> int:
        """Return how often the player chose what strong players choose most."""
        return round(self._row(situation)[1])

    def unusual(self, situation: str = "all") -> int:
        """Return how many unusual moves there were."""
        return round(self._row(situation)[3])

    def chance(self, situation: str = "all") -> float | None:
        """Return the mean chance, in percent, that strong players choose what the player chose."""
        n, _first, chance, _unusual = self._row(situation)
        return 100 * chance / n if n else None

    def shrunken(self) -> float | None:
        """Return the most likely rate of unusual moves, in percent: between the player's and everybody's."""
        n, *_rest, unusual = self._row("all")
        curve = grades()
        return 100 * (unusual + curve.strength * curve.mean) / (n + curve.strength) if n else None

    def _row(self, situation: str) -> list[float]:
        row: list[float] = self.sums[list(SITUATIONS).index(situation)].tolist()
        return row


def situations_of(one: Judgement, rows: I64) -> Mask:
    """Return (situations, decisions) which situations some decisions are of."""
    table, chosen = one.table, one.chosen[rows]
    has_riichi = np.logical_or.reduceat(table.option == OptionKind.RIICHI, one.first)[rows]
    is_call = (table.option[chosen] >= OptionKind.PASS) & (table.option[chosen] <= OptionKind.DAIMINKAN)
    threat = (table.riichi[chosen] > 0) | (table.open_threats[chosen] > 0)
    found = {
        "all": np.ones(len(rows), bool),
        **{
            name: (table.left[chosen] >= least) & (table.left[chosen] <= most)
            for name, (least, most) in _LEFT.items()
        },
        "threat": table.riichi[chosen] > 0,
        "calls": is_call,
        "riichi": has_riichi,
        "efficiency": ~is_call & ~has_riichi & ~threat,
    }
    return np.stack([found[name] for name in SITUATIONS])


def chosen_shares(one: Judgement, shares: F32) -> F64:
    """Return (decisions,) how likely strong players are to choose what was chosen; NaN where nobody knows.

    ``shares`` (rows,) says it of each option.
    """
    return shares[one.chosen].astype(np.float64)


def match_of(one: Judgement, rows: I64, shares: F32) -> F64:
    """Return (decisions, situations, 4) what :attr:`Match.sums` adds up, of decisions with shares."""
    share = chosen_shares(one, shares)[rows]
    most = np.maximum.reduceat(shares, one.first)[rows]
    parts = np.stack([np.ones(len(rows)), share >= most, share, share < UNUSUAL], axis=1, dtype=np.float64)
    found: F64 = situations_of(one, rows).T[:, :, None] * parts[:, None, :]
    return found


def add_matches(
    sums: dict[tuple[int, str], Match],
    one: Judgement,
    rows: I64,
    shares: F32,
    names: npt.NDArray[np.object_],
) -> None:
    """Add some decisions of a judgement to the players' sums, by game and name; ``names`` (decisions,)."""
    if not len(rows):
        return
    parts, game = match_of(one, rows, shares), one.table.game[one.chosen[rows]].tolist()
    owners = list(zip(game, names[rows].tolist(), strict=True))
    places = {owner: at for at, owner in enumerate(dict.fromkeys(owners))}
    at = np.array([places[owner] for owner in owners], np.int64)
    for owner, place in places.items():
        known = sums.get(owner)
        own = parts[at == place].sum(axis=0)
        sums[owner] = Match(own, 1) if known is None else Match(known.sums + own, 1)


@dataclass(frozen=True, slots=True)
class Grades:
    """What players of each grade do."""

    rows: tuple[tuple[str, Match], ...]
    """Grade, and its players' sums; the weakest first."""
    mean: float
    """Unusual moves in all decisions of a player."""
    strength: float
    """How many decisions of his own a player needs to be believed as much as everybody."""
    words: str
    """Where it was counted."""

    def of_room(self, room: str) -> Match:
        """Return the sums of the grades that play in a room of Tenhou: in houou, or below."""
        rows = [(grade, match) for grade, match in self.rows if grade != PROGRAMS]
        return sum((match for grade, match in rows if (grade in HOUOU) == (room == "houou")), Match())

    def who(self, room: str) -> str:
        """Name those players."""
        return _("at Tenhou from 7-dan on") if room == "houou" else _("at Tenhou from 4-dan to 6-dan")

    def like(self, percent: float) -> str:
        """Say whose players make about as many unusual moves."""
        grade = min(self.rows, key=lambda row: abs(_percent(row[1]) - percent))[0]
        if percent > max(_percent(match) for _grade, match in self.rows):
            return _("more than at any grade")
        return _("as of {grade}").format(grade=grade_said(grade))

    @property
    def said(self) -> str:
        """Say what players of each grade do."""
        rates = _(", ").join(f"{grade} {first:.0f} / {rate:.2f}" for grade, first, rate in self.curve())
        return _(
            "By grade, how often in 100 decisions players chose what strong players choose most / made an "
            "unusual move, which strong players make in fewer than one of 100: {grades}."
        ).format(grades=rates)

    def curve(self) -> list[tuple[str, float, float]]:
        """Return the grades with the percentages of first choices and of unusual moves."""
        return [
            (grade_said(grade), 100 * match.first() / match.decisions(), _percent(match))
            for grade, match in self.rows
        ]


def grade_said(grade: str) -> str:
    """Return a grade, as the file names it, in the current language.

    >>> grade_said("4-dan"), grade_said("programs")
    ('4-dan', 'programs')
    """
    if grade == PROGRAMS:
        return _("programs")
    return _("{number}-dan").format(number=grade.removesuffix("-dan"))


def _percent(match: Match) -> float:
    return 100 * match.unusual() / match.decisions()


@cache
def grades() -> Grades:
    """Return what ships; ``bench/grades.py`` counts it."""
    file = shipped("grades", 4)
    assert file is not None  # noqa: S101
    matches = map(Match, file.arrays["sums"], file.arrays["games"].tolist())
    rows = tuple(zip(file.about["grades"], matches, strict=True))
    return Grades(rows, file.about["mean"], file.about["strength"], file.about["from"])
