"""What the model says of the decisions in a batch: those asked for, the costly ones, and players' sums."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from operator import itemgetter
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from paifu.coach.decisions import OptionKind
from paifu.coach.judgement.classes import codes_of, measures
from paifu.coach.judgement.drills import Drill, Drills
from paifu.coach.judgement.judged import Judgement, judgements
from paifu.coach.judgement.losses import WeighedOptions, add_mistakes, kinds_of, option_words
from paifu.coach.judgement.match import UNUSUAL as UNUSUAL_SHARE
from paifu.coach.judgement.match import Match, add_matches, chosen_shares
from paifu.coach.judgement.mistakes import KINDS, PlayerMistakes
from paifu.coach.judgement.policy import shares as policy_shares
from paifu.coach.judgement.verdicts import HELD, PlayedOut, verdicts_of
from paifu.coach.kernels import decision_model as kernels
from paifu.replay.arrays import F32, I64, Mask
from paifu.replay.findings.review_kinds import UNUSUAL
from paifu.replay.findings.review_sentences import LossCase
from paifu.replay.model.batch import Batch, Text
from paifu.replay.model.events import EventKind
from paifu.replay.rulesets.presets import Given, rulesets_of
from paifu.replay.table.replayed import Replay

RISKED = 0.01
"""A discard under threat is a push if it deals in more often than the safest tile, by more than this."""
EventSeat = tuple[int, int]
"""Event (row of the batch) and seat of a decision."""


@dataclass(frozen=True, slots=True)
class Push:
    """Where the push began that a deal-in ended."""

    event: int
    """Row of the batch."""
    turn: int
    """Discards of the player so far, this one included."""
    made: str
    loss: int
    """By the model."""
    is_costly: bool
    verdict: PlayedOut | None = None
    """The class that makes this a mistake."""


@dataclass(frozen=True)
class JudgedChoice:
    """A decision that the model judged; its words are made when they are asked for."""

    game: int
    hand: int
    event: int
    seat: int
    tile: int
    kind: str
    """One of ``KINDS``."""
    code: int
    """The finding's, if it is one."""
    weighed: WeighedOptions
    loss: int
    """Points that the model rates the best option higher: an estimate."""
    error: int
    is_costly: bool
    """The loss exceeds the threshold, and twice its error."""
    dealt_in: bool
    verdict: PlayedOut | None = None
    """The class that makes this a mistake; None if the loss is no more than an estimate."""
    is_last: bool = False
    """In a last hand, where places count and the model has no say."""
    push: Push | None = None
    """Where the push began, if that was not here; for deal-ins only."""
    drill: Drill | None = None
    """What makes this fit to be decided again; of decisions asked for as such only."""

    @property
    def made(self) -> str:
        """What was chosen."""
        return self.weighed.words(self.weighed.chosen)

    @property
    def best(self) -> str:
        """What was worth most."""
        return self.weighed.words(self.weighed.best)

    @cached_property
    def why(self) -> str:
        """What makes the best option worth more; of an unusual move, what strong players do instead."""
        return self.weighed.why_unusual() if self.code == UNUSUAL else self.weighed.why()

    @cached_property
    def options(self) -> list[dict[str, Any]]:
        """All options, best first."""
        return self.weighed.rows()

    @property
    def cost(self) -> int:
        """Price of such a choice, by play-outs; 0 where there is none."""
        return self.verdict.found if self.verdict else 0

    @property
    def price(self) -> str:
        """The price in words, and how it is known; empty where there is none."""
        return self.verdict.price if self.verdict else ""

    @property
    def is_mistake(self) -> bool:
        """Whether this is a mistake: of a class that holds when played out."""
        return self.verdict is not None and not self.verdict.is_habit

    @property
    def place(self) -> EventSeat:
        """Key of the decision."""
        return self.event, self.seat

    def moved(self, games: int, hands: int, events: int) -> JudgedChoice:
        """Return the decision in a batch whose rows are this many on."""
        return replace(
            self,
            game=self.game + games,
            hand=self.hand + hands,
            event=self.event + events,
            push=replace(self.push, event=self.push.event + events) if self.push else None,
        )

    def case(self, replayed: Replay) -> LossCase:
        """Return the finding that the loss is."""
        return LossCase(
            replayed, self.code, self.game, self.hand, self.event, self.seat, self.tile, 0, 0, 0,
            self.loss, self,
        )  # fmt: skip

    def evidence(self) -> dict[str, Any]:
        """Return what the finding rests on, as plain values."""
        return {
            "cost": self.cost,
            "points": 0,
            "kind": self.kind,
            "chosen": self.made,
            "best": self.best,
            "loss": self.loss,
            "error": self.error,
            "strong_players_percent": self.weighed.percent(self.weighed.chosen),
            "played_out": self.verdict.summary() if self.verdict else None,
            "dealt_in": self.dealt_in,
            "why": self.why,
            "options": self.options,
            **self.weighed.played_evidence(),
        }


