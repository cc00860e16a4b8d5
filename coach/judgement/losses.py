"""What the model says of a decision: its kind, its options, a sentence of why, and counts by player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.coach.decisions import OpponentShows, OptionKind
from paifu.coach.judgement.judged import Judgement
from paifu.coach.judgement.mistakes import KINDS, PlayerMistakes
from paifu.coach.judgement.play_outs import PlayedOptions
from paifu.coach.judgement.verdicts import HELD
from paifu.coach.kernels import decision_model as kernels
from paifu.replay.arrays import F32, I64, U8
from paifu.replay.facts.tables import code_of
from paifu.replay.findings.review_sentences import spoken_option
from paifu.replay.language import N_, _, ngettext
from paifu.replay.model.tile_notation import tile_name
from paifu.replay.review.results import Danger

_WORDS = {
    OptionKind.DISCARD: "{}",
    OptionKind.RIICHI: "riichi {}",
    OptionKind.PASS: "pass",
    OptionKind.CHI: "chi from {}",
    OptionKind.PON: "pon",
    OptionKind.DAIMINKAN: "open kan",
    OptionKind.ANKAN: "closed kan {}",
    OptionKind.KAKAN: "added kan {}",
}
_PARTS = (
    (kernels.V_NOW, N_("risk of this tile")),
    (kernels.V_WIN, N_("winning")),
    (kernels.V_LATER, N_("later deal-ins")),
    (kernels.V_OTHERWISE, N_("other ends")),
)


def kinds_of(one: Judgement) -> I64:
    """Return the kind of each decision, as its place in ``KINDS``."""
    table, chosen, best = one.table, one.chosen, one.best
    options = table.option[np.stack([chosen, best])]
    threat = (table.riichi[chosen] > 0) | (table.open_threats[chosen] > 0)
    risk = one.answers[:, kernels.V_DEAL_IN]
    found = np.where(risk[chosen] > risk[best], KINDS.index("pushing"), KINDS.index("folding"))
    found = np.where(threat, found, KINDS.index("efficiency"))
    riichi = (options == OptionKind.RIICHI).sum(axis=0) == 1
    found = np.where(riichi, KINDS.index("riichi"), found)
    calls = (options >= OptionKind.PASS) & (options <= OptionKind.DAIMINKAN)
    found = np.where(calls.any(axis=0), KINDS.index("calls"), found)
    return np.where((options >= OptionKind.ANKAN).any(axis=0), KINDS.index("kans"), found).astype(np.int64)


def add_mistakes(
    sums: dict[tuple[int, str], PlayerMistakes],
    one: Judgement,
    verdict: I64,
    names: npt.NDArray[np.object_],
    wanted: npt.NDArray[np.bool_],
) -> None:
    """Add what players did in some whole hands to their counts, by game and name.

    ``verdict`` (decisions,) is the place in ``HELD`` of the class of each, -1 for none. A code counts once a
    hand: who stays silent has the same decision at every turn.
    """
    rows = np.flatnonzero(wanted & ~one.is_last)
    table, chosen = one.table, one.chosen[rows]
    owners = list(zip(table.game[chosen].tolist(), names[rows].tolist(), strict=True))
    hands = list(zip(owners, table.hand[chosen].tolist(), table.seat[chosen].tolist(), strict=True))
    for owner, *_hand in dict.fromkeys(hands):
        sums.setdefault(owner, PlayerMistakes()).hands += 1
    for owner, count in Counter(owners).items():
        sums[owner].decisions += count
    classes = zip(hands, verdict[rows].tolist(), strict=True)
    for (owner, *_hand), code in dict.fromkeys((hand, HELD[at].code) for hand, at in classes if at >= 0):
        sums[owner].found[code_of(code)] += 1


def option_words(one: Judgement, row: int) -> str:
    """Name an option, as data do."""
    return _words(int(one.table.option[row]), int(one.table.tile[row]))


@cache
def _words(option: int, tile: int) -> str:
    return _WORDS[OptionKind(option)].format(tile_name(tile))


LEAST_GAIN = 600
"""Points by which the mean value of a win must differ to be told."""


@dataclass(frozen=True)
class SeenTiles:
    """What a player sees of the tiles that may be discarded."""

    danger: U8
    """(options, 3) class of each tile against each opponent, in the order of turns."""
    shown: U8
    """(3,) what each opponent shows."""
    dora_tile: U8
    """(options,) 1 for dora and red fives."""
    is_threatened: bool

    def reasons(self, best: int, chosen: int, names: Mapping[str, str]) -> Iterator[tuple[bool, str]]:
        """Say against whose riichi only one of two tiles is genbutsu, and which one is a dora.

        Each with whether it speaks for the first of them.
        """
        for place, seat in enumerate(PLACES):
            if self.shown[place] != OpponentShows.RIICHI:
                continue
            safe = self.danger[[best, chosen], place] == Danger.GENBUTSU
            if safe[0] != safe[1]:
                text = (
                    _("{best} is genbutsu against the riichi of the {seat}")
                    if safe[0]
                    else _("{chosen} is genbutsu against the riichi of the {seat}")
                )
                yield bool(safe[0]), text.format(seat=_(seat), **names)
        if self.dora_tile[chosen] and not self.dora_tile[best]:
            yield True, _("{chosen} gives up a dora").format(**names)


PLACES = (N_("next player"), N_("player across"), N_("player before"))
"""Opponents in the order of turns."""


@dataclass(frozen=True)
class WeighedOptions:
    """The options of a decision with what the model says of them, out of a :class:`Judgement`.

    It is put in words when that is asked for. ``chosen`` and ``best`` are rows of it.
    """

    option: U8
    tile: U8
    shanten: U8
    accepted: U8
    answers: F32
    error: F32
    chosen: int
    best: int
    loss: float
    shares: F32 | None = None
    """How likely strong players are to choose each option; None where that is not known."""
    played: PlayedOptions | None = None
    """What came of some of them, where they were played out."""
    seen: SeenTiles | None = None
    """What the player sees of the tiles, where that is told."""

    @classmethod
    def of(cls, one: Judgement, number: int, shares: F32 | None = None) -> WeighedOptions:
        """Copy a decision, so that it keeps nothing else in memory; ``shares`` (rows,) are NaN if unknown."""
        rows, table = one.options(number), one.table
        is_known = shares is not None and not np.isnan(shares[rows.start])
        return cls(
            table.option[rows].copy(),
            table.tile[rows].copy(),
            table.shanten[rows].copy(),
            table.accepted[rows].copy(),
            one.answers[rows].copy(),
            one.row_error[rows].copy(),
            int(one.chosen[number]) - rows.start,
            int(one.best[number]) - rows.start,
            float(one.loss[number]),
            shares[rows].copy() if shares is not None and is_known else None,
        )

    def beside_strong(self, one: Judgement, number: int) -> WeighedOptions:
        """Return the decision with what strong players choose most as the best option; shares are known."""
        assert self.shares is not None  # noqa: S101
        rows, table = one.options(number), one.table
        seen = SeenTiles(
            table.danger[rows].copy(), table.shown[rows][0].copy(), table.dora_tile[rows].copy(),
            int(table.riichi[rows][0]) + int(table.open_threats[rows][0]) > 0,
        )  # fmt: skip
        return replace(self, best=int(self.shares.argmax()), loss=0.0, seen=seen)

    def reasons(self) -> list[str]:
        """Say what speaks for what strong players choose, then what speaks for the choice."""
        told = sorted(self._reasons(), key=itemgetter(0), reverse=True)
        return [text for _speaks_for, text in told]

    def _reasons(self) -> Iterator[tuple[bool, str]]:
        best, chosen = self.best, self.chosen
        names = {"best": self._spoken(best), "chosen": self._spoken(chosen)}
        steps = int(self.shanten[chosen]) - int(self.shanten[best])
        accepted, others = int(self.accepted[best]), int(self.accepted[chosen])
        if steps > 0:
            text = ngettext(
                "{best} is one step nearer to a win", "{best} is {count} steps nearer to a win", steps
            )
            yield True, text.format(count=steps, **names)
        elif steps < 0:
            text = ngettext(
                "{best} is one step farther from a win", "{best} is {count} steps farther from a win", -steps
            )
            yield False, text.format(count=-steps, **names)
        elif accepted != others:
            text = (
                _("{best} has {accepted} tiles that help, {chosen} {others}")
                if int(self.shanten[best])
                else _("{best} waits for {accepted} live tiles, {chosen} for {others}")
            )
            yield accepted > others, text.format(accepted=accepted, others=others, **names)
        risk = 100 * self.answers[[best, chosen], kernels.V_DEAL_IN]
        if self.seen is not None and self.seen.is_threatened and abs(risk[0] - risk[1]) >= 0.1:
            text = _("{best} deals in {percent:.1f}%, {chosen} {other:.1f}%")
            yield bool(risk[0] < risk[1]), text.format(percent=risk[0], other=risk[1], **names)
        if self.seen is not None:
            yield from self.seen.reasons(best, chosen, names)
        gain = self.answers[[best, chosen], kernels.V_GAIN]
        if abs(gain[0] - gain[1]) >= LEAST_GAIN:
            text = _("a win is worth about {gain:,.0f} points with {best}, {other:,.0f} with {chosen}")
            own, other = (round(float(points), -2) for points in gain)
            yield bool(gain[0] > gain[1]), text.format(gain=own, other=other, **names)

    def why_unusual(self) -> str:
        """Say what strong players do instead, and why, as far as that is known."""
        assert self.shares is not None  # noqa: S101
        text = _("strong players choose {best} in {best_share:.0f}% of such positions, {chosen} in {share}")
        said = text.format(
            best=self._spoken(self.best), best_share=100 * float(self.shares[self.best]),
            chosen=self._spoken(self.chosen),
            share=share_said(float(self.shares[self.chosen])),
        )  # fmt: skip
        reasons = _("; ").join(self.reasons())
        return _("{said}: {reasons}").format(said=said, reasons=reasons) if reasons else said

    def _spoken(self, row: int) -> str:
        return spoken_option(self.words(row))

    def words(self, row: int) -> str:
        """Name an option, as data do."""
        return _words(int(self.option[row]), int(self.tile[row]))

    def order(self) -> list[int]:
        """Return the places of the options, best first, those not judged last."""
        found: list[int] = np.lexsort((-self.answers[:, kernels.V_TOTAL], ~np.isfinite(self.error))).tolist()
        return found

    def instead(self, chosen: int) -> WeighedOptions:
        """Return the decision as if another option had been chosen, one that is judged."""
        total = self.answers[:, kernels.V_TOTAL]
        return replace(self, chosen=chosen, loss=float(total[self.best] - total[chosen]))

    def rows(self) -> list[dict[str, Any]]:
        """Return the options as plain values, best first; those not judged have no total."""
        known = np.isfinite(self.error)
        columns = {name: self.answers[:, column].tolist() for name, column in _COLUMNS.items()}
        return [
            {
                "option": self.words(row),
                "chosen": row == self.chosen,
                "best": row == self.best,
                "shanten": int(self.shanten[row]),
                "accepted": int(self.accepted[row]),
                "strong_players_percent": self.percent(row),
                "deal_in_percent": round(100 * columns["deal_in"][row], 1),
                "win_percent": round(100 * columns["win"][row], 1),
                **{name: round(columns[name][row]) for name in _POINTS},
                "total": round(columns["total"][row]) if known[row] else None,
                **({} if self.played is None else {"played_out": self.played.row(row)}),
            }
            for row in self.order()
        ]

    @property
    def share(self) -> float:
        """How likely strong players are to choose what was chosen; 1 where that is not known."""
        return 1.0 if self.shares is None else float(self.shares[self.chosen])

    def percent(self, row: int) -> float | None:
        """Return the percentage of strong players who choose an option; None where that is not known."""
        return None if self.shares is None else round(100 * float(self.shares[row]), 1)

    def told(self) -> Iterator[str]:
        """Say how the best option came out against the one chosen, if they were played out."""
        if self.played is not None:
            best, chosen = (spoken_option(self.words(row)) for row in (self.best, self.chosen))
            yield from self.played.told(self.best, best, chosen)

    def played_evidence(self) -> dict[str, Any]:
        """Return how options were played out, as plain values; nothing if they were not."""
        if self.played is None:
            return {}
        return {"deep": {"walls": self.played.walls, "hidden_hands": "as expected", "players": "strong"}}

    def risk(self) -> str:
        """Say how often the option chosen deals in."""
        percent = 100 * float(self.answers[self.chosen, kernels.V_DEAL_IN])
        return _("it deals in {percent:.1f}%").format(percent=percent)

    def why(self) -> str:
        """Return a sentence that says what makes the best option worth more, from the parts."""
        best, chosen = self.answers[[self.best, self.chosen]]
        differences = [(float(best[part] - chosen[part]), name) for part, name in _PARTS]
        told = [
            f"{_(name)} {points:+,.0f}" for points, name in sorted(differences, key=lambda it: -abs(it[0]))
        ]
        chance = 100 * best[kernels.V_DEAL_IN], 100 * chosen[kernels.V_DEAL_IN]
        words = (
            _(
                "{best} was worth {points:,.0f} more by estimate: {parts}; "
                "deals in {percent:.1f}%, {chosen} {chosen_percent:.1f}%"
            )
            if max(chance) >= 0.5
            else _("{best} was worth {points:,.0f} more by estimate: {parts}")
        )
        first = self.best
        if self.shares is not None:
            first = int(self.shares.argmax())
            rare = (
                _(
                    "strong players choose {best} in {best_share:.1f}% of such positions, "
                    "{chosen} in {share:.1f}%"
                )
                if first in (self.best, self.chosen)
                else _(
                    "strong players choose {first} in {first_share:.1f}% of such positions, "
                    "{best} in {best_share:.1f}%, {chosen} in {share:.1f}%"
                )
            )
            words = _("; ").join((words, rare))
        return words.format(
            best=spoken_option(self.words(self.best)),
            points=self.loss,
            parts=_(", ").join(told),
            percent=chance[0],
            chosen=spoken_option(self.words(self.chosen)),
            chosen_percent=chance[1],
            share=self.percent(self.chosen),
            best_share=self.percent(self.best),
            first=spoken_option(self.words(first)),
            first_share=self.percent(first),
        )


def share_said(share: float) -> str:
    """Say how many strong players choose an option.

    >>> share_said(0.004), share_said(0.0002)
    ('0.4%', 'under 0.1%')
    """
    return f"{100 * share:.1f}%" if share >= 0.001 else _("under 0.1%")


_POINTS = ("gain", "risk", "winning", "later", "otherwise")
_COLUMNS = {
    "deal_in": kernels.V_DEAL_IN,
    "win": kernels.V_CHANCE,
    "gain": kernels.V_GAIN,
    "risk": kernels.V_NOW,
    "winning": kernels.V_WIN,
    "later": kernels.V_LATER,
    "otherwise": kernels.V_OTHERWISE,
    "total": kernels.V_TOTAL,
}
