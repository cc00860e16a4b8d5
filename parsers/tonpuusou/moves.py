"""Moves of a hand as texts of Tonpuusou have them: ``2G9m 2d西 4N 4C4s5s 1R 1d1m 3K東 4A``.

A player's number, a letter, tiles: G draws, d discards from the hand, D the tile just drawn, N is a pon, C a
chi with two own tiles, K any kan, R a riichi, A a win. A suit in a capital letter is a red five.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from paifu.parsers.drafting import DraftedGame
from paifu.parsers.errors import ParseError
from paifu.parsers.packed_events import held, kind_of_code, pon_of, seat_of, tile_of
from paifu.replay.model.events import CODE_OF_TILE, EventKind
from paifu.replay.model.tiles import NO_TILE, RED_MAN

_MOVE = re.compile(r"([1-4])([GdDNCKRA])(\S*)")
_TILE = re.compile(r"([1-9])([mpsMPS])|([東南西北白発發中])")
_HONORS = "東南西北白発中"
_CALLS = {"N": EventKind.PON, "C": EventKind.CHI, "K": EventKind.DAIMINKAN}
_FIRST_WIND, _FIRST_DRAGON = 27, 31


def tiles_of(text: str) -> list[int]:
    """Read tiles written one after the other into codes; a suit in a capital letter is a red five."""
    codes, at = [], 0
    while found := _TILE.match(text, at):
        number, suit, honor = found.groups()
        if honor:
            kind = _FIRST_WIND + _HONORS.index("発" if honor == "發" else honor)
        else:
            kind = 9 * "mps".index(suit.lower()) + int(number) - 1
            if suit.isupper():
                kind = RED_MAN + "MPS".index(suit)
        codes.append(CODE_OF_TILE + kind)
        at = found.end()
    if at < len(text):
        raise ParseError(f"{text[:40]!r} are not tiles", code="V105")
    return codes


def indicator_of(code: int, players: int) -> int:
    """The code of the indicator that makes a tile dora."""
    kind = kind_of_code(code)
    if kind < _FIRST_WIND:
        first, number = kind - kind % 9, kind % 9
        return CODE_OF_TILE + (8 - number if players == 3 and not first else first + (number - 1) % 9)
    first, count = (_FIRST_WIND, 4) if kind < _FIRST_DRAGON else (_FIRST_DRAGON, 3)
    return CODE_OF_TILE + first + (kind - first - 1) % count


class Moves:
    """The moves of one hand while they are read."""

    def __init__(self, game: DraftedGame, seat_of: Callable[[int], int], dora: Sequence[int]) -> None:
        self.game = game
        self.seat_of = seat_of
        """Returns the seat of a player of the text, from 1. Raises ParseError for one that does not play."""
        self.words = game.words
        self.dora = list(reversed(dora))
        self.owed = 0
        """Indicators that are turned before the next discard."""
        self.declared = self.unpaid = -1
        """Who declares riichi with the next discard; whose has not passed yet."""
        self.shown = -1, NO_TILE
        """Who showed a tile last that others may take, and which."""

    def play(self, moves: Sequence[str]) -> list[tuple[int, int, int]]:
        """Put all moves; returns the winners, from whom they win, and on which tile."""
        winners = []
        for text in moves:
            found = _MOVE.fullmatch(text)
            if not found:
                raise ParseError(f"{text[:40]!r} is not a move", code="V102")
            seat, letter, tiles = self.seat_of(int(found[1])), found[2], tiles_of(found[3])
            if letter == "A":
                winners.append((seat, *self._won(seat)))
                continue
            self._pay()
            self._move(seat, letter, tiles)
        if not winners:
            self._pay()
        return winners

    def _won(self, seat: int) -> tuple[int, int]:
        last = self.words[-1] if len(self.words) > self.game.begin else 0
        if last & 31 == EventKind.DRAW and seat_of(last) == seat:
            return seat, tile_of(last)
        source, tile = self.shown
        if source in (-1, seat):
            raise ParseError("a win of nobody's tile", code="V102")
        return source, tile

    def _pay(self) -> None:
        if self.unpaid >= 0:
            self.game.pay(self.unpaid)
            self.unpaid = -1

    def _turn(self, count: int) -> None:
        for _ in range(min(count, len(self.dora))):
            self.game.put(EventKind.DORA, tile=self.dora.pop())

    def _move(self, seat: int, letter: str, tiles: list[int]) -> None:
        if letter == "R":
            self.declared = seat
        elif letter == "K" and not (self.shown[0] not in (-1, seat) and self._is_open()):
            self._own_kan(seat, tiles)
        elif letter in _CALLS:
            self._call(seat, letter, tiles)
        elif len(tiles) != 1:
            raise ParseError(f"{len(tiles)} tiles are drawn or discarded", code="V105")
        elif letter == "G":
            self.game.put(EventKind.DRAW, seat, tiles[0])
            self.shown = -1, NO_TILE
        else:
            self._turn(self.owed)
            self.owed = 0
            is_riichi = self.declared == seat
            if is_riichi:
                self.declared, self.unpaid = -1, seat
            self.game.discard(seat, tiles[0], is_drawn=letter == "D", is_riichi=is_riichi)
            self.shown = seat, tiles[0]

    def _is_open(self) -> bool:
        """Whether the tile shown last was discarded, not added to a pon."""
        return bool(self.words) and self.words[-1] & 31 in (EventKind.DISCARD, EventKind.RIICHI_PAID)

    def _own(self, seat: int, kind: int, count: int) -> list[int]:
        """Tiles of a kind from a hand, plain ones first."""
        tiles = held(self.words, self.game.begin, self.game.hand["dealt"], seat)
        every = (code for code, copies in tiles.items() for _ in range(copies))
        own = sorted(code for code in every if kind_of_code(code) == kind)
        if len(own) < count:
            raise ParseError("a call with tiles that are not in the hand", code="V102")
        return own[:count]

    def _call(self, seat: int, letter: str, tiles: list[int]) -> None:
        source, called = self.shown
        if source in (-1, seat):
            raise ParseError("a call of a tile that nobody discarded", code="V102")
        kind = _CALLS[letter]
        count = 3 if kind == EventKind.DAIMINKAN else 2
        own = tiles if len(tiles) == count else self._own(seat, kind_of_code(called), count)
        self.game.put(kind, seat, called, source, own)
        self.owed += kind == EventKind.DAIMINKAN
        self.shown = -1, NO_TILE

    def _own_kan(self, seat: int, tiles: list[int]) -> None:
        if not tiles:
            raise ParseError("a kan of no tile", code="V105")
        self._turn(self.owed)
        self.owed = 0
        if pon_of(self.words, self.game.begin, seat, tiles[0]):
            self.game.add_to_pon(seat, tiles[0])
            self.owed = 1
            self.shown = seat, tiles[0]
            return
        tile, *own = self._own(seat, kind_of_code(tiles[0]), 4)
        self.game.put(EventKind.ANKAN, seat, tile, own=own)
        self.shown = seat, tile
        self._turn(1)
