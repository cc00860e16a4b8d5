"""Are small chances of places right? ``python bench/place_tails.py [PATH...] [--every N]``.

For the beginning of each hand of real games of four players, East and South, this compares the chance of each
place that the model states with the share that came, where the chance is below 10 %: on games that no fit has
seen, in rooms by the average rating of the table, with 95 % intervals by game. Then it fits a power on the
other games that makes chances sharper or flatter, and says what it does to the games that were kept.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import numpy as np
from place_games import CORPUS, is_kept_from_fit, read_games
from scipy.optimize import minimize_scalar
from seats import F64, options

from paifu.coach.places.model import GameState, place_model
from paifu.parsers.read import read_batches
from paifu.reports.inference.intervals import Nature, interval
from paifu.reports.inference.sums import GameSums

SMALL = 0.1
ROOMS = {"houou": (2070, 9999), "tokujou and below": (1, 2070)}
_TINY, _ROUNDS = 1e-4, 50


def table_ratings(paths: list[Path]) -> dict[str, float]:
    """Return the average rating of each game by where it was read."""
    found: dict[str, float] = {}
    for batch in read_batches(paths):
        for game, source in enumerate(batch.games.source):
            rates = batch.games.rate[game, : batch.games.players[game]]
            found[str(source)] = float(rates.mean()) if (rates > 0).all() else 0.0
    return found


def chances_and_places(paths: list[Path], every: int) -> dict[tuple[str, bool], list[tuple[F64, F64]]]:
    """Return (hands, 4, 4) chances and places of each game, by room and by whether it was kept from fits."""
    ratings = table_ratings(paths)
    found: dict[tuple[str, bool], list[tuple[F64, F64]]] = defaultdict(list)
    for number, game in enumerate(read_games(paths)):
        is_kept = is_kept_from_fit(game.source)
        if game.rules.table.players != 4 or game.rules.table.wind_rounds != 2:
            continue
        if number % every and not is_kept:
            continue
        rating = ratings.get(game.source, 0)
        room = next((name for name, (low, high) in ROOMS.items() if low <= rating < high), None)
        if room is None:
            continue
        states = [GameState(hand.scores, hand.start, game.first_dealer) for hand in game.hands]
        chances = np.stack([one.places for one in place_model(game.rules).chances(states)])
        came = np.zeros((4, 4))
        came[np.arange(4), np.array(game.places) - 1] = 1
        found[room, is_kept].append((chances, np.broadcast_to(came, chances.shape)))
    return found


def sharpened(chances: F64, power: float) -> F64:
    """Return chances to a power, scaled until seats and places add up to 1."""
    scaled = np.maximum(chances, _TINY) ** power
    for _ in range(_ROUNDS):
        scaled = scaled / scaled.sum(axis=-1, keepdims=True)
        scaled = scaled / scaled.sum(axis=-2, keepdims=True)
    return scaled


def log_loss(chances: F64, came: F64) -> float:
    """Return the mean over states and seats of the log of the chance of what came."""
    return float(-(np.log(np.maximum(chances, _TINY)) * came).sum(axis=-1).mean())


def tails(games: list[tuple[F64, F64]], power: float) -> str:
    """Say, by place, how likely chances below SMALL were said to be, and how often the place came."""
    said = []
    for place in range(4):
        n, d, expected = (np.zeros(len(games)) for _ in range(3))
        for number, (chances, came) in enumerate(games):
            own = chances[..., place] < SMALL
            shown = sharpened(chances, power)[..., place]
            n[number], d[number] = came[..., place][own].sum(), own.sum()
            expected[number] = shown[own].sum()
        sums = GameSums.of_games(n, d)
        low, high = interval(sums, Nature.SHARE)
        share = expected.sum() / d.sum()
        said.append(f"{place + 1}: said {share:.4f}, came {float(sums.ratio):.4f} ({low:.4f} to {high:.4f})")
    return "; ".join(said)


def main() -> None:
    """Print what is found."""
    parser = options(__doc__)
    parser.add_argument("--every", type=int, default=4, help="fit on every Nth game")
    given = parser.parse_args()
    found = chances_and_places(given.paths or [CORPUS], given.every)
    for room in ROOMS:
        kept, others = found[room, True], found[room, False]
        if not kept or not others:
            continue
        print(f"\n{room}: {len(kept):,} games kept, {len(others):,} to fit on")
        chances, came = (np.concatenate(parts) for parts in zip(*others, strict=True))
        fit = minimize_scalar(
            lambda power, c=chances, k=came: log_loss(sharpened(c, power), k),
            bounds=(0.7, 1.5),
            method="bounded",
            options={"xatol": 0.01},
        )
        power = float(fit.x)
        chances, came = (np.concatenate(parts) for parts in zip(*kept, strict=True))
        for name, one in (("as the model says", 1.0), (f"to the power {power:.2f}", power)):
            print(f"  {name}: log loss {log_loss(sharpened(chances, one), came):.4f}")
            print(f"    {tails(kept, one)}")


if __name__ == "__main__":
    main()
