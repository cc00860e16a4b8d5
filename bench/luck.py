"""Test whether luck is what it says: without bias, and worth subtracting.

    python bench/luck.py [PATH...] [--games N] [--walls-only]

On real games that no fit has seen, and on simulated ones, whose walls are known to be fair: the mean of the
differences in bins of shanten, turn, riichi, seat, place and round, as z-scores, whose mean square should be
1; and the variance that is left of hands and games without luck. Then planted: a wall that favours a seat
must show as luck, and a better player must not.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from luck_games import FOLDERS, SHARES, TESTS, VALUES, Seen, batches_of, look, use_of

from paifu.parsers.simulated import batch_of
from paifu.replay.course.settlement import HandStart
from paifu.replay.kernels import luck_layout
from paifu.replay.luck.ledger import LuckLedger, luck_ledger
from paifu.replay.luck.measuring import chance_nodes
from paifu.replay.model.batch import Batch
from paifu.replay.rulesets.presets import load_preset
from paifu.replay.shapes.shanten import acceptance
from paifu.replay.simulate.games import PLAYERS, Simulator
from paifu.replay.table.engine import replay

F64 = npt.NDArray[np.float64]
I64 = npt.NDArray[np.int64]
ENOUGH = 100
"""Differences that a bin must have."""
CHUNK = 200


@dataclass(frozen=True, slots=True)
class Bins:
    """z-scores of the mean differences in bins."""

    names: list[str]
    counts: I64
    means: F64
    scores: F64

    @property
    def square(self) -> float:
        """Mean of the squared scores: 1 where there is no bias."""
        return float((self.scores**2).mean())

    def lines(self) -> Iterator[str]:
        """Say how they are spread."""
        worst = int(np.abs(self.scores).argmax())
        yield (
            f"{len(self.scores)} bins of {self.counts.min():,} to {self.counts.max():,} differences: mean z² "
            f"{self.square:.3f} (error {np.sqrt(2 / len(self.scores)):.3f}), largest |z| "
            f"{abs(self.scores[worst]):.2f} at {self.names[worst]} (mean {self.means[worst]:+.1f} points)"
        )


def binned(named: Sequence[tuple[str, npt.NDArray[np.int64], F64]], enough: int = ENOUGH) -> Bins:
    """Return the bins of (name, keys, values); keys are numbers of bins, negative for none."""
    names, counts, means, scores = [], [], [], []
    for name, keys, values in named:
        kept = keys >= 0
        number = np.bincount(keys[kept])
        total = np.bincount(keys[kept], values[kept])
        squares = np.bincount(keys[kept], values[kept] ** 2)
        for key in np.flatnonzero(number >= enough).tolist():
            n, mean = int(number[key]), float(total[key] / number[key])
            spread = float(squares[key]) / n - mean**2
            if spread > 0:
                names.append(f"{name} {key}")
                counts.append(n)
                means.append(mean)
                scores.append(mean / np.sqrt(spread / (n - 1)))
    return Bins(names, np.array(counts), np.array(means), np.array(scores))


def bins_of(seen: Seen) -> Bins:
    """Return the bins of the tests: by drawer, by who looks on, deals, kan dora and ura."""
    cells, hand = seen.cells.astype(np.int64), seen.hand
    drawn = cells[:, luck_layout.N_SORT] == luck_layout.DRAWN
    every = np.arange(len(cells))
    seat = np.minimum(cells[:, luck_layout.N_SEAT], 3)
    dealer, round_ = seen.dealer[hand], seen.round[hand]
    held = _places(seen.scores)[hand]
    own, role = seen.luck[every, seat], (seat - dealer) % 4
    shanten = np.clip(cells[:, luck_layout.N_SHANTEN], 0, 4)
    turn = np.minimum(cells[:, luck_layout.N_TURN] // 3, 5)
    riichi = cells[:, luck_layout.N_RIICHI]
    mine = riichi >> seat & 1
    state = np.where(mine == 1, 2, (riichi > 0).astype(np.int64))

    def only(keys: I64, rows: npt.NDArray[np.bool_] = drawn) -> I64:
        return np.where(rows, keys, -1)

    named = [
        ("draw by shanten, turn, riichi, seat", only(((shanten * 6 + turn) * 3 + state) * 4 + role), own),
        (
            "draw by place, seat, wind",
            only((held[every, seat] * 4 + role) * 3 + np.minimum(round_ // 4, 2)),
            own,
        ),
        ("draw by supplement, riichi", only(cells[:, luck_layout.N_SUPPLEMENT] * 3 + state), own),
    ]
    for place in range(1, 4):
        other = (seat + place) % 4
        named.append(
            (
                f"others' draw, {place} before",
                only(((shanten * 3 + state) * 4 + (other - dealer) % 4) * 3 + np.minimum(turn // 2, 2)),
                seen.luck[every, other],
            )
        )
    for name, sort in (("deal", luck_layout.DEALT), ("kan dora", luck_layout.DORA), ("ura", luck_layout.URA)):
        rows = cells[:, luck_layout.N_SORT] == sort
        for one in range(4):
            keys = ((one - dealer) % 4) * 4 + held[every, one]
            named.append((f"{name} of seat {one} by seat, place", only(keys, rows), seen.luck[:, one]))
    return binned(named)


def _places(scores: I64) -> I64:
    """Return (n, 4) place held, 0 first; equal points by seat."""
    order = np.argsort(-scores, axis=1, kind="stable")
    places = np.empty_like(order)
    np.put_along_axis(places, order, np.arange(4)[None].repeat(len(order), axis=0), axis=1)
    return places


def left(values: F64, luck: F64) -> tuple[float, float]:
    """Return the share of the variance that luck leaves, and its error by blocks."""
    share = float((values - luck).var() / values.var())
    blocks = [
        (v - w).var() / v.var()
        for v, w in zip(np.array_split(values, 20), np.array_split(luck, 20), strict=True)
    ]
    return share, float(np.std(blocks) / np.sqrt(len(blocks)))


def report_variance(
    batches: Sequence[Batch], use: int | None, utilities: Sequence[str] = ()
) -> Iterator[str]:
    """Yield how much variance is left of the hands and games of one use."""
    results, lucks, games, game_lucks = [], [], [], []
    worths: dict[str, tuple[list[F64], list[F64]]] = {name: ([], []) for name in utilities}
    for batch in batches:
        kept = batch
        if use is not None:
            mask = np.array([use_of(str(source)) == use for source in batch.games.source])
            if not mask.any():
                continue
            kept = batch.only(mask)
        for name in utilities or ("",):
            ledger = luck_ledger(kept, worth=name)
            if name:
                worths[name][0].append(ledger.worth)
                worths[name][1].append(_by_game(ledger, ledger.worth_luck))
        results.append(ledger.result)
        lucks.append(ledger.luck)
        games.append(_by_game(ledger, ledger.result))
        game_lucks.append(_by_game(ledger, ledger.luck))
    result, luck = np.concatenate(results), np.concatenate(lucks)
    yield f"{len(np.concatenate(games)):,} games, {len(result):,} hands"
    yield "variance left, hand {:.3f} ± {:.3f}".format(*left(result, luck))
    yield "variance left, points of a game {:.3f} ± {:.3f}".format(
        *left(np.concatenate(games), np.concatenate(game_lucks))
    )
    for name, (value, of_luck) in worths.items():
        yield "variance left, {} {:.3f} ± {:.3f}".format(
            name, *left(np.concatenate(value), np.concatenate(of_luck))
        )


def _by_game(ledger: LuckLedger, of_hands: F64) -> F64:
    sums = np.zeros((len(ledger.games), 4))
    np.add.at(sums, ledger.game, of_hands)
    return sums


# --- simulated and planted ----------------------------------------------------------------------------------


class FavouredSeat(Simulator):
    """Walls in which one seat often draws what lowers the shanten of its deal."""

    def __init__(self, seat: int = 1, often: float = 0.7) -> None:
        super().__init__(load_preset("tenhou"), [PLAYERS["balanced"]])
        self.seat, self.often = seat, often

    def hand_begins(self, start: HandStart, _scores: Sequence[int]) -> None:
        """Swap tiles of the wall."""
        supply = self.desk.supply
        dealt = supply.tile_of[supply.dealt[self.seat]]
        kinds = np.where(dealt >= 34, 9 * (dealt.astype(int) - 34) + 4, dealt)
        wanted = set(acceptance(kinds.tolist()).kinds)
        tile_of, rng = supply.tile_of, np.random.default_rng(int(supply.live[0]) * 997 + int(supply.live[1]))
        for at in range((self.seat - start.dealer) % 4, 48, 4):
            if rng.random() >= self.often:
                continue
            for later in range(at + 1, 70):
                tile = int(tile_of[supply.live[later]])
                if (tile if tile < 34 else 9 * (tile - 34) + 4) in wanted:
                    supply.live[at], supply.live[later] = int(supply.live[later]), int(supply.live[at])
                    break


def simulated(simulator: Simulator, games: int, first: int = 0) -> Iterator[Batch]:
    """Yield batches of simulated games."""
    for begin in range(first, first + games, CHUNK):
        yield batch_of(simulator.game(number) for number in range(begin, min(begin + CHUNK, first + games)))


def seat_lines(batches: Sequence[Batch]) -> Iterator[str]:
    """Yield mean result, luck and result without it by seat, points a game."""
    games, lucks = [], []
    for batch in batches:
        ledger = luck_ledger(batch)
        games.append(_by_game(ledger, ledger.result))
        lucks.append(_by_game(ledger, ledger.luck))
    result, luck = np.concatenate(games), np.concatenate(lucks)
    root = np.sqrt(len(result))
    for seat in range(4):
        parts = [
            f"{name} {values[:, seat].mean():+7.0f} ± {values[:, seat].std() / root:.0f}"
            for name, values in (("result", result), ("luck", luck), ("without luck", result - luck))
        ]
        yield f"  seat {seat}: {', '.join(parts)}"


def cost(batches: Sequence[Batch]) -> str:
    """Say what luck costs a game, beside a replay."""
    times = {"replay": 0.0, "luck": 0.0}
    for batch in batches:
        for name, work in (("replay", lambda: replay(batch)), ("luck", lambda: list(chance_nodes(batch)))):  # noqa: B023
            start = time.process_time()
            work()
            times[name] += time.process_time() - start
    games = sum(map(len, batches))
    return ", ".join(f"{name} {1000 * seconds / games:.2f} ms a game" for name, seconds in times.items())


def main() -> None:
    """Run the tests."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, default=list(FOLDERS))
    parser.add_argument("--games", type=int, default=2000, help="simulated games")
    parser.add_argument("--walls-only", action="store_true", help="leave the real games out")
    options = parser.parse_args()
    if not options.walls_only:
        batches = list(batches_of(options.paths))
        print(
            "real games that no fit has seen",
            *bins_of(look(batches, uses=(TESTS,))).lines(),
            sep="\n  ",
            flush=True,
        )
        for line in report_variance(batches, TESTS, ("tenhou-7dan", "rules")):
            print(f"  {line}", flush=True)
        for name, use in (("shares", SHARES), ("values", VALUES)):
            print(f"for comparison, games that the {name} were fitted on", flush=True)
            for line in report_variance(batches, use):
                print(f"  {line}", flush=True)
        print(" ", cost(batches[:2]))
    tenhou = load_preset("tenhou")
    fair = list(simulated(Simulator(tenhou, [PLAYERS["balanced"]]), options.games))
    print(
        "simulated games of fair walls",
        *bins_of(look(fair, uses=(VALUES, SHARES, TESTS))).lines(),
        sep="\n  ",
        flush=True,
    )
    for line in report_variance(fair, None):
        print(f"  {line}", flush=True)
    some = options.games // 4
    print(
        "walls that favour seat 1", *seat_lines(list(simulated(FavouredSeat(), some))), sep="\n", flush=True
    )
    better = [PLAYERS["balanced"], PLAYERS["tile-efficient"], PLAYERS["wild"], PLAYERS["wild"]]
    print(
        "unequal players, fair walls",
        *seat_lines(list(simulated(Simulator(tenhou, better), 2 * some))),
        sep="\n",
    )


if __name__ == "__main__":
    main()
