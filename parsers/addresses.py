"""Addresses of viewers, and ids of logs, as people paste them: which log, whose seat, which hand.

Two platforms hide ids: Tenhou from players who were not in the game, Mahjong Soul from everybody but the
viewer. Both ways are undone here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote

TENHOU, MAJSOUL, RIICHI_CITY, MLEAGUE, REPORT = (
    "Tenhou", "Mahjong Soul", "Riichi City", "M.League", "a report of an engine",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class LogAddress:
    """What an address says."""

    platform: str
    ids: tuple[str, ...]
    """Ids that the log may go by, the likeliest first; empty if the address names no log."""
    seat: int | None = None
    """Seat of the viewer, where the address states it."""
    hand: int | None = None
    """Number of the hand, from 0."""
    about: str = ""
    """What an address without a log is of."""
    account: int | None = None
    """Account of the viewer, where the address states that in place of the seat."""


def log_address(text: str) -> LogAddress | None:
    """Read an address or an id; None for something else.

    >>> found = log_address("https://tenhou.net/0/?log=2017022002gm-000b-2873-xc0294a92421e&tw=2&ts=5")
    >>> found.platform, found.ids, found.seat, found.hand
    ('Tenhou', ('2017022002gm-000b-2873-fb28df66',), 2, 5)
    """
    text = unquote(text.strip())
    return next((found for read in _READERS if (found := read(text)) is not None), None)


# --- Tenhou ---------------------------------------------------------------------------------------------

_TENHOU_ID = re.compile(
    r"(?<![0-9a-zA-Z])(\d{8}(?:\d{2})?gm-[0-9a-f]{4}-\d{4,5}-(?:x[0-9a-f]{12}|[0-9a-f]{8}))(?![0-9a-f])"
)
_TENHOU_SITE = re.compile(r"(?:tenhou\.net|ron2\.jp|mjv\.jp)/", re.IGNORECASE)
_SEAT = re.compile(r"[?&]tw=(x|[0-3])(?![0-9])")
_HAND = re.compile(r"[?&]ts=(\d{1,3})(?![0-9])")
_TABLE = (
    22136, 52719, 55146, 42104, 59591, 46934, 9248, 28891, 49597, 52974, 62844, 4015, 18311, 50730, 43056,
    17939, 64838, 38145, 27008, 39128, 35652, 63407, 65535, 23473, 35164, 55230, 27536, 4386, 64920, 29075,
    42617, 17294, 18868, 2081,
)  # fmt: skip
_FIRST_MIXED = "2010041111gm"


def shown_id(text: str) -> str:
    """Return a Tenhou id whose last part was hidden (``x`` and twelve digits) as it is; others unchanged."""
    head, _, last = text.rpartition("-")
    if not last.startswith("x"):
        return text
    a, b, c = (int(last[at : at + 4], 16) for at in (1, 5, 9))
    at = 0
    if text[: len(_FIRST_MIXED)] > _FIRST_MIXED:
        at = int(f"3{text[4:10]}") % (33 - int(text[9]))
    return f"{head}-{a ^ b ^ _TABLE[at]:04x}{b ^ c ^ _TABLE[at] ^ _TABLE[at + 1]:04x}"


def _tenhou(text: str) -> LogAddress | None:
    found = _TENHOU_ID.search(text)
    if not found:
        return None
    is_bare = re.fullmatch(r"(?:\.mjlog|[?&].*)?", text[found.end() :]) and not found.start()
    if not is_bare and not _TENHOU_SITE.search(text):
        return None
    seat, hand = _SEAT.search(text), _HAND.search(text)
    hidden, plain = found[1], shown_id(found[1])
    return LogAddress(
        TENHOU,
        (plain, hidden) if plain != hidden and not _IS_TENHOU.fullmatch(plain) else (plain,),
        int(seat[1]) if seat and seat[1] != "x" else None,
        int(hand[1]) if hand else None,
    )


_IS_TENHOU = re.compile(r"\d{8,10}gm-[0-9a-f]{4}-\d{4,5}-[0-9a-f]{8}")

# --- Mahjong Soul ---------------------------------------------------------------------------------------

_UUID = r"[0-9a-z]{6}-[0-9a-z]{8}-[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{12}"
_PAIPU = re.compile(rf"(?:(?<=paipu=)|^|(?<=[\s:：]))({_UUID})(?:_a(\d{{1,18}}))?(?:__?2)?(?![0-9a-z])")
_LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"


def plain_uuid(text: str) -> str:
    """Return an id of Mahjong Soul as it is, be it anonymous, which begins with a letter, or not."""
    if text[:1].isdigit():
        return text
    return "".join(
        letter if letter == "-" else _LETTERS[(_LETTERS.index(letter) + 55 - at) % 36]
        for at, letter in enumerate(text)
    )


_ADDED, _MIXED, _MORE = 1358437, 86216345, 1117113


def plain_account(shown: int) -> int | None:
    """Return the account that an address of Mahjong Soul shows as another number; None if there is none.

    >>> plain_account(1358437 + ((7 * 12345678 + 1117113) ^ 86216345))
    12345678
    """
    account, rest = divmod((shown - _ADDED ^ _MIXED) - _MORE, 7)
    return account if rest == 0 and account > 0 else None


def _majsoul(text: str) -> LogAddress | None:
    found = _PAIPU.search(text)
    if not found:
        return None
    account = plain_account(int(found[2])) if found[2] else None
    return LogAddress(MAJSOUL, (plain_uuid(found[1]),), account=account)


_KOROMO = re.compile(r"://[^ ]*/(player|view_game)/", re.IGNORECASE)


def _koromo(text: str) -> LogAddress | None:
    found = _KOROMO.search(text)
    if not found:
        return None
    return LogAddress(MAJSOUL, (), about=found[1].lower())


# --- Riichi City ----------------------------------------------------------------------------------------

_XID = re.compile(r"(?:(?<=log_id=)|^)([0-9a-v]{19}[0g])(?=$|[@&\s])")
_CITY_SEAT = re.compile(r"(?:[?&]seat=|@)([0-3])(?![0-9])")
_NEAR = 2
"""A record, its room and its anonymous form have ids that differ by one or two."""
_XID_LETTERS = "0123456789abcdefghijklmnopqrstuv"
_COUNTER = 24
_PADDING = 4


def _near_ids(text: str) -> Iterator[str]:
    """Yield an id of Riichi City, base 32 of twelve bytes, and those whose counter is near."""
    number = int(text, 32) >> _PADDING
    for step in sorted(range(-_NEAR, _NEAR + 1), key=abs):
        counter = (number + step) % (1 << _COUNTER)
        whole = (number >> _COUNTER << _COUNTER | counter) << _PADDING
        yield "".join(_XID_LETTERS[whole >> 5 * place & 31] for place in range(19, -1, -1))


def _riichi_city(text: str) -> LogAddress | None:
    found = _XID.search(text)
    if not found:
        return None
    seat = _CITY_SEAT.search(text, found.end())
    return LogAddress(RIICHI_CITY, tuple(_near_ids(found[1])), int(seat[1]) if seat else None)


# --- others ---------------------------------------------------------------------------------------------

_MLEAGUE = re.compile(r"[?&]gameid=(L\d{3}_S\d{3}_\d{4}_\d{2}A)", re.IGNORECASE)
_ENGINE = re.compile(r"://[^ ]*(?:/report/([0-9a-f]{16})(?:\.json|\.html)?|/htmls/([0-9a-zA-Z]{16,})\.html)")


def _mleague(text: str) -> LogAddress | None:
    found = _MLEAGUE.search(text)
    return LogAddress(MLEAGUE, (found[1].upper(),)) if found else None


def _report(text: str) -> LogAddress | None:
    found = _ENGINE.search(text)
    if not found:
        return None
    seat = _SEAT.search(text)
    return LogAddress(REPORT, (found[1] or found[2],), int(seat[1]) if seat and seat[1] != "x" else None)


_READERS: tuple[Callable[[str], LogAddress | None], ...] = (
    _mleague, _tenhou, _majsoul, _koromo, _report, _riichi_city,
)  # fmt: skip
