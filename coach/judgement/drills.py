"""Decisions to be decided again: mistakes, unusual moves, and controls, in which the player chose best."""

from __future__ import annotations

import hashlib
from bisect import insort
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from paifu.coach.decisions import OptionKind
from paifu.coach.judgement.classes import codes_of, measures
from paifu.coach.judgement.judged import Judgement, rows_of_most
from paifu.coach.judgement.losses import kinds_of
from paifu.coach.judgement.match import UNUSUAL as UNUSUAL_SHARE
from paifu.coach.judgement.match import chosen_shares
from paifu.coach.judgement.policy_inputs import CALLS
from paifu.coach.judgement.verdicts import MISTAKES, verdicts_of
from paifu.coach.kernels import decision_model as kernels
from paifu.replay.arrays import F32, I64, Mask
from paifu.replay.comparison.hand_digests import hand_names
from paifu.replay.model.batch import Batch, Text

UNUSUAL = len(MISTAKES)
"""Grade of an option that strong players hardly ever choose; less, from 0, are places in ``MISTAKES``."""
RIGHT, UNCLEAR = -1, -2
"""Grades of other options: what strong players often choose; or not."""
OFTEN = 0.1
"""Strong players often choose what they choose in at least this share of such positions."""
NEARLY = 0.01
"""An option is never right that deals in more often, by this, than the best one or what strong players choose
most, and does not bring the hand nearer to a win. Decisions whose best option is not right are left out."""
MOST_CONTROLS = 6
"""Maximum number of controls of a kind: there may be as many mistakes of that kind."""
_BESIDE_STRONG = "u"
_STAKES = (500, 800, 1200, 1800)
"""Points at stake between which controls are of different kinds, so that there are some like each mistake."""


@dataclass(frozen=True, slots=True)
class Drill:
    """What makes a decision fit to be decided again."""

    place: int
    """Grade of ``wrong``; negative if after all strong players choose it, too, or not what is best."""
    wrong: int
    """The option that is wrong: the one chosen, or of several the one that the model rates highest."""
    grades: tuple[int, ...]
    """By option: the place in ``MISTAKES`` of the class that makes it a mistake, ``UNUSUAL``, ``RIGHT`` or
    ``UNCLEAR``."""
    likeness: tuple[float, ...]
    """The measures of the wrong option, scaled so that positions with a small distance are alike."""
    kind: str
    """Of a control, what is wrong, what was at stake and whether riichi is an option; else empty."""
    chance: int
    """Of a control, what decides by chance, but always in the same way, which ones of a kind are taken."""
    beside_strong: bool
    """The best option is what strong players choose most, not what the model rates highest."""


