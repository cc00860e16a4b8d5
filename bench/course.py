"""Test the place chances inside hands on real games that no fit has seen.

    python bench/course.py [PATH...] [--cache FILE]

Prints the mean log loss of a seat by turn, which should fall: a hand that is over counts with the chances
after it. Then calibration in tenths after the draws of turns 1, 6 and 12 and after the last draw; how far the
chances before the first draw are from those before the hand in the mean, by place held and seat; whether what
draws change has mean zero; and processor time a game. ``--cache`` keeps what was measured.
"""

from __future__ import annotations

import argparse
import pickle
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from luck_games import FOLDERS, TESTS, batches_of, use_of

from paifu.replay.luck.course import course, game_rows
from paifu.replay.luck.ledger import luck_ledger
from paifu.replay.luck.measuring import chance_nodes
from paifu.replay.model.batch import Batch
from paifu.replay.places.model import place_model
from paifu.replay.rulesets.presets import rulesets_of

F64 = npt.NDArray[np.float64]
I64 = npt.NDArray[np.int64]
TURNS = 18
LOOKED_AT = 1, 6, 12, 17
FINE_SEEDS = 16
"""Models whose mean is what chances before a hand are without the errors of one."""
SEATS = 4


@dataclass(frozen=True, slots=True)
class Courses:
    """All hands of some games, by draw and by hand."""

    hand: I64
    """(n,) of each draw."""
    number: I64
    """(n,) of the draw in its hand, from 0."""
    before: F64
    """(n, 4, 4)."""
    after: F64
    begin: F64
    """(hands, 4, 4) chances before the hand."""
    fine: F64
    """The same, from many more samples."""
    end: F64
    """The same after it."""
    places: I64
    """(hands, 4) in the end of the game, from 0."""
    held: I64
    """(hands, 4) before the hand."""
    dealer: I64
    game: I64


def measure(batches: Iterable[Batch]) -> tuple[Courses, float, int]:
    """Return the courses of test games, processor time for them in seconds, and their number."""
    parts: list[Courses] = []
    spent, games, hands = 0.0, 0, 0
    for whole in batches:
        batch = whole.only(np.array([use_of(str(source)) == TESTS for source in whole.games.source]))
        if not len(batch):
            continue
        ledger = luck_ledger(batch, outlook=True)
        begun = time.process_time()
        found = course(batch, chance_nodes(batch, keep=True))
        spent += time.process_time() - begun
        ends_well = np.asarray(~np.isnan(ledger.final).any(axis=(1, 2)))
        good = ~np.isnan(ledger.chances).any(axis=(1, 2)) & ends_well[ledger.game]
        row = np.full(len(batch.hands), -1)
        row[ledger.hand[good]] = np.arange(good.sum())
        kept = row[found.hand] >= 0
        hand = row[found.hand[kept]]
        first = np.append(True, hand[1:] != hand[:-1])
        begins = np.maximum.accumulate(np.where(first, np.arange(len(hand)), 0))
        is_last = np.append(np.diff(ledger.game) != 0, True)
        following = np.concatenate([ledger.chances[1:], ledger.chances[:1]])
        end = np.where(is_last[:, None, None], ledger.final[ledger.game], following)
        scores = batch.hands.scores[ledger.hand[good]].astype(np.int64)
        parts.append(
            Courses(
                hand + hands,
                np.arange(len(hand)) - begins,
                found.before[kept],
                found.after[kept],
                ledger.chances[good],
                fine_chances(batch, ledger.hand[good]),
                end[good],
                ledger.final[ledger.game[good]].argmax(axis=2),
                np.argsort(np.argsort(-scores, axis=1, kind="stable"), axis=1),
                batch.hands.dealer[ledger.hand[good]].astype(np.int64),
                ledger.game[good] + games,
            )
        )
        hands += int(good.sum())
        games += len(ledger.games)
    whole_courses = Courses(
        *(np.concatenate([getattr(p, name) for p in parts]) for name in Courses.__slots__)
    )
    return whole_courses, spent, games


def fine_chances(batch: Batch, hands: I64) -> F64:
    """Return (n, 4, 4) chances before hands, the mean of several models."""
    chances, rulesets = np.zeros((len(hands), SEATS, SEATS)), rulesets_of(batch)
    of = np.array([id(rulesets[game]) for game in batch.hands.game[hands].tolist()])
    for rules in {id(one): one for one in rulesets}.values():
        rows = np.flatnonzero(of == id(rules))
        for seed in range(FINE_SEEDS):
            answers = place_model(rules, seed=seed).answers(game_rows(batch, hands[rows]))
            chances[rows] += answers[:, :, :SEATS] / FINE_SEEDS
    return chances


