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
from held_out import game_hash, is_held_out
from play_out import OptionPlayer, error_by_game, files_of

from paifu.parsers.read import read_batches
from paifu.replay.arrays import I64
from paifu.replay.course.settlement import ranking
from paifu.replay.facts.decisions import OptionKind
from paifu.replay.judgement.judged import judgements
from paifu.replay.judgement.policy import shares
from paifu.replay.judgement.verdicts import RARE
from paifu.replay.model.batch import Batch
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.simulate.games import PLAYERS

Row = tuple[str, str, float, float]
"""Group, game, places and points that the favourite came out better by."""


def places(rules: Ruleset, points: I64, seat: int) -> I64:
    """Return a seat's place by each row of (rows, 4) points."""
    return np.array([1 + ranking(rules, row).index(seat) for row in points.tolist()])


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
    playing = OptionPlayer(batch, player, walls)
    for one in judgements(batch):
        table, last = one.table, np.flatnonzero(one.is_last)
        for number, chances in sorted(shares(batch, playing.rules, one, last).items()):
            first, made = int(one.first[number]), int(one.chosen[number])
            best = first + int(chances.argmax())
            if chances[made - first] >= RARE or best == made:
                continue
            points = playing.points(table, (made, best))
            if points is None:
                continue
            game, seat = int(table.game[made]), int(table.seat[made])
            start = batch.hands.scores[table.hand[made]].astype(np.int64)
            before, chosen, favourite = (
                places(playing.rules[game], scores, seat) for scores in (start[None], *points)
            )
            kinds = int(table.option[made]), int(table.option[best])
            threatened = bool(table.riichi[made] or table.open_threats[made])
            for group in ("all", sort_of(kinds, threatened=threatened), f"place {before[0]} before"):
                better, gained = chosen - favourite, points[1, :, seat] - points[0, :, seat]
                yield group, playing.source(game), float(better.mean()), float(gained.mean())


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
            cells += [values.mean(), 2 * error_by_game(values - values.mean(), game)]
        print("{:<28}{:>7,}{:>7,}{:>+9.3f}{:>7.3f}{:>+9.0f}{:>7.0f}".format(*cells))


if __name__ == "__main__":
    main()
