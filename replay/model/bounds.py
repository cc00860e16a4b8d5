"""What every batch holds to, whoever made it: the range of each column, and all links between them.

Links stand in :mod:`paifu.replay.model.links`.

A parser checks while it reads, and past it nothing is checked again: kernels index arrays with seats, tiles
and row numbers as they come. A batch that was stored may have been damaged or made up since; it goes through
:func:`check_batch` first. What a *log* may state wrongly is not looked at here, that is for the replay.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from paifu.replay.errors import PaifuError
from paifu.replay.model.batch import UNKNOWN_POINTS, Batch, Faults, Table, Wins
from paifu.replay.model.events import NO_SEAT, EventFlag, EventKind, HandEnd
from paifu.replay.model.links import links
from paifu.replay.model.tiles import IDS, NO_TILE, TILES
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.presets import RuleError, resolve
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
            "players": (2, 4, 2), "first_dealer": _SEATS, "dan": (-1, 127, -1),
            "final_scores": _POINTS, "final_chips": _POINTS,
        },
        "hands": {
            "round": (0, 63, 0), "honba": _COUNT, "sticks": _COUNT, "dealer": (0, 3, 0),
            "scores": _POINTS, "chips": _POINTS, "dealt": _TILES, "dealt_id": _IDS, "dora": _TILES,
            "dora_id": _IDS, "end": (0, max(HandEnd), 0),
        },
        "events": {
            "kind": (1, max(EventKind), 1), "seat": _SEATS, "source": _SEATS, "tile": _TILES, "tile_id": _IDS,
            "own": _TILES, "own_id": _IDS, "flags": (0, sum(EventFlag), 0),
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

INPUT_CODES = ("V101", "V102", "V103", "V104", "V105")
"""All that ``faults.code`` can be."""

_IS_YAKU = np.isin(np.arange(256), [*YAKU, 255])


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
    demand(batch.games, "ruleset", _rules_fit(batch), "is no ruleset for the game's players")
    for table, column, holds, claim in links(batch):
        demand(table, column, holds, claim)


def check_table(table: Table) -> None:
    """Make sure that each column of a batch's table is within its range; raises BoundsError."""
    for name, (low, high, none) in RANGES.get(table.NAME, {}).items():
        values = getattr(table, name)
        demand(table, name, ((values >= low) & (values <= high)) | (values == none))
    for name, array in table.arrays():
        if array.dtype.kind == "f":
            demand(table, name, np.isnan(array) | (np.abs(array) <= MAX_POINTS))
    if isinstance(table, Wins):
        demand(table, "yaku", _IS_YAKU[table.yaku])
    if isinstance(table, Faults):
        demand(table, "code", np.isin(table.code, INPUT_CODES))


def demand(table: Table, name: str, holds: Mask, claim: str = "nothing can be") -> None:
    """Raise BoundsError, with the first row, where something does not hold."""
    if not holds.all():
        raise BoundsError(table, name, int(np.argwhere(~holds)[0, 0]), claim)


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
