"""Options that several commands share, each declared once."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

import click

from paifu.cli import completion
from paifu.cli.config import own_names

if TYPE_CHECKING:
    from paifu.api.only import Only
    from paifu.replay.rulesets.presets import Given

F = TypeVar("F", bound=Callable[..., Any])

MAX_COUNT = 9_999
"""Honba, or sticks: more than any game has, and what a log may state."""
MAX_POINTS = 10_000_000
"""No score of a game is larger."""
MAX_ROWS = 1_000_000_000
"""Games or hands that somebody may count to; far within what a table of numbers holds."""
MAX_GAMES = 1_000_000
"""Games of one simulation: more files than a folder bears."""
MAX_SEED = 2**63 - 1
_MAX_JOBS = 1024

FORMATS = ("table", "json", "jsonl", "csv", "parquet")


def library(function: F) -> F:
    """Add the option ``library``: where logs of addresses lie."""
    return click.option(
        "--library",
        multiple=True,
        metavar="PATH",
        help="Folder, archive or database in which to look for a log given by its address; repeatable.",
    )(function)


_library = library  # a parameter has its name


def paths(function: F) -> F:
    """Add the argument ``paths``: at least one PATH, or address of a viewer, and where logs of these lie."""

    @wraps(function)
    def command(*args: Any, paths: tuple[str, ...], library: tuple[str, ...], **rest: Any) -> Any:
        if any(not os.path.lexists(path) for path in paths):
            from paifu.api.locate import locate

            paths = tuple(locate(path, library).path for path in paths)
        return function(*args, paths=paths, **rest)

    made = click.argument("paths", nargs=-1, required=True, metavar="PATH...")(command)
    return _library(made)  # type: ignore[return-value]


def aliases(function: F) -> F:
    """Add the option ``aliases``: a file for :func:`paifu.cli.aliases.read_aliases`."""
    return click.option(
        "--aliases", type=click.Path(dir_okay=False), metavar="FILE", help="TOML: name = [other names]."
    )(function)


def jobs(function: F) -> F:
    """Add the option ``jobs``: number of worker processes, None for one a processor."""
    return click.option(
        "-j",
        "--jobs",
        type=click.IntRange(1, _MAX_JOBS),
        help="Number of worker processes.  [default: one per processor]",
    )(function)


def games(function: F) -> F:
    """Add the options that say which games count; they are handed to the command as ``only``."""

    @wraps(function)
    def command(*args: Any, since: str, until: str, rooms: tuple[str, ...], **rest: Any) -> Any:
        from paifu.api.only import Only
        from paifu.cli.talk import ONLY

        only = click.get_current_context().meta[ONLY] = Only(since, until, rooms)
        return function(*args, only=only, **rest)

    made = click.option(
        "--room",
        "rooms",
        multiple=True,
        shell_complete=completion.rooms,
        metavar="ROOM",
        help="Only games of this room: houou, gold, 'lobby 1234'; repeatable.",
    )(command)
    made = click.option(
        "--until", metavar="DATE", default="", help="Only games up to this day, month or year, included."
    )(made)
    return click.option(
        "--since",
        metavar="DATE",
        default="",
        help="Only games from this day, month or year on: 2024-05-01, 2024.",
    )(made)  # type: ignore[return-value]


_NAME_SETS = ("romaji", "japanese", "english", "european", "american", "yakuza2", "kwan", "mcgill")


def _choose_names(context: click.Context, _: click.Parameter, value: str | None) -> None:
    """Let this command, and the workers that it starts, use a set of names."""
    if value is None:
        return
    before = os.environ.get("PAIFU_NAMES")

    def restore() -> None:
        os.environ.pop("PAIFU_NAMES", None)
        if before is not None:
            os.environ["PAIFU_NAMES"] = before

    os.environ["PAIFU_NAMES"] = value
    context.call_on_close(restore)


def names(function: F) -> F:
    """Add the option that chooses what yaku are called; it is not handed to the command."""
    return click.option(
        "--names",
        type=click.Choice(_NAME_SETS),
        callback=_choose_names,
        expose_value=False,
        is_eager=True,
        help="What yaku are called.  [default: PAIFU_NAMES, or romaji]",
    )(function)


def players(text: str) -> Callable[[F], F]:
    """Add the option ``players``: names, any number of them, of which 'me' stands for the user's own."""
    return click.option("--player", "players", multiple=True, callback=own_names, metavar="NAME", help=text)


def limit(default: int, text: str) -> Callable[[F], F]:
    """Add the option ``limit``: how much a table shows, 0 for all."""
    return click.option(
        "-n",
        "--limit",
        type=click.IntRange(0, MAX_ROWS),
        default=default,
        show_default=True,
        metavar="N",
        help=text,
    )


def deep(function: F) -> F:
    """Add the option ``deep``: whether decisions found are played out."""
    return click.option(
        "--deep",
        is_flag=True,
        help="Also play out the decisions listed, on hidden hands as the player could expect them.",
    )(function)


def output_format(*more: str) -> Callable[[F], F]:
    """Add the option ``fmt`` of every command that prints rows; it takes the formats ``more``, too."""
    return click.option(
        "-f",
        "--format",
        "fmt",
        type=click.Choice((*FORMATS, *more)),
        default="table",
        show_default=True,
        help="Output format; parquet must go to a file or a pipe.",
    )


def settings(text: str = "Change a rule; repeatable.") -> Callable[[F], F]:
    """Add the option ``settings``: rules that are changed."""
    return click.option("--set", "settings", multiple=True, metavar="RULE=VALUE", help=text)


def rules(
    text: str = "Preset or TOML file.",
    change: str = "Change a rule; repeatable.",
    default: str | None = None,
    name: str = "rules_name",
) -> Callable[[F], F]:
    """Add the options ``name`` and ``settings``: a ruleset, and what of it is changed."""

    def add(function: F) -> F:
        return click.option(
            "--rules", name, default=default, show_default=bool(default), help=text,
            shell_complete=completion.presets, metavar="NAME|FILE",
        )(settings(change)(function))  # fmt: skip

    return add


replay_rules = rules(
    "Replay under this preset or TOML file.  [default: the ruleset each log names]",
    "Change a rule of --rules, or of what each log names; repeatable.",
)


def given_rules(name: str | None, settings: Sequence[str]) -> tuple[Given, ...]:
    """Return what the options of :data:`replay_rules` ask for; nothing if none is there."""
    if name is None and not settings:
        return ()
    from paifu.api.rules import rulesets_for_replay

    return rulesets_for_replay(name, settings)


class ReplayOptions(TypedDict):
    """What is replayed and how, as functions of ``api`` take it."""

    rules: tuple[Given, ...]
    only: Only
    jobs: int | None


def replays(function: F) -> F:
    """Add the options of games, rules and workers; the command gets them as ``how``."""

    @wraps(function)
    def command(*args: Any, rules_name: str | None, settings: Sequence[str], **rest: Any) -> Any:
        given = given_rules(rules_name, settings)
        how = ReplayOptions(rules=given, only=rest.pop("only"), jobs=rest.pop("jobs"))
        return function(*args, how=how, **rest)

    return games(replay_rules(jobs(command)))  # type: ignore[return-value]
