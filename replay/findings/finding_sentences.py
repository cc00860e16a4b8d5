"""What findings in a log say: the sentence chosen for each case, and what fills its fields.

A sentence is one template, so that translations can put its parts in another order. Templates stand in
:mod:`paifu.replay.findings.kinds`, by reason, or with what chooses one of two; functions here are for codes
whose sentences need more than that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from paifu.replay.findings import values
from paifu.replay.findings.context import FindingContext
from paifu.replay.findings.finding import FindingValue
from paifu.replay.kernels import reasons as why
from paifu.replay.language import N_, _, pgettext
from paifu.replay.model.events import NO_SEAT, EventKind, HandEnd
from paifu.replay.scoring.limits import Limit
from paifu.replay.table.engine import engine_of
from paifu.replay.views.labels import spoken_round
from paifu.replay.views.results import END_WORDS

Sentence = str | Callable[[Any], str]
"""A sentence with places to fill in, or what chooses one for a case, in the language."""
Wording = Sentence | Mapping[int, Sentence]
"""What a code says: always, or for each of its reasons."""


def said(value: FindingValue) -> FindingValue:
    """Return what is expected, or what a log says, as people read it; a number stays one."""
    if not isinstance(value, str):
        return _("none") if value is None else value
    number, _blank, sort = value.partition(" ")
    return _("{count} {sort}").format(count=number, sort=_(sort)) if number.isdigit() and sort else _(value)


def _move(kind: EventKind | None) -> str:
    """Name a kind of event as a move."""
    return pgettext("move", "move" if kind is None else kind.name.lower())


def _ordinal(value: int) -> str:
    ordinals = ("fifth", "first", "second", "third", "fourth")
    return pgettext("time", ordinals[value if value in range(1, 5) else 0])


def _different_yaku(case: FindingContext) -> tuple[str, str]:
    """Return the yaku or patterns that the log lacks, and those that only the log has."""
    found, stated = values.yaku_of(case)
    name = partial(engine_of(case.rules).spoken, case.rules)
    differing = (
        [one for one in ones if one not in others] for ones, others in ((found, stated), (stated, found))
    )
    missing, extra = (_(", ").join(map(name, ones)) for ones in differing)
    return missing, extra


FIELDS: dict[str, Callable[[Any], object]] = {
    "tile": lambda case: case.tile_text,
    "copy": lambda case: values.physical_text(case, case.actual) or case.tile_text,
    "seat": lambda case: case.seat,
    "hand": lambda case: case.label,
    "move": lambda case: _move(case.kind),
    "due": lambda case: case.expected,
    "stated": lambda case: case.actual,
    "foul": lambda case: next(filter(None, values.foul(case))),
    "end": lambda case: pgettext("end of a hand", END_WORDS[HandEnd(case.expected or case.actual)]),
    "ordinal": lambda case: _ordinal(case.actual),
    "missing": lambda case: _different_yaku(case)[0],
    "extra": lambda case: _different_yaku(case)[1],
    "seats": lambda case: _(" and ").join(str(seat) for seat in range(4) if case.expected >> seat & 1),
}
"""What templates may name besides ``expected`` and ``actual``, which are the values of the finding; ``due``
and ``stated`` are the numbers behind these."""


def other_copy(case: FindingContext) -> str:
    """Of all codes: the tile fits, its physical copy does not."""
    if case.kind in (None, EventKind.DRAW, EventKind.DORA, EventKind.WIN):
        return _("{copy} comes into play a second time")
    return _("{copy} is not where this takes it from; another copy may be")


def said_of(case: FindingContext, words: Wording) -> str:
    """Return the template that a code's words have for a case, in the language, its fields not filled in."""
    if isinstance(words, Mapping):
        words = words[case.reason]
    return words(case) if callable(words) else _(words)


def either(test: Callable[[Any], object], if_so: Wording, if_not: Wording) -> Callable[[Any], str]:
    """Return what chooses between two templates."""
    return lambda case: said_of(case, if_so if test(case) else if_not)


_YAKU_DIFFER = {
    (True, True): N_("yaku differ; not in the log: {missing}; only in the log: {extra}"),
    (True, False): N_("yaku differ; not in the log: {missing}"),
    (False, True): N_("yaku differ; only in the log: {extra}"),
    (False, False): N_("yaku differ; "),
}
_PATTERNS_DIFFER = {
    (True, True): N_("patterns differ; not in the log: {missing}; only in the log: {extra}"),
    (True, False): N_("patterns differ; not in the log: {missing}"),
    (False, True): N_("patterns differ; only in the log: {extra}"),
    (False, False): N_("patterns differ; one is listed more than once"),
}
"""Whether some are missing in the log, and whether it has others -> what is said."""


def yaku_differ(case: FindingContext) -> str:
    """V304."""
    missing, extra = map(bool, _different_yaku(case))
    return _((_YAKU_DIFFER if case.is_riichi else _PATTERNS_DIFFER)[missing, extra])


def wrong_points(case: FindingContext) -> str:
    """V307."""
    if case.reason == why.LIMIT:
        return pgettext("limit", "points differ: engine {expected}, log {actual}")
    return _("points differ: engine {expected}, log {actual}")


def wrong_liable(case: FindingContext) -> str:
    """V404."""
    expected, actual = (
        _("nobody") if seat == NO_SEAT else _("seat {seat}").format(seat=seat)
        for seat in (case.expected, case.actual)
    )
    text = _("liable player differs: engine {expected}, log {actual}")
    return text.format(expected=expected, actual=actual)


def wrong_round(case: FindingContext) -> str:
    """V502."""
    if case.seat != NO_SEAT:
        return _("dealer differs: engine {expected}, log {actual}")
    text = _("round differs: engine {expected}, log {actual}")
    return text.format(expected=spoken_round(case.expected), actual=spoken_round(case.actual))


def final_result(case: FindingContext) -> str:
    """V506."""
    if case.reason == why.PLAIN:
        return _("final score differs: engine {expected}, log {actual}")
    text = _("final points differ: engine {expected:+g}, log {actual:+g}")
    return text.format(expected=case.expected / 1000, actual=case.actual / 1000)


def declared() -> Iterator[tuple[str, str]]:
    """Yield the context and the text of all words that messages are made of and do not spell out."""
    moves = ("move", "tsumo", "ron", "kyuushu", *(kind.name.lower() for kind in EventKind))
    yield from (("move", word) for word in moves)
    yield from (("end of a hand", word) for word in END_WORDS.values())
    yield from (("time", word) for word in ("first", "second", "third", "fourth", "fifth"))
    yield from (("", limit.name.lower()) for limit in Limit)