def at_turn(found: Courses, turn: int) -> tuple[F64, npt.NDArray[np.bool_]]:
    """Return (hands, 4, 4) chances after the draws of a turn, 0 for the deal, and which hands go on."""
    chances = found.end.copy()
    counts = np.bincount(found.hand, minlength=len(found.end))
    draws = SEATS * turn
    if turn == 0:
        chosen = found.number == 0
        chances[found.hand[chosen]] = found.before[chosen]
        return chances, counts > 0
    chosen = found.number == draws - 1
    chances[found.hand[chosen]] = found.after[chosen]
    return chances, counts >= draws


def loss(chances: F64, places: I64) -> float:
    """Return the mean log loss of a seat; half a game of 512 goes to all places alike."""
    smooth = (512 * chances + 0.5 / SEATS) / 512.5
    rows, seats = np.indices(places.shape)
    return float(-np.log(smooth[rows, seats, places]).mean())


def z_by_game(off: F64, game: I64) -> float:
    """Return the z-score of a mean of which the rows of a game belong together."""
    sums = np.bincount(game, off)
    return float(sums.sum() / np.sqrt((sums**2).sum()))


def calibration(chances: F64, places: I64, game: I64) -> Iterator[str]:
    """Yield predicted and actual shares by tenths of the chance."""
    actual = np.eye(SEATS)[places].reshape(len(places), -1)
    predicted = chances.reshape(len(places), -1)
    tenth = np.minimum((10 * predicted).astype(int), 9)
    for number in range(10):
        chosen = tenth == number
        z = z_by_game(((actual - predicted) * chosen).sum(axis=1), game)
        yield (
            f"  {number * 10:>3} to {number * 10 + 10:>3}%  {chosen.sum():>7,}"
            f"  {100 * predicted[chosen].mean():6.1f}%  {100 * actual[chosen].mean():6.1f}%  {z:+.1f}"
        )


def lines(found: Courses) -> Iterator[str]:
    """Yield all measures."""
    yield f"{found.game.max() + 1:,} games, {len(found.end):,} hands, {len(found.hand):,} draws"
    yield f"log loss before the hand {loss(found.begin, found.places):.4f}"
    losses = [loss(at_turn(found, turn)[0], found.places) for turn in range(TURNS)]
    yield f"after the deal {losses[0]:.4f}, after turns " + " ".join(f"{one:.4f}" for one in losses[1:])
    yield f"after the hand {loss(found.end, found.places):.4f}"
    going = [(f"turn {turn}", *at_turn(found, turn)) for turn in LOOKED_AT]
    for name, chances, on in going:
        yield f"calibration after {name}: chance, number, predicted, actual, standard errors"
        now, first = loss(chances[on], found.places[on]), loss(found.begin[on], found.places[on])
        yield f"  log loss of these hands {now:.4f}, before them {first:.4f}"
        yield from calibration(chances[on], found.places[on], found.game[on])
    yield "calibration after the hand"
    yield from calibration(found.end, found.places, found.game)
    opening, on = at_turn(found, 0)
    over = (opening - found.fine)[on]
    yield f"after the deal less before the hand: {len(over):,} hands, standard deviation {over.std():.4f}"
    yield f"  as far is one model from the mean of {FINE_SEEDS}: {(found.begin - found.fine)[on].std():.4f}"
    for name, key in (
        ("place held", found.held),
        ("seat from the dealer", (np.arange(SEATS) - found.dealer[:, None]) % SEATS),
    ):
        cells = []
        for one in range(SEATS):
            chosen = key[on] == one
            for place in range(SEATS):
                off = (over[:, :, place] * chosen).sum(axis=1)
                cells.append(f"{off.sum() / chosen.sum():+.4f} ({z_by_game(off, found.game[on]):+.1f})")
        yield f"  by {name}, then place: " + ", ".join(cells)
    change = found.after - found.before
    game = found.game[found.hand]
    held = found.held[found.hand]
    cells = [
        f"{(change[:, :, place] * (held == one)).sum(axis=1).mean():+.5f} "
        f"({z_by_game((change[:, :, place] * (held == one)).sum(axis=1), game):+.1f})"
        for one in range(SEATS)
        for place in range(SEATS)
    ]
    yield "draws change, in the mean, by place held, then place: " + ", ".join(cells)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, default=list(FOLDERS))
    parser.add_argument("--cache", type=Path)
    options = parser.parse_args()
    if options.cache and options.cache.exists():
        found, spent, games = pickle.loads(options.cache.read_bytes())  # noqa: S301  our own
    else:
        found, spent, games = measure(batches_of(options.paths))
        if options.cache:
            options.cache.write_bytes(pickle.dumps((found, spent, games)))
    print("\n".join(lines(found)))
    print(f"{1000 * spent / games:.1f} ms a game")


if __name__ == "__main__":
    main()
