"""What other installed packages add to paifu, by entry points.

The groups are ``paifu.readers``, ``paifu.metrics`` and ``paifu.yaku``.
A plug-in that cannot be used is left out, with one line on stderr that names it; the run goes on.
"""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Callable, Collection, Iterable
from importlib.metadata import EntryPoint, entry_points
from typing import TypeVar

from paifu.replay.errors import reason_of
from paifu.replay.language import _

T = TypeVar("T")
NamesOf = Callable[[T], Collection[object]]


def plugins(group: str, kind: type[T], names: NamesOf[T], taken: Iterable[object] = ()) -> tuple[T, ...]:
    """Return what the plug-ins of a group offer, by the names of their entry points.

    Each must be a ``kind``, and none of its ``names`` may be ``taken``, by paifu or by a plug-in before it.
    """
    found: list[T] = []
    known = set(taken)
    for entry in sorted(entry_points(group=group), key=lambda entry: entry.name):
        try:
            thing, own = _loaded(entry, kind, names, known)
        except (Exception, SystemExit) as error:  # noqa: BLE001  a plug-in's code may raise anything
            if multiprocessing.parent_process() is None:  # workers would say it again
                text = _("paifu: the plug-in {name} ({group}) is left out: {reason}")
                reason = f"{type(error).__name__}: {reason_of(error)}"
                sys.stderr.write(text.format(name=entry.name, group=group, reason=reason) + "\n")
            continue
        known.update(own)
        found.append(thing)
    return tuple(found)


def _loaded(entry: EntryPoint, kind: type[T], names: NamesOf[T], known: set[object]) -> tuple[T, set[object]]:
    thing = entry.load()
    if not isinstance(thing, kind):
        raise TypeError(f"{entry.value} is of type {type(thing).__name__}, not {kind.__name__}")
    own = set(names(thing))
    if own & known:
        raise ValueError(f"{next(iter(own & known))!r} is taken")
    return thing, own
