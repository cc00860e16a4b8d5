"""A folder to which games are written, a file each: names, repeated runs, and files that must stay."""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from collections.abc import Iterable
from enum import Enum
from pathlib import Path

from paifu.parsers.output_files import make_folder, write_file

_UNSAFE = re.compile(r"[^\w.-]+")
_MAX_NAME = 80
_SUFFIXES = re.compile(r"(?:\.(?:gz|bz2|xz|zip|tar|mjlog|xml|json|jsonl|mjson|txt|pb|log))+(?=$|[#:])")


class Put(Enum):
    """What became of a game that was to be written."""

    WRITTEN = 1
    THERE = 2
    """The file was there already, with this content."""
    KEPT = 3
    """Another file has the name, and may be one of those that are read."""


class GameFiles:
    """The files of one run. Raises OutputError if the folder cannot be made."""

    def __init__(self, folder: str | Path, paths: Iterable[str | Path]) -> None:
        """``paths`` are what is read meanwhile."""
        make_folder(folder)
        self._folder = Path(folder)
        self._read = [os.path.realpath(path) for path in paths]
        self._names: Counter[str] = Counter()

    def put(self, name: str, suffix: str, text: bytes, source: str) -> tuple[Put, Path]:
        """Write a game whose name may have been used before; raises OutputError."""
        self._names[name] += 1
        number = self._names[name]
        path = self._folder / f"{name if number == 1 else f'{name}-{number}'}{suffix}"
        if path.is_file() and path.read_bytes() == text:
            return Put.THERE, path
        if path.exists() and self._is_read(path, source):
            return Put.KEPT, path
        write_file(path, text, through_links=False)
        return Put.WRITTEN, path

    def _is_read(self, path: Path, source: str) -> bool:
        """Return whether a file is a source of this run, or lies among its sources."""
        real = os.path.realpath(path)
        return real == os.path.realpath(source) or any(
            real == one or real.startswith(one + os.sep) for one in self._read
        )


def file_name(source: str, game_id: str) -> str:
    """A name for a game's file: its id, or what its source is called, and which game of several it is."""
    place = source.replace("\\", "/").rpartition("/")[2]
    plain = _UNSAFE.sub("-", _SUFFIXES.sub("", place)).strip("-.") or "game"
    if game_id and game_id not in plain:
        plain = _UNSAFE.sub("-", game_id)
    if len(plain) > _MAX_NAME:
        plain = f"{plain[:_MAX_NAME]}-{hashlib.blake2b(plain.encode(), digest_size=4).hexdigest()}"
    return plain
