"""Kinds of fouls: a row of data each, with the rule that says what such a foul costs.

From a row follow its rule (a field of :class:`~paifu.replay.rules.ruleset.Ruleset`, ``foul_kuikae``), the
word of paifu logs (``2 foul kuikae``) and its place in the documentation. Presets that do not mention the
rule refuse such acts.
"""

from __future__ import annotations

from typing import NamedTuple


class FoulKind(NamedTuple):
    """One kind of foul."""

    id: int
    """From 0 to 19, never to change: logs and kernels have it."""
    name: str
    meaning: str
    """What the rule is about, in words."""

    @property
    def rule(self) -> str:
        """The field of a ruleset that says what it costs."""
        return f"foul_{self.name}"


FOUL_KINDS = (
    FoulKind(0, "false_win", "A false win, with the hand shown"),
    FoulKind(1, "called_win", "A false win is called, but the hand is not shown"),
    FoulKind(2, "noten_riichi", "Riichi without tenpai"),
    FoulKind(
        3,
        "riichi_kan",
        "A closed kan under riichi that changes the waits, or any where riichi_kan forbids it",
    ),
    FoulKind(4, "hidden_riichi", "A hand in riichi is not shown at a draw"),
    FoulKind(5, "wrong_meld", "Tiles are shown for a call that make no meld"),
    FoulKind(6, "empty_call", "A call is announced and not made"),
    FoulKind(7, "kuikae", "A discard right after a call that kuikae forbids"),
    FoulKind(8, "too_many_tiles", "A hand has too many tiles"),
    FoulKind(9, "too_few_tiles", "A hand has too few tiles"),
    FoulKind(10, "tiles_shown", "A few tiles of the wall, or of another hand, are shown"),
    FoulKind(11, "wall", "So many tiles are shown that the hand cannot go on"),
    FoulKind(12, "hand_shown", "A player shows many tiles of their hand"),
    FoulKind(13, "dead_wall", "Tiles of the dead wall are shown"),
    FoulKind(14, "riichi_withdrawn", "A riichi is taken back"),
    FoulKind(15, "dead_acts", "A dead hand calls, declares riichi or a kan"),
    FoulKind(16, "settled", "A yaku that had to be settled is not what the hand has"),
    FoulKind(17, "other", "Any other foul"),
)
"""Every kind, by id."""
FOUL_NAMES = tuple(kind.name for kind in FOUL_KINDS)
