"""The language of a run: who chooses it, and how click comes to speak it.

What ``--lang`` says counts before the settings file, and that before the variable ``PAIFU_LANG``. The
processes that a command starts get the language through that variable. What is printed for programs
(``--format json`` and its like) is English whatever was chosen.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any

import click

from paifu.cli.config import config, no_language
from paifu.cli.refusal import Refusal
from paifu.replay.language import LANGUAGES, N_, VARIABLE, _, ngettext, speak

FLAG = "--lang"
_FOR_PROGRAMS = frozenset({"json", "jsonl", "csv", "parquet", "github", "toml"})
"""Values of ``--format`` whose readers are programs."""
_MODULES = ("core", "decorators", "exceptions", "formatting", "parser", "types")
"""Modules of click that hold texts; each looks them up by the names ``_`` and ``ngettext``."""


def language_option() -> click.Option:
    """Return the option that chooses the language; commands read it before they parse the others."""
    return click.Option(
        [FLAG],
        type=click.Choice(list(LANGUAGES)),
        expose_value=False,
        help=N_("Language of texts.  [default: PAIFU_LANG, or en]"),
    )


@contextmanager
def own_language() -> Iterator[None]:
    """Let what is chosen within the context be forgotten after it."""
    before = os.environ.get(VARIABLE)
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(VARIABLE, None)
        else:
            os.environ[VARIABLE] = before


def choose(command: click.Command, context: click.Context, arguments: list[str]) -> None:
    """Speak what a command line asks for; for the whole program also what settings and variable say."""
    asked = _asked(command, context, arguments)
    if asked not in LANGUAGES and context.parent is None:
        asked = _settled(context)
    if asked in LANGUAGES:
        _speak(asked)


def english_for_programs(context: click.Context) -> None:
    """Speak English if a command prints for programs."""
    if context.params.get("fmt") in _FOR_PROGRAMS:
        speak("en")


def _asked(command: click.Command, context: click.Context, arguments: list[str]) -> str:
    """Return what ``--lang`` says before anything else is looked at, so that every error is in it."""
    if not any(argument.startswith(FLAG) for argument in arguments):
        return ""
    parser: Any = command.make_parser(context)
    parser.ignore_unknown_options = True
    with suppress(Refusal):
        return str(parser.parse_args(list(arguments))[0].get("lang") or "")
    return ""


def _settled(context: click.Context) -> str:
    """Return what the settings say, or else the variable."""
    with suppress(Refusal):  # the command will say what is wrong with the file
        if config().language:
            return config().language
    code = os.environ.get(VARIABLE, "")
    if code and code not in LANGUAGES:
        os.environ[VARIABLE] = "en"
        raise click.UsageError(no_language(VARIABLE, code), context)
    return code


def _speak(code: str) -> None:
    speak(code)
    if code == "en":
        return
    for name in _MODULES:
        module = import_module(f"click.{name}")
        for function in (_, ngettext):
            if hasattr(module, function.__name__):
                setattr(module, function.__name__, function)


class Context(click.Context):
    """A context whose help is laid out in the language of the run."""

    def make_formatter(self) -> click.HelpFormatter:
        """Return what lays out help."""
        from paifu.cli.help import Formatter

        return Formatter(width=self.terminal_width, max_width=self.max_content_width)
