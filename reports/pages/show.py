"""The page of ``paifu show --html``: games to step through, in one file."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from paifu.reports.pages.page import content_security_policy, embed, environment, read_template
from paifu.reports.pages.stepper import Data, stepper_assets


def show_page(games: Sequence[Data], seat: int | None = None, *, is_open: bool = False) -> str:
    """Return the page of at least one game, each as :func:`~paifu.reports.pages.stepper.game_data` makes it.

    ``seat`` is the seat at the bottom; if given, the hands of the others are hidden at first, unless
    ``is_open``.
    """
    assets = stepper_assets()
    style = read_template("show.css") + assets.css + read_template("luck_chart.css")
    script = assets.js + read_template("luck_chart.js") + read_template("show.js")
    return (
        environment()
        .get_template("show.html")
        .render(
            title=games[0]["title"],
            policy=content_security_policy([script], [style]),
            style=Markup(style),  # noqa: S704  our own
            script=Markup(script),  # noqa: S704  our own
            tiles=Markup(assets.tiles),  # noqa: S704  our own
            data=embed({"games": list(games), "seat": seat or 0, "open": is_open or seat is None}),
        )
    )
