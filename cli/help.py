"""Help in the language of a run: how it is laid out, and the texts of commands and of click in it."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from copy import copy

import click

from paifu.replay.language import N_, _, language, ngettext

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
