"""How strong simulated players are: ``python bench/players.py [--walls 500] [--first 0] [MATCH...]``.

A match is ``KIND/OTHER``: one player of a kind against three of another, such as ``model/tile-efficient``
or ``balanced:20/balanced`` (20% of the discards at random). Each wall is played once from each seat, so that
luck in the deal counts for all alike. Printed are the average rank with a 95% interval, the walls being what
was drawn (2.5 is even with four players), and rates of the games; with ``--losses`` also what the model says
that the one player lost.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from paifu.parsers.simulated import batch_of
from paifu.replay.judgement.judged import SURE, judgements
from paifu.replay.model.batch import Batch
from paifu.replay.rulesets.presets import load_preset
from paifu.replay.simulate.games import PlayedGame, Simulator, player_named
from paifu.replay.table.engine import replay
from paifu.reports.judgement.losses import kinds_of
from paifu.reports.judgement.sums import KINDS

MATCHES = ("model/tile-efficient", "model/balanced", "balanced/tile-efficient")
AT_ONCE = 200
DEALT_IN = 3
WON = (1, 2)
F64 = npt.NDArray[np.float64]


@dataclass(slots=True)
class Match:
    """What one player did, by wall or in sum."""

    rank: list[float] = field(default_factory=list)
    """Average over the seats, by wall."""
    hands: int = 0
    won: int = 0
    dealt_in: int = 0
    riichi: int = 0
    called: int = 0
    decisions: int = 0
    loss: F64 = field(default_factory=lambda: np.zeros(len(KINDS)))
    """Points by kind, where they exceed twice their error."""

    @property
    def interval(self) -> tuple[float, float]:
        """Average rank and half of its 95% interval."""
        ranks = np.array(self.rank)
        return float(ranks.mean()), 1.96 * float(ranks.std(ddof=1)) / np.sqrt(len(ranks))


def play(names: tuple[str, str], rules_name: str, walls: range, *, losses: bool) -> Match:
    """Play a match."""
    rules = load_preset(rules_name)
    one, other = map(player_named, names)
    seats = range(rules.table.players)
    simulators = [Simulator(rules, [one if seat == own else other for seat in seats]) for own in seats]
    match, waiting, owners = Match(), [], []
    for wall in walls:
        ranks = []
        for own, simulator in enumerate(simulators):
            game = simulator.game(wall)
            assert game.result is not None  # noqa: S101
            ranks.append(game.result.places[own])
            waiting.append(game)
            owners.append(own)
        match.rank.append(float(np.mean(ranks)))
        if len(waiting) >= AT_ONCE or wall == walls[-1]:
            look(match, waiting, owners, losses=losses)
            waiting, owners = [], []
    return match


def look(match: Match, games: list[PlayedGame], owners: list[int], *, losses: bool) -> None:
    """Add what the engine and the model say of the one player in some games."""
    batch = batch_of(games)
    rows, own = replay(batch).player_hands, np.array(owners)
    mine = rows.seat == own[batch.hands.game[rows.hand]]
    match.hands += int(mine.sum())
    match.won += int(np.isin(rows.result[mine], WON).sum())
    match.dealt_in += int((rows.result[mine] == DEALT_IN).sum())
    match.riichi += int((rows.riichi[mine] > 0).sum())
    match.called += int((rows.calls[mine] > 0).sum())
    for wanted, kind, loss in lost(batch, own) if losses else ():
        match.decisions += int(wanted.sum())
        match.loss += np.bincount(kind[wanted], loss[wanted], len(KINDS))


def lost(
    batch: Batch, own: npt.NDArray[np.int64]
) -> Iterator[tuple[npt.NDArray[np.bool_], npt.NDArray[np.int64], F64]]:
    """Yield of some decisions at a time: which are the one player's, their kinds, and their losses."""
    for one in judgements(batch):
        wanted = (one.table.seat == own[one.table.game])[one.chosen] & ~one.is_last
        yield wanted, kinds_of(one), np.where(one.loss > SURE * one.error, one.loss, 0).astype(np.float64)


def main() -> None:
    """Print a line for each match."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("matches", nargs="*", default=MATCHES, metavar="MATCH")
    parser.add_argument("--walls", type=int, default=500)
    parser.add_argument("--first", type=int, default=0, help="number of the first wall")
    parser.add_argument("--rules", default="tenhou")
    parser.add_argument("--losses", action="store_true")
    options = parser.parse_args()
    walls = range(options.first, options.first + options.walls)
    print(f"{options.rules}, {len(walls)} walls, each from every seat")
    head = f"{'match':<34}{'average rank':>16}{'win':>7}{'deal-in':>9}{'riichi':>8}{'call':>7}{'ms/game':>9}"
    print(head + (f"{'loss/decision':>15}" + "".join(f"{kind:>12}" for kind in KINDS)) * options.losses)
    for text in options.matches:
        one, _, other = text.partition("/")
        start = time.process_time()
        match = play((one, other), options.rules, walls, losses=options.losses)
        took = 1000 * (time.process_time() - start) / (len(walls) * load_preset(options.rules).table.players)
        mean, half = match.interval
        rates = [100 * n / match.hands for n in (match.won, match.dealt_in, match.riichi, match.called)]
        line = f"{text:<34}{mean:>8.3f} ± {half:.3f}" + "".join(
            f"{rate:>{width}.1f}%" for rate, width in zip(rates, (7, 8, 7, 6), strict=True)
        )
        line += f"{took:>9.1f}"
        if options.losses:
            line += f"{match.loss.sum() / match.decisions:>15.1f}" + "".join(
                f"{points / match.decisions:>12.1f}" for points in match.loss
            )
        print(line, flush=True)


if __name__ == "__main__":
    main()
