"""Output of the review: findings in words, as rows for programs, and a summary.

:mod:`paifu.reports.terminal.review_lines` lays them out for people.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from paifu.coach.judgement.match import Match
from paifu.coach.judgement.mistakes import MIN_LOSS, PlayerMistakes
from paifu.coach.judgement.verdicts import DEALING_IN, UNASKED, PlayedOut
from paifu.replay.arrays import Mask
from paifu.replay.facts.tables import code_of
from paifu.replay.findings.context import FindingContext
from paifu.replay.findings.finding import Finding, Selection, Severity
from paifu.replay.findings.review_evidence import EvidenceFields
from paifu.replay.findings.review_evidence import evidence as evidence_of
from paifu.replay.findings.review_kinds import DEAL_INS, LOSS_KINDS, TITLES, UNUSUAL
from paifu.replay.findings.review_sentences import LossCase, ReviewCase, review_cases, spoken_option
from paifu.replay.findings.spoken import KINDS, in_words, parse_selection
from paifu.replay.foreign_text import name_key, printable
from paifu.replay.language import N_, _
from paifu.replay.language.lines import ljust, rjust
from paifu.replay.model.batch import Batch, Text
from paifu.replay.rules.choices import Scheme
from paifu.replay.rulesets.presets import rulesets_of
from paifu.replay.table.hidden import uncovered
from paifu.replay.table.replayed import Replay
from paifu.reports.findings import output as report
from paifu.reports.judged import match_summary, mistakes_summary
from paifu.reports.wording import plural

if TYPE_CHECKING:
    from paifu.coach.judgement.choices import JudgedChoice, JudgedChoices, Push

BAD_LUCK = N_("bad luck: no option was clearly worth more")
LAST_HAND = N_("not judged: in the last hand, places count")
_THREE = 3
COLUMNS = {**report.COLUMNS, "evidence": str}
"""Keys of a row, in order, and their types in a typed table, where the evidence is JSON text."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A finding of the review in words, with its evidence."""

    finding: Finding
    evidence: EvidenceFields
    rank: tuple[int, int]
    """See :attr:`JudgedFinding.rank`."""
    hand: tuple[str, ...] = ()
    """The player's hand at that moment, as lines of text."""
    is_estimate: bool = False
    """Whether it rests on nothing but what the model estimates."""

    @property
    def cost(self) -> int:
        """Points that the choice cost; 0 if no cost can be given."""
        return int(self.evidence["cost"])

    @property
    def is_mistake(self) -> bool:
        """Whether this is a mistake rather than a note."""
        return self.finding.severity == Severity.MISTAKE


