"""One part of the model: a sum of tables, found by boosting trees that may each bend one term.

LightGBM grows the trees. A branch may use the features of one term only, so every leaf says something about
one term, and all leaves of a term add up to its table.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import F64
from paifu.replay.judgement.terms import SIZES, ModelPart
from paifu.reports.judgement.library import boosting

ROUNDS, RATE, LEAVES, LEAST = 300, 0.15, 12, 400
"""Trees, learning rate, leaves of a tree, rows in a leaf at least."""


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
        "lambda_l2": 10.0 if part.is_share else 50.0,
        "interaction_constraints": sets,
        "monotone_constraints": rising,
        "feature_pre_filter": False,
        "deterministic": True,
        "force_col_wise": True,
        "num_threads": 1,
        "seed": seed,
        "verbose": -1,
    }
    library = boosting()
    rounds = ROUNDS if len(target) > 100_000 else ROUNDS // 2
    booster = library.train(parameters, library.Dataset(data, target, params=parameters), rounds)
    tables = [np.zeros([SIZES[name] for name in term]) for term in part.terms]
    for tree in booster.dump_model()["tree_info"]:
        _add(tree["tree_structure"], {}, names, part.terms, tables)
    predicted = sum(
        table[tuple(features[name] for name in term)] for term, table in zip(part.terms, tables, strict=True)
    )
    assert np.allclose(predicted[:1000], booster.predict(data[:1000], raw_score=True), atol=1e-3)  # type: ignore[index]  # noqa: S101
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