@dataclass(slots=True)
class JudgedChoices:
    """What was asked of a batch."""

    at: dict[EventSeat, JudgedChoice] = field(default_factory=dict)
    """Decisions at the events asked for, as far as the model judges them."""
    listed: list[JudgedChoice] = field(default_factory=list)
    """Costly decisions, or all of them, in the order of play."""
    drilled: list[JudgedChoice] = field(default_factory=list)
    """Decisions that are fit to be decided again, in the order of play."""
    mistakes: dict[tuple[int, str], PlayerMistakes] = field(default_factory=dict)
    """How often mistakes were made, whatever ``min_loss`` is, by game and name."""
    unusual: list[JudgedChoice] = field(default_factory=list)
    """The rarest unusual moves of each game and player, where asked for."""
    matches: dict[tuple[int, str], Match] = field(default_factory=dict)
    """What was chosen beside what strong players choose, by game and name, where asked for."""
    games: set[int] = field(default_factory=set)
    """Games for which there is a model."""

    @property
    def players(self) -> dict[str, PlayerMistakes]:
        """How often mistakes were made, by name."""
        return _by_name(self.mistakes)

    @property
    def matched(self) -> dict[str, Match]:
        """What was chosen beside what strong players choose, by name."""
        return _by_name(self.matches)

    def of_games(self, batch: Batch) -> list[JudgedChoices]:
        """Return what was asked of each game of the batch, as if the game were alone in it."""
        hands, events = batch.games.hand_begin.tolist(), batch.games.event_begin.tolist()
        found = [JudgedChoices() for _ in range(len(batch))]

        def alone(one: JudgedChoice) -> JudgedChoice:
            return one.moved(-one.game, -hands[one.game], -events[one.game])

        for one in self.at.values():
            moved = alone(one)
            found[one.game].at[moved.place] = moved
        for kept in _LISTS:
            for one in getattr(self, kept):
                getattr(found[one.game], kept).append(alone(one))
        for sums in _SUMS:
            for (game, name), own in getattr(self, sums).items():
                getattr(found[game], sums)[0, name] = own
        for game in self.games:
            found[game].games.add(0)
        return found

    @classmethod
    def joined(cls, parts: Sequence[JudgedChoices], batch: Batch) -> JudgedChoices:
        """Put the games of a batch together; ``parts`` are what :meth:`of_games` returns of each."""
        found = cls()
        begins = zip(batch.games.hand_begin.tolist(), batch.games.event_begin.tolist(), strict=True)
        for game, (part, (hands, events)) in enumerate(zip(parts, begins, strict=True)):
            moved = (one.moved(game, hands, events) for one in part.at.values())
            found.at |= {one.place: one for one in moved}
            for kept in _LISTS:
                getattr(found, kept).extend(one.moved(game, hands, events) for one in getattr(part, kept))
            for sums in _SUMS:
                own = getattr(part, sums).items()
                getattr(found, sums).update(((game, name), value) for (_game, name), value in own)
            found.games |= {game for _game in part.games}
        return found


_LISTS, _SUMS = ("listed", "drilled", "unusual"), ("mistakes", "matches")
"""Fields of :class:`JudgedChoices`: decisions; and sums by game and name."""
_Sum = TypeVar("_Sum", PlayerMistakes, Match)


