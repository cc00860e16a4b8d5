"""Games put aside to be replayed on a page later: of many that may be shown, few are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import chain, repeat
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from paifu.replay.comparison.pairing import hand_keys
from paifu.replay.findings.context import FindingContext
from paifu.replay.findings.finding import Finding
from paifu.replay.findings.spoken import in_words
from paifu.replay.model.batch import Batch
from paifu.replay.views.games import Game
from paifu.reports.findings.review import Judgements

if TYPE_CHECKING:
    from paifu.coach.judgement.choices import JudgedChoice
    from paifu.reports.pages.stepper import Data

T = TypeVar("T")


@dataclass(frozen=True)
class RecordedGame:
    """Some hands of a game with what there is to say of them; they are numbered from 0 in their game."""

    batch: Batch
    """The game alone."""
    hands: frozenset[int]
    findings: Mapping[int, Sequence[Finding]]
    choices: Mapping[int, Sequence[JudgedChoice]]
    """Costly decisions, and unusual moves."""
    whole: Data | None = None
    """All hands for the stepper, where that has been made already; then there are no findings and choices."""

    @cached_property
    def data(self) -> Data:
        """The hands for the stepper."""
        if self.whole is not None:
            return self.whole | {"hands": [one for one in self.whole["hands"] if one["index"] in self.hands]}
        from paifu.reports.pages.stepper import game_data  # loads kernels, which are ready by now

        return game_data(Game.of(self.batch, 0), self.findings, hands=self.hands, choices=self.choices)


class Recorder:
    """Puts games of a batch aside, with the findings ``noted`` in its replay and those of its review.

    ``made`` is what :attr:`RecordedGame.data` is of each whole game, None where that is not known.
    """

    def __init__(
        self,
        batch: Batch,
        noted: Iterable[FindingContext],
        judged: Judgements,
        made: Sequence[Data | None] = (),
    ) -> None:
        self._batch = batch
        self._made = made or [None] * len(batch)
        self._noted = _by_hand((case.hand, case) for case in noted)
        self._found = _by_hand((one.case.hand, one) for one in judged.found)
        unusual = (one.choice for one in judged.found if one.is_unusual and one.choice is not None)
        told = chain((choice for choice in judged.choices if choice.is_mistake), unusual)
        self._choices = _by_hand((choice.hand, choice) for choice in told)
        self._alone = cache(self._game_alone)

    def hand(self, row: int) -> RecordedGame:
        """Put a hand aside."""
        return self._of(int(self._batch.hands.game[row]), range(row, row + 1))

    def game(self, row: int) -> RecordedGame:
        """Put all hands of a game aside."""
        games = self._batch.games
        return self._of(row, range(int(games.hand_begin[row]), int(games.hand_end[row])))

    def _of(self, game: int, rows: range) -> RecordedGame:
        first_hand = int(self._batch.games.hand_begin[game])
        if (whole := self._made[game]) is not None:
            hands = frozenset(row - first_hand for row in rows)
            return RecordedGame(self._alone(game), hands, {}, {}, whole)
        first_event = int(self._batch.games.event_begin[game])
        return RecordedGame(
            self._alone(game),
            frozenset(row - first_hand for row in rows),
            {
                row - first_hand: [
                    *map(in_words, self._noted[row]),
                    *(one.judged.finding for one in self._found[row]),
                ]
                for row in rows
            },
            {
                row - first_hand: [replace(one, event=one.event - first_event) for one in self._choices[row]]
                for row in rows
            },
        )

    def _game_alone(self, game: int) -> Batch:
        """Return a game that does not keep the whole batch in memory."""
        return self._batch.take(game).copied()


def game_keys_of(batch: Batch) -> list[str]:
    """Return what tells each game from all others on a page: ids may be there twice, hands are not."""
    games, hands = batch.games, hand_keys(batch)
    firsts = (f"{key:x}" for key in hands[np.minimum(games.hand_begin, len(hands) - 1)].tolist())
    return [
        f"{games.id[row] or games.source[row]} {first}"
        for row, first in zip(range(len(games)), firsts if len(hands) else repeat(""), strict=False)
    ]


def _by_hand(rows: Iterable[tuple[int, T]]) -> Mapping[int, list[T]]:
    found: dict[int, list[T]] = defaultdict(list)
    for hand, one in rows:
        found[hand].append(one)
    return found
