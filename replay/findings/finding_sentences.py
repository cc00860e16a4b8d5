"""The sentences of findings in a log: what a case means, in the language of the person who reads it.

:mod:`paifu.replay.findings.kinds` says which function belongs to which code. A sentence is one template, so
that translations can put its parts in another order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeVar

from paifu.replay.findings import values
from paifu.replay.findings.context import FindingContext
from paifu.replay.findings.finding import FindingValue
from paifu.replay.kernels import reasons
from paifu.replay.language import N_, _, pgettext
from paifu.replay.model.events import NO_SEAT, EventFlag, EventKind, HandEnd
from paifu.replay.model.tiles import ALL_TILES, BONUS_TILES, NO_TILE, tile_name
from paifu.replay.rules.choices import RiichiKan
from paifu.replay.rules.foul_kinds import FOUL_NAMES
from paifu.replay.scoring.limits import Limit
from paifu.replay.table.engine import engine_of
from paifu.replay.views.labels import spoken_round
from paifu.replay.views.results import END_WORDS

_Id = TypeVar("_Id", int, str)


def listed(texts: Iterable[str]) -> str:
    """Write a list of names as the language does: ``riichi, pinfu``."""
    return _(", ").join(texts)


def _said(value: FindingValue) -> FindingValue:
    """Return a value as people read it."""
    return _(value) if isinstance(value, str) else value


def _move(kind: EventKind | None) -> str:
    """Name a kind of event as a move."""
    return pgettext("move", "move" if kind is None else kind.name.lower())


def _end(value: int) -> str:
    """Name how a hand ends."""
    return pgettext("end of a hand", END_WORDS[HandEnd(value)])


def _other_copy(case: FindingContext) -> str:
    """The tile fits, its physical copy does not."""
    if case.kind in (None, EventKind.DRAW, EventKind.DORA, EventKind.WIN):
        text = _("{tile} comes into play a second time")
    else:
        text = _("{tile} is not where this takes it from; another copy may be")
    return text.format(tile=values.physical_text(case, case.actual) or case.tile_text)


def too_many(case: FindingContext) -> str:
    """V103."""
    if case.reason == reasons.OTHER_COPY:
        return _other_copy(case)
    if case.tile >= ALL_TILES:
        return _("a tile is hidden, so the hand cannot be followed")
    if case.expected == 0:
        return _("{tile} is not in the set of this game").format(tile=case.tile_text)
    return _("{tile} for the {ordinal} time; the set holds {expected}").format(
        tile=case.tile_text, ordinal=_ordinal(case.actual), expected=case.expected
    )


def _ordinal(value: int) -> str:
    ordinals = ("fifth", "first", "second", "third", "fourth")
    return pgettext("time", ordinals[value if value in range(1, 5) else 0])


def out_of_turn(case: FindingContext) -> str:
    """V201."""
    if case.expected != case.actual:
        text = _("a {move} out of turn: seat {seat} is to move")
    else:
        text = _("a {move} where another move is due, or none is possible any more")
    return text.format(move=_move(case.kind), seat=case.expected)


def not_held(case: FindingContext) -> str:
    """V202."""
    if case.reason == reasons.OTHER_COPY:
        return _other_copy(case)
    return _("{tile} is discarded, but it is not in the hand").format(tile=case.tile_text)


def tsumogiri(case: FindingContext) -> str:
    """V203."""
    if not case.batch.events.flags[case.event] & EventFlag.TSUMOGIRI:
        text = _("{tile} is said to come from the hand, but the only one is the tile just drawn")
        return text.format(tile=case.tile_text)
    if case.expected == NO_TILE:
        text = _("{tile} is said to be the tile just drawn, but that was nothing")
        return text.format(tile=case.tile_text)
    return _("{tile} is said to be the tile just drawn, but that was {drawn}").format(
        tile=case.tile_text, drawn=tile_name(case.expected)
    )


def illegal_call(case: FindingContext) -> str:
    """V204."""
    if case.reason == reasons.OTHER_COPY:
        return _other_copy(case)
    if case.reason == reasons.NOT_HELD:
        text = _("{call} with {tile}, which is not in the hand")
    elif case.expected == case.actual:
        text = _("{call} of {tile}, which these tiles, this seat or this moment do not allow")
    elif case.expected == NO_TILE:
        text = _("{call} of {tile}, but nothing was just discarded")
    else:
        text = _("{call} of {tile}, but {other} was just discarded")
    call = pgettext("move", "call") if case.kind is None else _move(case.kind)
    return text.format(call=call, tile=case.tile_text, other=tile_name(case.expected))


def kuikae(case: FindingContext) -> str:
    """V205."""
    if case.reason == reasons.WAITED_FOR:
        return _("{tile} may not be discarded: an open riichi waits for it").format(tile=case.tile_text)
    return _("{tile} may not be discarded after this call (kuikae)").format(tile=case.tile_text)


def illegal_kan(case: FindingContext) -> str:
    """V206."""
    if case.reason == reasons.OTHER_COPY:
        return _other_copy(case)
    kan = pgettext("move", "kan") if case.kind is None else _move(case.kind)
    parts = {"kan": kan, "tile": case.tile_text, "seat": case.actual}
    if case.reason == reasons.NOT_NOW:
        text = _("{kan} of {tile} at another's turn, before a draw, or with no tile left to draw")
    elif case.reason == reasons.NOT_HELD:
        text = _("{kan} of {tile} without the tiles for it")
    elif case.reason == reasons.OTHER_SOURCE:
        text = _("{kan} of {tile} to a pon from seat {seat}, who did not feed it")
    elif case.reason == reasons.OTHER_GROUPS:
        text = _("{kan} of {tile} under riichi takes tiles that another group could need")
    elif case.expected == case.actual and case.rules.riichi.riichi_kan == RiichiKan.FORBIDDEN:
        text = _("{kan} of {tile} under riichi, which the rules do not allow")
    elif case.expected == case.actual:
        text = _("{kan} of {tile} under riichi, which the rules allow with the tile just drawn only")
    else:
        text = _("{kan} of {tile} under riichi changes the waits from {before} to {after}")
        parts |= {
            "before": _said(values.names_of(case.expected)),
            "after": _said(values.names_of(case.actual)),
        }
    return text.format(**parts)


def illegal_riichi(case: FindingContext) -> str:
    """V207."""
    if not case.is_riichi:
        return _("riichi in a game that has none")
    if case.reason == reasons.IN_RIICHI and case.expected == NO_TILE:
        text = _("{tile} is discarded under riichi, but nothing was drawn")
    else:
        text = _(_RIICHI[case.reason])
    drawn = tile_name(case.expected) if case.reason == reasons.IN_RIICHI else ""
    return text.format(tile=case.tile_text, drawn=drawn, actual=case.actual, expected=case.expected)


_RIICHI = {
    reasons.NOT_TENPAI: N_("riichi without tenpai: discarding {tile} leaves no wait"),
    reasons.DECLARED_LATE: N_("riichi is stated after its discard, {tile}"),
    reasons.NOT_PLAYED: N_("riichi with the hand shown, which these rules do not know"),
    reasons.OPEN_HAND: N_("riichi with an open hand"),
    reasons.SECOND_RIICHI: N_("a second riichi"),
    reasons.IN_RIICHI: N_("{tile} is discarded under riichi, but {drawn} was drawn"),
    reasons.SHORT_WALL: N_("riichi with {actual} tiles left to draw, it takes {expected}"),
    reasons.FEW_POINTS: N_("riichi with {actual} points, it takes {expected}"),
    reasons.FOUL_SHOWN: N_("a win that shows that its riichi, or a kan under it, was a foul"),
}
"""What is wrong with a riichi."""


def riichi_stick(case: FindingContext) -> str:
    """V208."""
    if not case.is_riichi:
        return _("a riichi stick in a game that has none")
    text = _(_STICK[case.reason])
    return text.format(expected=case.expected, actual=case.actual)


_STICK = {
    reasons.PLAIN: N_("score after the riichi differs: engine {expected}, log {actual}"),
    reasons.NOT_DUE: N_("a riichi stick is paid that is not due"),
    reasons.TILE_WON: N_("a riichi stick is paid although the tile was won"),
    reasons.UNPAID: N_("riichi passed, but its stick is not paid"),
}
"""What is wrong with a stick."""


def dora_turned(case: FindingContext) -> str:
    """V209."""
    if not case.is_riichi:
        return _("a dora indicator in a game that has none")
    return _("indicators turned: {expected} due, {actual} in the log").format(
        expected=case.expected, actual=case.actual
    )


def after_end(case: FindingContext) -> str:
    """V211."""
    return _("a {move} after the end of the hand").format(move=_move(EventKind(case.actual)))


def illegal_draw(case: FindingContext) -> str:
    """V212."""
    if case.expected:
        return _("the hand goes on, but had to end by {end}").format(end=_end(case.expected))
    return _("the hand may not end here by {end}").format(end=_end(case.actual))


def illegal_kita(case: FindingContext) -> str:
    """V213."""
    if not case.is_riichi:
        return _illegal_bonus(case)
    if case.kind == EventKind.BONUS:
        return _illegal_flower(case)
    if case.reason == reasons.OTHER_COPY:
        return _other_copy(case)
    return _(_KITA[case.reason]).format(tile=case.tile_text)


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


def _illegal_flower(case: FindingContext) -> str:
    return _(_FLOWER[case.reason]).format(tile=case.tile_text)


def _illegal_bonus(case: FindingContext) -> str:
    if case.kind == EventKind.KITA:
        return _("kita in a game that has none")
    if case.kind != EventKind.BONUS:
        text = _("seat {seat} has not set {tile} aside")
    elif case.tile not in BONUS_TILES or case.reason == reasons.NOT_HELD:
        text = _("{tile} is set aside, but is not in the hand")
    else:
        text = _("{tile} is set aside out of turn")
    return text.format(seat=case.seat, tile=case.tile_text)


def foul_not_stated(case: FindingContext) -> str:
    """V214."""
    text = _("a foul of seat {seat} is not stated: {foul}")
    return text.format(seat=case.seat, foul=FOUL_NAMES[case.expected])


def foul_without_cause(case: FindingContext) -> str:
    """V215."""
    if case.reason == reasons.NOT_IN_RULES:
        text = _("seat {seat} is said to commit a foul that the rules do not have: {foul}")
    else:
        text = _("seat {seat} is said to commit a foul, but the events do not show it: {foul}")
    return text.format(seat=case.seat, foul=FOUL_NAMES[case.actual])


def dead_hand(case: FindingContext) -> str:
    """V216."""
    if case.kind == EventKind.WIN:
        return _("a win by a dead hand")
    return _("a {move} by a dead hand").format(move=_move(case.kind))


def no_win(case: FindingContext) -> str:
    """V301."""
    return _(_NO_WIN[case.reason]).format(tile=case.tile_text)


_NO_WIN = {
    reasons.PLAIN: N_("the hand is not complete with {tile}"),
    reasons.NOT_OFFERED: N_("{tile} could not be won: it was neither drawn nor discarded just before"),
    reasons.ROBS_ANKAN: N_(
        "{tile} of a closed kan could not be won: only thirteen orphans may rob one, if anybody"
    ),
    reasons.ORPHANS_ROB_ANKAN: N_(
        "{tile} of a closed kan could not be won: these rules do not let thirteen orphans rob one "
        "(kokushi_ankan_ron)"
    ),
    reasons.OTHER_TILES: N_("the tiles or melds shown with the win are not those of the hand"),
}
"""Why a win is none."""


def no_yaku(case: FindingContext) -> str:
    """V302."""
    if case.is_riichi:
        text = _("a win on {tile} without a yaku, or with fewer han than the rules ask for")
    else:
        text = _("a win on {tile} that is worth too little, or does not complete what it must")
    return text.format(tile=case.tile_text)


def furiten_ron(case: FindingContext) -> str:
    """V303."""
    return _("ron on {tile} while furiten").format(tile=case.tile_text)


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
    texts = _YAKU_DIFFER if case.is_riichi else _PATTERNS_DIFFER
    spoken = partial(engine_of(case.rules).spoken, case.rules)
    return _differ(texts, *values.yaku_of(case), spoken)


def _differ(
    texts: Mapping[tuple[bool, bool], str],
    found: Sequence[_Id],
    stated: Sequence[_Id],
    name: Callable[[_Id], str],
) -> str:
    missing = listed(name(one) for one in found if one not in stated)
    extra = listed(name(one) for one in stated if one not in found)
    return _(texts[bool(missing), bool(extra)]).format(missing=missing, extra=extra)


def han_differ(case: FindingContext) -> str:
    """V305."""
    if case.is_riichi:
        text = _("han differ: engine {expected}, log {actual}")
    else:
        text = _("values of the patterns differ: engine {expected}, log {actual}")
    return text.format(expected=case.expected, actual=case.actual)


def honba_differ(case: FindingContext) -> str:
    """V503."""
    if case.is_riichi:
        text = _("honba differ: engine {expected}, log {actual}")
    else:
        text = _("hands dealt in a row before differ: engine {expected}, log {actual}")
    return text.format(expected=case.expected, actual=case.actual)


def dora_differ(case: FindingContext) -> str:
    """V308."""
    if case.reason == reasons.URA_INDICATORS:
        if case.actual < case.expected:
            text = _("ura indicators differ: {due} due, {shown} shown")
        else:
            text = _("ura indicators differ: {due} due, more shown")
        return text.format(due=case.expected, shown=case.actual)
    if case.reason == reasons.INDICATOR:
        lies, stated = values.dora(case)
        text = _("indicators differ: the wall has {expected}, the log lists {actual}")
        return text.format(expected=_said(lies or N_("none")), actual=_said(stated or N_("none")))
    sort = _(values.DORA_SORTS[case.reason])
    return _("dora differ: engine {expected}, log {actual}").format(
        expected=_("{count} {sort}").format(count=case.expected, sort=sort),
        actual=_("{count} {sort}").format(count=case.actual, sort=sort),
    )


def several_wins(case: FindingContext) -> str:
    """V309."""
    if case.reason == reasons.TOO_MANY_WINS:
        text = _("{count} wins on one tile; the rules allow {allowed}")
    else:
        text = _("{count} wins on one tile, not in the order of turns")
    return text.format(count=case.actual, allowed=case.expected)


def wrong_liable(case: FindingContext) -> str:
    """V404."""
    expected, actual = (
        _("nobody") if seat == NO_SEAT else _("seat {seat}").format(seat=seat)
        for seat in (case.expected, case.actual)
    )
    text = _("liable player differs: engine {expected}, log {actual}")
    return text.format(expected=expected, actual=actual)


def wrong_points(case: FindingContext) -> str:
    """V307."""
    expected, actual = values.points_or_limit(case)
    if case.reason == reasons.LIMIT:
        text = pgettext("limit", "points differ: engine {expected}, log {actual}")
    else:
        text = _("points differ: engine {expected}, log {actual}")
    return text.format(expected=_said(expected), actual=_said(actual))


def tenpai_differs(case: FindingContext) -> str:
    """V406."""
    if case.reason == reasons.OTHER_TILES:
        return _("the tiles shown are not those of the hand")
    if values.is_aborted(case):
        text = _("hand differs: engine {expected}, log {actual}")
    else:
        text = _("tenpai differs: engine {expected}, log {actual}")
    expected, actual = map(_said, values.tenpai(case))
    return text.format(expected=expected, actual=actual)


def score_differs(case: FindingContext) -> str:
    """V501."""
    if case.event < 0:
        text = _("score at the start differs: engine {expected}, log {actual}")
    else:
        text = _("score before the payment differs: engine {expected}, log {actual}")
    return text.format(expected=case.expected, actual=case.actual)


def nagashi(case: FindingContext) -> str:
    """V407."""
    if case.seat != NO_SEAT:
        text = _("nagashi payments differ: engine {expected:+}, log {actual:+}")
        return text.format(expected=case.expected, actual=case.actual)
    if case.actual:
        return _("nagashi mangan, but nobody's discards allow it")
    seats = _(" and ").join(str(seat) for seat in range(4) if case.expected >> seat & 1)
    return _("no nagashi mangan in the log, but the discards of seat {seats} are one").format(seats=seats)


def sticks_differ(case: FindingContext) -> str:
    """V504."""
    if case.seat == NO_SEAT:
        text = _("riichi sticks differ: engine {expected}, log {actual}")
    else:
        text = _("riichi sticks differ: engine {expected}, log {actual}; seat {seat} has the difference")
    return text.format(expected=case.expected, actual=case.actual, seat=case.seat)


def late_start(case: FindingContext) -> str:
    """V507."""
    return _("the record begins at {hand}; the hands before it are missing").format(hand=case.label)


def wrong_round(case: FindingContext) -> str:
    """V502."""
    if case.seat != NO_SEAT:
        text = _("dealer differs: engine {expected}, log {actual}")
        return text.format(expected=case.expected, actual=case.actual)
    text = _("round differs: engine {expected}, log {actual}")
    return text.format(expected=spoken_round(case.expected), actual=spoken_round(case.actual))


def game_end(case: FindingContext) -> str:
    """V505."""
    if case.expected:
        return _("the game goes on though it is over")
    return _("the game ends though it is not over")


def final_result(case: FindingContext) -> str:
    """V506."""
    if case.reason == reasons.PLAIN:
        text = _("final score differs: engine {expected}, log {actual}")
        return text.format(expected=case.expected, actual=case.actual)
    text = _("final points differ: engine {expected:+g}, log {actual:+g}")
    return text.format(expected=case.expected / 1000, actual=case.actual / 1000)


def deal_differs(case: FindingContext) -> str:
    """V601."""
    if case.reason == reasons.ANOTHER_WALL:
        text = _("the wall of this seed is another one: {actual} of {expected} tiles dealt agree")
        return text.format(actual=case.actual, expected=case.expected)
    text = _("the wall gives {tile}, which is not among the tiles dealt")
    return text.format(tile=values.physical_text(case, case.expected))


def hash_differs(case: FindingContext) -> str:
    """V605."""
    if case.expected:
        return _("the published hash of the salt does not fit")
    return _("the published hash of the wall does not fit")


def wall_is_no_set(case: FindingContext) -> str:
    """V606."""
    if case.tile == NO_TILE:
        text = _("the wall is of {actual} tiles; expected {expected}, or those after the deal")
    else:
        text = _("wall and deal hold {actual} of {tile}; the set holds {expected}")
    return text.format(actual=case.actual, expected=case.expected, tile=case.tile_text)


def wall_again(case: FindingContext) -> str:
    """V607."""
    _nothing, hand = values.earlier_hand(case)
    return _("the tiles dealt and drawn are those of {hand}").format(hand=hand)


def declared() -> Iterator[tuple[str, str]]:
    """Yield the context and the text of all words that messages are made of and do not spell out."""
    moves = ("move", "call", "kan", *(kind.name.lower() for kind in EventKind))
    yield from (("move", word) for word in moves)
    yield from (("end of a hand", word) for word in END_WORDS.values())
    yield from (("time", word) for word in ("first", "second", "third", "fourth", "fifth"))
    yield from (("", limit.name.lower()) for limit in Limit)
