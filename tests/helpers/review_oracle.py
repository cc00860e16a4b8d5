"""Deal-ins and riichi a second time: plain, slow, and without a line of the engine.

On top of what :mod:`furiten_oracle` follows, what lies open on the table and who is to be feared. Shanten and
values come from the library ``mahjong``.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from furiten_oracle import Oracle, takers
from mahjong.shanten import Shanten
from open_table import GENBUTSU
from scratch_state import Discard, kind_of, waits

from paifu.replay.model.events import EventKind as Kind
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.views.events import Event
from paifu.replay.views.games import Hand

RIICHI, OPEN = 1, 2
LEVELS = {
    GENBUTSU: 0, "honour 0 unseen": 0, "honour 1 unseen": 1, "honour 2 unseen": 1, "honour 3 unseen": 2,
    "terminal 0 unseen": 0, "terminal 1 unseen": 1, "terminal 2 unseen": 1, "terminal 3 unseen": 2,
    "suji 1/9": 1, "suji 2/8": 2, "suji 3/7": 2, "suji 4-6": 1, "no chance": 1, "one chance": 3,
    "half suji": 4, "no suji 1/9": 3, "no suji 2/8": 4, "no suji 3/7": 4, "no suji 4-6": 4,
}  # fmt: skip
OPEN_LEVELS = LEVELS | {
    "honour 3 unseen": 1, "terminal 3 unseen": 1, "suji 2/8": 1, "suji 3/7": 1, "one chance": 1,
    "half suji": 2, "no suji 1/9": 1, "no suji 2/8": 2, "no suji 3/7": 2, "no suji 4-6": 2,
}  # fmt: skip


class DealIn(NamedTuple):
    """A deal-in and all that its class rests on."""

    code: str
    event: int
    seat: int
    winners: tuple[tuple[int, frozenset[int]], ...]
    """Seats, in the order of turns, and what each waited for."""
    threats: tuple[tuple[int, int, str], ...]
    """Seat, why it is to be feared, and the tile's class against it."""
    shanten: int
    dora: int
    others: tuple[tuple[int, int, int, bool, bool], ...]
    """Of each other discard: kind, level, shanten given up, would it have dealt in, was it safer."""


class Choice(NamedTuple):
    """A finding about an own discard: F102, R101, R102, R103."""

    code: str
    event: int
    seat: int
    live: int
    """Tiles of the waits that the player does not see."""
    better: int = -1
    """Kind of the better discard."""
    better_live: int = 0
    values: tuple[int, int] = (0, 0)
    """Of R103: mean value of the wait taken and of the better one."""


