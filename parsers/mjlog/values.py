"""Values of attributes of the elements of a hand: lists of whole numbers, tiles, seats."""

from __future__ import annotations

from paifu.parsers.errors import ParseError
from paifu.parsers.mjlog.whole_game import Attributes, Numbers
from paifu.parsers.tenhou import check_points
from paifu.replay.model.batch import MAX_SHOWN_MELDS, MAX_YAKU
from paifu.replay.model.events import HandEnd
from paifu.replay.model.tiles import IDS
from paifu.replay.rules.fields import YAKUMAN_HAN
from paifu.replay.rules.local_yaku import OWN_IDS
from paifu.replay.scoring.yaku import YAKU

Element = tuple[bytes, list[bytes], list[bytes]]
"""Name, names of attributes, and their values without entities."""

MAX_SHOWN = 80
"""Characters of a log that a message repeats."""
_SEATS = {b"0": 0, b"1": 1, b"2": 2, b"3": 3}
_YAKU_IDS = frozenset((*YAKU, *OWN_IDS))
"""Tenhou's, and our own for yaku that Tenhou does not know, which the writer uses."""


def shown_text(text: bytes) -> str:
    """Return the beginning of a text of the log, for a message."""
    return text[:MAX_SHOWN].decode("utf-8", "replace")


def read_seat(text: bytes) -> int:
    """Read a seat of any game."""
    if text not in _SEATS:
        raise ParseError(f"seat {shown_text(text)!r}; seats are 0-3", code="V105")
    return _SEATS[text]


_TEXTS = frozenset((b"shuffle", b"owari", b"type"))
"""Attributes, of elements otherwise full of whole numbers, that may hold something else."""


def numbers_of(names: list[bytes], values: list[bytes]) -> tuple[Numbers, Attributes]:
    """Read all values as lists of whole numbers, except those that are texts; return both kinds by name.

    An empty value is an empty list.
    """
    numbers: Numbers = {}
    texts: Attributes = {}
    for name, value in zip(names, values, strict=True):
        if name in _TEXTS:
            texts[name] = value
        else:
            numbers[name] = whole_numbers(value)
    return numbers, texts


def whole_numbers(text: bytes) -> list[int]:
    """Read numbers one by one; two empty cells are the dice of logs without dice, and become -1."""
    try:
        return [int(cell) for cell in text.replace(b",,,", b",-1,-1,").split(b",")] if text else []
    except ValueError:
        raise ValueError(shown_text(text)) from None


def listed(numbers: list[int]) -> str:
    """Return numbers as the log writes them, for a message."""
    return repr(",".join(map(str, numbers))[:MAX_SHOWN])


DRAW_ENDS = {
    b"": HandEnd.EXHAUSTIVE,
    b"nm": HandEnd.NAGASHI,
    b"yao9": HandEnd.KYUUSHU,
    b"kaze4": HandEnd.SUUFON,
    b"reach4": HandEnd.SUUCHA,
    b"ron3": HandEnd.SANCHAHOU,
    b"kan4": HandEnd.SUUKAIKAN,
}
"""How a hand ended without a winner, by the type of its element."""
_TILE_IDS = bytes(range(IDS))


def tile_ids(numbers: list[int], width: int = 52) -> bytes:
    """Take a list of physical tile ids, at most ``width``."""
    try:
        tiles = bytes(numbers)
    except (TypeError, ValueError):
        tiles = b"\xff"
    if tiles.translate(None, _TILE_IDS):
        raise ParseError(f"its tiles are {listed(numbers)}; ids are 0-{IDS - 1}", code="V105")
    if len(tiles) > width:
        raise ParseError(f"it lists {len(tiles)} tiles; at most {width} are possible", code="V105")
    return tiles


def tile_id(numbers: list[int]) -> int:
    """Take one physical tile id."""
    if len(numbers) != 1 or not 0 <= numbers[0] < IDS:
        raise ParseError(f"{listed(numbers)} is not one tile; ids are 0-{IDS - 1}", code="V105")
    return numbers[0]


def scores_of(hundreds: list[int]) -> list[int]:
    """Read scores in hundreds into points."""
    return check_points([100 * n for n in hundreds], "the list of scores")


NO_MELDS = [-1] * MAX_SHOWN_MELDS


def shown_melds(codes: list[int]) -> list[int]:
    """Take the meld codes shown with a win; 0 is a real one, a closed kan of the first tile."""
    if len(codes) > MAX_SHOWN_MELDS or min(codes) < 0 or max(codes) > 2**20:
        raise ParseError(f"its melds are {listed(codes)}", code="V105")
    return codes + NO_MELDS[len(codes) :]


def yaku_and_han(listed: list[int], yakuman: list[int]) -> tuple[bytes, bytes]:
    """Take the ids of yaku, each followed by its han, and those of yakuman."""
    yaku, han = listed[0::2], listed[1::2]
    if yakuman:
        yaku, han = yaku + yakuman, han + [YAKUMAN_HAN] * len(yakuman)
    if len(yaku) != len(han):
        raise ParseError("a yaku is listed without its han", code="V105")
    if yaku and not (_YAKU_IDS.issuperset(yaku) and 0 <= min(han) <= max(han) < 100):
        raise ParseError(f"yaku {yaku} of {han} han; ids are 0-54, of local yaku 64-73", code="V105")
    if len(yaku) > MAX_YAKU:
        raise ParseError(f"it lists {len(yaku)} yaku; at most {MAX_YAKU} are possible", code="V105")
    return bytes(yaku), bytes(han)
