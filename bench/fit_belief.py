"""Fit what makes hidden hands likely: ``python bench/fit_belief.py LOGS... [--write]``.

Takes some discards of games of four, and what the others held. Hidden hands are drawn for the player who
discards, and every weight moves until what it counts is as frequent in what was drawn as in the true hands.
One game in five is not looked at (``held_out.is_held_out``).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from held_out import game_hash, is_held_out
from play_out import files_of
from shipping import ship

from paifu.coach.belief.beliefs import CHAIN, believed
from paifu.coach.belief.features import WEIGHTS, Features, Layer, features_of
from paifu.coach.belief.sight import Sight
from paifu.coach.decisions import OptionKind
from paifu.coach.kernels.belief import SHANTENS, WAIT_TYPES, Chain, look, put
from paifu.coach.simulate.games import PLAYERS
from paifu.coach.simulate.playing_out import PlayOut
from paifu.parsers.read import read_batches
from paifu.replay.arrays import F64, I64, U8
from paifu.replay.model.events import EventKind
from paifu.replay.model.tiles import KIND_OF_TILE, KINDS
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import rulesets_of
from paifu.replay.shapes.tables import load_tables

PRIOR = 20.0
"""Cases that each weight starts with, as frequent as expected, so that few cases move it little."""


@dataclass(frozen=True, eq=False)
class Example:
    """A discard: what its player saw, and what was there."""

    game: bytes
    sight: Sight
    rules: Ruleset
    tiles: U8
    """(1, 4, 13)"""
    found: I64
    """(1, 4, 3) as in ``Deals``."""


def examples(paths: Sequence[Path], per_hand: float, held_out: bool | None, seed: int) -> Iterator[Example]:
    """Yield discards of games of four, ``per_hand`` of a hand; ``held_out`` None for all games."""
    random = np.random.default_rng(seed)
    for begin in range(0, len(paths), 50):
        for batch in read_batches(paths[begin : begin + 50]):
            tables: dict[Ruleset, PlayOut] = {}
            for game, rules in enumerate(rulesets_of(batch)):
                name = game_hash(batch, game)
                other_use = held_out is not None and is_held_out(name) != held_out
                if rules.table.players != 4 or other_use or batch.games.players[game] != 4:
                    continue
                for hand in range(batch.games.hand_begin[game], batch.games.hand_end[game]):
                    moves = np.arange(batch.hands.event_begin[hand], batch.hands.event_end[hand])
                    moves = moves[batch.events.kind[moves] == EventKind.DISCARD]
                    for event in moves[random.random(len(moves)) < per_hand / 60].tolist():
                        if rules not in tables:
                            tables[rules] = PlayOut(batch, rules, PLAYERS["balanced"])
                        one = example_at(tables[rules], name, hand, event)
                        if one is not None:
                            yield one


def example_at(table: PlayOut, game: bytes, hand: int, event: int) -> Example | None:
    """Return what there was at a discard (rows of the batch); None if that is not known, or a foul."""
    seat = int(table.batch.events.seat[event])
    sight, tiles = table.sight(hand, event, seat, OptionKind.DISCARD), table.hidden(seat)
    if sight is None or (tiles >= 37).any():
        return None
    chain, shapes = Chain(forms=int(table.rules.kernel().forms), melds=sight.melds), load_tables(sanma=False)
    for other in np.flatnonzero(sight.size).tolist():
        for tile in tiles[other, : sight.size[other]].tolist():
            put(chain, other, tile, 1)
        look(chain, other, shapes)
    found = np.stack([chain.shanten, chain.sort, chain.mask], axis=1)
    if (found[:, 0] * sight.riichi).any():
        return None  # a riichi without tenpai
    return Example(game, sight, table.rules, tiles[None], found[None])


def counted(features: Features, seat: int, tiles: U8, found: I64, size: int) -> tuple[F64, F64]:
    """Return what each weight counts in hands of a seat on average, and that with the factors squared."""
    mean, square = np.zeros((2, WEIGHTS))
    counts = (KIND_OF_TILE[tiles[:, seat, :size]][:, :, None] == np.arange(KINDS)).sum(axis=1)
    shares = (counts[:, :, None] == np.arange(5)).mean(axis=0)
    shanten = found[:, seat, 0]
    types = np.bincount(found[shanten == 0, seat, 1], minlength=WAIT_TYPES) / len(found)
    waits = (found[:, seat, 2][:, None] >> np.arange(KINDS) & 1).mean(axis=0)
    parts: list[tuple[Layer, F64]] = [(layer, shares) for layer in features.tiles]
    parts += [(layer, waits) for layer in features.waits]
    parts.append((features.red, (tiles[:, seat, :size] >= 34).sum(axis=1).mean(keepdims=True)))
    parts.append((features.shanten, np.bincount(shanten, minlength=SHANTENS) / len(found)))
    parts.append((features.types, types))
    for (places, factors), share in parts:
        np.add.at(mean, places, factors * share)
        np.add.at(square, places, factors**2 * share)
    return mean, square


def fitted(sample: Sequence[Example], rounds: int, part: int) -> F64:
    """Return weights with which the hands drawn are like the true ones."""
    weights, random = np.zeros(WEIGHTS), np.random.default_rng(1)
    known = [
        {seat: features_of(one.sight, seat) for seat in np.flatnonzero(one.sight.size).tolist()}
        for one in sample
    ]
    average = np.zeros(WEIGHTS)
    for number in range(rounds):
        off, curve, failed = np.zeros(WEIGHTS), np.full(WEIGHTS, PRIOR), 0
        for index in random.permutation(len(sample))[:part].tolist():
            one = sample[index]
            deals = believed(one.sight, CHAIN, index + 1, one.rules, weights, known[index])
            if deals is None:
                failed += 1
                continue
            for seat, features in known[index].items():
                size = int(one.sight.size[seat])
                true, square = counted(features, seat, one.tiles, one.found, size)
                drawn, drawn_square = counted(features, seat, deals.tiles, deals.found, size)
                off += true - drawn
                curve += np.maximum(square, drawn_square) / 2 + drawn_square / 2
        step = (off - 1e-3 * PRIOR * weights) / curve
        weights += np.clip(0.6 * step, -1.5, 1.5)
        average += weights * (number >= rounds // 2) / (rounds - rounds // 2)
        worst = np.abs(off) / np.sqrt(curve)
        spread = float(np.sqrt((worst**2).mean()))
        text = f"round {number + 1}: {failed} failed; off by {spread:.2f} errors, at most {worst.max():.1f}"
        print(text, flush=True)
    return average


def main() -> None:
    """Fit, and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--most", type=int, default=12000, help="discards")
    parser.add_argument("--per-hand", type=float, default=1.0, help="discards of a hand, on average")
    parser.add_argument("--rounds", type=int, default=48)
    parser.add_argument("--part", type=int, default=2800, help="discards of a round")
    parser.add_argument("--write", action="store_true", help="put the weights where they ship")
    options = parser.parse_args()
    sample: list[Example] = []
    for one in examples(files_of(options.paths), options.per_hand, False, 1):
        sample.append(one)
        if len(sample) == options.most:
            break
    games = len({one.game for one in sample})
    print(f"{len(sample)} discards of {games} games", flush=True)
    weights = fitted(sample, options.rounds, options.part)
    if options.write:
        about = {"discards": len(sample), "games": games, "from": "Tenhou games of four"}
        ship("belief", 4, {"weights": weights.astype(np.float32)}, __file__, about)


if __name__ == "__main__":
    main()
