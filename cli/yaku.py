"""``paifu yaku``: the yaku by any of their names."""

from __future__ import annotations

from typing import Any

import click

from paifu.cli import options
from paifu.cli.command import Command
from paifu.cli.refusal import Refusal
from paifu.replay.language import _

SCHEMA = "paifu.yaku/1"


@click.command(cls=Command, short_help="List yaku with their names, or find one by any name.")
@click.argument("name", nargs=-1, metavar="[NAME]")
@options.rules(default="tenhou")
@options.names
@click.option(
    "-f", "--format", "fmt", type=click.Choice(["table", "json"]), default="table", show_default=True
)
def yaku(name: tuple[str, ...], rules_name: str, settings: tuple[str, ...], fmt: str) -> None:
    """List all yaku, or show the one called NAME.

    NAME is Japanese, romaji, or what European, American and other players call it. Han
    are those of a closed and of an open hand under the ruleset; - means that the yaku does not count.

    \b
    Example:
      paifu yaku
      paifu yaku pure double chow
      paifu yaku --rules kwan-house --names kwan
    """
    from paifu.api.rules import riichi_ruleset
    from paifu.cli.output import write_json
    from paifu.replay.scoring.yaku import yaku_of
    from paifu.replay.scoring.yaku_names import find_yaku, near_names
    from paifu.reports.wording import alternatives
    from paifu.reports.yaku_list import described, listed, printed

    chosen = riichi_ruleset(rules_name, settings)
    wanted = " ".join(name)
    found = find_yaku(wanted, chosen) if wanted else tuple(yaku_of(chosen).values())
    if not found:
        near = near_names(wanted, chosen)
        text = (
            _("no yaku is called {name!r}; did you mean {near}?")
            if near
            else _("no yaku is called {name!r}; 'paifu yaku' lists all names")
        )
        raise Refusal(text.format(name=wanted, near=alternatives(map(repr, near))))
    if fmt == "json":
        rows: Any = [described(one, chosen) for one in found]
        write_json({"schema": SCHEMA, "rules": chosen.name, "yaku": rows}, indent=True)
    elif wanted:
        click.echo("\n\n".join(printed(one, chosen) for one in found))
    else:
        click.echo("\n".join(listed(found, chosen)))
