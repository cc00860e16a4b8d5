"""The error of a command about what it was given."""

from __future__ import annotations

import click


class Refusal(click.ClickException):
    """Something is wrong with data, a name or a rule, not with how the command was called.

    Only errors about the call are click's UsageError, which shows the usage; here it would not help.
    """

    exit_code = 2
