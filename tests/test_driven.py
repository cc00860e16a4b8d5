"""Games whose players answer what they like: the table makes no move that breaks a rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from types import MappingProxyType

import pytest

from paifu.parsers.simulated import batch_of
from paifu.replay.course.settlement import HandStart
from paifu.replay.findings.finding import cases, in_words
from paifu.replay.model.events import EventKind, HandEnd
from paifu.replay.model.tiles import ALL_TILES, FIVE_KINDS, NORTH, RED_MAN, kind_of, parse_tile, parse_tiles
from paifu.replay.rules.fields import RuleValue
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.simulate.driven import DrivenGames
from paifu.replay.simulate.games import PlayedHand
from paifu.replay.simulate.seat import Answer, SeatMove
from paifu.replay.table.engine import replay
from paifu.replay.walls.tenhou import live_indices

DEALT = 13
CALLS = (EventKind.CHI, EventKind.PON, EventKind.DAIMINKAN)
OWN = (EventKind.ANKAN, EventKind.KAKAN, EventKind.KITA)


class Wild:
    """Players who mostly discard what they hold, and try everything else, too."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)  # noqa: S311
        self.held: list[list[int]] = []
        self.offered: tuple[int, int] | None = None
        self.told: list[SeatMove] = []
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

    def tell(self, move: SeatMove) -> None:
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

    def move(self, seat: int) -> SeatMove:
        """A move, with tiles that are mostly held."""
        held, random = self.held[seat], self.random
        tile = random.choice(held) if random.random() < 0.95 else random.randrange(ALL_TILES)
        if self.offered is not None and self.offered[0] != seat:
            source, offered = self.offered
            kind = random.choice(CALLS)
            count = 3 if kind == EventKind.DAIMINKAN else 2
            near = [one for one in held if kind == EventKind.CHI or one % 34 == offered % 34]
            own = tuple(random.sample(near or held, min(count, len(near or held))))
            return SeatMove(kind, seat, offered, source, own)
        kind = EventKind.DISCARD
        if random.random() < 0.2:
            kind = random.choice([EventKind.RIICHI, *OWN, *CALLS])
        same = tuple(one for one in held if one == tile)
        return SeatMove(kind, seat, tile, own=same[:3] if kind == EventKind.ANKAN else ())

    def refuse(self, seat: int, answer: Answer) -> None:
        """Count it."""
        assert seat < len(self.held)
        move = answer.moves[0].kind.name if answer.moves else answer.end.name
        self.refused[move] += 1

    def end_hand(self, hand: PlayedHand) -> None:
        """Count it."""
        assert hand.end
        self.hands += 1


SHORT_WALL = {"dead_wall": 10, "kan_dora_timing": "all_after_discard", "dead_wall_shrinks": True}


@pytest.mark.parametrize(
    ("rules", "changes", "games"),
    [("tenhou", {}, 3), ("tenhou-sanma", {}, 3), ("mleague", {}, 1), ("riichi-encyclopedia", {}, 1),
     ("tenhou-sanma", SHORT_WALL, 3), ("tenhou-sanma", {"kita": False, "flowers_dora": True}, 3)],
)  # fmt: skip
def test_wild_players_break_no_rule(rules: str, changes: Mapping[str, RuleValue], games: int) -> None:
    players = Wild(7)
    table = DrivenGames(with_overrides(load_preset(rules), changes), players)
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


class Dealt(DrivenGames):
    """Games in which seats are dealt these tiles, and the dealer draws the fourteenth."""

    hands: Mapping[int, str] = MappingProxyType({})

    def hand_begins(self, start: HandStart, scores: Sequence[int]) -> None:
        """Swap the tiles for those that are to be where they are."""
        supply = self.desk.supply
        live = supply.live[: len(live_indices(self.rules.table.players))]
        cells = [supply.dealt, live, supply.supplements, supply.indicators, supply.ura]
        places = [(seat, at) for seat, text in self.hands.items() for at in range(len(parse_tiles(text)))]
        ids = ids_of([tile for text in self.hands.values() for tile in parse_tiles(text)])
        for (seat, at), wanted in zip(places, ids, strict=True):
            here = live[0] if at == DEALT else supply.dealt[seat, at]
            for array in cells:
                is_here, is_wanted = array == here, array == wanted
                array[is_here], array[is_wanted] = wanted, here
        super().hand_begins(start, scores)


