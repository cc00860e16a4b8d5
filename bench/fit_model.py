"""Fit the model that rates the options of decisions, and check it: ``python bench/fit_model.py LOGS...``.

    python bench/fit_model.py LOGS... [--players 3] [--write]

Takes games of riichi with four (or three) players. One game in five is kept away; with the others LightGBM
grows each part as a sum of tables, and the rest checks it: predicted and actual points, wins and deal-ins by
tenths, and the share of the variance of points explained, beside rules of thumb. ``--write`` puts the model
where it ships. Needs LightGBM, which paifu does not: ``pip install lightgbm``.

Trees may each bend one term: a branch uses the features of one term only, so every leaf says something about
one term, and all leaves of a term add up to its table.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import numpy.typing as npt
from held_out import game_hash, is_held_out
from shipping import ship

from paifu.coach.decisions import NO_DANGER, OPPONENTS, OptionKind, Options
from paifu.coach.judgement.deciding import rows_of_options, table_of
from paifu.coach.judgement.model import NEIGHBOURHOODS, Model, layout, neighbourhood
from paifu.coach.judgement.terms import OF_OPPONENTS, PARTS, SIZES, ModelPart
from paifu.coach.kernels import decision_model as kernels
from paifu.parsers.read import read_batches
from paifu.replay.arrays import F64, I64, Mask
from paifu.replay.kernels.review_layout import LEVELS
from paifu.replay.model.batch import UNKNOWN_POINTS, Batch
from paifu.replay.rules.choices import Scheme
from paifu.replay.rulesets.presets import rulesets_of
from paifu.reports.metrics.rooms import room_of

TENTHS = 10
_NO_SHARE = -40.0
"""On the logistic scale; no sum of the other terms comes near."""
ROUNDS, RATE, LEAVES, LEAST = 300, 0.15, 12, 400
"""Trees, learning rate, leaves of a tree, rows in a leaf at least."""
SHRUNK = {True: 10.0, False: 50.0}
"""What a leaf is shrunk by (L2), in a part that is a share and in others."""


@dataclass(frozen=True, slots=True, eq=False)
class ChosenOptions:
    """The chosen option of each decision, of any number of games."""

    table: Options
    """Rows of chosen options; ``game`` and ``hand`` number the games and hands of all input."""
    where: I64
    """Neighbourhood of each row."""
    is_held_out: Mask

    @classmethod
    def joined(cls, parts: list[ChosenOptions]) -> ChosenOptions:
        """Return all rows of some choices."""
        if not parts:
            return cls(Options.empty(), np.zeros(0, np.int64), np.zeros(0, bool))
        table = parts[0].table.concatenated([part.table for part in parts[1:]])
        where = np.concatenate([part.where for part in parts])
        return cls(table, where, np.concatenate([part.is_held_out for part in parts]))

    def __len__(self) -> int:
        return len(self.table)

    def taken(self, keep: Mask) -> ChosenOptions:
        """Return some of the rows."""
        return ChosenOptions(self.table.rows(keep), self.where[keep], self.is_held_out[keep])


@dataclass(slots=True)
class Sample:
    """All choices that a model is fitted to, or checked with."""

    parts: list[ChosenOptions] = field(default_factory=list)
    seen: set[bytes] = field(default_factory=set)
    rooms: Counter[str] = field(default_factory=Counter)
    formats: Counter[str] = field(default_factory=Counter)
    months: set[str] = field(default_factory=set)
    held_out: int = 0
    games: int = 0
    hands: int = 0
    """Of all batches so far: games and hands are numbered through."""

    def add(self, batch: Batch, players: int) -> None:
        """Add the choices of a batch, of games of riichi that are not there yet."""
        games, fresh, held = batch.games, [], np.zeros(len(batch) + 1, bool)
        for game, rules in enumerate(rulesets_of(batch)):
            name = game_hash(batch, game)
            if rules.game.scheme != Scheme.HAN_FU or games.players[game] != players or name in self.seen:
                continue
            self.seen.add(name)
            fresh.append(game)
            held[game] = is_held_out(name)
            self.held_out += is_held_out(name)
            self.rooms[room_of(batch, game) or "other"] += 1
            self.formats[str(games.format[game])] += 1
            if games.started[game]:
                self.months.add(str(games.started[game])[:7])
        if not fresh:
            return
        for table in (table_of(*rows) for rows in rows_of_options(batch)):
            keep = (table.chosen == 1) & np.isin(table.game, fresh) & (table.points != UNKNOWN_POINTS)
            chosen = table.rows(keep)
            is_held = held[chosen.game]
            chosen = replace(chosen, game=chosen.game + self.games, hand=chosen.hand + self.hands)
            self.parts.append(ChosenOptions(chosen, neighbourhood(table)[keep], is_held))
        self.games, self.hands = self.games + len(batch), self.hands + len(batch.hands)

    def provenance(self) -> dict[str, Any]:
        """Return what the model says of where it comes from."""
        months = sorted(self.months)
        return {
            "games": len(self.seen),
            "held_out_games": self.held_out,
            "rooms": dict(self.rooms.most_common()),
            "formats": dict(self.formats.most_common()),
            "played": [months[0], months[-1]] if months else [],
        }


def features_of(table: Options, names: Iterable[str], place: int = 0) -> dict[str, npt.NDArray[np.uint8]]:
    """Return features by name, of the opponent at ``place`` where there are several, within their bounds."""
    found = {}
    for name in names:
        values = getattr(table, name)
        found[name] = np.minimum(values[:, place] if name in OF_OPPONENTS else values, SIZES[name] - 1)
    return found


def _against_opponents(
    table: Options, names: Iterable[str], keep: Callable[[int], Mask]
) -> tuple[dict[str, npt.NDArray[np.uint8]], I64]:
    """Return features of each row for each opponent whom ``keep`` (of a place) wants, and the rows."""
    parts, rows = [], []
    for place in range(OPPONENTS):
        chosen = np.flatnonzero(keep(place) & (table.danger[:, place] != NO_DANGER))
        every = features_of(table, names, place)
        parts.append({name: values[chosen] for name, values in every.items()})
        rows.append(chosen | place << 40)
    return {name: np.concatenate([part[name] for part in parts]) for name in names}, np.concatenate(rows)


def _samples(part: int, table: Options) -> tuple[dict[str, npt.NDArray[np.uint8]], F64]:
    """Return the features and the target that a part is fitted to."""
    names = PARTS[part].features
    if part == kernels.DEAL_IN:
        found, rows = _against_opponents(table, names, lambda _: np.ones(len(table), bool))
        return found, (table.to[rows & (1 << 40) - 1] >> (rows >> 40) & 1).astype(np.float64)
    if part == kernels.PAYMENT:
        single = np.isin(table.to, (1, 2, 4))
        found, rows = _against_opponents(table, names, lambda place: single & (table.to == 1 << place))
        return found, -table.points[rows & (1 << 40) - 1].astype(np.float64)
    spared = table.dealt_in != 1
    won, later = table.won == 1, table.dealt_in == 2
    keep = {
        kernels.WIN: spared,
        kernels.GAIN: spared & won,
        kernels.LATER: spared,
        kernels.LATER_PAYMENT: spared & later,
        kernels.OTHERWISE: spared & ~won & ~later,
    }[part]
    target = {
        kernels.WIN: won,
        kernels.GAIN: table.points,
        kernels.LATER: later,
        kernels.LATER_PAYMENT: -table.points,
        kernels.OTHERWISE: table.points,
    }[part]
    found = {name: values[keep] for name, values in features_of(table, names).items()}
    return found, np.asarray(target, np.float64)[keep]


def fit_part(
    part: ModelPart, features: dict[str, npt.NDArray[np.uint8]], target: F64, *, seed: int = 0
) -> tuple[float, list[F64]]:
    """Fit a part to (rows,) ``target``: return what its terms are added to, and the table of each term.

    Values that no row has take those of the nearest that some row has, along the trees' branches.
    """
    names = part.features
    data = np.column_stack([features[name] for name in names])
    sets = [[names.index(name) for name in term] for term in part.terms]
    rising = [(name in part.rising) - (name in part.falling) for name in names]
    least = max(20, min(LEAST, len(target) // 200))
    parameters = {
        "objective": "binary" if part.is_share else "regression",
        "learning_rate": RATE,
        "num_leaves": LEAVES,
        "min_data_in_leaf": least,
        "min_data_in_bin": 1,
        "max_bin": 255,
        "lambda_l2": SHRUNK[part.is_share],
        "interaction_constraints": sets,
        "monotone_constraints": rising,
        "feature_pre_filter": False,
        "deterministic": True,
        "force_col_wise": True,
        "num_threads": 1,
        "seed": seed,
        "verbose": -1,
    }
    rounds = ROUNDS if len(target) > 100_000 else ROUNDS // 2
    booster = lightgbm.train(parameters, lightgbm.Dataset(data, target, params=parameters), rounds)
    tables = [np.zeros([SIZES[name] for name in term]) for term in part.terms]
    for tree in booster.dump_model()["tree_info"]:
        _add(tree["tree_structure"], {}, names, part.terms, tables)
    predicted = sum(
        table[tuple(features[name] for name in term)] for term, table in zip(part.terms, tables, strict=True)
    )
    assert np.allclose(predicted[:1000], booster.predict(data[:1000], raw_score=True), atol=1e-3)  # type: ignore[index]  # noqa: S101
    if part.rare:
        name, value = part.rare
        has, share = features[name] == value, 1 / (1 + np.exp(-np.asarray(predicted)))
        leaf = (target - share)[has].sum() / ((share * (1 - share))[has].sum() + SHRUNK[part.is_share])
        first = next(number for number, term in enumerate(part.terms) if name == term[0])
        tables[first][value] += leaf
        print(f"{name} {value}: {has.sum():,} rows, {leaf:+.2f}")
    shift = 0.0  # a table whose mean is 0 is easier to read
    for term, table in zip(part.terms, tables, strict=True):
        middle = float(table[tuple(features[name] for name in term)].mean())
        table -= middle
        shift += middle
    return shift, tables


def _add(
    node: dict[str, Any],
    bounds: dict[int, tuple[int, int]],
    names: list[str],
    terms: tuple[tuple[str, ...], ...],
    tables: list[F64],
) -> None:
    """Add the leaves below a node, reached by rows with features within ``bounds``, to their tables."""
    if "leaf_value" in node:
        used = {names[feature] for feature in bounds}
        at = next(i for i, term in enumerate(terms) if used <= set(term))
        where = tuple(slice(*bounds.get(names.index(name), (0, SIZES[name]))) for name in terms[at])
        tables[at][where] += node["leaf_value"]
        return
    feature, cut = node["split_feature"], int(np.floor(node["threshold"])) + 1
    low, high = bounds.get(feature, (0, SIZES[names[feature]]))
    _add(node["left_child"], {**bounds, feature: (low, min(cut, high))}, names, terms, tables)
    _add(node["right_child"], {**bounds, feature: (max(cut, low), high)}, names, terms, tables)


def without_impossible(tables: kernels.ModelTables) -> kernels.ModelTables:
    """Return tables in which the shares are 0 that the terms say are."""
    values, names = tables.values.copy(), [term for part in PARTS for term in part.terms]
    for part, begin, end in zip(PARTS, tables.begin[:-1], tables.begin[1:], strict=True):
        for first, at, second, beside in part.never:
            (term,) = (row for row in range(begin, end) if names[row] == (first, second))
            values[tables.terms[term, kernels.T_OFFSET] + at * SIZES[second] + beside] = _NO_SHARE
    return tables._replace(values=values)


def fit(choices: ChosenOptions, tell: Callable[[str], None] = lambda _: None) -> Model:
    """Fit a model to the games that are not held out."""
    fitted = choices.taken(~choices.is_held_out)
    table = fitted.table
    begin, own, terms, length = layout()
    values, base, at = np.zeros(length), np.zeros(kernels.PARTS), 0
    for number, part in enumerate(PARTS):
        features, target = _samples(number, table)
        tell(f"fitting {part.name}: {len(target):,} rows")
        base[number], tables = fit_part(part, features, target)
        for one in tables:
            values[at : at + one.size] = one.ravel()
            at += one.size
    hands, spread = _neighbourhoods(fitted)
    tables_ = kernels.ModelTables(begin, own, base.astype(np.float32), terms, values.astype(np.float32))
    return Model(without_impossible(tables_), hands, spread)


def _neighbourhoods(choices: ChosenOptions) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Return, by neighbourhood, the hands of players that chose such an option, and the points' variance."""
    table, where = choices.table, choices.where
    number = np.bincount(where, minlength=NEIGHBOURHOODS)
    points = table.points.astype(np.float64)
    mean = np.bincount(where, points, NEIGHBOURHOODS) / np.maximum(1, number)
    spread = np.bincount(where, (points - mean[where]) ** 2, NEIGHBOURHOODS) / np.maximum(1, number)
    hand = np.unique(np.stack([where, table.hand.astype(np.int64) * 4 + table.seat]), axis=1)
    hands = np.bincount(hand[0], minlength=NEIGHBOURHOODS)
    return hands.astype(np.float32), spread.astype(np.float32)


