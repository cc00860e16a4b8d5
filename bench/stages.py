"""Where the time of ``paifu verify`` goes: CPU milliseconds a game by stage, measured inside one process."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from paifu.api import verify
from paifu.parsers import read
from paifu.parsers.sources.documents import Document
from paifu.replay.findings.finding import Selection
from paifu.replay.model.builder import BatchBuilder
from paifu.replay.table import engine

STAGES: dict[str, list[tuple[Any, str]]] = {
    "gunzip": [(read, "open_document")],
    "read": [(read, "_read_document")],
    "build": [(BatchBuilder, "finish")],
    "wall": [(engine, "walls_of"), (engine, "check_walls")],
    "replay": [(engine, "replay_hands")],
    "progress": [(engine, "check_progress"), (engine, "check_stated"), (engine, "Ledger")],
    "output": [(verify, "_verified")],
}
"""Functions by stage. What one takes does not count for the stage that calls it."""
OTHER = "other"


class _Clock:
    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._inner: list[float] = []

    def timed(self, stage: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any, **kwargs: Any) -> Any:
            start = time.process_time()
            self._inner.append(0.0)
            try:
                return work(*args, **kwargs)
            finally:
                took = time.process_time() - start
                self.seconds[stage] += took - self._inner.pop()
                if self._inner:
                    self._inner[-1] += took

        return run


@contextmanager
def _patched(clock: _Clock) -> Iterator[None]:
    with ExitStack() as stack:
        for stage, functions in STAGES.items():
            for owner, name in functions:
                stack.enter_context(patch.object(owner, name, clock.timed(stage, getattr(owner, name))))
        yield


def by_stage(documents: Sequence[Document], rounds: int = 3) -> dict[str, float]:
    """CPU milliseconds a game by stage, of the best of some rounds."""
    units = list(read.iter_units(documents))
    best: Mapping[str, float] = {}
    for _ in range(rounds):
        clock = _Clock()
        with _patched(clock):
            verify = clock.timed(OTHER, _verify)
            for unit in units:
                verify(unit)
        if not best or sum(clock.seconds.values()) < sum(best.values()):
            best = clock.seconds
    return {stage: 1000 * best[stage] / len(documents) for stage in (*STAGES, OTHER)}


def _verify(unit: list[Any]) -> None:
    batch, inputs = read.read_inputs(unit)
    replayed = engine.replay(batch, player_hands=False)
    verify._verified(Selection(), False, replayed, inputs)