@dataclass(frozen=True, eq=False)
class JudgedFinding:
    """What the review found, and what the model says of the move if it judged it; in words on demand.

    Whether a decision was a mistake, and its price, follow from its class. So it does for a deal-in, by the
    class of the discard or of the one at which the push began, unless there was no choice, or no other
    discard would have helped.
    """

    case: ReviewCase | LossCase
    choice: JudgedChoice | None = None

    @cached_property
    def code(self) -> str:
        """The finding's code."""
        return code_of(self.case.code)

    @property
    def cost(self) -> int:
        """Price of such a choice, by play-outs; 0 where there is none."""
        return self.verdict.found if self.verdict else 0

    @property
    def is_deal_in(self) -> bool:
        """Whether this is about dealing in."""
        return self.code.startswith("D")

    @property
    def severity(self) -> Severity:
        """Mistake or note."""
        return Severity.MISTAKE if self.is_mistake else Severity.NOTE

    @cached_property
    def _is_note(self) -> bool:
        return isinstance(self.case, ReviewCase) and self.case.is_note

    @cached_property
    def _deciding(self) -> JudgedChoice | None:
        """What decides between mistake and note; None where the kind of the finding does."""
        return self.choice if self.case.code in DEAL_INS and not self._is_note else None

    @property
    def push(self) -> Push | None:
        """Where the push began that a deal-in ended, if the model judged that."""
        return self._deciding.push if self._deciding is not None else None

    @cached_property
    def verdict(self) -> PlayedOut | None:
        """The class that makes this a mistake; None for a note, and for what is a mistake by the rules."""
        if isinstance(self.case, LossCase):
            return self.choice.verdict if self.choice is not None else None
        moves = (self._deciding, self.push) if self._deciding is not None else ()
        found = (one.verdict for one in moves if one is not None)
        return next((one for one in found if one is not None and one.code == DEALING_IN), None)

    @cached_property
    def is_mistake(self) -> bool:
        """Whether this is a mistake rather than a note."""
        return (self.verdict is not None and not self.verdict.is_habit) or (
            not self._is_note and KINDS[self.code].severity == Severity.MISTAKE
        )

    @property
    def is_estimate(self) -> bool:
        """Whether this rests on nothing but what the model estimates."""
        return isinstance(self.case, LossCase) and self.verdict is None and not self.is_unusual

    @property
    def is_unusual(self) -> bool:
        """Whether this is a move that strong players hardly ever make."""
        return self.case.code == UNUSUAL

    @cached_property
    def weight(self) -> int:
        """Points to sort by: the price of a mistake; of a note what passed by or was paid, or an estimate.

        What a bad end cost is luck; the price of the choice is not.
        """
        if isinstance(self.case, LossCase) and self.verdict is None:
            return self.case.loss
        return self.cost or self.case.points

    @cached_property
    def loss(self) -> int:
        """Points that the choice lost by the model, or the one at which the push began; 0 without a model."""
        return max((one.loss for one in (self.choice, self.push) if one is not None), default=0)

    @property
    def rank(self) -> tuple[int, int]:
        """What findings are sorted by, the highest first: the weight, then the model's loss; or how rare."""
        if self.is_unusual and self.choice is not None:
            return round(1_000_000 * (1 - self.choice.weighed.share)), 0
        return self.weight, self.loss

    @property
    def _in_one_measure(self) -> ReviewCase | LossCase:
        """The case, which leaves the risk of a deal-in to the model where that judged it."""
        if self._deciding is None or isinstance(self.case, LossCase):
            return self.case
        return replace(self.case, is_weighed=True)

    @cached_property
    def judged(self) -> Judged:
        """Put it in words."""
        finding = replace(in_words(self._in_one_measure), severity=self.severity)
        if isinstance(self.case, LossCase):
            assert self.choice is not None  # noqa: S101  it is where the case comes from
            evidence = self.choice.evidence()
            finding = replace(finding, message=_("; ").join((finding.message, *self.choice.weighed.told())))
            return Judged(finding, evidence, self.rank, is_estimate=self.is_estimate)
        evidence = evidence_of(self.case) | {"cost": self.cost}
        if self.choice is not None:
            evidence |= {"loss": self.choice.loss, "options": self.choice.options}
            evidence |= self.choice.weighed.played_evidence()
        if self.push is not None:
            evidence["push"] = {
                "event": self.push.event - int(self.case.batch.hands.event_begin[self.case.hand]),
                "turn": self.push.turn,
                "discard": self.push.made,
                "loss": self.push.loss,
            }
        if self.verdict is not None:
            evidence["played_out"] = self.verdict.summary()
        hindsight = self.choice.weighed.told() if self.choice is not None else ()
        message = _("; ").join((finding.message, *self._judgement(), *hindsight))
        return Judged(replace(finding, message=message), evidence, self.rank)

    def _judgement(self) -> Iterator[str]:
        """Yield what the model says of a deal-in."""
        choice, push = self._deciding, self.push
        if choice is None:
            return
        yield choice.why if choice.is_costly else choice.weighed.risk()
        if push is not None and push.is_costly:
            text = _("the push began with {tile} at turn {turn}, which lost {loss:,} by estimate")
            yield text.format(tile=spoken_option(push.made), turn=push.turn, loss=push.loss)
        if self.verdict is not None:
            yield self.verdict.price
        elif choice.is_last:
            yield _(LAST_HAND)
        elif not choice.is_costly and not (push is not None and push.is_costly):
            yield _(BAD_LUCK)


def hand_of(case: FindingContext) -> tuple[str, ...]:
    """Return the player's hand before the move of a case, as lines."""
    from paifu.reports.hands.evidence import evidence  # imports kernels, which must wait for the engine

    return tuple(islice(evidence(case), 1))


@dataclass(frozen=True, slots=True)
class Asked:
    """Which findings are asked for."""

    players: frozenset[str] = frozenset()
    """Names as :func:`name_key` has them; empty for all players."""
    selection: Selection = Selection(UNASKED)  # noqa: RUF009  frozen
    mistakes: bool = False
    """Whether notes are left out."""
    min_loss: int = MIN_LOSS
    """Points that a decision must lose by the model to be a finding, or its deal-in to be a mistake."""
    estimates: bool = False
    """Whether notes by estimate are wanted."""
    unusual: int = 0
    """How many unusual moves of each game and player are wanted at most."""

    @classmethod
    def of(
        cls,
        players: Iterable[str],
        codes: Iterable[str],
        *,
        mistakes: bool = False,
        min_loss: int = MIN_LOSS,
    ) -> Asked:
        """Read names and beginnings of codes, which bring notes by estimate. Raises UnknownCodeError.

        One unusual move of each game and player is wanted, unless notes or its code are not.
        """
        names = frozenset(map(name_key, players))
        selection = parse_selection(codes, ())
        is_asked = bool(selection.select)
        if not is_asked:
            selection = Selection(UNASKED)
        wants = selection.wants(code_of(UNUSUAL)) and not mistakes
        return cls(names, selection, mistakes, min_loss, is_asked, int(wants))

    def wants(self, case: ReviewCase | LossCase) -> bool:
        """Return whether a case is wanted, judging by what is known before it is worded."""
        name = name_key(str(case.batch.games.names[case.game, case.seat]))
        return (
            (self.estimates or not isinstance(case, LossCase) or case.points > 0 or case.code == UNUSUAL)
            and (not self.players or name in self.players)
            and self.selection.wants(code_of(case.code))
        )

    @property
    def losses(self) -> tuple[int, ...]:
        """Numbers of the kinds wanted that follow from a loss alone."""
        return tuple(kind.number for code, kind in LOSS_KINDS.items() if self.selection.wants(code))