# --- the check -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tenth:
    """A tenth of the held-out decisions, by what a model predicts."""

    predicted: float
    actual: float
    error: float
    """Standard error of ``actual``, with the hands of players as what was drawn."""


def tenths(predicted: F64, actual: F64, hand: I64) -> list[Tenth]:
    """Return predicted and actual means in ten groups of equal size, by prediction."""
    order = np.argsort(predicted, kind="stable")
    found = []
    for part in np.array_split(order, TENTHS):
        if len(part):
            _, number = np.unique(hand[part], return_inverse=True)
            off = actual[part] - actual[part].mean()
            error = float(np.sqrt((np.bincount(number, off) ** 2).sum())) / len(part)
            found.append(Tenth(float(predicted[part].mean()), float(actual[part].mean()), error))
    return found


def explained(predicted: F64, actual: F64) -> float:
    """Return the share of the variance of ``actual`` that a prediction explains."""
    return float(1 - ((actual - predicted) ** 2).mean() / actual.var())


def _by_rules(fitted: Options, points: F64, table: Options) -> F64:
    """Predict the mean of choices alike in what rules of thumb look at: shanten, danger, threat, dora."""

    def group(rows: Options) -> I64:
        levels = np.append(np.array(LEVELS), np.zeros(256 - len(LEVELS), np.int64))[rows.danger]
        threat = rows.riichi.astype(np.int64) + rows.open_threats > 0
        worst = np.where(threat, (levels * (rows.shown >= 2)).max(axis=1), 0)
        parts = (np.minimum(rows.shanten, 2), threat, worst, rows.dora >= 3)
        return np.ravel_multi_index([np.asarray(one, np.int64) for one in parts], (3, 2, 5, 2)).astype(
            np.int64
        )

    own = group(fitted)
    number = np.bincount(own, minlength=60)
    mean = np.bincount(own, points, 60) / np.maximum(1, number)
    return np.asarray(np.where(number > 0, mean, points.mean())[group(table)])


