"""Watching: a folder whose files are verified when they are new or have changed, until somebody stops it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from paifu.api.only import EVERY_GAME, Only
from paifu.api.pipeline import SILENT, Watch, unread
from paifu.api.verify import ERROR, ExplainedFinding, Verified, verifying
from paifu.parsers.errors import InputFault, PathNotFound
from paifu.parsers.sources.paths import folder_files, is_dataset
from paifu.replay.errors import ArgumentError
from paifu.replay.findings.finding import Selection
from paifu.replay.foreign_text import escaped
from paifu.replay.language import _
from paifu.replay.model.builder import BatchBuilder
from paifu.replay.rulesets.presets import Given
from paifu.reports.findings.tally import Tally

PAUSE = 1.0
"""Seconds between two looks at a folder."""
_Stamp = tuple[int, ...] | InputFault
"""What tells a state of a file from others; a fault for an entry that cannot be looked at."""


@dataclass(frozen=True, slots=True)
class Watched:
    """A file that was verified, or has gone."""

    path: str
    verified: Verified | None
    """None where the file is not there any more: what was found in it does not count."""


class Watching:
    """Verifies the files of a folder: each at first, then those that are new or changed.

    Iterate over it: it yields each file when it is verified, and waits, and never ends by itself. A file is
    verified when it has not changed for a pause, so that none is read while it is written. The folder is
    looked through every ``pause`` seconds, which works on any system and any drive; between two looks
    ``wait`` is called, which sleeps. Raises PathNotFound, and ArgumentError for what is not a folder with
    logs.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        rules: tuple[Given, ...] = (),
        selection: Selection | None = None,
        explain: bool = False,
        only: Only = EVERY_GAME,
        watch: Watch = SILENT,
        pause: float = PAUSE,
        wait: Callable[[float], None] | None = None,
    ) -> None:
        self._folder = os.fspath(folder)
        if not os.path.lexists(self._folder):
            raise PathNotFound(escaped(self._folder))
        if not Path(self._folder).is_dir() or is_dataset(self._folder):
            text = _("{path} is not a folder with logs; only such a folder can be watched")
            raise ArgumentError(text.format(path=escaped(self._folder)))
        self._rules, self._selection, self._explain = rules, selection, explain
        self._only, self._watch = only, watch
        self._pause, self._wait = pause, time.sleep if wait is None else wait
        self._seen: dict[str, _Stamp] | None = None
        """Each file at the last look; None before the first."""
        self._done: dict[str, _Stamp] = {}
        """Each file when it was verified."""
        self._tallies: dict[str, Tally] = {}

    @property
    def tally(self) -> Tally:
        """What was checked and found in the files that are there, each as it was verified last."""
        return sum(self._tallies.values(), Tally())

    def __iter__(self) -> Iterator[Watched]:
        while True:
            yield from self._look()
            self._wait(self._pause)

    def _look(self) -> Iterator[Watched]:
        """Yield what is to be said after one look at the folder."""
        before, now = self._seen, dict(self._stamps())
        self._seen = now
        latest = time.time_ns() - int(self._pause * 1e9)
        for path, stamp in now.items():
            is_settled = _is_older(stamp, latest) if before is None else before.get(path) == stamp
            if is_settled and self._done.get(path) != stamp:
                verified = self._verified(path, stamp)
                if verified is not None:
                    self._done[path], self._tallies[path] = stamp, verified.tally
                    yield Watched(path, verified)
        for path in sorted(self._done.keys() - now.keys()):
            del self._done[path], self._tallies[path]
            yield Watched(path, None)

    def _stamps(self) -> Iterator[tuple[str, _Stamp]]:
        for entry in folder_files(self._folder):
            if isinstance(entry, InputFault):
                yield entry.location, entry
                continue
            try:
                state = Path(entry).stat()
            except OSError:
                continue  # it has gone since the folder was read
            yield entry, (state.st_mtime_ns, state.st_size, state.st_ctime_ns, state.st_ino)

    def _verified(self, path: str, stamp: _Stamp) -> Verified | None:
        """Verify a file; None if it has gone meanwhile."""
        if isinstance(stamp, InputFault):
            return _of_fault(stamp)
        try:
            run = verifying(
                [path],
                rules=self._rules,
                selection=self._selection,
                explain=self._explain,
                only=self._only,
                watch=self._watch,
            )
        except PathNotFound:
            return None
        found: list[ExplainedFinding] = []
        tally = Tally()
        for part in run:
            found += part.found
            tally += part.tally
        return Verified(found, tally)


def _is_older(stamp: _Stamp, latest: int) -> bool:
    return isinstance(stamp, InputFault) or stamp[0] < latest


def _of_fault(fault: InputFault) -> Verified:
    builder = BatchBuilder()
    builder.add_fault(fault.location, fault.place, fault.code, fault.reason, fault.hint)
    found = [ExplainedFinding(one) for one in unread(builder.finish().faults)]
    errors = sum(one.finding.severity == ERROR for one in found)
    return Verified(found, Tally(errors=errors, unreadable=1))
