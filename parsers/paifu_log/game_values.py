"""Values of a paifu log whose reading depends on the game: by seat, by wind, in its tiles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from paifu.parsers.drafting import DEALT, SHOWN, hands_shown
from paifu.parsers.errors import ParseError
from paifu.parsers.json_values import as_list, as_points, as_whole, shown, wrong_value
from paifu.parsers.paifu_log.notation import Notation
from paifu.parsers.paifu_log.values import NOBODY, as_boolean, as_number, as_point, as_string, yaku_and_han
from paifu.replay.model.batch import MAX_POINTS, MAX_SHOWN_MELDS, MAX_YAKU
from paifu.replay.model.events import NO_SEAT
from paifu.replay.model.patterns import MAX_PATTERNS, PatternsError, check_pattern, dump_patterns
from paifu.replay.scoring.yaku import ROMAJI

_MAX_MELD_CODE = 1 << 20


class GameValues:
    """What a game says that its values are read by."""

    notation: Notation
    yaku_ids: Mapping[str, int] = ROMAJI
    players = 4
    is_riichi = True

    def __init__(self) -> None:
        self.dealer = self.winner = NO_SEAT

    def same_players(self, value: Any) -> int:
        """Check the number of players, which follows from the rules."""
        if value != self.players or isinstance(value, bool):
            raise ParseError(f"it is {shown(value)}; the rules have {self.players} players", code="V105")
        return self.players

    def four(self, value: Any, read: Callable[[Any], Any], absent: Any) -> list[Any]:
        """Read a list by seat; the absent one of a 3-player game may be left out."""
        cells = as_list(value, "it")
        if len(cells) not in (self.players, 4):
            raise ParseError(f"it lists {len(cells)} values; expected {self.players}, by seat", code="V105")
        return [read(cell) for cell in cells] + [absent] * (4 - len(cells))

    def texts(self, value: Any) -> list[str]:
        """Read texts by seat."""
        return self.four(value, as_string, "")

    def numbers(self, value: Any) -> list[float]:
        """Read decimal numbers by seat; null stands for those that are not known."""
        return self.four(value, as_number, float("nan"))

    def points(self, value: Any) -> list[int]:
        """Read points by seat; null stands for those that are not known."""
        if type(value) is list and len(value) == 4 and None not in value:
            return as_points(value, "a number of points")
        return self.four(value, as_point, 0)

    def penalties(self, value: Any) -> list[int]:
        """Read points by seat that were taken off."""
        return self.four(value, lambda cell: as_whole(cell, 0, MAX_POINTS, "a penalty"), 0)

    def final_points(self, value: Any) -> list[float]:
        """Read settled points by seat."""
        return self.four(value, as_number, 0.0)

    def dan(self, value: Any) -> bytes:
        """Read grades by seat, null for unknown."""
        return bytes(
            self.four(value, lambda cell: 255 if cell is None else as_whole(cell, 0, 127, "a grade"), 255)
        )

    def dice(self, value: Any) -> bytes:
        """Read the eyes of two dice, null for unknown."""
        cells = as_list(value, "it")
        if len(cells) != 2:
            raise ParseError(f"it lists {len(cells)} dice; expected 2", code="V105")
        return bytes(255 if cell is None else as_whole(cell, 1, 6, "a die") - 1 for cell in cells)

    def seat(self, value: Any) -> int:
        """Read a seat, by number or by wind."""
        if isinstance(value, str) and value in ("E", "S", "W", "N"):
            return self.notation.seat_of_wind(value, self.dealer)
        return as_whole(value, 0, self.players - 1, "a seat")

    def liable(self, value: Any) -> int:
        """Read who is liable for a win: a seat, or nobody."""
        return NO_SEAT if value == NOBODY else self.seat(value)

    def dealing(self, value: Any) -> int:
        """Read the seat of a dealer: winds follow from it."""
        return as_whole(value, 0, self.players - 1, "a dealer's seat")

    def tiles(self, value: Any, most: int) -> bytes:
        """Read tiles, at most ``most``; null and an empty text hold none."""
        codes = self.notation.codes(as_string(value)) if value else b""
        if value not in (None, "") and not codes:
            raise wrong_value(f"it is {shown(value)}; expected tiles")
        if len(codes) > most:
            raise ParseError(f"it lists {len(codes)} tiles; at most {most} are possible", code="V105")
        return codes

    def tile(self, value: Any) -> int:
        """Read one tile."""
        codes = self.notation.codes(as_string(value))
        if len(codes) != 1:
            raise ParseError(f"it is {shown(value)}; expected one tile", code="V105")
        return codes[0]

    def dealt(self, value: Any) -> bytes:
        """Read the dealt tiles by seat: 13, or none where they are not known."""
        hands = self.four(value, lambda cell: self.tiles(cell, 52), b"")
        for seat, tiles in enumerate(hands):
            if len(tiles) not in (0, DEALT):
                reason = f"seat {seat} is dealt {len(tiles)} tiles; expected 13, with ? for those not known"
                raise ParseError(reason, code="V104")
            if tiles and seat >= self.players:
                raise ParseError(f"seat {seat} is dealt tiles in a {self.players}-player game", code="V104")
        return b"".join([tiles.ljust(DEALT, b"\xff") for tiles in hands])

    def shown(self, value: Any) -> bytes:
        """Read the closed tiles shown by each seat."""
        hands = self.four(value, lambda cell: self.tiles(cell, SHOWN), b"")
        return hands_shown(hands)

    def tenpai(self, value: Any) -> bytes:
        """Read who was tenpai: true, false, or null for unknown."""
        return bytes(self.four(value, lambda cell: 255 if cell is None else as_boolean(cell), 0))

    def patterns(self, value: Any) -> str:
        """Read pairs of a pattern's id and its value."""
        pairs = as_list(value, "it")
        if len(pairs) > MAX_PATTERNS:
            raise ParseError(
                f"it lists {len(pairs)} patterns; at most {MAX_PATTERNS} are possible", code="V105"
            )
        try:
            return dump_patterns(map(check_pattern, pairs))
        except PatternsError as error:
            raise ParseError(str(error), code="V105") from error

    def yaku(self, value: Any) -> list[tuple[int, int]]:
        """Read pairs of a yaku's name and its han."""
        pairs = as_list(value, "it")
        if len(pairs) > MAX_YAKU:
            raise ParseError(f"it lists {len(pairs)} yaku; at most {MAX_YAKU} are possible", code="V105")
        return [yaku_and_han(pair, self.yaku_ids) for pair in pairs]

    def melds(self, value: Any) -> list[int]:
        """Read the melds shown with a win, the newest first, into Tenhou's codes, which the model keeps."""
        melds = as_list(value, "it")
        if len(melds) > MAX_SHOWN_MELDS:
            raise ParseError(
                f"it lists {len(melds)} melds; at most {MAX_SHOWN_MELDS} are possible", code="V105"
            )
        codes = [
            self.notation.meld_code(meld, self.winner)
            if isinstance(meld, str)
            else as_whole(meld, 0, _MAX_MELD_CODE, "a meld's code")
            for meld in melds
        ]
        return codes + [-1] * (MAX_SHOWN_MELDS - len(codes))
