"""Hands written down move by move: rare things on demand, for tests and sample logs.

A script names the tiles that matter: some of each hand, the tiles drawn, the indicators. The rest of the
set is dealt so that it does not matter, always in the same way. No seed makes such a wall, so these games
have none. The moves are made through the same transitions as in a simulated game, and one that breaks a
rule raises :class:`ScriptError`, which says where.

Moves are words between blanks, each for the seat whose turn it is; tiles in MPSZ notation.

==============  =====================================================================================
``5z``          draws 5z and discards it
``5z>9s``       draws 5z and discards 9s; ``>9s`` discards 9s after a call
``5z>r9s``      and declares riichi with it; ``5z>o9s`` with the hand shown
``5z>k2s``      draws 5z and lays a kan of 2s, closed or added to a pon; the next word draws the supplement
``4z>kita``     draws and sets a north aside
``1f``          draws a flower and sets it aside; as the first words, flowers that the dealer was dealt
``5z>tsumo``    draws 5z and wins; ``5z>nine`` draws and declares nine terminals and honours
``ron1``        seat 1 wins the tile on offer; ``ron1,3`` two win it
``pon2``        seat 2 calls the discard; ``kan2`` for an open kan, ``chi1:34m`` with these tiles
``.``           a dull turn: a tile that nobody waits for is drawn and discarded; ``.5`` is five of them
``abort``       the hand ends because of four winds, four riichi or four kans
``foul1``       the hand ends by a foul of seat 1: the one just stated, or else a false win or a riichi
``foul1:wall``  a foul of seat 1 is stated, of this kind; ``foul1:wall=small`` with its cost as ruled
``end``         dull turns until the wall is empty; in ``end:0`` seat 0 discards no simples, in ``end-1``
                seat 1 declares noten
==============  =====================================================================================

>>> from paifu.replay.rulesets.presets import load_preset
>>> game = play_scripts(load_preset("tenhou"), Script("1z ron1", hands=("", "19m19p19s1234567z")))
>>> game.hands[0].deltas
(-32000, 32000, 0, 0)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from paifu.coach.kernels.simulator_moves import (
    claim,
    deal,
    end_without_winner,
    held_id,
    let_pass,
    make_call,
    make_discard,
    make_draw,
    make_foul,
    make_kita,
    make_own_kan,
    make_riichi,
    settle_wins,
)
from paifu.coach.simulate.games import Desk, PlayedGame, PlayedHand, chips_of_hands
from paifu.replay.course.dealer_wins import dealer_wins_after
from paifu.replay.course.fouls import penalties
from paifu.replay.course.settlement import GameEnd, HandStart, endings, final_result, next_hand
from paifu.replay.errors import ArgumentError
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.legal import may_abort
from paifu.replay.kernels.rows import NOTED
from paifu.replay.model.events import EventKind, HandEnd
from paifu.replay.model.tile_notation import parse_tile, parse_tiles, tile_name
from paifu.replay.model.tiles import KIND_OF_TILE, NO_TILE, NORTH, TERMINALS_AND_HONOURS
from paifu.replay.rules.choices import Consequence
from paifu.replay.rules.foul_kinds import FOUL_NAMES
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.walls.layout import HAND_SIZE
from paifu.replay.walls.tenhou import FLOWER_CODES

_FIRST = HandStart(0, 0, 0, 0)
_DICE = (2, 3)
"""Readers of logs expect some; they decide nothing."""
_STRIDE = 47
"""Free tiles are taken in steps of this size: of kinds that lie apart."""
_TILE = "[0-9][mpsz]"
_DRAWN = re.compile(rf"({_TILE})(?:$|>)")
_FLOWER = re.compile("[1-4]f")
_TURN = re.compile(rf"({_TILE})?(?:>(tsumo|nine|kita|k{_TILE}|[ro]?{_TILE}))?")
_CALL = re.compile(r"(pon|kan|chi)([0-3])(?::([0-9]{2}[mps]))?")
_RON = re.compile(r"ron([0-3](?:,[0-3])*)")
_DULL = re.compile(r"\.(\d*)")
_END = re.compile(r"end(?::([0-3]+))?(?:-([0-3]+))?")
_FOUL = re.compile(r"foul([0-3])(?::([a-z_]+)(?:=([a-z_]+))?)?")
_CALLS = {"pon": EventKind.PON, "chi": EventKind.CHI, "kan": EventKind.DAIMINKAN}


class ScriptError(ArgumentError):
    """A script that cannot be played: where, and why."""


@dataclass(frozen=True, slots=True)
class Script:
    """One hand: its moves, and what of its tiles is wanted (the rest is filled up)."""

    moves: str
    hands: Sequence[str] = ()
    """Tiles by seat, 13 at most."""
    dora: str = ""
    """Indicators in the order in which they are turned."""
    ura: str = ""


def play_scripts(
    rules: Ruleset, *scripts: Script, opening: HandStart = _FIRST, scores: Sequence[int] | None = None
) -> PlayedGame:
    """Play hands one after the other, each where the one before leads; raises ScriptError.

    The game has a result when it begins at its beginning and the last hand ends it, or can end it.
    """
    desk, start = _desk(rules), opening
    points = tuple(scores or rules.starts)
    hands: list[PlayedHand] = []
    winners: list[int] = []
    dealer_wins = 0
    may_follow: tuple[GameEnd | None, ...] = (None,)
    for script in scripts:
        if None not in may_follow:
            raise ScriptError(f"the game is over before hand {len(hands)}")
        try:
            hand = _ScriptedHand(desk, script, start, points, dealer_wins, len(hands)).play()
        except ScriptError as error:
            raise ScriptError(f"hand {len(hands)}, {error}") from error
        hands.append(hand)
        outcome, points = hand.outcome(rules), hand.scores_after(rules)
        winners += outcome.winners
        may_follow = endings(rules, start, outcome, points)
        following = next_hand(rules, start, outcome)
        dealer_wins = dealer_wins_after(dealer_wins, start, outcome, following)
        start = following
    is_whole = may_follow[0] is not None and opening == _FIRST and scores is None
    costs = [cost for hand in hands for cost in hand.costs_of_fouls(rules)]
    if not is_whole:
        return PlayedGame(rules, tuple(hands), None)
    chips, ron = chips_of_hands(rules, hands), hands[-1].ron
    result = final_result(
        rules, points, winners, sticks=outcome.sticks, penalties=penalties(rules, costs), chips=chips, ron=ron
    )
    return PlayedGame(rules, tuple(hands), result)


@lru_cache(maxsize=32)
def _desk(rules: Ruleset) -> Desk:
    return Desk(rules)


def _flower(name: str) -> int:
    """Return the code of a flower."""
    return int(FLOWER_CODES[int(name[0]) - 1])


class _ScriptedHand:
    """One hand while its script is played."""

    def __init__(
        self,
        desk: Desk,
        script: Script,
        start: HandStart,
        scores: tuple[int, ...],
        dealer_wins: int,
        number: int,
    ) -> None:
        """``number`` counts the hands of the game: a script that is played twice has other tiles then."""
        self.desk, self.start, self.scores, self.dealer_wins = desk, start, scores, dealer_wins
        self.rules = desk.rules
        self.words = script.moves.split()
        self.place = "the deal"
        if not self.rules.flowers and any(map(_FLOWER.fullmatch, self.words)):
            raise self._error("the rules have no flowers")
        self.clean: frozenset[int] = frozenset()
        """Seats that discard no simples in dull turns."""
        self.flowers: list[int] = []
        """Flowers that are drawn before the next tile."""
        ids = self.rules.tile_ids
        self.free = [ids[(i + number) * _STRIDE % len(ids)] for i in range(len(ids))]
        dealt = [self._take_all(text) for text in (*script.hands, "", "", "", "")[: self.rules.table.players]]
        drawn = [match[1] for word in self.words if (match := _DRAWN.match(word))]
        self.drawn = self._take_all("".join(drawn))[::-1]
        """Tiles that are drawn by name, the next one last."""
        supply = desk.state.supply
        for row, text in ((supply.indicators, script.dora), (supply.ura, script.ura)):
            row[:] = NO_TILE
            tiles = self._take_all(text)[: len(row)]
            row[: len(tiles)] = tiles
        if not script.dora:
            supply.indicators[0] = self.free.pop()
        supply.dealt[:] = NO_TILE
        for seat, tiles in enumerate(dealt):
            if len(tiles) > HAND_SIZE:
                raise self._error(f"seat {seat} has {len(tiles)} tiles")
            supply.dealt[seat] = tiles + [self.free.pop() for _ in range(HAND_SIZE - len(tiles))]

    def _error(self, what: str) -> ScriptError:
        return ScriptError(f"{self.place}: {what}")

    # --- tiles ----------------------------------------------------------------------------------------

    def _take_all(self, text: str) -> list[int]:
        try:
            return [self._take(tile) for tile in parse_tiles(text)]
        except ValueError as error:
            raise self._error(str(error)) from error

    def _take(self, tile: int) -> int:
        """Take an id of a tile (0-36) out of those that are free."""
        tile_of = self.desk.state.supply.tile_of
        tile_id = next((one for one in self.free if tile_of[one] == tile), None)
        if tile_id is None:
            raise ValueError(f"there are not that many {tile_name(tile)} in the set")
        self.free.remove(tile_id)
        return tile_id

    def _dull(self, seat: int) -> int:
        """Take a free id that nobody waits for; of a seat that keeps clean, a terminal or honour."""
        waits = 0
        for other in range(self.rules.table.players):
            waits |= int(self.desk.state.table.waits[other])
        for wants_outer in (seat in self.clean, seat not in self.clean):
            for tile_id in self.free:
                kind = tile_id // 4
                if (kind in TERMINALS_AND_HONOURS) == wants_outer and not waits >> kind & 1:
                    self.free.remove(tile_id)
                    return tile_id
        raise self._error("there is no dull tile left")

    def _held(self, seat: int, tile: int) -> int:
        """An id of a tile in a hand; of the tile just drawn, that one."""
        record, tile_of = self.desk.state.record, self.desk.state.supply.tile_of
        drawn = int(record.drawn[seat])
        if drawn != NO_TILE and tile_of[drawn] == tile:
            return drawn
        for tile_id in range(len(record.holder)):
            if record.holder[tile_id] == seat and tile_of[tile_id] == tile:
                return tile_id
        raise self._error(f"seat {seat} does not hold {tile_name(tile)}")

    # --- play -----------------------------------------------------------------------------------------

    @property
    def seat(self) -> int:
        """The seat whose turn it is."""
        return int(self.desk.state.table.turn)

    def play(self) -> PlayedHand:
        """Play all words; the last must end the hand."""
        desk = self.desk
        desk.begin(self.start, self.scores, self.dealer_wins)
        dealt = list(takewhile(_FLOWER.fullmatch, self.words))
        desk.state.supply.flowers[:], desk.state.supply.owners[:] = NO_TILE, self.start.dealer
        desk.state.supply.flowers[: len(dealt)] = list(map(_flower, dealt))
        deal(desk.state)
        for number, word in enumerate(self.words[len(dealt) :], len(dealt) + 1):
            self.place = f"move {number} {word!r}"
            try:
                end = self._play(word)
            except ScriptError:
                raise
            except ValueError as error:
                raise self._error(str(error)) from error
            if desk.state.notes.counts[0]:
                raise self._error(f"breaks a rule, V{desk.state.notes.rows[0, NOTED.code]}")
            if end is not None:
                if number < len(self.words):
                    raise self._error("ends the hand, and more follows")
                return desk.played(self.start, self.scores, _DICE, *end)
        raise self._error("the hand does not end")

    def _play(self, word: str) -> tuple[int, int] | None:
        """Play a word; returns (HandEnd, winners) when it ends the hand."""
        if match := _RON.fullmatch(word):
            return self._win([int(seat) for seat in match[1].split(",")])
        if not _FOUL.fullmatch(word):
            self._let_pass()
        if word == "abort":
            return self._abort()
        if match := _FOUL.fullmatch(word):
            return self._foul(int(match[1]), match[2], match[3])
        if match := _END.fullmatch(word):
            self.clean = frozenset(map(int, match[1] or ""))
            while self.desk.state.table.live:
                self._dull_turn()
            self.desk.state.record.hidden = sum(1 << int(seat) for seat in match[2] or "")
            return self._end(HandEnd.EXHAUSTIVE)
        if match := _TURN.fullmatch(word):
            drawn, act = match.groups()
            if drawn:
                self._draw(self.drawn.pop())
            return self._act(act or drawn)
        if match := _CALL.fullmatch(word):
            self._call(_CALLS[match[1]], int(match[2]), match[3])
        elif _FLOWER.fullmatch(word):
            self.flowers.append(_flower(word))
        else:
            self._dull_turns(word)
        return None

    def _let_pass(self) -> None:
        """Nobody wins what is on offer."""
        play = self.desk.state
        if play.table.offer:
            let_pass(play)

    def _dull_turns(self, word: str) -> None:
        match = _DULL.fullmatch(word)
        if match is None:
            raise self._error("no such move")
        for _ in range(int(match[1] or 1)):
            self._dull_turn()

    def _dull_turn(self) -> None:
        self._let_pass()
        tile = self._dull(self.seat)
        if self._draw(tile):
            self._discard(tile)

    def _draw(self, tile: int) -> bool:
        """Draw a tile; False where indicators that are due take the last of the wall."""
        play = self.desk.state
        table, supply = play.table, play.supply
        if not table.live and table.phase != state.WAIT_SUPPLEMENT:
            raise self._error("the wall is empty")
        tiles, first = [*self.flowers, tile], int(table.supplements)
        if table.phase != state.WAIT_SUPPLEMENT:
            supply.live[table.draws] = tiles.pop(0)
        supply.supplements[first : first + len(tiles)] = tiles
        self.flowers.clear()
        self._complete_indicators()
        return bool(make_draw(play))

    def _complete_indicators(self) -> None:
        """Lay a free tile where an indicator that the script does not name may be turned."""
        row, number = self.desk.state.supply.indicators, int(self.desk.state.table.turned)
        for missing in range(number, min(1 + int(self.desk.state.table.kans), len(row))):
            if row[missing] == NO_TILE:
                row[missing] = self._dull(self.seat)

    def _discard(self, tile: int) -> None:
        play = self.desk.state
        self._complete_indicators()
        make_discard(play, tile)

    def _act(self, act: str) -> tuple[int, int] | None:
        desk, seat = self.desk, self.seat
        if act == "tsumo":
            return self._win([seat])
        if act == "nine":
            return self._end(HandEnd.KYUUSHU)
        if act == "kita":
            north = self._held(seat, NORTH)
            make_kita(desk.state, north)
        elif act.startswith("k"):
            tile = self._held(seat, parse_tile(act[1:]))
            is_added = desk.state.table.counts[seat, tile // 4] < 4
            make_own_kan(desk.state, EventKind.KAKAN if is_added else EventKind.ANKAN, tile)
        else:
            if act[0] in "ro":
                make_riichi(desk.state, act[0] == "o")
            self._discard(self._held(seat, parse_tile(act.lstrip("ro"))))
        return None

    def _call(self, kind: EventKind, seat: int, text: str | None) -> None:
        play = self.desk.state
        if not play.table.offer:
            raise self._error("there is nothing to call")
        if kind == EventKind.CHI:
            ids = [self._held(seat, tile) for tile in parse_tiles(text or "")]
        else:
            called = int(KIND_OF_TILE[play.table.offer_tile])
            number = 3 if kind == EventKind.DAIMINKAN else 2
            ids = [int(held_id(play.record, seat, called, skip)) for skip in range(number)]
        if NO_TILE in ids or not ids:
            raise self._error(f"seat {seat} does not have the tiles for it")
        own = int.from_bytes(bytes([*ids, NO_TILE])[:3], "little")
        make_call(play, kind, seat, own)

    def _win(self, seats: list[int]) -> tuple[int, int]:
        play = self.desk.state
        table, ura = play.table, play.supply.ura
        for missing in range(table.turned):
            if ura[missing] == NO_TILE:
                ura[missing] = self.free.pop()
        source, tile = int(table.offer_seat), int(table.offer_tile)
        if table.phase == state.WAIT_SUPPLEMENT and seats == [self.seat]:
            source = seats[0]
        elif not table.offer:
            source, tile = seats[0], int(table.drawn[seats[0]])
        for row, seat in enumerate(sorted(seats, key=lambda one: (one - source) % self.rules.table.players)):
            is_win = claim(play, row, seat, source, tile)
            if not is_win:
                raise self._error(f"seat {seat} has no win, V{play.tries.rows[0, NOTED.code]}")
        if len(seats) == 3 and self.rules.draw.abort_sanchahou:
            return self._end(HandEnd.SANCHAHOU)
        settle_wins(play, len(seats))
        return HandEnd.WIN, len(seats)

    def _foul(self, seat: int, kind: str | None, ruled: str | None) -> tuple[int, int] | None:
        play = self.desk.state
        if kind is None:
            play.table.offender = seat
            return self._end(HandEnd.CHOMBO)
        if kind not in FOUL_NAMES or (ruled or "chombo").upper() not in Consequence.__members__:
            raise self._error("there is no such foul, or no such cost")
        cost = Consequence[ruled.upper()] if ruled else 0
        make_foul(play, seat, FOUL_NAMES.index(kind), cost)
        return None

    def _abort(self) -> tuple[int, int]:
        play = self.desk.state
        for kind in (HandEnd.SUUFON, HandEnd.SUUCHA, HandEnd.SUUKAIKAN):
            if may_abort(play.table, kind, play.rules):
                return self._end(kind)
        raise self._error("there is no reason to end the hand")

    def _end(self, kind: HandEnd) -> tuple[int, int]:
        play = self.desk.state
        end = end_without_winner(play, kind)
        return int(end), 0