@dataclass(frozen=True, slots=True)
class Judgements:
    """The findings of some games in the order of play, and how often players made mistakes."""

    found: list[JudgedFinding]
    players: dict[str, PlayerMistakes]
    games: int
    """Games for which there is a model."""
    choices: list[JudgedChoice] = field(default_factory=list)
    """Decisions that the model judged: those that are findings, or all of them."""
    drilled: list[JudgedChoice] = field(default_factory=list)
    """Decisions that are fit to be decided again, of the seats asked for."""
    matches: dict[str, Match] = field(default_factory=dict)
    """What players chose beside what strong players choose, by name."""


def judgements(
    replayed: Replay,
    asked: Asked | None = None,
    *,
    every_choice: bool = False,
    seats: Mask | None = None,
    drilled: Text | None = None,
    made: JudgedChoices | None = None,
) -> Judgements:
    """Return the findings of a replay with a review; without one there are none.

    ``seats`` (hands, 4) says of whom they are wanted; of all, if not given. ``drilled`` (games, 4) names
    the players of whom decisions to be decided again are wanted, by seat. ``made`` are the choices, where
    they are known already.
    """
    asked = asked or Asked()
    if replayed.review is None:
        return Judgements([], {}, 0)
    cases = asked_cases(replayed, asked, seats)
    made = made or choices_of(replayed, asked, cases, every=every_choice, seats=seats, drilled=drilled)
    found = [JudgedFinding(case, made.at.get((case.event, case.seat))) for case in cases]
    lost = [(choice.case(replayed), choice) for choice in made.listed if choice.is_costly]
    lost += [(choice.case(replayed), choice) for choice in made.unusual]
    found += [JudgedFinding(case, choice) for case, choice in lost if asked.wants(case)]
    found.sort(key=lambda one: (one.case.hand, one.case.event, one.case.code))
    kept = [one for one in found if one.is_mistake or not asked.mistakes]
    return Judgements(kept, made.players, len(made.games), made.listed, made.drilled, made.matched)


def asked_cases(replayed: Replay, asked: Asked, seats: Mask | None = None) -> list[ReviewCase]:
    """Return what the review found that is asked for; ``seats`` as for :func:`judgements`."""
    return [case for case in review_cases(replayed, seats) if asked.wants(case)]


def choices_of(replayed: Replay, asked: Asked, cases: Sequence[ReviewCase], **how: Any) -> JudgedChoices:
    """Return the choices that :func:`judgements` judges with some cases; ``how`` is handed on."""
    from paifu.coach.judgement.choices import choices  # imports kernels, which must wait for the engine

    at = [(case.event, case.seat) for case in cases]
    deal_ins = {place for place, case in zip(at, cases, strict=True) if case.code in DEAL_INS}
    return choices(
        replayed.batch, *replayed.rules, min_loss=asked.min_loss, at=at, deal_ins=deal_ins,
        wanted=asked.losses, players=asked.players, estimates=asked.estimates, unusual=asked.unusual, **how,
    )  # fmt: skip


def each_once(found: Iterable[JudgedFinding]) -> list[JudgedFinding]:
    """Leave out pushes that a mistaken deal-in includes: of its own discard, or of the one it began with."""
    every = list(found)
    told = {place for one in every for place in _told(one)}
    return [
        one for one in every if one.case.code != DEALING_IN or (one.case.event, one.case.seat) not in told
    ]


def _told(one: JudgedFinding) -> Iterator[tuple[int, int]]:
    """Yield the moves that a mistaken deal-in is about: the discard, and the one at which the push began."""
    if one.is_mistake and one.is_deal_in:
        yield one.case.event, one.case.seat
        if one.push is not None:
            yield one.push.event, one.case.seat


