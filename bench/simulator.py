"""How fast games are played: ``python bench/simulator.py [--games N] [--rules NAME]``.

On one core, in CPU time: playing alone, playing and writing mjlog (what ``paifu simulate`` does), and, for
comparison, reading those logs back and replaying them. Compilation is not counted.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

from paifu.api.simulated import play_and_write
from paifu.coach.simulate.games import PLAYERS, Simulator
from paifu.parsers.read import read_unit
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.replay.rulesets.presets import load_preset
from paifu.replay.table.engine import replay


def timed(what: str, games: int, work: Callable[[], Any]) -> Any:
    """Run, and print games a second."""
    begin = time.process_time()
    result = work()
    seconds = time.process_time() - begin
    print(f"  {what:<40} {games / seconds:8.0f} games/s {1000 * seconds / games:8.3f} ms a game")
    return result


def main() -> None:
    """Measure each kind of player, four and three at the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--rules", nargs="*", default=["tenhou", "tenhou-sanma"])
    options = parser.parse_args()
    numbers = list(range(options.games))
    for name in options.rules:
        rules = load_preset(name)
        for kinds in (("balanced",), ("tile-efficient",), ("wild", "caller", "defender", "balanced")):
            players = [PLAYERS[kind] for kind in kinds]
            simulator = Simulator(rules, players)
            print(f"{name}, {', '.join(kinds)}: {options.games} games")
            timed("played", options.games, lambda: [simulator.game(n) for n in numbers])  # noqa: B023
            logs = timed("played and written as mjlog", options.games, lambda: play_and_write(numbers, rules, players, "mjlog"))  # noqa: B023, E501  # fmt: skip
            documents = [Document(str(n), log, Format.MJLOG) for n, (log, _) in enumerate(logs)]
            batch = timed("read back", options.games, lambda: read_unit(documents))  # noqa: B023
            facts = timed("replayed", options.games, lambda: replay(batch))  # noqa: B023
            checked = facts.checked
            print(f"  {checked.hands} hands, {checked.events} moves, {len(facts.findings)} findings")


if __name__ == "__main__":
    main()
