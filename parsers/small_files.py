"""Small text files that a user names: rulesets, aliases."""

from __future__ import annotations

from pathlib import Path

from paifu.parsers.output_files import in_words
from paifu.replay.errors import ArgumentError
from paifu.replay.language import _, pgettext
from paifu.replay.rules.written_values import MAX_TEXT

_MOST = 4 * MAX_TEXT
"""Bytes; a character takes four at most."""


def read_small_text(path: str | Path, what: str) -> str:
    """Return the text of a file; ``what`` names it in the error.

    Raises ArgumentError if it cannot be read, is not UTF-8, or is longer than such a file can be; no more
    than that is read of it.
    """
    try:
        with Path(path).open("rb") as file:
            data = file.read(_MOST + 1)
        if len(data) <= _MOST:
            return data.decode("utf-8")
        reason = _("it is bigger than {most} MiB").format(most=_MOST >> 20)
    except OSError as error:
        reason = in_words(error)
    except UnicodeDecodeError as error:
        reason = _("not UTF-8 text ({reason})").format(reason=error.reason)
    except ValueError as error:  # a name that no file can have
        reason = str(error)
    text = _("cannot read the {what} {path}: {reason}")
    raise ArgumentError(text.format(what=pgettext("file", what), path=path, reason=reason))
