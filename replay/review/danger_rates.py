"""How often tiles deal in: counted from real games, to show beside the class of a tile.

The numbers come from 2,538 games of Tenhou, 23,485 hands, most of them of strong players: discards
against a riichi or an open hand to be feared, by what the discarder saw. ``paifu danger`` counts them, with
how many there were and intervals, from any logs; a test counts these again.
"""

from __future__ import annotations

from types import MappingProxyType

from paifu.replay.review.results import Danger, Threat

# fmt: off
RATES = MappingProxyType(
    {
        (3, Threat.RIICHI): (
            0.0, 0.0, 0.3, 4.5, 8.3, 0.0, 0.0, 3.8, 3.9, 3.9,
            6.3, 8.0, 2.7, 4.3, 13.6, 14.3, 12.8, 14.4, 16.9, 20.5,
        ),
        (3, Threat.OPEN): (
            0.0, 0.0, 0.0, 1.2, 4.0, 0.0, 0.0, 0.0, 0.6, 1.3,
            1.4, 2.9, 0.6, 3.0, 3.5, 4.5, 3.9, 4.0, 4.6, 7.1,
        ),
        (4, Threat.RIICHI): (
            0.0, 0.0, 0.2, 1.8, 4.3, 0.0, 0.0, 0.0, 0.0, 1.3,
            3.6, 5.1, 2.3, 2.1, 6.9, 10.1, 8.1, 9.5, 11.6, 14.2,
        ),
        (4, Threat.OPEN): (
            0.0, 0.0, 0.1, 0.9, 2.2, 0.0, 0.0, 0.0, 0.0, 0.6,
            1.3, 1.8, 1.4, 0.8, 2.0, 3.7, 2.4, 3.3, 3.9, 4.7,
        ),
    }
)
"""(players, threat) -> how many of a hundred discards dealt in to the threat, by class in order.

0 also means that there is no such class: for the terminals without neighbours of four players.
"""
# fmt: on


def deal_in_percent(players: int, threat: Threat, danger: Danger) -> float:
    """Return how many of a hundred discards of a class dealt in to such a threat.

    For two players, of whom there are no logs, it is the rate of four, who play with the same tiles.
    """
    return RATES[3 if players == 3 else 4, threat][danger]
