"""Which games count: those of a period, those of some rooms. All others are left out, and counted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from shlex import quote
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from paifu.api.once import OnceUnit, with_composed_names
from paifu.parsers.read import Inputs, read_inputs
from paifu.replay.arrays import Mask
from paifu.replay.errors import ArgumentError
from paifu.replay.foreign_text import display_name
from paifu.replay.language import _, ngettext
from paifu.replay.model.counts import Counts

if TYPE_CHECKING:
    from paifu.parsers.dataset.entries import InputItem
    from paifu.replay.model.batch import Batch
    from paifu.replay.model.batch import Faults as FaultTable

_DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")


class DateError(ArgumentError):
    """A text that is not a date."""


class UnknownRoomError(ArgumentError):
    """There is no such room."""


@dataclass(frozen=True, slots=True)
class LeftOut(Counts):
    """How many games were left out, each for the first reason that applies; parts add up."""

    other_rooms: int = 0
    """In another room, or in one that the log does not say."""
    undated: int = 0
    """Their log does not say when they were played."""
    earlier: int = 0
    later: int = 0

    def lines(self, only: Only) -> Iterator[str]:
        """Yield a line for each reason."""
        if self.other_rooms:
            yield ngettext(
                "{count:,} game in other rooms left out", "{count:,} games in other rooms left out",
                self.other_rooms,
            ).format(count=self.other_rooms)  # fmt: skip
        if self.undated:
            yield ngettext(
                "{count:,} game without a date left out",
                "{count:,} games without a date left out",
                self.undated,
            ).format(count=self.undated)  # fmt: skip
        if self.earlier:
            yield ngettext(
                "{count:,} game before {day} left out", "{count:,} games before {day} left out", self.earlier
            ).format(count=self.earlier, day=only.first)
        if self.later:
            yield ngettext(
                "{count:,} game after {day} left out", "{count:,} games after {day} left out", self.later
            ).format(count=self.later, day=only.last)


NOTHING = LeftOut()


@dataclass(frozen=True, slots=True)
class Only:
    """The games that count; by default all.

    ``since`` and ``until`` are days (``2024-05-01``), months or years, both of them included, in the time
    that logs state: the platform's local time. ``rooms`` are names as statistics show them (``houou``,
    ``gold``, ``lobby 1234``), none for all. Raises DateError, UnknownRoomError.

    >>> Only(since="2024", until="2024-02").last
    '2024-02-29'
    """

    since: str = ""
    until: str = ""
    rooms: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        rooms = [self.rooms] if isinstance(self.rooms, str) else self.rooms
        object.__setattr__(self, "rooms", tuple(dict.fromkeys(map(_room, rooms))))
        first = _day("--since", self.since, is_last=False) if self.since else ""
        last = _day("--until", self.until, is_last=True) if self.until else ""
        if first and last and first > last:
            raise DateError(
                _("--since {since} is later than --until {until}").format(since=self.since, until=self.until)
            )

    def __bool__(self) -> bool:
        """Whether games are left out at all."""
        return self != EVERY_GAME

    @property
    def first(self) -> str:
        """The first day, empty if there is none."""
        return _day("--since", self.since, is_last=False) if self.since else ""

    @property
    def last(self) -> str:
        """The last day, likewise."""
        return _day("--until", self.until, is_last=True) if self.until else ""

    def spelt(self) -> str:
        """Return the options that ask for these games; the same for the same games."""
        parts = [("--since", self.first), ("--until", self.last)]
        parts += [("--room", room) for room in sorted(self.rooms)]
        return " ".join(f"{flag} {quote(value)}" for flag, value in parts if value)

    def document(self, left_out: LeftOut) -> dict[str, object]:
        """Return what JSON says of the choice; nothing if every game counts."""
        if not self:
            return {}
        chosen = {"since": self.first or None, "until": self.last or None, "rooms": list(self.rooms)}
        return {"only": chosen | {"left_out": left_out.summary()}}

    def choose(self, started: Iterable[object], rooms: Iterable[str]) -> tuple[Mask, LeftOut]:
        """Return a mask of the games that count, by when and where they were played, and what is left out."""
        wanted = {room.casefold() for room in self.rooms}
        first, last = self.first, self.last
        reasons = []
        for moment, room in zip(started, rooms, strict=True):
            day = day_of(str(moment)) if first or last else ""
            reasons.append(
                "other_rooms" if wanted and room.casefold() not in wanted
                else "" if not (first or last)
                else "undated" if not day
                else "earlier" if day < first
                else "later" if last and day > last
                else ""
            )  # fmt: skip
        keep = np.array([not reason for reason in reasons], bool)
        return keep, LeftOut(*(reasons.count(name) for name in LeftOut.__slots__))

    def of_batch(self, batch: Batch) -> tuple[Batch, LeftOut]:
        """Return a batch of the games that count, without the faults of the others."""
        if not self:
            return batch, NOTHING
        kept, _told, left_out = self._of(batch)
        return kept, left_out

    def _of(self, batch: Batch) -> tuple[Batch, tuple[Mask, Mask], LeftOut]:
        """Return the games that count, masks of the games and faults that are kept, and what is left out."""
        from paifu.reports.metrics.rooms import room_of  # not needed where every game counts

        rooms = (room_of(batch, game) for game in range(len(batch)))
        keep, left_out = self.choose(batch.games.started, rooms)
        told = faults_of(keep, batch.games.source, batch.faults)
        kept = batch if keep.all() else replace(batch.only(keep), faults=batch.faults.rows(told))
        return kept, (keep, told), left_out

    def read(self, unit: Iterable[InputItem]) -> tuple[Batch, Inputs, LeftOut]:
        """Read the games of a unit that count; see :func:`~paifu.parsers.read.read_inputs`."""
        batch, inputs = read_inputs(unit)
        left_out = NOTHING
        if self:
            batch, (keep, told), left_out = self._of(batch)
            inputs = replace(inputs, games=_ends(keep, inputs.games), faults=_ends(told, inputs.faults))
        if isinstance(unit, OnceUnit):
            batch, keep = unit.without_copies(with_composed_names(batch))
            inputs = replace(inputs, games=_ends(keep, inputs.games), shortened=unit.shortened)
        return batch, inputs, left_out


def day_of(started: str) -> str:
    """Return the day of a moment as far as a log states it; empty if it does not.

    >>> [day_of(text) for text in ("2022-01-05T03", "2022-01", "yesterday", "")]
    ['2022-01-05', '2022-01-01', '', '']
    """
    try:
        return _day("", started[:10], is_last=False)
    except DateError:
        return ""


def faults_of(keep: Mask, sources: npt.NDArray[np.object_], faults: FaultTable) -> Mask:
    """Return which faults to tell: all but those of logs whose games are all left out."""
    others = set(sources[~keep]) - set(sources[keep])
    return np.array([source not in others for source in faults.source], bool)


def _ends(keep: Mask, ends: tuple[int, ...]) -> tuple[int, ...]:
    """Return how many rows there are by the end of each item when only some are kept."""
    return tuple(np.concatenate([[0], np.cumsum(keep)])[list(ends)].tolist())


def _day(flag: str, text: str, *, is_last: bool) -> str:
    """Return the first or last day of a year, a month or a day. Raises DateError."""
    from calendar import monthrange

    found = _DATE.fullmatch(text.strip())
    try:
        if found is not None:
            year, month, day = (int(part) if part else 0 for part in found.groups())
            month = month or (12 if is_last else 1)
            return date(year, month, day or (monthrange(year, month)[1] if is_last else 1)).isoformat()
    except ValueError:
        pass
    raise DateError(
        _("{flag} {text}: no date; write 2024-05-01, 2024-05 or 2024").format(
            flag=flag, text=display_name(text)[:40]
        )
    )


def _room(text: str) -> str:
    from paifu.reports.metrics.rooms import ROOMS, room_named

    room = room_named(text)
    if room:
        return room
    from difflib import get_close_matches

    near = get_close_matches(text.casefold(), ROOMS, 2, 0.5)
    raise UnknownRoomError(
        _("--room {name}: no such room; did you mean {near}?").format(
            name=display_name(text)[:40], near=" or ".join(near)
        )
        if near
        else _("--room {name}: no such room; there are {rooms} and 'lobby NUMBER'").format(
            name=display_name(text)[:40], rooms=", ".join(ROOMS)
        )
    )


EVERY_GAME = Only()
