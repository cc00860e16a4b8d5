"""Model files: arrays that were fitted or counted, and where they come from.

All models that ship lie in ``coach/shipped``, named by what they are and the number of players:
``policy-4.npz``. A program of ``bench/`` makes each, and says so in it. Nothing in them names a player or a
game.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.replay.array_files import npz
from paifu.replay.errors import PaifuError

SCHEMA = "paifu.model/2"
SHIPPED = Path(__file__).parent / "shipped"


class ModelError(PaifuError):
    """A file that is not a model that this version reads."""


@dataclass(frozen=True, slots=True, eq=False)
class ModelFile:
    """A model as it is stored."""

    name: str
    """What it is: ``judgement``, ``policy``, ``luck``, ``ends``, ``places``, ``belief`` or ``grades``."""
    players: int
    """In the games that it is of."""
    arrays: Mapping[str, npt.NDArray[Any]]
    about: Mapping[str, Any]
    """Where it comes from: ``program``, ``made`` (the day), what games, how many, and what else is known."""

    @property
    def path(self) -> Path:
        """Where it lies if it ships."""
        return _path(self.name, self.players)

    def saved(self) -> bytes:
        """Return the bytes of the file; the same model gives the same bytes."""
        about = {**self.about, "schema": SCHEMA, "name": self.name, "players": self.players}
        return npz(self.arrays, about, level=6)

    def floats(self, shapes: Mapping[str, tuple[int, ...]]) -> list[npt.NDArray[np.float32]]:
        """Return arrays as 32-bit floats. Raises ModelError where one has another shape; -1 is any length."""
        for name, shape in shapes.items():
            found = self.arrays[name].shape if name in self.arrays else ()
            if len(found) != len(shape) or any(a not in (-1, b) for a, b in zip(shape, found, strict=True)):
                raise self.refused(f"{name} is {found}, expected {shape}")
        return [self.arrays[name].astype(np.float32) for name in shapes]

    def refused(self, reason: str) -> ModelError:
        """Return the error that says why this version cannot use it."""
        text = f"{self.path}: not a model of this version ({reason}); fit it again"
        return ModelError(f"{text} with {self.about['program']}")


def _path(name: str, players: int) -> Path:
    return SHIPPED / f"{name}-{players}.npz"


def load(path: Path) -> ModelFile:
    """Read a model file. Raises ModelError if it cannot be read, or was written by another version."""
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        about = json.loads(arrays.pop("about").tobytes())
        if about.pop("schema") != SCHEMA:
            raise ModelError(f"{path}: a model of another version; fit it again")
        return ModelFile(about.pop("name"), about.pop("players"), arrays, about)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, zipfile.BadZipFile) as error:
        raise ModelError(f"{path}: not a model ({error})") from error


@cache
def shipped(name: str, players: int) -> ModelFile | None:
    """Return the model of this name that comes with the package; None if there is none for the players."""
    path = _path(name, players)
    return load(path) if path.exists() else None