def row(found: Judged) -> dict[str, Any]:
    """Return a finding as plain values by column, the evidence as an object."""
    return {**report.row(found.finding), "evidence": found.evidence}


@dataclass(frozen=True, slots=True)
class ReviewTally:
    """How much was reviewed, and how often each code was found; tallies can be added."""

    games: int = 0
    hands: int = 0
    player_hands: int = 0
    """Hands, counted once for each player reviewed."""
    counts: Counter[str] = field(default_factory=Counter)
    costs: Counter[str] = field(default_factory=Counter)
    others: int = 0
    """Games other than riichi, which are not reviewed and counted nowhere else."""
    without_model: int = 0
    """Games reviewed for which there is no model."""
    mistakes: dict[str, PlayerMistakes] = field(default_factory=dict)
    """How often players made mistakes, by name."""
    matches: dict[str, Match] = field(default_factory=dict)
    """What players chose beside what strong players choose, by name."""
    hidden: int = 0
    """Hands of players whose tiles are hidden, which are not reviewed and counted nowhere else."""
    of_three: int = 0
    """Games of three players that were reviewed."""

    def __add__(self, other: ReviewTally) -> ReviewTally:
        return ReviewTally(*(_added(getattr(self, name), getattr(other, name)) for name in self.__slots__))

    @classmethod
    def of(cls, batch: Batch, players: frozenset[str], judged: Judgements) -> ReviewTally:
        """Count a batch reviewed for ``players``, or for all players if the set is empty."""
        games, hands = batch.games, batch.hands
        is_riichi = np.array([rules.game.scheme == Scheme.HAN_FU for rules in rulesets_of(batch)], bool)
        seated = (np.arange(4) < games.players[:, None]) & is_riichi[:, None]
        if players:
            seated &= batch.seats_of(players)
        counts: Counter[str] = Counter()
        costs: Counter[str] = Counter()
        for one in judged.found:
            counts[one.code] += 1
            costs[one.code] += one.cost if one.is_mistake else 0
        reviewed, of_players = int(is_riichi.sum()), seated[hands.game]
        known = of_players & uncovered(batch).known
        return cls(
            reviewed, int(is_riichi[hands.game].sum()), int(known.sum()), counts, costs,
            len(games) - reviewed, reviewed - judged.games, judged.players, judged.matches,
            int((of_players & ~known).sum()), int((is_riichi & (games.players == _THREE)).sum()),
        )  # fmt: skip

    def summary(self) -> dict[str, Any]:
        """Return the counts by name."""
        return {
            "games": self.games,
            "hands": self.hands,
            "player_hands": self.player_hands,
            "player_hands_hidden": self.hidden,
            "games_without_model": self.without_model,
            "counts": {code: self.counts[code] for code in KINDS if self.counts[code]},
            "players": [
                mistakes_summary(own, printable(name))
                | {"match": match_summary(self.matches[name]) if name in self.matches else None}
                for name, own in sorted(self.mistakes.items())
            ],
        }

    def lines(self) -> Iterator[str]:
        """Yield one line per code: count, rate per 100 hands of a player, and cost."""
        yield _("{games}, {hands}; {player_hands} reviewed").format(
            games=plural(self.games, "game"),
            hands=plural(self.hands, "hand"),
            player_hands=plural(self.player_hands, "player hand"),
        )
        if self.others:
            yield _("not reviewed: {games} (only riichi is reviewed)").format(
                games=plural(self.others, "game")
            )
        if self.hidden:
            yield _("not reviewed: {player_hands} (tiles are hidden)").format(
                player_hands=plural(self.hidden, "player hand")
            )
        if self.without_model:
            yield _("no model of decisions for {games}").format(games=plural(self.without_model, "game"))
        if self.of_three:
            text = _("no prices and no grades to compare with: {games} of three players")
            yield text.format(games=plural(self.of_three, "game"))
        if not self.counts:
            yield _("no findings")
            return
        yield ""
        yield _row(_("code"), "", _("found"), _("per 100"), _("points"))
        for code in filter(self.counts.__getitem__, TITLES):
            number = self.counts[code]
            rate = 100 * number / max(1, self.player_hands)
            points = f"{self.costs[code]:,}" if self.costs[code] else "-"
            yield _row(code, _(TITLES[code]), f"{number:,}", f"{rate:.2f}", points)


def _row(code: str, title: str, *numbers: str) -> str:
    """Lay out a line of the table of codes."""
    return "".join((ljust(code, 6), ljust(title, 46), *map(rjust, numbers, (7, 8, 12))))


def _added(one: Any, other: Any) -> Any:
    """Add counts; of dictionaries, what stands under a name in both."""
    if type(one) is not dict:
        return one + other
    return one | {name: one[name] + own if name in one else own for name, own in other.items()}
