"""Fit the values that luck is measured with.

    python bench/fit_luck.py [PATH...] [--write] [--cache FILE]

Reads real games of four players; ``bench/luck_games.py`` says which are used for what. The network is fitted
on the change of points from each draw to the end of the hand. Then twice more, without the luck of later
nodes as the network before measures it: that has mean zero, so the goal stays the same in the mean, but
varies half as much. Then the values of deals are fitted on what draws leave, and what each class of
differences is multiplied by, on other games. Prints the variance left, also on games that none of it has
seen. ``--write`` puts the values where they ship; ``--cache`` keeps what was read.
"""

from __future__ import annotations

import argparse
import pickle
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from luck_games import FOLDERS, SHARES, TESTS, VALUES, Seen, batches_of, look
from shipping import ship

from paifu.coach.kernels import luck_layout
from paifu.coach.luck.model import CLASSES, LuckValues, classes, mean_deal
from paifu.replay.rulesets.presets import load_preset

F32 = npt.NDArray[np.float32]
F64 = npt.NDArray[np.float64]
EPOCHS = 8, 12, 16
"""Passes over the draws, for each network in turn."""
BATCH = 2048
RATE = 3e-3
USUAL_INPUTS = 30
"""Inputs that are not 0, about: for the size of the first weights."""
MEAN_DEALS = 1 << 21
RIDGE = 300.0
CAP = 3.0
"""Goals of the network beyond CAP * 8000 points count as that."""
DEALS, OTHERS = CLASSES - 3, slice(CLASSES - 3, CLASSES)


def turned(values: F64, first: npt.NDArray[Any]) -> F64:
    """Return (n, 4) values by seat as those of the seats from ``first`` on."""
    seats = (first[:, None] + np.arange(4)) % 4
    return np.take_along_axis(values, seats, axis=1)


