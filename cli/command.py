"""The base class of all commands: asking for something that does not exist is a usage error."""

from __future__ import annotations

from typing import Any

import click


class Command(click.Command):
    """A command that shows an :class:`~paifu.replay.errors.ArgumentError` with its usage; it exits with 2."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        from paifu.replay.errors import ArgumentError

        try:
            return super().invoke(ctx)
        except ArgumentError as error:
            raise click.UsageError(str(error), ctx) from error
