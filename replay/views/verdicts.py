"""What an engine said of one decision, as a view, and the texts of options."""

from __future__ import annotations

import math
from dataclasses import dataclass

from paifu.replay.language import pgettext
from paifu.replay.model.batch import UNKNOWN_SHANTEN, Batch
from paifu.replay.model.events import EventKind
from paifu.replay.model.links import decisions
from paifu.replay.model.tile_notation import tile_name
from paifu.replay.model.tiles import NO_TILE
from paifu.replay.views.cells import known, rows_of

PASS = 0
"""Kind of the option to let a tile pass."""
VERBS = {
    PASS: "pass",
    EventKind.DISCARD: "discard",
    EventKind.RIICHI: "riichi",
    EventKind.CHI: "chi",
    EventKind.PON: "pon",
    EventKind.DAIMINKAN: "daiminkan",
    EventKind.ANKAN: "ankan",
    EventKind.KAKAN: "kakan",
    EventKind.KITA: "kita",
    EventKind.WIN: "win",
    EventKind.HAND_DRAW: "kyuushu",
}
"""Kind of an option -> its word."""


def option_text(kind: int, tile: int, own: tuple[int, ...] = ()) -> str:
    """Write an option: ``discard 5m``, ``riichi``, ``chi (3m1m2m)``, ``pass``.

    ``tile`` is NO_TILE for none; of a chi, the called tile comes first.
    """
    return f"{VERBS[kind]} {_tiles(kind, tile, own)}".strip()


def _tiles(kind: int, tile: int, own: tuple[int, ...]) -> str:
    tiles = "".join(map(tile_name, (tile, *own))) if tile != NO_TILE else ""
    return f"({tiles})" if kind == EventKind.CHI else tiles


@dataclass(frozen=True, slots=True)
class RatedOption:
    """One option of a decision, as an engine rates it."""

    kind: EventKind | None
    """None is to pass, HAND_DRAW to end the hand with nine terminals."""
    tile: int | None
    """Tile of a discard (also a riichi's, if it is stated), of a chi, or that a kan is made of."""
    own: tuple[int, ...]
    """The caller's own tiles in a chi."""
    value: float | None
    """In the engine's own unit."""
    probability: float | None
    """How likely the engine would take it, 0 to 1."""

    @property
    def text(self) -> str:
        """The option as files and programs write it, such as ``discard 5m``."""
        return option_text(self.kind or PASS, NO_TILE if self.tile is None else self.tile, self.own)

    @property
    def spoken(self) -> str:
        """The option for people."""
        kind, tile = self.kind or PASS, NO_TILE if self.tile is None else self.tile
        return f"{pgettext('option', VERBS[kind])} {_tiles(kind, tile, self.own)}".strip()


@dataclass(frozen=True, slots=True, repr=False)
class Verdict:
    """What an engine said of one decision."""

    event: int
    """Index among the hand's events: the one after which the seat decides."""
    seat: int
    engine: str
    """Name of the engine, with that of its model."""
    options: tuple[RatedOption, ...]
    """In the order of the report, which is mostly best first."""
    chosen: RatedOption | None
    """What the engine would do; None where it is not among the options."""
    played: RatedOption | None
    """What the player did; None where it is not among the options."""
    shanten: int | None
    is_furiten: bool | None

    def __repr__(self) -> str:
        chosen, played = (option.text if option else "?" for option in (self.chosen, self.played))
        return (
            f"<Verdict {self.engine}: seat {self.seat} after event {self.event}: {chosen}, played {played}>"
        )


def verdicts_of(batch: Batch, hand: int) -> tuple[Verdict, ...]:
    """Return the verdicts on the decisions of the hand in row ``hand``."""
    rows = rows_of(batch.verdicts.hand, hand)
    if not rows:
        return ()
    part = batch.verdicts.rows(slice(rows.start, rows.stop))
    groups: dict[int, list[int]] = {}
    for row, number in enumerate(decisions(part).tolist()):
        groups.setdefault(number, []).append(row)
    begin = int(batch.hands.event_begin[hand])
    found = []
    for group in groups.values():
        first = group[0]
        options = {
            row: RatedOption(
                EventKind(part.kind[row]) if part.kind[row] else None,
                known(int(part.tile[row]), NO_TILE),
                tuple(tile for tile in part.own[row].tolist() if tile != NO_TILE),
                None if math.isnan(part.value[row]) else float(part.value[row]),
                None if math.isnan(part.probability[row]) else float(part.probability[row]),
            )
            for row in group
        }
        furiten = int(part.is_furiten[first])
        found.append(
            Verdict(
                event=int(part.event[first]) - begin,
                seat=int(part.seat[first]),
                engine=str(part.engine[first]),
                options=tuple(options.values()),
                chosen=next((option for row, option in options.items() if part.is_chosen[row]), None),
                played=next((option for row, option in options.items() if part.is_played[row]), None),
                shanten=known(int(part.shanten[first]), UNKNOWN_SHANTEN),
                is_furiten=None if furiten > 1 else bool(furiten),
            )
        )
    return tuple(found)
