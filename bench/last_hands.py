"""Rare moves in last hands, judged by places: ``python bench/last_hands.py LOGS... [--walls 24]``.

In the last hand of a game places count, of which the model knows nothing. The policy does: it sees scores and
hands to come. This takes decisions in last hands whose choice strong players rarely make, in games that the
policy was not fitted to. It plays the choice and their favourite out on the hidden hands that were there, the
same walls for both, and compares the places that the points at the end of the hand give, ties by seat. (If
the dealer stays, the game would go on; the places are then those so far.)

The table has a row for each sort of decision and each place before it: decisions, games, by how many places
the favourite came out better with two standard errors (by game), and by how many points.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from play_out import files_of, walls_of

from paifu.api.fitting import game_hash, is_held_out
from paifu.parsers.read import read_batches
from paifu.replay.facts.decisions import OptionKind
from paifu.replay.judgement.judged import judgements
from paifu.replay.judgement.policy import shares
from paifu.replay.judgement.verdicts import RARE
from paifu.replay.model.batch import Batch
from paifu.replay.rulesets.presets import rulesets_of
from paifu.replay.simulate.games import PLAYERS
from paifu.replay.simulate.playing_out import PlayOut

Row = tuple[str, str, float, float]
"""Group, game, places and points that the favourite came out better by."""
F64 = npt.NDArray[np.float64]


def places(points: npt.NDArray[np.int64], seat: int) -> npt.NDArray[np.int64]:
    """Return a seat's place by (..., 4) points, of which equal ones go to the lower seat first.

    >>> places(np.array([[30, 20, 30, 20], [10, 20, 30, 40]]), 2).tolist()
    [2, 2]
    """
    own = points[..., seat, None]
    ahead = (points > own) | ((points == own) & (np.arange(4) < seat))
    return np.asarray(1 + ahead.sum(axis=-1))


def sort_of(kinds: tuple[int, int], *, threatened: bool) -> str:
    """Name a decision by what was chosen and what strong players choose."""
    if any(kind in (OptionKind.CHI, OptionKind.PON, OptionKind.DAIMINKAN) for kind in kinds):
        return "a call, or none"
    if OptionKind.RIICHI in kinds and kinds[0] != kinds[1]:
        return "riichi, or none"
    if max(kinds) > OptionKind.PASS:
        return "a kan, or none"
    return "a discard under threat" if threatened else "a discard without a threat"


def compared(batch: Batch, player: str, walls: int) -> Iterator[Row]:
    """Play rare moves in last hands of a batch out."""
    rules, players = rulesets_of(batch), {}
    for one in judgements(batch):
        table, last = one.table, np.flatnonzero(one.is_last)
        for number, chances in sorted(shares(batch, rules, one, last).items()):
            first, made = int(one.first[number]), int(one.chosen[number])
            best = first + int(chances.argmax())
            if chances[made - first] >= RARE or best == made:
                continue
            game, hand, event, seat = (
                int(column[made]) for column in (table.game, table.hand, table.event, table.seat)
            )
            if rules[game] not in players:
                players[rules[game]] = PlayOut(batch, rules[game], PLAYERS[player])
            choices = [(int(table.option[row]), int(table.tile[row])) for row in (made, best)]
            source = str(batch.games.id[game] or batch.games.source[game])
            numbers = walls_of(f"{source} {event - batch.hands.event_begin[hand]} {hand}", walls)
            points = players[rules[game]].points(hand, event, seat, choices, numbers)
            if points is None:
                continue
            better = places(points[0], seat) - places(points[1], seat)
            gained = points[1, :, seat] - points[0, :, seat]
            threatened = bool(table.riichi[made] or table.open_threats[made])
            before = int(places(batch.hands.scores[hand].astype(np.int64), seat))
            for group in (
                "all",
                sort_of((choices[0][0], choices[1][0]), threatened=threatened),
                f"place {before} before",
            ):
                yield group, source, float(better.mean()), float(gained.mean())


def two_errors(values: F64, game: npt.NDArray[np.int64]) -> float:
    """Return two standard errors of a mean, with games as what was drawn."""
    return 2 * float(np.sqrt((np.bincount(game, values - values.mean()) ** 2).sum())) / len(values)


def main() -> None:
    """Play out, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--walls", type=int, default=24, help="shuffles of each decision")
    parser.add_argument("--player", choices=PLAYERS, default="model", help="who plays on")
    parser.add_argument("--all", action="store_true", help="also games that the policy may be fitted to")
    options = parser.parse_args()
    rows: dict[str, list[Row]] = defaultdict(list)
    games = 0
    files = files_of(options.paths, 0, 1)
    for begin in range(0, len(files), 50):
        for batch in read_batches(files[begin : begin + 50]):
            kept = np.array(
                [options.all or is_held_out(game_hash(batch, row)) for row in range(len(batch.games))]
            )
            own = batch.only(kept & (batch.games.players == 4))
            games += len(own.games)
            for row in compared(own, options.player, options.walls):
                rows[row[0]].append(row)
    print(f"{games:,} games; {options.player} plays on, {options.walls} walls")
    print(f"{'decisions':<28}{'n':>7}{'games':>7}{'places':>9}{'±':>7}{'points':>9}{'±':>7}")
    for group, found in sorted(rows.items()):
        _, game = np.unique([row[1] for row in found], return_inverse=True)
        cells: list[Any] = [group, len(found), int(game.max()) + 1]
        for column in (2, 3):
            values = np.array([float(row[column]) for row in found])
            cells += [values.mean(), two_errors(values, game)]
        print("{:<28}{:>7,}{:>7,}{:>+9.3f}{:>7.3f}{:>+9.0f}{:>7.0f}".format(*cells))


if __name__ == "__main__":
    main()
