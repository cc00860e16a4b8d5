"""Is the shuffle fair? Tests of everything that logs show of their walls, and all at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Unpack

from paifu.api.only import EVERY_GAME, Only
from paifu.api.pipeline import Paths, Replaying, listed, replaying
from paifu.api.rules import Rules, Settings, rulesets_for_replay
from paifu.parsers.read import Inputs
from paifu.replay.findings.finding import Finding
from paifu.replay.foreign_text import name_key
from paifu.replay.table.replayed import Replay

if TYPE_CHECKING:
    import pandas as pd

    from paifu.reports.fairness.deals import Deals
    from paifu.reports.fairness.sums import ShuffleResult


@dataclass(frozen=True, slots=True)
class Fairness:
    """What the tests say. It is true if none of them finds a bias."""

    results: list[ShuffleResult]
    hands: int
    """Hands that were looked at."""
    walls: int
    """Hands of which the whole wall is known."""
    copies: int
    """Hands that came again, and were left out."""
    contradicted: int
    """Hands whose deal is not that of the wall that their log states."""
    left_out: int
    """Hands with hidden or impossible tiles."""
    games: int
    faults: list[Finding]
    """What could not be read."""
    names: frozenset[str] = frozenset()
    """Names in the games, if players were asked for."""

    def __bool__(self) -> bool:
        return not self.found

    @property
    def found(self) -> list[ShuffleResult]:
        """The tests that find a bias."""
        return [result for result in self.results if result.found]

    @property
    def frame(self) -> pd.DataFrame:
        """The results as a DataFrame, a row a test."""
        import pandas as pd

        return pd.DataFrame([result.row() for result in self.results])


def fair(
    paths: Paths,
    *,
    player: str | Iterable[str] = (),
    tests: str | Iterable[str] = (),
    repeat: Paths = (),
    rules: Rules | None = None,
    settings: Settings = (),
    only: Only = EVERY_GAME,
    jobs: int | None = 1,
) -> Fairness:
    """Test whether deals, draws, indicators, seats and walls are those of a fair shuffle.

    Tests compare counts with exact means and covariances. The chance of any false alarm in the run is 1%;
    p-values are corrected for the number of tests by Holm's method. With ``player`` (several names are those
    of one player) only that player's hands and draws count. ``tests`` are names of those to run, chosen
    before you look; by default all. ``repeat`` are paths of other games, in which draws in riichi must be
    odd, too, before that is found; hands that are in ``paths`` are left out of them. ``rules``, ``settings``,
    ``only`` and ``jobs`` are those of :func:`paifu.verify`. Raises PathNotFound, ArgumentError.

    >>> import paifu
    >>> found = paifu.fair("sample_logs/games", tests=["draws", "neighbours"])
    >>> bool(found), found.hands, found.walls
    (True, 269, 269)
    """
    return judging(
        paths,
        [player] if isinstance(player, str) else list(player),
        tests=[tests] if isinstance(tests, str) else list(tests),
        repeat=repeat,
        rules=rulesets_for_replay(rules, settings),
        only=only,
        jobs=jobs,
    )


def judging(
    paths: Paths,
    names: Sequence[str],
    *,
    tests: Sequence[str] = (),
    repeat: Paths = (),
    **how: Unpack[Replaying],
) -> Fairness:
    """Replay everything once and test it. Raises ArgumentError for a test that does not exist."""
    players = frozenset(map(name_key, names))
    work = partial(_deals, players)
    run = replaying(paths, work, named=bool(players), **how)
    from paifu.reports.fairness.catalogue import named
    from paifu.reports.fairness.sums import Sums, results

    sums = Sums(named(tests))
    for unit in run:
        for deals in unit:
            sums.add(deals)
    again, faults = None, run.faults
    if listed(repeat):
        again = sums.others()
        second = replaying(repeat, work, **how)
        for unit in second:
            for deals in unit:
                again.add(deals)
        faults = [*faults, *second.faults]
    return Fairness(
        results(sums, again),
        sums.hands,
        sums.walls,
        sums.copies,
        sums.contradicted,
        sums.left_out,
        run.games,
        faults,
        frozenset(run.names),
    )


def _deals(players: frozenset[str], replayed: Replay, _inputs: Inputs) -> list[Deals]:
    from paifu.reports.fairness.deals import deals_of

    return deals_of(replayed, players)