def fit_network(inputs: npt.NDArray[np.float16], goal: F32, epochs: int, seed: int) -> list[F32]:
    """Return weights and biases of the network: Adam on the squared error, the rate falling to nothing."""
    rng = np.random.default_rng(seed)
    parameters = [
        rng.normal(0, np.sqrt(2 / USUAL_INPUTS), (luck_layout.INPUTS, luck_layout.HIDDEN)).astype(np.float32),
        np.zeros(luck_layout.HIDDEN, np.float32),
        rng.normal(0, 0.1, (luck_layout.HIDDEN, 4)).astype(np.float32),
        np.zeros(4, np.float32),
    ]
    first, second = ([np.zeros_like(array) for array in parameters] for _ in range(2))
    steps, step = epochs * (len(inputs) // BATCH), 0
    for epoch in range(epochs):
        order, total, start = rng.permutation(len(inputs)), 0.0, time.time()
        for begin in range(0, len(order) - BATCH + 1, BATCH):
            rows = np.sort(order[begin : begin + BATCH])
            x = inputs[rows].astype(np.float32)
            into, bias, out, out_bias = parameters
            hidden = np.maximum(x @ into + bias, 0)
            error = hidden @ out + out_bias - goal[rows]
            total += float((error**2).sum())
            back = error * (2 / BATCH)
            inner = (back @ out.T) * (hidden > 0)
            step += 1
            rate = RATE * min(1, step / 300) * (1 + np.cos(np.pi * step / steps)) / 2
            slopes = (x.T @ inner, inner.sum(axis=0), hidden.T @ back, back.sum(axis=0))
            for i, slope in enumerate(slopes):
                first[i] += 0.1 * (slope - first[i])
                second[i] += 0.001 * (slope**2 - second[i])
                size = np.sqrt(second[i] / (1 - 0.999**step)) + 1e-8
                parameters[i] -= np.float32(rate / (1 - 0.9**step)) * (first[i] / size).astype(np.float32)
        print(f"  epoch {epoch + 1}: error {total / len(order):.5f}, {time.time() - start:.0f} s", flush=True)
    parameters[0] = parameters[0].astype(np.float16).astype(np.float32)  # as it will be stored
    return parameters


def later_luck(seen: Seen, shares: F64) -> F64:
    """Return (nodes, 4) the luck of the nodes after each one in its hand."""
    luck = seen.luck * shares[classes(seen.cells)][:, None]
    total = np.zeros_like(seen.result)
    np.add.at(total, seen.hand, luck)
    so_far = np.cumsum(luck, axis=0)
    begins = np.append(True, seen.hand[1:] != seen.hand[:-1])
    begin = np.maximum.accumulate(np.where(begins, np.arange(len(luck)), 0))
    before = np.where(begin[:, None] > 0, so_far[begin - 1], 0)
    return total[seen.hand] - (so_far - before)


def by_class(seen: Seen) -> Iterator[F64]:
    """Yield (hands, 4) the sums of the differences of each class."""
    number = classes(seen.cells)
    for one in range(CLASSES):
        sums, rows = np.zeros_like(seen.result), number == one
        np.add.at(sums, seen.hand[rows], seen.luck[rows])
        yield sums


def fit_shares(seen: Seen, use: int) -> F64:
    """Return what to multiply each class of differences by; 1 where the games of a use say little."""
    chosen = seen.use[seen.game] == use
    x = np.stack([sums[chosen].ravel() for sums in by_class(seen)], axis=1)
    y = seen.result[chosen].ravel()
    square = x.T @ x
    square[np.diag_indices_from(square)] += 1e-3 * np.trace(square) / CLASSES
    found: F64 = 1 + np.linalg.solve(square, x.T @ (y - x.sum(axis=1)))
    return found


def fit_deals(seen: Seen, left: F64, deals: F64) -> F64:
    """Return (4, D_SIZE, 4) values of deals by role, from what is ``left`` of the results of hands."""
    chosen = seen.use[seen.game] == VALUES
    goal = turned(left[chosen], seen.dealer[chosen])
    x = deals[chosen] - deals[chosen].mean(axis=0)
    square = x.T @ x
    square[np.diag_indices_from(square)] += RIDGE
    found = np.linalg.solve(square, x.T @ (goal - goal.mean(axis=0)))
    return np.ascontiguousarray(found.reshape(4, luck_layout.D_SIZE, 4))


def deals_of(seen: Seen) -> F64:
    """Return (hands, 4 * D_SIZE) inputs of deals; 0 for a deal that cannot be."""
    deals = np.zeros((len(seen.result), seen.deals.shape[1]))
    deals[seen.hand[seen.cells[:, luck_layout.N_SORT] == luck_layout.DEALT]] = seen.deals
    return deals


def add_deals(seen: Seen, values: LuckValues, deals: F64) -> None:
    """Write the differences of deals under these values."""
    rows = np.flatnonzero(seen.cells[:, luck_layout.N_SORT] == luck_layout.DEALT)
    hand = seen.hand[rows]
    over = deals[hand].reshape(-1, 4, luck_layout.D_SIZE) - values.deal_means[(1, 1, 1)]
    by_role = np.einsum("nri,rig->ng", over, values.deal)
    seen.luck[rows] = turned(by_role, -seen.dealer[hand] % 4)


def variance_left(seen: Seen, shares: F64, use: int) -> str:
    """Say how much variance is left of hands and games."""
    luck = sum(share * sums for share, sums in zip(shares, by_class(seen), strict=True))
    chosen, of = seen.use[seen.game] == use, seen.use == use
    games, left = np.zeros((2, len(seen.source), 4))
    np.add.at(games, seen.game, seen.result)
    np.add.at(left, seen.game, seen.result - luck)
    hands = (seen.result - luck)[chosen].var() / seen.result[chosen].var()
    return f"hand {hands:.4f}, game {left[of].var() / games[of].var():.4f}"


def empty_values() -> LuckValues:
    """Return values of nothing: to look at nodes before there are any."""
    return LuckValues(
        np.zeros((luck_layout.INPUTS, luck_layout.HIDDEN), np.float32),
        np.zeros(luck_layout.HIDDEN, np.float32),
        np.zeros((luck_layout.HIDDEN, 4), np.float32),
        np.zeros(4, np.float32),
        np.zeros((4, luck_layout.D_SIZE, 4)),
        {(0, 0, 0): np.zeros(luck_layout.D_SIZE), (1, 1, 1): np.zeros(luck_layout.D_SIZE)},
        np.ones(CLASSES),
    )


def main() -> None:
    """Fit, and write the values if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, default=list(FOLDERS))
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--cache", type=Path)
    options = parser.parse_args()
    tenhou = load_preset("tenhou")
    without = tenhou.changed(red_man=0, red_pin=0, red_sou=0)
    means = {(1, 1, 1): mean_deal(tenhou, MEAN_DEALS), (0, 0, 0): mean_deal(without, MEAN_DEALS)}
    values = replace(empty_values(), deal_means=means)
    if options.cache and options.cache.exists():
        seen = pickle.loads(options.cache.read_bytes())  # noqa: S301  our own
    else:
        seen = look(batches_of(options.paths), lambda players: values if players == 4 else None, keep=True)
        if options.cache:
            options.cache.write_bytes(pickle.dumps(seen))
    counts = [int((seen.use == use).sum()) for use in (VALUES, SHARES, TESTS)]
    print(f"{counts} games, {len(seen.result):,} hands, {len(seen.cells):,} nodes", flush=True)
    deals = deals_of(seen)
    drawn = seen.cells[:, luck_layout.N_SORT] == luck_layout.DRAWN
    rows = drawn & (seen.use[seen.game] == VALUES)[seen.hand]
    inputs = seen.inputs[rows]
    seen.inputs = seen.inputs[:0]
    later = np.zeros_like(seen.ahead)
    for number, epochs in enumerate(EPOCHS):
        goal = turned(seen.ahead - later, seen.cells[:, luck_layout.N_SEAT])[rows] / luck_layout.POINTS
        goal = np.clip(goal, -CAP, CAP).astype(np.float32)
        into, bias, out, out_bias = fit_network(inputs, goal, epochs, number)
        values = replace(values, into=into, bias=bias, out=out, out_bias=out_bias)
        seen = look(batches_of(options.paths), lambda players: values if players == 4 else None)  # noqa: B023
        shares = fit_shares(seen, VALUES)
        shares[DEALS] = 0
        later = later_luck(seen, shares)
        print(f"network {number + 1}, without deals: {variance_left(seen, shares, SHARES)}", flush=True)
    left = seen.result - sum(share * sums for share, sums in zip(shares, by_class(seen), strict=True))
    values = replace(values, deal=fit_deals(seen, left, deals))
    add_deals(seen, values, deals)
    shares = fit_shares(seen, SHARES)
    about = {
        "games": counts[VALUES],
        "games of shares": counts[SHARES],
        "from": "Tenhou games of 2008 to 2023, four in five by a hash of the file's name",
    }
    print("shares", shares.round(2).tolist())
    for name, of in (("values", VALUES), ("shares", SHARES), ("tests", TESTS)):
        print(f"variance left, games of {name}: {variance_left(seen, shares, of)}")
    reds = sorted(values.deal_means)
    arrays: dict[str, npt.NDArray[Any]] = {
        "into": values.into.astype(np.float16), "bias": values.bias, "out": values.out,
        "out_bias": values.out_bias, "deal": values.deal, "shares": shares, "reds": np.array(reds, np.int64),
        "deal_means": np.array([values.deal_means[one] for one in reds]),
    }  # fmt: skip
    if options.write:
        ship("luck", 4, arrays, __file__, about)


if __name__ == "__main__":
    main()
