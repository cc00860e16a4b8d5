"""Draw every term of the model that comes with the package: ``python docs/model_terms.py``."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl

mpl.use("svg")

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from paifu.replay.judgement.model import Model, layout, shipped_model
from paifu.replay.judgement.terms import PARTS, SIZES, ModelPart

FOLDER = Path(__file__).parent / "images" / "model"
COLUMNS = 3
VALUES = {
    "option": ["discard", "riichi", "pass", "chi", "pon", "open kan", "closed kan", "added kan"],
    "dealer": ["no", "dealer"],
    "dealer_threat": ["none", "open hand", "riichi"],
    "tenpai": ["noten", "riichi", "furiten riichi", "yaku", "some yaku", "no yaku", "furiten"],
    "shown": ["closed", "1 meld", "2 melds", "3 melds", "riichi"],
    "beside": ["nothing", "later", "2 from declared", "2 from early", "next to declared", "next to early"],
    "flush": ["no", "its suit", "other suit"],
    "deals": ["no", "deals"],
    "dora_tile": ["no", "dora"],
    "danger": [
        "genbutsu", "honour 0", "honour 1", "honour 2", "honour 3", "terminal 0", "terminal 1", "terminal 2",
        "terminal 3", "suji 19", "suji 28", "suji 37", "suji 456", "no chance", "one chance", "half suji",
        "no suji 19", "no suji 28", "no suji 37", "no suji 456",
    ],
}  # fmt: skip
"""Names of the values of a feature; others are numbers."""


def tables(model: Model, number: int) -> list[np.ndarray]:  # type: ignore[type-arg]
    """Return the table of each term of a part."""
    begin, _, terms, _ = layout()
    found = []
    for names, term in zip(PARTS[number].terms, terms[begin[number] : begin[number + 1]], strict=True):
        shape = [SIZES[name] for name in names]
        found.append(model.tables.values[term[5] : term[5] + int(np.prod(shape))].reshape(shape))
    return found


def draw(part: ModelPart, number: int, model: Model) -> None:
    """Draw the terms of a part into one picture."""
    rows = -(-len(part.terms) // COLUMNS)
    figure, axes = plt.subplots(rows, COLUMNS, figsize=(13, 3.6 * rows), squeeze=False, layout="constrained")
    for axis in axes.flat[len(part.terms) :]:
        axis.set_visible(False)
    for axis, names, table in zip(axes.flat, part.terms, tables(model, number), strict=False):
        if len(names) == 1:
            bars(axis, names[0], table)
        else:
            heat(axis, names, table)
        axis.set_title(" and ".join(name.replace("_", " ") for name in names), fontsize=10)
    scale = "on the logistic scale" if part.is_share else "in points"
    figure.suptitle(f"{part.name}: {part.meaning}, {scale} ({model.tables.base[number]:.2f} and these terms)")
    figure.savefig(FOLDER / f"{part.name.replace(' ', '-')}.png", dpi=80)
    plt.close(figure)


def bars(axis: Axes, name: str, table: np.ndarray) -> None:  # type: ignore[type-arg]
    """Draw a term of one feature."""
    axis.bar(range(len(table)), table, color="#00796b")
    axis.axhline(0, color="#777777", linewidth=0.8)
    label(axis, "x", name)


def heat(axis: Axes, names: tuple[str, ...], table: np.ndarray) -> None:  # type: ignore[type-arg]
    """Draw a term of two features, the longer one along the width."""
    if table.shape[0] > table.shape[1]:
        names, table = names[::-1], table.T
    most = float(np.abs(table).max()) or 1.0
    image = axis.imshow(table, aspect="auto", cmap="BrBG", vmin=-most, vmax=most, origin="lower")
    axis.figure.colorbar(image, ax=axis, shrink=0.9)
    label(axis, "y", names[0])
    label(axis, "x", names[1])


def label(axis: Axes, side: str, name: str) -> None:
    """Name an axis, and its values where they have names."""
    if side == "x":
        axis.set_xlabel(name.replace("_", " "))
    else:
        axis.set_ylabel(name.replace("_", " "))
    if name in VALUES:
        turned = 90 if side == "x" and len(VALUES[name]) > 3 else 0
        ticks = axis.set_xticks if side == "x" else axis.set_yticks
        ticks(range(len(VALUES[name])), VALUES[name], rotation=turned, fontsize=7)


def main() -> None:
    """Draw all parts."""
    model = shipped_model(4)
    assert model is not None
    FOLDER.mkdir(parents=True, exist_ok=True)
    for number, part in enumerate(PARTS):
        draw(part, number, model)


if __name__ == "__main__":
    main()
