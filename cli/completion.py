"""What a shell may complete: rulesets, statistics, figures, codes. Names are looked up when a shell asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import click
from click.shell_completion import CompletionItem

Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def _names(known: Callable[[], Iterable[str]], *, or_file: bool = False) -> Complete:
    """Complete one of the names, or the last of several with commas between them."""

    def complete(_: click.Context, __: click.Parameter, written: str) -> list[CompletionItem]:
        if or_file and ("/" in written or written.startswith(".")):
            return [CompletionItem(written, type="file")]
        before, comma, last = written.rpartition(",")
        return [CompletionItem(f"{before}{comma}{name}") for name in known() if name.startswith(last)]

    return complete


def _presets() -> Iterable[str]:
    from paifu.replay.rulesets.presets import preset_names

    return preset_names()


def _metrics() -> Iterable[str]:
    from paifu.reports.metrics.catalogue import CATALOGUE, families

    return [*(family.name for family in families()), *CATALOGUE]


def _figures() -> Iterable[str]:
    from paifu.reports.figures.catalogue import FIGURES

    return FIGURES


def _codes() -> Iterable[str]:
    from paifu.replay.findings.spoken import KINDS

    return KINDS


def _rooms() -> Iterable[str]:
    from paifu.reports.metrics.rooms import ROOMS

    return ROOMS


presets, metrics, figures, codes, rooms = (
    _names(_presets, or_file=True),
    _names(_metrics),
    _names(_figures),
    _names(_codes),
    _names(_rooms),
)
