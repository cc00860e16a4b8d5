"""Which rules explain some logs best."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from paifu.api.only import EVERY_GAME, Only
from paifu.api.pipeline import SILENT, Once, Paths, Run, Watch, reading
from paifu.replay.findings.finding import Finding
from paifu.replay.model.batch import Batch
from paifu.replay.rules.choices import Scheme
from paifu.replay.rulesets.presets import rulesets_of

if TYPE_CHECKING:
    from paifu.replay.table.rule_guess import RuleGuess

MOST_GAMES = 200
"""Games that are looked at, for each number of players."""


@dataclass(frozen=True, slots=True)
class Guesses:
    """A guess for each number of players, and what no guess was made of."""

    guesses: list[RuleGuess]
    others: int
    """Games that are not riichi."""
    beyond: int
    """Games beyond the number that is looked at."""
    faults: list[Finding]
    """What could not be read."""

    def __iter__(self) -> Iterator[RuleGuess]:
        return iter(self.guesses)


def guess_rules(
    paths: Paths,
    *,
    only: Only = EVERY_GAME,
    jobs: int | None = 1,
    watch: Watch = SILENT,
) -> Guesses:
    """Guess the rules of logs: the preset and the changes of it that contradict them least.

    The first 200 games for each number of players are replayed under many alternatives. What no game
    shows stays undecided. Raises PathNotFound.

    >>> (guess,) = guess_rules("sample_logs/rulesets/ema.mjlog")
    >>> guess.preset
    'ema'
    """
    run = reading(paths, only=only, once=Once.GAMES, jobs=jobs, watch=watch)
    taken, others, beyond = _taken(run)
    guesses = []
    if taken:
        from paifu.replay.table import rule_guess

        guesses = [rule_guess.guess_rules(batch) for _, batch in sorted(taken.items(), reverse=True)]
    return Guesses(guesses, others, beyond, run.faults)


def _taken(run: Run[Batch]) -> tuple[dict[int, Batch], int, int]:
    """The first games by number of players, how many are not riichi, and how many there are beyond."""
    taken: dict[int, list[Batch]] = {}
    others = beyond = 0
    for batch in run:
        for game, rules in enumerate(rulesets_of(batch)):
            games = taken.setdefault(rules.table.players, [])
            if rules.game.scheme != Scheme.HAN_FU:
                others += 1
            elif len(games) < MOST_GAMES:
                games.append(batch.take(game))
            else:
                beyond += 1
    return {players: Batch.concatenate(games) for players, games in taken.items() if games}, others, beyond
