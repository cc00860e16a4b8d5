"""Riichi's yaku and fu behind the interface of the other schemes; its own scoring does the work.

What only riichi has (han, fu with reasons, limits by name) is in ``replay.scoring.score``; here is what all
schemes answer.
"""

from __future__ import annotations

from collections.abc import Mapping

from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.schemes.scheme import Other, PointRow, Row, Won
from paifu.replay.scoring.score import ScoredWin, score
from paifu.replay.scoring.winning_hand import WinningHand


class HanFuScheme:
    """The scheme ``han_fu``."""

    unit = "han"

    def score(self, win: WinningHand, rules: Ruleset) -> Won:
        """Score a win. Raises HandError, saying why, for a hand that cannot be or may not win."""
        return as_won(score(win, rules), win, rules)


def as_won(scored: ScoredWin, win: WinningHand, rules: Ruleset) -> Won:
    """Return a scored win of riichi as every scheme answers it."""
    limit = "" if scored.limit.name == "NONE" else f", {scored.limit.name.lower()}"
    return Won(
        value=scored.points,
        worth=f"{scored.han} han {scored.fu} fu{limit}",
        patterns=tuple(
            Row(str(yaku.id), yaku.romaji, yaku.japanese, han, 1, f"{han} han", yaku.english)
            for yaku, han in scored.yaku
        ),
        points=tuple(PointRow(row.fu, f"{row.reason} {row.tiles}".strip()) for row in scored.fu_rows),
        payments=scored.payments,
        roles=_roles(win, rules),
        reading=str(scored.reading),
        others=tuple(Other(str(other.reading), other.points, other.why) for other in scored.others),
    )


def _roles(win: WinningHand, rules: Ruleset) -> Mapping[int, str]:
    roles = {win.seat_wind: "wins"}
    if not win.tsumo:
        roles[win.paying_seat(rules)] = "discards"
    if win.liable is not None:
        roles[win.liable] = "liable"
    return roles
