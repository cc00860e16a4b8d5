"""Draws one figure as the content of a file."""

from __future__ import annotations

from paifu.replay.arrays import F64, I64
from paifu.replay.errors import ArgumentError
from paifu.replay.language import N_, _
from paifu.reports.figures import style as look
from paifu.reports.figures.catalogue import FIGURES
from paifu.reports.figures.drawing import FORMATS as FORMATS
from paifu.reports.figures.drawing import figure_of, saved
from paifu.reports.figures.parts import EVERYBODY, OTHER_PLAYERS, FigureData
from paifu.reports.metrics.counters import Counters
from paifu.reports.statistics.values import CourseGame, everybody, statistics
from paifu.reports.wording import NobodyError, no_player


class NothingToDrawError(ArgumentError):
    """Raised if there are no cases for a figure."""


def notice() -> str:
    """Say that figures are in English because no font has the characters of the language; else empty."""
    if look.is_drawable():
        return ""
    return _(
        "the figure is in English: matplotlib finds no font with Japanese characters; install one, "
        "such as Noto Sans CJK JP or IPAexGothic"
    )


def drawn(
    counters: Counters,
    course: list[CourseGame],
    pushes: I64 | None,
    running: F64 | None,
    name: str,
    player: str,
    fmt: str,
    *,
    with_title: bool,
) -> bytes:
    """Draw a figure of one player beside the others or of everybody alone.

    ``counters`` are by player if there is one, ``course`` is the player's, ``pushes`` as in a review,
    ``running`` as in FigureData.
    Raises NothingToDrawError, NobodyError.
    """
    found = statistics(counters, players=frozenset([player] if player else []))
    if player and not found.groups:
        raise NobodyError(no_player(player, (key[0] for key in counters.keys)))
    own = found.groups[0] if player else None
    named = look.drawable(player)
    label = named or look.said(N_("the player"))
    compared = everybody(counters.without(player)) if own else found.population
    name_of_all = look.said(OTHER_PLAYERS if own else EVERYBODY)
    data = FigureData(compared, own, label, course, pushes, running, name_of_all)
    title = look.said(FIGURES[name].title)
    title = f"{title}: {named}" if named else title
    chart = FIGURES[name].describe(data)
    if chart is None:
        raise NothingToDrawError(
            _("nothing to draw: these logs have no cases, or too few, for the figure {name}").format(
                name=name
            )
        )
    return saved(figure_of(chart, title=title if with_title else ""), fmt)