class Observer(Oracle):
    """Follows one hand; :meth:`observe` carries an event out and yields deal-ins and choices."""

    def __init__(self, hand: Hand, rules: Ruleset) -> None:
        super().__init__(hand, rules)
        self.threat = [0] * hand.players
        self.barred: set[int] = set()
        """Kinds that the discard just made could not be, after a call."""
        self.folded: dict[int, int] = {}
        """Seat -> the shanten that it gave up."""
        self.silent: Counter[int] = Counter()

    def observe(self, event: Event) -> list[DealIn | Choice]:
        """Carry an event out."""
        seat = event.seat
        before = None if seat is None else self.players[seat]
        waits_before = frozenset() if seat is None else self.waiting[seat]
        river_before = set(before.thrown) if before else set()
        drawn = before.drawn if before else None
        was_riichi = before is not None and before.riichi > 0
        self.barred = self.forbidden()
        passed_tsumo = (
            seat is not None
            and drawn is not None
            and kind_of(drawn) in waits_before
            and bool(self.value(seat, drawn, tsumo=True))
        )
        self.step(event)
        found: list[DealIn | Choice] = []
        if seat is None or (event.tile is None and event.kind != Kind.DORA):
            return found
        if event.kind in (Kind.DISCARD, Kind.KAKAN, Kind.KITA, Kind.ANKAN):
            assert event.tile is not None
            kind = kind_of(event.tile)
            if event.kind != Kind.DISCARD:
                self.judge_melds()
            winners = takers(event, self.hand.events, self.hand.end)
            if winners and winners != {0, 1, 2, 3}:
                found.append(self.deal_in(event, seat, kind, winners, was_riichi))
            if event.kind == Kind.DISCARD:
                self.follow_folding(seat, kind, was_riichi)
                if not was_riichi:
                    furiten_before = bool(waits_before & river_before)
                    found += self.choices(event, seat, kind, river_before, furiten_before or passed_tsumo)
                if self.players[seat].riichi:
                    self.threat[seat] = RIICHI
            self.let_pass(event)
        elif event.kind in (Kind.CHI, Kind.PON, Kind.DAIMINKAN):
            self.judge_melds()
        return found

    def step(self, event: Event) -> list:  # type: ignore[type-arg]
        """Carry an event out; a new indicator may make an open hand to be feared."""
        facts = super().step(event)
        if event.kind == Kind.DORA:
            self.judge_melds()
        return facts

    # --- what is seen ------------------------------------------------------------------------------

    def judge_melds(self) -> None:
        """Find out whose open hand is to be feared."""
        for seat in range(self.hand.players):
            if self.threat[seat] != RIICHI:
                self.threat[seat] = OPEN * self.shows_much(seat)

    def level(self, threat: int, name: str) -> int:
        """How dangerous a class is against a threat."""
        return (LEVELS if self.threat[threat] == RIICHI else OPEN_LEVELS)[name]

    # --- deal-ins ----------------------------------------------------------------------------------

    def shanten(self, kinds: list[int]) -> int:
        """Shanten by the library."""
        return int(Shanten.calculate_shanten([kinds.count(kind) for kind in range(34)]))

    def follow_folding(self, seat: int, kind: int, was_riichi: bool) -> None:
        """Whether a discard under threat gave the hand up, until it is as near to tenpai again."""
        if was_riichi or not any(t for other, t in enumerate(self.threat) if other != seat):
            return
        left = [kind_of(tile) for tile in self.players[seat].hand]
        now = self.shanten(left)
        if now == 0 and self.waiting[seat]:
            self.folded.pop(seat, None)
        elif seat in self.folded:
            if now <= self.folded[seat]:
                del self.folded[seat]
        elif now > self.shanten([*left, kind]):
            self.folded[seat] = self.shanten([*left, kind])

    def deal_in(self, event: Event, seat: int, kind: int, winners: set[int], was_riichi: bool) -> DealIn:
        """Class a deal-in, one however many win the tile."""
        player = self.players[seat]
        left = [kind_of(tile) for tile in player.hand]
        now = self.shanten(left)
        feared = [other for other in range(self.hand.players) if other != seat and self.threat[other]]
        dangers = {other: self.danger(seat, other, kind) for other in feared}
        dora = self.dora_of(player.hand) + self.laid_dora(seat)
        others: list[tuple[int, int, int, bool, bool]] = []
        safe_and_safer = False
        for other in [] if was_riichi else sorted(set(left) - {kind} - self.barred):
            rest = [*left, kind]
            rest.remove(other)
            against = {threat: self.danger(seat, threat, other) for threat in feared}
            levels = {threat: self.level(threat, name) for threat, name in against.items()}
            hit = any(
                other in self.waiting[s] and not self.before_last[s] and self.wins(s, other, event.kind)
                for s in range(self.hand.players)
                if s != seat
            )
            lost = min(7, max(0, self.shanten(rest) - now))
            lower = {t for t in feared if levels[t] < self.level(t, dangers[t])}
            safer = bool(lower) and all(t in lower or levels[t] == 0 for t in feared)
            safe_and_safer |= safer and set(against.values()) == {GENBUTSU}
            others.append((other, max(levels.values(), default=0), lost, hit, safer))
        code = "D102"
        if was_riichi:
            code = "D106"
        elif others and all(hit for *_, hit, _ in others):
            code = "D107"
        elif not winners & set(feared):
            code = "D105"
        elif now <= 0:
            code = "D103"
        elif safe_and_safer and seat in self.folded and any(self.threat[w] == RIICHI for w in winners):
            code = "D108"
        elif not any(is_safer for *_, is_safer in others):
            code = "D104"
        elif dora >= 3:
            code = "D103"
        elif now >= 2:
            code = "D101"
        elif dora == 2 and self.unseen(seat, self.accepted(seat, left)) > 12:
            code = "D103"
        threats = tuple((other, self.threat[other], dangers[other]) for other in feared)
        in_turn = sorted(winners, key=lambda one: (one - seat) % self.hand.players)
        won = tuple((one, self.waiting[one]) for one in in_turn)
        return DealIn(code, event.index, seat, won, threats, now, dora, tuple(others))

    def wins(self, seat: int, kind: int, offer: Kind) -> bool:
        """Whether a tile of a kind, offered like the present one, wins for a seat."""
        return self.value(seat, kind, tsumo=False, event=offer) > 0

    def accepted(self, seat: int, left: list[int]) -> frozenset[int]:
        """Kinds that make the hand tenpai."""
        own = [*left, *(kind_of(tile) for meld in self.players[seat].melds for tile in meld.tiles)]
        return frozenset(
            kind
            for kind in range(34)
            if own.count(kind) < 4
            and not (self.hand.players == 3 and 1 <= kind <= 7)
            and self.shanten([*left, kind]) == 0
        )

    # --- the own discard ---------------------------------------------------------------------------

    def choices(self, event: Event, seat: int, kind: int, river: set[int], excused: bool) -> list[Choice]:
        """Look at a discard that leaves the hand tenpai; ``excused``: furiten before, or let a tsumo go."""
        silent, self.silent[seat] = self.silent[seat], 0
        if not self.waiting[seat]:
            return []
        live = self.unseen(seat, self.waiting[seat])
        found: list[Choice] = []
        if self.players[seat].riichi == 1:
            if live == 0:
                found.append(Choice("R101", event.index, seat, 0))
            wider = self.wider(seat, kind, river, live)
            if wider is not None:
                found.append(Choice("R103", event.index, seat, live, *wider))
        elif self.by_river(seat) and not excused:
            free = [
                (self.unseen(seat, kinds), other)
                for other, kinds in self.other_waits(seat, kind).items()
                if not kinds & {*river, other}
            ]
            if any(count for count, _ in free):
                most = max(count for count, _ in free)
                found.append(
                    Choice("F102", event.index, seat, live, min(k for n, k in free if n == most), most)
                )
        elif not self.by_river(seat) and not self.is_open(seat):
            others = [p for other, p in enumerate(self.players) if other != seat]
            allowed = (self.hand.scores[seat] or 0) >= 1000 and self.live >= 4
            yakuless = not any(self.wins(seat, one, Kind.DISCARD) for one in self.waiting[seat])
            if allowed and live and yakuless and not any(other.riichi for other in others):
                self.silent[seat] = silent + 1
                if self.silent[seat] == 2:
                    found.append(Choice("R102", event.index, seat, live))
        return found

    def other_waits(self, seat: int, kind: int) -> dict[int, frozenset[int]]:
        """Waits by the kind that could have been discarded instead."""
        player = self.players[seat]
        held = [*map(kind_of, player.hand), kind]
        melded = tuple(sorted(kind_of(tile) for meld in player.melds for tile in meld.tiles))
        found = {}
        for other in sorted({*held[:-1]} - {kind} - self.barred):
            left = held.copy()
            left.remove(other)
            found[other] = waits(tuple(sorted(left)), melded, self.kinds)
        return {other: kinds for other, kinds in found.items() if kinds}

    def wider(
        self, seat: int, kind: int, river: set[int], live: int
    ) -> tuple[int, int, tuple[int, int]] | None:
        """The discard with most live tiles that is worth no less, those tiles, and both values.

        None if it is the one made.
        """
        best, most, own, value = None, live, None, 0
        waiting = self.waiting[seat]
        for other, kinds in self.other_waits(seat, kind).items():
            count = self.unseen(seat, kinds)
            if count <= most or count < live + 2 or kinds & {*river, other}:
                continue
            if self.trap(seat, waiting, {*river, kind}) and not self.trap(seat, kinds, {*river, other}):
                continue
            if own is None:
                own = self.mean_value(seat, waiting)
            mean = self.mean_without(seat, kind, other, kinds)
            if mean >= own:
                best, most, value = other, count, mean
        return None if best is None or own is None else (best, most, (own, value))

    def trap(self, seat: int, waits: frozenset[int], river: set[int]) -> bool:
        """Whether others think a live tile of the waits safe: an honour, or suji by the own river."""
        for kind in waits:
            ends = {end for end in (kind - 3, kind + 3) if kind < 27 and end // 9 == kind // 9 and end >= 0}
            if self.unseen(seat, [kind]) and ends <= river:
                return True
        return False

    def mean_without(self, seat: int, kind: int, other: int, waits: frozenset[int]) -> int:
        """Mean value had ``other`` been discarded."""
        player = self.players[seat]
        tiles, river = list(player.hand), list(player.river)
        made = next(e.tile for e in reversed(self.hand.events[: self.now + 1]) if e.kind == Kind.DISCARD)
        assert made is not None
        player.hand.append(made)
        plain = [tile for tile in player.hand if tile == other]
        player.hand.remove(plain[0] if plain else 34 + other // 9)
        player.river[-1] = Discard(other)
        mean = self.mean_value(seat, waits)
        player.hand, player.river = tiles, river
        return mean

    now = 0
    """Index of the event looked at."""

    def mean_value(self, seat: int, waits: frozenset[int]) -> int:
        """Mean value of a ron on the live tiles of the waits, without honba and sticks."""
        total = count = 0
        for kind in sorted(waits):
            copies = self.unseen(seat, [kind])
            if copies > 0:
                total += copies * self.value(seat, kind, tsumo=False)
                count += copies
        return total // max(1, count)
