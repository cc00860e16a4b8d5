"""Players of several names: the file that says which names are one player."""

from __future__ import annotations

import tomllib
from pathlib import Path

import click


def read_aliases(path: str | None) -> dict[str, str]:
    """Read ``name = [other names]``; return other name -> name, nothing for no file.

    Raises click.UsageError.
    """
    if path is None:
        return {}
    try:
        table = tomllib.loads(Path(path).read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise click.UsageError(f"cannot read the aliases {path}: {error}") from error
    aliases: dict[str, str] = {}
    for name, others in table.items():
        if not isinstance(others, list) or not all(isinstance(other, str) for other in others):
            raise click.UsageError(
                f'{path}: {name} should be a list of names: "{name}" = ["other", "another"]'
            )
        for other in others:
            if aliases.setdefault(other, name) != name:
                raise click.UsageError(f"{path}: {other} stands for both {aliases[other]} and {name}")
    return aliases
