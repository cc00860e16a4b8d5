"""Small words that many texts need."""

from __future__ import annotations


def plural(count: int, noun: str) -> str:
    """Say how many: ``1 file``, ``2,000 files``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
