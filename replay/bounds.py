"""What every batch holds to, no matter who made it: the range of each column, and all links between them.

Links are in :mod:`paifu.replay.model.links`.

A parser checks while it reads, and past it nothing is checked again: kernels index arrays with seats, tiles
and row numbers as they come. A batch that was stored may have been damaged or made up since; it goes through
:func:`check_batch` first. What a *log* may state wrongly is not looked at here, that is for the replay.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import Mask
from paifu.replay.errors import PaifuError
from paifu.replay.model.batch import (
    MAX_COUNT,
    MAX_FU,
    MAX_HAN,
    MAX_POINTS,
    MAX_SHANTEN,
    MAX_TIME,
    UNKNOWN_POINTS,
    UNKNOWN_SHANTEN,
    Batch,
    Events,
    Faults,
    Games,
    Table,
    Verdicts,
    Wins,
)
from paifu.replay.model.events import (
    NO_SEAT,
    RULING_SHIFT,
    UNSTATED_SEAT,
    EventFlag,
    EventKind,
    HandEnd,
)
from paifu.replay.model.moments import is_moment
from paifu.replay.model.patterns import PatternsError, parse_patterns
from paifu.replay.model.tiles import ALL_TILES, BONUS_TILES, IDS, NO_TILE, TILES
from paifu.replay.rules.choices import Consequence, Scheme
from paifu.replay.rules.fields import PLAYED_SCHEMES
from paifu.replay.rules.local_yaku import OWN_IDS
from paifu.replay.rulesets.presets import RuleError, resolve
from paifu.replay.scoring.yaku import YAKU

_SEATS, _TILES, _IDS = (0, 3, NO_SEAT), (0, ALL_TILES - 1, NO_TILE), (0, IDS - 1, NO_TILE)
_POINTS = (-MAX_POINTS, MAX_POINTS, UNKNOWN_POINTS)
_COUNT, _STATED_COUNT = (0, MAX_COUNT, 0), (-1, MAX_COUNT, -1)
_OF_CLAIMS = {"honba": _STATED_COUNT, "sticks": _STATED_COUNT, "scores": _POINTS, "deltas": _POINTS,
              "chips": _POINTS}  # fmt: skip

RANGES: Mapping[str, Mapping[str, tuple[int, int, int]]] = {
    "games": {
        "players": (2, 4, 2), "first_dealer": _SEATS, "dan": (-1, 127, -1),
        "final_scores": _POINTS, "final_chips": _POINTS, "penalties": (0, MAX_POINTS, 0),
    },
    "hands": {
        "round": (0, 63, 0), "honba": _COUNT, "sticks": _COUNT, "dealer": (0, 3, 0),
        "scores": _POINTS, "chips": _POINTS, "dealt": _TILES, "dealt_id": _IDS, "dora": _TILES,
        "dora_id": _IDS, "end": (0, max(HandEnd), 0),
    },
    "events": {
        "kind": (1, max(EventKind), 1), "seat": _SEATS, "source": _SEATS, "tile": _TILES, "tile_id": _IDS,
        "own": _TILES, "own_id": _IDS,
        "flags": (0, sum(EventFlag) | max(Consequence) << RULING_SHIFT, 0), "time": (-1, MAX_TIME, -1),
    },
    "wins": {
        "seat": (0, 3, 0), "source": (0, 3, 0), "tile": _TILES, "tile_id": _IDS,
        "tiles": _TILES, "tiles_id": _IDS, "melds": (-2, 1 << 20, -2), "fu": (-1, MAX_FU, -1),
        "points": _POINTS, "limit": (0, 5, 255), "han": (0, MAX_HAN, 0), "dora": _TILES, "dora_id": _IDS,
        "ura": _TILES, "ura_id": _IDS, "own_scores": _POINTS, **_OF_CLAIMS,
    },
    "hand_draws": {
        "kind": (int(HandEnd.EXHAUSTIVE), max(HandEnd), 2), "tenpai": (0, 1, 255), "shown": _TILES,
        "shown_id": _IDS, **_OF_CLAIMS,
    },
    "riichi_scores": {"scores": _POINTS},
    "verdicts": {
        "seat": (0, 3, 0), "kind": (0, max(EventKind), 0), "tile": (0, TILES - 1, NO_TILE),
        "own": (0, TILES - 1, NO_TILE), "shanten": (-1, MAX_SHANTEN, UNKNOWN_SHANTEN),
        "is_furiten": (0, 1, 255),
    },
}  # fmt: skip
"""Table -> column -> least, greatest, and the value that stands for none."""

INPUT_CODES = ("V101", "V102", "V103", "V104", "V105")
"""All that ``faults.code`` can be."""

_IS_YAKU = np.isin(np.arange(256), [*YAKU, *OWN_IDS, 255])


class BoundsError(PaifuError, ValueError):
    """A batch that no parser makes: which table and column, the first row, and what is wrong there."""

    def __init__(self, table: Table, column: str, row: int, claim: str) -> None:
        value = str(getattr(table, column)[row]).replace("\n", "")
        super().__init__(f"{table.NAME}.{column} of row {row} is {value:.60}, which {claim}")
        self.table = table.NAME


def check_batch(batch: Batch) -> None:
    """Make sure that a batch is one that the engine may be given; raises BoundsError."""
    for table in batch.tables():
        check_table(table)
    from paifu.replay.model.links import links  # what our readers make is not checked

    schemes = _schemes(batch)
    demand(batch.games, "ruleset", schemes >= 0, "is not a ruleset for the game's players")
    for table, column, holds, claim in links(batch):
        demand(table, column, holds, claim)
    _check_tile_sets(batch, schemes == Scheme.HAN_FU)


def check_table(table: Table) -> None:
    """Make sure that each column of a batch's table is within its range; raises BoundsError."""
    for name, (low, high, none) in RANGES.get(table.NAME, {}).items():
        values = getattr(table, name)
        demand(table, name, ((values >= low) & (values <= high)) | (values == none))
    for name, array in table.arrays():
        if array.dtype.kind == "f":
            demand(table, name, np.isnan(array) | (np.abs(array) <= MAX_POINTS))
    if isinstance(table, Games):
        demand(table, "started", np.array(list(map(is_moment, table.started)), bool), "is not a moment")
    if isinstance(table, Wins):
        demand(table, "liable", (table.liable <= _SEATS[1]) | (table.liable >= UNSTATED_SEAT))
        demand(table, "yaku", _IS_YAKU[table.yaku])
        demand(table, "patterns", np.array(list(map(_is_patterns, table.patterns)), bool))
    if isinstance(table, Verdicts):
        share = table.probability
        demand(table, "probability", np.isnan(share) | ((share >= 0) & (share <= 1)), "is not a probability")
    if isinstance(table, Faults):
        demand(table, "code", np.isin(table.code, INPUT_CODES))


