"""Where the columns of the facts are in the rows that kernels fill. No code.

A column of the facts is declared in its table and nowhere else: order, type and meaning follow from there. In
kernels it is a constant, ``row[PLAYER.riichi]``; of a column that holds several numbers, the place of the
first. This is the only module of these kernels that takes anything from outside, from the declarations in
:mod:`paifu.replay.facts`; see :func:`paifu.replay.kernels.running.sources_hash`.
"""

from __future__ import annotations

from paifu.replay.facts.tables import Findings, PlayerHands, ReviewFindings, ScoredWins

NOTED = Findings.places()
SCORED = ScoredWins.places()
PLAYER = PlayerHands.places()
FOUND = ReviewFindings.places()

PATH_TURNS, PATH_BITS = 18, 3
"""``PLAYER.path`` holds the shanten after each of the first ``PATH_TURNS`` discards."""
