"""Test the chances of places on real games that no fit has seen.

    python bench/place_chances.py [PATH...] [--cache FILE]

Prints whether the settlement of the model gives the next hand, or the end, of every hand of the logs. Then,
on the games that ``bench/hand_templates.py`` leaves out: mean log loss a seat against gradient boosting and
the table of place now by round, both fitted on the other games, with the error of the difference by game;
calibration in tenths, the last round apart; states with honba, sticks, a leading dealer or in overtime apart;
and processor time a state. ``--cache`` keeps what was read.
"""

from __future__ import annotations

import argparse
import pickle
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import lightgbm
import numpy as np
import numpy.typing as npt
from hand_templates import FOLDERS
from place_games import PlayedGame, is_kept_from_fit, read_games

from paifu.replay.course.settlement import ranking
from paifu.replay.places.model import GameState, place_model

F64 = npt.NDArray[np.float64]
I64 = npt.NDArray[np.int64]
SOUTH_3, SOUTH_4, WEST_1 = 6, 7, 8
ROUNDS = 250
"""Trees of the gradient boosting, early stopping at most."""


@dataclass(frozen=True, slots=True)
class States:
    """All hands of some games: states, places in the end, number of the game."""

    games: list[PlayedGame]
    states: list[GameState]
    places: I64
    game: I64

    def __len__(self) -> int:
        return len(self.states)

    @property
    def round(self) -> I64:
        """(n,) number of the round."""
        return np.array([state.start.round for state in self.states])


def states_of(games: Sequence[PlayedGame]) -> States:
    """Return the state before each hand."""
    states, places, numbers = [], [], []
    for number, game in enumerate(games):
        for hand in game.hands:
            states.append(GameState(hand.scores, hand.start, game.first_dealer))
            places.append([place - 1 for place in game.places])
            numbers.append(number)
    return States(list(games), states, np.array(places), np.array(numbers))


def check_settlement(games: Sequence[PlayedGame]) -> Iterator[str]:
    """Yield how many hands end in the next hand, or the end of the game, that the log has."""
    found: Counter[str] = Counter()
    for game in games:
        model = place_model(game.rules)
        for number, hand in enumerate(game.hands):
            if hand.template is None:
                found["without template"] += 1
                continue
            (after,) = model.after(GameState(hand.scores, hand.start, game.first_dealer), [hand.template])
            following = game.hands[number + 1] if number + 1 < len(game.hands) else None
            if after is None:
                found["impossible"] += 1
            elif following is None:
                found["same" if after.is_over and after.scores == hand.after else "other end"] += 1
            else:
                due = (False, following.scores, following.start)
                found["same" if (after.is_over, after.scores, after.start) == due else "other hand"] += 1
    yield "settlement: " + ", ".join(f"{count:,} {what}" for what, count in found.items())


def by_templates(found: States) -> tuple[F64, float]:
    """Return (n, seats, places) chances, and processor time a state in milliseconds."""
    players = found.games[0].rules.table.players
    chances = np.zeros((len(found), players, players))
    spent = 0.0
    for number, game in enumerate(found.games):
        model, rows = place_model(game.rules), np.flatnonzero(found.game == number)
        model.chances([found.states[rows[0]]])  # the first call of a process may load or compile
        begun = time.process_time()
        answers = model.chances([found.states[row] for row in rows])
        spent += time.process_time() - begun
        chances[rows] = [one.places for one in answers]
    return smooth(chances), 1000 * spent / len(found)


def smooth(chances: F64) -> F64:
    """Return chances none of which is 0: half a game of the model goes to all places alike."""
    smoothed: F64 = (512 * chances + 0.5 / chances.shape[-1]) / 512.5
    return smoothed