def check_texts(batch: Batch) -> None:
    """Make sure that every cell of a column of texts holds one; raises BoundsError."""
    for table in batch.tables():
        for name, array in table.arrays():
            if array.dtype == object:
                is_text = [isinstance(cell, str) for cell in array.flat]
                demand(table, name, np.array(is_text, bool).reshape(array.shape), "is not a text")


def demand(table: Table, name: str, holds: Mask, claim: str = "nothing can be") -> None:
    """Raise BoundsError, with the first row, where something does not hold."""
    if not holds.all():
        raise BoundsError(table, name, int(np.argwhere(~holds)[0, 0]), claim)


def _is_patterns(text: str) -> bool:
    """Return whether a text is a list of patterns, or empty."""
    try:
        parse_patterns(text)
    except PatternsError:
        return False
    return True


def _schemes(batch: Batch) -> npt.NDArray[np.int64]:
    """Return the scheme of each game's ruleset, -1 if that many players cannot play it."""
    games = batch.games
    found: dict[tuple[str, str], tuple[int, int]] = {}
    for key in set(zip(games.ruleset, games.overrides, strict=True)):
        try:
            rules = resolve(*key)
            found[key] = (
                (rules.table.players if rules.game.scheme in PLAYED_SCHEMES else 0),
                rules.game.scheme,
            )
        except RuleError:
            found[key] = 0, 0
    keys = zip(games.ruleset, games.overrides, strict=True)
    both = np.array([found[key] for key in keys], np.int64).reshape(-1, 2)
    return np.where(both[:, 0] == games.players, both[:, 1], -1)


def _check_tile_sets(batch: Batch, is_riichi: Mask) -> None:
    """Make sure that riichi has flowers only set aside, and other games no red fives or physical tiles."""
    events = batch.events
    game_of_event = np.repeat(np.arange(len(batch)), batch.games.event_end - batch.games.event_begin)
    of_riichi = is_riichi[game_of_event]
    demand(events, "kind", (events.kind != EventKind.FOUL) | of_riichi, "only games of riichi have")
    for table in batch.tables():
        if not any(column.is_code for column in table.columns()):
            continue
        rows = of_riichi if isinstance(table, Events) else is_riichi[table.game]  # type: ignore[attr-defined]
        for column in table.columns():
            if not column.is_code:
                continue
            tiles, ids = getattr(table, column.name), getattr(table, column.name + "_id")
            own = rows.reshape(-1, *[1] * (tiles.ndim - 1))
            is_bonus = (tiles >= BONUS_TILES.start) & (tiles < ALL_TILES)
            if isinstance(table, Events) and column.name == "tile":
                is_bonus &= table.kind != EventKind.BONUS
            demand(table, column.name, ~(is_bonus & own), "no game of riichi has")
            is_red = (tiles < TILES) & (tiles >= TILES - 3)
            demand(table, column.name, ~(is_red & ~own), "only games of riichi have")
            demand(table, column.name + "_id", (ids == NO_TILE) | own, "only games of riichi state")
