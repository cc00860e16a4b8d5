"""``paifu explain``: what the codes of findings mean."""

from __future__ import annotations

import click

from paifu.cli import completion
from paifu.cli.command import Command


@click.command(cls=Command, short_help="Explain a finding's code and what to do about it.")
@click.argument("codes", nargs=-1, metavar="[CODE]...", shell_complete=completion.codes)
def explain(codes: tuple[str, ...]) -> None:
    """Explain what a finding's CODE means, where the rule comes from, and what to do about it.

    A CODE may be a prefix, such as V3 for all findings about wins. Without a CODE, all codes are listed.

    \b
    Example:
      paifu explain V306
      paifu explain V2 V401
    """
    from paifu.replay.findings.spoken import KINDS, kinds_of
    from paifu.reports.findings.explanations import explained, listed

    if not codes:
        click.echo("\n".join(listed(KINDS.values())))
        return
    kinds = {kind.code: kind for code in codes for kind in kinds_of(code)}
    click.echo("\n\n".join(explained(kind) for kind in kinds.values()))