class Drills:
    """Finds such decisions of some players of a batch, part by part.

    Of a player's controls, it takes those of each kind that have the smallest chance, for what strong players
    choose is expensive to know. They are the same ones however games are read, so those that prove unfit
    stay. ``players`` (games, 4) names the players by seat, empty for others.
    """

    def __init__(self, batch: Batch, players: Text, min_loss: float) -> None:
        self._batch, self._players, self._min_loss = batch, players, min_loss
        self._names = hand_names(batch)
        self._chances: dict[tuple[str, str], list[int]] = defaultdict(list)

    def find(
        self,
        one: Judgement,
        verdict: I64,
        known: F32,
        ask: Callable[[I64], F32],
    ) -> Iterator[tuple[int, Drill, F32]]:
        """Yield such decisions: the number, what makes it fit, and ``known`` with what was asked beside.

        ``verdict`` (decisions,) are places of classes in ``HELD``; ``known`` (rows,) is what strong players
        choose in these and others, and ``ask`` says it of the rest.
        """
        table, made = one.table, one.chosen
        players = self._players[table.game[made], table.seat[made]]
        own = (players != "") & ~one.is_last
        own &= ~np.isin(table.option[made], CALLS)
        is_mistake = own & (verdict >= 0) & (verdict < UNUSUAL)
        is_unusual = own & ~is_mistake & (chosen_shares(one, known) < UNUSUAL_SHARE)
        own &= np.isfinite(one.error)
        kinds = self._kinds(one, own & ~is_mistake & ~is_unusual, known)
        seen = []
        for (row, kind), chance in zip(kinds.items(), self._chances_of(one, list(kinds)), strict=True):
            chances = self._chances[players[row], kind]
            insort(chances, chance)
            del chances[MOST_CONTROLS:]
            seen.append((row, kind, chance, chances))
        taken = dict.fromkeys(np.flatnonzero(is_mistake | is_unusual).tolist(), ("", 0))
        taken |= {row: (kind, chance) for row, kind, chance, chances in seen if chance in chances}
        rows = np.array(sorted(taken), np.int64)
        asked = ask(rows[np.isnan(known[made[rows]])])
        shares = np.where(np.isnan(known), asked, known)
        rows = rows[~np.isnan(shares[made[rows]])]
        for row, tried in zip(rows.tolist(), self._tried(one, rows, shares), strict=True):
            kind, chance = taken[row]
            beside_strong = bool(is_unusual[row]) or kind.startswith(_BESIDE_STRONG)
            own_shares = shares[one.options(row)]
            drill = _drill(one, row, own_shares, tried, kind, chance, beside_strong=beside_strong)
            if drill is not None:
                yield row, drill, shares

    def _kinds(self, one: Judgement, own: Mask, known: F32) -> dict[int, str]:
        """Return the kinds of controls: where another option might have been a mistake, or unusual."""
        table, made = one.table, one.chosen
        asks = np.logical_or.reduceat(table.option == OptionKind.RIICHI, one.first)  # whether riichi is one
        rows = np.flatnonzero(own & (one.best == made))
        is_first = rows_of_most(known, one.first, one.end) == made
        is_rare = np.logical_or.reduceat(np.isfinite(one.row_error) & (known < UNUSUAL_SHARE), one.first)
        found = {
            row: f"{_BESIDE_STRONG}{'t' * bool(table.riichi[made[row]])}{'r' * bool(asks[row])}"
            for row in np.flatnonzero(own & is_first & is_rare).tolist()
        }
        if not len(rows):
            return found
        tried, end = _had_chosen(one, rows), np.cumsum(one.end[rows] - one.first[rows])
        may_be = self._verdicts(tried, measures(tried))
        begin = np.append(0, end)[:-1]
        for at in np.flatnonzero(np.maximum.reduceat(may_be, begin) >= 0).tolist():
            row, options = int(rows[at]), slice(int(begin[at]), int(end[at]))
            nearest = options.start + _nearest(may_be[options] >= 0, tried.loss[options])
            stake = np.digitize(tried.loss[nearest], _STAKES)
            found[row] = f"{may_be[nearest]}.{stake}{'r' * bool(asks[row])}"
        return found

    def _verdicts(self, tried: Judgement, measured: Mapping[str, Any]) -> I64:
        """Return the places in ``MISTAKES``; a habit is none."""
        number, is_costly = codes_of(tried, kinds_of(tried)), tried.is_costly(self._min_loss)
        found = verdicts_of(number, measured, is_costly)
        return np.where(found < UNUSUAL, found, -1)

    def _tried(self, one: Judgement, rows: I64, shares: F32) -> Iterator[dict[str, Any]]:
        """Yield what each decision's options are decided by, as if each had been chosen, and the verdicts."""
        tried, end = _had_chosen(one, rows), np.cumsum((one.end - one.first)[rows]).tolist()
        found = measures(tried, shares)
        found |= {"verdict": self._verdicts(tried, found), "is_judged": np.isfinite(tried.error)}
        for part in map(slice, [0, *end], end):
            yield {name: values[part] for name, values in found.items()}

    def _chances_of(self, one: Judgement, rows: list[int]) -> Iterator[int]:
        games, hands, chosen = self._batch.games, self._batch.hands, one.chosen[rows]
        hand = one.table.hand[chosen]
        event = one.table.event[chosen] - hands.event_begin[hand]
        index = hand - games.hand_begin[one.table.game[chosen]]
        columns = (column.tolist() for column in (hand, index, event, one.table.seat[chosen]))
        for row, *place in zip(*columns, strict=True):
            key = " ".join(map(str, (self._names[row], *place)))
            yield int.from_bytes(hashlib.sha256(key.encode("utf-8", "replace")).digest()[:6])


def _drill(
    one: Judgement, row: int, shares: F32, tried: Mapping[str, Any], kind: str, chance: int, *,
    beside_strong: bool,
) -> Drill | None:  # fmt: skip
    """Grade the options of a decision; None if the best one is not right.

    A control that is unfit for that, or in which nothing is wrong, keeps its place among its kind.
    """
    right = _right(one, row, shares)
    best = int(shares.argmax()) if beside_strong else int(one.best[row] - one.first[row])
    if not (right[best] or kind):
        return None
    otherwise = np.where(shares < UNUSUAL_SHARE, UNUSUAL, np.where(right, RIGHT, UNCLEAR))
    grades = np.where(tried["verdict"] >= 0, tried["verdict"], otherwise)
    wrong = int(one.chosen[row] - one.first[row])
    place = int(grades[wrong])
    if kind:
        most = UNUSUAL if beside_strong else UNUSUAL - 1
        is_wrong = (grades >= 0) & (grades <= most) & tried["is_judged"]
        wrong = _nearest(is_wrong, tried["loss"])
        place = int(grades[wrong]) if is_wrong[wrong] and right[best] else UNCLEAR
    likeness = (
        2 * float(tried["riichi"][wrong]),
        2 * float(tried["threats"][wrong]),
        float(tried["shanten"][wrong]),
        2 * float(np.log2(max(1, tried["loss"][wrong]))),
        20 * float(tried["risk"][wrong]),
        float(tried["live"][wrong]) / 8,
    )
    return Drill(place, wrong, tuple(grades.tolist()), likeness, kind, chance, beside_strong)


def _right(one: Judgement, row: int, shares: F32) -> Mask:
    """Return which options of a decision strong players often choose, those that are clearly worse aside."""
    first, end = int(one.first[row]), int(one.end[row])
    risk, shanten = one.answers[first:end, kernels.V_DEAL_IN], one.table.shanten[first:end]
    is_worse = np.zeros(end - first, bool)
    for better in (int(one.best[row]) - first, int(shares.argmax())):
        is_worse |= (shanten >= shanten[better]) & (risk >= risk[better] + NEARLY)
    found: Mask = (shares >= OFTEN) & ~is_worse
    return found


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