def _by_name(sums: Mapping[tuple[int, str], _Sum]) -> dict[str, _Sum]:
    found: dict[str, _Sum] = {}
    for (_game, name), own in sums.items():
        found[name] = found[name] + own if name in found else own
    return found


def choices(
    batch: Batch,
    *rules: Given,
    min_loss: float,
    at: Collection[EventSeat] = (),
    deal_ins: Collection[EventSeat] = (),
    wanted: Collection[int] = (),
    players: frozenset[str] = frozenset(),
    every: bool = False,
    estimates: bool = False,
    seats: Mask | None = None,
    drilled: Text | None = None,
    unusual: int = 0,
) -> JudgedChoices:
    """Judge the decisions of a batch.

    ``at`` are decisions asked for, of which ``deal_ins`` are to be followed back to where the push began.
    ``wanted`` are the codes of costly decisions to list; ``every`` lists all decisions in place of the
    costly ones. What strong players choose is told of mistakes and of decisions asked for, with ``estimates``
    of all costly ones, and with ``every`` of all. ``players`` are case-folded names, none for everybody. Sums
    are kept in any case, of all seats, or of those that ``seats`` (hands, 4) says.
    ``drilled`` (games, 4) names the players of whom decisions to be decided again are wanted, by seat.
    ``unusual`` is how many unusual moves of a game and player are wanted at most; with any, what strong
    players choose is asked of every decision, or of all of those named by ``drilled``.
    """
    found = JudgedChoices()
    rarest = Rarest(unusual)
    is_wanted = batch.seats_of(players) if players else np.ones((len(batch), 4), bool)
    rulesets = rulesets_of(batch, *rules)
    again = None if drilled is None else Drills(batch, drilled, min_loss)
    asked = np.array(sorted({_key(*place) for place in at}), np.int64)
    for one in judgements(batch, *rules, only=seats):
        chosen = one.chosen
        game, seat = one.table.game[chosen], one.table.seat[chosen]
        kind = kinds_of(one)
        names = batch.games.names[game, seat]
        own = is_wanted[game, seat]
        found.games.update(np.unique(game).tolist())
        is_costly, number = one.is_costly(min_loss), codes_of(one, kind)
        measured = measures(one)
        may_be = verdicts_of(number, measured, one.is_costly(0)) >= 0
        keys = _key(one.table.event[chosen].astype(np.int64), seat)
        beside = own & (unusual > 0)
        if drilled is not None:
            beside &= drilled[game, seat] != ""
        known = np.isfinite(one.error)
        is_asked = known & np.isin(keys, asked)
        described = own & (known if every else is_costly & estimates)
        asks = np.flatnonzero((own & may_be) | beside | is_asked | described)
        shares = policy_shares(batch, rulesets, one, asks)
        is_of_four = bool((batch.games.players[game] == 4).all())  # others were neither played out nor graded
        measured["share"] = chosen_shares(one, shares) if is_of_four else np.full(len(one), np.nan)
        verdict = verdicts_of(number, measured, may_be)
        add_mistakes(found.mistakes, one, verdict, names, own)
        verdict[~is_costly] = -1
        if unusual:
            rows = np.flatnonzero(beside & ~np.isnan(shares[chosen]))
            if is_of_four:
                add_matches(found.matches, one, rows, shares, names)
            rarest.add(one, rows[verdict[rows] < 0], shares)
        listed = own & known if every else own & is_costly & np.isin(number, list(wanted))
        if again is not None and is_of_four:
            ask = partial(policy_shares, batch, rulesets, one)
            for row, drill, known_now in again.find(one, verdict, shares, ask):
                made = replace(_choice(one, row, kind, number, verdict, is_costly, known_now), drill=drill)
                found.drilled.append(_beside_strong(made, one, row) if drill.beside_strong else made)
        for row in np.flatnonzero(listed | is_asked).tolist():
            choice = _choice(one, row, kind, number, verdict, is_costly, shares)
            if listed[row]:
                found.listed.append(choice)
            if is_asked[row]:
                begun = _push(batch, one, row, is_costly, verdict) if choice.place in deal_ins else None
                found.at[choice.place] = replace(choice, push=begun)
    found.unusual = rarest.choices()
    return found


