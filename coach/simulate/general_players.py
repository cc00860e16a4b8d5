"""Players of simulated games other than riichi: they weigh plans by what a hand would be worth and lacks.

A plan is a set of suits to keep, or pungs alone. Its value is a guess at the finished hand in the game's own
unit, and it halves with every tile that is missing. A player keeps what the best plan needs, and claims a
tile when that makes a plan better than it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from paifu.replay.general.table import GeneralTable, Laid, Seat
from paifu.replay.model.tiles import KINDS
from paifu.replay.rules.choices import DiscardWin, Scheme
from paifu.replay.schemes.hand import bonus_owner
from paifu.replay.schemes.shapes import POWERS, SUIT_OF
from paifu.replay.scoring.readings import Meld, MeldKind

_DECAY = 0.55
"""What a plan loses with every tile that is missing."""
_LOOK_AHEAD = 1
"""Tiles lacked up to which discards of equal worth are told apart by what they leave to draw."""
_HONOURS = 3
_ALL = (0, 1, 2, 3)


@dataclass(frozen=True, slots=True)
class HandPlan:
    """What to keep, and what it adds to the hand's value in the scheme's unit."""

    suits: tuple[int, ...]
    """0-2 the suits, 3 honours."""
    value: int
    pungs: bool = False
    """Pungs and a pair only."""


def _plans(mixed: int, pure: int, pungs: int, free: int) -> tuple[HandPlan, ...]:
    suits = [HandPlan((suit, _HONOURS), mixed) for suit in range(3)]
    suits += [HandPlan((suit,), pure) for suit in range(3)]
    return (HandPlan(_ALL, free), HandPlan(_ALL, pungs, pungs=True), *suits)


_PLANS = MappingProxyType(
    {
        Scheme.SERIES: _plans(mixed=40, pure=80, pungs=40, free=8),
        Scheme.FAAN: _plans(mixed=3, pure=6, pungs=3, free=1),
        Scheme.CLASSICAL: _plans(mixed=1, pure=3, pungs=0, free=0),
    }
)
"""Scheme -> plans with what each adds: points, faan, doubles."""


class Mind:
    """What players of one table think of their hands."""

    def __init__(self, table: GeneralTable) -> None:
        self.table = table
        self._plans = _PLANS[table.rules.game.scheme]
        self._known: dict[tuple[Any, ...], tuple[float, HandPlan, int]] = {}
        """The best plan of each hand that was weighed: most are weighed again before they change."""
        self._worth: Callable[[HandPlan, Seat, int], float] = {
            Scheme.SERIES: self._points,
            Scheme.FAAN: self._base,
            Scheme.CLASSICAL: self._score,
        }[table.rules.game.scheme]

    # --- plans ----------------------------------------------------------------------------------------

    def best(self, seat: int) -> tuple[float, HandPlan, int]:
        """Return the worth of the best plan, the plan, and what it lacks (-1: nothing)."""
        player = self.table.seats[seat]
        key = (seat, *player.keys, len(player.bonus), *(laid.meld for laid in player.melds))
        known = self._known.get(key)
        if known is None:
            found = max(self._weighed(player, seat), key=lambda one: one[0], default=None)
            known = self._known[key] = found or (0.0, self._plans[0], 8)
        return known

    def _weighed(self, player: Seat, seat: int) -> Iterator[tuple[float, HandPlan, int]]:
        for plan in self._plans:
            if all(_fits(laid, plan) for laid in player.melds):
                away = self.lacks(player, plan)
                yield self._worth(plan, player, seat) * _DECAY ** max(away, 0), plan, away

    def lacks(self, player: Seat, plan: HandPlan) -> int:
        """Return how many tiles a plan lacks to wait; -1 when it is complete."""
        if plan.pungs:
            return _pungs_lack(player)
        keys = player.keys
        if plan.suits is _ALL:
            return self.table.shapes.shanten(keys, player.counts, player.called)
        kept = [keys[suit] if suit in plan.suits else 0 for suit in _ALL]
        return self.table.shapes.shanten(kept, player.counts, player.called)

    # --- what a plan would be worth ---------------------------------------------------------------------

    def _honours(self, player: Seat, seat: int) -> Iterator[int]:
        """Yield 1 for each pung of an honour that counts, held or near."""
        table = self.table
        winds = [27 + table.wind_of(seat), *([27 + table.round_wind] if table.rules.table.round_wind else [])]
        for kind in (31, 32, 33, *winds):
            if player.held[kind] >= 3:
                yield 1

    def _points(self, plan: HandPlan, player: Seat, seat: int) -> float:
        closed = all(laid.meld.concealed for laid in player.melds)
        return plan.value + 10 * sum(self._honours(player, seat)) + 5 * closed

    def _base(self, plan: HandPlan, player: Seat, seat: int) -> float:
        table = self.table
        own = sum(bonus_owner(kind) == table.wind_of(seat) for kind in player.bonus)
        closed = all(laid.meld.concealed for laid in player.melds)
        faan = plan.value + own + (not player.bonus) + closed + sum(self._honours(player, seat))
        if faan < table.rules.hand.minimum:
            return 4.0 * 0.4 ** (table.rules.hand.minimum - faan)
        found = [points for least, points in table.rules.faan.faan_table if faan >= least]
        return float(found[-1]) if found else 1.0

    def _score(self, plan: HandPlan, player: Seat, seat: int) -> float:
        doubles = plan.value + sum(self._honours(player, seat))
        doubles += sum(bonus_owner(kind) == self.table.wind_of(seat) for kind in player.bonus)
        points = 24.0 + 10 * plan.pungs + 4 * sum(laid.meld.is_kan for laid in player.melds)
        if not plan.pungs and self.table.rules.classical.discard_win == DiscardWin.PUNG:
            points *= 0.7
        return min(points * (1 << doubles), float(self.table.rules.limits.limit))

    # --- choices --------------------------------------------------------------------------------------

    def discard(self, seat: int) -> int:
        """Return the kind to discard."""
        player = self.table.seats[seat]
        _, plan, _ = self.best(seat)
        kinds = [kind for kind in range(KINDS) if player.counts[kind] and not self.table.barred >> kind & 1]
        kinds = kinds or [kind for kind in range(KINDS) if player.counts[kind]]
        outside = [kind for kind in kinds if SUIT_OF[kind] not in plan.suits]
        if outside:
            return min(outside, key=lambda kind: (player.counts[kind], _nearness(player, kind), kind))
        if plan.pungs:
            return min(kinds, key=lambda kind: (player.counts[kind], self._unseen(kind, player), kind))
        after = {kind: self._after(player, plan, kind) for kind in kinds}
        least = min(after.values())
        even = [kind for kind in kinds if after[kind] == least]
        if len(even) > 1 and least <= _LOOK_AHEAD:
            accepted = {kind: self._accepted(player, plan, kind, least) for kind in even}
            most = max(accepted.values())
            even = [kind for kind in even if accepted[kind] == most]
        return min(even, key=lambda kind: (player.counts[kind], _nearness(player, kind), kind))

    def _after(self, player: Seat, plan: HandPlan, kind: int) -> int:
        _add(player, kind, -1)
        away = self.lacks(player, plan)
        _add(player, kind, 1)
        return away

    def _accepted(self, player: Seat, plan: HandPlan, kind: int, away: int) -> int:
        """Count the tiles not seen that bring the hand closer after a discard."""
        _add(player, kind, -1)
        total = 0
        for drawn in range(KINDS):
            if SUIT_OF[drawn] not in plan.suits or player.held[drawn] >= 4 or not _nearness(player, drawn):
                continue
            left = self._unseen(drawn, player)
            if left > 0:
                _add(player, drawn, 1)
                total += left * (self.lacks(player, plan) < away)
                _add(player, drawn, -1)
        _add(player, kind, 1)
        return total

    def _unseen(self, kind: int, player: Seat) -> int:
        """Count the tiles of a kind that neither a river nor the player's hand shows."""
        thrown = sum(other.river.count(kind) for other in self.table.seats)
        return 4 - thrown - player.held[kind]

    def gains(self, seat: int, kind: int, own: tuple[int, ...]) -> float:
        """Return by what factor a claim makes the best plan better; 0 when it brings no plan closer."""
        player = self.table.seats[seat]
        before, _, away = self.best(seat)
        for part in own:
            player.drop(part, melded=True)
        player.held[kind] += 1
        sort = MeldKind.CHI if own[0] != kind else MeldKind.PON
        player.melds.append(Laid(Meld(sort, tuple(sorted((kind, *own)))), (seat + 3) % 4, kind))
        after, _, left = self.best(seat)
        player.melds.pop()
        player.held[kind] -= 1
        for part in own:
            player.held[part] -= 1
            player.take(part)
        return after / before if before > 0 and left < max(away, 1) else 0.0

    def keeps_shape(self, seat: int, kind: int, number: int) -> bool:
        """Return whether a gong of ``number`` tiles from the hand leaves it as near to a win as it is."""
        player = self.table.seats[seat]
        before = self.table.shapes.shanten(player.keys, player.counts, player.called)
        _add(player, kind, -number)
        after = self.table.shapes.shanten(player.keys, player.counts, player.called + (number > 1))
        _add(player, kind, number)
        return after <= before


def _add(player: Seat, kind: int, number: int) -> None:
    """Put tiles into the concealed hand, or take them out (< 0), to see what it would be."""
    player.keys[SUIT_OF[kind]] += number * POWERS[kind]
    player.counts[kind] += number


def _fits(laid: Laid, plan: HandPlan) -> bool:
    return SUIT_OF[laid.meld.first] in plan.suits and not (plan.pungs and laid.meld.kind == MeldKind.CHI)


def _pungs_lack(player: Seat) -> int:
    """Return what a hand lacks to wait for four pungs and a pair."""
    pungs = sum(count >= 3 for count in player.counts)
    pairs = player.counts.count(2)
    need = max(0, 4 - player.called - pungs)
    return 2 * need - min(pairs, need) - (pairs > need or pungs + player.called > 4)


def _nearness(player: Seat, kind: int) -> int:
    """Count the tiles in hand that may form a set with a kind; those of its own count twice."""
    counts = player.counts
    near = 2 * counts[kind]
    if kind < 27:
        place = kind % 9
        near += counts[kind - 1] if place else 0
        near += counts[kind + 1] if place < 8 else 0
        near += counts[kind - 2] if place > 1 else 0
        near += counts[kind + 2] if place < 7 else 0
    return near
