"""The one family of errors that paifu raises about what it was given.

::

    PaifuError
    ├── ArgumentError       something you ask for does not exist or does not fit
    │   ├── CardError           a card of hands that says something wrong
    │   ├── DateError           a text that is not a day, a month or a year
    │   ├── HandError           tiles that are not the hand they should be
    │   ├── NobodyError         a player whom no log names
    │   ├── NothingToDrawError  a figure without anything to show
    │   ├── RuleError           a rule or a ruleset that does not exist, or says something wrong
    │   ├── SeasonError         a season file that says something wrong
    │   ├── SheetError          a sheet of results that says something wrong
    │   ├── UnknownCodeError    a code that no finding has
    │   ├── UnknownMetricError  a statistic that does not exist
    │   └── UnknownRoomError    a room that does not exist
    ├── BoundsError         tables of games with values out of their bounds; also a ValueError
    ├── DatasetError        a dataset that is damaged or of another version
    ├── EngineError         an engine that does not answer
    ├── ModelError          a model of decisions that is damaged or of another version
    ├── NotInLibraryError   an address of a log that is not in the library
    ├── OutputError         a file that cannot be written
    ├── ParseError          input that cannot be read, where reading is strict
    ├── PathNotFound        a path that does not exist
    ├── QueryError          a query that is refused
    ├── UnreadableError     a log without any game that can be read
    ├── WorkerDiedError     worker processes that end as soon as they work
    └── WriteError          a game that a format cannot hold

All are in ``paifu``: ``except paifu.RuleError``.
Reading many games never raises for one bad game: what could not be read is a finding, and the rest goes on.
"""

from __future__ import annotations


class PaifuError(Exception):
    """Any error that paifu raises about what it was given."""


class ArgumentError(PaifuError, ValueError):
    """Something was asked for that does not exist or cannot be; the message says what would be right."""


def reason_of(error: BaseException) -> str:
    """Say in one line of at most 300 characters what an error of another library says, or else its kind."""
    return f"{' '.join(str(error).split()) or type(error).__name__:.300}"
