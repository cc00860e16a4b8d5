"""When indicators were turned, where a log cannot say so: as the rules have it that the log is read under.

tenhou.net/6 JSON and texts of Tonpuusou list a hand's dora and do not say when each was turned. Readers put
them where the log's own rules turn them. Under other rules (``--rules``) they are replayed at other places,
and so no log is blamed for a time that it does not state.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.rules.choices import KanDoraTiming
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import ruleset_of
from paifu.replay.table.unstated import UNTIMED

_KANS = (EventKind.DAIMINKAN, EventKind.ANKAN, EventKind.KAKAN)


def replay_order(batch: Batch, rulesets: Sequence[Ruleset]) -> npt.NDArray[np.int64]:
    """Return the rows of ``batch.events`` in the order that each game's ruleset has; empty: as they are."""
    order: npt.NDArray[np.int64] = np.zeros(0, np.int64)
    hands, games = batch.hands, batch.games
    for game in range(len(games)):
        timing = rulesets[game].dora.kan_dora_timing
        if games.format[game] not in UNTIMED or timing == ruleset_of(batch, game).dora.kan_dora_timing:
            continue
        for hand in range(games.hand_begin[game], games.hand_end[game]):
            begin, end = int(hands.event_begin[hand]), int(hands.event_end[hand])
            kinds = batch.events.kind[begin:end].tolist()
            if EventKind.DORA in kinds:
                order = order if len(order) else np.arange(len(batch.events))
                order[begin:end] = begin + np.array(_turned_by(kinds, timing))
    return order


def _turned_by(kinds: Sequence[int], timing: KanDoraTiming) -> list[int]:
    """Return the events of a hand, by position, with each indicator where the rules turn it.

    Any that no kan explains are before the result.
    """
    left = [at for at, kind in enumerate(kinds) if kind == EventKind.DORA][::-1]
    order: list[int] = []
    owed = 0
    is_supplement = False
    for at, kind in enumerate(kinds):
        is_kan, due = kind in _KANS, 0
        if kind == EventKind.DORA:
            continue
        if kind in (EventKind.WIN, EventKind.HAND_DRAW):
            due = len(left)
        elif kind == EventKind.DISCARD:
            due = owed if timing == KanDoraTiming.BEFORE_DISCARD else 0
        elif kind == EventKind.DRAW:
            due = owed if timing >= KanDoraTiming.AFTER_DISCARD and not is_supplement else 0
            is_supplement = False
        owed -= due
        order += [left.pop() for _ in range(min(due, len(left)))]
        order.append(at)
        is_supplement = is_supplement or is_kan or kind == EventKind.KITA
        if is_kan:
            # What an earlier kan still owes is turned with the next one.
            is_at_once = timing == KanDoraTiming.AT_ONCE or (
                kind == EventKind.ANKAN and timing != KanDoraTiming.ALL_AFTER_DISCARD
            )
            due = 0 if timing == KanDoraTiming.ALL_AFTER_DISCARD else owed + is_at_once
            owed += 1 - due
        elif kind == EventKind.KITA and timing != KanDoraTiming.ALL_AFTER_DISCARD:
            due, owed = owed, 0
        else:
            continue
        order += [left.pop() for _ in range(min(due, len(left)))]
    return order + left[::-1]
