"""Compare believed hidden hands with true ones: ``python bench/belief.py LOGS... [--most 1500]``.

At some discards of games of four that the weights were not fitted to (``bench/fit_belief.py``), hidden hands
are drawn for the player who discards, and compared with those that were there: by class of tile, the chance
that a riichi, an open or a silent hand waits for it; sorts of waits and their live tiles; shanten by turn;
dora; what a riichi wins by a ron. *Uniform* draws unseen tiles without weights; hands in riichi are tenpai
there, too.

A row is within two errors where the difference of predicted and actual is at most two standard errors (by
game). With ``--held-out`` only one game in five counts, as for logs that others were fitted to.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from fit_belief import Example, examples
from play_out import error_by_game, files_of

from paifu.replay.arrays import F64, I64, U8
from paifu.replay.belief.beliefs import believed, shipped_weights
from paifu.replay.belief.sight import Sight
from paifu.replay.kernels.review_danger import danger_class
from paifu.replay.kernels.scoring import dora_of
from paifu.replay.model.tiles import EAST, KIND_OF_TILE, KINDS
from paifu.replay.review.results import Danger
from paifu.replay.rules.hand_facts import Situation
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.scoring.score import score
from paifu.replay.scoring.winning_hand import WinningHand

TYPES = ("chiitoi", "tanki", "kanchan", "penchan", "shanpon", "ryanmen", "many")
LIVE = (3, 5, 7, 9)
TURNS = (4, 8, 12)
SCORED = 20
"""Hands of each discard whose value is taken."""
LEAST = 100
"""Rows of fewer cases are not printed."""
Fact = tuple[str, float]
"""Row, and how much."""


def ron_points(sight: Sight, seat: int, tiles: U8, waits: int, rules: Ruleset) -> int:
    """Return what a closed hand in riichi wins by a ron on the lowest kind that it waits for, without ura.

    Nothing, if all copies are seen or in the hand.
    """
    left = 4 - sight.seen.astype(np.int64) - np.bincount(KIND_OF_TILE[tiles], minlength=KINDS)
    win = next((kind for kind in range(KINDS) if waits >> kind & 1 and left[kind] > 0), None)
    if win is None:
        return 0
    indicators = [
        kind for kind in range(KINDS) for dora in sight.dora if dora_of(kind, sight.players) == dora
    ]
    hand = WinningHand(
        tiles=(*tiles.tolist(), win), win=win, situation=Situation.RIICHI,
        seat_wind=sight.own_wind(seat) - EAST, round_wind=sight.winds[0] - EAST,
        dora_indicators=tuple(indicators),
    )  # fmt: skip
    return score(hand, rules).points


def facts(sight: Sight, tiles: U8, found: I64, rules: Ruleset) -> Iterator[Fact]:
    """Yield what is compared, as means over the deals."""
    for seat in np.flatnonzero(sight.size).tolist():
        shanten, sort, waits = found[:, seat].T
        calls = len(sight.calls[seat])
        group = "riichi" if sight.riichi[seat] else "open" if calls else "silent"
        waited = waits[:, None] >> np.arange(KINDS) & 1
        for kind in np.flatnonzero(sight.seen).tolist():
            danger = Danger(danger_class(sight.seen, int(sight.safe[seat]), kind, sight.players))
            yield f"{group} waits for {danger.name}", float(waited[:, kind].mean())
        turn = int(np.searchsorted(TURNS, len(sight.discards[seat]), "right"))
        part = f"from {(0, *TURNS)[turn]:2} discards"
        if group != "riichi":
            name = f"{min(calls, 3)} calls" if calls else "silent"
            for least in range(4):
                yield f"{name} {part} shanten <= {least}", float((shanten <= least).mean())
        else:
            live = waited @ (4 - sight.seen.astype(np.int64))
            for number, name in enumerate(TYPES):
                yield f"riichi wait {name}", float((sort == number).mean())
            for number in range(len(LIVE) + 1):
                share = (np.searchsorted(LIVE, live, "right") == number).mean()
                yield f"riichi live tiles from {(0, *LIVE)[number]}", float(share)
            if not sight.melds[seat]:
                hands = zip(tiles[:SCORED, seat], waits[:SCORED].tolist(), strict=True)
                points = [ron_points(sight, seat, hand, mask, rules) for hand, mask in hands]
                yield "riichi points of a ron, in thousands", float(np.mean(points)) / 1000
                yield "riichi ron of 7,700 or more", float(np.mean(np.array(points) >= 7700))
        held = tiles[:, seat, : sight.size[seat]]
        kinds = KIND_OF_TILE[held]
        dora = sum(((kinds == kind).sum(axis=1) for kind in sight.dora), (held >= 34).sum(axis=1))
        for number in range(4):
            share = (dora == number).mean() if number < 3 else (dora >= 3).mean()
            yield f"{group} dora and red fives {number}{'+' * (number == 3)}", float(share)
        pairs = ((kinds[:, :, None] == np.arange(27, KINDS)).sum(axis=1) >= 2).any(axis=1)
        yield f"{group} a pair of honours", float(pairs.mean())
        outer = (kinds >= 27) | (kinds % 9 % 8 == 0)
        yield f"{group} {part} 1, 9, honours", float(outer.sum(1).mean())


class Rows:
    """Sums by row and game."""

    def __init__(self) -> None:
        self._rows: dict[str, list[tuple[int, F64]]] = defaultdict(list)

    def add(self, game: int, ways: list[list[Fact]]) -> None:
        """Add the facts of one discard: true, believed, uniform."""
        sums: dict[str, F64] = defaultdict(lambda: np.zeros(len(ways) + 1))
        for way, told in enumerate(ways):
            for name, value in told:
                sums[name][way] += value
                sums[name][-1] += way == 0
        for name, values in sums.items():
            self._rows[name].append((game, values))

    def lines(self) -> Iterator[tuple[str, int, float, list[tuple[float, float]]]]:
        """Yield name, n, actual, and for each way predicted with the error of the difference."""
        for name, rows in sorted(self._rows.items()):
            game, values = np.array([one for one, _ in rows]), np.array([one for _, one in rows])
            number = values[:, -1]
            if number.sum() < LEAST:
                continue
            told = []
            for way in (1, 2):
                off = values[:, 0] - values[:, way]
                rest = off - off.sum() / number.sum() * number
                error = error_by_game(rest, game) * len(rest) / number.sum()
                told.append((float(values[:, way].sum() / number.sum()), error))
            yield name, int(number.sum()), float(values[:, 0].sum() / number.sum()), told


def main() -> None:
    """Compare, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--most", type=int, default=1500, help="discards")
    parser.add_argument("--deals", type=int, default=100, help="hidden hands of each")
    parser.add_argument("--per-hand", type=float, default=1.0, help="discards of a hand, on average")
    parser.add_argument("--held-out", action="store_true", help="only one game in five")
    options = parser.parse_args()
    rows, games, failed = Rows(), dict[bytes, int](), 0
    uniform = np.zeros(len(shipped_weights()))
    only = True if options.held_out else None
    one: Example
    done = 0
    for number, one in enumerate(examples(files_of(options.paths, 0, 1), options.per_hand, only, 2)):
        if number == options.most:
            break
        drawn = believed(one.sight, options.deals, number + 1, one.rules)
        other = believed(one.sight, options.deals, number + 1, one.rules, uniform)
        if drawn is None or other is None:
            failed += 1
            continue
        done += 1
        ways = ((one.tiles, one.found), (drawn.tiles, drawn.found), (other.tiles, other.found))
        game = games.setdefault(one.game, len(games))
        rows.add(game, [list(facts(one.sight, *way, one.rules)) for way in ways])
    print(f"{done} discards of {len(games)} games; no hands could be drawn for {failed} more")
    print(f"{'':<40}{'n':>8}{'actual':>9}{'believed':>9}{'± 2 se':>8}{'':>4}{'uniform':>9}{'± 2 se':>8}")
    within: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for name, count, actual, told in rows.lines():
        fits = [abs(actual - value) <= 2 * error for value, error in told]
        within[name.split()[0]].append((fits[0], fits[1]))
        cells = ""
        for (value, error), fit in zip(told, fits, strict=True):
            cells += f"{value:9.3f}{2 * error:8.3f}{'' if fit else '  *':<4}"
        print(f"{name:<40}{count:8}{actual:9.3f}{cells}".rstrip())
    every = [pair for pairs in within.values() for pair in pairs]
    for name, pairs in (*sorted(within.items()), ("all", every)):
        counts = [sum(pair[way] for pair in pairs) for way in (0, 1)]
        print(f"{name:<20} within two errors: believed {counts[0]}, uniform {counts[1]} of {len(pairs)}")


if __name__ == "__main__":
    main()
