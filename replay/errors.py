"""The one family of errors that paifu raises about what it was given.

::

    PaifuError
    ├── ArgumentError       what you asked for does not exist, or does not fit: a rule, a code, a hand
    ├── PathNotFound        a path that names nothing
    ├── ParseError          input that cannot be read
    ├── DatasetError        a dataset that is damaged or of another version
    ├── StoreError          an object store that cannot be asked
    ├── ClusterError        a cluster that is not there, does not fit, or lost its workers
    ├── OutputError         a file that cannot be written
    └── WriteError          a game that a format cannot hold

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
