"""Fit how hands end from where they stand, for place chances inside hands.

    python bench/fit_course.py [PATH...] [--write] [--cache FILE]

Reads real games of four players, and leaves out those that ``bench/luck_games.py`` keeps for tests. One in
eight of the others says how well each pass does. ``--write`` puts the values where they ship; ``--cache``
keeps what was read.
"""

from __future__ import annotations

import argparse
import pickle
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from luck_games import FOLDERS, SHARES, TESTS, VALUES, batches_of, use_of
from place_games import template_of
from shipping import ship

from paifu.coach.kernels import luck_layout
from paifu.coach.luck.hand_ends import (
    ABORT,
    INPUTS,
    LEVELS,
    NOBODY,
    OUTPUTS,
    SEATS,
    WAYS,
    base_points,
    full_inputs,
    level_of,
)
from paifu.coach.luck.measuring import chance_nodes
from paifu.coach.places.templates import ABORTED, WON, Template
from paifu.replay.model.batch import Batch
from paifu.replay.rulesets.presets import rulesets_of
from paifu.replay.table.progress import Ends
from paifu.replay.table.stated import Ledger

F32 = npt.NDArray[np.float32]
I64 = npt.NDArray[np.int64]
HIDDEN = 128
EPOCHS = 10
BATCH = 2048
RATE = 2e-3
USUAL_INPUTS = 30
DECAY = 1e-5
L_WINNER, L_SOURCE, L_LEVEL, L_TENPAI, L_DRAWER, L_USE, L_SIZE = range(7)
"""Columns of the labels: seats count from the dealer; winner -1 for an exhaustive draw, -2 for an abort."""


@dataclass(frozen=True, slots=True)
class Draws:
    """Draws of games that may be fitted on."""

    before: npt.NDArray[np.float16]
    after: npt.NDArray[np.float16]
    labels: npt.NDArray[np.int8]
    base: npt.NDArray[np.int16]


def label_of(template: Template) -> tuple[int, int, int, int]:
    """Return winner, source, level and tenpai of an end."""
    if template.kind == WON:
        return template.winners[0], template.source, level_of(base_points(template)), 0
    return (-2 if template.kind == ABORTED else -1), -1, 0, template.tenpai


def gather(batches: Iterable[Batch]) -> Draws:
    """Return the draws of all hands whose ends are known."""
    parts: list[Draws] = []
    for whole in batches:
        batch = whole.only(np.array([use_of(str(source)) != TESTS for source in whole.games.source]))
        if not len(batch):
            continue
        rulesets = rulesets_of(batch)
        ledger = Ledger(batch, rulesets)
        ends = Ends(batch, ledger)
        paid = ledger.paid(np.arange(len(batch.hands)), batch.hands.event_end - 1)
        labels = np.full((len(batch.hands), L_SIZE), -9, np.int8)
        for hand in np.flatnonzero(ends.known).tolist():
            game = int(batch.hands.game[hand])
            found = template_of(batch, ends, hand, paid[hand], rulesets[game])
            if found is not None:
                labels[hand, :L_DRAWER] = label_of(found)
                labels[hand, L_USE] = use_of(str(batch.games.source[game]))
        for nodes in chance_nodes(batch, keep=True):
            hands = nodes.column(luck_layout.N_HAND)
            rows = np.flatnonzero(
                (nodes.column(luck_layout.N_SORT) == luck_layout.DRAWN) & (labels[hands, L_WINNER] != -9)
            )
            of = labels[hands[rows]]
            dealer = batch.hands.dealer[hands[rows]]
            of[:, L_DRAWER] = (nodes.column(luck_layout.N_SEAT)[rows] - dealer) % SEATS
            parts.append(
                Draws(
                    nodes.before[rows].astype(np.float16),
                    nodes.inputs[rows].astype(np.float16),
                    of,
                    nodes.column(luck_layout.N_BASE)[rows].astype(np.int16),
                )
            )
    return Draws(*(np.concatenate([getattr(one, name) for one in parts]) for name in Draws.__slots__))


def goals(labels: npt.NDArray[np.int8]) -> tuple[I64, I64, F32, npt.NDArray[np.bool_]]:
    """Return way, level row (-1 for no win), tenpai and whether it is a draw, seats from the drawer."""
    of = labels.astype(np.int64)
    drawer = of[:, L_DRAWER]
    winner, source = (of[:, L_WINNER] - drawer) % SEATS, (of[:, L_SOURCE] - drawer) % SEATS
    won = of[:, L_WINNER] >= 0
    way = np.where(won, 4 * winner + source, np.where(of[:, L_WINNER] == -1, NOBODY, ABORT))
    level = np.where(won, (winner * 2 + (winner == source)) * LEVELS + of[:, L_LEVEL], -1)
    places = (np.arange(SEATS) + drawer[:, None]) % SEATS
    tenpai = (of[:, L_TENPAI, None] >> places & 1).astype(np.float32)
    return way, level, tenpai, way == NOBODY


