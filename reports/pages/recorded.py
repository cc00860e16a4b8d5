"""Games put aside to be replayed on a page later: of many that may be shown, few are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from paifu.replay.findings.case import Case
from paifu.replay.findings.finding import Finding, cases, in_words
from paifu.replay.model.batch import Batch
from paifu.replay.table.facts import Replay
from paifu.replay.views.games import Game
from paifu.reports.findings.review import Found, Judgements

if TYPE_CHECKING:
    from paifu.reports.judgement.choices import Choice
    from paifu.reports.pages.stepper import Data


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """Some hands of a game with what there is to say of them; they are numbered from 0 in their game."""

    batch: Batch
    """The game alone."""
    hands: frozenset[int]
    findings: Mapping[int, Sequence[Finding]]
    choices: Mapping[int, Sequence[Choice]]
    """Costly decisions."""

    def data(self) -> Data:
        """Return the hands for the stepper."""
        from paifu.reports.pages.stepper import game_data  # loads kernels, which are ready by now

        return game_data(Game.of(self.batch, 0), self.findings, hands=self.hands, choices=self.choices)


class Recorder:
    """Puts games of a batch aside."""

    def __init__(self, replayed: Replay, judged: Judgements) -> None:
        self._batch = replayed.batch
        self._cases: dict[int, list[Case]] = defaultdict(list)
        self._found: dict[int, list[Found]] = defaultdict(list)
        self._choices: dict[int, list[Choice]] = defaultdict(list)
        for case in cases(replayed):
            self._cases[case.hand].append(case)
        for one in judged.found:
            self._found[one.case.hand].append(one)
        for choice in judged.choices:
            if choice.is_mistake:
                self._choices[choice.hand].append(choice)

    def hand(self, row: int) -> RecordedGame:
        """Put a hand aside."""
        game = int(self._batch.hands.game[row])
        return self._of(game, row - int(self._batch.games.hand_begin[game]), 1)

    def game(self, row: int) -> RecordedGame:
        """Put all hands of a game aside."""
        games = self._batch.games
        return self._of(row, 0, int(games.hand_end[row] - games.hand_begin[row]))

    def _of(self, game: int, first: int, count: int) -> RecordedGame:
        first_hand = int(self._batch.games.hand_begin[game])
        first_event = int(self._batch.games.event_begin[game])
        hands = range(first, first + count)
        rows = [first_hand + hand for hand in hands]
        return RecordedGame(
            deepcopy(self._batch.take(game)),  # which would keep the whole batch in memory
            frozenset(hands),
            {
                hand: [*map(in_words, self._cases[row]), *(one.judged.finding for one in self._found[row])]
                for hand, row in zip(hands, rows, strict=True)
            },
            {
                hand: [replace(one, event=one.event - first_event) for one in self._choices[row]]
                for hand, row in zip(hands, rows, strict=True)
            },
        )