def features(found: States) -> F64:
    """Return (n x seats, features) what gradient boosting sees of each seat."""
    rows = []
    for state, game in zip(found.states, (found.games[g] for g in found.game), strict=True):
        start, players = state.start, game.rules.table.players
        order = ranking(game.rules, state.scores, state.first_dealer)
        sorted_scores = [state.scores[seat] for seat in order]
        for seat in range(players):
            own = state.scores[seat]
            others = [own - state.scores[(seat + step) % players] for step in range(1, players)]
            rows.append(
                [
                    own, order.index(seat), start.round, start.honba, start.sticks,
                    (start.dealer - seat) % players, (seat - state.first_dealer) % players,
                    *others, *(own - score for score in sorted_scores),
                ]
            )  # fmt: skip
    return np.array(rows, float)


def boosted(fit: States) -> lightgbm.Booster:
    """Return gradient boosting fitted on games, one in five of them kept to stop early."""
    players = fit.games[0].rules.table.players
    inputs, labels = features(fit), fit.places.ravel()
    stops = np.repeat(fit.game % 5 == 0, players)
    data = lightgbm.Dataset(inputs[~stops], labels[~stops])
    return lightgbm.train(
        {
            "objective": "multiclass", "num_class": players, "learning_rate": 0.06, "num_leaves": 16,
            "min_data_in_leaf": 200, "feature_fraction": 0.7, "bagging_fraction": 0.7, "bagging_freq": 1,
            "lambda_l2": 10, "verbose": -1, "num_threads": 1, "seed": 1,
        },
        data,
        ROUNDS,
        valid_sets=[lightgbm.Dataset(inputs[stops], labels[stops])],
        callbacks=[lightgbm.early_stopping(25, verbose=False)],
    )  # fmt: skip


def by_boosting(model: lightgbm.Booster, found: States) -> F64:
    """Return the chances of gradient boosting, places and seats summing to 1."""
    players = found.games[0].rules.table.players
    chances = np.asarray(model.predict(features(found)))
    return evened(chances.reshape(len(found), players, players))


def evened(chances: F64) -> F64:
    """Return chances whose rows and columns sum to 1."""
    for _round in range(20):
        chances = chances / chances.sum(axis=1, keepdims=True)
        chances = chances / chances.sum(axis=2, keepdims=True)
    return chances


def by_table(fit: States, found: States) -> F64:
    """Return the chances by place now and round."""
    counts: dict[tuple[int, int], F64] = {}
    for row, seat, key in _keys(fit):
        counts.setdefault(key, np.ones(fit.places.shape[1]))[fit.places[row, seat]] += 1
    chances = np.full((len(found), found.places.shape[1], found.places.shape[1]), 1 / found.places.shape[1])
    for row, seat, key in _keys(found):
        if key in counts:
            chances[row, seat] = counts[key] / counts[key].sum()
    return chances


def _keys(found: States) -> Iterator[tuple[int, int, tuple[int, int]]]:
    for row, state in enumerate(found.states):
        order = ranking(found.games[found.game[row]].rules, state.scores, state.first_dealer)
        for place, seat in enumerate(order):
            yield row, seat, (min(state.start.round, WEST_1), place)


def losses(chances: F64, found: States) -> F64:
    """Return (n,) mean log loss of a seat."""
    rows, seats = np.indices(found.places.shape)
    loss: F64 = -np.log(chances[rows, seats, found.places]).mean(axis=1)
    return loss


def error_by_game(values: F64, game: I64) -> float:
    """Return the standard error of a mean whose rows are grouped by game."""
    sums = np.bincount(game, values - values.mean())
    return float(np.sqrt((sums**2).sum()) / len(values))


def kinds_of(found: States) -> dict[str, npt.NDArray[np.bool_]]:
    """Return masks of the states that are looked at apart."""
    starts = [state.start for state in found.states]
    leads = [s.scores[s.start.dealer] == max(s.scores) for s in found.states]
    return {
        "all": np.ones(len(found), bool),
        "last two rounds and later": found.round >= _last(found) - 1,
        "last round": found.round == _last(found),
        "honba": np.array([start.honba > 0 for start in starts]),
        "sticks": np.array([start.sticks > 0 for start in starts]),
        "dealer leads": np.array(leads),
        "overtime": found.round > _last(found),
    }


def _last(found: States) -> int:
    rules = found.games[0].rules
    return 4 * (rules.table.wind_rounds - 1) + rules.table.players - 1


