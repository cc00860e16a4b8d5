"""Kinds of draws, where a log does not state them."""

from __future__ import annotations

from paifu.parsers.packed_events import kind_of_code, recent, tile_of
from paifu.replay.model.events import EventKind, HandEnd

_LIVE_WALL = {4: 70, 3: 55}
_MOST_PAID_FOR_TENPAI = 3000
_KANS = (EventKind.DAIMINKAN, EventKind.ANKAN, EventKind.KAKAN)
_HONOUR_WINDS = range(27, 31)


def kind_of_draw(every: list[int], begin: int, deltas: list[int] | None, players: int) -> HandEnd:
    """Return the kind of a draw for which no reason is given, by the events from ``begin`` on; or unknown."""
    words = [every[at] for at in recent(every, begin)]
    kinds = [word & 31 for word in words]
    if kinds.count(EventKind.DRAW) == _LIVE_WALL[players]:
        paid = max(map(abs, deltas or [0]))
        if not paid and sum(kind in _KANS for kind in kinds) == 4:
            return HandEnd.UNKNOWN_DRAW  # by four kans, or because the wall is at its end, too
        return HandEnd.NAGASHI if paid > _MOST_PAID_FOR_TENPAI else HandEnd.EXHAUSTIVE
    moves = [word for word in words if EventKind.DRAW <= word & 31 <= EventKind.KITA]
    discards = [word for word in moves if word & 31 == EventKind.DISCARD]
    kans = sum(kind in _KANS for kind in kinds)
    is_untouched = all(word & 31 in (EventKind.DRAW, EventKind.DISCARD) for word in moves)
    if moves and moves[-1] & 31 == EventKind.DRAW and is_untouched and len(discards) < players:
        return HandEnd.KYUUSHU
    first = {kind_of_code(tile_of(word)) for word in discards}
    if len(discards) == 4 and is_untouched and len(first) == 1 and first <= set(_HONOUR_WINDS):
        return HandEnd.SUUFON
    if kinds.count(EventKind.RIICHI_PAID) == 4:
        return HandEnd.SUUCHA
    return HandEnd.SUUKAIKAN if kans == 4 else HandEnd.UNKNOWN_DRAW
