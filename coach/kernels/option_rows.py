"""Where the columns of :class:`~paifu.coach.decisions.Options` are in the rows that kernels fill. No code."""

from __future__ import annotations

from paifu.coach.decisions import Options

OPTION = Options.cell_places()
