"""Ladders: what places bring in the rooms of platforms, what a last place costs at each rank, and promotion.

Points of a game are those of the place in the room, less the loss of the rank for a last place; on Mahjong
Soul also the points gained in thousands and the uma, rounded up. A rank is left upward where its points reach
``target``, downward where they fall below 0; then one has the ``start`` of the new rank. The rules are
today's; those of earlier years differed.
"""

# Tenhou: tenhou.net/man, "段級位" and "ポイント配分"; riichi.wiki, "Tenhou.net ranking", of 2024.
# Mahjong Soul: the constants of amae-koromo (level.ts, metadata.ts), which knows the rooms from gold on.

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from paifu.replay.language import N_, _

TENHOU, MAJSOUL = "tenhou", "majsoul"
KYU = 9
"""Ranks of Tenhou below 1 dan, newcomers not counted; 1 dan is this plus one."""
Kind = tuple[int, str]
"""Number of players, and length: ``east`` or ``south``."""
KINDS: tuple[Kind, ...] = ((4, "south"), (4, "east"), (3, "south"), (3, "east"))


@dataclass(frozen=True, slots=True)
class LadderRank:
    """A rank of a ladder."""

    name: str
    start: int
    target: int
    """Points for promotion; 0 at the top."""
    losses: Mapping[Kind, int]
    """What a last place costs, by kind of game."""
    falls: bool
    """Whether it can be lost."""
    level: int = 0
    """The number in the name."""

    @property
    def said(self) -> str:
        """The name in the current language.

        >>> LADDERS[TENHOU].ranks[16].said, LADDERS[MAJSOUL].ranks[9].said
        ('7 dan', 'Master 1')
        """
        return _(self.name).format(number=self.level)


@dataclass(frozen=True, slots=True)
class LadderRoom:
    """What places bring in a room, and who plays there."""

    gains: Mapping[Kind, tuple[int, ...]]
    """By kind of game, for each place."""
    ranks: range
    """Places in ``Ladder.ranks`` of those who may play there."""


@dataclass(frozen=True, slots=True)
class Ladder:
    """The ladder of a platform."""

    name: str
    ranks: tuple[LadderRank, ...]
    rooms: Mapping[str, LadderRoom]
    uma: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """By number of players; empty where points do not count."""

    def points(self, room: str, kind: Kind, place: int, gain: int) -> int:
        """Return what a place from 1 brings without the loss of a rank, with ``gain`` plain points.

        >>> LADDERS[TENHOU].points("houou", (4, "south"), 2, 12_300)
        45
        >>> LADDERS[MAJSOUL].points("jade", (4, "south"), 1, 18_200)
        144
        """
        points = self.rooms[room].gains[kind][place - 1]
        if self.uma:
            points += -(-gain // 1000) + self.uma[kind[0]][place - 1]
        return points


def _of_kinds(*values: tuple[int, ...] | int) -> Mapping[Kind, tuple[int, ...]]:
    """Return gains by kind, from those of a first place and, with four players, of a second."""
    found: dict[Kind, tuple[int, ...]] = {}
    for kind, value in zip(KINDS, values, strict=True):
        first, *second = value if isinstance(value, tuple) else (value,)
        found[kind] = (first, *(second or [0]), *[0] * (kind[0] - 2))
    return found


def _losses(*values: int) -> Mapping[Kind, int]:
    return dict(zip(KINDS, values, strict=True))


_TARGETS_OF_KYU = (20, 20, 20, 20, 40, 60, 80, 100, 100, 100)
"""Of a newcomer, of 9 kyu, and so on to 1 kyu."""


def _of_tenhou(grade: int) -> LadderRank:
    """Return a rank by the number that logs have for it: 0 newcomer, 1 to 9 kyu, 10 to 19 dan, 20 tenhoui."""
    dan = grade - KYU
    south, east = (30 + 15 * dan, 20 + 10 * dan) if -1 <= dan <= 10 else (0, 0)
    losses = _losses(south, east, south, east)
    if dan < 1:
        name = N_("{number} kyu") if grade else N_("newcomer")
        return LadderRank(name, 0, _TARGETS_OF_KYU[grade], losses, False, 10 - grade)
    if dan > 10:
        return LadderRank(N_("tenhoui"), 0, 0, losses, False)
    return LadderRank(N_("{number} dan"), 200 * dan, 400 * dan, losses, True, dan)


_TIERS = (N_("Novice {number}"), N_("Adept {number}"), N_("Expert {number}"), N_("Master {number}"),
          N_("Saint {number}"))  # fmt: skip
_TARGETS = (20, 80, 200, 600, 800, 1000, 1200, 1400, 2000, 2800, 3200, 3600, 4000, 6000, 9000)
_LOST = {
    (4, "south"): (0, 0, 0, 20, 40, 60, 80, 100, 120, 165, 180, 195, 210, 225, 240),
    (4, "east"): (0, 0, 0, 10, 20, 30, 40, 50, 60, 80, 90, 100, 110, 120, 130),
    (3, "south"): (0, 0, 0, 20, 40, 60, 80, 100, 120, 165, 190, 215, 240, 265, 290),
    (3, "east"): (0, 0, 0, 10, 20, 30, 40, 50, 60, 80, 95, 110, 125, 140, 160),
}


def _of_majsoul(number: int) -> LadderRank:
    tier, level = divmod(number, 3)
    target = _TARGETS[number]
    losses = _losses(*(_LOST[kind][number] for kind in KINDS))
    return LadderRank(_TIERS[tier], target // 2 if tier else 0, target, losses, number > 3, level + 1)


LADDERS: Mapping[str, Ladder] = {
    TENHOU: Ladder(
        TENHOU,
        tuple(map(_of_tenhou, range(21))),
        {
            "ippan": LadderRoom(_of_kinds((30, 15), (20, 10), 45, 30), range(10)),
            "joukyuu": LadderRoom(_of_kinds((60, 15), (40, 10), 75, 50), range(9, 20)),
            "tokujou": LadderRoom(_of_kinds((75, 30), (50, 20), 90, 60), range(13, 20)),
            "houou": LadderRoom(_of_kinds((90, 45), (60, 30), 105, 70), range(16, 20)),
        },
    ),
    MAJSOUL: Ladder(
        MAJSOUL,
        tuple(map(_of_majsoul, range(15))),
        {
            "gold": LadderRoom(_of_kinds((80, 40), (40, 20), 105, 55), range(6, 12)),
            "jade": LadderRoom(_of_kinds((110, 55), (55, 30), 160, 75), range(9, 15)),
            "throne": LadderRoom(_of_kinds((120, 60), (60, 30), 240, 120), range(12, 15)),
        },
        {4: (15, 5, -5, -15), 3: (15, 0, -15)},
    ),
}
"""Every ladder by the name of its platform."""


def ladder_of(room: str, kind: Kind) -> Ladder | None:
    """Return the ladder that games of a room and kind count for; None where there is none."""
    return next((one for one in LADDERS.values() if room in one.rooms and kind in KINDS), None)
