"""What lies open during a hand, slowly and plainly: dora, who is to be feared, what is safe against whom."""

from __future__ import annotations

from scratch_state import Followed, K, kind_of

from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.views.events import Event
from paifu.replay.views.games import Hand

GENBUTSU = "genbutsu"
RANKS = ("1/9", "2/8", "3/7", "4-6", "4-6", "4-6", "3/7", "2/8", "1/9")
MOST_THROWN = 3
NORTH = 30


def dora_after(kind: int, players: int) -> int:
    """The dora that an indicator makes."""
    if kind >= 27:
        return 27 + (kind - 26) % 4 if kind < 31 else 31 + (kind - 30) % 3
    if players == 3 and kind in (0, 8):
        return 8 - kind
    return kind // 9 * 9 + (kind + 1) % 9


class OpenTable(Followed):
    """A hand, and what each player let pass."""

    def __init__(self, hand: Hand, rules: Ruleset) -> None:
        super().__init__(hand, rules)
        self.in_riichi: set[int] = set()
        """Seats whose riichi was not won."""
        self.declared: dict[int, int] = {}
        """Seat -> the kind that declared its riichi."""
        self.passed_by: list[set[int]] = [set() for _ in self.players]
        """Kinds that a hand cannot win, besides those of its river: they passed since its last choice."""

    def let_pass(self, event: Event) -> None:
        """Take down that nobody won the tile of an event, once it was looked at."""
        if event.kind not in (K.DISCARD, K.KAKAN, K.KITA) or event.seat is None or event.tile is None:
            return
        seat, kind = event.seat, kind_of(event.tile)
        if event.kind == K.DISCARD and seat not in self.in_riichi:
            self.passed_by[seat].clear()
            if self.players[seat].riichi:
                self.in_riichi.add(seat)
                self.declared[seat] = kind
        for other in set(range(self.hand.players)) - {seat}:
            self.passed_by[other].add(kind)

    def safe_against(self, seat: int) -> set[int]:
        """Kinds that a hand cannot win: those of its river, and those that it let pass."""
        return {*self.players[seat].thrown, *self.passed_by[seat]}

    def dora(self) -> list[int]:
        """The dora of each indicator."""
        return [dora_after(kind_of(tile), self.hand.players) for tile in self.indicators]

    def dora_of(self, tiles: list[int]) -> int:
        """How many dora some tiles are, as red fives and by the indicators."""
        return sum(self.dora().count(kind_of(tile)) + (tile >= 34) for tile in tiles)

    def laid_dora(self, seat: int) -> int:
        """Dora in a player's melds, red fives and norths set aside included."""
        player = self.players[seat]
        tiles = [tile for meld in player.melds for tile in meld.tiles]
        return self.dora_of(tiles) + player.kita * (1 + self.dora().count(NORTH))

    def collects(self, seat: int) -> int | None:
        """The suit that an open hand seems to collect: of two melds and more, and hardly in the river."""
        player = self.players[seat]
        suits = {meld.low // 9 for meld in player.melds} - {3}
        if not self.is_open(seat) or len(player.melds) < 2 or len(suits) != 1:
            return None
        (suit,) = suits
        return suit if len({kind for kind in player.thrown if kind // 9 == suit}) <= MOST_THROWN else None

    def shows_much(self, seat: int) -> bool:
        """Whether an open hand is to be feared."""
        is_feared = self.collects(seat) is not None or self.laid_dora(seat) >= 2
        return self.is_open(seat) and (is_feared or len(self.players[seat].melds) >= 3)

    def danger(self, seat: int, threat: int, kind: int) -> str:
        """Class of a tile of a seat against another one."""
        safe = self.safe_against(threat)
        if kind in safe:
            return GENBUTSU
        if kind >= 27 or (self.hand.players == 3 and kind < 9):
            return f"{'honour' if kind >= 27 else 'terminal'} {self.unseen(seat, [kind])} unseen"
        sides = []
        for pair, other_end in (((kind + 1, kind + 2), kind + 3), ((kind - 2, kind - 1), kind - 3)):
            if other_end // 9 == kind // 9 and other_end >= 0:
                most = max(map(self.visible(seat).count, pair))
                sides.append("suji" if other_end in safe else {4: "none", 3: "one"}.get(most, "open"))
        rank = RANKS[kind % 9]
        if set(sides) == {"suji"}:
            return f"suji {rank}"
        if set(sides) <= {"suji", "none"}:
            return "no chance"
        if set(sides) <= {"suji", "none", "one"}:
            return "one chance"
        return "half suji" if {"suji", "none"} & set(sides) else f"no suji {rank}"
