"""The model and what the literature agrees on: see positions.toml."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from each_row import each_row
from positions import Position, answer, judged, positions

ALL = positions()
LEAST = 50
"""Positions of the 57 in which the model is right; docs/reference/decision-model.md lists the others."""
PAGE = Path(__file__).parents[2] / "docs" / "reference" / "decision-model.md"


def test_there_are_fifty_positions_of_every_sort() -> None:
    assert len(ALL) >= 50
    assert {position.about for position in ALL} == {
        "efficiency", "riichi", "folding", "pushing", "calls", "kans",
    }  # fmt: skip
    assert len({position.name for position in ALL}) == len(ALL)


@each_row("position", ALL, ids=lambda position: position.name)
def test_a_position_asks_for_a_choice(position: Position) -> None:
    """The right answers are options, there are wrong ones, and the model judges some of each."""
    found, words = judged(position)
    assert set(position.best) & set(words)
    assert not set(words) <= set(position.best)
    is_right = np.array([word in position.best for word in words])
    known = np.isfinite(found.row_error)
    assert (known & is_right).any()
    assert position.why.endswith(".")


def test_the_model_agrees_with_the_literature() -> None:
    wrong = [position.name for position in ALL if answer(position) not in position.best]
    assert len(ALL) - len(wrong) >= LEAST
    page = PAGE.read_text("utf-8")
    assert [name for name in wrong if name not in page] == []
    assert f"{len(ALL) - len(wrong)} of {len(ALL)}" in page
