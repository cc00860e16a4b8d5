"""Decisions that are fit to be decided again: mistakes, and controls, in which the player chose best."""

from __future__ import annotations

import hashlib
from bisect import insort
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from paifu.coach.decisions import OptionKind
from paifu.coach.judgement.classes import codes_of, measures
from paifu.coach.judgement.judged import Judgement
from paifu.coach.judgement.losses import kinds_of
from paifu.coach.judgement.verdicts import HELD, RARE, classes_of
from paifu.coach.kernels import decision_model as kernels
from paifu.replay.arrays import F32, I64, Mask
from paifu.replay.comparison.pairing import hand_names
from paifu.replay.model.batch import Batch, Text

RIGHT, UNCLEAR = -1, -2
"""Grades of options other than mistakes: what strong players often choose; or not."""
OFTEN = 0.1
"""Strong players often choose what they choose in at least this share of such positions."""
NEARLY = 0.01
"""An option is never right that is no nearer to a win than the best one, or than what strong players choose
most, and deals in more often by this. Decisions whose best option is not right are left out."""
MOST_CONTROLS = 6
"""Maximum number of controls of a kind: there may be as many mistakes of that kind."""
_STAKES = (500, 800, 1200, 1800)
"""Points at stake between which controls are of different kinds, so that there are some like each mistake."""


@dataclass(frozen=True, slots=True)
class Drill:
    """What makes a decision fit to be decided again."""

    place: int
    """The class, in ``HELD``, of the mistake that was made here, or might have been; negative if after all
    strong players make it, too."""
    wrong: int
    """The option that is this mistake: the one chosen, or of several the one rated highest."""
    grades: tuple[int, ...]
    """By option, the class in ``HELD`` that makes it a mistake; ``RIGHT`` or ``UNCLEAR``."""
    likeness: tuple[float, ...]
    """The measures of that option, scaled so that positions with a small distance are alike."""
    kind: str
    """Of a control, its class, what was at stake and whether riichi is an option; empty for a mistake."""
    chance: int
    """Of a control, what decides by chance, but always in the same way, which ones of a kind are taken."""


