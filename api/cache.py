"""What work on units of input gave, kept from run to run in the user's cache folder.

A result is kept under a hash of all that it depends on: names and bytes of the unit's documents, the work
with its options, the sources and models of paifu, the language. So nothing has to be thrown away when one of
them changes; the results that were not used for the longest time go when all take too much room. A file that
cannot be read, or holds something else, is passed over, and where nothing can be written nothing is kept.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import astuple
from itertools import chain
from pathlib import Path
from typing import Any, Generic, Self, TypeVar, cast

import numpy as np
import orjson
import platformdirs

from paifu.api.kept_values import read, spelt, written
from paifu.api.once import OnceUnit
from paifu.parsers.dataset.entries import InputItem
from paifu.parsers.errors import ANYTHING, InputFault
from paifu.parsers.output_files import OutputError, write_file
from paifu.parsers.read import UNIT_BYTES, iter_units
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.replay.language import language
from paifu.replay.plugins import are_offered
from paifu.replay.scoring.yaku_names import VARIABLE as YAKU_NAMES
from paifu.replay.source_hash import source_hash

R = TypeVar("R")
VARIABLE = "PAIFU_CACHE_DIR"
"""Names the cache folder; where it is empty, no results of units are kept."""
MOST_BYTES = 256 << 20
"""Of all results. Those of 300 games of one player take half a million."""
MOST_REGROUPED = 32 * UNIT_BYTES
"""Bytes of the largest input that may be grouped as in an earlier run."""
_FLOORS = ("api", "coach", "parsers", "replay", "reports")


def cache_folder(name: str) -> Path:
    """Return the folder of this name within the user's cache folder."""
    base = os.environ.get(VARIABLE) or platformdirs.user_cache_dir("paifu", appauthor=False)
    return Path(base) / name


class Kept(Generic[R]):
    """Work on a unit that is done once: after that, its result is read.

    ``about`` is what the result depends on beside the work and the unit.
    """

    def __init__(self, work: Callable[[list[InputItem]], R], *about: object) -> None:
        self._work = work
        settings = source_hash(_FLOORS), np.__version__, language(), os.environ.get(YAKU_NAMES, "")
        self._folder = cache_folder("units") / _hash(settings, spelt((work, about)))

    @classmethod
    def of(cls, work: Callable[[list[InputItem]], R], *about: object) -> Self | None:
        """Return work of which results are kept; None where none are.

        What plug-ins do cannot be told from the sources of paifu.
        """
        return None if os.environ.get(VARIABLE) == "" or are_offered() else cls(work, *about)

    def __call__(self, unit: list[InputItem]) -> R:
        """Do the work, or read what came of it."""
        names = _names(unit)
        if names is None:
            return self._work(unit)
        path = self._path(names, unit.known if isinstance(unit, OnceUnit) else ())
        with suppress(*ANYTHING):
            if (about := _about(path))["name"] == path.name and about["items"] == names:
                found = cast("R", read(path.read_bytes()))
                os.utime(path)
                return found
        found = self._work(unit)
        with suppress(TypeError, OutputError):  # it is only done again next time
            content = written(found, {"name": path.name, "items": names})
            write_file(path, content, through_links=False)
        return found

    def _path(self, names: Sequence[str], known: Sequence[frozenset[int]] = ()) -> Path:
        """Return where the result of a unit is kept, of which some hands were there before."""
        return self._folder / f"{_hash(names, list(map(sorted, known)))}.npz"

    def groups(self, items: Iterable[InputItem]) -> Iterator[tuple[Iterable[list[InputItem]], bool]]:
        """Yield ways to divide an input into units, the best first, and whether much of it is new.

        A new game between old ones moves the bounds of all units after it, so that none of them is kept. Then
        there are others: units of earlier runs of which everything is still there, and one of what is left.
        The last are those of an input of which nothing is kept.
        """
        ahead, size, source = list[InputItem](), 0, iter(items)
        for item in source:
            ahead.append(item)
            size += len(item.data) if isinstance(item, Document) else 0
            if size > MOST_REGROUPED:
                yield iter_units(chain(ahead, source)), True
                return
        units, names, known = list(iter_units(ahead)), _names(ahead) or (), list(self._units())
        if names and all(_names(unit) in known for unit in units):
            yield units, False
            return
        left = dict(zip(names, ahead, strict=False))
        found = list[list[InputItem]]()
        for unit in sorted(known, key=len, reverse=True):
            if unit and left.keys() >= set(unit):
                found.append([left.pop(name) for name in unit])
        rest = list(iter_units(left.values()))
        if found and len(rest) <= 1:
            places = {id(item): place for place, item in enumerate(ahead)}
            yield sorted(found, key=lambda unit: places[id(unit[0])]) + rest, False
        yield units, True

    def _units(self) -> Iterator[list[str]]:
        """Yield the names of the items of each unit that was kept before any hand of it was known."""
        with suppress(OSError):
            for path in self._folder.glob("*.npz"):
                with suppress(*ANYTHING):
                    names: list[str] = _about(path)["items"]
                    if path == self._path(names):
                        yield names

    def tidy(self) -> None:
        """Remove the results that were not used for the longest time, if all take too much room."""
        with suppress(OSError):
            files = [(path.stat(), path) for path in self._folder.parent.glob("*/*")]
            size = sum(status.st_size for status, _path in files)
            for status, path in sorted(files, key=lambda file: file[0].st_mtime_ns):
                if size <= MOST_BYTES:
                    break
                path.unlink(missing_ok=True)
                size -= status.st_size


def _about(path: Path) -> dict[str, Any]:
    with path.open("rb") as content, np.load(content, allow_pickle=False) as file:
        found: dict[str, Any] = orjson.loads(file["about"].tobytes())
    return found


def _names(unit: Iterable[InputItem]) -> list[str] | None:
    """Return a text for each item that tells it from all others; None where that cannot be told."""
    found = []
    for item in unit:
        if isinstance(item, InputFault):
            found.append(_hash(astuple(item)))
        elif isinstance(item, Document) and item.format is not Format.OF_PLUGIN:
            about = item.location, item.format.name, item.first_index, item.whole, item.cut
            found.append(_hash(about, hashlib.sha256(item.data).digest()))
        else:
            return None
    return found if len(set(found)) == len(found) else None


def _hash(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]
