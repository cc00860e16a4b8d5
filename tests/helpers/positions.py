"""Positions with an answer that nobody disputes: a table built from words, and what the model says of it.

``positions.toml`` holds them. A position is what one player, seat 0, sees: the own hand and melds, the dora
indicator, and of each opponent (1 next, 2 across, 3 before) river, melds and riichi. Tiles in MPSZ notation.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from case_data import case_data

from paifu.coach.decisions import OptionKind, Options
from paifu.coach.judgement.deciding import new_decisions, table_of
from paifu.coach.judgement.judged import Judgement, judge
from paifu.coach.judgement.model import shipped_model
from paifu.coach.kernels.decision_options import call_options, turn_options
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.review_hooks import threaten
from paifu.replay.kernels.review_layout import RIICHI_THREAT
from paifu.replay.model.batch import Batch
from paifu.replay.model.tile_notation import parse_tiles, tile_name
from paifu.replay.model.tiles import kind_of
from paifu.replay.rulesets.presets import load_preset
from paifu.replay.table.engine import new_table

_MELDS = {
    "chi": (state.CHI, 3), "pon": (state.PON, 3), "kan": (state.DAIMINKAN, 4), "ankan": (state.ANKAN, 4),
}  # fmt: skip
_WORDS = {
    OptionKind.DISCARD: "{}", OptionKind.RIICHI: "riichi {}", OptionKind.PASS: "pass",
    OptionKind.CHI: "chi {}",
    OptionKind.PON: "pon", OptionKind.DAIMINKAN: "open kan", OptionKind.ANKAN: "kan {}",
    OptionKind.KAKAN: "kan {}",
}  # fmt: skip


@dataclass(frozen=True)
class Position:
    """A position and its answers."""

    name: str
    about: str
    """efficiency, riichi, pushing, folding, calls or kans."""
    hand: str
    """14 tiles less three a meld, the tile drawn included; 13 where a discard is on offer."""
    best: tuple[str, ...]
    """Answers that are right: a tile to discard, ``riichi 3p``, ``pass``, ``pon``, ``chi 3m`` (the lowest
    tile of the run), ``kan 5z``."""
    why: str
    melds: tuple[str, ...] = ()
    """Own melds: ``pon 555z``, ``chi 345p``."""
    dora: str = "1z"
    """The indicator."""
    turn: int = 6
    """Own discards so far."""
    river: str = ""
    """Own discards that matter; none of them is a wait unless it is here."""
    dealer: int = 3
    """Place of the dealer, 0 for the player."""
    wind: int = 0
    offered: str = ""
    """A discard on offer, of the opponent at ``by``."""
    by: int = 3
    others: tuple[dict[str, Any], ...] = field(default_factory=tuple)
    """By opponent: ``place``, ``river``, ``melds``, ``riichi``, and ``passed``, tiles that passed since."""


def positions() -> list[Position]:
    """Return all positions."""
    rows = case_data("positions")["position"]
    return [
        Position(**{key: tuple(value) if isinstance(value, list) else value for key, value in row.items()})
        for row in rows
    ]


def judged(position: Position) -> tuple[Judgement, list[str]]:
    """Return the judgement of a position, and the options in words; none is the chosen one."""
    desk = new_decisions(load_preset("tenhou"), Batch.empty(), 100)._replace(table=built(position))
    for other in position.others:
        place = int(other["place"])
        desk.review.memory.passed[place] = _mask(other.get("passed", ""))
        desk.review.memory.threat[place] = RIICHI_THREAT if other.get("riichi") else 0
    threaten(desk.table, state.DORA, desk.rules, desk.review)
    write = call_options if position.offered else turn_options
    write(desk, 0)
    rows = desk.mind.rows
    options = table_of(desk.ids[:rows], desk.cells[:rows])
    options.chosen[0] = 1  # somebody has to be
    model = shipped_model(4)
    assert model is not None
    return judge(options, model), [_word(options, row) for row in range(rows)]


def answer(position: Position) -> str:
    """Return the option that the model rates highest, of those that it judges."""
    found, words = judged(position)
    total = np.where(np.isfinite(found.row_error), found.answers[:, 0], -np.inf)
    return words[int(total.argmax())] if np.isfinite(total).any() else "not judged"


def built(position: Position) -> state.TableState:
    """Return the table as the position has it."""
    table = new_table()
    table.turn = 0
    table.dealer = table.east = position.dealer
    table.wind = position.wind
    table.live = 70 - 4 * position.turn
    table.unpaid = table.feeder = state.NOBODY
    table.turned = 1
    table.indicators[:] = state.NOBODY
    table.indicators[0] = kind_of(parse_tiles(position.dora)[0])
    table.scores[:] = 25000
    table.drawn[:] = state.NOBODY
    tiles = parse_tiles(position.hand)
    assert len(tiles) + 3 * len(position.melds) == (13 if position.offered else 14), position.name
    for tile in tiles:
        state.take(table, 0, tile)
    _lay(table, 0, position.melds)
    _throw(table, 0, position.river, position.turn)
    for other in position.others:
        place = int(other["place"])
        _lay(table, place, tuple(other.get("melds", ())))
        _throw(table, place, other.get("river", ""), position.turn)
        table.riichi[place] = 2 if other.get("riichi") else 0
    table.phase = state.WAIT_DISCARD if position.melds else state.WAIT_ACT
    if position.offered:
        tile = parse_tiles(position.offered)[0]
        table.phase, table.turn = state.WAIT_DRAW, (position.by + 1) % 4
        table.offer, table.offer_seat = state.DISCARD, position.by
        table.offer_tile = tile
        table.river[kind_of(tile)] += 1
        table.river_kinds[position.by] |= 1 << kind_of(tile)
    else:
        table.drawn[0] = tiles[-1]
    seen = [state.seen_by(table, 0, kind) for kind in range(34)]
    assert max(seen) <= 4, f"{position.name}: five of a kind"
    return table


def _lay(table: state.TableState, seat: int, melds: tuple[str, ...]) -> None:
    for number, text in enumerate(melds):
        sort, tiles = text.split()
        kinds = sorted(kind_of(tile) for tile in parse_tiles(tiles))
        event, size = _MELDS[sort]
        assert len(kinds) == size, text
        for kind in kinds:
            table.melded[seat, kind] += 1
        table.meld_kinds[seat, number], table.meld_types[seat, number] = kinds[0], event
        table.meld_count[seat] += 1
        table.open_melds[seat] |= event != state.ANKAN
        table.meld_reds[seat] += sum(tile >= 34 for tile in parse_tiles(tiles))


def _throw(table: state.TableState, seat: int, river: str, turn: int) -> None:
    for number, tile in enumerate(parse_tiles(river)):
        table.river[kind_of(tile)] += 1
        table.river_kinds[seat] |= 1 << kind_of(tile)
        table.early_kinds[seat] |= (number < state.EARLY) << kind_of(tile)
    table.discards[seat] = turn


def _mask(tiles: str) -> int:
    mask = 0
    for tile in parse_tiles(tiles):
        mask |= 1 << kind_of(tile)
    return mask


def _word(options: Options, row: int) -> str:
    return _WORDS[OptionKind(int(options.option[row]))].format(tile_name(int(options.tile[row])))
