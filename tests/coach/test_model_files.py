"""Model files: each that ships says where it comes from, and what is none is refused."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from paifu.coach.model_files import SHIPPED, ModelError, ModelFile, load
from paifu.replay.array_files import npz

FILES = sorted(SHIPPED.glob("*.npz"))
BENCH = Path(__file__).parents[2] / "bench"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_model_that_ships_says_where_it_comes_from(path: Path) -> None:
    """Its program, day, games, and how many they were."""
    file = load(path)
    assert file.path == path
    assert path.stat().st_size < 1 << 20
    about = file.about
    assert (BENCH.parent / about["program"]).is_file()
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", about["made"])
    assert "Tenhou" in about.get("from", "") or about["played"] == sorted(about["played"])
    assert about.get("games", 0) > 400 or about["draws"] > 1_000_000


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_model_is_written_as_it_was_read(path: Path, tmp_path: Path) -> None:
    file, copy = load(path), tmp_path / path.name
    copy.write_bytes(file.saved())
    again = load(copy)
    assert again.about == file.about
    assert {name: array.tobytes() for name, array in again.arrays.items()} == {
        name: array.tobytes() for name, array in file.arrays.items()
    }
    assert again.saved() == file.saved()


BAD = {
    "nothing": b"",
    "text": b"not a model",
    "cut": (SHIPPED / "places-3.npz").read_bytes()[:1000],
    "bare": npz({"one": np.zeros(1)}, {}),
    "old": npz({"one": np.zeros(1)}, {"schema": "paifu.policy/1"}),
}


@pytest.mark.parametrize("name", BAD)
def test_a_file_that_is_no_model_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    path.write_bytes(BAD[name])
    with pytest.raises(ModelError, match=r"model\.npz: "):
        load(path)
    with pytest.raises(ModelError, match=r"none\.npz: "):
        load(tmp_path / "none.npz")


def test_arrays_of_another_shape_are_refused() -> None:
    file = ModelFile("luck", 4, {"one": np.zeros((2, 3))}, {"program": "bench/fit_luck.py"})
    assert [array.dtype for array in file.floats({"one": (-1, 3)})] == [np.float32]
    for shapes in ({"one": (2, 4)}, {"one": (2,)}, {"two": (-1,)}):
        with pytest.raises(ModelError, match=r"luck-4\.npz: .* fit it again with bench/fit_luck\.py"):
            file.floats(shapes)
