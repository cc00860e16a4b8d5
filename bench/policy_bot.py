"""How fast the policy plays: ``python bench/policy_bot.py [--hands 200]``, on one processor.

Hands are played with the policy in all seats, one decision after the other, as ``paifu arena`` plays them.
Printed are hands a second, decisions a hand that have more than one option, and what share of the time the
network takes. Then comes the network alone, on decisions of such hands: microseconds a decision if one, or
many, are asked at once, and how many hands a second that leaves room for if all else took no time.
"""

from __future__ import annotations

import os

os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")

import argparse
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from paifu.parsers.simulated import batch_of
from paifu.replay.arrays import F32, I64, U8
from paifu.replay.course.settlement import HandStart
from paifu.replay.judgement.judged import judgements
from paifu.replay.judgement.policy import Policy, shipped_policy
from paifu.replay.judgement.policy_inputs import CALLS, Boards, boards
from paifu.replay.rulesets.presets import load_preset, rulesets_of
from paifu.replay.simulate.driven import DrivenGames
from paifu.replay.simulate.games import PlayedGame, PlayedHand
from paifu.replay.simulate.policy_seat import PolicySeat
from paifu.replay.simulate.seat import Answer, SeatMove

AT_ONCE = (1, 16, 256)
RULES = "tenhou"


class TimedPolicy:
    """A policy that keeps how long it took, in seconds of the processor."""

    def __init__(self, policy: Policy) -> None:
        self.policy, self.seconds, self.decisions = policy, 0.0, 0

    def chances(self, at: Boards, cells: U8, first: I64) -> F32:
        """Return what the policy does."""
        begun = time.process_time()
        found = self.policy.chances(at, cells, first)
        self.seconds += time.process_time() - begun
        self.decisions += len(first)
        return found


class Seats:
    """Four seats that are told what they see, and asked."""

    def __init__(self, players: Sequence[PolicySeat]) -> None:
        self.players, self.hands = players, 0

    def begin_hand(
        self, start: HandStart, scores: Sequence[int], dealt: Sequence[Sequence[int]], dora: int
    ) -> None:
        """Deal."""
        for seat, player in enumerate(self.players):
            player.begin(seat, start, scores, dealt[seat], dora)

    def tell(self, move: SeatMove) -> None:
        """Tell all seats; they do not look at what others draw."""
        for player in self.players:
            player.follow(move)

    def ask(self, seats: Sequence[int]) -> Sequence[Answer | None]:
        """Ask."""
        return [self.players[seat].choose() for seat in seats]

    def refuse(self, seat: int, answer: Answer) -> None:
        """No move of theirs breaks a rule."""
        raise AssertionError(f"seat {seat} may not do this: {answer}")

    def end_hand(self, hand: PlayedHand) -> None:  # noqa: ARG002
        """Count."""
        self.hands += 1


@contextmanager
def timed(found: list[float]) -> Iterator[None]:
    """Keep how long the block took, in seconds of the processor."""
    begun = time.process_time()
    yield
    found.append(time.process_time() - begun)


def main() -> None:
    """Play, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--hands", type=int, default=200, help="hands to play at least")
    options = parser.parse_args()
    policy = shipped_policy(4)
    if policy is None:
        raise SystemExit("no policy ships")
    rules, clock = load_preset(RULES), TimedPolicy(policy)
    times, games = list[float](), list[PlayedGame]()
    seats = Seats([PolicySeat(rules, seed, clock) for seed in range(4)])
    table = DrivenGames(rules, seats)
    table.game(0)  # what is done once is not counted
    seats.hands = clock.decisions = 0
    clock.seconds = 0.0
    with timed(times):
        while seats.hands < options.hands:
            games.append(table.game(len(games) + 1))
    each = clock.decisions / seats.hands
    print(f"{seats.hands} hands, {seats.hands / times[0]:.1f} a second")
    print(f"{each:.1f} decisions a hand; the network takes {clock.seconds / times[0]:.0%} of the time")
    batch = batch_of(games[: max(1, len(games) // 4)])
    one = next(iter(judgements(batch)))
    table_, made = one.table, one.chosen[:2048]
    at = boards(
        batch, rulesets_of(batch), table_.hand[made], table_.event[made], table_.seat[made],
        np.isin(table_.option[made], CALLS),
    )  # fmt: skip
    first, end = one.first[: len(made)], one.end[: len(made)]
    for number in AT_ONCE:
        times = []
        with timed(times):
            for begin in range(0, len(made), number):
                stop = min(len(made), begin + number)
                cells = one.cells[first[begin] : end[stop - 1]]
                policy.chances(at.rows(np.arange(begin, stop)), cells, first[begin:stop] - first[begin])
        took = times[0] / len(made)
        room = f"at most {1 / took / each:.0f} hands a second"
        print(f"{number:4} at once: {took * 1e6:6.0f} µs a decision, {room}")


if __name__ == "__main__":
    main()
