"""Values of options that click does not know: points of players, and files that are written anew."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from paifu.cli.options import MAX_POINTS
from paifu.replay.language import _

if TYPE_CHECKING:
    _ScoresType = click.ParamType[tuple[int, ...]]
else:
    _ScoresType = click.ParamType  # which takes no kind of value before click 8.4


class Scores(_ScoresType):
    """Points of each player, such as ``25000,31000,24000,20000``."""

    name = "scores"

    def __init__(self, wrong: str) -> None:
        """``wrong`` says that ``{value!r}`` is something else, and what to write."""
        self._wrong = wrong

    def points(self, text: str) -> tuple[int, ...]:
        """Read a text; raises ValueError or OverflowError."""
        return tuple(map(int, text.split(",")))

    def problem(self, scores: tuple[int, ...]) -> str:
        """Say what is wrong with points; nothing is an empty text."""
        if any(abs(points) > MAX_POINTS for points in scores):
            return _("points are at most {most:,}").format(most=MAX_POINTS)
        return ""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """Read the text of an option."""
        if isinstance(value, tuple):
            return value
        try:
            scores = self.points(str(value))
        except (ValueError, OverflowError):
            self.fail(_(self._wrong).format(value=value), param, ctx)
        if problem := self.problem(scores):
            self.fail(problem, param, ctx)
        return scores


class NewFile(click.Path):
    """A file to write, which must not take the place of logs, archives of them, databases or datasets."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Look what is there, before anything is done."""
        name = super().convert(value, param, ctx)
        with suppress(OSError, ValueError):
            there = Path(os.fsdecode(name))
            if there.is_file() and there.stat().st_size:
                self._check(there, param, ctx)
        return name

    def _check(self, there: Path, param: click.Parameter | None, ctx: click.Context | None) -> None:
        from paifu.parsers.sources.detect import HEAD, Format, sniff  # imports what only this needs

        with there.open("rb") as file:
            found = sniff(file.read(HEAD))
        if found != Format.UNKNOWN:
            text = _("{file} exists and is of another kind: {format}; name another file, or remove it first")
            self.fail(text.format(file=click.format_filename(there), format=found.value), param, ctx)
