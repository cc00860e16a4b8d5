"""A slow second solver: every draw and every discard tried, wins priced by ``paifu.score``.

It knows no shanten and no graph. Riichi hands are followed draw by draw as well.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

import paifu
from paifu.coach.solving.position import NaniKiru
from paifu.replay.model.tile_notation import format_tiles, tile_name
from paifu.replay.model.tiles import WINDS, kind_of
from paifu.replay.scoring.errors import HandError
from paifu.replay.shapes.shanten import waits

Value = tuple[float, float, float]
"""Tenpai, win, points."""
Tiles = tuple[int, ...]
_EQUAL = 1e-9


class Expectimax:
    """Values of one position's hands by brute force."""

    def __init__(self, position: NaniKiru, ron: float = 0.0, draws: int | None = None) -> None:
        self.position, self.ron = position, ron
        self.start = Counter(position.tiles)
        self.live = Counter(dict(enumerate(position.live().tolist())))
        self.draws = position.draws if draws is None else draws
        self.total = sum(self.live.values())
        self.points = cache(self._points)
        self.waiting = cache(self._waiting)
        self.riichi = cache(self._riichi)

    def discard(self, tile: int) -> Value:
        """Return the value of a discard."""
        return self.waiting(_without(tuple(sorted(self.position.tiles)), tile), 0)

    def left(self, hand: Tiles, tile: int) -> int:
        """Return how many of a tile can still be drawn."""
        return self.live[tile] - max(0, hand.count(tile) - self.start[tile])

    def waits(self, hand: Tiles) -> dict[int, int]:
        """Return the waits of a tenpai by tile, with what is left of them."""
        kinds = waits(
            hand, [meld.tiles for meld in self.position.melds], sanma=self.position.rules.table.players == 3
        )
        return {tile: self.left(hand, tile) for tile in range(37) if kind_of(tile) in kinds}

    def is_tenpai(self, hand: Tiles) -> bool:
        """Return whether a hand waits."""
        return bool(waits(hand, [meld.tiles for meld in self.position.melds]))

    def furiten(self, hand: Tiles) -> bool:
        """Return whether a wait was discarded."""
        gone = {kind_of(tile) for tile in self.start if hand.count(tile) < self.start[tile]}
        gone |= {kind_of(tile) for tile in self.position.rivers[self.position.seat_wind]}
        return any(kind_of(tile) in gone for tile in self.waits(hand))

    def _points(self, hand: Tiles, tile: int, *, tsumo: bool, riichi: bool, ippatsu: bool) -> float | None:
        """Return the mean points of a win; None without a yaku."""
        position = self.position
        text = format_tiles(hand) + "".join(map(str, position.melds))
        given = {
            "rules": position.rules, "win": tile_name(tile), "tsumo": tsumo,
            "seat_wind": WINDS[position.seat_wind], "round_wind": WINDS[position.round_wind],
            "dora": format_tiles(position.indicators),
        }  # fmt: skip
        try:
            if not riichi or not position.indicators:
                more = {"riichi": True, "ippatsu": ippatsu} if riichi else {}
                return float(paifu.score(text, **given, **more).points)
            # Indicators are drawn one like the other from what was live, the drawn tiles left out.
            whole = (*hand, tile)
            pool = {one: self.left(whole, one) for one in self.live}
            weight = sum(pool.values())
            mean = 0.0
            for ura, count in pool.items():
                if count > 0:
                    won = paifu.score(text, **given, riichi=True, ippatsu=ippatsu, ura=tile_name(ura))
                    mean += count / weight * won.points
        except HandError:
            return None
        return mean

    def _chances(self, live: int, left: float) -> tuple[float, float]:
        """Return the chances of a ron before a draw, and of the draw."""
        draw = min(1.0, live / left)
        return self.ron * draw / (1 - self.ron + self.ron * draw), draw

    def _riichi(self, hand: Tiles, drawn: int, *, at_once: bool) -> Value:
        """Return the value of a hand in riichi before its next draw."""
        if drawn == self.draws:
            return 1.0, 0.0, -float(self.position.rules.riichi.riichi_stick)
        left = self.total - drawn
        found = {tile: count for tile, count in self.waits(hand).items() if count > 0}
        ron, draw = self._chances(sum(found.values()), left)
        if self.furiten(hand):
            ron = 0.0
        later = self.riichi(hand, drawn + 1, at_once=False)
        live = max(1, sum(found.values()))

        def mean(*, tsumo: bool) -> float:
            priced = (
                count * (self.points(hand, tile, tsumo=tsumo, riichi=True, ippatsu=at_once) or 0.0)
                for tile, count in found.items()
            )
            return sum(priced) / live

        missed = (1 - ron) * (1 - draw)
        points = ron * mean(tsumo=False) + (1 - ron) * draw * mean(tsumo=True) + missed * later[2]
        return 1.0, ron + (1 - ron) * draw + missed * later[1], points

    def _waiting(self, hand: Tiles, drawn: int) -> Value:
        """Return the value of a waiting hand before its next draw."""
        tenpai = self.is_tenpai(hand)
        if drawn == self.draws:
            return float(tenpai), 0.0, 0.0
        left = float(self.total - drawn)
        own = self.waiting(hand, drawn + 1)
        found = self.waits(hand) if tenpai else {}
        gains = [(0.0, 0.0, 0.0)]
        weight = 0.0
        for tile in range(37):
            count = self.left(hand, tile)
            if count <= 0:
                continue
            options = [own]
            whole = tuple(sorted((*hand, tile)))
            options += [self.waiting(_without(whole, other), drawn + 1) for other in sorted(set(whole))]
            if tile in found:
                points = self.points(hand, tile, tsumo=True, riichi=False, ippatsu=False)
                options += [] if points is None else [(1.0, 1.0, points)]
            best = max(options, key=_worth)
            if _worth(best) > _worth(own) + _EQUAL:
                weight += count
                gains.append(
                    (count * (best[0] - own[0]), count * (best[1] - own[1]), count * (best[2] - own[2]))
                )
        weight = max(weight, left)
        value = [cell + sum(gain) / weight for cell, gain in zip(own, zip(*gains, strict=True), strict=True)]
        if not tenpai:
            return value[0], value[1], value[2]
        value[0] = 1.0
        by_ron = {
            tile: points
            for tile, count in found.items()
            if count > 0
            and (points := self.points(hand, tile, tsumo=False, riichi=False, ippatsu=False)) is not None
        }
        live = sum(found[tile] for tile in by_ron)
        if live and not self.furiten(hand):
            ron, _ = self._chances(live, left)
            mean = sum(found[tile] * points for tile, points in by_ron.items()) / live
            value[1], value[2] = ron + (1 - ron) * value[1], ron * mean + (1 - ron) * value[2]
        silent = (1.0, value[1], value[2])
        if not self.position.may_declare or not any(count > 0 for count in found.values()):
            return silent
        return max(silent, self.riichi(hand, drawn, at_once=True), key=_worth)


def _worth(value: Value) -> float:
    return 1e-4 * value[0] + 1e-3 * value[1] + value[2]


def _without(tiles: Tiles, tile: int) -> Tiles:
    at = tiles.index(tile)
    return tiles[:at] + tiles[at + 1 :]


def hypergeometric(live: int, total: int, draws: int) -> float:
    """Return the chance that at least one of ``live`` tiles is among ``draws`` from ``total``."""
    missed = 1.0
    for drawn in range(draws):
        missed *= (total - drawn - live) / (total - drawn)
    return 1 - missed
