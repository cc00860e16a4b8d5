"""A hash of files that paifu is made of, by which it is known whether stored results are of other code."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]
_NOTES = (".pyc", ".same")
"""Files that are written on use."""


def source_hash(parts: Iterable[str], suffixes: Collection[str] = ()) -> str:
    """Return the hash of files, by their paths below the package, and of those in folders.

    With ``suffixes``, only of files with one of these; else of all but those that are written on use.

    >>> source_hash(["replay/model"], [".py"]) == source_hash(["replay/model"], [".py"])
    True
    >>> source_hash(["replay/model"], [".py"]) == source_hash(["replay/facts"], [".py"])
    False
    """
    digest, found = hashlib.sha256(), set[Path]()
    for path in (ROOT / part for part in parts):
        found.update([path] if path.is_file() else path.rglob("*"))
    for path in sorted(found):
        is_wanted = path.suffix in suffixes if suffixes else path.suffix not in _NOTES
        if is_wanted and path.is_file():
            digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