def calibration(chances: F64, found: States, mask: npt.NDArray[np.bool_]) -> Iterator[str]:
    """Yield predicted and actual shares by tenths of the chance, with the distance in standard errors."""
    places = np.eye(chances.shape[-1])[found.places][mask].reshape(mask.sum(), -1)
    predicted = chances[mask].reshape(mask.sum(), -1)
    tenth = np.minimum((10 * predicted).astype(int), 9)
    games = found.game[mask]
    for number in range(10):
        chosen = tenth == number
        if chosen.sum() < 50:
            continue
        off = np.bincount(games, ((places - predicted) * chosen).sum(axis=1))
        z = off.sum() / np.sqrt((off**2).sum())
        yield (
            f"  {number * 10:>3} to {number * 10 + 10:>3}%  {chosen.sum():>7,}"
            f"  {100 * predicted[chosen].mean():6.1f}%  {100 * places[chosen].mean():6.1f}%  {z:+.1f}"
        )


def report(name: str, fit: States, model: lightgbm.Booster, found: States) -> Iterator[str]:
    """Yield all measures of one group of games."""
    chances, spent = by_templates(found)
    own = losses(chances, found)
    rivals = {
        "boosting": losses(by_boosting(model, found), found),
        "table": losses(by_table(fit, found), found),
    }
    yield f"\n{name}: {len(found.games):,} games, {len(found):,} states, {spent:.3f} ms a state"
    yield f"  {'log loss':26}{'states':>8}{'templates':>11}" + "".join(f"{rival:>22}" for rival in rivals)
    for kind, mask in kinds_of(found).items():
        if mask.any():
            line = f"  {kind:26}{mask.sum():>8,}{own[mask].mean():>11.4f}"
            for values in rivals.values():
                more = (values - own)[mask]
                error = error_by_game(more, found.game[mask])
                line += f"{values[mask].mean():>9.4f} ({more.mean():+.4f}±{error:.4f})".rjust(22)
            yield line
    for kind in ("all", "last round"):
        yield f"  calibration, {kind}: chance, number, predicted, actual, standard errors"
        yield from calibration(chances, found, kinds_of(found)[kind])
    for kind in ("honba", "sticks", "dealer leads", "overtime"):
        mask = kinds_of(found)[kind]
        dealer = np.array([state.start.dealer for state in found.states])
        rows = np.flatnonzero(mask)
        first = chances[rows, dealer[rows], 0] - (found.places[rows, dealer[rows]] == 0)
        if len(rows) > 50:
            off = np.bincount(found.game[rows], first)
            won = found.places[rows, dealer[rows]] == 0
            error = -off.sum() / np.sqrt((off**2).sum())
            yield (
                f"  dealer first, {kind}: {len(rows):,} states, actual {100 * won.mean():.1f}%, predicted "
                f"{100 * (first + won).mean():.1f}%, {error:+.1f} standard errors"
            )


def main() -> None:
    """Read, check and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, default=list(FOLDERS))
    parser.add_argument("--cache", type=Path)
    options = parser.parse_args()
    if options.cache and options.cache.exists():
        games = pickle.loads(options.cache.read_bytes())  # noqa: S301  written below
    else:
        games = list(read_games(options.paths))
        if options.cache:
            options.cache.write_bytes(pickle.dumps(games))
    print("\n".join(check_settlement(games)), flush=True)
    for players, winds in ((4, 2), (4, 1), (3, 2)):
        some = [g for g in games if (g.rules.table.players, g.rules.table.wind_rounds) == (players, winds)]
        fit = states_of([g for g in some if not is_kept_from_fit(g.source)])
        model = boosted(fit)
        for folder in FOLDERS:
            held = [g for g in some if is_kept_from_fit(g.source) and Path(g.source).is_relative_to(folder)]
            name = f"{players} players, {winds} wind rounds, {folder.name}"
            if held:
                print("\n".join(report(name, fit, model, states_of(held))), flush=True)


if __name__ == "__main__":
    main()