@dataclass(frozen=True, slots=True)
class Predicted:
    """What models say of decisions that they were not fitted to, and what came."""

    values: F64
    """(rows, V_SIZE) answers of the model."""
    table: Options

    def tenths(self) -> dict[str, list[Tenth]]:
        """Return points, wins and deal-ins in tenths of what is predicted."""
        table, values = self.table, self.values
        hand = table.hand.astype(np.int64) * 4 + table.seat
        discards = table.option <= OptionKind.RIICHI
        return {
            "points": tenths(values[:, kernels.V_TOTAL], table.points.astype(np.float64), hand),
            "won": tenths(values[:, kernels.V_CHANCE], (table.won == 1).astype(np.float64), hand),
            "dealt_in": tenths(
                values[discards, kernels.V_DEAL_IN],
                (table.dealt_in[discards] == 1).astype(np.float64),
                hand[discards],
            ),
        }

    def explained(self, fitted: Options) -> dict[str, float]:
        """Return the share of the variance of points that the model explains, and simpler predictions."""
        points, own = self.table.points.astype(np.float64), fitted.points.astype(np.float64)
        return {
            "model": explained(self.values[:, kernels.V_TOTAL], points),
            "no model": explained(np.full(len(points), own.mean()), points),
            "rules of thumb": explained(_by_rules(fitted, own, self.table), points),
        }


