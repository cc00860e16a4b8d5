"""``paifu rules``: rulesets in full, compared, checked, as a table of points, and those that explain logs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import click

from paifu.cli import completion, options
from paifu.cli.command import Command, CommandGroup
from paifu.replay.language import _, pgettext

if TYPE_CHECKING:
    from paifu.api.only import Only
    from paifu.api.rule_guess import Guesses
    from paifu.replay.rules.fields import RuleField
    from paifu.replay.rules.ruleset import Ruleset

SCHEMA = "paifu.ruleset/1"


@click.group(cls=CommandGroup, short_help="Show rulesets, compare them, find the one that explains logs.")
def rules() -> None:
    """Show rulesets, compare them, and find the one that explains logs."""


def _print(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> None:
    from paifu.cli.printed_tables import print_table
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
@options.settings()
@click.option(
    "--changed-from",
    "base",
    metavar="BASE",
    shell_complete=completion.presets,
    help="Show only what differs from BASE, a preset or a .toml file.",
)
@click.option(
    "-f", "--format", "fmt", type=click.Choice(["table", "json", "toml"]), default="table", show_default=True
)
def show(name: str, settings: tuple[str, ...], base: str | None, fmt: str) -> None:
    """Show every rule of NAME, a preset or the path of a .toml file.

    \b
    Example:
      paifu rules show tenhou --set kiriage=true
      paifu rules show wrc --changed-from ema
      paifu rules show mleague --format toml > my-rules.toml
    """
    from paifu.api.rules import ruleset
    from paifu.cli.output import write_json
    from paifu.replay.rules.ruleset import FIELDS, fields_of
    from paifu.replay.schemes.tables import patterns_of
    from paifu.reports.rulesets import changed_rules, confidence, to_toml

    chosen = ruleset(name, settings)
    other = None if base is None else ruleset(base)
    if other is not None and fmt == "toml" and other.game.scheme != chosen.game.scheme:
        text = _("{base} is a ruleset of another game than {name}, and so cannot be its base")
        raise click.UsageError(text.format(base=other.name, name=chosen.name))
    fields = fields_of(chosen.game.scheme) if other is None else changed_rules(chosen, other)
    values = {rule: value for rule, value in chosen.values().items() if rule in fields}
    if fmt == "json":
        shown: dict[str, Any] = {
            "schema": SCHEMA,
            "name": chosen.name,
            "summary": chosen.summary,
            "rules": values,
            "sources": {
                rule: text for rule, text in chosen.sources.items() if rule in fields or rule not in FIELDS
            },
            "how_sure": {rule: confidence(chosen, rule) for rule in fields},
        }
        if other is not None:
            shown["changed_from"] = other.name
        patterns = {} if other is not None else patterns_of(chosen)
        if patterns:
            shown["patterns"] = {row.id: row.worth for row in patterns.values()}
        write_json(shown, indent=True)
    elif fmt == "toml":
        click.echo(to_toml(chosen, base or "", fields), nl=False)
    else:
        _print_rules(chosen, other, fields)


def _print_rules(chosen: Ruleset, other: Ruleset | None, fields: Mapping[str, RuleField]) -> None:
    """Print rules as tables, section by section; those of the whole ruleset with its patterns and sources."""
    from paifu.replay.rules.ruleset import FIELDS, SECTIONS
    from paifu.replay.rulesets.presets import BASE
    from paifu.replay.schemes.tables import patterns_of
    from paifu.reports.rulesets import meaning, own_yaku_rows, shown_text, unstated

    click.echo(f"{chosen.name}: {_(chosen.summary)}")
    open_ = len(fields.keys() & set(unstated(chosen)))
    if open_:
        text = _("{open} of {rules} rules are not stated for {name}: values of its base stand in for them")
        _echo_wrapped([text.format(open=open_, rules=len(fields), name=chosen.name)])
    if other is not None and not fields:
        click.echo(_("{first} and {second} are the same rules").format(first=chosen.name, second=other.name))
    for section, title in SECTIONS.items():
        own = [field for field in fields.values() if field.section == section]
        if own:
            rows = ((f.name, shown_text(chosen, f), meaning(chosen, f)) for f in own)
            click.echo()
            _print((_(title), _("value"), _("meaning, and where the value comes from")), rows)
    if "yaku" in fields and chosen.local.yaku:
        click.echo()
        _print((_("Yaku of its own"), _("han"), _("meaning and condition")), own_yaku_rows(chosen))
    patterns = {} if other is not None else patterns_of(chosen)
    if patterns:
        click.echo()
        rows = ((row.id, row.worth, f"{_(row.meaning)} [{row.source}]") for row in patterns.values())
        _print((_("Patterns"), _("value"), _("meaning, and where the value comes from")), rows)
    named = "".join(chosen.sources.get(rule, "") for rule in (*fields, BASE))
    marks = [
        (mark, text)
        for mark, text in chosen.sources.items()
        if mark not in FIELDS and (other is None or (mark == BASE and fields) or mark in named)
    ]
    if marks:
        click.echo()
        _print((_("Sources"), ""), marks)


@rules.command(cls=Command)
@click.argument("first", shell_complete=completion.presets)
@click.argument("second", shell_complete=completion.presets)
def diff(first: str, second: str) -> None:
    """Show the rules in which FIRST and SECOND differ (presets or .toml files).

    "(not stated)" marks a value of a base that nobody states for the ruleset itself.

    \b
    Example:
      paifu rules diff tenhou majsoul
    """
    from paifu.api.rules import ruleset
    from paifu.reports.rulesets import differences, marked, unstated
    from paifu.reports.wording import plural

    one, two = ruleset(first), ruleset(second)
    found = differences(one, two)
    if not found:
        text = _("{first} and {second} are the same rules")
        click.echo(text.format(first=one.name, second=two.name))
    else:
        rows = ((d.rule, marked(one, d.rule, d.first), marked(two, d.rule, d.second)) for d in found)
        _print((_("rule"), one.name, two.name), rows)
    for rules_ in (one, two):
        alike = len(set(unstated(rules_)) - {d.rule for d in found})
        if alike:
            text = _("alike, but not stated for {name}: {rules}; `paifu rules show` lists them")
            click.echo(text.format(name=rules_.name, rules=plural(alike, "rule")), err=True)


@rules.command(cls=Command)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
def check(files: tuple[str, ...]) -> int:
    """Check ruleset files, and say everything that is wrong with them.

    \b
    Example:
      paifu rules check friday.toml
    """
    from paifu.api.rules import check_ruleset
    from paifu.replay.foreign_text import one_line

    wrong = 0
    for file in files:
        found = check_ruleset(file)
        wrong += found.ruleset is None
        if found.ruleset:
            text = _("a good ruleset: {summary}")
            click.echo(f"{one_line(file)}: {text.format(summary=_(found.ruleset.summary))}")
        for problem in found.problems:
            click.echo(f"{one_line(file)}: {problem}")
    return 1 if wrong else 0


@rules.command(cls=Command)
@click.argument("name", shell_complete=completion.presets)
@options.settings()
@click.option(
    "-f", "--format", "fmt", type=click.Choice(["table", "json"]), default="table", show_default=True
)
def points(name: str, settings: tuple[str, ...], fmt: str) -> None:
    """Print the table of points of NAME, a preset of riichi or the path of a .toml file.

    A cell has the points of a ron and, in brackets, what each pays for a tsumo, the dealer last.

    \b
    Example:
      paifu rules points tenhou
      paifu rules points tenhou --set kiriage=true
    """
    from dataclasses import asdict

    from paifu.api.rules import riichi_ruleset
    from paifu.cli.output import write_json
    from paifu.replay.scoring.han_fu import points_table
    from paifu.reports.rulesets import points_blocks

    chosen = riichi_ruleset(name, settings)
    rows = list(points_table(chosen))
    if fmt == "json":
        listed = [{**asdict(row), "limit": row.limit.name.lower()} for row in rows]
        write_json({"schema": "paifu.points/1", "name": chosen.name, "points": listed}, indent=True)
        return
    for dealer, title in ((False, _("not the dealer")), (True, _("the dealer"))):
        blocks, limits = points_blocks(rows, dealer=dealer)
        for columns, lines in blocks:
            if dealer or columns.start > 1:
                click.echo()
            _print((title, *(_("{han} han").format(han=han) for han in columns)), lines)
        if limits:
            click.echo()
            _print((_("limit"), "", _("points")), limits)


@rules.command(cls=Command)
@options.paths
@options.games
@options.jobs
@click.option(
    "-f", "--format", "fmt", type=click.Choice(["table", "json"]), default="table", show_default=True
)
def guess(paths: tuple[str, ...], only: Only, jobs: int | None, fmt: str) -> int:
    """Find the ruleset that explains logs best.

    paifu replays the games under every preset and under what each log names, changes one rule after the other
    as long as that leaves fewer contradictions, and shows for each rule what speaks against another value.
    What no game shows stays undecided. The first 200 games with each number of players are enough.

    \b
    Example:
      paifu rules guess club-games
    """
    from paifu.api.rule_guess import guess_rules
    from paifu.cli.output import write_json
    from paifu.cli.talk import talking, with_choice
    from paifu.reports.rule_guesses import document

    with talking(_("reading")) as talk:
        found = guess_rules(paths, only=only, jobs=jobs, watch=talk)
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
        (found.beyond, _("not looked at: {games} (beyond the first ones)")),
    ):
        if count:
            click.echo(text.format(games=plural(count, "game")), err=True)
