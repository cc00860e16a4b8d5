"""Fitting the model of decisions to what players chose, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import F64, I64, Mask
from paifu.replay.facts.decisions import NO_DANGER, OPPONENTS, OptionKind, Options
from paifu.replay.judgement.model import NEIGHBOURHOODS, Model, layout, without_impossible
from paifu.replay.judgement.terms import OF_OPPONENTS, PARTS, SIZES
from paifu.replay.kernels import decision_model as kernels
from paifu.replay.kernels.review_layout import LEVELS
from paifu.replay.language import N_, _
from paifu.replay.language.lines import ljust, rjust
from paifu.reports.judgement.boosting import fit_part
from paifu.reports.judgement.library import FitError, boosting

LEAST_GAMES = 50
TENTHS = 10


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


def fit(
    choices: ChosenOptions, provenance: dict[str, Any], tell: Callable[[str], None] = lambda _: None
) -> Model:
    """Fit a model to the games that are not held out. Raises FitError."""
    boosting()
    fitted = choices.taken(~choices.is_held_out)
    table = fitted.table
    if len(np.unique(table.game)) < LEAST_GAMES:
        raise FitError(f"a model needs at least {LEAST_GAMES} games to be fitted to; import more logs")
    begin, own, terms, length = layout()
    values, base, at = np.zeros(length), np.zeros(kernels.PARTS), 0
    for number, part in enumerate(PARTS):
        features, target = _samples(number, table)
        if len(target) < 100 or (part.is_share and not 0 < target.mean() < 1):
            raise FitError(f"too few games to fit the part {part.name!r}; import more logs")
        tell(f"fitting {part.name}: {len(target):,} rows")
        base[number], tables = fit_part(part, features, target)
        for one in tables:
            values[at : at + one.size] = one.ravel()
            at += one.size
    hands, spread = _neighbourhoods(fitted)
    tables_ = kernels.ModelTables(begin, own, base.astype(np.float32), terms, values.astype(np.float32))
    return Model(without_impossible(tables_), hands, spread, provenance)


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


@dataclass(frozen=True, slots=True)
class ModelCheck:
    """How a model fares in the games that it was not fitted to."""

    games: int
    decisions: int
    points: list[Tenth]
    won: list[Tenth]
    dealt_in: list[Tenth]
    explained: dict[str, float]
    """Share of the variance of points: ``model`` and what it is compared with."""

    def summary(self) -> dict[str, Any]:
        """Return the check as plain values: tenths as predicted, actual and its standard error."""

        def plain(some: list[Tenth], digits: int) -> list[list[float]]:
            return [[round(v, digits) for v in (one.predicted, one.actual, one.error)] for one in some]

        return {
            "games": self.games,
            "decisions": self.decisions,
            "explained": {name: round(share, 4) for name, share in self.explained.items()},
            "points": plain(self.points, 0),
            "won": plain(self.won, 4),
            "dealt_in": plain(self.dealt_in, 4),
        }

    def lines(self) -> Iterator[str]:
        """Yield the check for people."""
        text = _("checked with {games:,} other games, {decisions:,} decisions")
        yield text.format(games=self.games, decisions=self.decisions)
        yield ""
        yield _("share of the variance of points that is explained")
        for name, share in self.explained.items():
            yield f"  {ljust(_(name), 24)}{100 * share:>7.1f} %"
        for title, some, number in (
            (_("points to the end of the hand"), self.points, "{:>10.0f}"),
            (_("hands won (%)"), self.won, "{:>10.2f}"),
            (_("deal-ins with this discard (%)"), self.dealt_in, "{:>10.2f}"),
        ):
            factor = 1 if some is self.points else 100
            yield ""
            heads = (_("predicted"), _("actual"), _("error"))
            yield ljust(title, 32) + "".join(rjust(head, 10) for head in heads)
            for place, one in enumerate(some, 1):
                values = (one.predicted, one.actual, one.error)
                row = _("tenth {place}").format(place=place)
                yield "  " + ljust(row, 30) + "".join(number.format(factor * value) for value in values)


def check(model: Model, choices: ChosenOptions, *, compare: bool = True) -> ModelCheck:
    """Compare what a model predicts of the held-out games with what came, and with other predictions."""
    held, fitted = choices.taken(choices.is_held_out), choices.taken(~choices.is_held_out)
    table = held.table
    answers = model.judge(table).astype(np.float64)
    points, hand = table.points.astype(np.float64), table.hand.astype(np.int64) * 4 + table.seat
    total = answers[:, kernels.V_TOTAL]
    shares = {"model": explained(total, points)}
    if compare:
        own = fitted.table.points.astype(np.float64)
        shares[N_("no model")] = explained(np.full(len(points), own.mean()), points)
        shares[N_("rules of thumb")] = explained(_by_rules(fitted.table, own, table), points)
        shares[N_("unconstrained boosting")] = explained(_boosted(fitted.table, own, table), points)
    discards = table.option <= OptionKind.RIICHI
    return ModelCheck(
        len(np.unique(table.game)),
        len(table),
        tenths(total, points, hand),
        tenths(answers[:, kernels.V_CHANCE], (table.won == 1).astype(np.float64), hand),
        tenths(
            answers[discards, kernels.V_DEAL_IN],
            (table.dealt_in[discards] == 1).astype(np.float64),
            hand[discards],
        ),
        shares,
    )


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


def _boosted(fitted: Options, points: F64, table: Options) -> F64:
    """Predict by boosted trees over all features that may do as they like."""
    library = boosting()

    def matrix(rows: Options) -> npt.NDArray[np.uint8]:
        names = [one.name for one in Options.columns() if one.name in SIZES]
        return np.column_stack([getattr(rows, name) for name in names])

    parameters = {
        "objective": "regression", "num_leaves": 63, "learning_rate": 0.08, "min_data_in_leaf": 500,
        "feature_fraction": 0.7, "num_threads": 1, "verbose": -1, "seed": 1, "deterministic": True,
        "force_col_wise": True,
    }  # fmt: skip
    booster = library.train(parameters, library.Dataset(matrix(fitted), points, params=parameters), 120)
    return np.asarray(booster.predict(matrix(table)))


def numbered(parts: Iterable[ChosenOptions]) -> Iterator[ChosenOptions]:
    """Yield choices of several batches with games and hands numbered through."""
    games = hands = 0
    for part in parts:
        table = part.table
        if len(table):
            yield replace(part, table=replace(table, game=table.game + games, hand=table.hand + hands))
            games, hands = games + int(table.game.max()) + 1, hands + int(table.hand.max()) + 1
