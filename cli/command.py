"""The base of all commands: the language of a run, and errors that show the usage."""

from __future__ import annotations

from typing import Any

import click

from paifu.cli import language as languages
from paifu.cli.refusal import Refusal
from paifu.replay.docstrings import docstring
from paifu.replay.language import N_, _, language


class _Speaking(click.Command):
    """A command that takes ``--lang``, and shows its help in the language of the run."""

    context_class = languages.Context

    def __init__(self, *args: Any, **settings: Any) -> None:
        if callback := settings.get("callback"):
            settings["help"] = settings.get("help") or docstring(callback)
        super().__init__(*args, **settings)
        self.params.append(languages.language_option())

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Choose the language, then parse the command line."""
        languages.choose(self, ctx, args)
        return super().parse_args(ctx, args)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return the option for help; click keeps it, so its own text stays English until it is shown."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = N_("Show this message and exit.")
        return option

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Return the words of the line of usage."""
        return [_(piece) for piece in super().collect_usage_pieces(ctx)]

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the line on this command in a list of commands."""
        if language() == "en":
            return super().get_short_help_str(limit)
        from paifu.cli.help import short_help

        return short_help(self)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what the command does."""
        if language() == "en" or not self.help:
            super().format_help_text(ctx, formatter)
            return
        from paifu.cli.help import translated

        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(translated(self.help))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, and the commands of a group."""
        from paifu.cli.help import help_record

        options = [one for one in self.get_params(ctx) if isinstance(one, click.Option)]
        with formatter.section(_("Options")):
            formatter.write_dl(filter(None, (help_record(one, ctx) for one in options)))
        if isinstance(self, click.Group):
            self.format_commands(ctx, formatter)


class Command(_Speaking):
    """A command that says what an :class:`~paifu.replay.errors.ArgumentError` says, and exits with 2."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        from paifu.replay.errors import ArgumentError

        languages.english_for_programs(ctx)
        try:
            return super().invoke(ctx)
        except ArgumentError as error:
            raise Refusal(str(error)) from error


class CommandGroup(_Speaking, click.Group):
    """A group of commands."""
