"""A hand that is to discard, and what its owner sees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from paifu.replay.arrays import I64
from paifu.replay.kernels import legal
from paifu.replay.kernels import table_state as state
from paifu.replay.language import _, ngettext, pgettext
from paifu.replay.model.tile_notation import tile_name
from paifu.replay.model.tiles import KINDS, NORTH, TILES, WINDS, is_red, kind_of
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.readings import Meld, MeldKind
from paifu.replay.scoring.winning_hand import WinningHand
from paifu.replay.shapes.tables import load_tables

NOBODY: tuple[tuple[int, ...], ...] = ((), (), (), ())
_SIZE = 14


@dataclass(frozen=True, slots=True, kw_only=True)
class NaniKiru:
    """A hand of 14 tiles and what its owner sees. Tiles are 0-36; players are named by their wind, 0 east."""

    rules: Ruleset
    tiles: tuple[int, ...]
    """The concealed tiles."""
    melds: tuple[Meld, ...] = ()
    kita: int = 0
    """Norths that the player set aside."""
    flowers: int = 0
    """Flowers that the player set aside."""
    seat_wind: int = 0
    round_wind: int = 0
    indicators: tuple[int, ...] = ()
    """Dora indicators."""
    rivers: Sequence[tuple[int, ...]] = NOBODY
    """Discards of each player, called ones among them; in riichi's order of winds, none where they
    are not known."""
    called: tuple[int, ...] = ()
    """Tiles in ``rivers`` that lie in melds: they are seen once."""
    seen: tuple[int, ...] = ()
    """What else the player sees: melds of others, norths that they set aside."""
    riichi: frozenset[int] = frozenset()
    """Other players in riichi."""
    honba: int = 0
    sticks: int = 0
    points: int | None = None
    """The player's; None if unknown, and enough for a riichi."""
    wall: int = 0
    """Tiles left to draw, for all players."""
    forbidden: int = 0
    """Kinds that may not be discarded now, as bits."""
    has_drawn: bool = True
    """The player drew; after a call there is no riichi."""

    @property
    def closed(self) -> bool:
        """Without called tiles but in closed kans."""
        return all(meld.kind == MeldKind.ANKAN for meld in self.melds)

    @property
    def is_context(self) -> bool:
        """Whether anything is known of other players: a discard, or a riichi."""
        return bool(self.riichi) or any(
            river for wind, river in enumerate(self.rivers) if wind != self.seat_wind
        )

    @property
    def draws(self) -> int:
        """How often the player draws again if nobody calls."""
        return self.wall // self.rules.table.players

    @property
    def may_declare(self) -> bool:
        """Whether riichi may be declared if the hand is tenpai."""
        return not legal.against_riichi(self.table(), self.seat_wind, self.rules.kernel())

    def allowed(self) -> int:
        """Return the tiles that may be discarded, as bits."""
        shapes = load_tables(sanma=self.rules.table.players == 3)
        return legal.discards(self.table(), self.seat_wind, self.rules.kernel(), shapes)

    def table(self) -> state.TableState:
        """Return the engine's table with this position on it; seats are winds."""
        table, rules, own = state.TableState(), self.rules, self.seat_wind
        table.phase = state.WAIT_ACT if self.has_drawn else state.WAIT_DISCARD
        table.turn = own
        table.wind, table.honba = self.round_wind, self.honba
        table.sticks, table.live = self.sticks, self.wall
        table.kuikae = self.forbidden
        table.unpaid = table.feeder = table.offender = state.NOBODY
        table.newest = state.NO_ID
        table.indicators[:] = state.NOBODY
        table.turned = len(self.indicators)
        for number, tile in enumerate(self.indicators):
            table.indicators[number] = kind_of(tile)
        table.scores[:] = rules.riichi.riichi_points if self.points is None else self.points
        for tile in self.tiles:
            state.take(table, own, tile)
        for number, meld in enumerate(self.melds):
            table.meld_kinds[own, number], table.meld_types[own, number] = meld.first, meld.kind
            table.kans += meld.kind >= MeldKind.DAIMINKAN
            for tile in meld.tiles:
                table.melded[own, kind_of(tile)] += 1
                table.meld_reds[own] += tile >= 34
        table.meld_count[own] = len(self.melds)
        table.open_melds[own] = not self.closed
        table.kita[own], table.norths[own] = self.kita + self.flowers, self.kita
        turns = (rules.live_wall - self.wall) // rules.table.players
        for wind in range(rules.table.players):
            table.drawn[wind] = state.NOBODY
            table.riichi[wind] = 2 * (wind in self.riichi)
            river = self.rivers[wind]
            table.discards[wind] = len(river) or turns
            for turn, tile in enumerate(river):
                table.river_kinds[wind] |= 1 << kind_of(tile)
                table.early_kinds[wind] |= (turn < state.EARLY) << kind_of(tile)
                table.river[kind_of(tile)] += 1
        for tile in self.called:
            table.river[kind_of(tile)] -= 1
        for tile in self.seen:
            table.river[kind_of(tile)] += 1
        return table

    def visible(self) -> Iterator[int]:
        """Yield every tile that the player sees, hand and melds among them."""
        yield from self.tiles
        for meld in self.melds:
            yield from meld.tiles
        yield from chain((NORTH,) * self.kita, self.indicators, *self.rivers, self.seen)

    def live(self) -> I64:
        """Return how many of each tile (37,) the player does not see.

        Raises HandError if more are seen than there are.
        """
        rules = self.rules
        live = np.array([state.copies(tile, rules.kernel()) for tile in range(TILES)], np.int64)
        for tile in self.visible():
            live[tile] -= 1
        for tile in self.called:
            live[tile] += 1
        for tile in np.flatnonzero(live < 0).tolist():
            kind = kind_of(tile)
            count = sum(kind_of(other) == kind for other in self.visible()) - sum(
                kind_of(other) == kind for other in self.called
            )
            if count > 4:
                raise HandError(
                    _("{count} tiles {kind} in hand and on the table; there are four of each").format(
                        count=count, kind=tile_name(kind)
                    )
                )
            what = _("red fives") if is_red(tile) else _("plain fives")
            raise HandError(
                _("more {what} {tile} are seen than the ruleset {name} has; write 0 for a red five").format(
                    what=what, tile=tile_name(tile), name=rules.name
                )
            )
        return live

    def check(self) -> None:
        """Raise HandError, saying what is wrong, unless a player can be in this position."""
        hand = WinningHand(
            tiles=self.tiles, win=self.tiles[-1] if self.tiles else 0, melds=self.melds, kita=self.kita,
            flowers=self.flowers, dora_indicators=self.indicators,
        )  # fmt: skip
        hand.check_waiting(self.rules)
        size = len(self.tiles) + 3 * len(self.melds)
        if size != _SIZE:
            raise HandError(_wrong_size(len(self.tiles), len(self.melds), size))
        for wind in (self.seat_wind, *self.riichi, *(at for at, river in enumerate(self.rivers) if river)):
            if wind >= self.rules.table.players:
                raise HandError(
                    _("there is no {wind} seat among {players} players").format(
                        wind=pgettext("wind", WINDS[wind]), players=self.rules.table.players
                    )
                )
        if self.seat_wind in self.riichi:
            raise HandError(
                _(
                    "{wind} is the player who discards, and has no choice in riichi; name the others in "
                    "riichi"
                ).format(wind=pgettext("wind", WINDS[self.seat_wind]))
            )
        self.live()
        if not self.allowed():
            raise HandError(_("no tile of this hand may be discarded"))

    def held(self) -> I64:
        """Return how many of each tile (37,) are concealed."""
        return np.bincount(np.array(self.tiles, np.int64), minlength=TILES)

    def melded(self) -> I64:
        """Return how many of each kind (34,) lie in own melds."""
        kinds = [kind_of(tile) for meld in self.melds for tile in meld.tiles]
        return np.bincount(np.array(kinds, np.int64), minlength=KINDS)


def _wrong_size(concealed: int, melds: int, size: int) -> str:
    tiles = ngettext("{count} tile", "{count} tiles", concealed).format(count=concealed)
    if melds:
        text = ngettext("{tiles} beside {count} meld", "{tiles} beside {count} melds", melds)
        tiles = text.format(tiles=tiles, count=melds)
    text = _("{tiles} make {size}; a hand that discards has 14, each meld and kan counting as three")
    if size == _SIZE - 1:
        text = _(
            "{tiles}: the hand has not drawn yet; add the 14th tile, or ask `paifu score` what it waits for"
        )
    return text.format(tiles=tiles, size=size)


def wall_at(turn: int, seat_wind: int, rules: Ruleset) -> int:
    """Return how many tiles are left to draw after a player's ``turn``-th draw (from 1) if nobody called."""
    return max(0, rules.live_wall - rules.table.players * (turn - 1) - seat_wind - 1)
