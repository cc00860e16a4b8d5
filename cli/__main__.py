"""Entry point of the command ``paifu``: the group of commands, loaded when they are called.

Exit status, decided here alone: 0 all clean, 1 findings or unreadable input, 2 the command could not run.
"""

from __future__ import annotations

import importlib
import io
import os
import sys
from contextlib import suppress
from typing import Any

import click

from paifu.cli.command import CommandGroup
from paifu.cli.config import config
from paifu.cli.language import own_language
from paifu.cli.streams import give_up_output, prepare_streams
from paifu.replay.language import N_, _

GROUPS: dict[str, dict[str, str]] = {
    N_("Look at games"): {
        "show": "paifu.cli.show:show",
        "open": "paifu.cli.open_page:open_page",
        "verify": "paifu.cli.verify:verify",
        "explain": "paifu.cli.explain:explain",
        "compare": "paifu.cli.compare:compare",
        "convert": "paifu.cli.convert:convert",
    },
    N_("Your play"): {
        "report": "paifu.cli.report:report",
        "review": "paifu.cli.review:review",
        "stats": "paifu.cli.stats:stats",
        "luck": "paifu.cli.luck:luck",
        "danger": "paifu.cli.danger:danger",
        "discard": "paifu.cli.discard:discard",
        "plot": "paifu.cli.plot:plot",
    },
    N_("A league"): {
        "league": "paifu.cli.league:league",
        "site": "paifu.cli.site:site",
        "rules": "paifu.cli.rules:rules",
    },
    N_("Research"): {
        "import": "paifu.cli.import_dataset:import_dataset",
        "find": "paifu.cli.find:find",
        "sql": "paifu.cli.sql:sql",
        "fair": "paifu.cli.fair:fair",
        "simulate": "paifu.cli.simulate:simulate",
        "reference": "paifu.cli.reference:reference",
    },
    N_("Tools"): {
        "score": "paifu.cli.score:score",
        "yaku": "paifu.cli.yaku:yaku",
        "places": "paifu.cli.places:places",
    },
}
"""What people do -> command -> module and attribute, in the order of use.

A command module imports nothing heavier than click.
"""
COMMANDS = {name: place for commands in GROUPS.values() for name, place in commands.items()}

EXIT_UNUSABLE = 2


class LazyGroup(CommandGroup):
    """A group that imports a command's module when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, by what people do."""
        return list(COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a list of commands for each thing that people do."""
        width = max(map(len, COMMANDS))
        limit = formatter.width - 6 - width
        for title, names in GROUPS.items():
            commands = ((name, self.get_command(ctx, name)) for name in names)
            rows = [(name.ljust(width), one.get_short_help_str(limit)) for name, one in commands if one]
            with formatter.section(_(title)):
                formatter.write_dl(rows)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command, or return None for an unknown name."""
        if cmd_name not in COMMANDS:
            return None
        module, attribute = COMMANDS[cmd_name].split(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)  # noqa: S101  the table above is wrong otherwise
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the arguments name; what is misspelt gets a suggestion."""
        name = args[0]
        if not name.startswith("-") and name not in COMMANDS:
            from difflib import get_close_matches

            from paifu.reports.wording import alternatives

            near = get_close_matches(name, COMMANDS, 2)
            text = (
                _("There is no command {name!r}. Did you mean {near}?")
                if near
                else _("There is no command {name!r}.")
            )
            raise click.UsageError(text.format(name=name, near=alternatives(near)), ctx)
        found = super().resolve_command(ctx, args)
        if found[1] is not None and found[0] is not None:
            ctx.default_map = {found[0]: config().defaults(found[1])}
        return found


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="paifu", message="paifu %(version)s")
def cli() -> None:
    """Replay, verify and count Riichi mahjong logs.

    A PATH is a log, a folder (read through), a pattern such as 'logs/*.gz', an archive (zip, tar), a log
    database (SQLite), a dataset written by 'paifu import', or '-' for standard input. Formats are detected
    from content, never from file names.
    """


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    with own_language():
        return _main(arguments)


def _main(arguments: list[str] | None) -> int:
    # numpy's linear algebra, which nothing here uses, would start a thread a processor: a tenth of a second.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    prepare_streams()
    try:
        status: Any = cli.main(arguments, prog_name="paifu", standalone_mode=False)
    except click.exceptions.Abort:
        click.echo(_("interrupted"), err=True)
        return 130
    except click.ClickException as error:
        words = io.StringIO()
        error.show(words)
        _complain(words.getvalue().removesuffix("\n"))
        return EXIT_UNUSABLE
    except SystemExit as error:
        from traceback import walk_tb

        frame = list(walk_tb(error.__traceback__))[-1][0]
        if str(frame.f_globals.get("__name__")).partition(".")[0] in ("click", "rich"):
            return 0  # so they leave when the reader of a pipe, such as head, has all it wanted
        _complain("paifu: " + _("a plug-in ended the run, by sys.exit"))
        give_up_output()
        return EXIT_UNUSABLE
    except Exception as error:
        reason = _in_words(error)
        if reason is None:
            raise
        _complain(f"paifu: {reason}")
        give_up_output()
        return EXIT_UNUSABLE
    return status if isinstance(status, int) else 0


def _complain(message: str) -> None:
    """Print an error, made fit for the terminal: it may repeat what a file, or its name, says."""
    from paifu.replay.foreign_text import escaped

    with suppress(OSError):  # stderr may be as broken as what the error is about
        click.echo("\n".join(map(escaped, message.split("\n"))), err=True)


def _in_words(error: Exception) -> str | None:
    """Return a message for an error in what the user gave; None for a bug."""
    from paifu.parsers.output_files import in_words
    from paifu.replay.errors import PaifuError

    if isinstance(error, PaifuError):
        return str(error)
    if isinstance(error, OSError):
        return in_words(error) if error.filename is None else f"{error.filename}: {in_words(error)}"
    return None


if __name__ == "__main__":
    sys.exit(main())
