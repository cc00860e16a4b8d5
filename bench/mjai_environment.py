"""Let our bots play games in RiichiEnv, an independent engine that asks over mjai, and count illegal moves.

``python bench/mjai_environment.py [GAMES]``. The bots get each seat's events as JSON and answer in JSON. A
move is illegal when the environment does not list it. Needs the package ``riichienv``.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

_SEEDS_A_GAME = 1000
"""A game takes its walls from as many seeds as it has hands."""
MODES = {4: "4p-red-half", 3: "3p-red-half"}


@dataclass(slots=True)
class Count:
    """What came of some games."""

    games: int = 0
    asked: int = 0
    ranks: dict[str, list[int]] = field(default_factory=dict)
    illegal: list[str] = field(default_factory=list)


def play(kinds: Sequence[str], games: int, first: int = 0) -> Count:
    """Play ``games`` games of bots of these kinds, by seat."""
    import riichienv

    from paifu.api.playing import bot

    count = Count()
    bots = [bot(kind, seed=seat) for seat, kind in enumerate(kinds)]
    for number in range(first, first + games):
        env: Any = riichienv.RiichiEnv(game_mode=MODES[len(kinds)], seed=number * _SEEDS_A_GAME)
        asked = env.reset()
        while not env.done():
            actions = {}
            for seat, view in asked.items():
                events = [json.loads(event) for event in view.new_events()]
                for event in events:
                    if event["type"] == "start_game":
                        event["id"] = seat
                answer = json.dumps(bots[seat].react(events))
                action = view.select_action_from_mjai(answer)
                count.asked += 1
                if action is None or bots[seat].complaints:
                    told = f"game {number}, seat {seat}: {answer} {bots[seat].complaints}"
                    count.illegal.append(told)
                    bots[seat].complaints.clear()
                actions[seat] = action or view.legal_actions()[0]
            asked = env.step(actions)
        count.games += 1
        for kind, rank in zip(kinds, env.ranks(), strict=True):
            count.ranks.setdefault(kind, []).append(rank)
    return count


def main() -> None:
    """Play games of four and of three."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    for kinds in (("model", "balanced", "caller", "tile-efficient"), ("model", "balanced", "caller")):
        begun = time.process_time()
        count = play(kinds, games)
        seconds = time.process_time() - begun
        ranks = ", ".join(f"{kind} {sum(got) / len(got):.2f}" for kind, got in count.ranks.items())
        print(
            f"{len(kinds)} players: {count.games} games, {count.asked} answers, "
            f"{len(count.illegal)} illegal; {1000 * seconds / games:.0f} ms a game; average rank: {ranks}"
        )
        for told in count.illegal[:10]:
            print("   ", told)


if __name__ == "__main__":
    main()
