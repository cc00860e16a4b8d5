"""The language of a run: who chooses it, and how click comes to speak it.

What ``--lang`` says counts before the settings file, and that before the variable ``PAIFU_LANG``. The
processes that a command starts get the language through that variable. What is printed for programs
(``--format json`` and its like) is English whatever was chosen.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from copy import copy
from importlib import import_module
from typing import Any

import click

from paifu.cli.config import config, no_language
from paifu.cli.refusal import Refusal
from paifu.replay.language import LANGUAGES, N_, VARIABLE, _, language, ngettext, speak

FLAG = "--lang"
_FOR_PROGRAMS = frozenset({"json", "jsonl", "csv", "parquet", "github", "toml"})
"""Values of ``--format`` whose readers are programs."""
_MODULES = ("core", "decorators", "exceptions", "formatting", "parser", "types")
"""Modules of click that hold texts; each looks them up by the names ``_`` and ``ngettext``."""
CLICK = (
    N_("Usage:"),
    N_("Options"),
    N_("Commands"),
    N_("[OPTIONS]"),
    N_("COMMAND [ARGS]..."),
    N_("Show this message and exit."),
    N_("Show the version and exit."),
    N_("default: {default}"),
    N_("required"),
    N_("Error: {message}"),
    N_("Try '{command} {option}' for help."),
    N_("Invalid value: {message}"),
    N_("Invalid value for {param_hint}: {message}"),
    N_("Missing argument"),
    N_("Missing option"),
    N_("Missing parameter"),
    N_("Choose from:\n\t{choices}"),
    N_("No such option {name!r}."),
    N_("No such option: {name}"),
    N_("{value!r} is not a valid {number_type}."),
    N_("{value} is not in the range {range}."),
    N_("{name} {filename!r} does not exist."),
    N_("{name} {filename!r} is a file."),
    N_("{name} {filename!r} is a directory."),
    N_("{name} {filename!r} is not readable."),
    N_("{name} {filename!r} is not writable."),
    N_("Option {name!r} does not take a value."),
    N_("Could not open file {filename!r}: {message}"),
)
"""What click says to users of these commands, where it is one text for any number of things."""


def counted_by_click(count: int) -> tuple[str, ...]:
    """Return what click says of one thing or of several: here the catalogues find it."""
    return (
        ngettext("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})", count),
        ngettext("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)", count),
        ngettext("{value!r} is not {choice}.", "{value!r} is not one of {choices}.", count),
        ngettext(
            "Option {name!r} requires an argument.", "Option {name!r} requires {nargs} arguments.", count
        ),
    )


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


# --- help ------------------------------------------------------------------------------------------------


class Formatter(click.HelpFormatter):
    """Click's layout of help; in other languages than English by cells, not by characters."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the line of usage."""
        if language() == "en":
            super().write_usage(prog, args, prefix)
            return
        from paifu.replay.language.lines import cells, wrap

        usage = _("Usage:") + " "
        head = f"{prefix or usage}{prog} "
        self.write("\n".join(wrap(args, self.width, indent=head, hanging=" " * cells(head))) + "\n")

    def write_text(self, text: str) -> None:
        """Write paragraphs."""
        if language() == "en":
            super().write_text(text)
            return
        from paifu.replay.language.lines import wrap

        indent = " " * self.current_indent
        paragraphs = []
        for paragraph in text.split("\n\n"):
            if paragraph.startswith("\b\n"):
                paragraphs.append("\n".join(f"{indent}{line}" for line in paragraph[2:].split("\n")))
            else:
                paragraphs.append("\n".join(wrap(paragraph, self.width, indent=indent)))
        self.write("\n\n".join(paragraphs) + "\n")

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write terms with their meanings."""
        if language() == "en":
            super().write_dl(rows, col_max, col_spacing)
            return
        from paifu.replay.language.lines import cells, wrap

        listed = list(rows)
        column = min(max(cells(term) for term, _meaning in listed), col_max) + col_spacing
        indent = " " * self.current_indent
        for term, meaning in listed:
            lines = wrap(meaning, max(self.width - column - 2, 10)) or [""]
            if cells(term) <= column - col_spacing:
                lines[0] = f"{indent}{term}{' ' * (column - cells(term))}{lines[0]}".rstrip()
            else:
                self.write(f"{indent}{term}\n")
                lines[0] = f"{indent}{'':{column}}{lines[0]}".rstrip()
            lines[1:] = [f"{indent}{'':{column}}{line}" for line in lines[1:]]
            self.write("\n".join(lines) + "\n")


class Context(click.Context):
    """A context whose help is laid out by :class:`Formatter`."""

    formatter_class = Formatter


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a help text, each on one line but examples, which keep theirs."""
    return [
        paragraph if paragraph.startswith("\b\n") else " ".join(paragraph.split())
        for paragraph in inspect.cleandoc(text).split("\n\n")
    ]


def texts(command: click.Command) -> Iterator[str]:
    """Yield every text of a command's help, for the catalogues."""
    if command.short_help:
        yield command.short_help
    elif command.help:
        yield click.Command(None, help=command.help).get_short_help_str(_ANY_LENGTH)
    for paragraph in paragraphs(command.help or ""):
        yield paragraph.split("\n")[1] if paragraph.startswith("\b\n") else paragraph
    for parameter in command.params:
        if isinstance(parameter, click.Option) and parameter.help:
            yield parameter.help


_ANY_LENGTH = 1000


def translated(text: str) -> str:
    """Translate a command's help, paragraph by paragraph."""
    shown = []
    for paragraph in paragraphs(text):
        if paragraph.startswith("\b\n"):
            mark, title, *lines = paragraph.split("\n")
            shown.append("\n".join((mark, _(title), *lines)))
        else:
            shown.append(_(paragraph))
    return "\n\n".join(shown)


def short_help(command: click.Command) -> str:
    """Return the translated line on a command in a list of commands."""
    return _(next(texts(command), ""))


def help_record(option: click.Option, context: click.Context) -> tuple[str, str] | None:
    """Return the two columns on an option, its help translated."""
    shown = copy(option)
    shown.help = _(option.help) if option.help else None
    return shown.get_help_record(context)
