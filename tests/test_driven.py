"""Games whose players answer what they like: the table makes no move that breaks a rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from paifu.parsers.simulated import batch_of
from paifu.replay.findings.finding import cases, in_words
from paifu.replay.model.events import EventKind, HandEnd
from paifu.replay.model.tiles import ALL_TILES, NORTH
from paifu.replay.rules.presets import load_preset
from paifu.replay.simulate.driven import DrivenGames
from paifu.replay.simulate.games import PlayedHand
from paifu.replay.simulate.seat import Answer, Move
from paifu.replay.table.engine import replay
from paifu.replay.table.settlement import HandStart

CALLS = (EventKind.CHI, EventKind.PON, EventKind.DAIMINKAN)
OWN = (EventKind.ANKAN, EventKind.KAKAN, EventKind.KITA)


class Wild:
    """Players who mostly discard what they hold, and try everything else, too."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)  # noqa: S311
        self.held: list[list[int]] = []
        self.offered: tuple[int, int] | None = None
        self.told: list[Move] = []
        self.refused: Counter[str] = Counter()
        self.hands = 0

    def begin_hand(
        self, start: HandStart, scores: Sequence[int], dealt: Sequence[Sequence[int]], dora: int
    ) -> None:
        """Take the tiles."""
        assert len(scores) == len(dealt)
        assert start.dealer < len(dealt)
        assert dora < ALL_TILES
        self.held = [list(tiles) for tiles in dealt]
        self.offered = None

    def tell(self, move: Move) -> None:
        """Follow what everybody holds."""
        self.told.append(move)
        gone = [] if move.kind in (EventKind.DRAW, EventKind.DORA) else list(move.own)
        if move.kind == EventKind.DRAW:
            self.held[move.seat].append(move.tile)
        elif move.kind in (EventKind.DISCARD, *OWN):
            gone.append(NORTH if move.kind == EventKind.KITA else move.tile)
        for tile in gone:
            if tile in self.held[move.seat]:
                self.held[move.seat].remove(tile)
        self.offered = (move.seat, move.tile) if move.kind == EventKind.DISCARD else None

    def ask(self, seats: Sequence[int]) -> Sequence[Answer | None]:
        """Answer something."""
        return [self.answer(seat) for seat in seats]

    def answer(self, seat: int) -> Answer | None:
        """Win, pass, say nothing, or move."""
        luck = self.random.random()
        if luck < 0.03:
            return None
        if luck < 0.08:
            return Answer(self.random.choice([HandEnd.WIN, HandEnd.KYUUSHU]), ())
        if luck < 0.1:
            return Answer(HandEnd.UNFINISHED, ())
        return Answer(HandEnd.UNFINISHED, (self.move(seat),))

    def move(self, seat: int) -> Move:
        """A move, with tiles that are mostly held."""
        held, random = self.held[seat], self.random
        tile = random.choice(held) if random.random() < 0.95 else random.randrange(ALL_TILES)
        if self.offered is not None and self.offered[0] != seat:
            source, offered = self.offered
            kind = random.choice(CALLS)
            count = 3 if kind == EventKind.DAIMINKAN else 2
            near = [one for one in held if kind == EventKind.CHI or one % 34 == offered % 34]
            own = tuple(random.sample(near or held, min(count, len(near or held))))
            return Move(kind, seat, offered, source, own)
        kind = EventKind.DISCARD
        if random.random() < 0.2:
            kind = random.choice([EventKind.RIICHI, *OWN, *CALLS])
        same = tuple(one for one in held if one == tile)
        return Move(kind, seat, tile, own=same[:3] if kind == EventKind.ANKAN else ())

    def refuse(self, seat: int, answer: Answer) -> None:
        """Count it."""
        assert seat < len(self.held)
        move = answer.moves[0].kind.name if answer.moves else answer.end.name
        self.refused[move] += 1

    def end_hand(self, hand: PlayedHand) -> None:
        """Count it."""
        assert hand.end
        self.hands += 1


@pytest.mark.parametrize(
    ("rules", "games"), [("tenhou", 3), ("tenhou-sanma", 3), ("mleague", 1), ("riichi-encyclopedia", 1)]
)
def test_wild_players_break_no_rule(rules: str, games: int) -> None:
    players = Wild(7)
    table = DrivenGames(load_preset(rules), players)
    played = [table.game(number) for number in range(games)]
    batch = batch_of(played, "paifu")
    assert [in_words(case).message for case in cases(replay(batch))] == []
    assert players.hands == len(batch.hands)
    kinds = Counter(move.kind for move in players.told)
    wanted = {EventKind.DRAW, EventKind.DISCARD, EventKind.PON}
    assert wanted <= set(kinds)
    for kind in ("DISCARD", "RIICHI", "KAKAN", "ANKAN", "KITA", "PON", "CHI", "WIN", "KYUUSHU"):
        assert players.refused[kind]


def test_players_who_say_nothing_discard_what_they_draw() -> None:
    players = Wild(1)
    players.answer = lambda seat: None  # type: ignore[method-assign,assignment]
    game = DrivenGames(load_preset("tenhou"), players).game(0)
    discards = [move for move in players.told if move.kind == EventKind.DISCARD]
    assert all(move.flags for move in discards)
    assert {hand.end for hand in game.hands} <= {HandEnd.EXHAUSTIVE, HandEnd.SUUFON, HandEnd.NAGASHI}
    assert not players.refused
