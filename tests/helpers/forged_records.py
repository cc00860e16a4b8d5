"""Forged games as records of each format, with their genuine walls and without, and what notices them."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType

import mjx_games
import numpy as np
import orjson
import riichicity_games
from forgery_kinds import FORGERIES, Forgery, tries
from laid_walls import laid_walls

from paifu.api.convert import completed
from paifu.api.simulated import batch_of
from paifu.coach.simulate.games import PLAYERS, Simulator
from paifu.parsers.errors import WriteError
from paifu.parsers.read import read_unit
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.parsers.writers import WRITERS
from paifu.replay.facts.tables import code_of
from paifu.replay.model.batch import Batch
from paifu.replay.model.tiles import TILE_OF_ID_RED, tile_name
from paifu.replay.rulesets.presets import load_preset
from paifu.replay.table.engine import replay
from paifu.replay.walls import majsoul

Written = Callable[[Batch], bytes]
_KINDS = ("wild", "caller", "wild", "balanced")


def simulated(rules: str, games: int, first: int = 0) -> Batch:
    """Games of players who do all sorts of things."""
    simulator = Simulator(load_preset(rules), [PLAYERS[kind] for kind in _KINDS])
    return batch_of((simulator.game(first + number) for number in range(games)), fmt="")


def written(target: str, batch: Batch) -> bytes:
    """A game as a writer of paifu writes it."""
    return b"".join(WRITERS[target].games(completed(batch, target)))


def with_stated_walls(batch: Batch) -> Batch:
    """Games whose hands state their walls, and the hashes of them, as records of Mahjong Soul do."""
    seeds = batch.hands.seed.copy()
    for game in range(len(batch)):
        one, begin = batch.take(game), int(batch.games.hand_begin[game])
        for hand, ids in enumerate(laid_walls(one, majsoul.layout_of(4))):
            text, salt = "".join(tile_name(int(tile)) for tile in TILE_OF_ID_RED[ids]), f"salt {hand}"
            hashes = [hashlib.sha256(part.encode()).hexdigest() for part in (text + salt, salt)]
            seeds[begin + hand] = f"{majsoul.SHA256},{text},{hashes[0]},{salt},{hashes[1]}"
    none = np.full(len(batch), "", object)
    return replace(batch, hands=replace(batch.hands, seed=seeds), games=replace(batch.games, seed=none))


def without_walls(batch: Batch) -> Batch:
    """The games without anything from which walls follow."""
    games, hands = batch.games, batch.hands
    return replace(
        batch,
        games=replace(games, seed=np.full(len(games), "", object)),
        hands=replace(hands, seed=np.full(len(hands), "", object), dice=np.full_like(hands.dice, 255)),
    )


def _states(batch: Batch) -> bytes:
    return mjx_games.lines(mjx_games.states(completed(batch, "mjlog")))


def _record(batch: Batch) -> bytes:
    return orjson.dumps(riichicity_games.record(completed(batch, "mjlog")))


@dataclass(frozen=True, slots=True)
class Recorded:
    """A format, and how games become records of it."""

    name: str
    rules: str
    """Preset under which games are made."""
    write: Written
    format: Format
    prepare: Callable[[Batch], Batch] = lambda batch: batch
    """What is done with genuine games before they are forged."""


def _of_writer(target: str, rules: str, prepare: Callable[[Batch], Batch]) -> Recorded:
    return Recorded(target, rules, partial(written, target), WRITERS[target].format, prepare)


def _same(batch: Batch) -> Batch:
    return batch


WITH_WALLS = MappingProxyType(
    {
        one.name: one
        for one in (
            _of_writer("mjlog", "tenhou", _same),
            _of_writer("paifu", "tenhou", _same),
            _of_writer("majsoul-json", "majsoul", with_stated_walls),
            _of_writer("mjai", "arena", _same),
            Recorded("mjx", "tenhou", _states, Format.MJX),
            Recorded("riichicity", "riichi-city", _record, Format.RIICHI_CITY),
        )
    }
)
"""Six formats that state walls, or what they follow from; games of an arena are not simulated here."""
WITHOUT_WALLS = MappingProxyType(
    {
        target: _of_writer(target, rules, without_walls)
        for target, rules in (
            ("mjlog", "tenhou"), ("paifu", "tenhou"), ("majsoul-json", "majsoul"), ("mjai", "tenhou"),
            ("tenhou6", "tenhou"), ("majiang", "tenhou"),
        )
    }
)  # fmt: skip


@dataclass(slots=True)
class Noticed:
    """What became of one kind of forgery in one format."""

    kind: str
    format: str
    tried: int = 0
    noticed: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)


def codes_of(recorded: Recorded, text: bytes) -> Counter[str]:
    """The findings of a record, by code; what cannot be read is one, too."""
    batch = read_unit([Document("forged", text, recorded.format)])
    found = Counter(code_of(code) for code in replay(batch, player_hands=False).findings.code.tolist())
    found.update(batch.faults.code.tolist())
    return found


def outcome(recorded: Recorded, batch: Batch, kind: Forgery, places: int, seed: int = 1) -> Noticed:
    """Forge up to ``places`` hands of games, which must be sound, and look at the records of them.

    What the format does not state is not changed by a forgery; such a record does not count.
    """
    result = Noticed(kind.name, recorded.name)
    rng = random.Random(f"{seed} {kind.name} {recorded.name}")  # noqa: S311
    for genuine, made in tries(batch, kind, 3 * places, rng):
        if result.tried == places:
            break
        try:
            text = recorded.write(made)
            if text == recorded.write(genuine):
                continue
        except (WriteError, ValueError, KeyError, AssertionError):
            continue
        found = codes_of(recorded, text)
        result.tried += 1
        result.noticed += bool(found)
        result.codes.update(found.keys())
        if not found:
            result.missed.append(str(genuine.games.source[0]))
    return result


def sound(recorded: Recorded, batch: Batch) -> Batch:
    """Those games of a batch whose records have no findings."""
    games = [recorded.prepare(batch.take(game)) for game in range(len(batch))]
    clean = [one for one in games if not codes_of(recorded, recorded.write(one))]
    return Batch.concatenate(clean)


def outcomes(
    recorded: Recorded, batch: Batch, places: int, kinds: Iterable[Forgery] = tuple(FORGERIES)
) -> list[Noticed]:
    """What becomes of each kind of forgery."""
    return [outcome(recorded, batch, kind, places) for kind in kinds]
