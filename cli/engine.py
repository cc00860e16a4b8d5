"""Getting the engine ready: how it runs for this input, and a word to whoever waits for a compiler."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from paifu.parsers.shards import Item

_MANY = 1 << 40


def prepare(units: Iterable[list[Item]]) -> Iterator[list[Item]]:
    """Make the engine ready for what the units hold, before anything imports it; return all of them.

    A small input runs interpreted, at once. For more the engine is compiled, the first time, or loaded:
    here, so that worker processes find it in the cache.
    """
    from paifu.parsers.read import estimate_events
    from paifu.replay import jit

    source = iter(units)
    ahead = list(islice(source, 2))
    if jit.choose(estimate_events(ahead[0]) if len(ahead) == 1 else _MANY * len(ahead)):
        if not jit.is_warm():
            click.echo("compiling the engine, this once: it takes about a minute", err=True)
        from paifu.replay.engine import warm_up

        warm_up()
    return chain(ahead, source)
