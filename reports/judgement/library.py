"""The library that grows trees, which only fitting needs."""

from __future__ import annotations

from typing import Any

from paifu.replay.errors import PaifuError


class FitError(PaifuError):
    """A model that cannot be fitted."""


def boosting() -> Any:
    """Return LightGBM. Raises FitError where it is not installed."""
    try:
        import lightgbm
    except ImportError as error:
        raise FitError("fitting needs LightGBM: pip install 'paifu[fit]'") from error
    return lightgbm
