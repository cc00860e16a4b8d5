"""Luck of hands and place chances after every event, as columns of the tables; hands count in the batch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from paifu.coach.luck.course import course
from paifu.coach.luck.hand_ends import SEATS
from paifu.coach.luck.ledger import LuckLedger, luck_ledger
from paifu.coach.luck.measuring import DEAL, OTHERS, OWN, TURNED, chance_nodes
from paifu.coach.luck.moments import Moments, moments
from paifu.coach.places.utilities import RULES
from paifu.replay.arrays import F64, I64
from paifu.replay.table.replayed import Replay

PARTS = {"luck_deal": DEAL, "luck_draws": OWN, "luck_others": OTHERS, "luck_ura": TURNED}
"""Column -> part of the luck."""


@dataclass(frozen=True, slots=True, eq=False)
class LuckRows:
    """What the tables of luck are made of: a row for each seat of each hand, and of each moment."""

    ledger: LuckLedger
    every: Moments

    @classmethod
    def of(cls, replayed: Replay) -> LuckRows:
        """Measure the luck of a replayed batch; values of places are results with uma and oka."""
        found = list(chance_nodes(replayed.batch, *replayed.rules, keep=True))
        ledger = luck_ledger(replayed.batch, *replayed.rules, worth=RULES, outlook=True, nodes=found)
        return cls(ledger, moments(replayed.batch, ledger, course(replayed.batch, found, RULES)))

    def hands(self) -> tuple[I64, I64, dict[str, Any]]:
        """Return hand and seat of each row, and the other columns."""
        own = self.ledger
        hand, seat = np.repeat(own.hand, SEATS), np.tile(np.arange(SEATS), len(own.hand))
        return hand, seat, {
            "result": own.result.reshape(-1).astype(np.int64),
            "luck": own.luck.reshape(-1),
            **{name: own.parts[:, :, part].reshape(-1) for name, part in PARTS.items()},
            **_places(own.chances),
            "worth": own.expected.reshape(-1),
            "luck_worth": own.worth_luck.reshape(-1),
            "leverage": own.leverage.reshape(-1),
        }  # fmt: skip

    def moments(self) -> tuple[I64, I64, dict[str, Any]]:
        """Return hand and seat of each row, and the other columns."""
        every = self.every
        hand = np.repeat(self.ledger.hand[every.row], SEATS)
        seat, event = np.tile(np.arange(SEATS), len(every.row)), np.repeat(every.event, SEATS)
        return hand, seat, {
            "event": np.ma.masked_array(event, mask=event < 0),
            **_places(every.places),
            "worth": every.worth.reshape(-1),
            "swing": (every.worth - every.worth_before).reshape(-1),
        }  # fmt: skip


def _places(chances: F64) -> dict[str, F64]:
    """Return the columns of the chances of each place."""
    return {f"place_{place + 1}": chances[:, :, place].reshape(-1) for place in range(SEATS)}
