"""``paifu rules``: the rulesets, one in full, the difference of two, and those that explain logs best."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from paifu.cli import completion, options
from paifu.cli.command import Command, CommandGroup
from paifu.replay.language import _, pgettext

if TYPE_CHECKING:
    from paifu.api.guessing import Guesses
    from paifu.api.only import Only
    from paifu.parsers.workers import Jobs

SCHEMA = "paifu.ruleset/1"


@click.group(cls=CommandGroup)
def rules() -> None:
    """Show rulesets, compare them, and find the one that explains logs."""


def _print(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> None:
    from paifu.cli.output import print_table
    from paifu.reports.terminal.tables import TerminalColumn

    columns = [TerminalColumn(head, wraps=number > 0, folds=True) for number, head in enumerate(heads)]
    print_table(columns, rows, ruled=False)


@rules.command("list", cls=Command)
def list_() -> None:
    """List the presets.

    \b
    Example:
      paifu rules list
    """
    from paifu.replay.rulesets.presets import load_preset, preset_names

    presets = [load_preset(name) for name in preset_names()]
    _print(
        (_("preset"), pgettext("number", "players"), _("what it is")),
        ((p.name, str(p.table.players), _(p.summary)) for p in presets),
    )


@rules.command(cls=Command)
@click.argument("name", shell_complete=completion.presets)
@click.option("--set", "settings", multiple=True, metavar="RULE=VALUE", help="Change a rule; repeatable.")
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
    from paifu.api.rulesets import ruleset
    from paifu.cli.output import write_json
    from paifu.replay.rules.ruleset import FIELDS, SECTIONS, fields_of
    from paifu.replay.schemes.tables import patterns_of
    from paifu.reports.rulesets import meaning, to_toml, value_text

    chosen = ruleset(name, settings)
    values = chosen.values()
    if fmt == "json":
        shown: dict[str, Any] = {
            "schema": SCHEMA,
            "name": chosen.name,
            "summary": chosen.summary,
            "rules": values,
            "sources": chosen.sources,
        }
        patterns = patterns_of(chosen)
        if patterns:
            shown["patterns"] = {row.id: row.worth for row in patterns.values()}
        write_json(shown, indent=True)
    elif fmt == "toml":
        click.echo(to_toml(chosen), nl=False)
    else:
        click.echo(f"{chosen.name}: {_(chosen.summary)}")
        for section, title in SECTIONS.items():
            fields = [field for field in fields_of(chosen.game.scheme).values() if field.section == section]
            if fields:
                rows = ((f.name, value_text(values[f.name]), meaning(chosen, f)) for f in fields)
                click.echo()
                _print((_(title), _("value"), _("meaning, and where the value comes from")), rows)
        patterns = patterns_of(chosen)
        if patterns:
            click.echo()
            rows = ((row.id, row.worth, f"{_(row.meaning)} [{row.source}]") for row in patterns.values())
            _print((_("Patterns"), _("value"), _("meaning, and where the value comes from")), rows)
        marks = [(mark, text) for mark, text in chosen.sources.items() if mark not in FIELDS]
        if marks:
            click.echo()
            _print((_("Sources"), ""), marks)


@rules.command(cls=Command)
@click.argument("first", shell_complete=completion.presets)
@click.argument("second", shell_complete=completion.presets)
def diff(first: str, second: str) -> None:
    """Show the rules in which FIRST and SECOND differ (presets or .toml files).

    \b
    Example:
      paifu rules diff tenhou majsoul
    """
    from paifu.api.rulesets import ruleset
    from paifu.reports.rulesets import differences

    one, two = ruleset(first), ruleset(second)
    found = differences(one, two)
    if not found:
        text = _("{first} and {second} are the same rules")
        click.echo(text.format(first=one.name, second=two.name))
        return
    _print((_("rule"), one.name, two.name), ((d.rule, d.first, d.second) for d in found))


@rules.command(cls=Command)
@options.paths
@click.option(
    "--games",
    type=click.IntRange(1, options.MAX_GAMES),
    default=200,
    show_default=True,
    help="Look at the first N games with each number of players.",
)
@options.games
@options.workers
@click.option(
    "-f", "--format", "fmt", type=click.Choice(["table", "json"]), default="table", show_default=True
)
def guess(paths: tuple[str, ...], games: int, only: Only, jobs: Jobs, fmt: str) -> int:
    """Find the ruleset that explains logs best.

    paifu replays the games under every preset and under what each log names, changes one rule after the other
    as long as that leaves fewer contradictions, and shows for each rule what speaks against another value.
    What no game shows stays undecided.

    \b
    Example:
      paifu rules guess club-games
    """
    from paifu.api.guessing import guess_rules
    from paifu.cli.output import write_json
    from paifu.cli.talk import talking, with_choice
    from paifu.reports.rule_guesses import document

    with talking(_("reading")) as talk:
        found = guess_rules(paths, games=games, only=only, jobs=jobs, watch=talk)
    if fmt == "json":
        write_json(with_choice(document(found, found.others, found.beyond)), indent=True)
    else:
        _print_guesses(found)
    return 1 if found.faults else 0


def _echo_wrapped(texts: Iterable[str]) -> None:
    """Print texts, each from a new line, as wide as the terminal; in a pipe 80 columns wide."""
    from rich.console import Console

    from paifu.replay.language.lines import wrap

    width = Console(highlight=False).width
    for text in texts:
        click.echo("\n".join(wrap(text, width, hanging="  ")))


def _print_guesses(found: Guesses) -> None:
    from paifu.reports.rule_guesses import after, before, evidence_rows, next_step
    from paifu.reports.wording import plural

    for number, one in enumerate(found):
        if number:
            click.echo()
        _echo_wrapped(before(one))
        click.echo()
        heads = (_("rule"), _("value"), pgettext("another value", "not"), _("hands that would contradict"))
        _print(heads, evidence_rows(one))
        _echo_wrapped(after(one))
        if next_step(one):
            click.echo(next_step(one))
    for count, text in (
        (found.others, _("not looked at: {games} (not riichi)")),
        (found.beyond, _("not looked at: {games} (beyond --games)")),
    ):
        if count:
            click.echo(text.format(games=plural(count, "game")), err=True)
