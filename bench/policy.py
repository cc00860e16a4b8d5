"""How well the policy knows what strong players choose: ``python bench/policy.py PATH... [--cache FOLDER]``.

Measured on the games that every fit leaves out, one in five. For people in the houou room, for
those of the tokujou room, and for programs: how often the option it rates highest is the one that was
chosen, at own turns, where a hand is far from a threat and where it is under one, and where a discard could
be called; the log loss; and the first choices if it sees the hand alone. Then how often options were chosen
to which it gave a chance of 0 to 10%, 10 to 20%, and so on.

``--moments N`` looks at no more than N decisions of each group.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from policy_games import Examples, read
from policy_games import alone as hand_alone

from paifu.coach.judgement.policy import Policy, shipped_policy
from paifu.coach.kernels.option_rows import OPTION
from paifu.coach.kernels.policy_inputs import RIICHI
from paifu.coach.model_files import load

AT_ONCE = 2048
Numbers = npt.NDArray[Any]


def measured(examples: Examples, rows: Numbers, policy: Policy, *, alone: bool = False) -> Iterator[Numbers]:
    """Yield chances of options, and 1 for those chosen, in two rows for each decision."""
    for begin in range(0, len(rows), AT_ONCE):
        at, cells, first = examples.some(np.sort(rows[begin : begin + AT_ONCE]))
        if alone:
            at = hand_alone(at, np.ones(len(at.marks), bool))
        chances = policy.chances(at, cells, first)
        both = np.stack([chances, cells[:, OPTION.chosen]])
        yield from np.split(both, first[1:], axis=1)


def summary(decisions: list[Numbers]) -> tuple[float, float, float]:
    """Return first choices, their standard error (by decision), and the log loss."""
    hits = np.array([chosen[chances.argmax()] for chances, chosen in decisions])
    lost = np.array([-np.log(max(1e-9, float(chances[chosen == 1][0]))) for chances, chosen in decisions])
    return float(hits.mean()), float(hits.std() / np.sqrt(len(hits))), float(lost.mean())


def tenths(decisions: list[Numbers]) -> Iterator[tuple[int, float, float, float]]:
    """Yield by tenths of the chance: options, mean chance, share chosen, its standard error."""
    chances, chosen = np.concatenate(decisions, axis=1)
    tenth = np.minimum(9, (chances * 10).astype(int))
    for number in range(10):
        own = tenth == number
        if own.any():
            share = float(chosen[own].mean())
            error = float(np.sqrt(share * (1 - share) / own.sum()))
            yield int(own.sum()), float(chances[own].mean()), share, error


def groups(examples: Examples) -> dict[str, Numbers]:
    """Return which decisions are of which group, by name."""
    kept, calls = examples.kept_away, examples.is_call
    threat = (examples.boards.marks[:, RIICHI + 1 : RIICHI + 4] > 0).any(axis=1)
    people, tokujou = examples.houou & ~examples.program, ~examples.houou & ~examples.program
    return {
        "houou, own turns": kept & people & ~calls,
        "  nobody in riichi": kept & people & ~calls & ~threat,
        "  others in riichi": kept & people & ~calls & threat,
        "houou, calls": kept & people & calls,
        "tokujou, own turns": kept & tokujou & ~calls,
        "programs, own turns": kept & examples.program & ~calls,
        "programs, calls": kept & examples.program & calls,
    }


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--moments", type=int, default=10**9)
    parser.add_argument("--players", type=int, default=4, choices=(3, 4))
    parser.add_argument("--policy", type=Path, help="a file of weights in place of the one that ships")
    options = parser.parse_args()
    policy = Policy.of(load(options.policy)) if options.policy else shipped_policy(options.players)
    if policy is None:
        raise SystemExit("no policy ships")
    examples = read(options.paths, options.cache, only_kept=not options.cache, players=options.players)
    rng = np.random.default_rng(1)
    print(f"{examples.games(True):,} games kept away")
    print(f"{'':22}{'decisions':>10}{'first choices':>20}{'log loss':>10}{'hand alone':>12}")
    for name, chosen in groups(examples).items():
        rows = rng.permutation(np.flatnonzero(chosen))[: options.moments]
        if not len(rows):
            continue
        found = list(measured(examples, rows, policy))
        share, error, loss = summary(found)
        alone = ""
        if "turns" in name or "nobody" in name:
            alone = f"{summary(list(measured(examples, rows, policy, alone=True)))[0]:.1%}"
        print(f"{name:22}{len(found):10,}{share:14.1%} ±{2 * error:4.1%}{loss:10.3f}{alone:>12}")
        if name.startswith("houou"):
            for number, chance, seen, spread in tenths(found):
                print(
                    f"    {number:10,} options: {chance:6.1%} expected, {seen:6.1%} ±{2 * spread:5.1%} chosen"
                )


if __name__ == "__main__":
    main()
