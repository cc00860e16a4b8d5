"""Count what mistakes cost players of each room: ``python bench/losses.py PATH... [-o FILE]``.

FILE is the table that ships (``reports/judgement/shipped/losses.json``). A game that occurs twice counts
once. Nobody is named in it, and a room with too few players is left out.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

from paifu.parsers.read import read_batches
from paifu.reports.judgement.choices import choices
from paifu.reports.judgement.reference import SCHEMA, SHIPPED, Room
from paifu.reports.judgement.sums import MIN_LOSS, PlayerLosses
from paifu.reports.metrics.rooms import room_of

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "logs" / "mjlog"
LEAST_HANDS, LEAST_PLAYERS = 100, 50
STEPS = 20


def main() -> None:
    """Count, and print or write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, default=[CORPUS])
    parser.add_argument("-o", "--output", type=Path, default=SHIPPED)
    options = parser.parse_args()
    found: dict[Room, dict[str, PlayerLosses]] = defaultdict(lambda: defaultdict(PlayerLosses))
    games: Counter[Room] = Counter()
    seen: set[str] = set()
    for batch in read_batches(options.paths):
        for number in range(len(batch)):
            name = str(batch.games.id[number] or batch.games.source[number])
            if name in seen:
                continue
            seen.add(name)
            room = int(batch.games.players[number]), room_of(batch, number)
            games[room] += 1
            for player, own in choices(batch.take(number), min_loss=MIN_LOSS).players.items():
                found[room][player] += own
    rooms = []
    for room, players in sorted(found.items()):
        losses = [one.per_100("push_and_fold")[0] for one in players.values() if one.hands >= LEAST_HANDS]
        print(f"{room}: {games[room]:,} games, {len(players):,} players, {len(losses):,} with enough hands")
        if len(losses) >= LEAST_PLAYERS:
            quantiles = np.quantile(losses, np.linspace(0, 1, STEPS + 1)).round().astype(int).tolist()
            rooms.append(
                {
                    "seats": room[0], "room": room[1], "games": games[room], "players": len(losses),
                    "least_hands": LEAST_HANDS, "push_and_fold": quantiles,
                }
            )  # fmt: skip
    options.output.write_text(json.dumps({"schema": SCHEMA, "rooms": rooms}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
