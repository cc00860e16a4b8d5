"""The import: from paths to a dataset, resumable at any point."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, compress
from pathlib import Path

import numpy as np

from paifu.parsers.dataset.entries import InputItem, Shard, ShardEntry
from paifu.parsers.dataset.shards import (
    DatasetWriter,
    Derivation,
    digest,
    made_shard,
    read_digests,
    read_shard,
    write_tables,
)
from paifu.parsers.read import iter_units, read_unit
from paifu.parsers.spreading import run
from paifu.replay.arrays import Mask
from paifu.replay.bounds import BoundsError, check_batch
from paifu.replay.comparison.copies import GameKey
from paifu.replay.comparison.copies import game_keys as keys_in_any_format
from paifu.replay.model.batch import Batch, Faults
from paifu.replay.model.census import Census
from paifu.replay.model.identity import game_keys

SHARD_BYTES = 8 << 20
"""Bytes of input, mostly compressed, in one shard: some 1000 gzipped games."""
SHARD_ITEMS = 2000
GameFilter = Callable[[Batch], tuple[Batch, object]]
"""Returns the games of a batch that are wanted, and what to say of the others."""


@dataclass(frozen=True, slots=True)
class Imported:
    """One shard that an import wrote, or nothing but what it ``skipped``."""

    census: Census
    faults: Faults
    documents: int
    skipped: int = 0
    left_out: object = None
    """What the import's choice of games says of those that it left out."""
    copies: tuple[str, ...] = ()
    """Where games of datasets were read that the dataset holds already: they were left out."""
    keys: tuple[GameKey, ...] = ()
    """What tells copies of the games that were added, in any format."""


def import_items(
    writer: DatasetWriter,
    items: Iterable[InputItem],
    *,
    jobs: int | None = 1,
    derivation: Derivation | None = None,
    choose: GameFilter | None = None,
) -> Iterator[Imported]:
    """Add every item that the dataset does not hold yet, a shard at a time, with what is derived from it.

    Known logs are recognised by content: a log that was moved or packed otherwise is read again only if its
    stored bytes differ. Of a dataset, each game is known by its players, deals and moves: copies are left out
    and named. Each result is safe on disk when it is yielded. The last one counts what was skipped.
    ``choose`` is called with the games that were read.
    """
    skipped = 0

    def fresh() -> Iterator[InputItem]:
        nonlocal skipped
        for item in items:
            key = digest(item)
            if key in writer.seen:
                skipped += 1
            else:
                writer.seen.add(key)
                if isinstance(item, Shard):
                    writer.seen.update(read_digests(item))
                yield item

    units = iter_units(fresh(), unit_bytes=SHARD_BYTES, unit_items=SHARD_ITEMS)
    work = partial(_import_unit, writer.root, derivation, choose)
    numbered = enumerate(units, len(writer.entries))  # results come in this order, and so does the manifest
    known: set[int] | None = None
    trial = partial(_tried, partial(_import_unit, None, derivation, choose))
    for made in run(numbered, work, jobs=jobs, trial=trial):
        entry, census, keys = made.entry, made.census, made.keys_in_any_format
        copies: tuple[str, ...] = ()
        if made.is_united and known is None:
            known = set().union(*(game_keys(read_shard(one)).tolist() for one in writer.shards()))
        if known is not None:
            fresh_games = _first_of_each(made.keys, known if made.is_united else frozenset())
            if made.is_united and not fresh_games.all():
                entry, census, copies = _without_copies(
                    Shard(writer.root, entry), fresh_games, derivation, len(writer.entries)
                )
                keys = tuple(compress(keys, fresh_games))
            known.update(made.keys)
        writer.add(entry)
        yield Imported(census, made.faults, made.inputs, 0, made.left_out, copies, keys)
    yield Imported(Census(), Faults.empty(), 0, skipped)


def _tried(make: Callable[[tuple[int, list[InputItem]]], _MadeShard], unit: list[InputItem]) -> None:
    """Make a shard, and let it go."""
    make((0, unit))


def _first_of_each(keys: Sequence[int], known: Collection[int]) -> Mask:
    """Return which games are neither known nor copies of one before them."""
    seen = set(known)
    found = np.zeros(len(keys), bool)
    for number, key in enumerate(keys):
        found[number] = key not in seen
        seen.add(key)
    return found


def _without_copies(
    shard: Shard, keep: Mask, derivation: Derivation | None, number: int
) -> tuple[ShardEntry, Census, tuple[str, ...]]:
    """Write a shard that is in no manifest yet once more, with some of its games."""
    batch = read_shard(shard)
    copies = tuple(map(str, batch.games.source[~keep]))
    kept = batch.only(keep)
    entry, files = made_shard(read_digests(shard), kept, derivation, number)
    write_tables(shard.root, entry, files)
    return entry, Census.of(kept), copies


@dataclass(frozen=True, slots=True)
class _MadeShard:
    """What a worker makes of a unit."""

    entry: ShardEntry
    census: Census
    faults: Faults
    left_out: object
    inputs: int
    keys: list[int]
    """Of its games."""
    keys_in_any_format: tuple[GameKey, ...]
    is_united: bool
    """A dataset is among the inputs."""


def _import_unit(
    root: Path | None,
    derivation: Derivation | None,
    choose: GameFilter | None,
    numbered: tuple[int, list[InputItem]],
) -> _MadeShard:
    """Make a shard and write it below ``root``, if there is one."""
    number, unit = numbered
    batch = read_unit(unit)
    batch, left_out = (batch, None) if choose is None else choose(batch)
    shards = [item for item in unit if isinstance(item, Shard)]
    digests = [*map(digest, unit), *chain.from_iterable(map(read_digests, shards))]
    batch, entry, files = _shard_of(list(dict.fromkeys(digests)), batch, derivation, number)
    if root is not None:
        write_tables(root, entry, files)
    keys = game_keys(batch).tolist(), keys_in_any_format(batch)
    return _MadeShard(entry, Census.of(batch), batch.faults, left_out, len(unit), *keys, bool(shards))


def _shard_of(
    digests: list[bytes], batch: Batch, derivation: Derivation | None, number: int
) -> tuple[Batch, ShardEntry, dict[str, bytes]]:
    """Make a shard of what of a batch can be loaded again; returns that, too.

    A game that a reader of the dataset would refuse is left out and told: it is not worth the others.
    """
    try:
        check_batch(batch)
        return batch, *made_shard(digests, batch, derivation, number)
    except BoundsError:
        objections = [_objection(batch.take(game), derivation) for game in range(len(batch))]
    sound = batch.only(np.array([not objection for objection in objections], bool))
    told = [
        {
            "source": str(source),
            "place": "",
            "code": "V101",
            "reason": f"the game contradicts itself: {objection}",
            "hint": "it was left out; please report the log, for its reader should have said so",
        }
        for source, objection in zip(batch.games.source, objections, strict=True)
        if objection
    ]
    columns = {
        name: np.concatenate([column, np.array([row[name] for row in told], object)])
        for name, column in batch.faults.arrays()
    }
    sound = replace(sound, faults=Faults(**columns))
    return sound, *made_shard(digests, sound, derivation, number)


def _objection(game: Batch, derivation: Derivation | None) -> str:
    """Return what a reader of a dataset would say against a game, or against what is derived of it."""
    try:
        check_batch(game)
        if derivation is not None:
            derivation.make(game, 0)
    except BoundsError as error:
        return str(error)
    return ""
