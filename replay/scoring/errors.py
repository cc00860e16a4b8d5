"""The error of hands that cannot be scored; apart from the kernels, so that naming it costs no import."""

from __future__ import annotations

from paifu.replay.errors import ArgumentError


class HandError(ArgumentError):
    """A hand that cannot be, or that wins nothing; the message says why."""