class Rarest:
    """Keeps the rarest unusual moves of each game and seat."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: dict[tuple[int, int], list[tuple[float, JudgedChoice]]] = {}

    def add(self, one: Judgement, rows: I64, shares: F32) -> None:
        """Look at some decisions of a judgement."""
        nothing, none = np.zeros(len(one), bool), np.full(len(one), -1)
        kind, number = kinds_of(one), np.full(len(one), UNUSUAL, np.int64)
        found = chosen_shares(one, shares)
        for row in rows[found[rows] < UNUSUAL_SHARE].tolist():
            share, made = float(found[row]), int(one.chosen[row])
            kept = self._kept.setdefault((int(one.table.game[made]), int(one.table.seat[made])), [])
            if len(kept) < self._most or share < kept[-1][0]:
                choice = _choice(one, row, kind, number, none, nothing, shares)
                kept.append((share, _beside_strong(choice, one, row)))
                kept.sort(key=itemgetter(0))
                del kept[self._most :]

    def choices(self) -> list[JudgedChoice]:
        """Return what was kept, in the order of play."""
        found = [choice for kept in self._kept.values() for _share, choice in kept]
        return sorted(found, key=lambda one: (one.hand, one.event, one.seat))


def _beside_strong(choice: JudgedChoice, one: Judgement, row: int) -> JudgedChoice:
    """Return a choice beside what strong players choose most."""
    weighed = choice.weighed.beside_strong(one, row)
    return replace(choice, code=UNUSUAL, loss=0, error=0, weighed=weighed)


def _key(event: npt.NDArray[np.int64] | int, seat: npt.NDArray[Any] | int) -> Any:
    return event * 4 + seat


def _class(place: int) -> PlayedOut | None:
    return HELD[place] if place >= 0 else None


def _choice(
    one: Judgement, row: int, kind: I64, number: I64, verdict: I64, is_costly: Mask, shares: F32
) -> JudgedChoice:
    table, chosen = one.table, int(one.chosen[row])
    return JudgedChoice(
        game=int(table.game[chosen]),
        hand=int(table.hand[chosen]),
        event=int(table.event[chosen]),
        seat=int(table.seat[chosen]),
        tile=int(table.tile[chosen]),
        kind=KINDS[kind[row]],
        code=int(number[row]),
        weighed=WeighedOptions.of(one, row, shares),
        loss=round(float(one.loss[row])),
        error=round(float(one.error[row])) if np.isfinite(one.error[row]) else 0,
        is_costly=bool(is_costly[row]),
        dealt_in=bool(table.dealt_in[chosen] == 1),
        verdict=_class(verdict[row]),
        is_last=bool(one.is_last[row]),
    )


def _push(
    batch: Batch,
    one: Judgement,
    row: int,
    is_costly: npt.NDArray[np.bool_],
    verdict: I64,
) -> Push | None:
    """Return where the push began that the discard of a decision ended; None if it began there, or never.

    A push is a run of a player's discards under threat that all risked more than the safest tile in hand.
    """
    table, chosen = one.table, one.chosen
    hand, seat = table.hand[chosen[row]], table.seat[chosen[row]]
    start = row
    for at in range(row, -1, -1):
        here = int(chosen[at])
        if table.hand[here] != hand:
            break
        if table.seat[here] != seat or table.option[here] > OptionKind.RIICHI:
            continue
        if not (table.riichi[here] or table.open_threats[here]):
            break
        risk = one.answers[one.first[at] : one.end[at], kernels.V_DEAL_IN]
        if one.answers[here, kernels.V_DEAL_IN] - risk.min() <= RISKED:
            break
        start = at
    if start == row or not np.isfinite(one.error[start]):
        return None
    begun = int(chosen[start])
    event = int(table.event[begun])
    before = slice(int(batch.hands.event_begin[hand]), event + 1)
    own = (batch.events.kind[before] == EventKind.DISCARD) & (batch.events.seat[before] == seat)
    words, loss = option_words(one, begun), round(float(one.loss[start]))
    return Push(event, int(own.sum()), words, loss, bool(is_costly[start]), _class(verdict[start]))
