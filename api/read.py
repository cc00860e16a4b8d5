"""Reading: games, one after the other, from anything that holds logs."""

from __future__ import annotations

from collections.abc import Iterator

from paifu.api.only import EVERY_GAME, Only
from paifu.api.pipeline import Paths, reading
from paifu.replay.errors import PaifuError
from paifu.replay.findings.finding import Finding
from paifu.replay.model.batch import Batch
from paifu.replay.views.games import Game, games
from paifu.reports.findings.output import line


class UnreadableError(PaifuError):
    """Something could not be read, and reading was to be strict; ``finding`` says what, where and why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(line(finding))
        self.finding = finding


class GameStream:
    """The games of some input: iterate over it, once. What could not be read is in ``faults``."""

    def __init__(
        self, paths: Paths, *, only: Only = EVERY_GAME, jobs: int | None = 1, strict: bool = False
    ) -> None:
        self._run = reading(paths, only=only, jobs=jobs)
        self._strict = strict

    @property
    def faults(self) -> list[Finding]:
        """What could not be read so far."""
        return self._run.faults

    def batches(self) -> Iterator[Batch]:
        """Yield the games as batches of a few hundred each, the form that the engine works on."""
        for batch in self._run:
            if self._strict and self._run.faults:
                raise UnreadableError(self._run.faults[0])
            yield batch

    def __iter__(self) -> Iterator[Game]:
        for batch in self.batches():
            yield from games(batch)


def read(paths: Paths, *, only: Only = EVERY_GAME, jobs: int | None = 1, strict: bool = False) -> GameStream:
    """Return the games of logs, folders, archives, databases and datasets, to iterate over.

    Memory stays bounded however many there are. What cannot be read is left out and noted in ``faults``; with
    ``strict`` it raises :class:`UnreadableError`. ``only`` are the games that count:
    ``paifu.Only(since="2024-05")``. Raises PathNotFound at once for a path that names nothing.

    >>> for game in read("sample_logs/formats/hanchan.mjlog.gz"):
    ...     print(game.players, len(game.hands), game.hands[0].label)
    4 14 E1.0
    """
    return GameStream(paths, only=only, jobs=jobs, strict=strict)
