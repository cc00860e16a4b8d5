"""Count how often players who are ahead stay ahead: the table by which last hands are judged.

    python bench/places.py [PATH...] [--write]

Reads games, counts the pairs of players of each hand by points between them, hands to come and who deals, and
smooths the shares so that more points are never worse. ``--write`` puts the table where it ships.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from place_games import CORPUS, PlayedGame, read_games

from paifu.replay.course.settlement import hands_left, ranking
from paifu.replay.review import last_hands

F64 = npt.NDArray[np.float64]
MOST_LEFT = 7
DRAWN = 30
"""Pairs that the share of all dealers counts for."""


def count(games: Sequence[PlayedGame]) -> tuple[F64, F64]:
    """Return (hands left, who deals, points) how many pairs there were, and how many stayed ahead."""
    pairs, stayed = np.zeros((2, MOST_LEFT + 1, 3, len(last_hands.EDGES)))
    for game, hand in ((one, hand) for one in games for hand in one.hands):
        left = min(hands_left(game.rules, hand.start.round), MOST_LEFT)
        order = ranking(game.rules, hand.scores, game.first_dealer)
        for at, ahead in enumerate(order):
            for behind in order[at + 1 :]:
                lead = hand.scores[ahead] - hand.scores[behind]
                points = int(np.searchsorted(last_hands.EDGES, lead, "right")) - 1
                dealing = last_hands.NEITHER_DEALS
                if hand.start.dealer == ahead:
                    dealing = last_hands.AHEAD_DEALS
                elif hand.start.dealer == behind:
                    dealing = last_hands.BEHIND_DEALS
                pairs[left, dealing, points] += 1
                stayed[left, dealing, points] += game.places[ahead] < game.places[behind]
    return pairs, stayed


def rising(values: F64, weights: F64) -> F64:
    """Return the rising row nearest to one by weighted squares: neighbours out of order share their mean."""
    blocks: list[list[float]] = []  # mean, weight, length
    for value, weight in zip(values, weights, strict=True):
        blocks.append([float(value), float(weight), 1])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            mean, more, length = blocks.pop()
            last = blocks[-1]
            total = last[1] + more
            blocks[-1] = [
                (last[0] * last[1] + mean * more) / total if total else mean,
                total,
                last[2] + length,
            ]
    return np.concatenate([np.full(int(length), mean) for mean, _, length in blocks])


def smoothed(pairs: F64, stayed: F64) -> F64:
    """Return chances that rise with the points: shares pulled towards the share over all dealers."""
    chances = np.zeros_like(pairs)
    for left in range(len(pairs)):
        every = rising(
            (stayed[left].sum(axis=0) + 1) / (pairs[left].sum(axis=0) + 2), pairs[left].sum(axis=0) + 1
        )
        for dealing in range(3):
            n = pairs[left, dealing]
            chances[left, dealing] = rising((stayed[left, dealing] + DRAWN * every) / (n + DRAWN), n + DRAWN)
    return chances


def main() -> None:
    """Count, and write the table if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, default=[CORPUS / "logs"])
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    games, stored = list(read_games(options.paths)), {}
    for players in (3, 4):
        some = [game for game in games if game.rules.table.players == players]
        pairs, stayed = count(some)
        lengths = Counter("hanchan" if game.rules.table.wind_rounds > 1 else "tonpuu" for game in some)
        print(f"{players} players: {dict(lengths.most_common())}")
        stored[str(players)] = {
            "games": len(some),
            "lengths": dict(lengths.most_common()),
            "chances": np.round(smoothed(pairs, stayed), 3).tolist(),
            "pairs": pairs.astype(int).tolist(),
        }
    if options.write:
        content = {"schema": last_hands.SCHEMA, "edges": list(last_hands.EDGES), "tables": stored}
        last_hands.SHIPPED.write_text(json.dumps(content, separators=(",", ":")) + "\n", "utf-8")


if __name__ == "__main__":
    main()
