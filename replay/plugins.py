"""What other installed packages add to paifu, by entry points.

The groups are ``paifu.readers``, ``paifu.metrics`` and ``paifu.yaku``.
A plug-in that cannot be used is left out, with one line on stderr that names it; the run goes on.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from paifu.replay.errors import reason_of
from paifu.replay.language import _

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")
NamesOf = Callable[[T], Collection[object]]


@cache
def are_offered() -> bool:
    """Return whether an installed package offers anything.

    What it is, ``importlib.metadata`` says; to load that for nothing would take a tenth of a short command.
    """
    for place in map(Path, sys.path):
        try:
            folders = [path for path in place.iterdir() if path.name.lower().endswith(_ABOUT_A_PACKAGE)]
        except NotADirectoryError:  # an archive, which is not looked into here
            return True
        except OSError:
            continue
        for folder in folders:
            with suppress(OSError):
                if "[paifu." in (folder / "entry_points.txt").read_text("utf-8", "replace"):
                    return True
    return False


_ABOUT_A_PACKAGE = ("dist-info", "egg-info")
"""How the folders end that say what a package offers."""


def plugins(group: str, kind: type[T], names: NamesOf[T], taken: Iterable[object] = ()) -> tuple[T, ...]:
    """Return what the plug-ins of a group offer, by the names of their entry points.

    Each must be a ``kind``, and none of its ``names`` may be ``taken``, by paifu or by a plug-in before it.
    """
    if not are_offered():
        return ()
    from importlib.metadata import entry_points
    from multiprocessing import parent_process

    found: list[T] = []
    known = set(taken)
    for entry in sorted(entry_points(group=group), key=lambda entry: entry.name):
        try:
            thing, own = _loaded(entry, kind, names, known)
        except (Exception, SystemExit) as error:  # noqa: BLE001  a plug-in's code may raise anything
            if parent_process() is None:  # workers would say it again
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
