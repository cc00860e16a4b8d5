"""What can be wrong with input, as data (:class:`InputFault`) and as exceptions.

A parser raises :class:`ParseError` where it meets an error; the code that knows the location turns it into an
:class:`InputFault`, one row for one thing that could not be read, and goes on with the rest. Only a path
that is not there (:class:`PathNotFound`) stops a run, before any work is done.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from paifu.replay.errors import PaifuError, reason_of
from paifu.replay.language import _

MAX_UNKNOWN = 20
"""Unknown words told of one game."""
SKIPPED = "it was skipped and the rest of the game read"


@dataclass(frozen=True, slots=True)
class InputFault:
    """One thing that could not be read.

    ``location`` is readable and names the source: ``dir/file.mjlog``, ``a.zip:2022/x.mjlog``,
    ``houou.db:2022010503gm-00b9-0000-6ebd44bf``, ``logs.jsonl:12``, ``two.mjlog#2``, ``<stdin>``.
    ``place`` is the byte, line, column or element inside it, empty if there is none. ``code`` is the
    finding's code: ``V101`` unreadable or cut off, ``V102`` unknown tag, event, version or format,
    ``V103`` a tile seen twice, ``V104`` wrong number of tiles dealt, ``V105`` seat or tile out of range.
    ``hint`` says what to do next, empty if there is nothing to do.
    """

    location: str
    place: str
    code: str
    reason: str
    hint: str

    def __str__(self) -> str:
        where = f"{self.location}: {self.place}" if self.place else self.location
        return f"{where}: {self.code} {self.reason}" + (f" ({self.hint})" if self.hint else "")


class PathNotFound(PaifuError):  # noqa: N818  named for the fact, like a missing file's own error
    """A path, or a glob pattern, that names nothing. The command line exits with 2."""

    def __init__(self, path: str) -> None:
        text = _("{path}: no such file or folder, and no file name matches it as a pattern")
        super().__init__(text.format(path=path))
        self.path = path


class ParseError(PaifuError):
    """Input that cannot be read: why, where inside it, what to do next.

    ``location`` is set only by a layer that knows it better than the one that catches the error (an
    archive that breaks while one of its members is read).
    """

    def __init__(
        self, reason: str, *, place: str = "", hint: str = "", code: str = "V101", location: str = ""
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.place = place
        self.hint = hint
        self.code = code
        self.location = location

    def fault(self, location: str) -> InputFault:
        """This error as a row, at ``location`` unless the error knows its own."""
        return InputFault(self.location or location, self.place, self.code, self.reason, self.hint)


def too_big(most: int, what: str = "the text") -> ParseError:
    """The error for anything that is bigger than the limits allow."""
    return ParseError(
        f"{what} is bigger than {most >> 20} MiB" if most >> 20 else f"{what} is bigger than {most} bytes",
        hint="no game is that big: split the file, one game a line or a file",
    )


ANYTHING = (Exception, SystemExit)
"""What code may raise of which nothing should: that of plug-ins, and paifu's own where it is wrong."""
BUG = "a bug in paifu, which you can report with the log"


def bug(error: BaseException) -> str:
    """Say what was raised that never should be, where, and by which version; it follows "because of"."""
    from importlib.metadata import version
    from traceback import walk_tb

    places = [
        (f"{Path(frame.f_code.co_filename).name}:{line}", str(frame.f_globals.get("__name__")))
        for frame, line in walk_tb(error.__traceback__)
    ]
    ours = [place for place, module in places if module.startswith("paifu.")]
    where = dict.fromkeys([*[place for place, _ in places[-1:]], *ours[-1:], f"paifu {version('paifu')}"])
    return f"{BUG}: {type(error).__name__}: {reason_of(error)} ({', '.join(where)})"


def unreadable_because_of(error: BaseException) -> ParseError:
    """Return the fault of what was being read when something was raised that never should be."""
    if isinstance(error, ParseError):
        return error
    if isinstance(error, MemoryError):
        return ParseError("there is too little memory to read it", hint="try fewer --jobs")
    return ParseError(f"it cannot be read because of {bug(error)}", hint="it was left out")


class WorkerDiedError(PaifuError):
    """A process that ended over a unit of work, and so did the one that took its place."""


class WriteError(PaifuError):
    """A game that cannot be written in a format, and what the format would need to know."""


class DamagedError(ParseError):
    """Input that broke off or has garbage after it."""

    readable = b""
    """What came before, as far as it has not been handed out: sound, perhaps cut mid-game."""
