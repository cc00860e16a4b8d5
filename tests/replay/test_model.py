"""The model of decisions: what its tables say and what a file may hold."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from paifu.coach.decisions import NO_DANGER, Options
from paifu.coach.judgement.deciding import rows_of_options, table_of
from paifu.coach.judgement.judged import judge
from paifu.coach.judgement.model import Model, layout, neighbourhood, shipped_model
from paifu.coach.judgement.terms import OF_OPPONENTS, PARTS, SIZES
from paifu.coach.kernels import decision_model as kernels
from paifu.coach.model_files import SHIPPED, ModelError, load
from paifu.parsers.read import read_batches
from paifu.replay.model.batch import Batch

GAME = Path(__file__).parents[2] / "sample_logs" / "games" / "tonpuu-4p-01.mjlog.gz"
F64 = npt.NDArray[np.float64]


@pytest.fixture(scope="module")
def model() -> Model:
    found = shipped_model(4)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def table() -> Options:
    parts = [table_of(*rows) for rows in rows_of_options(Batch.concatenate(list(read_batches([GAME]))))]
    return parts[0].concatenated(parts[1:])


def slow_part(model: Model, table: Options, number: int, place: int = 0) -> F64:
    """The sum of a part's tables, by names."""
    begin, _, terms, _ = layout()
    total = np.full(len(table), float(model.tables.base[number]))
    for names, term in zip(PARTS[number].terms, terms[begin[number] : begin[number + 1]], strict=True):
        shape = [SIZES[name] for name in names]
        one = model.tables.values[term[5] : term[5] + np.prod(shape)].reshape(shape)
        at = []
        for name in names:
            values = getattr(table, name)
            at.append(values[:, place] if name in OF_OPPONENTS else values)
        total += one[tuple(at)]
    return total


def test_answers_are_sums_of_tables_put_together(model: Model, table: Options) -> None:
    def share(values: F64) -> F64:
        return np.asarray(1 / (1 + np.exp(-values)))

    discards = Options(**{name: array[table.danger[:, 0] != NO_DANGER] for name, array in table.arrays()})
    answers = model.judge(discards)
    chance = np.stack([share(slow_part(model, discards, kernels.DEAL_IN, place)) for place in range(3)])
    cost = np.stack([slow_part(model, discards, kernels.PAYMENT, place) for place in range(3)])
    spared = (1 - chance).prod(axis=0)
    win, later = (share(slow_part(model, discards, part)) for part in (kernels.WIN, kernels.LATER))
    total = (
        -(chance * cost).sum(axis=0)
        + spared * win * slow_part(model, discards, kernels.GAIN)
        - spared * later * slow_part(model, discards, kernels.LATER_PAYMENT)
        + spared * np.maximum(0, 1 - win - later) * slow_part(model, discards, kernels.OTHERWISE)
    )
    assert np.allclose(answers[:, kernels.V_TOTAL], total, atol=0.5)
    parts = answers[:, [kernels.V_NOW, kernels.V_WIN, kernels.V_LATER, kernels.V_OTHERWISE]].sum(axis=1)
    assert np.allclose(parts, total, atol=0.5)


def test_what_is_certain_is_enforced(model: Model) -> None:
    """More accepted tiles never lower the chance to win; dora never lowers what a win brings."""
    rows = Options.empty(61)
    rows.shanten[:], rows.left[:], rows.safe[:], rows.danger[:] = 1, 10, 10, NO_DANGER
    rows.accepted[:] = np.arange(61)
    assert (np.diff(model.judge(rows)[:, kernels.V_CHANCE]) >= -1e-6).all()
    rows.accepted[:], rows.dora[:8] = 20, np.arange(8)
    assert (np.diff(model.judge(rows)[:8, kernels.V_GAIN]) >= -1e-2).all()


def test_a_loss_is_the_best_judged_option_less_the_chosen_one(model: Model, table: Options) -> None:
    found = judge(table, model)
    assert len(found) == table.decision[-1] + 1
    assert (found.loss >= 0).all()
    assert found.loss.max() > 0
    error = model.error(table)
    for number in range(0, len(found), 7):
        rows = np.arange(found.first[number], found.end[number])
        known = rows[np.isfinite(error[rows])]
        chosen = found.chosen[number]
        assert table.chosen[chosen] == 1
        assert chosen in rows
        if chosen in known:
            most = found.answers[known, kernels.V_TOTAL].max()
            assert found.loss[number] == pytest.approx(most - found.answers[chosen, kernels.V_TOTAL], abs=0.1)
        else:
            assert found.loss[number] == 0
            assert not found.is_costly(0)[number]


def test_thin_neighbourhoods_are_not_judged(model: Model, table: Options) -> None:
    empty = Model(model.tables, np.zeros_like(model.hands), model.spread)
    assert np.isinf(empty.error(table)).all()
    assert judge(table, empty).loss.max() == 0
    where = neighbourhood(table)
    assert where.min() >= 0
    assert where.max() < len(model.hands)


BAD = {
    "terms": lambda file: {"terms": file.arrays["terms"] + 1},
    "values": lambda file: {"values": file.arrays["values"][:-1]},
    "not finite": lambda file: {"base": np.full(kernels.PARTS, np.nan, np.float32)},
}


@pytest.mark.parametrize("damage", BAD)
def test_a_model_that_does_not_fit_is_refused(damage: str) -> None:
    file = load(SHIPPED / "judgement-4.npz")
    bad = replace(file, arrays={**file.arrays, **BAD[damage](file)})
    with pytest.raises(ModelError, match=r"judgement-4\.npz: not a model of this version .*fit_model"):
        Model.of(bad)


def test_the_model_is_better_than_rules_of_thumb() -> None:
    shares = load(SHIPPED / "judgement-4.npz").about["check"]["explained"]
    assert shares["model"] > shares["rules of thumb"] > shares["no model"]
