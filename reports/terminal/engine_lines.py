"""Lines on how an engine, the model and the players agree, and where engine and model differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from paifu.replay.foreign_text import display_name
from paifu.reports.judgement.opinions import Agreement, Opinion
from paifu.reports.judgement.sums import KINDS
from paifu.reports.words import plural

_MOST_OPTIONS = 6
_WIDTH = 24


def engine_lines(agreement: Agreement, worst: Sequence[Opinion]) -> Iterator[str]:
    """Yield the decisions in which engine and model differ most, and a table of agreement."""
    if worst:
        yield "Where engine and model differ most, by the points that the engine's choice loses by the model"
        for one in worst:
            yield from _decision(one)
        yield ""
    if not agreement.counts:
        return
    heads = ("engine = player", "engine = model", "model = player")
    yield f"{'agreement':<12}{'decisions':>10}{heads[0]:>17}{heads[1]:>16}{heads[2]:>16}"
    rows = [(kind, agreement.counts[kind]) for kind in KINDS if kind in agreement.counts]
    for kind, counts in [*rows, ("all", agreement.total)]:
        shares = [f"{100 * count / counts[0]:.1f}%" for count in counts[1:]]
        yield f"{kind:<12}{counts[0]:>10,}{shares[0]:>17}{shares[1]:>16}{shares[2]:>16}"


def _decision(one: Opinion) -> Iterator[str]:
    where = f"{one.source} {one.hand} event {one.event} seat {one.seat} ({display_name(one.player)})"
    sure = "" if one.is_sure else ", less than its error allows to tell"
    yield f"{one.loss or 0:>8,}  {where}"
    gap = "" if one.gap is None else f"; to the engine it is worth {one.gap:.3g} more"
    yield f"          engine {one.chosen}, model {one.ours}, played {one.played}{gap}{sure}"
    rated = [option for option in one.options if option["total"] is not None]
    rated.sort(key=lambda option: -int(option["total"]))
    has_values = any(option["value"] is not None for option in one.options)
    head = f"{'':10}{'':<{_WIDTH}}{'points':>9}{'engine':>10}" if has_values else ""
    if head:
        yield head
    shown = [
        option
        for number, option in enumerate(rated)
        if number < _MOST_OPTIONS or option["option"] in (one.chosen, one.played)
    ]
    for option in shown:
        marks = [
            mark
            for mark, name in (("engine", one.chosen), ("model", one.ours), ("played", one.played))
            if name == option["option"]
        ]
        value = "" if option["value"] is None else f"{option['value']:.3g}"
        cell = f"{value:>10}" if has_values else ""
        yield f"{'':10}{option['option']:<{_WIDTH}}{option['total']:>9,}{cell}  {', '.join(marks)}".rstrip()
    if len(rated) > len(shown):
        yield f"{'':10}and {plural(len(rated) - len(shown), 'option')} more"
