"""Helpers for wording."""

from __future__ import annotations


def plural(count: int, noun: str) -> str:
    """Return a count with its noun: ``1 file``, ``2,000 files``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