class Riichi(Wild):
    """The dealer declares riichi at once if that is possible, and discards a tile of choice."""

    tile = 0

    def answer(self, seat: int) -> Answer | None:
        """Win nothing."""
        if self.offered is not None or seat or len(self.held[0]) < DEALT + 1:
            return None
        kind = EventKind.DISCARD if self.told[-1].kind == EventKind.RIICHI else EventKind.RIICHI
        return Answer(HandEnd.UNFINISHED, (SeatMove(kind, seat, self.tile),))


@pytest.mark.parametrize(("text", "tile"), [("123456789m134p0s1p", "0s"), ("456789m11p34567p2z", "2z")])
def test_riichi_may_be_declared_by_one_discard_only(text: str, tile: str) -> None:
    players = Riichi(1)
    players.tile = parse_tile(tile)
    games = Dealt(load_preset("tenhou"), players)
    games.hands = {0: text}
    games.game(0)
    made = [(move.kind, move.tile) for move in players.told if move.seat == 0][:3]
    assert [kind for kind, _ in made] == [EventKind.DRAW, EventKind.RIICHI, EventKind.DISCARD]
    assert made[2][1] == players.tile


def ids_of(tiles: Sequence[int]) -> list[int]:
    """Physical ids of tiles; the first of each five is the red one."""
    reds = {kind: RED_MAN + at for at, kind in enumerate(FIVE_KINDS)}
    left = {
        tile: [4 * kind + at for at in range(4) if (at == 0 and kind in reds) == (tile >= RED_MAN)]
        for tile in set(tiles)
        for kind in [kind_of(tile)]
    }
    return [left[tile].pop() for tile in tiles]


class Callers(Wild):
    """Everybody who is asked calls pon: seat 1 with tiles that are not a pair of what is discarded."""

    def answer(self, seat: int) -> Answer | None:
        """Win nothing."""
        if self.offered is None or self.offered[0] == seat:
            return None
        source, tile = self.offered
        own = (parse_tile("3p"), parse_tile("4p")) if seat == 1 else (tile, tile)
        return Answer(HandEnd.UNFINISHED, (SeatMove(EventKind.PON, seat, tile, source, own),))


def test_a_call_that_is_refused_does_not_stand_in_the_way_of_the_next() -> None:
    players = Callers(1)
    games = Dealt(load_preset("tenhou"), players)
    games.hands = {0: "19m19p19s1234567z6p", 1: "34578p", 3: "66p"}
    games.game(0)
    made = [(move.kind, move.seat, move.tile) for move in players.told if move.kind != EventKind.DORA][:3]
    tile = parse_tile("6p")
    assert made == [(EventKind.DRAW, 0, tile), (EventKind.DISCARD, 0, tile), (EventKind.PON, 3, tile)]
    assert players.refused["PON"]


class ChiAndPon(Wild):
    """Seat 1 calls chi with a 7 and an 8 of dots, seat 3 pon."""

    def answer(self, seat: int) -> Answer | None:
        """Win nothing."""
        if self.offered is None or seat not in (1, 3) or self.offered[0] == seat:
            return None
        source, tile = self.offered
        kind, own = {
            1: (EventKind.CHI, (parse_tile("7p"), parse_tile("8p"))),
            3: (EventKind.PON, (tile, tile)),
        }[seat]
        return Answer(HandEnd.UNFINISHED, (SeatMove(kind, seat, tile, source, own),))


@pytest.mark.parametrize(
    ("hands", "caller"), [({1: "34578p", 3: "66p"}, (EventKind.PON, 3)), ({1: "34578p"}, (EventKind.CHI, 1))]
)
def test_a_pon_goes_before_a_chi(hands: dict[int, str], caller: tuple[EventKind, int]) -> None:
    players = ChiAndPon(1)
    games = Dealt(load_preset("yakuza2"), players)
    games.hands = {0: "19m19p19s1234567z6p"} | hands
    games.game(0)
    made = [(move.kind, move.seat) for move in players.told if move.kind != EventKind.DORA][:3]
    assert made[2] == caller
