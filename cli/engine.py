"""Getting the engine ready: how it runs for this input, and a word to whoever waits for a compiler."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from paifu.parsers.dataset.shards import Item


def prepare(units: Iterable[list[Item]], *, review: bool = False) -> Iterator[list[Item]]:
    """Make the engine ready for what the units hold, before anything imports it; return all of them.

    A small input runs interpreted, at once, and is one unit, for no worker is worth its start. For more the
    engine is compiled, the first time, or loaded: here, so that worker processes find it in the cache.
    """
    from paifu.parsers.read import estimate_events
    from paifu.replay.kernels import jit

    part = jit.REVIEW if review else jit.ENGINE
    source = iter(units)
    ahead: list[list[Item]] = []
    events = 0
    for unit in source:
        ahead.append(unit)
        events += estimate_events(unit)
        if not jit.is_small(events, part):
            break
    if jit.choose(events, part):
        if not jit.is_warm(part):
            click.echo("compiling the engine, this once: it takes about a minute", err=True)
        from paifu.replay.table.engine import warm_up

        warm_up(review=review)
    elif jit.is_small(events, part):
        return iter([list(chain.from_iterable(ahead))])
    return chain(ahead, source)
