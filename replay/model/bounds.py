"""What every batch holds to, whoever made it: the ranges and row numbers on which the engine relies.

A parser checks while it reads, and past it nothing is checked again: kernels index arrays with seats, tiles
and row numbers as they come. A batch that was stored may have been damaged or made up since; it goes through
:func:`check_batch` first. What a *log* may state wrongly is not looked at here, that is for the replay.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.replay.errors import PaifuError
from paifu.replay.model.batch import UNKNOWN_POINTS, Batch, Table
from paifu.replay.model.events import NO_SEAT, EventKind, HandEnd
from paifu.replay.model.tiles import IDS, NO_TILE, TILES
from paifu.replay.rules.presets import RuleError, resolve
from paifu.replay.rules.ruleset import Scheme
from paifu.replay.scoring.yaku import YAKU

Mask = npt.NDArray[np.bool_]

MAX_POINTS = 10_000_000
"""No score or change of a game is larger."""
_MAX_COUNT = 9_999
_SEATS, _TILES, _IDS = (0, 3, NO_SEAT), (0, TILES - 1, NO_TILE), (0, IDS - 1, NO_TILE)
_POINTS = (-MAX_POINTS, MAX_POINTS, UNKNOWN_POINTS)
_COUNT, _STATED_COUNT = (0, _MAX_COUNT, 0), (-1, _MAX_COUNT, -1)
_OF_CLAIMS = {"honba": _STATED_COUNT, "sticks": _STATED_COUNT, "scores": _POINTS, "deltas": _POINTS,
              "chips": _POINTS}  # fmt: skip

RANGES: Mapping[str, Mapping[str, tuple[int, int, int]]] = MappingProxyType(
    {
        "games": {
            "players": (3, 4, 3), "first_dealer": _SEATS, "dan": (-1, 127, -1),
            "final_scores": _POINTS, "final_chips": _POINTS,
        },
        "hands": {
            "round": (0, 63, 0), "honba": _COUNT, "sticks": _COUNT, "dealer": (0, 3, 0),
            "scores": _POINTS, "chips": _POINTS, "dealt": _TILES, "dealt_id": _IDS, "dora": _TILES,
            "dora_id": _IDS, "end": (0, max(HandEnd), 0),
        },
        "events": {
            "kind": (1, max(EventKind), 1), "seat": _SEATS, "source": _SEATS, "tile": _TILES, "tile_id": _IDS,
            "own": _TILES, "own_id": _IDS,
        },
        "wins": {
            "seat": (0, 3, 0), "source": (0, 3, 0), "liable": _SEATS, "tile": _TILES, "tile_id": _IDS,
            "tiles": _TILES, "tiles_id": _IDS, "melds": (-2, 1 << 20, -2), "fu": (-1, 1000, -1),
            "points": _POINTS, "limit": (0, 5, 255), "han": (0, 99, 0), "dora": _TILES, "dora_id": _IDS,
            "ura": _TILES, "ura_id": _IDS, **_OF_CLAIMS,
        },
        "hand_draws": {
            "kind": (int(HandEnd.EXHAUSTIVE), max(HandEnd), 2), "tenpai": (0, 1, 255), "shown": _TILES,
            "shown_id": _IDS, **_OF_CLAIMS,
        },
        "riichi_scores": {"scores": _POINTS},
    }
)  # fmt: skip
"""Table -> column -> least, greatest, and the value that stands for none."""

_IS_YAKU = np.isin(np.arange(256), [*YAKU, 255])
_OF_A_SEAT = tuple(kind for kind in EventKind if kind not in (EventKind.DORA, EventKind.HAND_DRAW))
_OF_A_TILE = (EventKind.DISCARD, EventKind.CHI, EventKind.PON, EventKind.DAIMINKAN, EventKind.ANKAN,
              EventKind.KAKAN, EventKind.DORA)  # fmt: skip
_FROM_A_SEAT = (EventKind.CHI, EventKind.PON, EventKind.DAIMINKAN, EventKind.WIN)


class BoundsError(PaifuError, ValueError):
    """A batch that no parser makes: which table and column, and the first row."""


def check_batch(batch: Batch) -> None:
    """Make sure that a batch is one that the engine may be given; raises BoundsError."""
    for table in batch.tables():
        for name, (low, high, none) in RANGES.get(table.NAME, {}).items():
            values = getattr(table, name)
            _demand(table, name, ((values >= low) & (values <= high)) | (values == none))
    for name in ("rate", "final_points"):
        values = getattr(batch.games, name)
        _demand(batch.games, name, np.isnan(values) | (np.abs(values) <= MAX_POINTS))
    _demand(batch.wins, "yaku", _IS_YAKU[batch.wins.yaku])
    for table, name, holds in _links(batch):
        _demand(table, name, holds)


def _demand(table: Table, name: str, holds: Mask) -> None:
    if not holds.all():
        row = int(np.argwhere(~holds)[0, 0])
        value = getattr(table, name)[row]
        raise BoundsError(f"{table.NAME}.{name} of row {row} is {value!s:.60}, which nothing can be")


def _links(batch: Batch) -> Iterator[tuple[Table, str, Mask]]:
    """Yield what must hold between tables, in an order in which each relies on those before it."""
    games, hands, events = batch.games, batch.hands, batch.events
    for begin, end, table in (("hand_begin", "hand_end", hands), ("event_begin", "event_end", events)):
        yield games, begin, _follow_on(getattr(games, begin), getattr(games, end))
        yield games, end, _reach(getattr(games, begin), getattr(games, end), len(table))
    yield games, "ruleset", _rules_fit(batch)
    game_of_hand = np.repeat(np.arange(len(games)), games.hand_end - games.hand_begin)
    yield hands, "game", hands.game == game_of_hand
    first, last = games.event_begin[game_of_hand], games.event_end[game_of_hand]
    start, stop = hands.event_begin, hands.event_end
    yield hands, "event_begin", (start >= first) & (start <= stop)
    yield hands, "event_end", stop <= last
    yield hands, "event_begin", np.concatenate([np.ones(min(1, len(hands)), bool), start[1:] >= stop[:-1]])

    players = games.players[game_of_hand]
    yield hands, "dealer", hands.dealer < players
    at = np.arange(len(events))
    game_of_event = np.searchsorted(games.event_end, at, side="right")
    seats = games.players[game_of_event]
    yield events, "seat", _only(events.kind, _OF_A_SEAT, events.seat < seats)
    yield events, "source", _only(events.kind, _FROM_A_SEAT, events.source < seats)
    yield events, "tile", _only(events.kind, _OF_A_TILE, events.tile < TILES)
    own = (events.own < TILES).sum(axis=1)
    for kind, number in ((EventKind.CHI, 2), (EventKind.PON, 2), (EventKind.DAIMINKAN, 3)):
        yield events, "own", _only(events.kind, (kind,), own >= number)
    yield from _claims(batch, at)


def _claims(batch: Batch, at: npt.NDArray[Any]) -> Iterator[tuple[Table, str, Mask]]:
    """Every end of a hand has its row of claims, in order, and every row its event."""
    games, hands, events = batch.games, batch.hands, batch.events
    for table, kind in ((batch.wins, EventKind.WIN), (batch.hand_draws, EventKind.HAND_DRAW)):
        due = np.flatnonzero(events.kind == kind)
        found = table.event
        rows = np.resize(due, len(found)) if len(due) else np.full(len(found), -1)
        yield table, "event", (found == rows) & (len(due) == len(found))
        if len(due) != len(found):  # there is no row at all to point at
            raise BoundsError(f"{table.NAME} has {len(found)} rows for {len(due)} events")
        hand = np.searchsorted(hands.event_begin, found, side="right") - 1
        yield table, "hand", (table.hand == hand) & (hand >= 0)
        yield table, "event", found < hands.event_end[hand]
        yield table, "game", table.game == hands.game[hand]
    players = games.players[batch.wins.game]
    yield batch.wins, "seat", batch.wins.seat < players
    yield batch.wins, "source", batch.wins.source < players
    riichi = batch.riichi_scores
    within = (riichi.event >= 0) & (riichi.event < len(at))
    yield riichi, "event", within
    yield riichi, "event", events.kind[riichi.event] == EventKind.RIICHI_PAID
    yield riichi, "event", np.searchsorted(hands.event_begin, riichi.event, side="right") > 0


def _only(kinds: npt.NDArray[Any], some: tuple[EventKind, ...], holds: Mask) -> Mask:
    """Demand something of events of some kinds."""
    wanted = np.zeros(max(EventKind) + 1, bool)
    wanted[list(some)] = True
    wanted_rows: Mask = wanted[kinds]
    return holds | ~wanted_rows


def _follow_on(begin: npt.NDArray[Any], end: npt.NDArray[Any]) -> Mask:
    """Tell of each range whether it begins where the one before it ends, the first at 0."""
    before = np.concatenate([np.zeros(min(1, len(end)), end.dtype), end[:-1]])
    holds: Mask = begin == before
    return holds


def _reach(begin: npt.NDArray[Any], end: npt.NDArray[Any], rows: int) -> Mask:
    """Tell of each range whether it ends behind its beginning, the last at the table's end."""
    holds: Mask = end >= begin
    if len(holds):
        holds[-1] &= end[-1] == rows
    elif rows:
        raise BoundsError(f"{rows} rows belong to no game")
    return holds


def _rules_fit(batch: Batch) -> Mask:
    """Tell of each game whether its ruleset is one of riichi, for so many players."""
    games = batch.games
    found: dict[tuple[str, str], int] = {}
    for key in set(zip(games.ruleset, games.overrides, strict=True)):
        try:
            rules = resolve(*key)
            found[key] = rules.players if rules.scheme == Scheme.HAN_FU else 0
        except RuleError:
            found[key] = 0
    keys = zip(games.ruleset, games.overrides, strict=True)
    players = np.array([found[key] for key in keys], np.int64)
    holds: Mask = players == games.players
    return holds
