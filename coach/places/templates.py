"""Ends of real hands as templates: what happened, seen from the dealer, without honba and sticks.

A template says who won from whom for what, who was tenpai and who in riichi. :func:`ends_under` makes of it
what a ruleset pays: payments of a draw, nagashi, several winners, abortive draws and rounded limits are the
ruleset's own. Values of hands are those of the games that were counted, which had red fives.

The templates that ship were counted by ``bench/hand_templates.py``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import numpy.typing as npt

from paifu.coach.kernels import place_chances
from paifu.coach.model_files import shipped
from paifu.replay.kernels.draws import noten_changes
from paifu.replay.model.events import HandEnd
from paifu.replay.rules.choices import Nagashi
from paifu.replay.rules.ruleset import Ruleset

WON, EXHAUSTED, ABORTED, NAGASHI = place_chances.WON, place_chances.EXHAUSTED, place_chances.ABORTED, 3
"""Kinds of templates."""
_ROUNDED = {7700: 8000, 11600: 12000}
"""Ron of 4 han 30 fu and 3 han 60 fu where these are limits."""
_ALMOST = 3900
"""What the dealer pays, or each pays the dealer, for a tsumo that is rounded up to mangan there."""


@dataclass(frozen=True, slots=True)
class Template:
    """How a hand ended. Places count from the dealer, who is 0; sets of them are bits."""

    kind: int
    riichi: int = 0
    tenpai: int = 0
    winners: tuple[int, ...] = ()
    """In the order in which they are paid."""
    source: int = -1
    """The winner itself by tsumo, else who dealt in; -1 where nobody won."""
    changes: tuple[int, ...] = ()
    """The value of each winner's hand for a ron; else the change of each place's points."""
    way: int = 0
    """For an abortive draw, its :class:`~paifu.replay.model.events.HandEnd`."""

    @property
    def is_ron(self) -> bool:
        """Whether one or more players won a discard."""
        return self.kind == WON and self.source not in self.winners


_ABORTS = {
    HandEnd.KYUUSHU: "abort_kyuushu",
    HandEnd.SUUFON: "abort_suufon",
    HandEnd.SUUCHA: "abort_suucha",
    HandEnd.SANCHAHOU: "abort_sanchahou",
    HandEnd.SUUKAIKAN: "abort_suukaikan",
}
"""Kind of an abortive draw -> the rule that allows it."""


def end_under(template: Template, rules: Ruleset) -> npt.NDArray[np.int32] | None:
    """Return the row of ``kernels`` for a template under a ruleset; None if it cannot end a hand there."""
    row = np.zeros(place_chances.E_SIZE, np.int32)
    changes = row[place_chances.E_CHANGES :]
    row[place_chances.E_KIND], row[place_chances.E_SOURCE] = template.kind, -1
    row[place_chances.E_RIICHI], row[place_chances.E_TENPAI] = template.riichi, template.tenpai
    if template.kind == ABORTED:
        return row if rules[_ABORTS[HandEnd(template.way)]] else None
    if template.kind == NAGASHI:
        if rules.draw.nagashi == Nagashi.NONE:
            template = replace(template, kind=EXHAUSTED)
        else:
            won = rules.draw.nagashi == Nagashi.WIN
            row[place_chances.E_KIND] = WON if won else EXHAUSTED
            if won:
                _name_winners(row, template.winners[:1])
            changes[: rules.table.players] = template.changes
            return row
    if template.kind == EXHAUSTED:
        row[place_chances.E_KIND] = EXHAUSTED
        payments = np.zeros(4, np.int64)
        noten_changes(payments, template.tenpai, template.tenpai.bit_count(), rules.kernel())
        changes[:] = payments
        return row
    winners = template.winners[:1] if rules.win.head_bump else template.winners
    if len(winners) == 3 and rules.draw.abort_sanchahou:
        row[place_chances.E_KIND] = ABORTED
        return row
    _name_winners(row, winners)
    if template.is_ron:
        row[place_chances.E_SOURCE] = template.source
        for place, value in zip(winners, template.changes, strict=False):
            paid = _ROUNDED.get(value, value) if rules.scoring.kiriage else value
            changes[place] += paid
            changes[template.source] -= paid
        return row
    changes[: rules.table.players] = _tsumo(template, rules)
    return row


def _name_winners(row: npt.NDArray[np.int32], winners: tuple[int, ...]) -> None:
    row[place_chances.E_FIRST] = winners[0]
    row[place_chances.E_WINNERS] = sum(1 << place for place in winners)


def _tsumo(template: Template, rules: Ruleset) -> list[int]:
    """Changes of a tsumo, limits rounded where the ruleset does."""
    shares = [-change for change in template.changes]
    winner = template.winners[0]
    shares[winner] = 0
    most = max(shares)
    if rules.scoring.kiriage and most == _ALMOST:
        shares = [4000 if share == most else share for share in shares]
    return [sum(shares) if place == winner else -share for place, share in enumerate(shares)]


@dataclass(frozen=True, slots=True, eq=False)
class Templates:
    """Counted templates for one number of players."""

    counts: Mapping[Template, int]

    def ends_under(self, rules: Ruleset) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint16]]:
        """Return (n, E_SIZE) ends that can be under a ruleset, and their rows, each as often as counted."""
        found: Counter[tuple[int, ...]] = Counter()
        for template, count in self.counts.items():
            row = end_under(template, rules)
            if row is not None:
                found[tuple(row.tolist())] += count
        rows = sorted(found)
        order = np.repeat(np.arange(len(rows)), [found[row] for row in rows]).astype(np.uint16)
        return np.array(rows, np.int32), order


def _read(row: list[int]) -> tuple[Template, int]:
    """Return a template and its count, out of a row of the file; points are in hundreds there."""
    kind, way, source, *winners = row[:6]
    riichi, tenpai, size = row[6:9]
    changes = tuple(100 * change for change in row[9 : 9 + size])
    won = tuple(place for place in winners if place >= 0)
    return Template(kind, riichi, tenpai, won, source, changes, way), row[13]


@cache
def shipped_templates(players: int) -> Templates | None:
    """Return the templates that come with the package; None if there are none for this number of players."""
    file = shipped("places", players)
    return Templates(dict(map(_read, file.arrays["templates"].T.tolist()))) if file else None
