"""Patterns that no system plays today and any may switch on, one by one.

Most are riichi's local yaku, too, and stand in their table (:mod:`paifu.replay.rules.local_yaku`). Values
depend on the scheme: what is a limit in one is a limit in all, the others have a number for each.
"""

from __future__ import annotations

from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.hand_facts import Situation, YakuCondition, situation
from paifu.replay.rules.local_yaku import LOCAL_YAKU, Outdated
from paifu.replay.schemes import conditions as c
from paifu.replay.schemes.pattern import Pattern, PatternLimit
from paifu.replay.scoring.readings import Form

_WINNING_FORMS = {
    "concealed-purity-pairs": Form.PURE_PAIRS,
    "wriggling-snake-winds": Form.SNAKE,
    "knitted-pairs": Form.KNITTED,
}
"""Patterns that let a form win that does not otherwise."""
_ROWS: tuple[tuple[Outdated, str, YakuCondition], ...] = (
    (
        Outdated(
            "Original Gift of Earth", "地和", "on East's very first discard", replaces=("gift-of-man",)
        ),
        "original-gift-of-earth",
        c.FIRST_DISCARD,
    ),
    *(
        (row, row.id or yaku.romaji.replace(" ", "-"), yaku.condition)
        for yaku in LOCAL_YAKU
        if (row := yaku.outdated) is not None
    ),
    (
        Outdated(
            "Sudden Reversal", "", "on the discard right after a replacement draw",
            {Scheme.SERIES: 10, Scheme.FAAN: 1, Scheme.CLASSICAL: 1},
        ),
        "sudden-reversal",
        situation(Situation.KANBURI),
    ),
)  # fmt: skip


def outdated(scheme: Scheme) -> tuple[Pattern, ...]:
    """Return the rows with what they are worth in a scheme."""
    return tuple(
        Pattern(
            name, row.name, row.native, row.worth.get(scheme, 0) if isinstance(row.worth, dict) else 0,
            row.meaning, condition, replaces=row.replaces, played=False,
            limit=PatternLimit(row.worth) if isinstance(row.worth, str) else PatternLimit.NONE,
            winning_form=_WINNING_FORMS.get(name), free=name in _WINNING_FORMS,
        )
        for row, name, condition in _ROWS
    )  # fmt: skip