class Drills:
    """Finds such decisions of some players of a batch, part by part.

    Of a player's controls, it takes those of each kind that have the smallest chance, for what strong players
    choose is expensive to know. They are the same ones however games are read, so those that prove unfit
    stay. ``players`` (games, 4) names the players by seat, empty for others.
    """

    def __init__(self, batch: Batch, players: Text, min_loss: float) -> None:
        self._batch, self._players, self._min_loss = batch, players, min_loss
        self._seats: Mask = players != ""
        self._names = hand_names(batch)
        self._chances: dict[tuple[str, str], list[int]] = defaultdict(list)

    def find(
        self,
        one: Judgement,
        held: I64,
        known: Mapping[int, F32],
        ask: Callable[[I64], dict[int, F32]],
    ) -> Iterator[tuple[int, Drill, F32]]:
        """Yield such decisions: the row, what makes it fit, and what strong players choose.

        ``held`` (decisions,) are the classes of mistakes, ``known`` what strong players choose in them, by
        row; ``ask`` says it of others.
        """
        table, made = one.table, one.chosen
        is_own = self._seats[table.game[made], table.seat[made]] & np.isfinite(one.error) & ~one.is_last
        held = _single(held)
        rows = np.flatnonzero(is_own & ((held >= 0) | (one.best == made)))
        if not len(rows):
            return
        tried, end = _had_chosen(one, rows), np.cumsum(one.end[rows] - one.first[rows])
        number, found = codes_of(tried, kinds_of(tried)), measures(tried)
        is_costly = tried.is_costly(self._min_loss)
        place = _single(np.where(is_costly, classes_of(number, found), -1))
        begin = np.append(0, end)[:-1]
        tried_by = self._players[table.game[made[rows]], table.seat[made[rows]]].tolist()
        seen: list[tuple[int, int, str, int, list[int]]] = []
        for at in np.flatnonzero(np.logical_or.reduceat(place >= 0, begin)).tolist():
            row, options = int(rows[at]), slice(int(begin[at]), int(end[at]))
            if held[row] >= 0:
                seen.append((row, at, "", 0, [0]))
                continue
            nearest = options.start + _nearest(place[options] >= 0, tried.loss[options])
            asks = OptionKind.RIICHI in table.option[one.first[row] : one.end[row]]
            kind = f"{place[nearest]}.{np.digitize(tried.loss[nearest], _STAKES)}{'r' * asks}"
            chance, chances = self._chance(one, row), self._chances[tried_by[at], kind]
            insort(chances, chance)
            del chances[MOST_CONTROLS:]
            seen.append((row, at, kind, chance, chances))
        taken = {row: (at, kind, chance) for row, at, kind, chance, chances in seen if chance in chances}
        shares = {**known, **ask(np.array([row for row in taken if row not in known], np.int64))}
        for row, (at, kind, chance) in taken.items():
            if row not in shares:
                continue
            options = slice(int(begin[at]), int(end[at]))
            own = _right(one, row, shares[row])
            if own[one.best[row] - one.first[row]] != RIGHT:
                continue
            own = np.where((place[options] >= 0) & (shares[row] < RARE), place[options], own)
            wrong = _nearest(own >= 0, tried.loss[options]) if kind else int(made[row] - one.first[row])
            here = options.start + wrong
            alike = (
                2 * float(found["riichi"][here]),
                2 * float(found["threats"][here]),
                float(found["shanten"][here]),
                2 * float(np.log2(max(1, tried.loss[here]))),
                20 * float(found["risk"][here]),
                float(found["live"][here]) / 8,
            )
            yield row, Drill(int(own[wrong]), wrong, tuple(own.tolist()), alike, kind, chance), shares[row]

    def _chance(self, one: Judgement, row: int) -> int:
        games, hands, chosen = self._batch.games, self._batch.hands, one.chosen[row]
        game, hand = int(one.table.game[chosen]), int(one.table.hand[chosen])
        event = int(one.table.event[chosen]) - int(hands.event_begin[hand])
        index = hand - int(games.hand_begin[game])
        key = f"{self._names[hand]} {index} {event} {one.table.seat[chosen]}"
        return int.from_bytes(hashlib.sha256(key.encode("utf-8", "replace")).digest()[:6])


def _right(one: Judgement, row: int, shares: F32) -> I64:
    """Return RIGHT or UNCLEAR for each option of a decision, mistakes aside."""
    first, end = int(one.first[row]), int(one.end[row])
    risk, shanten = one.answers[first:end, kernels.V_DEAL_IN], one.table.shanten[first:end]
    is_worse = np.zeros(end - first, bool)
    for better in (int(one.best[row]) - first, int(shares.argmax())):
        is_worse |= (shanten >= shanten[better]) & (risk >= risk[better] + NEARLY)
    return np.where((shares >= OFTEN) & ~is_worse, RIGHT, UNCLEAR).astype(np.int64)


def _single(held: I64) -> I64:
    """Leave out what is a habit rather than a mistake."""
    is_habit = np.array([*(one.is_habit for one in HELD), False])
    return np.where(is_habit[held], -1, held)  # -1, for none, is the last


def _nearest(is_wrong: Mask, loss: F32) -> int:
    """Return the option that is wrong and loses least."""
    return int(np.argmin(np.where(is_wrong, loss, np.inf)))


def _had_chosen(one: Judgement, rows: I64) -> Judgement:
    """Judge each option of some decisions as if it had been chosen: a decision for each, in their order."""
    length = (one.end - one.first)[rows]
    of = np.repeat(rows, length)
    option = np.arange(len(of)) - np.repeat(np.cumsum(length) - length, length) + one.first[of]
    best, total = one.best[of], one.answers[:, kernels.V_TOTAL]
    error = np.sqrt(one.row_error[best] ** 2 + one.row_error[option] ** 2)
    loss = np.where(np.isfinite(error), np.maximum(0, total[best] - total[option]), 0).astype(np.float32)
    return replace(
        one, first=one.first[of], end=one.end[of], chosen=option, best=best, loss=loss, error=error,
        is_last=one.is_last[of],
    )  # fmt: skip
