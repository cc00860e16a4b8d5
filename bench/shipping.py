"""Puts a model where it ships."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import numpy.typing as npt

from paifu.coach.model_files import ModelFile


def ship(
    name: str, players: int, arrays: Mapping[str, npt.NDArray[Any]], program: str, about: Mapping[str, Any]
) -> None:
    """Write the model ``name``, made today by ``program`` (its ``__file__``); ``about`` says of what."""
    made = {"program": f"bench/{Path(program).name}", "made": date.today().isoformat()}  # noqa: DTZ011
    file = ModelFile(name, players, arrays, {**about, **made})
    data = file.saved()
    file.path.write_bytes(data)
    print(f"{file.path.name}: {len(data):,} bytes")
