"""Fit the policy: how likely strong players are to choose each option.

    python bench/fit_policy.py PATH... --cache FOLDER [--write] [--steps STEPS] [--players 3] [--on]

Reads games of Tenhou's houou and tokujou rooms, one in five of which is kept away: the same ones as for
``fit_model.py``. ``--on`` goes on from the network for four that ships; for three players, of whom there are
few games, it always does. A layer that this one lacks begins without effect. Needs PyTorch: ``pip install
torch``. ``--cache`` keeps what was read, and a second run reads only that. ``--write`` puts the network where
it ships.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from policy_games import Examples, alone, read
from shipping import ship
from torch import Tensor, nn
from torch.nn import functional

from paifu.coach.judgement.policy_inputs import numbers_of
from paifu.coach.kernels import policy_inputs as inputs
from paifu.coach.kernels.option_rows import OPTION
from paifu.coach.model_files import SHIPPED, load

WIDTH, LAYERS, WHOLE, OPTIONS, LAST, EMBEDDED = 64, 5, 128, 128, 64, 8
BATCH = 512
RATE = {4: 2e-3, 3: 5e-4}
DECAY = 1e-2
BLIND = 0.12
"""Share of examples whose rivers, melds and scores are hidden, so that the network knows hands alone, too."""
LESS = 0.7
"""Weight of people in the tokujou room; others count 1."""


class Network(nn.Module):  # type: ignore[misc]  # mypy does not see PyTorch
    """The network as :mod:`paifu.coach.kernels.policy_network` runs it."""

    def __init__(self) -> None:
        super().__init__()
        of = {
            "into": (5 * inputs.CHANNELS, WIDTH), "into_table": (inputs.SCALARS, WIDTH),
            "into_bias": (WIDTH,),
            "whole": (2 * WIDTH + inputs.SCALARS, WHOLE), "whole_bias": (WHOLE,),
            "kind": (WIDTH, OPTIONS), "feature": (inputs.FEATURES, OPTIONS),
            "danger": (inputs.DANGERS, EMBEDDED),
            "dangers": (EMBEDDED, OPTIONS), "of_whole": (WHOLE, OPTIONS), "option_bias": (OPTIONS,),
            "last": (OPTIONS, LAST), "last_mean": (OPTIONS, LAST), "last_most": (OPTIONS, LAST),
            "last_bias": (LAST,), "score": (LAST, 1),
        }  # fmt: skip
        for number in range(LAYERS):
            of |= {
                f"near{number}": (3 * WIDTH, WIDTH), f"suit{number}": (2 * WIDTH, WIDTH),
                f"mean{number}": (WIDTH + inputs.SCALARS, WIDTH), f"bias{number}": (WIDTH,),
                f"rank{number}": (WIDTH, WIDTH), f"out{number}": (WIDTH, WIDTH),
            }  # fmt: skip
        for name, shape in of.items():
            first = torch.zeros(shape)
            if len(shape) == 2:
                size = 1.0 / math.sqrt(shape[0])
                if name.startswith("out"):
                    size *= 0.3
                first = torch.randn(shape) * size * (0.1 if name == "score" else 1.2)
            setattr(self, name, nn.Parameter(first))

    def go_on(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Begin with the weights of another network of this width, which may have fewer layers."""
        begun = {name: torch.from_numpy(w.astype(np.float32)) for name, w in arrays.items()}
        new = [name for name in self.state_dict() if name not in begun and name.startswith("out")]
        begun |= {name: torch.zeros((WIDTH, WIDTH)) for name in new}
        self.load_state_dict({**self.state_dict(), **begun})

    def beside(self, suits: Tensor, weights: Tensor, taps: int) -> Tensor:
        """Return (n, 3, 9, out) of each kind with its neighbours."""
        kernel = weights.reshape(taps, -1, weights.shape[1]).permute(2, 1, 0)[:, :, None]
        kernel = kernel.contiguous(memory_format=torch.channels_last)
        return functional.conv2d(suits.permute(0, 3, 1, 2), kernel, padding=(0, taps // 2)).permute(
            0, 2, 3, 1
        )

    def alone(self, honours: Tensor, weights: Tensor, taps: int) -> Tensor:
        """Return (n, 7, out) of honours, which have no neighbours."""
        return honours @ weights.reshape(taps, -1, weights.shape[1])[taps // 2]

    def forward(
        self, x: Tensor, table: Tensor, feature: Tensor, danger: Tensor, kind: Tensor, there: Tensor
    ) -> Tensor:
        """Return the scores of the options (n, most)."""
        n = len(x)
        suits, honours = x[:, :27].reshape(n, 3, 9, -1), x[:, 27:]
        whole = (table @ self.into_table + self.into_bias)[:, None]
        suits = functional.relu(self.beside(suits, self.into, 5) + whole[:, None])
        honours = functional.relu(self.alone(honours, self.into, 5) + whole)
        for i in range(LAYERS):
            near, out = getattr(self, f"near{i}"), getattr(self, f"out{i}")
            mean, mean_honours = suits.mean(2), honours.mean(1)
            of_suit = torch.cat([mean, suits.max(2).values], 2) @ getattr(self, f"suit{i}")
            of_honours = torch.cat([mean_honours, honours.max(1).values], 1) @ getattr(self, f"suit{i}")
            mean = (27 * mean.mean(1) + 7 * mean_honours) / 34
            whole = (torch.cat([mean, table], 1) @ getattr(self, f"mean{i}") + getattr(self, f"bias{i}"))[
                :, None
            ]
            of_rank = (suits.mean(1) @ getattr(self, f"rank{i}"))[:, None]
            found = functional.relu(self.beside(suits, near, 3) + (of_suit + whole)[:, :, None] + of_rank)
            suits = suits + found @ out
            honours = (
                honours + functional.relu(self.alone(honours, near, 3) + of_honours[:, None] + whole) @ out
            )
        h = torch.cat([suits.reshape(n, 27, -1), honours], 1)
        whole = functional.relu(
            torch.cat([h.mean(1), h.max(1).values, table], 1) @ self.whole + self.whole_bias
        )
        own = torch.gather(h, 1, kind[:, :, None].expand(-1, -1, WIDTH))
        dangers = self.danger[danger].sum(2)
        z = functional.relu(
            own @ self.kind + feature @ self.feature + dangers @ self.dangers
            + (whole @ self.of_whole + self.option_bias)[:, None]
        )  # fmt: skip
        z = z * there[:, :, None]
        mean, most = z.sum(1) / there.sum(1, keepdim=True), z.max(1).values
        z = functional.relu(
            z @ self.last + (mean @ self.last_mean + most @ self.last_most + self.last_bias)[:, None]
        )
        return (z @ self.score)[:, :, 0].float().masked_fill(there == 0, -1e9)


def batch_of(examples: Examples, rows: npt.NDArray[np.int64], blind: float, rng: Any) -> tuple[Tensor, ...]:
    """Return inputs of some examples as tensors, options side by side, and which was chosen."""
    at, cells, first = examples.some(rows)
    if blind:
        hidden = (rng.random(len(rows)) < blind) & (at.marks[:, inputs.RIICHI : inputs.RIICHI + 4] == 0).all(
            1
        )
        at = alone(at, hidden & (at.marks[:, inputs.SOURCE] == 0))
    numbers = numbers_of(at, cells, first)
    length = np.diff(np.append(first, len(cells)))
    of, place = np.repeat(np.arange(len(rows)), length), np.arange(len(cells)) - np.repeat(first, length)
    shape = (len(rows), int(length.max()))

    def side_by_side(values: npt.NDArray[Any]) -> Tensor:
        found = np.zeros((*shape, *values.shape[1:]), values.dtype)
        found[of, place] = values
        return torch.from_numpy(found)

    there = side_by_side(np.ones(len(cells), np.float32))
    chosen = side_by_side(cells[:, OPTION.chosen]).argmax(1)
    return (
        torch.from_numpy(numbers.kinds), torch.from_numpy(numbers.table), side_by_side(numbers.options),
        side_by_side(numbers.dangers), side_by_side(numbers.kind), there, chosen,
    )  # fmt: skip


def main() -> None:
    """Fit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=10_000)
    parser.add_argument("--players", type=int, default=4, choices=(3, 4))
    parser.add_argument("--minutes", type=float, default=0, help="stop after so long, if not before")
    parser.add_argument("--on", action="store_true", help="go on from the network for four that ships")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    rng = np.random.default_rng(1)
    examples = read(options.paths, options.cache, options.players)
    fitted, kept = np.flatnonzero(~examples.kept_away), np.flatnonzero(examples.kept_away & examples.houou)
    kept = rng.permutation(kept)[:6144]
    print(f"{len(fitted):,} decisions to fit, {int(examples.kept_away.sum()):,} kept away", flush=True)
    weight = torch.from_numpy(np.where(examples.houou | examples.program, 1, LESS).astype(np.float32))
    network, rate = Network(), RATE[options.players]
    goes_on = options.on or options.players == 3
    if goes_on:
        network.go_on(load(SHIPPED / "policy-4.npz").arrays)
    optimizer = torch.optim.AdamW(network.parameters(), rate, betas=(0.9, 0.99), weight_decay=DECAY)
    mean = {name: value.detach().clone() for name, value in network.named_parameters()}
    order, at, begun, total = rng.permutation(fitted), 0, time.time(), 0.0
    done = 0.0
    for step in range(options.steps):
        done = (step + 1) / options.steps
        if options.minutes:
            done = max(done, (time.time() - begun) / (60 * options.minutes))
        if at + BATCH > len(order):
            order, at = rng.permutation(fitted), 0
        rows = np.sort(order[at : at + BATCH])
        at += BATCH
        *given, chosen = batch_of(examples, rows, BLIND, rng)
        with torch.autocast("cpu", torch.bfloat16):
            score = network(*given)
        loss = (functional.cross_entropy(score, chosen, reduction="none") * weight[rows]).mean()
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1, (step + 1) / 300) * (0.5 + 0.5 * math.cos(math.pi * min(1, done)))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        with torch.no_grad():
            keep = min(0.999, step / (step + 20))
            for name, value in network.named_parameters():
                mean[name].lerp_(value, 1 - keep)
        total += float(loss.detach())
        if step % 200 == 199:
            print(f"{step + 1} {total / 200:.4f} {time.time() - begun:.0f} s", flush=True)
            total = 0.0
        if step % 2000 == 1999 or done >= 1:
            now = {name: value.detach().clone() for name, value in network.named_parameters()}
            network.load_state_dict({**network.state_dict(), **mean})
            right, lost, turns, right_turns = 0, 0.0, 0, 0
            with torch.no_grad():
                for begin in range(0, len(kept), 512):
                    rows = np.sort(kept[begin : begin + 512])
                    *given, chosen = batch_of(examples, rows, 0, rng)
                    score = network(*given)
                    hit = score.argmax(1) == chosen
                    turn = torch.from_numpy(~examples.is_call[rows])
                    right += int(hit.sum())
                    right_turns += int((hit & turn).sum())
                    turns += int(turn.sum())
                    lost += float(functional.cross_entropy(score, chosen, reduction="sum"))
            print(
                f"kept away, houou: first choices {right / len(kept):.4f}, of own turns "
                f"{right_turns / turns:.4f}, log loss {lost / len(kept):.4f}",
                flush=True,
            )
            arrays = {name: value.numpy() for name, value in mean.items()}
            about = {
                "games": examples.games(False), "games kept away": examples.games(True),
                "decisions": len(fitted), "steps": step + 1, "batch": BATCH,
                "began": "the network for four" if goes_on else "nothing",
                "from": f"Tenhou games of {options.players} of 2008 to 2023, houou and tokujou rooms, "
                "four in five",
            }  # fmt: skip
            if options.write:
                halves = {name: arrays[name].astype(np.float16) for name in sorted(arrays)}
                ship("policy", options.players, halves, __file__, about)
            network.load_state_dict({**network.state_dict(), **now})
        if done >= 1:
            break


if __name__ == "__main__":
    main()
