"""Count how often players who are ahead stay ahead: the table by which last hands are judged.

    python bench/places.py [PATH...] [--write]

Reads games, keeps one in five for the check, counts the pairs of players of each hand by points between
them, hands to come and who deals, and smooths the shares so that more points are never worse. Prints
predicted and actual mean places of the games that were kept. ``--write`` counts all games and puts the table
where it ships.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from paifu.parsers.read import read_batches
from paifu.replay.course.settlement import HandStart, hands_left, ranking
from paifu.replay.model.batch import UNKNOWN_POINTS, Batch
from paifu.replay.review import last_hands
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import rulesets_of

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "logs"
F64 = npt.NDArray[np.float64]
MOST_LEFT = 7
HELD_OUT = 5


class Hand:
    """The scores at the beginning of a hand, and the places in the end."""

    def __init__(
        self, rules: Ruleset, start: HandStart, scores: Sequence[int], places_: Sequence[int], first: int
    ) -> None:
        self.rules, self.start, self.scores, self.places, self.first = rules, start, scores, places_, first


def hands_of(batch: Batch) -> Iterator[tuple[str, list[Hand]]]:
    """Yield each game that came to its end, by its id, with its hands."""
    games, hands = batch.games, batch.hands
    for game, rules in enumerate(rulesets_of(batch)):
        players = rules.table.players
        final = games.final_scores[game, :players]
        begin, end = int(games.hand_begin[game]), int(games.hand_end[game])
        if rules.game.scheme != Scheme.HAN_FU or (final == UNKNOWN_POINTS).any() or begin == end:
            continue
        first = int(hands.dealer[begin]) if hands.round[begin] == 0 else 0
        order = ranking(rules, final.tolist(), first)
        place = [order.index(seat) + 1 for seat in range(players)]
        found = []
        for hand in range(begin, end):
            start = HandStart(
                int(hands.round[hand]),
                int(hands.honba[hand]),
                int(hands.sticks[hand]),
                int(hands.dealer[hand]),
            )
            found.append(Hand(rules, start, hands.scores[hand, :players].tolist(), place, first))
        yield str(games.id[game]) or str(games.source[game]), found


def count(games: Sequence[list[Hand]]) -> tuple[F64, F64]:
    """Return (hands left, who deals, points) how many pairs there were, and how many stayed ahead."""
    pairs, stayed = np.zeros((2, MOST_LEFT + 1, 3, len(last_hands.EDGES)))
    for game in games:
        for hand in game:
            left = min(hands_left(hand.rules, hand.start.round), MOST_LEFT)
            order = ranking(hand.rules, hand.scores, hand.first)
            for at, ahead in enumerate(order):
                for behind in order[at + 1 :]:
                    points = int(
                        np.searchsorted(last_hands.EDGES, hand.scores[ahead] - hand.scores[behind], "right")
                        - 1
                    )
                    dealing = last_hands.NEITHER_DEALS
                    if hand.start.dealer == ahead:
                        dealing = last_hands.AHEAD_DEALS
                    elif hand.start.dealer == behind:
                        dealing = last_hands.BEHIND_DEALS
                    pairs[left, dealing, points] += 1
                    stayed[left, dealing, points] += hand.places[ahead] < hand.places[behind]
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


DRAWN = 30
"""Pairs that the share of all dealers counts for."""


def check(games: Sequence[list[Hand]], players: int) -> Iterator[str]:
    """Yield predicted and actual mean places, by hands left and place at the time."""
    rows: dict[tuple[int, int], list[tuple[float, int]]] = {}
    for game in games:
        for hand in game:
            left = min(hands_left(hand.rules, hand.start.round), MOST_LEFT)
            order = ranking(hand.rules, hand.scores, hand.first)
            for seat in range(players):
                mean = last_hands.mean_place(hand.rules, hand.scores, seat, hand.start, hand.first)
                assert mean is not None  # noqa: S101
                rows.setdefault((left, order.index(seat) + 1), []).append((mean, hand.places[seat]))
    yield f"{'hands left':>10}{'place':>7}{'hands':>8}{'predicted':>11}{'actual':>8}{'error':>8}"
    for (left, place), found in sorted(rows.items()):
        predicted, actual = np.array(found).T
        error = actual.std() / np.sqrt(len(actual))
        yield (
            f"{left:>10}{place:>7}{len(found):>8}{predicted.mean():>11.2f}{actual.mean():>8.2f}{error:>8.2f}"
        )


def main() -> None:
    """Count, check, and write the table if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, default=[CORPUS])
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    games: dict[str, list[Hand]] = {}
    for batch in read_batches(options.paths):
        games |= hands_of(batch)
    stored = {}
    by_players = {n: [game for game in games.values() if game[0].rules.table.players == n] for n in (3, 4)}
    for players, some in by_players.items():
        rng = np.random.default_rng(players)
        kept = rng.random(len(some)) < 1 / HELD_OUT
        fitted = [game for game, is_kept in zip(some, kept, strict=True) if not is_kept]
        held = [game for game, is_kept in zip(some, kept, strict=True) if is_kept]
        pairs, stayed = count(fitted)
        tables = {players: last_hands.PlaceTable(smoothed(pairs, stayed).tolist(), pairs.tolist())}
        last_hands.place_tables = lambda tables=tables: tables  # type: ignore[assignment]
        print(f"{players} players: {len(fitted)} games counted, {len(held)} to check")
        print("\n".join(check(held, players)))
        pairs, stayed = count(some)
        rooms = Counter("hanchan" if game[0].rules.table.wind_rounds > 1 else "tonpuu" for game in some)
        stored[str(players)] = {
            "games": len(some),
            "lengths": dict(rooms.most_common()),
            "chances": np.round(smoothed(pairs, stayed), 3).tolist(),
            "pairs": pairs.astype(int).tolist(),
        }
    if options.write:
        content = {"schema": last_hands.SCHEMA, "edges": list(last_hands.EDGES), "tables": stored}
        last_hands.SHIPPED.write_text(json.dumps(content, separators=(",", ":")) + "\n", "utf-8")


if __name__ == "__main__":
    main()
