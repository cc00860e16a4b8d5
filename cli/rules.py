"""``paifu rules``: the rulesets, one in full, the difference of two."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from paifu.replay.rules.ruleset import Ruleset

SCHEMA = "paifu.ruleset/1"


@click.group()
def rules() -> None:
    """Show rulesets and compare them."""


def load_rules(name: str, settings: Iterable[str] = ()) -> Ruleset:
    """Return a ruleset by a preset's name or a .toml file's path, with ``rule=value`` settings applied.

    Raises click.UsageError, which says what would be right, for an unknown one or a bad setting.
    """
    from paifu.replay.rules.presets import (
        RuleError,
        load_preset,
        parse_ruleset,
        parse_setting,
        with_overrides,
    )

    path = Path(name)
    try:
        if path.suffix == ".toml":
            chosen = parse_ruleset(path.read_text("utf-8"), path.stem)
        else:
            chosen = load_preset(name)
        return with_overrides(chosen, dict(parse_setting(text) for text in settings))
    except RuleError as error:
        raise click.UsageError(str(error)) from error
    except (OSError, UnicodeDecodeError) as error:
        raise click.UsageError(f"cannot read the ruleset {name}: {error}") from error


def replaying_rules(name: str | None, settings: Iterable[str]) -> tuple[Ruleset, ...]:
    """Return the rulesets to replay under: a preset comes with its version for other numbers of players.

    Empty when no name is given. Raises click.UsageError.
    """
    from paifu.replay.rules.presets import RuleError, load_preset, parse_setting, with_overrides

    if name is None:
        if settings:
            raise click.UsageError("--set changes a rule of --rules NAME, which is missing")
        return ()
    chosen = load_rules(name, settings)
    other = name.removesuffix("-sanma") if name.endswith("-sanma") else f"{name}-sanma"
    try:
        sibling = with_overrides(load_preset(other), dict(parse_setting(text) for text in settings))
    except RuleError:
        return (chosen,)
    return sibling, chosen


def _print_table(title: str, columns: Iterable[str], rows: Iterable[Iterable[str]]) -> None:
    """Print rows as a table that fits the terminal, or 80 columns when piped."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title or None, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for index, column in enumerate(columns):
        table.add_column(column, no_wrap=index == 0, overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    Console(highlight=False).print(table)


@rules.command("list")
def list_() -> None:
    """List the presets.

    \b
    Example:
      paifu rules list
    """
    from paifu.replay.rules.presets import load_preset, preset_names

    presets = [load_preset(name) for name in preset_names()]
    _print_table(
        "", ("preset", "players", "what it is"), ((p.name, str(p.players), p.summary) for p in presets)
    )


@rules.command()
@click.argument("name")
@click.option(
    "--set", "settings", multiple=True, metavar="RULE=VALUE", help="Change a rule; may be repeated."
)
@click.option(
    "-f", "--format", "fmt", type=click.Choice(["table", "json", "toml"]), default="table", show_default=True
)
def show(name: str, settings: tuple[str, ...], fmt: str) -> None:
    """Show every rule of NAME, a preset or the path of a .toml file.

    \b
    Example:
      paifu rules show tenhou --set kiriage=true
      paifu rules show mleague --format toml > my-rules.toml
    """
    from paifu.replay.rules.ruleset import FIELDS, SECTIONS
    from paifu.reports.rulesets import to_toml, value_text

    chosen = load_rules(name, settings)
    values = chosen.values()
    if fmt == "json":
        shown = {"schema": SCHEMA, "name": chosen.name, "summary": chosen.summary, "rules": values}
        click.echo(json.dumps(shown, indent=2, ensure_ascii=False))
    elif fmt == "toml":
        click.echo(to_toml(chosen), nl=False)
    else:
        click.echo(f"{chosen.name}: {chosen.summary}")
        for section, title in SECTIONS.items():
            fields = [field for field in FIELDS.values() if field.section == section]
            click.echo()
            _print_table(
                "", (title, "value", "meaning"), ((f.name, value_text(values[f.name]), f.doc) for f in fields)
            )


@rules.command()
@click.argument("first")
@click.argument("second")
def diff(first: str, second: str) -> None:
    """Show the rules in which FIRST and SECOND differ (presets or .toml files).

    \b
    Example:
      paifu rules diff tenhou majsoul
    """
    from paifu.reports.rulesets import differences

    one, two = load_rules(first), load_rules(second)
    found = differences(one, two)
    if not found:
        click.echo(f"{one.name} and {two.name} are the same rules")
        return
    _print_table("", ("rule", one.name, two.name), ((d.rule, d.first, d.second) for d in found))
