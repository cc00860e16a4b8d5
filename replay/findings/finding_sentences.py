"""What findings in a log say: the sentence chosen for each case, and what fills its fields.

A sentence is one template, so that translations can put its parts in another order. Where a code has one, or
one for each reason, it stands in :mod:`paifu.replay.findings.kinds`; functions here choose by more than that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from paifu.replay.findings import values
from paifu.replay.findings.context import FindingContext
from paifu.replay.findings.finding import FindingValue
from paifu.replay.kernels import reasons
from paifu.replay.language import N_, _, pgettext
from paifu.replay.model.events import NO_SEAT, EventFlag, EventKind, HandEnd
from paifu.replay.model.tiles import ALL_TILES, BONUS_TILES, NO_TILE
from paifu.replay.rules.choices import RiichiKan
from paifu.replay.scoring.limits import Limit
from paifu.replay.table.engine import engine_of
from paifu.replay.views.labels import spoken_round
from paifu.replay.views.results import END_WORDS


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


def too_many(case: FindingContext) -> str:
    """V103."""
    if case.tile >= ALL_TILES:
        return _("a tile is hidden, so the hand cannot be followed")
    if case.expected == 0:
        return _("{tile} is not in the set of this game")
    return _("{tile} for the {ordinal} time; the set holds {expected}")


def out_of_turn(case: FindingContext) -> str:
    """V201."""
    if case.expected != case.actual:
        return _("a {move} out of turn: seat {due} is to move")
    return _("a {move} where another move is due, or none is possible any more")


def tsumogiri(case: FindingContext) -> str:
    """V203."""
    if not case.batch.events.flags[case.event] & EventFlag.TSUMOGIRI:
        return _("{tile} is said to come from the hand, but the only one is the tile just drawn")
    if case.expected == NO_TILE:
        return _("{tile} is said to be the tile just drawn, but that was nothing")
    return _("{tile} is said to be the tile just drawn, but that was {expected}")


def illegal_call(case: FindingContext) -> str:
    """V204."""
    if case.reason == reasons.NOT_HELD:
        return _("{move} with {tile}, which is not in the hand")
    if case.expected == case.actual:
        return _("{move} of {tile}, which these tiles, this seat or this moment do not allow")
    if case.expected == NO_TILE:
        return _("{move} of {tile}, but nothing was just discarded")
    return _("{move} of {tile}, but {expected} was just discarded")


_KAN = {
    reasons.NOT_NOW: N_("{move} of {tile} at another's turn, before a draw, or with no tile left to draw"),
    reasons.NOT_HELD: N_("{move} of {tile} without the tiles for it"),
    reasons.OTHER_SOURCE: N_("{move} of {tile} to a pon from seat {stated}, who did not feed it"),
    reasons.OTHER_GROUPS: N_("{move} of {tile} under riichi takes tiles that another group could need"),
}
"""What is wrong with a kan, if not the waits."""


def illegal_kan(case: FindingContext) -> str:
    """V206."""
    if case.reason != reasons.PLAIN:
        return _(_KAN[case.reason])
    if case.expected != case.actual:
        return _("{move} of {tile} under riichi changes the waits from {expected} to {actual}")
    if case.rules.riichi.riichi_kan == RiichiKan.FORBIDDEN:
        return _("{move} of {tile} under riichi, which the rules do not allow")
    return _("{move} of {tile} under riichi, which the rules allow with the tile just drawn only")


_RIICHI = {
    reasons.NOT_TENPAI: N_("riichi without tenpai: discarding {tile} leaves no wait"),
    reasons.DECLARED_LATE: N_("riichi is stated after its discard, {tile}"),
    reasons.NOT_PLAYED: N_("riichi with the hand shown, which these rules do not know"),
    reasons.OPEN_HAND: N_("riichi with an open hand"),
    reasons.SECOND_RIICHI: N_("a second riichi"),
    reasons.IN_RIICHI: N_("{tile} is discarded under riichi, but {expected} was drawn"),
    reasons.SHORT_WALL: N_("riichi with {actual} tiles left to draw, it takes {expected}"),
    reasons.FEW_POINTS: N_("riichi with {actual} points, it takes {expected}"),
    reasons.FOUL_SHOWN: N_("a win that shows that its riichi, or a kan under it, was a foul"),
}
"""What is wrong with a riichi."""


def illegal_riichi(case: FindingContext) -> str:
    """V207."""
    if case.reason == reasons.IN_RIICHI and case.expected == NO_TILE:
        return _("{tile} is discarded under riichi, but nothing was drawn")
    return _(_RIICHI[case.reason])


def illegal_draw(case: FindingContext) -> str:
    """V212."""
    if case.expected:
        return _("the hand goes on, but had to end by {end}")
    return _("the hand may not end here by {end}")


_KITA = {
    reasons.NOT_PLAYED: N_("kita in a game that has none"),
    reasons.OTHER_TILE: N_("kita of {tile}; only north is set aside"),
    reasons.NOT_HELD: N_("kita without a north in the hand"),
    reasons.IN_RIICHI: N_("kita under riichi of a north that was not just drawn"),
    reasons.NOT_NOW: N_(
        "kita at another's turn, before a draw, after declaring riichi, or with no tile left to draw"
    ),
}
_FLOWER = {
    reasons.NOT_PLAYED: N_("{tile} is set aside in a game without flowers"),
    reasons.OTHER_TILE: N_("{tile} is set aside; the flowers are 1f to 4f"),
    reasons.NOT_NOW: N_("{tile} is set aside out of turn"),
}
"""What is wrong with a tile set aside."""


def illegal_kita(case: FindingContext) -> str:
    """V213."""
    if case.is_riichi:
        return _((_FLOWER if case.kind == EventKind.BONUS else _KITA)[case.reason])
    if case.kind == EventKind.KITA:
        return _("kita in a game that has none")
    if case.kind != EventKind.BONUS:
        return _("seat {seat} has not set {tile} aside")
    if case.tile not in BONUS_TILES or case.reason == reasons.NOT_HELD:
        return _("{tile} is set aside, but is not in the hand")
    return _("{tile} is set aside out of turn")


def dead_hand(case: FindingContext) -> str:
    """V216."""
    return _("a win by a dead hand") if case.kind == EventKind.WIN else _("a {move} by a dead hand")


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
    if case.reason == reasons.LIMIT:
        return pgettext("limit", "points differ: engine {expected}, log {actual}")
    return _("points differ: engine {expected}, log {actual}")


def dora_differ(case: FindingContext) -> str:
    """V308."""
    if case.reason == reasons.INDICATOR:
        return _("indicators differ: the wall has {expected}, the log lists {actual}")
    if case.reason != reasons.URA_INDICATORS:
        return _("dora differ: engine {expected}, log {actual}")
    if case.actual < case.expected:
        return _("ura indicators differ: {due} due, {stated} shown")
    return _("ura indicators differ: {due} due, more shown")


def wrong_liable(case: FindingContext) -> str:
    """V404."""
    expected, actual = (
        _("nobody") if seat == NO_SEAT else _("seat {seat}").format(seat=seat)
        for seat in (case.expected, case.actual)
    )
    text = _("liable player differs: engine {expected}, log {actual}")
    return text.format(expected=expected, actual=actual)


def tenpai_differs(case: FindingContext) -> str:
    """V406."""
    if case.reason == reasons.OTHER_TILES:
        return _("the tiles shown are not those of the hand")
    if values.is_aborted(case):
        return _("hand differs: engine {expected}, log {actual}")
    return _("tenpai differs: engine {expected}, log {actual}")


def nagashi(case: FindingContext) -> str:
    """V407."""
    if case.seat != NO_SEAT:
        return _("nagashi payments differ: engine {expected:+}, log {actual:+}")
    if case.actual:
        return _("nagashi mangan, but nobody's discards allow it")
    return _("no nagashi mangan in the log, but the discards of seat {seats} are one")


def score_differs(case: FindingContext) -> str:
    """V501."""
    if case.event < 0:
        return _("score at the start differs: engine {expected}, log {actual}")
    return _("score before the payment differs: engine {expected}, log {actual}")


def wrong_round(case: FindingContext) -> str:
    """V502."""
    if case.seat != NO_SEAT:
        return _("dealer differs: engine {expected}, log {actual}")
    text = _("round differs: engine {expected}, log {actual}")
    return text.format(expected=spoken_round(case.expected), actual=spoken_round(case.actual))


def sticks_differ(case: FindingContext) -> str:
    """V504."""
    if case.seat == NO_SEAT:
        return _("riichi sticks differ: engine {expected}, log {actual}")
    return _("riichi sticks differ: engine {expected}, log {actual}; seat {seat} has the difference")


def game_end(case: FindingContext) -> str:
    """V505."""
    return (
        _("the game goes on though it is over") if case.expected else _("the game ends though it is not over")
    )


def final_result(case: FindingContext) -> str:
    """V506."""
    if case.reason == reasons.PLAIN:
        return _("final score differs: engine {expected}, log {actual}")
    text = _("final points differ: engine {expected:+g}, log {actual:+g}")
    return text.format(expected=case.expected / 1000, actual=case.actual / 1000)


def hash_differs(case: FindingContext) -> str:
    """V605."""
    if case.expected:
        return _("the published hash of the salt does not fit")
    return _("the published hash of the wall does not fit")


def wall_is_no_set(case: FindingContext) -> str:
    """V606."""
    if case.tile == NO_TILE:
        return _("the wall is of {actual} tiles; expected {expected}, or those after the deal")
    return _("wall and deal hold {actual} of {tile}; the set holds {expected}")


def declared() -> Iterator[tuple[str, str]]:
    """Yield the context and the text of all words that messages are made of and do not spell out."""
    moves = ("move", "tsumo", "ron", "kyuushu", *(kind.name.lower() for kind in EventKind))
    yield from (("move", word) for word in moves)
    yield from (("end of a hand", word) for word in END_WORDS.values())
    yield from (("time", word) for word in ("first", "second", "third", "fourth", "fifth"))
    yield from (("", limit.name.lower()) for limit in Limit)