def summary(found: Predicted, fitted: Options) -> dict[str, Any]:
    """Return a check as plain values: tenths as predicted, actual and its standard error."""
    plain: dict[str, Any] = {
        "games": len(np.unique(found.table.game)),
        "decisions": len(found.table),
        "explained": {name: round(share, 4) for name, share in found.explained(fitted).items()},
    }
    for name, some in found.tenths().items():
        digits = 0 if name == "points" else 4
        plain[name] = [[round(v, digits) for v in (one.predicted, one.actual, one.error)] for one in some]
    return plain


def lines(check: dict[str, Any]) -> Iterator[str]:
    """Yield a check for people."""
    yield f"checked with {check['games']:,} games, {check['decisions']:,} decisions"
    for name, share in check["explained"].items():
        yield f"explained by {name}: {100 * share:.1f}%"
    for name in ("points", "won", "dealt_in"):
        yield f"{name}: predicted, actual, error"
        factor = 1 if name == "points" else 100
        for row in check[name]:
            yield "".join(f"{factor * value:>12.2f}" for value in row)


def main() -> None:
    """Fit, check and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--players", type=int, choices=(3, 4), default=4)
    parser.add_argument("--write", action="store_true")
    options_ = parser.parse_args()
    sample = Sample()
    for batch in read_batches(options_.paths):
        sample.add(batch, options_.players)
    choices = ChosenOptions.joined(sample.parts)
    held = choices.taken(choices.is_held_out)
    model = fit(choices, print)
    found = Predicted(model.judge(held.table).astype(np.float64), held.table)
    check = summary(found, choices.taken(~choices.is_held_out).table)
    print("\n".join(lines(check)))
    if options_.write:
        arrays = {**model.tables._asdict(), "hands": model.hands, "spread": model.spread}
        about = {**sample.provenance(), "decisions": len(choices), "check": check}
        ship("judgement", options_.players, arrays, __file__, about)


if __name__ == "__main__":
    main()
