"""Shards of datasets, written apart from an import."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from paifu.parsers.dataset.entries import ShardEntry
from paifu.parsers.dataset.shards import Derivation, made_shard, write_tables
from paifu.replay.model.batch import Batch


def write_shard(
    root: Path, digests: Iterable[bytes], batch: Batch, derivation: Derivation | None = None, number: int = 0
) -> ShardEntry:
    """Write a batch's files below ``root`` and return its entry, which the manifest does not have yet.

    The shard's name follows from ``digests``, those of the documents in it; ``number`` is its place in the
    manifest.
    """
    entry, files = made_shard(digests, batch, derivation, number)
    write_tables(root, entry, files)
    return entry
