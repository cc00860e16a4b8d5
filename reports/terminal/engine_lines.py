"""Lines on how an engine, the model and the players agree, and where engine and model differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from paifu.coach.judgement.mistakes import KINDS
from paifu.coach.judgement.opinions import Agreement, Opinion
from paifu.replay.findings.review_sentences import spoken_option
from paifu.replay.foreign_text import display_name
from paifu.replay.language import N_, _
from paifu.replay.language.lines import ljust, rjust
from paifu.reports.wording import plural

_MOST_OPTIONS = 6
_WIDTH = 24
_WIDTHS = (10, 17, 16, 16)


def engine_lines(agreement: Agreement, worst: Sequence[Opinion]) -> Iterator[str]:
    """Yield the decisions in which engine and model differ most, and a table of agreement."""
    if worst:
        yield _(
            "Where engine and model differ most, by the points that the engine's choice loses by the model"
        )
        for one in worst:
            yield from _decision(one)
        yield ""
    if not agreement.counts:
        return
    heads = (_("decisions"), _("engine = player"), _("engine = model"), _("model = player"))
    yield ljust(_("agreement"), 12) + "".join(map(rjust, heads, _WIDTHS))
    rows = [(kind, agreement.counts[kind]) for kind in KINDS if kind in agreement.counts]
    for kind, counts in [*rows, (N_("all"), agreement.total)]:
        shares = [f"{100 * count / counts[0]:.1f}%" for count in counts[1:]]
        yield ljust(_(kind), 12) + "".join(map(rjust, (f"{counts[0]:,}", *shares), _WIDTHS))


def _decision(one: Opinion) -> Iterator[str]:
    where = _("{source} {hand} event {event} seat {seat} ({player})").format(
        source=one.source, hand=one.hand, event=one.event, seat=one.seat, player=display_name(one.player)
    )
    yield f"{one.loss or 0:>8,}  {where}"
    told = _("engine {engine}, model {model}, played {played}").format(
        engine=spoken_option(one.chosen),
        model=spoken_option(one.ours),
        played=spoken_option(one.played),
    )
    if one.gap is not None:
        told += _("; to the engine it is worth {points:.3g} more").format(points=one.gap)
    if not one.is_sure:
        told += _(", less than its error")
    yield f"{'':10}{told}"
    rated = [option for option in one.options if option["total"] is not None]
    rated.sort(key=lambda option: -int(option["total"]))
    has_values = any(option["value"] is not None for option in one.options)
    if has_values:
        points, engine = _("points"), _("engine")
        yield f"{'':10}{'':<{_WIDTH}}{rjust(points, 9)}{rjust(engine, 10)}"
    shown = [
        option
        for number, option in enumerate(rated)
        if number < _MOST_OPTIONS or option["option"] in (one.chosen, one.played)
    ]
    for option in shown:
        marks = [
            mark
            for mark, name in ((_("engine"), one.chosen), (_("model"), one.ours), (_("played"), one.played))
            if name == option["option"]
        ]
        value = "" if option["value"] is None else f"{option['value']:.3g}"
        cell = f"{value:>10}" if has_values else ""
        name = ljust(spoken_option(option["option"]), _WIDTH)
        yield f"{'':10}{name}{option['total']:>9,}{cell}  {', '.join(marks)}".rstrip()
    if len(rated) > len(shown):
        more = _("and {options} more").format(options=plural(len(rated) - len(shown), "option"))
        yield f"{'':10}{more}"