def losses(logits: F32, labels: npt.NDArray[np.int8]) -> tuple[float, F32]:
    """Return the summed log loss, and its slopes by logit."""
    way, level, tenpai, is_draw = goals(labels)
    every, slopes = np.arange(len(labels)), np.zeros_like(logits)
    shares = _softmax(logits[:, :WAYS])
    loss = -float(np.log(shares[every, way] + 1e-12).sum())
    slopes[:, :WAYS] = shares
    slopes[every, way] -= 1
    won = np.flatnonzero(level >= 0)
    row, at = level[won] // LEVELS, level[won] % LEVELS
    block = logits[:, WAYS:-SEATS].reshape(len(labels), -1, LEVELS)
    of_level = _softmax(block[won, row])
    loss -= float(np.log(of_level[np.arange(len(won)), at] + 1e-12).sum())
    of_level[np.arange(len(won)), at] -= 1
    back = np.zeros_like(block)
    back[won, row] = of_level
    slopes[:, WAYS:-SEATS] = back.reshape(len(labels), -1)
    chance = 1 / (1 + np.exp(-logits[is_draw, -SEATS:]))
    goal = tenpai[is_draw]
    loss -= float(np.log(np.where(goal > 0, chance, 1 - chance) + 1e-12).sum())
    slopes[is_draw, -SEATS:] = chance - goal
    return loss, slopes


def _softmax(logits: F32) -> F32:
    shares: F32 = np.exp(logits - logits.max(axis=-1, keepdims=True))
    shares /= shares.sum(axis=-1, keepdims=True)
    return shares


def inputs_of(draws: Draws, rows: I64, before: bool) -> F32:
    """Return the inputs of some draws."""
    if before:
        return full_inputs(draws.before[rows], None)
    return full_inputs(draws.after[rows], draws.base[rows])


def fit(draws: Draws) -> list[F32]:
    """Return weights and biases: Adam on the log loss, the rate falling to nothing."""
    rng = np.random.default_rng(0)
    parameters = [
        rng.normal(0, np.sqrt(2 / USUAL_INPUTS), (INPUTS, HIDDEN)).astype(np.float32),
        np.zeros(HIDDEN, np.float32),
        rng.normal(0, 0.1, (HIDDEN, OUTPUTS)).astype(np.float32),
        np.zeros(OUTPUTS, np.float32),
    ]
    first, second = ([np.zeros_like(array) for array in parameters] for _ in range(2))
    rows = np.flatnonzero(draws.labels[:, L_USE] == VALUES)
    checks = np.flatnonzero(draws.labels[:, L_USE] == SHARES)[::5]
    steps, step = EPOCHS * (len(rows) // BATCH), 0
    for epoch in range(EPOCHS):
        order, start = rng.permutation(rows), time.time()
        for begin in range(0, len(order) - BATCH + 1, BATCH):
            some = np.sort(order[begin : begin + BATCH])
            x = inputs_of(draws, some, before=bool(rng.random() < 0.5))
            into, bias, out, out_bias = parameters
            hidden = np.maximum(x @ into + bias, 0)
            _loss, slopes = losses(hidden @ out + out_bias, draws.labels[some])
            slopes /= len(some)
            inner = (slopes @ out.T) * (hidden > 0)
            step += 1
            rate = RATE * min(1, step / 300) * (1 + np.cos(np.pi * step / steps)) / 2
            found = (x.T @ inner, inner.sum(axis=0), hidden.T @ slopes, slopes.sum(axis=0))
            for i, slope in enumerate(found):
                grown = slope + DECAY * parameters[i]
                first[i] += 0.1 * (grown - first[i])
                second[i] += 0.001 * (grown**2 - second[i])
                size = np.sqrt(second[i] / (1 - 0.999**step)) + 1e-8
                parameters[i] -= np.float32(rate / (1 - 0.9**step)) * (first[i] / size).astype(np.float32)
        told = []
        for some in (checks, rows[::40]):
            for before in (True, False):
                into, bias, out, out_bias = parameters
                logits = np.maximum(inputs_of(draws, some, before) @ into + bias, 0) @ out + out_bias
                told.append(losses(logits, draws.labels[some])[0] / len(some))
        words = "log loss before and after draws {:.4f} {:.4f} (fitted games {:.4f} {:.4f})".format(*told)
        print(f"  pass {epoch + 1}: {words}, {time.time() - start:.0f} s", flush=True)
    return parameters


def main() -> None:
    """Fit, and write the values if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, default=list(FOLDERS))
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--cache", type=Path)
    options = parser.parse_args()
    if options.cache and options.cache.exists():
        draws = pickle.loads(options.cache.read_bytes())  # noqa: S301  our own
    else:
        draws = gather(batches_of(options.paths))
        if options.cache:
            options.cache.write_bytes(pickle.dumps(draws, protocol=5))
    use = draws.labels[:, L_USE]
    print(f"{(use == VALUES).sum():,} draws to fit, {(use == SHARES).sum():,} to check", flush=True)
    about = {
        "draws": int((use == VALUES).sum()),
        "from": "Tenhou games of 2008 to 2023, four in five by a hash of the file's name",
    }
    names = ("into", "bias", "out", "out_bias")
    arrays = dict(zip(names, (array.astype(np.float16) for array in fit(draws)), strict=True))
    if options.write:
        ship("ends", 4, arrays, __file__, about)


if __name__ == "__main__":
    main()
