"""Logs by the addresses of viewers, looked up in folders, archives and databases, never on a network."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from paifu.api.pipeline import Paths, listed
from paifu.parsers.addresses import log_address
from paifu.parsers.errors import PathNotFound
from paifu.parsers.library import located
from paifu.parsers.majsoul.reader import seat_of_account
from paifu.parsers.sources.paths import resolve


@dataclass(frozen=True, slots=True)
class LocatedLog:
    """Where a log is, and what its address says beside."""

    path: str
    """A path for every function that reads logs."""
    seat: int | None = None
    """Seat whose view the address shows."""
    hand: int | None = None
    """Number of the hand that the address shows, from 0."""


def locate(address: str | Path, library: Paths = ()) -> LocatedLog:
    """Find the log that an address or an id names in the paths of ``library``.

    Addresses are those of Tenhou, Mahjong Soul, Riichi City, M.League, mjai reports and NAGA. A path that
    is there, or matches as a pattern, is returned as it is, as is any other text. Raises NotInLibraryError,
    which says what to download and where it would be looked for, and PathNotFound for a library that is not
    there.

    >>> locate("sample_logs/formats")
    LocatedLog(path='sample_logs/formats', seat=None, hand=None)
    """
    text = os.fspath(address)
    if os.path.lexists(text) or "#json=" in text:
        return LocatedLog(text)
    found = log_address(text)
    if found is None or _is_there(text):
        return LocatedLog(text)
    path, seat = located(text, found, listed(library)), found.seat
    if found.account is not None:
        seat = seat_of_account(path, found.account)
    return LocatedLog(path, seat, found.hand)


def _is_there(text: str) -> bool:
    try:
        resolve(text)
    except PathNotFound:
        return False
    return True
