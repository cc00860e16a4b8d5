"""Cases that are data: tables in ``tests/data``, a row a line."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[1] / "data"


def case_data(name: str) -> dict[str, Any]:
    """Return the tables of ``tests/data/NAME.toml``."""
    return tomllib.loads((DATA / f"{name}.toml").read_text("utf-8"))
