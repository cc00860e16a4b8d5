"""The settings file ``paifu.toml``: who you are, and options that you would give every time.

The file in the current folder goes before that in your folder of settings, key by key; ``PAIFU_CONFIG`` names
another file instead of both, or none. What the command line says goes before any file.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from paifu.cli.refusal import Refusal
from paifu.replay.foreign_text import composed
from paifu.replay.language import LANGUAGES, _

VARIABLE = "PAIFU_CONFIG"
FILE = "paifu.toml"
ME = "me"
"""What ``--player`` calls the user of the file."""
LANGUAGE = "lang"


@dataclass(frozen=True, slots=True)
class Config:
    """What settings files say."""

    me: tuple[str, ...] = ()
    """The user's names, the one to show first."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Option, as ``--rules``, -> its value where the command line gives none."""
    language: str = ""

    def defaults(self, command: click.Command) -> dict[str, Any]:
        """Return the values for the parameters that a command has."""
        flags = {flag: parameter.name for parameter in command.params for flag in parameter.opts}
        return {name: value for flag, value in self.options.items() if (name := flags.get(flag)) is not None}


def files() -> list[Path]:
    """Return the settings files there are, the one that goes before the other first."""
    named = os.environ.get(VARIABLE)
    if named is not None:
        return [Path(named)] if named else []
    places = (Path(FILE), Path(click.get_app_dir("paifu")) / FILE)
    return [place for place in places if place.is_file()]


def config() -> Config:
    """Return what the settings files say; raises Refusal for one that cannot be read."""
    me: tuple[str, ...] = ()
    language = ""
    given: dict[str, Any] = {}
    for place in reversed(files()):
        table = _table(place)
        me = table.pop(ME, me)
        language = table.pop(LANGUAGE, language)
        given |= table
    return Config(me, given, language)


def _table(place: Path) -> dict[str, Any]:
    from paifu.parsers.small_files import read_small_text
    from paifu.replay.rules.written_values import WrittenError, read_toml, short

    try:
        table = read_toml(read_small_text(str(place), "settings"))
    except WrittenError as error:
        text = _("cannot read the settings {place}: {error}").format(place=place, error=error)
        raise Refusal(text) from error
    known = (ME, LANGUAGE, "rules", "aliases", "names", "jobs", "library")
    read: dict[str, Any] = {}
    for key, value in table.items():
        if key not in known:
            from difflib import get_close_matches

            near = get_close_matches(key, known, 1)
            text = (
                _("{place}: there is no setting {key!r}; did you mean {near}? there are {known}")
                if near
                else _("{place}: there is no setting {key!r}; there are {known}")
            )
            raise Refusal(
                text.format(place=place, key=short(key), near="".join(near), known=", ".join(known))
            )
        if key == ME:
            read[ME] = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, list) else ()
            if not read[ME] or not all(isinstance(name, str) and name for name in read[ME]):
                raise Refusal(
                    _('{place}: me should be your name, or a list of names: me = ["Aki", "aki2"]').format(
                        place=place
                    )
                )
        elif type(value) is not (int if key == "jobs" else str):
            text = (
                _("{place}: {key} should be a number, not {value}")
                if key == "jobs"
                else _("{place}: {key} should be a text, not {value}")
            )
            raise Refusal(text.format(place=place, key=key, value=short(str(value))))
        elif key == LANGUAGE:
            if value not in LANGUAGES:
                raise Refusal(no_language(str(place), short(str(value))))
            read[LANGUAGE] = value
        else:
            read[f"--{key}"] = value
    for flag in ("--rules", "--aliases"):
        beside = place.parent / str(read.get(flag, ""))
        if flag in read and beside.suffix == ".toml":
            read[flag] = str(beside)
    if "--library" in read:
        read["--library"] = [str(place.parent / read["--library"])]
    return read


def no_language(place: str, code: str) -> str:
    """Say that there is no such language."""
    return _("{place}: there is no language {code!r}; there are {known}").format(
        place=place, code=code, known=", ".join(LANGUAGES)
    )


def own_name(_: click.Context, __: click.Parameter, value: Any) -> Any:
    """Put the user's name for ``me`` in what ``--player`` was given, one name or several."""
    names = config().me
    if isinstance(value, tuple):
        return tuple(composed(names[0] if names and one == ME else one) for one in value)
    return composed(names[0] if names and value == ME else value)


def own_names(_: click.Context, __: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    """Put all of the user's names for ``me`` in what ``--player`` was given, where nothing joins names."""
    names = config().me
    return tuple(composed(name) for one in value for name in (names if names and one == ME else (one,)))


def own_aliases() -> dict[str, str]:
    """Return the user's other names -> the one to show."""
    first, *others = map(composed, config().me or ("",))
    return {other: first for other in others if other != first}
