"""Pieces of input, of which those stored in a dataset are loaded where they are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from paifu.parsers.errors import InputFault
from paifu.parsers.sources.documents import Document


@dataclass(frozen=True, slots=True)
class ShardEntry:
    """What the manifest says of a shard."""

    name: str
    documents: int
    games: int
    hands: int
    events: int
    faults: int
    tables: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Checksums of the files of its tables for people, by their names."""

    @property
    def counts(self) -> dict[str, int]:
        """How many of what the shard holds."""
        return {name: getattr(self, name) for name in _COUNTED}


_COUNTED = ("documents", "games", "hands", "events", "faults")


@dataclass(frozen=True, slots=True)
class Shard:
    """A stored batch, not loaded: the dataset's folder and what its manifest says of the shard."""

    root: Path
    entry: ShardEntry

    def path(self, table: str) -> Path:
        """File of one of the shard's tables."""
        return shard_path(self.root, table, self.entry.name)


def shard_path(root: Path, table: str, name: str) -> Path:
    """File of a table of a shard."""
    return root / table / f"{name}.parquet"


InputItem = Document | InputFault | Shard
"""A piece of input: a text with games, something that could not be read, or a stored batch."""
