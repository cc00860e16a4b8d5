"""Count mistakes and habits of each room and grade: ``python bench/habits.py PATH... [--held-out]``.

For each room of Tenhou, each grade, and each code that is a mistake or a habit: in how many of 1,000 hands of
people, and how much players differ, as the number of cases expected from a player at which his own count says
as much as the rate of all. The figures stand in ``BY_ROOM``, ``ALIKE`` and ``BY_GRADE`` of
``reports/judged.py``.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

import numpy as np
from held_out import games_of_four, seats_in

from paifu.coach.judgement.choices import choices
from paifu.coach.judgement.mistakes import MIN_LOSS, PlayerMistakes
from paifu.coach.judgement.verdicts import PROVED
from paifu.reports.metrics.counters import is_program
from paifu.reports.metrics.rooms import room_of

FIRST_DAN = 10


def alike(n: list[int], expected: list[float]) -> float:
    """Return the cases expected of a player at which his own count says as much as the rate of all.

    Counts of players who differ spread farther around what is expected than by chance. Infinite if not.
    """
    own, mean = np.array(n, float), np.array(expected)
    more = float(((own - mean) ** 2 - mean).sum() / max(1e-9, (mean**2).sum()))
    return 1 / more if more > 0 else float("inf")


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--held-out", action="store_true", help="only games that every fit leaves out")
    options = parser.parse_args()
    rooms: dict[str, dict[str, PlayerMistakes]] = defaultdict(lambda: defaultdict(PlayerMistakes))
    for batch, wanted in games_of_four(options.paths, only_held_out=options.held_out):
        judged = choices(batch, min_loss=MIN_LOSS, seats=seats_in(batch, wanted))
        for (game, name), own in judged.mistakes.items():
            if name and not is_program(name):
                seat = batch.games.names[game].tolist().index(name)
                dan = int(batch.games.dan[game, seat]) - FIRST_DAN + 1
                rooms[room_of(batch, game)][name] += own
                rooms[f"{dan}-dan"][name] += own
    for room, players in sorted(rooms.items()):
        hands = sum(own.hands for own in players.values())
        print(f"{room or '-'}: {len(players):,} players, {hands:,} hands")
        for code in PROVED:
            n = sum(own.found[code] for own in players.values())
            expected = [n * own.hands / hands for own in players.values()]
            counts = [own.found[code] for own in players.values()]
            rate, near = 1000 * n / hands, alike(counts, expected)
            print(f"  {code} {n:,}: {rate:.2f} in 1,000 hands, alike {near:.1f}")


if __name__ == "__main__":
    main()
